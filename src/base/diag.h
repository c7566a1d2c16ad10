/*
 * What to tell the user.
 *
 * A diag collects messages about one file or one stage; nobody but cli prints
 * them, in the order of the inputs, whatever thread made them. Each message
 * has a level, a place and a text:
 *
 *     app.folded:118: warning: weight 'x12' is not a number; line skipped
 *     heap.pb.gz: byte 0x2f1: error: ...
 *
 * Messages of one kind (one call of diag_add(), known by its format string)
 * are kept in full up to DIAG_KEEP times; the rest are counted and told as
 * "... and 1,203 more like it". Control characters in the text are shown
 * escaped, so arguments may come straight from input.
 *
 * A diag is used by one thread at a time and owns all it was told.
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
    DIAG_WARNING, /* something was skipped or repaired, the result stands */
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
    const char *kind; /* the format string: equal kinds are folded */
    struct diag_place place;
    struct slice text;   /* escaped */
    uint64_t suppressed; /* more of this kind, told on the last one kept */
};

struct diag {
    struct arena memory;
    struct slice path; /* shown in front; empty for none */
    VEC(struct diag_message) messages;
    uint64_t counts[3]; /* by level, suppressed ones included */
};

#define DIAG_AT_LINE(line) ((struct diag_place){DIAG_LINE, (line), 0})
#define DIAG_AT_COLUMN(line, column) ((struct diag_place){DIAG_LINE, (line), (column)})
#define DIAG_AT_BYTE(offset) ((struct diag_place){DIAG_BYTE, (offset), 0})
#define DIAG_AT_FILE ((struct diag_place){DIAG_NOWHERE, 0, 0})

/* `path` is copied; empty where the messages are about no file. */
void diag_init(struct diag *d, struct slice path);
void diag_release(struct diag *d);

/* Adds a message. `format` must be a literal: it is the message's kind. */
void diag_add(struct diag *d, enum diag_level level, struct diag_place place, const char *format,
              ...) DIE_PRINTF(4, 5);

/* An error about the file as a whole. Returns false, for `return diag_error(...)`. */
bool diag_error(struct diag *d, const char *format, ...) DIE_PRINTF(2, 3);

#define diag_warn_line(d, line, ...) diag_add(d, DIAG_WARNING, DIAG_AT_LINE(line), __VA_ARGS__)

/* The last note: what there is to say of a file that is no failure and no profile; or empty. */
struct slice diag_last_note(const struct diag *d);
/* Makes it an error: for a file that the user named and that had to be a profile. */
void diag_raise_note(struct diag *d);

/*
 * Moves what `from` was told behind what `d` was told, `lines` added to its
 * line numbers: for the parts of a file that were read side by side. What is
 * about the file as a whole is told once. Leaves `from` empty.
 */
void diag_append(struct diag *d, struct diag *from, uint64_t lines);

/*
 * Appends one message as a line ready for stderr, and the line that counts its
 * suppressed twins where there are any. `colour` adds ANSI colours.
 */
void diag_write_message(const struct diag *d, const struct diag_message *m, struct buf *out,
                        bool colour);
/* All messages in this form. */
void diag_write(const struct diag *d, struct buf *out, bool colour);

#endif
