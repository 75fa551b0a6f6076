# SPDX-License-Identifier: MIT
# alba info: adapters, limits, features.
. "$CLI_TESTS/lib.sh"

run 0 info
out 'cpu adapter: '
out 'maxStorageBufferBindingSize'
out 'maxComputeWorkgroupStorageSize'
no_err 'error'
run 0 info --json
json 1
value adapters.0.backend cpu
[ "$("$JSON_LINES" adapters.0.limits.minUniformBufferOffsetAlignment < out)" -le 256 ]
expect 'the adapter asks for more than the default alignment'
[ "$("$JSON_LINES" adapters.0.limits.maxUniformBufferBindingSize < out)" -ge 65536 ]
expect 'the adapter offers less than the default uniform binding size'
[ "$("$JSON_LINES" adapters.0.limits.maxStorageBuffersPerShaderStage < out)" -ge 8 ]
expect 'the adapter offers fewer storage buffers than the default'
run 2 info extra
err "'extra' is not understood"
run 2 info --frob
err 'alba info --help'
# Adapters that are asked for by name do not depend on the environment.
export ALBA_BACKEND=nonsense
run 0 info
no_err 'ALBA_BACKEND'
unset ALBA_BACKEND

# Where compiled shaders are kept: off in tests, else a folder that fills.
out 'compiled shaders are not kept'
run 0 info --json
value cache null
export ALBA_CACHE="$PWD/cache"
run 0 info
out "compiled shaders kept in $PWD/cache"
out '  0 kernels, 0 bytes'
[ ! -e cache ]
expect 'looking at the cache made its folder'
printf '@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = id.x; }
' > fill.wgsl
run 0 run fill.wgsl --dispatch 1 --bind 0.0=zeros:256
run 0 info --json
value cache.folder "$PWD/cache"
value cache.kernels 1
[ "$("$JSON_LINES" cache.bytes < out)" -gt 100 ]
expect 'the kernel that was kept has no size'
# A file in its place.
export ALBA_CACHE="$PWD/fill.wgsl"
run 0 info
out "compiled shaders are not kept: $PWD/fill.wgsl is no folder that can be used"
run 0 info --json
value cache null
run 0 run fill.wgsl --dispatch 1 --bind 0.0=zeros:256
err "compiled shaders are not kept: the folder $PWD/fill.wgsl cannot be opened or made"
export ALBA_CACHE=off

finish
