// Runs the commands of samples/README.md that draw the samples, unchanged.
'use strict';

const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');

const ENTITIES = {lt: '<', gt: '>', amp: '&'};
const PROJECT = path.join(__dirname, '../..');

function commands() {
    const text = fs.readFileSync(path.join(PROJECT, 'samples/README.md'), 'utf8');
    const found = [
        ...text.matchAll(/^ {4}(flamepress .*)$/gm), ...text.matchAll(/<code>(flamepress [^<]*)</g),
    ];

    return found.map(match => match[1].replace(/&(lt|gt|amp);/g, (_, name) => ENTITIES[name]))
        .filter(command => / samples\b/.test(command));
}

// Runs a command in samples/, in a shell. The file that its -o names must exist afterwards.
function faultsOf(command, program, folder) {
    const target = / -o (\S+)/.exec(command);

    fs.mkdirSync(folder);
    fs.symlinkSync(path.join(PROJECT, 'samples'), path.join(folder, 'samples'));
    fs.symlinkSync(program, path.join(folder, 'flamepress'));
    try {
        execFileSync('bash', ['-c', command], {
            cwd: folder, env: {...process.env, PATH: `${folder}:${process.env.PATH}`},
            stdio: ['ignore', 'pipe', 'pipe'],
        });
    } catch (error) {
        return [`${error.stderr || error.message}`];
    }
    return target && !fs.existsSync(path.join(folder, target[1]))
        ? [`${target[1]} is not there`] : [];
}

module.exports = {commands, faultsOf};
