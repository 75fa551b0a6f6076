// SPDX-License-Identifier: MIT
//
// Every method of every interface with arguments that mean nothing, on live objects and on foreign
// ones: it may throw or reject, and nothing else happens. The sequence is the same each time.

'use strict';

const { alba, assert, requestDevice, run } = require('./support.js');

let state = 12345;
function random(count) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % count;
}

function createObjects(device, gpu, adapter) {
    const code = '@group(0) @binding(0) var<storage, read_write> x: u32; @compute @workgroup_size(1) fn main() { x = 1; }';
    const module = device.createShaderModule({ code });
    const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
    const layout = pipeline.getBindGroupLayout(0);
    const buffer = device.createBuffer({ size: 64, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    return [
        gpu, adapter, device, device.queue, buffer, module, pipeline, layout, encoder,
        device.createBindGroup({ layout, entries: [{ binding: 0, resource: buffer }] }),
        device.createPipelineLayout({ bindGroupLayouts: [layout] }),
        device.createSampler(), device.createQuerySet({ type: 'occlusion', count: 1 }),
        device.createTexture({ size: [4, 4], format: 'rgba8unorm', usage: GPUTextureUsage.COPY_DST }),
        device.createCommandEncoder().finish(), device.createCommandEncoder().beginComputePass(),
        device.createRenderBundleEncoder({ colorFormats: ['rgba8unorm'] }),
        device.createBuffer({ size: 8, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true }),
    ];
}

function detached() {
    const buffer = new ArrayBuffer(16);
    const view = new Uint32Array(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    return view;
}

function createGarbage(objects) {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const thrower = new Proxy({}, { get() { throw new RangeError('thrown'); } });
    const cyclic = {};
    Object.assign(cyclic, { entries: [cyclic], layout: cyclic, resource: cyclic, size: cyclic });
    const deep = {};
    for (const name of ['compute', 'vertex', 'fragment', 'source', 'texture', 'buffer', 'layout', 'module', 'view']) {
        deep[name] = objects[random(objects.length)];
    }
    return [
        undefined, null, true, 0, -0, 1, -1, 1.5, 4, 8, NaN, Infinity, 2 ** 32, 2 ** 53, 7n, 'auto', '', '\ud800', 'validation',
        Symbol('s'), {}, [], [[]], [1, 2, 3], [1, , 3], function () {}, class {}, new Map(), new Set([1]), new Date(0),
        revoked.proxy, thrower, cyclic, deep, detached(), new Uint8Array(7), new Float64Array(4), new BigInt64Array(2),
        new DataView(new ArrayBuffer(12), 3), new ArrayBuffer(0), new SharedArrayBuffer(8), Object.create(null),
        { size: 16, usage: 8, mappedAtCreation: true }, { entries: [{ binding: 0, visibility: 4, buffer: {} }] },
        { layout: 'auto', compute: { module: objects[5], constants: { a: NaN } } }, { code: 'fn' }, { type: 'occlusion', count: 1e6 },
        { size: [1, 1, 1, 1], format: 'r8unorm', usage: 1 }, { colorAttachments: [null] }, { colorFormats: [null, 'r8unorm'] },
        { requiredLimits: { maxBindGroups: -1 } }, { requiredFeatures: new Set(['x']) }, { [Symbol.iterator]: () => ({}) },
        { *[Symbol.iterator]() { yield objects[4]; throw new TypeError('late'); } }, { length: 4 }, 'x'.repeat(10000),
        ...objects,
    ];
}

async function call(method, receiver, args) {
    try {
        const result = method.apply(receiver, args);
        if (result instanceof Promise) {
            // lost and maps of lost buffers need not settle.
            result.catch(() => {});
        }
    } catch (error) {
        assert.ok(error instanceof Error, String(error));
    }
}

run(async () => {
    const gpu = alba.create(['backend=null']);
    const adapter = await gpu.requestAdapter();
    const device = await requestDevice('null');
    device.addEventListener('uncapturederror', event => event.preventDefault());
    const objects = createObjects(device, gpu, adapter);
    const garbage = createGarbage(objects);
    let count = 0;
    for (const Class of Object.values(alba.globals)) {
        if (typeof Class !== 'function') {
            continue;
        }
        const own = objects.filter(object => object instanceof Class);
        for (const [name, { value, get, set }] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
            // Destroying comes last; getters that throw on others' receivers are fine.
            if (name === 'constructor' || name === 'destroy') {
                continue;
            }
            for (let i = 0; i < 150; i++) {
                const receiver = i % 10 !== 9 && own.length > 0 ? own[random(own.length)] : garbage[random(garbage.length)];
                const args = Array.from({ length: random(7) }, () => garbage[random(garbage.length)]);
                await call(value ?? (i % 2 === 0 ? get : set ?? get), receiver, args);
                count++;
            }
        }
    }
    for (let i = 0; i < 20; i++) {
        await call(device.popErrorScope, device, []);
    }
    await device.queue.onSubmittedWorkDone();
    device.destroy();
    console.log(`${count} calls`);
});
