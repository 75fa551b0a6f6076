# SPDX-License-Identifier: MIT
# The rules of check_includes.sh. First operand: ARCHITECTURE.md, whose "Who may include whom" table
# is read; then the sources.

function offence(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    offence_count++
}

# The folder of the table that a path under src/ belongs to: the longest one that is a prefix.
function folder_of(path,    folder, best) {
    best = ""
    for (folder in allowed) {
        if (index(path, folder "/") == 1 && length(folder) > length(best)) {
            best = folder
        }
    }
    return best
}

function folder_part(path) {
    sub(/\/[^\/]*$/, "", path)
    return path
}

function may_include(from, to) {
    return from == to || index(allowed[from], "," to ",") > 0
}

# ---- the table

FILENAME == ARGV[1] {
    if (/^## /) {
        in_table = /^## Who may include whom/
    }
    if (in_table && /^\| *`/) {
        split($0, cell, "|")
        gsub(/[` ]/, "", cell[2])
        gsub(/ /, "", cell[3])
        allowed[cell[2]] = "," cell[3] ","
        folder_count++
    }
    next
}

# ---- the sources

FNR == 1 {
    if (folder_count < 20) {
        print "the include table of ARCHITECTURE.md was not found"
        offence_count++
        exit
    }
    file_count++
    include_count = 0
    has_pragma_once = 0
    path = FILENAME
    is_tool = path ~ /^tools\//
    sub(/^src\//, "", path)
    from = is_tool ? "tools" : folder_of(path)
    if (!is_tool && from == "") {
        offence("this folder has no row in the include table of ARCHITECTURE.md")
    }
    own_header = own_private_header = ""
    if (path ~ /\.c$/) {
        own_header = path
        if (is_tool) {
            sub(/^.*\//, "", own_header)
        }
        sub(/\.c$/, ".h", own_header)
        own_private_header = path
        sub(/\.c$/, "_priv.h", own_private_header)
        own_path = FILENAME
        sub(/\.c$/, ".h", own_path)
        if ((getline ignored < own_path) < 0) {
            own_header = ""
        }
        close(own_path)
    }
    if (FILENAME ~ /\.h$/) {
        header_seen[FILENAME] = 0
    }
}

/^#pragma once/ && FILENAME in header_seen {
    header_seen[FILENAME] = 1
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    target = $0
    sub(/^[^"]*"/, "", target)
    sub(/".*/, "", target)
    include_count++
    if (include_count == 1 && own_header != "" && target != own_header && target != own_private_header) {
        offence("the first include must be the file's own header, \"" own_header "\"")
    }
    if (is_tool) {
        # The command line sees the public headers and the compiler; it prints what the shader
        # folders hold.
        to = folder_of(target)
        if (to != "" && to !~ /^(shader\/.*|base|facts|ledger|race)$/) {
            offence("tools may not include " to " (\"" target "\")")
        }
        next
    }
    if (target ~ /\.inc$/) {
        next
    }
    to = folder_of(target)
    if (to == "") {
        offence("\"" target "\" is not written from the root of src/, or its folder is not in the table")
    } else if (!may_include(from, to)) {
        offence(from " may not include " to " (\"" target "\")")
    }
    if (target ~ /_priv\.h$/ && folder_part(target) != folder_part(path)) {
        offence("\"" target "\" is private to its folder")
    }
    if (from == "webgpu/api" && to ~ /^backend\/./) {
        if (names_backends != "" && names_backends != FILENAME) {
            offence("the concrete backends are named in one file, and that is " names_backends)
        }
        names_backends = FILENAME
    }
    next
}

/^[ \t]*#[ \t]*include[ \t]*</ {
    target = $0
    sub(/^[^<]*</, "", target)
    sub(/>.*/, "", target)
    include_count++
    if (include_count == 1 && own_header != "") {
        offence("the first include must be the file's own header, \"" own_header "\"")
    }
    if (is_tool) {
        next
    }
    if (target ~ /^(webgpu|alba)\//) {
        if (!may_include(from, "include")) {
            offence(from " may not include the public headers (<" target ">)")
        }
    } else if (target ~ /^llvm/) {
        if (from != "shader/jit") {
            offence("LLVM's headers belong to shader/jit (<" target ">)")
        }
    } else if (target !~ /^(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|time|uchar|wchar|wctype)\.h$/ &&
               target !~ /^([a-z0-9]*intrin|cpuid|arm_neon)\.h$/ && target !~ /^(vulkan\/|volk)/) {
        if (FILENAME !~ /^src\/base\/os_[a-z0-9_]*\.[ch]$/) {
            offence("headers of the system belong to base/os_*.c (<" target ">)")
        }
    }
}

END {
    for (header in header_seen) {
        if (!header_seen[header]) {
            printf "%s: has no #pragma once\n", header
            offence_count++
        }
    }
    printf "%d files, %d offences\n", file_count, offence_count
    exit offence_count > 0
}
