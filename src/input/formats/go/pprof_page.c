/*
 * Flame graphs of go tool pprof -http, saved from the browser: since Go 1.21.
 *
 *     stackViewer({"Total": 250, "Scale": 1e-9, "Type": "cpu", "Unit": "s",
 *         "Stacks": [{"Value": 250, "Sources": [0, 1]}],
 *         "Sources": [{"FullName": "root", ...}, {"FullName": "main.main",
 *                      "FileName": "/src/main.go", "Inlined": false, ...}], ...}, ...);
 *
 * A stack has indices of the sources, root first; source 0 is no frame. Values are those of the
 * profile, and Unit is that of values times Scale. In a difference of two profiles (-diff_base)
 * values may be negative. Kept: function, file, and whether it is inlined; dropped: shortened names
 * and colours. Pages of earlier versions are read by d3_page.c.
 *
 * Source: internal/report/stacks.go of github.com/google/pprof.
 */
#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/page.h"

struct pprof_page {
    struct builder b;
    VEC(uint32_t) sources; /* entries of the builder */
};

static bool pprof_page_claims(const struct head *head)
{
    return page_has(head, "id=\"stack-holder\"") && slice_has(head->bytes, SLICE("stackViewer"));
}

static void read_source(struct pprof_page *p, const struct json_value *v)
{
    const struct json_value *inlined = json_get(v, "Inlined");
    struct frame f = {.name = json_text(json_get(v, "FullName")),
                      .file = json_text(json_get(v, "FileName"))};

    f.kind = frame_kind_of(f.file);
    if (inlined && inlined->type == JSON_TRUE)
        f.class = SYMBOL_INLINED;
    *vec_add(&p->sources) = builder_entry(&p->b, &f);
}

/* The unit of the values: seconds times a scale, bytes, or a count. */
static struct unit unit_of(struct pprof_page *p, const struct json_value *top)
{
    static const struct {
        double scale;
        const char *unit;
    } times[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}};
    struct slice unit = json_text(json_get(top, "Unit"));
    const struct json_value *scale = json_get(top, "Scale");
    double number;

    if (slice_equal(unit, SLICE("B")))
        return unit_named(SLICE("bytes"));
    if (slice_equal(unit, SLICE("s")) && scale && num_parse_double(scale->text, &number))
        for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
            if (number < times[i].scale * 2)
                return unit_named(slice_str(times[i].unit));
    return unit_named(arena_copy(&p->b.profile->strings, unit));
}

static void push_source(struct pprof_page *p, const struct json_value *v)
{
    uint64_t source;

    if (!json_u64(v, &source) || source >= p->sources.count) {
        builder_skip(&p->b, DIAG_AT_FILE, "source %s is not in the table; shown as unknown",
                     json_quoted(v).text);
        builder_frame(&p->b, &(struct frame){.kind = FRAME_PLAIN});
    } else if (source > 0) {
        builder_push(&p->b, p->sources.items[source]);
    }
}

static bool read_stack(struct pprof_page *p, uint32_t series, const struct json_value *stack)
{
    const struct json_value *value = json_get(stack, "Value");
    int64_t weight;

    p->b.profile->ledger.lines++;
    if (!json_i64(value, &weight)) {
        builder_skip(&p->b, DIAG_AT_FILE, "malformed value of a stack: %s; skipped",
                     json_quoted(value).text);
        return true;
    }
    builder_begin(&p->b);
    json_each(v, json_get(stack, "Sources")) push_source(p, v);
    return builder_add_signed(&p->b, series, weight);
}

static bool read_top(void *context, const struct json_value *top, struct slice page)
{
    struct pprof_page *p = context;
    const struct origin origin = {.event = json_text(json_get(top, "Type"))};
    uint32_t series = builder_series(&p->b, &origin, unit_of(p, top));

    (void)page;
    json_each(v, json_get(top, "Sources")) read_source(p, v);
    json_each(v, json_get(top, "Stacks")) if (!read_stack(p, series, v)) return false;
    return true;
}

static bool pprof_page_read(struct content *c)
{
    struct pprof_page p = {.sources = {0}};
    bool ok;

    builder_init(&p.b, c->profile, c->options, c->diag);
    ok = page_read(c, "stackViewer(", read_top, &p);
    vec_release(&p.sources);
    builder_release(&p.b);
    return ok;
}

const struct format format_pprof_page = {
    .name = "pprof-page",
    .family = FORMAT_PICTURES,
    .description = "flame graphs of go tool pprof -http, saved from the browser",
    .recognised = "a page with 'stack-holder' and 'stackViewer'",
    .example = "go tool pprof -http=:8080 app.pb.gz; curl -o app.html localhost:8080/ui/flamegraph",
    .claims = pprof_page_claims,
    .read = pprof_page_read,
    .picture = true,
};
