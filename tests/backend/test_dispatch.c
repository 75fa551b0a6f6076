// SPDX-License-Identifier: MIT
//
// Shaders from WGSL text to results through backend.h alone, on the CPU backend: compiled kernels
// meet bindings, chunks, guard pages, cancellation; a missing code generator is a message.

#include "backend/backend.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "base/os_clock.h"
#include "check.h"
#include "shader/compile/compile.h"

struct fixture {
    bool has_nameless_pipelines;
    struct backend_adapter *adapter;
    struct backend_device *device;
    const struct backend_device_functions *functions;
    uint64_t serial;
    atomic_int lost_count;
    char reason[512];
};

static void note_lost(void *user, struct text reason) {
    struct fixture *fixture = user;
    snprintf(fixture->reason, sizeof(fixture->reason), "%.*s", TEXT_ARGS(reason));
    atomic_fetch_add(&fixture->lost_count, 1);
}

static bool open_device(struct fixture *fixture, struct backend_device_options options) {
    *fixture = (struct fixture){0};
    options.events = (struct backend_events){.user = fixture, .lost = note_lost};
    if (!CHECK_EQ(backend_cpu.enumerate(&fixture->adapter, 1), 1) ||
        !CHECK_EQ(fixture->adapter->functions->device_create(
                      fixture->adapter, &options, &fixture->device),
            BACKEND_OK)) {
        return false;
    }
    fixture->functions = fixture->device->functions;
    return true;
}

static void close_device(struct fixture *fixture) {
    fixture->functions->destroy(fixture->device);
    fixture->adapter->functions->destroy(fixture->adapter);
}

static struct backend_buffer *new_buffer(struct fixture *fixture, uint64_t size_bytes) {
    struct backend_buffer *buffer = NULL;
    CHECK_EQ(fixture->functions->buffer_create(
                 fixture->device, size_bytes, WGPUBufferUsage_Storage, TEXT_LITERAL(""), &buffer),
        BACKEND_OK);
    return buffer;
}

static void *map(struct fixture *fixture, struct backend_buffer *buffer) {
    return fixture->functions->buffer_map(fixture->device, buffer, 0, 4, true);
}

// Compiles the only compute entry point of the text; out_message tells why not.
static enum backend_status compile(struct fixture *fixture, const char *wgsl,
    struct backend_compute_pipeline **out_pipeline, struct text_buffer *out_message) {
    *out_pipeline = NULL;
    struct compile_module *module = compile_module_create(
        text_from_string(wgsl), TEXT_LITERAL("test.wgsl"), NULL);
    if (module == NULL) {
        return BACKEND_OUT_OF_MEMORY;
    }
    enum backend_status result = BACKEND_INTERNAL;
    struct compile_program *program = NULL;
    if (module->is_valid &&
        compile_specialise(module, 0, NULL, 0, out_message, &program) == COMPILE_OK) {
        struct backend_compute_pipeline_description description = {
            .label = fixture->has_nameless_pipelines ? (struct text){0} : TEXT_LITERAL("from text"),
            .module = program->ir,
            .reflection = &program->reflection->entry_points[0],
        };
        result = fixture->functions->compute_pipeline_create(
            fixture->device, &description, out_pipeline, out_message);
    }
    compile_program_destroy(program);
    compile_module_destroy(module);
    return result;
}

static struct backend_compute_pipeline *new_pipeline(struct fixture *fixture, const char *wgsl) {
    struct backend_compute_pipeline *pipeline = NULL;
    struct text_buffer message = {0};
    if (!CHECK_EQ(compile(fixture, wgsl, &pipeline, &message), BACKEND_OK)) {
        fprintf(stderr, "    %.*s\n", TEXT_ARGS(text_buffer_get(&message)));
    }
    text_buffer_finish(&message);
    return pipeline;
}

static struct command_stream *begin(
    struct backend_compute_pipeline *pipeline, struct backend_bind_group *group) {
    struct command_stream *stream = memory_allocate(MEMORY_COMMAND, sizeof(*stream));
    command_stream_init(stream);
    COMMAND_APPEND(stream, BEGIN_COMPUTE_PASS, begin_compute_pass)->label = NULL;
    COMMAND_APPEND(stream, SET_COMPUTE_PIPELINE, set_compute_pipeline)->pipeline = pipeline;
    struct command_set_bind_group *bind = COMMAND_APPEND(stream, SET_BIND_GROUP, set_bind_group);
    bind->group = group;
    bind->index = 0;
    bind->dynamic_offset_count = 0;
    return stream;
}

static void dispatch(struct command_stream *stream, uint32_t x, uint32_t y, uint32_t z) {
    struct command_dispatch *command = COMMAND_APPEND(stream, DISPATCH, dispatch);
    command->workgroups[0] = x;
    command->workgroups[1] = y;
    command->workgroups[2] = z;
}

static void submit_and_wait(struct fixture *fixture, struct command_stream *stream) {
    CHECK_EQ(
        fixture->functions->submit(fixture->device, &stream, 1, ++fixture->serial), BACKEND_OK);
    CHECK(fixture->functions->wait(fixture->device, fixture->serial, UINT64_MAX));
}

// ---------------------------------------------------------------- tests

static const char saxpy[] =
    "@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
    "@group(0) @binding(1) var<storage, read_write> y: array<f32>;\n"
    "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {\n"
    "  if (id.x < arrayLength(&y)) { y[id.x] = 3.0 * x[id.x] + y[id.x]; }\n"
    "}\n";

// Runs saxpy over `count` elements and compares with exact arithmetic on small integers.
static void check_saxpy(struct backend_device_options options, uint32_t count) {
    struct fixture fixture;
    if (!open_device(&fixture, options)) {
        return;
    }
    struct backend_compute_pipeline *pipeline = new_pipeline(&fixture, saxpy);
    struct backend_buffer *x = new_buffer(&fixture, 4 * (uint64_t)count);
    struct backend_buffer *y = new_buffer(&fixture, 4 * (uint64_t)count);
    float *x_values = map(&fixture, x);
    float *y_values = map(&fixture, y);
    for (uint32_t i = 0; i < count; i++) {
        x_values[i] = (float)(i % 1000);
        y_values[i] = (float)(i % 77);
    }
    struct backend_binding bindings[2] = {
        {.binding = 0, .buffer = x, .size_bytes = 4 * (uint64_t)count},
        {.binding = 1, .buffer = y, .size_bytes = 4 * (uint64_t)count},
    };
    struct backend_bind_group *group = NULL;
    CHECK_EQ(fixture.functions->bind_group_create(fixture.device, bindings, 2, &group), BACKEND_OK);
    if (pipeline != NULL) {
        struct command_stream *stream = begin(pipeline, group);
        dispatch(stream, (count + 63) / 64 + 1, 1, 1);
        dispatch(stream, (count + 63) / 64, 1, 1);
        submit_and_wait(&fixture, stream);
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < count; i++) {
            wrong += y_values[i] != (float)(6 * (i % 1000) + i % 77);
        }
        CHECK_EQ(wrong, 0);
        fixture.functions->compute_pipeline_destroy(fixture.device, pipeline);
    }
    fixture.functions->bind_group_destroy(fixture.device, group);
    fixture.functions->buffer_destroy(fixture.device, x);
    fixture.functions->buffer_destroy(fixture.device, y);
    close_device(&fixture);
    CHECK_EQ(atomic_load(&fixture.lost_count), 0);
}

TEST(a_missing_code_generator_says_what_to_install) {
    const char *before = getenv("ALBA_JIT");
    char saved[4096] = "";
    snprintf(saved, sizeof(saved), "%s", before == NULL ? "" : before);
    setenv("ALBA_JIT", "/nowhere/libalba-jit.so", 1);
    struct fixture fixture;
    if (open_device(&fixture, (struct backend_device_options){.thread_count = 1})) {
        struct backend_compute_pipeline *pipeline = NULL;
        struct text_buffer message = {0};
        CHECK_EQ(compile(&fixture, saxpy, &pipeline, &message), BACKEND_INTERNAL);
        CHECK(pipeline == NULL);
        CHECK(strstr(text_buffer_get(&message).data, "/nowhere/libalba-jit.so") != NULL);
        CHECK(strstr(text_buffer_get(&message).data, "install") != NULL);
        text_buffer_finish(&message);
        close_device(&fixture);
    }
    if (before == NULL) {
        unsetenv("ALBA_JIT");
    } else {
        setenv("ALBA_JIT", saved, 1);
    }
}

TEST(saxpy_at_sizes_and_thread_counts) {
    static const uint32_t counts[] = {1, 63, 64, 65, 1000, 100003};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        check_saxpy((struct backend_device_options){.thread_count = 1}, counts[i]);
        check_saxpy((struct backend_device_options){.thread_count = 3}, counts[i]);
    }
}

TEST(saxpy_between_guard_pages) {
    static const uint32_t counts[] = {1, 5, 64, 65, 1023, 1025};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        check_saxpy(
            (struct backend_device_options){.thread_count = 2, .has_guard_pages = true}, counts[i]);
        check_saxpy(
            (struct backend_device_options){.thread_count = 2, .has_guard_pages_before = true},
            counts[i]);
    }
}

static void check_endless(bool is_nameless, const char *expected_name) {
    static const char endless[] =
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n"
        "@compute @workgroup_size(1) fn main() {\n"
        "  loop { data[0] = data[0] + 1u; if (data[1] == 1u) { break; } }\n"
        "}\n";
    struct fixture fixture;
    if (!open_device(&fixture,
            (struct backend_device_options){
                .thread_count = 2, .has_watchdog = true, .watchdog_ms = 50})) {
        return;
    }
    fixture.has_nameless_pipelines = is_nameless;
    struct backend_compute_pipeline *pipeline = new_pipeline(&fixture, endless);
    struct backend_buffer *buffer = new_buffer(&fixture, 64);
    struct backend_binding binding = {.buffer = buffer, .size_bytes = 64};
    struct backend_bind_group *group = NULL;
    CHECK_EQ(fixture.functions->bind_group_create(fixture.device, &binding, 1, &group), BACKEND_OK);
    if (pipeline != NULL) {
        struct command_stream *stream = begin(pipeline, group);
        dispatch(stream, 2, 1, 1);
        submit_and_wait(&fixture, stream);
        CHECK_EQ(atomic_load(&fixture.lost_count), 1);
        CHECK(strstr(fixture.reason, expected_name) != NULL);
        fixture.functions->compute_pipeline_destroy(fixture.device, pipeline);
    }
    fixture.functions->bind_group_destroy(fixture.device, group);
    fixture.functions->buffer_destroy(fixture.device, buffer);
    close_device(&fixture);
}

TEST(endless_loops_are_cancelled) {
    check_endless(false, "compute pipeline \"from text\" finished");
    check_endless(true, "compute pipeline (no label) finished");
}

TEST(the_same_text_is_compiled_once) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){.thread_count = 1})) {
        return;
    }
    struct backend_compute_pipeline *first = new_pipeline(&fixture, saxpy);
    size_t kernels = memory_live_blocks(MEMORY_JIT);
    struct backend_compute_pipeline *second = new_pipeline(&fixture, saxpy);
    CHECK_EQ(memory_live_blocks(MEMORY_JIT), kernels);
    CHECK(first != second);
    fixture.functions->compute_pipeline_destroy(fixture.device, first);
    fixture.functions->compute_pipeline_destroy(fixture.device, second);
    close_device(&fixture);
}

TEST(failing_allocations_make_no_pipeline_and_no_leak) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){.thread_count = 1})) {
        return;
    }
    // Steps grow: the front end has its own tests, here all stages down to the pipeline fail once.
    int failure_count = 0;
    for (int64_t countdown = 0; countdown < 100000; countdown += 1 + countdown / 8) {
        struct backend_compute_pipeline *pipeline = NULL;
        struct text_buffer message = {0};
        memory_fail_after(countdown, false);
        enum backend_status status = compile(&fixture, saxpy, &pipeline, &message);
        memory_fail_after(-1, false);
        text_buffer_finish(&message);
        failure_count += status != BACKEND_OK;
        CHECK_EQ(pipeline != NULL, status == BACKEND_OK);
        if (pipeline != NULL) {
            fixture.functions->compute_pipeline_destroy(fixture.device, pipeline);
        }
    }
    CHECK(failure_count > 5);
    close_device(&fixture);
}

TEST(nothing_is_left) {
    for (int tag = 0; tag < MEMORY_TAG_COUNT; tag++) {
        check_record(memory_live_blocks((enum memory_tag)tag) == 0, __FILE__, __LINE__,
            memory_tag_name((enum memory_tag)tag));
    }
}

CHECK_MAIN(a_missing_code_generator_says_what_to_install, saxpy_at_sizes_and_thread_counts,
    saxpy_between_guard_pages, endless_loops_are_cancelled, the_same_text_is_compiled_once,
    failing_allocations_make_no_pipeline_and_no_leak, nothing_is_left)
