# SPDX-License-Identifier: MIT
# alba check: texts, JSON, exit statuses, and files that are none.
. "$CLI_TESTS/lib.sh"

cat > good.wgsl <<'WGSL'
@group(0) @binding(0) var<storage, read_write> a: array<f32>;
@compute @workgroup_size(1) fn main() { a[0] = 1; }
@compute @workgroup_size(1) fn second() { a[1] = 1; }
WGSL
printf 'fn f() -> f32 {\n    return 1i;\n}\nfn g() { unknown(); }\n' > bad.wgsl
printf '// \303\251\303\251 caf\303\251\nfn f() { let \320\266 = nope; }\n' > unicode.wgsl
printf '' > empty.wgsl
printf '\000\001\377\376\n\200\000' > binary.wgsl

run 0 check good.wgsl
out_is "good.wgsl: ok, 2 entry points"

run 1 check bad.wgsl
out 'bad.wgsl:2:12: error: '
out ' 2 |     return 1i;'
out '   |            ^~'
out 'bad.wgsl:4:10: error: '
out '2 errors and 0 warnings'
no_out 'ok'

run 1 check good.wgsl bad.wgsl
out 'good.wgsl: ok'
out 'bad.wgsl:2:12'

# One line a file, in the order given, whether good, bad, missing or no text at all.
run 1 check --json good.wgsl bad.wgsl missing.wgsl binary.wgsl
json 4
value file good.wgsl
value ok true
value diagnostics '[]'
err 'missing.wgsl'
run 1 check bad.wgsl --json
value ok false
value diagnostics.0.severity error
value diagnostics.0.line 2
value diagnostics.0.column 12
value diagnostics.0.length 2
value diagnostics.1.line 4
value diagnostics.length 2

# Columns are characters in the terminal and UTF-16 units in JSON: the same here.
run 1 check --json unicode.wgsl
value diagnostics.0.line 2
value diagnostics.0.column 18

# Beyond the basic plane they are not: U+1F680 is one character and two UTF-16 units, four bytes.
printf '/* \360\237\232\200 */ fn f() { let x: nonsense = 1; }\n' > rocket.wgsl
run 1 check rocket.wgsl
out 'rocket.wgsl:1:25: error: '
out '   |                         ^~~~~~~~'
run 1 check --json rocket.wgsl
json 1
value diagnostics.0.line 1
value diagnostics.0.column 26
value diagnostics.0.endColumn 34
value diagnostics.0.offset 27
value diagnostics.0.length 8
# In an identifier, and in a fix and a note: 'd' with U+10400 is two characters and three units.
printf 'fn f() { let d\360\220\220\200 = 1; d\360\220\220\200 = 2; }\n' > deseret.wgsl
run 1 check deseret.wgsl
out 'deseret.wgsl:1:22: error: '
out 'deseret.wgsl:1:14: note: '
out "fix: write 'var' at 1:10"
run 1 check --json deseret.wgsl
value diagnostics.0.column 23
value diagnostics.0.endColumn 26
value diagnostics.0.notes.0.column 14
value diagnostics.0.notes.0.endColumn 17
value diagnostics.0.fixes.0.column 10
value diagnostics.0.fixes.0.replacement var

# A tab is one character; the excerpt shows it as four columns, above the caret too.
printf 'fn f() {\n\t\tlet a = nope;\n}\n' > tab.wgsl
run 1 check tab.wgsl
out 'tab.wgsl:2:11: error: '
out ' 2 |         let a = nope;'
out '   |                 ^~~~'
run 1 check --json tab.wgsl
value diagnostics.0.column 11

# Each of WGSL's line breaks ends a line: CR LF once, CR, VT, FF, NEL, LS and PS by themselves.
printf 'fn f() {\r\n    let a = nope;\r\n}\r\n' > crlf.wgsl
run 1 check crlf.wgsl
out 'crlf.wgsl:2:13: error: '
out ' 2 |     let a = nope;'
! grep -q "$(printf '\r')" out
expect 'an excerpt holds the carriage return'
run 1 check --json crlf.wgsl
value diagnostics.0.line 2
value diagnostics.0.endLine 2
value diagnostics.0.offset 22
printf '//\r//\013//\014//\302\205//\342\200\250//\342\200\251const a = nope;' > breaks.wgsl
run 1 check --json breaks.wgsl
value diagnostics.0.line 7
value diagnostics.0.column 11

# A line of a megabyte is shown through a window; a program with many errors says how many are left.
{ printf 'const a = nope + 1'; i=0; while [ $i -lt 20000 ]; do printf ' /* ............................................ */'; i=$((i + 1)); done
  printf ' + wrong + 1;\n'; } > wide.wgsl
run 1 check wide.wgsl
out 'wide.wgsl:1:11: error: '
out 'wide.wgsl:1:1020022: error: '
[ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' out)" -lt 140 ]
expect 'a line of output is as long as the source'
{ i=0; while [ $i -lt 500 ]; do echo "const a$i: u32 = -1;"; i=$((i + 1)); done; } > many.wgsl
run 1 check many.wgsl
out 'many.wgsl:100:18: error: '
no_out 'many.wgsl:101:'
out 'too many errors: 400 more are not shown'
out '500 errors and 0 warnings'
run 1 check --json many.wgsl
json 1
value errors 500
value warnings 0
value diagnostics.length 100
value diagnostics.99.line 100
run 0 check --json good.wgsl
value errors 0

# Colour is for terminals alone, and not where NO_COLOR stands.
run 1 check bad.wgsl
! grep -q "$(printf '\033')" out
expect 'colour in a file'
if script -qec true /dev/null > /dev/null 2>&1; then
    script -qec "'$ALBA' check bad.wgsl" /dev/null > terminal < /dev/null
    grep -q "$(printf '\033')\[1;31merror" terminal
    expect 'no colour on a terminal'
    NO_COLOR=1 script -qec "'$ALBA' check bad.wgsl" /dev/null > terminal < /dev/null
    ! grep -q "$(printf '\033')" terminal
    expect 'colour in spite of NO_COLOR'
fi

input=good.wgsl
run 0 check -
out_is 'standard input: ok, 2 entry points'
input=bad.wgsl
run 1 check --json -
input=
value file 'standard input'
run 0 check empty.wgsl
out 'ok, 0 entry points'
run 1 check binary.wgsl
out 'binary.wgsl:1:1: error'

run 1 check missing.wgsl
err 'alba: missing.wgsl: No such file or directory'
run 1 check .
err 'Is a directory'
run 2 check
err 'which file?'
err 'alba check --help'
run 2 check --frob good.wgsl
err "there is no option '--frob'"
run 1 check -- --frob
err 'alba: --frob: No such file'

# Nesting and length do not matter: it answers, quickly enough for the test's time.
head -c 200000 /dev/zero | tr '\000' '(' > deep.wgsl
run 1 check deep.wgsl
{ printf 'const a = 1'; i=0; while [ $i -lt 2000 ]; do printf '+1+1+1+1+1'; i=$((i + 1)); done; printf ';'; } > long.wgsl
run 0 check long.wgsl

# 10^8 values of one structure, named nine levels deep: it is looked at once.
{ echo 'struct S0 { a: vec4f }'; i=1
  while [ $i -lt 10 ]; do
      p=S$((i - 1))
      echo "struct S$i { a: $p, b: $p, c: $p, d: $p, e: $p, f: $p, g: $p, h: $p }"
      i=$((i + 1))
  done
  echo '@group(0) @binding(0) var<uniform> u: S9;'; } > nest.wgsl
begin=$(date +%s)
run 0 check nest.wgsl
[ $(($(date +%s) - begin)) -lt 20 ]
expect 'nested structures take exponential time'

# The memory model's statements, by the message that a user meets on breaking each.
reject() { # reject WGSL TEXT...: check fails and its words say why
    printf '%s\n' "$1" > rejected.wgsl
    shift
    run 1 check rejected.wgsl
    for text in "$@"; do
        out "$text"
    done
}
accept() {
    printf '%s\n' "$1" > accepted.wgsl
    run 0 check accepted.wgsl
}
reject 'fn f() { var<private> a: f32; }' "'private'" 'module scope'
reject 'var<function> a: f32;' "'function'" 'in a function'
reject 'var<workgroup> w: u32; fn c() -> u32 { return w; } fn b() -> u32 { return c(); }
fn a() -> u32 { return b(); } @fragment fn main() { _ = a(); }' 'workgroup' "'main'" "'a'" "'b'" "'c'"
reject 'var<private> a: atomic<u32>;' 'atomic' 'workgroup'
reject '@group(0) @binding(0) var<storage> a: array<atomic<u32>>;' 'read_write'
reject '@group(0) @binding(0) var<uniform> a: array<vec4f>;' 'runtime-sized' 'storage'
reject '@group(0) @binding(0) var<private> a: f32;' "'private'" 'binding'
reject 'var<storage> a: array<f32>;' '@group and @binding'
reject '@group(0) @binding(0) var<storage, write> a: array<f32>;' "never 'write'"
reject '@group(0) @binding(0) var<uniform, read> a: f32;' 'access mode' 'uniform'
reject 'fn f(p: ptr<private, f32>) {} var<workgroup> w: f32; fn g() { f(&w); }' 'private' 'workgroup'
reject 'var<workgroup> a: atomic<f32>;' 'atomic'
reject '@group(0) @binding(0) var<storage, read_write> a: atomic<u32>; @compute @workgroup_size(1) fn f() { a = 1; }' 'atomic'
reject '@group(0) @binding(0) var<uniform> a: f32; @compute @workgroup_size(1) fn f() { a = 1; }' 'read'
reject '@group(0) @binding(0) var<storage, read_write> a: array<f32>; fn first() -> f32 { return a[0]; }
@vertex fn main() -> @builtin(position) vec4f { return vec4f(first()); }' "'a'" 'vertex' "'main' calls 'first' here"
reject 'var<workgroup> w: atomic<u32>; @vertex fn main() -> @builtin(position) vec4f { atomicAdd(&w, 1u); return vec4f(); }' 'vertex'
reject '@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) i: u32) { if i > 3 { workgroupBarrier(); } }' \
    'workgroupBarrier' 'uniform control flow' 'differs between invocations'
reject 'struct W { v: array<f32, 64> } @group(0) @binding(0) var<uniform> w: W;' 'not a multiple of 16' \
    'array<vec4<f32>, 16>' 'uniform_buffer_standard_layout' 'storage'
reject 'struct Header { n: u32 } struct B { head: Header, more: f32 } @group(0) @binding(0) var<uniform> b: B;' \
    "'more' begins 4 bytes after the structure 'head'" '16'
reject 'struct Header { n: u32 } struct B { head: Header, data: array<f32> } @group(0) @binding(0) var<uniform> b: B;' \
    'runtime-sized' 'storage'
accept 'var<workgroup> w: atomic<u32>; @group(0) @binding(0) var<storage, read_write> s: atomic<i32>;
@compute @workgroup_size(1) fn f() {
    atomicStore(&w, atomicLoad(&w)); _ = atomicAdd(&w, 1u); _ = atomicSub(&w, 1u); _ = atomicMax(&w, 1u);
    _ = atomicMin(&w, 1u); _ = atomicAnd(&w, 1u); _ = atomicOr(&w, 1u); _ = atomicXor(&w, 1u);
    _ = atomicExchange(&s, 1i); _ = atomicCompareExchangeWeak(&s, 1i, 2i).exchanged; }'
accept 'fn f() { var a: f32; var<function> b: f32; _ = a + b; }'
accept 'fn sum(p: ptr<function, array<f32, 4>>) -> f32 { return (*p)[0] + p[1]; }'
accept '@group(0) @binding(0) var<storage> a: array<f32>; @group(0) @binding(1) var<storage, read> b: array<f32>;'
accept 'var<private> table: array<f32, 256>;'
accept 'requires uniform_buffer_standard_layout; struct W { v: array<f32, 64> } @group(0) @binding(0) var<uniform> w: W;'
finish
