# SPDX-License-Identifier: MIT
# Functions that turn folders into targets. A folder that has no source yet is allowed everywhere.

set(ALBA_MODULES "")

# alba_module(NAME FOLDER [DEPENDENCY...]): the .c files directly in FOLDER become the static
# library NAME, position-independent and with hidden visibility; `src/` and `include/` are its
# include roots. Appends NAME to ALBA_MODULES when there is a source.
function(alba_module name folder)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c")
    if(NOT sources)
        add_library(${name} INTERFACE)
        target_include_directories(${name} INTERFACE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
        target_link_libraries(${name} INTERFACE ${ARGN})
        return()
    endif()
    add_library(${name} STATIC ${sources})
    set_target_properties(${name} PROPERTIES
        POSITION_INDEPENDENT_CODE ON
        C_VISIBILITY_PRESET hidden
        ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/modules")
    target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
    target_compile_definitions(${name} PRIVATE WGPU_SHARED_LIBRARY WGPU_IMPLEMENTATION)
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:alba_compile_options>)
    target_link_libraries(${name} PUBLIC ${ARGN} Threads::Threads ${CMAKE_DL_LIBS} m)
    set(ALBA_MODULES ${ALBA_MODULES} ${name} PARENT_SCOPE)
endfunction()

# alba_module_define(NAME DEFINITION...): preprocessor definitions of the module's own sources.
function(alba_module_define name)
    get_target_property(type ${name} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_compile_definitions(${name} PRIVATE ${ARGN})
    endif()
endfunction()

# alba_module_define_interface(NAME DEFINITION...): the same, for all that use the module as well.
function(alba_module_define_interface name)
    get_target_property(type ${name} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_compile_definitions(${name} PUBLIC ${ARGN})
    endif()
endfunction()

# alba_hash_headers(VARIABLE FOLDER...): the definition VARIABLE=NUMBER, a number made of the contents
# of all headers and tables in the folders. What two libraries pass to each other is described there.
function(alba_hash_headers variable)
    set(contents "${PROJECT_VERSION}")
    foreach(folder ${ARGN})
        file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.h" "${PROJECT_SOURCE_DIR}/${folder}/*.def")
        foreach(header ${headers})
            file(SHA256 "${header}" hash)
            string(APPEND contents " ${hash}")
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
        endforeach()
    endforeach()
    string(SHA256 hash "${contents}")
    string(SUBSTRING "${hash}" 0 8 hash)
    set(${variable} "${variable}=0x${hash}u" PARENT_SCOPE)
endfunction()

# alba_add_kernel_identity(NAME FOLDER...): adds to a module the source that says what compiled kernels
# depend on (src/shader/kernel/identity.h): the contents of the folders and the tools.
function(alba_add_kernel_identity name)
    set(sources "")
    foreach(folder ${ARGN})
        file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.c" "${PROJECT_SOURCE_DIR}/${folder}/*.h"
            "${PROJECT_SOURCE_DIR}/${folder}/*.def" "${PROJECT_SOURCE_DIR}/${folder}/*.inc")
        list(APPEND sources ${found})
    endforeach()
    set(output "${PROJECT_BINARY_DIR}/kernel_identity.c")
    set(script "${PROJECT_SOURCE_DIR}/cmake/KernelIdentity.cmake")
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(tools "alba ${PROJECT_VERSION} LLVM ${ALBA_LLVM_VERSION} ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
    string(APPEND tools " ${CMAKE_SYSTEM_PROCESSOR} ${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}} ${ALBA_SANITIZE}")
    add_custom_command(OUTPUT "${output}"
        COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DOUTPUT=${output}" "-DFOLDERS=${ARGN}" "-DTOOLS=${tools}"
            -P "${script}"
        DEPENDS ${sources} "${script}"
        COMMENT "Hashing what compiled kernels depend on"
        VERBATIM)
    target_sources(${name} PRIVATE "${output}")
endfunction()

# alba_module_use_llvm(NAME): gives a module LLVM's C API, its headers as system headers.
function(alba_module_use_llvm name)
    get_target_property(type ${name} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        target_link_libraries(${name} PUBLIC alba_llvm)
    endif()
endfunction()

# alba_program(NAME OUTPUT_FOLDER SOURCE...): an executable that uses libalba through its public
# headers alone. The target alba_OUTPUT_FOLDER builds all programs of that folder.
function(alba_program name output_folder)
    add_executable(${name} ${ARGN})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/${output_folder}")
    target_link_libraries(${name} PRIVATE alba_compile_options alba_shared m)
    if(NOT TARGET alba_${output_folder})
        add_custom_target(alba_${output_folder})
    endif()
    add_dependencies(alba_${output_folder} ${name})
    find_package(PNG QUIET)
    if(PNG_FOUND)
        target_link_libraries(${name} PRIVATE PNG::PNG)
        target_compile_definitions(${name} PRIVATE ALBA_HAVE_PNG=1)
    endif()
endfunction()

# alba_programs(FOLDER): FOLDER/CMakeLists.txt if there is one; otherwise each FOLDER/NAME.c and
# each FOLDER/NAME/ is a program NAME, and FOLDER/common/*.c is compiled into all of them. The
# programs land in FOLDER of the build folder.
function(alba_programs folder)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
        add_subdirectory(${folder})
        return()
    endif()
    if(NOT TARGET alba_shared)
        return()
    endif()
    set(root "${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
    file(GLOB common CONFIGURE_DEPENDS "${root}/common/*.c")
    file(GLOB singles CONFIGURE_DEPENDS "${root}/*.c")
    foreach(source IN LISTS singles)
        get_filename_component(stem "${source}" NAME_WE)
        alba_program(${folder}_${stem} ${folder} "${source}" ${common})
        set_target_properties(${folder}_${stem} PROPERTIES OUTPUT_NAME ${stem})
        target_include_directories(${folder}_${stem} PRIVATE "${root}")
    endforeach()
    file(GLOB entries LIST_DIRECTORIES true CONFIGURE_DEPENDS "${root}/*")
    foreach(entry IN LISTS entries)
        get_filename_component(stem "${entry}" NAME)
        file(GLOB sources CONFIGURE_DEPENDS "${entry}/*.c")
        if(IS_DIRECTORY "${entry}" AND sources AND NOT stem STREQUAL "common")
            alba_program(${folder}_${stem} ${folder} ${sources} ${common})
            set_target_properties(${folder}_${stem} PROPERTIES OUTPUT_NAME ${stem})
            target_include_directories(${folder}_${stem} PRIVATE "${root}")
        endif()
    endforeach()
endfunction()
