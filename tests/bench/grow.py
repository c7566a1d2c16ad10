#!/usr/bin/env python3
"""Makes a large profile of a small one by repeating records, so that it stays valid.

    grow.py SEED OUT MEGABYTES HOW [ARGUMENT...]

    repeat            the whole file again and again
    rows N            what follows the first N lines
    between A B       what lies from the first A to the last B, both with it ("\\n" is a line end)
    lines REGEX       the whole file once, then its lines that match
    times REGEX       the file from its first match to its last: group 1 is a time that goes on
    items PATH...     JSON: the arrays there (a.0.b), or all arrays of an object there
    pprof             the samples of a protobuf profile
    words             the records of gperftools' CPU profiles, words of 64 bits
    bytes N           what follows the first N bytes
    ids A B REGEX     as between; group 1 are ids, other ones each time
    art N             the records after N bytes, dual clock, each time later, and all methods left
    arcs              the calls of a gmon.out file
    perf              the samples of a perf.data file, each time later
    simpleperf        the samples of simpleperf's protobuf, which come before its names
    nettrace          the blocks of a .NET recording that come before those of its names
    stacks FORMAT     folded stacks, written in that format
    tree FORMAT       a call tree with the names of folded stacks, written in that format

A compressed SEED is unpacked, and of an archive of Very Sleepy what its reader wants. OUT appears
when it is whole.
"""
import bz2
import gzip
import json
import os
import re
import struct
import subprocess
import sys
import zipfile

import perf_data
import stacks
import trees


def unpacked(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] == b"PK\3\4":
        with zipfile.ZipFile(path) as archive:
            return b"".join(map(archive.read, ("Symbols.txt", "Callstacks.txt")))
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    if data[:3] == b"BZh":
        return bz2.decompress(data)
    if data[:4] == b"\x28\xb5\x2f\xfd":
        return subprocess.run(["zstd", "-dcq", path], check=True, capture_output=True).stdout
    return data


def repeated(before, body, after, size):
    """The parts of a file in which `body` stands as often as fills `size`."""
    yield before
    times = max(1, (size - len(before) - len(after)) // len(body))
    chunk = body * max(1, min(times, 1_000_000 // len(body)))
    for _ in range(times * len(body) // len(chunk)):
        yield chunk
    yield after


def grow_repeat(data, size):
    if not data.endswith(b"\n"):
        data += b"\n"
    return repeated(b"", data, b"", size)


def grow_rows(data, size, count):
    lines = data.splitlines(keepends=True)
    body = b"".join(lines[int(count):])
    return repeated(b"".join(lines[:int(count)]), body, b"", size)


def grow_between(data, size, first, last):
    first, last = (text.replace("\\n", "\n").encode() for text in (first, last))
    start, end = data.index(first), data.rindex(last) + len(last)
    return repeated(data[:start], data[start:end], data[end:], size)


def grow_lines(data, size, pattern):
    wanted = re.compile(pattern.encode())
    body = b"".join(line for line in data.splitlines(keepends=True) if wanted.match(line))
    return repeated(data, body, b"", size)


def grow_times(data, size, pattern):
    found = list(re.finditer(pattern.encode(), data, re.M))
    start, end = found[0].start(), found[-1].end()
    digits = len(found[0].group(1).partition(b".")[2])
    times = [round(float(m.group(1)) * 10**digits) for m in found]
    # A block per record: what stands before its time, and what follows up to the next record.
    ends = [m.start() for m in found[1:]] + [end]
    texts = [(data[m.start():m.start(1)], data[m.end(1):to]) for m, to in zip(found, ends)]
    step = max(times) - min(times) + 1
    separator = b",\n" if data[:1] in b"[{" else b""
    yield data[:start]
    for turn in range(max(1, size // (end - start))):
        if turn:
            yield separator
        for (before, after), time in zip(texts, times):
            time += turn * step
            shown = "%d.%0*d" % (time // 10**digits, digits, time % 10**digits) if digits else \
                str(time)
            yield before + shown.encode() + after
    yield data[end:]


def holder_of(document, path):
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    for step in way:
        document = document[step]
    return document, last


def grow_items(data, size, *paths):
    document = json.loads(data)
    places = [holder_of(document, path) for path in paths]
    once = sum(len(json.dumps(holder[last], separators=(",", ":"))) for holder, last in places)
    times = max(1, size // once)
    for holder, last in places:
        if isinstance(holder[last], dict):
            holder[last] = {name: value * times if isinstance(value, list) else value
                            for name, value in holder[last].items()}
        else:
            holder[last] = holder[last] * times
    yield json.dumps(document, separators=(",", ":")).encode()


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 127) << shift
        shift, at = shift + 7, at + 1
        if byte < 128:
            return value, at


def grow_pprof(data, size):
    samples, others, at = [], [], 0
    while at < len(data):
        start = at
        key, at = varint(data, at)
        number, at = varint(data, at)
        at += number if key & 7 == 2 else 0
        (samples if key >> 3 == 2 else others).append(data[start:at])
    return repeated(b"", b"".join(samples), b"".join(others), size)


def grow_words(data, size):
    start = 8 * (2 + int.from_bytes(data[8:16], "little"))
    at = start
    while int.from_bytes(data[at:at + 8], "little"):
        at += 8 * (2 + int.from_bytes(data[at + 8:at + 16], "little"))
    return repeated(data[:start], data[start:at], data[at:], size)


def grow_bytes(data, size, count):
    return repeated(data[:int(count)], data[int(count):], b"", size)


def grow_arcs(data, size):
    header, bins, arc = 20, 40, 21  # bytes; a histogram states its bins, of 2 bytes
    at, others, arcs = header, [], []
    while at < len(data):
        length = arc if data[at] == 1 else 1 + bins + 2 * int.from_bytes(data[at + 17:at + 21], "little")
        (arcs if data[at] == 1 else others).append(data[at:at + length])
        at += length
    return repeated(data[:header] + b"".join(others), b"".join(arcs), b"", size)


def grow_perf(data, size):
    yield perf_data.repeat(data, size, 0)


def grow_art(data, size, count):
    start = int(count)
    record = struct.Struct("<HIII")
    records = list(record.iter_unpack(data[start:start + (len(data) - start) // record.size * record.size]))
    opened, last = {}, {}
    for thread, method, cpu, wall in records:
        stack = opened.setdefault(thread, [])
        last[thread] = cpu, wall
        if method & 3 == 0:
            stack.append(method)
        elif method & ~3 in stack:
            del stack[len(stack) - 1 - stack[::-1].index(method & ~3):]
    records += [(thread, method | 1, *last[thread]) for thread, stack in opened.items() for method in reversed(stack)]
    step = max(wall for _, _, _, wall in records) + 1
    yield data[:start]
    for turn in range(max(1, size // (record.size * len(records)))):
        late = turn * step
        yield b"".join(record.pack(thread, method, cpu + late & 0xffffffff, wall + late & 0xffffffff)
                       for thread, method, cpu, wall in records)


def grow_simpleperf(data, size):
    start, sample = 12, 10  # the bytes of the header, and the first one of a sample
    samples, others, at = [], [], start
    while at < len(data) - 4:
        record = data[at:at + 4 + int.from_bytes(data[at:at + 4], "little")]
        (samples if record[4] == sample else others).append(record)
        at += len(record)
    return repeated(data[:start], b"".join(samples), b"".join(others) + bytes(4), size)


def dotnet_blocks(data, at):
    """Head, name and content of each block; between head and content are zeros up to a multiple of 4."""
    while data[at] != 1:
        name = data[at + 15:at + 15 + int.from_bytes(data[at + 11:at + 15], "little")]
        start = end = at + 16 + len(name)
        length = 48
        if name != b"Trace":
            length = int.from_bytes(data[end:end + 4], "little")
            end += 4
            start = end + -end % 4
        yield data[at:end], name, data[start:start + length]
        at = start + length + 1


def grow_nettrace(data, size):
    begin = 32
    blocks = list(dotnet_blocks(data, begin))
    names = next(i for i, (_, _, content) in enumerate(blocks)
                 if "DotNETRuntimeRundown".encode("utf-16-le") in content)
    body = [block for block in blocks[:names] if block[1] in (b"EventBlock", b"StackBlock", b"SPBlock")]
    first = [block for block in blocks[:names] if block not in body]
    at = begin
    yield data[:begin]
    once = sum(len(content) for _, _, content in body)
    for part in [first] + [body] * max(1, size // once) + [blocks[names:]]:
        for head, name, content in part:
            piece = head + bytes(-(at + len(head)) % 4 if name != b"Trace" else 0) + content + b"\6"
            at += len(piece)
            yield piece
    yield b"\1"


def grow_ids(data, size, first, last, pattern):
    start, end = data.index(first.encode()), data.rindex(last.encode()) + len(last)
    found = re.compile(pattern.encode())
    body = data[start:end]
    step = max(int(m.group(1)) for m in found.finditer(body)) + 1
    yield data[:start]
    for turn in range(max(1, size // len(body))):
        yield found.sub(lambda m: m.group(0).replace(
            m.group(1), str(int(m.group(1)) + turn * step).encode()), body)
    yield data[end:]


def grow_stacks(data, size, kind):
    return repeated(*stacks.written(data, kind), size)


def grow_tree(data, size, kind):
    return trees.written(data, kind, size)


def main(seed, out, megabytes, how, *arguments):
    part = out + ".part"
    with open(part, "wb") as file:
        for piece in globals()["grow_" + how](unpacked(seed), int(megabytes) * 1_000_000,
                                              *arguments):
            file.write(piece)
    os.rename(part, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
