// SPDX-License-Identifier: MIT
//
// The suite that every backend passes: what backend.h promises of adapters, buffers, copies, the
// queue, cancellation, memory that runs out. TEST_BACKEND names the backend (null, cpu).

#include "backend/backend.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "base/os_clock.h"
#include "base/os_thread.h"
#include "check.h"

static const struct backend *const backends[] = {&backend_null, &backend_cpu};
static const struct backend *backend;

// ---------------------------------------------------------------- a device and what it reports

struct fixture {
    struct backend_adapter *adapter;
    struct backend_device *device;
    const struct backend_device_functions *functions;
    uint64_t serial; // last submitted
    _Atomic uint64_t completed;
    atomic_int completed_count;
    atomic_bool is_out_of_order;
    atomic_int lost_count;
};

static void note_completed(void *user, uint64_t serial) {
    struct fixture *fixture = user;
    if (serial <= atomic_load(&fixture->completed)) {
        atomic_store(&fixture->is_out_of_order, true);
    }
    atomic_store(&fixture->completed, serial);
    atomic_fetch_add(&fixture->completed_count, 1);
}

static void note_lost(void *user, struct text reason) {
    (void)reason;
    struct fixture *fixture = user;
    atomic_fetch_add(&fixture->lost_count, 1);
}

static struct backend_adapter *open_adapter(void) {
    struct backend_adapter *adapters[4] = {NULL};
    size_t count = backend->enumerate(adapters, 4);
    return count == 0 ? NULL : adapters[0];
}

static bool open_device(struct fixture *fixture) {
    *fixture = (struct fixture){0};
    fixture->adapter = open_adapter();
    if (fixture->adapter == NULL) {
        return false;
    }
    struct backend_device_options options = {
        .events = {fixture, note_completed, note_lost},
        .thread_count = 2,
    };
    if (fixture->adapter->functions->device_create(fixture->adapter, &options, &fixture->device) !=
        BACKEND_OK) {
        fixture->adapter->functions->destroy(fixture->adapter);
        return false;
    }
    fixture->functions = fixture->device->functions;
    return true;
}

static void close_device(struct fixture *fixture) {
    fixture->functions->destroy(fixture->device);
    fixture->adapter->functions->destroy(fixture->adapter);
    CHECK(!atomic_load(&fixture->is_out_of_order));
}

static struct command_stream *new_stream(void) {
    struct command_stream *stream = memory_allocate(MEMORY_COMMAND, sizeof(*stream));
    if (stream != NULL) {
        command_stream_init(stream);
    }
    return stream;
}

static enum backend_status submit(struct fixture *fixture, struct command_stream *stream) {
    return fixture->functions->submit(fixture->device, &stream, stream == NULL ? 0 : 1,
                                      ++fixture->serial);
}

static bool submit_and_wait(struct fixture *fixture, struct command_stream *stream) {
    return submit(fixture, stream) == BACKEND_OK &&
           fixture->functions->wait(fixture->device, fixture->serial, UINT64_MAX);
}

static struct backend_buffer *new_buffer(struct fixture *fixture, uint64_t size_bytes) {
    struct backend_buffer *buffer = NULL;
    enum backend_status status = fixture->functions->buffer_create(
        fixture->device, size_bytes, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
        TEXT_LITERAL("test"), &buffer);
    return status == BACKEND_OK ? buffer : NULL;
}

static void write_small(struct command_stream *stream, struct backend_buffer *buffer,
                        uint64_t offset_bytes, const void *bytes, uint64_t size_bytes) {
    struct command_write_buffer *write = command_stream_append(
        stream, COMMAND_WRITE_BUFFER, sizeof(*write) + (size_t)size_bytes);
    write->buffer = buffer;
    write->offset_bytes = offset_bytes;
    write->size_bytes = size_bytes;
    memcpy(write + 1, bytes, (size_t)size_bytes);
}

static void copy(struct command_stream *stream, struct backend_buffer *source, uint64_t source_offset,
                 struct backend_buffer *destination, uint64_t destination_offset, uint64_t size) {
    struct command_copy_buffer_to_buffer *command =
        COMMAND_APPEND(stream, COPY_BUFFER_TO_BUFFER, copy_buffer_to_buffer);
    command->source = source;
    command->source_offset_bytes = source_offset;
    command->destination = destination;
    command->destination_offset_bytes = destination_offset;
    command->size_bytes = size;
}

static void clear(struct command_stream *stream, struct backend_buffer *buffer, uint64_t offset_bytes,
                  uint64_t size_bytes) {
    struct command_clear_buffer *command = COMMAND_APPEND(stream, CLEAR_BUFFER, clear_buffer);
    command->buffer = buffer;
    command->offset_bytes = offset_bytes;
    command->size_bytes = size_bytes;
}

// ---------------------------------------------------------------- adapters

TEST(adapters_say_what_they_are) {
    struct backend_adapter *adapter = open_adapter();
    if (!CHECK(adapter != NULL)) {
        return;
    }
    struct backend_adapter_info info;
    memset(&info, 0xff, sizeof(info));
    adapter->functions->get_info(adapter, &info);
    CHECK_EQ(info.type, backend->type);
    CHECK(info.vendor[0] != '\0' && info.device[0] != '\0' && info.description[0] != '\0');
    CHECK(feature_set_has(info.features, WGPUFeatureName_CoreFeaturesAndLimits));
    CHECK(info.subgroup_min_size >= 4 && info.subgroup_max_size <= 128);
    struct limit_set defaults = limit_set_get_default(true);
    struct limit_set given = limit_set_of_adapter(&info.limits);
    for (int i = 0; i < LIMIT_COUNT; i++) {
        const struct limit_info *limit = limit_get_info((enum limit_name)i);
        check_record(!limit_is_better((enum limit_name)i, defaults.values[i], given.values[i]),
                     __FILE__, __LINE__, limit->name);
    }
    CHECK_EQ(info.limits.minStorageBufferOffsetAlignment &
                 (info.limits.minStorageBufferOffsetAlignment - 1),
             0);
    adapter->functions->destroy(adapter);
    struct backend_adapter *none = NULL;
    CHECK_EQ(backend->enumerate(&none, 0), 0);
}

// ---------------------------------------------------------------- buffers and byte movers

TEST(new_buffers_are_zero) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    static const uint64_t sizes[] = {4, 60, 4096, 16380, 16384, 100004, (uint64_t)9 << 20};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct backend_buffer *buffer = new_buffer(&fixture, sizes[i]);
        if (!CHECK(buffer != NULL)) {
            continue;
        }
        unsigned char *bytes =
            fixture.functions->buffer_map(fixture.device, buffer, 0, sizes[i], true);
        CHECK_EQ((uintptr_t)bytes % 16, 0);
        uint64_t sum = 0;
        for (uint64_t k = 0; k < sizes[i]; k++) {
            sum += bytes[k];
        }
        CHECK_EQ(sum, 0);
        memset(bytes, 0xcd, (size_t)sizes[i]);
        fixture.functions->buffer_unmap(fixture.device, buffer);
        fixture.functions->buffer_destroy(fixture.device, buffer);
    }
    close_device(&fixture);
}

TEST(bytes_move_in_the_order_of_commands) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    struct backend_buffer *a = new_buffer(&fixture, 256);
    struct backend_buffer *b = new_buffer(&fixture, 256);
    uint8_t model_a[256] = {0};
    uint8_t model_b[256] = {0};
    uint8_t pattern[64];
    for (int i = 0; i < 64; i++) {
        pattern[i] = (uint8_t)(i * 7 + 1);
    }
    struct command_stream *stream = new_stream();
    write_small(stream, a, 8, pattern, 64);
    memcpy(model_a + 8, pattern, 64);
    copy(stream, a, 8, b, 100, 40);
    memcpy(model_b + 100, model_a + 8, 40);
    clear(stream, a, 12, 20);
    memset(model_a + 12, 0, 20);
    copy(stream, b, 96, a, 200, 56);
    memcpy(model_a + 200, model_b + 96, 56);
    write_small(stream, b, 100, pattern, 4);
    memcpy(model_b + 100, pattern, 4);
    CHECK(submit_and_wait(&fixture, stream));
    CHECK_BYTES(fixture.functions->buffer_map(fixture.device, a, 0, 256, false), model_a, 256);
    CHECK_BYTES(fixture.functions->buffer_map(fixture.device, b, 0, 256, false), model_b, 256);
    fixture.functions->buffer_unmap(fixture.device, a);
    fixture.functions->buffer_unmap(fixture.device, b);

    // What the host writes into a mapped range is seen by later submissions.
    uint8_t *mapped = fixture.functions->buffer_map(fixture.device, a, 64, 16, true);
    memset(mapped, 0x5a, 16);
    fixture.functions->buffer_unmap(fixture.device, a);
    stream = new_stream();
    copy(stream, a, 64, b, 0, 16);
    CHECK(submit_and_wait(&fixture, stream));
    memset(model_b, 0x5a, 16);
    CHECK_BYTES(fixture.functions->buffer_map(fixture.device, b, 0, 256, false), model_b, 256);
    fixture.functions->buffer_unmap(fixture.device, b);
    fixture.functions->buffer_destroy(fixture.device, a);
    fixture.functions->buffer_destroy(fixture.device, b);
    close_device(&fixture);
}

TEST(large_writes_come_from_a_block_of_the_stream) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    uint64_t size = (uint64_t)3 << 20;
    struct backend_buffer *buffer = new_buffer(&fixture, size);
    uint32_t *block = memory_allocate(MEMORY_STAGING, (size_t)size);
    for (uint64_t i = 0; i < size / 4; i++) {
        block[i] = (uint32_t)(i * 2654435761u);
    }
    struct command_stream *stream = new_stream();
    struct command_write_buffer *write = COMMAND_APPEND(stream, WRITE_BUFFER, write_buffer);
    write->buffer = buffer;
    write->offset_bytes = 0;
    write->size_bytes = size;
    write->data = block;
    CHECK(submit_and_wait(&fixture, stream));
    const uint32_t *words = fixture.functions->buffer_map(fixture.device, buffer, 0, size, false);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < size / 4; i++) {
        wrong += words[i] != (uint32_t)(i * 2654435761u);
    }
    CHECK_EQ(wrong, 0);
    fixture.functions->buffer_unmap(fixture.device, buffer);
    fixture.functions->buffer_destroy(fixture.device, buffer);
    close_device(&fixture);
    CHECK_EQ(memory_live_blocks(MEMORY_STAGING), 0);
}

// ---------------------------------------------------------------- the queue

TEST(serials_complete_in_order) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    CHECK_EQ(fixture.functions->completed_serial(fixture.device), 0);
    CHECK(!fixture.functions->wait(fixture.device, 1, 1000000));
    CHECK(!fixture.functions->wait(fixture.device, 1, 0));
    struct backend_buffer *counter = new_buffer(&fixture, 8);
    for (uint32_t i = 1; i <= 3000; i++) {
        struct command_stream *stream = NULL;
        if (i % 3 != 0) { // every third submission is empty
            stream = new_stream();
            write_small(stream, counter, 0, &i, 4);
        }
        if (!CHECK_EQ(submit(&fixture, stream), BACKEND_OK)) {
            break;
        }
    }
    CHECK(fixture.functions->wait(fixture.device, fixture.serial, UINT64_MAX));
    CHECK_EQ(fixture.functions->completed_serial(fixture.device), 3000);
    CHECK(fixture.functions->wait(fixture.device, 1, 0));
    const uint32_t *value = fixture.functions->buffer_map(fixture.device, counter, 0, 4, false);
    CHECK_EQ(*value, 2999);
    fixture.functions->buffer_unmap(fixture.device, counter);
    fixture.functions->buffer_destroy(fixture.device, counter);
    close_device(&fixture);
    CHECK_EQ(atomic_load(&fixture.completed), 3000);
    CHECK_EQ(atomic_load(&fixture.lost_count), 0);
}

TEST(destroy_finishes_what_is_queued) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    uint64_t size = (uint64_t)8 << 20;
    struct backend_buffer *a = new_buffer(&fixture, size);
    struct backend_buffer *b = new_buffer(&fixture, size);
    for (int i = 0; i < 20; i++) {
        struct command_stream *stream = new_stream();
        copy(stream, a, 0, b, 0, size);
        CHECK_EQ(submit(&fixture, stream), BACKEND_OK);
    }
    CHECK(fixture.functions->wait(fixture.device, 20, UINT64_MAX));
    CHECK_EQ(submit(&fixture, new_stream()), BACKEND_OK);
    fixture.functions->buffer_destroy(fixture.device, a);
    fixture.functions->buffer_destroy(fixture.device, b);
    close_device(&fixture);
    CHECK_EQ(atomic_load(&fixture.completed), 21);
}

struct waiter {
    struct fixture *fixture;
    uint64_t serial;
    bool has_completed;
};

static void run_waiter(void *user) {
    struct waiter *waiter = user;
    waiter->has_completed = waiter->fixture->functions->wait(waiter->fixture->device,
                                                             waiter->serial, UINT64_MAX);
}

TEST(many_threads_may_wait) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    struct waiter waiters[4];
    struct os_thread threads[4];
    for (int i = 0; i < 4; i++) {
        waiters[i] = (struct waiter){&fixture, (uint64_t)(i + 1) * 50, false};
        CHECK(os_thread_create(&threads[i], run_waiter, &waiters[i], "waiter"));
    }
    for (int i = 0; i < 200; i++) {
        CHECK_EQ(submit(&fixture, NULL), BACKEND_OK);
        if (i % 40 == 0) {
            os_clock_sleep_ns(200000); // lets both sides fall asleep
        }
    }
    for (int i = 0; i < 4; i++) {
        os_thread_join(&threads[i]);
        CHECK(waiters[i].has_completed);
    }
    close_device(&fixture);
}

TEST(cancel_skips_work_and_completes_serials) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    struct backend_buffer *buffer = new_buffer(&fixture, 4);
    fixture.functions->cancel(fixture.device);
    uint32_t value = 77;
    struct command_stream *stream = new_stream();
    write_small(stream, buffer, 0, &value, 4);
    submit(&fixture, stream);
    CHECK(fixture.functions->wait(fixture.device, fixture.serial, UINT64_MAX));
    CHECK_EQ(*(uint32_t *)fixture.functions->buffer_map(fixture.device, buffer, 0, 4, false), 0);
    fixture.functions->buffer_unmap(fixture.device, buffer);
    fixture.functions->cancel(fixture.device);
    fixture.functions->buffer_destroy(fixture.device, buffer);
    close_device(&fixture);
    CHECK_EQ(atomic_load(&fixture.lost_count), 0);
}

// ---------------------------------------------------------------- memory that runs out

TEST(sizes_beyond_the_budget_are_out_of_memory) {
    struct fixture fixture;
    if (!CHECK(open_device(&fixture))) {
        return;
    }
    static const uint64_t sizes[] = {(uint64_t)1 << 45, UINT64_MAX - 3, (uint64_t)1 << 63};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct backend_buffer *buffer = (struct backend_buffer *)&fixture;
        CHECK_EQ(fixture.functions->buffer_create(fixture.device, sizes[i], WGPUBufferUsage_CopyDst,
                                                  TEXT_LITERAL(""), &buffer),
                 BACKEND_OUT_OF_MEMORY);
        CHECK(buffer == NULL);
    }
    // Lazily zeroed: buffers of a gigabyte each until the budget ends; all of it comes back.
    struct backend_buffer *many[4096];
    size_t count = 0;
    while (count < 4096 && (many[count] = new_buffer(&fixture, (uint64_t)1 << 30)) != NULL) {
        count++;
    }
    CHECK(count < 4096);
    size_t again = count;
    while (count > 0) {
        fixture.functions->buffer_destroy(fixture.device, many[--count]);
    }
    while (count < again && (many[count] = new_buffer(&fixture, (uint64_t)1 << 30)) != NULL) {
        count++;
    }
    CHECK_EQ(count, again);
    while (count > 0) {
        fixture.functions->buffer_destroy(fixture.device, many[--count]);
    }
    close_device(&fixture);
}

// Everything once, with the allocation after `countdown` others failing; true when all succeeded.
static bool run_with_failures(int64_t countdown, bool is_sticky) {
    struct fixture fixture;
    memory_fail_after(countdown, is_sticky);
    if (!open_device(&fixture)) {
        memory_fail_after(-1, false);
        return false;
    }
    bool ok = true;
    struct backend_buffer *small = new_buffer(&fixture, 64);
    struct backend_buffer *large = new_buffer(&fixture, 1 << 20);
    struct backend_bind_group *group = NULL;
    struct backend_binding binding = {.buffer = small, .size_bytes = 64};
    ok = small != NULL && large != NULL &&
         fixture.functions->bind_group_create(fixture.device, &binding, 1, &group) == BACKEND_OK;
    struct command_stream *stream = new_stream();
    if (stream != NULL && small != NULL && large != NULL) {
        struct command_copy_buffer_to_buffer *command =
            COMMAND_APPEND(stream, COPY_BUFFER_TO_BUFFER, copy_buffer_to_buffer);
        if (command != NULL) {
            command->source = small;
            command->destination = large;
            command->source_offset_bytes = 0;
            command->destination_offset_bytes = 0;
            command->size_bytes = 64;
        }
        command_stream_label(stream, TEXT_LITERAL("label"));
        ok = ok && !stream->has_failed && command != NULL;
    } else {
        ok = false;
    }
    ok = submit(&fixture, stream) == BACKEND_OK && ok;
    // Whatever failed, the serial completes.
    CHECK(fixture.functions->wait(fixture.device, fixture.serial, UINT64_MAX));
    memory_fail_after(-1, false);
    if (group != NULL) {
        fixture.functions->bind_group_destroy(fixture.device, group);
    }
    if (small != NULL) {
        fixture.functions->buffer_destroy(fixture.device, small);
    }
    if (large != NULL) {
        fixture.functions->buffer_destroy(fixture.device, large);
    }
    close_device(&fixture);
    return ok;
}

TEST(every_failing_allocation_is_survived) {
    // More than the allocations of one run; some of them may fail without harm.
    const int64_t enough = 60;
    for (int is_sticky = 0; is_sticky < 2; is_sticky++) {
        int failure_count = 0;
        for (int64_t countdown = 0; countdown < enough; countdown++) {
            failure_count += !run_with_failures(countdown, is_sticky != 0);
        }
        CHECK(failure_count > 5);
        CHECK(run_with_failures(enough, is_sticky != 0));
    }
}

TEST(nothing_is_left) {
    for (int tag = 0; tag < MEMORY_TAG_COUNT; tag++) {
        check_record(memory_live_blocks((enum memory_tag)tag) == 0, __FILE__, __LINE__,
                     memory_tag_name((enum memory_tag)tag));
    }
}

int main(int argc, char **argv) {
    static const check_test tests[] = {
        adapters_say_what_they_are,
        new_buffers_are_zero,
        bytes_move_in_the_order_of_commands,
        large_writes_come_from_a_block_of_the_stream,
        serials_complete_in_order,
        destroy_finishes_what_is_queued,
        many_threads_may_wait,
        cancel_skips_work_and_completes_serials,
        sizes_beyond_the_budget_are_out_of_memory,
        every_failing_allocation_is_survived,
        nothing_is_left,
    };
    const char *name = getenv("TEST_BACKEND");
    for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++) {
        if (name != NULL && strcmp(backends[i]->name, name) == 0) {
            backend = backends[i];
        }
    }
    if (backend == NULL) {
        fprintf(stderr, "TEST_BACKEND must be null or cpu\n");
        return 2;
    }
    return check_run(tests, sizeof(tests) / sizeof(tests[0]),
                     "adapters_say_what_they_are, new_buffers_are_zero, "
                     "bytes_move_in_the_order_of_commands, "
                     "large_writes_come_from_a_block_of_the_stream, serials_complete_in_order, "
                     "destroy_finishes_what_is_queued, many_threads_may_wait, "
                     "cancel_skips_work_and_completes_serials, "
                     "sizes_beyond_the_budget_are_out_of_memory, "
                     "every_failing_allocation_is_survived, nothing_is_left",
                     argc, argv);
}
