// Reading a graph's data, and its numbers as text.
//
// The exact weights come from the <metadata> element, whose format is told in
// src/output/svg_data.h; they are BigInts, for they may exceed 2^53. Boxes that are drawn at first
// have their names and colours in their markup.
//
// The flame*.js files are one script: src/output/svg.c writes them one after the other into a
// function of `svg`, the graph, so that a page may hold several.

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const meta = svg.querySelector('.flame-data');
const frames = svg.querySelector('.frames');
const thin = svg.querySelector('.thin');
const number = name => Number(meta.getAttribute(name));
const graph = {
    left: number('left'), span: number('span'), top: number('top'), rows: number('rows'),
    row: number('row'), pad: number('pad'), baseline: number('baseline'),
    pointable: number('pointable'), inverted: number('inverted') === 1,
    total: BigInt(meta.getAttribute('total')), places: number('places'),
    factor: number('factor'), seconds: number('seconds') === 1,
    word: meta.getAttribute('word'), type: meta.getAttribute('type'),
    label: meta.getAttribute('label'), unseen: number('unseen') > 0,
};

function rowTop(depth) {
    return graph.top + (graph.inverted ? depth : graph.rows - 1 - depth) * graph.row;
}

// A box of the picture, drawn at first or not: its place in exact weights, its name and colour,
// and, once it has any, its markup.
function makeBox(depth, start, weight) {
    return {
        depth, start, end: start + weight, weight, delta: 0n, name: '', color: '',
        parent: null, group: null, home: null, matched: false, under: false,
    };
}

// A title is the name, a blank, and the share in parentheses, which begins with the weight.
function nameFromTitle(title, weight) {
    return title.slice(0, title.lastIndexOf(` (${weightText(weight)}`));
}

function adopt(box, group) {
    const rect = group.querySelector('rect');
    const text = group.querySelector('text');
    const title = group.querySelector('title').textContent;

    box.group = group;
    box.name = nameFromTitle(title, box.weight);
    box.share = title.slice(box.name.length + 1);
    box.color = rect.getAttribute('fill');
    box.home = {
        x: rect.getAttribute('x'), width: rect.getAttribute('width'),
        label: text ? text.textContent : '',
        length: text ? text.getAttribute('textLength') : null,
    };
    group.flameBox = box;
}

function readShades(lines) {
    const shades = [];

    for (let line = lines.next().value; line !== ''; line = lines.next().value)
        shades.push({color: '#' + line.slice(0, 6), name: line.slice(7)});
    return shades;
}

// One row of boxes. Fields: free weight before the box, weight, shade, change of self weight.
function readRow(line, depth, shades, groups) {
    let right = 0n;

    return line.split(' ').map(entry => {
        const fields = entry.split(',');
        const start = right + BigInt(fields[0] || 0);
        const box = makeBox(depth, start, BigInt(fields[1]));

        right = box.end;
        if (fields.length > 2)
            Object.assign(box, shades[Number(fields[2])], {delta: BigInt(fields[3] || 0)});
        else
            adopt(box, groups.shift());
        return box;
    });
}

function linkParents(row, above) {
    let at = 0;

    for (const box of row) {
        while (above[at].end < box.end)
            at++;
        box.parent = above[at];
    }
}

function readRows() {
    const lines = meta.textContent.slice(1).split('\n').values();
    const shades = readShades(lines);
    const markup = new Map();
    const rows = [];

    for (const group of frames.children)
        markup.set(group.getAttribute('transform'), [...group.children]);
    for (const line of lines) {
        if (line === '')
            break;
        const depth = rows.length;
        const groups = markup.get(`translate(0,${rowTop(depth)})`) || [];
        const row = readRow(line, depth, shades, groups);

        if (depth)
            linkParents(row, rows[depth - 1]);
        rows.push(row);
    }
    return rows;
}

// ---- numbers as text ---------------------------------------------------------------------------

function grouped(digits) {
    return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

function trimZeros(fraction) {
    const kept = fraction.replace(/0+$/, '');

    return kept && '.' + kept;
}

// The same text as unit_write_exact() of src/profile/unit.h.
function weightText(weight) {
    let whole, fraction = '';

    if (graph.factor !== 1) {
        const value = Number(weight) * graph.factor * 10 ** -graph.places;

        [whole, fraction = ''] = value.toFixed(graph.seconds ? 9 : 0).split('.');
    } else if (graph.places > 0) {
        const digits = String(weight).padStart(graph.places + 1, '0');

        whole = digits.slice(0, -graph.places);
        fraction = digits.slice(-graph.places);
    } else {
        whole = String(weight * 10n ** BigInt(-graph.places));
    }
    return grouped(whole) + trimZeros(fraction) + (graph.word && ' ' + graph.word);
}

// part / whole in per cent with two decimals, rounded half up, exactly.
function percent(part, whole) {
    const hundredths = whole ? (part * 20000n / whole + 1n) / 2n : 0n;

    return `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`;
}

function shareText(box) {
    if (!box.share) {
        const size = box.delta < 0n ? -box.delta : box.delta;
        const change = svg.classList.contains('differential')
            ? `; self ${box.delta < 0n ? '-' : '+'}${percent(size, graph.total)}` : '';

        const share = box.weight === graph.total ? '100%' : percent(box.weight, graph.total);

        box.share = `(${weightText(box.weight)}, ${share}${change})`;
    }
    return box.share;
}
