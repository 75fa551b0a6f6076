#!/bin/sh
# SPDX-License-Identifier: MIT
# test_check_includes.sh ROOT: check_includes.sh finds each kind of offence in a small tree made for
# it, and nothing in a clean one.

set -eu
root=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/scripts"
cp "$root"/scripts/check_includes.* "$tree/scripts/"
cp "$root/ARCHITECTURE.md" "$tree/"
status=0

# try PLACE EXPECTED TEXT: with TEXT as the file PLACE beside a clean tree, the check says EXPECTED
# (or passes, if that is empty).
try() {
    rm -rf "$tree/src" "$tree/tools"
    mkdir -p "$tree/src/base" "$tree/src/facts" "$tree/src/webgpu/api" "$tree/src/backend/null" "$tree/$(dirname "$1")"
    printf '#pragma once\n' >"$tree/src/base/a.h"
    printf '#pragma once\n' >"$tree/src/base/own.h"
    printf '#include "base/a.h"\n#include <stdint.h>\n' >"$tree/src/base/a.c"
    printf '#include <webgpu/webgpu.h>\n#include "backend/null/n.h"\n' >"$tree/src/webgpu/api/backend_list.c"
    printf '%b' "$3" >"$tree/$1"
    if said=$(sh "$tree/scripts/check_includes.sh" "$tree" 2>&1); then
        [ -z "$2" ] && return 0
        echo "not found: $1 should give '$2'" >&2
        status=1
    elif [ -z "$2" ] || ! echo "$said" | grep -qF "$2"; then
        echo "$1 should give '${2:-nothing}', but gave: $said" >&2
        status=1
    fi
}

try src/base/os_x.c '' '#include <pthread.h>\n'
try src/facts/f.c '' '#include "base/a.h"\n#include "facts/f.def"\n'
try src/base/b.c 'base may not include facts' '#include "facts/f.h"\n'
try src/base/b.c 'headers of the system belong to base/os_*.c' '#include <pthread.h>\n'
try src/base/b.c 'base may not include the public headers' '#include <webgpu/webgpu.h>\n'
try src/facts/f.c 'is private to its folder' '#include "base/x_priv.h"\n'
try src/facts/f.c 'is not written from the root of src/' '#include "f.h"\n'
try src/facts/f.c "LLVM's headers belong to shader/jit" '#include <llvm-c/Core.h>\n'
try src/base/own.c "the first include must be the file's own header" '#include "base/a.h"\n'
try src/base/own.c "the first include must be the file's own header" '#include <stdint.h>\n'
try src/base/own.c '' '#include "base/own_priv.h"\n'
try src/base/p.h 'has no #pragma once' 'int p;\n'
try src/webgpu/api/z.c 'the concrete backends are named in one file' '#include "backend/null/n.h"\n'
try src/backend/null/n.c 'backend/null may not include webgpu/api' '#include "webgpu/api/a.h"\n'
try src/stray/s.c 'has no row in the include table' 'int s;\n'
try tools/cli/t.c 'tools may not include webgpu/api' '#include "webgpu/api/a.h"\n'
try tools/cli/t.c '' '#include "base/a.h"\n#include "shader/compile/c.h"\n'
exit $status
