'use strict';
const kept = [];
function parse(n) { let s = 0; for (let i = 0; i < n; i++) s += Math.sqrt(i) % 7; return s; }
function render(n) { const out = []; for (let i = 0; i < n; i++) out.push(`item ${i}`); kept.push(out.slice(0, 20)); return out.join(','); }
function run() { let total = 0; for (let i = 0; i < 40; i++) { total += parse(100000); total += render(2000).length; } return total; }
run();
