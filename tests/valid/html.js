// Functions for the scripts that read HTML.
'use strict';

const ENTITIES = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'", '#34': '"'};

function unescape(text) {
    return text.replace(/&(#x[0-9a-f]+|#[0-9]+|\w+);/gi, (all, name) =>
        ENTITIES[name] || (name[0] !== '#' ? all : String.fromCodePoint(
            /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1)))));
}

module.exports = {unescape};
