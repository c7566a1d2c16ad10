// The script of an SVG holds the program in a form of its own, which is unpacked here by other means.
'use strict';

const assert = require('assert');
const {draw, program} = require('./graph.js');

const tests = [];
const test = (name, body) => tests.push({name, body, size: {width: 400, height: 300}});

test('the script unpacks the program', async page => {
    await page.open(draw('a;b 1\n'));
    const ran = await page.value(`(async () => {
        const own = document.querySelector('script').textContent;
        const text = own.match(/="([^"]*)"/)[1], bytes = new Uint8Array(own.match(/Array\\((\\d+)\\)/)[1]);
        const letters = [...Array(95).keys()].map(i => String.fromCharCode(i + 32))
            .filter(c => !'"<\\\\]'.includes(c)).join('');
        let bits = 0n, count = 0n;

        for (let i = 0, at = 0; i < text.length; i += 2) {
            bits |= BigInt(letters.indexOf(text[i]) + 91 * letters.indexOf(text[i + 1])) << count;
            for (count += 13n; count > 7n; count -= 8n, bits >>= 8n)
                bytes[at++] = Number(bits & 255n);
        }
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
            .text();
    })()`);

    assert.equal(ran, program());
});

module.exports = tests;
