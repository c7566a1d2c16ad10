#!/usr/bin/env python3
"""Makes a large perf.data: perf records a program, and its samples are repeated.

    perf_data.py OUTPUT --size MEGABYTES --call-graph fp|dwarf [--samples N]

The program is compiled beside OUTPUT; its functions are many, deep, and partly inlined. A copy of
the samples is later by the time that all of them took, so that times stay in order. With
--samples N, about N of them, evenly spread, are repeated: perf script runs addr2line for each
address with inlined frames, which takes minutes for all of them.
"""
import argparse
import os
import random
import struct
import subprocess

HEADER, SECTION, RECORD = 104, 16, 8
SAMPLE, FINISHED_ROUND = 9, 68
IDENTIFIER, IP, TID, TIME, ID_ALL = 1 << 16, 1, 2, 4, 1 << 18


def program(functions):
    """C++ of a random tree of calls, with loops in its leaves, sorting, and inlined templates."""
    rng = random.Random(7)
    lines = ['#include <algorithm>', '#include <string>', '#include <vector>',
             'static volatile unsigned long sink;',
             'template <int N> static inline unsigned long mix(unsigned long x) '
             '{ for (int i = 0; i < 40; i++) x = x * 31 + N + (x >> 7); sink = x; return x; }']
    for i in range(functions):
        children = [c for c in (2 * i + 1, 2 * i + 2) if c < functions]
        lines.insert(4, f'unsigned long f{i}(unsigned long x);')
        calls = ' '.join(f'if (x >> {rng.randrange(20)} & 1 || {k}) x += f{c}(x * {c + 3});'
                         for k, c in enumerate(children)) or (
            'std::vector<std::string> v; for (int i = 0; i < 20; i++) '
            'v.push_back(std::to_string(x * i % 977)); '
            'std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return mix<3>(a.size()) % 7 + '
            'a[0] < mix<4>(b.size()) % 7 + b[0]; }); x += v[3].size();')
        lines.append(f'__attribute__((noinline)) unsigned long f{i}(unsigned long x) '
                     f'{{ x += mix<{i}>(x); {calls} return mix<{i + 1}>(x); }}')
    lines.append('int main() { unsigned long x = 1; for (;;) x += f0(x) + x * 69069; }')
    return '\n'.join(lines)


def record(folder, graph):
    """Records the program for some seconds. Returns the bytes of the recording."""
    source, binary, data = (os.path.join(folder, n) for n in ('work.cpp', 'work', 'work.perf.data'))
    with open(source, 'w') as f:
        f.write(program(500))
    subprocess.run(['g++', '-O2', '-g', '-fno-omit-frame-pointer', '-o', binary, source], check=True)
    subprocess.run(['perf', 'record', '-q', '-F', '4000', '-e', 'cpu-clock', '--call-graph',
                    'dwarf,4096' if graph == 'dwarf' else 'fp', '-o', data, '--', 'timeout', '4',
                    binary], check=False)
    with open(data, 'rb') as f:
        return f.read()


def repeat(data, size, most):
    """The recording with `most` of its samples (0: all) repeated until it has so many bytes."""
    attrs, _, start, length = struct.unpack_from('<4Q', data, 24)
    sample_type = struct.unpack_from('<Q', data, attrs + 24)[0]
    place = RECORD + 8 * sum(bool(sample_type & bit) for bit in (IDENTIFIER, IP, TID))
    others, samples, at = [], [], start
    while at < start + length:
        kind, _, n = struct.unpack_from('<IHH', data, at)
        if kind == SAMPLE:
            samples.append(bytearray(data[at:at + n]))
        elif kind != FINISHED_ROUND:
            others.append(data[at:at + n])
        at += n
    samples.sort(key=lambda s: struct.unpack_from('<Q', s, place))
    samples = samples[::max(1, len(samples) // most)] if most else samples
    times = [struct.unpack_from('<Q', s, place)[0] for s in samples]
    end = struct.pack('<IHH', FINISHED_ROUND, 0, RECORD)
    out = others + [end]
    copies = max(1, round(size / sum(map(len, samples))))
    for i in range(copies):
        for sample, time in zip(samples, times):
            struct.pack_into('<Q', sample, place, time + i * (times[-1] - times[0] + 1))
            out.append(bytes(sample))
        out.append(end)
    records = b''.join(out)
    moved = len(records) - length
    features = bytearray(data[start + length:])
    count = sum(bin(word).count('1') for word in struct.unpack_from('<4Q', data, 72))
    for i in range(count):
        offset = struct.unpack_from('<Q', features, SECTION * i)[0]
        struct.pack_into('<Q', features, SECTION * i, offset + moved)
    head = bytearray(data[:start])
    struct.pack_into('<Q', head, 48, len(records))
    return bytes(head) + records + bytes(features)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('output')
    parser.add_argument('--size', type=int, default=200, help='megabytes')
    parser.add_argument('--call-graph', choices=['fp', 'dwarf'], default='fp')
    parser.add_argument('--samples', type=int, default=0, help='different ones')
    args = parser.parse_args()
    folder = args.output + '.d'
    os.makedirs(folder, exist_ok=True)
    data = repeat(record(folder, args.call_graph), args.size * 1000 * 1000,
                  args.samples)
    with open(args.output, 'wb') as f:
        f.write(data)


if __name__ == "__main__":
    main()
