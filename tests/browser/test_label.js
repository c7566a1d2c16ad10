// The script shortens names like the program: both must pass the table of the unit test.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const {draw, packedScript, scriptPart, ask, clickBox} = require('./graph.js');

const LEAST_ROWS = 100;
const size = {width: 1200, height: 300};
const top = path.join(__dirname, '../..');

// Returns the forms of a name as in a row of the table: "=" for a step that changes nothing.
const FORMS = `name => [...shorterNames(name)].map((form, at, forms) =>
    (at === 1 || at === 2) && form === forms[at - 1] ? '=' : form).join('\\t')`;

async function shortens(page) {
    const script = scriptPart('flame_label.js');
    const rows = fs.readFileSync(path.join(top, 'tests/unit/text/shorten.tsv'), 'utf8')
        .split('\n').filter(row => row !== '' && !row.startsWith('#'));
    const names = rows.map(row => row.split('\t')[0]);

    await page.open(draw('a;b 1\n'));
    assert.equal(await page.value("document.querySelector('script').textContent"), packedScript());
    const forms = await page.value(`(svg => {
        'use strict';
        const XHTML = 'http://www.w3.org/1999/xhtml';
        ${script}
        return ${JSON.stringify(names)}.map(${FORMS});
    })(document.documentElement)`);

    assert.ok(rows.length >= LEAST_ROWS, `${rows.length} rows are too few`);
    assert.deepEqual(forms.filter((row, at) => row !== rows[at]), []);
}

// Rows lower than the font, and fonts too small to read: no labels, also when zoomed.
async function leavesOut(page) {
    for (const [height, font, labels] of [[12, 12, 3], [11, 12, 0], [16, 5, 0]]) {
        await page.open(draw('main;alpha 3\nmain;beta 7\n', '--height', height, '--fontsize', font));
        await clickBox(page, 'alpha');
        assert.equal(await ask(page, 'shown().length'), 3);
        assert.equal(await ask(page, `shown().filter(g => g.querySelector('text')).length`), labels,
            `font ${font} in ${height}`);
    }
}

// The script writes the same labels as the file has, and shares of the whole when zoomed.
async function writesShares(page) {
    const texts = "shown().map(g => (g.querySelector('text') || {textContent: ''}).textContent)";
    const profile = 'main;alpha 3\nmain;std::vector<int>::push_back(int&&) 11\nmain;beta 86\n';

    await page.open(draw(profile, '--label-percent', '--width', '700'));
    const before = await ask(page, texts);

    assert.deepEqual(before.filter(text => /%/.test(text)).sort(),
        ['all 100%', 'beta 86.00%', 'main 100%', 'vector::push_back 11.00%']);
    await clickBox(page, 'alpha');
    assert.ok((await ask(page, texts)).includes('alpha 3.00%'));
    await page.key('Escape');
    assert.deepEqual(await ask(page, texts), before);
}

module.exports = [
    {name: 'labels with shares, as the program writes them', body: writesShares, size},
    {name: 'names are shortened as the program does', body: shortens, size},
    {name: 'no labels that could not be read', body: leavesOut, size},
];
