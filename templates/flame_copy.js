// What the reader copies, and how: by the browser's clipboard, or by hand where no script may use it.

const copying = {panel: null, text: null};

// Pages of plain http, and graphs unpacked from a page that was opened from a file, have no clipboard.
async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        showNotice('Copied.');
    } catch (error) {
        offerText(text);
    }
}

function makeCopyPanel() {
    copying.panel = element('foreignObject', {class: 'panel hidden', y: 2, height: 80}, controls.top);
    const box = html('div', {class: 'search', role: 'group', 'aria-label': 'Copy'}, copying.panel);

    html('span', {class: 'note'}, box).textContent = 'The browser blocks copying. Copy this yourself:';
    copying.text = html('textarea', {readonly: '', rows: 3, 'aria-label': 'Text to copy'}, box);
    // The browser copies after the event.
    copying.text.addEventListener('copy', () => setTimeout(() => {
        closeMenus();
        showNotice('Copied.');
    }));
}

function offerText(text) {
    copying.text.value = text;
    showPanel(copying.panel, true);
    copying.text.focus({preventScroll: true});
    copying.text.select();
}

// Copies a text of the frame that was clicked or has the focus.
function copyPlace(textOf) {
    if (keyboard.place.node)
        copyText(textOf(keyboard.place));
    else
        showDetails('Click a frame first, or right-click it and copy its stack.');
}

// Returns the names from the root to a place.
function stackOf(place) {
    const names = sideOf(place).path(place.node).map(node =>
        data.names[sideOf(place).symbol[node]]);

    if (view.merge === 'around')
        names.unshift(data.names[view.symbol]);
    return view.merge === 'leaf' || place.callers ? names.reverse() : names;
}

// Returns the stacks below a place as `fold` writes them, in its order.
function foldedOf(place) {
    const tree = sideOf(place), lines = [];

    for (let i = tree.chainOf(place.node), end = tree.stop[i]; i < end; i++) {
        const weights = tree.before ? [tree.before[i], tree.self[i]] : [tree.self[i]];

        if (weights.some(weight => weight))
            lines.push([stackOf({node: tree.lastOf(i), callers: place.callers}).join(';'),
                weights.map(plainWeight).join(' ')]);
    }
    lines.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
    return lines.map(line => line.join(' ')).join('\n') + '\n';
}

// Writes a weight as in folded stacks: digits without a unit.
function plainWeight(weight) {
    const places = Math.max(graph.places, 0);
    const digits = String(weight).padStart(places + 1, '0');

    return graph.seconds ? String(weight)
        : digits.slice(0, digits.length - places) +
            trimZeros(digits.slice(digits.length - places));
}
