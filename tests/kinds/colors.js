// A row for each palette; table.js describes the members of a row.
'use strict';

const {K, REDIS, QUEUE, TORCH, BEFORE} = require('./recordings.js');

module.exports = {
    hot: {
        args: ['graph', REDIS, '--colors=hot'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['hot'],
    },
    mem: {
        args: ['graph', REDIS, '--colors=mem'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['mem'],
    },
    io: {
        args: ['graph', REDIS, '--colors=io'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['io'],
    },
    wakeup: {
        args: ['graph', REDIS, '--colors=wakeup'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['aqua'],
    },
    chain: {
        args: ['graph', QUEUE, '--kind=chain', '--colors=chain'], title: 'Chain Flame Graph',
        facts: 'off-cpu chain · 1.21 s in 927 waits · 7.5% of all off-CPU time preempted · ' +
            '7.7% without a waker · 0.1% in frames too thin to draw',
        legend: 'who waits; who wakes', hues: {futex_do_wait: 'blue', try_to_wake_up: 'aqua'},
    },
    hotcold: {
        args: ['graph', QUEUE, '--kind=hotcold', '--pair', '--colors=hotcold'],
        title: 'Hot/Cold Flame Graph',
        facts: 'hot/cold · 1.41 s in 1,028 samples and waits · 7.5% of all off-CPU time preempted',
        legend: 'on-CPU 14.3%; off-CPU 85.7%', hues: {'on-CPU': 'hot', 'off-CPU': 'io'},
    },
    java: {
        args: ['graph', 'samples/jvm-streams.perf.gz', '--colors=java'],
        title: 'CPU Flame Graph', facts: 'cpu-clock · 10.4 s in 1,034 samples',
        legend: 'Java 69.9%; C++ 28.8%; kernel 1.1%; native 0.2%',
        hues: {
            'Words.popular': 'green', 'GangWorker::loop': 'yellow', start_thread: 'red',
            do_syscall_64: 'orange',
        },
    },
    js: {
        args: ['graph', 'samples/node-site.perf.gz', '--colors=js'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 7.17 s in 1,068 samples',
        legend: 'JavaScript 6.8%; built in 7.5%; C++ 28.9%; kernel 3.6%; native 53.2%',
        hues: {
            'node::LoadEnvironment': 'yellow', do_syscall_64: 'orange', Builtins_JSEntry: 'red',
            'JS:~ node:internal/main/run_main_module:1:1': 'green',
        },
    },
    gpu: {
        args: ['graph', TORCH, '--colors=gpu'], title: 'GPU Flame Graph',
        facts: 'GPU time · 252 µs in 24 device events', legend: 'device; Python; C++; other',
        hues: {
            cudaLaunchKernel: 'red', 'aten::conv2d': 'yellow', 'nn.Module: ViTEncoder_0': 'pink',
            'void cutlass__5x_cudnn::Kernel': 'aqua',
        },
    },
    perl: {
        args: ['graph', `${K}perl-pairs.perf.xz`, '--colors=perl'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 645 ms in 322 samples',
        legend: 'Perl 71.1%; kernel 3.1%; native 25.8%',
        hues: {Perl_pp_sort: 'green', perl_run: 'red', asm_exc_page_fault: 'orange'},
    },
    python: {
        args: ['graph', 'samples/python-report.perf.gz', '--colors=python'],
        title: 'CPU Flame Graph',
        facts: 'cpu-clock · 5.93 s in 1,180 samples · 0.5% kernel · 0.1% jit',
        legend: 'own code 7.5%; Python itself 92.5%',
        hues: {
            'py::main:/srv/demo/src/python/report.py': 'red', _PyEval_EvalFrameDefault: 'yellow',
            __libc_start_main: 'red',
        },
    },
    rust: {
        args: ['graph', 'samples/rustc-compile.perf.gz', '--colors=rust'],
        title: 'CPU Flame Graph', facts: 'cpu-clock · 679 ms in 1,358 samples · 15.0% kernel',
        legend: 'Rust 70.0%; standard library 1.5%; other code 28.4%',
        hues: {
            'std::sys::backtrace::__rust_begin_short_backtrace': 'orange',
            'llvm::legacy::PassManagerImpl::run': 'aqua', clone3: 'yellow',
        },
    },
    red: {
        args: ['graph', REDIS, '--colors=red'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['red'],
    },
    green: {
        args: ['graph', REDIS, '--colors=green'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['green'],
    },
    blue: {
        args: ['graph', REDIS, '--colors=blue'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['blue'],
    },
    aqua: {
        args: ['graph', REDIS, '--colors=aqua'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['aqua'],
    },
    yellow: {
        args: ['graph', REDIS, '--colors=yellow'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['yellow'],
    },
    purple: {
        args: ['graph', REDIS, '--colors=purple'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['purple'],
    },
    orange: {
        args: ['graph', REDIS, '--colors=orange'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['orange'],
    },
    safe: {
        args: ['graph', REDIS, '--colors=safe'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples', legend: 'user 25.5%; kernel 74.5%',
    },
    module: {
        args: ['graph', 'samples/nginx-mixed.perf.zst', '--colors=module'],
        title: 'CPU Flame Graph', facts: 'cpu-clock · 3.06 s in 609 samples',
        legend: 'kernel 83.9%; libcrypto.so.3 8.4%; nginx 6.1%; libc.so.6 1.1%; libssl.so.3 ' +
            '0.3%; [vdso] 0.2%',
    },
    self: {
        args: ['graph', BEFORE, '--colors=self'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 418 ms in 835 samples · 3.7% kernel',
        legend: '0% self; 50% self; 100% self',
    },
    search: {
        args: ['graph', REDIS, '--colors=search', '--search=network=^tcp_', '--search=Lua=^lua'],
        title: 'CPU Flame Graph', facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel',
        legend: 'network 55.4%; Lua 7.1%; no match',
    },
};
