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

finish
