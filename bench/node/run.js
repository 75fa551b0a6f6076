// SPDX-License-Identifier: MIT
//
// node bench/node/run.js: the cost of calls from JavaScript, and the CPU time of hello compute above
// an empty program; beside another addon if ALBA_BENCH_NODE_PEER names its provider module.

'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const peer = process.env.ALBA_BENCH_NODE_PEER;
const rounds = Number(process.env.ALBA_BENCH_ROUNDS ?? 3);

function run(...args) {
    const child = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (child.status !== 0) {
        throw new Error(`${args.join(' ')}: ${child.stderr || child.signal}`);
    }
    return child.stdout;
}

// The least of all rounds, which take turns.
function measureCalls(providers) {
    const least = providers.map(() => ({}));
    for (let round = 0; round < rounds; round++) {
        providers.forEach((provider, i) => {
            const row = JSON.parse(run(path.join(__dirname, 'calls.js'), ...(provider ? [provider] : [])));
            for (const [name, value] of Object.entries(row)) {
                least[i][name] = Math.min(least[i][name] ?? Infinity, value);
            }
        });
    }
    return least;
}

// CPU milliseconds of programs, all of their threads, which take turns: of each the least mean of a round. The
// system counts in hundredths of a second, but adds up exactly. Output goes nowhere. A program: its arguments, and
// ALBA_CACHE, the folder of compiled shaders.
function measurePrograms(...programs) {
    const runs = 10;
    const script = 'const { spawnSync } = require("node:child_process");' +
        'const { args, cache } = JSON.parse(process.argv[1]);' +
        'const options = { stdio: "ignore", env: { ...process.env, ALBA_CACHE: cache ?? "off" } };' +
        `for (let i = 0; i < ${runs}; i++) { spawnSync(process.execPath, args, options); }` +
        'const fs = require("node:fs");' +
        'const stat = fs.readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");' +
        'console.log((Number(stat[13]) + Number(stat[14])) * 10);';
    const least = programs.map(() => Infinity);
    for (let round = 0; round < 2 * rounds; round++) {
        programs.forEach((program, i) => {
            least[i] = Math.min(least[i], Number(run('-e', script, JSON.stringify(program))) / runs);
        });
    }
    return least;
}

const [ours, theirs] = measureCalls(peer ? [undefined, peer] : [undefined]);
console.log('nanoseconds of CPU a call'.padEnd(34), 'alba'.padStart(8), peer ? 'peer'.padStart(8) : '');
for (const [name, value] of Object.entries(ours)) {
    console.log(name.padEnd(34), value.toFixed(0).padStart(8), peer ? theirs[name].toFixed(0).padStart(8) : '');
}
const example = path.join(__dirname, '..', '..', 'examples', 'node', 'hello_compute.js');
const cache = fs.mkdtempSync(path.join(os.tmpdir(), 'alba-bench-'));
const [empty, printing, first, again] = measurePrograms({ args: ['-e', '1'] }, { args: ['-e', 'console.log(1)'] },
    { args: [example] }, { args: [example], cache });
fs.rmSync(cache, { recursive: true });
console.log(`hello compute: ${(first - empty).toFixed(1)} ms of CPU above an empty program's ${empty.toFixed(1)}, ` +
    `${(again - empty).toFixed(1)} when its shader was kept from an earlier run; ${(printing - empty).toFixed(1)} of ` +
    'them to print a line');
