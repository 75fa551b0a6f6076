// SPDX-License-Identifier: MIT
//
// Conversions from JavaScript: what throws TypeError and names the member, what converts, and in
// which order members are read.

'use strict';

const { assert, rejects, requestDevice, run, throws } = require('./support.js');

function checkNumbers(device) {
    const create = (size, usage = GPUBufferUsage.COPY_DST) => device.createBuffer({ size, usage });
    for (const size of [-1, NaN, Infinity, -Infinity, 2 ** 53, 'x', {}, Symbol('s'), 1n]) {
        throws('TypeError', ['GPUDevice.createBuffer', 'descriptor.size'], () => create(size));
    }
    for (const usage of [-1, 2 ** 32, NaN]) {
        throws('TypeError', ['descriptor.usage'], () => create(4, usage));
    }
    assert.equal(create(4.9).size, 4, 'truncated');
    assert.equal(create(-0.5).size, 0);
    assert.equal(create('8').size, 8);
    assert.equal(create({ valueOf: () => 12 }).size, 12);
    throws('TypeError', ['descriptor.size is required'], () => device.createBuffer({ usage: 0 }));
    throws('TypeError', ['descriptor.size is required'], () => device.createBuffer(null));
    throws('TypeError', ['descriptor', 'not an object'], () => device.createBuffer(3));
    throws('TypeError', ['lodMinClamp'], () => device.createSampler({ lodMinClamp: NaN }));
    throws('TypeError', ['lodMaxClamp'], () => device.createSampler({ lodMaxClamp: 3.5e38 }));
}

function checkMembers(device) {
    const layout = entries => device.createBindGroupLayout({ entries });
    throws('TypeError', ['descriptor.entries[1].binding is required'],
        () => layout([{ binding: 0, visibility: 4, buffer: {} }, { visibility: 4 }]));
    throws('TypeError', ['descriptor.entries[0].buffer.type', "'wrong'", 'GPUBufferBindingType'],
        () => layout([{ binding: 0, visibility: 4, buffer: { type: 'wrong' } }]));
    throws('TypeError', ['descriptor.entries', 'not iterable'], () => layout({}));
    throws('TypeError', ['descriptor.entries', 'not an object'], () => layout('text'));
    layout(new Set([{ binding: 0, visibility: 4, buffer: {} }]));
    function* generate() {
        yield { binding: 0, visibility: 4, buffer: {} };
    }
    layout(generate());
    throws('TypeError', ['layout', "'manual'"], () => device.createComputePipeline({ layout: 'manual' }));
    throws('TypeError', ['bindGroupLayouts[0]', 'GPUBindGroupLayout'],
        () => device.createPipelineLayout({ bindGroupLayouts: [{}] }));
    device.createPipelineLayout({ bindGroupLayouts: [null, undefined] });
}

// Inherited members first, then by name, each read once.
function checkOrder(device) {
    const read = [];
    const watched = new Proxy({ size: 4, usage: 8, label: 'l', mappedAtCreation: false }, {
        get(target, name) {
            read.push(name);
            return target[name];
        },
    });
    device.createBuffer(watched);
    assert.deepEqual(read, ['label', 'mappedAtCreation', 'size', 'usage']);
    const failure = new Error('from a getter');
    assert.throws(() => device.createBuffer({ get size() { throw failure; }, usage: 8 }), error => error === failure);
    // A getter that uses the device itself.
    const nested = device.createBuffer({
        usage: 8,
        get size() {
            return device.createBuffer({ size: 16, usage: 8, label: 'inner' }).size;
        },
        label: 'outer',
    });
    assert.deepEqual([nested.size, nested.label], [16, 'outer']);
}

function checkBytes(device) {
    const { queue } = device;
    const buffer = device.createBuffer({ size: 64, usage: GPUBufferUsage.COPY_DST });
    queue.writeBuffer(buffer, 0, new ArrayBuffer(8));
    queue.writeBuffer(buffer, 0, new SharedArrayBuffer(8));
    queue.writeBuffer(buffer, 0, new Uint16Array(8), 2, 4);
    queue.writeBuffer(buffer, 0, new DataView(new ArrayBuffer(8), 4));
    if (typeof Float16Array === 'function') { // from Node 24 on
        queue.writeBuffer(buffer, 0, new Float16Array(8), 2, 6);
        throws('OperationError', ['multiple of 4'], () => queue.writeBuffer(buffer, 0, new Float16Array(8), 0, 3));
        throws('OperationError', ['beyond the end'], () => queue.writeBuffer(buffer, 0, new Float16Array(8), 2, 8));
    }
    throws('OperationError', [], () => queue.writeBuffer(buffer, 0, new Uint16Array(8), 2, 7));
    throws('OperationError', [], () => queue.writeBuffer(buffer, 0, new Uint16Array(8), 9));
    throws('OperationError', ['multiple of 4'], () => queue.writeBuffer(buffer, 0, new Uint8Array(5)));
    throws('TypeError', ['data'], () => queue.writeBuffer(buffer, 0, [1, 2, 3, 4]));
    throws('TypeError', ['buffer', 'GPUBuffer'], () => queue.writeBuffer({}, 0, new ArrayBuffer(8)));
    throws('TypeError', ['commandBuffers[0]'], () => queue.submit([buffer]));
}

// Arguments whose conversion takes the bytes away: nothing of them is read then.
function checkDetached(device) {
    const buffer = device.createBuffer({ size: 1 << 20, usage: GPUBufferUsage.COPY_DST });
    const data = new Uint8Array(1 << 20);
    const takeAway = value => ({
        valueOf() {
            structuredClone(data.buffer, { transfer: [data.buffer] });
            return value;
        },
    });
    throws('OperationError', [], () => device.queue.writeBuffer(buffer, 0, data, 0, takeAway(data.length)));
    const offsets = new Uint32Array(1 << 16);
    const pass = device.createCommandEncoder().beginComputePass();
    throws('RangeError', [], () => pass.setBindGroup(0, null, offsets, 0, {
        valueOf() {
            structuredClone(offsets.buffer, { transfer: [offsets.buffer] });
            return 1 << 16;
        },
    }));
}

function checkOverloads(device) {
    const encoder = device.createCommandEncoder();
    const [a, b] = [0, 1].map(() => device.createBuffer({ size: 16, usage: 12 }));
    encoder.copyBufferToBuffer(a, b);
    encoder.copyBufferToBuffer(a, b, 8);
    encoder.copyBufferToBuffer(a, 0, b, 8);
    encoder.copyBufferToBuffer(a, 0, b, 8, 4);
    throws('TypeError', [], () => encoder.copyBufferToBuffer(a, 0, b));
    throws('TypeError', [], () => encoder.copyBufferToBuffer(a));
    const pass = encoder.beginComputePass();
    pass.setBindGroup(0, null);
    pass.setBindGroup(0, null, []);
    throws('RangeError', [], () => pass.setBindGroup(0, null, new Uint32Array(2), 1, 2));
    throws('TypeError', ['Uint32Array'], () => pass.setBindGroup(0, null, [1, 2], 0, 1));
    throws('TypeError', ['dynamicOffsets[1]'], () => pass.setBindGroup(0, null, [0, -1]));
    throws('TypeError', [], () => pass.dispatchWorkgroups(-1));
    pass.end();
}

function checkFeatures(device) {
    throws('TypeError', ['timestamp-query'], () => device.createQuerySet({ type: 'timestamp', count: 1 }));
    throws('TypeError', ['texture-compression-bc'], () => device.createTexture({
        size: [4, 4], format: 'bc1-rgba-unorm', usage: GPUTextureUsage.COPY_DST,
    }));
}

// webgpu.h says "not given" by 2^32 - 1, which a program may give.
async function checkLargestNumbers(device) {
    const largest = 2 ** 32 - 1;
    const texture = device.createTexture({ size: [4, 4], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT });
    const querySet = device.createQuerySet({ type: 'occlusion', count: 4 });
    const fails = async call => {
        device.pushErrorScope('validation');
        call();
        assert.ok(await device.popErrorScope() instanceof GPUValidationError, `${call}`);
    };
    for (const [name, given] of [['mipLevelCount', largest], ['arrayLayerCount', largest], ['baseMipLevel', largest]]) {
        await fails(() => texture.createView({ [name]: given }));
    }
    for (const depthSlice of [0, largest]) {
        await fails(() => {
            const encoder = device.createCommandEncoder();
            encoder.beginRenderPass({
                colorAttachments: [{ view: texture.createView(), depthSlice, loadOp: 'clear', storeOp: 'store' }],
                occlusionQuerySet: querySet,
            }).end();
            encoder.finish();
        });
    }
    // An array that claims elements without having them.
    throws('TypeError', ['commandBuffers[0]'], () => device.queue.submit(new Array(largest)));
    throws('TypeError', ['descriptor.entries[0]'], () => device.createBindGroupLayout({ entries: new Array(largest).fill(1, 0, 1) }));
}

async function checkAdapter(alba) {
    const gpu = alba.create(['backend=null']);
    assert.equal(await gpu.requestAdapter({ featureLevel: 'no such level' }), null);
    await rejects('TypeError', ['powerPreference'], gpu.requestAdapter({ powerPreference: 'most' }));
    const adapter = await gpu.requestAdapter();
    await rejects('TypeError', ['requiredFeatures[0]'], adapter.requestDevice({ requiredFeatures: ['none'] }));
    await rejects('OperationError', ['noSuchLimit'], adapter.requestDevice({ requiredLimits: { noSuchLimit: 1 } }));
    await rejects('OperationError', ['maxBindGroups'], adapter.requestDevice({ requiredLimits: { maxBindGroups: 1e6 } }));
    await rejects('TypeError', ['maxBindGroups'], adapter.requestDevice({ requiredLimits: { maxBindGroups: -1 } }));
    await adapter.requestDevice({ requiredLimits: { noSuchLimit: undefined }, requiredFeatures: adapter.features });
    await rejects('OperationError', ['already'], adapter.requestDevice());
}

run(async () => {
    const device = await requestDevice('null');
    device.onuncapturederror = event => event.preventDefault();
    checkNumbers(device);
    checkMembers(device);
    checkOrder(device);
    checkBytes(device);
    checkDetached(device);
    await checkLargestNumbers(device);
    checkOverloads(device);
    checkFeatures(device);
    await checkAdapter(require('./support.js').alba);
    device.destroy();
});
