#include "input/formats/device/xplane_plane.h"

#include "base/budget.h"

static const struct xplane_op no_op = {MAP_NONE, MAP_NONE, MAP_NONE, MAP_NONE, 0, false};

void xplane_plane_release(struct xplane *x)
{
    release_each(x, (intern, name_ids, stat_ids), (vec, names, stats, lines));
}

/* Takes the next field; at the end, counts bytes that are none. */
static bool next_field(struct xplane *x, struct slice *rest, struct proto_field *f)
{
    if (proto_next(rest, f))
        return true;
    x->damaged += rest->len > 0;
    return false;
}

static bool is_bytes(const struct proto_field *f, uint64_t number)
{
    return f->number == number && f->wire == PROTO_BYTES;
}

static bool is_number(const struct proto_field *f, uint64_t number)
{
    return f->number == number && f->wire == PROTO_VARINT;
}

static uint32_t find_id(const struct intern *ids, uint64_t id)
{
    return intern_find(ids, slice_make((const char *)&id, sizeof(id)));
}

/* ---- statements ---------------------------------------------------------------------------- */

static enum xplane_role role_of(struct slice name)
{
    static const struct {
        struct slice name;
        enum xplane_role role;
    } rows[] = {
        {{"name", 4}, XPLANE_NAME},
        {{"tf_op", 5}, XPLANE_TF_OP},
        {{"hlo_op", 6}, XPLANE_HLO_OP},
        {{"hlo_module", 10}, XPLANE_MODULE},
        {{"correlation_id", 14}, XPLANE_CORRELATION},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (slice_equal(rows[i].name, name))
            return rows[i].role;
    return XPLANE_OTHER;
}

/* A statement that was read: its name by id, and its value. */
struct statement {
    uint64_t id, number;
    uint32_t text; /* MAP_NONE if it is empty */
    bool has_number;
};

/* The text of a name that a statement refers to. */
static uint32_t text_of(struct xplane *x, uint64_t id)
{
    uint32_t index = find_id(&x->stat_ids, id);
    struct xplane_stat *stat = index == MAP_NONE ? NULL : &x->stats.items[index];

    if (!stat || !stat->text.len)
        return MAP_NONE;
    if (stat->number == MAP_NONE)
        stat->number = intern_add(x->texts, stat->text);
    return stat->number;
}

static enum xplane_role role_of_id(const struct xplane *x, uint64_t id)
{
    uint32_t index = find_id(&x->stat_ids, id);

    return index == MAP_NONE ? XPLANE_OTHER : x->stats.items[index].role;
}

static struct statement read_stat(struct xplane *x, struct slice bytes)
{
    enum { ID = 1, UNSIGNED = 3, SIGNED, TEXT, REFERENCE = 7 };
    struct statement s = {.text = MAP_NONE};
    struct slice text = {0};
    struct proto_field f;

    while (next_field(x, &bytes, &f)) {
        if (is_number(&f, ID)) {
            s.id = f.value;
        } else if (is_number(&f, UNSIGNED) || is_number(&f, SIGNED)) {
            s.number = f.value;
            s.has_number = true;
        } else if (is_bytes(&f, TEXT)) {
            text = f.bytes;
        } else if (is_number(&f, REFERENCE)) {
            s.text = text_of(x, f.value);
        }
    }
    if (text.len && role_of_id(x, s.id) > XPLANE_OTHER)
        s.text = intern_add(x->texts, text);
    return s;
}

static void take_stat(struct xplane *x, struct slice bytes, struct xplane_op *op)
{
    struct statement s = read_stat(x, bytes);
    enum xplane_role role = role_of_id(x, s.id);
    uint32_t *const places[] = {
        [XPLANE_NAME] = &op->name,
        [XPLANE_TF_OP] = &op->tf_op,
        [XPLANE_HLO_OP] = &op->hlo_op,
        [XPLANE_MODULE] = &op->module,
    };

    if (role == XPLANE_CORRELATION) {
        op->correlation = s.number;
        op->has_correlation = s.has_number;
    } else if (role != XPLANE_OTHER && s.text != MAP_NONE) {
        *places[role] = s.text;
    }
}

/* ---- names --------------------------------------------------------------------------------- */

/* Takes an entry of a map from ids apart. */
static struct slice read_entry(struct xplane *x, struct slice bytes, uint64_t *id)
{
    enum { KEY = 1, VALUE };
    struct slice value = {0};
    struct proto_field f;

    *id = 0;
    while (next_field(x, &bytes, &f)) {
        if (is_number(&f, KEY))
            *id = f.value;
        else if (is_bytes(&f, VALUE))
            value = f.bytes;
    }
    return value;
}

static uint32_t add_id(struct intern *ids, uint64_t id)
{
    return intern_add(ids, slice_make((const char *)&id, sizeof(id)));
}

static void add_stat_name(struct xplane *x, struct slice bytes)
{
    enum { NAME = 2 };
    uint64_t id;
    struct slice value = read_entry(x, bytes, &id);
    uint32_t index = add_id(&x->stat_ids, id);
    struct xplane_stat stat = {.number = MAP_NONE};
    struct proto_field f;

    while (next_field(x, &value, &f))
        if (is_bytes(&f, NAME))
            stat.text = f.bytes;
    stat.role = role_of(stat.text);
    if (index == x->stats.count)
        *vec_add(&x->stats) = stat;
}

/* The name to show, or that of an instruction: "fusion.3" of "%fusion.3 = f32[8] fusion(...)". */
static struct slice short_name(struct slice name, struct slice shown)
{
    size_t end;

    if (shown.len)
        return shown;
    end = slice_find(name, ' ');
    if (slice_starts(name, SLICE("%")) && slice_starts(slice_skip(name, end), SLICE(" = ")))
        return slice_skip(slice_take(name, end), 1);
    return name;
}

static void add_name(struct xplane *x, struct slice bytes)
{
    enum { NAME = 2, SHOWN = 4, STATS };
    uint64_t id;
    struct slice value = read_entry(x, bytes, &id), text = {0}, shown = {0};
    uint32_t index = add_id(&x->name_ids, id);
    struct xplane_name name = {.op = no_op, .entry = MAP_NONE};
    struct proto_field f;

    while (next_field(x, &value, &f)) {
        if (is_bytes(&f, NAME))
            text = f.bytes;
        else if (is_bytes(&f, SHOWN))
            shown = f.bytes;
        else if (is_bytes(&f, STATS))
            take_stat(x, f.bytes, &name.op);
    }
    name.text = short_name(text, shown);
    if (index == x->names.count)
        *vec_add(&x->names) = name;
}

/* ---- the plane ----------------------------------------------------------------------------- */

static void add_line(struct xplane *x, struct slice bytes)
{
    enum { ID = 1, NAME, START, EVENTS, SHOWN = 11 };
    struct xplane_line line = {.fields = bytes};
    struct slice shown = {0};
    struct proto_field f;

    while (next_field(x, &bytes, &f)) {
        if (is_number(&f, ID))
            line.id = f.value;
        else if (is_bytes(&f, NAME))
            line.name = f.bytes;
        else if (is_number(&f, START))
            line.ns = (int64_t)f.value;
        else if (is_bytes(&f, SHOWN))
            shown = f.bytes;
        line.events += is_bytes(&f, EVENTS);
    }
    if (!line.name.len)
        line.name = shown;
    *vec_add(&x->lines) = line;
}

void xplane_plane_read(struct xplane *x, struct slice fields, struct intern *texts)
{
    enum { NAME = 2, LINES, NAMES, STATS };
    struct slice rest = fields;
    struct proto_field f;

    *x = (struct xplane){.texts = texts};
    while (proto_next(&rest, &f))
        if (is_bytes(&f, STATS))
            add_stat_name(x, f.bytes);
    while (next_field(x, &fields, &f)) {
        if (is_bytes(&f, NAME))
            x->name = f.bytes;
        else if (is_bytes(&f, LINES))
            add_line(x, f.bytes);
        else if (is_bytes(&f, NAMES))
            add_name(x, f.bytes);
    }
}

const struct xplane_line *xplane_plane_line(const struct xplane *x, struct slice name)
{
    vec_each (const struct xplane_line, line, &x->lines)
        if (slice_equal(line->name, name))
            return line;
    return NULL;
}

/* ---- events -------------------------------------------------------------------------------- */

static struct xplane_event read_event(struct xplane *x, struct slice bytes)
{
    enum { NAME = 1, OFFSET, DURATION, STATS, OCCURRENCES };
    struct xplane_event e = {.op = no_op, .outer = MAP_NONE};
    struct slice rest = bytes;
    uint64_t id = 0, duration = 0;
    struct proto_field f;

    while (proto_next(&rest, &f)) {
        if (is_number(&f, NAME))
            id = f.value;
        else if (is_number(&f, OFFSET))
            e.begin = (int64_t)f.value;
        else if (is_number(&f, DURATION))
            duration = f.value;
        e.is_sum |= is_number(&f, OCCURRENCES);
    }
    e.name = find_id(&x->name_ids, id);
    if (e.name != MAP_NONE)
        e.op = x->names.items[e.name].op;
    while (next_field(x, &bytes, &f))
        if (is_bytes(&f, STATS))
            take_stat(x, f.bytes, &e.op);
    e.possible =
        duration <= INT64_MAX && !__builtin_add_overflow(e.begin, (int64_t)duration, &e.end);
    e.own = duration;
    return e;
}

static int compare(const void *left, const void *right)
{
    const struct xplane_event *a = left, *b = right;

    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* Finds the event around each one, which loses its time to it. */
static void nest(struct xplane_events *events)
{
    struct xplane_event *all = events->items;
    uint32_t last = MAP_NONE;

    for (uint32_t i = 0; i < events->count; i++) {
        struct xplane_event *e = &all[i];

        if (!e->possible || e->is_sum)
            continue;
        while (last != MAP_NONE && (all[last].end <= e->begin || all[last].end < e->end))
            last = all[last].outer;
        e->outer = last;
        if (last != MAP_NONE)
            all[last].own -= e->own < all[last].own ? e->own : all[last].own;
        last = i;
    }
}

void xplane_plane_events(struct xplane *x, const struct xplane_line *line,
                         struct xplane_events *out)
{
    enum { EVENTS = 4 };
    struct slice rest = line->fields;
    struct proto_field f;

    vec_clear(out);
    while (proto_next(&rest, &f))
        if (is_bytes(&f, EVENTS) && out->count < UINT32_MAX) {
            struct xplane_event e = read_event(x, f.bytes);

            e.order = (uint32_t)out->count;
            *vec_add(out) = e;
        }
    budget_work(out->count);
    if (out->count)
        qsort(out->items, out->count, sizeof(out->items[0]), compare);
    nest(out);
}
