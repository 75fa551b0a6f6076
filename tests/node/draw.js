// SPDX-License-Identifier: MIT
//
// Drawing from JavaScript: masks with all bits are what they say, whether given or left out.

'use strict';

const { assert, requestDevice, run } = require('./support.js');

const code = `
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1) * 4 - 1, f32(i & 2) * 2 - 1, 0, 1);
    }
    @fragment fn fs() -> @location(0) vec4f { return vec4f(1); }`;

// Draws over one pixel of four samples; the resolved color and, with one sample, the stencil.
async function draw(device, sampleCount, mask, stencilMask) {
    const module = device.createShaderModule({ code });
    const always = { compare: 'equal', passOp: 'invert' };
    const pipeline = device.createRenderPipeline({
        layout: 'auto',
        vertex: { module },
        fragment: { module, targets: [{ format: 'r8unorm' }] },
        depthStencil: {
            format: 'stencil8', stencilFront: always, stencilBack: always,
            stencilReadMask: stencilMask, stencilWriteMask: stencilMask,
        },
        multisample: { count: sampleCount, mask },
    });
    const usage = GPUTextureUsage.RENDER_ATTACHMENT;
    const samples = device.createTexture({ size: [1], format: 'r8unorm', sampleCount, usage });
    const color = device.createTexture({ size: [1], format: 'r8unorm', usage: usage | GPUTextureUsage.COPY_SRC });
    const stencil = device.createTexture({
        size: [1], format: 'stencil8', sampleCount,
        usage: usage | (sampleCount === 1 ? GPUTextureUsage.COPY_SRC : 0),
    });
    const buffer = device.createBuffer({ size: 8, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
        colorAttachments: [sampleCount === 1
            ? { view: color, loadOp: 'clear', storeOp: 'store' }
            : { view: samples, resolveTarget: color, loadOp: 'clear', storeOp: 'discard' }],
        depthStencilAttachment: { view: stencil, stencilLoadOp: 'clear', stencilStoreOp: 'store' },
    });
    pass.setPipeline(pipeline);
    pass.draw(3);
    pass.end();
    encoder.copyTextureToBuffer({ texture: color }, { buffer }, [1]);
    if (sampleCount === 1) {
        encoder.copyTextureToBuffer({ texture: stencil }, { buffer, offset: 4 }, [1]);
    }
    device.queue.submit([encoder.finish()]);
    await buffer.mapAsync(GPUMapMode.READ);
    const bytes = new Uint8Array(buffer.getMappedRange().slice(0));
    return [bytes[0], bytes[4]];
}

run(async () => {
    const device = await requestDevice('cpu');
    device.onuncapturederror = event => assert.fail(event.error.message);
    // A quarter of white for each sample, rounded.
    assert.equal((await draw(device, 4, undefined))[0], 255);
    assert.equal((await draw(device, 4, 0xffffffff))[0], 255);
    assert.equal((await draw(device, 4, 0xfffffffe))[0], 191);
    assert.equal((await draw(device, 4, 5))[0], 128);
    assert.equal((await draw(device, 4, 0))[0], 0);
    assert.deepEqual(await draw(device, 1, 0xffffffff, undefined), [255, 255]);
    assert.deepEqual(await draw(device, 1, 0xffffffff, 0xffffffff), [255, 255]);
    assert.deepEqual(await draw(device, 1, 0xfffffffe, 0xff), [0, 0]);
    assert.deepEqual(await draw(device, 1, 1, 0xfffffffe), [255, 254]);
    device.destroy();
});
