// SPDX-License-Identifier: MIT
//
// Particles between two buffers, as the lesson has it: each step reads one and writes the other,
// and the two bind groups take turns. Uses navigator.gpu, as the same program does in a browser.

import '../../bindings/node/register.mjs';
import commandLine from './arguments.js';

commandLine.getFile('ping_pong.mjs', false);

const particleCount = 1024;
const stepCount = 100;
const workgroupSize = 64;

const code = `
    struct Particle {
        position: vec2f,
        velocity: vec2f,
    }
    @group(0) @binding(0) var<storage, read> before: array<Particle>;
    @group(0) @binding(1) var<storage, read_write> after: array<Particle>;

    const step = 0.01;

    @compute @workgroup_size(${workgroupSize})
    fn move_particles(@builtin(global_invocation_id) id: vec3u) {
        var particle = before[id.x];
        particle.position += step * particle.velocity;
        // Off the walls of the square from -1 to 1.
        let outside = abs(particle.position) > vec2f(1);
        particle.velocity = select(particle.velocity, -particle.velocity, outside);
        particle.position = clamp(particle.position, vec2f(-1), vec2f(1));
        after[id.x] = particle;
    }`;

const adapter = await navigator.gpu.requestAdapter();
const device = await adapter.requestDevice();
device.onuncapturederror = event => {
    throw new Error(event.error.message);
};

const particles = new Float32Array(particleCount * 4);
for (let i = 0; i < particleCount; i++) {
    const angle = (2 * Math.PI * i) / particleCount;
    particles.set([0.5 * Math.cos(angle), 0.5 * Math.sin(angle), Math.cos(angle), Math.sin(angle)], 4 * i);
}

const buffers = [0, 1].map(i => device.createBuffer({
    label: `particles ${i}`,
    size: particles.byteLength,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
}));
device.queue.writeBuffer(buffers[0], 0, particles);

const pipeline = await device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module: device.createShaderModule({ code }) },
});
const groups = [0, 1].map(i => device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [
        { binding: 0, resource: { buffer: buffers[i] } },
        { binding: 1, resource: { buffer: buffers[1 - i] } },
    ],
}));

for (let step = 0; step < stepCount; step++) {
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, groups[step % 2]);
    pass.dispatchWorkgroups(particleCount / workgroupSize);
    pass.end();
    device.queue.submit([encoder.finish()]);
}

const readBack = device.createBuffer({
    size: particles.byteLength,
    usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
});
const encoder = device.createCommandEncoder();
encoder.copyBufferToBuffer(buffers[stepCount % 2], readBack);
device.queue.submit([encoder.finish()]);
await readBack.mapAsync(GPUMapMode.READ);
const result = new Float32Array(readBack.getMappedRange());
const inside = result.filter((_, i) => i % 4 < 2).every(value => Math.abs(value) <= 1);
console.log(`${stepCount} steps of ${particleCount} particles: all inside: ${inside}; ` +
    `the first is at (${result[0].toFixed(3)}, ${result[1].toFixed(3)})`);
readBack.unmap();
if (!inside) {
    process.exitCode = 1;
}
