// SPDX-License-Identifier: MIT
//
// The smallest whole compute program: upload two arrays, run y = a * x + y, read the result back.
// Start here; every call of WebGPU's compute path appears once.
#include <stdio.h>

#include <webgpu/webgpu.h>

#include "common/example.h"

#define COUNT 1000u

extern const char hello_compute_wgsl[];

int main(int argument_count, char **arguments) {
    example_check_arguments(argument_count, arguments, 0, 0, "hello_compute");
    struct example gpu = example_open("hello compute");

    float x[COUNT], y[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1.0f;
    }
    WGPUBuffer x_buffer = example_buffer(&gpu, "x", WGPUBufferUsage_Storage, sizeof(x), x);
    WGPUBuffer y_buffer = example_buffer(
        &gpu, "y", WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc, sizeof(y), y);

    // The override constant `a` is set when the pipeline is made; the shader is compiled with it.
    WGPUShaderModule module = example_shader(&gpu, "saxpy", hello_compute_wgsl);
    WGPUConstantEntry constant = WGPU_CONSTANT_ENTRY_INIT;
    constant.key = example_text("a");
    constant.value = 3.0;
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = example_text("saxpy");
    descriptor.compute.module = module;
    descriptor.compute.constants = &constant;
    descriptor.compute.constantCount = 1;
    WGPUComputePipeline pipeline = wgpuDeviceCreateComputePipeline(gpu.device, &descriptor);

    WGPUBuffer buffers[] = {x_buffer, y_buffer};
    WGPUBindGroup group = example_bind_group(&gpu, pipeline, "saxpy", buffers, 2);

    WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(gpu.device, NULL);
    WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, (COUNT + 63) / 64, 1, 1);
    wgpuComputePassEncoderEnd(pass);
    WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuQueueSubmit(gpu.queue, 1, &commands);

    example_read_buffer(&gpu, y_buffer, y, sizeof(y));
    unsigned wrong = 0;
    for (unsigned i = 0; i < COUNT; i++) {
        wrong += y[i] != 3.0f * (float)i + 1.0f;
    }
    printf("y[0] = %g, y[1] = %g, y[999] = %g; %u of %u wrong\n", y[0], y[1], y[COUNT - 1], wrong,
           COUNT);

    wgpuCommandBufferRelease(commands);
    wgpuComputePassEncoderRelease(pass);
    wgpuCommandEncoderRelease(encoder);
    wgpuBindGroupRelease(group);
    wgpuComputePipelineRelease(pipeline);
    wgpuShaderModuleRelease(module);
    wgpuBufferRelease(x_buffer);
    wgpuBufferRelease(y_buffer);
    example_close(&gpu);
    return wrong != 0;
}
