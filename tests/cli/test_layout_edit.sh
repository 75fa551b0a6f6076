# SPDX-License-Identifier: MIT
# What alba layout proposes is put to the test: legal forms compile as uniform buffers with the
# promised size, C headers compile with their assertions, and a host's layout is compared.
. "$CLI_TESTS/lib.sh"

# mend NAME SIZE WGSL: the legal form of the structure S in WGSL has SIZE bytes and is legal.
mend() {
    printf '%s\n@group(0) @binding(0) var<uniform> u: S;\n' "$2" > mend.wgsl
    run 1 layout mend.wgsl S
    out "Legal form, $1 bytes"
    # The declarations stand between "Legal form" and the next line that belongs to none.
    sed -n '/^Legal form/,$p' out | sed -n '2,$p' | sed '/^[^ s}]/,$d' > legal.wgsl
    # The structures that did not change keep their declaration.
    for name in $(sed -n 's/^struct \([A-Za-z0-9_]*\) .*/\1/p' mend.wgsl); do
        grep -q "^struct $name " legal.wgsl || grep "^struct $name " mend.wgsl >> legal.wgsl
    done
    printf 'enable f16;\n%s\n@group(0) @binding(0) var<uniform> u: S;\n' "$(grep -v '^enable' legal.wgsl)" > legal2.wgsl
    run 0 layout legal2.wgsl S --json
    value types.0.size "$1"
    value types.0.uniform.legal true
}
# radius at 0, the three vec4 at 16: 64.
mend 64 'struct S { radius: f32, weights: array<f32, 9> }'
# 1 + 3 * 16 in vec4s of f32: one vec4 for 3 numbers at 16: 32.
mend 32 'struct S { a: f32, b: array<u32, 3> }'
# Elements of 20 bytes grow to 32; 4 + 128 + 4 with the list at 16: 144, then c at 144: 160.
mend 160 'struct E { a: f32, b: f32, c: f32, d: f32, e: f32 }
struct S { a: f32, list: array<E, 4>, c: f32 }'
# A structure of 20 bytes at 4 moves to 16, what follows to 48: 64.
mend 64 'struct V { a: f32, b: f32, c: f32, d: f32, e: f32 }
struct S { a: f32, v: V, b: f32 }'
# Nested arrays: the inner one becomes array<vec4<f32>, 1>.
mend 64 'struct S { a: array<array<f32, 4>, 4> }'
# f16 has no vec4 of 16 bytes: each of five elements is padded to 16: b at 80, and 84
# is a multiple of the alignment, 4.
mend 84 'enable f16;
struct S { a: array<f16, 5>, b: f32 }'
# mat2x2<f16> has 8 bytes: padded to 16 each.
mend 32 'enable f16;
struct S { a: array<mat2x2<f16>, 2> }'
# Two structures deep: C (8) at 4 in B moves to 16; B is 32, then d.
mend 48 'struct C { a: f32, b: f32 }
struct B { a: f32, c: C }
struct S { b: B, d: f32 }'
# mat3x2<f32> has columns of 8 bytes, 24 in all: each of two is padded to 32.
mend 64 'struct S { a: array<mat3x2f, 2> }'
# A name that the module has already is not taken for the wrapper: 2 * 16, then p.
mend 48 'enable f16;
struct Padded16 { a: f32 }
struct S { a: array<f16, 2>, @size(16) p: f32 }'
out_legal=$(cat legal.wgsl)
case $out_legal in *'struct Padded16 {'*@size*) false ;; *) true ;; esac
expect 'the wrapper takes a name of the module'

# ---- The C header.

cat > header.wgsl <<'WGSL'
enable f16;
struct Inner { a: vec3f, b: u32, c: vec2<f16> }
struct Other { int: i32, default_: f32, padding_0: u32, é: f32, @size(24) m: mat3x3f, n: array<vec3f, 3> }
struct Outer { a: f32, inner: array<Inner, 2>, other: Other, h: array<vec3<f16>, 2>, @align(64) last: f32 }
struct Tail { count: atomic<u32>, items: array<Inner> }
struct OnlyTail { items: array<vec3u> }
struct long { a: f32, b: long_ }
struct long_ { c: f32, char: f32, char_: f32, char__: f32, padding_0: vec3f }
struct Words { λ: f32, _xCE_xBB: f32, _x5F: f32, size_t: u32, offsetof: f32, uint32_t: u32, INT32_MAX: f32, linux: f32,
    _Bool: u32, class_: f32, this_: f32, not: f32 }
@group(0) @binding(3) var<storage> longs: array<long, 3>;
@group(0) @binding(4) var<storage> words: Words;
@group(0) @binding(0) var<storage> outer: Outer;
@group(0) @binding(1) var<storage, read_write> tail: Tail;
@group(0) @binding(2) var<storage> only: OnlyTail;
WGSL
sed -i.bak 's/@size(24) m/@size(64) m/' header.wgsl
run 0 layout header.wgsl --c-header
cp out layout.h
out '_Static_assert(offsetof(struct Inner, b) == 12, "WGSL offset");'
out '_Static_assert(sizeof(struct Inner) == 32, "WGSL size");'
out 'float m[3][4]; // mat3x3<f32>'
out 'float n[3][4]; // array<vec3<f32>, 3>'
out 'struct Inner items[];'
out 'struct OnlyTail is all runtime-sized array'
if [ -n "${ALBA_CC:-}" ]; then
    printf '#include "layout.h"\nint main(void) { return (int)sizeof(struct Outer) * 0; }\n' > use.c
    "$ALBA_CC" -std=c17 -Wall -Wextra -Werror -pedantic -c use.c -o use.o 2> err
    expect 'the C header does not compile'
    # The same header in C++, which knows more words.
    if printf 'int main() {}\n' | "$ALBA_CC" -std=c++17 -x c++ -c -o plain.o - 2> err; then
        "$ALBA_CC" -std=c++17 -x c++ -Wall -Wextra -Werror -c use.c -o use.o 2> err
        expect 'the C header does not compile as C++'
    fi
fi
out 'struct long__ {'
out 'struct long_ {'
out 'float char_;'
out 'float char___;'
out 'float _x5FxCE_x5FxBB;'
run 0 layout header.wgsl Inner --c-header
out 'struct Inner {'
no_out 'struct Outer'
printf '@group(0) @binding(0) var<storage> a: array<f32>;\n' > none.wgsl
run 0 layout none.wgsl --c-header
out 'It has no structures'

# ---- The host's layout.

cat > host.wgsl <<'WGSL'
struct Sphere { center: vec3f, radius: f32 }
struct Padded { center: vec3f, other: vec3f, radius: f32 }
struct Light { position: vec3f, color: Sphere, m: mat3x3f, list: array<vec3f, 4> }
@group(0) @binding(0) var<uniform> weights: array<vec4f, 9>;
WGSL
# The host pads the vec3 to 16 and the whole to 32, as many engines do.
run 1 layout host.wgsl Sphere --diff center:f32x3@0,radius:f32@16,size=32
out 'your radius at 16 lands past the end of the WGSL type (16 bytes); WGSL reads it at 12, where you have padding'
out '@size(16) center moves '"'radius'"' to 16'
out 'WGSL 16 bytes, host 32'
out 'they differ'
run 0 layout host.wgsl Sphere --diff center:f32x3,radius:f32,size=16
out 'they agree'
run 0 layout host.wgsl Sphere --diff 12,4
# Packed: other at 12 where WGSL has padding.
run 1 layout host.wgsl Padded --diff center:f32x3,other:f32x3,radius:f32
out 'your other at 12 lands in padding; WGSL reads it at 16, where you have '"'other'"
out 'put 4 bytes of padding before it'
run 1 layout host.wgsl Padded --diff center:f32x3@0,other:f32x3@16,radius:f32@32
out 'your radius at 32 lands past the end of the WGSL type'
# Strides: matrices of 36 bytes, arrays of packed vec3, a float[9] where WGSL has vec4s.
run 1 layout host.wgsl Light --diff m:f32x3x3@32
out 'the columns of your m are 12 bytes apart, WGSL'"'"'s 16: column 1 is read at 48, yours is at 44'
run 1 layout host.wgsl Light --diff list:f32x3[4]@80
out 'element 1 is read at 96, yours is at 92'
run 0 layout host.wgsl Light --diff list:f32x3[4]/16@80,color.radius:f32@28,m:f32x4[3]@32
run 1 layout host.wgsl weights --diff 'f32[9]'
out 'the elements of your value are 4 bytes apart, WGSL'"'"'s 16'
out 'pad each element to 16 bytes'
run 1 layout host.wgsl Sphere --diff center:f32x3@0,radius:f32@16 --json
json 1
value same false
value members.1.member radius
value members.1.offset 12
value members.1.hostOffset 16
run 1 layout host.wgsl Sphere --diff size=12
out 'too small to bind: minBindingSize is 16'

run 2 layout host.wgsl Sphere --diff nope:f32@0
err "struct Sphere has no member 'nope'; it has center, radius"
run 2 layout host.wgsl Sphere --diff f32,f32,f32
err 'more members'
for wrong in '' ',' 'f33' 'a:' ':f32' 'f32x' 'f32x99' 'f32[' 'f32[0]' 'f32[4]/2' 'f32@' 'f32@x' \
    '99999999999' 'f32[4294967295]' 'size=' 'size=1x' 'f32@4294967295' 'f32x3x3x3'; do
    run 2 layout host.wgsl Sphere --diff "$wrong"
    err 'alba layout: --diff'
    silent
done
run 2 layout host.wgsl --diff f32
err 'name it behind the file'
finish
