// A page of a real Chromium, driven over the DevTools protocol on a pipe: no package but the
// browser and node is needed.
'use strict';

const {spawn} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const FLAGS = [
    '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync',
    '--hide-scrollbars', '--remote-debugging-pipe', '--force-prefers-reduced-motion',
    '--disable-partial-raster',
];

function findBrowser() {
    const names = ['chromium', 'chromium-browser', 'google-chrome'];

    for (const name of process.env.CHROMIUM ? [process.env.CHROMIUM] : names)
        for (const folder of name.includes('/') ? [''] : process.env.PATH.split(':'))
            if (fs.existsSync(path.join(folder, name)))
                return path.join(folder, name);
    throw new Error('no chromium found; make deps installs it, CHROMIUM names another one');
}

// Messages end with a NUL byte; answers are matched to questions by their id.
class Connection {
    constructor(child) {
        this.out = child.stdio[3];
        this.waiting = new Map();
        this.listeners = [];
        this.last = 0;
        let rest = '';

        child.stdio[4].setEncoding('utf8');
        child.stdio[4].on('data', text => {
            const parts = (rest + text).split('\0');

            rest = parts.pop();
            parts.forEach(part => this.receive(JSON.parse(part)));
        });
    }

    receive(message) {
        const waiter = this.waiting.get(message.id);

        if (!waiter) {
            this.listeners.forEach(listener => listener(message));
            return;
        }
        this.waiting.delete(message.id);
        if (message.error)
            waiter.reject(new Error(`${waiter.method}: ${message.error.message}`));
        else
            waiter.resolve(message.result);
    }

    send(method, params = {}, sessionId = undefined) {
        const id = ++this.last;

        return new Promise((resolve, reject) => {
            this.waiting.set(id, {method, resolve, reject});
            this.out.write(JSON.stringify({id, method, params, sessionId}) + '\0');
        });
    }
}

const KEYS = {
    Enter: 13, Escape: 27, Tab: 9, ' ': 32, Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39,
    ArrowDown: 40, F3: 114,
};

class Page {
    constructor(connection, session) {
        this.connection = connection;
        this.session = session;
        this.problems = []; // what the page logged, threw or asked the network for
        connection.listeners.push(message => {
            if (message.sessionId === session)
                this.note(message);
        });
    }

    note({method, params}) {
        if (method === 'Runtime.exceptionThrown')
            this.problems.push('exception: ' + (params.exceptionDetails.exception || {}).description);
        else if (method === 'Runtime.consoleAPICalled')
            this.problems.push('console: ' + params.args.map(a => a.value).join(' '));
        else if (method === 'Log.entryAdded')
            this.problems.push('log: ' + params.entry.text);
        else if (method === 'Network.requestWillBeSent' && !this.expects(params.request.url))
            this.problems.push('request: ' + params.request.url);
        else if (method === 'Page.loadEventFired' && this.loaded)
            this.loaded();
    }

    // The page itself, and what a test says it may load.
    expects(url) {
        return url === this.url.replace(/#.*/, '') || (this.allowed && this.allowed.test(url));
    }

    send(method, params) {
        return this.connection.send(method, params, this.session);
    }

    async open(file) {
        const loaded = new Promise(resolve => { this.loaded = resolve; });

        this.url = /^(about|http):/.test(file) ? file : 'file://' + path.resolve(file);
        await this.send('Page.navigate', {url: this.url});
        await loaded;
        await this.ready();
    }

    // Graphs read their data behind the page's load.
    async ready() {
        const expression = '[...document.querySelectorAll("svg.flamepress")].every(svg => ' +
            'svg.classList.contains("live") || !svg.querySelector("script"))';

        for (let i = 0; this.scripted !== false && i < 100; i++) {
            if (await this.value(expression))
                return;
            await new Promise(resolve => setTimeout(resolve, 20));
        }
    }

    // The value of an expression in the page.
    async value(expression) {
        const answer = await this.send('Runtime.evaluate',
            {expression, returnByValue: true, awaitPromise: true});

        if (answer.exceptionDetails)
            throw new Error(`${expression}: ${answer.exceptionDetails.exception.description}`);
        return answer.result.value;
    }

    async move(x, y) {
        await this.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
    }

    async click(x, y) {
        const event = {x, y, button: 'left', clickCount: 1};

        await this.move(x, y);
        await this.send('Input.dispatchMouseEvent', {...event, type: 'mousePressed'});
        await this.send('Input.dispatchMouseEvent', {...event, type: 'mouseReleased'});
    }

    async key(key, {ctrl = false, shift = false} = {}) {
        const code = KEYS[key] || key.toUpperCase().charCodeAt(0);
        const text = key.length === 1 && !ctrl ? key : key === 'Enter' ? '\r' : undefined;
        const event = {key, text, windowsVirtualKeyCode: code, modifiers: (ctrl ? 2 : 0) + (shift ? 8 : 0)};

        await this.send('Input.dispatchKeyEvent', {...event, type: 'keyDown'});
        await this.send('Input.dispatchKeyEvent', {...event, text: undefined, type: 'keyUp'});
    }

    async type(text) {
        await this.send('Input.insertText', {text});
    }

    // Light or dark, as the reader's system says.
    async scheme(value) {
        await this.media('prefers-color-scheme', value);
    }

    async media(name, value) {
        await this.send('Emulation.setEmulatedMedia', {features: [{name, value}]});
    }

    async size(width, height) {
        await this.send('Emulation.setDeviceMetricsOverride',
            {width, height, deviceScaleFactor: 1, mobile: false});
        await this.value('new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))');
    }

    async tap(x, y) {
        await this.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
        await this.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    }

    async scripts(on) {
        this.scripted = on;
        await this.send('Emulation.setScriptExecutionDisabled', {value: !on});
    }

    async screenshot(file) {
        const {data} = await this.send('Page.captureScreenshot', {});

        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }
}

class Browser {
    constructor() {
        this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'flamepress-browser-'));
        this.child = spawn(findBrowser(), [...FLAGS, `--user-data-dir=${this.profile}`],
            {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
        this.connection = new Connection(this.child);
    }

    async page({width = 1200, height = 900} = {}) {
        const {targetId} = await this.connection.send('Target.createTarget', {url: 'about:blank'});
        const {sessionId} = await this.connection.send('Target.attachToTarget',
            {targetId, flatten: true});
        const page = new Page(this.connection, sessionId);

        for (const domain of ['Page', 'Runtime', 'Network', 'Log'])
            await page.send(domain + '.enable');
        await page.size(width, height);
        await page.scheme('light');
        return page;
    }

    async close() {
        const gone = new Promise(resolve => this.child.on('exit', resolve));

        await this.connection.send('Browser.close').catch(() => {});
        await gone;
        fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
    }
}

module.exports = {Browser};
