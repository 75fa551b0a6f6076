// error: misplaced-directive misplaced-directive misplaced-directive
const a = 1;
enable f16;
requires packed_4x8_integer_dot_product;
diagnostic(off, derivative_uniformity);
