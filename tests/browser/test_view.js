// The views besides the first one: other merges, the root at the other end, links, presets.
'use strict';

const assert = require('assert').strict;
const fs = require('fs');
const http = require('http');
const path = require('path');
const {execFileSync} = require('child_process');
const {draw, ask, press, clickBox, hoverBox, changeAddress, goBack} = require('./graph.js');
const {until} = require('./report.js');

const tests = [];
const size = {width: 1200, height: 1300};
const test = (name, body) => tests.push({name, body, size});
const STACKS = 'main;read;copy 30\nmain;write;copy 20\nmain;write 5\nidle 45\n';
// The functions of the boxes, from the root upwards and from left to right.
const names = `shown().map(g => [g.querySelector('rect, path').getBoundingClientRect(), g])
    .sort(([a], [b]) => b.y - a.y || a.x - b.x)
    .map(([, g]) => g.querySelector('title').textContent.replace(/ \\(.*/, ''))`;

test('the root goes to the top and back', async page => {
    await page.open(draw(STACKS));
    await press(page, 'View');
    await press(page, 'Root at the top');
    assert.ok(await ask(page, 'place("all").y < place("copy").y'));
    await hoverBox(page, 'copy');
    assert.match(await ask(page, 'text(".details")'), /^Function: copy /);
    await press(page, 'View');
    assert.equal(await ask(page, 'button("Root at the top").getAttribute("aria-pressed")'), 'true');
    await press(page, 'Root at the bottom');
    assert.ok(await ask(page, 'place("all").y > place("copy").y'));
});

test('the frame of a chart has an address of its own among those of the same names', async page => {
    const svg = draw('main;read 5\nidle 3\nmain;read;copy 4\nidle 2\nmain;read 1\n', '--flamechart');
    const second = `(r => ({x: r.x + r.width / 2, y: r.y + 5}))(shown().find(g => /^read \\(4 /.test(
        g.querySelector('title').textContent)).querySelector('path').getBoundingClientRect())`;

    await page.open(svg);
    const {x, y} = await ask(page, second);

    await page.click(x, y);
    assert.deepEqual(await ask(page, names), ['all', 'main', 'read', 'copy']);
    const hash = await page.value('location.hash');

    await page.open('about:blank');
    await page.open(svg + hash);
    assert.deepEqual(await ask(page, names), ['all', 'main', 'read', 'copy']);
    assert.equal(await page.value('location.hash'), hash);
});

const ENDS = `shown().map(g => g.querySelector('rect, path').getBoundingClientRect().right)`;

test('a zoom in a view around a function leaves its callers as wide as the window', async page => {
    const svg = draw('main;f;x 10\nmain;f;y;z 30\nother;f;y 20\nidle 40\n', '--around=f');

    await page.open(svg);
    const callers = await ask(page, '["main", "other"].map(name => place(name).width)');

    await clickBox(page, 'x');
    assert.ok(Math.max(...await ask(page, ENDS)) <= 1190);
    assert.deepEqual(await ask(page, '["main", "other"].map(name => place(name).width)'), callers);
    await hoverBox(page, 'other');
    assert.match(await ask(page, 'text(".details")'), /^Function: other \(20 samples/);
});

test('stacks of one side that only a merge sets apart widen the view of changes', async page => {
    await page.open(`${draw('a 30 0\na;b 10 50\nd 5 5\n')}#merge=leaf`);
    assert.ok(await ask(page, '!!box("b") && !!box("gone")'));
    assert.ok(Math.max(...await ask(page, ENDS)) <= 1190);
});

test('merged from the leaves, each function that was sampled is one box', async page => {
    await page.open(draw(STACKS));
    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    await hoverBox(page, 'copy');
    assert.equal(await ask(page, 'text(".details")'), 'Function: copy (50 samples, 50.00%)');
    assert.deepEqual(await ask(page, names),
        ['all', 'copy', 'idle', 'write', 'read', 'write', 'main', 'main', 'main']);
    await page.key('Escape');
    assert.equal(await ask(page, 'hidden(".frames")'), false, 'Escape goes back');
});

test('the line of facts says how the view is merged, and stays true', async page => {
    const facts = 'text(".facts")', plain = ' · colours only tell frames apart';

    await page.open(draw(STACKS));
    assert.equal(await ask(page, facts), `100 samples${plain}`);
    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    assert.equal(await ask(page, facts), `100 samples · merged from the leaves${plain}`);
    await page.open(draw(STACKS, '--reverse', '--inverted', '--title', 'T',
        '--hide', 'read'));
    assert.equal(await ask(page, facts), '100 samples · merged from the leaves, root at the top · ' +
        `30.0% shortened by --hide${plain}`);
    assert.match(await ask(page, 'document.documentElement.getAttribute("aria-label")'),
        /^T, merged from the leaves, root at the top$/);
    await press(page, 'View');
    await press(page, 'Merged from the root');
    assert.equal(await ask(page, facts), '100 samples · merged from the root, root at the top · ' +
        `30.0% shortened by --hide${plain}`);
    await press(page, 'View');
    await press(page, 'Root at the bottom');
    await clickBox(page, 'write');
    await press(page, 'View');
    await press(page, 'Around this function');
    assert.equal(await ask(page, facts), '100 samples · callers and callees of write, ' +
        `root at the bottom · 30.0% shortened by --hide${plain}`);
    await page.key('Escape');
    await press(page, 'View');
    await press(page, 'Root at the top');
    assert.match(await ask(page, facts), / · merged from the leaves, root at the top · /);
    assert.ok(await ask(page, 'document.querySelector(".facts").hasAttribute("textLength")'));
});

test('a narrow graph has several lines of facts, which change with the view', async page => {
    const facts = '[...document.querySelectorAll(".facts")].map(line => line.textContent)';

    await page.open(draw(STACKS, '--width=300', '--hide=read', '--inverted'));
    assert.deepEqual(await ask(page, facts), ['100 samples · root at the top · 30.0% shortened by --hide',
        'colours only tell frames apart']);
    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    assert.deepEqual(await ask(page, facts), ['100 samples · merged from the leaves, root at the top · ' +
        '30.0% shortened by --hide', 'colours only tell frames apart']);
    await page.key('Escape');
    assert.equal((await ask(page, facts))[0], '100 samples · root at the top · 30.0% shortened by --hide');
});

test('a chart keeps the order of time and what lies between calls, zoomed too', async page => {
    await page.open(draw('main;a;b 3\nmain;a 2\nmain;a;b 4\nmain;c 1\nmain;a;b 2\n', '--flamechart'));
    assert.deepEqual(await ask(page, names), ['all', 'main', 'a', 'c', 'a', 'b', 'b', 'b']);
    await clickBox(page, 'a');
    assert.deepEqual((await ask(page, names)).sort(), ['a', 'all', 'b', 'b', 'main']);
    const [first, second, a] = await ask(page, `[...shown()].map(g =>
        g.querySelector('rect, path').getBoundingClientRect()).map(r => [r.x, r.right])
        .slice(-2).concat([[place('a').x, place('a').x + place('a').width]])`);
    const unit = (a[1] - a[0]) / 9;

    assert.ok(Math.abs(first[1] - first[0] - 3 * unit) < 2, 'three units of b');
    assert.ok(Math.abs(second[0] - first[1] - 2 * unit) < 3, 'two units without it');
    assert.ok(Math.abs(second[1] - a[1]) < 2, 'and four more up to the end');
    await press(page, 'View');
    await press(page, 'Merged from the leaves');
    await hoverBox(page, 'b');
    assert.equal(await ask(page, 'text(".details")'), 'Function: b (9 samples, 75.00%)');
});

test('around a function: what it calls above, who calls it below', async page => {
    await page.open(draw('a;f;x 10\nb;f;x 5\nb;f;y 3\nb;f;f;x 2\nc 80\n'));
    await clickBox(page, 'f');
    await press(page, 'View');
    await press(page, 'Around this function');
    assert.equal(await ask(page, 'box("f").querySelector("title").textContent'),
        'f (20 samples, 20.00%)');
    assert.equal(await ask(page, 'box("x").querySelector("title").textContent'),
        'x (15 samples, 15.00%)');
    assert.equal(await ask(page, 'box("b").querySelector("title").textContent'),
        'b (10 samples, 10.00%)');
    assert.ok(await ask(page, 'place("x").y < place("f").y && place("f").y < place("a").y'));
    await hoverBox(page, 'a');
    assert.match(await ask(page, 'text(".details")'), /^Function: a \(10 samples, 10.00%/);
});

test('drawn zoomed or cropped, shares are of all, in every view and of a search', async page => {
    for (const [option, root] of [['--zoom=f', 'a'], ['--crop=f', 'a']]) {
        await page.open(draw('z;a;f;x 10\nz;b;f;x 5\nb;f;y 5\nc 80\n', option));
        assert.match(await ask(page, 'text(".facts")'), /^20 samples, 20\.0% of all · (zoom|cropp)ed to f/);
        assert.equal(await ask(page, `box("${root}").querySelector("title").textContent`),
            'a (10 samples, 10.00%)');
        assert.equal(await ask(page, '!!box("z")'), option === '--zoom=f');
        await hoverBox(page, 'a');
        assert.match(await ask(page, 'text(".details")'), /^Function: a \(10 samples, 10\.00%/);
        await page.key('/');
        await page.type('^x$');
        assert.equal(await ask(page, 'text(".matched")'), 'Matched: 15.00%');
        await page.key('Enter');
        await press(page, 'View');
        await press(page, 'Merged from the leaves');
        assert.equal(await ask(page, 'box("x").querySelector("title").textContent'),
            'x (15 samples, 15.00%)');
    }
});

test('the search counts the same however the stacks are merged', async page => {
    await page.open(draw('sqlite-orders.perf'));
    await page.key('/');
    await page.type('Btree|page');
    const matched = await ask(page, 'text(".matched")');

    assert.match(matched, /^Matched: [1-9]/);
    await page.key('Enter');
    for (const merge of ['Merged from the leaves', 'Merged from the root']) {
        await press(page, 'View');
        await press(page, merge);
        assert.equal(await ask(page, 'text(".matched")'), matched, merge);
    }
});

test('next and previous match move through the frames', async page => {
    await page.open(draw(STACKS));
    await page.key('/');
    await page.type('copy|write');
    const seen = [];

    for (const label of ['›', '›', '›', '›', '‹']) {
        await press(page, label);
        seen.push((await ask(page, 'text(".details")')).replace(/^Function: | \(.*/g, ''));
    }
    assert.deepEqual(seen, ['copy', 'write', 'copy', 'copy', 'copy']);
});

test('before the first match comes the last', async page => {
    await page.open(draw('main;a;copy 1\nmain;b;write 1\n'));
    await page.key('/');
    await page.type('copy|write');
    await press(page, '‹');
    assert.match(await ask(page, 'text(".details")'), /^Function: write .* 2 of 2$/);
    await press(page, '‹');
    assert.match(await ask(page, 'text(".details")'), /^Function: copy .* 1 of 2$/);
    await press(page, '‹');
    assert.match(await ask(page, 'text(".details")'), /^Function: write .* 2 of 2$/);
});

test('the next match is shown where all are too thin to be seen', async page => {
    const details = 'text(".details").replace(/^Function: | \\(.*/g, "")';

    await page.open(draw('m;a;b 999998\nm;a;c;deep 1\nm;a;c;other 1\nz 1000000\n'));
    await page.key('/');
    await page.type('^deep$');
    await press(page, '›');
    assert.equal(await ask(page, details), 'deep');
    assert.deepEqual(await ask(page, '[place("c").width, place("deep").width]'), [1179, 589]);
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 50.00% of this, 0.00% of all');
    assert.equal(await ask(page, 'hidden(".ring")'), false);
    await press(page, '‹');
    assert.equal(await ask(page, details), 'deep');
});

test('F3 searches and goes on; asked again, Ctrl-F is the browser\'s', async page => {
    const prevented = async (key, options) => {
        await page.value(`addEventListener('keydown',
            event => { setTimeout(() => { window.taken = event.defaultPrevented; }); }); 0`);
        await page.key(key, options);
        await page.value('new Promise(done => setTimeout(done, 20))');
        return page.value('window.taken');
    };

    await page.open(draw(STACKS));
    assert.equal(await prevented('F3'), true);
    assert.equal(await ask(page, 'hidden(".panel")'), false);
    await page.type('copy');
    await page.key('Enter');
    await prevented('F3');
    const first = await ask(page, 'document.querySelector(".ring").getAttribute("x")');

    await prevented('F3');
    assert.notEqual(await ask(page, 'document.querySelector(".ring").getAttribute("x")'), first);
    await prevented('F3', {shift: true});
    assert.equal(await ask(page, 'document.querySelector(".ring").getAttribute("x")'), first);
    assert.equal(await prevented('f', {ctrl: true}), true);
    assert.equal(await prevented('f', {ctrl: true}), false);
});

test('a link shows the same in another drawing, and the back button goes back', async page => {
    const file = draw('postgres-pgbench.perf.xz');

    await page.open(file);
    await clickBox(page, 'postgres');
    const zoomed = await ask(page, names);
    const link = await ask(page, 'location.hash');

    await page.key('/');
    await page.type('Exec');
    await page.key('Enter');
    const whole = await ask(page, 'location.hash');
    const matched = await ask(page, 'text(".matched")');

    await goBack(page);
    assert.equal(await ask(page, 'hidden(".frames")'), false, 'back to the whole');
    assert.match(link, /^#zoom=\w+$/);

    await page.open('about:blank');
    await page.open(draw('postgres-pgbench.perf.xz', '--width', '1000', '--sort', 'weight') + whole);
    assert.deepEqual((await ask(page, names)).slice(0, 2), zoomed.slice(0, 2));
    assert.equal(await ask(page, 'place("postgres").width'), 1179);
    assert.equal(await ask(page, 'text(".matched")'), matched);
});

test('an address that changes many things is drawn once', async page => {
    const file = draw('postgres-pgbench.perf.xz');

    await page.open(file);
    await clickBox(page, 'postgres');
    const zoom = await ask(page, 'location.hash.slice(1)');

    await page.key('Escape');
    await changeAddress(page, `
        window.undone = 0;
        new MutationObserver(records => records.forEach(({target, removedNodes}) => {
            if (target.matches('.view'))
                undone += removedNodes.length;
        })).observe(document, {childList: true, subtree: true});
        location.hash = 'root=top&color=postgres&hide=^main$&search=Exec&${zoom}'`);
    assert.match(await ask(page, 'text(".matched")'), /^Matched/);
    assert.equal(await ask(page, 'hidden(".view")'), false);
    assert.equal(await page.value('undone'), 0);
});

test('the searches of the report are there to click', async page => {
    const out = process.env.WORK + '/presets';

    execFileSync(process.env.FLAMEPRESS, ['report', __dirname + '/../../samples/sqlite-orders.perf',
        '-o', out, '--quiet', '--search', 'pages=Btree|page', '--search', 'none=^nothing$']);
    const [name] = fs.readdirSync(out + '/graphs').filter(file => file.endsWith('.svg'));
    const report = JSON.parse(fs.readFileSync(out + '/report.json', 'utf8'));
    const {percent} = report.graphs[0].searches[0].amount;

    await page.open(`${out}/graphs/${name}`);
    await page.key('/');
    await press(page, 'pages');
    assert.equal(await ask(page, 'text(".matched")'), `Matched: ${percent}%`);
    assert.equal(await ask(page, 'document.querySelector("input").value'), 'Btree|page');
    assert.equal(await ask(page, 'button("pages").textContent'), `pages ${percent}%`);
    await page.key('Enter');
    assert.equal(await ask(page, 'hidden(".panel")'), true, 'as if it had been typed');
});

test('zooming is animated, unless less motion is wanted', async page => {
    await page.open(draw(STACKS));
    await page.value(`{
        const {animate} = Element.prototype;

        window.animated = [];
        Element.prototype.animate = function (...how) {
            animated.push(this.getAttribute('class'));
            return animate.apply(this, how);
        };
    }`);
    await clickBox(page, 'main');
    assert.deepEqual(await ask(page, 'animated'), []);
    await page.key('Escape');
    await page.media({reducedMotion: 'no-preference'});
    await clickBox(page, 'main');
    assert.deepEqual(await ask(page, 'animated'), ['view', 'marks']);
    await page.media({reducedMotion: 'reduce'});
});

test('the graph takes the width of its window', async page => {
    await page.open(draw(STACKS));
    await page.size(700, 500);
    assert.equal(await ask(page, 'place("all").width'), 679);
    assert.equal(await ask(page, 'document.documentElement.scrollWidth'), 700);
    await page.size(1280, 720);
    assert.equal(await ask(page, 'place("all").width'), 1259);
});

test('a phone shows it as wide as its screen, in letters of its size', async page => {
    await page.send('Emulation.setDeviceMetricsOverride',
        {width: 390, height: 844, deviceScaleFactor: 2, mobile: true});
    await page.open(draw(STACKS));
    assert.deepEqual(await ask(page, '[visualViewport.width, visualViewport.scale, innerWidth]'),
        [390, 1, 390]);
    assert.equal(await ask(page, 'place("all").width'), 369);
    const at = await ask(page, 'place("main")');

    await page.tap(at.cx, at.cy);
    assert.equal(await ask(page, 'place("main").width'), 369);
});

test('printed, a graph is light and has no buttons', async page => {
    const ground = 'getComputedStyle(document.querySelector(".title")).fill';

    await page.media({colorScheme: 'dark'});
    await page.open(draw(STACKS));
    await clickBox(page, 'main');
    const dark = await ask(page, ground);

    await page.media({media: 'print', colorScheme: 'dark'});
    assert.deepEqual([dark, await ask(page, ground)], ['rgb(232, 234, 237)', 'rgb(31, 35, 40)']);
    assert.equal(await ask(page, '[...document.querySelectorAll(".button, .panel")]' +
        '.every(one => getComputedStyle(one).display === "none")'), true);
    assert.equal(await ask(page, 'place("main").width'), 1179, 'what is shown is printed');
});

test('a finger does what the mouse does', async page => {
    await page.open(draw(STACKS));
    await page.tap(await ask(page, 'place("main").cx'), await ask(page, 'place("main").cy'));
    assert.equal(await ask(page, 'place("main").width'), 1179);
    assert.match(await ask(page, 'text(".details")'), /^Function: main /);
});

test('stacks can be copied', async page => {
    await page.open(draw(STACKS));
    await page.value(`Object.defineProperty(navigator, 'clipboard', {value:
        {writeText: async text => { window.copied = text; }}}) && undefined`);
    await clickBox(page, 'write');
    await press(page, 'View');
    await press(page, 'Copy this stack');
    assert.equal(await page.value('window.copied'), 'main\nwrite\n');
    await press(page, 'View');
    await press(page, 'Copy as folded');
    assert.equal(await page.value('window.copied'), 'main;write 5\nmain;write;copy 20\n');
});

test('script and style may be files beside the graph', async page => {
    const file = draw(STACKS, '--svg-script', 'external');

    page.allowed = /flamepress\.(js|css)$/;
    await page.open(file);
    await clickBox(page, 'main');
    assert.equal(await ask(page, 'place("main").width'), 1179);
    assert.equal(await ask(page, 'document.querySelectorAll("style").length'), 0);
});

test('without a script there is the picture and no data', async page => {
    await page.open(draw(STACKS, '--svg-script', 'none'));
    assert.equal(await ask(page, 'document.querySelectorAll("script, metadata").length'), 0);
    assert.equal(await ask(page, 'box("main").querySelector("text").textContent'), 'main');
});

test('the policy that --csp prints allows a graph and a report, and both live under it',
    async page => {
        const policy = execFileSync(process.env.FLAMEPRESS, ['--csp'], {encoding: 'utf8'}).trim();
        const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
        const graph = fs.readFileSync(draw(STACKS), 'utf8').replace(/^<\?xml.*\n/, '');
        const out = process.env.WORK + '/policy';

        execFileSync(process.env.FLAMEPRESS, ['report',
            __dirname + '/../../samples/sqlite-orders.perf', '-o', out, '--quiet']);
        const html = fs.readFileSync(out + '/index.html', 'utf8')
            .replace('<meta charset="utf-8">', '$&' + meta).replace('</main>', () => `${graph}</main>`);

        fs.writeFileSync(out + '/strict.html', html);
        page.allowed = /graphs\//;
        await page.open(out + '/strict.html');
        assert.equal(await ask(page, 'document.querySelectorAll("svg.live").length'), 1);
    });

// Serves a directory as a site does that sends the policy with every file.
function serve(folder, policy) {
    const types = {'.html': 'text/html', '.svg': 'image/svg+xml', '.js': 'text/javascript',
        '.css': 'text/css', '.png': 'image/png'};

    return new Promise(resolve => {
        const server = http.createServer(({url}, answer) => {
            const file = path.join(folder, decodeURIComponent(url.replace(/[?#].*/, '')));

            if (!fs.existsSync(file)) {
                answer.writeHead(204).end();
                return;
            }
            answer.writeHead(200, {'content-type': types[path.extname(file)],
                'content-security-policy': policy}).end(fs.readFileSync(file));
        }).listen(0, '127.0.0.1', () => resolve(server));
    });
}

for (const where of ['inline', 'external'])
    test(`sent as a header, the policy lets a report and its graphs live: ${where}`, async page => {
        const out = `${process.env.WORK}/served-${where}`;
        const policy = execFileSync(process.env.FLAMEPRESS, ['--csp', '--svg-script', where],
            {encoding: 'utf8'}).trim();

        execFileSync(process.env.FLAMEPRESS, ['report', '-o', out, '--quiet',
            __dirname + '/../../samples/sqlite-orders.perf', '--svg-script', where]);
        const server = await serve(out, policy);
        const site = `http://127.0.0.1:${server.address().port}/`;
        const [graph] = fs.readdirSync(`${out}/graphs`).filter(name => name.endsWith('.svg'));

        page.allowed = /^http:\/\/127\.0\.0\.1:/;
        try {
            await page.open(`${site}graphs/${graph}`);
            await until(page, 'document.documentElement.classList.contains("live")');
            await page.key('/');
            await page.type('Btree');
            assert.match(await ask(page, 'text(".matched")'), /^Matched: [1-9]/);
            assert.equal(await ask(page,
                'getComputedStyle(document.querySelector(".marks rect")).fill'), 'rgb(230, 0, 230)');
            await page.open(`${site}index.html`);
            await page.value('document.querySelector(".graph").scrollIntoView()');
            await until(page, 'document.querySelector(".live iframe")');
        } finally {
            server.closeAllConnections();
            server.close();
        }
    });

module.exports = tests;
