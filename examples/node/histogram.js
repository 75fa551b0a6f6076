// SPDX-License-Identifier: MIT
//
// node histogram.js [PICTURE.png]: counts how often each brightness occurs in a picture, with one
// histogram of each workgroup's own and atomics; without a picture, in one that it paints itself.

'use strict';

const fs = require('node:fs');
const { create, globals } = require('../../bindings/node');
const { getFile } = require('./arguments.js');
const { readPng } = require('./png.js');
const { GPUBufferUsage, GPUMapMode } = globals;

const code = `
    @group(0) @binding(0) var<storage, read> pixels: array<u32>;
    @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 256>;

    var<workgroup> local_counts: array<atomic<u32>, 256>;

    @compute @workgroup_size(256)
    fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) index: u32,
            @builtin(num_workgroups) groups: vec3u) {
        let stride = groups.x * 256;
        for (var i = id.x; i < arrayLength(&pixels); i += stride) {
            let color = unpack4x8unorm(pixels[i]).rgb;
            let brightness = dot(color, vec3f(0.2126, 0.7152, 0.0722));
            atomicAdd(&local_counts[min(u32(brightness * 256), 255)], 1);
        }
        workgroupBarrier();
        atomicAdd(&counts[index], atomicLoad(&local_counts[index]));
    }`;

// A picture with as many pixels of each gray.
function paint() {
    const pixels = new Uint8Array(256 * 256 * 4);
    for (let i = 0; i < 256 * 256; i++) {
        const gray = i % 256;
        pixels.set([gray, gray, gray, 255], 4 * i);
    }
    return { width: 256, height: 256, pixels };
}

async function count(device, { pixels }) {
    const source = device.createBuffer({
        size: pixels.byteLength,
        usage: GPUBufferUsage.STORAGE,
        mappedAtCreation: true,
    });
    new Uint8Array(source.getMappedRange()).set(pixels);
    source.unmap();
    const counts = device.createBuffer({ size: 1024, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const readBack = device.createBuffer({ size: 1024, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });

    const pipeline = device.createComputePipeline({
        layout: 'auto',
        compute: { module: device.createShaderModule({ label: 'histogram', code }) },
    });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: [{ binding: 0, resource: source }, { binding: 1, resource: counts }],
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.min(64, Math.ceil(pixels.length / 4 / 256)));
    pass.end();
    encoder.copyBufferToBuffer(counts, readBack);
    device.queue.submit([encoder.finish()]);
    await readBack.mapAsync(GPUMapMode.READ);
    return new Uint32Array(readBack.getMappedRange().slice(0));
}

function print(counts) {
    const bars = Array.from({ length: 16 }, (_, i) => counts.subarray(16 * i, 16 * i + 16).reduce((a, b) => a + b));
    const most = Math.max(...bars);
    bars.forEach((bar, i) => {
        console.log(`${String(16 * i).padStart(3)} ${'#'.repeat(Math.round((50 * bar) / most))} ${bar}`);
    });
}

async function main() {
    const path = getFile('histogram.js [PICTURE.png]', true);
    const picture = path ? readPng(fs.readFileSync(path)) : paint();
    const adapter = await create().requestAdapter();
    const device = await adapter.requestDevice();
    const counts = await count(device, picture);
    print(counts);
    const total = counts.reduce((a, b) => a + b);
    if (total !== picture.width * picture.height) {
        throw new Error(`counted ${total} of ${picture.width * picture.height} pixels`);
    }
    device.destroy();
}

main();
