// Search: the matching boxes, their share of the weight, and the search panel.

// `shown` is the search that the view shows: `hits` by symbol, null for none. What the reader asked
// for may still be matched, or may have been stopped.
const NO_SEARCH = {pattern: '', ignoreCase: false, literal: false, hits: null, weight: ZERO};
const search = {
    shown: NO_SEARCH, ignoreCase: false, literal: false, panel: null, input: null, note: null,
    case: null, expression: null, // the toggles
};

// If frames were left out of the file, a share is a lower bound: they might match as well.
function matchedShare(weight, whole) {
    const least = graph.leftOut > 0n && BigInt(weight) < BigInt(whole);

    return (least ? '≥ ' : '') + percent(weight, whole);
}

// A search of the report has the exact share, even if the file lacks frames.
function matchedOfAll() {
    const {pattern, ignoreCase, literal, weight} = search.shown;
    const preset = !view.filters.length && readSearches().find(one => one.pattern === pattern && !literal &&
        one.ignoreCase === ignoreCase && one.weight !== null);

    return preset ? percent(preset.weight, graph.whole) : matchedShare(weight, graph.whole);
}

// Returns the matched weight of the zoomed frame. If the view lacks thin frames, the stacks of the
// whole tree are counted that end with the frames from the zoomed one to the root.
function matchedInView() {
    const {tree, zoom} = view, all = data.tree, {hits} = search.shown;
    const path = tree.path(zoom).map(node => tree.symbol[node]);
    const met = new Uint8Array(tree.cut ? all.chains : 0);
    let sum = ZERO;

    if (!tree.cut)
        return matchedWeight(tree, hits, zoom);
    for (let i = 1; i < all.chains; i++) {
        met[i] = met[all.above[i]] || hitIn(all, i, hits) >= 0;
        if (met[i] && all.self[i] && endsWith(all, all.lastOf(i), path))
            sum += all.self[i];
    }
    return sum;
}

function showMatched() {
    let text = '';

    if (search.shown.hits) {
        const tree = view.tree, zoomed = view.zoom || view.merge === 'around';

        text = `Matched: ${matchedOfAll()}`;
        if (zoomed)
            text = `Matched: ${matchedShare(matchedInView(), tree.totalOf(view.zoom))} of ` +
                `this, ${matchedOfAll()} of all`;
    }
    controls.matched.textContent = text;
    controls.matchedGround.classList.toggle('hidden', text === '');
    fitDetails();
    showLeftOut();
    placeMatched();
    noteView();
}

function showSearch(shown) {
    search.shown = shown;
    markSoon();
    showMatched();
    noteAddress(false);
}

// Says below the field what is wrong with the pattern, or how it is read; '' for nothing.
function say(message, wrong) {
    search.note.textContent = message;
    search.note.classList.toggle('wrong', wrong);
    search.input.setCustomValidity(wrong ? message : '');
    search.input.setAttribute('aria-invalid', String(wrong));
    if (wrong && !framed)
        search.panel.classList.remove('hidden');
    fitSearchPanel();
    tellPage('problem', {message, wrong});
}

// Returns the compiled pattern; null after saying what is wrong with it.
function compile(pattern, ignoreCase, literal) {
    try {
        const {regex, asText} = regexOf(pattern, ignoreCase, literal);

        say(asText && !literal ? 'Searched as text.' : '', false);
        return regex;
    } catch (error) {
        say(error.message, true);
        return null;
    }
}

function runSearch(pattern) {
    const {ignoreCase, literal} = search, {names, tree} = data;
    const regex = compile(pattern, ignoreCase, literal);

    tellStack('search', {pattern: regex ? pattern : '', ignoreCase, literal});
    stopMatching();
    search.input.removeAttribute('aria-busy');
    if (!regex || pattern === '') {
        showSearch(NO_SEARCH);
        return;
    }
    search.input.setAttribute('aria-busy', 'true');
    matchNames(names, regex, hits => {
        search.input.removeAttribute('aria-busy');
        if (!hits) {
            say('The search takes too long and was stopped.', true);
            return;
        }
        hits[LEFT_OUT] = 0;
        hits.fill(0, rootSymbol(names));
        showSearch({pattern, ignoreCase, literal, regex, hits,
            weight: matchedWeight(tree, hits, 0)});
    });
}

function setSearch(pattern, ignoreCase, literal = false) {
    Object.assign(search, {ignoreCase, literal});
    search.case.setAttribute('aria-pressed', String(!ignoreCase));
    search.expression.setAttribute('aria-pressed', String(!literal));
    search.input.value = pattern;
    runSearch(pattern);
}

function setIgnoreCase(ignore) {
    setSearch(search.input.value, ignore, search.literal);
}

// Zooms to the outermost frame in which the first match is wide enough to see.
function zoomToMatch() {
    const {tree, zoom} = view, end = tree.endOf(zoom), {hits} = search.shown;
    let node = zoom;

    while (node < end && !hits[tree.symbol[node]])
        node++;
    if (node === end || !tree.wideOf(node))
        return;
    const least = Number(tree.wideOf(node)) * view.span / graph.pointable;

    zoomTo({node: tree.path(node).find(frame => frame > zoom &&
        Number(tree.wideOf(frame)) <= least)});
    focusPlace({node});
}

// Moves the focus to the next or previous match. If all are too thin to see, zooms to the first
// one.
function stepMatch(step) {
    const {tree, zoom} = view, {hits} = search.shown, seen = [];

    if (!hits)
        return;
    keyboard.shown = true;
    eachVisible(tree, zoom, viewWeight(), node => {
        if (hits[tree.symbol[node]])
            seen.push(node);
    });
    if (!seen.length) {
        zoomToMatch();
        return;
    }
    const after = step > 0 ? seen.findIndex(i => i > keyboard.place.node)
        : seen.findLastIndex(i => i < keyboard.place.node);
    const next = after < 0 && step < 0 ? seen.length - 1 : Math.max(after, 0);

    focusPlace({node: seen[next]}, ` · ${next + 1} of ${seen.length}`);
}

// ---- the panel ---------------------------------------------------------------------------------

function html(name, attributes, parent) {
    const made = document.createElementNS(XHTML, name);

    for (const key in attributes)
        made.setAttribute(key, attributes[key]);
    parent.append(made);
    return made;
}

function htmlButton(text, attributes, parent, action) {
    const made = html('button', Object.assign({type: 'button'}, attributes), parent);

    made.textContent = text;
    made.addEventListener('click', action);
    return made;
}

function makeSearchPanel() {
    search.panel = element('foreignObject', {class: 'panel hidden', y: 2}, controls.top);
    const box = html('div', {class: 'search'}, search.panel);
    const row = html('div', {class: 'line'}, box);

    search.input = html('input', {
        type: 'text', placeholder: 'regular expression or name', 'aria-label': 'Search functions',
        spellcheck: 'false', autocomplete: 'off',
    }, row);
    search.expression = htmlButton('.*', {
        'aria-pressed': 'true', title: 'Regular expression, not text',
    }, row, () => setSearch(search.input.value, search.ignoreCase, !search.literal));
    search.case = htmlButton('Aa', {'aria-pressed': 'true', title: 'Match case (Ctrl-I)'}, row,
        () => setIgnoreCase(!search.ignoreCase));
    htmlButton('‹', {title: 'Previous match (Shift-Enter)', 'aria-label': 'Previous match'}, row,
        () => stepMatch(-1));
    htmlButton('›', {title: 'Next match (F3)', 'aria-label': 'Next match'}, row,
        () => stepMatch(1));
    htmlButton('×', {title: 'Clear and close (Escape)', 'aria-label': 'Close'}, row, endSearch);
    search.note = html('output', {class: 'note'}, box);
    search.input.addEventListener('input', () => runSearch(search.input.value));
    search.presets = html('div', {class: 'presets'}, box);
    readSearches().forEach(preset => makePreset(preset, search.presets));
    fitSearchPanel();
}

// Gives the panel room for what it holds. Of many presets, a part is seen and the others scroll.
function fitSearchPanel() {
    const note = search.note.textContent ? 18 * Math.ceil(search.note.textContent.length / 48) : 0;
    const presets = Math.min(24 * search.presets.childElementCount, PRESETS_HEIGHT);

    search.panel.setAttribute('height', 36 + note + presets);
    if (isOpen(search.panel))
        setSize();
}

const PRESETS_HEIGHT = 290; // CSS pixels: a twelfth of a preset shows that there are more

// Adds a button for a search of the report. A click focuses the field, as if the pattern was typed.
function makePreset({name, pattern, ignoreCase, weight}, box) {
    const button = htmlButton(`${isolated(visible(name))} `, {class: 'preset', title: pattern}, box,
        () => {
            setSearch(pattern, ignoreCase);
            search.input.focus();
        });

    html('span', {}, button).textContent = weight === null ? 'given up'
        : percent(weight, graph.whole);
}

function openSearch() {
    showPanel(search.panel, true);
    for (const one of buttonsFromRight())
        one.classList.add('hidden');
    search.input.focus();
    search.input.select();
}

function closeSearch() {
    showPanel(search.panel, false);
    showButtons();
}

function endSearch() {
    clearSearch();
    closeSearch();
}

function clearSearch() {
    search.input.value = '';
    runSearch('');
    showDetails('');
}
