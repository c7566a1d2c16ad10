// A row for each kind of graph; table.js describes the members of a row.
'use strict';

const {K, REDIS, POSTGRES, QUEUE, DISK, HEAP, MEMORY, MISSES, TORCH} = require('./recordings.js');

module.exports = {
    stacks: {
        args: ['graph', 'samples/zstd-compress.folded'], title: 'Flame Graph',
        facts: '1,009 samples · 5.6% kernel · 92.1% inlined', ground: 'yellow', fills: ['hot'],
        frames: {ZSTD_compressBlock_internal: 91.77, ZSTD_row_update_internal: 19.03},
        unit: 'samples', total: '1009',
    },
    cpu: {
        args: ['graph', REDIS, '--kind=cpu'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', ground: 'yellow',
        fills: ['hot'], frames: {do_syscall_64: 74.15, tcp_write_xmit: 40.82}, unit: 'seconds',
        total: '3765100449',
    },
    wall: {
        args: ['graph', 'corpus:jfr/FastSlow_2024_01_16_180855.jfr.gz', '--kind=wall'],
        title: 'Wall-Clock Time Flame Graph',
        facts: 'profiler.WallClockSleeping · 95.3 s in 11 samples · 90.5% jit', ground: 'yellow',
        fills: ['hot'], frames: {'java.lang.Object.wait': 40.97}, unit: 'seconds',
        total: '95348940606',
    },
    'off-cpu': {
        args: ['graph', QUEUE, '--kind=off-cpu'], title: 'Off-CPU Time Flame Graph',
        facts: 'off-cpu · 1.21 s in 927 waits · 7.5% of all off-CPU time preempted',
        ground: 'blue', fills: ['io'],
        frames: {count_down: 47.78, writer: 38.51}, functions: {writer: 37.87}, unit: 'seconds',
        total: '1210856000',
    },
    wakeup: {
        args: ['graph', QUEUE, '--kind=wakeup'], title: 'Wakeup Flame Graph',
        facts: 'wakeup · 1.12 s in 737 waits · 0.1% in frames too thin to draw',
        ground: 'blue', fills: ['aqua'], frames: {count_up: 51.94, parser: 55.43},
        functions: {parser: 25.91}, unit: 'seconds', total: '1117684000',
    },
    wakeups: {
        args: ['graph', QUEUE, '--kind=wakeups'], title: 'Wakeup Count Flame Graph',
        facts: 'sched:sched_waking · 737 wakeups', ground: 'blue', fills: ['aqua'],
        frames: {count_up: 43.83, blk_update_request: 46.13}, unit: 'wakeups', total: '737',
    },
    'off-wake': {
        args: ['graph', QUEUE, '--kind=off-wake'], title: 'Off-Wake Time Flame Graph',
        facts: 'off-cpu by waker · 1.21 s in 927 waits · 7.5% of all off-CPU time preempted · ' +
            '7.7% without a waker · 0.1% in frames too thin to draw',
        ground: 'blue', legend: 'who waits; who wakes', fills: ['blue', 'aqua'],
        hues: {futex_do_wait: 'blue', try_to_wake_up: 'aqua'},
        frames: {count_up: 51.61, '--': 92.31},
        above: [['__schedule', '--'], ['--', 'try_to_wake_up']], unit: 'seconds',
        total: '1210856000',
    },
    chain: {
        args: ['graph', QUEUE, '--kind=chain'], title: 'Chain Flame Graph',
        facts: 'off-cpu chain · 1.21 s in 927 waits · 7.5% of all off-CPU time preempted · ' +
            '7.7% without a waker · 0.1% in frames too thin to draw',
        ground: 'blue', legend: 'who waits; who wakes', fills: ['blue', 'aqua'],
        frames: {count_down: 47.78, '--': 92.31},
        above: [['__schedule', '--'], ['reader', '--'], ['--', 'try_to_wake_up']],
        unit: 'seconds', total: '1210856000',
    },
    heatmap: {
        args: ['graph', `${K}ticker.perf.xz`, '--kind=heatmap'], title: 'Sub-Second Heat Map',
        facts: 'cpu-clock · 4.64 s in 2,313 samples · 1.2% kernel',
        legend: '0 ms; 200 ms; 400 ms; 600 ms; 800 ms; 1000 ms; 0 s; 2 s; 4 s; 6 s; 8 s; 10 ' +
            's; 12 s; 14 s; 16 s; 18 s; 20 s; 22 s; 24 s; 26 s; 28 s; up to 20.0 ms in 20 ms',
        marks: 692,
    },
    hotcold: {
        args: ['graph', QUEUE, '--kind=hotcold'], title: 'Hot/Cold Flame Graph',
        facts: 'hot/cold · 1.41 s in 1,028 samples and waits · 7.5% of all off-CPU time preempted', ground: 'grey',
        legend: 'on-CPU 14.3%; off-CPU 85.7%',
        frames: {writer: 33.70, parser: 33.64, futex_do_wait: 40.94},
        fills: ['hot', 'io', 'grey'], unit: 'seconds', total: '1413260808',
    },
    switches: {
        args: ['graph', POSTGRES, '--kind=switches'], title: 'Context Switch Flame Graph',
        facts: 'context-switches · 428,400 switches in 1,071 samples', ground: 'grey',
        fills: ['blue'], frames: {PostgresMain: 58.45, do_epoll_wait: 38.10}, unit: 'switches',
        total: '428400',
    },
    io: {
        args: ['graph', DISK, '--kind=io'], title: 'I/O Flame Graph',
        facts: 'block:block_rq_issue · 1,043 I/Os', ground: 'blue', fills: ['io'],
        frames: {exec_simple_query: 74.59, ReadBufferExtended: 46.60}, unit: 'I/Os',
        total: '1043',
    },
    'io-time': {
        args: ['graph', DISK, '--kind=io-time'], title: 'I/O Time Flame Graph',
        facts: 'block I/O time · 98.5 ms in 1,043 waits', ground: 'blue', fills: ['io'],
        frames: {exec_simple_query: 82.79, ExecModifyTable: 58.25}, unit: 'seconds',
        total: '98460000',
    },
    locks: {
        args: ['graph', `${K}pgbench-locks.perf.xz`, '--kind=locks'],
        title: 'Lock Contention Flame Graph', facts: 'lock:contention_begin · 750 locks',
        ground: 'grey', fills: ['purple'], frames: {postgres: 60.40, try_to_wake_up: 60.40},
        unit: 'locks', total: '750',
    },
    'lock-wait': {
        args: ['graph', `${K}git-locks.perf.xz`, '--kind=lock-wait'],
        title: 'Lock Wait Time Flame Graph', facts: 'futex lock wait · 271 ms in 63 waits',
        ground: 'grey', fills: ['purple'], frames: {threaded_second_pass: 94.30},
        unit: 'seconds', total: '270998000',
    },
    'cond-wait': {
        args: ['graph', `${K}git-locks.perf.xz`, '--kind=cond-wait'],
        title: 'Condition Wait Time Flame Graph', facts: 'futex condition wait · 413 ms in 47 waits',
        ground: 'grey', fills: ['aqua'], frames: {cmd_grep: 57.47},
        unit: 'seconds', total: '413093000',
    },
    'join-wait': {
        args: ['graph', `${K}git-locks.perf.xz`, '--kind=join-wait'],
        title: 'Join Wait Time Flame Graph', facts: 'futex join wait · 188 ms in 6 waits',
        ground: 'grey', fills: ['blue'], frames: {cmd_index_pack: 99.90},
        unit: 'seconds', total: '187570000',
    },
    'futex-wait': {
        args: ['graph', 'samples/pipe-switches.folded', '--kind=futex-wait'],
        title: 'Futex Wait Time Flame Graph', facts: '19.8 ms',
        ground: 'grey', fills: ['purple'], frames: {},
        unit: 'seconds', total: '19800',
    },
    'lock-hold': {
        args: ['graph', `${K}store-locks.perf.xz`, '--kind=lock-hold'],
        title: 'Lock Hold Time Flame Graph', facts: 'lock hold · 11.1 ms in 494 holds',
        ground: 'grey', fills: ['orange'], frames: {put: 51.03, check_all: 44.64},
        unit: 'seconds', total: '11059000',
    },
    cpi: {
        args: ['graph', MISSES, '--kind=cpi'], title: 'CPI Flame Graph',
        facts: '78,250,200 cycles · stacks estimated from calls · 64,013,260 instructions · ' +
            'IPC 0.82, CPI 1.22 · 0.1% in frames too thin to draw',
        legend: 'self: IPC 0.23 (stalled) to IPC 1.00 (flowing); white: the average, IPC 0.82, or fewer than 78,250 cycles',
        frames: {find_sorted: 69.98, __strcmp_avx2: 29.23, add_word: 12.87}, unit: 'cycles',
        total: '78250200',
    },
    'cache-misses': {
        args: ['graph', MISSES, '--event=D1mr'], title: 'Cache Miss Flame Graph',
        facts: 'D1mr · 319,467 L1 data read misses · stacks estimated from calls · 0.1% in ' +
            'frames too thin to draw',
        ground: 'grey', fills: ['red'], frames: {find_sorted: 89.30, add_word: 36.25},
        unit: 'L1 data read misses', total: '319467',
    },
    'branch-misses': {
        args: ['graph', MISSES, '--kind=branch-misses'], title: 'Branch Miss Flame Graph',
        facts: 'Bcm · 959,789 mispredicted conditional branches · stacks estimated from calls · ' +
            '0.1% in frames too thin to draw',
        ground: 'grey', fills: ['yellow'], frames: {count_words: 95.39, find_sorted: 64.40},
        total: '959789',
    },
    stalls: {
        args: ['graph', `${K}concord-stalls.folded.xz`, '--kind=stalls'],
        title: 'Stall Cycle Flame Graph',
        facts: '14,236,940 stall cycles · 0.2% in frames too thin to draw', ground: 'grey',
        fills: ['blue'], frames: {find_sorted: 66.34, __strcmp_avx2: 17.36},
        unit: 'stall cycles', total: '14236940',
    },
    memory: {
        args: ['graph', 'corpus:dhat/dhat.out.fibpg', '--kind=memory'],
        title: 'Memory Flame Graph', facts: 'read bytes · 14.5 KiB', ground: 'green',
        fills: ['mem'], frames: {monstartup: 84.03, sorter: 15.95}, unit: 'bytes',
        total: '14824',
    },
    malloc: {
        args: ['graph', HEAP, '--kind=malloc'], title: 'Allocated Memory Flame Graph',
        facts: 'allocated · 23.5 MiB · 50.0% inlined · 0.3% in frames too thin to draw',
        ground: 'green', fills: ['mem'], frames: {xdl_diff: 65.86, builtin_diffstat: 50.29},
        unit: 'bytes', total: '24687959',
    },
    allocations: {
        args: ['graph', HEAP, '--kind=allocations'], title: 'Allocation Flame Graph',
        facts: '10,730 allocations · 55.5% inlined', ground: 'green', fills: ['mem'],
        frames: {xdl_diff: 85.94, builtin_diff: 60.41}, unit: 'allocations', total: '10730',
    },
    heap: {
        args: ['graph', HEAP, '--kind=heap'], title: 'Live Memory Flame Graph',
        facts: 'peak · 3.15 MiB · 24.0% inlined · 0.3% in frames too thin to draw',
        ground: 'green', fills: ['mem'], frames: {cmd_log_walk: 77.42, diff_flush: 74.15},
        unit: 'bytes', total: '3300627',
    },
    objects: {
        args: ['graph', 'corpus:pprof-legacy/gobench.heap', '--kind=objects'],
        title: 'Live Object Flame Graph', facts: 'inuse_objects · 11,445 objects',
        ground: 'green', fills: ['mem'], frames: {'0x41931f': 72.17, '0x467e08': 48.83},
        unit: 'objects', total: '11445',
    },
    gpu: {
        args: ['graph', TORCH, '--kind=gpu'], title: 'GPU Flame Graph',
        facts: 'GPU time · 252 µs in 24 device events', ground: 'yellow',
        legend: 'device; Python; C++; other',
        frames: {'aten::conv2d': 51.43, 'nn.Module: ViTEncoder_0': 44.19}, unit: 'seconds',
        total: '252.003',
    },
    'gpu-kernels': {
        args: ['graph', TORCH, '--kind=gpu-kernels'], title: 'GPU Kernel Flame Graph',
        facts: 'GPU kernels · 22 kernels in 22 kernels', ground: 'yellow',
        legend: 'device; Python; C++; other',
        frames: {'aten::conv2d': 22.73, 'nn.Module: ViTEncoder_0': 68.18}, unit: 'kernels',
        total: '22',
    },
    leak: {
        args: ['graph', `${K}store-memory.perf.xz`, '--kind=leak'],
        title: 'Leaked Memory Flame Graph',
        facts: 'malloc bytes not freed · 5.12 KiB in 268 samples', ground: 'green',
        fills: ['mem'], frames: {note_request: 68.72, make_key: 15.71}, unit: 'bytes',
        total: '5239',
    },
    brk: {
        args: ['graph', MEMORY, '--kind=brk'], title: 'Heap Growth (brk) Flame Graph',
        facts: 'brk bytes · 40.6 MiB in 238 samples', ground: 'green', fills: ['mem'],
        frames: {xdl_prepare_env: 78.54, builtin_diff: 28.72}, unit: 'bytes', total: '42536960',
    },
    mmap: {
        args: ['graph', MEMORY, '--kind=mmap'], title: 'Mapped Memory (mmap) Flame Graph',
        facts: 'mmap bytes · 26.1 MiB in 26 samples', ground: 'green', fills: ['mem'],
        frames: {xmmap_gently: 53.12, packed_object_info: 79.13}, unit: 'bytes',
        total: '27321903',
    },
    'page-faults': {
        args: ['graph', MEMORY, '--kind=page-faults'], title: 'Page Fault Flame Graph',
        facts: 'page-faults · 42.1 MiB in 673 samples', ground: 'green', fills: ['mem'],
        frames: {xdl_prepare_ctx: 57.50, compute_diffstat: 71.92}, unit: 'bytes',
        total: '44105728',
    },
};
