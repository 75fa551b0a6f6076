// SPDX-License-Identifier: MIT
//
// alba.h: what alba offers beside the standard's webgpu.h: version, log, choice of adapter and
// threads, limits for endless shaders, the ledger of bytes moved, surfaces without a window, warnings,
// memory counters. Every function is safe from any thread. Handles, chains, text and INIT macros work
// as webgpu.h describes; a handle passed here must be alba's own and not NULL.
//
// Environment variables, read when they are first needed (a chained struct that says otherwise
// wins):
//   ALBA_LOG=off|error|warning|info|debug
//       What the log passes on. Default: warning.
//   ALBA_BACKEND=vulkan|cpu|null
//       Adapters of this kind alone. Default: vulkan, then cpu.
//   ALBA_THREADS=N
//       Threads of a CPU device. Default: the CPUs that this process may use, by affinity and
//       cgroup quota.
//   ALBA_CPU=sse4.2|avx2|avx512|neon
//       Instruction-set level of compiled shaders; results are bit-identical within one level.
//       Default: the CPU's best.
//   ALBA_JIT=FILE
//       The code generator, libalba-jit.so. Default: beside libalba, then where the system looks
//       for libraries.
//   ALBA_CACHE=FOLDER|off
//       Where the CPU adapter keeps compiled shaders between runs, up to 256 MiB or 8192, those unused for
//       longest going first; a program that finds all its shaders there does not load the code
//       generator. The folder is made if need be (its parent must exist) and must belong to the user,
//       with nobody else allowed to write in it: otherwise nothing is kept. It may be removed at any
//       time. Default: alba in $XDG_CACHE_HOME or else in $HOME/.cache.

#ifndef ALBA_ALBA_H_
#define ALBA_ALBA_H_

#include <webgpu/webgpu.h>

#if defined(__cplusplus)
extern "C" {
#endif

//
// Version
//

#define ALBA_VERSION_MAJOR 0
#define ALBA_VERSION_MINOR 1
#define ALBA_VERSION_PATCH 0
#define ALBA_MAKE_VERSION(major, minor, patch) \
    ((uint32_t)(major) * 1000000u + (uint32_t)(minor) * 1000u + (uint32_t)(patch))
// The version that a program was compiled with.
#define ALBA_VERSION ALBA_MAKE_VERSION(ALBA_VERSION_MAJOR, ALBA_VERSION_MINOR, ALBA_VERSION_PATCH)

// The version of the library that runs, made as ALBA_MAKE_VERSION makes it.
WGPU_EXPORT uint32_t albaGetVersion(void) WGPU_FUNCTION_ATTRIBUTE;

//
// Log
//

typedef enum AlbaLogLevel {
    AlbaLogLevel_Off = 0,
    AlbaLogLevel_Error = 1,   // something does not work: a device lost, a library missing
    AlbaLogLevel_Warning = 2, // works, but not as expected; uncaptured errors without a callback
    AlbaLogLevel_Info = 3,    // adapters found, code generator loaded
    AlbaLogLevel_Debug = 4,   // each pipeline compiled, each submission
    AlbaLogLevel_Force32 = 0x7FFFFFFF
} AlbaLogLevel WGPU_ENUM_ATTRIBUTE;

// message has no line end, is not zero-terminated and lives for the call. Called from any thread,
// from several at once, with no lock of alba's held; it must not call into alba.
typedef void (*AlbaLogCallback)(AlbaLogLevel level, WGPUStringView message, void *userdata)
    WGPU_FUNCTION_ATTRIBUTE;

// For the whole process. NULL: messages go to standard error, the default. The callback set before
// may still be running on another thread when this returns.
WGPU_EXPORT void albaSetLogCallback(WGPU_NULLABLE AlbaLogCallback callback, void *userdata)
    WGPU_FUNCTION_ATTRIBUTE;
// Messages up to this level are passed on; wins over ALBA_LOG.
WGPU_EXPORT void albaSetLogLevel(AlbaLogLevel level) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT AlbaLogLevel albaGetLogLevel(void) WGPU_FUNCTION_ATTRIBUTE;

//
// Chained structs. Their sTypes are the block 0x0A1B0000 to 0x0A1BFFFF, outside every block of the
// standard's registry.
//

typedef enum AlbaSType {
    AlbaSType_InstanceOptions = 0x0A1B0001,
    AlbaSType_DeviceOptions = 0x0A1B0002,
    AlbaSType_SurfaceSourceHeadless = 0x0A1B0003,
    AlbaSType_WarningOptions = 0x0A1B0004,
    AlbaSType_Force32 = 0x7FFFFFFF
} AlbaSType WGPU_ENUM_ATTRIBUTE;

// A vertex format of WebGPU's that the standard header lacks: "snorm10-10-10-2". A value for
// WGPUVertexAttribute.format, from the same block.
typedef enum AlbaVertexFormat {
    AlbaVertexFormat_Snorm10_10_10_2 = 0x0A1B0001,
    AlbaVertexFormat_Force32 = 0x7FFFFFFF
} AlbaVertexFormat WGPU_ENUM_ATTRIBUTE;

typedef WGPUFlags AlbaBackends;
static const AlbaBackends AlbaBackends_Default = 0x0; // ALBA_BACKEND, else Vulkan and CPU
static const AlbaBackends AlbaBackends_Null = 0x1;    // validates, copies, maps; runs no shader
static const AlbaBackends AlbaBackends_CPU = 0x2;
static const AlbaBackends AlbaBackends_Vulkan = 0x4;

// In the chain of WGPUInstanceDescriptor.
typedef struct AlbaInstanceOptions {
    WGPUChainedStruct chain;
    AlbaBackends backends; // the adapters to look for, in the order Vulkan, CPU, null
    uint32_t threadCount;  // of each CPU device; 0: ALBA_THREADS, else the CPUs that may be used
} AlbaInstanceOptions WGPU_STRUCTURE_ATTRIBUTE;
#define ALBA_INSTANCE_OPTIONS_INIT \
    _wgpu_MAKE_INIT_STRUCT(AlbaInstanceOptions, { \
        {NULL, (WGPUSType)AlbaSType_InstanceOptions}, AlbaBackends_Default, 0 \
    })

// Where a page without access lies at each range that a shader can reach (CPU devices; for finding
// faults of the code generator, at a cost in memory and bind group creation).
typedef enum AlbaGuardPages {
    AlbaGuardPages_None = 0,
    AlbaGuardPages_After = 1,  // right after the range's last byte
    AlbaGuardPages_Before = 2, // right before its first byte
    AlbaGuardPages_Force32 = 0x7FFFFFFF
} AlbaGuardPages WGPU_ENUM_ATTRIBUTE;

// The default limit, 10 seconds.
#define ALBA_WATCHDOG_DEFAULT (UINT64_MAX)

// In the chain of WGPUDeviceDescriptor.
typedef struct AlbaDeviceOptions {
    WGPUChainedStruct chain;
    // The device is lost when a dispatch or a draw runs and no workgroup, no batch of vertices or
    // fragments, finishes for so long; 0: never.
    uint64_t watchdogMilliseconds;
    uint32_t threadCount; // of this CPU device; 0: the instance's
    AlbaGuardPages guardPages;
    // The ledger keeps so many of its entries; 0: totals only.
    size_t ledgerListCapacity;
} AlbaDeviceOptions WGPU_STRUCTURE_ATTRIBUTE;
#define ALBA_DEVICE_OPTIONS_INIT \
    _wgpu_MAKE_INIT_STRUCT(AlbaDeviceOptions, { \
        {NULL, (WGPUSType)AlbaSType_DeviceOptions}, ALBA_WATCHDOG_DEFAULT, 0, \
        AlbaGuardPages_None, 0 \
    })

//
// Threads
//

// How many threads execute the device's shaders; 0 where that is not this process's matter.
WGPU_EXPORT uint32_t albaDeviceGetThreadCount(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

//
// The ledger: every byte that crosses between host, staging and device
//
// Bytes are in one of three places: the host's own memory; staging, the memory that both host and
// device see (buffers with MapRead or MapWrite, and what writeBuffer passes through); the device's
// own (all other buffers and textures). The same program gives the same numbers on every adapter:
//   wgpuQueueWriteBuffer, WriteTexture      host -> staging, staging -> device, at the call
//   wgpuBufferUnmap after mappedAtCreation  the same, the buffer's size
//   wgpuBufferUnmap after MapWrite          host -> staging, the mapped range
//   wgpuBufferGet(Const)MappedRange, MapRead  staging -> host, the range, at each call
//   wgpuBufferReadMappedRange               staging -> host
//   copies between buffers and textures     staging -> device, device -> staging or nothing, by the
//                                           places of the two, when they are submitted
//   dispatches, draws, clears, resolves     nothing
// A destination with MapRead or MapWrite is in staging: then the second crossing of the first two
// rows does not happen. `elided` is the part that this adapter did not have to move, because the
// places are one memory.
//

typedef struct AlbaLedgerBytes {
    uint64_t hostToStaging;
    uint64_t stagingToDevice;
    uint64_t deviceToStaging;
    uint64_t stagingToHost;
} AlbaLedgerBytes WGPU_STRUCTURE_ATTRIBUTE;

typedef struct AlbaLedgerTotals {
    WGPUChainedStruct *nextInChain;
    AlbaLedgerBytes crossed;
    AlbaLedgerBytes elided; // part of crossed
    uint64_t submitCount;
    uint64_t frameCount;
    uint64_t entryCount;        // entries in the list
    uint64_t droppedEntryCount; // entries that the list had no room for
} AlbaLedgerTotals WGPU_STRUCTURE_ATTRIBUTE;
#define ALBA_LEDGER_TOTALS_INIT \
    _wgpu_MAKE_INIT_STRUCT(AlbaLedgerTotals, {NULL, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0, 0, 0})

typedef enum AlbaLedgerPlace {
    AlbaLedgerPlace_Host = 1,
    AlbaLedgerPlace_Staging = 2,
    AlbaLedgerPlace_Device = 3,
    AlbaLedgerPlace_Force32 = 0x7FFFFFFF
} AlbaLedgerPlace WGPU_ENUM_ATTRIBUTE;

// A call that made bytes cross.
typedef struct AlbaLedgerEntry {
    uint64_t submit; // submits begun: a copy in the first one has 1, a write before it 0
    uint64_t frame;  // how often albaDeviceNextFrame had been called
    WGPUStringView call;       // the function's name, static
    WGPUStringView label;      // of the buffer or texture; of a copy, the destination's
    WGPUStringView otherLabel; // of a copy, the source's
    AlbaLedgerPlace from;
    AlbaLedgerPlace to;
    uint64_t sizeBytes;
    AlbaLedgerBytes crossed;
    AlbaLedgerBytes elided;
} AlbaLedgerEntry WGPU_STRUCTURE_ATTRIBUTE;

// Since the device was made, or since the last reset. Error when nextInChain is not NULL.
WGPU_EXPORT WGPUStatus albaDeviceGetLedgerTotals(WGPUDevice device, AlbaLedgerTotals *totals)
    WGPU_FUNCTION_ATTRIBUTE;
// Since the last wgpuQueueSubmit began, its copies included.
WGPU_EXPORT WGPUStatus albaDeviceGetLedgerSubmitTotals(WGPUDevice device, AlbaLedgerTotals *totals)
    WGPU_FUNCTION_ATTRIBUTE;
// Copies entries firstEntry and up, at most capacity; returns how many. The list (see
// AlbaDeviceOptions.ledgerListCapacity) keeps the first ones since the last reset. Labels live
// until the next reset or until the device is gone.
WGPU_EXPORT size_t albaDeviceGetLedgerEntries(WGPUDevice device, size_t firstEntry, size_t capacity,
    AlbaLedgerEntry *entries) WGPU_FUNCTION_ATTRIBUTE;
// Empties totals and list.
WGPU_EXPORT void albaDeviceResetLedger(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;
// Begins the ledger's next frame; programs that present to a surface need not call it.
WGPU_EXPORT void albaDeviceNextFrame(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

// Text made by alba; give it back with albaTextFreeMembers. Zero-terminated; the length does not
// count the zero.
typedef struct AlbaText {
    char *data;
    size_t length;
} AlbaText WGPU_STRUCTURE_ATTRIBUTE;
WGPU_EXPORT void albaTextFreeMembers(AlbaText text) WGPU_FUNCTION_ATTRIBUTE;

// Totals and list as one JSON object. data is NULL when memory ran out.
WGPU_EXPORT AlbaText albaDeviceGetLedgerJSON(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

//
// Warnings: what is valid and may be better. Off unless a device is made with AlbaWarningOptions
//
//   layout-visibility    A bind group layout's entry is visible to stages in which the shaders of a
//                        pipeline do not use it. Numbers: group, binding, visibility and used, both
//                        WGPUShaderStage bits.
//   storage-for-uniform  A read-only storage buffer of fixed size that fits a uniform buffer, with
//                        the same layout, and whose readers always read one place together.
//                        Numbers: group, binding, bytes, limit.
//

typedef struct AlbaWarningNumber {
    WGPUStringView name;
    uint64_t value;
} AlbaWarningNumber WGPU_STRUCTURE_ATTRIBUTE;

typedef struct AlbaWarning {
    WGPUStringView id;    // one of the words above
    WGPUStringView call;  // the function that it is about, "wgpuDeviceCreateComputePipeline"
    WGPUStringView label; // of the object
    WGPUStringView text;  // a sentence for people; programs read the numbers
    size_t numberCount;
    AlbaWarningNumber numbers[4];
    uint64_t count; // how often it came
} AlbaWarning WGPU_STRUCTURE_ATTRIBUTE;

// Called once for each different warning, with no lock held, from the thread that makes the call, or
// one of alba's where the call's work is done later. The warning lives for the callback's time.
typedef void (*AlbaWarningCallback)(const AlbaWarning *warning, void *userdata1, void *userdata2)
    WGPU_FUNCTION_ATTRIBUTE;

// In the chain of WGPUDeviceDescriptor: the device's warnings are on.
typedef struct AlbaWarningOptions {
    WGPUChainedStruct chain;
    size_t listCapacity;                       // different warnings that are kept; 0: 256
    WGPU_NULLABLE AlbaWarningCallback callback; // NULL: they go to the log
    void *userdata1;
    void *userdata2;
} AlbaWarningOptions WGPU_STRUCTURE_ATTRIBUTE;
#define ALBA_WARNING_OPTIONS_INIT \
    _wgpu_MAKE_INIT_STRUCT(AlbaWarningOptions, { \
        {NULL, (WGPUSType)AlbaSType_WarningOptions}, 0, NULL, NULL, NULL \
    })

// Copies warnings firstWarning and up, at most capacity, in the order in which they came first;
// returns how many. Their texts live as long as the device. 0 where warnings are off.
WGPU_EXPORT size_t albaDeviceGetWarnings(WGPUDevice device, size_t firstWarning, size_t capacity,
    AlbaWarning *warnings) WGPU_FUNCTION_ATTRIBUTE;
// {"warnings":[{"id":, "call":, "label":, "numbers":{}, "text":, "count":}], "dropped":}. data is
// NULL when memory ran out.
WGPU_EXPORT AlbaText albaDeviceGetWarningsJSON(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

//
// Surfaces without a window
//
// A program that presents to a window runs without one: the frames that it presents can be read.
// Nothing waits for a screen, and every present mode means the same.
//

// In the chain of WGPUSurfaceDescriptor, alone. The size is the window's as the program should
// follow it: frames of another are WGPUSurfaceGetCurrentTextureStatus_SuccessSuboptimal. 0: any.
typedef struct AlbaSurfaceSourceHeadless {
    WGPUChainedStruct chain;
    uint32_t width;
    uint32_t height;
} AlbaSurfaceSourceHeadless WGPU_STRUCTURE_ATTRIBUTE;
#define ALBA_SURFACE_SOURCE_HEADLESS_INIT \
    _wgpu_MAKE_INIT_STRUCT(AlbaSurfaceSourceHeadless, { \
        {NULL, (WGPUSType)AlbaSType_SurfaceSourceHeadless}, 0, 0 \
    })

// What a user does who drags the window's corner.
WGPU_EXPORT void albaSurfaceResize(WGPUSurface surface, uint32_t width, uint32_t height)
    WGPU_FUNCTION_ATTRIBUTE;

// The texels of a frame, from the top row down, without gaps between rows; give them back with
// albaFrameFreeMembers.
typedef struct AlbaFrame {
    WGPUChainedStruct *nextInChain;
    uint64_t number; // how many frames the surface had presented with this one
    WGPUTextureFormat format;
    uint32_t width;
    uint32_t height;
    uint32_t bytesPerRow;
    size_t size; // of data, in bytes
    void *data;
} AlbaFrame WGPU_STRUCTURE_ATTRIBUTE;
#define ALBA_FRAME_INIT \
    _wgpu_MAKE_INIT_STRUCT(AlbaFrame, { \
        NULL, 0, WGPUTextureFormat_Undefined, 0, 0, 0, 0, NULL \
    })

// The frame that was presented last. Waits for the work that makes it; a frame is kept until the
// next one is presented, or the surface is configured, unconfigured or released. Error, and nothing
// to give back, when there is none, for want of memory, or when the device is lost.
WGPU_EXPORT WGPUStatus albaSurfaceReadFrame(WGPUSurface surface, AlbaFrame *frame)
    WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void albaFrameFreeMembers(AlbaFrame frame) WGPU_FUNCTION_ATTRIBUTE;

//
// Memory of alba's own, in the whole process
//

typedef struct AlbaMemoryCounter {
    WGPUStringView name; // what it is used for, static
    uint64_t liveBytes;
    uint64_t liveBlocks;
} AlbaMemoryCounter WGPU_STRUCTURE_ATTRIBUTE;

// Fills at most capacity counters, one for each use; returns how many uses there are. All are zero
// when every object has been released and the instances are gone.
WGPU_EXPORT size_t albaGetMemoryCounters(size_t capacity, AlbaMemoryCounter *counters)
    WGPU_FUNCTION_ATTRIBUTE;

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // ALBA_ALBA_H_
