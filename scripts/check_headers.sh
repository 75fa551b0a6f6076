#!/bin/sh
# SPDX-License-Identifier: MIT
# check_headers.sh CC ROOT [FLAG...]: compiles every header of ROOT/src and ROOT/include alone, as
# C17 without a warning. Exit 1 if one fails.

set -eu
compiler=$1
root=$2
shift 2
cd "$root"
status=0
count=0
for header in $(find src include -name '*.h' | LC_ALL=C sort); do
    count=$((count + 1))
    if ! printf '#include "%s"\nextern int alba_header_check;\n' "$root/$header" |
        "$compiler" -std=c17 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -Isrc -Iinclude "$@" \
            -x c -fsyntax-only -; then
        echo "$header does not compile alone" >&2
        status=1
    fi
done
echo "$count headers"
[ "$count" -gt 0 ] || status=1
exit $status
