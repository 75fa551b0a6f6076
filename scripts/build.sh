#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh PRESET [TARGET...]: configures build/PRESET when that has not been done and builds it, or the
# targets named.

set -eu
preset=$1
shift
cd "$(dirname "$0")/.."
if ! [ -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset"
fi
[ $# -eq 0 ] || set -- --target "$@"
exec cmake --build --preset "$preset" "$@"
