// The behaviour of a flame graph: details, zoom, search, keyboard.
//
// The markup is complete without this script. The exact weights come from the <metadata> element,
// whose format is told in src/output/svg_data.h; they are BigInts, for they may exceed 2^53.
// Nothing here depends on the page around the <svg>, so a page may hold several.
'use strict';
(function (svg) {

// ---- the model: what the file holds ------------------------------------------------------------

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

const rows = readRows();

if (!rows.length)
    return; // a graph without weight has no frames
const root = rows[0][0];
const all = rows.flat();

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

// ---- labels: the text that fits ----------------------------------------------------------------

const fontSize = parseFloat(svg.getAttribute('font-size'));
const canvas = document.createElementNS(XHTML, 'canvas').getContext('2d');
const segmenter = typeof Intl.Segmenter === 'function' ? new Intl.Segmenter() : null;

canvas.font = `${fontSize}px ${getComputedStyle(svg).fontFamily}`;

function width(text) {
    return canvas.measureText(text).width;
}

function characters(text) {
    return segmenter ? Array.from(segmenter.segment(text), s => s.segment) : Array.from(text);
}

// Without the arguments at the end; those of `operator()` are its name.
function withoutArguments(name) {
    let depth = 0;

    if (!name.endsWith(')') || /operator *\(\)$/.test(name))
        return name;
    for (let at = name.length - 1; at > 0; at--) {
        depth += (name[at] === ')') - (name[at] === '(');
        if (depth === 0)
            return name.slice(0, at);
    }
    return name;
}

function withoutTemplates(name) {
    for (let before = ''; before !== name;) {
        before = name;
        name = name.replace(/(?<=[^.])(?<!operator *)(?:::)?<[^<>]*>/g, '');
    }
    return name;
}

// What parts a scope from what is in it. Compilers' suffixes and kinds of files are no names.
const SCOPE = new RegExp('(?:::|[/!`]|\\.(?!(?:isra|constprop|part|cold|lto_priv|llvm|clone|so|dll|' +
    'exe|ko|py|m?js|ts|rb|php|pl|lua|go|c|cc|cpp|h|rs|java|jar|wasm|dylib|node)(?!\\w)))' +
    '(?=[\\p{L}_~$({[<+*@-])', 'u');

// A function with the path of its file behind it, as Python's py::loads:/lib/decoder.py.
const FILE = /^([^ /]{2,}?):\/(?!\/).*$/s;

// A type in front of a dotted name, as the JVM's void java.util.List.add.
const TYPE = /^[\p{L}\d_.$[\]<>]+ (?=(?:[\p{L}\d_.$[\]<>]|\/0x)+$)/u;

// Ever shorter forms of a name that a person would still recognise: src/text/shorten.h.
function* shorterNames(name) {
    yield name;
    name = withoutArguments(name);
    yield name;
    name = withoutTemplates(name);
    yield name;
    if (TYPE.test(name) && SCOPE.test(name.replace(TYPE, ''))) {
        name = name.replace(TYPE, '');
        yield name;
    }
    if (FILE.test(name)) {
        name = name.replace(FILE, '$1');
        yield name;
    }
    for (let found; (found = SCOPE.exec(name)) && !/[ ([{<]/.test(name.slice(0, found.index));) {
        name = name.slice(found.index + found[0].length);
        yield name;
    }
}

// As much of the beginning, or of the end, as fits beside an ellipsis.
function cut(name, room) {
    const tail = graph.label === 'tail';
    const most = 4 * Math.ceil(room);
    const parts = characters(tail ? name.slice(-most) : name.slice(0, most));
    const keep = count => tail ? '…' + parts.slice(parts.length - count).join('')
        : parts.slice(0, count).join('') + '…';
    let low = 0, high = parts.length;

    while (low < high) {
        const middle = (low + high + 1) >> 1;

        if (width(keep(middle)) <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low < 3 ? '' : keep(low);
}

function fit(name, room) {
    let shortest = name;

    if (room < fontSize)
        return '';
    for (const text of graph.label === 'smart' ? shorterNames(name) : [name]) {
        if (width(text) <= room)
            return text;
        shortest = text;
    }
    return cut(shortest, room);
}

function luminance(color) {
    const channel = at => {
        const c = parseInt(color.slice(at, at + 2), 16) / 255;

        return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

// Black where its contrast is at least 4.5 to 1, else white.
function ink(color) {
    return (luminance(color) + 0.05) / 0.05 >= 4.5 ? '#000000' : '#ffffff';
}

// ---- the view: which part is shown, and how ----------------------------------------------------

const view = {zoom: root};
const rowGroups = new Map();

function element(name, attributes, parent) {
    const made = document.createElementNS(SVG, name);

    for (const key in attributes)
        made.setAttribute(key, attributes[key]);
    if (parent)
        parent.append(made);
    return made;
}

for (const group of frames.children)
    rowGroups.set(group.getAttribute('transform'), group);

function rowGroup(depth) {
    const transform = `translate(0,${rowTop(depth)})`;

    if (!rowGroups.has(transform))
        rowGroups.set(transform, element('g', {transform}, frames));
    return rowGroups.get(transform);
}

function isAncestor(box, of) {
    return box.depth <= of.depth && box.start <= of.start && box.end >= of.end;
}

// The weight that the width stands for: the total at first, which may be more than the root's.
function viewWeight() {
    return Number(view.zoom === root ? graph.total : view.zoom.weight);
}

// Left edge and width in pixels in the present view, or null where the box is outside of it.
function place(box) {
    const z = view.zoom;
    const edge = at => Math.round(Number(at - z.start) * graph.span / viewWeight());

    if (box.depth < z.depth && isAncestor(box, z))
        return {x: graph.left, width: graph.span - 1};
    if (box.depth < z.depth || box.start < z.start || box.end > z.end)
        return null;
    const left = edge(box.start), right = edge(box.end);
    const size = right - left;

    return size > 0 ? {x: graph.left + left, width: size > 2 ? size - 1 : size} : null;
}

function setLabel(box, x, label, length) {
    let text = box.group.querySelector('text');

    if (!label) {
        if (text)
            text.remove();
        return;
    }
    if (!text)
        text = element('text', {y: graph.baseline, fill: ink(box.color)}, box.group);
    text.textContent = label;
    text.setAttribute('x', Number(x) + graph.pad);
    if (length)
        text.setAttribute('textLength', length);
    else
        text.removeAttribute('textLength');
}

function draw(box, at, label, length) {
    const rect = box.group.querySelector('rect');

    rect.setAttribute('x', at.x);
    rect.setAttribute('width', at.width);
    setLabel(box, at.x, label, length);
    box.group.classList.remove('hidden');
}

// Gives a box that was too thin at first the markup that others have from the start.
function create(box) {
    box.group = element('g', {}, rowGroup(box.depth));
    element('title', {}, box.group).textContent = `${box.name} ${shareText(box)}`;
    element('rect', {height: graph.row - 1, fill: box.color}, box.group);
    box.group.flameBox = box;
    box.group.classList.toggle('match', box.matched);
}

function drawHome() {
    for (const box of all) {
        if (box.home)
            draw(box, box.home, box.home.label, box.home.length);
        else if (box.group)
            box.group.classList.add('hidden');
        if (box.group)
            box.group.classList.remove('faded');
    }
}

function drawZoomed() {
    for (const box of all) {
        const at = place(box);

        if (at) {
            if (!box.group)
                create(box);
            draw(box, at, fit(box.name, at.width - 2 * graph.pad), null);
            box.group.classList.toggle('faded', box.depth < view.zoom.depth);
        } else if (box.group) {
            box.group.classList.add('hidden');
        }
    }
}

function zoomTo(box) {
    const home = box.depth === 0;

    view.zoom = box;
    if (home)
        drawHome();
    else
        drawZoomed();
    thin.classList.toggle('hidden', !home);
    controls.reset.classList.toggle('hidden', home);
    showMatched();
    placeRing();
}

// The box under a point of the picture.
function boxAt(x, y) {
    const line = Math.floor((y - graph.top) / graph.row);
    const row = rows[graph.inverted ? line : graph.rows - 1 - line];
    const share = (Math.floor(x) + 0.5 - graph.left) / graph.span;

    if (!row || share < 0 || share > 1)
        return null;
    const at = Number(view.zoom.start) + share * viewWeight();

    return row.find(box => at >= Number(box.start) && at < Number(box.end)) || null;
}

function boxOfEvent(event) {
    const group = event.target.closest && event.target.closest('g');

    if (group && group.flameBox)
        return group.flameBox;
    if (!svg.getScreenCTM() || event.target.closest('.button, foreignObject'))
        return null;
    const p = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(svg.getScreenCTM().inverse());

    return boxAt(p.x, p.y);
}

// ---- controls and the details line -------------------------------------------------------------

const facts = svg.querySelector('.facts');
const title = svg.querySelector('.title');
const right = graph.left + graph.span;
const topLine = title ? title.getAttribute('y') : 2 * fontSize;
const bottomLine = facts ? facts.getAttribute('y')
    : graph.top + graph.rows * graph.row + 1.6 * fontSize;

function button(label, x, action) {
    const made = element('text', {
        class: 'button muted', x, y: topLine, 'text-anchor': 'end', role: 'button', tabindex: 0,
    }, svg);

    made.textContent = label;
    made.addEventListener('click', action);
    made.addEventListener('keydown', event => {
        if (event.key === 'Enter' || event.key === ' ') {
            event.preventDefault();
            event.stopPropagation();
            action();
        }
    });
    return made;
}

const controls = {
    search: button('Search', right, () => openSearch()),
    reset: button('Reset Zoom', right - width('Search') - 1.5 * fontSize, () => zoomTo(root)),
    details: element('text', {
        class: 'details title', x: graph.left, y: bottomLine, 'aria-live': 'polite',
    }, svg),
    matchedGround: element('rect', {class: 'ground hidden', height: 1.5 * fontSize}, svg),
    matched: element('text', {
        class: 'matched title', x: right, y: bottomLine, 'text-anchor': 'end', role: 'status',
    }, svg),
    ring: element('rect', {class: 'ring hidden', height: graph.row - 1}, svg),
};

controls.reset.classList.add('hidden');

function showDetails(text) {
    controls.details.textContent = text;
    if (facts)
        facts.classList.toggle('hidden', text !== '');
}

// The line in full, or with the name cut so that the numbers can be seen.
function showBox(box) {
    if (!box) {
        showDetails('');
        return;
    }
    const room = graph.span - width(`${graph.type}  ${shareText(box)}`);
    const name = width(box.name) <= room ? box.name : cut(box.name, room);

    showDetails(`${graph.type} ${name} ${shareText(box)}`);
}

// ---- search ------------------------------------------------------------------------------------

const search = {pattern: '', ignoreCase: false, panel: null, input: null, toggle: null};

// The root is no function: it is in no search, as in the report.
function markMatches(regex) {
    const known = new Map();

    for (const box of all) {
        if (!known.has(box.name))
            known.set(box.name, regex !== null && regex.test(box.name));
        box.matched = box !== root && known.get(box.name);
        box.under = box.parent !== null && (box.parent.under || box.parent.matched);
        if (box.group)
            box.group.classList.toggle('match', box.matched);
    }
}

// The weight of matching boxes inside `within`, none counted twice: their union. It is a least
// value where frames are too thin to be in the file.
function matchedWeight(within) {
    let sum = 0n;

    if (within.matched || within.under)
        return within.weight;
    for (const box of all)
        if (box.matched && !box.under && isAncestor(within, box))
            sum += box.weight;
    return sum;
}

function matchedShare(within, whole) {
    const weight = matchedWeight(within);

    return (graph.unseen && weight < within.weight ? '≥ ' : '') + percent(weight, whole);
}

function showMatched() {
    const zoomed = view.zoom !== root;
    let text = '';

    if (search.pattern !== '') {
        text = `Matched: ${matchedShare(root, graph.total)}`;
        if (zoomed)
            text = `Matched: ${matchedShare(view.zoom, view.zoom.weight)} of this, ` +
                `${matchedShare(root, graph.total)} of all`;
    }
    controls.matched.textContent = text;
    controls.matchedGround.classList.toggle('hidden', text === '');
    controls.matchedGround.setAttribute('x', right - width(text) - 2 * fontSize);
    controls.matchedGround.setAttribute('y', bottomLine - 1.1 * fontSize);
    controls.matchedGround.setAttribute('width', width(text) + 2 * fontSize);
}

// Matches among the strokes of the first view are drawn over it.
function drawThinMatches() {
    const scale = graph.span / Number(graph.total);
    let path = '';

    for (const box of all) {
        const left = Math.round(Number(box.start) * scale);

        if (box.matched && !box.home && Math.round(Number(box.end) * scale) > left)
            path += `M${graph.left + left + 0.5} ${rowTop(box.depth)}v${graph.row - 1}`;
    }
    for (const old of thin.querySelectorAll('.match'))
        old.remove();
    if (path)
        element('path', {class: 'match', d: path}, thin);
}

function runSearch(pattern) {
    let regex = null;

    search.input.setCustomValidity('');
    try {
        if (pattern !== '')
            regex = new RegExp(pattern, search.ignoreCase ? 'iu' : 'u');
    } catch (error) {
        search.input.setCustomValidity(error.message);
        showDetails(error.message);
        pattern = '';
    }
    search.pattern = pattern;
    markMatches(regex);
    drawThinMatches();
    showMatched();
}

function setIgnoreCase(ignore) {
    search.ignoreCase = ignore;
    search.toggle.setAttribute('aria-pressed', String(!ignore));
    runSearch(search.input.value);
}

function makePanel() {
    const size = Math.min(280, graph.span);
    const html = (name, attributes, parent) => {
        const made = document.createElementNS(XHTML, name);

        for (const key in attributes)
            made.setAttribute(key, attributes[key]);
        parent.append(made);
        return made;
    };

    search.panel = element('foreignObject', {
        class: 'hidden', x: right - size, y: topLine - 17, width: size, height: 26,
    }, svg);
    const row = html('div', {class: 'search'}, search.panel);

    search.input = html('input', {
        type: 'text', placeholder: 'regular expression', 'aria-label': 'Search functions',
        spellcheck: 'false', autocomplete: 'off',
    }, row);
    search.toggle = html('button', {
        type: 'button', 'aria-pressed': 'true', title: 'Match case (Ctrl-I)',
    }, row);
    search.toggle.textContent = 'Aa';
    search.input.addEventListener('input', () => runSearch(search.input.value));
    search.toggle.addEventListener('click', () => setIgnoreCase(!search.ignoreCase));
}

function openSearch() {
    search.panel.classList.remove('hidden');
    controls.search.classList.add('hidden');
    controls.reset.classList.add('hidden');
    search.input.focus();
    search.input.select();
}

function closeSearch() {
    search.panel.classList.add('hidden');
    controls.search.classList.remove('hidden');
    controls.reset.classList.toggle('hidden', view.zoom === root);
    frames.focus();
}

function clearSearch() {
    search.input.value = '';
    runSearch('');
    showDetails('');
}

makePanel();

// ---- keyboard ----------------------------------------------------------------------------------

const keyboard = {box: root, shown: false};

function placeRing() {
    const at = keyboard.shown ? place(keyboard.box) : null;

    controls.ring.classList.toggle('hidden', !at);
    if (!at)
        return;
    controls.ring.setAttribute('x', at.x);
    controls.ring.setAttribute('y', rowTop(keyboard.box.depth));
    controls.ring.setAttribute('width', at.width);
}

function focusBox(box) {
    if (!box)
        return;
    keyboard.box = box;
    placeRing();
    showBox(box);
}

// The next box of the row that can be seen, to the left or to the right.
function neighbour(box, step) {
    const row = rows[box.depth];

    for (let i = row.indexOf(box) + step; i >= 0 && i < row.length; i += step)
        if (place(row[i]))
            return row[i];
    return null;
}

// The widest visible child.
function child(box) {
    let best = null;

    for (const other of rows[box.depth + 1] || [])
        if (other.parent === box && place(other) && (!best || other.weight > best.weight))
            best = other;
    return best;
}

const boxKeys = {
    ArrowUp: box => graph.inverted ? box.parent : child(box),
    ArrowDown: box => graph.inverted ? child(box) : box.parent,
    ArrowLeft: box => neighbour(box, -1),
    ArrowRight: box => neighbour(box, 1),
    Home: () => root,
};

function onFramesKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey)
        return;
    if (boxKeys[event.key]) {
        keyboard.shown = true;
        focusBox(boxKeys[event.key](keyboard.box));
        event.preventDefault();
    } else if (event.key === 'Enter' || event.key === ' ') {
        zoomTo(keyboard.box);
        event.preventDefault();
    }
}

function onEscape() {
    if (!search.panel.classList.contains('hidden')) {
        clearSearch();
        closeSearch();
    } else if (view.zoom !== root) {
        zoomTo(root);
    } else {
        clearSearch();
    }
}

function onKey(event) {
    const inInput = event.target === search.input;
    const ctrl = event.ctrlKey || event.metaKey;

    if (event.key === 'Escape')
        onEscape();
    else if ((ctrl && event.key.toLowerCase() === 'f') || (event.key === '/' && !inInput))
        openSearch();
    else if (ctrl && event.key.toLowerCase() === 'i')
        setIgnoreCase(!search.ignoreCase);
    else if (inInput && event.key === 'Enter')
        closeSearch();
    else
        return;
    event.preventDefault();
}

// ---- start -------------------------------------------------------------------------------------

// Inside a page, keys belong to the page unless the graph has the focus.
(document.documentElement === svg ? window : svg).addEventListener('keydown', onKey);
for (const part of [frames, thin]) {
    part.addEventListener('click', event => {
        const box = boxOfEvent(event);

        if (box) {
            keyboard.box = box;
            zoomTo(box);
        }
    });
}
svg.addEventListener('mousemove', event => {
    const box = boxOfEvent(event);

    if (box)
        showBox(box);
    else if (!keyboard.shown)
        showBox(null);
});
svg.addEventListener('mouseleave', () => showBox(null));
frames.addEventListener('keydown', onFramesKey);
frames.addEventListener('focus', () => {
    keyboard.shown = frames.matches(':focus-visible');
    if (keyboard.shown)
        focusBox(place(keyboard.box) ? keyboard.box : root);
});
frames.addEventListener('blur', () => {
    keyboard.shown = false;
    placeRing();
    showBox(null);
});
frames.setAttribute('tabindex', '0');
frames.setAttribute('role', 'group');
frames.setAttribute('aria-label', 'Frames: arrow keys move, Enter zooms, Escape resets');
svg.setAttribute('role', 'graphics-document');
svg.classList.add('live');

})(document.currentScript.closest('svg'));
