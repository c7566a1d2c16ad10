"""Orders as JSON in, a report out: json, re, collections, string formatting."""
import collections
import json
import random
import re
import sys
import textwrap
import time


def make_orders(count, seed):
    rng = random.Random(seed)
    return [
        {
            "id": i,
            "customer": f"customer-{rng.randrange(300)}",
            "note": " ".join(rng.choice(WORDS) for _ in range(12)),
            "lines": [{"sku": rng.randrange(2000), "price": rng.random() * 50} for _ in range(4)],
        }
        for i in range(count)
    ]


WORDS = "fast ship gift wrap blue red call before deliver leave porch 2x 10x 3rd floor".split()
QUANTITY = re.compile(r"(?P<n>\d+)(?:x|rd)\s+(?P<word>\w+)")


def dump(orders):
    return json.dumps(orders, indent=1, sort_keys=True)


def load(text):
    return json.loads(text, object_hook=clean)


def clean(item):
    if "note" in item:
        item["note"] = QUANTITY.sub(lambda m: f"{m['word']} times {m['n']}", item["note"])
    return item


def total(order):
    return sum(line["price"] for line in order["lines"])


def summarize(orders):
    totals = collections.defaultdict(float)
    for order in sorted(orders, key=total, reverse=True):
        totals[order["customer"]] += total(order)
    return totals


def render(orders, totals):
    rows = [f"{name:<16} {value:>12,.2f}" for name, value in sorted(totals.items())]
    notes = [textwrap.fill(order["note"], 40, initial_indent="* ") for order in orders[::4]]
    return "\n".join(rows + notes)


def main(seconds):
    end = time.monotonic() + seconds
    rounds = size = 0
    while time.monotonic() < end:
        orders = load(dump(make_orders(1500, rounds)))
        size += len(render(orders, summarize(orders)))
        rounds += 1
    print(rounds, size)


if __name__ == "__main__":
    main(float(sys.argv[1]))
