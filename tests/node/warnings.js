// SPDX-License-Identifier: MIT
//
// The flag `warnings` of create, and warnings(device): off unless asked for; each different warning
// once, with its numbers.

'use strict';

const { alba, assert, run } = require('./support.js');

const code = `
@group(0) @binding(2) var<storage> factors: array<vec4f, 3>;
@group(0) @binding(5) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) {
    data[id.x] *= factors[1].y;
}`;

async function requestDevice(flags) {
    const adapter = await alba.create(['backend=null', ...flags]).requestAdapter();
    return adapter.requestDevice();
}

function createPipeline(device, label) {
    device.createComputePipeline({ label, layout: 'auto', compute: { module: device.createShaderModule({ code }) } });
}

run(async () => {
    const quiet = await requestDevice([]);
    createPipeline(quiet, 'scale');
    assert.deepEqual(alba.warnings(quiet), []);

    const device = await requestDevice(['warnings=list']);
    assert.deepEqual(alba.warnings(device), []);
    createPipeline(device, 'scale');
    createPipeline(device, 'scale');
    createPipeline(device, 'other');
    const [first, second, ...more] = alba.warnings(device);
    assert.equal(more.length, 0);
    assert.equal(first.id, 'storage-for-uniform');
    assert.equal(first.call, 'wgpuDeviceCreateComputePipeline');
    assert.equal(first.label, 'scale');
    assert.deepEqual(first.numbers, { group: 0, binding: 2, bytes: 48, limit: 65536 });
    assert.equal(first.count, 2);
    assert.ok(first.text.startsWith('compute pipeline "scale": the shader\'s variable "factors"'), first.text);
    assert.equal(second.label, 'other');
    assert.equal(second.count, 1);

    assert.throws(() => alba.create(['warnings=loud']), /warnings=loud: not one of off, list, log/);
    assert.throws(() => alba.warnings({}), TypeError);
    assert.throws(() => alba.warnings(), TypeError);
});
