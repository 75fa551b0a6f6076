# SPDX-License-Identifier: MIT
# alba run: every form of its arguments, and what is wrong with others.
. "$CLI_TESTS/lib.sh"

cat > add.wgsl <<'WGSL'
override a = 2.0;
override offset: i32 = 0;
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&y) { y[id.x] = a * x[id.x] + y[id.x] + f32(offset); }
}
WGSL
run 0 run add.wgsl --dispatch 1 --bind 0.0=f32:1,2.5,-3 --bind 0.1=f32:10,10,10 --print 0.1=f32
out_is '0.1: 12 15 4'
run 0 run add.wgsl --dispatch=1,1,1 --bind=0.0=f32:1,2 --bind 0.1=f32:0,0 --constant a=0.5 --constant offset=-3 --print 0.1=f32
out_is '0.1: -2.5 -2'
run 0 run add.wgsl --entry main --dispatch 2,1 --bind 0.0=f32:1,1,1,1,1 --bind 0.1=zeros:20 --repeat 3 --print 0.1=f32:2
out_is '0.1: 6 6 … (3 more)'
# Workgroups of four invocations: one leaves the fifth element alone.
run 0 run add.wgsl --dispatch 1 --bind 0.0=f32:1,1,1,1,1 --bind 0.1=zeros:20 --print 0.1=f32
out_is '0.1: 2 2 2 2 0'
run 0 run add.wgsl --dispatch 0 --bind 0.0=f32:1 --bind 0.1=f32:5 --print 0.1=f32
out_is '0.1: 5'

cat > copy.wgsl <<'WGSL'
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(3) @binding(9) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn copy(@builtin(global_invocation_id) id: vec3u) { y[id.x] = x[id.x]; }
@compute @workgroup_size(1) fn fill(@builtin(global_invocation_id) id: vec3u) { y[id.x] = 7; }
WGSL
run 0 run copy.wgsl --entry copy --dispatch 3 --bind 0.0=i32:-1,2147483647,-2147483648 --bind 3.9=zeros:12 --print 3.9=i32 --print 3.9=u32:2
out_is '3.9: -1 2147483647 -2147483648
3.9: 4294967295 2147483647 … (1 more)'
run 0 run copy.wgsl --entry copy --dispatch 2 --bind 0.0=u32:4294967295,0x10 --bind 3.9=zeros:8 --out 3.9=data.bin
[ "$(od -An -tu4 data.bin | tr -s ' ')" = ' 4294967295 16' ]
expect 'the written file holds other bytes'
silent
run 0 run copy.wgsl --entry copy --dispatch 2 --bind 0.0=u32:5,6 --bind 3.9=zeros:8 --out 3.9=one.bin --out 3.9=two.bin
cmp -s one.bin two.bin
expect 'two --out write two files'
run 0 run copy.wgsl --entry copy --dispatch 2 --bind 0.0=@data.bin --bind 3.9=zeros:8 --print 3.9=u32
out_is '3.9: 4294967295 16'
run 0 run copy.wgsl --entry fill --dispatch 2 --bind 3.9=zeros:8 --print 3.9=u32
out_is '3.9: 7 7'
run 0 run copy.wgsl --entry copy --dispatch 4 --bind 0.0=random:16:1 --bind 3.9=zeros:16 --print 3.9=u32
cp out first
run 0 run copy.wgsl --entry copy --dispatch 4 --bind 0.0=random:16:1 --bind 3.9=zeros:16 --print 3.9=u32
cmp -s out first
expect 'one seed gives two different buffers'
run 0 run copy.wgsl --entry copy --dispatch 4 --bind 0.0=random:16:2 --bind 3.9=zeros:16 --print 3.9=u32
! cmp -s out first
expect 'two seeds give one buffer'
input=add.wgsl
run 0 run - --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:1 --print 0.1=f32
input=
out_is '0.1: 3'

# 12 bytes of x and 12 of y go up at their unmapping; 12 come back for the print.
run 0 run add.wgsl --dispatch 1 --bind 0.0=f32:1,2,3 --bind 0.1=f32:1,2,3 --print 0.1=f32 --ledger --time
out '12 bytes  host -> staging -> device  wgpuBufferUnmap'
out '12 bytes  device -> staging  wgpuCommandEncoderCopyBufferToBuffer'
out 'crossed: host -> staging 24, staging -> device 24, device -> staging 12, staging -> host 12 bytes'
out 'time: '
out 'a dispatch'

# What may be better, where it is asked for.
cat >scale.wgsl <<'EOF'
@group(0) @binding(0) var<storage> factors: array<vec4f, 2>;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { data[id.x] *= factors[1].y; }
EOF
run 0 run scale.wgsl --dispatch 1 --bind 0.0=f32:1,2,3,4,5,6,7,8 --bind 0.1=f32:1,2,3,4 --print 0.1=f32 --warnings
out_is '0.1: 6 12 18 24'
err "the shader's variable \"factors\" at @group(0) @binding(0) is read-only storage of 32 bytes"
err '[storage-for-uniform]'
run 0 run scale.wgsl --dispatch 1 --bind 0.0=f32:1,2,3,4,5,6,7,8 --bind 0.1=f32:1,2,3,4 --print 0.1=f32
no_err 'storage-for-uniform'

# What is missing or wrong, said with the numbers.
run 2 run
err 'which file?'
run 2 run add.wgsl
err '--dispatch X,Y,Z'
run 1 run add.wgsl --dispatch 1
err "uses 'x': give --bind 0.0=… with at least 4 bytes"
err "uses 'y': give --bind 0.1="
run 1 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:1 --bind 2.5=f32:1
err 'uses no variable at @group(2) @binding(5)'
run 1 run copy.wgsl --dispatch 1
err 'which compute entry point?'
err '  --entry fill'
run 1 run add.wgsl --entry nope --dispatch 1
err "there is no compute entry point 'nope'"
run 1 run add.wgsl --dispatch 70000 --bind 0.0=f32:1 --bind 0.1=f32:1
err 'maxComputeWorkgroupsPerDimension, 65535'
run 1 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:1 --constant nope=1
err "'nope'"
run 1 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:1 --constant a=1e300
err "'a'"
err 'f32'
run 1 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:1 --out 0.1=no/such/folder
err 'No such file'
run 1 run add.wgsl --dispatch 1 --bind 0.0=@missing.bin --bind 0.1=f32:1
err 'missing.bin: No such file'
printf 'struct U { a: vec4f, b: vec4f } @group(0) @binding(0) var<uniform> u: U;
@group(0) @binding(1) var<storage, read_write> o: f32; @compute @workgroup_size(1) fn main() { o = u.b.y; }\n' > uniform.wgsl
run 1 run uniform.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:1
err 'binding 0 is given 4 bytes'
err 'minBindingSize, 32'
run 0 run uniform.wgsl --dispatch 1 --bind 0.0=f32:1,2,3,4,5,6,7,8 --bind 0.1=f32:1 --print 0.1=f32
out_is '0.1: 6'
run 2 run add.wgsl --dispatch 4294967296
err '4294967296 workgroups in x; a count is below 2^32'
run 2 run add.wgsl --dispatch 1,1,9999999999
err '9999999999 workgroups in z'
for wrong in '--bind 0.0=zeros:3' '--bind 0.0=zeros:0' '--bind 0.0=zeros:99999999999999' '--bind 0.0=f32:1,x' \
    '--bind 0.0=u32:-1' '--bind 0.0=u32:4294967296' '--bind 0.0=i32:2147483648' '--bind 0.0=f32:' \
    '--bind 0.0=random:16' '--bind 0.0=@/dev/null' '--bind 0.0=what' '--bind 0.0' '--bind x=f32:1' \
    '--bind 0.0=f32:1 --bind 0.0=f32:1' '--print 0.1=f64' '--print 0.1=f32:x' '--print 0.1=f32' \
    '--dispatch 1,2,3,4' '--dispatch x' '--dispatch -1' '--repeat 0' '--repeat x' '--constant a' \
    '--constant a=x' '--watchdog 0' '--watchdog x' '--entry' '--frob' 'second.wgsl'; do
    run 2 run add.wgsl --dispatch 1 $wrong
    err 'alba run: '
    err 'alba run --help'
    silent
done

# A shader that never ends is given up, and the process ends.
printf '@group(0) @binding(0) var<storage, read_write> o: array<u32>;
@compute @workgroup_size(1) fn main() { loop { o[0] += 1u; if o[1] == 7u { break; } } }\n' > endless.wgsl
run 1 run endless.wgsl --dispatch 1 --bind 0.0=u32:0,0 --watchdog 200
err 'device lost'
err '200 ms'
err '--no-watchdog'
run 0 run endless.wgsl --dispatch 1 --bind 0.0=u32:0,7 --no-watchdog --print 0.0=u32
out_is '0.0: 1 7'

# Files that are no shader, and a code generator that is not there.
printf 'fn main( {' > syntax.wgsl
run 1 run syntax.wgsl --dispatch 1
err 'syntax.wgsl:1:'
head -c 4096 /dev/urandom > noise.wgsl
run 1 run noise.wgsl --dispatch 1
run 1 run missing.wgsl --dispatch 1
err 'No such file'
saved=$ALBA_JIT
ALBA_JIT=$work/nothing.so
export ALBA_JIT
run 1 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:1
err 'ALBA_JIT'
err 'llvm-19-dev'
ALBA_JIT=$saved
# Of an adapter that runs no shader it is said that it does not; a kind that is not there is told.
export ALBA_BACKEND=null
run 0 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:5 --print 0.1=f32
out_is '0.1: 5'
err 'the null adapter runs no shader (ALBA_BACKEND=null)'
export ALBA_BACKEND=vulkan
run 1 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:5
err 'no adapter is of the kind that was asked for (by backendType, AlbaInstanceOptions.backends or ALBA_BACKEND)'
unset ALBA_BACKEND
run 0 run add.wgsl --dispatch 1 --bind 0.0=f32:1 --bind 0.1=f32:5
no_err 'null adapter'

finish
