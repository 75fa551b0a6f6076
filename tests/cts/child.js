// SPDX-License-Identifier: MIT
//
// The process in which run.js has cases of the conformance suite run. Receives {query, done, cts,
// flags, sample, provider, compat, exclude}; sends {total}, {start: query}, {query, status, log, ms, subcases} and {isFinished}.

'use strict';

const fs = require('node:fs');
const path = require('node:path');

// A spread that is the same each time.
function hash(text) {
    let value = 2166136261;
    for (let i = 0; i < text.length; i++) {
        value = Math.imul(value ^ text.charCodeAt(i), 16777619);
    }
    value = Math.imul(value ^ (value >>> 15), 2246822507);
    return (value ^ (value >>> 13)) >>> 0;
}

// Cases in the order of the suite; or, sampled, the first of each test, then the second...
function order(cases, sample) {
    if (!sample) {
        return cases;
    }
    const byTest = new Map();
    for (const item of cases) {
        const test = item.query.split(':').slice(0, 3).join(':');
        byTest.set(test, [...(byTest.get(test) ?? []), item]);
    }
    const ranked = [];
    for (const list of byTest.values()) {
        list.sort((a, b) => hash(a.query) - hash(b.query));
        list.forEach((item, i) => ranked.push({ item, rank: i / Math.sqrt(list.length) }));
    }
    return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

async function loadCases(load, job) {
    const { DefaultTestFileLoader } = load('internal/file_loader.js');
    const { parseQuery } = load('internal/query/parseQuery.js');
    const done = new Set(job.done);
    const excluded = job.exclude === undefined ? undefined : new RegExp(job.exclude);
    const cases = [];
    let total = 0;
    for (const testcase of await new DefaultTestFileLoader().loadCases(parseQuery(job.query))) {
        const query = testcase.query.toString();
        if (excluded?.test(query)) {
            continue;
        }
        total++;
        if (!done.has(query)) {
            cases.push({ query, testcase });
        }
    }
    process.send({ total });
    return order(cases, job.sample);
}

function prepare(load, job) {
    const { setBaseResourcePath, getResourcePath } = load('framework/resources.js');
    const { dataCache } = load('framework/data_cache.js');
    const { setGPUProvider, setDefaultRequestAdapterOptions } = load('util/navigator_gpu.js');
    load('util/colors.js').Colors.enabled = false;
    setBaseResourcePath('out-node/resources');
    dataCache.setStore({
        load: name => fs.promises.readFile(getResourcePath(`cache/${name}`)),
    });
    if (job.compat) {
        load('framework/test_config.js').globalTestConfig.compatibility = true;
        setDefaultRequestAdapterOptions({ featureLevel: 'compatibility' });
    }
    const provider = require(job.provider);
    setGPUProvider(() => provider.create(job.flags));
}

async function run(job) {
    process.chdir(job.cts);
    const load = name => require(path.join(job.cts, 'out-node', 'common', name));
    const { Logger } = load('internal/logging/logger.js');
    const { prettyPrintLog } = load('internal/logging/log_message.js');
    prepare(load, job);
    const logger = new Logger();
    for (const { query, testcase } of await loadCases(load, job)) {
        process.send({ start: query });
        const [recorder, result] = logger.record(query);
        const start = performance.now();
        await testcase.run(recorder, []);
        const message = {
            query, status: result.status, ms: Math.round(performance.now() - start), subcases: testcase.subcaseCount,
        };
        if (result.status !== 'pass' && result.logs) {
            message.log = result.logs.map(prettyPrintLog).join('\n').slice(0, 1000);
        }
        process.send(message);
        logger.results?.delete(query);
        await new Promise(resolve => setImmediate(resolve));
    }
    process.send({ isFinished: true }, () => process.exit(0));
}

process.on('unhandledRejection', error => { throw error; });
process.once('message', job => run(job).catch(error => {
    console.error(error);
    process.exit(3);
}));
