#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh PRESET: configures build/PRESET when that has not been done and builds it.

set -eu
preset=$1
cd "$(dirname "$0")/.."
if ! [ -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset"
fi
cmake --build --preset "$preset"
