/*
 * The log of V8's profiler, preprocessed: its ticks with their addresses
 * looked up, by "node --prof-process --preprocess".
 *
 *     {"code": [{"name", "type", "kind"}, ...],
 *      "functions": [...],
 *      "ticks": [{"tm": us, "vm": state, "s": [code, offset, ...]}, ...]}
 *
 * A stack is pairs, leaf first: the number of a piece of code and the distance
 * from its start, or -1 and an address where nothing is known to be. A tick
 * counts one. State 1 is garbage collection, a frame below the leaf.
 *
 * Types are SHARED_LIB, CPP (a native function, as nm names it), JS and CODE,
 * whose kind is what the log calls its type. Sources and inlined positions are
 * not read.
 *
 * Source: V8's tools/profile.js.
 */
#include "input/format.h"
#include "input/parse/json.h"
#include "input/formats/web/v8_code.h"

enum { STATE_GC = 1 };

struct piece {
    struct slice type, kind, name;
    uint32_t entry; /* of the builder; NOT_MADE until it is needed */
};

#define NOT_MADE UINT32_MAX

struct v8_ticks {
    struct content *content;
    struct builder b;
    struct arena texts;
    struct intern words; /* types and kinds */
    VEC(struct piece) code;
};

static struct slice word_of(struct v8_ticks *v, struct slice word)
{
    return intern_get(&v->words, intern_add(&v->words, word));
}

static void read_code(struct v8_ticks *v, const struct json_value *code)
{
    *vec_add(&v->code) = (struct piece){
        .type = word_of(v, json_text(json_get(code, "type"))),
        .kind = word_of(v, json_text(json_get(code, "kind"))),
        .name = arena_copy(&v->texts, json_text(json_get(code, "name"))),
        .entry = NOT_MADE,
    };
}

/* The mark that the log has for a kind of compiled function. */
static char mark_of(struct slice kind)
{
    static const struct {
        const char *kind;
        char mark;
    } kinds[] = {
        {"Unopt", '~'}, {"Opt", '*'}, {"Sparkplug", '^'}, {"Baseline", '^'}, {"Maglev", '+'}};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (slice_equal(kind, slice_str(kinds[i].kind)))
            return kinds[i].mark;
    return 0;
}

/* "T node::Start", as nm prints it, without the letter. */
static struct slice native_name(struct slice name)
{
    bool letter = name.len > 2 && name.ptr[1] == ' ' && strchr("tTwW", name.ptr[0]);

    return letter ? slice_skip(name, 2) : name;
}

static uint32_t make_entry(struct v8_ticks *v, const struct piece *p)
{
    enum frame_kind plain = v->b.options->names == NAMES_REFERENCE ? FRAME_PLAIN : FRAME_NATIVE;

    if (slice_equal(p->type, SLICE("SHARED_LIB")))
        return v8_code_library(&v->b, p->name);
    if (slice_equal(p->type, SLICE("CPP")))
        return builder_entry(&v->b, &(struct frame){.name = native_name(p->name), .kind = plain});
    if (slice_equal(p->type, SLICE("JS")))
        return v8_code_entry(&v->b, &(struct v8_code){SLICE("JS"), p->name, mark_of(p->kind)});
    return v8_code_entry(&v->b, &(struct v8_code){p->kind.len ? p->kind : p->type, p->name, 0});
}

/* The entry for a number of code, or the address that stands behind one that is none. */
static uint32_t entry_of(struct v8_ticks *v, const struct json_value *code,
                         const struct json_value *offset)
{
    uint64_t index, address = 0;
    struct piece *p;

    if (!json_u64(code, &index) || index >= v->code.count) {
        json_u64(offset, &address);
        return v8_code_unknown(&v->b, address);
    }
    p = &v->code.items[index];
    if (p->entry == NOT_MADE)
        p->entry = make_entry(v, p);
    return p->entry;
}

static bool read_tick(struct v8_ticks *v, const struct json_value *tick, uint64_t at)
{
    uint32_t series = builder_series(&v->b, &(struct origin){0}, unit_samples);
    const struct json_value *stack = json_get(tick, "s");
    struct json_value code;
    bool has_code = false, leaf = true;
    struct read_ledger *ledger = &v->content->profile->ledger;
    uint64_t time_us, state = 0;

    ledger->lines++;
    if (!stack || stack->type != JSON_ARRAY) {
        ledger->unreadable++;
        diag_add(v->content->diag, DIAG_WARNING, DIAG_AT_BYTE(at),
                 "a tick without a stack; left out");
        return true;
    }
    json_u64(json_get(tick, "vm"), &state);
    if (json_u64(json_get(tick, "tm"), &time_us) && time_us <= UINT64_MAX / 1000)
        builder_time(&v->b, series, time_us * 1000);
    builder_begin(&v->b);
    builder_leaf_first(&v->b);
    json_each(number, stack)
    {
        has_code = !has_code;
        if (has_code) {
            code = *number;
            continue;
        }
        builder_push(&v->b, entry_of(v, &code, number));
        if (leaf && state == STATE_GC && v->b.options->names == NAMES_CLEAN)
            builder_name(&v->b, SLICE("(garbage collector)"), FRAME_PLAIN);
        leaf = false;
    }
    return builder_add(&v->b, series, 1);
}

static bool wanted_one_by_one(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("code")) || slice_equal(key, SLICE("ticks")) ||
           slice_equal(key, SLICE("functions")) || slice_equal(key, SLICE("scripts"));
}

static bool read_value(void *context, struct slice parent, const struct json_value *value,
                       uint64_t at)
{
    struct v8_ticks *v = context;

    if (slice_equal(parent, SLICE("code")))
        read_code(v, value);
    if (!slice_equal(parent, SLICE("ticks")))
        return true;
    if (!v->code.count)
        return diag_error(v->content->diag, "the ticks stand before the code that they refer to");
    return read_tick(v, value, at);
}

static bool v8_ticks_read(struct content *c)
{
    struct v8_ticks v = {.content = c};
    struct json_handler handler = {.context = &v, .each = wanted_one_by_one, .value = read_value};
    bool ok;

    builder_init(&v.b, c->profile, c->options, c->diag);
    arena_init(&v.texts);
    intern_init(&v.words);
    ok = json_read(c, &handler);
    vec_release(&v.code);
    intern_release(&v.words);
    arena_release(&v.texts);
    builder_release(&v.b);
    return ok;
}

static bool v8_ticks_claims(const struct head *head)
{
    static const char *const types[] = {"SHARED_LIB", "CPP", "CODE", "JS"};
    struct slice type = head_text(head, "code[].type");

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (slice_equal(type, slice_str(types[i])))
            return head_has(head, "code[].name");
    return false;
}

const struct format format_v8_ticks = {
    .name = "v8-ticks",
    .family = FORMAT_BROWSERS,
    .description = "log of V8's profiler, preprocessed (JSON)",
    .recognised = "JSON with code[] of SHARED_LIB, CPP, CODE, JS, and ticks[]",
    .example = "node --prof-process --preprocess isolate-*-v8.log > app.v8.json",
    .without_stacks = "the profiler took no sample; run the program for longer",
    .in_order = true,
    .claims = v8_ticks_claims,
    .read = v8_ticks_read,
};
