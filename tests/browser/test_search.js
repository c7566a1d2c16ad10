// Searches use the browser's regular expressions: both engines must pass the table of the unit test.
'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const {draw, packedScript, scriptPart} = require('./graph.js');

const LEAST_ROWS = 170;
const TABLE = path.join(__dirname, '../unit/match/search.tsv');

function cell(text) {
    return text.replace(/\{U\+([0-9A-F]+)\}/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)));
}

async function agrees(page) {
    const rows = fs.readFileSync(TABLE, 'utf8').split('\n')
        .filter(row => row !== '' && !row.startsWith('#'))
        .map(row => row.split('\t'));
    const asked = rows.map(([pattern, name]) => [cell(pattern), cell(name)]);

    await page.open(draw('a;b 1\n'));
    const script = scriptPart('flame_match.js');

    assert.equal(await page.value("document.querySelector('script').textContent"), packedScript());
    const found = await page.value(`(() => {
        'use strict';
        ${script}
        const answer = (pattern, name, ignoreCase) => {
            try {
                return matcher(regexOf(pattern, ignoreCase, false).regex)(name) ? '1' : '0';
            } catch {
                return '-'; // refused
            }
        };

        return ${JSON.stringify(asked)}.map(([pattern, name]) =>
            [false, true].map(ignoreCase => answer(pattern, name, ignoreCase)));
    })()`);

    const accepted = rows.filter(([, , plain]) => plain !== '-').length;

    assert.ok(accepted >= LEAST_ROWS, `${accepted} accepted rows are too few`);
    assert.deepEqual(rows.filter(([, , ...want], at) =>
        want.some((one, i) => one !== '-' && one !== found[at][i])), []);
}

module.exports = [{name: 'patterns mean what the table of the program says', body: agrees}];
