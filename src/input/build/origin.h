/*
 * The origin of a sample: its event, process and thread, and how --process, --thread and
 * --split use them.
 *
 * Samples whose origin the input does not give are kept whatever the options ask for, and
 * input/read.c warns about that.
 *
 * The labels of a sample ("endpoint" is "/cart") are not kept; --tag and --split-tag use them.
 * A reader of a format with labels sets `tags` for each sample, and gives each label to
 * origin_take_tag().
 */
#ifndef INPUT_BUILD_ORIGIN_H
#define INPUT_BUILD_ORIGIN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "input/core/options.h"

enum origin_tags {
    TAGS_UNKNOWN, /* the format has no labels */
    TAGS_OTHER,   /* the sample has no label that --tag asks for */
    TAGS_WANTED,
};

/* Empty if the input does not say. */
struct origin {
    struct slice event;           /* event, counter, sample type or map; empty for the only one */
    struct slice process, thread; /* names */
    struct slice pid, tid;        /* numbers, as written */
    struct slice cpu;             /* its number, as written */
    struct slice cgroup;          /* the path of its control group */
    struct slice state;           /* what the thread was doing: "D", "WAITING" */
    struct slice tag;             /* the value of the label that --split-tag names */
    enum origin_tags tags;
};

static inline bool origin_has_process(const struct origin *o)
{
    return o->process.len || o->pid.len;
}

static inline bool origin_has_thread(const struct origin *o)
{
    return o->thread.len || o->tid.len;
}

/* Whether the options need the labels of samples. */
static inline bool origin_needs_tags(const struct input_options *options)
{
    return options->tag_count || options->split_tag;
}

/* Whether the options need the label with this key. */
bool origin_needs_tag(const struct input_options *options, struct slice key);

/* Takes a label of the sample. The value is not copied. */
void origin_take_tag(struct origin *o, const struct input_options *options, struct slice key,
                     struct slice value);

/* False for samples that the options leave out. */
bool origin_is_wanted(const struct origin *o, const struct input_options *options);

/*
 * Appends the name of the series for such samples: the event's, and with
 * --split what it is split by, "cycles, mysqld (120)". Valid UTF-8.
 */
void origin_add_name(struct buf *out, const struct origin *o, const struct input_options *options);

#endif
