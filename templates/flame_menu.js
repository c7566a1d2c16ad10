// The menu of a frame: by right click, long press, the menu key or Shift-F10.

const LONG_PRESS = 500, TREMOR = 10; // milliseconds, and pixels
const pressing = {timer: 0, x: 0, y: 0, done: false}; // `done`: the next click is part of the press
const frameMenu = {panel: null, place: null};

const moduleAt = place => data.modules[sideOf(place).symbol[place.node]];
const nameless = place => !isFunction(sideOf(place).symbol[place.node], data.names);

// Labels, what is done with a place, and for which places it cannot be done.
const frameActions = [
    ['Zoom', place => zoomTo(place)],
    ['Copy the stack', place => copyText(stackOf(place).join('\n') + '\n')],
    ['Copy its folded stacks', place => copyText(foldedOf(place))],
    ['Copy the name', place => copyText(nameOf(place)), nameless],
    ['Copy file and line', place => copyText(sourceOf(place)), place => !sourceOf(place)],
    ...(graph.sourceUrl ? [['Open its source line',
        place => window.open(sourceAddress(place), '_blank', 'noopener'),
        place => !sourceAddress(place)]] : []),
    ['Search this name', place => setSearch(`^${quoted(nameOf(place))}$`, false), nameless],
    ['Callers and callees', place => setMerge('around', sideOf(place).symbol[place.node]), nameless],
    ['Colour this function', place => toggleTint(nameOf(place)), nameless],
    ['Hide this function', place => addFilter('hide', `^${quoted(nameOf(place))}$`), nameless],
    ['Collapse its module', place => addFilter('collapse-module',
        `^${quoted(data.names[moduleAt(place)])}$`), place => !moduleAt(place)],
    ['Hide what it calls', place => addFilter('prune-from', `^${quoted(nameOf(place))}$`), nameless],
    ['Keep only its stacks', place => addFilter('focus', `^${quoted(nameOf(place))}$`), nameless],
    ['Drop its stacks', place => addFilter('ignore', `^${quoted(nameOf(place))}$`), nameless],
];

function makeFrameMenu() {
    frameMenu.panel = element('foreignObject', {
        class: 'panel hidden', width: 190, height: 12 + 26 * frameActions.length,
    }, svg);
    const box = html('div', {class: 'menu frame', role: 'group', 'aria-label': 'Frame'},
        frameMenu.panel);

    for (const [label, action] of frameActions)
        htmlButton(label, {}, box, () => {
            const {place} = frameMenu;

            closeMenus();
            action(place);
        });
    box.addEventListener('keydown', onMenuKey);
}

function onMenuKey(event) {
    const buttons = [...frameMenu.panel.querySelectorAll('button:not([disabled])')];
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];

    if (!step)
        return;
    const next = buttons.indexOf(document.activeElement) + step;

    buttons[(next + buttons.length) % buttons.length].focus();
    event.preventDefault();
    event.stopPropagation();
}

// Opens the menu at a point of the picture, moved so that all of it is in sight.
function openFrameMenu(place, x, y) {
    const {panel} = frameMenu, {top, bottom} = seenPart();
    const height = Number(panel.getAttribute('height')), right = graph.left * 2 + view.span;
    const end = Math.min(bottom, Number(svg.getAttribute('height')));

    frameMenu.place = keyboard.place = place;
    panel.setAttribute('x', Math.max(Math.min(x, right - panel.getAttribute('width') - 2), 2));
    panel.setAttribute('y', Math.max(Math.min(y, end - height - 2), top, 2));
    [...panel.querySelectorAll('button')].forEach((one, i) =>
        one.disabled = (frameActions[i][2] || (() => false))(place));
    showPanel(panel, true);
    panel.querySelector('button').focus({preventScroll: true});
    showPlace(place); // after the stage has lost the focus
}

// Returns the point of an event in the picture.
function pointOf(event) {
    const {clientX: x, clientY: y} = event.touches ? event.touches[0] : event;

    return new DOMPoint(x, y).matrixTransform(screenMatrix().inverse());
}

function onContextMenu(event) {
    const byKey = keyboard.shown && event.button !== 2;
    const box = byKey && boxOf(keyboard.place), {x, y} = pointOf(event);
    const place = byKey ? keyboard.place : placeAt(x, y);

    if (!place)
        return;
    event.preventDefault();
    if (box)
        openFrameMenu(place, box.x + 10,
            rowTop(sideOf(place).depthOf(place.node), place.callers) + graph.row);
    else
        openFrameMenu(place, x, y);
}

// A long press opens the menu where the browser itself has none for it. Fingers tremble.
function onTouch(event) {
    const {type, touches} = event, {x, y} = touches.length === 1 ? pointOf(event) : {x: NaN, y: 0};

    if (type === 'touchmove' && Math.hypot(x - pressing.x, y - pressing.y) < TREMOR)
        return;
    clearTimeout(pressing.timer);
    if (type !== 'touchstart' || isNaN(x))
        return;
    Object.assign(pressing, {x, y});
    pressing.timer = setTimeout(() => {
        const place = placeAt(x, y);

        pressing.done = true;
        if (place)
            openFrameMenu(place, x, y);
    }, LONG_PRESS);
}

function listenToMenu() {
    stage.addEventListener('contextmenu', onContextMenu);
    for (const word of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])
        stage.addEventListener(word, onTouch, {passive: true});
    // A press beside an open menu closes it and does nothing else.
    window.addEventListener('pointerdown', ({target, button}) => {
        pressing.done = !target.closest('.panel, .button') && closeMenus() && !button;
    }, true);
    svg.addEventListener('click', event => {
        if (pressing.done) {
            event.preventDefault();
            event.stopImmediatePropagation();
        }
        pressing.done = false;
    }, true);
}
