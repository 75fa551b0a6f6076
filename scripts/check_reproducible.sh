#!/bin/sh
# SPDX-License-Identifier: MIT
# check_reproducible.sh ROOT CC [OUTPUT...]: builds ROOT twice, from copies at two paths of
# different length, and compares the named outputs of the release build byte by byte; by default all
# products. Exit 1 if any differs.

set -eu
root=$(cd "$1" && pwd)
compiler=$2
shift 2
[ $# -gt 0 ] || set -- libalba.a libalba.so libalba-jit.so alba
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for place in "$folder/one" "$folder/another/and/longer"; do
    mkdir -p "$place"
    for part in CMakeLists.txt LICENSE cmake include src tools; do
        [ ! -e "$root/$part" ] || cp -R "$root/$part" "$place/"
    done
    if ! {
        cmake -S "$place" -B "$place/build/release" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$compiler" \
            -DALBA_BUILD_TESTS=OFF -DALBA_BUILD_EXAMPLES=OFF \
            -DALBA_BUILD_BENCH=OFF -DALBA_BUILD_NODE=OFF &&
            cmake --build "$place/build/release" --target "$@"
    } >"$folder/log" 2>&1; then
        cat "$folder/log" >&2
        exit 1
    fi
done
status=0
for output in "$@"; do
    if cmp "$folder/one/build/release/$output" "$folder/another/and/longer/build/release/$output"; then
        echo "$output is the same in both"
    else
        status=1
    fi
done
exit $status
