// SPDX-License-Identifier: MIT
//
// Futures through the public API: the three callback modes, WaitAny in all its forms,
// ProcessEvents, cancellation, order, nesting.
#include "api_helper.h"

#include "base/os_clock.h"

struct counter {
    atomic_int count;
    int status;
    int order; // the value of the shared sequence when it was called
};

static atomic_int sequence;

static void on_done(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    struct counter *counter = userdata1;
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    counter->status = (int)status;
    counter->order = atomic_fetch_add(&sequence, 1);
    atomic_fetch_add(&counter->count, 1);
}

static WGPUFuture ask_done(WGPUQueue queue, WGPUCallbackMode mode, struct counter *counter) {
    WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    info.mode = mode;
    info.callback = on_done;
    info.userdata1 = counter;
    return wgpuQueueOnSubmittedWorkDone(queue, info);
}

TEST(wait_any_only_fires_in_wait_any_alone) {
    struct api api;
    struct counter counter = {0};
    if (!api_begin(&api)) {
        return;
    }
    WGPUFuture future = ask_done(api.queue, WGPUCallbackMode_WaitAnyOnly, &counter);
    for (int i = 0; i < 10; i++) {
        wgpuInstanceProcessEvents(api.instance);
    }
    CHECK_EQ(atomic_load(&counter.count), 0);
    WGPUFutureWaitInfo info = {future, WGPU_FALSE};
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 1, &info, UINT64_MAX), WGPUWaitStatus_Success);
    CHECK_EQ(info.completed, WGPU_TRUE);
    CHECK_EQ(atomic_load(&counter.count), 1);
    CHECK_EQ(counter.status, WGPUQueueWorkDoneStatus_Success);
    // Long done counts as complete, and does not call again.
    info.completed = WGPU_FALSE;
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 1, &info, 0), WGPUWaitStatus_Success);
    CHECK_EQ(info.completed, WGPU_TRUE);
    CHECK_EQ(atomic_load(&counter.count), 1);
    api_end(&api);
}

TEST(process_events_fires_what_allows_it) {
    struct api api;
    struct counter counter = {0};
    if (!api_begin(&api)) {
        return;
    }
    ask_done(api.queue, WGPUCallbackMode_AllowProcessEvents, &counter);
    for (int i = 0; i < 100000 && atomic_load(&counter.count) == 0; i++) {
        wgpuInstanceProcessEvents(api.instance);
    }
    CHECK_EQ(atomic_load(&counter.count), 1);
    api_end(&api);
}

TEST(spontaneous_needs_no_call) {
    struct api api;
    struct counter counter = {0};
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(&api, "b", 1024, WGPUBufferUsage_CopyDst);
    unsigned char bytes[1024] = {0};
    wgpuQueueWriteBuffer(api.queue, buffer, 0, bytes, sizeof(bytes));
    ask_done(api.queue, WGPUCallbackMode_AllowSpontaneous, &counter);
    uint64_t spins = 0;
    while (atomic_load(&counter.count) == 0 && spins++ < UINT64_C(4000000000)) {
    }
    CHECK_EQ(atomic_load(&counter.count), 1);
    wgpuBufferRelease(buffer);
    api_end(&api);
}

TEST(timed_waits_need_the_feature) {
    AlbaInstanceOptions options = ALBA_INSTANCE_OPTIONS_INIT;
    options.backends = AlbaBackends_Null;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &options.chain;
    WGPUInstance instance = wgpuCreateInstance(&descriptor);
    WGPUAdapter adapter = NULL;
    WGPURequestAdapterCallbackInfo info = WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_adapter;
    info.userdata1 = &adapter;
    WGPUFutureWaitInfo wait = {wgpuInstanceRequestAdapter(instance, NULL, info), WGPU_FALSE};
    CHECK_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 1), WGPUWaitStatus_Error);
    CHECK(adapter == NULL);
    CHECK_EQ(wgpuInstanceWaitAny(instance, 1, &wait, 0), WGPUWaitStatus_Success);
    CHECK(adapter != NULL);
    wgpuAdapterRelease(adapter);
    wgpuInstanceRelease(instance);
}

TEST(timed_waits_are_limited_and_time_out) {
    static const WGPUInstanceFeatureName feature = WGPUInstanceFeatureName_TimedWaitAny;
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUInstanceLimits limits = WGPU_INSTANCE_LIMITS_INIT;
    limits.timedWaitAnyMaxCount = 2;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.requiredFeatureCount = 1;
    descriptor.requiredFeatures = &feature;
    descriptor.requiredLimits = &limits;
    WGPUInstance small = wgpuCreateInstance(&descriptor);
    WGPUFutureWaitInfo three[3] = {{{1}, 0}, {{2}, 0}, {{3}, 0}};
    CHECK_EQ(wgpuInstanceWaitAny(small, 3, three, 1), WGPUWaitStatus_Error);
    CHECK_EQ(wgpuInstanceWaitAny(small, 2, three, 1), WGPUWaitStatus_Success); // unknown ones
    wgpuInstanceRelease(small);

    // The lost future of a healthy device does not complete.
    WGPUFutureWaitInfo lost = {wgpuDeviceGetLostFuture(api.device), WGPU_TRUE};
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 1, &lost, 0), WGPUWaitStatus_TimedOut);
    CHECK_EQ(lost.completed, WGPU_FALSE);
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 1, &lost, 2000000), WGPUWaitStatus_TimedOut);
    // A queue's future beside another kind of future: only without a timeout.
    struct counter counter = {0};
    WGPUFuture done = ask_done(api.queue, WGPUCallbackMode_WaitAnyOnly, &counter);
    WGPUFutureWaitInfo mixed[2] = {{done, 0}, {wgpuDeviceGetLostFuture(api.device), 0}};
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 2, mixed, 1000), WGPUWaitStatus_Error);
    CHECK_EQ(api_wait(api.instance, done), WGPUWaitStatus_Success);
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, 2, mixed, 0), WGPUWaitStatus_Success);
    CHECK_EQ(mixed[0].completed, WGPU_TRUE);
    CHECK_EQ(mixed[1].completed, WGPU_FALSE);
    api_end(&api);
}

TEST(many_futures_fire_in_order) {
    enum { COUNT = 64 };
    struct api api;
    static struct counter counters[COUNT];
    WGPUFutureWaitInfo infos[COUNT];
    memset(counters, 0, sizeof(counters));
    if (!api_begin(&api)) {
        return;
    }
    for (int i = 0; i < COUNT; i++) {
        // Waited for in the opposite order.
        infos[COUNT - 1 - i].future = ask_done(
            api.queue, WGPUCallbackMode_WaitAnyOnly, &counters[i]);
    }
    api_finish_queue(&api);
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, COUNT, infos, UINT64_MAX), WGPUWaitStatus_Success);
    for (int i = 0; i < COUNT; i++) {
        CHECK_EQ(infos[i].completed, WGPU_TRUE);
        CHECK_EQ(atomic_load(&counters[i].count), 1);
        CHECK_EQ(counters[i].order, counters[0].order + i);
    }
    api_end(&api);
}

struct nest {
    struct api *api;
    int depth;
    struct counter counter;
};

static void on_done_nested(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    struct nest *nest = userdata1;
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    if (nest->depth++ < 20) {
        WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
        info.mode = WGPUCallbackMode_WaitAnyOnly;
        info.callback = on_done_nested;
        info.userdata1 = nest;
        wgpuInstanceProcessEvents(nest->api->instance);
        api_wait(nest->api->instance, wgpuQueueOnSubmittedWorkDone(nest->api->queue, info));
    }
}

TEST(waits_nest_in_callbacks) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    struct nest nest = {&api, 0, {0}};
    on_done_nested(WGPUQueueWorkDoneStatus_Success, api_view(""), &nest, NULL);
    CHECK_EQ(nest.depth, 21);
    api_end(&api);
}

TEST(releasing_the_instance_cancels) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    WGPUBuffer buffer = api_buffer(
        &api, "b", 16, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst);
    struct counter done = {0};
    struct api_map_result map;
    struct api_scope_result scope = {0};
    ask_done(api.queue, WGPUCallbackMode_WaitAnyOnly, &done);
    wgpuBufferMapAsync(
        buffer, WGPUMapMode_Read, 0, 16, api_map_info(&map, WGPUCallbackMode_AllowProcessEvents));
    wgpuDevicePushErrorScope(api.device, WGPUErrorFilter_Validation);
    WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
    info.mode = WGPUCallbackMode_WaitAnyOnly;
    info.callback = api_on_scope;
    info.userdata1 = &scope;
    wgpuDevicePopErrorScope(api.device, info);
    wgpuInstanceRelease(api.instance);
    CHECK_EQ(atomic_load(&done.count), 1);
    CHECK_EQ(done.status, WGPUQueueWorkDoneStatus_CallbackCancelled);
    CHECK_EQ(atomic_load(&map.call_count), 1);
    CHECK_EQ(map.status, WGPUMapAsyncStatus_CallbackCancelled);
    CHECK_EQ(scope.call_count, 1);
    CHECK_EQ(scope.status, WGPUPopErrorScopeStatus_CallbackCancelled);
    CHECK_EQ(atomic_load(&api.lost_count), 1);
    CHECK_EQ(api.lost_reason, WGPUDeviceLostReason_CallbackCancelled);
    // The device lives on; what it is asked now is cancelled at once.
    struct counter late = {0};
    ask_done(api.queue, WGPUCallbackMode_WaitAnyOnly, &late);
    CHECK_EQ(atomic_load(&late.count), 1);
    CHECK_EQ(late.status, WGPUQueueWorkDoneStatus_CallbackCancelled);
    wgpuBufferRelease(buffer);
    wgpuQueueRelease(api.queue);
    wgpuDeviceRelease(api.device);
    wgpuAdapterRelease(api.adapter);
}

static void on_done_slowly(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    os_clock_sleep_ns(30000000);
    on_done(status, message, userdata1, userdata2);
}

TEST(a_wait_lasts_until_the_callback_has_returned) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    // Another thread runs the callback: a wait, and the instance's release, wait for its end.
    for (int is_release = 0; is_release < 2; is_release++) {
        struct counter counter = {0};
        WGPUBuffer buffer = api_buffer(&api, "b", 1 << 20, WGPUBufferUsage_CopyDst);
        WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(api.device, NULL);
        for (int i = 0; i < 20; i++) {
            wgpuCommandEncoderClearBuffer(encoder, buffer, 0, WGPU_WHOLE_SIZE);
        }
        WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
        wgpuQueueSubmit(api.queue, 1, &commands);
        WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
        info.mode = WGPUCallbackMode_AllowSpontaneous;
        info.callback = on_done_slowly;
        info.userdata1 = &counter;
        WGPUFuture future = wgpuQueueOnSubmittedWorkDone(api.queue, info);
        os_clock_sleep_ns(10000000); // the service thread is in the callback now, or soon
        wgpuCommandBufferRelease(commands);
        wgpuCommandEncoderRelease(encoder);
        wgpuBufferRelease(buffer);
        if (is_release) {
            api_end(&api);
        } else {
            CHECK_EQ(api_wait(api.instance, future), WGPUWaitStatus_Success);
        }
        CHECK_EQ(atomic_load(&counter.count), 1);
    }
}

TEST(wrong_callback_infos_give_no_future) {
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    struct counter counter = {0};
    CHECK_EQ(ask_done(api.queue, (WGPUCallbackMode)0, &counter).id, 0);
    CHECK_EQ(ask_done(api.queue, (WGPUCallbackMode)9, &counter).id, 0);
    CHECK_EQ(atomic_load(&counter.count), 0);
    api_end(&api);
}

// Many futures are waited for at a cost that grows with their number, not with its cube: a million
// million steps would run into the time limit of the test.
TEST(a_wait_for_many_of_many_ends) {
    enum { COUNT = 10000 };
    static WGPUFutureWaitInfo infos[COUNT];
    struct api api;
    if (!api_begin(&api)) {
        return;
    }
    struct counter counter = {0};
    for (size_t i = 0; i < COUNT; i++) {
        infos[COUNT - 1 - i].future = ask_done(api.queue, WGPUCallbackMode_WaitAnyOnly, &counter);
    }
    CHECK_EQ(wgpuInstanceWaitAny(api.instance, COUNT, infos, 0), WGPUWaitStatus_Success);
    size_t completed = 0;
    for (size_t i = 0; i < COUNT; i++) {
        completed += infos[i].completed;
    }
    CHECK_EQ(completed, COUNT);
    CHECK_EQ(atomic_load(&counter.count), COUNT);
    api_end(&api);
}

// ---------------------------------------------------------------- callbacks that release all

// What a program has; its callbacks release the whole of it, what is being called included.
struct belongings {
    struct api api;
    WGPUBuffer buffer;
    int call_count;
    atomic_bool is_gone;
};

static void release_all(struct belongings *all) {
    all->call_count++;
    if (all->api.instance == NULL) {
        return; // a callback that the release itself fires
    }
    WGPUInstance instance = all->api.instance;
    all->api.instance = NULL;
    wgpuBufferRelease(all->buffer);
    wgpuQueueRelease(all->api.queue);
    wgpuDeviceRelease(all->api.device);
    wgpuAdapterRelease(all->api.adapter);
    wgpuInstanceRelease(instance);
    atomic_store(&all->is_gone, true);
}

static void release_on_map(
    WGPUMapAsyncStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    release_all(userdata1);
}

static void release_on_work(
    WGPUQueueWorkDoneStatus status, WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    release_all(userdata1);
}

static void release_on_scope(WGPUPopErrorScopeStatus status, WGPUErrorType type,
    WGPUStringView message, void *userdata1, void *userdata2) {
    UNUSED_PARAMETER(status);
    UNUSED_PARAMETER(type);
    UNUSED_PARAMETER(message);
    UNUSED_PARAMETER(userdata2);
    release_all(userdata1);
}

static WGPUFuture map_and_release(struct belongings *all, WGPUCallbackMode mode) {
    WGPUBufferMapCallbackInfo info = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
    info.mode = mode;
    info.callback = release_on_map;
    info.userdata1 = all;
    return wgpuBufferMapAsync(all->buffer, WGPUMapMode_Read, 0, 16, info);
}

static WGPUFuture finish_and_release(struct belongings *all, WGPUCallbackMode mode) {
    WGPUQueueWorkDoneCallbackInfo info = WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
    info.mode = mode;
    info.callback = release_on_work;
    info.userdata1 = all;
    wgpuQueueWriteBuffer(all->api.queue, all->buffer, 0, "abcd", 4);
    return wgpuQueueOnSubmittedWorkDone(all->api.queue, info);
}

static WGPUFuture pop_and_release(struct belongings *all, WGPUCallbackMode mode) {
    WGPUPopErrorScopeCallbackInfo info = WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT;
    info.mode = mode;
    info.callback = release_on_scope;
    info.userdata1 = all;
    return wgpuDevicePopErrorScope(all->api.device, info);
}

static WGPUFuture lose_and_release(struct belongings *all, WGPUCallbackMode mode) {
    WGPUFuture future = map_and_release(all, mode);
    if (!atomic_load(&all->is_gone)) { // nothing is waited for: a spontaneous callback has come
        wgpuDeviceDestroy(all->api.device);
    }
    return future;
}

TEST(callbacks_may_release_all_there_is) {
    WGPUFuture (*const ways[])(struct belongings *, WGPUCallbackMode) = {
        map_and_release, finish_and_release, pop_and_release, lose_and_release};
    static const WGPUCallbackMode modes[] = {WGPUCallbackMode_AllowSpontaneous,
        WGPUCallbackMode_AllowProcessEvents, WGPUCallbackMode_WaitAnyOnly};
    for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
        for (size_t mode = 0; mode < sizeof(modes) / sizeof(modes[0]); mode++) {
            struct belongings all = {0};
            if (!api_begin(&all.api)) {
                return;
            }
            WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
            descriptor.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst;
            descriptor.size = 16;
            all.buffer = wgpuDeviceCreateBuffer(all.api.device, &descriptor);
            WGPUFuture future = ways[way](&all, modes[mode]);
            uint64_t spins = 0;
            while (!atomic_load(&all.is_gone) && spins++ < UINT64_C(4000000000)) {
                if (modes[mode] == WGPUCallbackMode_AllowProcessEvents) {
                    wgpuInstanceProcessEvents(all.api.instance);
                } else if (modes[mode] == WGPUCallbackMode_WaitAnyOnly) {
                    api_wait(all.api.instance, future);
                } // else it has come, or comes on a thread of alba's
            }
            CHECK_EQ(all.call_count, 1);
            CHECK(all.api.instance == NULL);
        }
    }
}

CHECK_MAIN(wait_any_only_fires_in_wait_any_alone, process_events_fires_what_allows_it,
    spontaneous_needs_no_call, timed_waits_need_the_feature, timed_waits_are_limited_and_time_out,
    many_futures_fire_in_order, waits_nest_in_callbacks, releasing_the_instance_cancels,
    a_wait_lasts_until_the_callback_has_returned, wrong_callback_infos_give_no_future,
    callbacks_may_release_all_there_is, a_wait_for_many_of_many_ends)
