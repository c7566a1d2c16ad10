#!/usr/bin/env python3
"""Writes a CPU profile as Go's runtime does, in protobuf, bare.

    tests/bench/pprof.py FILE [--size MB] [--seed N] [--spread P]

Same arguments, same bytes. Samples are walks through a graph of calls, 10 to 45 deep; --spread is
the share of steps that leave the hot path, and so decides how many different stacks there are. The
sum of the samples is printed: it is the total of the series "samples".
"""
import argparse
import math
import random

FUNCTIONS = 4000
CALLEES = 6
STRINGS = ["", "samples", "count", "cpu", "nanoseconds", "/usr/bin/app", "app.go"]


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, n):
    return varint(field << 3) + varint(n)


def message(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


VALUES = message(2, b"\x01" + varint(10000000))


def hot_path(callees, codes, at, steps, known):
    """The last function of a walk that stays on the hot path, and its bytes, leaf first."""
    key = at, steps
    if key not in known:
        path = []
        for _ in range(steps):
            at = callees[at][0]
            path.append(codes[at])
        path.reverse()
        known[key] = at, b"".join(path)
    return known[key]


def sample(rng, callees, codes, spread, known):
    """A walk from main, as the message of a sample, leaf first."""
    at, left, path = 1, rng.randrange(10, 45), codes[1]
    while left:
        # Random numbers are drawn for the steps that leave the hot path alone: most do not.
        steps = min(left, int(math.log(1 - rng.random()) / math.log(1 - spread)))
        at, hot = hot_path(callees, codes, at, steps, known)
        path = hot + path
        left -= steps
        if left:
            at = callees[at][rng.randrange(CALLEES)]
            path = codes[at] + path
            left -= 1
    return message(2, message(1, path) + VALUES)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--spread", type=float, default=0.05)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    callees = [[rng.randrange(1, FUNCTIONS + 1) for _ in range(CALLEES)]
               for _ in range(FUNCTIONS + 1)]
    codes = [varint(n) for n in range(FUNCTIONS + 1)]
    total = size = 0
    known = {}
    with open(options.file, "wb") as out:
        out.write(message(1, number(1, 1) + number(2, 2)))
        out.write(message(1, number(1, 3) + number(2, 4)))
        while size < options.size * 1000000:
            text = sample(rng, callees, codes, options.spread, known)
            out.write(text)
            size += len(text)
            total += 1
        out.write(message(3, number(1, 1) + number(2, 0x400000) + number(3, 0x800000) +
                          number(5, 5)))
        for n in range(1, FUNCTIONS + 1):
            out.write(message(4, number(1, n) + number(2, 1) + number(3, 0x400000 + 16 * n) +
                              message(4, number(1, n) + number(2, n))))
        for n in range(1, FUNCTIONS + 1):
            name = len(STRINGS) + n - 1
            out.write(message(5, number(1, n) + number(2, name) + number(3, name) + number(4, 6)))
        for text in STRINGS:
            out.write(message(6, text.encode()))
        for n in range(1, FUNCTIONS + 1):
            out.write(message(6, b"example.com/app/pkg%d.(*Type%d).Method%d" % (n % 50, n % 300, n)))
        out.write(number(9, 1600000000000000000) + number(10, 10 ** 10) +
                  message(11, number(1, 3) + number(2, 4)) + number(12, 10000000))
    print(total)


main()
