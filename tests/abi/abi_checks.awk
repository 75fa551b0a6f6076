# SPDX-License-Identifier: MIT
#
# Turns webgpu-abi.tsv into abi_checks.inc: one check for each row, in the macros that test_abi.c
# defines. Anything that the compiler can decide is a compile-time check; flags and constants that
# are not integer constants in C are compared when the test runs. An unknown kind of row, or an INIT
# macro without a struct, becomes an #error.

function macro_word(struct) {
    return "WGPU" toupper(substr(struct, 5)) "INIT"
}

BEGIN {
    FS = "\t"
}

# First pass: which struct an INIT macro belongs to, by its name without underscores.
NR == FNR {
    if ($1 == "size") {
        struct_of[macro_word($2)] = $2
    }
    next
}

$1 == "enum" {
    printf "ABI_ENUM(%s, %s, %s)\n", $2, $3, $4
    next
}
$1 == "flag" {
    printf "ABI_FLAG(%s, %s, %s)\n", $2, $3, $4
    next
}
$1 == "const" {
    printf "ABI_CONST(%s, %s, %s)\n", $2, $3, $4
    next
}
$1 == "size" {
    printf "ABI_SIZE(%s, %s)\n", $2, $4
    next
}
$1 == "offset" {
    printf "ABI_OFFSET(%s, %s, %s)\n", $2, $3, $4
    next
}
$1 == "init" {
    word = $2
    gsub(/_/, "", word)
    if (word in struct_of) {
        printf "ABI_INIT(%s, %s)\n", $2, struct_of[word]
    } else {
        printf "#error \"%s belongs to no struct of the table\"\n", $2
    }
    next
}
$1 == "func" {
    arguments = $4
    gsub(/;/, ", ", arguments)
    printf "ABI_FUNC(%s, WGPUProc%s, %s, (%s))\n", $2, substr($2, 5), $3, arguments == "" ? "void" : arguments
    next
}
{
    printf "#error \"row %d of webgpu-abi.tsv is of an unknown kind: %s\"\n", FNR, $1
}
