/*
 * Reader of the maps that bpftrace prints when it ends or when asked, as text
 * or as JSON.
 *
 *     Attaching 2 probes...
 *
 *     @sw[
 *         __schedule+1560
 *         schedule+35
 *     ,
 *         poll+79
 *     , thr]: 4
 *     @[]: 383
 *
 * A key that is a stack has a line for each frame, leaf first; other keys stand
 * between commas. In perf mode a frame is a tab, an address, the name and the
 * module in parentheses. JSON (-f json) has one document in each line; a key
 * contains what the text has between its brackets:
 *
 *     {"type": "attached_probes", "data": {"probes": 2}}
 *     {"type": "map", "data": {"@": {"\n\tschedule+35\n,\n\tpoll+79\n,thr": 4}}}
 *
 * bpftrace 0.27 removes the blanks from these keys: frames are not indented, and in perf mode the
 * name follows its address directly.
 *
 * Other output of a script is ignored; maps without stacks, histograms and
 * statistics are skipped with a message.
 *
 * Source: src/output.cpp in github.com/bpftrace/bpftrace.
 */
#include "input/build/builder.h"
#include "base/ascii.h"
#include "input/format.h"
#include "input/parse/json.h"
#include "input/parse/native.h"
#include "input/parse/suffix.h"
#include "input/parse/records.h"
#include "match/kernel_entry.h"

/* ---- maps ---------------------------------------------------------------------------------- */

/*
 * The entries of maps, for text and JSON. An entry is built from its parts in
 * order:
 *
 *     bpftrace_map_begin(m);
 *     bpftrace_map_keys(m, text, ...);   // ", comm, pid" before and after stacks
 *     bpftrace_map_frame(m, line);       // a line of a stack, leaf first
 *     bpftrace_map_finish(m, name, value);
 *
 * Each map is a series; "@" is the map without a name. Keys that are no stacks
 * become root frames, and the stacks follow: the last one first (kstack, ustack
 * is the usual order), but a stack known to be the kernel's always last.
 */

enum bpftrace_part_kind {
    BPFTRACE_SCALAR,
    BPFTRACE_EMPTY, /* an empty stack or an empty string */
    BPFTRACE_STACK,
};

/* A part of a key. Texts are offsets, because their buffer moves as it grows. */
struct bpftrace_part {
    enum bpftrace_part_kind kind;
    size_t first, count; /* range of the frames of a stack, or of the text of a scalar */
};

struct bpftrace_frame {
    size_t start, len;
};

struct bpftrace_map {
    bool has_stacks;   /* an entry had frames */
    bool told;         /* its warning was reported */
    uint64_t left_out; /* number of entries skipped */
};

/* An entry with empty keys: skipped unless its map turns out to have stacks. */
struct bpftrace_waiting {
    uint32_t map, stack;
    uint64_t weight;
};

struct bpftrace_maps {
    struct builder builder;
    const struct input_options *options;
    struct diag *diag;
    struct intern names;
    VEC(struct bpftrace_map) maps; /* by name */
    VEC(struct bpftrace_waiting) waiting;
    /* The current entry: */
    struct buf text;
    VEC(struct bpftrace_part) parts;
    VEC(struct bpftrace_frame) frames;
    bool in_stack; /* frames may follow */
};

static void bpftrace_map_init(struct bpftrace_maps *m, struct profile *profile,
                              const struct input_options *options, struct diag *diag)
{
    *m = (struct bpftrace_maps){.options = options, .diag = diag};
    builder_init(&m->builder, profile, options, diag);
}

static void bpftrace_map_release(struct bpftrace_maps *m)
{
    builder_release(&m->builder);
    intern_release(&m->names);
    release_all(m, vec, maps, waiting, parts, frames);
    buf_release(&m->text);
}

/* ---- an entry ------------------------------------------------------------------------------ */

static void bpftrace_map_begin(struct bpftrace_maps *m)
{
    buf_clear(&m->text);
    vec_clear(&m->parts);
    vec_clear(&m->frames);
    m->in_stack = false;
}

static struct slice keep(struct bpftrace_maps *m, struct slice text, size_t *start)
{
    *start = m->text.len;
    buf_add_slice(&m->text, text);
    return text;
}

static void add_scalar(struct bpftrace_maps *m, struct slice text)
{
    struct bpftrace_part *part = vec_add(&m->parts);

    *part = (struct bpftrace_part){text.len ? BPFTRACE_SCALAR : BPFTRACE_EMPTY, 0, text.len};
    keep(m, text, &part->first);
}

/*
 * Adds the keys between brackets and stacks, separated by `comma` (", " or
 * ","). `more` says that a stack follows. After a stack, the text before the
 * first comma is no key.
 */
static void bpftrace_map_keys(struct bpftrace_maps *m, struct slice keys, struct slice comma,
                              bool more)
{
    bool skip = m->in_stack;

    for (;;) {
        size_t at = slice_search(keys, comma);
        bool last = at == keys.len;

        if (last && more)
            break;
        if (!skip)
            add_scalar(m, slice_trim(slice_take(keys, at)));
        skip = false;
        if (last)
            break;
        keys = slice_skip(keys, at + comma.len);
    }
    m->in_stack = false;
    if (more) {
        *vec_add(&m->parts) = (struct bpftrace_part){BPFTRACE_EMPTY, m->frames.count, 0};
        m->in_stack = true;
    }
}

static void bpftrace_map_frame(struct bpftrace_maps *m, struct slice line)
{
    struct slice text = slice_trim(line);
    struct bpftrace_part *part;
    size_t start;

    if (!m->in_stack || !text.len)
        return;
    part = &m->parts.items[m->parts.count - 1];
    part->kind = BPFTRACE_STACK;
    part->count++;
    keep(m, text, &start);
    *vec_add(&m->frames) = (struct bpftrace_frame){start, text.len};
}

/* ---- frames -------------------------------------------------------------------------------- */

static struct slice frame_text(const struct bpftrace_maps *m, size_t i)
{
    return slice_take(slice_skip(buf_slice(&m->text), m->frames.items[i].start),
                      m->frames.items[i].len);
}

/* "vfs_read+142", "0x7fb5c5cd44a3" or, in perf mode, "ffffffff81 read+14 (libc.so.6)". */
static struct frame parse_frame(struct slice text)
{
    /* Digits of an address; fewer of one in a program at a fixed place, whose module follows. */
    enum { SHORTEST = 8, SHORT = 5 };
    struct frame f = {.name = text, .kind = FRAME_NATIVE};
    struct slice rest = text;
    size_t blank = slice_find(text, ' '), open;

    if (native_take_address(&rest, &f.address) && !rest.len) {
        f.has_address = true;
        f.name = SLICE("");
    } else if ((blank >= SHORTEST || (blank >= SHORT && slice_ends(text, SLICE(")")))) &&
               num_parse_hex(slice_take(text, blank), &f.address)) {
        f.has_address = true;
        f.name = slice_trim(slice_skip(text, blank));
        open = slice_find_last(f.name, '(');
        if (open > 0 && open < f.name.len && f.name.ptr[open - 1] == ' ' &&
            slice_ends(f.name, SLICE(")"))) {
            f.module = slice_make(f.name.ptr + open + 1, f.name.len - open - 2);
            f.name = slice_trim(slice_take(f.name, open));
        }
        rest = f.name;
        if (native_take_address(&rest, &f.address) && !rest.len)
            f.name = SLICE("");
    }
    f.name = suffix_strip_decimal_offset(f.name);
    return f;
}

/*
 * The kernel's addresses are those of the upper half. The leaf tells: what a walk without frame
 * pointers finds at the root of a user stack may be any number.
 */
static bool is_kernel(const struct bpftrace_maps *m, const struct bpftrace_part *part)
{
    if (part->kind != BPFTRACE_STACK)
        return false;
    return kernel_entry_is(parse_frame(frame_text(m, part->first + part->count - 1)).name) ||
           parse_frame(frame_text(m, part->first)).address >> 63;
}

static void push_stack(struct bpftrace_maps *m, const struct bpftrace_part *part)
{
    enum symbol_class class = is_kernel(m, part) ? SYMBOL_KERNEL : SYMBOL_USER;

    builder_leaf_first(&m->builder);
    for (size_t i = 0; i < part->count; i++) {
        struct frame f = parse_frame(frame_text(m, part->first + i));

        if (m->options->names == NAMES_REFERENCE)
            f = (struct frame){.name = frame_text(m, part->first + i), .kind = FRAME_PLAIN};
        f.class = class;
        builder_frame(&m->builder, &f);
    }
    builder_root_first(&m->builder);
}

/* Pushes a frame for each key that is no stack; the reference makes one frame of all. */
static void push_scalars(struct bpftrace_maps *m)
{
    bool together = m->options->names == NAMES_REFERENCE;
    struct buf all = {0};

    vec_each (const struct bpftrace_part, part, &m->parts) {
        struct slice text;

        if (part->kind != BPFTRACE_SCALAR)
            continue;
        text = slice_take(slice_skip(buf_slice(&m->text), part->first), part->count);
        if (!together)
            builder_name(&m->builder, text, FRAME_PLAIN);
        if (all.len)
            buf_add_str(&all, ", ");
        buf_add_slice(&all, text);
    }
    if (together && all.len)
        builder_name(&m->builder, buf_slice(&all), FRAME_PLAIN);
    buf_release(&all);
}

/* Pushes the stacks: the last one at the root, the kernel's always at the leaf. */
static void push_stacks(struct bpftrace_maps *m)
{
    for (int kernel = 0; kernel <= 1; kernel++)
        for (size_t i = m->parts.count; i-- > 0;) {
            const struct bpftrace_part *part = &m->parts.items[i];

            if (part->kind == BPFTRACE_STACK && is_kernel(m, part) == kernel)
                push_stack(m, part);
        }
}

static uint32_t find_map(struct bpftrace_maps *m, struct slice name)
{
    uint32_t known = intern_count(&m->names);
    uint32_t id = intern_add(&m->names, name);

    if (id == known)
        *vec_add(&m->maps) = (struct bpftrace_map){0};
    return id;
}

/* Returns the last part of a map's name: "us" of "@off_us". */
static struct slice last_word(struct slice name)
{
    size_t at = slice_find_last(name, '_');

    return at < name.len ? slice_skip(name, at + 1) : slice_skip(name, 1);
}

static struct unit map_unit(struct slice name)
{
    static const struct {
        const char *word, *unit;
    } units[] = {
        {"ns", "ns"},    {"nsecs", "ns"}, {"us", "us"},       {"usecs", "us"},    {"ms", "ms"},
        {"msecs", "ms"}, {"secs", "s"},   {"bytes", "bytes"}, {"calls", "calls"},
    };
    struct slice word = last_word(name);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (slice_equal(word, slice_str(units[i].word)))
            return unit_named(slice_str(units[i].unit));
    return unit_samples;
}

/* Whether values can be added: not in a map called "@avg" or "@lat_max". */
static bool adds_up(struct slice name)
{
    static const char *const words[] = {"avg", "average", "min", "max"};
    struct slice word = last_word(name);

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (slice_equal(word, slice_str(words[i])))
            return false;
    return true;
}

/* Skips an entry, or a map, with a warning that names its content: "histograms". */
static void bpftrace_map_leave_out(struct bpftrace_maps *m, struct slice name, const char *what)
{
    uint32_t id = find_map(m, name);
    struct bpftrace_map *map = &m->maps.items[id];

    map->left_out++;
    m->builder.profile->ledger.distributions++;
    if (!map->told)
        diag_add(m->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "map %.*s contains %s, which cannot be added up; skipped", SLICE_ARG(name), what);
    map->told = true;
}

static uint32_t map_series(struct bpftrace_maps *m, struct slice name)
{
    struct origin origin = {.event = name};

    return builder_series(&m->builder, &origin, map_unit(name));
}

/*
 * Adds the complete entry to the map `name`, which begins with '@'. An entry
 * whose value is no count is skipped. Sets `record` to series and stack of
 * entries with the same text; its series is BUILDER_LEFT_OUT if such entries
 * must be parsed each time. Returns false after reporting an error.
 */
static bool bpftrace_map_finish(struct bpftrace_maps *m, struct slice name, struct slice value,
                                struct record *record)
{
    uint64_t truncated = m->builder.profile->ledger.truncated;
    uint32_t id = find_map(m, name), series, stack;
    bool frames = m->frames.count > 0, empty = false;
    uint64_t weight;

    vec_each (const struct bpftrace_part, part, &m->parts)
        empty |= part->kind == BPFTRACE_EMPTY;
    m->in_stack = false;
    record->series = BUILDER_LEFT_OUT;
    if (!frames && !empty) {
        m->maps.items[id].left_out++;
        return true;
    }
    if (!num_parse_u64(value, &weight) || !adds_up(name)) {
        bpftrace_map_leave_out(m, name,
                               slice_starts(value, SLICE("-")) ? "negative values"
                               : adds_up(name)                 ? "values other than counts"
                                                               : "averages or extremes");
        return true;
    }
    m->maps.items[id].has_stacks |= frames;
    builder_begin(&m->builder);
    push_scalars(m);
    push_stacks(m);
    if (!builder_stack(&m->builder, &stack))
        return false;
    if (frames) {
        series = map_series(m, name);
        if (m->builder.profile->ledger.truncated == truncated)
            *record = (struct record){series, stack};
        return builder_add_at(&m->builder, series, stack, (struct decimal){.value = weight});
    }
    *vec_add(&m->waiting) = (struct bpftrace_waiting){id, stack, weight};
    return true;
}

/* Adds what had to wait for the last entry. Returns false after reporting an error. */
static bool bpftrace_map_end(struct bpftrace_maps *m)
{
    vec_each (const struct bpftrace_waiting, w, &m->waiting) {
        struct bpftrace_map *map = &m->maps.items[w->map];

        if (!map->has_stacks)
            map->left_out++;
        else if (!builder_add_at(&m->builder, map_series(m, intern_get(&m->names, w->map)),
                                 w->stack, (struct decimal){.value = w->weight}))
            return false;
    }
    for (uint32_t i = 0; i < m->maps.count; i++)
        if (m->maps.items[i].left_out && !m->maps.items[i].told)
            diag_add(m->diag, DIAG_NOTE, DIAG_AT_FILE,
                     "skipped %llu entr%s of map %.*s, which has no stacks",
                     (unsigned long long)m->maps.items[i].left_out,
                     m->maps.items[i].left_out == 1 ? "y" : "ies",
                     SLICE_ARG(intern_get(&m->names, i)));
    return true;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

struct bpftrace_json {
    struct bpftrace_maps maps;
    struct buf type; /* of the current document */
    struct intern modules;
    VEC(unsigned char) digits; /* by module: digits of its addresses, 0 if not known yet */
    struct buf frame;
};

enum { KERNEL_DIGITS = 16 };

/* Names the content of a document type that cannot be added up; NULL for other types. */
static const char *odd_type(struct slice type)
{
    static const struct {
        const char *type, *what;
    } types[] = {
        {"hist", "histograms"},
        {"lhist", "histograms"},
        {"tseries", "histograms"},
        {"stats", "statistics"},
        {NULL, NULL},
    };

    return slice_row(type, slice_equal, types)->what;
}

/*
 * A frame of perf mode whose blanks are removed: "\t556c0143e2e2cmp+2(/srv/app)",
 * "\t560x56([unknown])", and in the kernel "\tffffffff81c0104bcmp+2". Where the address ends is
 * ambiguous if the name begins with a letter from a to f.
 */
struct glued {
    struct slice text, module;
    size_t least, most; /* digits that the address may have */
};

/* Returns whether a line is such a frame. */
static bool find_glued(struct slice line, struct glued *g)
{
    struct slice text = slice_trim(line);
    size_t open = slice_find_last(text, '('), digits = 0;
    uint64_t ignored;

    if (!slice_starts(line, SLICE("\t")) || slice_find(text, ' ') < text.len)
        return false;
    *g = (struct glued){.text = text};
    while (digits < text.len && num_parse_hex(slice_make(text.ptr + digits, 1), &ignored))
        digits++;
    if (open < text.len && slice_ends(text, SLICE(")")))
        g->module = slice_make(text.ptr + open + 1, text.len - open - 2);
    else if (digits < KERNEL_DIGITS || !slice_starts_any(text, "ffff", "FFFF"))
        return false;
    if (digits > 1 && slice_starts(slice_skip(text, digits - 1), SLICE("0x")))
        digits--;
    g->least = g->most = digits;
    while (g->least > 0 && !ascii_is_digit(text.ptr[g->least - 1]) &&
           !slice_starts(slice_skip(text, digits), SLICE("0x")))
        g->least--;
    return digits > 0;
}

/* Notes how many digits the addresses of a module have, from frames that leave no doubt. */
static void learn_digits(struct bpftrace_json *b, const struct json_value *map)
{
    json_each(entry, map)
    {
        struct slice key = entry->key, line;
        struct glued g;

        while (slice_cut(&key, '\n', &line)) {
            uint32_t id;

            if (!find_glued(line, &g))
                continue;
            id = intern_add(&b->modules, g.module);
            if (id == b->digits.count)
                *vec_add(&b->digits) = 0;
            if (g.least == g.most && g.most <= KERNEL_DIGITS)
                b->digits.items[id] = (unsigned char)g.most;
        }
    }
}

/*
 * Returns how many digits the address of a frame has: those of the kernel's, those of other
 * addresses of the module, those of shared libraries, those of programs at a fixed place, or as few
 * as possible.
 */
static size_t count_address(const struct bpftrace_json *b, const struct glued *g)
{
    enum { LIBRARY_DIGITS = 12, FIXED_DIGITS = 6 };
    const size_t rows[] = {
        slice_starts_any(g->text, "ffff", "FFFF") ? KERNEL_DIGITS : 0,
        b->digits.items[intern_find(&b->modules, g->module)],
        LIBRARY_DIGITS,
        FIXED_DIGITS,
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i] && g->least <= rows[i] && rows[i] <= g->most)
            return rows[i];
    return g->least;
}

/* Adds a frame, with the blanks that it has in text. */
static void read_frame(struct bpftrace_json *b, struct slice line)
{
    struct glued g;
    size_t digits;

    if (!find_glued(line, &g)) {
        bpftrace_map_frame(&b->maps, line);
        return;
    }
    digits = count_address(b, &g);
    buf_clear(&b->frame);
    buf_add_slice(&b->frame, slice_take(g.text, digits));
    buf_add_char(&b->frame, ' ');
    line = slice_skip(g.text, digits);
    if (g.module.len) {
        buf_add_slice(&b->frame, slice_take(line, line.len - g.module.len - 2));
        buf_add_char(&b->frame, ' ');
        line = slice_skip(line, line.len - g.module.len - 2);
    }
    buf_add_slice(&b->frame, line);
    bpftrace_map_frame(&b->maps, buf_slice(&b->frame));
}

static void read_key(struct bpftrace_json *b, struct slice key)
{
    struct bpftrace_maps *m = &b->maps;
    struct slice line;
    bool first = true;

    bpftrace_map_begin(m);
    while (first || key.len) {
        size_t at = slice_find(key, '\n');
        bool last = at == key.len;

        line = slice_take(key, at);
        key = slice_skip(key, at + 1);
        if (line.len &&
            (line.ptr[0] == '\t' || line.ptr[0] == ' ' || (m->in_stack && line.ptr[0] != ',')))
            read_frame(b, line);
        else
            bpftrace_map_keys(m, line, SLICE(","), !last);
        first = false;
    }
}

static bool read_map(struct bpftrace_json *b, const struct json_value *map)
{
    struct record record;

    if (map->type == JSON_NUMBER) {
        bpftrace_map_begin(&b->maps);
        return bpftrace_map_finish(&b->maps, map->key, map->text, &record);
    }
    if (map->type != JSON_OBJECT) {
        bpftrace_map_leave_out(&b->maps, map->key, "values other than counts");
        return true;
    }
    learn_digits(b, map);
    json_each(entry, map)
    {
        read_key(b, entry->key);
        if (!bpftrace_map_finish(&b->maps, map->key,
                                 entry->type == JSON_NUMBER ? entry->text : SLICE(""), &record))
            return false;
    }
    return true;
}

static bool wants_each(void *context, struct slice key)
{
    (void)context;
    return slice_equal(key, SLICE("data"));
}

static bool read_value(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct bpftrace_json *b = context;
    struct slice type = buf_slice(&b->type);

    (void)at;
    if (!parent.len) {
        if (slice_equal(v->key, SLICE("type"))) {
            buf_clear(&b->type);
            buf_add_slice(&b->type, json_text(v));
        }
        return true;
    }
    if (!slice_starts(v->key, SLICE("@")))
        return true;
    if (odd_type(type))
        bpftrace_map_leave_out(&b->maps, v->key, odd_type(type));
    return !slice_equal(type, SLICE("map")) || read_map(b, v);
}

static bool bpftrace_json_claims(const struct head *head)
{
    return head->is_json && head_has(head, "data") && slice_has(head->bytes, SLICE("\"@")) &&
           slice_is_any(head_text(head, "type"), "attached_probes", "map", "hist", "lhist",
                        "tseries", "stats", "printf", "time", "value");
}

static bool bpftrace_json_read(struct content *c)
{
    struct bpftrace_json b = {0};
    struct json_handler handler = {.context = &b, .each = wants_each, .value = read_value};
    bool ok;

    bpftrace_map_init(&b.maps, c->profile, c->options, c->diag);
    ok = json_read(c, &handler) && bpftrace_map_end(&b.maps);
    bpftrace_map_release(&b.maps);
    release_each(&b, (intern, modules), (vec, digits), (buf, type, frame));
    return ok;
}

const struct format format_bpftrace_json = {
    .name = "bpftrace-json",
    .family = FORMAT_LINUX,
    .description = "bpftrace's maps as JSON",
    .recognised = "documents with 'type' and 'data', and maps with names that begin with '@'",
    .example = "bpftrace -f json -e 'profile:hz:99 { @[kstack, comm] = count(); }' > app.json",
    .without_stacks = "use kstack or ustack as a key of the map",
    .claims = bpftrace_json_claims,
    .read = bpftrace_json_read,
};

/* ---- text ---------------------------------------------------------------------------------- */

struct bpftrace {
    struct bpftrace_maps maps;
    struct buf name; /* map of the open entry */
    struct buf keys;
    bool open; /* an entry has begun and not ended */
    struct records records;
    struct slice text; /* current entry before its value; empty if not contiguous */
};

/* "@name[" or "@name:"; `rest` begins with the bracket or the colon. */
static bool parse_name(struct slice line, struct slice *name, struct slice *rest)
{
    size_t n = 1;

    if (!slice_starts(line, SLICE("@")))
        return false;
    while (n < line.len &&
           (line.ptr[n] == '_' || ascii_is_digit(line.ptr[n]) || ascii_is_letter(line.ptr[n])))
        n++;
    *name = slice_take(line, n);
    *rest = slice_skip(line, n);
    return slice_starts(*rest, SLICE("[")) || slice_starts(*rest, SLICE(": "));
}

/* Splits an entry's last line at its last "]:". Returns false if it has none. */
static bool find_close(struct slice text, struct slice *keys, struct slice *value)
{
    const struct slice mark = SLICE("]:");
    struct slice rest = text;
    size_t at = text.len;

    for (size_t next = slice_search(rest, mark); next < rest.len; next = slice_search(rest, mark)) {
        at = text.len - rest.len + next;
        rest = slice_skip(rest, next + 1);
    }
    if (at == text.len)
        return false;
    *keys = slice_take(text, at);
    *value = slice_trim(slice_skip(text, at + mark.len));
    return true;
}

/* Names a value that cannot be added up; NULL for other values. */
static const char *odd_value(struct slice value)
{
    if (!value.len)
        return "histograms";
    if (slice_starts(value, SLICE("count ")))
        return "statistics";
    return NULL;
}

/* Reads a line of an entry that is no frame: keys, and maybe the value. */
static bool read_keys(struct bpftrace *b, struct slice text)
{
    const struct slice comma = SLICE(", ");
    struct slice keys, value;
    struct record record;
    const char *odd;

    if (!find_close(text, &keys, &value)) {
        buf_clear(&b->keys);
        buf_add_slice(&b->keys, text);
        if (slice_ends(text, SLICE(",")))
            buf_add_char(&b->keys, ' '); /* restores the trimmed ", " */
        bpftrace_map_keys(&b->maps, buf_slice(&b->keys), comma, true);
        return true;
    }
    b->open = false;
    odd = odd_value(value);
    if (odd) {
        bpftrace_map_leave_out(&b->maps, buf_slice(&b->name), odd);
        return true;
    }
    bpftrace_map_keys(&b->maps, keys, comma, false);
    if (!bpftrace_map_finish(&b->maps, buf_slice(&b->name), value, &record))
        return false;
    if (b->text.len && record.series != BUILDER_LEFT_OUT)
        records_add(&b->records, b->text, record);
    return true;
}

static void drop_entry(struct text *t, struct bpftrace *b)
{
    if (!b->open)
        return;
    b->open = false;
    text_skip(t, "incomplete entry of map %.*s skipped", SLICE_ARG(buf_slice(&b->name)));
}

static bool begin_entry(struct text *t, struct bpftrace *b, struct slice name, struct slice rest)
{
    drop_entry(t, b);
    buf_clear(&b->name);
    buf_add_slice(&b->name, name);
    bpftrace_map_begin(&b->maps);
    if (rest.ptr[0] == '[') {
        b->open = true;
        return read_keys(b, slice_skip(rest, 1));
    }
    rest = slice_trim(slice_skip(rest, 2));
    if (odd_value(rest)) {
        bpftrace_map_leave_out(&b->maps, name, odd_value(rest));
        return true;
    }
    return bpftrace_map_finish(&b->maps, name, rest, &(struct record){0});
}

/* ---- recognition --------------------------------------------------------------------------- */

static bool is_preamble(struct slice line)
{
    return (slice_starts(line, SLICE("Attaching ")) || slice_starts(line, SLICE("Attached "))) &&
           slice_has(line, SLICE(" probe"));
}

/* Requires an entry with a stack or an empty key; after bpftrace's first line, any map. */
static bool bpftrace_claims(const struct head *head)
{
    struct slice rest = head->bytes, line, name, text, keys, value;
    bool preamble = false, open = false, frames = false;

    while (head_line(head, &rest, &line)) {
        preamble = preamble || is_preamble(line);
        if (parse_name(line, &name, &text)) {
            bool closed = find_close(text, &keys, &value);

            if (preamble ||
                (closed && (slice_equal(keys, SLICE("[")) || slice_ends(keys, SLICE(", ")) ||
                            slice_starts(keys, SLICE("[, ")))))
                return true;
            open = !closed && text.ptr[0] == '[';
            frames = false;
        } else if (open && line.len && (line.ptr[0] == ' ' || line.ptr[0] == '\t')) {
            frames = true;
        } else if (open && frames &&
                   (slice_starts(line, SLICE("]:")) || slice_starts(line, SLICE(",")))) {
            if (find_close(line, &keys, &value))
                return true;
        } else if (slice_trim(line).len) {
            open = false;
        }
    }
    return false;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool bpftrace_begin(struct text *t, void *state)
{
    struct bpftrace *b = state;

    bpftrace_map_init(&b->maps, t->profile, t->options, t->diag);
    return true;
}

static bool read_line(struct text *t, void *state, struct slice line)
{
    struct bpftrace *b = state;
    struct slice name, rest;

    if (parse_name(line, &name, &rest))
        return begin_entry(t, b, name, rest);
    if (!b->open || !line.len)
        return true;
    if (line.ptr[0] == ' ' || line.ptr[0] == '\t')
        bpftrace_map_frame(&b->maps, line);
    else if (line.ptr[0] == ',' || line.ptr[0] == ']')
        return read_keys(b, line);
    else
        drop_entry(t, b);
    return true;
}

/* Returns the digits after "]: " that end the line, or NULL. */
static const char *find_value(const char *line, const char *lf)
{
    const char *p = lf;

    while (p > line && ascii_is_digit(p[-1]))
        p--;
    return p < lf && p - line >= 3 && memcmp(p - 3, "]: ", 3) == 0 ? p : NULL;
}

/* Returns the value of the entry with frames that begins at `p`, or NULL. */
static const char *find_end(const char *p, const char *end, uint64_t *lines)
{
    const char *lf = memchr(p, '\n', (size_t)(end - p));

    for (*lines = 2; (p = lf + 1) < end; ++*lines) {
        const char *value;

        lf = memchr(p, '\n', (size_t)(end - p));
        if (*p == ' ' || *p == '\t')
            continue;
        if (*p != ',' && *p != ']')
            return NULL;
        value = find_value(p, lf);
        if (value)
            return value;
    }
    return NULL;
}

/*
 * Adds the entry that begins at `*p` if its text is cached, and moves `*p` to
 * its end. Otherwise returns false and keeps the text for read_keys().
 */
static bool read_known(struct text *t, void *state, const char **p, const char *end, bool *ok)
{
    struct bpftrace *b = state;
    uint64_t lines, weight;
    const char *value;
    const struct record *record = NULL;
    struct slice digits;

    if (**p != '@')
        return false;
    b->text = SLICE("");
    value = b->open ? NULL : find_end(*p, end, &lines);
    if (!value)
        return false;
    b->text = slice_make(*p, (size_t)(value - *p));
    digits = slice_make(value,
                        (size_t)((const char *)memchr(value, '\n', (size_t)(end - value)) - value));
    record = records_find(&b->records, b->text);
    if (!record || !num_parse_u64(digits, &weight))
        return false;
    t->line += lines;
    *p = value + digits.len + 1;
    *ok = builder_add_at(&b->maps.builder, record->series, record->stack,
                         (struct decimal){.value = weight});
    return true;
}

static bool bpftrace_lines(struct text *t, void *state, struct slice block)
{
    static const struct records_reader reader = {read_known, read_line};
    struct bpftrace *b = state;
    bool ok = records_read(&reader, t, b, block);

    b->text = SLICE(""); /* it points into the block */
    return ok;
}

static bool bpftrace_end(struct text *t, void *state)
{
    struct bpftrace *b = state;

    drop_entry(t, b);
    return bpftrace_map_end(&b->maps);
}

STATE_RELEASE(bpftrace, (bpftrace_map, maps), (buf, name, keys), (records, records));

const struct format format_bpftrace = {
    .name = "bpftrace",
    .family = FORMAT_LINUX,
    .description = "bpftrace's maps of stacks, a graph for each map",
    .recognised = "'@NAME[', frames, ']: N'",
    .example = "bpftrace -e 'profile:hz:99 { @[kstack, ustack, comm] = count(); }' > app.bt",
    .without_stacks = "use kstack or ustack as a key of the map",
    .needs = "@",
    .claims = bpftrace_claims,
    .text = {TEXT_BLOCK_READER(bpftrace)},
};
