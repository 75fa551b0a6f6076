// SPDX-License-Identifier: MIT
//
// When a program ends: at once if nothing is pending, not before its promises are settled, and
// `lost` does not hold it. Each case is a program of its own.

'use strict';

const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { assert, run } = require('./support.js');

const head = `
    import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(__filename)});
    const { createLongWork, requestDevice } = require('./support.js');
    const device = await requestDevice();
`;

const cases = {
    'an idle program ends, its device alive': ['', ''],
    'waiting for lost alone does not hold it': ['device.lost.then(() => console.log("lost"));', ''],
    'a top-level await of pending work finishes': [
        'createLongWork(device, 3e7)(); await device.queue.onSubmittedWorkDone(); console.log("done");', 'done\n'],
    'a promise that nobody awaits holds it until it is settled': [
        'createLongWork(device, 3e7)(); device.queue.onSubmittedWorkDone().then(() => console.log("late"));', 'late\n'],
    'lost after destroy is awaited': ['device.destroy(); console.log((await device.lost).reason);', 'destroyed\n'],
    'an uncaptured error arrives in an idle program': [
        'device.onuncapturederror = e => { e.preventDefault(); console.log("error"); };' +
        'device.createBuffer({ size: 4, usage: 0 });', 'error\n'],
    'process.exit with work in flight': [
        'createLongWork(device, 3e8)(); device.queue.onSubmittedWorkDone(); process.exit(0);', ''],
};

run(async () => {
    for (const [name, [body, output]] of Object.entries(cases)) {
        const start = performance.now();
        const child = spawnSync(process.execPath, ['--input-type=module', '-e', head + body],
            { encoding: 'utf8', timeout: 60000, cwd: path.dirname(__filename) });
        assert.equal(child.status, 0, `${name}: ${child.status} ${child.signal}\n${child.stderr}`);
        assert.equal(child.stdout, output, name);
        console.log(`${name}: ${Math.round(performance.now() - start)} ms`);
    }
});
