// The command that draws a row of table.js, as samples/README.md has it.
'use strict';

// As a shell takes it.
function quote(argument) {
    return /^[\w.,:=/%+@-]+$/.test(argument) ? argument : `'${argument.replace(/'/g, "'\\''")}'`;
}

// The command's name and its arguments, without the file to write.
function drawing(row) {
    return row.diff ? ['diff', ...row.diff] : ['graph', ...row.draw];
}

function command(row) {
    return ['flamepress', ...drawing(row), '-o', row.file].map(quote).join(' ');
}

module.exports = {drawing, command};
