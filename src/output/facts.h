/*
 * The facts below the frames: the total, what it was measured by, and what the picture does not
 * show. They fill one line, or a few if the picture is narrow.
 *
 * Facts are the event, the total and the number of samples, the part of the input, whether the
 * stacks are estimated (the profile's fact "estimated"), what filters left out, the self weight of
 * each class of symbols but user code, the shares of frames that are too thin to draw or above the
 * last row, and FACTS_PLAIN_COLORS.
 */
#ifndef OUTPUT_FACTS_H
#define OUTPUT_FACTS_H

#include "base/buf.h"
#include "base/vec.h"
#include "output/picture.h"

/* templates/flame_details.js has both texts, too. */
#define FACTS_BETWEEN " \xc2\xb7 "                          /* separates facts: a middle dot */
#define FACTS_PLAIN_COLORS "colours only tell frames apart" /* if they mean nothing */

enum { FACTS_LINES = 3 }; /* the most */

/* How soon a fact is omitted if the lines have no room for all facts. */
enum fact_rank {
    FACT_TOTAL,  /* never */
    FACT_PART,   /* never: which part of the input is shown */
    FACT_HIDDEN, /* last: shares that the picture leaves out */
    FACT_CLASS,  /* shares of classes of symbols */
    FACT_COLORS, /* first */
};

struct facts_item {
    enum fact_rank rank;
    size_t at; /* its offset in `text` */
};

struct facts_line {
    size_t at, len; /* in `shown` */
};

struct facts {
    VEC(struct facts_item) items;
    struct buf text; /* of all facts */
    VEC(struct facts_line) lines;
    struct buf shown; /* the text of the lines */
    bool complete;    /* no fact is omitted */
};

/*
 * Collects the facts and divides them into at most FACTS_LINES lines of `room` pixels. A line is
 * wider if a word is, and the last one if the facts that are not omitted need that. Requires the
 * layout, options, scale and colours of `p`.
 */
void facts_init(struct facts *f, const struct picture *p, int32_t room);
void facts_release(struct facts *f);

/* Begins a fact. Returns the buffer that the caller appends its text to. */
struct buf *facts_add(struct facts *f, enum fact_rank rank);

/* Returns the text of a fact. */
struct slice facts_text(const struct facts *f, size_t i);

static inline struct slice facts_line(const struct facts *f, size_t i)
{
    return slice_make(buf_string(&f->shown) + f->lines.items[i].at, f->lines.items[i].len);
}

/* Appends all facts as one line. */
void facts_write(const struct facts *f, struct buf *out);

#endif
