#!/bin/sh
# SPDX-License-Identifier: MIT
# node.sh BUILD_FOLDER: puts the Node.js addon and the libraries that it loads where
# bindings/node/index.js looks, and shows that it works.

set -eu
build=${1:?usage: node.sh BUILD_FOLDER}
cd "$(dirname "$0")/.."

if ! [ -f "$build/alba.node" ]; then
    echo "node.sh: $build/alba.node was not built: node_api.h was not found when CMake ran." >&2
    echo "Install Node.js with its headers, remove $build/CMakeCache.txt and try again." >&2
    exit 1
fi
target=bindings/node/build
mkdir -p "$target"
# Away first: a running program may have the old files mapped.
rm -f "$target/alba.node" "$target"/*.so "$target"/*.so.*
cp "$build/alba.node" "$target/"
cp -L "$build"/libalba.so.[0-9] "$target/"
if [ -f "$build/libalba-jit.so" ]; then
    cp "$build/libalba-jit.so" "$target/"
fi
echo "bindings/node is ready: require('$(pwd)/bindings/node')"
node examples/node/hello_compute.js
