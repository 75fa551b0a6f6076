// SPDX-License-Identifier: MIT
//
// The lists of expected results: every *.txt of lists/, lines of
//   KIND QUERY -- REASON
// QUERY is one case; a `*` in it stands for anything. `#` begins a comment. KIND is
//   fail    it fails today; that it passes is an error, so that the list shrinks
//   flake   it may fail; a reason says what it depends on
//   skip    it is not run: it cannot work, or takes too long
//   alone   it must pass, in a process of its own
//   old     it fails because the suite is older than the specification, which the reason cites

'use strict';

const fs = require('node:fs');
const path = require('node:path');

const kinds = new Set(['fail', 'flake', 'skip', 'alone', 'old']);

function parseLine(line, place) {
    const match = /^(\w+) (\S+) -- (.+)$/.exec(line);
    if (match === null || !kinds.has(match[1])) {
        throw new Error(`${place}: not "KIND QUERY -- REASON"`);
    }
    return { kind: match[1], query: match[2], reason: match[3], place };
}

function toPattern(query) {
    const parts = query.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`);
}

// {entries, find(query)}: the entry for a case, exact ones first, then the longest.
function readLists(folder) {
    const entries = [];
    for (const name of fs.readdirSync(folder).filter(file => file.endsWith('.txt')).sort()) {
        fs.readFileSync(path.join(folder, name), 'utf8').split('\n').forEach((line, i) => {
            if (line !== '' && !line.startsWith('#')) {
                entries.push(parseLine(line, `${name}:${i + 1}`));
            }
        });
    }
    const exact = new Map(entries.map(entry => [entry.query, entry]));
    const wild = entries.filter(({ query }) => query.includes('*'))
        .sort((a, b) => b.query.length - a.query.length)
        .map(entry => ({ entry, pattern: toPattern(entry.query) }));
    return {
        entries,
        find: query => exact.get(query) ?? wild.find(({ pattern }) => pattern.test(query))?.entry,
    };
}

module.exports = { readLists };
