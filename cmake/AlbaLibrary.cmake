# SPDX-License-Identifier: MIT
# The products: libalba.so, libalba.a and libalba-jit.so, all at the top of the build folder.

set(alba_objects "")
foreach(module IN LISTS ALBA_LIBRARY_MODULES)
    list(APPEND alba_objects $<TARGET_OBJECTS:${module}>)
endforeach()

# alba_export_map(TARGET MAP): only the symbols that MAP names are visible.
function(alba_export_map target map)
    target_link_options(${target} PRIVATE "LINKER:--version-script=${map}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
    if(NOT ALBA_SANITIZE)
        target_link_options(${target} PRIVATE "LINKER:--no-undefined")
    endif()
endfunction()

if(ALBA_LIBRARY_MODULES)
    add_library(alba_static STATIC ${alba_objects})
    add_library(alba_shared SHARED ${alba_objects})
    set_target_properties(alba_shared PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    alba_export_map(alba_shared "${CMAKE_CURRENT_SOURCE_DIR}/cmake/alba.map")
    target_compile_definitions(alba_shared INTERFACE WGPU_SHARED_LIBRARY)
    foreach(target IN ITEMS alba_static alba_shared)
        set_target_properties(${target} PROPERTIES
            OUTPUT_NAME alba
            LINKER_LANGUAGE C
            LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
            ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
        target_include_directories(${target} INTERFACE
            $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        target_link_libraries(${target} PRIVATE
            $<BUILD_INTERFACE:alba_compile_options> Threads::Threads ${CMAKE_DL_LIBS} m)
    endforeach()
endif()

if(ALBA_LLVM)
    get_target_property(type alba_shader_jit TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
        # Its own copies of the modules below it: the two libraries share no symbol but the
        # documented entry points.
        add_library(alba_jit SHARED $<TARGET_OBJECTS:alba_shader_jit>)
        set_target_properties(alba_jit PROPERTIES
            OUTPUT_NAME alba-jit
            LINKER_LANGUAGE C
            LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
        alba_export_map(alba_jit "${CMAKE_CURRENT_SOURCE_DIR}/cmake/alba-jit.map")
        target_link_libraries(alba_jit PRIVATE alba_compile_options alba_shader_ir alba_shader_kernel alba_race alba_llvm_product)
        # libalba finds it by dlopen: whatever builds libalba builds it too.
        if(TARGET alba_shared)
            add_dependencies(alba_shared alba_jit)
        endif()
    endif()
endif()
