// SPDX-License-Identifier: MIT
//
// The comparison itself, with a code generator that is the interpreter: it agrees when nothing is wrong,
// and each kind of fault that is put into it is found.
#include "check.h"

#include "oracle/check_program.h"
#include "oracle/interpreter.h"
#include "oracle/reduce.h"
#include "shader/ir/ir_text.h"

enum fault {
    FAULT_NONE,
    FAULT_WRONG_OPERATION,
    FAULT_LOST_STORE,
    FAULT_NAN_PAYLOAD,
    FAULT_REFUSES
};

static enum fault fault;

// One kernel at a time; the table of functions has no place for more.
static struct {
    struct arena arena;
    struct ir_module *module;
    struct jit_kernel kernel;
} fake;

static void run_fake(const struct jit_dispatch *dispatch, uint64_t first, uint64_t end,
    void *scratch, _Atomic uint64_t *progress) {
    (void)end;
    (void)scratch;
    (void)progress;
    struct interpreter_binding bindings[16];
    uint32_t count = 0;
    // Slots are ranks by binding number; all are of group 0.
    for (uint32_t number = 0; number < 16 && first == 0; number++) {
        for (size_t i = 0; i < fake.module->variables.count; i++) {
            const struct ir_variable *row = &fake.module->variables.items[i];
            if (row->has_binding && row->binding == number) {
                bindings[count] = (struct interpreter_binding){
                    0, number, dispatch->buffers[count].data, dispatch->buffers[count].size_bytes};
                count++;
            }
        }
    }
    if (first == 0) {
        struct interpreter_options options = {.bindings = bindings, .binding_count = count};
        struct text_buffer error = {0};
        memcpy(options.num_workgroups, dispatch->num_workgroups, sizeof(options.num_workgroups));
        interpreter_run(fake.module, &options, &error);
        text_buffer_finish(&error);
        for (uint32_t i = 0; fault == FAULT_NAN_PAYLOAD && i < count; i++) {
            uint32_t *words = (uint32_t *)dispatch->buffers[i].data;
            for (uint64_t k = 0; k < dispatch->buffers[i].size_bytes / 4; k++) {
                words[k] = words[k] == 0x7fc00000u || words[k] == 0xffc00000u ? 0x7fc00001u
                                                                              : words[k];
            }
        }
    }
}

static void put_fault(struct ir_module *module) {
    for (size_t f = 0; f < module->functions.count; f++) {
        struct ir_function *function = &module->functions.items[f];
        for (size_t i = 1; i < function->ops.count; i++) {
            struct ir_op *op = &function->ops.items[i];
            if (fault == FAULT_WRONG_OPERATION && op->opcode == IR_ADD_I) {
                op->opcode = IR_SUB_I;
            }
            if (fault == FAULT_LOST_STORE && op->opcode == IR_STORE) {
                op->operands[1] = op->operands[1];
                op->opcode = IR_STORAGE_BARRIER; // does nothing; operands are not read
            }
        }
    }
}

static const struct jit_kernel *compile_fake(const struct ir_module *module, uint32_t entry_point,
    const struct jit_options *options, struct text_buffer *out_error) {
    (void)entry_point;
    (void)options;
    if (fault == FAULT_REFUSES) {
        text_buffer_append_string(out_error, "refused for the test");
        return NULL;
    }
    arena_init(&fake.arena, MEMORY_TEST);
    fake.module = ir_module_copy(module, &fake.arena);
    fake.kernel = (struct jit_kernel){.function = run_fake, .scratch_bytes = 64};
    put_fault(fake.module);
    return &fake.kernel;
}

static void destroy_fake(const struct jit_kernel *kernel) {
    (void)kernel;
    arena_finish(&fake.arena);
}

static enum jit_level native_fake(void) {
    return JIT_LEVEL_AVX2;
}

static const struct jit_interface interface = {
    .abi_version = JIT_ABI_VERSION,
    .native_level = native_fake,
    .compile = compile_fake,
    .destroy = destroy_fake,
};

static const char program_text[] =
    "struct S { a: vec3<f32>, b: u32 }\n"
    "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n"
    "@group(0) @binding(3) var<storage, read_write> s: array<S>;\n"
    "@compute @workgroup_size(5) fn main(@builtin(global_invocation_id) id: vec3<u32>) {\n"
    "  let zero = f32(id.y);\n"
    "  out[id.x] = id.x * 3u + 7u;\n"
    "  s[id.x].a = vec3<f32>(zero / zero, 1.0, f32(id.x));\n"
    "  s[id.x].b = s[id.x].b + id.x;\n"
    "}\n";

static enum check_outcome check_with(enum fault put, struct text_buffer *report) {
    struct generated_program program = {.workgroup_size = {5, 1, 1}, .num_workgroups = {2, 1, 1}};
    program.runtime_counts[0] = 10;
    program.runtime_counts[3] = 10;
    struct check_options options = {.jit = &interface, .is_thorough = true, .seed = 3};
    fault = put;
    return check_program(TEXT_LITERAL(program_text), &program, &options, report);
}

TEST(the_interpreter_agrees_with_itself) {
    struct text_buffer report = {0};
    CHECK_EQ(check_with(FAULT_NONE, &report), CHECK_AGREES);
    CHECK_EQ(report.length, 0);
    text_buffer_finish(&report);
}

TEST(all_nans_are_equal) {
    struct text_buffer report = {0};
    CHECK_EQ(check_with(FAULT_NAN_PAYLOAD, &report), CHECK_AGREES);
    text_buffer_finish(&report);
}

TEST(each_fault_is_found) {
    struct text_buffer report = {0};
    CHECK_EQ(check_with(FAULT_WRONG_OPERATION, &report), CHECK_DIFFERS);
    CHECK(report.data != NULL &&
        strstr(report.data, "binding 0, byte 0: expected 0x00000007") != NULL);
    report.length = 0;
    CHECK_EQ(check_with(FAULT_LOST_STORE, &report), CHECK_DIFFERS);
    report.length = 0;
    CHECK_EQ(check_with(FAULT_REFUSES, &report), CHECK_DIFFERS);
    CHECK(report.data != NULL && strstr(report.data, "refused for the test") != NULL);
    text_buffer_finish(&report);
}

TEST(a_refused_program_is_told_from_a_wrong_one) {
    struct generated_program program = {.num_workgroups = {1, 1, 1}};
    struct check_options options = {.seed = 1};
    struct text_buffer report = {0};
    CHECK_EQ(check_program(TEXT_LITERAL("fn main() { nonsense; }"), &program, &options, &report),
        CHECK_REFUSED);
    CHECK(report.length != 0);
    text_buffer_finish(&report);
}

static bool holds_x_and_y(void *user, struct text text) {
    (void)user;
    bool has_x = false, has_y = false;
    int depth = 0;
    for (size_t i = 0; i < text.length; i++) {
        has_x = has_x || text.data[i] == 'X';
        has_y = has_y || text.data[i] == 'Y';
        depth += (text.data[i] == '{') - (text.data[i] == '}');
        if (depth < 0) {
            return false;
        }
    }
    return has_x && has_y && depth == 0;
}

TEST(the_reducer_keeps_only_what_the_predicate_needs) {
    struct text_buffer text = {0};
    text_buffer_append_string(&text,
        "a;\nif b {\n  c;\n  if d {\n    e = ((f + X) * min(g, h));\n  } else {\n    i;\n  }\n  j;\n}\n"
        "k;\nfor (l) {\n  m = (n + (o - Y));\n}\np;\n");
    CHECK(holds_x_and_y(NULL, text_buffer_get(&text)));
    CHECK(reduce_text(&text, holds_x_and_y, NULL, 1000));
    CHECK(holds_x_and_y(NULL, text_buffer_get(&text)));
    if (!CHECK(text.length < 24)) {
        fprintf(stderr, "%s", text.data);
    }
    text_buffer_finish(&text);
}

TEST(a_seed_gives_one_program) {
    struct text_buffer first = {0}, second = {0}, other = {0};
    struct generated_program a, b, c;
    CHECK(generate_program(42, NULL, &first, &a));
    CHECK(generate_program(42, NULL, &second, &b));
    CHECK(generate_program(43, NULL, &other, &c));
    CHECK_STR(first.data, second.data);
    CHECK(strcmp(first.data, other.data) != 0);
    CHECK_EQ(a.runtime_counts[0], b.runtime_counts[0]);
    text_buffer_finish(&first);
    text_buffer_finish(&second);
    text_buffer_finish(&other);
}

// PCG's published demonstration: seed 42, stream 54.
TEST(the_random_numbers_are_those_of_pcg32) {
    static const uint32_t expected[] = {
        0xa15c02b7u, 0x7b47f409u, 0xba1d3330u, 0x83d2f293u, 0xbfa4784bu, 0xcbed606eu};
    struct generate_random random;
    generate_random_init(&random, 42, 54);
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        CHECK_EQ(generate_random_next(&random), expected[i]);
    }
}

CHECK_MAIN(the_interpreter_agrees_with_itself, all_nans_are_equal, each_fault_is_found,
    a_refused_program_is_told_from_a_wrong_one, the_reducer_keeps_only_what_the_predicate_needs,
    a_seed_gives_one_program, the_random_numbers_are_those_of_pcg32)
