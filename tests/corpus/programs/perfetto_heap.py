"""Writes a heap profile of two processes as heapprofd does: perfetto_heap.py > heap.perfetto-trace"""
import sys

from protobuf import message


def packet(*fields):
    sys.stdout.buffer.write(message((1, message(*fields))))


def sample(stack, allocated, freed, count, released):
    return (2, message((1, stack), (2, allocated), (3, freed), (5, count), (6, released)))


def dump(pid, time, *samples):
    return (5, message((1, pid), (3, 1), (9, time), (11, "libc.malloc"), (12, 4096), (13, 4096), *samples))


FUNCTIONS = ["main", "app::load(char const*)", "app::parse(int)", "operator new(unsigned long)", "malloc"]
PATHS = ["system", "lib64", "libc.so", "data", "app", "libapp.so"]
FRAMES = [(1, 2, 0x1000), (2, 2, 0x1040), (3, 2, 0x1100), (4, 2, 0x2000), (5, 1, 0x8000), (0, 2, 0x3000)]
STACKS = [[1, 2, 4, 5], [1, 3, 4, 5], [1, 2, 3, 4, 5], [1, 6, 5]]

tables = [(5, message((1, i + 1), (2, name))) for i, name in enumerate(FUNCTIONS)]
tables += [(17, message((1, i + 1), (2, part))) for i, part in enumerate(PATHS)]
tables += [(19, message((1, 1), (4, 1 << 40), (5, 2 << 40), (7, 1), (7, 2), (7, 3))),
           (19, message((1, 2), (4, 3 << 40), (5, 4 << 40), (7, 4), (7, 5), (7, 6)))]
tables += [(6, message((1, i + 1), (2, name), (3, mapping), (4, address)))
           for i, (name, mapping, address) in enumerate(FRAMES)]
tables += [(7, message((1, i + 1), (2, frames))) for i, frames in enumerate(STACKS)]

packet((10, 1), (8, 500), (2, message((1, message((1, 70), (2, 1), (3, "/system/bin/app"))),
                                      (1, message((1, 71), (2, 70), (3, "helper"))))))
packet((10, 2), (8, 1000), (13, 1), (12, message(*tables)), (41, 1))
packet((10, 2), (8, 1000),
       (37, message(dump(70, 1000, sample(1, 4096, 0, 1, 0), sample(2, 800, 800, 10, 10)), (6, 1), (7, 0))))
packet((10, 2), (8, 1000), (37, message(dump(71, 1000, sample(4, 64, 0, 2, 0)), (7, 1))))
packet((10, 2), (8, 9000),
       (37, message(dump(70, 9000, sample(1, 12288, 4096, 3, 1), sample(3, 1000, 250, 4, 1)),
                    dump(71, 9000, sample(4, 96, 32, 3, 1)), (7, 2))))
