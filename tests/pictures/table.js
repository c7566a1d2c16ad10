// The pictures of README.md, a row each. What a row may say:
//
//     file      its name in samples/.pictures
//     draw      arguments of `flamepress graph`: the picture is the PNG that the program writes, or,
//               where the row has a size, its SVG as Chromium shows it
//     diff      the same, of `flamepress diff`
//     report    arguments of `flamepress report`: the picture is its page as Chromium shows it
//     size      of the window, [width, height]; a height of 0 is that of the graph
//     scheme    light (what is not told is light) or dark
//     at        what the page is scrolled to: a selector
//     steps     what a reader does before the picture is taken: (page, helpers) => ...
//
// Profiles are named from the project's directory. helpers are those of tests/browser: clickBox,
// hoverBox, press, ask; until, inFrame, untilInFrame.
'use strict';

const POSTGRES = ['samples/postgres-pgbench.perf.xz', '--event', 'cpu-clock', '--title',
    'PostgreSQL under pgbench'];

const QUEUE = 'samples/.kinds/queue-sched.perf.xz';

const CONCORD = ['samples/.kinds/concord-before.perf.gz', 'samples/.kinds/concord-after.perf.gz',
    '--title', 'Counting words: a hash table instead of a sorted list'];

module.exports = [
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
    {
        file: 'java.png',
        draw: ['samples/jvm-streams.perf.gz', '--colors', 'java', '--max-depth', '40'],
    },
    {file: 'around.png', draw: ['samples/postgres-pgbench.perf.xz', '--event', 'cpu-clock',
        '--around', 'tcp_write_xmit']},
    {file: 'modules.png', draw: ['samples/python-report.perf.gz', '--group=module', '--max-depth', '21',
        '--title', 'A Python program by module']},
    {file: 'off-cpu.png', draw: [QUEUE, '--kind=off-cpu']},
    {file: 'chain.png', draw: [QUEUE, '--kind=chain']},
    {file: 'hot-cold.png', draw: [QUEUE, '--kind=hotcold']},
    {file: 'page-faults.png', draw: ['samples/postgres-pgbench.perf.xz', '--event', 'page-faults',
        '--max-depth', '34']},
    {file: 'heat-map.png', draw: ['samples/.kinds/ticker.perf.xz', '--kind=heatmap', '--title',
        'Four frames a second, and a stall']},
    {
        file: 'chart.png',
        draw: ['samples/git-history.perf.gz', '--flamechart', '--show-from', '^main$',
            '--max-depth', '14', '--title', 'Git adds, logs, packs and checks'],
    },
    {file: 'diff.png', diff: CONCORD},
    {file: 'diff-both.png', diff: [...CONCORD, '--width-by=both', '--delta=total', '--hatch',
        '--colors=safe']},
    {file: 'diff-triple.png', diff: [...CONCORD, '--triple']},
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
