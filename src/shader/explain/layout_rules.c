// SPDX-License-Identifier: MIT
//
// WGSL §"Address Space Layout Constraints" for the three columns, and padding. See layout.h.
#include "shader/explain/layout.h"

#include <inttypes.h>

static uint64_t round_up_16(uint64_t value) {
    return (value + 15) / 16 * 16;
}

const char *layout_rule_word(enum layout_rule rule) {
    switch (rule) {
    case LAYOUT_RULE_NONE:
        return "none";
    case LAYOUT_RULE_OFFSET:
        return "offset";
    case LAYOUT_RULE_STRIDE:
        return "stride";
    case LAYOUT_RULE_GAP:
        return "gap";
    case LAYOUT_RULE_NESTED:
        return "nested";
    case LAYOUT_RULE_RUNTIME:
        return "runtime-sized";
    case LAYOUT_RULE_ATOMIC:
        return "atomic";
    }
    return "none";
}

// RequiredAlignOf under the classic uniform rules.
static uint32_t required_alignment(const struct type *type) {
    bool is_rounded = type->kind == TYPE_ARRAY || type->kind == TYPE_STRUCT;
    return is_rounded ? (uint32_t)round_up_16(type->align_bytes) : type->align_bytes;
}

static struct layout_issue find_classic_issue(const struct layout_types *layout, type_id id,
    uint64_t offset, const struct type_member *before) {
    const struct type_table *types = layout->types;
    const struct type *type = type_get(types, id);
    uint32_t required = required_alignment(type);
    if (required != 0 && offset % required != 0) {
        return (struct layout_issue){LAYOUT_RULE_OFFSET, (uint32_t)offset, required, {0}};
    }
    if (before != NULL && type_kind_of(types, before->type) == TYPE_STRUCT) {
        uint64_t gap = offset - before->offset_bytes;
        uint64_t needed = round_up_16(type_get(types, before->type)->size_bytes);
        if (gap < needed) {
            return (struct layout_issue){LAYOUT_RULE_GAP, (uint32_t)gap, (uint32_t)needed, {0}};
        }
    }
    for (; type->kind == TYPE_ARRAY; id = type->element, type = type_get(types, id)) {
        uint32_t element = required_alignment(type_get(types, type->element));
        uint32_t multiple = element > 16 ? element : 16;
        if (type->stride_bytes % multiple != 0) {
            return (struct layout_issue){LAYOUT_RULE_STRIDE, type->stride_bytes, multiple, id};
        }
    }
    if (type->kind == TYPE_STRUCT && !layout->is_uniform_legal[id.index]) {
        return (struct layout_issue){LAYOUT_RULE_NESTED, 0, 0, id};
    }
    return (struct layout_issue){0};
}

struct layout_issue layout_find_issue(const struct layout_types *layout, enum layout_column column,
    type_id type, uint64_t offset, const struct type_member *before) {
    uint32_t traits = type_get(layout->types, type)->traits;
    if (column == LAYOUT_STORAGE) {
        return (struct layout_issue){0};
    }
    if (traits & TYPE_TRAIT_RUNTIME_ARRAY) {
        return (struct layout_issue){.rule = LAYOUT_RULE_RUNTIME};
    }
    if (traits & TYPE_TRAIT_ATOMIC) {
        return (struct layout_issue){.rule = LAYOUT_RULE_ATOMIC};
    }
    return column == LAYOUT_UNIFORM ? find_classic_issue(layout, type, offset, before)
                                    : (struct layout_issue){0};
}

bool layout_is_legal(const struct layout_types *layout, enum layout_column column, type_id type) {
    return layout_find_issue(layout, column, type, 0, NULL).rule == LAYOUT_RULE_NONE;
}

bool layout_types_init(
    struct layout_types *out, const struct type_table *types, struct arena *arena) {
    bool *is_legal = ARENA_ARRAY(arena, bool, types->types.count + 1);
    *out = (struct layout_types){types, is_legal};
    if (is_legal == NULL) {
        return false;
    }
    // The parts of a type come before it in the table.
    for (uint32_t i = 0; i < types->types.count; i++) {
        const struct type *type = &types->types.items[i];
        is_legal[i] = true;
        for (uint32_t k = 0; type->kind == TYPE_STRUCT && k < type->member_count; k++) {
            const struct type_member *member = &type->members[k];
            is_legal[i] = is_legal[i] &&
                find_classic_issue(
                    out, member->type, member->offset_bytes, k == 0 ? NULL : member - 1)
                        .rule == LAYOUT_RULE_NONE;
        }
    }
    return true;
}

void layout_print_issue(
    struct text_buffer *out, const struct type_table *types, const struct layout_issue *issue) {
    switch (issue->rule) {
    case LAYOUT_RULE_NONE:
        break;
    case LAYOUT_RULE_OFFSET:
        text_buffer_print(out, "offset %" PRIu32 " is not a multiple of %" PRIu32, issue->actual,
            issue->required);
        break;
    case LAYOUT_RULE_STRIDE:
        text_buffer_append_string(out, "the elements of ");
        type_print(out, types, issue->array);
        text_buffer_print(out, " are %" PRIu32 " bytes apart, not a multiple of %" PRIu32,
            issue->actual, issue->required);
        break;
    case LAYOUT_RULE_GAP:
        text_buffer_print(out,
            "it begins %" PRIu32 " bytes after the structure before it; at least %" PRIu32
            " are needed",
            issue->actual, issue->required);
        break;
    case LAYOUT_RULE_NESTED:
        layout_print_name(out, types, issue->array);
        text_buffer_append_string(out, " breaks a rule inside");
        break;
    case LAYOUT_RULE_RUNTIME:
        text_buffer_append_string(out,
            "its size is not known to the compiler (a runtime-sized array), so it must be in storage");
        break;
    case LAYOUT_RULE_ATOMIC:
        text_buffer_append_string(
            out, "atomics are written, so they must be in storage with read_write");
        break;
    }
}

void layout_print_bytes(struct text_buffer *out, uint64_t bytes) {
    static const char *const units[] = {"KiB", "MiB", "GiB"};
    text_buffer_print(out, "%" PRIu64, bytes);
    for (uint32_t i = 3; i-- > 0;) {
        uint64_t unit = (uint64_t)1 << (10 * (i + 1));
        if (bytes >= unit && bytes % unit == 0) {
            text_buffer_print(out, " (%" PRIu64 " %s)", bytes / unit, units[i]);
            return;
        }
    }
}

void layout_print_name(struct text_buffer *out, const struct type_table *types, type_id type) {
    if (type_kind_of(types, type) == TYPE_STRUCT) {
        text_buffer_append_string(out, "struct ");
    }
    type_print(out, types, type);
}

struct layout_padding layout_measure_padding(const struct type_table *types, type_id structure) {
    const struct type *type = type_get(types, structure);
    struct layout_padding padding = {0};
    uint64_t end = 0;
    for (uint32_t i = 0; type->kind == TYPE_STRUCT && i < type->member_count; i++) {
        const struct type_member *member = &type->members[i];
        uint64_t own = type_get(types, member->type)->size_bytes;
        uint64_t before = member->offset_bytes - end;
        uint64_t inside = member->size_bytes > own ? member->size_bytes - own : 0;
        padding.hole_count += (before != 0) + (inside != 0);
        padding.hole_bytes += before + inside;
        padding.member_bytes += own;
        end = (uint64_t)member->offset_bytes + member->size_bytes;
    }
    padding.tail_bytes = type->size_bytes > end ? type->size_bytes - end : 0;
    return padding;
}

// ---- Read cost ----

enum { LANE_COUNT = 32, SECTOR_BYTES = 32 };

// Sectors of one load instruction: lane i reads `width` bytes at i * stride + offset. Addresses
// ascend over the lanes, so distinct sectors are counted by comparing with the last one.
static uint32_t count_sectors(uint64_t stride, uint64_t offset, uint32_t width) {
    uint32_t count = 0;
    uint64_t next = 0; // the first sector not counted yet
    for (uint32_t lane = 0; lane < LANE_COUNT; lane++) {
        uint64_t first = (lane * stride + offset) / SECTOR_BYTES;
        uint64_t last = (lane * stride + offset + width - 1) / SECTOR_BYTES;
        first = first < next ? next : first;
        if (last >= first) {
            count += (uint32_t)(last - first + 1);
            next = last + 1;
        }
    }
    return count;
}

bool layout_measure_read_cost(
    const struct type_table *types, type_id id, struct layout_read_cost *out_cost) {
    const struct type *type = type_get(types, id);
    *out_cost = (struct layout_read_cost){0};
    uint64_t stride = type->align_bytes == 0
        ? 0
        : (type->size_bytes + type->align_bytes - 1) / type->align_bytes * type->align_bytes;
    bool is_fixed = (type->traits & TYPE_TRAIT_FIXED) != 0 && stride != 0 && stride <= 4096;
    if (!is_fixed) {
        return false;
    }
    uint64_t size = type->size_bytes;
    uint32_t width = stride % 16 == 0 ? 16 : stride % 8 == 0 ? 8 : stride % 4 == 0 ? 4 : 2;
    for (uint64_t at = 0; at < size; at += width) {
        out_cost->request_count++;
        out_cost->sector_count += count_sectors(stride, at, width);
    }
    // Scalars of one width only: with f16 among them their number is not a quotient.
    bool is_mixed = (type->traits & TYPE_TRAIT_F16) != 0;
    for (uint64_t at = 0; at < size && !is_mixed; at += 4) {
        out_cost->scalar_request_count++;
        out_cost->scalar_sector_count += count_sectors(stride, at, 4);
    }
    out_cost->load_bytes = width;
    return true;
}
