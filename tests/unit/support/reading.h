/*
 * A file read into a profile, for tests of the readers: what came of it, the
 * stacks as sorted folded lines, and the messages as the user sees them.
 */
#ifndef SUPPORT_READING_H
#define SUPPORT_READING_H

#include "base/buf.h"
#include "base/diag.h"
#include "input/read.h"

struct reading {
    enum input_result result;
    struct profile profile;
    struct diag diag;
};

/* Reads a file; messages show `name`. NULL options are the default ones. */
void reading_path(struct reading *r, const char *path, const char *name,
                  const struct input_options *options, unsigned threads);
/* The same for content, which goes through a temporary file shown as "in". */
void reading_text(struct reading *r, struct slice content, const struct input_options *options);
void reading_release(struct reading *r);

/* Appends a series as lines "a;b_[k];c 12", sorted by bytes. */
void reading_fold(const struct reading *r, uint32_t series, struct buf *out);
/* Appends its moments in the order of time, as "17:a;b 12", the time in nanoseconds. */
void reading_moments(struct reading *r, uint32_t series, struct buf *out);
/* Sorts lines by bytes, for text to compare that with. */
void reading_sort(struct slice lines, struct buf *out);
/* True for the note that says what the file was read as. */
bool reading_recognised(const struct diag_message *m);
/* True for the one that says that the last line has no line end. */
bool reading_unended(const struct diag_message *m);
/* The messages but these notes, as stderr would show them. */
void reading_messages(const struct reading *r, struct buf *out);

/* Returns what was counted for the series `name`; 0 if there is no such series. */
uint64_t reading_note(const struct reading *r, const char *name, enum ledger_note note);

/* Holds a series' lines, and the messages, to what they should be; `name` is the case's. */
void reading_expect_fold(const struct reading *r, const char *name, uint32_t series,
                         const char *want);
/*
 * Expects the series `series` with these lines, or no such series if `want` is NULL. Returns its
 * unit, or NULL.
 */
const struct unit *reading_expect_series(const struct reading *r, const char *name,
                                         const char *series, const char *want);
void reading_expect_messages(const struct reading *r, const char *name, const char *want);
/* Expects `part` somewhere in the messages. */
void reading_expect_message(const struct reading *r, const char *part);

/* True where both hold the same symbols, stacks, series and facts, under the same ids. */
bool reading_same(const struct profile *a, const struct profile *b);

#endif
