/*
 * A sample being read: opened, given its frames, weighed and closed.
 *
 *     sample_open(s, process);          // closes the sample before; `process` is the first frame
 *     sample_frame(s, &frame);          // leaf first
 *     s->weight.value = 12;             // 1 unless set
 *     sample_close(s);                  // adds the weight to the series of s->origin
 *
 * The sample owns what nearly every reader needs besides: the builder, the
 * texts of the origin, names met before, a buffer for names.
 *
 * A text reader whose state begins with a sample takes its callbacks from here:
 *
 *     struct phpspy {
 *         struct sample sample;
 *         ...
 *     };
 *
 *     .text = {SAMPLE_READER(phpspy, SAMPLE_STATE(struct phpspy)), .again = sample_again},
 *
 * A reader with more to prepare or to release writes a callback of its own that
 * calls sample_init(), sample_close() or sample_release().
 *
 * Lines that come again need not be parsed again (input/core/text.h). In line(),
 * sample_frame_line() and sample_close_line() do what sample_frame() and sample_close() do and
 * note it as the meaning of the line, which sample_again() repeats. A reader with
 * more kinds of lines numbers them from SAMPLE_KINDS up and passes on all others.
 *
 * Functions that return bool return false after reporting an error that ends
 * the reading.
 */
#ifndef INPUT_BUILD_SAMPLE_H
#define INPUT_BUILD_SAMPLE_H

#include "base/buf.h"
#include "base/intern.h"
#include "input/build/builder.h"
#include "input/build/frame_cache.h"
#include "input/core/text.h"

struct sample {
    struct builder builder;
    struct origin origin;  /* its texts must outlive the sample: see sample_keep() */
    struct unit unit;      /* of the series; unit_samples unless set */
    struct decimal weight; /* 1 after sample_open() */
    bool open;
    struct frame_cache known; /* builder's entries by text, for the reader's use */
    struct intern texts;
    struct buf scratch; /* for the reader's use: a name that is being made */
};

void sample_init(struct sample *s, struct profile *profile, const struct input_options *options,
                 struct diag *diag);
void sample_release(struct sample *s);

/* ---- one sample ---------------------------------------------------------------------------- */

/*
 * Closes the sample that is open, if one is, and opens the next one with the
 * root frame `root`, or none if that is empty. Frames follow, leaf first.
 */
bool sample_open(struct sample *s, struct slice root);

/* Appends a frame. Returns the builder's entry of it, for sample_push(). */
static inline uint32_t sample_frame(struct sample *s, const struct frame *f)
{
    uint32_t entry = builder_entry(&s->builder, f);

    builder_push(&s->builder, entry);
    return entry;
}

static inline void sample_push(struct sample *s, uint32_t entry)
{
    builder_push(&s->builder, entry);
}

/* Adds the open sample to the series of its origin. Does nothing if none is open. */
bool sample_close(struct sample *s);

/* Leaves the open sample out. */
static inline void sample_drop(struct sample *s)
{
    s->open = false;
}

/* A copy of the text that lives as long as `s`: for the origin. Equal texts share one copy. */
struct slice sample_keep(struct sample *s, struct slice text);

/* Whether names are those of the reference converter (--names=reference). */
static inline bool sample_is_reference(const struct sample *s)
{
    return s->builder.options->names == NAMES_REFERENCE;
}

/* ---- callbacks of text readers ------------------------------------------------------------- */

/* The size of a state, which must begin with the member `struct sample sample`. */
#define SAMPLE_STATE(type) STATE_SIZE(type, sample)

/* The members of a reader whose one callback of its own is its NAME_line(). */
#define SAMPLE_READER(name, size) SAMPLE_LINES(name, size), .end = sample_end

/* SAMPLE_READER() of a dump of threads. */
#define SAMPLE_THREADS_READER(name, size)                                                          \
    .state_size = size, .begin = sample_begin_threads, .line = name##_line, .end = sample_end,     \
    .release = sample_free

/* The members of a reader that has a NAME_line() and sets .end itself. */
#define SAMPLE_LINES(name, size)                                                                   \
    .state_size = size, .begin = sample_begin, .line = name##_line, .release = sample_free

/* The members of a reader that also has an end and a release of its own: xperf_end() and so on. */
#define SAMPLE_STATE_READER(name)                                                                  \
    .state_size = SAMPLE_STATE(struct name), .begin = sample_begin, .line = name##_line,           \
    .end = name##_end, .release = name##_release

/* SAMPLE_STATE_READER() of a dump of threads. */
#define SAMPLE_STATE_THREADS_READER(name)                                                          \
    .state_size = SAMPLE_STATE(struct name), .begin = sample_begin_threads, .line = name##_line,   \
    .end = name##_end, .release = name##_release

bool sample_begin(struct text *t, void *state);
/* sample_begin() of dumps of threads, whose unit is unit_threads. */
bool sample_begin_threads(struct text *t, void *state);
bool sample_end(struct text *t, void *state);
void sample_free(void *state);

/* ---- lines that come again ----------------------------------------------------------------- */

enum sample_meaning { SAMPLE_FRAME = 1, SAMPLE_CLOSE, SAMPLE_KINDS };

/* In line(): appends the frame that the current line is. */
void sample_frame_line(struct sample *s, struct text *t, const struct frame *f);

/* In line(): closes the sample, because the current line says that it is over. */
bool sample_close_line(struct sample *s, struct text *t);

/* Repeats these two. A frame outside of a sample is unfit: line() gets it. */
enum text_again sample_again(struct text *t, void *state, const struct line_meaning *m);

#endif
