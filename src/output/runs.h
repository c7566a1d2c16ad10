/*
 * Writes the runs of a service, with all their stacks, as text:
 *
 *     # flamepress-runs: version=1 service=orders event=cpu-clock unit=ns decimals=0 exact=no
 *     # run: name=orders.1.perf.gz samples=1125 effective=1125 duration_ns=2254000000 hostname=web1
 *     # run: name=orders.2.perf.gz samples=1130 ...
 *     # module: name=libc.so.6 symbol=malloc
 *     orders_[o];main;parse 12000000 0
 *
 * A stack has a weight for each run, in units of 10^-decimals; stacks are in bytewise order. After
 * the first words of a run come its facts, with '.' before each key. The bytes depend on nothing
 * but the service. input/formats/folded/runs.c reads the format.
 */
#ifndef OUTPUT_RUNS_H
#define OUTPUT_RUNS_H

#include "base/buf.h"
#include "profile/service.h"

/* Appends the text. */
void runs_write(const struct service *s, struct buf *out);

/* Appends `text` compressed with zstd: the same bytes for the same text. */
void runs_compress(struct slice text, struct buf *out);

#endif
