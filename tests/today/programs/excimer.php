<?php
// Samples half a second of work, and writes the log in Excimer's formats with the number of samples.
function mix($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += strlen("item $i"); } return $s; }
function work() { for ($end = microtime(true) + 0.5; microtime(true) < $end;) { mix(1000); } }
$profiler = new ExcimerProfiler();
$profiler->setEventType(EXCIMER_CPU);
$profiler->setPeriod(0.001);
$profiler->start();
work();
$profiler->stop();
$log = $profiler->getLog();
file_put_contents('app.collapsed', $log->formatCollapsed());
file_put_contents('app.speedscope.json', json_encode($log->getSpeedscopeData()));
file_put_contents('app.count', $log->getEventCount());
