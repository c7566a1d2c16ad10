/*
 * The registry of formats of other tools that a profile can be written in.
 *
 * To add a format, add a file with a struct convert_writer, and a row to the list in writer.c.
 *
 * A writer passes over the distinct stacks of the profile once and streams. It says in a diag what
 * the format cannot hold.
 */
#ifndef CONVERT_WRITER_H
#define CONVERT_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "convert/stream.h"
#include "profile/profile.h"

/* What is written: a prepared profile, and those of its series that are wanted. */
struct conversion {
    const struct profile *profile;
    const uint32_t *series; /* graphs; the base of a pair is not listed */
    size_t count;           /* at least 1; 1 if the writer holds one series */
    struct slice title;     /* the name of the input */
    const char *split_by;   /* "thread": events are split into series by it; NULL if they are not */
};

/* What a format can have besides names and weights. */
enum convert_holds {
    CONVERT_MODULES = 1 << 0, /* of functions */
    CONVERT_LINES = 1 << 1,   /* source files and lines of functions */
    CONVERT_FACTS = 1 << 2,   /* of the recording, such as its host */
    CONVERT_TIMES = 1 << 3,   /* of single samples */
    CONVERT_ORDER = 1 << 4,   /* of single samples in time, but not their times */
    CONVERT_SPLIT = 1 << 5,   /* several series, if they are what one event was split into */
};

struct convert_writer {
    const char *name;    /* for --format */
    const char *title;   /* of a link to the file */
    const char *endings; /* of files, separated by blanks; the first is the usual one */
    const char *about;   /* one line for the documentation */
    bool many;           /* holds several series */
    unsigned holds;      /* enum convert_holds; lost_add() names the rest */
    bool compressed;     /* by gzip */
    void (*write)(const struct conversion *c, struct convert_stream *out, struct diag *diag);
};

/* Ended by NULL, in the order of the values of --format. */
extern const struct convert_writer *const convert_writers[];

/* Appends the usual ending of the writer's files: ".pb.gz". */
void convert_add_ending(struct buf *out, const struct convert_writer *writer);

/* Returns the writer with the longest of the endings that `path` has, or NULL. */
const struct convert_writer *convert_writer_for_path(struct slice path);

/* Writes everything. Returns false if the sink did. */
bool convert_write(const struct convert_writer *writer, const struct conversion *c,
                   convert_sink *sink, void *context, struct diag *diag);

extern const struct convert_writer convert_pprof;
extern const struct convert_writer convert_pprof_raw;
extern const struct convert_writer convert_speedscope;
extern const struct convert_writer convert_firefox;
extern const struct convert_writer convert_cpuprofile;
extern const struct convert_writer convert_d3;
extern const struct convert_writer convert_folded;
extern const struct convert_writer convert_otlp;
extern const struct convert_writer convert_otlp_json;

#endif
