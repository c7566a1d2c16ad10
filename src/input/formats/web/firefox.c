/*
 * Profiles of the Firefox Profiler, also written by samply, by DevTools and by
 * importers of other formats.
 *
 * Raw, as Gecko writes it, with tables of rows:
 *
 *     {"meta": {"version": 12, "interval": 1, ...}, "libs": [...], "processes": [profiles...],
 *      "threads": [{"name": "GeckoMain", "samples": {"schema": {"stack": 0, ...}, "data": [...]},
 *        "stackTable": ..., "frameTable": ..., "stringTable": [...]}]}
 *
 * Processed, with tables of columns, in newer versions shared by all threads:
 *
 *     {"meta": {"preprocessedProfileVersion": 41, ...}, "libs": [...], "shared": {...},
 *      "threads": [{"name": "GeckoMain", "samples": {"length": 7, "stack": [1, 2], ...},
 *        "stackTable": ..., "frameTable": ..., "funcTable": ..., "resourceTable": ...,
 *        "nativeSymbols": ..., "stringArray": [...]}]}
 *
 * DevTools wraps it in {"profile": ...}; old versions write the profile of
 * another process, or a list of libraries, as a string of JSON. The samples of
 * all threads are one graph, with process and thread as first frames where
 * there are several; allocations are others. The oldest form of all is told in
 * input/formats/web/firefox_cleopatra.h. Markers and counters are no
 * stacks and passed over. Grammar: firefox-devtools/profiler, docs-developer.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/formats/web/firefox_cleopatra.h"
#include "input/formats/web/firefox_thread.h"
#include "input/format.h"
#include "input/parse/json.h"
#include "input/build/owners.h"

/* A profile in the file that is still to be read. */
struct part {
    const struct json_value *profile;
    uint32_t depth; /* of profiles around it */
};

enum { MOST_DEPTH = 8 };

struct firefox {
    struct builder b;
    VEC(struct part) parts;
    VEC(struct json_document) documents; /* of JSON in strings */
};

static bool firefox_claims(const struct head *h)
{
    static const char *const paths[] = {
        "meta.preprocessedProfileVersion",
        "libs[].breakpadId",
        "threads[].stackTable.schema",
        "threads[].stackTable.prefix",
        "threads[].frameTable.func",
        "threads[].samples[].frames[].location",
        "profile.meta.preprocessedProfileVersion",
        "profile.libs[].breakpadId",
        "profile.threads[].stackTable",
    };

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        if (head_has(h, paths[i]))
            return true;
    if (slice_starts(head_text(h, "format"), SLICE("profileJSONWithSymbolicationTable")))
        return true;
    return head_has(h, "meta.interval") && head_has(h, "meta.processType") &&
           (!h->whole || head_has(h, "threads"));
}

/* ---- JSON in strings ----------------------------------------------------------------------- */

/*
 * The value, or what its text holds where it is a string. NULL, told, where
 * that is no JSON.
 */
static const struct json_value *unwrap(struct firefox *f, const struct json_value *v)
{
    struct json_document *d;

    if (!v || v->type != JSON_STRING)
        return v;
    d = vec_add(&f->documents);
    if (!json_load_text(v->text, f->b.diag, d))
        return NULL;
    return d->values.items;
}

/* ---- profiles ------------------------------------------------------------------------------ */

/* Milliseconds since 1970 to nanoseconds; 0 where it is not told. */
static uint64_t start_of(const struct json_value *profile)
{
    struct decimal d;
    uint64_t ns;

    if (!json_decimal(json_at(profile, "meta.startTime"), &d, NULL))
        return 0;
    for (; d.decimals > NUM_MAX_DECIMALS - 3; d.decimals--)
        d.value /= 10;
    return num_mul(d.value, num_pow10(NUM_MAX_DECIMALS - 3 - d.decimals), &ns) ? ns : 0;
}

static bool add_part(struct firefox *f, const struct json_value *profile, uint32_t depth)
{
    if (depth > MOST_DEPTH)
        return diag_error(f->b.diag, "profiles of processes within profiles, deeper than %d",
                          MOST_DEPTH);
    *vec_add(&f->parts) = (struct part){profile, depth};
    return true;
}

/* A thread, or, in the oldest files, the whole profile of another process. */
static bool read_thread(struct firefox *f, const struct firefox_process *process,
                        const struct json_value *thread, uint32_t depth)
{
    thread = unwrap(f, thread);
    if (!thread)
        return false;
    if (json_get(thread, "threads"))
        return add_part(f, thread, depth + 1);
    return firefox_thread_read(&f->b, process, thread);
}

static bool read_part(struct firefox *f, struct part part)
{
    const struct json_value *profile = part.profile;
    const struct json_value *threads = json_get(profile, "threads");
    const struct json_value *processes = json_get(profile, "processes");
    const struct json_value *libs = unwrap(f, json_get(profile, "libs"));
    struct firefox_process process = {json_get(profile, "shared"), libs, start_of(profile)};

    if (json_get(profile, "libs") && !libs)
        return false;
    json_each(thread, threads) if (!read_thread(f, &process, thread, part.depth)) return false;
    json_each(inner, processes)
    {
        const struct json_value *v = unwrap(f, inner);

        if (!v || !add_part(f, v, part.depth + 1))
            return false;
    }
    return true;
}

static void add_facts(struct firefox *f, const struct json_value *profile)
{
    static const struct {
        const char *path;
        struct slice key;
    } facts[] = {
        {"meta.product", {"product", 7}},
        {"meta.oscpu", {"system", 6}},
        {"meta.CPUName", {"CPU", 3}},
    };

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        struct slice value = json_text(json_at(profile, facts[i].path));

        if (value.len)
            profile_add_fact(f->b.profile, facts[i].key, value);
    }
}

/* The profile, which DevTools wraps, and all that is in it. */
static bool read_profile(struct firefox *f, const struct json_value *top)
{
    const struct json_value *wrapped = unwrap(f, json_get(top, "profile"));
    const struct json_value *profile = json_get(top, "threads") || !wrapped ? top : wrapped;

    if (!json_get(profile, "threads"))
        return diag_error(f->b.diag, "the profile has no 'threads'");
    add_facts(f, profile);
    if (!add_part(f, profile, 0))
        return false;
    for (size_t i = 0; i < f->parts.count; i++)
        if (!read_part(f, f->parts.items[i]))
            return false;
    owners_strip(f->b.profile, OWNERS_MOST);
    return true;
}

static bool read_document(struct firefox *f, const struct json_value *top)
{
    if (!json_get(top, "profileJSON"))
        return read_profile(f, top);
    if (!firefox_cleopatra_read(&f->b, top))
        return false;
    owners_strip(f->b.profile, 1);
    return true;
}

static bool firefox_read(struct content *c)
{
    struct firefox f = {0};
    struct json_document document;
    bool ok;

    builder_init(&f.b, c->profile, c->options, c->diag);
    ok = json_load(c, &document) && read_document(&f, document.values.items);
    json_release(&document);
    vec_each (struct json_document, d, &f.documents)
        json_release(d);
    vec_release(&f.documents);
    vec_release(&f.parts);
    builder_release(&f.b);
    return ok;
}

const struct format format_firefox = {
    .name = "firefox",
    .family = FORMAT_BROWSERS,
    .description = "the Firefox Profiler's files, raw and processed, of all versions; samply's",
    .recognised = "JSON with 'threads' and their 'stackTable', or 'meta' of the Firefox Profiler",
    .example = "samply record --save-only -o app.json ./app   # or profiler.firefox.com, Save",
    .without_stacks = "no thread has samples with stacks; choose the threads before recording",
    .claims = firefox_claims,
    .read = firefox_read,
};
