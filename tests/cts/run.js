// SPDX-License-Identifier: MIT
//
// Runs the WebGPU conformance test suite (CTS) against the Node.js addon and compares with the files
// in lists/. The suite is not part of this repository: --cts or ALBA_CTS names a checkout that
// was built with `npx grunt node` (out-node/). Without one the program says so and ends well.
//
// `node tests/cts/run.js --help` tells the options. Fails on a failure that no list has, and on a pass that a list has as a failure. Cases run in a
// child process, which is replaced when it crashes or hangs.

'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { readLists } = require('./lists.js');

const help = `usage: node tests/cts/run.js [QUERY...] [OPTION...]

Runs queries of the suite, by default the trees that have to pass, and compares with tests/cts/lists.

  --cts FOLDER       the suite, built; default: the environment's ALBA_CTS
  --query QUERY      the same as QUERY alone
  --backend NAME     cpu (default), null or vulkan
  --flag NAME=VALUE  a flag of create; may be given again
  --provider FILE    another addon's module with create(flags) instead of alba's
  --compat           asks for adapters of the compatibility feature level
  --budget SECONDS   stops after so long (default 600); how many cases did not run is told
  --sample           one case of each test first, then more of each in turn, within the budget
  --all              every case in the suite's order: the default
  --exclude REGEXP   leaves out cases whose query matches
  --hang SECONDS     a case that takes longer counts as a timeout (default 60)
  --out FILE         every result as a line of JSON: {query, status, ms, subcases, log}
  --summary          only counts by tree; the exit status is 0 whatever failed
  --help             this text

The exit status is 1 after a failure that no list has, a pass that a list has as a failure, and a wrong option.`;

const gated = [
    'unittests:*', 'webgpu:idl,*', 'webgpu:api,operation,adapter,*', 'webgpu:api,operation,device,*',
    'webgpu:api,operation,labels:*', 'webgpu:api,operation,reflection:*',
    'webgpu:api,operation,uncapturederror:*', 'webgpu:api,operation,limits,*',
    'webgpu:api,operation,onSubmittedWorkDone:*', 'webgpu:api,operation,buffers,*', 'webgpu:api,operation,compute,*',
    'webgpu:api,operation,compute_pipeline,*', 'webgpu:api,operation,queue,*', 'webgpu:api,operation,shader_module,*',
    'webgpu:api,operation,command_buffer,basic:*', 'webgpu:api,operation,command_buffer,clearBuffer:*',
    'webgpu:api,operation,command_buffer,copyBufferToBuffer:*', 'webgpu:api,operation,command_buffer,programmable,*',
    'webgpu:api,operation,command_buffer,queries,*', 'webgpu:api,operation,command_buffer,render,*',
    'webgpu:api,operation,memory_sync,*', 'webgpu:api,operation,pipeline,*', 'webgpu:api,operation,render_pass,*',
    'webgpu:api,operation,render_pipeline,*', 'webgpu:api,operation,rendering,*', 'webgpu:api,operation,resource_init,*',
    'webgpu:api,operation,sampling,*', 'webgpu:api,operation,storage_texture,*', 'webgpu:api,operation,texture_view,*',
    'webgpu:api,operation,vertex_state,*',
    'webgpu:shader,execution,expression,call,builtin,textureDimensions:*',
    'webgpu:shader,execution,expression,call,builtin,textureNumLayers:*',
    'webgpu:shader,execution,expression,call,builtin,textureNumLevels:*',
    'webgpu:shader,execution,expression,call,builtin,textureNumSamples:*',
    'webgpu:shader,execution,expression,call,builtin,textureStore:*',
    'webgpu:api,validation,buffer,*', 'webgpu:api,validation,createBindGroup:*', 'webgpu:api,validation,createSampler:*',
    'webgpu:api,validation,texture,*', 'webgpu:api,validation,encoding,*', 'webgpu:api,validation,queue,*',
    'webgpu:api,validation,render_pass,*', 'webgpu:api,validation,resource_usages,*', 'webgpu:api,validation,state,*',
    'webgpu:api,validation,createPipelineLayout:*', 'webgpu:api,validation,getBindGroupLayout:*',
    'webgpu:api,validation,layout_shader_compat:*', 'webgpu:api,validation,render_pipeline,*',
    'webgpu:api,validation,shader_module,*',
];

function parseArguments(list) {
    const options = {
        queries: [], flags: [], cts: process.env.ALBA_CTS, backend: 'cpu', budget: 600, hang: 60,
        sample: false, summary: false, help: false, compat: false, all: false, out: undefined, provider: undefined,
        exclude: undefined,
    };
    for (let i = 0; i < list.length; i++) {
        const name = list[i].replace(/^--/, '');
        if (!list[i].startsWith('--')) {
            options.queries.push(list[i]);
        } else if (typeof options[name] === 'boolean') {
            options[name] = true;
        } else if ((!Object.hasOwn(options, name) && name !== 'flag' && name !== 'query') || list[i + 1] === undefined) {
            throw new Error(`${list[i]}: no such option, or its value is missing; --help tells what there is`);
        } else if (name === 'flag') {
            options.flags.push(list[++i]);
        } else if (name === 'query') {
            options.queries.push(list[++i]);
        } else if (name === 'budget' || name === 'hang') {
            options[name] = Number(list[++i]);
        } else {
            options[name] = list[++i];
        }
    }
    if (options.queries.length === 0) {
        options.queries = gated;
    }
    options.flags.unshift(`backend=${options.backend}`);
    return options;
}

// Runs the cases of one query in children, until all are done or the time is up. `report` is called
// for each result {query, status, log}; resolves to the number of cases that there are.
function runQuery(query, skipped, options, deadline, report) {
    let total = 0;
    const done = [...skipped];
    const runChild = () => new Promise((resolve, reject) => {
        let current;
        let last = Date.now();
        let cause = 'crash';
        let isFinished = false;
        let errors = '';
        const child = spawn(process.execPath, ['--expose-gc', '--max-old-space-size=4096', path.join(__dirname, 'child.js')],
            { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], cwd: options.cts });
        child.stderr.on('data', data => { errors = (errors + data).slice(-2000); });
        child.send({
            query, done, cts: options.cts, flags: options.flags, sample: options.sample && !options.all,
            provider: options.provider, compat: options.compat, exclude: options.exclude,
        });
        child.on('message', message => {
            last = Date.now();
            if (message.total !== undefined) {
                ({ total } = message);
            } else if (message.start !== undefined) {
                current = message.start;
            } else if (message.status !== undefined) {
                current = undefined;
                done.push(message.query);
                report(message);
            } else {
                isFinished = true;
            }
        });
        const timer = setInterval(() => {
            if (Date.now() > deadline) {
                cause = 'budget';
                child.kill('SIGKILL');
            } else if (current !== undefined && Date.now() - last > 1000 * options.hang) {
                cause = 'timeout';
                child.kill('SIGKILL');
            }
        }, 200);
        child.on('exit', () => {
            clearInterval(timer);
            if (isFinished || cause === 'budget') {
                resolve(false);
            } else if (current === undefined) {
                reject(new Error(`the suite does not start:\n${errors}`));
            } else {
                done.push(current);
                report({ query: current, status: cause, log: errors });
                resolve(true);
            }
        });
    });
    return (async () => {
        while (await runChild()) {
            // Another child goes on after the case that ended this one.
        }
        return total;
    })();
}

function treeOf(query) {
    const [suite, file] = query.split(':');
    return suite === 'webgpu' ? file.split(',').slice(0, 3).join(',') : suite;
}

async function main() {
    let options;
    try {
        options = parseArguments(process.argv.slice(2));
    } catch (error) {
        console.error(error.message);
        process.exitCode = 1;
        return;
    }
    if (options.help) {
        console.log(help);
        return;
    }
    if (!options.cts || !fs.existsSync(path.join(options.cts, 'out-node'))) {
        console.log('skipped: no built conformance suite (--cts FOLDER or ALBA_CTS)');
        return;
    }
    options.cts = path.resolve(options.cts);
    options.provider = path.resolve(options.provider ?? path.join(__dirname, 'provider.js'));
    const lists = readLists(path.join(__dirname, 'lists'));
    const out = options.out === undefined ? undefined : fs.openSync(options.out, 'w');
    const counts = new Map();
    const wrong = [];
    const deadline = Date.now() + 1000 * options.budget;
    let missing = 0;

    const report = result => {
        const entry = lists.find(result.query);
        const tree = treeOf(result.query);
        const row = counts.get(tree) ?? { pass: 0, skip: 0, fail: 0, listed: 0 };
        counts.set(tree, row);
        const isFailure = result.status !== 'pass' && result.status !== 'skip';
        const isListed = isFailure && entry !== undefined && entry.kind !== 'alone';
        row[isListed ? 'listed' : isFailure ? 'fail' : result.status]++;
        if (isFailure && !isListed) {
            wrong.push(`unlisted ${result.status}: ${result.query}\n${(result.log ?? '').replace(/^/gm, '    ')}`);
        } else if (result.status === 'pass' && entry?.kind === 'fail') {
            wrong.push(`passes, but listed in ${entry.place}: ${result.query}`);
        }
        if (out !== undefined) {
            fs.writeSync(out, `${JSON.stringify(result)}\n`);
        }
    };

    for (const query of options.queries) {
        const ran = { count: 0 };
        const counted = result => {
            ran.count++;
            report(result);
        };
        // What a list says of a case of this query: not run at all, or in a process of its own.
        const apart = lists.entries.filter(entry => entry.kind === 'skip' || entry.kind === 'alone');
        const total = await runQuery(query, apart.map(entry => entry.query), options, deadline, counted);
        const prefix = query.replace(/\*$/, '');
        const here = apart.filter(entry => entry.query.startsWith(prefix));
        missing += Math.max(0, total - ran.count - here.length);
        for (const entry of here.filter(({ kind }) => kind === 'alone')) {
            await runQuery(entry.query, [], options, deadline, report);
        }
    }

    for (const [tree, row] of [...counts].sort()) {
        const ran = row.pass + row.fail + row.listed;
        const rate = ran === 0 ? '' : `${((100 * row.pass) / ran).toFixed(2)} % of what ran`;
        console.log(`${tree.padEnd(44)} pass ${row.pass}, skip ${row.skip}, listed ${row.listed}, ` +
            `fail ${row.fail}   ${rate}`);
    }
    if (missing > 0) {
        console.log(`not run within the budget: ${missing}`);
    }
    if (!options.summary && wrong.length > 0) {
        console.log(wrong.slice(0, 200).join('\n'));
        console.log(`${wrong.length} results are not as listed`);
        process.exitCode = 1;
    }
}

main();
