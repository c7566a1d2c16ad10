// The behaviour of a flame graph: zoom, details, keyboard. The markup is complete without it.
//
// Reading the data is in flame_data.js, fitting labels in flame_label.js, search in
// flame_search.js; all are written into one function of `svg`, this file last.

const rows = readRows();

if (!rows.length)
    return; // a graph without weight has no frames
const root = rows[0][0];
const all = rows.flat();

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

makePanel();

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
