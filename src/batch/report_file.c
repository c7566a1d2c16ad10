#include "batch/report_file.h"

#include <math.h>

#include "base/budget.h"
#include "base/file.h"
#include "base/release.h"
#include "compare/budgets.h"
#include "input/core/source.h"
#include "input/parse/json.h"

#define NAME "report.json"
#define REPORT_SCHEMA "flamepress-report/2"
#define INDEX_SCHEMA "flamepress-report-index/1" /* each graph has a file of its own */
#define COMPARISON_SCHEMA "flamepress-comparison/1"

/* One file being read. */
struct reading {
    struct report_file_content *out;
    const char *directory;
    bool known, compared; /* the schema of the file is known; it has a comparison */
    struct diag *diag;
};

static struct slice text_of(struct comparison *c, const struct json_value *object, const char *key)
{
    return arena_copy(&c->memory, json_text(json_get(object, key)));
}

static bool flag_of(const struct json_value *object, const char *key)
{
    const struct json_value *v = json_get(object, key);

    return v && v->type == JSON_TRUE;
}

static uint64_t count_of(const struct json_value *object, const char *key)
{
    uint64_t n;

    return json_u64(json_get(object, key), &n) ? n : 0;
}

/* Returns a percentage as a part of 1; `missing` if it is null or no number. */
static double part_of(const struct json_value *object, const char *key, double missing)
{
    const struct json_value *v = json_get(object, key);
    double percent;

    if (!v || v->type != JSON_NUMBER || !num_parse_double(v->text, &percent))
        return missing;
    return percent / 100;
}

/* ---- findings -------------------------------------------------------------------------------- */

static enum verdict verdict_of(const struct json_value *object)
{
    struct slice word = json_text(json_get(object, "verdict"));

    for (int v = VERDICT_UNDECIDED; v < VERDICTS; v++)
        if (slice_equal(word, compare_verdict_word((enum verdict)v)))
            return (enum verdict)v;
    return VERDICT_UNDECIDED;
}

/* Returns a weight with the decimals of its service; 0 if it does not fit. */
static uint64_t weight_of(const struct json_value *finding, const char *key, unsigned decimals)
{
    struct decimal d;
    uint64_t value;

    if (!json_decimal(json_get(finding, key), &d, NULL) || d.decimals > decimals ||
        !num_mul(d.value, num_pow10(decimals - d.decimals), &value))
        return 0;
    return value;
}

/* Returns the most decimals that a weight of the findings has. */
static unsigned decimals_of(const struct json_value *findings)
{
    static const char *const keys[] = {"base_weight", "new_weight"};
    unsigned most = 0;
    struct decimal d;

    json_each(f, findings) for (size_t i = 0; i < sizeof(keys) / sizeof(*keys);
                                i++) if (json_decimal(json_get(f, keys[i]), &d, NULL) &&
                                         d.decimals > most) most = d.decimals;
    return most;
}

static void read_finding(struct comparison *c, const struct json_value *v,
                         struct compared_service *s)
{
    *vec_add(&s->findings) = (struct finding){
        .function = text_of(c, v, "function"),
        .module = text_of(c, v, "module"),
        .owner = text_of(c, v, "owner"),
        .scope = slice_equal(json_text(json_get(v, "scope")), compare_scope_word(COMPARE_SELF))
                     ? COMPARE_SELF
                     : COMPARE_TOTAL,
        .verdict = verdict_of(v),
        .base = part_of(v, "base_percent", 0),
        .new = part_of(v, "new_percent", 0),
        .change = part_of(v, "points", 0),
        .low = part_of(v, "low", 0),
        .high = part_of(v, "high", 0),
        .base_weight = weight_of(v, "base_weight", s->decimals),
        .new_weight = weight_of(v, "new_weight", s->decimals),
        .since = text_of(c, v, "since"),
        .since_earliest = text_of(c, v, "since_earliest"),
        .since_latest = text_of(c, v, "since_latest"),
        .undoes = text_of(c, v, "undoes"),
        .confirmed = flag_of(v, "confirmed"),
        .through = text_of(c, v, "through"),
        .renamed_from = text_of(c, v, "renamed_from"),
        .accepted = text_of(c, v, "accepted"),
    };
}

static enum budget_kind basis_of(struct slice word)
{
    for (enum budget_kind kind = BUDGET_PER_REQUEST; kind < BUDGET_PER_RUN; kind++)
        if (slice_equal(word, budgets_basis(kind)))
            return kind;
    return BUDGET_PER_RUN;
}

/* ---- services -------------------------------------------------------------------------------- */

static void read_sides(const struct json_value *v, struct compared_service *s)
{
    static const char *const keys[] = {[STATS_BASE] = "base", [STATS_NEW] = "new"};

    for (int side = STATS_BASE; side <= STATS_NEW; side++)
        s->sides[side] = (struct compared_side){
            .runs = count_of(json_get(v, "runs"), keys[side]),
            .samples = count_of(json_get(v, "samples"), keys[side]),
        };
}

static double number_of(const struct json_value *object, const char *key)
{
    return part_of(object, key, 0) * 100;
}

static void read_cost(struct comparison *c, const struct json_value *v, struct compared_service *s)
{
    const double unit = pow(10, s->decimals);

    if (!v || v->type != JSON_OBJECT)
        return;
    s->cost = (struct compared_cost){
        .basis = basis_of(text_of(c, v, "per")),
        .base = number_of(v, "base") * unit,
        .new = number_of(v, "new") * unit,
        .change = part_of(v, "percent", 0),
        .low = part_of(v, "low", 0),
        .high = part_of(v, "high", 0),
        .has_interval = part_of(v, "high", -2) > -2,
        .exposure = {number_of(v, "base_run"), number_of(v, "new_run")},
    };
    if (!(s->cost.exposure[STATS_BASE] > 0) || !(s->cost.exposure[STATS_NEW] > 0))
        s->cost = (struct compared_cost){0};
}

static void read_service(struct comparison *c, const struct json_value *v)
{
    struct compared_service *s = vec_add(&c->services);
    const struct json_value *warnings = json_get(v, "warnings"),
                            *findings = json_get(v, "findings");
    int64_t exponent;

    *s = (struct compared_service){
        .name = text_of(c, v, "name"),
        .event = text_of(c, v, "event"),
        .owner = text_of(c, v, "owner"),
        .unit = unit_named(text_of(c, v, "unit")),
        .decimals = decimals_of(findings),
        .exact = flag_of(v, "exact"),
        .smallest = part_of(v, "mdc_points", 1),
        .reason = text_of(c, v, "reason"),
    };
    if (json_i64(json_get(v, "exponent"), &exponent) && exponent >= -18 && exponent <= 18)
        s->unit.exponent = (int)exponent;
    read_sides(v, s);
    read_cost(c, json_get(v, "cost"), s);
    json_each(w, warnings) * vec_add(&s->warnings) = arena_copy(&c->memory, json_text(w));
    json_each(f, findings) read_finding(c, f, s);
    s->verdict = comparison_verdict(s);
}

static enum budget_kind budget_kind_of(struct comparison *c, const struct json_value *v)
{
    struct slice basis = text_of(c, v, "total_per");

    for (enum budget_kind kind = BUDGET_PER_REQUEST; kind <= BUDGET_PER_RUN; kind++)
        if (slice_equal(basis, budgets_basis(kind)))
            return kind;
    return json_get(v, "search") ? BUDGET_SEARCH : BUDGET_FUNCTION;
}

static void read_budget(struct comparison *c, const struct json_value *v)
{
    enum budget_kind kind = budget_kind_of(c, v);
    struct budget_result b = {
        .kind = kind,
        .service = text_of(c, v, "service"),
        .event = text_of(c, v, "event"),
        .name = text_of(c, v, kind == BUDGET_SEARCH ? "search" : "function"),
        .base = part_of(v, "base_percent", 0),
        .new = part_of(v, "new_percent", 0),
        .max_share = part_of(v, "max_share", 1),
        .max_growth = part_of(v, "max_growth", 1),
    };

    b.share_broken = flag_of(v, "broken") && b.max_share < 1 && b.new > b.max_share;
    b.growth_broken = flag_of(v, "broken") && b.new - b.base > b.max_growth;
    *vec_add(&c->budgets) = b;
}

bool report_file_comparison(struct comparison *c, const struct json_value *v)
{
    if (!slice_equal(json_text(json_get(v, "schema")), SLICE(COMPARISON_SCHEMA)))
        return false;
    c->base = text_of(c, v, "base");
    c->new = text_of(c, v, "new");
    json_each(s, json_get(v, "services")) read_service(c, s);
    json_each(b, json_get(v, "budgets")) read_budget(c, b);
    comparison_set_titles(c);
    return true;
}

static bool read_comparison(struct reading *r, const struct json_value *v)
{
    if (v->type != JSON_OBJECT || r->compared)
        return true;
    r->compared = report_file_comparison(&r->out->comparison, v);
    return r->compared ||
           diag_error(r->diag, "expected a comparison of the schema '" COMPARISON_SCHEMA "'");
}

/* ---- the file -------------------------------------------------------------------------------- */

bool report_file_is_picture(struct slice path)
{
    struct slice name = slice_skip(path, strlen("graphs/"));

    return slice_starts(path, SLICE("graphs/")) && slice_find(name, '/') == name.len &&
           slice_ends(name, SLICE(".png")) && slice_find(name, '\0') == name.len;
}

static void read_pictures(struct reading *r, const struct json_value *v)
{
    json_each(picture, v)
    {
        struct slice path = json_text(json_get(picture, "png"));

        if (!report_file_is_picture(path))
            continue;
        *vec_add(&r->out->pictures) = (struct report_picture_file){
            .service = text_of(&r->out->comparison, picture, "service"),
            .function = text_of(&r->out->comparison, picture, "function"),
            .scope = text_of(&r->out->comparison, picture, "scope"),
            .path = arena_printf(&r->out->memory, "%s/%.*s", r->directory, SLICE_ARG(path)),
        };
    }
}

bool report_file_is_schema(struct slice schema)
{
    return slice_equal(schema, SLICE(REPORT_SCHEMA)) || slice_equal(schema, SLICE(INDEX_SCHEMA));
}

/* Graphs, of which there may be many, are passed one by one. */
static bool is_list(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("graphs"));
}

static bool take_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct reading *r = context;

    (void)at;
    if (parent.len)
        return true;
    if (json_key_is(v, SLICE("schema")))
        r->known = report_file_is_schema(json_text(v));
    else if (json_key_is(v, SLICE("comparison")))
        return read_comparison(r, v);
    else if (json_key_is(v, SLICE("finding_files")))
        read_pictures(r, v);
    return true;
}

static bool read_open(struct reading *r, struct source *source, const struct input_limits *limits)
{
    const struct input_options options = {.limits = *limits};
    struct content content = {.source = source, .options = &options, .diag = r->diag, .threads = 1};
    const struct json_handler handler = {
        .context = r, .one_document = true, .each = is_list, .value = take_value};

    if (!json_read(&content, &handler) || r->diag->counts[DIAG_WARNING])
        return r->diag->counts[DIAG_ERROR] ? false : diag_error(r->diag, "the file is damaged");
    if (!r->known)
        return diag_error(r->diag, "expected the schema '" REPORT_SCHEMA "'");
    return r->compared ||
           diag_error(r->diag, "this report has no comparison; write it with --baseline");
}

static const char *path_of(const char *directory, struct arena *memory)
{
    return arena_printf(memory, "%s/" NAME, directory);
}

bool report_file_exists(const char *directory)
{
    struct arena memory = {0};
    bool exists = file_kind(directory) == FILE_DIRECTORY &&
                  file_kind(path_of(directory, &memory)) == FILE_REGULAR;

    arena_release(&memory);
    return exists;
}

bool report_file_read(struct report_file_content *out, const char *directory,
                      const struct input_limits *limits, struct diag *diag)
{
    struct reading r = {.out = out, .directory = directory, .diag = diag};
    struct budget budget, *before;
    struct source source;
    bool ok;

    *out = (struct report_file_content){0};
    budget_init(&budget, "reading", limits->max_memory, limits->max_work);
    before = budget_enter(&budget);
    ok = source_open(&source, path_of(directory, &out->memory), limits->max_size, diag) &&
         read_open(&r, &source, limits);
    source_release(&source);
    ok = budget_allows(diag, DIAG_AT_FILE) && ok;
    budget_leave(before);
    return ok;
}

void report_file_release(struct report_file_content *c)
{
    comparison_release(&c->comparison);
    vec_release(&c->pictures);
    arena_release(&c->memory);
}
