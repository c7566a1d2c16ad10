/*
 * Reader of the files of Python's cProfile and profile, which the module pstats writes.
 *
 * The content is one dictionary in marshal's format (marshal.h):
 *
 *     {(file, line, function): (primitive calls, calls, own time, cumulative time, callers)}
 *
 * The callers of a function are a dictionary, too. cProfile notes for each caller the times of the
 * calls by it, {key: (calls, primitive calls, own time, cumulative time)}; profile, written in
 * Python, notes {key: calls}, and the cumulative time is divided in proportion.
 *
 * The weight is the own time in nanoseconds, rounded once for each function; stacks are estimated
 * from the calls (input/build/call_graph.h), and the total of a function is its cumulative time.
 * Functions of the same name get the names of their files, then their lines. The numbers of
 * calls are dropped.
 *
 * Python's sampling profiler adds the entry {("__sampled__",): True}. Its lines are those that were
 * executed, so the entries of a function's lines are joined.
 *
 * Source: Lib/cProfile.py, Lib/profile.py and Lib/pstats.py of CPython.
 */
#include <math.h>

#include "base/budget.h"

#include "input/build/call_graph.h"
#include "input/build/python.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/script/marshal.h"

struct function {
    struct slice file, name;
    uint64_t line;
    int64_t self, total; /* ns */
    unsigned level;      /* of its name */
};

struct call {
    uint32_t caller, callee;
    int64_t ns;
};

struct pstats {
    struct content *content;
    struct builder builder;
    struct marshal marshal;
    struct intern keys; /* of functions, in the order of `functions` */
    struct buf key;
    VEC(uint32_t) known; /* by marshal item of the key: id of the function + 1; 0 = unknown */
    VEC(struct function) functions;
    VEC(struct call) calls;
    uint64_t entries; /* that were read */
    bool sampled;     /* an entry is a line of a function */
};

/* ---- functions ----------------------------------------------------------------------------- */

/* Returns the function of a key that function_of() does not know, or CALL_GRAPH_NONE. */
static uint32_t function_of_new(struct pstats *p, const struct marshal_value *key)
{
    enum { LINES_MOST = 1 << 30 };
    struct marshal_value file = marshal_item(&p->marshal, key, 0);
    struct marshal_value line = marshal_item(&p->marshal, key, 1);
    struct marshal_value name = marshal_item(&p->marshal, key, 2);
    bool known_line = line.type == MARSHAL_NUMBER && line.number > 0 && line.number < LINES_MOST;
    uint32_t id;

    if (file.type != MARSHAL_TEXT || name.type != MARSHAL_TEXT)
        return CALL_GRAPH_NONE;
    buf_clear(&p->key);
    buf_add_u64(&p->key, known_line ? (uint64_t)line.number : 0);
    buf_add_char(&p->key, ' ');
    buf_add_slice(&p->key, marshal_text(file));
    buf_add_char(&p->key, '\0');
    buf_add_slice(&p->key, marshal_text(name));
    id = intern_add(&p->keys, buf_slice(&p->key));
    if (id == p->functions.count)
        *vec_add(&p->functions) = (struct function){
            .file = slice_equal(marshal_text(file), SLICE("~")) ? SLICE("") : marshal_text(file),
            .name = marshal_text(name),
            .line = known_line ? (uint64_t)line.number : 0,
        };
    return id;
}

/*
 * Returns the function of a key, or CALL_GRAPH_NONE if it is no key. Most keys are references to an
 * earlier one, and have its items.
 */
static uint32_t function_of(struct pstats *p, const struct marshal_value *key)
{
    uint32_t *known;

    if (key->type != MARSHAL_TUPLE || !key->count)
        return CALL_GRAPH_NONE;
    while (p->known.count <= key->first)
        *vec_add(&p->known) = 0;
    known = &p->known.items[key->first];
    if (!*known)
        *known = function_of_new(p, key) + 1;
    return *known - 1;
}

/* Counts what is wrong about a function. `format` is a literal that has its name. */
#define skip_of(p, function, format)                                                               \
    builder_skip(&(p)->builder, DIAG_AT_FILE, format,                                              \
                 SLICE_ARG((p)->functions.items[function].name))

/*
 * Returns a time of a function in nanoseconds; a negative one, as timers that run backwards give,
 * is 0.
 */
static int64_t time_of(struct pstats *p, uint32_t function, struct marshal_value seconds)
{
    const double most = 9.2e18;
    double ns = seconds.type == MARSHAL_NUMBER ? round(seconds.number * 1e9) : INFINITY;

    if (ns > most) {
        skip_of(p, function, "a time of '%.*s' is no number or too large; it counts as 0");
        return 0;
    }
    if (ns < 0)
        skip_of(p, function,
                "a time of '%.*s' is negative, because the timer ran backwards; it counts as 0");
    return ns < 0 ? 0 : (int64_t)ns;
}

/* Adds the calls of a function by its callers; `calls` and `total` are those of all. */
static void add_callers(struct pstats *p, uint32_t callee, const struct marshal_value *callers,
                        double calls, int64_t total)
{
    enum { CUMULATIVE = 3 };

    if (callers->type != MARSHAL_DICT)
        skip_of(p, callee, "the callers of '%.*s' are no dictionary; it is shown without a caller");

    for (uint32_t i = 0; callers->type == MARSHAL_DICT && i < callers->count; i++) {
        const struct marshal_pair *pair = &p->marshal.pairs.items[callers->first + i];
        uint32_t caller = function_of(p, &pair->key);
        int64_t ns;

        if (caller == CALL_GRAPH_NONE) {
            skip_of(p, callee, "a caller of '%.*s' is no function; skipped");
            continue;
        }
        if (pair->value.type == MARSHAL_NUMBER)
            ns = calls >= pair->value.number && pair->value.number > 0
                     ? (int64_t)round((double)total * (pair->value.number / calls))
                     : 0;
        else
            ns = time_of(p, callee, marshal_item(&p->marshal, &pair->value, CUMULATIVE));
        *vec_add(&p->calls) = (struct call){caller, callee, ns};
    }
}

static bool is_mark(const struct pstats *p, const struct marshal_value *key)
{
    struct marshal_value name = marshal_item(&p->marshal, key, 0);

    return key->type == MARSHAL_TUPLE && key->count == 1 && name.type == MARSHAL_TEXT &&
           slice_equal(marshal_text(name), SLICE("__sampled__"));
}

static void add_function(struct pstats *p, const struct marshal_value *key,
                         const struct marshal_value *value)
{
    enum { CALLS = 1, OWN, CUMULATIVE, CALLERS };
    struct marshal_value callers = marshal_item(&p->marshal, value, CALLERS);
    struct marshal_value calls = marshal_item(&p->marshal, value, CALLS);
    struct function *f;
    uint32_t id;

    if (is_mark(p, key)) {
        p->sampled = true;
        return;
    }
    p->entries++;
    id = function_of(p, key);
    if (id == CALL_GRAPH_NONE) {
        builder_skip(&p->builder, DIAG_AT_FILE,
                     "the key of entry %llu is no file, line and function; skipped",
                     (unsigned long long)p->entries);
        return;
    }
    if (value->type != MARSHAL_TUPLE || value->count <= CALLERS) {
        skip_of(p, id, "the numbers of '%.*s' are incomplete; skipped");
        return;
    }
    if (calls.type != MARSHAL_NUMBER)
        skip_of(p, id, "the calls of '%.*s' are no number; they count as 0");
    f = &p->functions.items[id];
    f->self = time_of(p, id, marshal_item(&p->marshal, value, OWN));
    f->total = time_of(p, id, marshal_item(&p->marshal, value, CUMULATIVE));
    add_callers(p, id, &callers, calls.type == MARSHAL_NUMBER ? calls.number : 0, f->total);
}

static bool read_functions(struct pstats *p, struct slice bytes)
{
    struct diag *diag = p->content->diag;
    struct marshal_value key, value;
    struct diag_place end;

    marshal_begin(&p->marshal);
    while (marshal_next(&p->marshal, &key, &value)) {
        if (!budget_allows(diag, DIAG_AT_FILE))
            return false;
        add_function(p, &key, &value);
    }
    if (!p->marshal.failed)
        return true;
    end = DIAG_AT_BYTE(bytes.len - p->marshal.bytes.rest.len);
    if (!p->functions.count)
        diag_add(diag, DIAG_ERROR, end,
                 "the profile ends here or is damaged: no function was read");
    else
        cut_off(p->content, end, "the profile ends here or is damaged; %zu function%s read",
                p->functions.count, p->functions.count == 1 ? " was" : "s were");
    return p->functions.count > 0;
}

static void add_time(struct pstats *p, const struct function *f, int64_t *sum, int64_t time)
{
    if (!__builtin_add_overflow(*sum, time, sum))
        return;
    builder_skip(&p->builder, DIAG_AT_FILE,
                 "the times of the lines of '%.*s' exceed 63 bits; the rest is skipped",
                 SLICE_ARG(f->name));
    *sum = INT64_MAX;
}

/* Returns the number of a function among those of `keys`, whatever its line. */
static uint32_t joined_with(struct intern *keys, struct buf *key, const struct function *f)
{
    buf_clear(key);
    buf_add_slice(key, f->file);
    buf_add_char(key, '\0');
    buf_add_slice(key, f->name);
    return intern_add(keys, buf_slice(key));
}

/* Makes the entries of a function's lines one, with the first line that was met. */
static void join_lines(struct pstats *p)
{
    struct intern keys = {0};
    VEC(uint32_t) joined = {0}; /* by function: what it becomes */
    size_t count = 0;

    vec_each (const struct function, f, &p->functions) {
        uint32_t id = joined_with(&keys, &p->key, f);
        struct function *to = &p->functions.items[id];

        *vec_add(&joined) = id;
        if (id == count) {
            *to = *f;
            count++;
        } else {
            add_time(p, f, &to->self, f->self);
            add_time(p, f, &to->total, f->total);
        }
    }
    p->functions.count = count;
    vec_each (struct call, c, &p->calls)
        *c = (struct call){joined.items[c->caller], joined.items[c->callee], c->ns};
    intern_release(&keys);
    vec_release(&joined);
}

/* ---- names --------------------------------------------------------------------------------- */

/* A name at a level: alone, with the file's name, also with the line, with the whole path. */
static struct slice name_at(const struct function *f, unsigned level, struct buf *scratch)
{
    struct slice base = f->file;

    if (!level || !f->file.len)
        return python_name(f->name, f->file, scratch);
    for (size_t i = 0; i < f->file.len && level < 3; i++)
        if (f->file.ptr[i] == '/' || f->file.ptr[i] == '\\')
            base = slice_skip(f->file, i + 1);
    buf_clear(scratch);
    buf_printf(scratch, "%.*s (%.*s", SLICE_ARG(f->name), SLICE_ARG(base));
    if (level > 1)
        buf_printf(scratch, ":%llu", (unsigned long long)f->line);
    buf_add_char(scratch, ')');
    return buf_slice(scratch);
}

/* Raises the levels of functions until their names differ, or say all. */
static void choose_names(struct pstats *p)
{
    enum { LEVELS = 3 };
    struct buf scratch = {0};
    VEC(uint32_t) users = {0};

    for (int round = 0; round < LEVELS; round++) {
        struct intern names = {0};

        vec_clear(&users);
        vec_each (struct function, f, &p->functions) {
            uint32_t id = intern_add(&names, name_at(f, f->level, &scratch));

            if (id == users.count)
                *vec_add(&users) = 0;
            users.items[id]++;
        }
        vec_each (struct function, f, &p->functions)
            f->level += users.items[intern_find(&names, name_at(f, f->level, &scratch))] > 1;
        intern_release(&names);
    }
    vec_release(&users);
    buf_release(&scratch);
}

/* ---- stacks -------------------------------------------------------------------------------- */

static bool add_stacks(struct pstats *p)
{
    uint32_t series = builder_series(&p->builder, &(struct origin){.event = SLICE("time")},
                                     unit_named(SLICE("ns")));
    struct buf scratch = {0};
    struct call_graph graph;
    bool ok = true;

    call_graph_init(&graph);
    if (p->sampled)
        join_lines(p);
    choose_names(p);
    vec_each (const struct function, f, &p->functions) {
        struct frame frame = {.name = name_at(f, f->level, &scratch),
                              .file = f->file,
                              .line = f->line,
                              .kind = FRAME_PLAIN};
        uint32_t id = call_graph_add_function(&graph, builder_entry(&p->builder, &frame));

        ok = ok && call_graph_add_self(&graph, 0, id, f->self);
        call_graph_set_total(&graph, 0, id, f->total);
    }
    vec_each (const struct call, c, &p->calls)
        ok = ok &&
             call_graph_add_calls(&graph, 0, call_graph_edge(&graph, c->caller, c->callee), c->ns);
    if (p->calls.count)
        call_graph_tell(p->content->profile);
    if (!ok)
        diag_error(p->content->diag, "the sum of the times exceeds 63 bits");
    ok = ok && call_graph_add_stacks(&graph, 0, &p->builder, series, STACK_ROOT);
    call_graph_release(&graph);
    buf_release(&scratch);
    return ok;
}

static bool pstats_read(struct content *content)
{
    struct pstats p = {.content = content};
    struct buf bytes = {0};
    bool ok = content_load(content, &bytes);

    builder_init(&p.builder, content->profile, content->options, content->diag);
    marshal_init(&p.marshal, buf_slice(&bytes));
    ok = ok && read_functions(&p, buf_slice(&bytes)) && add_stacks(&p);
    release_all(&p, vec, functions, calls, known);
    buf_release(&p.key);
    intern_release(&p.keys);
    marshal_release(&p.marshal);
    builder_release(&p.builder);
    buf_release(&bytes);
    return ok;
}

/* A dictionary, then a tuple of three whose first item is a text; or a dictionary of nothing. */
static bool pstats_claims(const struct head *head)
{
    enum { REMEMBERED = 0x80 };
    struct bytes b = bytes_make_little(head->bytes);
    unsigned dict = bytes_u8(&b) & ~(unsigned)REMEMBERED;
    unsigned tuple = bytes_u8(&b) & ~(unsigned)REMEMBERED;
    uint64_t count;
    int text;

    if (dict != '{' || b.failed)
        return false;
    if (tuple == '0')
        return head->whole && !b.rest.len;
    if (tuple != '(' && tuple != ')')
        return false;
    count = tuple == ')' ? bytes_u8(&b) : bytes_u32(&b);
    text = (int)(bytes_u8(&b) & ~(unsigned)REMEMBERED);
    return !b.failed && count == 3 && text && strchr("stuaAzZ", text);
}

const struct format format_pstats = {
    .name = "pstats",
    .family = FORMAT_LANGUAGES,
    .description = "Python's cProfile and profile; stacks are estimated from the calls",
    .recognised = "a marshalled dictionary whose keys are file, line and function",
    .example = "python -m cProfile -o app.pstats app.py",
    .without_stacks = "no function was called while the profiler was enabled",
    .claims = pstats_claims,
    .read = pstats_read,
};
