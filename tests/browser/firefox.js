// A page of a real Firefox, the system's, driven by playwright-core over WebDriver BiDi.
'use strict';

const fs = require('fs');
const {PLAYWRIGHT} = require('./chromium.js');
const {Page, Unable} = require('./page.js');

const NAMES = ['firefox-esr', 'firefox'];

function findFirefox() {
    for (const name of process.env.FIREFOX ? [process.env.FIREFOX] : NAMES)
        for (const folder of name.includes('/') ? [''] : process.env.PATH.split(':'))
            if (fs.existsSync(`${folder}/${name}`))
                return `${folder}/${name}`;
    return null;
}

class FirefoxPage extends Page {
    constructor(page) {
        super(page);
        page.on('pageerror', error => this.problems.push('exception: ' + error));
        page.on('console', message => this.problems.push('console: ' + message.text()));
        page.on('request', request => {
            if (!this.expects(request.url()))
                this.problems.push('request: ' + request.url());
        });
    }

    // The next test takes the page over: Firefox needs longer to make one than most tests take.
    // A test may leave a page that is still being opened, which takes the place of the blank one.
    async close() {
        const interrupted = error => {
            if (!error.message.includes('interrupted by another navigation'))
                throw error;
        };

        this.page.removeAllListeners();
        await this.page.goto('about:blank').catch(interrupted);
        await this.page.goto('about:blank');
    }

    // Enters the text at once, as Chromium does: key by key, the script would search for each
    // prefix.
    async type(text) {
        await this.value(`(field => {
            const {selectionStart: from, selectionEnd: to} = field;

            field.setRangeText(${JSON.stringify(text)}, from, to, 'end');
            field.dispatchEvent(new Event('input', {bubbles: true}));
        })(document.activeElement)`);
    }

    async media() {
        throw new Unable('a colour scheme or paper');
    }

    needs(what) {
        throw new Unable(what);
    }

    // Returns the value of an expression in the page.
    value(expression) {
        return this.page.evaluate(expression);
    }
}

class Browser {
    constructor() {
        const {firefox} = require(PLAYWRIGHT);

        this.browser = firefox.launch({
            executablePath: findFirefox(), channel: 'moz-firefox',
            // Scroll bars take no width, as in Chromium without a screen.
            firefoxUserPrefs: {'ui.prefersReducedMotion': 1, 'ui.useOverlayScrollbars': 1},
        });
    }

    async page({width = 1200, height = 900} = {}) {
        this.inner = this.inner || (await this.browser).newPage();
        const page = new FirefoxPage(await this.inner);

        await page.size(width, height);
        return page;
    }

    async close() {
        await (await this.browser).close();
    }
}

module.exports = {Browser, findFirefox};
