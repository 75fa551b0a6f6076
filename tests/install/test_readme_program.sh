#!/bin/sh
# SPDX-License-Identifier: MIT
# test_readme_program.sh ROOT BUILD CC: the program in README.md compiles against the build's libalba
# and prints what it says.

set -eu
root=$1
build=$2
compiler=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

awk '/^```/ { inside = !inside && $0 == "```c" && !seen; seen = seen || inside; next } inside' \
    "$root/README.md" >"$folder/program.c"
grep -q 'int main' "$folder/program.c"
"$compiler" -std=c17 -Wall -Werror -I"$root/include" "$folder/program.c" -o "$folder/program" \
    -L"$build" -lalba
said=$(LD_LIBRARY_PATH=$build "$folder/program")
if [ "$said" != "the square root of 961 is 31" ]; then
    echo "the README's program said '$said'" >&2
    exit 1
fi
