#!/usr/bin/env python3
"""Writes a small nettrace file of version 6, as dotnet-trace collect-linux does, to standard output.

The layout is that of src/TraceEvent/EventPipe/NetTraceFormat.md and UniversalProviders.md in
github.com/microsoft/perfview. Two processes; "shop" has a compiled method and a C library, and
"idle" has neither. Prints on stderr the totals by event.
"""
import struct
import sys

TRACE, EVENT, METADATA, SEQUENCE, STACK, THREAD, LABELS = 1, 2, 3, 4, 5, 6, 8
CREATE, MAPPING, SYMBOL, CPU, SWITCH, ALLOCATION = 1, 2, 3, 4, 5, 6

def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])

def string(text):
    return varint(len(text)) + text.encode()

def short(text):
    return struct.pack("<H", len(text)) + text.encode()

def block(kind, body):
    return struct.pack("<I", kind << 24 | len(body)) + body

def row(body):
    return struct.pack("<H", len(body)) + body

def metadata(*rows):
    body = struct.pack("<H", 0)
    for number, provider, event, name in rows:
        body += row(varint(number) + string(provider) + varint(event) + string(name) + b"\0\0\0\0")
    return block(METADATA, body)

def compressed(events):
    """Each event gives its metadata, threads, stack, label list and size, so that all flags are met."""
    body, before = struct.pack("<HHQQ", 20, 1, 0, 0), 0
    for kind, thread, stack, time, payload in events:
        body += bytes([1 | 2 | 4 | 8 | 16 | 128]) + varint(kind) + varint(0) + varint(thread) + varint(0)
        body += varint(thread) + varint(stack) + varint(time - before) + varint(1) + varint(len(payload))
        body += payload
        before = time
    return block(EVENT, body)

def plain(events):
    body = struct.pack("<HHQQ", 20, 0, 0, 0)
    for kind, thread, stack, time, payload in events:
        event = struct.pack("<IIQQIIQII", kind, 0, thread, thread, 0, stack, time, 0, len(payload)) + payload
        body += struct.pack("<I", len(event)) + event
    return block(EVENT, body)

def stacks(first, *addresses):
    body = struct.pack("<II", first, len(addresses))
    for stack in addresses:
        body += struct.pack("<I", 8 * len(stack)) + struct.pack("<%dQ" % len(stack), *stack)
    return block(STACK, body)

def threads(*rows):
    body = b""
    for index, name, pid, tid in rows:
        body += row(varint(index) + b"\1" + string(name) + b"\2" + varint(pid) + b"\3" + varint(tid) +
                    b"\4" + string("key") + string("value"))
    return block(THREAD, body)

def mapping(number, start, end, file):
    return b"".join(map(varint, (number, start, end, 0))) + short(file) + varint(0)

def symbol(number, of, start, end, name):
    return b"".join(map(varint, (number, of, start, end))) + short(name)

METHOD = "instance void [Shop] Shop.Cart::Total(int32)[OptimizedTier1]"
JIT, LIBC, KERNEL, NOWHERE = 0x7F0000001000, 0x7F1000000000, 0xFFFFFFFF81000100, 0x10
TOTAL, READ = JIT + 0x10, LIBC + 0x20

out = [b"Nettrace" + struct.pack("<III", 0, 6, 0)]
out.append(block(TRACE, bytes(16) + struct.pack("<QQII", 1000, 10000000, 8, 1) + string("HardwareThreadCount") +
                 string("2")))
out.append(metadata((CREATE, "Universal.System", 1, "ProcessCreate"), (MAPPING, "Universal.System", 3, "ProcessMapping"),
                    (SYMBOL, "Universal.System", 4, "ProcessSymbol"), (CPU, "Universal.Events", 7, "cpu"),
                    (SWITCH, "Universal.Events", 8, "cswitch"),
                    (ALLOCATION, "Microsoft-Windows-DotNETRuntime", 10, "GCAllocationTick")))
out.append(threads((1, "main", 70, 71), (2, "worker", 70, 72), (3, "idle", 80, 80)))
out.append(block(LABELS, b"ignored"))
out.append(stacks(1, (TOTAL, TOTAL + 4), (KERNEL, READ, TOTAL), (NOWHERE,)))
one = varint(1)
out.append(compressed([
    (CREATE, 1, 0, 1000, varint(1) + short("/usr/bin/shop") + short("")),
    (CREATE, 3, 0, 1000, varint(1) + short("idle") + short("")),
    (MAPPING, 1, 0, 1000, mapping(1, JIT, JIT + 0x1000, "/memfd:doublemapper")),
    (MAPPING, 1, 0, 1000, mapping(2, LIBC, LIBC + 0x1000, "/nowhere/libc.so.6")),
    (CPU, 1, 1, 2000, one), (CPU, 1, 1, 3000, one), (CPU, 2, 2, 3000, varint(3)),
    (CPU, 3, 3, 3000, one),
]))
out.append(block(SEQUENCE, struct.pack("<QII", 3000, 0, 0)))
out.append(stacks(1, (READ, TOTAL)))
out.append(plain([(CPU, 2, 1, 4000, one), (SWITCH, 2, 1, 5000, varint(20)),
                  (ALLOCATION, 1, 1, 6000, struct.pack("<IIHQ", 100, 0, 0, 100))]))
out.append(compressed([
    (SYMBOL, 1, 0, 7000, symbol(1, 1, JIT, JIT + 0x100, METHOD)),
    (SYMBOL, 1, 0, 7000, symbol(2, 2, LIBC, LIBC + 0x100, "read")),
]))
out.append(block(0, b""))
sys.stdout.buffer.write(b"".join(out))
print("cpu 7, cswitch 20 ticks of 100 ns, GCAllocationTick 100", file=sys.stderr)
