// SPDX-License-Identifier: MIT
//
// The CPU adapter: what it is, what it executes.
#include "backend/backend.h"

#include <stdio.h>

#include "backend/cpu/cpu_priv.h"
#include "backend/host_buffer.h"
#include "base/memory.h"
#include "base/os_cpu.h"

struct cpu_adapter {
    struct backend_adapter base;
    struct cpu_kernel_cache *cache;
};

// Generated code counts bytes of one binding in 32 bits, signed where it multiplies strides.
#define LARGEST_BINDING_BYTES UINT64_C(0x7ffffffc)

static uint64_t at_least(uint64_t wanted, uint64_t least) {
    return wanted < least ? least : wanted;
}

static void raise_limits(WGPULimits *limits) {
    uint64_t budget = host_memory_budget_bytes() & ~UINT64_C(3);
    uint64_t binding = budget < LARGEST_BINDING_BYTES ? budget : LARGEST_BINDING_BYTES;
    limits->maxBufferSize = at_least(budget, limits->maxBufferSize);
    limits->maxStorageBufferBindingSize = at_least(binding, limits->maxStorageBufferBindingSize);
    limits->maxUniformBufferBindingSize = at_least(binding, limits->maxUniformBufferBindingSize);
    limits->maxTextureDimension1D = 16384;
    limits->maxTextureDimension2D = 16384;
    limits->maxTextureArrayLayers = 2048;
    limits->maxStorageTexturesPerShaderStage = 8;
    limits->maxVertexBuffers = 16;
    limits->maxVertexAttributes = BACKEND_VERTEX_ATTRIBUTE_CAPACITY;
    limits->maxVertexBufferArrayStride = 8192;
    limits->maxInterStageShaderVariables = 32;
    limits->maxColorAttachments = COMMAND_COLOR_ATTACHMENT_CAPACITY;
    limits->maxColorAttachmentBytesPerSample = 128;
    limits->maxBindGroups = CPU_BIND_GROUP_COUNT;
    limits->maxBindGroupsPlusVertexBuffers = 24 + CPU_BIND_GROUP_COUNT - 4;
    limits->maxDynamicUniformBuffersPerPipelineLayout = 32;
    limits->maxDynamicStorageBuffersPerPipelineLayout = 32;
    limits->maxStorageBuffersPerShaderStage = 64;
    limits->maxUniformBuffersPerShaderStage = 64;
    limits->minUniformBufferOffsetAlignment = 32;
    limits->minStorageBufferOffsetAlignment = 32;
    limits->maxComputeWorkgroupStorageSize = 65536;
    limits->maxComputeInvocationsPerWorkgroup = 1024;
    limits->maxComputeWorkgroupSizeX = 1024;
    limits->maxComputeWorkgroupSizeY = 1024;
    limits->maxComputeWorkgroupSizeZ = 1024;
    limits->maxImmediateSize = CPU_IMMEDIATE_BYTES;
}

static const WGPUFeatureName executed_features[] = {
    WGPUFeatureName_CoreFeaturesAndLimits,
    WGPUFeatureName_DepthClipControl,
    WGPUFeatureName_Depth32FloatStencil8,
    WGPUFeatureName_TextureCompressionBC,
    WGPUFeatureName_TextureCompressionBCSliced3D,
    WGPUFeatureName_TextureCompressionETC2,
    WGPUFeatureName_TextureCompressionASTC,
    WGPUFeatureName_TextureCompressionASTCSliced3D,
    WGPUFeatureName_TimestampQuery,
    WGPUFeatureName_IndirectFirstInstance,
    WGPUFeatureName_ShaderF16,
    WGPUFeatureName_Subgroups,
    WGPUFeatureName_RG11B10UfloatRenderable,
    WGPUFeatureName_BGRA8UnormStorage,
    WGPUFeatureName_Float32Filterable,
    WGPUFeatureName_Float32Blendable,
    WGPUFeatureName_ClipDistances,
    WGPUFeatureName_DualSourceBlending,
    WGPUFeatureName_TextureFormatsTier1,
    WGPUFeatureName_TextureFormatsTier2,
    WGPUFeatureName_PrimitiveIndex,
    WGPUFeatureName_TextureComponentSwizzle,
};

// webgpu.h's normalised identifiers: lower-case letters and digits, single hyphens between them.
static void write_identifier(const char *text, size_t size, char *out) {
    size_t length = 0;
    for (; *text != '\0' && length + 2 < size; text++) {
        bool is_upper = *text >= 'A' && *text <= 'Z';
        if (is_upper || (*text >= 'a' && *text <= 'z') || (*text >= '0' && *text <= '9')) {
            out[length++] = is_upper ? (char)(*text - 'A' + 'a') : *text;
        } else if (length > 0 && out[length - 1] != '-') {
            out[length++] = '-';
        }
    }
    while (length > 0 && out[length - 1] == '-') {
        length--;
    }
    out[length] = '\0';
}

static void get_info(struct backend_adapter *adapter, struct backend_adapter_info *out_info) {
    (void)adapter;
    *out_info = (struct backend_adapter_info){
        .type = BACKEND_CPU,
        .adapter_type = WGPUAdapterType_CPU,
        .subgroup_min_size = 4,
        .subgroup_max_size = 128,
        .has_unified_memory = true,
        .limits = limits_get_default(),
    };
    struct os_cpu_info cpu;
    os_cpu_get_info(&cpu);
    write_identifier(cpu.vendor, sizeof(out_info->vendor), out_info->vendor);
    write_identifier(cpu.architecture, sizeof(out_info->architecture), out_info->architecture);
    write_identifier(cpu.name, sizeof(out_info->device), out_info->device);
    snprintf(out_info->description, sizeof(out_info->description),
             "alba on %s (family %u, model %u), %u CPUs usable", cpu.name, (unsigned)cpu.family,
             (unsigned)cpu.model, (unsigned)os_cpu_usable_count());
    raise_limits(&out_info->limits);
    for (size_t i = 0; i < sizeof(executed_features) / sizeof(executed_features[0]); i++) {
        out_info->features = feature_set_with(out_info->features, executed_features[i]);
    }
}

static enum backend_status device_create(struct backend_adapter *adapter,
                                         const struct backend_device_options *options,
                                         struct backend_device **out_device) {
    return cpu_device_create(((struct cpu_adapter *)adapter)->cache, options, out_device);
}

static void adapter_destroy(struct backend_adapter *adapter) {
    cpu_kernel_cache_unref(((struct cpu_adapter *)adapter)->cache);
    memory_free(adapter);
}

static const struct backend_adapter_functions adapter_functions = {
    .get_info = get_info,
    .device_create = device_create,
    .destroy = adapter_destroy,
};

static size_t enumerate(struct backend_adapter **out_adapters, size_t capacity) {
    if (capacity == 0) {
        return 0;
    }
    struct cpu_adapter *adapter = memory_allocate(MEMORY_OBJECT, sizeof(*adapter));
    if (adapter == NULL) {
        return 0;
    }
    adapter->base.functions = &adapter_functions;
    adapter->cache = cpu_kernel_cache_create();
    if (adapter->cache == NULL) {
        memory_free(adapter);
        return 0;
    }
    out_adapters[0] = &adapter->base;
    return 1;
}

const struct backend backend_cpu = {
    .type = BACKEND_CPU,
    .name = "cpu",
    .enumerate = enumerate,
};
