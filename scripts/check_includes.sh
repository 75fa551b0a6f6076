#!/bin/sh
# SPDX-License-Identifier: MIT
# check_includes.sh [ROOT]: holds the includes of ROOT/src and ROOT/tools against the table in
# ROOT/ARCHITECTURE.md and the rules listed below that table. Prints each offence with its place;
# exit 1 if there is one.

set -eu
root=${1:-$(dirname "$0")/..}
cd "$root"

files=$(find src tools -name '*.[ch]' -o -name '*.def' 2>/dev/null | LC_ALL=C sort)
if [ -z "$files" ]; then
    echo "check_includes.sh: no sources under $root" >&2
    exit 1
fi
# shellcheck disable=SC2086 # a list of paths without blanks
exec awk -f scripts/check_includes.awk ARCHITECTURE.md $files
