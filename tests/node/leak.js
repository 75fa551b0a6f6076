// SPDX-License-Identifier: MIT
//
// Ten thousand objects, dropped: libalba's own counters are back where they were once the garbage
// collector has run (node --expose-gc). So are those of a device and an instance.

'use strict';

const { alba, assert, requestDevice, run } = require('./support.js');

function liveBlocks() {
    return Object.values(alba.memory()).reduce((sum, { blocks }) => sum + blocks, 0);
}

async function collect() {
    for (let i = 0; i < 6; i++) {
        globalThis.gc();
        await new Promise(resolve => setTimeout(resolve, 10));
    }
}

function draw(device, module) {
    const texture = device.createTexture({
        size: [4, 4], format: 'rgba8unorm', usage: GPUTextureUsage.RENDER_ATTACHMENT, label: 'target',
    });
    const pipeline = device.createRenderPipeline({
        layout: 'auto', vertex: { module }, fragment: { module, targets: [{ format: 'rgba8unorm' }] },
    });
    const bundle = device.createRenderBundleEncoder({ colorFormats: ['rgba8unorm'] });
    bundle.setPipeline(pipeline);
    bundle.draw(3);
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
        colorAttachments: [{ view: texture.createView(), loadOp: 'clear', storeOp: 'store' }],
        occlusionQuerySet: device.createQuerySet({ type: 'occlusion', count: 4 }),
    });
    pass.executeBundles([bundle.finish()]);
    pass.end();
    device.queue.submit([encoder.finish()]);
}

function createObjects(device, count) {
    const module = device.createShaderModule({
        code: `
            @vertex fn v() -> @builtin(position) vec4f { return vec4f(); }
            @fragment fn f() -> @location(0) vec4f { return vec4f(); }`,
    });
    for (let i = 0; i < count / 10; i++) {
        const buffer = device.createBuffer({ size: 256, usage: GPUBufferUsage.STORAGE, label: `buffer ${i}` });
        const layout = device.createBindGroupLayout({
            entries: [{ binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'storage' } }],
        });
        device.createBindGroup({ layout, entries: [{ binding: 0, resource: buffer }] });
        device.createPipelineLayout({ bindGroupLayouts: [layout] });
        device.createSampler({ label: 'sampler' });
        device.createShaderModule({ code: 'const x = 1;' });
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setBindGroup(0, null);
        pass.end();
        encoder.finish();
        const mapped = device.createBuffer({ size: 64, usage: GPUBufferUsage.COPY_SRC, mappedAtCreation: true });
        mapped.getMappedRange();
        if (i % 10 === 0) {
            draw(device, module);
        }
    }
}

async function useDevice(device) {
    device.onuncapturederror = event => event.preventDefault();
    createObjects(device, 100);
    await device.queue.onSubmittedWorkDone();
}

run(async () => {
    assert.equal(typeof globalThis.gc, 'function', 'run with --expose-gc');
    let device = await requestDevice('null');
    await useDevice(device);
    await collect();
    const before = liveBlocks();
    createObjects(device, 10000);
    assert.ok(liveBlocks() > before, 'the counters see the objects');
    await collect();
    // Objects of the last turn may still be on the stack.
    assert.ok(liveBlocks() - before < 20, `${liveBlocks() - before} blocks are left`);

    device = null;
    await collect();
    for (let i = 0; i < 20; i++) {
        await useDevice(await requestDevice('null'));
    }
    await collect();
    const left = liveBlocks();
    for (let i = 0; i < 20; i++) {
        await useDevice(await requestDevice('null'));
    }
    await collect();
    assert.ok(liveBlocks() - left < 60, `20 devices left ${liveBlocks() - left} blocks`);
});
