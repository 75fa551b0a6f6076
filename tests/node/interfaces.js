// SPDX-License-Identifier: MIT
//
// The shape of the interfaces: prototypes, names, lengths, constructors, brand checks, same objects.

'use strict';

const { alba, assert, requestDevice, run, throws } = require('./support.js');

// Not constructible by a program.
const illegal = [
    'GPU', 'GPUAdapter', 'GPUAdapterInfo', 'GPUBindGroup', 'GPUBindGroupLayout', 'GPUBuffer',
    'GPUCanvasContext', 'GPUCommandBuffer', 'GPUCommandEncoder', 'GPUCompilationInfo',
    'GPUCompilationMessage', 'GPUComputePassEncoder', 'GPUComputePipeline', 'GPUDevice',
    'GPUDeviceLostInfo', 'GPUError', 'GPUExternalTexture', 'GPUPipelineLayout', 'GPUQuerySet', 'GPUQueue',
    'GPURenderBundle', 'GPURenderBundleEncoder', 'GPURenderPassEncoder', 'GPURenderPipeline', 'GPUSampler',
    'GPUShaderModule', 'GPUSupportedFeatures', 'GPUSupportedLimits', 'GPUTexture', 'GPUTextureView',
    'WGSLLanguageFeatures',
];
const constructible = [
    'GPUInternalError', 'GPUOutOfMemoryError', 'GPUPipelineError', 'GPUUncapturedErrorEvent',
    'GPUValidationError',
];
const constants = ['GPUBufferUsage', 'GPUColorWrite', 'GPUMapMode', 'GPUShaderStage', 'GPUTextureUsage'];

function checkClasses() {
    assert.deepEqual(Object.keys(alba.globals).sort(), [...illegal, ...constructible, ...constants].sort());
    for (const name of [...illegal, ...constructible]) {
        const Class = alba.globals[name];
        assert.equal(Class.name, name);
        assert.equal(Object.prototype.toString.call(Class.prototype), `[object ${name}]`);
        assert.equal(Object.getOwnPropertyDescriptor(Class, 'prototype').writable, false);
        for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
            if (key === 'constructor') {
                assert.equal(descriptor.enumerable, false);
                continue;
            }
            assert.equal(descriptor.enumerable, true, `${name}.${key} is enumerable`);
            assert.equal(descriptor.configurable, true);
            const getter = descriptor.get;
            // Web IDL: a setlike's keys is the very function values.
            const word = key === 'keys' ? 'values' : key;
            assert.equal((getter ?? descriptor.value).name, getter ? `get ${word}` : word);
        }
    }
    for (const name of illegal) {
        throws('TypeError', ['Illegal constructor'], () => new alba.globals[name]());
    }
    assert.equal(GPUDevice.prototype.createBuffer.length, 1);
    assert.equal(GPURenderPassEncoder.prototype.setViewport.length, 6);
    assert.equal(GPUCommandEncoder.prototype.copyBufferToBuffer.length, 2);
    assert.equal(GPUQueue.prototype.writeBuffer.length, 3);
    throws('TypeError', ['this is not a GPUBuffer'], () => GPUBuffer.prototype.unmap.call({}));
    throws('TypeError', ['GPUBuffer'], () => GPUBuffer.prototype.size);
    throws('TypeError', [], () => Object.create(GPUAdapterInfo.prototype).vendor);
}

function checkErrors() {
    const error = new GPUValidationError('what is wrong');
    assert.ok(error instanceof GPUError);
    assert.equal(error.message, 'what is wrong');
    throws('TypeError', [], () => new GPUValidationError());
    const pipelineError = new GPUPipelineError('text', { reason: 'internal' });
    assert.ok(pipelineError instanceof DOMException && pipelineError instanceof Error);
    assert.equal(pipelineError.reason, 'internal');
    assert.equal(pipelineError.name, 'GPUPipelineError');
    throws('TypeError', ['reason'], () => new GPUPipelineError('text'));
    throws('TypeError', ['wrong'], () => new GPUPipelineError('text', { reason: 'wrong' }));
    const event = new GPUUncapturedErrorEvent('uncapturederror', { error, cancelable: true });
    assert.ok(event instanceof Event && event.cancelable);
    assert.equal(event.error, error);
    throws('TypeError', [], () => new GPUUncapturedErrorEvent('uncapturederror', {}));
}

async function checkObjects() {
    const gpu = alba.create(['backend=null']);
    const adapter = await gpu.requestAdapter();
    const device = await adapter.requestDevice({ label: 'the device', defaultQueue: { label: 'its queue' } });
    assert.ok(device instanceof EventTarget);
    assert.equal(device.label, 'the device');
    assert.equal(device.queue.label, 'its queue');
    device.label = 'ünïcode \u{1F680}';
    assert.equal(device.label, 'ünïcode \u{1F680}');
    for (const name of ['features', 'limits', 'adapterInfo', 'queue', 'lost']) {
        assert.equal(device[name], device[name], name);
    }
    assert.equal(gpu.wgslLanguageFeatures, gpu.wgslLanguageFeatures);
    assert.notEqual(await gpu.requestAdapter(), adapter, 'a fresh adapter each time');
    assert.deepEqual(Object.keys(device), []);
    assert.deepEqual(Object.keys(adapter.limits), []);
    assert.ok([...adapter.features].every(word => device.features.has(word) || adapter.features.has(word)));
    assert.equal(GPUSupportedFeatures.prototype[Symbol.iterator], GPUSupportedFeatures.prototype.values);

    const names = [];
    for (const name in adapter.limits) {
        names.push(name);
        assert.ok(Number.isSafeInteger(adapter.limits[name]), name);
    }
    assert.ok(names.includes('maxBufferSize') && names.includes('minStorageBufferOffsetAlignment'));

    const buffer = device.createBuffer({ size: 12, usage: GPUBufferUsage.MAP_READ, label: 'small' });
    assert.deepEqual([buffer.size, buffer.usage, buffer.mapState, buffer.label], [12, 1, 'unmapped', 'small']);
    throws('TypeError', ['only 0 present'], () => device.createBuffer());
    throws('TypeError', [], () => { 'use strict'; buffer.size = 3; });
    device.destroy();
}

run(async () => {
    checkClasses();
    checkErrors();
    await checkObjects();
    throws('TypeError', ['backend=no'], () => alba.create(['backend=no']));
    throws('TypeError', ['bogus'], () => alba.create(['bogus=1']));
});
