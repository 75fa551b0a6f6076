// SPDX-License-Identifier: MIT
//
// import 'alba-webgpu/register': navigator.gpu and WebGPU's names on globalThis, as in a browser.

import alba from './index.js';

for (const [name, value] of Object.entries(alba.globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

// Node 18 and 20 have no navigator.
if (typeof globalThis.navigator === 'undefined') {
    class Navigator {}
    Object.defineProperty(Navigator.prototype, Symbol.toStringTag, { value: 'Navigator', configurable: true });
    Object.defineProperty(globalThis, 'Navigator', { value: Navigator, writable: true, configurable: true });
    Object.defineProperty(globalThis, 'navigator', { value: new Navigator(), writable: true, configurable: true });
}

Object.defineProperty(Object.getPrototypeOf(globalThis.navigator), 'gpu', {
    get() {
        return alba.gpu;
    },
    enumerable: true,
    configurable: true,
});
