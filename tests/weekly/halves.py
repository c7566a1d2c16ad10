#!/usr/bin/env python3
"""Divides the samples of a run between two files, each by the toss of a coin.

    flamepress fold RUN | halves.py FIRST SECOND SEED

Input and output are folded stacks. The first line of the input tells the weight of a sample, if it
is not 1. The same seed divides a run in the same way.
"""
import random
import re
import sys


def main():
    first, second, seed = sys.argv[1:]
    lines = sys.stdin.read().splitlines()
    head = dict(re.findall(r"(\w+)=(\S+)", lines[0])) if lines[0].startswith("# ") else {}
    weight = int(head["total"]) / int(head["samples"]) if "total" in head else 1
    draw = random.Random(int(seed))
    with open(first, "w", encoding="utf-8") as one, open(second, "w", encoding="utf-8") as other:
        for line in lines:
            stack, _, value = line.rpartition(" ")
            if line.startswith("# "):
                continue
            samples = round(int(value) / weight)
            heads = sum(draw.random() < 0.5 for _ in range(samples))
            for file, count in (one, heads), (other, samples - heads):
                if count:
                    file.write(f"{stack} {count}\n")


main()
