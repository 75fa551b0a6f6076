// SPDX-License-Identifier: MIT
//
// The command line of the examples: `--help` and wrong arguments end the program before it works.

'use strict';

// The only argument, a file's name, or undefined; takesFile: whether there may be one.
function getFile(usage, takesFile) {
    const given = process.argv.slice(2);
    if (given.includes('-h') || given.includes('--help')) {
        console.log(`usage: node ${usage}`);
        process.exit(0);
    }
    const option = given.find(argument => argument.startsWith('-'));
    if (option !== undefined || given.length > (takesFile ? 1 : 0)) {
        const reason = option === undefined ? 'too many arguments' : `there is no option '${option}'`;
        console.error(`${reason}\nusage: node ${usage}`);
        process.exit(1);
    }
    return given[0];
}

module.exports = { getFile };
