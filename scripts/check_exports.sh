#!/bin/sh
# SPDX-License-Identifier: MIT
# check_exports.sh NM LIBRARY [TABLE]: what LIBRARY exports. With the table of the standard's
# functions: exactly those, and alba*. Without: alba_jit_* alone. Prints each symbol that is too
# much or missing; exit 1 if there is one.

set -eu
nm=$1
library=$2
table=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Version nodes are printed as absolute symbols by some nm; sanitizers add names of their own.
"$nm" -D --defined-only "$library" |
    awk '$2 != "A" { sub(/@.*/, "", $NF); print $NF }' |
    grep -Ev '^(__asan_|__tsan_|__ubsan_|__odr_asan)' | LC_ALL=C sort -u >"$folder/exported" || true
if ! [ -s "$folder/exported" ]; then
    echo "$library exports nothing" >&2
    exit 1
fi

status=0
report() {
    if [ -s "$2" ]; then
        sed "s|^|$1: |" "$2" >&2
        status=1
    fi
}
if [ -n "$table" ]; then
    awk -F '\t' '$1 == "func" { print $2 }' "$table" | LC_ALL=C sort >"$folder/standard"
    grep -Ev '^alba[A-Z]' "$folder/exported" >"$folder/ours" || true
    LC_ALL=C comm -23 "$folder/ours" "$folder/standard" >"$folder/extra"
    LC_ALL=C comm -13 "$folder/ours" "$folder/standard" >"$folder/missing"
    report "exported, but neither the standard's nor alba's" "$folder/extra"
    report "not exported" "$folder/missing"
else
    grep -Ev '^alba_jit_' "$folder/exported" >"$folder/extra" || true
    report "exported, but not alba_jit_*" "$folder/extra"
fi
[ $status -eq 0 ] && echo "$(wc -l <"$folder/exported") symbols"
exit $status
