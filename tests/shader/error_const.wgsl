// error: const-overflow division-by-zero value-out-of-range index-out-of-bounds const-assert
const a = 9223372036854775807 + 1;
const b = 1 / 0;
const c: i32 = 3000000000;
const d = array(1, 2)[2];
const_assert 1 > 2;
