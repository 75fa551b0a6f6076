#!/bin/sh
# SPDX-License-Identifier: MIT
# test.sh PRESET: runs the tests of a build folder. The last lines are ctest's summary.

set -eu
preset=$1
cd "$(dirname "$0")/.."
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
exec ctest --preset "$preset" -j "$jobs" --no-label-summary
