/*
 * The head of folded stacks: a first line that says what the weights below it are.
 *
 *     # flamepress: unit=ns event=cpu-clock samples=1125 total=4361808500 .hostname=web1
 *     main;parse 12000000
 *
 * Folded stacks have weights without a unit, and sums of samples instead of samples. The head adds
 * unit, event, number of samples, range of time stamps, lost events and facts of the run (each with
 * '.' before its key). If stacks have two weights, the keys of the base begin with "base.", and
 * `pair` says what the two weights are, unless they are a change. Other programs skip the line,
 * since its last word is not a number.
 *
 * Programs between writer and reader remove and rename stacks, and join files. `total` is the sum
 * of the weights, so that a reader notices when the number of samples is that of other stacks; then
 * it is unknown. The heads of joined files are added up.
 *
 * output/folded.c writes the head, and input/formats/folded/folded.c reads it. It is input from
 * anywhere: unknown keys are skipped, of a repeated key the last one counts (of a fact the first),
 * and a value that is malformed or absurd counts as missing.
 */
#ifndef PROFILE_FOLDED_HEAD_H
#define PROFILE_FOLDED_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/num.h"
#include "base/slice.h"
#include "profile/pair.h"
#include "profile/profile.h"

#define FOLDED_HEAD_MARK "# flamepress:"

/* The longest head in bytes. Facts that do not fit are not written; a longer line is no head. */
enum { FOLDED_HEAD_MOST = 8192 };

/* What a head says about one column of weights. */
struct folded_head_side {
    struct slice event, unit, input;
    int exponent;     /* of a unit of time that has no word of its own */
    uint64_t samples; /* 0 if it is unknown */
    double effective; /* as profile_effective_samples(); 0 if it is that of `samples` */
    bool has_total;
    struct decimal total;       /* of the weights */
    struct decimal unscaled;    /* of the weights before --normalize; 0 if they are not scaled */
    uint64_t first_ns, last_ns; /* first > last if there are no time stamps */
    struct slice records;       /* these two as the members of struct series */
    bool of_samples;
};

struct folded_head {
    bool has_base;
    enum pair_kind pair;
    bool exact;
    uint64_t lost;
    struct folded_head_side base, new;
};

/*
 * Appends the head of a series and its base with a line end; `unit` replaces the unit of the
 * series. Appends nothing if there is nothing to say, or too much.
 */
void folded_head_write(const struct profile *p, uint32_t series, const struct unit *unit,
                       struct buf *out);

/* Returns whether a line begins as a head and is short enough. */
bool folded_head_is(struct slice line);

/* Reads the line, without its line end, and adds its facts to `p`. Texts are copied into `p`. */
void folded_head_read(struct folded_head *h, struct profile *p, struct slice line);

/* Adds the series that the head describes. Returns its id; for a pair, that of the new side. */
uint32_t folded_head_add_series(const struct folded_head *h, struct profile *p);

/*
 * Adds `line`, the head of a file that follows in the same text. Facts that differ are removed.
 * Returns false if weights of the two cannot be added up.
 */
bool folded_head_join(struct folded_head *h, struct profile *p, struct slice line);

/* Gives the series, after all their weights were added, what the head says of them. */
void folded_head_finish(const struct folded_head *h, struct profile *p, uint32_t series);

#endif
