// The start of a flame graph's script: once the data is read, the picture answers.
//
// The files, in this order: flame_data.js reads the data, flame_tree.js makes trees of it,
// flame_change.js has what differential graphs are made of, flame_label.js fits labels,
// flame_view.js draws, flame_search.js searches, flame_controls.js has what is pressed and pointed
// at, flame_address.js the links, flame_stack.js what graphs under each other have in common, flame_page.js the page that holds the graph. All are written into one function of `svg`, this file last.

let data = null;

// The place under the pointer; none on a control.
function placeOfEvent(event) {
    const matrix = stage.getScreenCTM();

    if (!matrix || (event.target.closest && event.target.closest('.button, foreignObject')))
        return null;
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());

    return placeAt(p.x, p.y);
}

function listen() {
    // Inside a page, keys belong to the page unless the graph has the focus.
    (alone ? window : svg).addEventListener('keydown', onKey);
    stage.addEventListener('click', event => {
        const place = placeOfEvent(event), link = event.target.closest('a');

        closeMenu();
        if (link && !event.ctrlKey && !event.metaKey)
            return; // of the user's; with Ctrl it zooms like any other box
        if (link)
            event.preventDefault();
        if (place) {
            keyboard.place = place;
            zoomTo(place);
            showPlace(place);
        }
    });
    svg.addEventListener('mousemove', event => {
        const place = placeOfEvent(event);

        if (place || !keyboard.shown)
            showPlace(place);
    });
    svg.addEventListener('mouseleave', () => showPlace(null));
    stage.addEventListener('keydown', onStageKey);
    stage.addEventListener('focus', () => {
        keyboard.shown = stage.matches(':focus-visible');
        if (keyboard.shown)
            focusPlace(boxOf(keyboard.place) ? keyboard.place : {node: view.zoom});
    });
    stage.addEventListener('blur', () => {
        keyboard.shown = false;
        placeRing();
        showPlace(null);
    });
    if (alone) {
        window.addEventListener('popstate', readAddress);
        window.addEventListener('resize', fitWindow);
    }
}

// A phone is told that the picture fits it: else it shows all of a wide window, too small to read.
function fitPhone() {
    const meta = document.createElementNS(XHTML, 'meta');

    meta.setAttribute('name', 'viewport');
    meta.setAttribute('content', 'width=device-width, initial-scale=1');
    svg.append(meta);
}

// As wide as the window, where it was made another size, or is narrower from the start.
function fitWindow(event) {
    const {width: seen, scale} = window.visualViewport; // without the bars that scroll
    const span = Math.max(Math.round(seen * scale) - 2 * graph.left, 200);

    if (span === view.span || (!event && span > view.span))
        return;
    view.span = span;
    setSize();
    redraw();
    placeRing();
}

// Resolves once the reader sees the graph, or when nothing is drawn, as where it is hidden.
function firstFrame() {
    return new Promise(done => {
        requestAnimationFrame(() => setTimeout(done));
        setTimeout(done, 100);
    });
}

// What changes the look comes before the first frame, what takes its time behind it: the browser
// puts the picture on the screen meanwhile.
async function start() {
    const [bytes] = await Promise.all([inflate(meta.textContent.trim()), readFonts()]);

    makeSearchPanel();
    makeMenu();
    placeControls();
    stage.classList.add('clickable');
    await firstFrame();
    data = readData(bytes);
    if (data.tree.count < 2 && !data.tree.wide[0])
        return; // a graph without weight has no frames
    data.tree = arranged(data.tree);
    data.drawn = withLane(data.tree);
    if (graph.merge === 'around' && !graph.around)
        graph.merge = 'left out'; // the limit of the file's size took the function: no first view
    if (graph.merge === 'left out')
        view.merge = 'root';
    setTrees();
    showButtons();
    listen();
    listenToStack();
    stage.setAttribute('tabindex', '0');
    stage.setAttribute('role', 'group');
    stage.setAttribute('aria-label', 'Frames: arrow keys move, Enter zooms, Escape resets');
    svg.setAttribute('role', 'graphics-document');
    svg.classList.add('live');
    if (alone) {
        fitPhone();
        fitWindow(null);
        readAddress();
        listenToPage();
    }
    if (leads)
        listenToPage();
    readStackAddress();
}

start();
