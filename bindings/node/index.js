// SPDX-License-Identifier: MIT
//
// alba-webgpu: WebGPU for Node.js.
//
//   create(flags)  a GPU object as navigator.gpu is; flags are texts "name=value", see flags below
//   globals        the interface objects and constants that a browser has on globalThis
//   gpu            a GPU object with the default flags, made when it is first read
//   memory()       libalba's live memory by use, {name: {bytes, blocks}}
//   warnings(device)  what alba warned of since the device was made, see the flag `warnings`

'use strict';

const path = require('node:path');

function loadAddon() {
    const places = process.env.ALBA_NODE_ADDON
        ? [process.env.ALBA_NODE_ADDON]
        : [path.join(__dirname, 'build', 'alba.node')];
    for (const place of places) {
        try {
            return require(place);
        } catch (error) {
            if (error.code !== 'MODULE_NOT_FOUND') {
                throw error;
            }
        }
    }
    throw new Error(`alba-webgpu is not built: ${places[0]} is missing. Run \`make node\` in alba's ` +
        'checkout, or `npm install` in bindings/node.');
}

const addon = loadAddon();
const globals = require('./lib/interfaces.js')(addon);

const backends = { cpu: 0x2, null: 0x1, vulkan: 0x4 };
const mappings = { external: 0, own: 1 };
const warnings = { off: 0, list: 1, log: 2 };
const guardPages = { none: 0, after: 1, before: 2 };

function toCount(name, text) {
    if (!/^[0-9]{1,15}$/.test(text)) {
        throw new TypeError(`alba-webgpu: ${name}=${text}: not a whole number`);
    }
    return Number(text);
}

function choose(name, text, table) {
    if (!Object.hasOwn(table, text)) {
        throw new TypeError(`alba-webgpu: ${name}=${text}: not one of ${Object.keys(table).join(', ')}`);
    }
    return table[text];
}

// The flags of create, each with the option of the addon's createGPU that it sets.
const flags = {
    backend: (options, text) => { options.backends = choose('backend', text, backends); },
    threads: (options, text) => { options.threads = toCount('threads', text); },
    watchdog: (options, text) => { options.watchdog = toCount('watchdog', text); },
    'guard-pages': (options, text) => { options.guardPages = choose('guard-pages', text, guardPages); },
    ledger: (options, text) => { options.ledger = toCount('ledger', text); },
    mapping: (options, text) => { options.mapping = choose('mapping', text, mappings); },
    warnings: (options, text) => { options.warnings = choose('warnings', text, warnings); },
};

function create(list = []) {
    const options = { backends: 0, threads: 0, watchdog: -1, guardPages: 0, ledger: 0, mapping: 0, warnings: 0 };
    for (const flag of list) {
        const [name, ...rest] = String(flag).split('=');
        if (!Object.hasOwn(flags, name)) {
            throw new TypeError(`alba-webgpu: no flag '${name}'; there are ${Object.keys(flags).join(', ')}`);
        }
        flags[name](options, rest.join('='));
    }
    return addon.createGPU(options);
}

let gpu;

module.exports = {
    create,
    globals,
    memory: addon.memory,
    warnings: device => JSON.parse(addon.warnings(device)).warnings,
    get gpu() {
        gpu ??= create();
        return gpu;
    },
};
