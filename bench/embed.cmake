# SPDX-License-Identifier: MIT
# Writes the kernels of FOLDER as C: `const struct bench_text bench_texts[]`, by name, ended by NULL.

file(GLOB kernels "${FOLDER}/*.wgsl")
set(arrays "")
set(rows "")
foreach(kernel IN LISTS kernels)
    get_filename_component(name "${kernel}" NAME_WE)
    file(READ "${kernel}" hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string(APPEND arrays "static const char ${name}[] = {${bytes}0x00};\n")
    string(APPEND rows "    {\"${name}\", ${name}},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"bench.h\"\n${arrays}const struct bench_text bench_texts[] = {\n${rows}    {0, 0},\n};\n")
