/*
 * Reader of DHAT's heap profiles, from Valgrind and from Rust's dhat crate.
 *
 *     {"dhatFileVersion": 2, "mode": "heap", "cmd": "./app", "pid": 7, ...,
 *      "pps": [{"tb": 8736, "tbk": 1, ..., "fs": [1, 2, 3]}, ...],
 *      "ftbl": ["[root]", "0x48465EF: calloc (in /usr/lib/x.so)", ...]}
 *
 * A program point has bytes and blocks: of its whole life (tb, tbk), at the
 * time of the largest heap (gb, gbk), at the end (eb, ebk), and bytes read and
 * written (rb, wb). Each of these that is not always zero is a series. The
 * frames of a point (fs) are indexes in the table, leaf first. Maxima (mb) and
 * life times are ignored, as they cannot be added up. Modes that do not count
 * bytes name their units (bsu, bksu).
 *
 * Source: valgrind.org/docs/manual/dh-manual.html.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/json.h"
#include "input/formats/memory/valgrind_frame.h"

/* The numbers of a point that become series. */
static const struct number {
    struct slice key;
    const char *when;
    bool blocks;
} numbers[] = {
    {{"tb", 2}, "total", false}, {{"tbk", 3}, "total", true},   {{"gb", 2}, "peak", false},
    {{"gbk", 3}, "peak", true},  {{"eb", 2}, "final", false},   {{"ebk", 3}, "final", true},
    {{"rb", 2}, "read", false},  {{"wb", 2}, "written", false},
};

enum { NUMBERS = sizeof(numbers) / sizeof(numbers[0]) };

/* All points with the same frames. */
struct point {
    uint32_t stack;
    uint64_t weights[NUMBERS];
    uint64_t counts[NUMBERS]; /* number of points whose weight is not 0 */
};

struct dhat {
    struct content *content;
    struct builder b;
    struct buf bytes, blocks; /* names of the units; empty if the file has none */
    bool has_points;
    VEC(uint32_t) frames;     /* the builder's entries, by index in the table */
    struct intern stacks;     /* the frames of points, as text */
    VEC(struct point) points; /* by number in `stacks` */
    struct buf text;
};

static bool dhat_claims(const struct head *h)
{
    return head_has(h, "dhatFileVersion");
}

/* ---- points -------------------------------------------------------------------------------- */

/* Returns the frames of a point as text, "1,2,3"; that is the file's text if it is well-formed. */
static struct slice frames_text(struct dhat *d, const struct json_value *frames)
{
    uint64_t number;

    if (frames && json_are_numbers(frames))
        return frames->text;
    buf_clear(&d->text);
    json_each(frame, frames)
    {
        if (json_u64(frame, &number)) {
            buf_add_u64(&d->text, number);
        } else {
            builder_skip(&d->b, DIAG_AT_FILE, "malformed frame: %s; shown as unknown",
                         json_quoted(frame).text);
            buf_add_char(&d->text, '?');
        }
        buf_add_char(&d->text, ',');
    }
    return buf_slice(&d->text);
}

static struct point *get_point(struct dhat *d, const struct json_value *frames)
{
    uint32_t id = intern_add(&d->stacks, frames_text(d, frames));

    if (id == d->points.count)
        *vec_add(&d->points) = (struct point){0};
    return &d->points.items[id];
}

/* Reads one of the numbers of a point. */
static void read_weight(const struct dhat *d, const struct json_value *v, uint64_t *weights)
{
    for (size_t i = 0; i < NUMBERS; i++)
        if (json_key_is(v, numbers[i].key) && !json_u64(v, &weights[i]))
            builder_skip(&d->b, DIAG_AT_FILE,
                         "malformed '%.*s' of a program point: %s; it counts as 0",
                         SLICE_ARG(v->key), json_quoted(v).text);
}

static bool read_point(struct dhat *d, const struct json_value *v)
{
    const struct json_value *frames = NULL;
    uint64_t weights[NUMBERS] = {0};
    struct point *p;

    d->b.profile->ledger.lines++;
    if (v->type != JSON_OBJECT) {
        builder_skip(&d->b, DIAG_AT_FILE, "malformed program point: %s; skipped",
                     json_quoted(v).text);
        return true;
    }
    json_each(member, v)
    {
        if (json_key_is(member, SLICE("fs")))
            frames = member;
        else
            read_weight(d, member, weights);
    }
    p = get_point(d, frames);
    for (size_t i = 0; i < NUMBERS; i++) {
        p->counts[i] += weights[i] > 0;
        if (!num_add(p->weights[i], weights[i], &p->weights[i]))
            return diag_error(d->b.diag, PROFILE_TOO_HEAVY);
    }
    return true;
}

static bool wanted_one_by_one(void *context, struct slice key)
{
    struct dhat *d = context;

    d->has_points = d->has_points || slice_equal(key, SLICE("pps"));
    return slice_equal(key, SLICE("pps")) || slice_equal(key, SLICE("ftbl"));
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct dhat *d = context;

    (void)at;
    if (slice_equal(parent, SLICE("pps")))
        return read_point(d, v);
    if (slice_equal(parent, SLICE("ftbl"))) {
        struct frame f = valgrind_frame(json_text(v), d->b.options);

        *vec_add(&d->frames) = builder_entry(&d->b, &f);
    } else if (slice_equal(v->key, SLICE("cmd")) && json_text(v).len) {
        profile_add_fact(d->b.profile, SLICE("command"), json_text(v));
    } else if (slice_equal(v->key, SLICE("bsu"))) {
        buf_add_slice(&d->bytes, json_text(v));
    } else if (slice_equal(v->key, SLICE("bksu"))) {
        buf_add_slice(&d->blocks, json_text(v));
    }
    return true;
}

/* ---- series -------------------------------------------------------------------------------- */

/* Adds a frame that the table does not have. What is no number is "?" and was counted before. */
static void add_unknown(struct dhat *d, struct slice number)
{
    if (!slice_equal(number, SLICE("?")))
        builder_skip(&d->b, DIAG_AT_FILE, "frame %.*s is not in the frame table; shown as unknown",
                     SLICE_ARG(number));
    builder_frame(&d->b, &(struct frame){.kind = FRAME_NATIVE});
}

/* Makes the stack of a point. Frame 0, "[root]", is left out. */
static bool make_stack(struct dhat *d, struct slice frames, struct point *p)
{
    struct json_value number = {.type = JSON_NUMBER, .size = 1};
    uint64_t frame;

    builder_begin_leaf(&d->b);
    while (json_numbers_next(&frames, &number.text)) {
        if (!json_u64(&number, &frame) || frame >= d->frames.count)
            add_unknown(d, number.text);
        else if (frame > 0)
            builder_push(&d->b, d->frames.items[frame]);
    }
    return builder_stack(&d->b, &p->stack);
}

static bool make_stacks(struct dhat *d)
{
    for (uint32_t i = 0; i < d->points.count; i++)
        if (!make_stack(d, intern_get(&d->stacks, i), &d->points.items[i]))
            return false;
    return true;
}

/* Returns the unit: "bytes" or "blocks", unless the file names another one. */
static struct slice noun(const struct dhat *d, bool blocks)
{
    struct slice word = buf_slice(blocks ? &d->blocks : &d->bytes);

    if (word.len)
        return word;
    return blocks ? SLICE("blocks") : SLICE("bytes");
}

/* Adds the series of one of the numbers, unless all its weights are 0. */
static bool add_series(struct dhat *d, size_t number)
{
    const struct number *n = &numbers[number];
    struct buf name = {0};
    uint32_t series = SERIES_NONE;
    bool ok = true;

    buf_printf(&name, "%s %.*s", n->when, SLICE_ARG(noun(d, n->blocks)));
    vec_each (struct point, p, &d->points) {
        if (!ok || !p->weights[number])
            continue;
        if (series == SERIES_NONE)
            series = builder_series(&d->b, &(struct origin){.event = buf_slice(&name)},
                                    unit_named(noun(d, n->blocks)));
        ok = builder_add_at(&d->b, series, p->stack, (struct decimal){.value = p->weights[number]});
        builder_count(&d->b, series, p->counts[number] - 1);
        if (p->stack == STACK_ROOT)
            builder_note_bare(&d->b, series, p->counts[number] - 1);
    }
    buf_release(&name);
    return ok;
}

static bool finish(struct dhat *d)
{
    if (!d->has_points)
        return diag_error(d->b.diag, "the profile has no program points ('pps')");
    if (!make_stacks(d))
        return false;
    for (size_t i = 0; i < NUMBERS; i++)
        if (!add_series(d, i))
            return false;
    return true;
}

static bool dhat_read(struct content *c)
{
    struct dhat d = {.content = c};
    struct json_handler handler = {
        .context = &d, .one_document = true, .each = wanted_one_by_one, .value = read_value};
    bool ok;

    builder_init(&d.b, c->profile, c->options, c->diag);
    ok = json_read(c, &handler) && finish(&d);
    release_each(&d, (buf, bytes, blocks, text), (vec, frames, points), (intern, stacks),
                 (builder, b));
    return ok;
}

const struct format format_dhat = {
    .name = "dhat",
    .family = FORMAT_MEMORY,
    .description = "DHAT: bytes and blocks allocated in total, at the peak and at the end",
    .recognised = "JSON with 'dhatFileVersion'",
    .example = "valgrind --tool=dhat ./app   # writes dhat.out.PID",
    .without_stacks = "it was recorded without backtraces ('bklt' is false)",
    .claims = dhat_claims,
    .read = dhat_read,
};
