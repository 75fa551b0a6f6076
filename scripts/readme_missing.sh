#!/bin/sh
# SPDX-License-Identifier: MIT
# readme_missing.sh --write|--check [ROOT]: the list between the markers of README.md's "What does
# not work yet" is made from src/webgpu/api/not_implemented.def. --write puts it there; --check
# exits with 1 if it differs.

set -eu
mode=$1
root=${2:-$(dirname "$0")/..}
cd "$root"
table=src/webgpu/api/not_implemented.def
fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT

awk -f scripts/readme_missing.awk "$table" README.md >"$fresh"
case $mode in
--write)
    cmp -s "$fresh" README.md || cp "$fresh" README.md
    ;;
--check)
    if ! diff -u README.md "$fresh" >&2; then
        echo "README.md is behind $table: run scripts/readme_missing.sh --write" >&2
        exit 1
    fi
    ;;
*)
    echo "usage: readme_missing.sh --write|--check [ROOT]" >&2
    exit 2
    ;;
esac
