// The options that take part in preparing data, and the inputs that they are tried on.
'use strict';

// A sample of perf script.
function sample(comm, tid, time, period, event, frames) {
    const lines = frames.map(([name, module]) => `\t${(4096 + name.length).toString(16)} ${name} (${module})`);

    return `${comm} ${tid}/${tid} ${time}: ${period} ${event}: \n${lines.join('\n')}\n\n`;
}

const LIBC = '/lib/libc.so.6';
const APP = '/bin/app';
const KERNEL = '[kernel.kallsyms]';
const main = ['main', APP];

// Two events, two processes, recursion, an idle loop and a pool that waits.
const timed = [
    sample('app', 7, '1.000000', 10, 'cycles', [['memcpy', LIBC], ['foo', APP], main]),
    sample('app', 7, '1.500000', 20, 'cycles', [['walk', APP], ['walk', APP], ['bar', APP], main]),
    sample('app', 7, '1.600000', 7, 'instructions', [['walk', APP], ['bar', APP], main]),
    sample('web', 9, '2.000000', 30, 'cycles', [['epoll_wait', LIBC], ['serve', APP], main]),
    sample('web', 9, '2.250000', 9, 'instructions', [['memcpy', LIBC], ['foo', APP], main]),
    sample('swapper', 0, '2.500000', 40, 'cycles',
        [['intel_idle', KERNEL], ['cpuidle_enter', KERNEL], ['do_idle', KERNEL]]),
    sample('web', 9, '3.000000', 50, 'cycles', [['Foo::run', APP], ['serve', APP], main]),
].join('');

// Page faults and off-CPU time, which --kind distinguishes.
const mixed = [
    sample('app', 7, '1.000000', 1, 'page-faults', [['memset', LIBC], ['foo', APP], main]),
    sample('app', 7, '2.000000', 3, 'page-faults', [['walk', APP], ['bar', APP], main]),
    sample('app', 7, '3.000000', 5, 'minor-faults', [['walk', APP], ['bar', APP], main]),
].join('');

// Stacks with two weights; before and after are the same as files of their own.
const rows = [
    ['main;foo;memcpy', 1, 3], ['main;bar;walk;walk', 2, 5], ['main;bar', 4, 0],
    ['main;serve;epoll_wait', 0, 6], ['swapper;do_idle_[k];cpuidle_enter_[k]', 8, 2],
];
const folded = column => rows.filter(row => row[column]).map(row => `${row[0]} ${row[column]}\n`)
    .join('');

exports.files = {
    'timed.perf': timed,
    'mixed.perf': mixed,
    'two.folded': rows.map(row => `${row.join(' ')}\n`).join(''),
    'before.folded': folded(1),
    'after.folded': folded(2),
};

// Inputs: their files, the files of diffs that must come to the same, and the pairs of options that
// they are tried with.
exports.inputs = [
    {name: 'timed', files: ['timed.perf']},
    {name: 'mixed', files: ['mixed.perf'], only: /--kind/},
    {name: 'two', files: ['two.folded'], diff: [['two.folded'], ['before.folded', 'after.folded']]},
];

exports.options = [
    '--focus=foo', '--ignore=bar', '--hide=walk', '--show-from=bar|foo', '--prune-from=BAR',
    '--rename=^(ba)r$=$1z',
    '--ignore-case', '--literal', '--kind=cpu', '--kind=off-cpu', '--kind=page-faults', '--kind=cpi',
    '--kind=hotcold', '--kind=heatmap', '--pair', '--idle=drop', '--from=0.5', '--to=1.25',
    '--from=9', '--group=module', '--collapse-module=libc', '--collapse-recursion',
    '--event=cycles', '--event=none', '--event=base', '--process=app', '--split=process',
    '--normalize', '--negate', '--factor=2', '--countname=things', '--reverse', '--flamechart', '--around=foo', '--merge=plain',
];

// Options that are for a report as a whole, not for a rule of its settings.
exports.global = ['--ignore-case', '--literal', '--merge=plain'];
