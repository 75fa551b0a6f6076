// SPDX-License-Identifier: MIT
//
// The suite's --gpu-provider: create(flags) of alba-webgpu, with WebGPU's names on globalThis.

'use strict';

const path = require('node:path');
const alba = require(path.join(__dirname, '..', '..', 'bindings', 'node'));

Object.assign(globalThis, alba.globals);
module.exports = { create: alba.create };
