// SPDX-License-Identifier: MIT
//
// Render pipelines from JavaScript: null targets and buffers, rejections, and messages that name
// object, variable and both sides of what does not fit.

'use strict';

const { assert, rejects, requestDevice, run, throws } = require('./support.js');

const code = `
    struct Varying { @builtin(position) place: vec4f, @location(1) uv: vec2f }
    @group(0) @binding(0) var<storage, read> lights: array<vec4f>;
    @vertex fn vs(@location(0) place: vec3f) -> Varying { return Varying(vec4f(place, 1), place.xy); }
    @fragment fn fs(in: Varying) -> @location(1) vec4f { return lights[0] * in.uv.x; }
    @fragment fn other(@location(1) uv: vec3f) -> @location(1) vec4f { return vec4f(uv, 1); }`;

function describe(module, change = () => {}) {
    const descriptor = {
        label: 'sky',
        layout: 'auto',
        vertex: {
            module,
            buffers: [null, { arrayStride: 12, attributes: [{ shaderLocation: 0, offset: 0, format: 'float32x3' }] }],
        },
        fragment: { module, entryPoint: 'fs', targets: [null, { format: 'rgba8unorm' }] },
    };
    change(descriptor);
    return descriptor;
}

async function messageOf(device, descriptor) {
    device.pushErrorScope('validation');
    const pipeline = device.createRenderPipeline(descriptor);
    const error = await device.popErrorScope();
    assert.ok(pipeline instanceof GPURenderPipeline);
    assert.ok(error === null || error instanceof GPUValidationError);
    return error?.message;
}

async function checkMessages(device, module) {
    assert.equal(await messageOf(device, describe(module)), undefined);
    const layout = device.createPipelineLayout({
        bindGroupLayouts: [device.createBindGroupLayout({
            entries: [{ binding: 0, visibility: GPUShaderStage.FRAGMENT, buffer: { type: 'uniform' } }],
        })],
    });
    assert.equal(await messageOf(device, describe(module, d => { d.layout = layout; })),
        'render pipeline "sky": the shader\'s variable "lights" at @group(0) @binding(0) is declared ' +
        'var<storage, read>, for a buffer of type ReadOnlyStorage, but the layout\'s entry is a buffer of type Uniform');
    assert.equal(await messageOf(device, describe(module, d => { d.fragment.entryPoint = 'other'; })),
        'render pipeline "sky": location 1 is vec2<f32> in the output "uv" of vertex entry point "vs", but vec3<f32> ' +
        'in the input "uv" of fragment entry point "other"');
    assert.equal(await messageOf(device, describe(module, d => { d.fragment.targets[0] = { format: 'r8uint' }; })),
        'render pipeline "sky": color target 0 has a writeMask of All, but fragment entry point "fs" has no output at ' +
        'location 0; write it or make the writeMask None');
    assert.equal(await messageOf(device, describe(module, d => { d.fragment.entryPoint = 'sf'; })),
        'render pipeline "sky": shader module (no label) has no fragment entry point named "sf" (it has: fs, other)');
    assert.equal(await messageOf(device, describe(module, d => {
        d.vertex.buffers[1].attributes[0].format = 'snorm10-10-10-2';
    })), undefined);
}

async function checkRejections(device, module) {
    const good = await device.createRenderPipelineAsync(describe(module));
    assert.ok(good instanceof GPURenderPipeline && good.label === 'sky');
    const promise = device.createRenderPipelineAsync(describe(module, d => { d.vertex.buffers[1].arrayStride = 10; }));
    await promise.then(() => assert.fail('resolved'), error => {
        assert.ok(error instanceof GPUPipelineError);
        assert.equal(error.reason, 'validation');
        assert.equal(error.message, 'render pipeline "sky": vertex buffer 1: arrayStride 10 must be a multiple of 4');
    });
    // What needs a feature is no validation error but a TypeError.
    const bad = describe(module, d => { d.depthStencil = { format: 'depth32float-stencil8', depthWriteEnabled: false }; });
    throws('TypeError', ['depth32float-stencil8'], () => device.createRenderPipeline(bad));
    await rejects('TypeError', ['depth32float-stencil8'], device.createRenderPipelineAsync(bad));
}

async function checkLayouts(device, module) {
    const pipeline = device.createRenderPipeline(describe(module));
    const buffer = device.createBuffer({ size: 16, usage: GPUBufferUsage.STORAGE });
    device.pushErrorScope('validation');
    device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: { buffer } }] });
    device.createBindGroup({ layout: pipeline.getBindGroupLayout(1), entries: [] });
    assert.equal(await device.popErrorScope(), null);
    device.pushErrorScope('validation');
    pipeline.getBindGroupLayout(4);
    assert.equal((await device.popErrorScope()).message,
        'render pipeline "sky": bind group index 4 must be below the limit maxBindGroups, 4');
}

run(async () => {
    for (const backend of ['null', 'cpu']) {
        const device = await requestDevice(backend);
        const module = device.createShaderModule({ code });
        await checkMessages(device, module);
        await checkRejections(device, module);
        await checkLayouts(device, module);
        device.destroy();
    }
});
