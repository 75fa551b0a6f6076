#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures alba, and a peer beside it where one is given, in processes that take turns.
#
#   scripts/bench.sh BUILD_FOLDER [KERNEL...]      KERNEL: a name of bench/kernels/, `draws`, `overhead` or `modules`
#
# ALBA_BENCH_PEER          the peer's library: any implementation of webgpu.h as a shared object
# ALBA_BENCH_PEER_INCLUDE  folder that holds the peer's own webgpu/webgpu.h (default: include/)
# ALBA_BENCH_PEER_ENV      settings for the peer's process alone: "VK_DRIVER_FILES=... NAME=..."
# ALBA_BENCH_BACKEND       null: both on an adapter that runs no shader (`overhead` alone)
# ALBA_BENCH_ROUNDS        processes of each (default 3); the least of all rounds counts
set -eu
# What making a pipeline costs includes compiling it.
export ALBA_CACHE=off

build=${1:?usage: bench.sh BUILD_FOLDER [KERNEL...]}
shift
rounds=${ALBA_BENCH_ROUNDS:-3}
peer=${ALBA_BENCH_PEER:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

alba=$build/bench/kernels
[ -x "$alba" ] || { echo "bench: $alba is missing; run make bench" >&2; exit 1; }

if [ -n "$peer" ]; then
    ${CC:-cc} -std=c17 -D_GNU_SOURCE -O2 -I bench -I "${ALBA_BENCH_PEER_INCLUDE:-include}" \
        bench/*.c "$build/bench/kernels_wgsl.c" "$peer" -lm -o "$work/peer"
fi

: >"$work/alba.txt"
: >"$work/peer.txt"
round=1
while [ "$round" -le "$rounds" ]; do
    [ -t 2 ] && printf 'round %s of %s\r' "$round" "$rounds" >&2
    "$alba" "$@" >>"$work/alba.txt"
    if [ -n "$peer" ]; then
        env LD_LIBRARY_PATH="$(dirname "$peer"):${LD_LIBRARY_PATH:-}" ${ALBA_BENCH_PEER_ENV:-} \
            "$work/peer" "$@" >>"$work/peer.txt" 2>"$work/peer.log" ||
            { cat "$work/peer.log" >&2; exit 1; }
    fi
    round=$((round + 1))
done

awk -f scripts/bench_table.awk "$work/alba.txt" "$work/peer.txt"
