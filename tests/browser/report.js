// Shared by the tests of a report's page: writes a report and queries the page.
'use strict';

const fs = require('fs');
const path = require('path');
const {execFileSync} = require('child_process');
const {until, LONGEST_WAIT} = require('./page.js');

let made = 0;

// Writes a report of profiles, {name: folded stacks}, and returns the path of its page. Each profile
// is a graph of its own, even if its name differs from another's in a number only.
function report(profiles, ...options) {
    const place = path.join(process.env.WORK, `report-${++made}`);
    const single = options.includes('--single-file');
    const out = `${place}-out${single ? '.html' : ''}`;

    for (const name in profiles) {
        fs.mkdirSync(path.dirname(path.join(place, name)), {recursive: true});
        fs.writeFileSync(path.join(place, name), profiles[name]);
    }
    execFileSync(process.env.FLAMEPRESS,
        ['report', place, '-o', out, '--quiet', '--each-run', ...options]);
    return single ? out : `${out}/index.html`;
}

// Scrolls the first element that a selector finds into view, and clicks its middle once it rests.
// Content that comes into view at the same time is laid out only then, in one of the next frames, and
// may move the element.
async function clickOn(page, selector) {
    const at = await page.value(`(async element => {
        const place = () => {
            element.scrollIntoView({block: 'center'});
            const r = element.getBoundingClientRect();
            return {x: r.x + r.width / 2, y: r.y + r.height / 2};
        };
        const pause = () => new Promise(done =>
            requestAnimationFrame(() => setTimeout(done, 60)));
        let was = place();
        for (let i = 0, same = 0; i < 50 && same < 4; i++) {
            await pause();
            const now = place();
            same = now.x === was.x && now.y === was.y ? same + 1 : 0;
            was = now;
        }
        return was;
    })(document.querySelector(${JSON.stringify(selector)}))`);

    await page.click(at.x, at.y);
}

// A page whose files beside it are no surprise, once it was drawn: a graph that has not come near
// the screen yet has no text to read.
async function openReport(page, file) {
    page.allowed = /\/graphs\/[^/]+\.(png|svg)$|\/pages\/[^/]+\.(html|css|js)(\?|$)|^blob:|^data:/;
    await page.open(file);
    if (page.scripted !== false)
        await page.value('new Promise(done => requestAnimationFrame(() => setTimeout(done)))');
}

function ifGone(error) {
    if (!/Cannot find context|Could not find object/.test(error.message))
        throw error;
}

// Evaluates in the document of the frame of a graph, which is of another origin than the page.
async function inFrame(page, id, expression) {
    const {root} = await page.send('DOM.getDocument', {depth: -1, pierce: true});
    const find = (node, wanted) => wanted(node) ? node : [...node.children || [],
        ...node.contentDocument ? [node.contentDocument] : []]
        .map(child => find(child, wanted)).find(Boolean);
    const section = find(root, node => (node.attributes || []).some((text, i, all) =>
        i % 2 && all[i - 1] === 'id' && text === id));
    const frame = section && find(section, node => node.nodeName === 'IFRAME');

    if (!frame || !frame.contentDocument)
        return undefined;
    const {object} = await page.send('DOM.resolveNode',
        {backendNodeId: frame.contentDocument.backendNodeId}).catch(() => ({}));

    // Either fails if the frame is given another document in the meantime.
    const answer = object && await page.send('Runtime.callFunctionOn', {
        objectId: object.objectId, returnByValue: true,
        functionDeclaration: `function () { const document = this; return ${expression}; }`,
    }).catch(ifGone);

    if (!answer)
        return undefined;
    if (answer.exceptionDetails)
        throw new Error(`${expression}: ${answer.exceptionDetails.exception.description}`);
    return answer.result.value;
}

async function untilInFrame(page, id, expression) {
    for (const end = Date.now() + LONGEST_WAIT; Date.now() < end;) {
        const value = await inFrame(page, id, expression);

        if (value)
            return value;
        await new Promise(resolve => setTimeout(resolve, 20));
    }
    throw new Error(`never true in the frame of ${id}: ${expression}`);
}

module.exports = {report, openReport, until, clickOn, inFrame, untilInFrame};
