# SPDX-License-Identifier: MIT
# Finds LLVM by its llvm-config and makes two INTERFACE targets with the C API's headers: `alba_llvm`
# with the shared libLLVM, for tests, and `alba_llvm_product` with what libalba-jit is linked against.
# The versions that the tests run with come first; ALBA_LLVM_CONFIG names another one.
#
# libalba-jit takes LLVM's static libraries where they can be linked: libLLVM.so relocates twenty
# targets and brings in Z3, libxml2 and ICU, which costs five times as much CPU to load as the one
# target that is needed, and more than compiling a small kernel.

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
string(REGEX REPLACE "\\..*" "" alba_llvm_major "${ALBA_LLVM_VERSION}")
alba_llvm_query(alba_llvm_include --includedir)
alba_llvm_query(alba_llvm_library_folder --libdir)
alba_llvm_query(alba_llvm_libraries --link-shared --libs)
message(STATUS "LLVM ${ALBA_LLVM_VERSION} (${ALBA_LLVM_CONFIG})")

separate_arguments(alba_llvm_libraries UNIX_COMMAND "${alba_llvm_libraries}")
add_library(alba_llvm INTERFACE)
target_include_directories(alba_llvm SYSTEM INTERFACE "${alba_llvm_include}")
target_link_options(alba_llvm INTERFACE "-L${alba_llvm_library_folder}")
target_link_libraries(alba_llvm INTERFACE ${alba_llvm_libraries})

set(ALBA_LLVM_LINK auto CACHE STRING "How libalba-jit links LLVM: static, shared, or auto (static where it links)")
set_property(CACHE ALBA_LLVM_LINK PROPERTY STRINGS auto static shared)

# alba_llvm_find_static(OUT): the link line of the static libraries, empty if a part is missing.
function(alba_llvm_find_static out)
    set(${out} "" PARENT_SCOPE)
    execute_process(COMMAND "${ALBA_LLVM_CONFIG}" --link-static --libfiles nativecodegen passes
        OUTPUT_VARIABLE archives OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
    execute_process(COMMAND "${ALBA_LLVM_CONFIG}" --link-static --system-libs
        OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE names_status ERROR_QUIET)
    if(NOT status EQUAL 0 OR NOT names_status EQUAL 0)
        return()
    endif()
    separate_arguments(archives UNIX_COMMAND "${archives}")
    separate_arguments(names UNIX_COMMAND "${names}")
    # What the archives' own dependencies are called; the linker takes of them what is used. The
    # run-time package alone will do.
    set(system "")
    foreach(name IN LISTS names)
        string(REGEX REPLACE "^-l" "" stem "${name}")
        if(IS_ABSOLUTE "${stem}")
            set(file "${stem}")
        else()
            unset(file)
            find_library(file NAMES "${stem}" "lib${stem}.so.1" "lib${stem}.so.2" NO_CACHE)
        endif()
        if(file)
            list(APPEND system "${file}")
        endif()
    endforeach()
    # The static library of the compiler's C++ run time, if g++ is there too; the shared one has to be.
    execute_process(COMMAND "${CMAKE_C_COMPILER}" -print-file-name=libstdc++.a
        OUTPUT_VARIABLE cxx OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT IS_ABSOLUTE "${cxx}")
        unset(cxx)
        find_library(cxx NAMES stdc++ libstdc++.so.6 NO_CACHE)
    endif()
    if(cxx)
        set(${out} ${archives} "-Wl,--push-state,--as-needed" ${system} "${cxx}" "-Wl,--pop-state" m
            PARENT_SCOPE)
    endif()
endfunction()

# alba_llvm_can_link(OUT LIBRARY...): whether a program that generates code links with LIBRARY.
function(alba_llvm_can_link out)
    try_compile(links
        SOURCE_FROM_CONTENT llvm.c "
            #include <llvm-c/Target.h>
            #include <llvm-c/TargetMachine.h>
            #include <llvm-c/Transforms/PassBuilder.h>
            int main(void) {
                LLVMInitializeNativeTarget();
                LLVMInitializeNativeAsmPrinter();
                LLVMRunPasses(0, 0, 0, 0);
                return LLVMTargetMachineEmitToMemoryBuffer(0, 0, LLVMObjectFile, 0, 0);
            }"
        CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${alba_llvm_include}"
        LINK_OPTIONS -Wl,--gc-sections
        LINK_LIBRARIES ${ARGN}
        OUTPUT_VARIABLE alba_llvm_link_output)
    set(${out} ${links} PARENT_SCOPE)
    set(alba_llvm_link_output "${alba_llvm_link_output}" PARENT_SCOPE)
endfunction()

# alba_llvm_slim_tables(OUT ARCHIVE...): a copy of the object with the target's tables of instruction
# costs, one for each processor that LLVM knows, without the addresses of the names in them: those are
# printed by LLVM's debugging aids alone, and to relocate them copies 1 MiB each time that libalba-jit
# is loaded, half of what loading costs. Empty where the tools or the tables are not as expected.
function(alba_llvm_slim_tables out)
    set(${out} "" PARENT_SCOPE)
    file(READ "${alba_llvm_include}/llvm/MC/MCSchedule.h" header)
    string(REGEX MATCH "struct MCSchedClassDesc {[^}]*};?" description "${header}")
    string(REGEX REPLACE "//[^\n]*" "" description "${description}")
    string(REGEX MATCHALL "\\*" pointers "${description}")
    list(LENGTH pointers pointer_count)
    if(NOT pointer_count EQUAL 1 OR NOT description MATCHES "const char *\\* *Name;")
        return()
    endif()
    set(folder "${PROJECT_BINARY_DIR}/llvm")
    foreach(archive IN LISTS ARGN)
        if(archive MATCHES "libLLVM(X86|AArch64)Desc\\.a$" AND CMAKE_AR AND CMAKE_OBJCOPY)
            set(member "${CMAKE_MATCH_1}MCTargetDesc.cpp.o")
            file(MAKE_DIRECTORY "${folder}")
            execute_process(COMMAND "${CMAKE_AR}" x "${archive}" "${member}" WORKING_DIRECTORY "${folder}"
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
            if(status EQUAL 0)
                execute_process(COMMAND "${CMAKE_OBJCOPY}" --wildcard
                    "--remove-relocations=.data.rel.ro.*ModelSchedClassesE" "${member}" "slim-${member}"
                    WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
            endif()
            if(status EQUAL 0)
                set(${out} "${folder}/slim-${member}" PARENT_SCOPE)
            endif()
        endif()
    endforeach()
endfunction()

set(ALBA_LLVM_IS_STATIC OFF)
if(ALBA_LLVM_LINK STREQUAL "static" OR (ALBA_LLVM_LINK STREQUAL "auto" AND NOT ALBA_SANITIZE))
    alba_llvm_find_static(alba_llvm_archives)
    if(alba_llvm_archives)
        alba_llvm_can_link(ALBA_LLVM_IS_STATIC ${alba_llvm_archives})
    endif()
    if(ALBA_LLVM_IS_STATIC)
        alba_llvm_slim_tables(alba_llvm_slim ${alba_llvm_archives})
        if(alba_llvm_slim)
            # Before the archives: their own copy is not taken then.
            alba_llvm_can_link(alba_llvm_slim_links "${alba_llvm_slim}" ${alba_llvm_archives})
            if(alba_llvm_slim_links)
                list(PREPEND alba_llvm_archives "${alba_llvm_slim}")
            endif()
        endif()
    endif()
    if(ALBA_LLVM_LINK STREQUAL "static" AND NOT ALBA_LLVM_IS_STATIC)
        message(FATAL_ERROR "LLVM's static libraries cannot be linked: ${alba_llvm_link_output}")
    endif()
endif()

add_library(alba_llvm_product INTERFACE)
target_include_directories(alba_llvm_product SYSTEM INTERFACE "${alba_llvm_include}")
if(ALBA_LLVM_IS_STATIC)
    message(STATUS "libalba-jit: LLVM's static libraries")
    # Goes where libalba-jit goes: it holds a part of LLVM.
    find_file(ALBA_LLVM_LICENSE NAMES LICENSE.TXT copyright NO_DEFAULT_PATH
        PATHS "/usr/share/doc/llvm-${alba_llvm_major}-dev" "/usr/share/doc/libllvm${alba_llvm_major}"
              "${alba_llvm_library_folder}/../share/doc/llvm" "${alba_llvm_library_folder}/.."
        DOC "The text of LLVM's licence")
    target_link_options(alba_llvm_product INTERFACE "LINKER:--gc-sections")
    target_link_libraries(alba_llvm_product INTERFACE ${alba_llvm_archives})
else()
    message(STATUS "libalba-jit: the shared libLLVM")
    target_link_libraries(alba_llvm_product INTERFACE alba_llvm)
endif()
