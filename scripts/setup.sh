#!/bin/sh
# SPDX-License-Identifier: MIT
# setup.sh [ci] [format] [node]: installs what the build needs and the machine lacks, on Debian 12
# or newer and Ubuntu 24.04 or newer. `ci` adds both compilers, `format` clang-format, `node`
# Node.js with its headers. What is there already is left alone, by whatever way it came. Without
# root (or without apt) the names of what is missing are printed and the status is 1.

set -eu

missing=""
need() {
    missing="$missing $1"
}
has() {
    command -v "$1" >/dev/null 2>&1
}

# version_at_least FOUND WANTED_MAJOR WANTED_MINOR
version_at_least() {
    echo "$1" | awk -F. -v major="$2" -v minor="$3" '{ exit !($1 > major || ($1 == major && $2 >= minor)) }'
}

find_llvm_config() {
    for name in llvm-config-19 llvm-config-20 llvm-config-21 llvm-config-22 llvm-config; do
        if has "$name" && version_at_least "$("$name" --version)" 19 0 &&
            [ -f "$("$name" --includedir)/llvm-c/Core.h" ]; then
            return 0
        fi
    done
    return 1
}

# The tested version if the system has it, else the oldest that it has.
llvm_package() {
    for version in 19 20 21 22; do
        if has apt-cache && [ -n "$(apt-cache show "llvm-$version-dev" 2>/dev/null)" ]; then
            echo "llvm-$version-dev"
            return
        fi
    done
    echo llvm-19-dev
}

if ! has cmake || ! version_at_least "$(cmake --version | awk 'NR == 1 { print $3 }')" 3 25; then
    need cmake
fi
has ninja || need ninja-build
has pkg-config || need pkg-config
has cc || has gcc || has clang || need gcc
[ -f /usr/include/stdio.h ] || need libc6-dev
{ has pkg-config && pkg-config --exists libpng; } || need libpng-dev
needs_llvm=false
find_llvm_config || needs_llvm=true

for part in "$@"; do
    case $part in
    ci)
        has gcc || need gcc
        has g++ || need g++
        has clang || need clang
        has git || need git
        ;;
    format)
        has clang-format || need clang-format
        ;;
    node)
        has node || need nodejs
        [ -f /usr/include/node/node_api.h ] || [ -f /usr/local/include/node/node_api.h ] ||
            need libnode-dev
        ;;
    *)
        echo "setup.sh: unknown part '$part'" >&2
        exit 2
        ;;
    esac
done

[ -n "$missing" ] || $needs_llvm || exit 0

if [ "$(id -u)" -ne 0 ] || ! has apt-get; then
    $needs_llvm && need "$(llvm_package)"
    echo "alba needs these packages, which are not installed:$missing" >&2
    echo "On Debian or Ubuntu: sudo apt-get install$missing" >&2
    exit 1
fi

apt-get update -qq
$needs_llvm && need "$(llvm_package)"
echo "installing$missing" >&2
# shellcheck disable=SC2086 # a list of names
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
