// SPDX-License-Identifier: MIT
//
// Garbage collection (node --expose-gc): what is still in use survives, whatever is collected first.

'use strict';

const { alba, assert, createLongWork, readBack, requestDevice, run } = require('./support.js');

async function collect() {
    for (let i = 0; i < 4; i++) {
        globalThis.gc();
        await new Promise(resolve => setTimeout(resolve, 5));
    }
}

async function onlyQueue() {
    const device = await requestDevice();
    return { queue: device.queue, buffer: device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST }) };
}

// The map's promise settles though nobody holds the buffer.
async function mapOfNobody(device) {
    createLongWork(device, 100000)();
    return device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ }).mapAsync(GPUMapMode.READ);
}

async function writeAndForget(device) {
    const buffer = device.createBuffer({
        size: 8, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true,
    });
    // The ArrayBuffer is unreachable at once, and its bytes still arrive.
    new Uint32Array(buffer.getMappedRange()).set([1, 2]);
    await collect();
    buffer.unmap();
    assert.deepEqual([...new Uint32Array(await readBack(device, buffer))], [1, 2]);
}

// Objects that getters make, and nobody else holds, live until the call is over.
async function objectsOfGetters(device) {
    const layout = device.createBindGroupLayout({
        entries: [0, 1].map(binding => ({
            binding, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' },
        })),
    });
    device.pushErrorScope('validation');
    for (let i = 0; i < 20; i++) {
        device.createBindGroup({
            layout,
            entries: [0, 1].map(binding => ({
                get binding() {
                    globalThis.gc();
                    return binding;
                },
                get resource() {
                    return device.createBuffer({ size: 64, usage: GPUBufferUsage.STORAGE });
                },
            })),
        });
    }
    assert.equal(await device.popErrorScope(), null);
}

run(async () => {
    const device = await requestDevice();
    const { queue, buffer } = await onlyQueue();
    await collect();
    queue.writeBuffer(buffer, 0, Uint32Array.of(3));
    await queue.onSubmittedWorkDone();

    const mapped = mapOfNobody(device);
    await collect();
    await mapped;
    await writeAndForget(device);
    await objectsOfGetters(device);

    // Collection does not settle `lost`.
    let isSettled = false;
    let lost = (await requestDevice('null')).lost;
    lost.then(() => { isSettled = true; });
    await collect();
    assert.equal(isSettled, false);
    lost = null;

    const adapter = await alba.create(['backend=null']).requestAdapter();
    const features = [...adapter.features];
    await collect();
    assert.deepEqual([...adapter.features], features);
    adapter.features.mark = true;
    await collect();
    assert.equal(adapter.features.mark, true, 'the same object after a collection');
    device.destroy();
});
