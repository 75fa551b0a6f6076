# SPDX-License-Identifier: MIT
# Finds LLVM by its llvm-config and makes `alba_llvm`, an INTERFACE target with the C API's headers
# and the shared libLLVM. The versions that the tests run with come first; ALBA_LLVM_CONFIG names
# another one.

find_program(ALBA_LLVM_CONFIG
    NAMES llvm-config-19 llvm-config-20 llvm-config-21 llvm-config-22 llvm-config
    PATHS /usr/lib/llvm-19/bin /usr/lib/llvm-20/bin /usr/lib/llvm-21/bin
    DOC "llvm-config of LLVM 19 or newer")
set(alba_llvm_hint "install LLVM's development files (Debian, Ubuntu: llvm-19-dev) or configure with -DALBA_LLVM=OFF")
if(NOT ALBA_LLVM_CONFIG)
    message(FATAL_ERROR "LLVM 19 or newer was not found: ${alba_llvm_hint}")
endif()

function(alba_llvm_query out)
    execute_process(COMMAND "${ALBA_LLVM_CONFIG}" ${ARGN}
        OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_VARIABLE problem)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ALBA_LLVM_CONFIG} ${ARGN} failed: ${problem}")
    endif()
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

alba_llvm_query(ALBA_LLVM_VERSION --version)
if(ALBA_LLVM_VERSION VERSION_LESS 19)
    message(FATAL_ERROR "${ALBA_LLVM_CONFIG} is LLVM ${ALBA_LLVM_VERSION}, 19 or newer is needed: ${alba_llvm_hint}")
endif()
alba_llvm_query(alba_llvm_include --includedir)
alba_llvm_query(alba_llvm_library_folder --libdir)
alba_llvm_query(alba_llvm_libraries --link-shared --libs)
message(STATUS "LLVM ${ALBA_LLVM_VERSION} (${ALBA_LLVM_CONFIG})")

separate_arguments(alba_llvm_libraries UNIX_COMMAND "${alba_llvm_libraries}")
add_library(alba_llvm INTERFACE)
target_include_directories(alba_llvm SYSTEM INTERFACE "${alba_llvm_include}")
target_link_options(alba_llvm INTERFACE "-L${alba_llvm_library_folder}")
target_link_libraries(alba_llvm INTERFACE ${alba_llvm_libraries})
