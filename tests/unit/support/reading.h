/*
 * Reads a file into a profile, for tests of the readers: the result, the stacks as
 * sorted folded lines, and the messages as users see them.
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

/* Reads a file; messages show `name`. If `options` is NULL, takes the default ones. */
void reading_path(struct reading *r, const char *path, const char *name,
                  const struct input_options *options, unsigned threads);
/* Reads content through a temporary file, which messages show as "in". */
void reading_text(struct reading *r, struct slice content, const struct input_options *options);
void reading_release(struct reading *r);

/* Appends a series as lines "a;b_[k];c 12", sorted by bytes. */
void reading_fold(const struct reading *r, uint32_t series, struct buf *out);
/* Appends the total of each function of the first series, the largest first: "main 51 a 50 ". */
void reading_totals(const struct reading *r, struct buf *out);
/*
 * Appends the moments of a series in the order of time, as "17:a;b 12" with the time in
 * nanoseconds.
 */
void reading_moments(struct reading *r, uint32_t series, struct buf *out);
/* Appends the sorted lines, to compare with reading_fold(). */
void reading_sort(struct slice lines, struct buf *out);
/* Returns true for the note that names the recognised format. */
bool reading_recognised(const struct diag_message *m);
/* Returns true for the message that the last line has no line end. */
bool reading_unended(const struct diag_message *m);
/* Appends all messages but the two above, as on stderr. */
void reading_messages(const struct reading *r, struct buf *out);

/* Returns what was counted for the series `name`; 0 if there is no such series. */
uint64_t reading_note(const struct reading *r, const char *name, enum ledger_note note);

/*
 * Compare the lines of a series, or the messages, with the expected ones. `name` is that of the
 * case.
 */
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

/*
 * Returns whether both profiles have the same symbols, stacks, series and facts, with the same
 * ids.
 */
bool reading_same(const struct profile *a, const struct profile *b);

#endif
