// SPDX-License-Identifier: MIT
//
// What the programs of this folder share: the addon with WebGPU's names on globalThis, and checks.
// Each program is one ctest; it fails by an exception or a check that counts.

'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');

const alba = require(path.join(__dirname, '..', '..', 'bindings', 'node'));
Object.assign(globalThis, alba.globals);

async function requestDevice(backend = 'cpu', descriptor = undefined, flags = []) {
    const adapter = await alba.create([`backend=${backend}`, ...flags]).requestAdapter();
    assert.ok(adapter, `there is a ${backend} adapter`);
    return adapter.requestDevice(descriptor);
}

// The call throws an error of this name, whose message holds each of the texts.
function throws(name, texts, call) {
    let error;
    try {
        call();
    } catch (thrown) {
        error = thrown;
    }
    assert.ok(error, `expected ${name}, nothing thrown by ${call}`);
    assert.equal(error.name, name, `${error.stack}`);
    for (const text of texts) {
        assert.ok(error.message.includes(text), `'${text}' in '${error.message}'`);
    }
}

async function rejects(name, texts, promise) {
    assert.ok(promise instanceof Promise, 'a promise');
    let error;
    try {
        await promise;
    } catch (thrown) {
        error = thrown;
    }
    assert.ok(error, `expected rejection with ${name}`);
    assert.equal(error.name, name, `${error.stack}`);
    for (const text of texts) {
        assert.ok(error.message.includes(text), `'${text}' in '${error.message}'`);
    }
}

// A computation that takes a while: one invocation that counts to `count`.
function createLongWork(device, count) {
    const code = `
        @group(0) @binding(0) var<storage, read_write> result: array<u32>;
        @compute @workgroup_size(1) fn main() {
            var x = result[0];
            for (var i = 0u; i < ${count}u; i++) { x = x * 1664525u + 1013904223u; }
            result[0] = x;
        }`;
    const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const pipeline = device.createComputePipeline({
        layout: 'auto', compute: { module: device.createShaderModule({ code }) },
    });
    const group = device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: buffer }],
    });
    return () => {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(1);
        pass.end();
        device.queue.submit([encoder.finish()]);
    };
}

async function readBack(device, source, size = source.size) {
    const target = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(source, target, size);
    device.queue.submit([encoder.finish()]);
    await target.mapAsync(GPUMapMode.READ);
    const bytes = target.getMappedRange().slice(0);
    target.destroy();
    return bytes;
}

// Runs the program; an unsettled top level is a failure, not a silent exit.
function run(program) {
    let isDone = false;
    process.on('exit', code => {
        if (code === 0 && !isDone) {
            console.error('the program ended before it was done');
            process.exitCode = 1;
        }
    });
    program().then(() => { isDone = true; }, error => {
        console.error(error);
        process.exit(1);
    });
}

module.exports = { alba, assert, createLongWork, readBack, rejects, requestDevice, run, throws };
