// SPDX-License-Identifier: MIT
//
// Errors: scopes, uncaptured errors and their events, pipeline errors, compilation messages, loss.

'use strict';

const { assert, rejects, requestDevice, run } = require('./support.js');

async function checkScopes(device) {
    device.pushErrorScope('out-of-memory');
    device.pushErrorScope('validation');
    device.createBuffer({ size: 4, usage: 0, label: 'useless' });
    const error = await device.popErrorScope();
    assert.ok(error instanceof GPUValidationError);
    assert.ok(error.message.includes('useless'), error.message);
    assert.equal(await device.popErrorScope(), null);
    await rejects('OperationError', [], device.popErrorScope());
}

// Messages speak JavaScript, but leave labels alone.
async function checkNames(device) {
    device.pushErrorScope('validation');
    const buffer = device.createBuffer({ label: 'wgpuBufferDestroy', size: 4, usage: GPUBufferUsage.MAP_READ });
    await rejects('OperationError', ['mode 0x3 must be either GPUMapMode.READ or GPUMapMode.WRITE'],
        buffer.mapAsync(3));
    await device.popErrorScope();
    device.pushErrorScope('validation');
    const encoder = device.createCommandEncoder({ label: 'WGPUMapMode_Read' });
    encoder.finish();
    encoder.clearBuffer(buffer);
    encoder.finish();
    const error = await device.popErrorScope();
    assert.ok(error.message.includes('GPUCommandEncoder.'), error.message);
    assert.ok(error.message.includes('"WGPUMapMode_Read"'), error.message);
    assert.ok(!error.message.includes('wgpu'), error.message);
    device.pushErrorScope('validation');
    buffer.destroy();
    await rejects('OperationError', ['"wgpuBufferDestroy"'], buffer.mapAsync(GPUMapMode.READ));
    await device.popErrorScope();
}

function nextEvent(device) {
    return new Promise(resolve => device.addEventListener('uncapturederror', resolve, { once: true }));
}

async function checkUncaptured(device) {
    const order = [];
    device.addEventListener('uncapturederror', () => order.push('before'), { once: true });
    device.onuncapturederror = () => order.push('replaced');
    device.addEventListener('uncapturederror', { handleEvent: () => order.push('after') }, { once: true });
    const handler = event => {
        order.push('handler');
        event.preventDefault();
    };
    device.onuncapturederror = handler; // keeps the place of the one that it replaces
    assert.equal(device.onuncapturederror, handler);
    const arrived = nextEvent(device);
    device.createBuffer({ size: 4, usage: 0 });
    const event = await arrived;
    assert.ok(event instanceof GPUUncapturedErrorEvent && event.error instanceof GPUValidationError);
    assert.equal(event.target, device);
    assert.ok(event.cancelable && event.defaultPrevented);
    assert.deepEqual(order, ['before', 'handler', 'after']);
    device.onuncapturederror = 'not a function';
    assert.equal(device.onuncapturederror, null);
}

async function checkPipelines(device) {
    const bad = device.createShaderModule.bind(device, { code: 'fn f( {' });
    device.pushErrorScope('validation');
    const module = bad();
    assert.ok(await device.popErrorScope() instanceof GPUValidationError);
    const promise = device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
    await promise.then(() => assert.fail('resolved'), error => {
        assert.ok(error instanceof GPUPipelineError && error instanceof DOMException);
        assert.equal(error.reason, 'validation');
    });
}

// Places count UTF-16 code units: the comment has one unit, then two, where UTF-8 has two and four.
async function checkMessages(device) {
    const code = '// é\u{1F680}\n/* é\u{1F680} */ fn f() { let x: nonsense = 1; }';
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ code });
    await device.popErrorScope();
    const info = await module.getCompilationInfo();
    assert.ok(info instanceof GPUCompilationInfo && Object.isFrozen(info.messages));
    const message = info.messages.find(({ type }) => type === 'error');
    assert.ok(message instanceof GPUCompilationMessage);
    assert.equal(message.lineNum, 2);
    const start = code.indexOf('nonsense');
    assert.equal(code.slice(message.offset, message.offset + message.length), 'nonsense');
    assert.equal(message.offset, start);
    assert.equal(message.linePos, start - code.indexOf('\n'));
    const good = device.createShaderModule({ code: '@compute @workgroup_size(1) fn main() {}' });
    assert.deepEqual([...(await good.getCompilationInfo()).messages], []);
}

async function checkLoss() {
    const device = await requestDevice('null');
    const { lost } = device;
    const mapped = device.createBuffer({ size: 8, usage: GPUBufferUsage.MAP_READ });
    const pending = mapped.mapAsync(GPUMapMode.READ);
    device.destroy();
    await rejects('AbortError', [], pending);
    const info = await lost;
    assert.ok(info instanceof GPUDeviceLostInfo);
    assert.equal(info.reason, 'destroyed');
    assert.equal(typeof info.message, 'string');
    assert.equal(device.lost, lost);
    device.pushErrorScope('validation');
    device.createBuffer({ size: 4, usage: 0 });
    assert.equal(await device.popErrorScope(), null, 'a lost device has no errors');
    await device.queue.onSubmittedWorkDone();
    const again = device.createBuffer({ size: 8, usage: GPUBufferUsage.MAP_READ });
    await rejects('AbortError', [], again.mapAsync(GPUMapMode.READ));
}

run(async () => {
    const device = await requestDevice();
    await checkScopes(device);
    await checkNames(device);
    await checkUncaptured(device);
    await checkPipelines(device);
    await checkMessages(device);
    await checkLoss();
    device.destroy();
});
