#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh BUILD_FOLDER [PICTURE.png]: a million particles, the histogram of a picture (the
# particles' one unless another is given), and one layout mistake explained. Pictures go to
# BUILD_FOLDER/demo.

set -eu
build=${1:?usage: demo.sh BUILD_FOLDER [PICTURE.png]}
folder=$build/demo
mkdir -p "$folder"
picture=${2:-$folder/particles.png}

"$build/examples/particles" "$folder/particles.png"
echo
"$build/examples/histogram" "$picture" "$folder/histogram.png"
echo
echo "a mistake that every second program makes once (alba check examples/layout_mistake.wgsl):"
echo
if "$build/alba" check examples/layout_mistake.wgsl; then
    echo "demo.sh: alba check accepted a uniform struct that breaks a layout rule" >&2
    exit 1
fi
