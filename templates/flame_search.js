// Search: which boxes match, how much of the weight they are, and the panel to type in.

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
