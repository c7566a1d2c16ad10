// Rows for the options of a picture's shape; table.js describes the members of a row.
'use strict';

const {K, REDIS, POSTGRES, QUEUE, BEFORE, AFTER} = require('./recordings.js');

// The legend of a change: the scale, and what is drawn at the right.
const changeOf = (what, most) => `change of ${what}, -${most} to +${most}; paler below 4 ` +
    'standard errors';
const GONE = 'gone: stacks only in base, at their old width';
const NEW = 'new: stacks only in new, at their new width';

module.exports = {
    event: {
        args: ['graph', POSTGRES, '--event=page-faults'], title: 'Page Fault Flame Graph',
        facts: 'page-faults · 58.8 MiB in 941 samples · 54.6% kernel', fills: ['mem'],
        frames: {exec_simple_query: 84.17},
    },
    process: {
        args: ['graph', POSTGRES, '--process=pgbench'],
        title: 'CPU Flame Graph (pgbench)',
        facts: 'cpu-clock · 1.93 s in 288 samples · 87.8% kernel',
        frames: {pgbench: 100, postgres: 0},
    },
    thread: {
        args: ['graph', QUEUE, '--kind=off-cpu', '--thread=writer'],
        title: 'Off-CPU Time Flame Graph (writer)',
        facts: 'off-cpu · 466 ms in 322 waits · 0.3% of all off-CPU time preempted',
        frames: {writer: 100, reader: 0},
    },
    state: {
        args: ['graph', QUEUE, '--kind=off-cpu', '--state=uninterruptible'],
        title: 'Off-CPU Time Flame Graph (uninterruptible)',
        facts: 'off-cpu · 541 ms in 417 waits',
        frames: {io_schedule_timeout: 73.65, futex_wait: 0},
    },
    'split by process': {
        args: ['graph', POSTGRES, '--split=process'], title: 'CPU Flame Graph',
        facts: 'cpu-clock, swapper (0) · 3.40 s in 507 samples',
    },
    'split by thread': {
        args: ['graph', QUEUE, '--kind=off-cpu', '--split=thread'],
        title: 'Off-CPU Time Flame Graph',
        facts: 'off-cpu, reader (28278) · 375 ms in 286 waits · 7.5% of all off-CPU time preempted',
        frames: {reader: 100, writer: 0},
    },
    'split by CPU': {
        args: ['graph', POSTGRES, '--split=cpu'], title: 'CPU Flame Graph',
        facts: 'cpu-clock, CPU 0 · 7.15 s in 1,065 samples · 82.8% kernel',
    },
    // The input does not say which control group a sample is of.
    'split by cgroup': {
        args: ['graph', POSTGRES, '--split=cgroup'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 12.4 s in 1,844 samples · 74.7% kernel',
    },
    'split by event': {
        args: ['graph', POSTGRES, '--split=event'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 12.4 s in 1,844 samples · 74.7% kernel',
    },
    'merge by file': {
        args: ['graph', BEFORE, AFTER, '--merge=file'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 567 ms in 1,134 samples · 2 profiles merged · 3.8% kernel',
        frames: {'concord-before': 73.63, 'concord-after': 26.37},
        above: [['concord-before', 'concord']], report: false,
    },
    'merge by host': {
        args: ['graph', POSTGRES, BEFORE, '--merge=host', '--event=cpu-clock'],
        title: 'CPU Flame Graph',
        facts: 'cpu-clock · 12.8 s in 2,679 samples · 2 profiles merged · 72.4% kernel · 0.1% ' +
            'in frames too thin to draw',
        report: false,
    },
    merge: {
        args: ['graph', BEFORE, AFTER, '--merge=plain'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 567 ms in 1,134 samples · 2 profiles merged · 3.8% kernel',
        frames: {find_sorted: 23.10},
    },
    search: {
        args: ['graph', REDIS, '--search=network=^tcp_'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', holds: ['network'],
    },
    focus: {
        args: ['graph', REDIS, '--focus=^tcp_sendmsg$'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 1.91 s · 49.4% left out by --focus',
        frames: {tcp_sendmsg: 100, epoll_wait: 0},
    },
    rename: {
        args: ['graph', REDIS, '--rename=^tcp_(sendmsg)$=TCP $1'],
        title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 1 name renamed · 74.5% kernel',
        frames: {'TCP sendmsg': 50.6, tcp_sendmsg: 0},
    },
    'ignore case': {
        args: ['graph', REDIS, '--focus=^TCP_SENDMSG$', '--ignore-case'],
        title: 'CPU Flame Graph', facts: 'cpu-clock · 1.91 s · 49.4% left out by --focus',
        frames: {tcp_sendmsg: 100, epoll_wait: 0},
    },
    ignore: {
        args: ['graph', REDIS, '--ignore=^tcp_sendmsg$'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 1.86 s · 50.6% left out by --ignore · 48.4% kernel',
        frames: {tcp_sendmsg: 0},
    },
    hide: {
        args: ['graph', REDIS, '--hide=^entry_'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.2% shortened by --hide · 74.5% kernel',
        frames: {do_syscall_64: 74.15, entry_SYSCALL_64_after_hwframe: 0},
        above: [['__GI___libc_write', 'do_syscall_64']],
    },
    show: {
        args: ['graph', REDIS, '--show=^tcp_|^lua'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 2.36 s · 37.4% left out by --show · 62.6% shortened by --show · ' +
            '88.6% kernel',
        frames: {tcp_sendmsg: 80.91, main: 0}, above: [['tcp_sendmsg', 'tcp_sendmsg_locked']],
    },
    'show from': {
        args: ['graph', REDIS, '--show-from=^call$'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 664 ms · 82.4% left out by --show-from · 1.0% kernel',
        frames: {call: 100, main: 0}, above: [['all', 'call']],
    },
    'prune from': {
        args: ['graph', REDIS, '--prune-from=^tcp_sendmsg$'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 50.3% shortened by --prune-from · 74.5% ' +
            'kernel',
        frames: {tcp_sendmsg: 50.62, tcp_sendmsg_locked: 0},
    },
    'group by module': {
        args: ['graph', 'samples/nginx-mixed.perf.zst', '--group=module', '--colors=module'],
        title: 'CPU Flame Graph', facts: 'cpu-clock · 3.06 s in 609 samples · by module',
        legend: 'kernel 83.9%; libcrypto.so.3 8.4%; nginx 6.1%; libc.so.6 1.1%; libssl.so.3 ' +
            '0.3%; [vdso] 0.2%',
        frames: {'[kernel]': 83.91, 'libssl.so.3': 9.20},
    },
    'a module collapsed': {
        args: ['graph', REDIS, '--collapse-module=^libc'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 99.8% shortened by --collapse-module · 74.5% ' +
            'kernel',
        frames: {'libc.so.6': 99.82, __libc_start_main: 0},
    },
    'group by package': {
        args: ['graph', 'samples/jvm-streams.perf.gz', '--group=package'],
        title: 'CPU Flame Graph',
        facts: 'cpu-clock · 10.4 s in 1,034 samples · by package · 1.1% kernel',
        frames: {'java.util.stream': 70.12, PSPromotionManager: 26.69},
    },
    'collapsed recursion': {
        args: [
            'graph', 'samples/rustc-compile.perf.gz', '--show-from=collect_and_partition',
            '--collapse-recursion',
        ],
        title: 'CPU Flame Graph',
        facts: 'cpu-clock · 44.5 ms · recursion collapsed · 93.4% left out by --show-from · ' +
            '12.4% kernel',
        frames: {'rustc_monomorphize::collector::collect_items_rec': 85.39},
    },
    around: {
        args: ['graph', REDIS, '--around=tcp_sendmsg'],
        title: 'Callers and callees of tcp_sendmsg', facts: 'cpu-clock · 1.91 s, 50.6% of all',
        frames: {tcp_sendmsg: 100, sock_write_iter: 100},
        above: [['sock_write_iter', 'tcp_sendmsg'], ['tcp_sendmsg', 'tcp_sendmsg_locked']],
    },
    zoom: {
        args: ['graph', REDIS, '--zoom=processCommand'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 725 ms, 19.3% of all · zoomed to processCommand · 0.9% kernel',
        frames: {main: 100, processCommand: 100, call: 91.67},
        above: [['processInputBuffer', 'processCommand'], ['processCommand', 'call']],
    },
    crop: {
        args: ['graph', REDIS, '--crop=processCommand'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 725 ms, 19.3% of all · cropped to processCommand · 0.9% kernel',
        frames: {main: 0, processInputBuffer: 100, processCommand: 100, call: 91.67},
        above: [['processInputBuffer', 'processCommand'], ['processCommand', 'call']],
    },
    title: {
        args: ['graph', REDIS, '--title=A title', '--subtitle=A second line'], title: 'A title',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', holds: ['>A second line<'],
        report: false,
    },
    sizes: {
        args: ['graph', REDIS, '--width=1200', '--height=20', '--fontsize=14'],
        title: 'CPU Flame Graph', facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel',
        boxHeight: 19,
    },
    'thin ones left out': {
        args: ['graph', REDIS, '--minwidth=5%'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel · 66.1% in frames too thin ' +
            'to draw',
        frames: {tcp_sendmsg: 50.62, tcp_recvmsg: 0},
    },
    rows: {
        args: ['graph', REDIS, '--max-depth=10'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel · 97.7% above the last row',
        rows: 10,
    },
    'labels with the head': {
        args: ['graph', REDIS, '--label=head'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel',
    },
    'labels with the tail': {
        args: ['graph', REDIS, '--label=tail'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel',
    },
    'what is counted': {
        args: ['graph', REDIS, '--countname=ticks', '--nametype=Method:', '--factor=2'],
        title: 'CPU Flame Graph',
        facts: 'cpu-clock · 7,530,200,898 ticks in 561 samples · 74.5% kernel',
        holds: ['Method:'],
    },
    scale: {
        args: ['graph', AFTER, '--total=417500000'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 150 ms in 299 samples · full width: 418 ms · 1.4% kernel',
        frames: {all: 35.8},
    },
    'idle dropped': {
        args: ['graph', POSTGRES, '--idle=drop'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 8.97 s · 27.5% left out by --idle · 65.1% kernel',
        frames: {swapper: 0, postgres: 78.46},
    },
    'side by side': {
        args: ['graph', QUEUE, '--kind=hotcold', '--pair'], title: 'Hot/Cold Flame Graph',
        facts: 'hot/cold · 1.41 s in 1,028 samples and waits · 7.5% of all off-CPU time preempted',
        legend: 'on-CPU 14.3%; off-CPU 85.7%',
        frames: {'on-CPU': 14.3, 'off-CPU': 85.7}, across: ['on-CPU', 'off-CPU'],
    },
    'hot and cold of two files': {
        args: [
            'graph', 'samples/zstd-compress.folded', 'corpus:bcc/offcputime-K.txt',
            '--kind=hotcold', '--frequency=499',
        ],
        title: 'Hot/Cold Flame Graph',
        facts: 'hot/cold · 402 s · 0.1% in frames too thin to draw',
        legend: 'on-CPU 0.5%; off-CPU 99.5%', report: false,
    },
    background: {
        args: ['graph', REDIS, '--bgcolors=#ffffff', '--colors=red'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel',
    },
    'by similar names': {
        args: ['graph', REDIS, '--hash'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['hot'],
    },
    'by chance': {
        args: ['graph', REDIS, '--random', '--seed=7'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', fills: ['hot'],
    },
    'kept colours': {
        args: ['graph', REDIS, '--cp=work:colours.map'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel',
        writes: {'colours.map': 'main->rgb(210,20,20)\n'}, holds: ['fill="#d21414"'],
    },
    attributes: {
        args: ['graph', REDIS, '--nameattr=work:names'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel',
        writes: {names: 'tcp_sendmsg\thref=docs/tcp.html\ttitle=sends\n'},
        holds: ['docs/tcp.html'],
    },
    dark: {
        args: ['graph', REDIS, '--theme=dark'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', dark: true,
    },
    'on any page': {
        args: ['graph', REDIS, '--theme=auto-neutral'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', ground: 'yellow',
    },
    'by weight': {
        args: ['graph', BEFORE, '--sort=weight'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 418 ms in 835 samples · 3.7% kernel',
        across: ['__strcmp_evex', 'find_sorted', 'fold_case'],
    },
    'from the leaves': {
        args: ['graph', BEFORE, '--reverse'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 418 ms in 835 samples · merged from the leaves · 3.7% kernel',
        above: [['all', '__strcmp_evex'], ['find_sorted', 'count_words']],
    },
    'in time': {
        args: ['graph', 'samples/git-history.perf.gz', '--flamechart', '--show-from=^main$'],
        title: 'CPU Flame Chart',
        facts: 'cpu-clock · 4.82 s · in the order of time · 14.9% left out by --show-from · ' +
            '14.5% kernel',
        across: ['cmd_add', 'cmd_log', 'cmd_pack_objects', 'cmd_fsck'],
    },
    'a part of the time': {
        args: ['graph', `${K}ticker.perf.xz`, '--from=17', '--to=20'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 930 ms in 464 samples · from 17 s to 20 s · 79.9% left out by ' +
            '--from --to · 0.2% kernel',
        frames: {render_frame: 37.50, draw_scene: 12.50},
    },
    'root at the top': {
        args: ['graph', BEFORE, '--inverted'], title: 'CPU Icicle Graph',
        facts: 'cpu-clock · 418 ms in 835 samples · root at the top · 3.7% kernel',
        downwards: true, above: [['main', 'count_words']],
    },
    change: {
        args: ['diff', BEFORE, AFTER], title: 'CPU Differential Flame Graph',
        facts: 'new concord-after.perf.gz: 150 ms in 299 samples · base concord-before.perf.gz: 418 ms ' +
            'in 835 samples · change -268 ms (-64.2%): only in new ' +
            '+50.0 ms, grown +8.00 ms, shrunk -180 ms, only in base -146 ms · 4.0% kernel',
        legend: `${changeOf('self', '137 ms')}; ${GONE}`,
        frames: {gone: 49.32}, above: [['all', 'gone']],
    },
    'change of the total': {
        args: ['diff', BEFORE, AFTER, '--delta=total'], title: 'CPU Differential Flame Graph',
        facts: 'new concord-after.perf.gz: 150 ms in 299 samples · base concord-before.perf.gz: 418 ms ' +
            'in 835 samples · change -268 ms (-64.2%): only in new ' +
            '+50.0 ms, grown +8.00 ms, shrunk -180 ms, only in base -146 ms · 4.0% kernel',
        legend: `${changeOf('total', '270 ms')}; ${GONE}`,
    },
    'change normalized': {
        args: ['diff', BEFORE, AFTER, '--normalize'], title: 'CPU Differential Flame Graph',
        facts: 'new concord-after.perf.gz: 150 ms in 299 samples · base concord-before.perf.gz: 150 ms, ' +
            'scaled from 418 ms in 835 samples · total unchanged ' +
            'after scaling: only in new +50.0 ms, grown +28.5 ms, shrunk -26.2 ms, only in ' +
            'base -52.3 ms · 4.0% kernel',
        legend: `${changeOf('self', '45.5 ms')}; ${GONE}`,
    },
    'change by the base': {
        args: ['diff', BEFORE, AFTER, '--width-by=base'], title: 'CPU Differential Flame Graph',
        facts: 'new concord-after.perf.gz: 150 ms in 299 samples · base concord-before.perf.gz: 418 ms ' +
            'in 835 samples · change -268 ms (-64.2%): only in new ' +
            '+50.0 ms, grown +8.00 ms, shrunk -180 ms, only in base -146 ms · 4.0% kernel',
        legend: `${changeOf('self', '137 ms')}; ${NEW}`,
        frames: {new: 10.7},
    },
    'change by both': {
        args: ['diff', BEFORE, AFTER, '--width-by=both'], title: 'CPU Differential Flame Graph',
        facts: 'new concord-after.perf.gz: 150 ms in 299 samples · base concord-before.perf.gz: 418 ms ' +
            'in 835 samples · change -268 ms (-64.2%): only in new ' +
            '+50.0 ms, grown +8.00 ms, shrunk -180 ms, only in base -146 ms · 4.0% kernel',
        legend: changeOf('self', '137 ms'), frames: {gone: 0, new: 0},
    },
    'change hatched': {
        args: ['diff', BEFORE, AFTER, '--hatch', '--colors=safe'],
        title: 'CPU Differential Flame Graph',
        facts: 'new concord-after.perf.gz: 150 ms in 299 samples · base concord-before.perf.gz: 418 ms ' +
            'in 835 samples · change -268 ms (-64.2%): only in new ' +
            '+50.0 ms, grown +8.00 ms, shrunk -180 ms, only in base -146 ms · 4.0% kernel',
        legend: `${changeOf('self', '137 ms')}; ${GONE}`,
        hatched: true,
    },
    'change negated': {
        args: ['diff', BEFORE, AFTER, '--negate'], title: 'CPU Differential Flame Graph',
        facts: 'new concord-before.perf.gz: 418 ms in 835 samples · base concord-after.perf.gz: 150 ms ' +
            'in 299 samples · change +268 ms (+179.3%): only in new ' +
            '+146 ms, grown +180 ms, shrunk -8.00 ms, only in base -50.0 ms · 3.7% kernel',
        legend: `${changeOf('self', '137 ms')}; ${NEW}`,
        frames: {new: 49.32},
    },
    'change in three': {
        args: ['diff', BEFORE, AFTER, '--triple'],
        title: 'Base | New | CPU Differential Flame Graph',
        facts: 'cpu-clock · 418 ms in 835 samples · 3.7% kernel | cpu-clock · 150 ms in 299 ' +
            'samples · full width: 418 ms · 4.0% kernel | ' +
            'new concord-after.perf.gz: 150 ms in 299 samples · base concord-before.perf.gz: 418 ms in 835 samples ' +
            '· change -268 ms (-64.2%): only in new +50.0 ms, grown +8.00 ms, shrunk -180 ms, ' +
            'only in base -146 ms · 4.0% kernel',
        legend: `${changeOf('self', '137 ms')}; ${GONE}`,
        stacked: true,
    },
    'two pixels for one': {
        args: ['graph', REDIS, '--pixel-ratio=2'], title: 'CPU Flame Graph',
        facts: 'cpu-clock · 3.77 s in 561 samples · 74.5% kernel', ratio: 2,
    },
};
