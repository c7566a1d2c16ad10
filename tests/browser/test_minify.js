// The step of the build that makes the graph's script shorter: what it writes, and that the shorter
// script does what the longer one does.
'use strict';

const assert = require('assert');
const path = require('path');
const {execFileSync} = require('child_process');
const {assemble, HELPERS_OF_BUILD} = require('./graph.js');

const tests = [];
const test = (name, body) => tests.push({name: `minify: ${name}`, body, size: {width: 400, height: 300}});

function minify(text) {
    return execFileSync(path.join(HELPERS_OF_BUILD, 'minify'), {input: text, encoding: 'utf8'}).trim();
}

// Statements, and what becomes of them without the last semicolon.
const ROWS = [
    ['// a comment\nf(1); /* and\nanother */ f(2);', 'f(1);f(2)'],
    ['const long = 1; f(long);', 'const e=1;f(e)'],
    ['const tree = {}; f({tree, size: tree.tree});', 'const e={};f({tree:e,size:e.tree})'],
    ['const {count, parts: [first = top], ...others} = f(); f(count, first, others);',
        'const{count:e,parts:[t=top],...n}=f();f(e,t,n)'],
    ['f((one, {two}, [three] = []) => one + two + three);', 'f((e,{two:t},[n]=[])=>e+t+n)'],
    ['f(wide ? wide : high);', 'f(wide?wide:high)'],
    ['const high = 1; f(f ? high : {high: high});', 'const e=1;f(f?e:{high:e})'],
    ['const name = 1; f(`${name} and ${f(`${name}`)}`);', 'const e=1;f(`${e} and ${f(`${e}`)}`)'],
    ["const x = 6; f('x', x / 2 / 1, /[/x]x/.test('x'));", "const e=6;f('x',e/2/1,/[/x]x/.test('x'))"],
    ['class Pair { get first() { return this.second; } more(first) { return first; } }\nf(new Pair());',
        'class e{get first(){return this.second}more(t){return t}}f(new e())'],
    ['function twice(value) { return value + +value; } f(twice(2));',
        'function t(e){return e+ +e}f(t(2))'],
    ['function* twice(value) { yield value; } f([...twice(2)]);', 'function*e(t){yield t}f([...e(2)])'],
    ['for (const [key, value] of f()) f(key, value);', 'for(const[e,t]of f())f(e,t)'],
    ['try { f(); } catch (error) { f(error); }', 'try{f()}catch(e){f(e)}'],
    ['let i = 0, j = f(i, 1), k; f(i, j, k);', 'let e=0,t=f(e,1),n;f(e,t,n)'],
    ['const e = 1; f(e, t);', 'const e=1;f(e,t)'],
    ['const one = 1; f(e, one);', 'const t=1;f(e,t)'],
];

test('shortens names, keeps properties and what it does not know', async () => {
    for (const [statements, want] of ROWS)
        assert.equal(minify(statements).replace(/;$/, ''), want);
});

const PROGRAM = `
    'use strict';
    (function (tell) {
        const list = [3, 1, 2], word = 'list', tree = {list, word: {list: 'kept'}};
        let sum = 0;

        function add(value, {list: inner = list} = {}) {
            const tree = value;
            sum += tree;
            return inner.length;
        }
        class Walk {
            constructor(tree) { this.tree = tree; }
            *[Symbol.iterator]() { for (const word of this.tree.list) yield word; }
            static of({tree}) { return new Walk(tree); }
            get size() { return [...this].length; }
        }
        for (const value of Walk.of({tree}))
            add(value, value > 1 ? {list: [value]} : undefined);
        const made = {add, sum, [word]: \`\${word}: \${list.map(x => \`<\${x}>\`).join()}\`,
            sort(a, b) { return a - b; }, async later() { return list; }};
        switch (word) {
        case 'list':
            tell(JSON.stringify([Object.keys(made), made.list, sum, Walk.of({tree}).size,
                list.sort(made.sort), tree.word.list, sum++ + ++sum, 8 / 2 / 1, /[/]list\\//.source]));
        }
    })(give);`;

test('the shorter script does what the longer one does', async () => {
    const run = text => {
        let given = '';

        new Function('give', text)(value => given = value);
        return given;
    };

    assert.ok(run(PROGRAM).includes('kept'));
    assert.equal(run(minify(PROGRAM)), run(PROGRAM));
});

test('refuses what it does not understand', async () => {
    for (const text of ['f(1', 'f)', "f('a\n')", 'class A { field = 1; }', 'const of = 1;'])
        assert.throws(() => execFileSync(path.join(HELPERS_OF_BUILD, 'minify'),
            {input: text, stdio: ['pipe', 'pipe', 'ignore']}), text);
});

test('the graph has the shorter script, unpacked as it was', async page => {
    const {draw} = require('./graph.js');

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

    assert.equal(ran, assemble('program'));
    assert.ok(ran.length < assemble('source').length * 0.65);
});

module.exports = tests;
