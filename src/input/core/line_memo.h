/*
 * Lines met before, found by their bytes.
 *
 * Profiles print the same lines again and again, and mostly in the same order. So each
 * line remembers the two lines that followed it last. Comparing the bytes at hand with
 * those finds the end of the line too, without a hash or a search. A line that did not
 * follow before is looked up in a table.
 *
 * A line's meaning is the reader's business (input/core/text.h). If lines do not repeat,
 * the memo runs out of patience and gives up for good.
 */
#ifndef INPUT_CORE_LINE_MEMO_H
#define INPUT_CORE_LINE_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/num.h"
#include "base/slice.h"
#include "base/vec.h"

/* Longer lines are not worth the memory. */
#define LINE_MEMO_LONGEST (64u << 10)
/* At most this many lines may be new in a row. */
#define LINE_MEMO_PATIENCE (1 << 20)

/* Meaning of a line, in the terms of its reader. A line whose `kind` is 0 has none. */
struct line_meaning {
    uint32_t kind;
    uint32_t entry; /* the builder's, of a frame */
    uint32_t depth;
    uint32_t context; /* free for the reader */
    struct decimal weight;
};

struct line_known {
    const char *text; /* its line end included; 8 bytes can be read */
    uint32_t len;
    uint32_t next[2]; /* the lines that followed last, the latest first; 0 for none */
    struct line_meaning meaning;
};

struct line_memo {
    struct arena texts;
    struct map index;
    VEC(struct line_known) lines; /* items[0] is the start of the input */
    uint32_t last;                /* the line before */
    int32_t patience;             /* less with a line that is new, more with one that is not */
    size_t bytes;
    uint64_t hash; /* of the line that was looked for last */
};

void line_memo_init(struct line_memo *m);
void line_memo_release(struct line_memo *m);

/*
 * Finds the line with this text, line end included. Returns NULL if it is new. Call it
 * after line_memo_guess() returned NULL.
 */
const struct line_known *line_memo_find(struct line_memo *m, struct slice text);
/* Returns whether line_memo_add() would keep the line. */
bool line_memo_keeps(const struct line_memo *m, struct slice text);
/* Adds a line that line_memo_find() did not find. Returns NULL if the memo does not keep it. */
const struct line_known *line_memo_add(struct line_memo *m, struct slice text,
                                       const struct line_meaning *meaning);

/* Returns whether `text` begins with the line. 8 bytes after `text` must be readable. */
static inline bool line_known_is(const struct line_known *line, const char *text, const char *end)
{
    enum { WORD = 8, MANY = 128 };
    const unsigned char *a = (const unsigned char *)line->text, *b = (const unsigned char *)text;
    size_t len = line->len, i = 0;

    if (len > (size_t)(end - text))
        return false;
    if (len < WORD)
        return ((hash_load(a, WORD) ^ hash_load(b, WORD)) << (8 * (WORD - len))) == 0;
    if (len > MANY)
        return len <= LINE_MEMO_LONGEST && memcmp(a, b, len) == 0;
    for (; i + WORD < len; i += WORD)
        if (hash_load(a + i, WORD) != hash_load(b + i, WORD))
            return false;
    return hash_load(a + len - WORD, WORD) == hash_load(b + len - WORD, WORD);
}

/* Returns the line at `text` if it is one of the two that followed the line before, else NULL. */
static inline const struct line_known *line_memo_guess(struct line_memo *m, const char *text,
                                                       const char *end)
{
    struct line_known *before = &m->lines.items[m->last];
    uint32_t guess = before->next[0];

    if (!line_known_is(&m->lines.items[guess], text, end)) {
        guess = before->next[1];
        if (!line_known_is(&m->lines.items[guess], text, end))
            return NULL;
        before->next[1] = before->next[0];
        before->next[0] = guess;
    }
    m->last = guess;
    m->patience += m->patience < LINE_MEMO_PATIENCE;
    return &m->lines.items[guess];
}

#endif
