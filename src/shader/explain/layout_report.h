// SPDX-License-Identifier: MIT
//
// The whole answer of `alba layout` for one module: which types, who uses them, their listings and
// what to do about them. One thread.
#pragma once

#include "shader/explain/explain.h"
#include "shader/explain/layout.h"

struct layout_report_options {
    type_id type;   // index 0: every host-shareable type of the module
    bool has_space; // only types that a variable of `space` uses (unless type is given)
    enum address_space space;
    uint32_t columns; // set of 1u << enum layout_column
    bool use_colour;
};

// A structure, alias or module-scope variable of that name (a variable means its store type); index 0
// when there is none, or when its declaration is in error. out_is_named tells the two apart.
type_id layout_report_find_type(
    const struct explain_module *module, struct text name, bool *out_is_named);

// Each appends to out; false when out of memory. All want module->ast. out_count gets the number of
// types that were shown.
bool layout_report_print(struct explain_module *module, const struct layout_report_options *options,
    struct text_buffer *out, uint32_t *out_count);
bool layout_report_print_json(struct explain_module *module,
    const struct layout_report_options *options, struct text_buffer *out, uint32_t *out_count);
bool layout_report_print_c_header(struct explain_module *module,
    const struct layout_report_options *options, struct text_buffer *out, uint32_t *out_count);
