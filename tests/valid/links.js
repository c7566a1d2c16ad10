// Follows every link and picture of HTML files and prints those whose target is missing. Usage:
//
//     node tests/valid/links.js [--github] [--root DIR] [--site URL] FILE...
//
// A link to a place in a page needs an element with that id; with --github, it needs a heading to
// which GitHub would give that id. A link that begins with / starts in the directory --root, as does
// one that begins with the address of the site.
// Addresses of other hosts are findings, since a report has none. The last line of the output is the
// number of links followed, so that a run that followed none is noticed.
'use strict';

const fs = require('fs');
const path = require('path');
const {unescape} = require('./html.js');

const options = {github: false, root: '/', site: null, files: []};

for (let args = process.argv.slice(2); args.length; ) {
    const arg = args.shift();

    if (arg === '--github')
        options.github = true;
    else if (arg === '--root')
        options.root = path.resolve(args.shift());
    else if (arg === '--site')
        options.site = args.shift();
    else
        options.files.push(arg);
}

// Comments, scripts and styles have no links.
function withoutCode(html) {
    return html.replace(/<!--[^]*?-->/g, '')
        .replace(/<(script|style)\b([^>]*)>[^]*?<\/\1>/gi, '<$1$2></$1>');
}

function attributes(html, names) {
    const pattern = new RegExp(`\\s(?:${names})=("([^"]*)"|'([^']*)'|([^\\s>"']+))`, 'gi');
    const tags = html.match(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi) || [];

    return tags.flatMap(tag => [...tag.matchAll(pattern)])
        .map(([, , double, single, bare]) => unescape(double ?? single ?? bare));
}

function slugs(html) {
    const seen = new Map(), found = new Set();

    for (const [, , text] of html.matchAll(/<h([1-6])[^>]*>([^]*?)<\/h\1>/g)) {
        const slug = unescape(text.replace(/<[^>]*>/g, '')).toLowerCase()
            .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '').replace(/ /g, '-');
        const count = seen.get(slug) || 0;

        seen.set(slug, count + 1);
        found.add(count ? `${slug}-${count}` : slug);
    }
    return found;
}

const places = new Map(); // the ids of each page looked at

function placesOf(file) {
    if (!places.has(file)) {
        const html = withoutCode(fs.readFileSync(file, 'utf8'));

        places.set(file, options.github ? slugs(html) : new Set(attributes(html, 'id|name')));
    }
    return places.get(file);
}

// Returns why the target of a link is missing, or nothing if it exists.
function wrong(file, link) {
    if (options.site && link.startsWith(options.site))
        link = link.slice(options.site.length) || '/';
    if (/^data:/.test(link))
        return '';
    if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(link))
        return 'is of another host';
    const [, target, place] = link.match(/^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/);
    const decoded = decodeURIComponent(target);
    let found = decoded === '' ? file
        : decoded[0] === '/' ? path.join(options.root, decoded)
            : path.resolve(path.dirname(file), decoded);

    if (fs.existsSync(found) && fs.statSync(found).isDirectory())
        found = path.join(found, 'index.html');
    if (!fs.existsSync(found))
        return `there is no ${found}`;
    if (place && /\.html?$/.test(found) && !placesOf(found).has(decodeURIComponent(place)))
        return `there is no such place in ${path.basename(found)}`;
    return '';
}

let followed = 0, failed = 0;

for (const file of options.files) {
    const html = withoutCode(fs.readFileSync(file, 'utf8'));
    const sources = attributes(html, 'srcset').flatMap(text =>
        /^data:/.test(text) ? [] : text.split(/,\s+/).map(one => one.trim().split(/\s+/)[0]));

    for (const link of [...attributes(html, 'href|src'), ...sources]) {
        const reason = wrong(file, link);

        followed++;
        if (reason && failed++ < 20)
            console.log(`${path.basename(file)}: ${link.slice(0, 120)}: ${reason}`);
    }
}
console.log(`${followed} links followed`);
process.exit(failed || !followed ? 1 : 0);
