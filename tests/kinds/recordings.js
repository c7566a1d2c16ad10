// The recordings that the rows draw.
'use strict';

const K = 'samples/kinds/';
const REDIS = 'samples/redis-benchmark.perf.gz';
const POSTGRES = 'samples/postgres-pgbench.perf.xz';
const QUEUE = `${K}queue-sched.perf.xz`;
const DISK = `${K}pgbench-disk.perf.xz`;
const HEAP = `${K}git-heap.heaptrack.zst`;
const MEMORY = `${K}git-memory.perf.xz`;
const MISSES = `${K}concord-misses.callgrind.xz`;
const TORCH = 'corpus:today/devices/kineto_h100_with_stack.json.gz';
const BEFORE = `${K}concord-before.perf.gz`;
const AFTER = `${K}concord-after.perf.gz`;

module.exports = {K, REDIS, POSTGRES, QUEUE, DISK, HEAP, MEMORY, MISSES, TORCH, BEFORE, AFTER};
