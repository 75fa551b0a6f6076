# SPDX-License-Identifier: MIT
# How all of alba is compiled: the language, warnings, floating point, visibility, sanitizers,
# reproducible output. `alba_compile_options` is an INTERFACE target that every module, program and
# test of ours links privately.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

add_library(alba_compile_options INTERFACE)
target_compile_options(alba_compile_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wimplicit-fallthrough -Wwrite-strings -Wvla -Wswitch
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
    # Results must not depend on whether the compiler fused a multiply and an add.
    -ffp-contract=off
    -fno-math-errno
    # Nobody reads floating-point exceptions; gcc makes vectors of far more loops without them.
    -fno-trapping-math
    # No path of this machine in the output: two builds of one commit are byte-identical wherever
    # they lie.
    "-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/="
    "-ffile-prefix-map=${CMAKE_CURRENT_BINARY_DIR}/=build/")
if(ALBA_WERROR)
    target_compile_options(alba_compile_options INTERFACE -Werror)
endif()
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_compile_definitions(alba_compile_options INTERFACE _GNU_SOURCE)
endif()

if(ALBA_SANITIZE)
    set(alba_sanitize_flags "-fsanitize=${ALBA_SANITIZE}" -fno-omit-frame-pointer)
    if(ALBA_SANITIZE MATCHES "undefined")
        list(APPEND alba_sanitize_flags -fno-sanitize-recover=undefined)
    endif()
    target_compile_options(alba_compile_options INTERFACE ${alba_sanitize_flags})
    target_link_options(alba_compile_options INTERFACE ${alba_sanitize_flags})
    if(ALBA_SANITIZE MATCHES "address")
        target_sources(alba_compile_options INTERFACE
            "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:${CMAKE_CURRENT_SOURCE_DIR}/cmake/sanitizer_options.c>")
    endif()
endif()

# libFuzzer's counters everywhere, its main in the programs of tests/fuzz alone.
if(ALBA_FUZZ)
    if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
        message(FATAL_ERROR "ALBA_FUZZ needs clang")
    endif()
    target_compile_options(alba_compile_options INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(alba_compile_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Archives without times, users and modes.
set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
