// SPDX-License-Identifier: MIT
//
// npm's install script: builds the addon with CMake and puts it in build/. Nothing to do where
// build/ came with the package.

'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const target = path.join(__dirname, 'build');
const source = path.join(__dirname, '..', '..');

function run(program, args) {
    const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
    if (error || status !== 0) {
        console.error(`alba-webgpu: ${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
        process.exit(1);
    }
}

function install() {
    if (!fs.existsSync(path.join(source, 'CMakeLists.txt'))) {
        if (!fs.existsSync(path.join(target, 'alba.node'))) {
            console.error('alba-webgpu: no build/alba.node, and no checkout of alba around to build it from');
            process.exit(1);
        }
        return;
    }
    const build = path.join(target, 'cmake');
    const ninja = spawnSync('ninja', ['--version']).status === 0;
    run('cmake', ['-S', source, '-B', build, ...(ninja ? ['-G', 'Ninja'] : []), '-DCMAKE_BUILD_TYPE=Release',
        '-DALBA_BUILD_TESTS=OFF', '-DALBA_BUILD_EXAMPLES=OFF', '-DALBA_BUILD_BENCH=OFF', '-DALBA_BUILD_NODE=ON',
        `-DALBA_NODE_HEADERS=${path.join(__dirname, 'node_modules', 'node-api-headers', 'include')}`]);
    run('cmake', ['--build', build, '--target', 'alba_node', '--parallel', String(os.cpus().length)]);
    const put = (file, name) => {
        if (file !== undefined && fs.existsSync(file)) {
            fs.rmSync(path.join(target, name), { force: true });
            fs.copyFileSync(fs.realpathSync(file), path.join(target, name));
        }
    };
    for (const name of ['alba.node', 'libalba.so.0', 'libalba-jit.so']) {
        put(path.join(build, name), name);
    }
    // libalba-jit holds a part of LLVM where that is linked statically.
    put(path.join(source, 'LICENSE'), 'LICENSE');
    const cache = fs.readFileSync(path.join(build, 'CMakeCache.txt'), 'utf8');
    put(/^ALBA_LLVM_LICENSE:FILEPATH=(\/.*)$/m.exec(cache)?.[1], 'LICENSE-LLVM');
}

install();
