# SPDX-License-Identifier: MIT
# Read by ctest before it runs tests: what all of them find in their environment.
set(ENV{ALBA_CACHE} "off")
