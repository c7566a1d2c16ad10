/*
 * The files of a recording, each with records one after the other.
 *
 * A recording is one file, or a directory (input/core/recording.h): its file "data" has the header
 * and, of the records, those that perf makes itself; each further file has those of one buffer,
 * which are in the order of time. perf_streams_next() says from which file to read on, so that the
 * records of all can be put in order while few of them wait.
 */
#ifndef INPUT_FORMATS_PERF_PERF_STREAM_H
#define INPUT_FORMATS_PERF_PERF_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "input/core/source.h"
#include "input/formats/perf/perf_input.h"
#include "input/formats/perf/perf_unzip.h"

struct perf_stream {
    struct source source; /* of a further file */
    struct perf_input input;
    uint64_t at, end; /* the place of the next record, and where records end */
    uint64_t newest;  /* the latest time of its records so far */
    struct perf_unzip unzip;
    struct buf unpacked; /* records that were compressed; the last one may be incomplete */
};

struct perf_streams VEC_OF(struct perf_stream *);

/* Adds the file of a content. Returns false after reporting an error. */
bool perf_streams_init(struct perf_streams *s, struct content *content);
void perf_streams_release(struct perf_streams *s);

/*
 * Adds the further files of a recording in a directory. Returns false after reporting one that
 * cannot be read.
 */
bool perf_streams_add_rest(struct perf_streams *s, struct content *content);

/* Returns the stream whose records are the oldest, of those that go on; NULL if none does. */
struct perf_stream *perf_streams_next(const struct perf_streams *s);

#endif
