/*
 * Reader of Caliper's recordings (.cali).
 *
 *     __rec=node,id=19,attr=10,data=268,parent=3
 *     __rec=node,id=20,attr=8,data=function,parent=19
 *     __rec=node,id=155,attr=20,data=main,parent=28
 *     __rec=ctx,ref=155,attr=111=148,data=0.025121=2
 *     __rec=globals,ref=28
 *
 * A node is a value of an attribute, such as a function, and has a parent. Attributes are nodes,
 * too: of attribute 8, the name of an attribute, with parents that say its properties (attribute
 * 10) and its type (the nodes 0 to 7). The nodes of attributes with the property "nested" are
 * frames. A snapshot (ctx) has nodes, `ref`, and values of attributes. In values a backslash comes
 * before a comma, an equals sign and a backslash.
 *
 * Each metric (caliper_metric.h) is a series; of inclusive values those of the children are
 * subtracted (inclusive.h). A file that has both has the exclusive ones drawn. Times are in the
 * unit that the attribute states ("time.unit"), else in seconds if they are floating-point numbers
 * (type 5) and in microseconds if not. A rank of MPI is a process, for --split. Other values, and
 * what applies to the whole run (globals), are dropped.
 *
 * Source: github.com/LLNL/Caliper, src/common/c-util and src/reader/CaliReader.cpp.
 */
#include "base/num.h"
#include "input/build/frame_tree.h"
#include "input/format.h"
#include "input/formats/hpc/caliper_metric.h"
#include "input/formats/hpc/inclusive.h"

enum { ATTRIBUTE_NAME = 8, ATTRIBUTE_PROPERTIES = 10, TYPE_DOUBLE = 5, NESTED = 256 };

struct attribute {
    bool nested, metric, seconds;
    bool is_rank, used;         /* used: a snapshot has a value of the metric */
    struct caliper_metric kind; /* its text, and the unit, are in `texts` */
    struct slice unit;
    uint64_t turn; /* the turn of ranks that `series` is of, or 0 */
    uint32_t series;
};

/* A node, as far as attributes need it. */
struct node {
    uint32_t parent, attribute; /* indices of nodes, or FRAME_TREE_NONE */
    uint64_t number;            /* the id of the attribute */
    struct slice data;
};

struct cali {
    struct builder b;
    struct frame_tree tree;
    struct arena texts;
    struct inclusive inclusive;       /* by place of the attribute */
    VEC(struct node) nodes;           /* by place in `tree` */
    VEC(struct attribute) attributes; /* by place in `tree` of the node */
    struct buf value;
    struct buf list;      /* the attributes of the last snapshot */
    VEC(uint32_t) listed; /* their places; most snapshots have the same ones */
    bool has_ranks;       /* an attribute is the rank */
    struct buf rank;      /* of the last snapshot */
    uint64_t turn;        /* how often the rank changed, and 1 */
};

struct record {
    struct slice kind, id, attr, data, parent, ref;
};

/* Returns the end of the part at `p`, which is a separator that has no backslash before it. */
static inline const char *part_end(const char *p, const char *end, char separator)
{
    while (p < end && *p != separator)
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    return p;
}

/* Likewise for a line without a backslash, as most are; a part may be long. */
static inline const char *plain_part_end(const char *p, const char *end)
{
    const char *comma = memchr(p, ',', (size_t)(end - p));

    return comma ? comma : end;
}

/* Takes the part up to a separator. */
static inline struct slice take_part(struct slice *rest, char separator)
{
    const char *start = rest->ptr, *end = start + rest->len, *p = part_end(start, end, separator);

    rest->ptr = p + (p < end);
    rest->len = (size_t)(end - rest->ptr);
    return slice_make(start, (size_t)(p - start));
}

/* Returns where the value of a key goes, or NULL if the key is of no interest. */
static struct slice *place_of_key(struct record *r, struct slice key)
{
    switch (key.len) {
    case 2:
        return slice_equal(key, SLICE("id")) ? &r->id : NULL;
    case 3:
        return slice_equal(key, SLICE("ref")) ? &r->ref : NULL;
    case 4:
        if (slice_equal(key, SLICE("data")))
            return &r->data;
        return slice_equal(key, SLICE("attr")) ? &r->attr : NULL;
    case 5:
        return slice_equal(key, SLICE("__rec")) ? &r->kind : NULL;
    case 6:
        return slice_equal(key, SLICE("parent")) ? &r->parent : NULL;
    default:
        return NULL;
    }
}

static bool parse_record(struct slice line, struct record *r)
{
    const char *end = line.ptr + line.len;
    bool escaped = line.len && memchr(line.ptr, '\\', line.len);

    *r = (struct record){0};
    for (const char *p = line.ptr, *next; p < end; p = next + 1) {
        const char *equals = p;
        struct slice *place;

        next = escaped ? part_end(p, end, ',') : plain_part_end(p, end);
        while (equals < next && *equals != '=')
            equals++;
        place = place_of_key(r, slice_make(p, (size_t)(equals - p)));
        if (place && equals < next)
            *place = slice_make(equals + 1, (size_t)(next - equals - 1));
    }
    return r->kind.len > 0;
}

static bool cali_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    struct record r;

    return head_line(head, &rest, &line) && slice_starts(line, SLICE("__rec=")) &&
           parse_record(line, &r) &&
           (slice_equal(r.kind, SLICE("node")) || slice_equal(r.kind, SLICE("ctx")) ||
            slice_equal(r.kind, SLICE("globals")));
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* A value without its backslashes, until the next one. */
static struct slice unescape(struct cali *c, struct slice text)
{
    buf_clear(&c->value);
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\' && i + 1 < text.len)
            i++;
        buf_add_char(&c->value, text.ptr[i]);
    }
    return buf_slice(&c->value);
}

/* Returns the place of a node in the tree. */
static uint32_t place_of(struct cali *c, struct slice id)
{
    uint32_t place = frame_tree_node(&c->tree, id);

    while (c->nodes.count <= place)
        *vec_add(&c->nodes) = (struct node){.parent = FRAME_TREE_NONE};
    while (c->attributes.count <= place)
        *vec_add(&c->attributes) = (struct attribute){0};
    return place;
}

/* Reads what the parents of a node that names an attribute say about the attribute. */
static void read_attribute(struct cali *c, uint32_t place)
{
    enum { STEPS = 64 };
    struct attribute a = {0};
    struct slice name = c->nodes.items[place].data;
    uint32_t at = c->nodes.items[place].parent;
    uint64_t number;

    a.metric = caliper_metric_of(name, &a.kind);
    a.is_rank = slice_equal(name, SLICE("mpi.rank"));
    c->has_ranks = c->has_ranks || a.is_rank;
    for (int i = 0; i < STEPS && at != FRAME_TREE_NONE; i++) {
        const struct node *n = &c->nodes.items[at];
        struct slice of =
            n->attribute < c->nodes.count ? c->nodes.items[n->attribute].data : slice_make(NULL, 0);

        if (n->number == ATTRIBUTE_PROPERTIES && num_parse_u64(n->data, &number))
            a.nested = number & NESTED;
        if (slice_equal(of, SLICE("time.unit")) || slice_equal(of, SLICE("attribute.unit")))
            a.unit = n->data;
        a.seconds = a.seconds || at == frame_tree_node(&c->tree, SLICE("5"));
        at = n->parent;
    }
    c->attributes.items[place] = a;
}

static bool read_node(struct text *t, struct cali *c, const struct record *r, struct slice line)
{
    uint32_t place, attribute, entry = FRAME_TREE_NONE;
    uint64_t number;

    if (!num_parse_u64(r->id, &number) || !num_parse_u64(r->attr, &number) ||
        (r->parent.len && !num_parse_u64(r->parent, &number)))
        return text_skip_line(t, "expected '__rec=node,id=ID,attr=ATTR,data=TEXT'", line);
    num_parse_u64(r->attr, &number);
    attribute = place_of(c, r->attr);
    place = place_of(c, r->id);
    if (r->parent.len) {
        uint32_t parent = place_of(c, r->parent);

        frame_tree_hang(&c->tree, place, parent);
        c->nodes.items[place].parent = parent;
    }
    c->nodes.items[place].attribute = attribute;
    c->nodes.items[place].number = number;
    if (c->attributes.items[attribute].nested) {
        struct frame frame = {.name = unescape(c, r->data), .kind = FRAME_NATIVE};

        entry = builder_entry(&c->b, &frame);
    } else {
        c->nodes.items[place].data = arena_copy(&c->texts, unescape(c, r->data));
    }
    frame_tree_define(&c->tree, place, entry);
    if (number == ATTRIBUTE_NAME)
        read_attribute(c, place);
    return true;
}

/* ---- snapshots ----------------------------------------------------------------------------- */

/* The stack of the nodes of a snapshot, one after the other. */
static bool stack_of(struct cali *c, struct slice ref, uint32_t *stack)
{
    bool ok = true;

    *stack = STACK_ROOT;
    while (ok && ref.len)
        ok = frame_tree_stack(&c->tree, place_of(c, take_part(&ref, '=')), *stack, stack);
    return ok;
}

/* Finds the places of the attributes of a snapshot. */
static void list_attributes(struct cali *c, struct slice attributes)
{
    if (slice_equal(attributes, buf_slice(&c->list)))
        return;
    buf_clear(&c->list);
    buf_add_slice(&c->list, attributes);
    vec_clear(&c->listed);
    while (attributes.len) {
        uint32_t place = place_of(c, take_part(&attributes, '='));

        *vec_add(&c->listed) = place;
    }
}

/* Finds the rank among the values. */
static struct slice rank_of(const struct cali *c, struct slice values)
{
    for (size_t i = 0; c->has_ranks && i < c->listed.count && values.len; i++) {
        struct slice value = take_part(&values, '=');

        if (c->attributes.items[c->listed.items[i]].is_rank)
            return value;
    }
    return slice_make(NULL, 0);
}

/* Returns the series of an attribute for the rank of the snapshot. */
static uint32_t series_of(struct cali *c, struct attribute *a)
{
    struct origin origin = {.event = a->kind.event, .pid = buf_slice(&c->rank)};

    if (a->turn != c->turn) {
        if (origin.pid.len)
            origin.process = SLICE("rank");
        a->series =
            builder_series(&c->b, &origin, caliper_metric_unit(&a->kind, a->unit, a->seconds));
        a->turn = c->turn;
    }
    return a->series;
}

static void set_rank(struct cali *c, struct slice rank)
{
    if (slice_equal(rank, buf_slice(&c->rank)))
        return;
    buf_clear(&c->rank);
    buf_add_slice(&c->rank, rank);
    c->turn++;
}

/* Counts the metrics of a snapshot from this one on, whose values are missing, or more values. */
static void tell_rest(struct text *t, const struct cali *c, size_t from, struct slice values)
{
    for (; from < c->listed.count; from++)
        if (c->attributes.items[c->listed.items[from]].metric)
            text_skip(t, "value %zu of a snapshot, its '%.*s', is missing", from + 1,
                      SLICE_ARG(c->nodes.items[c->listed.items[from]].data));
    if (values.len)
        text_skip_line(t, "a snapshot has more values than attributes", values);
}

static bool read_snapshot(struct text *t, struct cali *c, const struct record *r)
{
    struct slice values = r->data;
    uint32_t stack = STACK_ROOT;
    bool ok = stack_of(c, r->ref, &stack);
    size_t i;

    list_attributes(c, r->attr);
    set_rank(c, rank_of(c, values));
    for (i = 0; ok && i < c->listed.count && values.len; i++) {
        struct attribute *a = &c->attributes.items[c->listed.items[i]];
        struct slice value = take_part(&values, '=');
        struct decimal weight;

        if (!c->tree.nodes.items[c->listed.items[i]].known)
            text_skip(t, "value %zu of a snapshot is of an attribute that is not defined: '%.*s'",
                      i + 1, SLICE_ARG(value));
        if (!a->metric)
            continue;
        if (!num_parse_decimal(value, &weight)) {
            text_skip_line(t, "expected a number", value);
            continue;
        }
        a->used = true;
        if (a->kind.inclusive)
            inclusive_add(&c->inclusive, c->listed.items[i], buf_slice(&c->rank), stack, weight);
        else
            ok = builder_add_at(&c->b, series_of(c, a), stack, weight);
    }
    tell_rest(t, c, i, values);
    return ok;
}

/* Adds the inclusive values of attributes that no exclusive one replaces. */
static bool add_inclusive(struct cali *c)
{
    bool ok = true;

    for (uint32_t i = 0; ok && i < c->attributes.count; i++) {
        const struct attribute *a = &c->attributes.items[i];
        bool needed = a->used && a->kind.inclusive;

        vec_each (const struct attribute, other, &c->attributes)
            needed = needed && !(other->used && caliper_metric_replaces(&other->kind, &a->kind));
        if (needed)
            ok = inclusive_finish(&c->inclusive, i, a->kind.event,
                                  caliper_metric_unit(&a->kind, a->unit, a->seconds), &c->b);
    }
    return ok;
}

static bool cali_begin(struct text *t, void *state)
{
    struct cali *c = state;

    builder_init(&c->b, t->profile, t->options, t->diag);
    frame_tree_init(&c->tree, &c->b);
    c->turn = 1;
    /* The nodes of types are known without a record. */
    for (int i = 0; i <= ATTRIBUTE_PROPERTIES; i++) {
        struct buf id = {0};

        buf_printf(&id, "%d", i);
        frame_tree_define(&c->tree, place_of(c, buf_slice(&id)), FRAME_TREE_NONE);
        buf_release(&id);
    }
    return true;
}

static bool cali_line(struct text *t, void *state, struct slice line)
{
    struct cali *c = state;
    struct record r;

    if (!slice_trim(line).len)
        return true;
    if (!parse_record(line, &r))
        return text_skip_line(t, "expected '__rec=KIND'", line);
    if (slice_equal(r.kind, SLICE("node")))
        return read_node(t, c, &r, line);
    if (slice_equal(r.kind, SLICE("ctx")))
        return read_snapshot(t, c, &r);
    return slice_equal(r.kind, SLICE("globals")) || text_skip_line(t, "unknown record", line);
}

static bool cali_end(struct text *t, void *state)
{
    struct cali *c = state;

    (void)t;
    return add_inclusive(c);
}

STATE_RELEASE(cali, (inclusive, inclusive), (vec, nodes, attributes, listed), (arena, texts),
              (buf, value, rank, list), (frame_tree, tree), (builder, b));

const struct format format_cali = {
    .name = "cali",
    .family = FORMAT_SYSTEMS,
    .description = "recordings of Caliper",
    .recognised = "'__rec=node' or '__rec=ctx' in the first line",
    .example = "CALI_CONFIG=runtime-profile,output=app.cali ./app",
    .without_stacks = "no snapshot has a sum or count of a region",
    .claims = cali_claims,
    .text = {TEXT_READER(cali)},
};
