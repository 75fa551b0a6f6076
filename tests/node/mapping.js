// SPDX-License-Identifier: MIT
//
// Mapping: states, ranges, detachment, and ArrayBuffers that outlive their mapping.

'use strict';

const { spawnSync } = require('node:child_process');
const { markAsUntransferable } = require('node:worker_threads');
const { assert, readBack, rejects, requestDevice, run, throws } = require('./support.js');

const { MAP_READ, MAP_WRITE, COPY_SRC, COPY_DST } = GPUBufferUsage;

function isDetached(arrayBuffer) {
    try {
        return new Uint8Array(arrayBuffer) === null;
    } catch (error) {
        return error instanceof TypeError;
    }
}

async function checkStates(device) {
    const buffer = device.createBuffer({ size: 32, usage: MAP_WRITE | COPY_SRC });
    throws('OperationError', [], () => buffer.getMappedRange());
    const promise = buffer.mapAsync(GPUMapMode.WRITE, 8, 16);
    assert.equal(buffer.mapState, 'pending');
    await rejects('OperationError', [], (device.pushErrorScope('validation'), buffer.mapAsync(GPUMapMode.WRITE)));
    assert.ok(await device.popErrorScope() instanceof GPUValidationError);
    assert.equal(await promise, undefined);
    assert.equal(buffer.mapState, 'mapped');
    throws('OperationError', [], () => buffer.getMappedRange());
    throws('OperationError', ['multiple of 8'], () => buffer.getMappedRange(12, 4));
    throws('OperationError', ['multiple of 4'], () => buffer.getMappedRange(8, 3));
    const range = buffer.getMappedRange(8, 8);
    assert.equal(range.byteLength, 8);
    throws('OperationError', ['overlaps'], () => buffer.getMappedRange(8, 4));
    new Uint32Array(range).set([11, 22]);
    new Uint32Array(buffer.getMappedRange(16, 8)).set([33, 44]);
    buffer.unmap();
    assert.equal(buffer.mapState, 'unmapped');
    assert.ok(isDetached(range));
    assert.deepEqual([...new Uint32Array(await readBack(device, buffer))], [0, 0, 11, 22, 33, 44, 0, 0]);
}

async function checkCancel(device) {
    const buffer = device.createBuffer({ size: 8, usage: MAP_READ | COPY_DST });
    const promise = buffer.mapAsync(GPUMapMode.READ);
    buffer.unmap();
    assert.equal(buffer.mapState, 'unmapped');
    const second = buffer.mapAsync(GPUMapMode.READ);
    await rejects('AbortError', [], promise);
    await second;
    const range = buffer.getMappedRange();
    buffer.destroy();
    assert.ok(isDetached(range), 'destroy detaches');
    assert.equal(buffer.mapState, 'unmapped');
}

// What is written to a buffer mapped for reading stays the program's own.
async function checkReadOnly(device) {
    const buffer = device.createBuffer({ size: 4, usage: MAP_READ | COPY_DST });
    device.queue.writeBuffer(buffer, 0, Uint32Array.of(5));
    await buffer.mapAsync(GPUMapMode.READ);
    const numbers = new Uint32Array(buffer.getMappedRange());
    assert.equal(numbers[0], 5);
    numbers[0] = 6;
    buffer.unmap();
    await buffer.mapAsync(GPUMapMode.READ);
    assert.equal(new Uint32Array(buffer.getMappedRange())[0], 5);
    buffer.unmap();
}

// Two ways of taking an ArrayBuffer's memory away from it; null where the runtime refuses.
const transfers = {
    structuredClone(range) {
        try {
            return structuredClone(range, { transfer: [range] });
        } catch (error) {
            assert.equal(error.name, 'DataCloneError');
            return null;
        }
    },
    transfer(range) {
        return range.transfer?.() ?? null;
    },
};

// What a program gets by transferring an ArrayBuffer, if it gets anything, is memory of its own: the
// buffer's life and later content do not show in it.
async function checkTransfer(device, transfer) {
    const buffer = device.createBuffer({ size: 1 << 16, usage: MAP_WRITE | COPY_SRC });
    await buffer.mapAsync(GPUMapMode.WRITE);
    const range = buffer.getMappedRange();
    new Uint8Array(range).fill(7);
    const alias = transfer(range);
    if (alias === null) {
        buffer.destroy();
        return;
    }
    buffer.unmap();
    await buffer.mapAsync(GPUMapMode.WRITE);
    new Uint8Array(buffer.getMappedRange()).fill(9);
    buffer.unmap();
    buffer.destroy();
    assert.equal(alias.byteLength, 1 << 16);
    assert.ok(new Uint8Array(alias).every(byte => byte === 7));
    new Uint8Array(alias).fill(1);
    for (let i = 0; i < 3; i++) {
        gc();
        await new Promise(setImmediate);
    }
    assert.ok(new Uint8Array(alias).every(byte => byte === 1), 'alive while the alias is');
}

// What a program makes undetachable (from Node 24 on) keeps its memory, which is not the buffer's.
async function checkUndetachable(device) {
    const buffer = device.createBuffer({ size: 16, usage: MAP_WRITE | COPY_SRC });
    await buffer.mapAsync(GPUMapMode.WRITE);
    const range = buffer.getMappedRange();
    markAsUntransferable(range);
    new Uint8Array(range).fill(3);
    buffer.unmap();
    if (!isDetached(range)) {
        new Uint8Array(range).fill(4);
    }
    assert.ok(new Uint8Array(await readBack(device, buffer)).every(byte => byte === 3));
    buffer.destroy();
}

// Mapped memory goes with its ArrayBuffer, at the latest with a collection.
async function checkRelease(device) {
    const size = 1 << 20;
    const buffer = device.createBuffer({ size, usage: MAP_READ | COPY_DST });
    const settle = async () => {
        for (let i = 0; i < 4; i++) {
            gc();
            await new Promise(setImmediate);
        }
    };
    await settle();
    const before = process.memoryUsage();
    for (let i = 0; i < 100; i++) {
        await buffer.mapAsync(GPUMapMode.READ);
        new Uint8Array(buffer.getMappedRange())[i] = 1;
        buffer.unmap();
    }
    await settle();
    const after = process.memoryUsage();
    for (const name of ['external', 'arrayBuffers']) {
        assert.ok(after[name] - before[name] < 4 * size, `${name}: ${before[name]} before, ${after[name]} after`);
    }
    buffer.destroy();
}

async function checkDeviceDestroy(flags) {
    const device = await requestDevice('null', undefined, flags);
    const created = device.createBuffer({ size: 8, usage: COPY_SRC, mappedAtCreation: true });
    const range = created.getMappedRange();
    throws('RangeError', [], () => device.createBuffer({ size: 6, usage: COPY_SRC, mappedAtCreation: true }));
    device.destroy();
    assert.ok(isDetached(range), 'destroying the device detaches');
}

run(async () => {
    for (const flags of [['mapping=external'], ['mapping=own']]) {
        const device = await requestDevice('cpu', undefined, flags);
        await checkStates(device);
        await checkCancel(device);
        await checkReadOnly(device);
        await checkTransfer(device, transfers.structuredClone);
        await checkTransfer(device, transfers.transfer);
        await checkUndetachable(device);
        await checkRelease(device);
        await checkDeviceDestroy(flags);
        device.destroy();
    }
    // Node 20 has ArrayBuffer.prototype.transfer on request.
    const flag = '--harmony-rab-gsab-transfer';
    if (ArrayBuffer.prototype.transfer === undefined && !process.execArgv.includes(flag) &&
        spawnSync(process.execPath, [flag, '-e', '1']).status === 0) {
        const child = spawnSync(process.execPath, ['--expose-gc', flag, __filename], { encoding: 'utf8' });
        assert.equal(child.status, 0, child.stderr);
    }
});
