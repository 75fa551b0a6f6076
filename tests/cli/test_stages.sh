# SPDX-License-Identifier: MIT
# alba ir, alba llvm, alba asm.
. "$CLI_TESTS/lib.sh"

cat > two.wgsl <<'WGSL'
override n: u32 = 4;
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(n) fn first(@builtin(global_invocation_id) id: vec3u) { a[id.x] = n; }
@compute @workgroup_size(1) fn second() { a[0] = 1; }
WGSL
run 0 ir two.wgsl
out '; stage module'
out 'entry compute "first"'
no_out '; stage specialised'
run 0 ir two.wgsl --entry first --constant n=8
out '; stage specialised'
out 'workgroup_size(8, 1, 1)'
for stage in inline localise polyfill split_composites promote scalarise simplify contract bounds; do
    out "; stage $stage"
    run 0 ir two.wgsl --entry first --stage $stage
    out "; stage $stage"
    no_out '; stage module'
    run 0 ir two.wgsl --entry first --constant n=8
done
run 1 ir two.wgsl --entry first --stage nope
err "there is no stage 'nope'"
err 'promote'
run 1 ir two.wgsl --entry nope
err "'nope'"
run 1 ir two.wgsl --entry first --constant zz=1
err "'zz'"
run 0 llvm two.wgsl --entry first
out 'define '
cp out optimised
run 0 llvm two.wgsl --entry first --unoptimised
! cmp -s out optimised
expect 'optimising changes nothing'
run 0 llvm two.wgsl --entry first --cpu avx2 --width 8 --jam 1
out '<8 x '
run 0 llvm two.wgsl --entry first --cpu sse4.2 --width 4
out '<4 x '
run 0 asm two.wgsl --entry first
out '.text'
for command in llvm asm; do
    run 1 $command two.wgsl
    err 'which entry point?'
    run 1 $command two.wgsl --entry first --cpu pentium
    err 'sse4.2, avx2, avx512 or neon'
    run 2 $command two.wgsl --entry first --width 3
    err 'power of two'
    run 2 $command two.wgsl --entry first --jam 16
    run 2 $command two.wgsl --entry first --stage module
done
cat > draw.wgsl <<'WGSL'
@vertex fn corner(@location(0) p: vec2f) -> @builtin(position) vec4f { return vec4f(p, 0, 1); }
@fragment fn paint(@builtin(position) p: vec4f) -> @location(0) vec4f {
    if (p.x < 1) { discard; }
    return vec4f(dpdx(p.y));
}
WGSL
for entry in corner paint; do
    run 0 ir draw.wgsl --entry $entry
    out '; stage final_cleanup'
    run 0 llvm draw.wgsl --entry $entry --cpu sse4.2
    out '<4 x '
    run 0 asm draw.wgsl --entry $entry
    out '.text'
done
for command in ir llvm asm; do
    run 2 $command
    err 'which file?'
    run 2 $command two.wgsl three.wgsl
    run 2 $command two.wgsl --frob 1
    run 2 $command two.wgsl --constant x
    run 1 $command missing.wgsl
    err 'No such file'
    printf 'fn f( {' > wrong.wgsl
    run 1 $command wrong.wgsl
    err 'wrong.wgsl:1:'
done
finish
