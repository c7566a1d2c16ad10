// Panels: what they hold is HTML.

import {XHTML} from './flame_graph.js';
import {isOpen, menus, panels} from './flame_controls.js';
import {keepFocus} from './flame_details.js';
import {setSize} from './flame_draw.js';

export function html(name, attributes, parent) {
    const made = document.createElementNS(XHTML, name);

    for (const key in attributes)
        made.setAttribute(key, attributes[key]);
    parent.append(made);
    return made;
}

export function htmlButton(text, attributes, parent, action) {
    const made = html('button', Object.assign({type: 'button'}, attributes), parent);

    made.textContent = text;
    made.addEventListener('click', action);
    return made;
}

// Shows or hides a panel, and closes the menus that are open.
export function showPanel(panel, shown) {
    for (const one of [...menus(), panel])
        one.classList.toggle('hidden', one !== panel || !shown);
    setSize();
    keepFocus();
}

// Returns whether a menu was open.
export function closeMenus() {
    const open = menus().some(isOpen);

    if (open)
        showPanel(panels.view, false);
    return open;
}
