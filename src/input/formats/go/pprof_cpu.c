/*
 * Reader of gperftools' CPU profiles, and of Java's in the same layout:
 * machine words of 32 or 64 bits, in either byte order.
 *
 *     0, 3, 0, PERIOD in microseconds, 0      (the third word is 1 for Java)
 *     COUNT, N, N addresses, leaf first       again and again
 *     0, 1, 0                                 the end
 *
 * Text follows that resolves the addresses: a memory map or, from Java, a list
 * of names. The first address is the current instruction; the others are
 * return addresses, so one less is within the call. Each distinct record is held
 * once, until the text has been read.
 *
 * Two frames of the profiler itself are removed: the C library's return from
 * the signal handler, second in nearly every stack, and a caller that repeats
 * the leaf. (pprof removes any address that is second in nearly every stack;
 * in a program with one hot function that is the function's caller.)
 *
 * Source: the documentation of gperftools, docs/cpuprofile-fileformat.html, and
 * pprof's reader (github.com/google/pprof).
 */
#include "base/multiset.h"
#include "input/format.h"
#include "input/build/names.h"
#include "input/formats/go/pprof.h"
#include "input/parse/stream.h"

enum { HEADER_WORDS = 5, NS_PER_US = 1000 };

/* Size and byte order of the words. */
struct words {
    size_t size; /* 4 or 8 */
    bool big_endian;
};

static const struct words layouts[] = {{8, false}, {8, true}, {4, false}, {4, true}};

/* Returns word number `i`; the bytes must contain it. */
static uint64_t word_at(const struct words *w, struct slice bytes, size_t i)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr + i * w->size;
    uint64_t value = 0;

    for (size_t k = 0; k < w->size; k++)
        value = value << 8 | at[w->big_endian ? k : w->size - 1 - k];
    return value;
}

/* Returns the layout in which the first words are a header, or NULL. */
static const struct words *find_layout(struct slice bytes)
{
    const uint64_t most_us = 1000 * 1000 * 1000;

    for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
        const struct words *w = &layouts[i];

        if (bytes.len >= HEADER_WORDS * w->size && word_at(w, bytes, 0) == 0 &&
            word_at(w, bytes, 1) == 3 && word_at(w, bytes, 2) <= 1 && word_at(w, bytes, 3) > 0 &&
            word_at(w, bytes, 3) <= most_us && word_at(w, bytes, 4) == 0)
            return w;
    }
    return NULL;
}

static bool cpu_claims(const struct head *head)
{
    return find_layout(head->bytes) != NULL;
}

/* ---- samples ------------------------------------------------------------------------------- */

struct cpu {
    struct content *content;
    struct stream stream;
    struct multiset records; /* count, length and addresses */
    struct pprof_rows rows;
    const struct words *words;
    uint64_t period; /* in nanoseconds */
    bool java;
};

/* Reports an error at the record that comes next, or that the content is damaged. */
static bool broken(const struct cpu *c, const char *what)
{
    if (!c->content->source->failed)
        diag_add(c->content->diag, DIAG_ERROR, DIAG_AT_BYTE(stream_offset(&c->stream)), "%s", what);
    return false;
}

/* Finds the next record, and whether it is the end mark. Returns false after reporting an error. */
static bool next_record(struct cpu *c, struct slice *record, bool *is_end)
{
    const size_t size = c->words->size;
    struct slice bytes = stream_peek(&c->stream, 2 * size);
    uint64_t count, depth;

    if (bytes.len < 2 * size)
        return broken(c, "the profile is truncated: no end mark");
    count = word_at(c->words, bytes, 0);
    depth = word_at(c->words, bytes, 1);
    if (depth < SIZE_MAX / size - 2)
        bytes = stream_peek(&c->stream, (size_t)(2 + depth) * size);
    if (depth > bytes.len / size - 2)
        return broken(c, "the profile is truncated or damaged: a stack extends past its end");
    *record = slice_take(bytes, (size_t)(2 + depth) * size);
    *is_end = !count && depth == 1 && !word_at(c->words, bytes, 2);
    if (!*is_end && (count > INT64_MAX || count > INT64_MAX / c->period))
        return broken(c, "a sample's time exceeds 63 bits");
    return true;
}

/* Reads the records up to the end mark. Returns false after reporting an error. */
static bool read_records(struct cpu *c)
{
    struct slice record;
    bool is_end = false;

    while (!is_end) {
        if (!next_record(c, &record, &is_end))
            return false;
        if (!is_end) {
            multiset_add(&c->records, record);
            c->content->profile->ledger.lines++;
        }
        stream_skip(&c->stream, record.len);
    }
    return true;
}

static void add_rows(struct cpu *c)
{
    for (size_t i = 0; i < multiset_steps(&c->records); i++) {
        uint32_t id = multiset_step(&c->records, i);
        struct slice record = intern_get(&c->records.keys, id);
        struct pprof_row *row = pprof_rows_add(&c->rows);
        size_t words = record.len / c->words->size;
        uint64_t count = word_at(c->words, record, 0);

        row->times = multiset_times(&c->records, id);
        row->values[0] = (int64_t)count;
        row->values[1] = (int64_t)(count * c->period);
        for (size_t k = 2; k < words; k++)
            pprof_rows_push(&c->rows, word_at(c->words, record, k) - (k > 2 && !c->java));
    }
}

/* ---- frames of the profiler ---------------------------------------------------------------- */

/* Removes the second address of a row. */
static void drop_second(struct cpu *c, struct pprof_row *row)
{
    uint64_t *stack = c->rows.stacks.items + row->first;

    stack[1] = stack[0];
    row->first++;
    row->count--;
}

/*
 * Finds the address that is second in at least 19 of 20 samples. A majority
 * vote yields the only candidate, which is then counted. Returns false if
 * there is no such address.
 */
static bool find_handler(const struct cpu *c, uint64_t *address)
{
    const uint64_t *stacks = c->rows.stacks.items;
    uint64_t votes = 0, found = 0, all = 0;

    vec_each (struct pprof_row, row, &c->rows.items) {
        all += row->times;
        if (row->count < 2)
            continue;
        if (stacks[row->first + 1] == *address) {
            votes += row->times;
        } else if (votes >= row->times) {
            votes -= row->times;
        } else {
            *address = stacks[row->first + 1];
            votes = row->times - votes;
        }
    }
    vec_each (struct pprof_row, row, &c->rows.items)
        if (row->count > 1 && stacks[row->first + 1] == *address)
            found += row->times;
    return found > 0 && found >= all - all / 20;
}

/* Whether the address is in the C library or vDSO, which return from signals. */
static bool is_of_c_library(const struct cpu *c, uint64_t address)
{
    const struct pprof_map *map = pprof_maps_find(&c->rows.addresses.maps, address);

    return map &&
           slice_starts_any(names_module_base(map->file), "libpthread", "libc-", "libc.", "[vdso]");
}

static void drop_profiler(struct cpu *c)
{
    const uint64_t *stacks = c->rows.stacks.items;
    uint64_t address = 0;
    struct buf text = {0};

    if (find_handler(c, &address) && is_of_c_library(c, address)) {
        vec_each (struct pprof_row, row, &c->rows.items)
            if (row->count > 1 && stacks[row->first + 1] == address)
                drop_second(c, row);
        buf_printf(&text, "the signal handler at 0x%llx", (unsigned long long)address);
        pprof_facts_add(c->content->profile, "frames dropped", buf_slice(&text));
        buf_release(&text);
    }
    vec_each (struct pprof_row, row, &c->rows.items)
        if (row->count > 1 && stacks[row->first] == stacks[row->first + 1] + 1)
            drop_second(c, row);
}

/* ---- the reader ---------------------------------------------------------------------------- */

static void read_names(struct cpu *c)
{
    struct slice line;

    while (stream_line(&c->stream, &line))
        if (c->java)
            pprof_addresses_java(&c->rows.addresses, line);
        else
            pprof_maps_add(&c->rows.addresses.maps, line);
}

static bool read_header(struct cpu *c)
{
    struct slice head = stream_peek(&c->stream, HEADER_WORDS * sizeof(uint64_t));

    c->words = find_layout(head);
    if (!c->words)
        return c->content->source->failed
                   ? false
                   : diag_error(c->content->diag, "malformed header of a CPU profile");
    c->java = word_at(c->words, head, 2) == 1;
    c->period = word_at(c->words, head, 3) * NS_PER_US;
    stream_skip(&c->stream, HEADER_WORDS * c->words->size);
    return true;
}

static bool read_all(struct cpu *c)
{
    if (!read_header(c) || !read_records(c))
        return false;
    read_names(c);
    if (c->content->source->failed)
        return false;
    add_rows(c);
    pprof_maps_sort(&c->rows.addresses.maps);
    if (!c->java)
        drop_profiler(c);
    pprof_columns_add(&c->rows.columns, SLICE("samples"), SLICE("count"), false);
    pprof_columns_add(&c->rows.columns, SLICE("cpu"), SLICE("nanoseconds"), false);
    pprof_facts_period(c->content->profile, c->period, SLICE("nanoseconds"), SLICE("cpu"));
    return pprof_rows_end(&c->rows);
}

static bool cpu_read(struct content *content)
{
    struct cpu c = {.content = content, .records.in_order = content->profile->keep_timed};
    bool ok;

    pprof_rows_init(&c.rows, content->profile, content->options, content->diag);
    stream_init(&c.stream, content);
    ok = read_all(&c);
    release_each(&c, (pprof_rows, rows), (multiset, records), (stream, stream));
    return ok;
}

const struct format format_pprof_cpu = {
    .name = "pprof-cpu",
    .family = FORMAT_GO,
    .description = "CPU profiles of gperftools, in machine words",
    .recognised = "machine words 0, 3, 0 or 1, period, 0; 32 or 64 bits, either byte order",
    .example = "CPUPROFILE=cpu.prof ./program",
    .without_stacks = "it has no samples; let the program run longer",
    .claims = cpu_claims,
    .read = cpu_read,
};
