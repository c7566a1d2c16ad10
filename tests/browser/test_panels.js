// Menus and the search panel: for fingers, for keys, and for screen readers.
'use strict';

const assert = require('assert').strict;
const {draw, ask, press, clickBox, openMenu, hold} = require('./graph.js');
const {until} = require('./report.js');

const tests = [];
const test = (name, body, size = {width: 390, height: 844}) => tests.push({name, body, size});
const STACKS = 'main;read;copy 30\nmain;write 20\nidle 50\n';
const name = i => `frame_${String(i).padStart(4, '0')}`;
const TALL = `${Array.from({length: 80}, (_, i) => name(i)).join(';')} 9\nmain;read 1\n`;
const OPEN = '[...document.querySelectorAll(".panel")].filter(one => one.getClientRects().length)' +
    '.map(one => one.firstChild.getAttribute("aria-label") || "Search")';

const middle = async (page, name) => {
    const {cx, cy} = await ask(page, `place(${JSON.stringify(name)})`);

    return {x: cx, y: cy};
};

test('the finger that opened a menu chooses nothing when it is lifted', async page => {
    await page.open(draw(STACKS));
    const at = await middle(page, 'main');

    await hold(page, {...at, x: 370});
    const panel = await page.value(`(r => [r.left, r.right, r.top, r.bottom])(
        document.querySelector('.menu.frame').getBoundingClientRect())`);

    assert.ok(panel[0] < 360 && panel[1] > 370 && panel[2] < at.y && panel[3] > at.y, `${panel}`);
    assert.deepEqual(await page.value(OPEN), ['Frame']);
    await press(page, 'Hide this function');
    assert.equal(await page.value('location.hash'), '#hide=%5Emain%24');
});

// Chromium keeps small movements of a finger from the page; Safari and Firefox do not.
test('a finger that trembles presses, one that moves does not', async page => {
    page.needs('touch');
    await page.open(draw(STACKS));
    const at = await middle(page, 'read');
    const moved = by => page.value(`(async () => {
        const target = document.elementFromPoint(${at.x}, ${at.y});
        const send = (type, by) => target.dispatchEvent(new TouchEvent(type, {bubbles: true,
            touches: [new Touch({identifier: 1, target, clientX: ${at.x} + by, clientY: ${at.y} - by})]}));

        send('touchstart', 0);
        for (const by of ${JSON.stringify(by)})
            send('touchmove', by);
        await new Promise(done => setTimeout(done, 700));
        return ${OPEN};
    })()`);

    assert.deepEqual(await moved([5, 20]), []);
    assert.deepEqual(await moved([1, -3, 2]), ['Frame']);
});

test('a press beside a menu closes it and zooms nothing', async page => {
    await page.open(draw(STACKS));
    const read = await middle(page, 'read'), ground = {x: 100, y: 20};

    for (const beside of [ground, await middle(page, 'idle')]) {
        await hold(page, read);
        await page.tap(beside.x, beside.y);
        assert.deepEqual(await page.value(OPEN), []);
        await page.page.mouse.click(read.x, read.y, {button: 'right'});
        assert.deepEqual(await page.value(OPEN), ['Frame']);
        await page.click(beside.x, beside.y);
        assert.deepEqual(await page.value(OPEN), []);
        await press(page, 'View');
        await page.click(beside.x, 700);
        assert.deepEqual(await page.value(OPEN), []);
    }
    assert.equal(await page.value('location.hash'), '');
    await clickBox(page, 'read');
    assert.match(await page.value('location.hash'), /zoom=/);
});

test('one menu is open at a time', async page => {
    await page.open(draw(TALL));
    const read = await middle(page, 'read');

    await press(page, 'View');
    assert.deepEqual(await page.value(OPEN), ['View']);
    await page.page.mouse.click(read.x, read.y, {button: 'right'});
    assert.deepEqual(await page.value(OPEN), ['Frame']);
    await press(page, 'View');
    assert.deepEqual(await page.value(OPEN), ['View']);
    await press(page, 'View');
    assert.deepEqual(await page.value(OPEN), []);
}, {width: 900, height: 1400});

test('a menu or a search that is closed scrolls nothing', async page => {
    const top = () => page.value('new Promise(done => setTimeout(() => done(scrollY), 60))');

    await page.open(draw(TALL));
    await press(page, 'View');
    await page.key('Escape');
    assert.equal(await top(), 0);
    await page.key('/');
    await page.type('frame_0070');
    await page.key('Enter');
    assert.equal(await top(), 0);
    const at = await middle(page, name(70));

    await page.page.mouse.click(at.x, at.y, {button: 'right'});
    await page.key('Escape');
    assert.equal(await top(), 0);
    assert.match(await ask(page, 'text(".details")'), /^(Function: )?frame_0070 /);
    await page.page.focus('.stage');
    await page.key('Home');
    assert.ok(await top() > 0);
});

test('buttons of panels are 24 px high and wide at least, and one closes the search', async page => {
    const small = `[...document.querySelectorAll('.panel:not(.hidden) button')].map(one =>
        [one.textContent, one.getBoundingClientRect()]).filter(([, r]) => r.width < 24 || r.height < 24)
        .map(([text]) => text)`;

    await page.open(draw(STACKS));
    await press(page, 'View');
    assert.deepEqual(await page.value(small), []);
    await page.key('Escape');
    await press(page, 'Search');
    assert.deepEqual(await page.value(small), []);
    await page.type('copy');
    assert.equal(await ask(page, 'text(".matched")'), 'Matched: 30.00%');
    await press(page, '×');
    assert.deepEqual(await page.value(OPEN), []);
    assert.equal(await ask(page, 'text(".matched")'), '');
});

test('what a key hides gives the focus to the frames', async page => {
    const focused = 'document.activeElement && document.activeElement.getAttribute("class")';
    const file = draw(STACKS);
    const press = async label => {
        for (let i = 0; i < 20; i++) {
            await page.key('Tab');
            if (await page.value(`(document.activeElement || {}).textContent === '${label}'`))
                return page.key('Enter');
        }
        throw new Error(`no button ${label}`);
    };

    for (const [address, ...labels] of [['#function=read', 'Reset Zoom'], ['#focus=read', 'Clear Filters'],
        ['', 'Search', '×'], ['', 'View', 'Dark']]) {
        await page.open('about:blank');
        await page.open(file + address);
        for (const label of labels)
            await press(label);
        assert.equal(await page.value(focused), 'stage clickable', labels.join());
    }
    await page.page.focus('.button:not(.hidden)');
    await page.key('Enter');
    await press('Around this function');
    assert.match(await ask(page, 'text(".details")'), /^Click a frame first/);
}, {width: 1200, height: 900});

test('screen readers meet what is shown, once', async page => {
    const names = async () => (await page.send('Accessibility.getFullAXTree')).nodes
        .filter(({ignored, role}) => !ignored && /^(button|group)$/.test(role.value))
        .map(({name}) => name.value.replace(/ \(.*/, '')).sort();

    await page.open(draw(STACKS));
    await clickBox(page, 'main');
    assert.deepEqual(await names(), ['Frames: arrow keys move, Enter zooms, Escape resets',
        'Reset Zoom', 'Search', 'View', 'all', 'copy', 'main', 'read', 'write'].sort());
}, {width: 1200, height: 900});

for (const [width, height] of [[1440, 900], [768, 700], [390, 700], [320, 400]])
    test(`where no script may copy, the text is shown and selected, ${width} px`, async page => {
        const shown = `(one => [one.value, one.selectionEnd - one.selectionStart, one === document.activeElement])(
            document.querySelector('.panel textarea'))`;

        await page.open(draw(STACKS));
        await page.value(`Object.defineProperty(navigator, 'clipboard', {value: undefined})`);
        for (const key of ['Control+c', 'Escape']) {
            await openMenu(page, 'copy');
            await press(page, 'Copy the stack');
            assert.deepEqual(await page.value(OPEN), ['Copy']);
            assert.deepEqual(await page.value(shown), ['main\nread\ncopy\n', 15, true]);
            const box = await page.value(`(r => [r.left, r.top, innerWidth - r.right, innerHeight - r.bottom])(
                document.querySelector('.panel:not(.hidden) > div').getBoundingClientRect())`);

            assert.ok(box.every(room => room >= 0), `${box}`);
            await page.page.keyboard.press(key);
            await until(page, `!(${OPEN}).length`);
            assert.equal(await ask(page, 'text(".details")') === 'Copied.', key !== 'Escape');
            assert.equal(await page.value('document.activeElement.classList.contains("stage")'), true);
        }
    }, {width, height});

module.exports = tests;
