// Prints the files that no link of a page leads to; a generator may have moved and renamed them.
// Usage:
//
//     node tests/valid/reach.js [--root DIR] PAGE FILE...
//
// A link that begins with / starts in the directory --root.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const {unescape} = require('./html.js');

const args = process.argv.slice(2);
const root = args[0] === '--root' ? path.resolve(args.splice(0, 2)[1]) : '/';
const [page, ...files] = args;
const html = fs.readFileSync(page, 'utf8');

function digest(file) {
    return crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

const links = [...html.matchAll(/<a\s[^>]*?\bhref="?([^"\s>]+)/g)].map(([, link]) =>
    decodeURI(unescape(link).replace(/[?#].*/, '')));
const targets = links.map(link => link[0] === '/' ? path.join(root, link)
    : path.resolve(path.dirname(page), link));
const reached = new Set(targets.filter(file => fs.existsSync(file) && fs.statSync(file).isFile())
    .map(digest));
const missing = files.filter(file => !reached.has(digest(file)));

for (const file of missing)
    console.log(`no link leads to ${file}`);
process.exitCode = missing.length || !files.length ? 1 : 0;
