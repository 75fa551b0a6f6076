// SPDX-License-Identifier: MIT
//
// webgpu.h: the standard C API of WebGPU, as alba implements it. Names, values, layouts and
// signatures are those of the standard header, so that a program written for any implementation
// compiles against this one; the contracts in the comments are alba's. What follows holds for all
// of it and is not repeated below.
//
// Objects. A handle is a pointer to a reference-counted object. A function that returns a handle,
// or hands one to a callback, gives the caller one reference, to be given back with that object's
// Release; AddRef takes another. Release and AddRef may be called from any thread. An object that
// others still need (a buffer in a bind group, say) lives on inside after the last reference is
// released. A handle argument must not be NULL unless it is marked WGPU_NULLABLE.
//
// Errors. A wrong call does not crash and does not return an error code: a create function returns
// an invalid object, which may be passed on like a valid one, and the error goes to the innermost
// matching error scope of the device, else to its uncaptured error callback (WebGPU §"Errors &
// Debugging"). Functions that return WGPUStatus report to their caller alone. Encoders keep the
// first error and report it when they are finished. A command that this version does not execute
// yet reports "not implemented yet" the same way.
//
// Descriptors. Read before the call returns; nothing in them need outlive it. Begin with the
// struct's INIT macro: it sets the defaults, which are not all zero. A count of 0 makes its pointer
// irrelevant. `nextInChain` holds extension structs; one that the function does not know is an
// error. Zero in an enum member ("Undefined") means the default named at that member.
//
// Text. UTF-8, never assumed to end in a zero byte; see WGPUStringView. Labels appear in every
// message about the object.
//
// Asynchronous calls take a callback info with a mode and return a WGPUFuture; see
// WGPUCallbackMode. The callback runs exactly once, also when the object, the device or the
// instance goes away first (its status then says so). No lock of alba's is held while a callback
// runs, so it may call the API, wgpuInstanceWaitAny included.
//
// Threads. Every function may be called from any thread at any time, except that one encoder
// (command, pass or bundle) belongs to one thread at a time, and that mapped memory is ordinary
// memory.
//
// Memory that alba hands out in a struct (names, lists of features, capabilities) is given back
// with that struct's FreeMembers.

#ifndef WEBGPU_H_
#define WEBGPU_H_

#if defined(WGPU_SHARED_LIBRARY)
#    if defined(_WIN32)
#        if defined(WGPU_IMPLEMENTATION)
#            define WGPU_EXPORT __declspec(dllexport)
#        else
#            define WGPU_EXPORT __declspec(dllimport)
#        endif
#    elif defined(WGPU_IMPLEMENTATION)
#        define WGPU_EXPORT __attribute__((visibility("default")))
#    else
#        define WGPU_EXPORT
#    endif
#else
#    define WGPU_EXPORT
#endif

// Attributes that a program or a code generator may define before the include; empty otherwise.
#if !defined(WGPU_OBJECT_ATTRIBUTE)
#    define WGPU_OBJECT_ATTRIBUTE
#endif
#if !defined(WGPU_ENUM_ATTRIBUTE)
#    define WGPU_ENUM_ATTRIBUTE
#endif
#if !defined(WGPU_STRUCTURE_ATTRIBUTE)
#    define WGPU_STRUCTURE_ATTRIBUTE
#endif
#if !defined(WGPU_FUNCTION_ATTRIBUTE)
#    define WGPU_FUNCTION_ATTRIBUTE
#endif
#if !defined(WGPU_NULLABLE)
#    define WGPU_NULLABLE
#endif

#include <math.h>
#include <stddef.h>
#include <stdint.h>

// What the INIT macros are made of, and those of extension headers: an expression of the struct's
// type, in C and in C++. A header that passes its braces in one piece separates the values with
// _wgpu_COMMA.
#define _wgpu_COMMA ,
#if defined(__cplusplus)
#    define _wgpu_ENUM_ZERO_INIT(type) type(0)
#    define _wgpu_STRUCT_ZERO_INIT {}
#    define _wgpu_MAKE_INIT_STRUCT(type, ...) (type __VA_ARGS__)
#else
#    define _wgpu_ENUM_ZERO_INIT(type) (type)0
#    define _wgpu_STRUCT_ZERO_INIT {0}
#    define _wgpu_MAKE_INIT_STRUCT(type, ...) ((type)__VA_ARGS__)
#endif

// Constants. WGPU_*_UNDEFINED stand for "not given" where zero is a value of its own.

#define WGPU_TRUE (UINT32_C(1))
#define WGPU_FALSE (UINT32_C(0))
// All layers from the base layer of a view on, or the one that the view's dimension has.
#define WGPU_ARRAY_LAYER_COUNT_UNDEFINED (UINT32_MAX)
// No bytesPerRow or rowsPerImage: allowed where a copy has one row, or one image.
#define WGPU_COPY_STRIDE_UNDEFINED (UINT32_MAX)
// No depthClearValue: an error if the depth aspect is cleared.
#define WGPU_DEPTH_CLEAR_VALUE_UNDEFINED (NAN)
// No depthSlice: required for every view but 3D ones.
#define WGPU_DEPTH_SLICE_UNDEFINED (UINT32_MAX)
// A limit that is not asked for: its default.
#define WGPU_LIMIT_U32_UNDEFINED (UINT32_MAX)
#define WGPU_LIMIT_U64_UNDEFINED (UINT64_MAX)
// All mip levels from the base level of a view on.
#define WGPU_MIP_LEVEL_COUNT_UNDEFINED (UINT32_MAX)
// No timestamp at this end of the pass.
#define WGPU_QUERY_SET_INDEX_UNDEFINED (UINT32_MAX)
// The length of a string view whose text ends in a zero byte.
#define WGPU_STRLEN (SIZE_MAX)
// To the end of the buffer: for mapping (size_t) and for everything else (uint64_t).
#define WGPU_WHOLE_MAP_SIZE (SIZE_MAX)
#define WGPU_WHOLE_SIZE (UINT64_MAX)

typedef uint64_t WGPUFlags;
// 0 is false, anything else true; alba returns WGPU_TRUE and WGPU_FALSE only.
typedef uint32_t WGPUBool;

typedef struct WGPUAdapterImpl *WGPUAdapter WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUBindGroupImpl *WGPUBindGroup WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUBindGroupLayoutImpl *WGPUBindGroupLayout WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUBufferImpl *WGPUBuffer WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUCommandBufferImpl *WGPUCommandBuffer WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUCommandEncoderImpl *WGPUCommandEncoder WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUComputePassEncoderImpl *WGPUComputePassEncoder WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUComputePipelineImpl *WGPUComputePipeline WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUDeviceImpl *WGPUDevice WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUExternalTextureImpl *WGPUExternalTexture WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUInstanceImpl *WGPUInstance WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUPipelineLayoutImpl *WGPUPipelineLayout WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUQuerySetImpl *WGPUQuerySet WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUQueueImpl *WGPUQueue WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPURenderBundleImpl *WGPURenderBundle WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPURenderBundleEncoderImpl *WGPURenderBundleEncoder WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPURenderPassEncoderImpl *WGPURenderPassEncoder WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPURenderPipelineImpl *WGPURenderPipeline WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUSamplerImpl *WGPUSampler WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUShaderModuleImpl *WGPUShaderModule WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUSurfaceImpl *WGPUSurface WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUTextureImpl *WGPUTexture WGPU_OBJECT_ATTRIBUTE;
typedef struct WGPUTextureViewImpl *WGPUTextureView WGPU_OBJECT_ATTRIBUTE;

// Any entry point, as wgpuGetProcAddress returns it; cast it to the WGPUProc type of its name
// before the call.
typedef void (*WGPUProc)(void) WGPU_FUNCTION_ATTRIBUTE;

//
// Text, chains, results
//

// A text. {NULL, WGPU_STRLEN} is the null text ("none given"), {p, WGPU_STRLEN} ends in a zero
// byte, {any, 0} is empty, {p, n} has n bytes. Where no null text is meaningful it reads as empty.
// Texts that alba gives out always carry a length, and may not end in a zero byte: print them with
// "%.*s".
typedef struct WGPUStringView {
    WGPU_NULLABLE const char *data;
    size_t length;
} WGPUStringView WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_STRING_VIEW_INIT _wgpu_MAKE_INIT_STRUCT(WGPUStringView, {NULL, WGPU_STRLEN})

// What an extension struct is. The values of alba's own structs are in alba/alba.h, outside the
// standard's ranges.
typedef enum WGPUSType {
    WGPUSType_ShaderSourceSPIRV = 1,
    WGPUSType_ShaderSourceWGSL = 2,
    WGPUSType_RenderPassMaxDrawCount = 3,
    WGPUSType_SurfaceSourceMetalLayer = 4,
    WGPUSType_SurfaceSourceWindowsHWND = 5,
    WGPUSType_SurfaceSourceXlibWindow = 6,
    WGPUSType_SurfaceSourceWaylandSurface = 7,
    WGPUSType_SurfaceSourceAndroidNativeWindow = 8,
    WGPUSType_SurfaceSourceXCBWindow = 9,
    WGPUSType_SurfaceColorManagement = 10,
    WGPUSType_RequestAdapterWebXROptions = 11,
    WGPUSType_TextureComponentSwizzleDescriptor = 12,
    WGPUSType_ExternalTextureBindingLayout = 13,
    WGPUSType_ExternalTextureBindingEntry = 14,
    WGPUSType_CompatibilityModeLimits = 15,
    WGPUSType_TextureBindingViewDimension = 16,
    WGPUSType_Force32 = 0x7FFFFFFF
} WGPUSType WGPU_ENUM_ATTRIBUTE;

// The first member of every extension struct. A chain may hold each sType once; alba reads a struct
// no further than this until it has recognised the sType as one that the call accepts.
typedef struct WGPUChainedStruct {
    struct WGPUChainedStruct *next;
    WGPUSType sType;
} WGPUChainedStruct WGPU_STRUCTURE_ATTRIBUTE;

// Of calls that report to their caller alone. Error: nothing was written to the out-parameters, and
// the log says why.
typedef enum WGPUStatus {
    WGPUStatus_Success = 1,
    WGPUStatus_Error = 2,
    WGPUStatus_Force32 = 0x7FFFFFFF
} WGPUStatus WGPU_ENUM_ATTRIBUTE;

// A boolean that can be left out.
typedef enum WGPUOptionalBool {
    WGPUOptionalBool_False = 0,
    WGPUOptionalBool_True = 1,
    WGPUOptionalBool_Undefined = 2,
    WGPUOptionalBool_Force32 = 0x7FFFFFFF
} WGPUOptionalBool WGPU_ENUM_ATTRIBUTE;

//
// Futures and callbacks
//
// An asynchronous call returns a future at once. Its callback info holds a mode, a callback (NULL
// is allowed) and two pointers that are passed on unread.
//

// When the callback of an asynchronous call may run. Whatever the mode, it runs exactly once.
typedef enum WGPUCallbackMode {
    // Only inside wgpuInstanceWaitAny on its future.
    WGPUCallbackMode_WaitAnyOnly = 1,
    // There, and inside wgpuInstanceProcessEvents.
    WGPUCallbackMode_AllowProcessEvents = 2,
    // There, and at any moment on any thread, inside another call of the API too. alba holds no
    // lock then, but the program may: do not take one of your own that you hold while you call the
    // API.
    WGPUCallbackMode_AllowSpontaneous = 3,
    WGPUCallbackMode_Force32 = 0x7FFFFFFF
} WGPUCallbackMode WGPU_ENUM_ATTRIBUTE;

// The completion of one asynchronous call. A plain number: copied freely, owned by nobody, never
// used twice by one instance. {0} is no future.
typedef struct WGPUFuture {
    uint64_t id;
} WGPUFuture WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_FUTURE_INIT _wgpu_MAKE_INIT_STRUCT(WGPUFuture, {0})

// One future to wait for, and whether it is complete.
typedef struct WGPUFutureWaitInfo {
    WGPUFuture future;
    // Written by wgpuInstanceWaitAny.
    WGPUBool completed;
} WGPUFutureWaitInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_FUTURE_WAIT_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUFutureWaitInfo, {WGPU_FUTURE_INIT, WGPU_FALSE})

typedef enum WGPUWaitStatus {
    // At least one of the futures is complete, and its callback has run.
    WGPUWaitStatus_Success = 1,
    // None completed in the time given.
    WGPUWaitStatus_TimedOut = 2,
    // The call was wrong: a timeout without WGPUInstanceFeatureName_TimedWaitAny, more futures than
    // timedWaitAnyMaxCount, or, with a timeout, futures of different queues or of a queue and
    // something else.
    WGPUWaitStatus_Error = 3,
    WGPUWaitStatus_Force32 = 0x7FFFFFFF
} WGPUWaitStatus WGPU_ENUM_ATTRIBUTE;

//
// Errors and device loss
//

// Kinds of error, by whom they concern: the caller (Validation), the size of what was asked for
// (OutOfMemory), this implementation (Internal).
typedef enum WGPUErrorType {
    // What an error scope reports that caught nothing.
    WGPUErrorType_NoError = 1,
    WGPUErrorType_Validation = 2,
    WGPUErrorType_OutOfMemory = 3,
    WGPUErrorType_Internal = 4,
    WGPUErrorType_Unknown = 5,
    WGPUErrorType_Force32 = 0x7FFFFFFF
} WGPUErrorType WGPU_ENUM_ATTRIBUTE;

// Which kind an error scope catches; each scope catches one.
typedef enum WGPUErrorFilter {
    WGPUErrorFilter_Validation = 1,
    WGPUErrorFilter_OutOfMemory = 2,
    WGPUErrorFilter_Internal = 3,
    WGPUErrorFilter_Force32 = 0x7FFFFFFF
} WGPUErrorFilter WGPU_ENUM_ATTRIBUTE;

typedef enum WGPUPopErrorScopeStatus {
    WGPUPopErrorScopeStatus_Success = 1,
    WGPUPopErrorScopeStatus_CallbackCancelled = 2,
    // There was no scope to pop on this thread.
    WGPUPopErrorScopeStatus_Error = 3,
    WGPUPopErrorScopeStatus_Force32 = 0x7FFFFFFF
} WGPUPopErrorScopeStatus WGPU_ENUM_ATTRIBUTE;

// `type` is NoError and `message` empty if the scope caught nothing; else they are of the first
// error that it caught. `message` is valid until the callback returns.
typedef void (*WGPUPopErrorScopeCallback)(WGPUPopErrorScopeStatus status, WGPUErrorType type,
    WGPUStringView message, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPUPopErrorScopeCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUPopErrorScopeCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUPopErrorScopeCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_POP_ERROR_SCOPE_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUPopErrorScopeCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

typedef enum WGPUDeviceLostReason {
    // The adapter failed, or a shader did not end within the time limit.
    WGPUDeviceLostReason_Unknown = 1,
    // wgpuDeviceDestroy, or the last reference was released.
    WGPUDeviceLostReason_Destroyed = 2,
    // The instance went away first; the device itself may be well.
    WGPUDeviceLostReason_CallbackCancelled = 3,
    // wgpuAdapterRequestDevice failed: there never was a device.
    WGPUDeviceLostReason_FailedCreation = 4,
    WGPUDeviceLostReason_Force32 = 0x7FFFFFFF
} WGPUDeviceLostReason WGPU_ENUM_ATTRIBUTE;

// `device` is never NULL, but *device is, if the device could not be created or its last reference
// has been released. *device belongs to the caller of wgpuAdapterRequestDevice: do not release it
// here on account of this call.
typedef void (*WGPUDeviceLostCallback)(const WGPUDevice *device, WGPUDeviceLostReason reason,
    WGPUStringView message, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPUDeviceLostCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUDeviceLostCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUDeviceLostCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_DEVICE_LOST_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUDeviceLostCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

// Runs for every error that no scope caught, on the thread that caused it and inside the call that
// did, or on a thread of alba's. Never after the device was lost. *device is borrowed for the
// duration of the callback.
typedef void (*WGPUUncapturedErrorCallback)(const WGPUDevice *device, WGPUErrorType type,
    WGPUStringView message, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

// Has no mode: it always may run spontaneously. Without a callback such errors go to the log.
typedef struct WGPUUncapturedErrorCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUUncapturedErrorCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUUncapturedErrorCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_UNCAPTURED_ERROR_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUUncapturedErrorCallbackInfo, {NULL, NULL, NULL, NULL})

//
// Features and limits
//

// The set of features and limits that an adapter must have (WebGPU §"Adapter Capability
// Guarantees"). Undefined: Core.
typedef enum WGPUFeatureLevel {
    WGPUFeatureLevel_Undefined = 0,
    // May be answered with a core adapter.
    WGPUFeatureLevel_Compatibility = 1,
    WGPUFeatureLevel_Core = 2,
    WGPUFeatureLevel_Force32 = 0x7FFFFFFF
} WGPUFeatureLevel WGPU_ENUM_ATTRIBUTE;

// WebGPU §"Feature Index". Asking for one that the adapter lacks fails the device request.
typedef enum WGPUFeatureName {
    // The device follows core's rules, not compatibility mode's.
    WGPUFeatureName_CoreFeaturesAndLimits = 1,
    // WGPUPrimitiveState.unclippedDepth.
    WGPUFeatureName_DepthClipControl = 2,
    WGPUFeatureName_Depth32FloatStencil8 = 3,
    WGPUFeatureName_TextureCompressionBC = 4,
    // BC formats in 3D textures.
    WGPUFeatureName_TextureCompressionBCSliced3D = 5,
    WGPUFeatureName_TextureCompressionETC2 = 6,
    WGPUFeatureName_TextureCompressionASTC = 7,
    // ASTC formats in 3D textures.
    WGPUFeatureName_TextureCompressionASTCSliced3D = 8,
    // WGPUQueryType_Timestamp and WGPUPassTimestampWrites.
    WGPUFeatureName_TimestampQuery = 9,
    // firstInstance other than 0 in indirect draws.
    WGPUFeatureName_IndirectFirstInstance = 10,
    // `enable f16;`
    WGPUFeatureName_ShaderF16 = 11,
    WGPUFeatureName_RG11B10UfloatRenderable = 12,
    WGPUFeatureName_BGRA8UnormStorage = 13,
    WGPUFeatureName_Float32Filterable = 14,
    WGPUFeatureName_Float32Blendable = 15,
    // `enable clip_distances;`
    WGPUFeatureName_ClipDistances = 16,
    // `enable dual_source_blending;` and the Src1 blend factors.
    WGPUFeatureName_DualSourceBlending = 17,
    // `enable subgroups;`
    WGPUFeatureName_Subgroups = 18,
    WGPUFeatureName_TextureFormatsTier1 = 19,
    WGPUFeatureName_TextureFormatsTier2 = 20,
    // `enable primitive_index;`
    WGPUFeatureName_PrimitiveIndex = 21,
    // WGPUTextureComponentSwizzleDescriptor.
    WGPUFeatureName_TextureComponentSwizzle = 22,
    // `enable subgroup_size_control;`
    WGPUFeatureName_SubgroupSizeControl = 23,
    WGPUFeatureName_Force32 = 0x7FFFFFFF
} WGPUFeatureName WGPU_ENUM_ATTRIBUTE;

// A list that wgpuSupportedFeaturesFreeMembers frees.
typedef struct WGPUSupportedFeatures {
    size_t featureCount;
    const WGPUFeatureName *features;
} WGPUSupportedFeatures WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SUPPORTED_FEATURES_INIT _wgpu_MAKE_INIT_STRUCT(WGPUSupportedFeatures, {0, NULL})

// WGSL §"Language Extensions": what a shader may `requires`. All of alba's adapters have the same.
typedef enum WGPUWGSLLanguageFeatureName {
    WGPUWGSLLanguageFeatureName_ReadonlyAndReadwriteStorageTextures = 1,
    WGPUWGSLLanguageFeatureName_Packed4x8IntegerDotProduct = 2,
    WGPUWGSLLanguageFeatureName_UnrestrictedPointerParameters = 3,
    WGPUWGSLLanguageFeatureName_PointerCompositeAccess = 4,
    WGPUWGSLLanguageFeatureName_UniformBufferStandardLayout = 5,
    WGPUWGSLLanguageFeatureName_SubgroupId = 6,
    WGPUWGSLLanguageFeatureName_TextureAndSamplerLet = 7,
    WGPUWGSLLanguageFeatureName_SubgroupUniformity = 8,
    WGPUWGSLLanguageFeatureName_TextureFormatsTier1 = 9,
    WGPUWGSLLanguageFeatureName_LinearIndexing = 10,
    WGPUWGSLLanguageFeatureName_ImmediateAddressSpace = 11,
    WGPUWGSLLanguageFeatureName_Force32 = 0x7FFFFFFF
} WGPUWGSLLanguageFeatureName WGPU_ENUM_ATTRIBUTE;

// A list that wgpuSupportedWGSLLanguageFeaturesFreeMembers frees.
typedef struct WGPUSupportedWGSLLanguageFeatures {
    size_t featureCount;
    const WGPUWGSLLanguageFeatureName *features;
} WGPUSupportedWGSLLanguageFeatures WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SUPPORTED_WGSL_LANGUAGE_FEATURES_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSupportedWGSLLanguageFeatures, {0, NULL})

// WebGPU §"Limits". Out: what an adapter or a device has. In, as requiredLimits: what is asked for;
// an undefined member asks for the default. A maximum beyond the adapter's fails the request, one
// below the default means the default; alignments are powers of two, and the smaller, the more is
// asked. WGPUCompatibilityModeLimits may be chained both ways.
typedef struct WGPULimits {
    WGPUChainedStruct *nextInChain;
    uint32_t maxTextureDimension1D;
    uint32_t maxTextureDimension2D;
    uint32_t maxTextureDimension3D;
    uint32_t maxTextureArrayLayers;
    uint32_t maxBindGroups;
    uint32_t maxBindGroupsPlusVertexBuffers;
    uint32_t maxBindingsPerBindGroup;
    uint32_t maxDynamicUniformBuffersPerPipelineLayout;
    uint32_t maxDynamicStorageBuffersPerPipelineLayout;
    uint32_t maxSampledTexturesPerShaderStage;
    uint32_t maxSamplersPerShaderStage;
    uint32_t maxStorageBuffersPerShaderStage;
    uint32_t maxStorageTexturesPerShaderStage;
    uint32_t maxUniformBuffersPerShaderStage;
    // Bytes.
    uint64_t maxUniformBufferBindingSize;
    // Bytes; a multiple of 4.
    uint64_t maxStorageBufferBindingSize;
    // Bytes; for static and dynamic offsets.
    uint32_t minUniformBufferOffsetAlignment;
    uint32_t minStorageBufferOffsetAlignment;
    uint32_t maxVertexBuffers;
    // Bytes.
    uint64_t maxBufferSize;
    uint32_t maxVertexAttributes;
    // Bytes.
    uint32_t maxVertexBufferArrayStride;
    uint32_t maxInterStageShaderVariables;
    uint32_t maxColorAttachments;
    uint32_t maxColorAttachmentBytesPerSample;
    // Bytes of all `var<workgroup>` that an entry point reaches, each rounded up to 16.
    uint32_t maxComputeWorkgroupStorageSize;
    // The product of the three workgroup sizes.
    uint32_t maxComputeInvocationsPerWorkgroup;
    uint32_t maxComputeWorkgroupSizeX;
    uint32_t maxComputeWorkgroupSizeY;
    uint32_t maxComputeWorkgroupSizeZ;
    uint32_t maxComputeWorkgroupsPerDimension;
    // Bytes of immediate data of a pipeline layout.
    uint32_t maxImmediateSize;
} WGPULimits WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_LIMITS_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPULimits, { \
        NULL, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U64_UNDEFINED, \
        WGPU_LIMIT_U64_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U64_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED \
    })

// Chained to WGPULimits. On a core device each of the four is raised to the limit of its kind for
// each stage.
typedef struct WGPUCompatibilityModeLimits {
    WGPUChainedStruct chain;
    uint32_t maxStorageBuffersInVertexStage;
    uint32_t maxStorageTexturesInVertexStage;
    uint32_t maxStorageBuffersInFragmentStage;
    uint32_t maxStorageTexturesInFragmentStage;
} WGPUCompatibilityModeLimits WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMPATIBILITY_MODE_LIMITS_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUCompatibilityModeLimits, { \
        {NULL, WGPUSType_CompatibilityModeLimits}, WGPU_LIMIT_U32_UNDEFINED, \
        WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED, WGPU_LIMIT_U32_UNDEFINED \
    })

//
// Instance
//

typedef enum WGPUInstanceFeatureName {
    // A timeout in wgpuInstanceWaitAny.
    WGPUInstanceFeatureName_TimedWaitAny = 1,
    // WGPUShaderSourceSPIRV.
    WGPUInstanceFeatureName_ShaderSourceSPIRV = 2,
    // An adapter can make more than one device; without it, the first request uses the adapter up.
    WGPUInstanceFeatureName_MultipleDevicesPerAdapter = 3,
    WGPUInstanceFeatureName_Force32 = 0x7FFFFFFF
} WGPUInstanceFeatureName WGPU_ENUM_ATTRIBUTE;

// A list that wgpuSupportedInstanceFeaturesFreeMembers frees.
typedef struct WGPUSupportedInstanceFeatures {
    size_t featureCount;
    const WGPUInstanceFeatureName *features;
} WGPUSupportedInstanceFeatures WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SUPPORTED_INSTANCE_FEATURES_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSupportedInstanceFeatures, {0, NULL})

typedef struct WGPUInstanceLimits {
    WGPUChainedStruct *nextInChain;
    // Futures in one wgpuInstanceWaitAny with a timeout.
    size_t timedWaitAnyMaxCount;
} WGPUInstanceLimits WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_INSTANCE_LIMITS_INIT _wgpu_MAKE_INIT_STRUCT(WGPUInstanceLimits, {NULL, 0})

typedef struct WGPUInstanceDescriptor {
    WGPUChainedStruct *nextInChain;
    size_t requiredFeatureCount;
    const WGPUInstanceFeatureName *requiredFeatures;
    // NULL: the least that is guaranteed.
    WGPU_NULLABLE const WGPUInstanceLimits *requiredLimits;
} WGPUInstanceDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_INSTANCE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUInstanceDescriptor, {NULL, 0, NULL, NULL})

//
// Adapter
//

typedef enum WGPUAdapterType {
    WGPUAdapterType_DiscreteGPU = 1,
    WGPUAdapterType_IntegratedGPU = 2,
    // Shaders run on the processor: alba's own CPU adapter, or a software driver.
    WGPUAdapterType_CPU = 3,
    WGPUAdapterType_Unknown = 4,
    WGPUAdapterType_Force32 = 0x7FFFFFFF
} WGPUAdapterType WGPU_ENUM_ATTRIBUTE;

typedef enum WGPUBackendType {
    WGPUBackendType_Undefined = 0,
    // Validates, copies and maps, but runs no shader.
    WGPUBackendType_Null = 1,
    WGPUBackendType_WebGPU = 2,
    WGPUBackendType_D3D11 = 3,
    WGPUBackendType_D3D12 = 4,
    WGPUBackendType_Metal = 5,
    WGPUBackendType_Vulkan = 6,
    WGPUBackendType_OpenGL = 7,
    WGPUBackendType_OpenGLES = 8,
    WGPUBackendType_Force32 = 0x7FFFFFFF
} WGPUBackendType WGPU_ENUM_ATTRIBUTE;

typedef enum WGPUPowerPreference {
    WGPUPowerPreference_Undefined = 0,
    WGPUPowerPreference_LowPower = 1,
    WGPUPowerPreference_HighPerformance = 2,
    WGPUPowerPreference_Force32 = 0x7FFFFFFF
} WGPUPowerPreference WGPU_ENUM_ATTRIBUTE;

// Texts are freed with wgpuAdapterInfoFreeMembers.
typedef struct WGPUAdapterInfo {
    WGPUChainedStruct *nextInChain;
    // A short word, normalised: lower case, digits, hyphens. So are architecture and device. Empty
    // if unknown.
    WGPUStringView vendor;
    WGPUStringView architecture;
    WGPUStringView device;
    // For people.
    WGPUStringView description;
    // Undefined for the CPU adapter: the standard has no word for it. adapterType says CPU.
    WGPUBackendType backendType;
    WGPUAdapterType adapterType;
    // PCI numbers, or 0.
    uint32_t vendorID;
    uint32_t deviceID;
    // Powers of two, 4 to 128.
    uint32_t subgroupMinSize;
    uint32_t subgroupMaxSize;
} WGPUAdapterInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_ADAPTER_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUAdapterInfo, { \
        NULL, WGPU_STRING_VIEW_INIT, WGPU_STRING_VIEW_INIT, WGPU_STRING_VIEW_INIT, \
        WGPU_STRING_VIEW_INIT, WGPUBackendType_Undefined, _wgpu_ENUM_ZERO_INIT(WGPUAdapterType), \
        0, 0, 0, 0 \
    })

// Each member that is set must be met; if none meets all, the request answers Unavailable. The
// order of preference is Vulkan, then CPU; null only by backendType.
typedef struct WGPURequestAdapterOptions {
    WGPUChainedStruct *nextInChain;
    WGPUFeatureLevel featureLevel;
    WGPUPowerPreference powerPreference;
    // Only the CPU adapter, which then reports itself as a fallback.
    WGPUBool forceFallbackAdapter;
    WGPUBackendType backendType;
    // The adapter must be able to present to it.
    WGPU_NULLABLE WGPUSurface compatibleSurface;
} WGPURequestAdapterOptions WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_REQUEST_ADAPTER_OPTIONS_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURequestAdapterOptions, { \
        NULL, WGPUFeatureLevel_Undefined, WGPUPowerPreference_Undefined, WGPU_FALSE, \
        WGPUBackendType_Undefined, NULL \
    })

// For implementations over a browser; alba accepts xrCompatible = false.
typedef struct WGPURequestAdapterWebXROptions {
    WGPUChainedStruct chain;
    WGPUBool xrCompatible;
} WGPURequestAdapterWebXROptions WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_REQUEST_ADAPTER_WEBXR_OPTIONS_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURequestAdapterWebXROptions, { \
        {NULL, WGPUSType_RequestAdapterWebXROptions}, WGPU_FALSE \
    })

typedef enum WGPURequestAdapterStatus {
    WGPURequestAdapterStatus_Success = 1,
    WGPURequestAdapterStatus_CallbackCancelled = 2,
    // No adapter meets the options.
    WGPURequestAdapterStatus_Unavailable = 3,
    WGPURequestAdapterStatus_Error = 4,
    WGPURequestAdapterStatus_Force32 = 0x7FFFFFFF
} WGPURequestAdapterStatus WGPU_ENUM_ATTRIBUTE;

// `adapter` is the caller's to release; NULL unless the status is Success.
typedef void (*WGPURequestAdapterCallback)(WGPURequestAdapterStatus status, WGPUAdapter adapter,
    WGPUStringView message, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPURequestAdapterCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPURequestAdapterCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPURequestAdapterCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_REQUEST_ADAPTER_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURequestAdapterCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

//
// Device and queue
//

typedef struct WGPUQueueDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUQueueDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_QUEUE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUQueueDescriptor, {NULL, WGPU_STRING_VIEW_INIT})

typedef struct WGPUDeviceDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    size_t requiredFeatureCount;
    // The device has these, those they imply, and no others.
    const WGPUFeatureName *requiredFeatures;
    // NULL: the defaults of the adapter's feature level.
    WGPU_NULLABLE const WGPULimits *requiredLimits;
    WGPUQueueDescriptor defaultQueue;
    // Its future is wgpuDeviceGetLostFuture. A mode is needed even if the callback is NULL.
    WGPUDeviceLostCallbackInfo deviceLostCallbackInfo;
    WGPUUncapturedErrorCallbackInfo uncapturedErrorCallbackInfo;
} WGPUDeviceDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_DEVICE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUDeviceDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, 0, NULL, NULL, WGPU_QUEUE_DESCRIPTOR_INIT, \
        WGPU_DEVICE_LOST_CALLBACK_INFO_INIT, WGPU_UNCAPTURED_ERROR_CALLBACK_INFO_INIT \
    })

typedef enum WGPURequestDeviceStatus {
    WGPURequestDeviceStatus_Success = 1,
    WGPURequestDeviceStatus_CallbackCancelled = 2,
    WGPURequestDeviceStatus_Error = 3,
    WGPURequestDeviceStatus_Force32 = 0x7FFFFFFF
} WGPURequestDeviceStatus WGPU_ENUM_ATTRIBUTE;

// `device` is the caller's to release; NULL unless the status is Success, and then the device lost
// callback runs as well.
typedef void (*WGPURequestDeviceCallback)(WGPURequestDeviceStatus status, WGPUDevice device,
    WGPUStringView message, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPURequestDeviceCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPURequestDeviceCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPURequestDeviceCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_REQUEST_DEVICE_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURequestDeviceCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

typedef enum WGPUQueueWorkDoneStatus {
    WGPUQueueWorkDoneStatus_Success = 1,
    WGPUQueueWorkDoneStatus_CallbackCancelled = 2,
    WGPUQueueWorkDoneStatus_Error = 3,
    WGPUQueueWorkDoneStatus_Force32 = 0x7FFFFFFF
} WGPUQueueWorkDoneStatus WGPU_ENUM_ATTRIBUTE;

// Runs when all that was submitted before the call has been executed. Success too if the device was
// lost meanwhile.
typedef void (*WGPUQueueWorkDoneCallback)(WGPUQueueWorkDoneStatus status, WGPUStringView message,
    WGPU_NULLABLE void *userdata1, WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPUQueueWorkDoneCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUQueueWorkDoneCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUQueueWorkDoneCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUQueueWorkDoneCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

//
// Buffers
//
// Memory that the device uses. The processor reaches it by mapping, or by writes of the queue.
//

// What a buffer may be used for, fixed at its creation (WebGPU §"Buffer Usages"). MapRead goes with
// CopyDst only, MapWrite with CopySrc only.
typedef WGPUFlags WGPUBufferUsage;
static const WGPUBufferUsage WGPUBufferUsage_None = 0x0000;
// The processor may read it, after wgpuBufferMapAsync.
static const WGPUBufferUsage WGPUBufferUsage_MapRead = 0x0001;
// The processor may write it. Not needed for mappedAtCreation.
static const WGPUBufferUsage WGPUBufferUsage_MapWrite = 0x0002;
static const WGPUBufferUsage WGPUBufferUsage_CopySrc = 0x0004;
// Also for wgpuQueueWriteBuffer and wgpuCommandEncoderClearBuffer.
static const WGPUBufferUsage WGPUBufferUsage_CopyDst = 0x0008;
static const WGPUBufferUsage WGPUBufferUsage_Index = 0x0010;
static const WGPUBufferUsage WGPUBufferUsage_Vertex = 0x0020;
static const WGPUBufferUsage WGPUBufferUsage_Uniform = 0x0040;
static const WGPUBufferUsage WGPUBufferUsage_Storage = 0x0080;
// Arguments of indirect draws and dispatches.
static const WGPUBufferUsage WGPUBufferUsage_Indirect = 0x0100;
static const WGPUBufferUsage WGPUBufferUsage_QueryResolve = 0x0200;

// One of the two, at wgpuBufferMapAsync.
typedef WGPUFlags WGPUMapMode;
static const WGPUMapMode WGPUMapMode_None = 0x0000;
static const WGPUMapMode WGPUMapMode_Read = 0x0001;
static const WGPUMapMode WGPUMapMode_Write = 0x0002;

typedef enum WGPUBufferMapState {
    WGPUBufferMapState_Unmapped = 1,
    // From wgpuBufferMapAsync until its callback is due.
    WGPUBufferMapState_Pending = 2,
    WGPUBufferMapState_Mapped = 3,
    WGPUBufferMapState_Force32 = 0x7FFFFFFF
} WGPUBufferMapState WGPU_ENUM_ATTRIBUTE;

typedef enum WGPUMapAsyncStatus {
    WGPUMapAsyncStatus_Success = 1,
    WGPUMapAsyncStatus_CallbackCancelled = 2,
    // The call broke a rule; the device has an error too.
    WGPUMapAsyncStatus_Error = 3,
    // wgpuBufferUnmap, wgpuBufferDestroy or the loss of the device came before the mapping did.
    WGPUMapAsyncStatus_Aborted = 4,
    WGPUMapAsyncStatus_Force32 = 0x7FFFFFFF
} WGPUMapAsyncStatus WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUBufferDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUBufferUsage usage;
    // Bytes. A multiple of 4 if mappedAtCreation. 0 is allowed.
    uint64_t size;
    // The buffer starts mapped for writing, its bytes zero; whatever its usage.
    WGPUBool mappedAtCreation;
} WGPUBufferDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BUFFER_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBufferDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, WGPUBufferUsage_None, 0, WGPU_FALSE \
    })

// On Success the range may be read or written through wgpuBufferGetMappedRange until
// wgpuBufferUnmap.
typedef void (*WGPUBufferMapCallback)(WGPUMapAsyncStatus status, WGPUStringView message,
    WGPU_NULLABLE void *userdata1, WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPUBufferMapCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUBufferMapCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUBufferMapCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BUFFER_MAP_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBufferMapCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

//
// Textures and views
//

// WebGPU §"Texture Format Capabilities" says which format may be used for what. Undefined stands
// for "none", or for the texture's own format in a view.
typedef enum WGPUTextureFormat {
    WGPUTextureFormat_Undefined = 0,
    WGPUTextureFormat_R8Unorm = 1,
    WGPUTextureFormat_R8Snorm = 2,
    WGPUTextureFormat_R8Uint = 3,
    WGPUTextureFormat_R8Sint = 4,
    WGPUTextureFormat_R16Unorm = 5,
    WGPUTextureFormat_R16Snorm = 6,
    WGPUTextureFormat_R16Uint = 7,
    WGPUTextureFormat_R16Sint = 8,
    WGPUTextureFormat_R16Float = 9,
    WGPUTextureFormat_RG8Unorm = 10,
    WGPUTextureFormat_RG8Snorm = 11,
    WGPUTextureFormat_RG8Uint = 12,
    WGPUTextureFormat_RG8Sint = 13,
    WGPUTextureFormat_R32Float = 14,
    WGPUTextureFormat_R32Uint = 15,
    WGPUTextureFormat_R32Sint = 16,
    WGPUTextureFormat_RG16Unorm = 17,
    WGPUTextureFormat_RG16Snorm = 18,
    WGPUTextureFormat_RG16Uint = 19,
    WGPUTextureFormat_RG16Sint = 20,
    WGPUTextureFormat_RG16Float = 21,
    WGPUTextureFormat_RGBA8Unorm = 22,
    WGPUTextureFormat_RGBA8UnormSrgb = 23,
    WGPUTextureFormat_RGBA8Snorm = 24,
    WGPUTextureFormat_RGBA8Uint = 25,
    WGPUTextureFormat_RGBA8Sint = 26,
    WGPUTextureFormat_BGRA8Unorm = 27,
    WGPUTextureFormat_BGRA8UnormSrgb = 28,
    WGPUTextureFormat_RGB10A2Uint = 29,
    WGPUTextureFormat_RGB10A2Unorm = 30,
    WGPUTextureFormat_RG11B10Ufloat = 31,
    WGPUTextureFormat_RGB9E5Ufloat = 32,
    WGPUTextureFormat_RG32Float = 33,
    WGPUTextureFormat_RG32Uint = 34,
    WGPUTextureFormat_RG32Sint = 35,
    WGPUTextureFormat_RGBA16Unorm = 36,
    WGPUTextureFormat_RGBA16Snorm = 37,
    WGPUTextureFormat_RGBA16Uint = 38,
    WGPUTextureFormat_RGBA16Sint = 39,
    WGPUTextureFormat_RGBA16Float = 40,
    WGPUTextureFormat_RGBA32Float = 41,
    WGPUTextureFormat_RGBA32Uint = 42,
    WGPUTextureFormat_RGBA32Sint = 43,
    WGPUTextureFormat_Stencil8 = 44,
    WGPUTextureFormat_Depth16Unorm = 45,
    WGPUTextureFormat_Depth24Plus = 46,
    WGPUTextureFormat_Depth24PlusStencil8 = 47,
    WGPUTextureFormat_Depth32Float = 48,
    WGPUTextureFormat_Depth32FloatStencil8 = 49,
    WGPUTextureFormat_BC1RGBAUnorm = 50,
    WGPUTextureFormat_BC1RGBAUnormSrgb = 51,
    WGPUTextureFormat_BC2RGBAUnorm = 52,
    WGPUTextureFormat_BC2RGBAUnormSrgb = 53,
    WGPUTextureFormat_BC3RGBAUnorm = 54,
    WGPUTextureFormat_BC3RGBAUnormSrgb = 55,
    WGPUTextureFormat_BC4RUnorm = 56,
    WGPUTextureFormat_BC4RSnorm = 57,
    WGPUTextureFormat_BC5RGUnorm = 58,
    WGPUTextureFormat_BC5RGSnorm = 59,
    WGPUTextureFormat_BC6HRGBUfloat = 60,
    WGPUTextureFormat_BC6HRGBFloat = 61,
    WGPUTextureFormat_BC7RGBAUnorm = 62,
    WGPUTextureFormat_BC7RGBAUnormSrgb = 63,
    WGPUTextureFormat_ETC2RGB8Unorm = 64,
    WGPUTextureFormat_ETC2RGB8UnormSrgb = 65,
    WGPUTextureFormat_ETC2RGB8A1Unorm = 66,
    WGPUTextureFormat_ETC2RGB8A1UnormSrgb = 67,
    WGPUTextureFormat_ETC2RGBA8Unorm = 68,
    WGPUTextureFormat_ETC2RGBA8UnormSrgb = 69,
    WGPUTextureFormat_EACR11Unorm = 70,
    WGPUTextureFormat_EACR11Snorm = 71,
    WGPUTextureFormat_EACRG11Unorm = 72,
    WGPUTextureFormat_EACRG11Snorm = 73,
    WGPUTextureFormat_ASTC4x4Unorm = 74,
    WGPUTextureFormat_ASTC4x4UnormSrgb = 75,
    WGPUTextureFormat_ASTC5x4Unorm = 76,
    WGPUTextureFormat_ASTC5x4UnormSrgb = 77,
    WGPUTextureFormat_ASTC5x5Unorm = 78,
    WGPUTextureFormat_ASTC5x5UnormSrgb = 79,
    WGPUTextureFormat_ASTC6x5Unorm = 80,
    WGPUTextureFormat_ASTC6x5UnormSrgb = 81,
    WGPUTextureFormat_ASTC6x6Unorm = 82,
    WGPUTextureFormat_ASTC6x6UnormSrgb = 83,
    WGPUTextureFormat_ASTC8x5Unorm = 84,
    WGPUTextureFormat_ASTC8x5UnormSrgb = 85,
    WGPUTextureFormat_ASTC8x6Unorm = 86,
    WGPUTextureFormat_ASTC8x6UnormSrgb = 87,
    WGPUTextureFormat_ASTC8x8Unorm = 88,
    WGPUTextureFormat_ASTC8x8UnormSrgb = 89,
    WGPUTextureFormat_ASTC10x5Unorm = 90,
    WGPUTextureFormat_ASTC10x5UnormSrgb = 91,
    WGPUTextureFormat_ASTC10x6Unorm = 92,
    WGPUTextureFormat_ASTC10x6UnormSrgb = 93,
    WGPUTextureFormat_ASTC10x8Unorm = 94,
    WGPUTextureFormat_ASTC10x8UnormSrgb = 95,
    WGPUTextureFormat_ASTC10x10Unorm = 96,
    WGPUTextureFormat_ASTC10x10UnormSrgb = 97,
    WGPUTextureFormat_ASTC12x10Unorm = 98,
    WGPUTextureFormat_ASTC12x10UnormSrgb = 99,
    WGPUTextureFormat_ASTC12x12Unorm = 100,
    WGPUTextureFormat_ASTC12x12UnormSrgb = 101,
    WGPUTextureFormat_Force32 = 0x7FFFFFFF
} WGPUTextureFormat WGPU_ENUM_ATTRIBUTE;

// WebGPU §"Texture Usages". A view's usage is a subset of its texture's; None there means the same.
typedef WGPUFlags WGPUTextureUsage;
static const WGPUTextureUsage WGPUTextureUsage_None = 0x0000;
static const WGPUTextureUsage WGPUTextureUsage_CopySrc = 0x0001;
static const WGPUTextureUsage WGPUTextureUsage_CopyDst = 0x0002;
static const WGPUTextureUsage WGPUTextureUsage_TextureBinding = 0x0004;
static const WGPUTextureUsage WGPUTextureUsage_StorageBinding = 0x0008;
static const WGPUTextureUsage WGPUTextureUsage_RenderAttachment = 0x0010;
// Lives during a render pass only; goes with RenderAttachment alone.
static const WGPUTextureUsage WGPUTextureUsage_TransientAttachment = 0x0020;

// Undefined: 2D.
typedef enum WGPUTextureDimension {
    WGPUTextureDimension_Undefined = 0,
    WGPUTextureDimension_1D = 1,
    WGPUTextureDimension_2D = 2,
    WGPUTextureDimension_3D = 3,
    WGPUTextureDimension_Force32 = 0x7FFFFFFF
} WGPUTextureDimension WGPU_ENUM_ATTRIBUTE;

// Undefined: in a view, what the texture's dimension and layer count suggest; in a layout, 2D.
typedef enum WGPUTextureViewDimension {
    WGPUTextureViewDimension_Undefined = 0,
    WGPUTextureViewDimension_1D = 1,
    WGPUTextureViewDimension_2D = 2,
    WGPUTextureViewDimension_2DArray = 3,
    WGPUTextureViewDimension_Cube = 4,
    WGPUTextureViewDimension_CubeArray = 5,
    WGPUTextureViewDimension_3D = 6,
    WGPUTextureViewDimension_Force32 = 0x7FFFFFFF
} WGPUTextureViewDimension WGPU_ENUM_ATTRIBUTE;

// Undefined: All.
typedef enum WGPUTextureAspect {
    WGPUTextureAspect_Undefined = 0,
    WGPUTextureAspect_All = 1,
    WGPUTextureAspect_StencilOnly = 2,
    WGPUTextureAspect_DepthOnly = 3,
    WGPUTextureAspect_Force32 = 0x7FFFFFFF
} WGPUTextureAspect WGPU_ENUM_ATTRIBUTE;

// What the shader sees in a component. Undefined: the component itself.
typedef enum WGPUComponentSwizzle {
    WGPUComponentSwizzle_Undefined = 0,
    WGPUComponentSwizzle_Zero = 1,
    WGPUComponentSwizzle_One = 2,
    WGPUComponentSwizzle_R = 3,
    WGPUComponentSwizzle_G = 4,
    WGPUComponentSwizzle_B = 5,
    WGPUComponentSwizzle_A = 6,
    WGPUComponentSwizzle_Force32 = 0x7FFFFFFF
} WGPUComponentSwizzle WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUExtent3D {
    uint32_t width;
    uint32_t height;
    // Depth of a 3D texture, layers of any other.
    uint32_t depthOrArrayLayers;
} WGPUExtent3D WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_EXTENT_3D_INIT _wgpu_MAKE_INIT_STRUCT(WGPUExtent3D, {0, 1, 1})

typedef struct WGPUOrigin3D {
    uint32_t x;
    uint32_t y;
    uint32_t z;
} WGPUOrigin3D WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_ORIGIN_3D_INIT _wgpu_MAKE_INIT_STRUCT(WGPUOrigin3D, {0, 0, 0})

typedef struct WGPUTextureDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUTextureUsage usage;
    WGPUTextureDimension dimension;
    WGPUExtent3D size;
    WGPUTextureFormat format;
    uint32_t mipLevelCount;
    // 1 or 4.
    uint32_t sampleCount;
    size_t viewFormatCount;
    // Other formats that views may have: those that differ from the texture's in sRGB alone.
    const WGPUTextureFormat *viewFormats;
} WGPUTextureDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXTURE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTextureDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, WGPUTextureUsage_None, WGPUTextureDimension_Undefined, \
        WGPU_EXTENT_3D_INIT, WGPUTextureFormat_Undefined, 1, 1, 0, NULL \
    })

// Chained to WGPUTextureDescriptor: the one dimension that views for binding may have. Only
// compatibility mode looks at it.
typedef struct WGPUTextureBindingViewDimension {
    WGPUChainedStruct chain;
    WGPUTextureViewDimension textureBindingViewDimension;
} WGPUTextureBindingViewDimension WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXTURE_BINDING_VIEW_DIMENSION_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTextureBindingViewDimension, { \
        {NULL, WGPUSType_TextureBindingViewDimension}, WGPUTextureViewDimension_Undefined \
    })

typedef struct WGPUTextureComponentSwizzle {
    WGPUComponentSwizzle r;
    WGPUComponentSwizzle g;
    WGPUComponentSwizzle b;
    WGPUComponentSwizzle a;
} WGPUTextureComponentSwizzle WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXTURE_COMPONENT_SWIZZLE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTextureComponentSwizzle, { \
        WGPUComponentSwizzle_Undefined, WGPUComponentSwizzle_Undefined, \
        WGPUComponentSwizzle_Undefined, WGPUComponentSwizzle_Undefined \
    })

// Chained to WGPUTextureViewDescriptor.
typedef struct WGPUTextureComponentSwizzleDescriptor {
    WGPUChainedStruct chain;
    WGPUTextureComponentSwizzle swizzle;
} WGPUTextureComponentSwizzleDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXTURE_COMPONENT_SWIZZLE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTextureComponentSwizzleDescriptor, { \
        {NULL, WGPUSType_TextureComponentSwizzleDescriptor}, WGPU_TEXTURE_COMPONENT_SWIZZLE_INIT \
    })

typedef struct WGPUTextureViewDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUTextureFormat format;
    WGPUTextureViewDimension dimension;
    uint32_t baseMipLevel;
    uint32_t mipLevelCount;
    uint32_t baseArrayLayer;
    uint32_t arrayLayerCount;
    WGPUTextureAspect aspect;
    // None: all of the texture's usages that the view's format allows.
    WGPUTextureUsage usage;
} WGPUTextureViewDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTextureViewDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, WGPUTextureFormat_Undefined, \
        WGPUTextureViewDimension_Undefined, 0, WGPU_MIP_LEVEL_COUNT_UNDEFINED, 0, \
        WGPU_ARRAY_LAYER_COUNT_UNDEFINED, WGPUTextureAspect_Undefined, WGPUTextureUsage_None \
    })

//
// Samplers
//

// Outside [0, 1]. Undefined: ClampToEdge.
typedef enum WGPUAddressMode {
    WGPUAddressMode_Undefined = 0,
    WGPUAddressMode_ClampToEdge = 1,
    WGPUAddressMode_Repeat = 2,
    WGPUAddressMode_MirrorRepeat = 3,
    WGPUAddressMode_Force32 = 0x7FFFFFFF
} WGPUAddressMode WGPU_ENUM_ATTRIBUTE;

// Undefined: Nearest.
typedef enum WGPUFilterMode {
    WGPUFilterMode_Undefined = 0,
    WGPUFilterMode_Nearest = 1,
    WGPUFilterMode_Linear = 2,
    WGPUFilterMode_Force32 = 0x7FFFFFFF
} WGPUFilterMode WGPU_ENUM_ATTRIBUTE;

// Undefined: Nearest.
typedef enum WGPUMipmapFilterMode {
    WGPUMipmapFilterMode_Undefined = 0,
    WGPUMipmapFilterMode_Nearest = 1,
    WGPUMipmapFilterMode_Linear = 2,
    WGPUMipmapFilterMode_Force32 = 0x7FFFFFFF
} WGPUMipmapFilterMode WGPU_ENUM_ATTRIBUTE;

// Passes if "new value FUNCTION stored value". Undefined: in a sampler, no comparison; in stencil
// state, Always; in depthCompare, not given.
typedef enum WGPUCompareFunction {
    WGPUCompareFunction_Undefined = 0,
    WGPUCompareFunction_Never = 1,
    WGPUCompareFunction_Less = 2,
    WGPUCompareFunction_Equal = 3,
    WGPUCompareFunction_LessEqual = 4,
    WGPUCompareFunction_Greater = 5,
    WGPUCompareFunction_NotEqual = 6,
    WGPUCompareFunction_GreaterEqual = 7,
    WGPUCompareFunction_Always = 8,
    WGPUCompareFunction_Force32 = 0x7FFFFFFF
} WGPUCompareFunction WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUSamplerDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUAddressMode addressModeU;
    WGPUAddressMode addressModeV;
    WGPUAddressMode addressModeW;
    WGPUFilterMode magFilter;
    WGPUFilterMode minFilter;
    WGPUMipmapFilterMode mipmapFilter;
    float lodMinClamp;
    float lodMaxClamp;
    // Given: a comparison sampler.
    WGPUCompareFunction compare;
    // More than 1 needs all three filters linear; clamped to what the adapter has.
    uint16_t maxAnisotropy;
} WGPUSamplerDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SAMPLER_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSamplerDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, WGPUAddressMode_Undefined, WGPUAddressMode_Undefined, \
        WGPUAddressMode_Undefined, WGPUFilterMode_Undefined, WGPUFilterMode_Undefined, \
        WGPUMipmapFilterMode_Undefined, 0.0f, 32.0f, WGPUCompareFunction_Undefined, 1 \
    })

//
// Bindings
//
// A layout says what may be bound, a bind group what is bound.
//

// Who may see a binding.
typedef WGPUFlags WGPUShaderStage;
static const WGPUShaderStage WGPUShaderStage_None = 0x0000;
static const WGPUShaderStage WGPUShaderStage_Vertex = 0x0001;
static const WGPUShaderStage WGPUShaderStage_Fragment = 0x0002;
static const WGPUShaderStage WGPUShaderStage_Compute = 0x0004;

// BindingNotUsed: the entry is not a buffer. Undefined: Uniform. A shader's `var<storage,
// read_write>` needs Storage and `var<storage>` ReadOnlyStorage, exactly.
typedef enum WGPUBufferBindingType {
    WGPUBufferBindingType_BindingNotUsed = 0,
    WGPUBufferBindingType_Undefined = 1,
    WGPUBufferBindingType_Uniform = 2,
    WGPUBufferBindingType_Storage = 3,
    WGPUBufferBindingType_ReadOnlyStorage = 4,
    WGPUBufferBindingType_Force32 = 0x7FFFFFFF
} WGPUBufferBindingType WGPU_ENUM_ATTRIBUTE;

// BindingNotUsed: the entry is not a sampler. Undefined: Filtering.
typedef enum WGPUSamplerBindingType {
    WGPUSamplerBindingType_BindingNotUsed = 0,
    WGPUSamplerBindingType_Undefined = 1,
    WGPUSamplerBindingType_Filtering = 2,
    WGPUSamplerBindingType_NonFiltering = 3,
    WGPUSamplerBindingType_Comparison = 4,
    WGPUSamplerBindingType_Force32 = 0x7FFFFFFF
} WGPUSamplerBindingType WGPU_ENUM_ATTRIBUTE;

// BindingNotUsed: the entry is not a sampled texture. Undefined: Float.
typedef enum WGPUTextureSampleType {
    WGPUTextureSampleType_BindingNotUsed = 0,
    WGPUTextureSampleType_Undefined = 1,
    WGPUTextureSampleType_Float = 2,
    WGPUTextureSampleType_UnfilterableFloat = 3,
    WGPUTextureSampleType_Depth = 4,
    WGPUTextureSampleType_Sint = 5,
    WGPUTextureSampleType_Uint = 6,
    WGPUTextureSampleType_Force32 = 0x7FFFFFFF
} WGPUTextureSampleType WGPU_ENUM_ATTRIBUTE;

// BindingNotUsed: the entry is not a storage texture. Undefined: WriteOnly.
typedef enum WGPUStorageTextureAccess {
    WGPUStorageTextureAccess_BindingNotUsed = 0,
    WGPUStorageTextureAccess_Undefined = 1,
    WGPUStorageTextureAccess_WriteOnly = 2,
    WGPUStorageTextureAccess_ReadOnly = 3,
    WGPUStorageTextureAccess_ReadWrite = 4,
    WGPUStorageTextureAccess_Force32 = 0x7FFFFFFF
} WGPUStorageTextureAccess WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUBufferBindingLayout {
    WGPUChainedStruct *nextInChain;
    WGPUBufferBindingType type;
    // An offset is added at each setBindGroup.
    WGPUBool hasDynamicOffset;
    // Bytes; checked when the bind group is made. 0: checked against the shader at each draw or
    // dispatch.
    uint64_t minBindingSize;
} WGPUBufferBindingLayout WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BUFFER_BINDING_LAYOUT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBufferBindingLayout, { \
        NULL, WGPUBufferBindingType_Undefined, WGPU_FALSE, 0 \
    })

typedef struct WGPUSamplerBindingLayout {
    WGPUChainedStruct *nextInChain;
    WGPUSamplerBindingType type;
} WGPUSamplerBindingLayout WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SAMPLER_BINDING_LAYOUT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSamplerBindingLayout, {NULL, WGPUSamplerBindingType_Undefined})

typedef struct WGPUTextureBindingLayout {
    WGPUChainedStruct *nextInChain;
    WGPUTextureSampleType sampleType;
    WGPUTextureViewDimension viewDimension;
    WGPUBool multisampled;
} WGPUTextureBindingLayout WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXTURE_BINDING_LAYOUT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTextureBindingLayout, { \
        NULL, WGPUTextureSampleType_Undefined, WGPUTextureViewDimension_Undefined, WGPU_FALSE \
    })

typedef struct WGPUStorageTextureBindingLayout {
    WGPUChainedStruct *nextInChain;
    WGPUStorageTextureAccess access;
    WGPUTextureFormat format;
    WGPUTextureViewDimension viewDimension;
} WGPUStorageTextureBindingLayout WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_STORAGE_TEXTURE_BINDING_LAYOUT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUStorageTextureBindingLayout, { \
        NULL, WGPUStorageTextureAccess_Undefined, WGPUTextureFormat_Undefined, \
        WGPUTextureViewDimension_Undefined \
    })

// Chained to WGPUBindGroupLayoutEntry: the entry is an external texture.
typedef struct WGPUExternalTextureBindingLayout {
    WGPUChainedStruct chain;
} WGPUExternalTextureBindingLayout WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_EXTERNAL_TEXTURE_BINDING_LAYOUT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUExternalTextureBindingLayout, { \
        {NULL, WGPUSType_ExternalTextureBindingLayout} \
    })

// Exactly one of the four kinds, or a chained external texture, must be in use. The INIT macro
// starts with none: assign the kind's own members.
typedef struct WGPUBindGroupLayoutEntry {
    WGPUChainedStruct *nextInChain;
    // The @binding of WGSL, less than maxBindingsPerBindGroup.
    uint32_t binding;
    WGPUShaderStage visibility;
    // 0: no binding array. alba has none yet.
    uint32_t bindingArraySize;
    WGPUBufferBindingLayout buffer;
    WGPUSamplerBindingLayout sampler;
    WGPUTextureBindingLayout texture;
    WGPUStorageTextureBindingLayout storageTexture;
} WGPUBindGroupLayoutEntry WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBindGroupLayoutEntry, { \
        NULL, 0, WGPUShaderStage_None, 0, _wgpu_STRUCT_ZERO_INIT, _wgpu_STRUCT_ZERO_INIT, \
        _wgpu_STRUCT_ZERO_INIT, _wgpu_STRUCT_ZERO_INIT \
    })

typedef struct WGPUBindGroupLayoutDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    size_t entryCount;
    // In any order; each binding once.
    const WGPUBindGroupLayoutEntry *entries;
} WGPUBindGroupLayoutDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBindGroupLayoutDescriptor, {NULL, WGPU_STRING_VIEW_INIT, 0, NULL})

// Exactly one of buffer, sampler, textureView, or a chained external texture.
typedef struct WGPUBindGroupEntry {
    WGPUChainedStruct *nextInChain;
    uint32_t binding;
    WGPU_NULLABLE WGPUBuffer buffer;
    // Bytes; a multiple of the min…OffsetAlignment limit of the layout's kind.
    uint64_t offset;
    // Bytes; WGPU_WHOLE_SIZE: to the buffer's end.
    uint64_t size;
    WGPU_NULLABLE WGPUSampler sampler;
    WGPU_NULLABLE WGPUTextureView textureView;
} WGPUBindGroupEntry WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BIND_GROUP_ENTRY_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBindGroupEntry, {NULL, 0, NULL, 0, WGPU_WHOLE_SIZE, NULL, NULL})

// Chained to WGPUBindGroupEntry.
typedef struct WGPUExternalTextureBindingEntry {
    WGPUChainedStruct chain;
    WGPUExternalTexture externalTexture;
} WGPUExternalTextureBindingEntry WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_EXTERNAL_TEXTURE_BINDING_ENTRY_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUExternalTextureBindingEntry, { \
        {NULL, WGPUSType_ExternalTextureBindingEntry}, NULL \
    })

typedef struct WGPUBindGroupDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUBindGroupLayout layout;
    size_t entryCount;
    // One for each entry of the layout, in any order.
    const WGPUBindGroupEntry *entries;
} WGPUBindGroupDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BIND_GROUP_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBindGroupDescriptor, {NULL, WGPU_STRING_VIEW_INIT, NULL, 0, NULL})

typedef struct WGPUPipelineLayoutDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    size_t bindGroupLayoutCount;
    // By @group; a NULL element is a group that is not used.
    const WGPUBindGroupLayout *bindGroupLayouts;
    // Bytes of `var<immediate>`; a multiple of 4.
    uint32_t immediateSize;
} WGPUPipelineLayoutDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUPipelineLayoutDescriptor, {NULL, WGPU_STRING_VIEW_INIT, 0, NULL, 0})

//
// Shader modules
//

// The source is a chained struct: exactly one.
typedef struct WGPUShaderModuleDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUShaderModuleDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SHADER_MODULE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUShaderModuleDescriptor, {NULL, WGPU_STRING_VIEW_INIT})

// At most 64 MiB.
typedef struct WGPUShaderSourceWGSL {
    WGPUChainedStruct chain;
    WGPUStringView code;
} WGPUShaderSourceWGSL WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SHADER_SOURCE_WGSL_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUShaderSourceWGSL, { \
        {NULL, WGPUSType_ShaderSourceWGSL}, WGPU_STRING_VIEW_INIT \
    })

// Needs WGPUInstanceFeatureName_ShaderSourceSPIRV.
typedef struct WGPUShaderSourceSPIRV {
    WGPUChainedStruct chain;
    // Words of 4 bytes.
    uint32_t codeSize;
    const uint32_t *code;
} WGPUShaderSourceSPIRV WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SHADER_SOURCE_SPIRV_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUShaderSourceSPIRV, {{NULL, WGPUSType_ShaderSourceSPIRV}, 0, NULL})

typedef enum WGPUCompilationMessageType {
    WGPUCompilationMessageType_Error = 1,
    WGPUCompilationMessageType_Warning = 2,
    WGPUCompilationMessageType_Info = 3,
    WGPUCompilationMessageType_Force32 = 0x7FFFFFFF
} WGPUCompilationMessageType WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUCompilationMessage {
    WGPUChainedStruct *nextInChain;
    WGPUStringView message;
    WGPUCompilationMessageType type;
    // From 1; 0 if the message has no place.
    uint64_t lineNum;
    // Bytes from the line's start, from 1; 0 if the message has no place.
    uint64_t linePos;
    // Bytes from the source's start, from 0.
    uint64_t offset;
    // Bytes.
    uint64_t length;
} WGPUCompilationMessage WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMPILATION_MESSAGE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUCompilationMessage, { \
        NULL, WGPU_STRING_VIEW_INIT, _wgpu_ENUM_ZERO_INIT(WGPUCompilationMessageType), 0, 0, 0, \
        0 \
    })

typedef struct WGPUCompilationInfo {
    WGPUChainedStruct *nextInChain;
    size_t messageCount;
    const WGPUCompilationMessage *messages;
} WGPUCompilationInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMPILATION_INFO_INIT _wgpu_MAKE_INIT_STRUCT(WGPUCompilationInfo, {NULL, 0, NULL})

typedef enum WGPUCompilationInfoRequestStatus {
    WGPUCompilationInfoRequestStatus_Success = 1,
    WGPUCompilationInfoRequestStatus_CallbackCancelled = 2,
    WGPUCompilationInfoRequestStatus_Force32 = 0x7FFFFFFF
} WGPUCompilationInfoRequestStatus WGPU_ENUM_ATTRIBUTE;

// `compilationInfo` is valid until the callback returns; NULL unless the status is Success. Success
// says nothing of the shader: look for messages of type Error. Skip chained structs that you do not
// know.
typedef void (*WGPUCompilationInfoCallback)(WGPUCompilationInfoRequestStatus status,
    const struct WGPUCompilationInfo *compilationInfo, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPUCompilationInfoCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUCompilationInfoCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUCompilationInfoCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMPILATION_INFO_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUCompilationInfoCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

//
// Pipelines
//
// Shaders and all fixed state, checked and compiled together.
//

// The value of an `override`.
typedef struct WGPUConstantEntry {
    WGPUChainedStruct *nextInChain;
    // Its @id in decimal if it has one, else its name.
    WGPUStringView key;
    // Converted to the override's type; one that does not fit is an error. For bool: not 0.
    double value;
} WGPUConstantEntry WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_CONSTANT_ENTRY_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUConstantEntry, {NULL, WGPU_STRING_VIEW_INIT, 0.0})

typedef struct WGPUComputeState {
    WGPUChainedStruct *nextInChain;
    WGPUShaderModule module;
    // The null text: the module's only compute entry point.
    WGPUStringView entryPoint;
    size_t constantCount;
    const WGPUConstantEntry *constants;
} WGPUComputeState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMPUTE_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUComputeState, {NULL, NULL, WGPU_STRING_VIEW_INIT, 0, NULL})

typedef struct WGPUComputePipelineDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    // NULL: made from the shader; get its groups from wgpuComputePipelineGetBindGroupLayout. They
    // fit this pipeline alone.
    WGPU_NULLABLE WGPUPipelineLayout layout;
    WGPUComputeState compute;
} WGPUComputePipelineDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUComputePipelineDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, NULL, WGPU_COMPUTE_STATE_INIT \
    })

// WebGPU §"Vertex Formats".
typedef enum WGPUVertexFormat {
    WGPUVertexFormat_Uint8 = 1,
    WGPUVertexFormat_Uint8x2 = 2,
    WGPUVertexFormat_Uint8x4 = 3,
    WGPUVertexFormat_Sint8 = 4,
    WGPUVertexFormat_Sint8x2 = 5,
    WGPUVertexFormat_Sint8x4 = 6,
    WGPUVertexFormat_Unorm8 = 7,
    WGPUVertexFormat_Unorm8x2 = 8,
    WGPUVertexFormat_Unorm8x4 = 9,
    WGPUVertexFormat_Snorm8 = 10,
    WGPUVertexFormat_Snorm8x2 = 11,
    WGPUVertexFormat_Snorm8x4 = 12,
    WGPUVertexFormat_Uint16 = 13,
    WGPUVertexFormat_Uint16x2 = 14,
    WGPUVertexFormat_Uint16x4 = 15,
    WGPUVertexFormat_Sint16 = 16,
    WGPUVertexFormat_Sint16x2 = 17,
    WGPUVertexFormat_Sint16x4 = 18,
    WGPUVertexFormat_Unorm16 = 19,
    WGPUVertexFormat_Unorm16x2 = 20,
    WGPUVertexFormat_Unorm16x4 = 21,
    WGPUVertexFormat_Snorm16 = 22,
    WGPUVertexFormat_Snorm16x2 = 23,
    WGPUVertexFormat_Snorm16x4 = 24,
    WGPUVertexFormat_Float16 = 25,
    WGPUVertexFormat_Float16x2 = 26,
    WGPUVertexFormat_Float16x4 = 27,
    WGPUVertexFormat_Float32 = 28,
    WGPUVertexFormat_Float32x2 = 29,
    WGPUVertexFormat_Float32x3 = 30,
    WGPUVertexFormat_Float32x4 = 31,
    WGPUVertexFormat_Uint32 = 32,
    WGPUVertexFormat_Uint32x2 = 33,
    WGPUVertexFormat_Uint32x3 = 34,
    WGPUVertexFormat_Uint32x4 = 35,
    WGPUVertexFormat_Sint32 = 36,
    WGPUVertexFormat_Sint32x2 = 37,
    WGPUVertexFormat_Sint32x3 = 38,
    WGPUVertexFormat_Sint32x4 = 39,
    WGPUVertexFormat_Unorm10_10_10_2 = 40,
    WGPUVertexFormat_Unorm8x4BGRA = 41,
    WGPUVertexFormat_Force32 = 0x7FFFFFFF
} WGPUVertexFormat WGPU_ENUM_ATTRIBUTE;

// Undefined: Vertex; but with attributeCount 0 it leaves the slot empty.
typedef enum WGPUVertexStepMode {
    WGPUVertexStepMode_Undefined = 0,
    WGPUVertexStepMode_Vertex = 1,
    WGPUVertexStepMode_Instance = 2,
    WGPUVertexStepMode_Force32 = 0x7FFFFFFF
} WGPUVertexStepMode WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUVertexAttribute {
    WGPUChainedStruct *nextInChain;
    WGPUVertexFormat format;
    // Bytes from the start of an element.
    uint64_t offset;
    uint32_t shaderLocation;
} WGPUVertexAttribute WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_VERTEX_ATTRIBUTE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUVertexAttribute, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUVertexFormat), 0, 0 \
    })

typedef struct WGPUVertexBufferLayout {
    WGPUChainedStruct *nextInChain;
    WGPUVertexStepMode stepMode;
    // Bytes between elements, a multiple of 4; 0: all read the same one.
    uint64_t arrayStride;
    size_t attributeCount;
    const WGPUVertexAttribute *attributes;
} WGPUVertexBufferLayout WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_VERTEX_BUFFER_LAYOUT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUVertexBufferLayout, {NULL, WGPUVertexStepMode_Undefined, 0, 0, NULL})

typedef struct WGPUVertexState {
    WGPUChainedStruct *nextInChain;
    WGPUShaderModule module;
    // The null text: the module's only vertex entry point.
    WGPUStringView entryPoint;
    size_t constantCount;
    const WGPUConstantEntry *constants;
    size_t bufferCount;
    // By slot.
    const WGPUVertexBufferLayout *buffers;
} WGPUVertexState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_VERTEX_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUVertexState, {NULL, NULL, WGPU_STRING_VIEW_INIT, 0, NULL, 0, NULL})

// Undefined: TriangleList.
typedef enum WGPUPrimitiveTopology {
    WGPUPrimitiveTopology_Undefined = 0,
    WGPUPrimitiveTopology_PointList = 1,
    WGPUPrimitiveTopology_LineList = 2,
    WGPUPrimitiveTopology_LineStrip = 3,
    WGPUPrimitiveTopology_TriangleList = 4,
    WGPUPrimitiveTopology_TriangleStrip = 5,
    WGPUPrimitiveTopology_Force32 = 0x7FFFFFFF
} WGPUPrimitiveTopology WGPU_ENUM_ATTRIBUTE;

typedef enum WGPUIndexFormat {
    WGPUIndexFormat_Undefined = 0,
    WGPUIndexFormat_Uint16 = 1,
    WGPUIndexFormat_Uint32 = 2,
    WGPUIndexFormat_Force32 = 0x7FFFFFFF
} WGPUIndexFormat WGPU_ENUM_ATTRIBUTE;

// Undefined: CCW.
typedef enum WGPUFrontFace {
    WGPUFrontFace_Undefined = 0,
    WGPUFrontFace_CCW = 1,
    WGPUFrontFace_CW = 2,
    WGPUFrontFace_Force32 = 0x7FFFFFFF
} WGPUFrontFace WGPU_ENUM_ATTRIBUTE;

// Undefined: None.
typedef enum WGPUCullMode {
    WGPUCullMode_Undefined = 0,
    WGPUCullMode_None = 1,
    WGPUCullMode_Front = 2,
    WGPUCullMode_Back = 3,
    WGPUCullMode_Force32 = 0x7FFFFFFF
} WGPUCullMode WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUPrimitiveState {
    WGPUChainedStruct *nextInChain;
    WGPUPrimitiveTopology topology;
    // For strips that are drawn with an index buffer; Undefined otherwise.
    WGPUIndexFormat stripIndexFormat;
    WGPUFrontFace frontFace;
    WGPUCullMode cullMode;
    // Needs WGPUFeatureName_DepthClipControl.
    WGPUBool unclippedDepth;
} WGPUPrimitiveState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_PRIMITIVE_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUPrimitiveState, { \
        NULL, WGPUPrimitiveTopology_Undefined, WGPUIndexFormat_Undefined, \
        WGPUFrontFace_Undefined, WGPUCullMode_Undefined, WGPU_FALSE \
    })

// Undefined: Keep.
typedef enum WGPUStencilOperation {
    WGPUStencilOperation_Undefined = 0,
    WGPUStencilOperation_Keep = 1,
    WGPUStencilOperation_Zero = 2,
    WGPUStencilOperation_Replace = 3,
    WGPUStencilOperation_Invert = 4,
    WGPUStencilOperation_IncrementClamp = 5,
    WGPUStencilOperation_DecrementClamp = 6,
    WGPUStencilOperation_IncrementWrap = 7,
    WGPUStencilOperation_DecrementWrap = 8,
    WGPUStencilOperation_Force32 = 0x7FFFFFFF
} WGPUStencilOperation WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUStencilFaceState {
    WGPUCompareFunction compare;
    WGPUStencilOperation failOp;
    WGPUStencilOperation depthFailOp;
    WGPUStencilOperation passOp;
} WGPUStencilFaceState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_STENCIL_FACE_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUStencilFaceState, { \
        WGPUCompareFunction_Undefined, WGPUStencilOperation_Undefined, \
        WGPUStencilOperation_Undefined, WGPUStencilOperation_Undefined \
    })

typedef struct WGPUDepthStencilState {
    WGPUChainedStruct *nextInChain;
    WGPUTextureFormat format;
    // Must be given if the format has depth.
    WGPUOptionalBool depthWriteEnabled;
    // Must be given if depth is written or a depthFailOp is not Keep.
    WGPUCompareFunction depthCompare;
    WGPUStencilFaceState stencilFront;
    WGPUStencilFaceState stencilBack;
    uint32_t stencilReadMask;
    uint32_t stencilWriteMask;
    int32_t depthBias;
    float depthBiasSlopeScale;
    float depthBiasClamp;
} WGPUDepthStencilState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_DEPTH_STENCIL_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUDepthStencilState, { \
        NULL, WGPUTextureFormat_Undefined, WGPUOptionalBool_Undefined, \
        WGPUCompareFunction_Undefined, WGPU_STENCIL_FACE_STATE_INIT, \
        WGPU_STENCIL_FACE_STATE_INIT, 0xFFFFFFFF, 0xFFFFFFFF, 0, 0.0f, 0.0f \
    })

typedef struct WGPUMultisampleState {
    WGPUChainedStruct *nextInChain;
    // 1 or 4.
    uint32_t count;
    uint32_t mask;
    WGPUBool alphaToCoverageEnabled;
} WGPUMultisampleState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_MULTISAMPLE_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUMultisampleState, {NULL, 1, 0xFFFFFFFF, WGPU_FALSE})

// Undefined: Add.
typedef enum WGPUBlendOperation {
    WGPUBlendOperation_Undefined = 0,
    WGPUBlendOperation_Add = 1,
    WGPUBlendOperation_Subtract = 2,
    WGPUBlendOperation_ReverseSubtract = 3,
    WGPUBlendOperation_Min = 4,
    WGPUBlendOperation_Max = 5,
    WGPUBlendOperation_Force32 = 0x7FFFFFFF
} WGPUBlendOperation WGPU_ENUM_ATTRIBUTE;

// Undefined: One as source, Zero as destination.
typedef enum WGPUBlendFactor {
    WGPUBlendFactor_Undefined = 0,
    WGPUBlendFactor_Zero = 1,
    WGPUBlendFactor_One = 2,
    WGPUBlendFactor_Src = 3,
    WGPUBlendFactor_OneMinusSrc = 4,
    WGPUBlendFactor_SrcAlpha = 5,
    WGPUBlendFactor_OneMinusSrcAlpha = 6,
    WGPUBlendFactor_Dst = 7,
    WGPUBlendFactor_OneMinusDst = 8,
    WGPUBlendFactor_DstAlpha = 9,
    WGPUBlendFactor_OneMinusDstAlpha = 10,
    WGPUBlendFactor_SrcAlphaSaturated = 11,
    WGPUBlendFactor_Constant = 12,
    WGPUBlendFactor_OneMinusConstant = 13,
    WGPUBlendFactor_Src1 = 14,
    WGPUBlendFactor_OneMinusSrc1 = 15,
    WGPUBlendFactor_Src1Alpha = 16,
    WGPUBlendFactor_OneMinusSrc1Alpha = 17,
    WGPUBlendFactor_Force32 = 0x7FFFFFFF
} WGPUBlendFactor WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUBlendComponent {
    WGPUBlendOperation operation;
    WGPUBlendFactor srcFactor;
    WGPUBlendFactor dstFactor;
} WGPUBlendComponent WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BLEND_COMPONENT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBlendComponent, { \
        WGPUBlendOperation_Undefined, WGPUBlendFactor_Undefined, WGPUBlendFactor_Undefined \
    })

typedef struct WGPUBlendState {
    WGPUBlendComponent color;
    WGPUBlendComponent alpha;
} WGPUBlendState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_BLEND_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUBlendState, {WGPU_BLEND_COMPONENT_INIT, WGPU_BLEND_COMPONENT_INIT})

typedef WGPUFlags WGPUColorWriteMask;
static const WGPUColorWriteMask WGPUColorWriteMask_None = 0x0000;
static const WGPUColorWriteMask WGPUColorWriteMask_Red = 0x0001;
static const WGPUColorWriteMask WGPUColorWriteMask_Green = 0x0002;
static const WGPUColorWriteMask WGPUColorWriteMask_Blue = 0x0004;
static const WGPUColorWriteMask WGPUColorWriteMask_Alpha = 0x0008;
static const WGPUColorWriteMask WGPUColorWriteMask_All = 0x000f;

typedef struct WGPUColorTargetState {
    WGPUChainedStruct *nextInChain;
    // Undefined: this location is not written.
    WGPUTextureFormat format;
    // NULL: the new value replaces the old.
    WGPU_NULLABLE const WGPUBlendState *blend;
    WGPUColorWriteMask writeMask;
} WGPUColorTargetState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COLOR_TARGET_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUColorTargetState, { \
        NULL, WGPUTextureFormat_Undefined, NULL, WGPUColorWriteMask_All \
    })

typedef struct WGPUFragmentState {
    WGPUChainedStruct *nextInChain;
    WGPUShaderModule module;
    // The null text: the module's only fragment entry point.
    WGPUStringView entryPoint;
    size_t constantCount;
    const WGPUConstantEntry *constants;
    size_t targetCount;
    const WGPUColorTargetState *targets;
} WGPUFragmentState WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_FRAGMENT_STATE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUFragmentState, {NULL, NULL, WGPU_STRING_VIEW_INIT, 0, NULL, 0, NULL})

typedef struct WGPURenderPipelineDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    // NULL: made from the shaders, as for compute pipelines.
    WGPU_NULLABLE WGPUPipelineLayout layout;
    WGPUVertexState vertex;
    WGPUPrimitiveState primitive;
    WGPU_NULLABLE const WGPUDepthStencilState *depthStencil;
    WGPUMultisampleState multisample;
    // NULL: only depth and stencil are written.
    WGPU_NULLABLE const WGPUFragmentState *fragment;
} WGPURenderPipelineDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_RENDER_PIPELINE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURenderPipelineDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, NULL, WGPU_VERTEX_STATE_INIT, WGPU_PRIMITIVE_STATE_INIT, \
        NULL, WGPU_MULTISAMPLE_STATE_INIT, NULL \
    })

typedef enum WGPUCreatePipelineAsyncStatus {
    WGPUCreatePipelineAsyncStatus_Success = 1,
    WGPUCreatePipelineAsyncStatus_CallbackCancelled = 2,
    // Reported here alone: error scopes do not see it.
    WGPUCreatePipelineAsyncStatus_ValidationError = 3,
    WGPUCreatePipelineAsyncStatus_InternalError = 4,
    WGPUCreatePipelineAsyncStatus_Force32 = 0x7FFFFFFF
} WGPUCreatePipelineAsyncStatus WGPU_ENUM_ATTRIBUTE;

// `pipeline` is the caller's to release; NULL unless the status is Success.
typedef void (*WGPUCreateComputePipelineAsyncCallback)(WGPUCreatePipelineAsyncStatus status,
    WGPUComputePipeline pipeline, WGPUStringView message, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPUCreateComputePipelineAsyncCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUCreateComputePipelineAsyncCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUCreateComputePipelineAsyncCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_CREATE_COMPUTE_PIPELINE_ASYNC_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUCreateComputePipelineAsyncCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

// As for compute pipelines.
typedef void (*WGPUCreateRenderPipelineAsyncCallback)(WGPUCreatePipelineAsyncStatus status,
    WGPURenderPipeline pipeline, WGPUStringView message, WGPU_NULLABLE void *userdata1,
    WGPU_NULLABLE void *userdata2) WGPU_FUNCTION_ATTRIBUTE;

typedef struct WGPUCreateRenderPipelineAsyncCallbackInfo {
    WGPUChainedStruct *nextInChain;
    WGPUCallbackMode mode;
    WGPUCreateRenderPipelineAsyncCallback callback;
    WGPU_NULLABLE void *userdata1;
    WGPU_NULLABLE void *userdata2;
} WGPUCreateRenderPipelineAsyncCallbackInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_CREATE_RENDER_PIPELINE_ASYNC_CALLBACK_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUCreateRenderPipelineAsyncCallbackInfo, { \
        NULL, _wgpu_ENUM_ZERO_INIT(WGPUCallbackMode), NULL, NULL, NULL \
    })

//
// Commands, copies, passes
//
// Encoders record; nothing is executed before wgpuQueueSubmit.
//

typedef struct WGPUCommandEncoderDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUCommandEncoderDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMMAND_ENCODER_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUCommandEncoderDescriptor, {NULL, WGPU_STRING_VIEW_INIT})

typedef struct WGPUCommandBufferDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUCommandBufferDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMMAND_BUFFER_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUCommandBufferDescriptor, {NULL, WGPU_STRING_VIEW_INIT})

// How texel blocks lie in linear memory (WebGPU §"GPUTexelCopyBufferLayout").
typedef struct WGPUTexelCopyBufferLayout {
    uint64_t offset;
    // From one row of blocks to the next. A multiple of 256 between buffer and texture, any value
    // in wgpuQueueWriteTexture.
    uint32_t bytesPerRow;
    // Rows of blocks from one layer to the next.
    uint32_t rowsPerImage;
} WGPUTexelCopyBufferLayout WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTexelCopyBufferLayout, { \
        0, WGPU_COPY_STRIDE_UNDEFINED, WGPU_COPY_STRIDE_UNDEFINED \
    })

typedef struct WGPUTexelCopyBufferInfo {
    WGPUTexelCopyBufferLayout layout;
    WGPUBuffer buffer;
} WGPUTexelCopyBufferInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXEL_COPY_BUFFER_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTexelCopyBufferInfo, {WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT, NULL})

typedef struct WGPUTexelCopyTextureInfo {
    WGPUTexture texture;
    uint32_t mipLevel;
    // In texels; z is the first layer, or the depth.
    WGPUOrigin3D origin;
    WGPUTextureAspect aspect;
} WGPUTexelCopyTextureInfo WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_TEXEL_COPY_TEXTURE_INFO_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUTexelCopyTextureInfo, { \
        NULL, 0, WGPU_ORIGIN_3D_INIT, WGPUTextureAspect_Undefined \
    })

typedef enum WGPUQueryType {
    WGPUQueryType_Occlusion = 1,
    WGPUQueryType_Timestamp = 2,
    WGPUQueryType_Force32 = 0x7FFFFFFF
} WGPUQueryType WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUQuerySetDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPUQueryType type;
    uint32_t count;
} WGPUQuerySetDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_QUERY_SET_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUQuerySetDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, _wgpu_ENUM_ZERO_INIT(WGPUQueryType), 0 \
    })

// At least one of the two indices must be given.
typedef struct WGPUPassTimestampWrites {
    WGPUChainedStruct *nextInChain;
    WGPUQuerySet querySet;
    uint32_t beginningOfPassWriteIndex;
    uint32_t endOfPassWriteIndex;
} WGPUPassTimestampWrites WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_PASS_TIMESTAMP_WRITES_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUPassTimestampWrites, { \
        NULL, NULL, WGPU_QUERY_SET_INDEX_UNDEFINED, WGPU_QUERY_SET_INDEX_UNDEFINED \
    })

typedef struct WGPUComputePassDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    WGPU_NULLABLE const WGPUPassTimestampWrites *timestampWrites;
} WGPUComputePassDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COMPUTE_PASS_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUComputePassDescriptor, {NULL, WGPU_STRING_VIEW_INIT, NULL})

// Undefined: none, for an aspect that is read-only or that the format lacks.
typedef enum WGPULoadOp {
    WGPULoadOp_Undefined = 0,
    WGPULoadOp_Load = 1,
    WGPULoadOp_Clear = 2,
    WGPULoadOp_Force32 = 0x7FFFFFFF
} WGPULoadOp WGPU_ENUM_ATTRIBUTE;

// Undefined: as for WGPULoadOp.
typedef enum WGPUStoreOp {
    WGPUStoreOp_Undefined = 0,
    WGPUStoreOp_Store = 1,
    WGPUStoreOp_Discard = 2,
    WGPUStoreOp_Force32 = 0x7FFFFFFF
} WGPUStoreOp WGPU_ENUM_ATTRIBUTE;

// Converted to the type of the format that it clears or blends: float, signed or unsigned.
typedef struct WGPUColor {
    double r;
    double g;
    double b;
    double a;
} WGPUColor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_COLOR_INIT _wgpu_MAKE_INIT_STRUCT(WGPUColor, {0.0, 0.0, 0.0, 0.0})

typedef struct WGPURenderPassColorAttachment {
    WGPUChainedStruct *nextInChain;
    // NULL: this location is not written.
    WGPU_NULLABLE WGPUTextureView view;
    // The slice of a 3D view; undefined for any other.
    uint32_t depthSlice;
    // Where the samples are averaged into at the end.
    WGPU_NULLABLE WGPUTextureView resolveTarget;
    WGPULoadOp loadOp;
    WGPUStoreOp storeOp;
    WGPUColor clearValue;
} WGPURenderPassColorAttachment WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_RENDER_PASS_COLOR_ATTACHMENT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURenderPassColorAttachment, { \
        NULL, NULL, WGPU_DEPTH_SLICE_UNDEFINED, NULL, WGPULoadOp_Undefined, \
        WGPUStoreOp_Undefined, WGPU_COLOR_INIT \
    })

typedef struct WGPURenderPassDepthStencilAttachment {
    WGPUChainedStruct *nextInChain;
    WGPUTextureView view;
    WGPULoadOp depthLoadOp;
    WGPUStoreOp depthStoreOp;
    // 0 to 1; must be given if depth is cleared.
    float depthClearValue;
    WGPUBool depthReadOnly;
    WGPULoadOp stencilLoadOp;
    WGPUStoreOp stencilStoreOp;
    uint32_t stencilClearValue;
    WGPUBool stencilReadOnly;
} WGPURenderPassDepthStencilAttachment WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURenderPassDepthStencilAttachment, { \
        NULL, NULL, WGPULoadOp_Undefined, WGPUStoreOp_Undefined, \
        WGPU_DEPTH_CLEAR_VALUE_UNDEFINED, WGPU_FALSE, WGPULoadOp_Undefined, \
        WGPUStoreOp_Undefined, 0, WGPU_FALSE \
    })

// Chained to WGPURenderPassDescriptor.
typedef struct WGPURenderPassMaxDrawCount {
    WGPUChainedStruct chain;
    uint64_t maxDrawCount;
} WGPURenderPassMaxDrawCount WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_RENDER_PASS_MAX_DRAW_COUNT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURenderPassMaxDrawCount, { \
        {NULL, WGPUSType_RenderPassMaxDrawCount}, 50000000 \
    })

typedef struct WGPURenderPassDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    size_t colorAttachmentCount;
    const WGPURenderPassColorAttachment *colorAttachments;
    WGPU_NULLABLE const WGPURenderPassDepthStencilAttachment *depthStencilAttachment;
    WGPU_NULLABLE WGPUQuerySet occlusionQuerySet;
    WGPU_NULLABLE const WGPUPassTimestampWrites *timestampWrites;
} WGPURenderPassDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_RENDER_PASS_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURenderPassDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, 0, NULL, NULL, NULL, NULL \
    })

typedef struct WGPURenderBundleDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPURenderBundleDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_RENDER_BUNDLE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURenderBundleDescriptor, {NULL, WGPU_STRING_VIEW_INIT})

// What the passes that execute the bundle must match.
typedef struct WGPURenderBundleEncoderDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
    size_t colorFormatCount;
    const WGPUTextureFormat *colorFormats;
    WGPUTextureFormat depthStencilFormat;
    uint32_t sampleCount;
    WGPUBool depthReadOnly;
    WGPUBool stencilReadOnly;
} WGPURenderBundleEncoderDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_RENDER_BUNDLE_ENCODER_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPURenderBundleEncoderDescriptor, { \
        NULL, WGPU_STRING_VIEW_INIT, 0, NULL, WGPUTextureFormat_Undefined, 1, WGPU_FALSE, \
        WGPU_FALSE \
    })

//
// Surfaces
//
// A window, or something like one, that shows one frame after another.
//

// The window is a chained struct: exactly one.
typedef struct WGPUSurfaceDescriptor {
    WGPUChainedStruct *nextInChain;
    WGPUStringView label;
} WGPUSurfaceDescriptor WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_DESCRIPTOR_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceDescriptor, {NULL, WGPU_STRING_VIEW_INIT})

typedef struct WGPUSurfaceSourceXlibWindow {
    WGPUChainedStruct chain;
    void *display;
    uint64_t window;
} WGPUSurfaceSourceXlibWindow WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_SOURCE_XLIB_WINDOW_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceSourceXlibWindow, { \
        {NULL, WGPUSType_SurfaceSourceXlibWindow}, NULL, 0 \
    })

typedef struct WGPUSurfaceSourceXCBWindow {
    WGPUChainedStruct chain;
    void *connection;
    uint32_t window;
} WGPUSurfaceSourceXCBWindow WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_SOURCE_XCB_WINDOW_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceSourceXCBWindow, { \
        {NULL, WGPUSType_SurfaceSourceXCBWindow}, NULL, 0 \
    })

typedef struct WGPUSurfaceSourceWaylandSurface {
    WGPUChainedStruct chain;
    void *display;
    void *surface;
} WGPUSurfaceSourceWaylandSurface WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_SOURCE_WAYLAND_SURFACE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceSourceWaylandSurface, { \
        {NULL, WGPUSType_SurfaceSourceWaylandSurface}, NULL, NULL \
    })

typedef struct WGPUSurfaceSourceWindowsHWND {
    WGPUChainedStruct chain;
    void *hinstance;
    void *hwnd;
} WGPUSurfaceSourceWindowsHWND WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_SOURCE_WINDOWS_HWND_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceSourceWindowsHWND, { \
        {NULL, WGPUSType_SurfaceSourceWindowsHWND}, NULL, NULL \
    })

typedef struct WGPUSurfaceSourceMetalLayer {
    WGPUChainedStruct chain;
    void *layer;
} WGPUSurfaceSourceMetalLayer WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_SOURCE_METAL_LAYER_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceSourceMetalLayer, { \
        {NULL, WGPUSType_SurfaceSourceMetalLayer}, NULL \
    })

typedef struct WGPUSurfaceSourceAndroidNativeWindow {
    WGPUChainedStruct chain;
    void *window;
} WGPUSurfaceSourceAndroidNativeWindow WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_SOURCE_ANDROID_NATIVE_WINDOW_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceSourceAndroidNativeWindow, { \
        {NULL, WGPUSType_SurfaceSourceAndroidNativeWindow}, NULL \
    })

typedef enum WGPUPredefinedColorSpace {
    WGPUPredefinedColorSpace_SRGB = 1,
    WGPUPredefinedColorSpace_DisplayP3 = 2,
    WGPUPredefinedColorSpace_Force32 = 0x7FFFFFFF
} WGPUPredefinedColorSpace WGPU_ENUM_ATTRIBUTE;

typedef enum WGPUToneMappingMode {
    WGPUToneMappingMode_Standard = 1,
    WGPUToneMappingMode_Extended = 2,
    WGPUToneMappingMode_Force32 = 0x7FFFFFFF
} WGPUToneMappingMode WGPU_ENUM_ATTRIBUTE;

// Chained to WGPUSurfaceConfiguration.
typedef struct WGPUSurfaceColorManagement {
    WGPUChainedStruct chain;
    WGPUPredefinedColorSpace colorSpace;
    WGPUToneMappingMode toneMappingMode;
} WGPUSurfaceColorManagement WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_COLOR_MANAGEMENT_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceColorManagement, { \
        {NULL, WGPUSType_SurfaceColorManagement}, \
        _wgpu_ENUM_ZERO_INIT(WGPUPredefinedColorSpace), \
        _wgpu_ENUM_ZERO_INIT(WGPUToneMappingMode) \
    })

// What the alpha of a presented frame means to the window system. Auto: Opaque if there is a
// choice.
typedef enum WGPUCompositeAlphaMode {
    WGPUCompositeAlphaMode_Auto = 0,
    WGPUCompositeAlphaMode_Opaque = 1,
    WGPUCompositeAlphaMode_Premultiplied = 2,
    WGPUCompositeAlphaMode_Unpremultiplied = 3,
    WGPUCompositeAlphaMode_Inherit = 4,
    WGPUCompositeAlphaMode_Force32 = 0x7FFFFFFF
} WGPUCompositeAlphaMode WGPU_ENUM_ATTRIBUTE;

// When a presented frame is shown. Undefined: Fifo, the one that is always there.
typedef enum WGPUPresentMode {
    WGPUPresentMode_Undefined = 0,
    // At the next vertical blank, in order; the program waits when too far ahead.
    WGPUPresentMode_Fifo = 1,
    // The same, but a late frame is shown at once and may tear.
    WGPUPresentMode_FifoRelaxed = 2,
    // At once; may tear.
    WGPUPresentMode_Immediate = 3,
    // At the next vertical blank, the newest frame; older ones are dropped.
    WGPUPresentMode_Mailbox = 4,
    WGPUPresentMode_Force32 = 0x7FFFFFFF
} WGPUPresentMode WGPU_ENUM_ATTRIBUTE;

// Lists in order of preference, freed with wgpuSurfaceCapabilitiesFreeMembers.
typedef struct WGPUSurfaceCapabilities {
    WGPUChainedStruct *nextInChain;
    WGPUTextureUsage usages;
    size_t formatCount;
    const WGPUTextureFormat *formats;
    size_t presentModeCount;
    const WGPUPresentMode *presentModes;
    size_t alphaModeCount;
    const WGPUCompositeAlphaMode *alphaModes;
} WGPUSurfaceCapabilities WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_CAPABILITIES_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceCapabilities, { \
        NULL, WGPUTextureUsage_None, 0, NULL, 0, NULL, 0, NULL \
    })

typedef struct WGPUSurfaceConfiguration {
    WGPUChainedStruct *nextInChain;
    WGPUDevice device;
    WGPUTextureFormat format;
    WGPUTextureUsage usage;
    uint32_t width;
    uint32_t height;
    size_t viewFormatCount;
    const WGPUTextureFormat *viewFormats;
    WGPUCompositeAlphaMode alphaMode;
    WGPUPresentMode presentMode;
} WGPUSurfaceConfiguration WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_CONFIGURATION_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceConfiguration, { \
        NULL, NULL, WGPUTextureFormat_Undefined, WGPUTextureUsage_RenderAttachment, 0, 0, 0, \
        NULL, WGPUCompositeAlphaMode_Auto, WGPUPresentMode_Undefined \
    })

typedef enum WGPUSurfaceGetCurrentTextureStatus {
    WGPUSurfaceGetCurrentTextureStatus_SuccessOptimal = 1,
    // The frame can be shown, but configure the surface again soon.
    WGPUSurfaceGetCurrentTextureStatus_SuccessSuboptimal = 2,
    WGPUSurfaceGetCurrentTextureStatus_Timeout = 3,
    // Configure the surface again first.
    WGPUSurfaceGetCurrentTextureStatus_Outdated = 4,
    // Make the surface again.
    WGPUSurfaceGetCurrentTextureStatus_Lost = 5,
    // Not configured, or a wrong chain.
    WGPUSurfaceGetCurrentTextureStatus_Error = 6,
    WGPUSurfaceGetCurrentTextureStatus_Force32 = 0x7FFFFFFF
} WGPUSurfaceGetCurrentTextureStatus WGPU_ENUM_ATTRIBUTE;

typedef struct WGPUSurfaceTexture {
    WGPUChainedStruct *nextInChain;
    // The caller's to release; NULL unless the status is one of the successes.
    WGPUTexture texture;
    WGPUSurfaceGetCurrentTextureStatus status;
} WGPUSurfaceTexture WGPU_STRUCTURE_ATTRIBUTE;
#define WGPU_SURFACE_TEXTURE_INIT \
    _wgpu_MAKE_INIT_STRUCT(WGPUSurfaceTexture, { \
        NULL, NULL, _wgpu_ENUM_ZERO_INIT(WGPUSurfaceGetCurrentTextureStatus) \
    })

#if defined(__cplusplus)
extern "C" {
#endif

#if !defined(WGPU_SKIP_PROCS)

// The type of each function, for pointers that wgpuGetProcAddress returns.

typedef WGPUInstance (*WGPUProcCreateInstance)(
    WGPU_NULLABLE const WGPUInstanceDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcGetInstanceFeatures)(
    WGPUSupportedInstanceFeatures *features) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcGetInstanceLimits)(WGPUInstanceLimits *limits) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBool (*WGPUProcHasInstanceFeature)(
    WGPUInstanceFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUProc (*WGPUProcGetProcAddress)(WGPUStringView procName) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcAdapterGetFeatures)(WGPUAdapter adapter,
    WGPUSupportedFeatures *features) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcAdapterGetInfo)(WGPUAdapter adapter,
    WGPUAdapterInfo *info) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcAdapterGetLimits)(WGPUAdapter adapter,
    WGPULimits *limits) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBool (*WGPUProcAdapterHasFeature)(WGPUAdapter adapter,
    WGPUFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcAdapterRequestDevice)(WGPUAdapter adapter,
    WGPU_NULLABLE const WGPUDeviceDescriptor *descriptor,
    WGPURequestDeviceCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcAdapterAddRef)(WGPUAdapter adapter) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcAdapterRelease)(WGPUAdapter adapter) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcAdapterInfoFreeMembers)(WGPUAdapterInfo adapterInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBindGroupSetLabel)(WGPUBindGroup bindGroup,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBindGroupAddRef)(WGPUBindGroup bindGroup) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBindGroupRelease)(WGPUBindGroup bindGroup) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBindGroupLayoutSetLabel)(WGPUBindGroupLayout bindGroupLayout,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBindGroupLayoutAddRef)(
    WGPUBindGroupLayout bindGroupLayout) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBindGroupLayoutRelease)(
    WGPUBindGroupLayout bindGroupLayout) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBufferDestroy)(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
typedef const void *(*WGPUProcBufferGetConstMappedRange)(WGPUBuffer buffer, size_t offset,
    size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void *(*WGPUProcBufferGetMappedRange)(WGPUBuffer buffer, size_t offset,
    size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBufferMapState (*WGPUProcBufferGetMapState)(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
typedef uint64_t (*WGPUProcBufferGetSize)(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBufferUsage (*WGPUProcBufferGetUsage)(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcBufferMapAsync)(WGPUBuffer buffer, WGPUMapMode mode, size_t offset,
    size_t size, WGPUBufferMapCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcBufferReadMappedRange)(WGPUBuffer buffer, size_t offset, void *data,
    size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBufferSetLabel)(WGPUBuffer buffer,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBufferUnmap)(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcBufferWriteMappedRange)(WGPUBuffer buffer, size_t offset,
    const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBufferAddRef)(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcBufferRelease)(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandBufferSetLabel)(WGPUCommandBuffer commandBuffer,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandBufferAddRef)(
    WGPUCommandBuffer commandBuffer) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandBufferRelease)(
    WGPUCommandBuffer commandBuffer) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUComputePassEncoder (*WGPUProcCommandEncoderBeginComputePass)(
    WGPUCommandEncoder commandEncoder,
    WGPU_NULLABLE const WGPUComputePassDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPURenderPassEncoder (*WGPUProcCommandEncoderBeginRenderPass)(
    WGPUCommandEncoder commandEncoder,
    const WGPURenderPassDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderClearBuffer)(WGPUCommandEncoder commandEncoder,
    WGPUBuffer buffer, uint64_t offset, uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderCopyBufferToBuffer)(WGPUCommandEncoder commandEncoder,
    WGPUBuffer source, uint64_t sourceOffset, WGPUBuffer destination, uint64_t destinationOffset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderCopyBufferToTexture)(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyBufferInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderCopyTextureToBuffer)(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyBufferInfo *destination,
    const WGPUExtent3D *copySize) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderCopyTextureToTexture)(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUCommandBuffer (*WGPUProcCommandEncoderFinish)(WGPUCommandEncoder commandEncoder,
    WGPU_NULLABLE const WGPUCommandBufferDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderInsertDebugMarker)(WGPUCommandEncoder commandEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderPopDebugGroup)(
    WGPUCommandEncoder commandEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderPushDebugGroup)(WGPUCommandEncoder commandEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderResolveQuerySet)(WGPUCommandEncoder commandEncoder,
    WGPUQuerySet querySet, uint32_t firstQuery, uint32_t queryCount, WGPUBuffer destination,
    uint64_t destinationOffset) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderSetLabel)(WGPUCommandEncoder commandEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderWriteTimestamp)(WGPUCommandEncoder commandEncoder,
    WGPUQuerySet querySet, uint32_t queryIndex) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderAddRef)(
    WGPUCommandEncoder commandEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcCommandEncoderRelease)(
    WGPUCommandEncoder commandEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderDispatchWorkgroups)(
    WGPUComputePassEncoder computePassEncoder,
    uint32_t workgroupCountX, uint32_t workgroupCountY,
    uint32_t workgroupCountZ) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderDispatchWorkgroupsIndirect)(
    WGPUComputePassEncoder computePassEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderEnd)(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderInsertDebugMarker)(
    WGPUComputePassEncoder computePassEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderPopDebugGroup)(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderPushDebugGroup)(WGPUComputePassEncoder computePassEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderSetBindGroup)(WGPUComputePassEncoder computePassEncoder,
    uint32_t groupIndex, WGPU_NULLABLE WGPUBindGroup group, size_t dynamicOffsetCount,
    const uint32_t *dynamicOffsets) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderSetImmediates)(WGPUComputePassEncoder computePassEncoder,
    uint32_t offset, const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderSetLabel)(WGPUComputePassEncoder computePassEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderSetPipeline)(WGPUComputePassEncoder computePassEncoder,
    WGPUComputePipeline pipeline) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderAddRef)(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePassEncoderRelease)(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBindGroupLayout (*WGPUProcComputePipelineGetBindGroupLayout)(
    WGPUComputePipeline computePipeline,
    uint32_t groupIndex) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePipelineSetLabel)(WGPUComputePipeline computePipeline,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePipelineAddRef)(
    WGPUComputePipeline computePipeline) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcComputePipelineRelease)(
    WGPUComputePipeline computePipeline) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBindGroup (*WGPUProcDeviceCreateBindGroup)(WGPUDevice device,
    const WGPUBindGroupDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBindGroupLayout (*WGPUProcDeviceCreateBindGroupLayout)(WGPUDevice device,
    const WGPUBindGroupLayoutDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPU_NULLABLE WGPUBuffer (*WGPUProcDeviceCreateBuffer)(WGPUDevice device,
    const WGPUBufferDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUCommandEncoder (*WGPUProcDeviceCreateCommandEncoder)(WGPUDevice device,
    WGPU_NULLABLE const WGPUCommandEncoderDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUComputePipeline (*WGPUProcDeviceCreateComputePipeline)(WGPUDevice device,
    const WGPUComputePipelineDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcDeviceCreateComputePipelineAsync)(WGPUDevice device,
    const WGPUComputePipelineDescriptor *descriptor,
    WGPUCreateComputePipelineAsyncCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUPipelineLayout (*WGPUProcDeviceCreatePipelineLayout)(WGPUDevice device,
    const WGPUPipelineLayoutDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUQuerySet (*WGPUProcDeviceCreateQuerySet)(WGPUDevice device,
    const WGPUQuerySetDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPURenderBundleEncoder (*WGPUProcDeviceCreateRenderBundleEncoder)(WGPUDevice device,
    const WGPURenderBundleEncoderDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPURenderPipeline (*WGPUProcDeviceCreateRenderPipeline)(WGPUDevice device,
    const WGPURenderPipelineDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcDeviceCreateRenderPipelineAsync)(WGPUDevice device,
    const WGPURenderPipelineDescriptor *descriptor,
    WGPUCreateRenderPipelineAsyncCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUSampler (*WGPUProcDeviceCreateSampler)(WGPUDevice device,
    WGPU_NULLABLE const WGPUSamplerDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUShaderModule (*WGPUProcDeviceCreateShaderModule)(WGPUDevice device,
    const WGPUShaderModuleDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUTexture (*WGPUProcDeviceCreateTexture)(WGPUDevice device,
    const WGPUTextureDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcDeviceDestroy)(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcDeviceGetAdapterInfo)(WGPUDevice device,
    WGPUAdapterInfo *adapterInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcDeviceGetFeatures)(WGPUDevice device,
    WGPUSupportedFeatures *features) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcDeviceGetLimits)(WGPUDevice device,
    WGPULimits *limits) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcDeviceGetLostFuture)(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUQueue (*WGPUProcDeviceGetQueue)(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBool (*WGPUProcDeviceHasFeature)(WGPUDevice device,
    WGPUFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcDevicePopErrorScope)(WGPUDevice device,
    WGPUPopErrorScopeCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcDevicePushErrorScope)(WGPUDevice device,
    WGPUErrorFilter filter) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcDeviceSetLabel)(WGPUDevice device,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcDeviceAddRef)(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcDeviceRelease)(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcExternalTextureSetLabel)(WGPUExternalTexture externalTexture,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcExternalTextureAddRef)(
    WGPUExternalTexture externalTexture) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcExternalTextureRelease)(
    WGPUExternalTexture externalTexture) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUSurface (*WGPUProcInstanceCreateSurface)(WGPUInstance instance,
    const WGPUSurfaceDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcInstanceGetWGSLLanguageFeatures)(WGPUInstance instance,
    WGPUSupportedWGSLLanguageFeatures *features) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBool (*WGPUProcInstanceHasWGSLLanguageFeature)(WGPUInstance instance,
    WGPUWGSLLanguageFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcInstanceProcessEvents)(WGPUInstance instance) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcInstanceRequestAdapter)(WGPUInstance instance,
    WGPU_NULLABLE const WGPURequestAdapterOptions *options,
    WGPURequestAdapterCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUWaitStatus (*WGPUProcInstanceWaitAny)(WGPUInstance instance, size_t futureCount,
    WGPU_NULLABLE WGPUFutureWaitInfo *futures, uint64_t timeoutNS) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcInstanceAddRef)(WGPUInstance instance) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcInstanceRelease)(WGPUInstance instance) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcPipelineLayoutSetLabel)(WGPUPipelineLayout pipelineLayout,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcPipelineLayoutAddRef)(
    WGPUPipelineLayout pipelineLayout) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcPipelineLayoutRelease)(
    WGPUPipelineLayout pipelineLayout) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQuerySetDestroy)(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
typedef uint32_t (*WGPUProcQuerySetGetCount)(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUQueryType (*WGPUProcQuerySetGetType)(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQuerySetSetLabel)(WGPUQuerySet querySet,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQuerySetAddRef)(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQuerySetRelease)(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcQueueOnSubmittedWorkDone)(WGPUQueue queue,
    WGPUQueueWorkDoneCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQueueSetLabel)(WGPUQueue queue,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQueueSubmit)(WGPUQueue queue, size_t commandCount,
    const WGPUCommandBuffer *commands) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQueueWriteBuffer)(WGPUQueue queue, WGPUBuffer buffer, uint64_t bufferOffset,
    const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQueueWriteTexture)(WGPUQueue queue,
    const WGPUTexelCopyTextureInfo *destination, const void *data, size_t dataSize,
    const WGPUTexelCopyBufferLayout *dataLayout,
    const WGPUExtent3D *writeSize) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQueueAddRef)(WGPUQueue queue) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcQueueRelease)(WGPUQueue queue) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleSetLabel)(WGPURenderBundle renderBundle,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleAddRef)(WGPURenderBundle renderBundle) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleRelease)(WGPURenderBundle renderBundle) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderDraw)(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderDrawIndexed)(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex, int32_t baseVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderDrawIndexedIndirect)(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderDrawIndirect)(WGPURenderBundleEncoder renderBundleEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPURenderBundle (*WGPUProcRenderBundleEncoderFinish)(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPU_NULLABLE const WGPURenderBundleDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderInsertDebugMarker)(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderPopDebugGroup)(
    WGPURenderBundleEncoder renderBundleEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderPushDebugGroup)(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderSetBindGroup)(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t groupIndex, WGPU_NULLABLE WGPUBindGroup group, size_t dynamicOffsetCount,
    const uint32_t *dynamicOffsets) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderSetImmediates)(
    WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t offset, const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderSetIndexBuffer)(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPUBuffer buffer, WGPUIndexFormat format, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderSetLabel)(WGPURenderBundleEncoder renderBundleEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderSetPipeline)(WGPURenderBundleEncoder renderBundleEncoder,
    WGPURenderPipeline pipeline) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderSetVertexBuffer)(
    WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t slot, WGPU_NULLABLE WGPUBuffer buffer, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderAddRef)(
    WGPURenderBundleEncoder renderBundleEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderBundleEncoderRelease)(
    WGPURenderBundleEncoder renderBundleEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderBeginOcclusionQuery)(
    WGPURenderPassEncoder renderPassEncoder,
    uint32_t queryIndex) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderDraw)(WGPURenderPassEncoder renderPassEncoder,
    uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderDrawIndexed)(WGPURenderPassEncoder renderPassEncoder,
    uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex, int32_t baseVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderDrawIndexedIndirect)(
    WGPURenderPassEncoder renderPassEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderDrawIndirect)(WGPURenderPassEncoder renderPassEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderEnd)(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderEndOcclusionQuery)(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderExecuteBundles)(WGPURenderPassEncoder renderPassEncoder,
    size_t bundleCount, const WGPURenderBundle *bundles) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderInsertDebugMarker)(WGPURenderPassEncoder renderPassEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderPopDebugGroup)(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderPushDebugGroup)(WGPURenderPassEncoder renderPassEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetBindGroup)(WGPURenderPassEncoder renderPassEncoder,
    uint32_t groupIndex, WGPU_NULLABLE WGPUBindGroup group, size_t dynamicOffsetCount,
    const uint32_t *dynamicOffsets) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetBlendConstant)(WGPURenderPassEncoder renderPassEncoder,
    const WGPUColor *color) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetImmediates)(WGPURenderPassEncoder renderPassEncoder,
    uint32_t offset, const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetIndexBuffer)(WGPURenderPassEncoder renderPassEncoder,
    WGPUBuffer buffer, WGPUIndexFormat format, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetLabel)(WGPURenderPassEncoder renderPassEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetPipeline)(WGPURenderPassEncoder renderPassEncoder,
    WGPURenderPipeline pipeline) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetScissorRect)(WGPURenderPassEncoder renderPassEncoder,
    uint32_t x, uint32_t y, uint32_t width, uint32_t height) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetStencilReference)(
    WGPURenderPassEncoder renderPassEncoder,
    uint32_t reference) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetVertexBuffer)(WGPURenderPassEncoder renderPassEncoder,
    uint32_t slot, WGPU_NULLABLE WGPUBuffer buffer, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderSetViewport)(WGPURenderPassEncoder renderPassEncoder,
    float x, float y, float width, float height, float minDepth,
    float maxDepth) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderAddRef)(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPassEncoderRelease)(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUBindGroupLayout (*WGPUProcRenderPipelineGetBindGroupLayout)(
    WGPURenderPipeline renderPipeline,
    uint32_t groupIndex) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPipelineSetLabel)(WGPURenderPipeline renderPipeline,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPipelineAddRef)(
    WGPURenderPipeline renderPipeline) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcRenderPipelineRelease)(
    WGPURenderPipeline renderPipeline) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSamplerSetLabel)(WGPUSampler sampler,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSamplerAddRef)(WGPUSampler sampler) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSamplerRelease)(WGPUSampler sampler) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUFuture (*WGPUProcShaderModuleGetCompilationInfo)(WGPUShaderModule shaderModule,
    WGPUCompilationInfoCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcShaderModuleSetLabel)(WGPUShaderModule shaderModule,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcShaderModuleAddRef)(WGPUShaderModule shaderModule) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcShaderModuleRelease)(WGPUShaderModule shaderModule) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSupportedFeaturesFreeMembers)(
    WGPUSupportedFeatures supportedFeatures) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSupportedInstanceFeaturesFreeMembers)(
    WGPUSupportedInstanceFeatures supportedInstanceFeatures) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSupportedWGSLLanguageFeaturesFreeMembers)(
    WGPUSupportedWGSLLanguageFeatures supportedWGSLLanguageFeatures) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSurfaceConfigure)(WGPUSurface surface,
    const WGPUSurfaceConfiguration *config) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcSurfaceGetCapabilities)(WGPUSurface surface, WGPUAdapter adapter,
    WGPUSurfaceCapabilities *capabilities) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSurfaceGetCurrentTexture)(WGPUSurface surface,
    WGPUSurfaceTexture *surfaceTexture) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUStatus (*WGPUProcSurfacePresent)(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSurfaceSetLabel)(WGPUSurface surface,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSurfaceUnconfigure)(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSurfaceAddRef)(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSurfaceRelease)(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcSurfaceCapabilitiesFreeMembers)(
    WGPUSurfaceCapabilities surfaceCapabilities) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUTextureView (*WGPUProcTextureCreateView)(WGPUTexture texture,
    WGPU_NULLABLE const WGPUTextureViewDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcTextureDestroy)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef uint32_t (*WGPUProcTextureGetDepthOrArrayLayers)(
    WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUTextureDimension (*WGPUProcTextureGetDimension)(
    WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUTextureFormat (*WGPUProcTextureGetFormat)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef uint32_t (*WGPUProcTextureGetHeight)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef uint32_t (*WGPUProcTextureGetMipLevelCount)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef uint32_t (*WGPUProcTextureGetSampleCount)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUTextureViewDimension (*WGPUProcTextureGetTextureBindingViewDimension)(
    WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef WGPUTextureUsage (*WGPUProcTextureGetUsage)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef uint32_t (*WGPUProcTextureGetWidth)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcTextureSetLabel)(WGPUTexture texture,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcTextureAddRef)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcTextureRelease)(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcTextureViewSetLabel)(WGPUTextureView textureView,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcTextureViewAddRef)(WGPUTextureView textureView) WGPU_FUNCTION_ATTRIBUTE;
typedef void (*WGPUProcTextureViewRelease)(WGPUTextureView textureView) WGPU_FUNCTION_ATTRIBUTE;

#endif // !defined(WGPU_SKIP_PROCS)

#if !defined(WGPU_SKIP_DECLARATIONS)

//
// Global functions
//

// The root of everything. NULL descriptor: no features, least limits. Returns NULL if a required
// feature or limit is not there, a chained struct is unknown, or memory is short. When its last
// reference is released, callbacks that are still due run with CallbackCancelled before the call
// returns.
WGPU_EXPORT WGPUInstance wgpuCreateInstance(
    WGPU_NULLABLE const WGPUInstanceDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// What wgpuCreateInstance can be asked for. Free with wgpuSupportedInstanceFeaturesFreeMembers.
WGPU_EXPORT void wgpuGetInstanceFeatures(
    WGPUSupportedInstanceFeatures *features) WGPU_FUNCTION_ATTRIBUTE;

// The most that wgpuCreateInstance can be asked for. Error if a chained struct is unknown.
WGPU_EXPORT WGPUStatus wgpuGetInstanceLimits(WGPUInstanceLimits *limits) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT WGPUBool wgpuHasInstanceFeature(
    WGPUInstanceFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;

// The function of that name, or NULL. Compares names exactly; needs no instance.
WGPU_EXPORT WGPUProc wgpuGetProcAddress(WGPUStringView procName) WGPU_FUNCTION_ATTRIBUTE;

// NULL lists are allowed, here and in every FreeMembers. The struct itself is the caller's.
WGPU_EXPORT void wgpuSupportedInstanceFeaturesFreeMembers(
    WGPUSupportedInstanceFeatures supportedInstanceFeatures) WGPU_FUNCTION_ATTRIBUTE;

//
// Instance functions
//

// A surface for the one window that is chained. Without a window system that alba knows, an invalid
// surface; see alba/alba.h for one without a window.
WGPU_EXPORT WGPUSurface wgpuInstanceCreateSurface(WGPUInstance instance,
    const WGPUSurfaceDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// Free with wgpuSupportedWGSLLanguageFeaturesFreeMembers.
WGPU_EXPORT void wgpuInstanceGetWGSLLanguageFeatures(WGPUInstance instance,
    WGPUSupportedWGSLLanguageFeatures *features) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT WGPUBool wgpuInstanceHasWGSLLanguageFeature(WGPUInstance instance,
    WGPUWGSLLanguageFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;

// Runs the callbacks that are due and whose mode allows it, on this thread, and returns; waits for
// nothing.
WGPU_EXPORT void wgpuInstanceProcessEvents(WGPUInstance instance) WGPU_FUNCTION_ATTRIBUTE;

// Finds an adapter; NULL options: any. See WGPURequestAdapterOptions.
WGPU_EXPORT WGPUFuture wgpuInstanceRequestAdapter(WGPUInstance instance,
    WGPU_NULLABLE const WGPURequestAdapterOptions *options,
    WGPURequestAdapterCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

// Waits up to timeoutNS nanoseconds for at least one of the futures, then runs the callbacks of
// those that are complete, on this thread. 0 does not wait; UINT64_MAX waits without end. A future
// that is unknown or long done counts as complete. More than 0 needs
// WGPUInstanceFeatureName_TimedWaitAny.
WGPU_EXPORT WGPUWaitStatus wgpuInstanceWaitAny(WGPUInstance instance, size_t futureCount,
    WGPU_NULLABLE WGPUFutureWaitInfo *futures, uint64_t timeoutNS) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuInstanceAddRef(WGPUInstance instance) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuInstanceRelease(WGPUInstance instance) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuSupportedWGSLLanguageFeaturesFreeMembers(
    WGPUSupportedWGSLLanguageFeatures supportedWGSLLanguageFeatures) WGPU_FUNCTION_ATTRIBUTE;

//
// Adapter functions
//

// What a device can be asked for. Free with wgpuSupportedFeaturesFreeMembers.
WGPU_EXPORT void wgpuAdapterGetFeatures(WGPUAdapter adapter,
    WGPUSupportedFeatures *features) WGPU_FUNCTION_ATTRIBUTE;

// Free with wgpuAdapterInfoFreeMembers. Error if a chained struct is unknown.
WGPU_EXPORT WGPUStatus wgpuAdapterGetInfo(WGPUAdapter adapter,
    WGPUAdapterInfo *info) WGPU_FUNCTION_ATTRIBUTE;

// The most that a device can be asked for. Error if a chained struct is unknown.
WGPU_EXPORT WGPUStatus wgpuAdapterGetLimits(WGPUAdapter adapter,
    WGPULimits *limits) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT WGPUBool wgpuAdapterHasFeature(WGPUAdapter adapter,
    WGPUFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;

// Makes a device; NULL descriptor: defaults. Fails with Error if a feature or limit is more than
// the adapter has, or the adapter is used up (WebGPU §"requestDevice").
WGPU_EXPORT WGPUFuture wgpuAdapterRequestDevice(WGPUAdapter adapter,
    WGPU_NULLABLE const WGPUDeviceDescriptor *descriptor,
    WGPURequestDeviceCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuAdapterAddRef(WGPUAdapter adapter) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuAdapterRelease(WGPUAdapter adapter) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuAdapterInfoFreeMembers(WGPUAdapterInfo adapterInfo) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuSupportedFeaturesFreeMembers(
    WGPUSupportedFeatures supportedFeatures) WGPU_FUNCTION_ATTRIBUTE;

//
// Device functions
//
// Everything that a create function returns is the caller's to release, valid or not. Objects of
// one device cannot be used with another.
//

// WebGPU §"createBindGroup". Keeps the bound objects alive.
WGPU_EXPORT WGPUBindGroup wgpuDeviceCreateBindGroup(WGPUDevice device,
    const WGPUBindGroupDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"createBindGroupLayout".
WGPU_EXPORT WGPUBindGroupLayout wgpuDeviceCreateBindGroupLayout(WGPUDevice device,
    const WGPUBindGroupLayoutDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"createBuffer". The bytes read as zero until written. A size beyond the memory budget is
// an out-of-memory error. Returns NULL only if the buffer was to be mapped at creation and there is
// no memory to map.
WGPU_EXPORT WGPU_NULLABLE WGPUBuffer wgpuDeviceCreateBuffer(WGPUDevice device,
    const WGPUBufferDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// NULL descriptor: no label.
WGPU_EXPORT WGPUCommandEncoder wgpuDeviceCreateCommandEncoder(WGPUDevice device,
    WGPU_NULLABLE const WGPUCommandEncoderDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// Compiles before it returns. An invalid pipeline reports all of its shader's errors in the
// message.
WGPU_EXPORT WGPUComputePipeline wgpuDeviceCreateComputePipeline(WGPUDevice device,
    const WGPUComputePipelineDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// Compiles on another thread.
WGPU_EXPORT WGPUFuture wgpuDeviceCreateComputePipelineAsync(WGPUDevice device,
    const WGPUComputePipelineDescriptor *descriptor,
    WGPUCreateComputePipelineAsyncCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"createPipelineLayout".
WGPU_EXPORT WGPUPipelineLayout wgpuDeviceCreatePipelineLayout(WGPUDevice device,
    const WGPUPipelineLayoutDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"createQuerySet".
WGPU_EXPORT WGPUQuerySet wgpuDeviceCreateQuerySet(WGPUDevice device,
    const WGPUQuerySetDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"createRenderBundleEncoder".
WGPU_EXPORT WGPURenderBundleEncoder wgpuDeviceCreateRenderBundleEncoder(WGPUDevice device,
    const WGPURenderBundleEncoderDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"createRenderPipeline".
WGPU_EXPORT WGPURenderPipeline wgpuDeviceCreateRenderPipeline(WGPUDevice device,
    const WGPURenderPipelineDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT WGPUFuture wgpuDeviceCreateRenderPipelineAsync(WGPUDevice device,
    const WGPURenderPipelineDescriptor *descriptor,
    WGPUCreateRenderPipelineAsyncCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

// NULL descriptor: all defaults.
WGPU_EXPORT WGPUSampler wgpuDeviceCreateSampler(WGPUDevice device,
    WGPU_NULLABLE const WGPUSamplerDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// Parses and checks the source. A module with errors is invalid and a validation error;
// wgpuShaderModuleGetCompilationInfo has them one by one.
WGPU_EXPORT WGPUShaderModule wgpuDeviceCreateShaderModule(WGPUDevice device,
    const WGPUShaderModuleDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"createTexture". The texels read as zero until written.
WGPU_EXPORT WGPUTexture wgpuDeviceCreateTexture(WGPUDevice device,
    const WGPUTextureDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// Destroys all buffers, textures and query sets of the device and loses it, with reason Destroyed.
// May be called again.
WGPU_EXPORT void wgpuDeviceDestroy(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

// As wgpuAdapterGetInfo of its adapter.
WGPU_EXPORT WGPUStatus wgpuDeviceGetAdapterInfo(WGPUDevice device,
    WGPUAdapterInfo *adapterInfo) WGPU_FUNCTION_ATTRIBUTE;

// Free with wgpuSupportedFeaturesFreeMembers.
WGPU_EXPORT void wgpuDeviceGetFeatures(WGPUDevice device,
    WGPUSupportedFeatures *features) WGPU_FUNCTION_ATTRIBUTE;

// What the device enforces. Error if a chained struct is unknown.
WGPU_EXPORT WGPUStatus wgpuDeviceGetLimits(WGPUDevice device,
    WGPULimits *limits) WGPU_FUNCTION_ATTRIBUTE;

// Completes when the device is lost; the callback is the descriptor's.
WGPU_EXPORT WGPUFuture wgpuDeviceGetLostFuture(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

// The device's one queue, with a reference for the caller.
WGPU_EXPORT WGPUQueue wgpuDeviceGetQueue(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT WGPUBool wgpuDeviceHasFeature(WGPUDevice device,
    WGPUFeatureName feature) WGPU_FUNCTION_ATTRIBUTE;

// Ends the innermost scope of this thread and reports what it caught.
WGPU_EXPORT WGPUFuture wgpuDevicePopErrorScope(WGPUDevice device,
    WGPUPopErrorScopeCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

// Opens a scope for errors that later calls of this thread cause, until the matching pop. Each
// thread has a stack of its own.
WGPU_EXPORT void wgpuDevicePushErrorScope(WGPUDevice device,
    WGPUErrorFilter filter) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuDeviceSetLabel(WGPUDevice device,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuDeviceAddRef(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuDeviceRelease(WGPUDevice device) WGPU_FUNCTION_ATTRIBUTE;

//
// Queue functions
//

// See WGPUQueueWorkDoneCallback.
WGPU_EXPORT WGPUFuture wgpuQueueOnSubmittedWorkDone(WGPUQueue queue,
    WGPUQueueWorkDoneCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuQueueSetLabel(WGPUQueue queue, WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;

// Hands the command buffers over for execution, in order, and returns at once. Each can be
// submitted once, and is then of no use but to be released. If one rule is broken (a mapped or
// destroyed buffer is used, say) nothing of the submission is executed.
WGPU_EXPORT void wgpuQueueSubmit(WGPUQueue queue, size_t commandCount,
    const WGPUCommandBuffer *commands) WGPU_FUNCTION_ATTRIBUTE;

// Copies the bytes before it returns: the source may be reused at once. The write happens before
// all later submissions and after all earlier ones. bufferOffset and size are multiples of 4; the
// buffer has CopyDst and is not mapped.
WGPU_EXPORT void wgpuQueueWriteBuffer(WGPUQueue queue, WGPUBuffer buffer, uint64_t bufferOffset,
    const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;

// As wgpuQueueWriteBuffer, for texel blocks that lie in `data` as dataLayout says. No row
// alignment.
WGPU_EXPORT void wgpuQueueWriteTexture(WGPUQueue queue, const WGPUTexelCopyTextureInfo *destination,
    const void *data, size_t dataSize, const WGPUTexelCopyBufferLayout *dataLayout,
    const WGPUExtent3D *writeSize) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuQueueAddRef(WGPUQueue queue) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuQueueRelease(WGPUQueue queue) WGPU_FUNCTION_ATTRIBUTE;

//
// Buffer functions
//

// Gives the memory back when the last submitted use is done. A mapping ends; submitting a use
// afterwards is an error. May be called again.
WGPU_EXPORT void wgpuBufferDestroy(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;

// As wgpuBufferGetMappedRange, for reading; of a buffer that is mapped for reading or writing.
// Ranges for reading may overlap each other.
WGPU_EXPORT const void *wgpuBufferGetConstMappedRange(WGPUBuffer buffer, size_t offset,
    size_t size) WGPU_FUNCTION_ATTRIBUTE;

// A pointer to `size` bytes at `offset` of the buffer, inside what is mapped for writing;
// WGPU_WHOLE_MAP_SIZE: to its end. offset is a multiple of 8 and size of 4. NULL, with a line in
// the log, if a rule is broken or the range overlaps one that was handed out before. Aligned as
// offset is, up to 16 bytes. Valid until wgpuBufferUnmap or wgpuBufferDestroy.
WGPU_EXPORT void *wgpuBufferGetMappedRange(WGPUBuffer buffer, size_t offset,
    size_t size) WGPU_FUNCTION_ATTRIBUTE;

// A moment's truth, if other threads use the buffer.
WGPU_EXPORT WGPUBufferMapState wgpuBufferGetMapState(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT uint64_t wgpuBufferGetSize(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT WGPUBufferUsage wgpuBufferGetUsage(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;

// Maps a range when all work submitted before the call that uses the buffer is done. offset is a
// multiple of 8, size of 4; WGPU_WHOLE_MAP_SIZE: to the buffer's end. The buffer is unmapped, and
// of the usage that `mode` needs. Until wgpuBufferUnmap it cannot be used by a submission.
WGPU_EXPORT WGPUFuture wgpuBufferMapAsync(WGPUBuffer buffer, WGPUMapMode mode, size_t offset,
    size_t size, WGPUBufferMapCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

// Copies out of the mapped range, by the rules of wgpuBufferGetConstMappedRange; hands out no
// pointer. Error if nothing was copied.
WGPU_EXPORT WGPUStatus wgpuBufferReadMappedRange(WGPUBuffer buffer, size_t offset, void *data,
    size_t size) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuBufferSetLabel(WGPUBuffer buffer,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;

// Ends a mapping, or aborts one that is pending; writes become visible to what is submitted
// afterwards. On an unmapped buffer it does nothing.
WGPU_EXPORT void wgpuBufferUnmap(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;

// Copies into the mapped range, by the rules of wgpuBufferGetMappedRange; hands out no pointer.
// Error if nothing was copied.
WGPU_EXPORT WGPUStatus wgpuBufferWriteMappedRange(WGPUBuffer buffer, size_t offset,
    const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuBufferAddRef(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuBufferRelease(WGPUBuffer buffer) WGPU_FUNCTION_ATTRIBUTE;

//
// Texture functions
//

// NULL descriptor: all of the texture, in its own format.
WGPU_EXPORT WGPUTextureView wgpuTextureCreateView(WGPUTexture texture,
    WGPU_NULLABLE const WGPUTextureViewDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// As wgpuBufferDestroy; its views become useless with it.
WGPU_EXPORT void wgpuTextureDestroy(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT uint32_t wgpuTextureGetDepthOrArrayLayers(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT WGPUTextureDimension wgpuTextureGetDimension(
    WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT WGPUTextureFormat wgpuTextureGetFormat(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT uint32_t wgpuTextureGetHeight(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT uint32_t wgpuTextureGetMipLevelCount(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT uint32_t wgpuTextureGetSampleCount(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;

// Undefined on a core device.
WGPU_EXPORT WGPUTextureViewDimension wgpuTextureGetTextureBindingViewDimension(
    WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT WGPUTextureUsage wgpuTextureGetUsage(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT uint32_t wgpuTextureGetWidth(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuTextureSetLabel(WGPUTexture texture,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuTextureAddRef(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuTextureRelease(WGPUTexture texture) WGPU_FUNCTION_ATTRIBUTE;

//
// Texture view, external texture and sampler functions
//

WGPU_EXPORT void wgpuTextureViewSetLabel(WGPUTextureView textureView,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuTextureViewAddRef(WGPUTextureView textureView) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuTextureViewRelease(WGPUTextureView textureView) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuExternalTextureSetLabel(WGPUExternalTexture externalTexture,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuExternalTextureAddRef(
    WGPUExternalTexture externalTexture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuExternalTextureRelease(
    WGPUExternalTexture externalTexture) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuSamplerSetLabel(WGPUSampler sampler,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuSamplerAddRef(WGPUSampler sampler) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuSamplerRelease(WGPUSampler sampler) WGPU_FUNCTION_ATTRIBUTE;

//
// Bind group, bind group layout and pipeline layout functions
//

WGPU_EXPORT void wgpuBindGroupLayoutSetLabel(WGPUBindGroupLayout bindGroupLayout,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuBindGroupLayoutAddRef(
    WGPUBindGroupLayout bindGroupLayout) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuBindGroupLayoutRelease(
    WGPUBindGroupLayout bindGroupLayout) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuBindGroupSetLabel(WGPUBindGroup bindGroup,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuBindGroupAddRef(WGPUBindGroup bindGroup) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuBindGroupRelease(WGPUBindGroup bindGroup) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuPipelineLayoutSetLabel(WGPUPipelineLayout pipelineLayout,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuPipelineLayoutAddRef(
    WGPUPipelineLayout pipelineLayout) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuPipelineLayoutRelease(
    WGPUPipelineLayout pipelineLayout) WGPU_FUNCTION_ATTRIBUTE;

//
// Shader module functions
//

// All messages, warnings too, in the order of their places.
WGPU_EXPORT WGPUFuture wgpuShaderModuleGetCompilationInfo(WGPUShaderModule shaderModule,
    WGPUCompilationInfoCallbackInfo callbackInfo) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuShaderModuleSetLabel(WGPUShaderModule shaderModule,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuShaderModuleAddRef(WGPUShaderModule shaderModule) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuShaderModuleRelease(WGPUShaderModule shaderModule) WGPU_FUNCTION_ATTRIBUTE;

//
// Pipeline functions
//

// The layout of a group, the pipeline's own or the one that it was made with. An index beyond the
// layout is an error and gives an invalid layout.
WGPU_EXPORT WGPUBindGroupLayout wgpuComputePipelineGetBindGroupLayout(
    WGPUComputePipeline computePipeline,
    uint32_t groupIndex) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuComputePipelineSetLabel(WGPUComputePipeline computePipeline,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuComputePipelineAddRef(
    WGPUComputePipeline computePipeline) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuComputePipelineRelease(
    WGPUComputePipeline computePipeline) WGPU_FUNCTION_ATTRIBUTE;

// As for compute pipelines.
WGPU_EXPORT WGPUBindGroupLayout wgpuRenderPipelineGetBindGroupLayout(
    WGPURenderPipeline renderPipeline,
    uint32_t groupIndex) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderPipelineSetLabel(WGPURenderPipeline renderPipeline,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPipelineAddRef(
    WGPURenderPipeline renderPipeline) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPipelineRelease(
    WGPURenderPipeline renderPipeline) WGPU_FUNCTION_ATTRIBUTE;

//
// Command encoder and command buffer functions
//

// Until the pass has ended, the encoder itself takes no command. NULL descriptor: no label, no
// timestamps.
WGPU_EXPORT WGPUComputePassEncoder wgpuCommandEncoderBeginComputePass(
    WGPUCommandEncoder commandEncoder,
    WGPU_NULLABLE const WGPUComputePassDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"beginRenderPass". Attachments are cleared or loaded even if nothing is drawn.
WGPU_EXPORT WGPURenderPassEncoder wgpuCommandEncoderBeginRenderPass(
    WGPUCommandEncoder commandEncoder,
    const WGPURenderPassDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// Fills with zero bytes. offset and size are multiples of 4; WGPU_WHOLE_SIZE: to the buffer's end.
WGPU_EXPORT void wgpuCommandEncoderClearBuffer(WGPUCommandEncoder commandEncoder, WGPUBuffer buffer,
    uint64_t offset, uint64_t size) WGPU_FUNCTION_ATTRIBUTE;

// Offsets and size are multiples of 4; source and destination are different buffers.
WGPU_EXPORT void wgpuCommandEncoderCopyBufferToBuffer(WGPUCommandEncoder commandEncoder,
    WGPUBuffer source, uint64_t sourceOffset, WGPUBuffer destination, uint64_t destinationOffset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"copyBufferToTexture"; bytesPerRow is a multiple of 256.
WGPU_EXPORT void wgpuCommandEncoderCopyBufferToTexture(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyBufferInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"copyTextureToBuffer"; bytesPerRow is a multiple of 256.
WGPU_EXPORT void wgpuCommandEncoderCopyTextureToBuffer(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyBufferInfo *destination,
    const WGPUExtent3D *copySize) WGPU_FUNCTION_ATTRIBUTE;

// WebGPU §"copyTextureToTexture": formats that differ in sRGB at most.
WGPU_EXPORT void wgpuCommandEncoderCopyTextureToTexture(WGPUCommandEncoder commandEncoder,
    const WGPUTexelCopyTextureInfo *source, const WGPUTexelCopyTextureInfo *destination,
    const WGPUExtent3D *copySize) WGPU_FUNCTION_ATTRIBUTE;

// Ends the encoder and reports its first error, if it had one; the command buffer is invalid then.
// Any further call on the encoder is an error.
WGPU_EXPORT WGPUCommandBuffer wgpuCommandEncoderFinish(WGPUCommandEncoder commandEncoder,
    WGPU_NULLABLE const WGPUCommandBufferDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

// Debug markers and groups appear in messages and in the ledger. Groups must be balanced within
// their pass or encoder.
WGPU_EXPORT void wgpuCommandEncoderInsertDebugMarker(WGPUCommandEncoder commandEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuCommandEncoderPopDebugGroup(
    WGPUCommandEncoder commandEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuCommandEncoderPushDebugGroup(WGPUCommandEncoder commandEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;

// Writes queryCount numbers of 8 bytes. destinationOffset is a multiple of 256; the buffer has
// QueryResolve. Queries that were never written give 0.
WGPU_EXPORT void wgpuCommandEncoderResolveQuerySet(WGPUCommandEncoder commandEncoder,
    WGPUQuerySet querySet, uint32_t firstQuery, uint32_t queryCount, WGPUBuffer destination,
    uint64_t destinationOffset) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuCommandEncoderSetLabel(WGPUCommandEncoder commandEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;

// Not in the specification: an error unless the adapter has it. Use WGPUPassTimestampWrites.
WGPU_EXPORT void wgpuCommandEncoderWriteTimestamp(WGPUCommandEncoder commandEncoder,
    WGPUQuerySet querySet, uint32_t queryIndex) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuCommandEncoderAddRef(
    WGPUCommandEncoder commandEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuCommandEncoderRelease(
    WGPUCommandEncoder commandEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuCommandBufferSetLabel(WGPUCommandBuffer commandBuffer,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuCommandBufferAddRef(WGPUCommandBuffer commandBuffer) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuCommandBufferRelease(WGPUCommandBuffer commandBuffer) WGPU_FUNCTION_ATTRIBUTE;

//
// Compute pass functions
//
// Commands after End, or while the pass is not the encoder's open one, are errors that finish
// reports.
//

// Counts of workgroups, each up to maxComputeWorkgroupsPerDimension; 0 does nothing. Each dispatch
// is a usage scope of its own: it sees what earlier dispatches of the same pass wrote.
WGPU_EXPORT void wgpuComputePassEncoderDispatchWorkgroups(WGPUComputePassEncoder computePassEncoder,
    uint32_t workgroupCountX, uint32_t workgroupCountY,
    uint32_t workgroupCountZ) WGPU_FUNCTION_ATTRIBUTE;

// Three uint32_t at a multiple of 4, read when the dispatch is executed; a count beyond the limit
// makes it do nothing.
WGPU_EXPORT void wgpuComputePassEncoderDispatchWorkgroupsIndirect(
    WGPUComputePassEncoder computePassEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;

// Must come before the encoder's next command. Releasing the pass does not end it.
WGPU_EXPORT void wgpuComputePassEncoderEnd(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuComputePassEncoderInsertDebugMarker(WGPUComputePassEncoder computePassEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuComputePassEncoderPopDebugGroup(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuComputePassEncoderPushDebugGroup(WGPUComputePassEncoder computePassEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;

// NULL group: unset. One dynamic offset, in bytes, for each dynamic binding in the order of the
// binding numbers.
WGPU_EXPORT void wgpuComputePassEncoderSetBindGroup(WGPUComputePassEncoder computePassEncoder,
    uint32_t groupIndex, WGPU_NULLABLE WGPUBindGroup group, size_t dynamicOffsetCount,
    const uint32_t *dynamicOffsets) WGPU_FUNCTION_ATTRIBUTE;

// offset and size are multiples of 4; the data is copied.
WGPU_EXPORT void wgpuComputePassEncoderSetImmediates(WGPUComputePassEncoder computePassEncoder,
    uint32_t offset, const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuComputePassEncoderSetLabel(WGPUComputePassEncoder computePassEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuComputePassEncoderSetPipeline(WGPUComputePassEncoder computePassEncoder,
    WGPUComputePipeline pipeline) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuComputePassEncoderAddRef(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuComputePassEncoderRelease(
    WGPUComputePassEncoder computePassEncoder) WGPU_FUNCTION_ATTRIBUTE;

//
// Render pass functions
//

// Counts samples that pass until the end; one at a time, each index once a pass.
WGPU_EXPORT void wgpuRenderPassEncoderBeginOcclusionQuery(WGPURenderPassEncoder renderPassEncoder,
    uint32_t queryIndex) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderPassEncoderDraw(WGPURenderPassEncoder renderPassEncoder,
    uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPassEncoderDrawIndexed(WGPURenderPassEncoder renderPassEncoder,
    uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex, int32_t baseVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;

// indexCount, instanceCount, firstIndex, baseVertex, firstInstance: 20 bytes at a multiple of 4.
WGPU_EXPORT void wgpuRenderPassEncoderDrawIndexedIndirect(WGPURenderPassEncoder renderPassEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;

// vertexCount, instanceCount, firstVertex, firstInstance: 16 bytes at a multiple of 4.
WGPU_EXPORT void wgpuRenderPassEncoderDrawIndirect(WGPURenderPassEncoder renderPassEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;

// As wgpuComputePassEncoderEnd.
WGPU_EXPORT void wgpuRenderPassEncoderEnd(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderPassEncoderEndOcclusionQuery(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;

// Afterwards pipeline, bind groups and buffers are unset. Bundles may be executed again and again.
WGPU_EXPORT void wgpuRenderPassEncoderExecuteBundles(WGPURenderPassEncoder renderPassEncoder,
    size_t bundleCount, const WGPURenderBundle *bundles) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderPassEncoderInsertDebugMarker(WGPURenderPassEncoder renderPassEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPassEncoderPopDebugGroup(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPassEncoderPushDebugGroup(WGPURenderPassEncoder renderPassEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;

// As wgpuComputePassEncoderSetBindGroup.
WGPU_EXPORT void wgpuRenderPassEncoderSetBindGroup(WGPURenderPassEncoder renderPassEncoder,
    uint32_t groupIndex, WGPU_NULLABLE WGPUBindGroup group, size_t dynamicOffsetCount,
    const uint32_t *dynamicOffsets) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderPassEncoderSetBlendConstant(WGPURenderPassEncoder renderPassEncoder,
    const WGPUColor *color) WGPU_FUNCTION_ATTRIBUTE;

// As wgpuComputePassEncoderSetImmediates.
WGPU_EXPORT void wgpuRenderPassEncoderSetImmediates(WGPURenderPassEncoder renderPassEncoder,
    uint32_t offset, const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;

// offset is a multiple of the index size; WGPU_WHOLE_SIZE: to the buffer's end.
WGPU_EXPORT void wgpuRenderPassEncoderSetIndexBuffer(WGPURenderPassEncoder renderPassEncoder,
    WGPUBuffer buffer, WGPUIndexFormat format, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderPassEncoderSetLabel(WGPURenderPassEncoder renderPassEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPassEncoderSetPipeline(WGPURenderPassEncoder renderPassEncoder,
    WGPURenderPipeline pipeline) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPassEncoderSetScissorRect(WGPURenderPassEncoder renderPassEncoder,
    uint32_t x, uint32_t y, uint32_t width, uint32_t height) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPassEncoderSetStencilReference(WGPURenderPassEncoder renderPassEncoder,
    uint32_t reference) WGPU_FUNCTION_ATTRIBUTE;

// NULL buffer: unset, with offset and size 0. offset is a multiple of 4.
WGPU_EXPORT void wgpuRenderPassEncoderSetVertexBuffer(WGPURenderPassEncoder renderPassEncoder,
    uint32_t slot, WGPU_NULLABLE WGPUBuffer buffer, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;

// In texels; depth within [0, 1].
WGPU_EXPORT void wgpuRenderPassEncoderSetViewport(WGPURenderPassEncoder renderPassEncoder, float x,
    float y, float width, float height, float minDepth, float maxDepth) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderPassEncoderAddRef(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderPassEncoderRelease(
    WGPURenderPassEncoder renderPassEncoder) WGPU_FUNCTION_ATTRIBUTE;

//
// Render bundle functions
//
// Commands mean what they mean in a render pass.
//

WGPU_EXPORT void wgpuRenderBundleEncoderDraw(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t vertexCount, uint32_t instanceCount, uint32_t firstVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderDrawIndexed(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t indexCount, uint32_t instanceCount, uint32_t firstIndex, int32_t baseVertex,
    uint32_t firstInstance) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderDrawIndexedIndirect(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderDrawIndirect(WGPURenderBundleEncoder renderBundleEncoder,
    WGPUBuffer indirectBuffer, uint64_t indirectOffset) WGPU_FUNCTION_ATTRIBUTE;

// Ends the encoder, as wgpuCommandEncoderFinish.
WGPU_EXPORT WGPURenderBundle wgpuRenderBundleEncoderFinish(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPU_NULLABLE const WGPURenderBundleDescriptor *descriptor) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuRenderBundleEncoderInsertDebugMarker(
    WGPURenderBundleEncoder renderBundleEncoder,
    WGPUStringView markerLabel) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderPopDebugGroup(
    WGPURenderBundleEncoder renderBundleEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderPushDebugGroup(WGPURenderBundleEncoder renderBundleEncoder,
    WGPUStringView groupLabel) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderSetBindGroup(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t groupIndex, WGPU_NULLABLE WGPUBindGroup group, size_t dynamicOffsetCount,
    const uint32_t *dynamicOffsets) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderSetImmediates(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t offset, const void *data, size_t size) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderSetIndexBuffer(WGPURenderBundleEncoder renderBundleEncoder,
    WGPUBuffer buffer, WGPUIndexFormat format, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderSetLabel(WGPURenderBundleEncoder renderBundleEncoder,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderSetPipeline(WGPURenderBundleEncoder renderBundleEncoder,
    WGPURenderPipeline pipeline) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderSetVertexBuffer(WGPURenderBundleEncoder renderBundleEncoder,
    uint32_t slot, WGPU_NULLABLE WGPUBuffer buffer, uint64_t offset,
    uint64_t size) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderAddRef(
    WGPURenderBundleEncoder renderBundleEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleEncoderRelease(
    WGPURenderBundleEncoder renderBundleEncoder) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleSetLabel(WGPURenderBundle renderBundle,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleAddRef(WGPURenderBundle renderBundle) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuRenderBundleRelease(WGPURenderBundle renderBundle) WGPU_FUNCTION_ATTRIBUTE;

//
// Query set functions
//

// As wgpuBufferDestroy.
WGPU_EXPORT void wgpuQuerySetDestroy(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT uint32_t wgpuQuerySetGetCount(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT WGPUQueryType wgpuQuerySetGetType(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuQuerySetSetLabel(WGPUQuerySet querySet,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuQuerySetAddRef(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuQuerySetRelease(WGPUQuerySet querySet) WGPU_FUNCTION_ATTRIBUTE;

//
// Surface functions
//

// Sets size, format and mode for the frames to come; errors go to config->device. The current
// frame, if there is one, is destroyed.
WGPU_EXPORT void wgpuSurfaceConfigure(WGPUSurface surface,
    const WGPUSurfaceConfiguration *config) WGPU_FUNCTION_ATTRIBUTE;

// What `adapter` can present to the surface. Free with wgpuSurfaceCapabilitiesFreeMembers.
WGPU_EXPORT WGPUStatus wgpuSurfaceGetCapabilities(WGPUSurface surface, WGPUAdapter adapter,
    WGPUSurfaceCapabilities *capabilities) WGPU_FUNCTION_ATTRIBUTE;

// Begins a frame: the texture to draw, the caller's to release. Error, for one, when the last one
// was not presented yet.
WGPU_EXPORT void wgpuSurfaceGetCurrentTexture(WGPUSurface surface,
    WGPUSurfaceTexture *surfaceTexture) WGPU_FUNCTION_ATTRIBUTE;

// Shows the current frame and ends it. Error if there is none.
WGPU_EXPORT WGPUStatus wgpuSurfacePresent(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuSurfaceSetLabel(WGPUSurface surface,
    WGPUStringView label) WGPU_FUNCTION_ATTRIBUTE;

// Lets go of the device.
WGPU_EXPORT void wgpuSurfaceUnconfigure(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;

WGPU_EXPORT void wgpuSurfaceAddRef(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuSurfaceRelease(WGPUSurface surface) WGPU_FUNCTION_ATTRIBUTE;
WGPU_EXPORT void wgpuSurfaceCapabilitiesFreeMembers(
    WGPUSurfaceCapabilities surfaceCapabilities) WGPU_FUNCTION_ATTRIBUTE;

#endif // !defined(WGPU_SKIP_DECLARATIONS)

#if defined(__cplusplus)
} // extern "C"
#endif

#endif // WEBGPU_H_
