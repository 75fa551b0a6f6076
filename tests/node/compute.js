// SPDX-License-Identifier: MIT
//
// The lessons' programs with their results checked: a histogram, a ping-pong loop, an override,
// an indirect dispatch, dynamic offsets.

'use strict';

const { assert, readBack, requestDevice, run } = require('./support.js');

const { STORAGE, COPY_SRC, COPY_DST, INDIRECT } = GPUBufferUsage;

function upload(device, data, usage) {
    const buffer = device.createBuffer({ size: data.byteLength, usage, mappedAtCreation: true });
    new Uint8Array(buffer.getMappedRange()).set(new Uint8Array(data.buffer));
    buffer.unmap();
    return buffer;
}

function createPipeline(device, code, constants) {
    return device.createComputePipeline({
        layout: 'auto',
        compute: { module: device.createShaderModule({ code }), constants },
    });
}

function bind(device, pipeline, ...buffers) {
    return device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: buffers.map((resource, binding) => ({ binding, resource })),
    });
}

function submit(device, record) {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    record(pass);
    pass.end();
    device.queue.submit([encoder.finish()]);
}

async function checkHistogram(device) {
    const values = Uint32Array.from({ length: 5000 }, (_, i) => (i * 7919) % 97);
    const expected = new Uint32Array(97);
    values.forEach(value => { expected[value]++; });
    const counts = device.createBuffer({ size: 97 * 4, usage: STORAGE | COPY_SRC });
    const pipeline = createPipeline(device, `
        @group(0) @binding(0) var<storage, read> values: array<u32>;
        @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
            if (id.x < arrayLength(&values)) {
                atomicAdd(&counts[values[id.x]], 1);
            }
        }`);
    submit(device, pass => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bind(device, pipeline, upload(device, values, STORAGE), counts));
        pass.dispatchWorkgroups(Math.ceil(values.length / 64));
    });
    assert.deepEqual(new Uint32Array(await readBack(device, counts)), expected);
}

async function checkPingPong(device) {
    const steps = 7;
    const start = Float32Array.from({ length: 256 }, (_, i) => i);
    const buffers = [upload(device, start, STORAGE | COPY_SRC),
        device.createBuffer({ size: start.byteLength, usage: STORAGE | COPY_SRC })];
    const pipeline = createPipeline(device, `
        override factor: f32;
        @group(0) @binding(0) var<storage, read> before: array<f32>;
        @group(0) @binding(1) var<storage, read_write> after: array<f32>;
        @compute @workgroup_size(32) fn main(@builtin(global_invocation_id) id: vec3u) {
            after[id.x] = factor * before[id.x] + 1;
        }`, { factor: 0.5 });
    const groups = [bind(device, pipeline, ...buffers), bind(device, pipeline, buffers[1], buffers[0])];
    for (let step = 0; step < steps; step++) {
        submit(device, pass => {
            pass.setPipeline(pipeline);
            pass.setBindGroup(0, groups[step % 2]);
            pass.dispatchWorkgroups(8);
        });
    }
    // All steps are exact in f32: halves of whole numbers below 2^8, 7 times.
    const expected = start.map(value => {
        for (let step = 0; step < steps; step++) {
            value = 0.5 * value + 1;
        }
        return value;
    });
    assert.deepEqual(new Float32Array(await readBack(device, buffers[steps % 2])), expected);
}

async function checkIndirectAndOffsets(device) {
    const alignment = device.limits.minStorageBufferOffsetAlignment;
    const data = device.createBuffer({ size: 2 * alignment, usage: STORAGE | COPY_SRC | COPY_DST });
    const layout = device.createBindGroupLayout({
        entries: [{
            binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage', hasDynamicOffset: true },
        }],
    });
    const pipeline = device.createComputePipeline({
        layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: {
            module: device.createShaderModule({
                code: `
                    @group(0) @binding(0) var<storage, read_write> count: atomic<u32>;
                    @compute @workgroup_size(1) fn main() { atomicAdd(&count, 1); }`,
            }),
        },
    });
    const group = device.createBindGroup({
        layout, entries: [{ binding: 0, resource: { buffer: data, size: 4 } }],
    });
    const indirect = upload(device, Uint32Array.of(2, 3, 1), INDIRECT);
    submit(device, pass => {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group, [alignment]);
        pass.dispatchWorkgroupsIndirect(indirect, 0);
        pass.setBindGroup(0, group, Uint32Array.of(9, 0, 9), 1, 1);
        pass.dispatchWorkgroups(4);
    });
    const counts = new Uint32Array(await readBack(device, data));
    assert.deepEqual([counts[0], counts[alignment / 4]], [4, 6]);
}

run(async () => {
    const device = await requestDevice();
    device.onuncapturederror = event => { throw new Error(event.error.message); };
    await checkHistogram(device);
    await checkPingPong(device);
    await checkIndirectAndOffsets(device);
    device.destroy();
});
