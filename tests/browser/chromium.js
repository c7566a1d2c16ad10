// A page of a real Chromium, the system's, driven by playwright-core.
//
// Pages are queried over the DevTools protocol, because a strict policy blocks playwright's own
// scripts.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const {Page} = require('./page.js');

const PLAYWRIGHT = path.resolve(process.env.NPM || '', 'node_modules/playwright-core');
// Without the limit each page has a process of its own, which takes longer to start than most tests
// take.
const FLAGS = [
    '--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-partial-raster',
    '--renderer-process-limit=1',
];

function findBrowser() {
    const names = ['chromium', 'chromium-browser', 'google-chrome'];

    for (const name of process.env.CHROMIUM ? [process.env.CHROMIUM] : names)
        for (const folder of name.includes('/') ? [''] : process.env.PATH.split(':'))
            if (fs.existsSync(path.join(folder, name)))
                return path.join(folder, name);
    throw new Error('no chromium found; make deps installs it, CHROMIUM names another one');
}

class ChromiumPage extends Page {
    constructor(page, session) {
        super(page);
        this.session = session;
        this.note('Runtime.exceptionThrown', ({exceptionDetails}) =>
            'exception: ' + (exceptionDetails.exception || {}).description);
        this.note('Runtime.consoleAPICalled', ({args}) =>
            'console: ' + args.map(a => a.value).join(' '));
        this.note('Log.entryAdded', ({entry}) => 'log: ' + entry.text);
        this.note('Network.requestWillBeSent', ({request}) =>
            this.expects(request.url) ? null : 'request: ' + request.url);
    }

    note(event, problem) {
        this.session.on(event, params => {
            const text = problem(params);

            if (text)
                this.problems.push(text);
        });
    }

    send(method, params) {
        return this.session.send(method, params);
    }

    // Returns the value of an expression in the page.
    async value(expression) {
        const answer = await this.send('Runtime.evaluate',
            {expression, returnByValue: true, awaitPromise: true});

        if (answer.exceptionDetails)
            throw new Error(`${expression}: ${answer.exceptionDetails.exception.description}`);
        return answer.result.value;
    }

    // Returns the milliseconds of processor time that the page's own thread has worked, whatever the
    // load of the machine.
    async worked() {
        if (!this.counted)
            await this.send('Performance.enable', {timeDomain: 'threadTicks'});
        this.counted = true;
        return (await this.send('Performance.getMetrics')).metrics
            .find(({name}) => name === 'TaskDuration').value * 1000;
    }

    async tap(x, y) {
        await this.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
        await this.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    }

    // Shows scroll bars that take width, as windows on most desktops have them.
    async scrollBars(shown) {
        await this.send('Emulation.setScrollbarsHidden', {hidden: !shown});
    }

    async scripts(on) {
        this.scripted = on;
        await this.send('Emulation.setScriptExecutionDisabled', {value: !on});
    }
}

// One browser with a profile of its own. Its pages share processes, as the tabs of a user do.
class Browser {
    constructor() {
        const {chromium} = require(PLAYWRIGHT);

        this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'flamepress-browser-'));
        this.context = chromium.launchPersistentContext(this.profile, {
            executablePath: findBrowser(), args: FLAGS, colorScheme: 'light',
            reducedMotion: 'reduce', ignoreDefaultArgs: ['--hide-scrollbars'],
        });
    }

    async page({width = 1200, height = 900} = {}) {
        const context = await this.context;

        await context.clearPermissions();
        const inner = await context.newPage();
        const page = new ChromiumPage(inner, await context.newCDPSession(inner));

        for (const domain of ['Page', 'Runtime', 'Network', 'Log'])
            await page.send(domain + '.enable');
        await page.scrollBars(false);
        await page.size(width, height);
        return page;
    }

    async close() {
        await (await this.context).close();
        fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 100});
    }
}

// Returns whether playwright is installed; `make deps` installs it from npm.
const isInstalled = () => fs.existsSync(PLAYWRIGHT);

module.exports = {Browser, isInstalled, PLAYWRIGHT};
