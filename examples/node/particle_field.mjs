// SPDX-License-Identifier: MIT
//
// One million particles that never leave the device: a compute pass moves them from one buffer to
// the other, and a render pass of the same command buffer draws the new one, as points. The buffers
// have the usages STORAGE and VERTEX, so nothing is copied. Uses navigator.gpu, as the same program
// does in a browser.
//
//   node particle_field.mjs [OUTPUT.png]

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import '../../bindings/node/register.mjs';

const require = createRequire(import.meta.url);
const { getFile } = require('./arguments.js');
const { writePng } = require('./png.js');

const path = getFile('particle_field.mjs [OUTPUT.png]', true) ?? 'particle_field.png';

const particleCount = 1 << 20;
const stepCount = 16;
const size = 768;

const code = `
    struct Particle {
        position: vec2f,
        velocity: vec2f,
    }
    @group(0) @binding(0) var<storage, read> before: array<Particle>;
    @group(0) @binding(1) var<storage, read_write> after: array<Particle>;

    const timeStep = 0.03;

    // A sun in the middle and two planets pull.
    fn pull(position: vec2f, place: vec2f, strength: f32) -> vec2f {
        let way = place - position;
        return strength * way / pow(dot(way, way) + 0.01, 1.5);
    }

    @compute @workgroup_size(64)
    fn move_particles(@builtin(global_invocation_id) id: vec3u) {
        var particle = before[id.x];
        let force = pull(particle.position, vec2f(0), 0.3)
            + pull(particle.position, vec2f(0.55, 0.1), 0.06)
            + pull(particle.position, vec2f(-0.35, -0.5), 0.05);
        particle.velocity += timeStep * force;
        particle.position += timeStep * particle.velocity;
        after[id.x] = particle;
    }

    struct Point {
        @builtin(position) place: vec4f,
        @location(0) @interpolate(flat) color: vec3f,
    }

    @vertex
    fn point_vertex(@location(0) position: vec2f, @location(1) velocity: vec2f) -> Point {
        let heat = saturate(0.55 * length(velocity));
        return Point(vec4f(position, 0, 1), mix(vec3f(0.1, 0.3, 1), vec3f(1, 0.45, 0.1), heat));
    }

    @fragment
    fn point_fragment(point: Point) -> @location(0) vec4f {
        return vec4f(point.color * 0.02, 1);
    }`;

const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice();
device.onuncapturederror = event => {
    throw new Error(event.error.message);
};

// A disc with a hole that turns, denser inside.
const particles = new Float32Array(particleCount * 4);
for (let i = 0; i < particleCount; i++) {
    const radius = 0.15 + 0.8 * Math.random();
    const angle = 2 * Math.PI * Math.random();
    const speed = Math.sqrt(0.3 * radius * radius / (radius * radius + 0.01) ** 1.5);
    particles.set([radius * Math.cos(angle), radius * Math.sin(angle),
        -speed * Math.sin(angle), speed * Math.cos(angle)], 4 * i);
}
const buffers = [0, 1].map(i => device.createBuffer({
    label: `particles ${i}`,
    size: particles.byteLength,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST,
}));
device.queue.writeBuffer(buffers[0], 0, particles);

const module = device.createShaderModule({ code });
const moving = await device.createComputePipelineAsync({ layout: 'auto', compute: { module } });
const add = { srcFactor: 'one', dstFactor: 'one', operation: 'add' };
const drawing = await device.createRenderPipelineAsync({
    layout: 'auto',
    vertex: {
        module,
        buffers: [{
            arrayStride: 16,
            attributes: [
                { shaderLocation: 0, offset: 0, format: 'float32x2' },
                { shaderLocation: 1, offset: 8, format: 'float32x2' },
            ],
        }],
    },
    primitive: { topology: 'point-list' },
    fragment: { module, targets: [{ format: 'rgba16float', blend: { color: add, alpha: add } }] },
});
const groups = [0, 1].map(i => device.createBindGroup({
    layout: moving.getBindGroupLayout(0),
    entries: [
        { binding: 0, resource: { buffer: buffers[i] } },
        { binding: 1, resource: { buffer: buffers[1 - i] } },
    ],
}));
const light = device.createTexture({
    size: [size, size],
    format: 'rgba16float',
    usage: GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC,
});
const view = light.createView();

const start = performance.now();
for (let step = 0; step < stepCount; step++) {
    const encoder = device.createCommandEncoder();
    const compute = encoder.beginComputePass();
    compute.setPipeline(moving);
    compute.setBindGroup(0, groups[step % 2]);
    compute.dispatchWorkgroups(particleCount / 64);
    compute.end();
    // The light of all steps adds up: trails.
    const pass = encoder.beginRenderPass({
        colorAttachments: [{
            view,
            loadOp: step === 0 ? 'clear' : 'load',
            storeOp: 'store',
        }],
    });
    pass.setPipeline(drawing);
    pass.setVertexBuffer(0, buffers[(step + 1) % 2]);
    pass.draw(particleCount);
    pass.end();
    device.queue.submit([encoder.finish()]);
}
await device.queue.onSubmittedWorkDone();
const elapsed = performance.now() - start;

const readBack = device.createBuffer({
    size: size * size * 8,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
});
const encoder = device.createCommandEncoder();
encoder.copyTextureToBuffer({ texture: light }, { buffer: readBack, bytesPerRow: size * 8 }, [size, size]);
device.queue.submit([encoder.finish()]);
await readBack.mapAsync(GPUMapMode.READ);
const halves = new Uint16Array(readBack.getMappedRange());

function fromHalf(bits) {
    const fraction = bits & 0x3ff;
    const exponent = (bits >> 10) & 0x1f; // no negative light
    return exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const pixels = new Uint8Array(size * size * 4);
let lit = 0;
for (let i = 0; i < size * size; i++) {
    for (let j = 0; j < 3; j++) {
        pixels[4 * i + j] = 255 * (1 - Math.exp(-1.6 * fromHalf(halves[4 * i + j]))) ** 0.7;
    }
    pixels[4 * i + 3] = 255;
    lit += pixels[4 * i + 2] > 0;
}
readBack.unmap();
writeFileSync(path, writePng({ width: size, height: size, pixels }));
console.log(`${stepCount} steps of ${particleCount} particles, moved and drawn: ` +
    `${(elapsed / stepCount).toFixed(1)} ms each; ${(100 * lit / size / size).toFixed(0)} % of ` +
    `the picture is lit: ${path}`);
if (lit < size * size / 4) {
    process.exitCode = 1;
}
