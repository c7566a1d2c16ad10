// Search: the matching boxes, their share of the weight, and the search panel.

const search = {pattern: '', ignoreCase: false, regex: null, panel: null, input: null,
    toggle: null, list: null, weight: ZERO};

function updateMatches() {
    view.matched = search.regex && findMatches(view.tree, data.names, search.regex);
    view.matchedCallers = search.regex && view.callers &&
        findMatches(view.callers, data.names, search.regex);
}

// If frames were left out of the file, a share is a lower bound: they might match as well.
function matchedShare(weight, whole) {
    const least = graph.leftOut > 0n && BigInt(weight) < BigInt(whole);

    return (least ? '≥ ' : '') + percent(weight, whole);
}

// A search of the report has the exact share, even if the file lacks frames.
function matchedOfAll() {
    const preset = readSearches().find(one => one.pattern === search.pattern &&
        one.ignoreCase === search.ignoreCase);

    return preset ? percent(preset.weight, graph.whole) : matchedShare(search.weight, graph.whole);
}

function showMatched() {
    let text = '';

    if (search.regex) {
        const tree = view.tree, zoomed = view.zoom || view.merge === 'around';

        text = `Matched: ${matchedOfAll()}`;
        if (zoomed)
            text = `Matched: ${matchedShare(matchedWeight(tree, view.matched, view.zoom),
                tree.total[view.zoom])} of this, ${matchedOfAll()} of all`;
    }
    controls.matched.textContent = text;
    controls.matchedGround.classList.toggle('hidden', text === '');
    showLeftOut();
    placeMatched();
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
    search.regex = regex;
    search.weight = regex
        ? matchedWeight(data.tree, findMatches(data.tree, data.names, regex), 0) : ZERO;
    updateMatches();
    drawMarks();
    showMatched();
    noteAddress(false);
    tellStack('search', {pattern, ignoreCase: search.ignoreCase});
}

function setIgnoreCase(ignore) {
    search.ignoreCase = ignore;
    search.toggle.setAttribute('aria-pressed', String(!ignore));
    runSearch(search.input.value);
}

function setSearch(pattern, ignoreCase) {
    search.ignoreCase = ignoreCase;
    search.toggle.setAttribute('aria-pressed', String(!ignoreCase));
    search.input.value = pattern;
    runSearch(pattern);
}

// Zooms to the outermost frame in which the first match is wide enough to see.
function zoomToMatch() {
    const tree = view.tree, node = view.matched.indexOf(1, view.zoom);

    if (node < 0 || node >= tree.end[view.zoom] || !tree.wide[node])
        return;
    const least = Number(tree.wide[node]) * view.span / graph.pointable;

    zoomTo({node: tree.path(node).find(frame => frame > view.zoom &&
        Number(tree.wide[frame]) <= least)});
    focusPlace({node});
}

// Moves the focus to the next or previous match. If all are too thin to see, zooms to the first
// one.
function stepMatch(step) {
    const tree = view.tree, seen = [];

    if (!view.matched)
        return;
    keyboard.shown = true;
    for (let i = view.zoom; i < tree.end[view.zoom]; i++)
        if (view.matched[i] && boxOf({node: i}))
            seen.push(i);
    if (!seen.length) {
        zoomToMatch();
        return;
    }
    const next = step > 0 ? seen.find(i => i > keyboard.place.node)
        : seen.findLast(i => i < keyboard.place.node);

    focusPlace({node: next === undefined ? seen.at(step > 0 ? 0 : -1) : next});
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
    const presets = readSearches();

    search.panel = element('foreignObject', {
        class: 'panel hidden', y: 2, width: 300, height: 36 + 24 * Math.min(presets.length, 12),
    }, svg);
    const box = html('div', {class: 'search'}, search.panel);
    const row = html('div', {class: 'line'}, box);

    search.input = html('input', {
        type: 'text', placeholder: 'regular expression', 'aria-label': 'Search functions',
        spellcheck: 'false', autocomplete: 'off',
    }, row);
    search.toggle = htmlButton('Aa', {'aria-pressed': 'true', title: 'Match case (Ctrl-I)'}, row,
        () => setIgnoreCase(!search.ignoreCase));
    htmlButton('‹', {title: 'Previous match (Shift-Enter)', 'aria-label': 'Previous match'}, row,
        () => stepMatch(-1));
    htmlButton('›', {title: 'Next match (Enter)', 'aria-label': 'Next match'}, row,
        () => stepMatch(1));
    search.input.addEventListener('input', () => runSearch(search.input.value));
    for (const preset of presets.slice(0, 12))
        makePreset(preset, box);
}

// Adds a button for a search of the report. A click focuses the field, as if the pattern was typed.
function makePreset({name, pattern, ignoreCase, weight}, box) {
    const button = htmlButton(`${isolated(visible(name))} `, {class: 'preset', title: pattern}, box,
        () => {
            setSearch(pattern, ignoreCase);
            search.input.focus();
        });

    html('span', {}, button).textContent = percent(weight, graph.whole);
}

function openSearch() {
    closeMenu();
    showPanel(search.panel, true);
    for (const one of controls.buttons)
        one.classList.add('hidden');
    search.input.focus();
    search.input.select();
}

function closeSearch() {
    showPanel(search.panel, false);
    showButtons();
    stage.focus({preventScroll: true});
}

function clearSearch() {
    search.input.value = '';
    runSearch('');
    showDetails('');
}
