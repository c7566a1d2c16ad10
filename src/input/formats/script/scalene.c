/*
 * Scalene's profiles with stacks (--stacks).
 *
 *     {"elapsed_time_sec": 1.7, "files": {...}, "max_footprint_mb": 0, "stacks": [
 *         [["/app/app.py <module>:45;", "/app/app.py main:39;"],
 *          {"c_time": 0.1, "python_time": 0.2, "cpu_samples": 0.3, "count": 6}]]}
 *
 * Root first. "cpu_samples" is the share of a stack in the CPU time, read in millionths (ppm);
 * "count" is the number of its samples. Both are a graph. Without --stacks, only other threads than
 * the main one may have stacks, which is reported. Samples are rarer than the time passes while C
 * code runs, so that the shares are the better measure, and the first graph. Kept: function, file,
 * line; dropped: the times of lines, and how much of a share was in C code.
 *
 * Source: scalene/scalene_json.py of github.com/plasma-umass/scalene, by its output.
 */
#include <string.h>

#include "base/num.h"
#include "input/build/python.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/json.h"

static const double most_of_all = 0.99; /* shares are rounded */

struct scalene {
    struct builder b;
    struct buf name;
    bool has_stacks;
    double share; /* of all stacks */
};

static bool scalene_claims(const struct head *head)
{
    return head_has(head, "elapsed_time_sec") && head_has(head, "files") &&
           (head_has(head, "alloc_samples") || head_has(head, "max_footprint_mb"));
}

/* Pushes "/app/app.py main:39;". */
static void push_frame(struct scalene *s, const struct json_value *v)
{
    struct slice text = json_text(v), name;
    struct frame f = {.kind = FRAME_PLAIN};
    size_t colon, blank;

    if (slice_ends(text, SLICE(";")))
        text.len--;
    colon = slice_find_last(text, ':');
    if (num_parse_u64(slice_skip(text, colon + 1), &f.line))
        text = slice_take(text, colon);
    blank = slice_find_last(text, ' ');
    if (blank < text.len) {
        f.file = slice_take(text, blank);
        name = slice_skip(text, blank + 1);
    } else {
        name = text;
    }
    f.name = python_name(name, f.file, &s->name);
    builder_frame(&s->b, &f);
}

/* A share in millionths, so that formats with whole numbers have it, too. */
static void to_millionths(struct decimal *share)
{
    for (int i = 0; i < 6; i++)
        if (share->decimals)
            share->decimals--;
        else if (!num_mul(share->value, 10, &share->value))
            share->value = UINT64_MAX;
}

static bool add_weight(struct scalene *s, const struct json_value *numbers, const char *key,
                       const char *event, struct slice unit)
{
    const struct origin origin = {.event = slice_str(event)};
    const struct json_value *v = json_get(numbers, key);
    struct decimal weight;
    double share;

    if (!json_decimal(v, &weight, NULL)) {
        builder_skip(&s->b, DIAG_AT_FILE, "malformed '%s' of a stack: %s; it counts as 0", key,
                     json_quoted(v).text);
        return true;
    }
    if (!strcmp(key, "cpu_samples")) {
        s->share += num_parse_double(v->text, &share) ? share : 0;
        to_millionths(&weight);
    }
    return !weight.value ||
           builder_add_decimal(&s->b, builder_series(&s->b, &origin, unit_named(unit)), weight);
}

/* [[FRAME, ...], {"cpu_samples": SHARE, "count": NUMBER, ...}] */
static bool read_stack(struct scalene *s, const struct json_value *v)
{
    const struct json_value *frames = json_first(v), *numbers = NULL;

    s->b.profile->ledger.lines++;
    if (v->type == JSON_ARRAY && frames && frames->type == JSON_ARRAY)
        numbers = json_next(v, frames);
    if (!numbers || numbers->type != JSON_OBJECT) {
        builder_skip(&s->b, DIAG_AT_FILE, "malformed stack: %s; skipped", json_quoted(v).text);
        return true;
    }
    s->has_stacks = true;
    builder_begin(&s->b);
    json_each(frame, frames) push_frame(s, frame);
    return add_weight(s, numbers, "cpu_samples", "CPU time", SLICE("ppm")) &&
           add_weight(s, numbers, "count", "samples", SLICE("samples"));
}

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("stacks"));
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct scalene *s = context;
    struct slice program = json_text(v);

    (void)at;
    if (slice_equal(parent, SLICE("stacks")))
        return read_stack(s, v);
    if (!parent.len && json_key_is(v, SLICE("program")) && program.len)
        profile_add_fact(s->b.profile, SLICE("command"), program);
    return true;
}

static bool scalene_read(struct content *c)
{
    struct scalene s = {.has_stacks = false};
    struct json_handler handler = {
        .context = &s, .one_document = true, .each = wanted_one_by_one, .value = read_value};
    bool ok;

    builder_init(&s.b, c->profile, c->options, c->diag);
    ok = json_read(c, &handler);
    if (ok && !s.has_stacks)
        ok = diag_error(c->diag, "this is a profile of Scalene that counts lines; run: "
                                 "scalene --cpu --json --stacks --outfile app.json app.py");
    if (ok && s.share < most_of_all)
        diag_warn(c->diag, "the stacks have %.0f %% of the CPU time; run scalene with --stacks",
                  s.share * 100);
    buf_release(&s.name);
    builder_release(&s.b);
    return ok;
}

const struct format format_scalene = {
    .name = "scalene",
    .family = FORMAT_LANGUAGES,
    .description = "Scalene's profiles with stacks: shares of the CPU time, and samples",
    .recognised = "JSON with 'elapsed_time_sec', 'files' and 'alloc_samples'",
    .example = "scalene --cpu --json --stacks --outfile app.json app.py",
    .claims = scalene_claims,
    .read = scalene_read,
};
