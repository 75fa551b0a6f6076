// SPDX-License-Identifier: MIT
//
// Workers, each an environment of its own: they compute at the same time, end by themselves with
// objects alive, and are terminated with work in flight.

'use strict';

const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const { assert, createLongWork, requestDevice, run } = require('./support.js');

async function work() {
    const device = await requestDevice();
    const submit = createLongWork(device, workerData.count);
    for (let i = 0; i < workerData.times; i++) {
        submit();
        device.queue.onSubmittedWorkDone();
    }
    const mapped = device.createBuffer({ size: 4, usage: GPUBufferUsage.MAP_READ });
    const promise = mapped.mapAsync(GPUMapMode.READ);
    parentPort.postMessage('submitted');
    if (workerData.waits) {
        await promise;
        parentPort.postMessage('done');
    }
    if (workerData.exits) {
        process.exit(0);
    }
}

function start(data) {
    const worker = new Worker(__filename, { workerData: data });
    const messages = [];
    let onFirst;
    const first = new Promise(resolve => { onFirst = resolve; });
    worker.on('message', message => {
        messages.push(message);
        onFirst();
    });
    const ended = new Promise((resolve, reject) => {
        worker.on('error', reject);
        worker.on('exit', resolve);
    });
    return { worker, messages, first, ended };
}

if (isMainThread) {
    run(async () => {
        const workers = [0, 1, 2].map(() => start({ count: 100000, times: 3, waits: true }));
        for (const { ended, messages } of workers) {
            assert.equal(await ended, 0);
            assert.deepEqual(messages, ['submitted', 'done']);
        }
        // With work in flight: told to stop, and stopping by itself.
        const terminated = start({ count: 1e8, times: 2 });
        await terminated.first;
        await terminated.worker.terminate();
        const leaving = start({ count: 1e7, times: 2, exits: true });
        assert.equal(await leaving.ended, 0);
        // The main environment is untouched.
        const device = await requestDevice();
        createLongWork(device, 1000)();
        await device.queue.onSubmittedWorkDone();
        device.destroy();
    });
} else {
    work();
}
