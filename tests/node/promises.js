// SPDX-License-Identifier: MIT
//
// Promises: order, a hundred in flight, and work that proceeds while JavaScript runs.

'use strict';

const { assert, createLongWork, requestDevice, run } = require('./support.js');

async function checkOrder(device, work) {
    const order = [];
    const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    work();
    const all = [
        buffer.mapAsync(GPUMapMode.READ).then(() => order.push('map')),
        device.queue.onSubmittedWorkDone().then(() => order.push('done 1')),
        device.queue.onSubmittedWorkDone().then(() => order.push('done 2')),
    ];
    await Promise.all(all);
    assert.deepEqual(order, ['map', 'done 1', 'done 2']);
    buffer.destroy();
}

async function checkMany(device, work) {
    const settled = [];
    const all = [];
    for (let i = 0; i < 100; i++) {
        device.pushErrorScope('validation');
        device.createBuffer({ size: 4, usage: i % 2 === 0 ? 0 : GPUBufferUsage.COPY_DST });
        work();
        all.push(device.popErrorScope().then(error => {
            assert.equal(error === null, i % 2 === 1);
            settled.push(i);
        }));
        all.push(device.queue.onSubmittedWorkDone());
    }
    await Promise.all(all);
    assert.equal(settled.length, 100);
}

// The thread blocks for longer than the work takes; then the result is there at the next turn.
async function checkProgress(device, work) {
    work();
    const done = device.queue.onSubmittedWorkDone();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    const start = performance.now();
    await done;
    assert.ok(performance.now() - start < 250, 'the work went on without us');
}

run(async () => {
    const device = await requestDevice();
    await checkOrder(device, createLongWork(device, 200000));
    await checkMany(device, createLongWork(device, 1000));
    await checkProgress(device, createLongWork(device, 20000));
    device.destroy();
});
