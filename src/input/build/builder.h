/*
 * The builder: frames make stacks, stacks get weights.
 *
 * Every reader uses a builder, or a sample (input/build/sample.h) that contains one, so
 * that names, limits, selection and splitting are the same everywhere. Only folded and
 * perf script, whose speed is everything, do without. A sample is built like this:
 *
 *     builder_begin(b);
 *     builder_frame(b, &process);       // root first
 *     builder_leaf_first(b);            // from here on the leaf comes first
 *     for each frame: builder_frame(b, &frame);
 *     builder_add(b, series, weight);
 *
 * A tree whose nodes carry their own weights is built from STACK_ROOT down with
 * builder_child() and builder_add_at(). A frame of the same text, module, class and kind
 * is resolved once.
 *
 * Functions that return bool return false after reporting an error that ends the reading:
 * weights beyond 64 bits, too many stacks, a spent budget (base/budget.h). Cut stacks and
 * names are reported once.
 */
#ifndef INPUT_BUILD_BUILDER_H
#define INPUT_BUILD_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/intern.h"
#include "base/num.h"
#include "base/vec.h"
#include "input/build/frame_index.h"
#include "input/core/options.h"
#include "input/build/origin.h"
#include "input/core/text.h"
#include "profile/profile.h"

struct builder {
    struct profile *profile;
    const struct input_options *options;
    struct diag *diag;
    VEC(uint32_t) path; /* symbols of the current stack */
    size_t section;     /* start of the frames that are leaf first, if `leaf_first` */
    bool leaf_first;
    struct frame_index frames;   /* the number is the entry */
    struct frame_symbols chains; /* their symbols, one entry after the other */
    VEC(uint32_t) chain_ends;    /* by entry: where its symbols end */
    struct intern origins;       /* texts of origins */
    VEC(uint32_t) origin_series; /* by origin */
    bool by_event;               /* of an origin, the event alone decides its series */
    struct slice event;          /* of `series`, the one asked for last */
    uint32_t series;
    struct buf key, scratch;
    uint64_t truncated; /* of the ledger, when the last sample was added */
    bool warned_depth, warned_name;
    size_t work; /* steps that the budget does not have yet */
};

/* The id of no series, that of samples which the options leave out. */
#define BUILDER_LEFT_OUT SERIES_NONE

void builder_init(struct builder *b, struct profile *profile, const struct input_options *options,
                  struct diag *diag);
void builder_release(struct builder *b);

/* The begin() of a text reader whose state begins with a builder and needs nothing else. */
bool builder_text_begin(struct text *t, void *state);

/* The size of a state of type `type`, whose first member must be `member`. */
#define STATE_SIZE(type, member)                                                                   \
    (sizeof(type) + 0 * sizeof(struct {                                                            \
                        _Static_assert(offsetof(type, member) == 0, #member " first");             \
                        int none;                                                                  \
                    }))

/*
 * The members of a reader that has a line and a release of its own: sleepy_line() and so on; and
 * of one that has an end, too.
 */
#define BUILDER_LINES(name, member)                                                                \
    .state_size = STATE_SIZE(struct name, member), .begin = builder_text_begin,                    \
    .line = name##_line, .release = name##_release
#define BUILDER_READER(name, member) BUILDER_LINES(name, member), .end = name##_end

/* ---- stacks -------------------------------------------------------------------------------- */

/* Starts a new stack, root first. */
void builder_begin(struct builder *b);
/* The frames that follow come leaf first, up to the end of the stack or the next section. */
void builder_leaf_first(struct builder *b);
/* Starts a new stack, leaf first. */
static inline void builder_begin_leaf(struct builder *b)
{
    builder_begin(b);
    builder_leaf_first(b);
}
/* They come root first again. */
void builder_root_first(struct builder *b);

/* Appends a frame; a chain of inlined ones, as JIT symbol maps write it, appends each of them. */
void builder_frame(struct builder *b, const struct frame *f);

/* Appends a frame that is only a name. */
void builder_name(struct builder *b, struct slice name, enum frame_kind kind);

/* builder_frame() in two steps, for inputs that number their functions: an entry stays valid. */
uint32_t builder_entry(struct builder *b, const struct frame *f);
void builder_push(struct builder *b, uint32_t entry);
struct frame builder_frame_of(const struct builder *b, uint32_t entry);
/* Leaf first: returns whether further frames would be cut at --max-frames. */
static inline bool builder_is_full(const struct builder *b)
{
    return b->leaf_first && b->path.count - b->section > b->options->limits.max_depth;
}

/* The symbols of an entry, the caller before what is inlined into it, until the next entry. */
struct stack_path builder_symbols(const struct builder *b, uint32_t entry);
/* Pushes a symbol from builder_symbols(); if the leaf comes first, push the last one first. */
static inline void builder_push_symbol(struct builder *b, uint32_t symbol)
{
    *vec_add(&b->path) = symbol;
}

/* Pushes the frames of a stack of the profile, with its root next to what is there. */
void builder_push_stack(struct builder *b, uint32_t stack);

/* Symbols in the current stack; leaves `depth` of them (root first sections only). */
static inline size_t builder_depth(const struct builder *b)
{
    return b->path.count;
}
void builder_cut(struct builder *b, size_t depth);

/*
 * Adds the current stack to the profile and keeps it current. Returns false after
 * reporting an error.
 */
bool builder_stack(struct builder *b, uint32_t *stack);

/*
 * builder_stack() in two steps, so that up to STACK_PATHS_MOST stacks wait for memory
 * together. builder_path() returns the symbols of the current stack, which the caller
 * copies; builder_stacks() turns many such paths into ids.
 */
struct stack_path builder_path(struct builder *b);
bool builder_stacks(struct builder *b, struct stack_path *paths, uint32_t count);

/* ---- trees --------------------------------------------------------------------------------- */

/*
 * Adds the stack `parent` plus one frame or entry called from it. Returns false after
 * reporting an error.
 */
bool builder_child(struct builder *b, uint32_t parent, const struct frame *f, uint32_t *stack);
bool builder_child_entry(struct builder *b, uint32_t parent, uint32_t entry, uint32_t *stack);
/* The frame is a symbol of the profile. */
bool builder_child_symbol(struct builder *b, uint32_t parent, uint32_t symbol, uint32_t *stack);

/* ---- weights ------------------------------------------------------------------------------- */

/*
 * Returns the series for samples of an origin, created at first use. Its name is the
 * event's and, with --split, also that of the process, thread or CPU. Returns
 * BUILDER_LEFT_OUT if the options exclude these samples (--process, --thread, --state);
 * adding to it counts the sample in the ledger and does nothing else.
 */
uint32_t builder_series(struct builder *b, const struct origin *origin, struct unit unit);

/*
 * Adds a weight to the current stack, which stays current. A stack without frames is counted as
 * such and its weight kept at the root.
 */
bool builder_add(struct builder *b, uint32_t series, uint64_t weight);
bool builder_add_decimal(struct builder *b, uint32_t series, struct decimal weight);

/* Adds a weight to a stack of the profile. */
bool builder_add_at(struct builder *b, uint32_t series, uint32_t stack, struct decimal weight);

/*
 * Adds a weight that may be negative, as in the difference of two profiles. With the first
 * negative weight the series becomes the new one of a pair; negative weights are added to
 * its base.
 */
bool builder_add_signed(struct builder *b, uint32_t series, int64_t weight);
bool builder_add_signed_at(struct builder *b, uint32_t series, uint32_t stack, int64_t weight);

/*
 * Counts samples that have owners, such as a process, but no stack. builder_add() and
 * builder_add_at() count samples that have nothing.
 */
void builder_note_bare(struct builder *b, uint32_t series, uint64_t samples);

/* Counts a record as unreadable; use builder_skip(). */
static inline void builder_count_skipped(const struct builder *b)
{
    b->profile->ledger.unreadable++;
}

/*
 * Counts a record, or a part of one, as unreadable, with a warning at its place that quotes it. The
 * format is a literal.
 */
#define builder_skip(b, place, ...)                                                                \
    (diag_add((b)->diag, DIAG_WARNING, (place), __VA_ARGS__), builder_count_skipped(b))

/* Counts such a text, with the warning "WHAT: 'TEXT'; THEN", a long TEXT shortened. */
void builder_skip_text(const struct builder *b, const char *what, struct slice text,
                       const char *then);

struct json_value;
/* Counts and quotes a child of a tree in JSON that is no node. */
void builder_skip_child(const struct builder *b, const struct json_value *child);

/* Counts records as unreadable, with a warning as diag_warn_count() adds it. */
void builder_unreadable(const struct builder *b, uint64_t count, const char *text);

/* Counts samples whose weight is part of one that was added. */
void builder_count(struct builder *b, uint32_t series, uint64_t samples);
/* Takes the weight that was added last out of the number of samples: it is no sample's. */
void builder_discount(struct builder *b, uint32_t series);

/* Notes the time of a sample, which is added next, in nanoseconds. */
void builder_time(struct builder *b, uint32_t series, uint64_t ns);
/*
 * Notes the time of the next sample, if profile->keep_timed is set. For readers that otherwise
 * add samples up.
 */
void builder_set_time(struct builder *b, uint32_t series, int64_t ns);

#endif
