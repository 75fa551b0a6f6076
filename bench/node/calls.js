// SPDX-License-Identifier: MIT
//
// node bench/node/calls.js [PROVIDER]: nanoseconds of CPU that a call from JavaScript costs, for
// calls that programs make thousands of times a frame. PROVIDER: another addon's module, anything
// with create(flags); ours without. Prints one line of JSON; run.js makes the table.

'use strict';

const path = require('node:path');

const provider = require(process.argv[2] ?? path.join(__dirname, '..', '..', 'bindings', 'node'));
if (provider.globals) {
    Object.assign(globalThis, provider.globals);
}

const rounds = 9;
const calls = 20000;

function cpuMicroseconds() {
    const { user, system } = process.cpuUsage();
    return user + system;
}

// The least of some rounds; `record` makes `calls` calls on what `begin` gave.
function measure(begin, record, end) {
    let least = Infinity;
    for (let round = 0; round < rounds; round++) {
        const target = begin();
        const start = cpuMicroseconds();
        record(target);
        least = Math.min(least, ((cpuMicroseconds() - start) * 1000) / calls);
        end(target);
    }
    return Number(least.toFixed(1));
}

async function main() {
    const adapter = await provider.create((process.env.ALBA_BENCH_FLAGS ?? 'backend=null').split(' ')).requestAdapter();
    const device = await adapter.requestDevice();
    const module = device.createShaderModule({
        code: `
            @group(0) @binding(0) var<storage, read_write> data: array<u32>;
            @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { data[id.x] = 1; }`,
    });
    const dynamic = device.createBindGroupLayout({
        entries: [{
            binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage', hasDynamicOffset: true },
        }],
    });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const buffer = device.createBuffer({ size: 4096, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const layout = pipeline.getBindGroupLayout(0);
    const entries = [{ binding: 0, resource: { buffer } }];
    const group = device.createBindGroup({ layout, entries });
    const moving = device.createBindGroup({
        layout: dynamic, entries: [{ binding: 0, resource: { buffer, size: 256 } }],
    });
    const bytes = new Uint32Array(4);

    const begin = () => {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        return { encoder, pass };
    };
    const end = ({ encoder, pass }) => {
        pass.end();
        encoder.finish();
    };
    const repeat = call => target => {
        for (let i = 0; i < calls; i++) {
            call(target, i);
        }
    };
    const inPass = call => measure(begin, repeat(({ pass }, i) => call(pass, i)), end);
    const onDevice = call => measure(() => {}, repeat((_, i) => call(i)), () => {});

    console.log(JSON.stringify({
        'setPipeline': inPass(pass => pass.setPipeline(pipeline)),
        'setBindGroup': inPass(pass => pass.setBindGroup(0, group)),
        'setBindGroup, dynamic offset': inPass((pass, i) => pass.setBindGroup(0, moving, [(i % 8) * 256])),
        'dispatchWorkgroups': inPass(pass => pass.dispatchWorkgroups(1)),
        'writeBuffer, 16 bytes': onDevice(() => device.queue.writeBuffer(buffer, 0, bytes)),
        'createBindGroup': onDevice(() => device.createBindGroup({ layout, entries })),
        'createBuffer': onDevice(() => device.createBuffer({ size: 256, usage: 8 }).destroy()),
        'buffer.size': onDevice(() => buffer.size),
    }));
    process.exit(0);
}

main();
