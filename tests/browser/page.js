// A page of a browser, as a reader uses it: the part that is the same in all browsers.
//
// A browser's own page adds value() and, if it can, worked(), tap(), scripts() and send(). What it cannot do
// throws Unable, which makes a test one that this browser skips.
'use strict';

const path = require('path');

const LONGEST_WAIT = 12e4; // milliseconds: other work may keep the processors busy

// Thrown if a browser's driver cannot do something.
class Unable extends Error {}

// Firefox's driver tells of a page that is left while it answers.
function ifLeft(error) {
    if (!/context was destroyed/.test(error.message))
        throw error;
}

// Waits until an expression in the page is true. The page may scroll, load and be left meanwhile.
async function until(page, expression) {
    for (const end = Date.now() + LONGEST_WAIT; Date.now() < end;) {
        if (await page.value(`!!(${expression})`).catch(ifLeft))
            return;
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    throw new Error(`never true: ${expression}`);
}

class Page {
    constructor(page) {
        this.page = page;
        this.page.setDefaultTimeout(LONGEST_WAIT);
        this.problems = []; // what the page logged, threw or asked the network for
    }

    // The page itself, and what a test allows it to load.
    expects(url) {
        return url === this.url.replace(/#.*/, '') || (this.allowed && this.allowed.test(url));
    }

    // Names what a test needs of the browser's driver. Throws Unable if the driver cannot do it.
    needs() {
    }

    async send(method) {
        throw new Unable(`the DevTools protocol's ${method}`);
    }

    async worked() {
        throw new Unable('the time that a page worked');
    }

    async tap() {
        throw new Unable('touch');
    }

    async scrollBars() {
        throw new Unable('scroll bars that take width');
    }

    async scripts() {
        throw new Unable('scripts that are switched off');
    }

    async open(file) {
        this.url = /^(about|http):/.test(file) ? file : 'file://' + path.resolve(file);
        await this.page.goto(this.url);
        await this.ready();
    }

    // Graphs read their data after the page has loaded, and apply the filters of the address in
    // slices.
    async ready() {
        const expression = '[...document.querySelectorAll("svg.flamepress")].every(svg => ' +
            'svg.classList.contains("live") || !svg.querySelector("script")) && ' +
            '!document.querySelector("[aria-busy=true]")';

        if (this.scripted !== false)
            await until(this, expression);
    }

    async move(x, y) {
        await this.page.mouse.move(x, y);
    }

    async click(x, y) {
        await this.page.mouse.click(x, y);
    }

    async key(key, {ctrl = false, shift = false} = {}) {
        await this.page.keyboard.press((ctrl ? 'Control+' : '') + (shift ? 'Shift+' : '') + key);
    }

    async type(text) {
        await this.page.keyboard.insertText(text);
    }

    // What the reader's system is set to: {colorScheme: 'dark'}, {reducedMotion: 'no-preference'},
    // or {media: 'print'} for what is printed.
    async media(features) {
        await this.page.emulateMedia(features);
    }

    async size(width, height) {
        await this.page.setViewportSize({width, height});
        await this.value('new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))');
    }

    close() {
        return this.page.close();
    }

    async screenshot(file) {
        await this.page.screenshot({path: file});
    }
}

module.exports = {Page, Unable, until, LONGEST_WAIT};
