# SPDX-License-Identifier: MIT
#
# Prints README.md with the list between its markers made anew from not_implemented.def, whose rows
# are NOT_IMPLEMENTED(wgpuName, …). First operand: the table; second: the README. Rows are grouped
# by the object that a function belongs to.

function object_of(name) {
    match(name, /^wgpu(Adapter|BindGroupLayout|BindGroup|Buffer|CommandBuffer|CommandEncoder|ComputePassEncoder|ComputePipeline|Device|ExternalTexture|Instance|PipelineLayout|QuerySet|Queue|RenderBundleEncoder|RenderBundle|RenderPassEncoder|RenderPipeline|Sampler|ShaderModule|Surface|TextureView|Texture)?/)
    return substr(name, 1, RLENGTH)
}

# Prints a list item over lines of up to 100 columns.
function wrap(text,    word_count, words, i, line) {
    word_count = split(text, words, " ")
    line = words[1]
    for (i = 2; i <= word_count; i++) {
        if (length(line) + 1 + length(words[i]) > 100) {
            print line
            line = "  " words[i]
        } else {
            line = line " " words[i]
        }
    }
    print line
}

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
        printf "These %d of the 202 functions of `webgpu.h` report \"not implemented yet\", and give back an\n", \
            name_count
        print "object that can be passed on but does nothing:"
        print ""
        for (i = 1; i <= name_count; i++) {
            object = object_of(names[i])
            if (!(object in list)) {
                objects[++object_count] = object
            }
            list[object] = list[object] (list[object] == "" ? "" : ", ") "`" \
                substr(names[i], length(object) + 1) "`"
        }
        for (i = 1; i <= object_count; i++) {
            wrap("- `" objects[i] "`: " list[objects[i]])
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
