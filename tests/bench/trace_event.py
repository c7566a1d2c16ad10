#!/usr/bin/env python3
"""Writes a trace of events as Chrome and others do: calls on several threads.

    tests/bench/trace_event.py FILE [--size MB] [--seed N] [--order end|begin|mixed] [--marks]

Same arguments, same bytes. `end` writes a slice when it ends, callers behind what they call;
`begin` sorts by begin; `mixed` moves every slice by up to a thousand places and turns the two halves of
the file around. With --marks a slice is a B and an E instead of one X.
The sum of all slices without a caller is printed: it is the total that a reader must find.
"""
import argparse
import json
import random


def calls(rng, names, clocks, thread, task, depth=0):
    """One call on a thread and all below it, in the order they end: (begin, end, name, thread)."""
    begin = clocks[thread]
    clocks[thread] += rng.randrange(50, 4000)
    below = []
    count = rng.choice((0, 0, 0, 1, 1, 1, 2, 2, 3)) if 0 < depth < 24 else 4 * (depth == 0)
    for _ in range(count):
        below += calls(rng, names, clocks, thread, task, depth + 1)
        clocks[thread] += rng.randrange(0, 2000)
    clocks[thread] += rng.randrange(50, 4000)
    # What calls nothing has one of many names: some forty thousand stacks in all.
    name = names[(task * 31 + depth * 17 + (0 if count else rng.randrange(12))) % len(names)]
    below.append((begin, clocks[thread], name, thread))
    return below


def micros(ns):
    return f"{ns // 1000}.{ns % 1000:03d}"


def event(rng, phase, ns, slice_, length=None):
    text = (f'{{"pid":{4000 + slice_[3] // 4},"tid":{7000 + slice_[3]},"ts":{micros(ns)},'
            f'"ph":"{phase}","cat":"devtools.timeline,v8","name":{json.dumps(slice_[2])}')
    if length is not None:
        text += f',"dur":{micros(length)},"args":{{"data":{{"frame":"{rng.getrandbits(64):016X}"}}}}'
    return text + "}"


def events(rng, slices, order, marks):
    """The lines of a block of slices."""
    if marks:
        lines = []
        for s in slices:
            lines.append((s[0], -s[1], event(rng, "B", s[0], s)))
            lines.append((s[1], -s[0], event(rng, "E", s[1], s)))
        lines.sort(key=lambda x: x[0])
        return [x[2] for x in lines]
    if order == "begin":
        slices = sorted(slices, key=lambda s: (s[0], -s[1]))
    elif order == "mixed":
        keys = {id(s): i + rng.randrange(1000) for i, s in enumerate(slices)}
        slices = sorted(slices, key=lambda s: keys[id(s)])
    return [event(rng, "X", s[0], s, s[1] - s[0]) for s in slices]


def write(path, size, seed, order, marks):
    rng = random.Random(seed)
    names = [f"Blink.Layer{i}::{rng.choice(('Paint', 'Update', 'Parse', 'Run'))}{i}"
             for i in range(400)]
    clocks = [10**15 + 10**6 * t for t in range(16)]
    total = written = 0
    blocks = []
    with open(path, "w") as out:
        out.write('{"traceEvents":[\n')
        first = True
        while written < size:
            slices = []
            while len(slices) < 20000:
                thread = rng.randrange(16)
                clocks[thread] += rng.randrange(10000)
                one = calls(rng, names, clocks, thread, rng.randrange(10))
                total += one[-1][1] - one[-1][0]
                slices += one
            lines = events(rng, slices, order, marks)
            written += sum(map(len, lines)) + 2 * len(lines)
            if order == "mixed" and written < size / 2:
                blocks.append(lines)
                continue
            out.write(("" if first else ",\n") + ",\n".join(lines))
            first = False
        for lines in blocks:
            out.write(",\n" + ",\n".join(lines))
        out.write("\n]}\n")
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--size", type=float, default=500, help="megabytes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--order", choices=("end", "begin", "mixed"), default="end")
    parser.add_argument("--marks", action="store_true")
    a = parser.parse_args()
    print(micros(write(a.file, a.size * 1e6, a.seed, a.order, a.marks)))


if __name__ == "__main__":
    main()
