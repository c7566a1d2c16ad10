/*
 * Text formats, line by line, without copying.
 *
 * The driver reads a source in blocks and hands each reader whole lines in
 * place; only an unfinished last line moves to the front of the next block.
 * A reader keeps in its own state what must survive a block (a sample half
 * read) and pushes frames and samples into the profile.
 *
 * A huge plain file is cut where a record begins, the parts are read side by
 * side, each with its own state, profile and diag, and merged in order. So a
 * reader must not depend on earlier records for the meaning of a later one,
 * and `starts_record` must hold only for lines that begin a record whatever
 * came before (`starts_behind`: before the two lines). The blocks of a file
 * that cannot be cut may be taken apart ahead of their turn (input/core/text_ahead.h).
 * The result is the same for any number of threads.
 */
#ifndef INPUT_CORE_TEXT_H
#define INPUT_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "input/core/line_memo.h"
#include "input/core/options.h"
#include "input/core/source.h"
#include "input/core/text_ahead.h"
#include "input/core/text_blocks.h"
#include "profile/profile.h"

/* What a reader works on and with. */
struct text {
    const struct input_options *options;
    struct profile *profile;
    struct diag *diag;
    uint64_t line;      /* number of the line in hand */
    bool first;         /* this is the start of the file, not a later part of it */
    struct slice start; /* the file's first bytes, the same for every part; valid in begin() */
    bool start_whole;   /* they are all of the file */
    /* Set by line() where nothing but the line's bytes decided what was made of it: for again(). */
    struct line_meaning meaning;
    bool keeps; /* what line() gives it will be kept */
};

/* Counts the line in hand as unreadable; returns true. Use text_skip(). */
static inline bool text_count_skipped(struct text *t)
{
    t->profile->ledger.unreadable++;
    return true;
}

/*
 * Skips the line in hand with a warning and counts it as unreadable. Returns true, so that a line()
 * that goes on can end with `return text_skip(t, "...")`. The format is a literal.
 */
#define text_skip(t, ...) (diag_warn_line((t)->diag, (t)->line, __VA_ARGS__), text_count_skipped(t))

/* Skips the line with the warning "WHAT: 'LINE'; line skipped", a long LINE shortened. */
bool text_skip_line(struct text *t, const char *what, struct slice line);

/* Reports an error at the line in hand, which ends the reading. Returns false. */
#define text_fail(t, ...)                                                                          \
    (diag_add((t)->diag, DIAG_ERROR, DIAG_AT_LINE((t)->line), __VA_ARGS__), false)

/* Reports the error "WHAT: 'LINE'", a long LINE shortened. Returns false. */
bool text_fail_line(struct text *t, const char *what, struct slice line);

/* What became of a line that was met before. */
enum text_again {
    TEXT_DONE,
    TEXT_FAILED, /* as where line() returns false */
    TEXT_UNFIT,  /* here it means something else: line() gets it */
};

/*
 * Where the line at `p` of a block ends: at the line feed that must come. Reads up to TEXT_SLACK
 * bytes, as most lines are short.
 */
static inline const char *text_line_end(const char *p, const char *end)
{
    enum { WORD = 8, WORDS = 2 };
    const uint64_t ones = 0x0101010101010101u;

    for (int i = 0; i < WORDS; i++, p += WORD) {
        uint64_t x = hash_load((const unsigned char *)p, WORD) ^ ones * '\n';
        uint64_t hit = (x - ones) & ~x & ones * 0x80;

        if (hit)
            return p + __builtin_ctzll(hit) / 8;
    }
    return memchr(p, '\n', (size_t)(end - p));
}

struct text_reader {
    size_t state_size; /* of the reader's state, which is zeroed before begin() */
    /* Prepares the state; may be NULL if the zeroed state is ready. */
    bool (*begin)(struct text *t, void *state);
    /* One line, without LF or CR LF; t->line is its number. */
    bool (*line)(struct text *t, void *state, struct slice line);
    /* In place of it for a line met before, with the meaning that line() gave it; may be NULL. */
    enum text_again (*again)(struct text *t, void *state, const struct line_meaning *meaning);
    /*
     * In place of it, for readers that want speed: `block` is whole lines, each ended by LF (one
     * is added to the file's last line); the reader counts t->line up.
     */
    bool (*lines)(struct text *t, void *state, struct slice block);
    /* In place of both, for a file that must stay whole and still be read by several threads. */
    const struct text_ahead *ahead;
    /* Ends the input: a record may be open. May be NULL. */
    bool (*end)(struct text *t, void *state);
    /* Releases the state; called once after begin(), whatever failed. May be NULL. */
    void (*release)(void *state);
    /*
     * Says whether a line (without LF) begins a record, or, of two lines, whether the second
     * belongs to nothing before it. NULL both where the file must stay whole.
     */
    bool (*starts_record)(struct slice line);
    bool (*starts_behind)(struct slice before, struct slice line);
    /* Says that this file must stay whole all the same; NULL for never. */
    bool (*stays_whole)(const struct text *t);
};

/*
 * Reads all of `source` into `out`, with up to `threads` threads. begin(),
 * line(), lines() and end() return false when they have told an error, which ends the
 * reading; so does this.
 */
bool text_read(const struct text_reader *reader, struct source *source,
               const struct input_options *options, unsigned threads, struct profile *out,
               struct diag *diag);

/* For those who hand blocks to readers. What the limits have to say after a block: */
bool text_within_limits(const struct text *t);
/* The note on a last line without a line end. */
void text_tell_unended(struct text *t);
/* False where there are no more blocks because something was wrong, which is told then. */
bool text_is_read(struct text *t, enum text_blocks_state ending);

#endif
