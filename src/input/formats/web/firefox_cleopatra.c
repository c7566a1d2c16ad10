#include "input/formats/web/firefox_cleopatra.h"

#include "base/num.h"
#include "input/formats/web/firefox_frame.h"

struct cleopatra {
    struct builder *b;
    struct intern numbers;     /* of the symbols, as written */
    VEC(struct slice) symbols; /* by number */
    uint64_t unknown;
};

static void read_symbols(struct cleopatra *c, const struct json_value *table)
{
    json_each(symbol, table) if (intern_add(&c->numbers, symbol->key) == c->symbols.count) *
        vec_add(&c->symbols) = json_text(symbol);
}

static bool add_frame(struct cleopatra *c, const struct json_value *number, uint32_t *stack)
{
    static const struct firefox_frames no_libs = {0};
    uint32_t id = intern_find(&c->numbers, number->text);
    struct frame f = {.kind = FRAME_PLAIN};

    if (id == MAP_NONE)
        c->unknown++;
    else if (!firefox_frames_parse(&no_libs, c->symbols.items[id], &f))
        return true;
    return builder_child(c->b, *stack, &f, stack);
}

static bool add_sample(struct cleopatra *c, uint32_t series, uint32_t root,
                       const struct json_value *sample)
{
    const struct json_value *frames = json_get(sample, "frames");
    const struct json_value *time = json_at(sample, "extraInfo.time");
    uint32_t stack = root;
    uint64_t ms;

    c->b->profile->ledger.lines++;
    c->b->profile->ledger.without_frames += !frames || !frames->count;
    json_each(number, frames) if (!add_frame(c, number, &stack)) return false;
    if (json_u64(time, &ms) && num_mul(ms, 1000000, &ms))
        builder_time(c->b, series, ms);
    return builder_add_at(c->b, series, stack, (struct decimal){.value = 1});
}

static bool read_thread(struct cleopatra *c, struct slice name, const struct json_value *samples)
{
    struct origin origin = {.event = SLICE("samples"), .thread = name};
    struct frame owner = {.name = name, .kind = FRAME_PLAIN};
    uint32_t series, root;

    if (!samples || !samples->count)
        return true;
    series = builder_series(c->b, &origin, unit_samples);
    if (!builder_child(c->b, STACK_ROOT, &owner, &root))
        return false;
    json_each(sample, samples) if (!add_sample(c, series, root, sample)) return false;
    return true;
}

static bool read_threads(struct cleopatra *c, const struct json_value *profile)
{
    const struct json_value *threads = json_get(profile, "threads");

    if (profile && profile->type == JSON_ARRAY)
        return read_thread(c, SLICE("GeckoMain"), profile);
    if (!threads)
        return diag_error(c->b->diag, "the profile has neither samples nor threads");
    json_each(thread, threads) if (!read_thread(c, json_text(json_get(thread, "name")),
                                                json_get(thread, "samples"))) return false;
    return true;
}

bool firefox_cleopatra_read(struct builder *b, const struct json_value *profile)
{
    struct cleopatra c = {.b = b};
    bool ok;

    intern_init(&c.numbers);
    read_symbols(&c, json_get(profile, "symbolicationTable"));
    ok = read_threads(&c, json_get(profile, "profileJSON"));
    if (c.unknown)
        diag_add(b->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%llu frames are not in the table of symbols and shown as unknown",
                 (unsigned long long)c.unknown);
    intern_release(&c.numbers);
    vec_release(&c.symbols);
    return ok;
}
