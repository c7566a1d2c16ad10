/*
 * DHAT's profile of the heap, of Valgrind's tool and of the dhat crate.
 *
 *     {"dhatFileVersion": 2, "mode": "heap", "cmd": "./app", "pid": 7, ...,
 *      "pps": [{"tb": 8736, "tbk": 1, ..., "fs": [1, 2, 3]}, ...],
 *      "ftbl": ["[root]", "0x48465EF: calloc (in /usr/lib/x.so)", ...]}
 *
 * A point of the program has bytes and blocks: of its whole life (tb, tbk), at
 * the moment of the largest heap (gb, gbk), at the end (eb, ebk), and what was
 * read and written (rb, wb); a graph for each that is not zero throughout. Its
 * frames (fs) come leaf first and count from 0 in the table. Its own maximum
 * (mb) and its life times have no sum that means anything and are passed over.
 * A mode that counts other things than bytes names them (bsu, bksu). Grammar:
 * valgrind.org/docs/manual/dh-manual.html.
 */
#include "input/builder.h"
#include "input/format.h"
#include "input/json.h"
#include "input/valgrind_frame.h"

/* The numbers of a point, and the graphs they make. */
static const struct number {
    const char *key, *when;
    bool blocks;
} numbers[] = {
    {"tb", "total", false}, {"tbk", "total", true}, {"gb", "peak", false}, {"gbk", "peak", true},
    {"eb", "final", false}, {"ebk", "final", true}, {"rb", "read", false}, {"wb", "written", false},
};

enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

struct point {
    uint32_t stack;
    uint64_t weights[NUMBERS];
};

struct dhat {
    struct content *content;
    struct builder b;
    const struct json_value *points;
    const struct json_value *top;
    VEC(uint32_t) frames; /* entries, by number */
    VEC(struct point) read;
    uint64_t unknown; /* frames that the table does not have */
};

static bool dhat_claims(const struct head *h)
{
    return head_has(h, "dhatFileVersion");
}

static void read_frames(struct dhat *d)
{
    const struct json_value *table = json_get(d->top, "ftbl");

    json_each(text, table)
    {
        struct frame f = valgrind_frame(json_text(text), d->b.options);

        *vec_add(&d->frames) = builder_entry(&d->b, &f);
    }
}

/* The root, "[root]", is no frame. */
static bool read_stack(struct dhat *d, const struct json_value *point, uint32_t *stack)
{
    const struct json_value *frames = json_get(point, "fs");

    builder_begin(&d->b);
    builder_leaf_first(&d->b);
    json_each(number, frames)
    {
        uint64_t frame;

        if (!json_u64(number, &frame) || frame >= d->frames.count) {
            d->unknown++;
            builder_frame(&d->b, &(struct frame){.kind = FRAME_NATIVE});
        } else if (frame > 0) {
            builder_push(&d->b, d->frames.items[frame]);
        }
    }
    return builder_stack(&d->b, stack);
}

static bool read_stacks(struct dhat *d)
{
    json_each(point, d->points)
    {
        struct point p = {0};

        d->b.profile->ledger.lines++;
        if (!read_stack(d, point, &p.stack))
            return false;
        for (size_t i = 0; i < NUMBERS; i++)
            json_u64(json_get(point, numbers[i].key), &p.weights[i]);
        *vec_add(&d->read) = p;
    }
    if (d->unknown)
        diag_add(d->b.diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu frames are not in the table of frames and are shown as unknown",
                 (unsigned long long)d->unknown);
    return true;
}

/* What is counted: "bytes" and "blocks", unless the file has other words. */
static struct slice noun(const struct dhat *d, bool blocks)
{
    struct slice word = json_text(json_get(d->top, blocks ? "bksu" : "bsu"));

    if (word.len)
        return word;
    return blocks ? SLICE("blocks") : SLICE("bytes");
}

/* The graph of one of the numbers of each point. */
static bool add_series(struct dhat *d, size_t number)
{
    const struct number *n = &numbers[number];
    struct buf name;
    uint32_t series = SERIES_NONE;
    bool ok = true;

    buf_init(&name);
    buf_printf(&name, "%s %.*s", n->when, SLICE_ARG(noun(d, n->blocks)));
    vec_each (struct point, p, &d->read) {
        if (!ok || !p->weights[number])
            continue;
        if (series == SERIES_NONE)
            series = builder_series(&d->b, &(struct origin){.event = buf_slice(&name)},
                                    unit_named(noun(d, n->blocks)));
        ok = builder_add_at(&d->b, series, p->stack, (struct decimal){.value = p->weights[number]});
    }
    buf_release(&name);
    return ok;
}

static bool read_document(struct dhat *d)
{
    struct slice command = json_text(json_get(d->top, "cmd"));

    d->points = json_get(d->top, "pps");
    if (!d->points)
        return diag_error(d->b.diag, "the profile has no 'pps', the points of the program");
    if (command.len)
        profile_add_fact(d->b.profile, SLICE("command"), command);
    read_frames(d);
    if (!read_stacks(d))
        return false;
    for (size_t i = 0; i < NUMBERS; i++)
        if (!add_series(d, i))
            return false;
    return true;
}

static bool dhat_read(struct content *c)
{
    struct dhat d = {.content = c};
    struct json_document document;
    bool ok;

    builder_init(&d.b, c->profile, c->options, c->diag);
    ok = json_load(c, &document);
    if (ok) {
        d.top = document.values.items;
        ok = read_document(&d);
    }
    json_release(&document);
    vec_release(&d.frames);
    vec_release(&d.read);
    builder_release(&d.b);
    return ok;
}

const struct format format_dhat = {
    .name = "dhat",
    .family = FORMAT_MEMORY,
    .description = "DHAT's heap: bytes and blocks in all, at the peak and at the end",
    .recognised = "JSON with 'dhatFileVersion'",
    .example = "valgrind --tool=dhat ./app   # writes dhat.out.PID",
    .without_stacks = "it was recorded without backtraces ('bklt' is false)",
    .claims = dhat_claims,
    .read = dhat_read,
};
