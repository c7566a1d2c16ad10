/*
 * Reader of pprof's older text formats, and of Go's profiles with debug=1.
 *
 * The first line tells the layout of the rows; their addresses are leaf first:
 *
 *     heap profile: 1: 96 [4: 384] @ heapz_v2/524288   OBJECTS: BYTES [ALL: BYTES] @ 0x1f 0x2e
 *     heap profile: 1: 96 [1: 96] @ growthz            the same
 *     --- contentionz 1 ---                            CYCLES COUNT @ 0x1f 0x2e
 *     --- contention:, --- mutex:                      the same
 *     --- heapz 1 ---                                  BYTES OBJECTS @ 0x1f 0x2e   (of Java)
 *     goroutine profile: total 7                       COUNT @ 0x1f 0x2e
 *     heap_v2/524288                                   jemalloc: a line "@ 0x1f 0x2e", and below it
 *                                                      "t*: OBJECTS: BYTES [ALL: BYTES]"
 *
 * (pprof_threadz.c reads lists of threads.) Settings follow ("sampling period =
 * 100"), then rows, then the resolution of the addresses: a memory map or
 * Java's names. Go instead writes lines after each row: "#", address,
 * function+offset, file:line, separated by tabs; it omits its runtime's frames
 * at the leaf.
 *
 * The heap is sampled about once in PERIOD bytes: a row of n objects with b
 * bytes represents n / (1 - exp(-(b / n) / PERIOD)) objects, and its bytes are
 * scaled likewise, both truncated to integers. Contentions are multiplied by
 * their period. Addresses are return addresses, so one less is within the call.
 *
 * jemalloc's rows are followed by those of each thread ("t3:"), which t* contains.
 *
 * Source: gperftools, jemalloc's prof_data.c and jeprof, the Go runtime's runtime/pprof, and
 * scaleHeapSample() in github.com/google/pprof/profile/legacy_profile.go.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/num.h"
#include "base/ascii.h"
#include "base/slice.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/go/pprof.h"

/* ---- the first line ------------------------------------------------------------------------ */

enum pprof_kind { PPROF_HEAP, PPROF_CONTENTION, PPROF_COUNT, PPROF_JAVA_HEAP };

enum { PPROF_HEAP_NUMBERS = 4 };

struct pprof_heading {
    enum pprof_kind kind;
    struct slice name; /* what is counted: "goroutine" */
    bool all;          /* a heap that also states all allocations */
    bool jemalloc;     /* stacks are on lines of their own, and sums below the first line */
    uint64_t period;   /* mean bytes between samples of a heap; 1 if all are recorded */
    int64_t declared[PPROF_HEAP_NUMBERS]; /* stated sums over all rows */
};

/*
 * Reads a text of exactly `count` integers, separated by blanks and any of
 * ":[]". Returns false for any other text.
 */
static bool pprof_heading_numbers(struct slice text, int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool negative;
        uint64_t value;
        size_t n = 0;

        while (text.len && memchr(" \t:[]", text.ptr[0], 5))
            text = slice_skip(text, 1);
        negative = slice_starts(text, SLICE("-"));
        text = slice_skip(text, negative);
        while (n < text.len && ascii_is_digit(text.ptr[n]))
            n++;
        if (!num_parse_u64(slice_take(text, n), &value) || value > INT64_MAX)
            return false;
        numbers[i] = negative ? -(int64_t)value : (int64_t)value;
        text = slice_skip(text, n);
    }
    while (text.len && memchr(" \t]", text.ptr[0], 3))
        text = slice_skip(text, 1);
    return !text.len;
}

/* Reads what follows '@': "heapz_v2/524288". Returns false if it is no kind of heap. */
static bool heap_period(struct slice kind, uint64_t *period)
{
    static const struct {
        struct slice name;
        uint64_t divisor; /* the period is the number divided by it; 0: the period is 1 */
    } kinds[] = {
        {{"heapz_v2", 8}, 1},        {{"heap_v2", 7}, 1}, {{"heap", 4}, 2},
        {{"heapprofile", 11}, 0},    {{"growthz", 7}, 0}, {{"growth", 6}, 0},
        {{"fragmentationz", 14}, 0},
    };
    struct slice name;

    kind = slice_trim(kind);
    slice_cut(&kind, '/', &name);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!slice_equal(kinds[i].name, name))
            continue;
        *period = 1;
        if (!kinds[i].divisor || !kind.len)
            return true;
        if (!num_parse_u64(kind, period))
            return false;
        *period /= kinds[i].divisor;
        return true;
    }
    return false;
}

/* "heap profile: 1: 96 [4: 384] @ heap/524288" */
static bool parse_heap(struct slice line, uint64_t *period, int64_t *numbers)
{
    const struct slice start = SLICE("heap profile:");
    size_t at = slice_find(line, '@');

    return slice_starts(line, start) && at < line.len &&
           pprof_heading_numbers(slice_skip(slice_take(line, at), start.len), numbers,
                                 PPROF_HEAP_NUMBERS) &&
           heap_period(slice_skip(line, at + 1), period);
}

/* "goroutine profile: total 7" */
static bool parse_count(struct slice line, struct slice *name, int64_t *total)
{
    const struct slice middle = SLICE(" profile: total ");
    size_t at = slice_search(line, middle);

    *name = slice_take(line, at);
    return at > 0 && at < line.len && slice_find(*name, '\t') == name->len &&
           pprof_heading_numbers(slice_skip(line, at + middle.len), total, 1);
}

/* Whether the sums of a heap have allocations that are not in use. */
static bool states_all(const int64_t *sums)
{
    return (sums[2] && sums[2] != sums[0]) || (sums[3] && sums[3] != sums[1]);
}

/* Reads a trimmed first line. Returns false if it is none. */
static bool pprof_heading_parse(struct slice line, struct pprof_heading *out)
{
    enum { PERIOD_OF_JAVA = 512 * 1024 };
    static const struct {
        struct slice start;
        enum pprof_kind kind;
    } headings[] = {
        {{"--- contentionz ", 16}, PPROF_CONTENTION},
        {{"--- contention:", 15}, PPROF_CONTENTION},
        {{"--- mutex:", 10}, PPROF_CONTENTION},
        {{"--- heapz ", 10}, PPROF_JAVA_HEAP},
    };

    *out = (struct pprof_heading){.period = 1};
    if (slice_starts(line, SLICE("heap_v2/"))) {
        out->kind = PPROF_HEAP;
        out->jemalloc = true;
        return heap_period(line, &out->period);
    }
    for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++) {
        if (!slice_starts(line, headings[i].start))
            continue;
        out->kind = headings[i].kind;
        if (out->kind == PPROF_JAVA_HEAP)
            out->period = PERIOD_OF_JAVA;
        return true;
    }
    out->kind = PPROF_HEAP;
    if (parse_heap(line, &out->period, out->declared)) {
        out->all = states_all(out->declared);
        return true;
    }
    out->kind = PPROF_COUNT;
    return parse_count(line, &out->name, out->declared);
}

/* The last "#" line of Go: it was inlined if the next one has the same address. */
struct waiting {
    bool is_there;
    uint64_t address, line;
    struct buf name, file;
};

struct pprof_text {
    struct pprof_rows rows;
    struct pprof_heading heading;
    bool begun;    /* the first line was read */
    bool map;      /* the memory map has begun */
    bool java, go; /* the file has names in that form */
    struct slice resolution;
    struct buf stack, row; /* of jemalloc's row that follows; with its numbers */
    struct arena texts;
    uint64_t cycles_per_second, ms;
    struct pprof_labels labels;
    int64_t found[PPROF_HEAP_NUMBERS]; /* sums over all rows */
    struct waiting waiting;
};

/* Multiplies and truncates. Returns false if the result exceeds 63 bits. */
static bool scale(int64_t *value, double factor)
{
    const double most = 9.2e18;
    double scaled = (double)*value * factor;

    if (!(scaled < most && scaled > -most))
        return false;
    *value = (int64_t)scaled;
    return true;
}

/* Scales a sampled row to the allocations it represents. Returns false on overflow. */
static bool unsample(int64_t *objects, int64_t *bytes, uint64_t period)
{
    double factor;

    if (!*objects || !*bytes) {
        *objects = *bytes = 0;
        return true;
    }
    if (period <= 1)
        return true;
    factor = 1 / (1 - exp(-((double)*bytes / (double)*objects) / (double)period));
    return scale(objects, factor) && scale(bytes, factor);
}

static bool next_line(const struct head *head, struct slice *rest, struct slice *line)
{
    while (head_line(head, rest, line)) {
        *line = slice_trim(*line);
        if (line->len)
            return true;
    }
    return false;
}

/* Requires a row or a setting after a first line that could be prose. */
static bool text_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    struct pprof_heading heading;

    if (!next_line(head, &rest, &line) || !pprof_heading_parse(line, &heading))
        return false;
    if (!next_line(head, &rest, &line))
        return heading.kind == PPROF_HEAP || !heading.declared[0];
    return heading.kind == PPROF_HEAP || slice_find(line, '@') < line.len ||
           slice_find(line, '=') < line.len;
}

/* ---- lines --------------------------------------------------------------------------------- */

static bool bad_line(struct text *t, struct slice line)
{
    return text_skip_line(t, "malformed row of a pprof profile", slice_trim(line));
}

/* "sampling period = 100", "cycles/second=2400000000". Returns whether it is a setting. */
static bool read_setting(struct text *t, struct pprof_text *p, struct slice line)
{
    struct slice value = line, key;
    size_t equals = slice_find(line, '=');
    uint64_t number = 0;

    if (equals == line.len || slice_find(line, '@') < line.len)
        return false;
    key = slice_trim(slice_take(line, equals));
    value = slice_trim(slice_skip(line, equals + 1));
    num_parse_u64(value, &number);
    if (slice_equal(key, SLICE("sampling period")))
        p->heading.period = number ? number : 1;
    else if (slice_equal(key, SLICE("cycles/second")))
        p->cycles_per_second = number;
    else if (slice_equal(key, SLICE("ms since reset")))
        p->ms = number;
    else if (slice_equal(key, SLICE("discarded samples")))
        t->profile->ledger.lost += number;
    else if (slice_equal(key, SLICE("format")))
        p->java = slice_equal(value, SLICE("java"));
    else if (slice_equal(key, SLICE("resolution")))
        p->resolution = arena_copy(&p->texts, value);
    return true;
}

/* Values of a heap: all allocations, if stated, then those in use. Returns false on overflow. */
static bool weigh_heap(const struct pprof_text *p, const int64_t *numbers, int64_t *values)
{
    int64_t *in_use = p->heading.all ? values + 2 : values;

    if (p->heading.all) {
        values[0] = numbers[2];
        values[1] = numbers[3];
        if (!unsample(&values[0], &values[1], p->heading.period))
            return false;
    }
    in_use[0] = numbers[0];
    in_use[1] = numbers[1];
    return unsample(&in_use[0], &in_use[1], p->heading.period);
}

/* Computes the values of a row, one for each column. Returns false on overflow. */
static bool weigh(const struct pprof_text *p, const int64_t *numbers, int64_t *values)
{
    double period = (double)p->heading.period;

    if (p->heading.kind == PPROF_HEAP)
        return weigh_heap(p, numbers, values);
    values[0] = numbers[0];
    if (p->heading.kind == PPROF_COUNT)
        return true;
    values[0] = numbers[1];
    values[1] = numbers[0];
    if (p->heading.kind == PPROF_JAVA_HEAP)
        return unsample(&values[0], &values[1], p->heading.period);
    return scale(&values[0], period) &&
           scale(&values[1],
                 p->cycles_per_second ? period / ((double)p->cycles_per_second / 1e9) : period);
}

static bool read_row(struct text *t, struct pprof_text *p, struct slice line)
{
    static const size_t counts[] = {[PPROF_HEAP] = PPROF_HEAP_NUMBERS,
                                    [PPROF_CONTENTION] = 2,
                                    [PPROF_COUNT] = 1,
                                    [PPROF_JAVA_HEAP] = 2};
    int64_t numbers[PPROF_HEAP_NUMBERS] = {0}, values[PPROF_ROWS_VALUES] = {0};
    size_t at = slice_find(line, '@');
    struct pprof_row *row;

    if (at == line.len ||
        !pprof_heading_numbers(slice_take(line, at), numbers, counts[p->heading.kind]))
        return bad_line(t, line);
    if (!weigh(p, numbers, values)) {
        text_skip(t, "the scaled values of the row exceed 63 bits; line skipped");
        return true;
    }
    row = pprof_rows_add(&p->rows);
    row->tags = origin_needs_tags(t->options) ? TAGS_OTHER : TAGS_UNKNOWN;
    memcpy(row->values, values, sizeof(values));
    for (size_t i = 0; i < PPROF_HEAP_NUMBERS; i++)
        if (__builtin_add_overflow(p->found[i], numbers[i], &p->found[i]))
            return diag_error(t->diag, "the sum of the rows exceeds 63 bits");
    if (!pprof_rows_push_all(&p->rows, slice_skip(line, at + 1), p->java ? 0 : (uint64_t)-1))
        diag_warn_line(t->diag, t->line, "the row ends with text that is no address");
    return true;
}

/*
 * "@ 0x1f 0x2e", or "t*: 1: 96 [4: 384]": the sums of all threads, which make a row of the stack
 * before or are those of the file. Lines of single threads are part of them.
 */
static bool read_jemalloc(struct text *t, struct pprof_text *p, struct slice line)
{
    const struct slice all = SLICE("t*:");
    bool ok;

    if (slice_starts(line, SLICE("@"))) {
        if (p->stack.len)
            bad_line(t, buf_slice(&p->stack));
        buf_clear(&p->stack);
        buf_add_slice(&p->stack, line);
        return true;
    }
    if (!slice_starts(line, all))
        return slice_starts(line, SLICE("t")) || bad_line(t, line);
    line = slice_skip(line, all.len);
    if (!p->stack.len && !p->rows.items.count) {
        if (!pprof_heading_numbers(line, p->heading.declared, PPROF_HEAP_NUMBERS))
            return bad_line(t, line);
        p->heading.all = states_all(p->heading.declared);
        return true;
    }
    buf_clear(&p->row);
    buf_printf(&p->row, "%.*s %.*s", SLICE_ARG(line), SLICE_ARG(buf_slice(&p->stack)));
    ok = p->stack.len ? read_row(t, p, buf_slice(&p->row)) : bad_line(t, line);
    buf_clear(&p->stack);
    return ok;
}

/* ---- Go's names ---------------------------------------------------------------------------- */

static void settle(struct pprof_text *p, bool inlined)
{
    struct waiting *w = &p->waiting;
    struct frame frame;

    if (!w->is_there)
        return;
    w->is_there = false;
    frame = pprof_frame_named(p->rows.builder.options, buf_slice(&w->name), buf_slice(&w->file),
                              w->line);
    frame.address = w->address;
    frame.has_address = true;
    if (inlined)
        frame.class = SYMBOL_INLINED;
    pprof_rows_push_entry(&p->rows, builder_entry(&p->rows.builder, &frame));
}

/* Removes the offset of "runtime/pprof.writeHeap+0x9b". */
static struct slice without_offset(struct slice name)
{
    size_t plus = slice_find_last(name, '+');

    return slice_starts(slice_skip(name, plus), SLICE("+0x")) ? slice_take(name, plus) : name;
}

/* `{"endpoint":"/a b", "user":"x"}`, the labels of the row read last. */
static void read_labels(struct pprof_text *p, struct slice text)
{
    struct origin origin = {0};
    struct slice key, value;
    struct pprof_row *row;

    if (!p->rows.items.count)
        return;
    text = slice_skip(slice_trim(text), 1);
    while (pprof_labels_next(&p->labels, &text, &key, &value))
        pprof_labels_take(&p->labels, key, value, &origin);
    row = &p->rows.items.items[p->rows.items.count - 1];
    row->thread = origin.thread;
    row->tid = origin.tid;
    row->tag = origin.tag;
    if (origin.tags != TAGS_UNKNOWN)
        row->tags = origin.tags;
}

/* "#", address, function+offset, file:line */
static bool read_go(struct text *t, struct pprof_text *p, struct slice line)
{
    const struct slice labels = SLICE("# labels: ");
    struct waiting *w = &p->waiting;
    struct slice rest = slice_skip(line, 1), name, file;
    uint64_t address;
    size_t colon;

    if (slice_starts(line, labels))
        read_labels(p, slice_skip(line, labels.len));
    if (!slice_starts(line, SLICE("#\t")))
        return true;
    if (!pprof_addresses_next(&rest, &address) || !p->rows.items.count)
        return bad_line(t, line);
    rest = slice_trim_left(rest);
    if (!slice_cut(&rest, '\t', &name))
        name = SLICE("");
    file = slice_trim(rest);
    settle(p, w->address == address);
    *w = (struct waiting){true, address, 0, w->name, w->file};
    colon = slice_find_last(file, ':');
    if (num_parse_u64(slice_skip(file, colon + 1), &w->line))
        file = slice_take(file, colon);
    buf_clear(&w->name);
    buf_clear(&w->file);
    buf_add_slice(&w->name, without_offset(slice_trim(name)));
    buf_add_slice(&w->file, file);
    p->go = true;
    return true;
}

/* ---- the reader ---------------------------------------------------------------------------- */

static bool pprof_text_begin(struct text *t, void *state)
{
    struct pprof_text *p = state;

    pprof_rows_init(&p->rows, t->profile, t->options, t->diag);
    p->labels.options = t->options;
    return true;
}

static bool pprof_text_line(struct text *t, void *state, struct slice line)
{
    struct pprof_text *p = state;
    struct slice trimmed = slice_trim(line);

    if (!trimmed.len)
        return true;
    if (!p->begun) {
        p->begun = true;
        if (!pprof_heading_parse(trimmed, &p->heading))
            return diag_error(t->diag, "malformed first line of a pprof profile");
        p->heading.name = arena_copy(&p->texts, p->heading.name);
        return true;
    }
    if (pprof_maps_begins(line)) {
        p->map = true;
    } else if (p->map) {
        pprof_maps_add(&p->rows.addresses.maps, line);
    } else if (p->heading.jemalloc) {
        return read_jemalloc(t, p, trimmed);
    } else if (line.ptr[0] == '#') {
        return read_go(t, p, line);
    } else if (!pprof_addresses_java(&p->rows.addresses, line) &&
               (p->rows.items.count || !read_setting(t, p, line))) {
        settle(p, false);
        return read_row(t, p, line);
    }
    return true;
}

static void add_ratio(struct pprof_text *p)
{
    struct buf text = {0};

    buf_printf(&text, "1 of %llu contentions", (unsigned long long)p->heading.period);
    pprof_facts_add(p->rows.builder.profile, "period", buf_slice(&text));
    buf_release(&text);
}

static void name_columns(struct pprof_text *p)
{
    struct pprof_columns *c = &p->rows.columns;
    struct slice unit = p->resolution;

    switch (p->heading.kind) {
    case PPROF_HEAP:
    case PPROF_JAVA_HEAP:
        pprof_columns_add(c, p->heading.all ? SLICE("alloc_objects") : SLICE("objects"),
                          SLICE("count"), false);
        pprof_columns_add(c, p->heading.all ? SLICE("alloc_space") : SLICE("space"), SLICE("bytes"),
                          false);
        if (p->heading.all) {
            pprof_columns_add(c, SLICE("inuse_objects"), SLICE("count"), false);
            pprof_columns_add(c, SLICE("inuse_space"), SLICE("bytes"), false);
        }
        if (p->heading.period > 1)
            pprof_facts_period(p->rows.builder.profile, p->heading.period, SLICE("bytes"),
                               SLICE("space"));
        break;
    case PPROF_CONTENTION:
        if (!unit.len)
            unit = p->cycles_per_second ? SLICE("nanoseconds") : SLICE("cycles");
        pprof_columns_add(c, SLICE("contentions"), SLICE("count"), false);
        pprof_columns_add(c, SLICE("delay"), unit, false);
        add_ratio(p);
        break;
    case PPROF_COUNT:
        pprof_columns_add(c, p->heading.name, SLICE("count"), false);
        break;
    }
}

/* The first line states the sums over all rows; other sums mean missing rows. */
static void check_sums(const struct text *t, const struct pprof_text *p)
{
    size_t count = p->heading.kind == PPROF_HEAP    ? PPROF_HEAP_NUMBERS
                   : p->heading.kind == PPROF_COUNT ? 1
                                                    : 0;

    for (size_t i = 0; i < count; i++) {
        if (p->found[i] == p->heading.declared[i])
            continue;
        cut_off(t, DIAG_AT_FILE,
                "the rows add up to %lld, but the heading states %lld; the file may be truncated",
                (long long)p->found[i], (long long)p->heading.declared[i]);
        return;
    }
}

/* Names or a memory map follow the rows; without them, rows may be missing, too. */
static void check_end(const struct text *t, const struct pprof_text *p)
{
    bool declared = p->heading.kind == PPROF_HEAP || p->heading.kind == PPROF_COUNT;
    uint64_t nameless = 0;

    if (p->java) {
        vec_each (uint64_t, address, &p->rows.stacks)
            nameless += pprof_ids_find(&p->rows.addresses.named, *address) == PPROF_IDS_NONE;
        if (nameless)
            cut_off(t, DIAG_AT_FILE, "%llu frame%s no name; the file may be truncated",
                    (unsigned long long)nameless, nameless == 1 ? " has" : "s have");
    } else if (!declared && !p->go && !p->map) {
        cut_off(t, DIAG_AT_FILE,
                "neither names nor a memory map at the end; the file may be truncated");
    }
}

static bool pprof_text_end(struct text *t, void *state)
{
    enum { NS_PER_MS = 1000000 };
    struct pprof_text *p = state;

    settle(p, false);
    name_columns(p);
    check_sums(t, p);
    check_end(t, p);
    if (!pprof_rows_end(&p->rows))
        return false;
    if (p->ms <= UINT64_MAX / NS_PER_MS)
        pprof_facts_times(t->profile, 0, p->ms * NS_PER_MS);
    if (p->go)
        pprof_facts_add(p->rows.builder.profile, "frames dropped",
                        SLICE("frames of Go's runtime at the leaf"));
    pprof_labels_tell(&p->labels, t->profile);
    return true;
}

STATE_RELEASE(pprof_text, (pprof_rows, rows), (pprof_labels, labels), (arena, texts),
              (buf, waiting.name, waiting.file, stack, row));

const struct format format_pprof_text = {
    .name = "pprof-text",
    .family = FORMAT_GO,
    .description = "pprof's older text profiles: heap, contention, counts; heaps of jemalloc",
    .recognised = "a first line 'heap profile: ...', 'heap_v2/...', '--- contentionz 1 ---' or "
                  "'NAME profile: total N'",
    .example = "curl -o heap.txt 'localhost:6060/debug/pprof/heap?debug=1'",
    .without_stacks = "its rows have no addresses; request a profile with stacks",
    .claims = text_claims,
    .text = {TEXT_READER(pprof_text)},
};
