/*
 * Collects messages for the user about one file or one stage.
 *
 * Only cli prints them, in the order of the inputs, whichever thread added
 * them. Each message has a level, a place and a text:
 *
 *     app.folded:118: warning: weight 'x12' is not a number; line skipped
 *     heap.pb.gz: byte 0x2f1: error: ...
 *
 * Messages of one kind (one call of diag_add(), known by its format string)
 * are kept up to DIAG_KEEP times; the rest are counted and reported as
 * "... and 1,203 more like it". Control characters in the text are escaped, so
 * arguments may come straight from input.
 *
 * Only one thread at a time may use a diag. A diag owns its messages.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"

enum { DIAG_KEEP = 3 };

enum diag_level {
    DIAG_NOTE,    /* worth knowing, nothing is wrong */
    DIAG_WARNING, /* something was skipped or repaired; the result is still valid */
    DIAG_ERROR,   /* this file or step failed */
};

enum diag_unit {
    DIAG_NOWHERE, /* the file as a whole */
    DIAG_LINE,    /* line, counted from 1; column from 1, or 0 for none */
    DIAG_BYTE,    /* offset from the start of the file */
};

/* A place inside the file that the diag is about. */
struct diag_place {
    enum diag_unit unit;
    uint64_t at;
    uint32_t column;
};

struct diag_message {
    enum diag_level level;
    const char *kind; /* the format string; messages of equal kind are counted together */
    struct diag_place place;
    struct slice text;   /* escaped */
    uint64_t suppressed; /* further messages of this kind; counted on the last one kept */
};

struct diag {
    struct arena memory;
    struct slice path; /* shown before each message; empty for none */
    VEC(struct diag_message) messages;
    uint64_t counts[3]; /* messages by level, including suppressed ones */
    bool misused;       /* an error says that an option does not fit the input */
};

#define DIAG_AT_LINE(line) ((struct diag_place){DIAG_LINE, (line), 0})
#define DIAG_AT_COLUMN(line, column) ((struct diag_place){DIAG_LINE, (line), (column)})
#define DIAG_AT_BYTE(offset) ((struct diag_place){DIAG_BYTE, (offset), 0})
#define DIAG_AT_FILE ((struct diag_place){DIAG_NOWHERE, 0, 0})

/* Copies `path`, which is empty if the messages are not about a file. */
void diag_init(struct diag *d, struct slice path);
void diag_release(struct diag *d);

/* Adds a message. `format` must be a string literal: its address identifies the message's kind. */
void diag_add(struct diag *d, enum diag_level level, struct diag_place place, const char *format,
              ...) DIE_PRINTF(4, 5);

/* Adds an error about the file as a whole. Returns false, for `return diag_error(...)`. */
bool diag_error(struct diag *d, const char *format, ...) DIE_PRINTF(2, 3);
/*
 * Adds an error as diag_error() does, about an option that does not fit the input: one that names
 * what the input does not have, or needs it. It counts as wrong usage.
 */
bool diag_misuse(struct diag *d, const char *format, ...) DIE_PRINTF(2, 3);

/* Adds a warning about the file as a whole. */
#define diag_warn(d, ...) diag_add(d, DIAG_WARNING, DIAG_AT_FILE, __VA_ARGS__)
/*
 * Adds a message about the file as a whole, unless `count` is 0. In `text`, a literal, # stands for
 * the count, and {one|more} for one of two words or endings: "# sample{ has|s have} no stack".
 */
void diag_count(struct diag *d, enum diag_level level, uint64_t count, const char *text);
/* Adds such a warning. */
#define diag_warn_count(d, count, text) diag_count(d, DIAG_WARNING, count, text)
/* Returns the ending of a regular noun after a number, for messages with several numbers. */
static inline const char *diag_s(uint64_t count)
{
    return count == 1 ? "" : "s";
}
#define diag_warn_line(d, line, ...) diag_add(d, DIAG_WARNING, DIAG_AT_LINE(line), __VA_ARGS__)

/* Returns the text of the last note, or an empty slice. It says why a file is not a profile. */
struct slice diag_last_note(const struct diag *d);
/* Turns the last note into an error, for a file that the user named as a profile. */
void diag_raise_note(struct diag *d);

/*
 * Moves the messages of `from` to the end of those of `d` and adds `lines` to
 * their line numbers. Joins the parts of a file that were read in parallel: a
 * message about the file as a whole is kept once. Leaves `from` empty.
 */
void diag_append(struct diag *d, struct diag *from, uint64_t lines);

/*
 * Appends a message as a line for stderr, and a second line with the number of
 * suppressed messages, if any. `colour` adds ANSI colours.
 */
void diag_write_message(const struct diag *d, const struct diag_message *m, struct buf *out,
                        bool colour);
/* Appends all messages as diag_write_message() does. */
void diag_write(const struct diag *d, struct buf *out, bool colour);

#endif
