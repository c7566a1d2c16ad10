"""Writes call trees as pictures, pages and tables of calls, which cannot be grown by repeating records."""
import json
import marshal
import random
from html import escape

DEPTH = 28
ONCE = 10_000  # boxes


class Tree:
    """A call tree, always the same one: level, start, weight, own weight and name of each box, parents first.

    `copies` of it lie beside each other above the first box, so that the size grows and the stacks do not.
    """

    def __init__(self, count, names, copies=1):
        chance = random.Random(1)
        levels, parents, todo = [0], [0], [0]
        while len(levels) < count:
            parent = todo.pop(chance.randrange(len(todo)) if len(todo) < 64 else -1)
            for _ in range(chance.randint(1, 3)):
                levels.append(levels[parent] + 1)
                parents.append(parent)
                if levels[-1] < DEPTH:
                    todo.append(len(levels) - 1)
            todo = todo or [0]
        own = [0] + [chance.randint(0, 4) for _ in levels[1:]]
        weight, start, taken = own[:], [0] * len(own), own[:]
        for box in range(len(own) - 1, 0, -1):
            weight[parents[box]] += weight[box]
        for box in range(1, len(own)):
            parent = parents[box]
            start[box] = start[parent] + taken[parent]
            taken[parent] += weight[box]
        boxes = list(zip(levels, start, weight, own, (chance.randrange(len(names)) for _ in own)))
        self.names, self.parents, self.total = names, parents, weight[0] * copies
        self.boxes = [(0, 0, self.total, 0, boxes[0][4])] + [
            (level, start + copy * weight[0], width, own, name)
            for copy in range(copies) for level, start, width, own, name in boxes[1:]]

    def in_order(self):
        """Boxes by place, each before those above it."""
        return sorted(self.boxes, key=lambda box: (box[1], box[0]))

    def calls(self):
        """For each pair of caller and callee: calls, own weight, weight; callers of the first box are None."""
        pairs = {}
        for box, (_, _, weight, own, name) in enumerate(self.boxes):
            caller = self.boxes[self.parents[box]][4] if box else None
            seen = pairs.setdefault(name, {}).setdefault(caller, [0, 0, 0])
            for place, more in enumerate((1, own, weight)):
                seen[place] += more
        return pairs


def flamegraph_svg(tree):
    height = 16 * (DEPTH + 4)
    yield ('<?xml version="1.0" standalone="no"?>\n<svg version="1.1" width="1200" height="%d" '
           'xmlns="http://www.w3.org/2000/svg">\n<!-- Flame graph stack visualization. See '
           'https://github.com/brendangregg/FlameGraph -->\n<g id="frames">\n' % height)
    for level, start, weight, _, name in tree.boxes:
        title = escape(tree.names[name]) if level else "all"
        yield ('<g >\n<title>%s (%s samples, %.2f%%)</title><rect x="%.1f" y="%d" width="%.1f" height="15.0" '
               'fill="rgb(239,159,38)" rx="2" ry="2" />\n<text  x="%.2f" y="%.1f" ></text>\n</g>\n' %
               (title, format(weight, ","), 100 * weight / tree.total, 10 + start, height - 16 * (level + 2),
                weight, 13 + start, height - 16 * level - 21.5))
    yield "</g>\n</svg>\n"


def async_profiler_page(tree):
    yield ("<!DOCTYPE html>\n<html lang='en'>\n<body>\n<h1>Flame Graph</h1>\n<script>\n"
           "function f(level, left, width, type, title) {\n}\n")
    for level, start, weight, _, name in tree.in_order():
        title = tree.names[name].replace("\\", "\\\\").replace("'", "\\'") if level else "all"
        yield "f(%d,%d,%d,1,'%s')\n" % (level, start, weight, title)
    yield "</script></body></html>\n"


def d3_page(tree):
    yield ('<!DOCTYPE html>\n<html><head><style>.d3-flame-graph rect { stroke: #eee; }</style></head>\n<body>\n'
           '<div id="chart"></div>\n<script>\nconst stacks = [')
    above = -1
    for level, _, weight, _, name in tree.in_order():
        yield "]}" * (above - level + 1) + ("," if above >= level else "")
        yield '{"n": %s, "l": "", "v": %d, "c": [' % (json.dumps(tree.names[name]), weight)
        above = level
    yield "]}" * (above + 1) + "];\n</script>\n</body></html>\n"


def flamebearer(tree):
    levels = [[] for _ in range(DEPTH + 1)]
    ends = [0] * (DEPTH + 1)
    for level, start, weight, own, name in tree.in_order():
        # Boxes lie at the left of their level: own weight is at the right in this format.
        levels[level] += [start - ends[level], weight, own, name + 1 if level else 0]
        ends[level] = start + weight
    yield json.dumps({"version": 1, "flamebearer": {
        "names": ["total"] + tree.names, "levels": levels, "numTicks": tree.total, "maxSelf": 4},
        "metadata": {"format": "single", "sampleRate": 100, "units": "samples"}})


def gprof(tree):
    yield "\t\t     Call graph\n\n\nindex % time    self  children    called     name\n"
    pairs = tree.calls()
    shown = lambda name: "%s [%d]" % (tree.names[name].replace(" ", "_"), name + 1)
    callees = {}
    for name, callers in pairs.items():
        for caller, seen in callers.items():
            callees.setdefault(caller, []).append((name, seen))
    for name, callers in pairs.items():
        for caller, (calls, own, weight) in callers.items():
            yield "                                                 <spontaneous>\n" if caller is None else \
                "%21.2f %7.2f %7d/%-7d     %s\n" % (own, weight - own, calls, calls, shown(caller))
        calls, own, weight = (sum(part) for part in zip(*callers.values()))
        yield "%-6s %6.1f %7.2f %7.2f %7d         %s\n" % (
            "[%d]" % (name + 1), 100 * weight / tree.total, own, weight - own, calls, shown(name))
        for callee, (calls, own, weight) in callees.get(name, []):
            yield "%21.2f %7.2f %7d/%-7d     %s\n" % (own, weight - own, calls, calls, shown(callee))
        yield "-----------------------------------------------\n"


def pstats(tree):
    key = [("/srv/app/%d.py" % (number % 500), number, name) for number, name in enumerate(tree.names)]
    table = {}
    for name, callers in tree.calls().items():
        calls, own, weight = (sum(part) for part in zip(*callers.values()))
        table[key[name]] = (calls, calls, own / 1e3, weight / 1e3, {
            key[caller]: (seen[0], seen[0], seen[1] / 1e3, seen[2] / 1e3)
            for caller, seen in callers.items() if caller is not None})
    yield marshal.dumps(table)


def written(data, kind, size):
    """The tree as a file of about `size` bytes; `data` are folded stacks, whose names it has."""
    names = sorted({frame for line in data.decode().splitlines()
                    for frame in line.rpartition(" ")[0].split(";")})
    write = globals()[kind.replace("-", "_")]
    if write in (gprof, pstats):
        # Of calls there are only sums, so the number of functions has to grow.
        names = ["%s.%d" % (name, turn) for turn in range(size // 400_000 + 1) for name in names]
    once = sum(len(part) for part in write(Tree(ONCE, names)))
    tree = Tree(ONCE * size // once, names) if write in (gprof, pstats) else \
        Tree(ONCE, names, max(1, size // once))
    for part in write(tree):
        yield part if isinstance(part, bytes) else part.encode()
