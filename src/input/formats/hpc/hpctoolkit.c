/*
 * Reader of the databases of HPCToolkit: experiment.xml, as hpcprof writes it up to 2021.
 *
 *     <MetricTable>
 *       <Metric i="3" n="CPUTIME (usec):Sum (E)" t="exclusive" .../>
 *     <LoadModuleTable> <LoadModule i="2" n="cpi"/> ...
 *     <FileTable> <File i="3" n="./src/cpi.c"/> ...
 *     <ProcedureTable> <Procedure i="7" n="main"/> ...
 *     <SecCallPathProfileData>
 *       <PF i="4" s="7" l="19" lm="2" f="3" n="7">      a frame: line, module, file, procedure
 *         <C i="5" s="12" l="27"> <PF ...>              a call, with the frame that is called
 *         <Pr ...> <L ...>                              an inlined function, a loop
 *         <S i="9" s="12" l="28">                       a statement
 *           <M n="3" v="179877"/>                       the value of a metric
 *
 * Costs are those of statements; frames and inlined functions are their stacks. Each exclusive
 * metric that is a sum, or has no statistics, is a series in the unit of its name, "(usec)", but
 * nanoseconds for seconds, else of counts. The values have six digits. Dropped: loops, the other
 * metrics, and the values of single processes in .metric-db files.
 *
 * Source: the DTD within the file; hatchet's reader of HPCToolkit.
 */
#include <math.h>

#include "base/num.h"
#include "input/build/builder.h"
#include "input/format.h"
#include "input/formats/hpc/caliper_metric.h"
#include "input/parse/xml.h"

struct metric {
    struct slice id; /* in `ids` */
    bool weight;     /* it is a series */
    uint32_t series;
    double factor; /* from the value to the weight */
};

/* A frame or a statement that is open. */
struct scope {
    bool statement;
    size_t depth; /* of the stack outside of it */
};

enum table { MODULES, FILES, PROCEDURES, TABLES };

struct hpctoolkit {
    struct content *content;
    struct builder b;
    struct intern ids, texts;
    struct table_names {
        VEC(uint32_t) names; /* text by id; MAP_NONE if the table does not have it */
    } tables[TABLES];
    VEC(struct metric) metrics;
    VEC(struct scope) scopes;
    bool has_weights; /* one of the metrics is a series */
};

static bool hpctoolkit_claims(const struct head *head)
{
    return slice_starts(head->bytes, SLICE("<?xml")) &&
           (slice_has(head->bytes, SLICE("<HPCToolkitExperiment ")) ||
            slice_has(head->bytes, SLICE("<!DOCTYPE HPCToolkitExperiment ")));
}

/* ---- tables -------------------------------------------------------------------------------- */

static void add_name(struct hpctoolkit *h, enum table table, const struct xml_element *e)
{
    struct table_names *names = &h->tables[table];
    uint32_t id = intern_add(&h->ids, xml_attribute(e, "i"));

    while (names->names.count <= id)
        *vec_add(&names->names) = MAP_NONE;
    names->names.items[id] = intern_add(&h->texts, xml_attribute(e, "n"));
}

/* Returns a name by its id, empty if it is not known. */
static struct slice name_of(const struct hpctoolkit *h, enum table table, struct slice id)
{
    const struct table_names *names = &h->tables[table];
    uint32_t place = intern_find(&h->ids, id);

    if (place >= names->names.count || names->names.items[place] == MAP_NONE)
        return slice_make(NULL, 0);
    return intern_get(&h->texts, names->names.items[place]);
}

/* The unit in a metric's name, "CPUTIME (usec):Sum (E)", and the factor that makes weights. */
static struct unit unit_of(struct slice name, struct slice event, double *factor)
{
    struct slice word = slice_skip(name, slice_find(name, '(') + 1);
    struct unit unit;

    *factor = 1;
    if (!caliper_metric_unit_of_word(slice_take(word, slice_find(word, ')')), &unit))
        return unit_named(event);
    if (unit.kind != UNIT_SECONDS || unit.exponent < 0)
        return unit;
    *factor = 1e9;
    return unit_named(SLICE("ns"));
}

static void add_metric(struct hpctoolkit *h, const struct xml_element *e)
{
    struct slice name = xml_attribute(e, "n"), event, id = xml_attribute(e, "i");
    struct slice statistics = slice_skip(name, slice_find(name, ':'));
    struct metric *m = vec_add(&h->metrics);
    struct unit unit;

    *m = (struct metric){.id = intern_get(&h->ids, intern_add(&h->ids, id))};
    if (!slice_equal(xml_attribute(e, "t"), SLICE("exclusive")) ||
        (statistics.len && !slice_starts(statistics, SLICE(":Sum"))))
        return;
    event = slice_take(name, name.len - statistics.len);
    event = slice_trim(slice_take(event, slice_search(event, SLICE(" ("))));
    unit = unit_of(name, event, &m->factor);
    m->series = builder_series(&h->b, &(struct origin){.event = event}, unit);
    m->weight = h->has_weights = true;
}

/* ---- the tree ------------------------------------------------------------------------------ */

/* Counts and quotes an id of a frame that no table has. */
static void tell_undefined(const struct hpctoolkit *h, enum table table, struct slice id)
{
    static const char *const what[TABLES] = {"module", "file", "procedure"};

    if (id.len && !name_of(h, table, id).len)
        builder_skip(&h->b, DIAG_AT_FILE, "%s %.*s is not in its table; shown as unknown",
                     what[table], SLICE_ARG(id));
}

static void open_frame(struct hpctoolkit *h, const struct xml_element *e)
{
    struct frame f = {.name = name_of(h, PROCEDURES, xml_attribute(e, "n")),
                      .module = name_of(h, MODULES, xml_attribute(e, "lm")),
                      .file = name_of(h, FILES, xml_attribute(e, "f")),
                      .kind = FRAME_NATIVE};

    tell_undefined(h, PROCEDURES, xml_attribute(e, "n"));
    tell_undefined(h, MODULES, xml_attribute(e, "lm"));
    if (slice_starts(f.name, SLICE("<unknown procedure>")))
        f.name.len = 0;
    if (slice_starts(f.file, SLICE("<unknown file>")))
        f.file.len = 0;
    num_parse_u64(xml_attribute(e, "l"), &f.line);
    if (slice_equal(e->name, SLICE("Pr"))) {
        f.class = SYMBOL_INLINED;
        f.has_class = true;
    }
    *vec_add(&h->scopes) = (struct scope){false, builder_depth(&h->b)};
    builder_frame(&h->b, &f);
}

/* Adds a value of the current statement. */
static bool add_value(struct hpctoolkit *h, const struct xml_element *e)
{
    static const double most = 9e18;
    struct slice id = xml_attribute(e, "n"), text = xml_attribute(e, "v");
    double value;

    if (!h->scopes.count || !h->scopes.items[h->scopes.count - 1].statement)
        return true;
    vec_each (const struct metric, m, &h->metrics) {
        if (!slice_equal(m->id, id))
            continue;
        if (!m->weight)
            return true;
        if (!num_parse_double(text, &value) || !(value >= 0) || value * m->factor > most) {
            builder_skip(&h->b, DIAG_AT_FILE,
                         "the value '%.*s' of metric %.*s is no number, negative or too large; "
                         "skipped",
                         SLICE_ARG(text), SLICE_ARG(id));
            return true;
        }
        return builder_add(&h->b, m->series, (uint64_t)llround(value * m->factor));
    }
    builder_skip(&h->b, DIAG_AT_FILE,
                 "metric %.*s is not in the table of metrics; its value %.*s is skipped",
                 SLICE_ARG(id), SLICE_ARG(text));
    return true;
}

/* Adds a name to the table of this element, if it is of one. Returns whether it is. */
static bool add_to_table(struct hpctoolkit *h, const struct xml_element *e)
{
    static const struct slice elements[TABLES] = {
        [MODULES] = {"LoadModule", 10}, [FILES] = {"File", 4}, [PROCEDURES] = {"Procedure", 9}};

    for (enum table table = 0; table < TABLES; table++)
        if (slice_equal(e->name, elements[table])) {
            add_name(h, table, e);
            return true;
        }
    return false;
}

/* The elements that a file has most of come first. */
static bool open_element(void *context, const struct xml_element *e)
{
    struct hpctoolkit *h = context;

    if (slice_equal(e->name, SLICE("M")))
        return add_value(h, e);
    if (slice_equal(e->name, SLICE("S")))
        *vec_add(&h->scopes) = (struct scope){true, builder_depth(&h->b)};
    else if (slice_equal(e->name, SLICE("PF")) || slice_equal(e->name, SLICE("Pr")))
        open_frame(h, e);
    else if (slice_equal(e->name, SLICE("Metric")))
        add_metric(h, e);
    else if (!add_to_table(h, e) && h->scopes.count &&
             !slice_is_any(e->name, "C", "L", "A")) /* calls, loops and what is inlined into them */
        builder_skip(&h->b, DIAG_AT_FILE, "unknown element '%.*s' in the tree; left out",
                     SLICE_ARG(e->name));
    return true;
}

static bool close_element(void *context, struct slice name, struct slice text)
{
    struct hpctoolkit *h = context;

    (void)text;
    if (!slice_equal(name, SLICE("PF")) && !slice_equal(name, SLICE("Pr")) &&
        !slice_equal(name, SLICE("S")))
        return true;
    builder_cut(&h->b, h->scopes.items[--h->scopes.count].depth);
    return true;
}

static bool hpctoolkit_read(struct content *content)
{
    struct hpctoolkit h = {.content = content};
    const struct xml_handler handler = {
        .context = &h, .without_texts = true, .open = open_element, .close = close_element};
    bool ok;

    builder_init(&h.b, content->profile, content->options, content->diag);
    builder_begin(&h.b);
    ok = xml_read(content, &handler);
    if (ok && !h.has_weights)
        diag_add(content->diag, DIAG_NOTE, DIAG_AT_FILE,
                 "the file has no exclusive metric: its values are in the .metric-db files beside "
                 "it; run hpcprof with -M sum");
    for (enum table table = 0; table < TABLES; table++)
        vec_release(&h.tables[table].names);
    release_each(&h, (vec, metrics, scopes), (intern, ids, texts), (builder, b));
    return ok;
}

const struct format format_hpctoolkit = {
    .name = "hpctoolkit",
    .family = FORMAT_SYSTEMS,
    .description = "databases of HPCToolkit, experiment.xml",
    .recognised = "the element HPCToolkitExperiment",
    .example = "hpcprof -M sum -S app.hpcstruct hpctoolkit-app-measurements",
    .without_stacks = "no statement has a cost",
    .claims = hpctoolkit_claims,
    .read = hpctoolkit_read,
};
