# SPDX-License-Identifier: MIT
# cmake -DROOT=... -DOUTPUT=... -DFOLDERS=a;b -DTOOLS=text -P KernelIdentity.cmake
# Writes the C file that shader/kernel/identity.h declares: a hash of all sources in the folders and
# of the text that names the tools. The same file is left alone, so that nothing is built anew.

set(contents "${TOOLS}")
foreach(folder IN LISTS FOLDERS)
    file(GLOB sources "${ROOT}/${folder}/*.c" "${ROOT}/${folder}/*.h" "${ROOT}/${folder}/*.def" "${ROOT}/${folder}/*.inc")
    list(SORT sources)
    foreach(source IN LISTS sources)
        file(SHA256 "${source}" hash)
        file(RELATIVE_PATH name "${ROOT}" "${source}")
        string(APPEND contents " ${name} ${hash}")
    endforeach()
endforeach()
string(SHA256 identity "${contents}")
set(text "// SPDX-License-Identifier: MIT
#include \"shader/kernel/identity.h\"

const char *kernel_build_identity(void) {
    return \"${identity}\";
}
")
set(old "")
if(EXISTS "${OUTPUT}")
    file(READ "${OUTPUT}" old)
endif()
if(NOT old STREQUAL text)
    file(WRITE "${OUTPUT}" "${text}")
endif()
