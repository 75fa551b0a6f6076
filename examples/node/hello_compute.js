// SPDX-License-Identifier: MIT
//
// Doubles a thousand numbers on the device and reads them back: the smallest whole program.

'use strict';

const { create, globals } = require('../../bindings/node');
const { getFile } = require('./arguments.js');
const { GPUBufferUsage, GPUMapMode } = globals;

const code = `
    @group(0) @binding(0) var<storage, read_write> numbers: array<u32>;

    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3u) {
        if (id.x < arrayLength(&numbers)) {
            numbers[id.x] *= 2;
        }
    }`;

async function main() {
    getFile('hello_compute.js', false);
    const adapter = await create().requestAdapter();
    const device = await adapter.requestDevice();
    const input = Uint32Array.from({ length: 1000 }, (_, i) => i);

    const storage = device.createBuffer({
        size: input.byteLength,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    const readBack = device.createBuffer({
        size: input.byteLength,
        usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(storage, 0, input);

    const pipeline = device.createComputePipeline({
        layout: 'auto',
        compute: { module: device.createShaderModule({ code }) },
    });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [{ binding: 0, resource: storage }],
    });

    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(input.length / 64));
    pass.end();
    encoder.copyBufferToBuffer(storage, readBack);
    device.queue.submit([encoder.finish()]);

    await readBack.mapAsync(GPUMapMode.READ);
    const output = new Uint32Array(readBack.getMappedRange().slice(0));
    readBack.unmap();
    const wrong = output.findIndex((value, i) => value !== 2 * input[i]);
    if (wrong !== -1) {
        throw new Error(`number ${wrong} is ${output[wrong]}, not ${2 * input[wrong]}`);
    }
    console.log(`doubled ${output.length} numbers on ${adapter.info.description}`);
    device.destroy();
}

main();
