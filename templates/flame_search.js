// Search: the matching boxes, their share of the weight, and the search panel.

// `shown` is the search that the view shows: `hits` by symbol, null for none. What the reader asked
// for may still be matched, or may have been stopped.
const NO_SEARCH = {pattern: '', ignoreCase: false, hits: null, weight: ZERO};
const search = {shown: NO_SEARCH, ignoreCase: false, panel: null, input: null, toggle: null};

function updateMatches() {
    const {hits} = search.shown;

    view.matched = hits && findMatches(view.tree, hits);
    view.matchedCallers = hits && view.callers && findMatches(view.callers, hits);
}

// If frames were left out of the file, a share is a lower bound: they might match as well.
function matchedShare(weight, whole) {
    const least = graph.leftOut > 0n && BigInt(weight) < BigInt(whole);

    return (least ? '≥ ' : '') + percent(weight, whole);
}

// A search of the report has the exact share, even if the file lacks frames.
function matchedOfAll() {
    const {pattern, ignoreCase, weight} = search.shown;
    const preset = readSearches().find(one => one.pattern === pattern &&
        one.ignoreCase === ignoreCase && one.weight !== null);

    return preset ? percent(preset.weight, graph.whole) : matchedShare(weight, graph.whole);
}

function showMatched() {
    let text = '';

    if (search.shown.hits) {
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

function showSearch(shown) {
    search.shown = shown;
    updateMatches();
    drawMarks();
    showMatched();
    noteAddress(false);
}

// Says what is wrong with the pattern in the field, or nothing.
function complain(message) {
    if (message || search.input.validationMessage)
        showDetails(message);
    search.input.setCustomValidity(message);
    if (message)
        tellPage('problem', {message});
}

// Returns the compiled pattern; null after saying what is wrong with it.
function compile(pattern, ignoreCase) {
    complain('');
    try {
        return new RegExp(pattern, ignoreCase ? 'iu' : 'u');
    } catch (error) {
        complain(error.message);
        return null;
    }
}

function runSearch(pattern) {
    const {ignoreCase} = search, {names, tree} = data;
    const regex = compile(pattern, ignoreCase);

    tellStack('search', {pattern: regex ? pattern : '', ignoreCase});
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
            complain('The search takes too long and was stopped.');
            return;
        }
        hits[LEFT_OUT] = 0;
        hits.fill(0, rootSymbol(names));
        showSearch({pattern, ignoreCase, hits,
            weight: matchedWeight(tree, findMatches(tree, hits), 0)});
    });
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

    html('span', {}, button).textContent = weight === null ? 'given up'
        : percent(weight, graph.whole);
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
