#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh PRESET [TIER]: runs the tests of a build folder: those of the tier `short` or `long`. The last
# lines are ctest's summary.

set -eu
preset=$1
tier=${2:-short}
cd "$(dirname "$0")/.."
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
exec ctest --preset "$preset" -j "$jobs" -L "$tier" --no-label-summary
