// What earlier runs found about the same sources, so that a run goes on where another was stopped.
// A result depends on all files of the copy and on the collection, and not on the seed that drew
// its place: they name the file, and a change of any of them begins another one.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

// The digest of the names and contents of the files.
function digestOf(tree, files, collection) {
    const digest = crypto.createHash('sha256').update(`${collection}\0`);

    for (const file of files)
        digest.update(`${file}\0`)
            .update(crypto.createHash('sha256').update(fs.readFileSync(path.join(tree, file))).digest());
    return digest.digest('hex').slice(0, 16);
}

// Opens the results for the digest. `get` returns what was found about a place, or undefined, and
// `set` writes it at once.
function openFound(directory, digest) {
    const file = path.join(directory, digest);

    fs.mkdirSync(directory, {recursive: true});
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const rows = text.split('\n').slice(0, -1).map(line => line.split('\t'));
    const found = new Map(rows.filter(row => row.length === 2));

    return {
        get: place => found.get(place),
        set(place, by) {
            found.set(place, by);
            fs.appendFileSync(file, `${place}\t${by}\n`);
        },
    };
}

module.exports = {digestOf, openFound};
