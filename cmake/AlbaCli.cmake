# SPDX-License-Identifier: MIT
# The command line `alba`: links the static archive, so that it runs from anywhere; the JIT library
# lies beside it.

if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/tools/cli/CMakeLists.txt")
    add_subdirectory(tools/cli)
    return()
endif()
file(GLOB alba_cli_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/tools/cli/*.c")
if(NOT alba_cli_sources OR NOT TARGET alba_static)
    return()
endif()
add_executable(alba_cli ${alba_cli_sources})
set_target_properties(alba_cli PROPERTIES OUTPUT_NAME alba RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_include_directories(alba_cli PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}/tools")
target_link_libraries(alba_cli PRIVATE alba_compile_options alba_shader_explain alba_static)
find_package(PNG QUIET)
if(PNG_FOUND)
    target_link_libraries(alba_cli PRIVATE PNG::PNG)
    target_compile_definitions(alba_cli PRIVATE ALBA_HAVE_PNG=1)
endif()
if(TARGET alba_jit)
    add_dependencies(alba_cli alba_jit)
endif()
