<?php
function parse($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += strlen("item $i"); } return $s; }
function render($n) { $out = []; for ($i = 0; $i < $n; $i++) { $out[] = parse(3); } return implode(',', $out); }
function run() { for ($i = 0; $i < 4; $i++) { render(5); parse(10); } }
run();
