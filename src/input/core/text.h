/*
 * Text formats, line by line, without copying.
 *
 * The driver reads a source in blocks and hands whole lines to the reader in place. Only
 * an unfinished last line moves to the front of the next block. A reader keeps in its own
 * state whatever must survive a block, such as half a sample.
 *
 * A large plain file is cut at the start of records. The parts are read in parallel, each
 * with its own state, profile and diag, and merged in order. So a line's meaning must not
 * depend on earlier records, and starts_record() must hold only for lines that begin a
 * record whatever came before (starts_behind(): whatever came before the two lines). The
 * blocks of a file that cannot be cut may be parsed ahead of their turn
 * (input/core/text_readahead.h). The result does not depend on the number of threads.
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
#include "input/core/text_readahead.h"
#include "input/core/text_blocks.h"
#include "profile/profile.h"

/* What a reader works on and with. */
struct text {
    const struct input_options *options;
    struct profile *profile;
    struct diag *diag;
    uint64_t line;      /* number of the current line */
    bool first;         /* this part is the start of the file */
    struct slice start; /* the file's first bytes, the same for every part; valid in begin() */
    bool start_whole;   /* they are all of the file */
    /*
     * Set by line() if its effect depends on the bytes of the line alone: the argument of
     * again().
     */
    struct line_meaning meaning;
    bool keeps; /* `meaning` will be kept if line() sets it */
};

/* Counts the current line as unreadable; returns true. Use text_skip(). */
static inline bool text_count_skipped(struct text *t)
{
    t->profile->ledger.unreadable++;
    return true;
}

/*
 * Skips the current line with a warning and counts it as unreadable. Returns true, so that a line()
 * that goes on can end with `return text_skip(t, "...")`. The format is a literal.
 */
#define text_skip(t, ...) (diag_warn_line((t)->diag, (t)->line, __VA_ARGS__), text_count_skipped(t))

/* Skips the line with the warning "WHAT: 'LINE'; line skipped", a long LINE shortened. */
bool text_skip_line(struct text *t, const char *what, struct slice line);

/* Reports an error at the current line, which ends the reading. Returns false. */
#define text_fail(t, ...)                                                                          \
    (diag_add((t)->diag, DIAG_ERROR, DIAG_AT_LINE((t)->line), __VA_ARGS__), false)

/* Reports the error "WHAT: 'LINE'", a long LINE shortened. Returns false. */
bool text_fail_line(struct text *t, const char *what, struct slice line);

/* Result of again(). */
enum text_again {
    TEXT_DONE,
    TEXT_FAILED, /* an error was reported */
    TEXT_UNFIT,  /* the line means something else here: line() gets it */
};

/*
 * Returns the line feed that ends the line at `p`; there must be one. Reads up to
 * TEXT_SLACK bytes, because most lines are short.
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
    /*
     * Called instead of line() for a line met before, with the meaning that line() gave it.
     * May be NULL.
     */
    enum text_again (*again)(struct text *t, void *state, const struct line_meaning *meaning);
    /*
     * Called instead of line() for readers that need speed: `block` is whole lines, each ended
     * by LF (the driver adds a missing last one). The reader increments t->line.
     */
    bool (*lines)(struct text *t, void *state, struct slice block);
    /*
     * Instead of line() and lines(), for files that must stay whole and are still read by
     * several threads.
     */
    const struct text_readahead *ahead;
    /* Ends the input: a record may be open. May be NULL. */
    bool (*end)(struct text *t, void *state);
    /* Releases the state; called once after begin(), whatever failed. May be NULL. */
    void (*release)(void *state);
    /*
     * starts_record() returns whether a line (without LF) begins a record; starts_behind()
     * whether the second of two lines belongs to nothing before it. Both are NULL if files
     * must stay whole.
     */
    bool (*starts_record)(struct slice line);
    bool (*starts_behind)(struct slice before, struct slice line);
    /* Returns whether this file must stay whole nevertheless. May be NULL. */
    bool (*stays_whole)(const struct text *t);
};

/*
 * The members of a reader whose state and callbacks have one name, `struct gdb`, gdb_begin(),
 * gdb_line() or gdb_lines(), gdb_end() and gdb_release():
 *
 *     .text = {TEXT_READER(gdb), .again = gdb_again},
 */
#define TEXT_CALLBACKS(name)                                                                       \
    .state_size = sizeof(struct name), .begin = name##_begin, .end = name##_end,                   \
    .release = name##_release
#define TEXT_READER(name) TEXT_CALLBACKS(name), .line = name##_line
#define TEXT_BLOCK_READER(name) TEXT_CALLBACKS(name), .lines = name##_lines

/*
 * Reads all of `source` into `out` with up to `threads` threads. Returns false after
 * reporting an error. If begin(), line(), lines() or end() returns false, it has reported
 * one, and the reading ends.
 */
bool text_read(const struct text_reader *reader, struct source *source,
               const struct input_options *options, unsigned threads, struct profile *out,
               struct diag *diag);

/*
 * For drivers that hand blocks to readers. Returns false after reporting that the profile
 * has grown beyond a limit.
 */
bool text_within_limits(const struct text *t);
/* Adds the note about a last line without a line end. */
void text_tell_unended(struct text *t);
/* Returns false if the blocks ended with an error, which has been reported. */
bool text_is_read(struct text *t, enum text_blocks_state ending);

#endif
