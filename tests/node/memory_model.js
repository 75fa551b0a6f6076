// SPDX-License-Identifier: MIT
//
// The memory model as JavaScript sees it: what is ordered, what is copied when, what may be bound together, and
// that a message names the rule, the object and both places. Expected values come from arithmetic alone.

'use strict';

const { assert, readBack, rejects, requestDevice, run, throws } = require('./support.js');

const { MAP_READ, MAP_WRITE, COPY_SRC, COPY_DST, STORAGE, UNIFORM } = GPUBufferUsage;

// The call makes one validation error, whose message holds each of the texts.
async function breaks(device, texts, call) {
    device.pushErrorScope('validation');
    const result = call();
    result?.catch?.(() => {});
    const error = await device.popErrorScope();
    assert.ok(error instanceof GPUValidationError, `${call} breaks no rule`);
    for (const text of texts) {
        assert.ok(error.message.includes(text), `'${text}' in '${error.message}'`);
    }
}

async function isValid(device, call) {
    device.pushErrorScope('validation');
    const result = call();
    const error = await device.popErrorScope();
    assert.equal(error?.message, undefined);
    return result;
}

// The messages of a shader's errors, hints included.
async function refuses(device, texts, code) {
    device.pushErrorScope('validation');
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    assert.ok(await device.popErrorScope() instanceof GPUValidationError, `refused: ${code}`);
    assert.equal(messages[0].type, 'error');
    const all = messages.map(({ message }) => message).join('\n');
    for (const text of texts) {
        assert.ok(all.includes(text), `'${text}' in '${all}'`);
    }
}

function createPipeline(device, code, layout = 'auto') {
    return device.createComputePipeline({ label: 'step', layout, compute: { module: device.createShaderModule({ code }) } });
}

function bind(device, pipeline, ...resources) {
    return device.createBindGroup({
        layout: pipeline.getBindGroupLayout(0),
        entries: resources.map((resource, binding) => ({ binding, resource })),
    });
}

function upload(device, data, label) {
    const buffer = device.createBuffer({
        label, size: data.byteLength, usage: STORAGE | COPY_SRC | COPY_DST, mappedAtCreation: true,
    });
    new Uint8Array(buffer.getMappedRange()).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    buffer.unmap();
    return buffer;
}

//
// Spaces and access modes
//

const main = '@compute @workgroup_size(1) fn main()';

async function checkSpaces(device) {
    await refuses(device, ["workgroup variable 'w'", "vertex entry point 'v'", "'v' calls 'c'", "'c' calls 'b'", "'b' uses 'w'"], `
        var<workgroup> w: u32;
        fn b() -> u32 { return w; }
        fn c() -> u32 { return b(); }
        @vertex fn v() -> @builtin(position) vec4f { return vec4f(f32(c())); }`);
    await refuses(device, ["'private'", 'atomic<u32>', 'storage, read_write'], 'var<private> p: atomic<u32>;');
    await refuses(device, ["'uniform'", 'atomic<u32>'], '@group(0) @binding(0) var<uniform> p: atomic<u32>;');
    await refuses(device, ['atomics in storage', 'read_write'], '@group(0) @binding(0) var<storage> p: atomic<u32>;');
    await refuses(device, ["'private'", 'only in', "'storage'"], 'var<private> p: array<u32>;');
    await refuses(device, ["'private' has no binding"], '@group(0) @binding(0) var<private> p: u32;');
    await refuses(device, ["'p' needs @group and @binding"], 'var<storage> p: u32;');
    await refuses(device, ["'private' always has 'read_write'"], 'var<private, read> p: u32;');
    await refuses(device, ["never 'write'"], '@group(0) @binding(0) var<storage, write> p: u32;');
    await refuses(device, ["mode 'read' cannot be written", 'var<storage, read_write>'], `
        @group(0) @binding(0) var<storage> a: u32;
        ${main} { a = 1; }`);
    await refuses(device, ['ptr<private, u32>', 'ptr<workgroup, u32>', 'address spaces differ'], `
        var<workgroup> w: u32;
        fn f(p: ptr<private, u32>) {}
        ${main} { f(&w); }`);
    await refuses(device, ['atomic<u32>', 'atomicLoad'], `
        @group(0) @binding(0) var<storage, read_write> a: array<atomic<u32>>;
        ${main} { let x = a[0] + 1; }`);
    await refuses(device, ["'workgroupBarrier' must be called in uniform control flow"], `
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
            if (i < 3) { workgroupBarrier(); }
        }`);
}

async function checkLayouts(device) {
    const weights = `
        struct Weights { v: array<f32, 64> }
        @group(0) @binding(0) var<uniform> w: Weights;
        ${main} { _ = w.v[0]; }`;
    await refuses(device, ["uniform buffer 'w'", '4 bytes apart', 'array<vec4<f32>, 16>',
        'requires uniform_buffer_standard_layout'], weights);
    await isValid(device, () => device.createShaderModule({ code: `requires uniform_buffer_standard_layout; ${weights}` }));
    await isValid(device, () => device.createShaderModule({ code: weights.replace('uniform', 'storage') }));

    const layout = type => device.createPipelineLayout({
        bindGroupLayouts: [device.createBindGroupLayout({
            entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type } }],
        })],
    });
    const shader = mode => `@group(0) @binding(0) var<storage, ${mode}> a: array<u32>; ${main} { _ = a[0]; }`;
    const rows = [['read', 'storage'], ['read_write', 'read-only-storage']];
    for (const [mode, type] of rows) {
        const texts = ['compute pipeline "step"', '"a" at @group(0) @binding(0)', `var<storage, ${mode}>`,
            type === 'storage' ? 'buffer of type Storage' : 'buffer of type ReadOnlyStorage'];
        await breaks(device, texts, () => createPipeline(device, shader(mode), layout(type)));
        const promise = device.createComputePipelineAsync({
            label: 'step', layout: layout(type), compute: { module: device.createShaderModule({ code: shader(mode) }) },
        });
        await rejects('GPUPipelineError', texts, promise);
        assert.equal((await promise.catch(error => error)).reason, 'validation');
        await isValid(device, () => createPipeline(device, shader(mode), layout(rows.find(row => row[0] !== mode)[1])));
    }
    await breaks(device, ['compute pipeline "step"', '20048 bytes', 'maxComputeWorkgroupStorageSize, 16384',
        'a: 20000 bytes', 'b: 40 bytes'], () => createPipeline(device, `
            var<workgroup> a: array<u32, 5000>;
            var<workgroup> b: array<u32, 10>;
            ${main} { a[0] = 1; b[0] = 1; }`));
    const visible = type => () => device.createBindGroupLayout({
        label: 'seen by vertices', entries: [{ binding: 3, visibility: GPUShaderStage.VERTEX, buffer: { type } }],
    });
    await breaks(device, ['"seen by vertices"', 'binding 3', 'vertex'], visible('storage'));
    await isValid(device, visible('read-only-storage'));
}

// The default limits, what is told of one that is passed, and one that is raised.
async function checkLimits(device) {
    const { limits } = device;
    const expected = {
        maxUniformBufferBindingSize: 65536, maxStorageBufferBindingSize: 134217728, maxBufferSize: 268435456,
        maxUniformBuffersPerShaderStage: 12, maxStorageBuffersPerShaderStage: 8,
        maxDynamicUniformBuffersPerPipelineLayout: 8, maxDynamicStorageBuffersPerPipelineLayout: 4,
        minUniformBufferOffsetAlignment: 256, minStorageBufferOffsetAlignment: 256,
        maxComputeWorkgroupStorageSize: 16384,
    };
    for (const [name, value] of Object.entries(expected)) {
        assert.equal(limits[name], value, name);
    }
    const layoutOf = (count, type, hasDynamicOffset = false) => device.createBindGroupLayout({
        label: 'slots', entries: Array.from({ length: count },
            (_, binding) => ({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type, hasDynamicOffset } })),
    });
    for (const [count, type, dynamic, limit] of [
        [12, 'uniform', false, 'maxUniformBuffersPerShaderStage, 12'],
        [8, 'read-only-storage', false, 'maxStorageBuffersPerShaderStage, 8'],
        [8, 'uniform', true, 'maxDynamicUniformBuffersPerPipelineLayout, 8'],
        [4, 'storage', true, 'maxDynamicStorageBuffersPerPipelineLayout, 4'],
    ]) {
        await isValid(device, () => layoutOf(count, type, dynamic));
        await breaks(device, ['"slots"', `${count + 1}`, limit], () => layoutOf(count + 1, type, dynamic));
    }
    const bound = (type, usage, offset, size) => () => device.createBindGroup({
        layout: layoutOf(1, type), entries: [{ binding: 0, resource: {
            buffer: device.createBuffer({ label: 'data', size: 131072, usage }), offset, size,
        } }],
    });
    await isValid(device, bound('uniform', UNIFORM, 256, 65536));
    await breaks(device, ['65540 bytes', 'maxUniformBufferBindingSize, 65536'], bound('uniform', UNIFORM, 0, 65540));
    await breaks(device, ['offset 128', 'minUniformBufferOffsetAlignment, 256'], bound('uniform', UNIFORM, 128, 256));
    await breaks(device, ['offset 128', 'minStorageBufferOffsetAlignment, 256'], bound('storage', STORAGE, 128, 256));
    await breaks(device, ['"data"', 'Uniform'], bound('uniform', STORAGE, 0, 256));
    await breaks(device, ['"data"', 'Storage'], bound('storage', UNIFORM, 0, 256));
    // The shader needs the array's offset, 16, and one element of 16.
    const pipeline = createPipeline(device, `
        struct Block { n: u32, data: array<vec4f> }
        @group(0) @binding(0) var<storage> b: Block;
        ${main} { _ = b.data[0]; }`);
    const short = size => () => bind(device, pipeline, { buffer: device.createBuffer({ size, usage: STORAGE }) });
    await isValid(device, short(32));
    await breaks(device, ['28 bytes', '32'], short(28));
    const raised = await requestDevice('cpu', { requiredLimits: { maxUniformBufferBindingSize: 131072 } });
    assert.equal(raised.limits.maxUniformBufferBindingSize, 131072);
    raised.destroy();
}

//
// Order and atomics
//

// An invocation's own writes and reads keep their order; 64 increments give 64, in both spaces.
async function checkAtomics(device) {
    const result = device.createBuffer({ size: 4 * 130, usage: STORAGE | COPY_SRC });
    const pipeline = createPipeline(device, `
        @group(0) @binding(0) var<storage, read_write> result: array<atomic<u32>, 130>;
        var<workgroup> shared_count: atomic<u32>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
            var own = array<u32, 4>();
            for (var k = 0u; k < 4; k++) { own[k] = i + k; }
            own[1] = own[0] + own[2];
            own[1] += own[1];
            atomicStore(&result[2 + i], own[1]);
            atomicAdd(&result[0], 1);
            atomicAdd(&shared_count, 1);
            workgroupBarrier();
            if (i == 0) { atomicStore(&result[1], atomicLoad(&shared_count)); }
        }`);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bind(device, pipeline, result));
    pass.dispatchWorkgroups(1);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const numbers = new Uint32Array(await readBack(device, result));
    assert.deepEqual([numbers[0], numbers[1]], [64, 64]);
    for (let i = 0; i < 64; i++) {
        assert.equal(numbers[2 + i], 2 * (2 * i + 2));
    }
}

// What a dispatch wrote, the next one sees: in the next pass, in the same pass, and in the next submit.
async function checkOrder(device) {
    const start = Uint32Array.from({ length: 256 }, (_, i) => 3 * i + 1);
    const pipeline = createPipeline(device, `
        @group(0) @binding(0) var<storage, read> before: array<u32>;
        @group(0) @binding(1) var<storage, read_write> after: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
            after[id.x] = before[(id.x + 1) % arrayLength(&before)] * 1664525 + 1013904223;
        }`);
    const steps = 9;
    let expected = start;
    for (let step = 0; step < steps; step++) {
        const last = expected;
        expected = last.map((_, i) => Math.imul(last[(i + 1) % 256], 1664525) + 1013904223);
    }
    for (const apart of ['dispatch', 'pass', 'submit']) {
        const buffers = [upload(device, start), upload(device, start)];
        const groups = [bind(device, pipeline, buffers[0], buffers[1]), bind(device, pipeline, buffers[1], buffers[0])];
        let encoder = device.createCommandEncoder();
        let pass = encoder.beginComputePass();
        for (let step = 0; step < steps; step++) {
            if (step > 0 && apart !== 'dispatch') {
                pass.end();
                if (apart === 'submit') {
                    device.queue.submit([encoder.finish()]);
                    encoder = device.createCommandEncoder();
                }
                pass = encoder.beginComputePass();
            }
            pass.setPipeline(pipeline);
            pass.setBindGroup(0, groups[step % 2]);
            pass.dispatchWorkgroups(4);
        }
        pass.end();
        device.queue.submit([encoder.finish()]);
        const bytes = await readBack(device, buffers[steps % 2]);
        assert.deepEqual(new Uint32Array(bytes), expected, `one ${apart} after the other`);
    }
}

// The lesson's loop: two bind groups made once, swapped in each step; bit-exact in f32.
async function checkPingPong(device) {
    const count = 1000;
    const steps = 50;
    const dt = Math.fround(0.016);
    const particles = Float32Array.from({ length: 4 * count }, (_, i) => Math.sin(i));
    const pipeline = createPipeline(device, `
        struct Particle { pos: vec2f, vel: vec2f }
        @group(0) @binding(0) var<storage, read> before: array<Particle>;
        @group(0) @binding(1) var<storage, read_write> after: array<Particle>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
            if (id.x >= arrayLength(&before)) { return; }
            let particle = before[id.x];
            after[id.x] = Particle(particle.pos * 0.5 + particle.vel, particle.vel * f32(${dt}));
        }`);
    const buffers = [upload(device, particles, 'A'), upload(device, particles, 'B')];
    const groups = [bind(device, pipeline, buffers[0], buffers[1]), bind(device, pipeline, buffers[1], buffers[0])];
    for (let step = 0; step < steps; step++) {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, groups[step % 2]);
        pass.dispatchWorkgroups(Math.ceil(count / 64));
        pass.end();
        device.queue.submit([encoder.finish()]);
    }
    const expected = particles.slice();
    for (let step = 0; step < steps; step++) {
        for (let i = 0; i < count; i++) {
            for (const axis of [0, 1]) {
                const velocity = expected[4 * i + 2 + axis];
                // Halving is exact, so that the sum is rounded once, fused or not.
                expected[4 * i + axis] = Math.fround(0.5 * expected[4 * i + axis] + velocity);
                expected[4 * i + 2 + axis] = Math.fround(velocity * dt);
            }
        }
    }
    assert.deepEqual(new Float32Array(await readBack(device, buffers[steps % 2])), expected);
}

//
// Moving data
//

async function checkWrites(device) {
    const { queue } = device;
    const buffer = device.createBuffer({ label: 'state', size: 1024, usage: STORAGE | COPY_SRC | COPY_DST });
    // The source may be reused at once.
    const source = new Uint32Array(256);
    const expected = new Uint32Array(256);
    for (let i = 0; i < 256; i++) {
        source[0] = expected[i] = 7 * i + 5;
        queue.writeBuffer(buffer, 4 * i, source, 0, 1);
    }
    source.fill(0);
    assert.deepEqual(new Uint32Array(await readBack(device, buffer)), expected);

    await breaks(device, ['offset 2', 'multiple of 4'], () => queue.writeBuffer(buffer, 2, new Uint32Array(1)));
    throws('OperationError', ['multiple of 4'], () => queue.writeBuffer(buffer, 0, new Uint8Array(3)));
    await breaks(device, ['offset 1020', 'size 8', '"state" of 1024 bytes'], () => queue.writeBuffer(buffer, 1020, new Uint32Array(2)));
    const unfit = device.createBuffer({ label: 'no destination', size: 16, usage: STORAGE });
    await breaks(device, ['CopyDst', '"no destination"', 'usage Storage'], () => queue.writeBuffer(unfit, 0, new Uint32Array(1)));

    // No rule of 256 bytes for writeTexture; there is one between buffers and textures.
    const texture = device.createTexture({
        size: [4, 4], format: 'rgba8unorm', usage: GPUTextureUsage.COPY_DST | GPUTextureUsage.COPY_SRC,
    });
    const texels = Uint8Array.from({ length: 64 }, (_, i) => i);
    await isValid(device, () => queue.writeTexture({ texture }, texels, { bytesPerRow: 16 }, [4, 4]));
    const copy = bytesPerRow => {
        const encoder = device.createCommandEncoder({ label: 'copying' });
        encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [4, 4]);
        return encoder.finish();
    };
    await breaks(device, ['"copying"', 'bytesPerRow 16', 'multiple of 256'], () => copy(16));
    queue.submit([await isValid(device, () => copy(256))]);
    const rows = new Uint8Array(await readBack(device, buffer));
    for (let y = 0; y < 4; y++) {
        assert.deepEqual(rows.slice(256 * y, 256 * y + 16), texels.slice(16 * y, 16 * y + 16));
    }
}

async function checkReadBack(device) {
    for (const [usage, allowed] of [[MAP_READ | STORAGE, 'CopyDst'], [MAP_WRITE | COPY_DST, 'CopySrc'], [MAP_READ | UNIFORM, 'CopyDst']]) {
        await breaks(device, ['buffer "wrong"', allowed, 'nothing else'],
            () => device.createBuffer({ label: 'wrong', size: 16, usage }));
    }
    const data = upload(device, Uint32Array.of(1, 2, 3, 4));
    const target = device.createBuffer({ label: 'read back', size: 16, usage: MAP_READ | COPY_DST });
    const record = () => {
        const encoder = device.createCommandEncoder();
        encoder.copyBufferToBuffer(data, target);
        return encoder.finish({ label: 'the copy' });
    };
    device.queue.submit([record()]);
    const late = [record(), record()];
    // The map is ready after the copy, with nothing else waited for.
    const promise = target.mapAsync(GPUMapMode.READ);
    const texts = ['"the copy"', 'buffer "read back"', 'GPUBuffer.mapAsync'];
    await breaks(device, texts, () => device.queue.submit([late[0]]));
    await promise;
    assert.deepEqual([...new Uint32Array(target.getMappedRange())], [1, 2, 3, 4]);
    await breaks(device, texts, () => device.queue.submit([late[1]]));
    target.unmap();
    await isValid(device, () => device.queue.submit([record()]));

    for (const [mode, offset, size, text] of [
        [GPUMapMode.READ, 4, 8, 'offset 4'], [GPUMapMode.READ, 0, 6, 'size 6'], [GPUMapMode.WRITE, 0, 16, 'MapWrite'],
    ]) {
        await breaks(device, ['"read back"', text], () => target.mapAsync(mode, offset, size));
        device.pushErrorScope('validation');
        await rejects('OperationError', ['"read back"', text], target.mapAsync(mode, offset, size));
        await device.popErrorScope();
    }
    throws('RangeError', ['multiple of 4'], () => device.createBuffer({ size: 6, usage: STORAGE, mappedAtCreation: true }));
}

//
// Usage scopes
//

async function checkScopes(device) {
    const state = device.createBuffer({ label: 'state', size: 512, usage: STORAGE });
    const part = offset => ({ buffer: state, offset, size: 256 });
    const pipelines = ['read', 'read_write'].map(mode => createPipeline(device, `
        @group(0) @binding(0) var<storage, ${mode}> a: array<u32>;
        @group(0) @binding(1) var<storage, read_write> b: array<u32>;
        ${main} { b[0] = a[0]; }`));
    const record = (...pairs) => {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass({ label: 'pass' });
        for (const [pipeline, group] of pairs) {
            pass.setPipeline(pipeline);
            pass.setBindGroup(0, group);
            pass.dispatchWorkgroups(1);
        }
        pass.end();
        return encoder.finish();
    };
    // Read and written in one dispatch: an error of the dispatch, not of createBindGroup, even of apart ranges.
    const [reads, writes] = pipelines;
    const apart = await isValid(device, () => bind(device, reads, part(0), part(256)));
    await breaks(device, ['"pass"', 'buffer "state"', 'group 0 binding 0 (ReadOnlyStorage)', 'group 0 binding 1 (Storage)'],
        () => record([reads, apart]));
    // Two writable bindings may lie apart and not overlap.
    await isValid(device, () => record([writes, bind(device, writes, part(0), part(256))]));
    const same = await isValid(device, () => bind(device, writes, part(0), part(0)));
    await breaks(device, ['bytes 0 to 256', 'buffer "state"', 'group 0 binding 0', 'group 0 binding 1'], () => record([writes, same]));
    // Each dispatch is a scope of its own: read in one and written in the next is legal in one pass.
    const other = device.createBuffer({ size: 512, usage: STORAGE });
    await isValid(device, () => record(
        [reads, bind(device, reads, { buffer: state }, { buffer: other })],
        [reads, bind(device, reads, { buffer: other }, { buffer: state })]));
}

// A render pass is one scope, judged at its end, and so is a bundle, at finish.
async function checkRenderScopes(device) {
    const state = device.createBuffer({ label: 'state', size: 512, usage: STORAGE | GPUBufferUsage.VERTEX });
    const target = device.createTexture({
        label: 'target', size: [4, 4, 2], format: 'rgba8unorm',
        usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.TEXTURE_BINDING,
    });
    const layer = baseArrayLayer => target.createView({ dimension: '2d', baseArrayLayer, arrayLayerCount: 1 });
    const visibility = GPUShaderStage.FRAGMENT;
    const layouts = [
        { buffer: { type: 'read-only-storage' } }, { buffer: { type: 'storage' } }, { texture: {} }, { texture: { sampleType: 'depth' } },
    ].map(kind => device.createBindGroupLayout({ entries: [{ binding: 0, visibility, ...kind }] }));
    const [reads, writes, samples, samplesDepth] = layouts;
    const group = (layout, resource) => device.createBindGroup({ layout, entries: [{ binding: 0, resource }] });
    const module = device.createShaderModule({
        code: `
            @vertex fn v(@location(0) p: vec4f) -> @builtin(position) vec4f { return p; }
            @fragment fn f() -> @location(0) vec4f { return vec4f(1); }`,
    });
    const pipeline = (bindGroupLayouts, more) => device.createRenderPipeline({
        layout: device.createPipelineLayout({ bindGroupLayouts }),
        vertex: { module, buffers: [{ arrayStride: 16, attributes: [{ format: 'float32x4', offset: 0, shaderLocation: 0 }] }] },
        fragment: { module, targets: [{ format: 'rgba8unorm' }] },
        ...more,
    });
    const inPass = (record, more) => () => {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginRenderPass({
            label: 'drawing', colorAttachments: [{ view: layer(0), loadOp: 'clear', storeOp: 'store' }], ...more,
        });
        record(pass);
        pass.end();
        return encoder.finish();
    };
    const draw = (encoder, layout, resource, vertices = state) => {
        encoder.setPipeline(pipeline([layout]));
        encoder.setBindGroup(0, group(layout, resource));
        encoder.setVertexBuffer(0, vertices);
        encoder.draw(3);
    };
    const other = device.createBuffer({ label: 'other', size: 512, usage: STORAGE | GPUBufferUsage.VERTEX });
    await isValid(device, inPass(pass => draw(pass, reads, { buffer: state })));
    await breaks(device, ['"drawing"', 'buffer "state"', 'vertex buffer 0', 'group 0 binding 0 (Storage)'],
        inPass(pass => draw(pass, writes, { buffer: state })));
    await breaks(device, ['"drawing"', 'buffer "state"', 'ReadOnlyStorage', '(Storage)'], inPass(pass => {
        draw(pass, reads, { buffer: state }, other);
        draw(pass, writes, { buffer: state }, other);
    }));
    const bundle = record => () => {
        const encoder = device.createRenderBundleEncoder({ label: 'bundled', colorFormats: ['rgba8unorm'] });
        record(encoder);
        return encoder.finish();
    };
    await breaks(device, ['"bundled"', 'buffer "state"'], bundle(encoder => draw(encoder, writes, { buffer: state })));
    // An attachment is not sampled; its other subresources may be.
    await breaks(device, ['"drawing"', 'texture "target"'], inPass(pass => draw(pass, samples, layer(0))));
    await isValid(device, inPass(pass => draw(pass, samples, layer(1))));
    // But for depth that is read only.
    const depth = device.createTexture({
        label: 'depth', size: [4, 4], format: 'depth32float',
        usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.TEXTURE_BINDING,
    });
    const tests = pipeline([samplesDepth], { depthStencil: { format: 'depth32float', depthWriteEnabled: false, depthCompare: 'less' } });
    const withDepth = attachment => inPass(pass => {
        pass.setPipeline(tests);
        pass.setBindGroup(0, group(samplesDepth, depth));
        pass.setVertexBuffer(0, state);
        pass.draw(3);
    }, { depthStencilAttachment: { view: depth, ...attachment } });
    await breaks(device, ['texture "depth"'], withDepth({ depthLoadOp: 'clear', depthStoreOp: 'store', depthClearValue: 1 }));
    await isValid(device, withDepth({ depthReadOnly: true }));
}

run(async () => {
    // The rules are the same on every adapter; this one needs no code for the pipelines.
    const validator = await requestDevice('null');
    await checkRenderScopes(validator);
    validator.destroy();
    const device = await requestDevice();
    device.onuncapturederror = ({ error }) => { throw new Error(error.message); };
    for (const check of [
        checkSpaces, checkLayouts, checkLimits, checkAtomics, checkOrder, checkPingPong, checkWrites, checkReadBack, checkScopes,
    ]) {
        await check(device);
    }
    device.destroy();
});
