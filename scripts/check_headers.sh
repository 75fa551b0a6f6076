#!/bin/sh
# SPDX-License-Identifier: MIT
# check_headers.sh CC ROOT [FLAG...]: compiles every header of ROOT/src and ROOT/include alone, as
# C17 without a warning. Exit 1 if one fails. The code generator's own headers need LLVM's and are
# left out where the FLAGs lead to none.

set -eu
compiler=$1
root=$2
shift 2
cd "$root"
status=0
count=0
needs_llvm="src/shader/jit/*_priv.h"
printf '#include <llvm-c/Core.h>\n' | "$compiler" "$@" -x c -fsyntax-only - 2>/dev/null && needs_llvm=none
for header in $(find src include -name '*.h' | LC_ALL=C sort); do
    # shellcheck disable=SC2254 # a pattern
    case $header in $needs_llvm) continue ;; esac
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
