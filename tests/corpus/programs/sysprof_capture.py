#!/usr/bin/env python3
"""Writes a small capture of Sysprof to standard output. With --counts, prints its totals instead.

The layout is that of src/libsysprof-capture/sysprof-capture-types.h in gitlab.gnome.org/GNOME/sysprof.
Two processes: a parent with maps, and its child, which has those of its parent. Addresses of a
binary that does not exist have names in __symbols__; the kernel's are in /proc/kallsyms.
"""
import gzip
import struct
import sys

USER, KERNEL = 2**64 - 512, 2**64 - 128
MAIN, PARSE, READ, JIT = 0x400010, 0x400110, 0x400210, 0xE000000000000001
ABOVE = [0, 0x4F42444E41535F53]  # what the frame pointers lead to after the first function
SYSCALL = 0xFFFFFFFF81000010

SAMPLES = [  # pid, tid, how often, addresses
    (7, 7, 3, [USER, PARSE, MAIN] + ABOVE),
    (7, 8, 2, [KERNEL, SYSCALL, USER, READ, MAIN]),
    (7, 8, 1, [USER, JIT, MAIN]),
    (9, 9, 4, [PARSE, MAIN]),
    (9, 9, 1, [USER, 0x400999]),
]
ALLOCATIONS = [  # pid, address, size (0: freed), addresses
    (7, 0x1000, 100, [PARSE, MAIN]),
    (7, 0x2000, 50, [READ, MAIN]),
    (7, 0x1000, 0, []),
    (7, 0x1000, 30, [PARSE, MAIN]),
    (7, 0x9000, 0, []),
]

def record(kind, pid, time, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<HhiqB7x", 24 + len(body), 0, pid, time, kind) + body

def words(addresses):
    return struct.pack("<%dQ" % len(addresses), *addresses)

def chunk(path, content, last=True):
    return record(13, -1, 0, struct.pack("<HH256s", last, len(content), path) + content)

def symbols():
    rows = [(7, MAIN, "main"), (7, PARSE, "parse"), (7, READ, "read_all"), (9, MAIN, "main"),
            (9, PARSE, "parse")]
    strings, packed, size = b"\0", b"", 32 * (len(rows) + 1)
    for pid, address, name in rows:
        packed += struct.pack("<QQIIII", address & ~15, address | 255, pid, size + len(strings), size, 0)
        strings += name.encode() + b"\0"
    return gzip.compress(packed + bytes(32) + strings, mtime=0)

def capture():
    out = [struct.pack("<IBBxx64sqq168x", 0xFDCA975E, 1, 1, b"2026-11-27T22:35:43Z", 1000, 2000)]
    out.append(record(4, 7, 1000, b"/usr/bin/app --fast\0"))
    out.append(record(3, 7, 1000, struct.pack("<QQQQ", 0x400000, 0x401000, 0, 1) + b"/nowhere/app\0"))
    out.append(record(4, 9, 1000, b"worker\0"))
    out.append(record(5, 7, 1000, struct.pack("<i", 9)))
    out.append(record(7, 7, 1000, struct.pack("<IQ", 1, JIT) + b"script.js:12\0"))
    time = 1000
    for pid, tid, times, stack in SAMPLES:
        for _ in range(times):
            time += 10
            out.append(record(2, pid, time, struct.pack("<HHi", len(stack), 0, tid) + words(stack)))
    for pid, address, size, stack in ALLOCATIONS:
        time += 10
        out.append(record(14, pid, time,
                          struct.pack("<QqiHH", address, size, pid, len(stack), 0) + words(stack)))
    for entered in 1, 0:
        out.append(record(16, 7, time, struct.pack("<HHi", 2, entered, 7) + words([PARSE, MAIN])))
    out.append(record(10, 7, time, struct.pack("<q24s40s", 5, b"group", b"mark") + b"ignored\0"))
    packed = symbols()
    out.append(chunk(b"__symbols__.gz", packed[:40], False))
    out.append(chunk(b"__symbols__.gz", packed[40:]))
    out.append(chunk(b"/proc/kallsyms", b"ffffffff81000000 T do_syscall_64\nffffffff82000000 T _etext\n"))
    return b"".join(out)

if sys.argv[1:] == ["--counts"]:
    live = {}
    for _, address, size, _ in ALLOCATIONS:
        live[address] = size
    print("samples", sum(times for _, _, times, _ in SAMPLES))
    print("bytes allocated", sum(size for _, _, size, _ in ALLOCATIONS))
    print("bytes not freed", sum(live.values()))
    print("calls 1")
else:
    sys.stdout.buffer.write(capture())
