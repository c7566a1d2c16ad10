// Starts the script of a flame graph: reads the data and then listens to the reader.

import {XHTML, alone, data, graph, meta, root, stage, svg} from './flame_graph.js';
import {change} from './flame_change.js';
import {leads, listenToPage} from './flame_page.js';
import {boxOf, keyboard, placeAt, view} from './flame_view.js';
import {inflate, readData} from './flame_data.js';
import {arranged} from './flame_merge.js';
import {readFonts} from './flame_label.js';
import {withLane} from './flame_lane.js';
import {controls, isOpen, onPress, panels, placeControls, placeRing} from './flame_controls.js';
import {listenToScrolling, screenMatrix} from './flame_sight.js';
import {listenToTheme} from './flame_theme.js';
import {NOTICE, fitDetails, showButtons, showPlace} from './flame_details.js';
import {redraw, setSize} from './flame_draw.js';
import {inSlices, mergeTrees} from './flame_slices.js';
import {closeMenus} from './flame_panel.js';
import {showTip} from './flame_tip.js';
import {focusPlace, zoomTo} from './flame_zoom.js';
import {makeCopyPanel} from './flame_copy.js';
import {addModules, setFilters} from './flame_filter.js';
import {makeSearchPanel, openSearch} from './flame_search.js';
import {listenToStack} from './flame_echo.js';
import {onKey, onStageKey} from './flame_keys.js';
import {listenToMenu, makeFrameMenu, makeMenu, toggleMenu} from './flame_menu.js';
import {readAddress, readStackAddress} from './flame_open.js';

// Returns the place under the pointer, or null on a control.
function placeOfEvent(event) {
    const matrix = screenMatrix();

    if (!matrix || (event.target.closest && event.target.closest('.button, foreignObject')))
        return null;
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());

    return placeAt(p.x, p.y);
}

function listen() {
    onPress(controls.filters, () => setFilters([]));
    onPress(controls.reset, () => zoomTo({node: 0}));
    onPress(controls.view, toggleMenu);
    onPress(controls.search, openSearch);
    // Inside a page, keys belong to the page unless the graph has the focus.
    (alone ? window : svg).addEventListener('keydown', onKey);
    stage.addEventListener('click', event => {
        const place = placeOfEvent(event), link = event.target.closest('a');

        if (link && !event.ctrlKey && !event.metaKey)
            return; // the user's link; with Ctrl the box zooms like any other
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

        showTip(event.target, place);
        if (!isOpen(panels.frame) && (place || !keyboard.shown) &&
            performance.now() > controls.noticed + NOTICE)
            showPlace(place);
    });
    svg.addEventListener('mouseleave', () => {
        showTip(svg, null);
        if (performance.now() > controls.noticed + NOTICE)
            showPlace(null);
    });
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
    if (alone)
        window.addEventListener('popstate', readAddress);
    if (root)
        window.addEventListener('resize', fitWindow);
}

// Makes phones show the graph at their own width, not a shrunk wide window.
function fitPhone() {
    const meta = document.createElementNS(XHTML, 'meta');

    meta.setAttribute('name', 'viewport');
    meta.setAttribute('content', 'width=device-width, initial-scale=1');
    svg.append(meta);
}

// Makes the graph as wide as the window.
function fitWindow() {
    const {width: seen, scale} = window.visualViewport; // without the bars that scroll
    const span = Math.max(Math.round(seen * scale) - 2 * graph.left, 200);

    if (span === view.span)
        return;
    view.span = span;
    closeMenus(); // a frame's would not be where its frame is
    setSize();
    redraw();
    fitDetails();
    placeRing();
}

// Resolves after the first frame was drawn, or after 100 ms if the graph is hidden.
function firstFrame() {
    return new Promise(done => {
        requestAnimationFrame(() => setTimeout(done));
        setTimeout(done, 100);
    });
}

// Resolves with the result of work that is done in slices.
const finished = steps => new Promise(done => inSlices(steps, done));

// Changes of the look come before the first frame, slow work after it, so that the browser can show
// the picture early.
async function start() {
    const [bytes] = await Promise.all([inflate(meta.textContent.trim()), readFonts()]);

    makeSearchPanel();
    makeMenu();
    makeFrameMenu();
    makeCopyPanel();
    placeControls();
    stage.classList.add('clickable');
    if (root) {
        fitPhone();
        // A scroll bar that comes and goes would change the width.
        root.style.overflowY = window.parent === window ? 'scroll' : 'hidden';
    }
    await firstFrame();
    Object.assign(data, await finished(readData(bytes)));
    addModules(data);
    if (data.tree.count < 2 && !data.tree.wide[0])
        return; // a graph without weight has no frames
    data.tree = await finished(arranged(data.tree));
    data.all = data.tree;
    data.drawn = withLane(data.tree);
    if (change && graph.merge === 'around')
        graph.total = BigInt(data.drawn.wide[0]); // the file has the weight of the new side
    if (graph.merge === 'around' && !graph.around)
        graph.merge = 'left out'; // the limit of the file's size took the function: no first view
    if (graph.merge === 'left out')
        view.merge = 'root';
    Object.assign(view, await finished(mergeTrees(view.merge, view.symbol)));
    if (root)
        fitWindow(); // before changes that the browser would have to place first
    showButtons();
    listen();
    listenToStack();
    listenToScrolling();
    listenToMenu();
    stage.setAttribute('tabindex', '0');
    stage.setAttribute('role', 'group');
    stage.setAttribute('aria-label', 'Frames: arrow keys move, Enter zooms, Escape resets');
    svg.setAttribute('role', 'graphics-document');
    svg.classList.add('live');
    if (root)
        listenToTheme();
    if (alone) {
        readAddress();
        listenToPage();
    }
    if (leads)
        listenToPage();
    readStackAddress();
}

start();
