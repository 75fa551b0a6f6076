// SPDX-License-Identifier: MIT
//
// The CPU executor with kernels written in C in place of compiled ones: bindings, dynamic offsets,
// immediates, direct and indirect dispatch, thread counts, the watchdog, cancellation, guard pages, the
// floating-point state.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/backend.h"
#include "backend/cpu/cpu_priv.h"
#include "base/memory.h"
#include "base/os_clock.h"
#include "check.h"

// ---------------------------------------------------------------- a device, a pipeline, a stream

struct fixture {
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
    struct cpu_kernel_cache *cache = cpu_kernel_cache_create();
    enum backend_status status = cpu_device_create(cache, &options, &fixture->device);
    cpu_kernel_cache_unref(cache);
    if (!CHECK_EQ(status, BACKEND_OK)) {
        return false;
    }
    fixture->functions = fixture->device->functions;
    return true;
}

static void close_device(struct fixture *fixture) {
    fixture->functions->destroy(fixture->device);
}

static struct backend_buffer *new_buffer(struct fixture *fixture, uint64_t size_bytes) {
    struct backend_buffer *buffer = NULL;
    CHECK_EQ(fixture->functions->buffer_create(fixture->device, size_bytes,
                                               WGPUBufferUsage_Storage, TEXT_LITERAL(""), &buffer),
             BACKEND_OK);
    return buffer;
}

static uint32_t *words_of(struct fixture *fixture, struct backend_buffer *buffer) {
    return fixture->functions->buffer_map(fixture->device, buffer, 0, 4, true);
}

static struct backend_bind_group *new_group(struct fixture *fixture,
                                            const struct backend_binding *bindings,
                                            uint32_t count) {
    struct backend_bind_group *group = NULL;
    CHECK_EQ(fixture->functions->bind_group_create(fixture->device, bindings, count, &group),
             BACKEND_OK);
    return group;
}

// A pipeline of one kernel whose bindings are all read-write storage.
static struct backend_compute_pipeline *new_pipeline(const struct jit_kernel *kernel,
                                                     struct reflect_binding *bindings,
                                                     uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bindings[i].kind = REFLECT_BUFFER_STORAGE;
    }
    struct reflect_entry_point reflection = {.bindings = bindings, .binding_count = count};
    struct backend_compute_pipeline *pipeline = NULL;
    CHECK_EQ(cpu_pipeline_create_from_kernel(kernel, TEXT_LITERAL("the pipeline"),
                                             &reflection, &pipeline),
             BACKEND_OK);
    return pipeline;
}

static struct command_stream *new_stream(void) {
    struct command_stream *stream = memory_allocate(MEMORY_COMMAND, sizeof(*stream));
    command_stream_init(stream);
    return stream;
}

static void begin(struct command_stream *stream, struct backend_compute_pipeline *pipeline) {
    COMMAND_APPEND(stream, BEGIN_COMPUTE_PASS, begin_compute_pass)->label = NULL;
    COMMAND_APPEND(stream, SET_COMPUTE_PIPELINE, set_compute_pipeline)->pipeline = pipeline;
}

static void bind(struct command_stream *stream, uint32_t index, struct backend_bind_group *group,
                 const uint32_t *offsets, uint32_t offset_count) {
    struct command_set_bind_group *command = command_stream_append(
        stream, COMMAND_SET_BIND_GROUP, sizeof(*command) + offset_count * sizeof(uint32_t));
    command->group = group;
    command->index = index;
    command->dynamic_offset_count = offset_count;
    if (offset_count != 0) {
        memcpy(command + 1, offsets, offset_count * sizeof(uint32_t));
    }
}

static void dispatch(struct command_stream *stream, uint32_t x, uint32_t y, uint32_t z) {
    struct command_dispatch *command = COMMAND_APPEND(stream, DISPATCH, dispatch);
    command->workgroups[0] = x;
    command->workgroups[1] = y;
    command->workgroups[2] = z;
}

static void submit(struct fixture *fixture, struct command_stream *stream) {
    CHECK_EQ(fixture->functions->submit(fixture->device, &stream, 1, ++fixture->serial), BACKEND_OK);
}

static void submit_and_wait(struct fixture *fixture, struct command_stream *stream) {
    submit(fixture, stream);
    CHECK(fixture->functions->wait(fixture->device, fixture->serial, UINT64_MAX));
}

static void finish_workgroup(_Atomic uint64_t *progress) {
    atomic_store_explicit(progress, atomic_load_explicit(progress, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

// ---------------------------------------------------------------- each workgroup once

// Adds 1 to a word of the workgroup's own and leaves the dimensions beside it.
static void count_kernel(const struct jit_dispatch *dispatch_data, uint64_t first, uint64_t end,
                         void *scratch, _Atomic uint64_t *progress) {
    uint32_t *out = (uint32_t *)(void *)dispatch_data->buffers[0].data;
    uint64_t *own = scratch;
    for (uint64_t i = first; i < end; i++) {
        own[0] = i; // a worker's scratch is its own
        own[511] = ~i;
        out[i] += own[0] == i && own[511] == ~i;
        finish_workgroup(progress);
    }
}

static const struct jit_kernel counting = {
    .function = count_kernel, .scratch_bytes = 4096, .workgroup_size = {64, 1, 1}};

TEST(each_workgroup_runs_once_at_any_thread_count) {
    for (uint32_t threads = 1; threads <= 8; threads++) {
        struct fixture fixture;
        if (!open_device(&fixture, (struct backend_device_options){.thread_count = threads})) {
            return;
        }
        CHECK_EQ(fixture.device->thread_count, threads);
        struct backend_buffer *buffer = new_buffer(&fixture, 4 * 60000);
        struct reflect_binding reflection[1] = {{.group = 0, .binding = 3}};
        struct backend_compute_pipeline *pipeline = new_pipeline(&counting, reflection, 1);
        struct backend_binding binding = {.binding = 3, .buffer = buffer, .size_bytes = 4 * 60000};
        struct backend_bind_group *group = new_group(&fixture, &binding, 1);
        struct command_stream *stream = new_stream();
        begin(stream, pipeline);
        bind(stream, 0, group, NULL, 0);
        for (int i = 0; i < 10; i++) {
            dispatch(stream, 30, 40, 50);
            dispatch(stream, 1, 1, 1);
            dispatch(stream, 1000, 0, 1000);
        }
        submit_and_wait(&fixture, stream);
        const uint32_t *words = words_of(&fixture, buffer);
        uint32_t wrong = 0;
        for (uint32_t i = 1; i < 60000; i++) {
            wrong += words[i] != 10;
        }
        CHECK_EQ(wrong, 0);
        CHECK_EQ(words[0], 20);
        cpu_pipeline_destroy(pipeline);
        fixture.functions->bind_group_destroy(fixture.device, group);
        fixture.functions->buffer_destroy(fixture.device, buffer);
        close_device(&fixture);
        CHECK_EQ(atomic_load(&fixture.lost_count), 0);
    }
}

// ---------------------------------------------------------------- bindings

// Writes, for each binding, its size and its first word, then the first immediate words.
static void report_kernel(const struct jit_dispatch *dispatch_data, uint64_t first, uint64_t end,
                          void *scratch, _Atomic uint64_t *progress) {
    (void)scratch;
    (void)end;
    const struct jit_buffer *buffers = dispatch_data->buffers;
    uint32_t *out = (uint32_t *)(void *)buffers[3].data;
    if (first == 0) {
        for (int i = 0; i < 3; i++) {
            out[2 * i] = (uint32_t)buffers[i].size_bytes;
            out[2 * i + 1] = *(uint32_t *)(void *)buffers[i].data;
        }
        memcpy(out + 6, dispatch_data->immediates, 8);
        memcpy(out + 8, dispatch_data->num_workgroups, 12);
    }
    finish_workgroup(progress);
}

TEST(bindings_dynamic_offsets_and_immediates) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){.thread_count = 1})) {
        return;
    }
    struct backend_buffer *data = new_buffer(&fixture, 4096);
    struct backend_buffer *out = new_buffer(&fixture, 64);
    uint32_t *words = words_of(&fixture, data);
    for (uint32_t i = 0; i < 1024; i++) {
        words[i] = i;
    }
    // Group 0 has bindings the shader does not use; 2 and 9 have dynamic offsets, and so has 5.
    struct backend_binding first_bindings[4] = {
        {.binding = 2, .has_dynamic_offset = true, .buffer = data, .size_bytes = 16},
        {.binding = 4, .buffer = data, .offset_bytes = 256, .size_bytes = 32},
        {.binding = 5, .has_dynamic_offset = true, .buffer = data, .size_bytes = 64},
        {.binding = 9, .has_dynamic_offset = true, .buffer = data, .offset_bytes = 512,
         .size_bytes = 128},
    };
    struct backend_binding second_binding = {.binding = 0, .buffer = out, .size_bytes = 64};
    struct backend_bind_group *groups[2] = {new_group(&fixture, first_bindings, 4),
                                            new_group(&fixture, &second_binding, 1)};
    struct jit_kernel kernel = {.function = report_kernel, .workgroup_size = {1, 1, 1}};
    struct reflect_binding reflection[4] = {{.group = 0, .binding = 2},
                                            {.group = 0, .binding = 4},
                                            {.group = 0, .binding = 9},
                                            {.group = 7, .binding = 0}};
    struct backend_compute_pipeline *pipeline = new_pipeline(&kernel, reflection, 4);

    struct command_stream *stream = new_stream();
    begin(stream, pipeline);
    uint32_t offsets[3] = {1024, 0, 2048};
    bind(stream, 0, groups[0], offsets, 3);
    bind(stream, 7, groups[1], NULL, 0);
    struct command_set_immediates *set =
        command_stream_append(stream, COMMAND_SET_IMMEDIATES, sizeof(*set) + 4);
    set->offset_bytes = 4;
    set->size_bytes = 4;
    memcpy(set + 1, "\x11\x22\x33\x44", 4);
    dispatch(stream, 5, 6, 7);
    submit_and_wait(&fixture, stream);
    const uint32_t *seen = words_of(&fixture, out);
    const uint32_t expected[11] = {16,  1024 / 4,           32, 256 / 4, 128,
                                   (512 + 2048) / 4, 0, 0x44332211, 5,  6,       7};
    CHECK_BYTES(seen, expected, sizeof(expected));

    // Another pass starts with zero immediates; another set of offsets counts from then on.
    stream = new_stream();
    begin(stream, pipeline);
    bind(stream, 7, groups[1], NULL, 0);
    uint32_t later[3] = {0, 0, 0};
    bind(stream, 0, groups[0], later, 3);
    dispatch(stream, 1, 1, 1);
    submit_and_wait(&fixture, stream);
    const uint32_t expected_later[11] = {16, 0, 32, 64, 128, 128, 0, 0, 1, 1, 1};
    CHECK_BYTES(seen, expected_later, sizeof(expected_later));

    cpu_pipeline_destroy(pipeline);
    fixture.functions->bind_group_destroy(fixture.device, groups[0]);
    fixture.functions->bind_group_destroy(fixture.device, groups[1]);
    fixture.functions->buffer_destroy(fixture.device, data);
    fixture.functions->buffer_destroy(fixture.device, out);
    close_device(&fixture);
}

TEST(indirect_dispatch_reads_its_counts_when_it_runs) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){.thread_count = 2})) {
        return;
    }
    struct backend_buffer *buffer = new_buffer(&fixture, 4096);
    struct backend_buffer *counts = new_buffer(&fixture, 64);
    struct reflect_binding reflection[1] = {{.group = 0, .binding = 0}};
    struct backend_compute_pipeline *pipeline = new_pipeline(&counting, reflection, 1);
    struct backend_binding binding = {.buffer = buffer, .size_bytes = 4096};
    struct backend_bind_group *group = new_group(&fixture, &binding, 1);
    static const uint32_t cases[3][3] = {{2, 3, 4}, {1, 101, 1}, {0, 5, 5}};
    for (int i = 0; i < 3; i++) {
        struct command_stream *stream = new_stream();
        struct command_write_buffer *write =
            command_stream_append(stream, COMMAND_WRITE_BUFFER, sizeof(*write) + 12);
        write->buffer = counts;
        write->offset_bytes = 20;
        write->size_bytes = 12;
        memcpy(write + 1, cases[i], 12);
        begin(stream, pipeline);
        bind(stream, 0, group, NULL, 0);
        struct command_dispatch_indirect *indirect =
            COMMAND_APPEND(stream, DISPATCH_INDIRECT, dispatch_indirect);
        indirect->buffer = counts;
        indirect->offset_bytes = 20;
        indirect->limit = 100;
        submit_and_wait(&fixture, stream);
    }
    const uint32_t *words = words_of(&fixture, buffer);
    uint32_t sum = 0;
    for (int i = 0; i < 1024; i++) {
        sum += words[i];
    }
    CHECK_EQ(sum, 24); // the second is over the limit, the third empty
    cpu_pipeline_destroy(pipeline);
    fixture.functions->bind_group_destroy(fixture.device, group);
    fixture.functions->buffer_destroy(fixture.device, buffer);
    fixture.functions->buffer_destroy(fixture.device, counts);
    close_device(&fixture);
}

// ---------------------------------------------------------------- work that does not end

static atomic_int spinning_count;

static void spin_kernel(const struct jit_dispatch *dispatch_data, uint64_t first, uint64_t end,
                        void *scratch, _Atomic uint64_t *progress) {
    (void)first;
    (void)end;
    (void)scratch;
    (void)progress;
    atomic_fetch_add(&spinning_count, 1);
    while (atomic_load(dispatch_data->cancel) == 0) {
        os_clock_sleep_ns(100000);
    }
}

static const struct jit_kernel spinning = {.function = spin_kernel, .workgroup_size = {512, 1, 1}};

// Finishes a workgroup every 2 ms: slow, but alive.
static void slow_kernel(const struct jit_dispatch *dispatch_data, uint64_t first, uint64_t end,
                        void *scratch, _Atomic uint64_t *progress) {
    (void)dispatch_data;
    (void)scratch;
    for (uint64_t i = first; i < end; i++) {
        os_clock_sleep_ns(2000000);
        finish_workgroup(progress);
    }
}

static const struct jit_kernel slow = {.function = slow_kernel, .workgroup_size = {512, 1, 1}};

TEST(the_watchdog_loses_the_device_and_names_the_pipeline) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){
                                   .thread_count = 2, .watchdog_ms = 30, .has_watchdog = true})) {
        return;
    }
    struct backend_compute_pipeline *alive = new_pipeline(&slow, NULL, 0);
    struct command_stream *stream = new_stream();
    begin(stream, alive);
    dispatch(stream, 60, 1, 1); // longer than the limit, but workgroups finish
    submit_and_wait(&fixture, stream);
    CHECK_EQ(atomic_load(&fixture.lost_count), 0);

    struct backend_compute_pipeline *endless = new_pipeline(&spinning, NULL, 0);
    struct backend_buffer *buffer = new_buffer(&fixture, 4096);
    stream = new_stream();
    begin(stream, endless);
    dispatch(stream, 4, 1, 1);
    struct command_clear_buffer *clear = COMMAND_APPEND(stream, CLEAR_BUFFER, clear_buffer);
    clear->buffer = buffer; // not reached
    clear->offset_bytes = 0;
    clear->size_bytes = 16;
    words_of(&fixture, buffer)[0] = 5;
    submit_and_wait(&fixture, stream);
    CHECK_EQ(words_of(&fixture, buffer)[0], 5);
    CHECK_EQ(atomic_load(&fixture.lost_count), 1);
    CHECK(strstr(fixture.reason, "\"the pipeline\"") != NULL);
    CHECK(strstr(fixture.reason, "30 ms") != NULL);

    stream = new_stream();
    begin(stream, endless);
    dispatch(stream, 4, 1, 1);
    submit_and_wait(&fixture, stream); // skipped
    fixture.functions->cancel(fixture.device);
    cpu_pipeline_destroy(alive);
    cpu_pipeline_destroy(endless);
    fixture.functions->buffer_destroy(fixture.device, buffer);
    close_device(&fixture);
    CHECK_EQ(atomic_load(&fixture.lost_count), 1);
}

TEST(cancel_ends_a_running_loop) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){.thread_count = 2,
                                                               .has_watchdog = true})) {
        return;
    }
    struct backend_compute_pipeline *endless = new_pipeline(&spinning, NULL, 0);
    atomic_store(&spinning_count, 0);
    struct command_stream *stream = new_stream();
    begin(stream, endless);
    dispatch(stream, 4, 1, 1);
    submit(&fixture, stream);
    while (atomic_load(&spinning_count) == 0) {
        os_clock_sleep_ns(100000);
    }
    CHECK(!fixture.functions->wait(fixture.device, 1, 2000000));
    fixture.functions->cancel(fixture.device);
    CHECK(fixture.functions->wait(fixture.device, 1, UINT64_MAX));
    cpu_pipeline_destroy(endless);
    close_device(&fixture);
    CHECK_EQ(atomic_load(&fixture.lost_count), 0);
}

// ---------------------------------------------------------------- guard pages

static int touched_offset;

static void touch_kernel(const struct jit_dispatch *dispatch_data, uint64_t first, uint64_t end,
                         void *scratch, _Atomic uint64_t *progress) {
    (void)first;
    (void)end;
    (void)scratch;
    volatile uint8_t *data = dispatch_data->buffers[0].data;
    data[touched_offset] = (uint8_t)(data[touched_offset] + 1);
    finish_workgroup(progress);
}

static const struct jit_kernel touching = {.function = touch_kernel, .workgroup_size = {1, 1, 1}};

// Runs a kernel that touches one byte of a 100-byte binding, in a device with guard pages.
static uint32_t touch(bool is_before, int offset) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){
                                   .thread_count = 1,
                                   .has_guard_pages = !is_before,
                                   .has_guard_pages_before = is_before})) {
        return 0;
    }
    touched_offset = offset;
    struct backend_buffer *buffer = new_buffer(&fixture, 4096);
    struct reflect_binding reflection[1] = {{.group = 0, .binding = 0}};
    struct backend_compute_pipeline *pipeline = new_pipeline(&touching, reflection, 1);
    struct backend_binding binding = {.buffer = buffer, .offset_bytes = 1000, .size_bytes = 100};
    struct backend_bind_group *group = new_group(&fixture, &binding, 1);
    struct command_stream *stream = new_stream();
    begin(stream, pipeline);
    bind(stream, 0, group, NULL, 0);
    dispatch(stream, 1, 1, 1);
    dispatch(stream, 1, 1, 1);
    submit_and_wait(&fixture, stream);
    uint32_t value = ((uint8_t *)words_of(&fixture, buffer))[1000 + offset];
    cpu_pipeline_destroy(pipeline);
    fixture.functions->bind_group_destroy(fixture.device, group);
    fixture.functions->buffer_destroy(fixture.device, buffer);
    close_device(&fixture);
    return value;
}

static bool touch_crashes(bool is_before, int offset) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        touch(is_before, offset);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

TEST(guard_pages_catch_one_byte_outside) {
    CHECK_EQ(touch(false, 0), 2);
    CHECK_EQ(touch(false, 99), 2);
    CHECK_EQ(touch(true, 0), 2);
    CHECK_EQ(touch(true, 99), 2);
    CHECK(touch_crashes(false, 100));
    CHECK(touch_crashes(true, -1));
}

// ---------------------------------------------------------------- floating point

static void halve_kernel(const struct jit_dispatch *dispatch_data, uint64_t first, uint64_t end,
                         void *scratch, _Atomic uint64_t *progress) {
    (void)scratch;
    volatile float *data = (volatile float *)(void *)dispatch_data->buffers[0].data;
    for (uint64_t i = first; i < end; i++) {
        data[i] = data[i] * 0.5f;
        finish_workgroup(progress);
    }
}

static const struct jit_kernel halving = {.function = halve_kernel, .workgroup_size = {512, 1, 1}};

TEST(subnormals_are_kept_whatever_the_caller_has_set) {
#if defined(__SSE__)
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040u | 0x6000u); // flush to zero, zero, toward zero
#endif
    struct fixture fixture;
    bool is_open = open_device(&fixture, (struct backend_device_options){.thread_count = 3});
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr(before);
#endif
    if (!is_open) {
        return;
    }
    struct backend_buffer *buffer = new_buffer(&fixture, 4000);
    uint32_t *words = words_of(&fixture, buffer);
    for (int i = 0; i < 1000; i++) {
        words[i] = 0x00000007; // 7 steps of the smallest subnormal: a half is 3.5, even is 4
    }
    struct reflect_binding reflection[1] = {{.group = 0, .binding = 0}};
    struct backend_compute_pipeline *pipeline = new_pipeline(&halving, reflection, 1);
    struct backend_binding binding = {.buffer = buffer, .size_bytes = 4000};
    struct backend_bind_group *group = new_group(&fixture, &binding, 1);
    struct command_stream *stream = new_stream();
    begin(stream, pipeline);
    bind(stream, 0, group, NULL, 0);
    dispatch(stream, 1000, 1, 1);
    submit_and_wait(&fixture, stream);
    uint32_t wrong = 0;
    for (int i = 0; i < 1000; i++) {
        wrong += words[i] != 4;
    }
    CHECK_EQ(wrong, 0);
    cpu_pipeline_destroy(pipeline);
    fixture.functions->bind_group_destroy(fixture.device, group);
    fixture.functions->buffer_destroy(fixture.device, buffer);
    close_device(&fixture);
}

TEST(what_cannot_run_loses_the_device) {
    struct fixture fixture;
    if (!open_device(&fixture, (struct backend_device_options){.thread_count = 1})) {
        return;
    }
    struct jit_kernel greedy = counting;
    greedy.scratch_bytes = UINT64_C(1) << 60;
    struct backend_compute_pipeline *pipeline = new_pipeline(&greedy, NULL, 0);
    struct command_stream *stream = new_stream();
    begin(stream, pipeline);
    dispatch(stream, 1, 1, 1);
    submit_and_wait(&fixture, stream);
    CHECK_EQ(atomic_load(&fixture.lost_count), 1);
    CHECK(strstr(fixture.reason, "out of memory") != NULL);
    cpu_pipeline_destroy(pipeline);
    close_device(&fixture);
}

TEST(nothing_is_left) {
    for (int tag = 0; tag < MEMORY_TAG_COUNT; tag++) {
        check_record(memory_live_blocks((enum memory_tag)tag) == 0, __FILE__, __LINE__,
                     memory_tag_name((enum memory_tag)tag));
    }
}

CHECK_MAIN(guard_pages_catch_one_byte_outside, each_workgroup_runs_once_at_any_thread_count,
           bindings_dynamic_offsets_and_immediates, indirect_dispatch_reads_its_counts_when_it_runs,
           the_watchdog_loses_the_device_and_names_the_pipeline, cancel_ends_a_running_loop,
           subnormals_are_kept_whatever_the_caller_has_set, what_cannot_run_loses_the_device,
           nothing_is_left)
