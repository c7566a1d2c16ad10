#!/usr/bin/env python3
"""Makes a history of many labels, and the profiles of the week after it.

    history.py DIRECTORY [--labels 104] [--services 50] [--runs 5] [--flamepress PROGRAM]

DIRECTORY/history is made by `flamepress archive`, a label a week; DIRECTORY/week has the profiles
of the newest week. A service has 400 stacks of some 120 functions, with 2,000 samples a run; runs
differ by more than chance, as real ones do. In every tenth service one function grows by half in
the middle of the history. The result depends on nothing but the arguments.
"""
import argparse
import datetime
import os
import random
import shutil
import subprocess

STACKS, FUNCTIONS, SAMPLES = 400, 120, 2000


class Service:
    """The stacks of a service, and how often each is sampled."""

    def __init__(self, number):
        draw = random.Random(number)
        module = WORDS[number % 16]
        names = [f"{module}::{draw.choice(WORDS)}_{draw.choice(WORDS)}::{draw.choice(WORDS)}{i}"
                 for i in range(FUNCTIONS)]
        self.name = f"{WORDS[number % 16]}-{WORDS[number // 16 % 16]}"
        self.grows = names[7] if number % 10 == 0 else None
        self.stacks = []
        for i in range(STACKS):
            depth = draw.randint(6, 24)
            start = draw.randrange(8)
            frames = ["main", "run"] + [names[(start + k * k + draw.randrange(3)) % FUNCTIONS]
                                        for k in range(depth)]
            self.stacks.append((";".join(frames), 1 / (i + 4)))
        whole = sum(share for _, share in self.stacks)
        self.stacks = [(stack, SAMPLES * share / whole) for stack, share in self.stacks]

    def write(self, path, draw, grown):
        """Writes one run."""
        gauss = draw.gauss
        with open(path, "w", encoding="ascii") as out:
            for stack, mean in self.stacks:
                if grown and self.grows and self.grows in stack:
                    mean *= 1.5
                count = int(mean + 0.5 + gauss(0, 1) * (mean + 0.0005 * mean * mean) ** 0.5)
                if count > 0:
                    out.write(f"{stack} {count}\n")


WORDS = ["parse", "render", "query", "buffer", "session", "record", "cache", "index", "encode",
         "merge", "verify", "route", "balance", "schedule", "compress", "order"]


def write_week(directory, services, runs, draw, grown):
    """Writes the profiles of one week."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for service in services:
        for run in range(1, runs + 1):
            service.write(f"{directory}/{service.name}.{run}.folded", draw, grown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory")
    parser.add_argument("--labels", type=int, default=104)
    parser.add_argument("--services", type=int, default=50)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--flamepress", default="build/release/flamepress")
    options = parser.parse_args()
    services = [Service(i) for i in range(options.services)]
    week = f"{options.directory}/week"
    history = f"{options.directory}/history"
    monday = datetime.date(2024, 1, 1)
    for label in range(options.labels + 1):
        date = monday + datetime.timedelta(weeks=label)
        write_week(week, services, options.runs, random.Random(f"label {label}"),
                   label >= options.labels // 2)
        if label < options.labels:
            subprocess.run([options.flamepress, "archive", "-q", "--no-fsync", week, "--to",
                            history, "--label", date.strftime("%G-w%V"), "--date",
                            date.isoformat()], check=True)


if __name__ == "__main__":
    main()
