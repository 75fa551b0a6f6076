#!/bin/sh
# SPDX-License-Identifier: MIT
# The main job in one go: a million particles to a picture, a scene drawn with a shadow, a picture's histogram with and without its data race, and one diagnostic.
#
#   scripts/demo.sh BUILD_FOLDER [PICTURE.png]     the picture whose histogram is taken
set -eu

build=${1:?usage: demo.sh BUILD_FOLDER [PICTURE.png]}
out=$build/demo
mkdir -p "$out"

echo "Simulating one million particles and drawing a scene; this takes a few seconds."
"$build/examples/particles" "$out/particles.png" >"$out/particles.txt"
"$build/examples/torus_knot" "$out/torus_knot.png" >"$out/torus_knot.txt"
"$build/examples/histogram" "${2:-$out/particles.png}" "$out/histogram.png" >"$out/histogram.txt"
if "$build/alba" check examples/layout_mistake.wgsl >"$out/check.txt"; then
    echo "demo: alba check accepted examples/layout_mistake.wgsl, which is wrong" >&2
    exit 1
fi

echo
cat "$out/particles.txt"
echo
cat "$out/torus_knot.txt"
echo
cat "$out/histogram.txt"
echo
echo "alba check examples/layout_mistake.wgsl"
sed 's/^/  /' "$out/check.txt"
