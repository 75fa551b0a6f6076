# SPDX-License-Identifier: MIT
#
# Prints README.md with the list between its markers made anew from not_implemented.def, whose rows
# are NOT_IMPLEMENTED(wgpuName, …). First operand: the table; second: the README. Rows are grouped
# by the object that a function belongs to.

FILENAME == ARGV[1] {
    if (match($0, /^[ \t]*[A-Z_]+\([ \t]*wgpu[A-Za-z0-9]+/)) {
        name = substr($0, RSTART, RLENGTH)
        sub(/^.*wgpu/, "wgpu", name)
        names[++name_count] = name
    }
    next
}

/<!-- missing: begin/ {
    print
    in_list = 1
    has_begin = 1
    if (name_count == 0) {
        print "Every function of `webgpu.h` is built."
    } else {
        printf "These %d of the 202 functions of `webgpu.h` report \"not implemented yet\" and give back an object that\n", name_count
        print "can be passed on but does nothing:"
        print ""
        for (i = 1; i <= name_count; i++) {
            print "- `" names[i] "`"
        }
    }
    next
}

/<!-- missing: end/ {
    in_list = 0
    has_end = 1
}

!in_list {
    print
}

END {
    if (!has_begin || !has_end) {
        print "README.md has lost its markers" > "/dev/stderr"
        exit 1
    }
}
