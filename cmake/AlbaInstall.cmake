# SPDX-License-Identifier: MIT
# `cmake --install`: both libraries, the JIT library beside them, the command line, headers, alba.pc
# and the CMake package. The installed tree may be moved as a whole: nothing in it names an absolute
# path.

if(NOT TARGET alba_shared)
    return()
endif()
include(CMakePackageConfigHelpers)

set_target_properties(alba_shared PROPERTIES EXPORT_NAME alba)
set_target_properties(alba_static PROPERTIES EXPORT_NAME alba_static)
install(TARGETS alba_shared alba_static EXPORT alba-targets
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET alba_jit)
    install(TARGETS alba_jit LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    if(ALBA_LLVM_IS_STATIC AND ALBA_LLVM_LICENSE)
        install(FILES "${ALBA_LLVM_LICENSE}" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME LICENSE-LLVM)
    endif()
endif()
if(TARGET alba_cli)
    install(TARGETS alba_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# pkg-config: the prefix is found from where the file lies.
file(RELATIVE_PATH alba_pc_to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" alba_pc_to_prefix "${alba_pc_to_prefix}")
set(alba_pc_libs_private "")
foreach(library IN LISTS CMAKE_THREAD_LIBS_INIT CMAKE_DL_LIBS ITEMS m)
    if(library MATCHES "^-")
        string(APPEND alba_pc_libs_private " ${library}")
    else()
        string(APPEND alba_pc_libs_private " -l${library}")
    endif()
endforeach()
configure_file(cmake/alba.pc.in alba.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/alba.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# CMake: find_package(alba) gives alba::alba (shared) and alba::alba_static.
set(alba_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/alba")
configure_package_config_file(cmake/alba-config.cmake.in alba-config.cmake INSTALL_DESTINATION "${alba_package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/alba-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT alba-targets NAMESPACE alba:: DESTINATION "${alba_package_folder}")
install(FILES "${PROJECT_BINARY_DIR}/alba-config.cmake" "${PROJECT_BINARY_DIR}/alba-config-version.cmake"
    DESTINATION "${alba_package_folder}")
