// The pictures of README.md and samples/README.md, a row each. What a row may say:
//
//     file      its name in samples/pictures
//     draw      arguments of `flamepress graph`: the picture is the PNG that the program writes, or,
//               where the row has a size, its SVG as Chromium shows it
//     diff      likewise, of `flamepress diff`
//     about     caption of the picture in samples/README.md, in the list that `list` names, above the
//               command
//     report    arguments of `flamepress report`: the picture is its page as Chromium shows it
//     size      of the window, [width, height]; a height of 0 is that of the graph
//     scheme    light (if the row has none) or dark
//     at        what the page is scrolled to: a selector
//     steps     what a reader does before the picture is taken: (page, helpers) => ...
//
// Profiles are named from the project's directory. helpers are those of tests/browser: clickBox,
// hoverBox, press, ask; until, inFrame, untilInFrame.
'use strict';

const POSTGRES = ['samples/postgres-pgbench.perf.xz', '--event', 'cpu-clock', '--title',
    'PostgreSQL under pgbench'];

const REDIS = 'samples/redis-benchmark.perf.gz';
const QUEUE = 'samples/kinds/queue-sched.perf.xz';
const DISK = 'samples/kinds/pgbench-disk.perf.xz';
const MEMORY = 'samples/kinds/git-memory.perf.xz';
const HEAP = 'samples/kinds/git-heap.heaptrack.zst';
const MISSES = 'samples/kinds/concord-misses.callgrind.xz';
const CONCORD = ['samples/kinds/concord-before.perf.gz', 'samples/kinds/concord-after.perf.gz'];

const pages = [
    {file: 'graph.png', draw: POSTGRES},
    {
        file: 'zoomed.png', draw: POSTGRES, size: [1200, 0],
        async steps(page, {clickBox, hoverBox}) {
            await clickBox(page, 'exec_simple_query');
            await page.key('/');
            await page.type('^ext4_');
            await page.key('Enter');
            await hoverBox(page, 'PortalRun');
        },
    },
    {file: 'report.png', report: ['samples'], size: [1280, 1000]},
    {file: 'report-dark.png', report: ['samples'], size: [1280, 1000], scheme: 'dark'},
    {
        file: 'report-graph.png', report: ['samples'], size: [1280, 1000], at: '#redis-benchmark',
        async steps(page, {until}) {
            await until(page, 'document.querySelector("#redis-benchmark .live")');
            await page.value('document.querySelector(".tools select").value = "3"');
            await page.value(`document.querySelector('.tools select')
                .dispatchEvent(new Event('change'))`);
        },
    },
];

const shapes = [
    {
        file: 'around.png', about: 'One function: its callers below, its callees above',
        draw: ['samples/postgres-pgbench.perf.xz', '--around', 'tcp_write_xmit'],
    },
    {
        file: 'crop.png', about: 'One function and what it calls, for a ticket',
        draw: [REDIS, '--crop', 'processCommand', '--label-percent'],
    },
    {
        file: 'mark.png', about: 'Functions with a note, for a ticket',
        draw: [REDIS, '--mark', 'processCommand=19 % in the commands themselves', '--mark',
            '^tcp_sendmsg=half of the time goes into answers'],
    },
    {
        file: 'ticket.png', about: 'A small, sharp picture with the shares, for a ticket',
        draw: [REDIS, '--preset=ticket'],
    },
    {
        file: 'reverse.png', about: 'Merged from the leaves: the callers of hot functions',
        draw: [CONCORD[0], '--reverse', '--max-depth=9'],
    },
    {
        file: 'icicle.png', about: 'The root at the top',
        draw: ['samples/sqlite-orders.perf', '--inverted', '--max-depth=22'],
    },
    {
        file: 'sorted.png', about: 'Heaviest frames first',
        draw: [REDIS, '--sort=weight', '--max-depth=22'],
    },
    {
        file: 'filtered.png', about: 'One part of the program, without uninformative frames',
        draw: ['samples/postgres-pgbench.perf.xz', '--show-from', '^exec_simple_query$', '--hide',
            '^(entry_|do_syscall|__x64_)', '--max-depth=18'],
    },
    {
        file: 'recursion.png', about: 'A function that calls itself is one frame',
        draw: ['samples/rustc-compile.perf.gz', '--show-from', 'collect_and_partition',
            '--collapse-recursion', '--max-depth=18'],
    },
    {
        file: 'modules.png', about: 'Programs and libraries instead of functions',
        draw: ['samples/nginx-mixed.perf.zst', '--group=module', '--colors=module'],
    },
    {
        file: 'merged.png', about: 'Several files, each below a frame of its own',
        draw: [...CONCORD, '--merge=file'],
    },
    {
        file: 'thread.png', about: 'One thread of several; `--split=thread` in a report draws each',
        draw: [QUEUE, '--kind=off-cpu', '--thread=writer'],
    },
];

const colors = [
    {
        file: 'java.png', about: 'Java, with the share of each class',
        draw: ['samples/jvm-streams.perf.gz', '--colors=java', '--max-depth=30'],
    },
    {
        file: 'js.png', about: 'JavaScript',
        draw: ['samples/node-site.perf.gz', '--colors=js', '--max-depth=30'],
    },
    {
        file: 'python.png', about: 'Python',
        draw: ['samples/python-report.perf.gz', '--colors=python', '--max-depth=30'],
    },
    {
        file: 'rust.png', about: 'Rust',
        draw: ['samples/rustc-compile.perf.gz', '--colors=rust', '--max-depth=24'],
    },
    {
        file: 'perl.png', about: 'Perl',
        draw: ['samples/kinds/perl-pairs.perf.xz', '--colors=perl'],
    },
    {
        file: 'safe.png', about: 'User and kernel, in colours that colour-blind readers can distinguish',
        draw: [REDIS, '--colors=safe', '--max-depth=24'],
    },
    {
        file: 'by-module.png', about: 'A colour for each binary or library',
        draw: ['samples/nginx-mixed.perf.zst', '--colors=module', '--max-depth=30'],
    },
    {
        file: 'by-self.png', about: 'The self weight of each frame',
        draw: ['samples/sqlite-orders.perf', '--colors=self', '--max-depth=24'],
    },
    {
        file: 'by-search.png', about: 'The matches of named searches',
        draw: [REDIS, '--colors=search', '--search', 'network=^tcp_', '--search', 'Lua=^lua',
            '--max-depth=24'],
    },
    {
        file: 'dark.png', about: 'A dark background; every palette has a dark variant',
        draw: [REDIS, '--theme=dark', '--max-depth=24'],
    },
    {
        file: 'auto-neutral.png', about: 'A grey background, for light and dark pages',
        draw: [REDIS, '--theme=auto-neutral', '--max-depth=24'],
    },
    {
        file: 'aqua.png', about: 'One hue: red, green, blue, aqua, yellow, purple or orange',
        draw: [REDIS, '--colors=aqua', '--max-depth=24'],
    },
    {
        file: 'hashed.png', about: 'Similar names, similar colours',
        draw: [REDIS, '--hash', '--max-depth=24'],
    },
];

const kinds = [
    {
        file: 'off-cpu.png', about: '`off-cpu`: time that threads were blocked',
        draw: [QUEUE, '--kind=off-cpu'],
    },
    {
        file: 'disk-waits.png', about: 'Off-CPU time of threads that wait for the disk',
        draw: [QUEUE, '--kind=off-cpu', '--state=uninterruptible'],
    },
    {file: 'wakeup.png', about: '`wakeup`: off-CPU time by waker', draw: [QUEUE, '--kind=wakeup']},
    {
        file: 'off-wake.png', about: '`off-wake`: blocked stacks, with the waker above the grey line',
        draw: [QUEUE, '--kind=off-wake'],
    },
    {
        file: 'chain.png', about: '`chain`: three threads that wait for each other, and who woke whom',
        draw: [QUEUE, '--kind=chain'],
    },
    {
        file: 'hot-cold.png', about: '`hotcold`: time on and off the CPU of each thread',
        draw: [QUEUE, '--kind=hotcold'],
    },
    {
        file: 'hot-cold-pair.png', about: '`hotcold`: on-CPU and off-CPU time side by side',
        draw: [QUEUE, '--kind=hotcold', '--pair'],
    },
    {
        file: 'idle.png', about: 'Time on the CPU, without idle CPUs',
        draw: ['samples/postgres-pgbench.perf.xz', '--idle=drop', '--max-depth=26'],
    },
    {
        file: 'switches.png', about: '`switches`: how often threads left the CPU',
        draw: ['samples/postgres-pgbench.perf.xz', '--kind=switches', '--max-depth=26'],
    },
    {file: 'wakeups.png', about: '`wakeups`: number of wakeups', draw: [QUEUE, '--kind=wakeups']},
    {
        file: 'io-time.png', about: '`io-time`: time that the disk was busy',
        draw: [DISK, '--kind=io-time'],
    },
    {file: 'io.png', about: '`io`: number of disk requests', draw: [DISK, '--kind=io']},
    {
        file: 'lock-wait.png', about: '`lock-wait`: time spent waiting for locks',
        draw: ['samples/kinds/git-locks.perf.xz', '--kind=lock-wait'],
    },
    {
        file: 'cond-wait.png', about: '`cond-wait`: time spent waiting for conditions',
        draw: ['samples/kinds/git-locks.perf.xz', '--kind=cond-wait'],
    },
    {
        file: 'locks.png', about: '`locks`: number of waits for locks, here of the kernel',
        draw: ['samples/kinds/pgbench-locks.perf.xz', '--kind=locks', '--max-depth=32'],
    },
    {
        file: 'lock-hold.png', about: '`lock-hold`: time that locks were held',
        draw: ['samples/kinds/store-locks.perf.xz', '--kind=lock-hold'],
    },
    {
        file: 'cache-misses.png', about: '`cache-misses`: simulated by Callgrind',
        draw: [MISSES, '--event=D1mr'],
    },
    {
        file: 'branch-misses.png', about: '`branch-misses`: simulated by Callgrind',
        draw: [MISSES, '--kind=branch-misses'],
    },
    {
        file: 'stalls.png', about: '`stalls`: estimated from cache and branch misses',
        draw: ['samples/kinds/concord-stalls.folded.xz', '--kind=stalls'],
    },
    {
        file: 'cpi.png', about: '`cpi`: estimated cycles, red if instructions per cycle are high',
        draw: [MISSES, '--kind=cpi'],
    },
    {file: 'malloc.png', about: '`malloc`: bytes allocated', draw: [HEAP, '--kind=malloc']},
    {
        file: 'allocations.png', about: '`allocations`: number of allocations',
        draw: [HEAP, '--kind=allocations'],
    },
    {
        file: 'heap.png', about: '`heap`: bytes alive, here at the peak',
        draw: [HEAP, '--kind=heap'],
    },
    {
        file: 'leak.png', about: '`leak`: bytes never freed',
        draw: ['samples/kinds/store-memory.perf.xz', '--kind=leak'],
    },
    {file: 'brk.png', about: '`brk`: bytes by which the heap grew', draw: [MEMORY, '--kind=brk']},
    {file: 'mmap.png', about: '`mmap`: bytes mapped', draw: [MEMORY, '--kind=mmap']},
    {
        file: 'page-faults.png', about: '`page-faults`: memory touched for the first time',
        draw: [MEMORY, '--kind=page-faults'],
    },
];

const times = [
    {
        file: 'heat-map.png', about: 'Four frames a second, and a stall of two seconds',
        draw: ['samples/kinds/ticker.perf.xz', '--kind=heatmap'],
    },
    {
        file: 'chart.png', about: 'Git adds files, shows its log, packs objects and checks them',
        draw: ['samples/git-history.perf.gz', '--flamechart', '--show-from', '^main$',
            '--max-depth=14'],
    },
];

const changes = [
    {
        file: 'diff.png', about: 'A sorted list replaced by a hash table',
        diff: CONCORD,
    },
    {
        file: 'diff-total.png', about: 'Changes of totals: functions with their callees',
        diff: [...CONCORD, '--delta=total'],
    },
    {
        file: 'diff-normalized.png', about: 'Both profiles scaled to the same total',
        diff: [...CONCORD, '--normalize'],
    },
    {
        file: 'diff-both.png', about: 'Widths of base and new added; hatched, in colours for colour-blind readers',
        diff: [...CONCORD, '--width-by=both', '--delta=total', '--hatch', '--colors=safe'],
    },
    {
        file: 'diff-base.png', about: 'Widths of the base',
        diff: [...CONCORD, '--width-by=base'],
    },
    {
        file: 'diff-negated.png', about: 'Sides swapped',
        diff: [...CONCORD, '--negate'],
    },
    {
        file: 'diff-triple.png', about: 'Base, new and difference below each other',
        diff: [...CONCORD, '--triple'],
    },
];

const lists = {shapes, colors, kinds, times, changes};

module.exports = [
    ...pages,
    ...Object.entries(lists).flatMap(([list, rows]) => rows.map(row => ({list, ...row}))),
];
