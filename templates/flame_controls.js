// The controls around the frames: buttons, the menu, the details line, the keyboard.

const title = svg.querySelector('.title');
const stage = frames.parentNode;
const topLine = title ? Number(title.getAttribute('y')) : 2 * fontSize;

const TOUCH = 24; // least width and height of a target for fingers, in pixels

// A text on an area that can be touched.
function button(label, action, parent) {
    const height = Math.max(2 * fontSize, TOUCH);
    const made = element('g', {
        class: 'button muted hidden', 'text-anchor': 'end', role: 'button', tabindex: 0,
    }, parent);

    element('rect', {y: topLine - 0.35 * fontSize - height / 2, height, 'fill-opacity': 0}, made);
    element('text', {y: topLine}, made).textContent = label;
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

// Returns the colours of the ground, for a rectangle that covers texts.
function groundPaint() {
    const ground = svg.querySelector('.ground'), colors = {fill: ground.getAttribute('fill')};

    if (ground.hasAttribute('color'))
        colors.color = ground.getAttribute('color');
    return colors;
}

// Two bars, which flame_sight.js keeps in sight: buttons at the top, details at the bottom.
const bars = [element('g', {class: 'bar'}, svg), element('g', {class: 'bar'}, svg)];

bars[0].before(bars[1]); // panels cover details

function barGround(parent) {
    return element('rect', {...groundPaint(), class: 'bar-ground hidden', height: 2 * fontSize},
        parent);
}

const controls = {
    top: bars[0], topGround: barGround(bars[0]),
    bottom: bars[1], bottomGround: barGround(bars[1]),
    // From left to right, which is the order of Tab.
    filters: button('Clear Filters', () => setFilters([]), bars[0]),
    reset: button('Reset Zoom', () => zoomTo({node: 0}), bars[0]),
    view: button('View', () => toggleMenu(), bars[0]),
    search: button('Search', () => openSearch(), bars[0]),
    details: element('text', {class: 'details title', x: graph.left, 'aria-live': 'polite'},
        bars[1]),
    matchedGround: element('rect', {...groundPaint(), class: 'hidden', height: 1.5 * fontSize},
        bars[1]),
    matched: element('text', {
        class: 'matched title', 'text-anchor': 'end', role: 'status',
    }, bars[1]),
    ring: element('rect', {class: 'ring hidden', height: graph.row - 1}, stage),
    said: '', // the details, uncut
    menu: null, noticed: -Infinity, // when showNotice() was called
};

const buttonsFromRight = () => [controls.search, controls.view, controls.reset, controls.filters];

// ---- places ------------------------------------------------------------------------------------

function bottomLine() {
    const facts = foot.find(line => line.element.classList.contains('facts'));

    return facts ? Number(facts.element.getAttribute('y'))
        : graph.top + view.rows * graph.row + 1.6 * fontSize;
}

function placeMatched() {
    const right = graph.left + view.span, size = width(controls.matched.textContent);

    controls.matchedGround.setAttribute('x', right - size - 2 * fontSize);
    controls.matchedGround.setAttribute('y', bottomLine() - 1.1 * fontSize);
    controls.matchedGround.setAttribute('width', size + 2 * fontSize);
    controls.matched.setAttribute('x', right);
    controls.matched.setAttribute('y', bottomLine());
}

// Puts the end of a button's text at `x`. Returns where the text before it ends.
function placeButton(one, x) {
    const [area, text] = one.children, gap = 1.5 * fontSize;
    const size = Math.max(width(text.textContent), TOUCH - gap);

    text.setAttribute('x', x);
    area.setAttribute('x', x - size - gap / 2);
    area.setAttribute('width', size + gap);
    return x - size - gap;
}

function placeControls() {
    let x = graph.left + view.span;

    for (const one of buttonsFromRight()) {
        if (!isOpen(one))
            continue;
        x = placeButton(one, x);
    }
    controls.topGround.setAttribute('x', x);
    controls.topGround.setAttribute('width', graph.left + view.span - x + graph.left);
    controls.bottomGround.setAttribute('y', bottomLine() - 1.4 * fontSize);
    controls.bottomGround.setAttribute('width', view.span + 2 * graph.left);
    controls.details.setAttribute('y', bottomLine());
    if (leftOut)
        leftOut.element.setAttribute('x', graph.left + view.span);
    for (const panel of [search.panel, controls.menu, copying.panel]) {
        const fitting = Math.min(360, view.span);

        panel.setAttribute('width', fitting);
        panel.setAttribute('x', graph.left + view.span - fitting);
    }
    placeMatched();
}

function showButtons() {
    for (const one of buttonsFromRight())
        one.classList.remove('hidden');
    controls.reset.classList.toggle('hidden', view.zoom === 0);
    controls.filters.classList.toggle('hidden', !view.filters.length);
    keepFocus();
    placeControls();
    noteTitle();
}

// Returns the bottom of the open panel, or 0.
function panelBottom() {
    const open = [search.panel, ...menus()].find(isOpen);

    return open ? Number(open.getAttribute('height')) + Number(open.getAttribute('y')) + graph.left
        : 0;
}

const menus = () => [controls.menu, frameMenu.panel, copying.panel];
const isOpen = panel => !panel.classList.contains('hidden');

// Shows or hides a panel, and closes the menus that are open.
function showPanel(panel, shown) {
    for (const one of [...menus(), panel])
        one.classList.toggle('hidden', one !== panel || !shown);
    setSize();
    keepFocus();
}

// Gives the frames the focus if what had it was hidden.
function keepFocus() {
    const {activeElement: at} = document;

    if (at && at.closest('.flamepress .hidden'))
        focusStage();
}

// Returns whether a menu was open.
function closeMenus() {
    const open = menus().some(isOpen);

    if (open)
        showPanel(controls.menu, false);
    return open;
}

// ---- the details line --------------------------------------------------------------------------

const textLine = element => element &&
    {element, text: element.textContent, length: element.getAttribute('textLength')};
const leftOut = textLine(svg.querySelector('.left-out'));
const factLines = [...svg.querySelectorAll('.facts')].map(textLine);
const PLAIN_COLORS = 'colours only tell frames apart', BETWEEN_FACTS = ' · '; // as in src/output/facts.h

// Says how the view is merged and where its root is, in the words of the caption.
function viewWords() {
    const root = graph.chart ? 'in the order of time' : isHomeMerge() ? '' : 'merged from the root';
    const merge = {
        root, leaf: 'merged from the leaves',
        around: `callers and callees of ${visible(data.names[view.symbol] || '')}`,
    }[view.merge];
    const top = view.inverted ? 'root at the top' : graph.inverted ? 'root at the bottom' : '';

    return isHomeMerge() && view.inverted === graph.inverted ? graph.view
        : [merge, top].filter(Boolean).join(', ');
}

const heading = svg.querySelector(':scope > title');
const homeTitle = textLine(title);
const subtitle = textLine(svg.querySelector('.subtitle'));

// Shows words in a line, cut to its room. Those of the file are as wide as there.
function showLine(line, words, room) {
    const text = width(words) <= room ? words : cut(words, room);

    line.element.textContent = text;
    if (text === line.text && line.length)
        line.element.setAttribute('textLength', line.length);
    else
        line.element.removeAttribute('textLength');
}

// Names the function that the view is around in the title of the picture and of the window.
function noteTitle() {
    if (subtitle)
        showLine(subtitle, subtitle.text, view.span + 1);
    if (!title)
        return;
    const plain = homeTitle.text.replace(/^Callers and callees of .*/, 'Flame Graph');
    const room = (controls.topGround.getAttribute('x') - graph.left) * fontSize /
        title.getAttribute('font-size');
    const around = plain === 'Flame Graph' ? 'Callers and callees' : `${plain}: callers and callees`;
    const wish = isHomeMerge() ? homeTitle.text : view.merge !== 'around' ? plain
        : `${around} of ${visible(data.names[view.symbol])}`;

    showLine(homeTitle, wish, room);
    if (heading)
        heading.textContent = wish;
}

// Inserts words at the end of a line, but before the statement about colours.
function insertFact(line, words) {
    const facts = line.split(BETWEEN_FACTS);

    facts.splice(facts.length - (facts[facts.length - 1] === PLAIN_COLORS), 0, words);
    return facts.join(BETWEEN_FACTS);
}

// Returns the lines of facts of the view; `words` say how it is merged.
function factsOf(words) {
    const lines = factLines.map(line => line.text), last = lines.length - 1;
    const at = graph.view ? lines.findIndex(line => line.includes(graph.view)) : -1;
    const left = whole.total - graph.total;

    if (view.filters.length)
        return [[plainText(graph.total), left ? `${percent(left, whole.total)} left out by filters`
            : 'frames hidden by filters', words, lines[last].endsWith(PLAIN_COLORS) && PLAIN_COLORS].filter(Boolean).join(BETWEEN_FACTS)];
    if (words !== graph.view)
        lines[at < 0 ? last : at] = at < 0 ? insertFact(lines[last], words)
            : lines[at].replace(graph.view, () => words);
    return lines;
}

// Returns the room of a line of facts: the first one is beside the matched share, or `other` words. A
// pixel more is for fonts that are a little wider than the program's.
function factsRoom(line, other = '') {
    const matched = line ? '' : controls.matched.textContent || other;

    return view.span + 1 - (matched && width(matched) + 1.5 * fontSize);
}

// Updates the lines of facts after the view or the matched share has changed.
function noteView() {
    const said = factLines.length ? factsOf(viewWords()) : [];

    noteTitle();
    if (leftOut)
        showLine(leftOut, leftOut.text, Math.max(factsRoom(0, said[0]), view.span / 2));
    factLines.forEach((line, i) =>
        showLine(line, said[i] || '', factsRoom(i, leftOut ? leftOut.element.textContent : '')));
}

// Shows what was left out of the file, unless details or matches need the place.
function showLeftOut() {
    const free = !controls.details.textContent && !controls.matched.textContent;

    if (leftOut)
        leftOut.element.classList.toggle('hidden', !free);
}

// Shows the details before the matched share, cut if there is no room.
function fitDetails() {
    const text = controls.said, room = factsRoom(0);

    controls.details.textContent = width(text) <= room ? text : cut(text, room);
}

function showDetails(text) {
    controls.said = merging.timer ? 'Working…' : text;
    fitDetails();
    if (factLines.length)
        factLines[0].element.classList.toggle('hidden', controls.said !== '');
    showLeftOut();
    placeBars();
}

// Shows a message that the pointer, which may rest on a frame, does not replace at once.
function showNotice(text) {
    showDetails(text);
    controls.noticed = performance.now();
}

const NOTICE = 1500; // milliseconds

// Returns name type, name, weight, share of all and of the parent, and `end`. In a narrow window, what
// leaves no room for the name goes: the parent's share, the weight, the type. A long name is cut.
function placeText(place, end) {
    const tree = sideOf(place), {node} = place, name = visible(nameOf(place));
    const whole = node && tree.totalOf(tree.parentOf(node)), share = shareText(tree, node);
    const more = `; ${percent(tree.totalOf(node), whole)} of parent)`;
    const least = change ? share : `(${shareOf(tree.totalOf(node), graph.whole)})`;
    const forms = [[graph.type, share], [graph.type, least], ['', least]];
    const roomOf = ([type, text]) => factsRoom(0) - 1 - width(`${type}  ${text}${end}`);

    if (node && !change && BigInt(whole) !== graph.whole)
        forms.unshift([graph.type, share.slice(0, -1) + more]);
    const form = forms.find(one => roomOf(one) >= Math.min(width(name), 7 * fontSize)) || forms[forms.length - 1];
    const room = roomOf(form), shown = width(name) <= room ? name : cut(name, room);

    return `${form[0]} ${isolated(shown)} ${form[1]}${end}`.trimStart();
}

function showPlace(place, end = '') {
    tellStack('point', {name: place && isFunction(sideOf(place).symbol[place.node], data.names)
        ? nameOf(place) : ''});
    showDetails(place ? placeText(place, end) : '');
}

// ---- what the view shows -----------------------------------------------------------------------

function zoomTo(place) {
    const was = boxOf(place);

    if (place.callers)
        return;
    const out = place.node < view.zoom;
    const old = view.zoom;

    view.zoom = place.node;
    redraw();
    showButtons();
    showMatched();
    if (!out && was)
        animate(was.x, was.width);
    else if (out && boxOf({node: old}))
        animate(graph.left, view.span - 1);
    placeRing();
    if (view.zoom)
        reveal(place);
    noteAddress(true);
    refine();
}

// Shows trees of showMerge() with the root over the full width.
function setTrees(merge, symbol, trees) {
    Object.assign(view, trees, {merge, symbol, zoom: 0});
    keyboard.place = {node: 0};
    redraw();
    showButtons();
    showMatched();
    placeRing();
    noteAddress(true);
}

// Merges the graph otherwise, then calls `then`: at once if that is quick.
function setMerge(merge, symbol, then = () => {}) {
    const {reading} = paths, {told} = listening;

    whenMerged(merge, symbol, trees => {
        const was = {reading: paths.reading, told: listening.told};

        paths.reading = reading;
        listening.told = told;
        setTrees(merge, symbol, trees);
        then();
        paths.reading = was.reading;
        listening.told = was.told;
    });
}

function setInverted(inverted) {
    view.inverted = inverted;
    redraw();
    placeRing();
    noteAddress(true);
}

// ---- the menu ----------------------------------------------------------------------------------

// What belongs together is in one row of two.
const actions = [
    ['Root at the bottom', () => setInverted(false), () => !view.inverted],
    ['Root at the top', () => setInverted(true), () => view.inverted],
    ['Merged from the root', () => setMerge('root', 0), () => view.merge === 'root'],
    ['Merged from the leaves', () => setMerge('leaf', 0), () => view.merge === 'leaf'],
    ['Around this function', () => aroundPointed(), () => view.merge === 'around'],
    ['Merge recursion', () => toggleRecursion(),
        () => view.filters.some(({role}) => role === 'collapse-recursion')],
    ['Light', () => setTheme('light'), () => theme.shown === 'light'],
    ['Dark', () => setTheme('dark'), () => theme.shown === 'dark'],
    ['Keep what is found', () => filterBySearch('focus'), null],
    ['Drop what is found', () => filterBySearch('ignore'), null],
    ['Copy this stack', () => copyPlace(place => stackOf(place).join('\n') + '\n'), null],
    ['Copy as folded stacks', () => copyText(foldedOf(keyboard.place)), null],
    // A graph unpacked from a page has an address that nobody else can open.
    ...(location.protocol === 'blob:' ? []
        : [['Copy a link to this view', () => copyText(location.href), null]]),
];

function aroundPointed() {
    const symbol = sideOf(keyboard.place).symbol[keyboard.place.node];

    if (keyboard.place.node && isFunction(symbol, data.names))
        setMerge('around', symbol);
    else
        showDetails('Click a frame first, or move to it with the arrow keys.');
}

function makeMenu() {
    controls.menu = element('foreignObject', {
        class: 'panel hidden', y: 2, height: 12 + 26 * Math.ceil(actions.length / 2),
    }, controls.top);
    const box = html('div', {class: 'menu', role: 'group', 'aria-label': 'View'}, controls.menu);

    for (const [label, action] of actions)
        htmlButton(label, {}, box, () => {
            closeMenus();
            action();
        });
}

function toggleMenu() {
    const buttons = controls.menu.querySelectorAll('button');

    actions.forEach(([, , chosen], i) => {
        if (chosen)
            buttons[i].setAttribute('aria-pressed', String(chosen()));
    });
    showPanel(controls.menu, !isOpen(controls.menu));
    if (isOpen(controls.menu))
        buttons[0].focus();
}

// ---- keyboard ----------------------------------------------------------------------------------

const keyboard = {place: {node: 0}, shown: false};

function placeRing() {
    const at = keyboard.shown ? boxOf(keyboard.place) : null;

    controls.ring.classList.toggle('hidden', !at);
    if (!at)
        return;
    controls.ring.setAttribute('x', at.x);
    controls.ring.setAttribute('y', rowTop(sideOf(keyboard.place).depthOf(keyboard.place.node),
        keyboard.place.callers));
    controls.ring.setAttribute('width', at.width);
}

function focusPlace(place, end = '') {
    if (!place)
        return;
    keyboard.place = place;
    placeRing();
    showPlace(place, end);
    reveal(place);
}

// Returns the next visible box of the row, to the left or to the right.
function neighbour({node, callers}, step) {
    const tree = sideOf({callers}), depth = tree.depthOf(node), row = [];

    eachVisible(tree, callers ? 0 : view.zoom, viewWeight(callers), one => {
        if (tree.depthOf(one) === depth)
            row.push(one);
    });
    const next = row[row.indexOf(node) + step];

    return row.includes(node) && next ? {node: next, callers} : null;
}

// Returns the widest visible child.
function widestChild({node, callers}) {
    const tree = sideOf({callers});
    let best = null;

    for (const child of tree.children(node))
        if (boxOf({node: child, callers}) && (best === null || tree.wideOf(child) > tree.wideOf(best)))
            best = child;
    return best === null ? null : {node: best, callers};
}

// climb() moves one row away from the root's row, descend() one row towards it or beyond.
function climb(place) {
    if (place.callers)
        return {node: sideOf(place).parentOf(place.node),
            callers: sideOf(place).parentOf(place.node) > 0};
    return widestChild(place);
}

function descend(place) {
    if (place.callers || (place.node === 0 && view.callers))
        return widestChild({node: place.node, callers: true});
    return place.node ? {node: sideOf(place).parentOf(place.node)} : null;
}

const boxKeys = {
    ArrowUp: place => view.inverted ? descend(place) : climb(place),
    ArrowDown: place => view.inverted ? climb(place) : descend(place),
    ArrowLeft: place => neighbour(place, -1),
    ArrowRight: place => neighbour(place, 1),
    Home: () => ({node: 0}),
};

function onStageKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey)
        return;
    if (boxKeys[event.key]) {
        keyboard.shown = true;
        focusPlace(boxKeys[event.key](keyboard.place));
        event.preventDefault();
    } else if (event.key === 'Enter' || event.key === ' ') {
        zoomTo(keyboard.place);
        event.preventDefault();
    } else if (event.key === 'n' || event.key === 'N') {
        stepMatch(event.key === 'n' ? 1 : -1);
        event.preventDefault();
    }
}

function onEscape() {
    if (closeMenus())
        return;
    if (isOpen(search.panel))
        endSearch();
    else if (view.zoom !== 0)
        zoomTo({node: 0});
    else if (!isHomeMerge())
        setMerge(graph.merge, graph.around);
    else
        clearSearch();
}

function onKey(event) {
    const inInput = event.target === search.input;
    const ctrl = event.ctrlKey || event.metaKey;

    if (event.key === 'Escape')
        onEscape();
    else if (event.key === 'F3' && search.shown.hits)
        stepMatch(event.shiftKey ? -1 : 1);
    else if (ctrl && event.key.toLowerCase() === 'f' && inInput)
        return; // the second Ctrl-F is the browser's
    else if (event.key === 'F3' || (ctrl && event.key.toLowerCase() === 'f') ||
        (event.key === '/' && !inInput))
        openSearch();
    else if (ctrl && event.key.toLowerCase() === 'i')
        setIgnoreCase(!search.ignoreCase);
    else if (inInput && event.key === 'Enter' && event.shiftKey)
        stepMatch(-1);
    else if (inInput && event.key === 'Enter')
        closeSearch();
    else
        return;
    event.preventDefault();
}
