# SPDX-License-Identifier: MIT
# A thin front: each target does all of its own set-up and then calls CMake. See CMakePresets.json
# for the build folders. `make demo PICTURE=photo.png` takes the histogram of your own picture.
# `make test TIER=long` runs what takes hours: random programs, fuzzing, the conformance suite if ALBA_CTS names one.

PICTURE =
TIER = short

.POSIX:
.PHONY: all demo test bench node format clean

all:
	@sh scripts/setup.sh
	@sh scripts/build.sh release

demo:
	@sh scripts/setup.sh
	@sh scripts/build.sh release alba_cli alba_shared alba_examples
	@sh scripts/demo.sh build/release $(PICTURE)

test: all
	@sh scripts/test.sh release $(TIER)

bench:
	@sh scripts/setup.sh
	@sh scripts/build.sh release alba_shared alba_bench
	@sh scripts/bench.sh build/release

node:
	@sh scripts/setup.sh node
	@sh scripts/build.sh release
	@sh scripts/node.sh build/release

format:
	@sh scripts/setup.sh format
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf build
