// SPDX-License-Identifier: MIT
//
// Buffers of the oracle's executions. See buffers.h.
#include "oracle/buffers.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/try.h"

// Marks the words of a value of the type at `at`; recursion is bounded by the type's nesting.
static void mark(
    const struct type_table *types, type_id id, uint8_t *kinds, uint64_t at, uint64_t end) {
    const struct type *type = type_get(types, id);
    uint32_t count = 0;
    switch (type->kind) {
    case TYPE_BOOL:
        kinds[at / 4] = WORD_BOOL;
        return;
    case TYPE_F32:
        kinds[at / 4] = WORD_FLOAT;
        return;
    case TYPE_I32:
    case TYPE_U32:
    case TYPE_ATOMIC:
        kinds[at / 4] = WORD_INTEGER;
        return;
    case TYPE_STRUCT:
        count = type->member_count;
        break;
    case TYPE_ARRAY:
        count = type->array_size == ARRAY_RUNTIME ? (uint32_t)((end - at) / type->stride_bytes)
                                                  : type->count;
        break;
    default:
        count = type->count;
        break;
    }
    for (uint32_t i = 0; i < count; i++) {
        mark(types, type_element_at(types, id, i), kinds, at + type_element_offset(types, id, i),
            end);
    }
}

static uint32_t random_integer(struct generate_random *random) {
    static const uint32_t edges[] = {
        0, 1, 2, 0xffffffffu, 0x80000000u, 0x7fffffffu, 31, 32, 0xfffffff9u};
    switch (generate_random_below(random, 4)) {
    case 0:
        return edges[generate_random_below(random, sizeof(edges) / sizeof(edges[0]))];
    case 1:
        return generate_random_next(random);
    case 2:
        return 0u - generate_random_below(random, 20);
    default:
        return generate_random_below(random, 20);
    }
}

static const uint32_t special_floats[] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x80000000u};

static void fill(
    uint8_t *bytes, const uint8_t *kinds, uint64_t size_bytes, struct generate_random *random) {
    for (uint64_t i = 0; i < size_bytes / 4; i++) {
        uint32_t word = 0;
        float number = 0;
        switch ((enum word_kind)kinds[i]) {
        case WORD_PADDING:
            break;
        case WORD_INTEGER:
            word = random_integer(random);
            break;
        case WORD_BOOL:
            word = generate_random_below(random, 2);
            break;
        case WORD_FLOAT:
            // The generator's promise: whole numbers of at most 16, infinities, NaN.
            number = (float)generate_random_below(random, 33) - 16.0f;
            memcpy(&word, &number, sizeof(word));
            if (generate_random_below(random, 20) == 0) {
                word = special_floats[generate_random_below(random, 4)];
            }
            break;
        }
        memcpy(bytes + i * 4, &word, sizeof(word));
    }
}

// The size of a binding whose runtime-sized array has `count` elements.
static uint64_t binding_size(const struct type_table *types, type_id id, uint32_t count) {
    const struct type *type = type_get(types, id);
    uint64_t offset = 0;
    while (type->kind == TYPE_STRUCT) {
        const struct type_member *last = &type->members[type->member_count - 1];
        if (type_get(types, last->type)->kind != TYPE_ARRAY ||
            type_get(types, last->type)->array_size != ARRAY_RUNTIME) {
            return type->size_bytes;
        }
        offset += last->offset_bytes;
        type = type_get(types, last->type);
    }
    if (type->kind == TYPE_ARRAY && type->array_size == ARRAY_RUNTIME) {
        return offset + (uint64_t)type->stride_bytes * (count == 0 ? 1 : count);
    }
    return type->size_bytes;
}

// Word `row` of the inputs of invocation `number`, counted through the workgroups.
static uint32_t input_word(const struct generated_program *program, uint32_t number, uint32_t row) {
    const uint32_t *size = program->workgroup_size, *groups = program->num_workgroups;
    uint32_t total = size[0] * size[1] * size[2];
    uint32_t index = number % total, group = number / total;
    uint32_t local[3] = {index % size[0], index / size[0] % size[1], index / size[0] / size[1]};
    uint32_t where[3] = {
        group % groups[0], group / groups[0] % groups[1], group / groups[0] / groups[1]};
    uint32_t words[GENERATE_INPUT_WORDS] = {0, 0, 0, index, where[0], where[1], where[2], groups[0],
        groups[1], groups[2], local[0], local[1], local[2]};
    for (uint32_t i = 0; i < 3; i++) {
        words[i] = where[i] * size[i] + local[i];
    }
    return words[row];
}

// As many lanes as the grid has, rounded up to quads; some of them are helpers.
static bool make_lanes(
    struct buffers_layout *layout, const struct generated_program *program, uint64_t seed) {
    const uint32_t *size = program->workgroup_size, *groups = program->num_workgroups;
    uint32_t count = size[0] * size[1] * size[2] * groups[0] * groups[1] * groups[2];
    struct generate_random random;
    generate_random_init(&random, seed, 2000);
    layout->lane_count = (count + 3) / 4 * 4;
    layout->inputs = memory_allocate(
        MEMORY_TEST, (size_t)layout->lane_count * GENERATE_INPUT_WORDS * 4);
    layout->initial_live = memory_allocate_zeroed(MEMORY_TEST, layout->lane_count, 1);
    TRY(layout->inputs != NULL && layout->initial_live != NULL);
    for (uint32_t i = 0; i < layout->lane_count; i++) {
        layout->initial_live[i] = i < count && generate_random_below(&random, 8) != 0;
        for (uint32_t row = 0; row < GENERATE_INPUT_WORDS; row++) {
            layout->inputs[row * layout->lane_count + i] = input_word(program, i, row);
        }
    }
    return true;
}

bool buffers_layout_init(struct buffers_layout *layout, const struct ir_module *module,
    const struct reflect_entry_point *entry, const struct generated_program *program,
    uint64_t seed) {
    *layout = (struct buffers_layout){0};
    TRY(entry->binding_count <= BUFFERS_LIMIT);
    for (uint32_t i = 0; i < entry->binding_count; i++) {
        const struct reflect_binding *binding = &entry->bindings[i];
        TRY(binding->kind <= REFLECT_BUFFER_READ_ONLY_STORAGE);
        type_id type = module->variables.items[binding->variable].type;
        uint32_t count = binding->group == 0 && binding->binding < GENERATE_BINDING_LIMIT
            ? program->runtime_counts[binding->binding]
            : 4;
        uint64_t size_bytes = binding_size(&module->types, type, count);
        layout->items[i].group = binding->group;
        layout->items[i].binding = binding->binding;
        layout->items[i].size_bytes = size_bytes;
        layout->items[i].is_writable = binding->kind == REFLECT_BUFFER_STORAGE;
        layout->items[i].kinds = memory_allocate_zeroed(MEMORY_TEST, (size_t)size_bytes / 4 + 1, 1);
        layout->items[i].initial = memory_allocate_zeroed(MEMORY_TEST, (size_t)size_bytes + 4, 1);
        layout->count = i + 1;
        TRY(layout->items[i].kinds != NULL && layout->items[i].initial != NULL);
        mark(&module->types, type, layout->items[i].kinds, 0, size_bytes);
        // Contents depend on the binding's number alone, not on which others exist: programs that a
        // reduction shortens keep their data.
        struct generate_random random;
        generate_random_init(&random, seed, 1000 + binding->group * 100u + binding->binding);
        fill(layout->items[i].initial, layout->items[i].kinds, size_bytes, &random);
    }
    return entry->stage != STAGE_FRAGMENT || make_lanes(layout, program, seed);
}

void buffers_layout_finish(struct buffers_layout *layout) {
    for (uint32_t i = 0; i < layout->count; i++) {
        memory_free(layout->items[i].kinds);
        memory_free(layout->items[i].initial);
    }
    memory_free(layout->inputs);
    memory_free(layout->initial_live);
    *layout = (struct buffers_layout){0};
}

static bool map_guarded(
    struct buffers *buffers, uint32_t i, size_t size_bytes, enum guard_side guard) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = (size_bytes + page - 1) / page * page;
    uint8_t *mapping = mmap(
        NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TRY(mapping != MAP_FAILED);
    buffers->mapping[i] = mapping;
    buffers->mapping_bytes[i] = room + page;
    if (guard == GUARD_AFTER) {
        buffers->data[i] = mapping + room - size_bytes;
        return mprotect(mapping + room, page, PROT_NONE) == 0;
    }
    buffers->data[i] = mapping + page;
    return mprotect(mapping, page, PROT_NONE) == 0;
}

bool buffers_init(
    struct buffers *buffers, const struct buffers_layout *layout, enum guard_side guard) {
    *buffers = (struct buffers){0};
    for (uint32_t i = 0; i < layout->count; i++) {
        size_t size_bytes = (size_t)layout->items[i].size_bytes;
        if (guard == GUARD_NONE) {
            buffers->data[i] = memory_allocate(MEMORY_TEST, size_bytes);
        } else {
            TRY(map_guarded(buffers, i, size_bytes, guard));
        }
        TRY(buffers->data[i] != NULL);
        memcpy(buffers->data[i], layout->items[i].initial, size_bytes);
    }
    if (layout->lane_count != 0) {
        buffers->outputs = memory_allocate_zeroed(
            MEMORY_TEST, layout->lane_count, GENERATE_OUTPUT_WORDS * 4);
        buffers->live = memory_allocate(MEMORY_TEST, layout->lane_count);
        TRY(buffers->outputs != NULL && buffers->live != NULL);
        memcpy(buffers->live, layout->initial_live, layout->lane_count);
    }
    return true;
}

void buffers_finish(struct buffers *buffers, const struct buffers_layout *layout) {
    for (uint32_t i = 0; i < layout->count; i++) {
        if (buffers->mapping[i] != NULL) {
            munmap(buffers->mapping[i], buffers->mapping_bytes[i]);
        } else {
            memory_free(buffers->data[i]);
        }
    }
    memory_free(buffers->outputs);
    memory_free(buffers->live);
    *buffers = (struct buffers){0};
}

static bool is_nan_word(uint32_t word) {
    return (word & 0x7fffffffu) > 0x7f800000u;
}

static bool compare_lanes(const struct buffers *expected, const struct buffers *given,
    const struct buffers_layout *layout, struct text_buffer *out_report) {
    for (uint32_t i = 0; i < layout->lane_count; i++) {
        if (expected->live[i] != given->live[i]) {
            text_buffer_print(out_report, "lane %u: expected to be %s, is %s", i,
                expected->live[i] != 0 ? "alive" : "discarded",
                given->live[i] != 0 ? "alive" : "discarded");
            return false;
        }
        for (uint32_t row = 0; row < GENERATE_OUTPUT_WORDS && expected->live[i] != 0; row++) {
            uint32_t a = expected->outputs[row * layout->lane_count + i];
            uint32_t b = given->outputs[row * layout->lane_count + i];
            if (a != b) {
                text_buffer_print(
                    out_report, "lane %u, output %u: expected 0x%08x, got 0x%08x", i, row, a, b);
                return false;
            }
        }
    }
    return true;
}

bool buffers_compare(const struct buffers *expected, const struct buffers *given,
    const struct buffers_layout *layout, struct text_buffer *out_report) {
    for (uint32_t i = 0; i < layout->count; i++) {
        for (uint64_t k = 0; k < layout->items[i].size_bytes / 4; k++) {
            uint32_t a = 0, b = 0;
            enum word_kind kind = (enum word_kind)layout->items[i].kinds[k];
            memcpy(&a, expected->data[i] + k * 4, sizeof(a));
            memcpy(&b, given->data[i] + k * 4, sizeof(b));
            bool is_equal = a == b || (kind == WORD_PADDING && layout->items[i].is_writable) ||
                (kind == WORD_FLOAT && is_nan_word(a) && is_nan_word(b));
            if (!is_equal) {
                text_buffer_print(out_report, "binding %u, byte %llu: expected 0x%08x, got 0x%08x",
                    layout->items[i].binding, (unsigned long long)k * 4, a, b);
                return false;
            }
        }
    }
    return compare_lanes(expected, given, layout, out_report);
}
