"""Writes a dump of a Java process's heap as Android does: perfetto_java.py > java.perfetto-trace

Prints on stderr, for each class, the bytes of the objects that a root holds, by a search of its own.
"""
import sys
from collections import Counter

from protobuf import message

CLASSES = [("java.lang.Thread", 88, 1), ("java.util.ArrayList", 24, 1), ("java.lang.Object[]", 0, 4), ("byte[]", 0, 4),
           ("java.lang.String", 16, 3), ("app.Cache", 32, 1), ("app.Entry", 40, 1),
           ("java.lang.ref.WeakReference", 24, 9), ("app.Main$Handler", 56, 1)]
IDS = {name: number + 1 for number, (name, _, _) in enumerate(CLASSES)}
FIELDS = {"java.lang.ref.WeakReference": [1]}
objects = []  # class, bytes if they are not the class's, references


def add(name, *references, size=0):
    objects.append((name, size, list(references)))
    return len(objects)


def string(length):
    return add("java.lang.String", add("byte[]", size=16 + length))


entries = [add("app.Entry", string(20 + 10 * i)) for i in range(40)]
table = add("java.lang.Object[]", *entries, size=16 + 4 * len(entries))
cache = add("app.Cache", add("java.util.ArrayList", table))
bitmap = add("app.Entry", add("byte[]", size=100000))
handler = add("app.Main$Handler", add("java.lang.ref.WeakReference", bitmap), cache)
thread = add("java.lang.Thread", string(4), handler)
garbage = add("java.util.ArrayList", add("java.lang.Object[]", string(500), size=56))
roots = [(8, [thread]), (1, [handler]), (5, [cache])]

held, queue = set(), [number for _, numbers in roots for number in numbers]
while queue:
    number = queue.pop()
    if number not in held:
        held.add(number)
        queue += [] if "Weak" in objects[number - 1][0] else objects[number - 1][2]
sizes = Counter()
for number in held:
    name, size, _ = objects[number - 1]
    sizes[name] += size or dict((c[0], c[1]) for c in CLASSES)[name]
print(sum(sizes.values()), "bytes in", len(held), "objects", dict(sizes), file=sys.stderr)

BASE = 0x13000000


def packet(index, *fields, last=False):
    graph = message((1, 4242), *fields, (6, index), (5, int(not last)))
    sys.stdout.buffer.write(message((1, message((10, 3), (8, 1000), (56, graph)))))


written = [(2, message((1, BASE + 1) if number == 0 else (7, 1), (2, IDS[name]), (3, size), (6, BASE), (5, references)))
           for number, (name, size, references) in enumerate(objects)]
half = len(written) // 2
sys.stdout.buffer.write(message((1, message((10, 1), (8, 500), (2, message((1, message((1, 4242), (2, 1), (3, "app")))))))))
packet(0, *written[:half])
packet(1, *written[half:])
packet(2, (4, message((1, 1), (2, "java.lang.Object java.lang.ref.Reference.referent"))),
       *[(9, message((1, IDS[name]), (3, name), (4, size), (6, FIELDS.get(name, [])), (7, kind)))
         for name, size, kind in CLASSES],
       *[(7, message((1, [BASE + n for n in numbers]), (2, kind))) for kind, numbers in roots], last=True)
