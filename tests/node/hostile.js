// SPDX-License-Identifier: MIT
//
// What no program should do: every method and getter on foreign objects, arguments of all kinds and sizes in a
// random order (node hostile.js [SEED] [CALLS]), objects of two devices, objects of destroyed ones. Nothing may end
// the process; what is thrown is an error that WebGPU or the given object throws.

'use strict';

const { alba, assert, requestDevice, run } = require('./support.js');

const { globals } = alba;
const classes = Object.values(globals).filter(value => typeof value === 'function');

// A generator of numbers below `limit`, the same each time.
function createRandom(seed) {
    let state = (seed * 2654435761 + 1) >>> 0;
    return limit => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 4294967296) * limit);
    };
}

//
// Foreign objects
//

async function isRefused(call, what) {
    let result;
    try {
        result = call();
    } catch (error) {
        assert.ok(error instanceof TypeError, `${what}: ${error}`);
        return;
    }
    assert.ok(result instanceof Promise, `${what}: nothing thrown`);
    await assert.rejects(result, TypeError, what);
}

async function checkForeign(objects) {
    for (const Class of classes) {
        const foreign = [undefined, null, 1, 'text', {}, Class, Class.prototype, Object.create(Class.prototype),
            ...objects.filter(object => !(object instanceof Class)),
            ...objects.filter(object => object instanceof Class).map(object => Object.create(object)),
            ...objects.filter(object => object instanceof Class).map(object => new Proxy(object, {}))];
        for (const name of Object.getOwnPropertyNames(Class.prototype)) {
            const { value, get, set } = Object.getOwnPropertyDescriptor(Class.prototype, name);
            if (name === 'constructor') {
                continue;
            }
            for (const that of foreign) {
                const what = `${Class.name}.prototype.${name} on ${Object.prototype.toString.call(that)}`;
                if (typeof value === 'function') {
                    await isRefused(() => value.call(that, 0, 0, 0, 0, 0, 0), what);
                }
                if (get !== undefined) {
                    await isRefused(() => get.call(that), what);
                }
                if (set !== undefined) {
                    await isRefused(() => set.call(that, null), what);
                }
            }
        }
    }
}

//
// Arguments
//

class Given extends Error {}

function createPool(objects, random) {
    const throwing = new Proxy({}, { get() { throw new Given('from a proxy'); } });
    const numbers = [0, -0, 1, 2, 3, 4, 8, 16, 255, 256, 65536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -1, 0.5,
        NaN, Infinity, -Infinity, 3.5e38, Number.MAX_VALUE];
    const texts = ['', 'main', 'validation', 'timestamp', 'rgba8unorm', 'uint16', 'auto', '\ud800', '\0', 'x'.repeat(100000),
        'fn f() {', '@compute @workgroup_size(1) fn main() {}'];
    const wrong = [undefined, null, true, false, 1n, Symbol('s'), () => {}, throwing, {}, [], [undefined], [null, null], new Date(0),
        { length: 2 ** 32 - 1 }, new Array(1000), { [Symbol.iterator]: 1 }, { *[Symbol.iterator]() { yield {}; } },
        { valueOf() { throw new Given('from valueOf'); } }, { toString() { throw new Given('from toString'); } }];
    const bytes = [new ArrayBuffer(0), new ArrayBuffer(16), new SharedArrayBuffer(16), new Uint8Array(8), new Uint8Array(5),
        new Float64Array(4), new BigInt64Array(2), new DataView(new ArrayBuffer(8)), Uint32Array.of(0, 256)];
    const names = ['label', 'size', 'usage', 'mappedAtCreation', 'format', 'entries', 'layout', 'binding', 'resource', 'buffer',
        'texture', 'code', 'module', 'compute', 'vertex', 'fragment', 'targets', 'colorAttachments', 'view', 'loadOp', 'storeOp',
        'type', 'count', 'visibility', 'offset', 'bytesPerRow', 'width', 'height', 'dimension', 'source', 'querySet', 'constants',
        'viewFormats', 'colorFormats', 'requiredLimits', 'requiredFeatures', 'bindGroupLayouts', 'aspect', 'mipLevel', 'origin'];
    const pick = list => list[random(list.length)];
    const any = depth => {
        switch (random(depth > 0 ? 7 : 5)) {
        case 0: return pick(numbers);
        case 1: return pick(texts);
        case 2: return pick(wrong);
        case 3: return pick(bytes);
        case 4: return pick(objects());
        case 5: return Array.from({ length: random(4) }, () => any(depth - 1));
        default: return Object.fromEntries(Array.from({ length: random(8) }, () => [pick(names), any(depth - 1)]));
        }
    };
    return any;
}

// Arguments as a program means them, by class and method; an object of a class may be of either device.
function createMeant(of, random) {
    const pick = (...list) => list[random(list.length)];
    const small = () => 4 * random(64);
    const size = () => [1 + random(16), 1 + random(16), pick(1, 1, 2)];
    const format = () => pick('rgba8unorm', 'r32uint', 'depth24plus-stencil8', 'bgra8unorm-srgb', 'rgba16float', 'bc1-rgba-unorm');
    const module = () => ({ module: of(GPUShaderModule), ...pick({}, { entryPoint: 'main' }, { constants: { x: 1 } }) });
    const layout = () => pick('auto', of(GPUPipelineLayout));
    const copyTexture = () => ({ texture: of(GPUTexture), mipLevel: pick(0, 0, 1), origin: pick([0, 0], { x: 1 }) });
    const copyBuffer = () => ({ buffer: of(GPUBuffer), offset: pick(0, 256), bytesPerRow: 256, rowsPerImage: 16 });
    const label = () => pick('', 'label', '\0');
    const entry = binding => ({
        binding, visibility: random(8), ...pick({ buffer: {} }, { buffer: { type: 'storage', hasDynamicOffset: true } }, { sampler: {} },
            { texture: { viewDimension: pick('2d', 'cube') } }, { storageTexture: { format: 'r32uint', access: 'read-write' } }),
    });
    const writes = () => pick(undefined, { querySet: of(GPUQuerySet), beginningOfPassWriteIndex: random(4), endOfPassWriteIndex: random(4) });
    const pipeline = () => ({
        layout: layout(),
        vertex: { ...module(), buffers: [null, { arrayStride: 16, attributes: [{ format: 'float32x2', offset: 8, shaderLocation: random(3) }] }] },
        primitive: { topology: pick('triangle-list', 'line-strip'), stripIndexFormat: pick(undefined, 'uint16'), unclippedDepth: pick(false, true) },
        depthStencil: pick(undefined, { format: format(), depthCompare: 'less', depthWriteEnabled: true, stencilFront: { failOp: 'zero' } }),
        multisample: pick(undefined, { count: 4, mask: 3, alphaToCoverageEnabled: true }),
        fragment: pick(undefined, { ...module(), targets: [null, { format: format(), blend: pick(undefined, { color: {}, alpha: { operation: 'max' } }) }] }),
    });
    const view = () => pick(of(GPUTextureView), of(GPUTexture));
    const offsets = () => pick([], [[256]], [Uint32Array.of(0, 256, 512), random(3), random(3)]);
    const calls = () => ({
        pushDebugGroup: [label()], popDebugGroup: [], insertDebugMarker: [label()],
        setBindGroup: [random(5), pick(of(GPUBindGroup), null), ...offsets()],
        setImmediates: [pick(0, 4, 8), pick(new Uint8Array(8), new Float32Array(4), new DataView(new ArrayBuffer(8))), pick(0, 1), pick(4, 2)],
        setIndexBuffer: [of(GPUBuffer), pick('uint16', 'uint32'), pick(0, 4, 2), pick(undefined, 16)],
        setVertexBuffer: [random(9), pick(of(GPUBuffer), null), pick(0, 4), pick(undefined, 16)],
        draw: [random(9), random(3), random(9), random(2)], drawIndexed: [random(9), 1, random(9), -random(9), random(2)],
        drawIndirect: [of(GPUBuffer), small()], drawIndexedIndirect: [of(GPUBuffer), small()],
        dispatchWorkgroups: [random(4), random(4), random(4)], dispatchWorkgroupsIndirect: [of(GPUBuffer), small()],
    });
    return {
        GPUDevice: () => ({
            createBuffer: [{ label: label(), size: small(), usage: pick(1 | 8, 2 | 4, random(1024), 0x1FC), mappedAtCreation: random(4) === 0 }],
            createTexture: [{
                size: size(), format: format(), usage: random(64), dimension: pick('2d', '2d', '3d'), mipLevelCount: pick(1, 2),
                sampleCount: pick(1, 1, 4), viewFormats: pick([], [format()]),
            }],
            createSampler: [pick(undefined, { magFilter: 'linear', maxAnisotropy: random(20), compare: pick(undefined, 'less') })],
            createBindGroupLayout: [{ entries: Array.from({ length: random(4) }, (_, i) => entry(i)) }],
            createPipelineLayout: [{ bindGroupLayouts: [pick(null, of(GPUBindGroupLayout)), of(GPUBindGroupLayout)], immediateSize: pick(0, 16) }],
            createBindGroup: [{
                layout: of(GPUBindGroupLayout),
                entries: Array.from({ length: random(4) }, (_, binding) => ({
                    binding,
                    resource: pick({ buffer: of(GPUBuffer), offset: pick(0, 256), size: pick(undefined, 16) }, of(GPUBuffer), of(GPUSampler), view()),
                })),
            }],
            createShaderModule: [{ code: pick(...shaders) }],
            createComputePipeline: [{ layout: layout(), compute: module() }],
            createComputePipelineAsync: [{ layout: layout(), compute: module() }],
            createRenderPipeline: [pipeline()], createRenderPipelineAsync: [pipeline()],
            createCommandEncoder: [pick(undefined, { label: label() })],
            createRenderBundleEncoder: [{ colorFormats: [format(), null], depthStencilFormat: pick(undefined, format()), sampleCount: pick(1, 4) }],
            createQuerySet: [{ type: pick('occlusion', 'timestamp'), count: random(16) }],
            pushErrorScope: [pick('validation', 'internal', 'out-of-memory')], popErrorScope: [],
        }),
        GPUQueue: () => ({
            submit: [[of(GPUCommandBuffer)]], onSubmittedWorkDone: [],
            writeBuffer: [of(GPUBuffer), small(), pick(new Uint8Array(16), new Float32Array(4)), pick(undefined, 4), pick(undefined, 8)],
            writeTexture: [copyTexture(), new Uint8Array(4096), { bytesPerRow: pick(64, 16), rowsPerImage: 16 }, size()],
        }),
        GPUBuffer: () => ({
            mapAsync: [pick(1, 2, 3), pick(0, 8), pick(undefined, 16)], getMappedRange: [pick(0, 8, 16), pick(undefined, 4, 8)], unmap: [], destroy: [],
        }),
        GPUTexture: () => ({
            createView: [pick(undefined, {
                format: pick(undefined, format()), dimension: pick(undefined, '2d', '2d-array', 'cube'), aspect: pick('all', 'depth-only'),
                baseMipLevel: random(2), arrayLayerCount: pick(undefined, 1, 6), swizzle: pick(undefined, 'bgra'),
            })],
            destroy: [],
        }),
        GPUShaderModule: () => ({ getCompilationInfo: [] }),
        GPUComputePipeline: () => ({ getBindGroupLayout: [random(5)] }),
        GPURenderPipeline: () => ({ getBindGroupLayout: [random(5)] }),
        GPUQuerySet: () => ({ destroy: [] }),
        GPUCommandEncoder: () => ({
            ...calls(),
            beginRenderPass: [{
                colorAttachments: [pick(null, undefined), {
                    view: view(), loadOp: pick('clear', 'load'), storeOp: 'store', clearValue: pick(undefined, [0, 1, 0, 1], { r: 0, g: 0, b: 0, a: 1 }),
                    resolveTarget: pick(undefined, undefined, view()),
                }],
                depthStencilAttachment: pick(undefined, { view: view(), depthLoadOp: 'clear', depthStoreOp: 'store', depthClearValue: 1, stencilReadOnly: true }),
                occlusionQuerySet: pick(undefined, of(GPUQuerySet)), timestampWrites: writes(), maxDrawCount: pick(undefined, 100),
            }],
            beginComputePass: [pick(undefined, { timestampWrites: writes() })],
            copyBufferToBuffer: pick([of(GPUBuffer), small(), of(GPUBuffer), small(), small()], [of(GPUBuffer), of(GPUBuffer)]),
            copyBufferToTexture: [copyBuffer(), copyTexture(), size()], copyTextureToBuffer: [copyTexture(), copyBuffer(), size()],
            copyTextureToTexture: [copyTexture(), copyTexture(), size()], clearBuffer: [of(GPUBuffer), small(), small()],
            resolveQuerySet: [of(GPUQuerySet), random(4), random(4), of(GPUBuffer), 256 * random(3)], finish: [],
        }),
        GPUComputePassEncoder: () => ({ ...calls(), setPipeline: [of(GPUComputePipeline)], end: [] }),
        GPURenderPassEncoder: () => ({
            ...calls(), setPipeline: [of(GPURenderPipeline)], end: [], setViewport: [0, 0, random(20), random(20), 0, 1],
            setScissorRect: [0, 0, random(20), random(20)], setBlendConstant: [pick([1, 1, 1, 1], { r: 1, g: 0, b: 0, a: 0.5 })],
            setStencilReference: [random(256)], beginOcclusionQuery: [random(4)], endOcclusionQuery: [], executeBundles: [[of(GPURenderBundle)]],
        }),
        GPURenderBundleEncoder: () => ({ ...calls(), setPipeline: [of(GPURenderPipeline)], finish: [] }),
    };
}

const shaders = [
    '@compute @workgroup_size(4) fn main() {}',
    '@group(0) @binding(0) var<storage, read_write> a: array<u32>; @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) i: vec3u) { a[i.x] += 1; }',
    'override x: f32 = 2; @group(0) @binding(0) var<uniform> u: vec4f; @vertex fn main() -> @builtin(position) vec4f { return u * x; }',
    '@vertex fn main(@location(1) p: vec2f) -> @builtin(position) vec4f { return vec4f(p, 0, 1); }',
    '@fragment fn main() -> @location(1) vec4f { return vec4f(1); }',
    'fn f() {', '',
];

const known = new Set(['TypeError', 'RangeError', 'OperationError', 'AbortError', 'GPUPipelineError', 'InvalidStateError',
    'NotFoundError', 'DataCloneError', 'NotSupportedError']);

function checkError(error, what) {
    assert.ok(error instanceof Given || known.has(error?.name), `${what}: ${error?.stack ?? error}`);
}

async function checkRandom(backend, seed, calls) {
    const random = createRandom(seed);
    const devices = [await requestDevice(backend), await requestDevice(backend)];
    const objects = [];
    for (const device of devices) {
        device.onuncapturederror = event => event.preventDefault();
        objects.push(device, device.queue);
    }
    const any = createPool(() => objects, random);
    const of = Class => {
        const fitting = objects.filter(object => object instanceof Class);
        return fitting.length === 0 ? undefined : fitting[random(fitting.length)];
    };
    const meant = createMeant(of, random);
    const pending = [];
    const made = new Set();
    const call = (object, name, args, what) => {
        try {
            const result = object[name](...args);
            if (result instanceof Promise) {
                pending.push(result.then(value => value, error => checkError(error, what)));
            } else if (meant[result?.constructor?.name] !== undefined || /^GPU/.test(result?.constructor?.name)) {
                objects.push(result);
                made.add(result.constructor.name);
            }
        } catch (error) {
            checkError(error, what);
        }
    };
    for (let i = 0; i < calls; i++) {
        // Devices have most methods.
        const object = random(3) === 0 ? devices[random(2)] : objects[random(objects.length)];
        const methods = meant[object.constructor.name]?.();
        if (methods === undefined) {
            continue;
        }
        const names = Object.keys(methods);
        const name = names[random(names.length)];
        let args = methods[name];
        if (random(8) === 0) {
            args = Array.from({ length: random(6) }, () => any(2));
        } else if (random(8) === 0 && args.length > 0) {
            // One argument, or one member of it, is spoilt.
            const index = random(args.length);
            const members = Object.keys(args[index] ?? {});
            if (members.length > 0 && args[index].constructor === Object) {
                args[index][members[random(members.length)]] = any(1);
            } else {
                args[index] = any(1);
            }
        }
        call(object, name, args, `seed ${seed}, call ${i}: ${object.constructor.name}.${name}`);
        if (objects.length > 300) {
            objects.splice(4 + random(objects.length - 104), 100);
        }
        if (i % 500 === 499) {
            for (const value of await Promise.all(pending.splice(0))) {
                if (value instanceof GPUComputePipeline || value instanceof GPURenderPipeline) {
                    objects.push(value);
                }
            }
            globalThis.gc?.();
        }
    }
    assert.ok(made.size > 12, `enough kinds of objects: ${[...made]}`);
    // Of what is left, half has lost its device.
    devices[0].destroy();
    for (const object of objects.slice()) {
        for (const [name, args] of Object.entries(meant[object.constructor.name]?.() ?? {})) {
            call(object, name, args, `seed ${seed}, lost: ${object.constructor.name}.${name}`);
        }
    }
    await Promise.all(pending);
    devices[1].destroy();
}

async function checkTwoDevices() {
    const [a, b] = [await requestDevice('null'), await requestDevice('null')];
    const create = device => {
        const buffer = device.createBuffer({ label: 'a buffer', size: 256, usage: 0xFF & ~3 });
        const texture = device.createTexture({ size: [4, 4], format: 'rgba8unorm', usage: 0x1F });
        const layout = device.createBindGroupLayout({ entries: [{ binding: 0, visibility: 4, buffer: {} }] });
        const pipeline = device.createComputePipeline({
            layout: 'auto',
            compute: { module: device.createShaderModule({ code: '@compute @workgroup_size(1) fn main() {}' }) },
        });
        return {
            buffer, texture, layout, pipeline,
            group: device.createBindGroup({ layout, entries: [{ binding: 0, resource: buffer }] }),
            commands: device.createCommandEncoder().finish(),
            module: device.createShaderModule({ code: '@compute @workgroup_size(1) fn main() {}' }),
        };
    };
    const ours = create(a);
    const theirs = create(b);
    const encode = record => {
        const encoder = a.createCommandEncoder();
        record(encoder);
        encoder.finish();
    };
    const inPass = record => encode(encoder => {
        const pass = encoder.beginComputePass();
        record(pass);
        pass.end();
    });
    for (const call of [
        () => a.queue.writeBuffer(theirs.buffer, 0, new Uint32Array(1)),
        () => a.queue.writeTexture({ texture: theirs.texture }, new Uint8Array(4), {}, [1, 1]),
        () => a.queue.submit([theirs.commands]),
        () => a.createBindGroup({ layout: theirs.layout, entries: [{ binding: 0, resource: ours.buffer }] }),
        () => a.createBindGroup({ layout: ours.layout, entries: [{ binding: 0, resource: theirs.buffer }] }),
        () => a.createPipelineLayout({ bindGroupLayouts: [theirs.layout] }),
        () => a.createComputePipeline({ layout: 'auto', compute: { module: theirs.module } }),
        () => encode(encoder => encoder.copyBufferToBuffer(ours.buffer, 0, theirs.buffer, 8, 4)),
        () => encode(encoder => encoder.clearBuffer(theirs.buffer)),
        () => inPass(pass => pass.setPipeline(theirs.pipeline)),
        () => inPass(pass => pass.setBindGroup(0, theirs.group)),
    ]) {
        a.pushErrorScope('validation');
        call();
        const error = await a.popErrorScope();
        assert.ok(error instanceof GPUValidationError, `${call}`);
        assert.ok(/device/.test(error.message), `${call}: ${error.message}`);
    }
    a.destroy();
    b.destroy();
}

run(async () => {
    const gpu = alba.create(['backend=null']);
    const adapter = await gpu.requestAdapter();
    const device = await requestDevice('null');
    const seed = Number(process.argv[2] ?? 1);
    const calls = Number(process.argv[3] ?? 4000);
    await checkForeign([gpu, adapter, adapter.info, adapter.limits, adapter.features, device, device.queue,
        device.createBuffer({ size: 4, usage: 8 }), device.createCommandEncoder(), device.createSampler(),
        new GPUValidationError('')]);
    device.destroy();
    await checkTwoDevices();
    for (const backend of ['null', 'cpu']) {
        for (let i = 0; i < 3; i++) {
            await checkRandom(backend, seed + i, calls);
        }
    }
});
