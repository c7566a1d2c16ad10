/*
 * Reader of gmon.out, the recording of a program built with -pg.
 *
 *     "gmon", u32 version (1), 12 bytes            in the byte order of the machine
 *     u8 0   a histogram: address low, address high, u32 bins, u32 ticks per second,
 *            char dimension[15] ("seconds"), char abbreviation, u16 ticks[bins]
 *     u8 1   calls: address in the caller, address of the callee, u32 count
 *     u8 2   counts of basic blocks: u32 n, n times: address, count of the size of an address
 *
 * Addresses have 8 or 4 bytes; the file does not say which, so the size is taken with which its
 * records end at its end. The names of the functions are in the program (gmon_program.h); without
 * it the functions are the callees' addresses. The ticks of a bin are divided among its functions
 * in proportion to their bytes. Unlike gprof, which takes bins to begin up to three bytes earlier,
 * a bin has the addresses that the C library counts in it.
 *
 * The weight is the self time in ns. Times of calls are computed from their numbers, as gprof does
 * (gmon_times.h), and the stacks are estimated from them (input/build/call_graph.h). Counts of
 * basic blocks are dropped.
 *
 * Source: GNU gprof, gmon_out.h and gmon_io.c; the GNU C library, sys/gmon_out.h, gmon.c (the
 * scale) and profil.c (the bin of an address).
 */
#include "input/build/call_graph.h"
#include "input/format.h"
#include "input/formats/gprof/gmon_program.h"
#include "input/formats/gprof/gmon_times.h"
#include "input/parse/bytes.h"
#include "profile/unit.h"

typedef unsigned __int128 u128;

enum { HEAD = 20, HISTOGRAM = 0, CALLS = 1, BLOCKS = 2, DIMENSION = 15 };

static const uint64_t NS = 1000000000;

struct histogram {
    uint64_t low, high;
    uint32_t count, rate;
    struct slice dimension, bins;
};

/* A call as recorded. */
struct arc {
    uint64_t from, to; /* addresses */
    uint32_t count;
};

struct gmon {
    struct content *content;
    struct buf bytes;
    bool swapped, wide; /* addresses have 8 bytes */
    bool cut;
    VEC(struct histogram) histograms;
    VEC(struct arc) arcs;
    struct gmon_program program;
    struct builder b;
    struct call_graph graph; /* function 0 has the addresses before all functions */
    uint64_t ticks;
};

static bool gmon_claims(const struct head *head)
{
    return slice_starts(head->bytes, slice_make("gmon\1\0\0\0", 8)) ||
           slice_starts(head->bytes, slice_make("gmon\0\0\0\1", 8));
}

/* ---- records ------------------------------------------------------------------------------- */

static uint64_t take_address(const struct gmon *g, struct bytes *b)
{
    return g->wide ? bytes_u64(b) : bytes_u32(b);
}

static void take_histogram(struct gmon *g, struct bytes *b)
{
    struct histogram h = {.low = take_address(g, b), .high = take_address(g, b)};

    h.count = bytes_u32(b);
    h.rate = bytes_u32(b);
    h.dimension = bytes_take(b, DIMENSION);
    h.dimension = slice_take(h.dimension, slice_find(h.dimension, '\0'));
    bytes_take(b, 1);
    h.bins = bytes_take(b, (uint64_t)h.count * sizeof(uint16_t));
    if (!b->failed)
        *vec_add(&g->histograms) = h;
}

/* Takes all records. Returns false at one that is none or that the file does not have whole. */
static bool take_records(struct gmon *g)
{
    struct bytes b = bytes_make(slice_skip(buf_slice(&g->bytes), HEAD), g->swapped);

    vec_clear(&g->histograms);
    vec_clear(&g->arcs);
    while (b.rest.len && !b.failed) {
        unsigned tag = bytes_u8(&b);

        if (tag == HISTOGRAM) {
            take_histogram(g, &b);
        } else if (tag == CALLS) {
            struct arc arc = {.from = take_address(g, &b), .to = take_address(g, &b)};

            arc.count = bytes_u32(&b);
            if (!b.failed)
                *vec_add(&g->arcs) = arc;
        } else if (tag == BLOCKS) {
            bytes_take(&b, (uint64_t)bytes_u32(&b) * (g->wide ? 16 : 8));
        } else {
            return false;
        }
    }
    return !b.failed;
}

/* Takes the records with the size of addresses that fits; of a cut file, with 8 bytes. */
static bool read_records(struct gmon *g)
{
    struct slice bytes = buf_slice(&g->bytes);

    if (bytes.len < HEAD)
        return diag_error(g->content->diag, "the file ends within its header");
    g->swapped = (bytes.ptr[4] != 0) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    for (int i = 0; i < 2; i++) {
        g->wide = i == 0;
        if (take_records(g))
            return true;
    }
    g->wide = g->cut = true;
    take_records(g);
    diag_add(g->content->diag, DIAG_WARNING, DIAG_AT_FILE,
             "the file ends within a record, or has one that is damaged; %zu histogram%s and %zu "
             "call%s before that are read",
             g->histograms.count, diag_s(g->histograms.count), g->arcs.count,
             diag_s(g->arcs.count));
    return true;
}

static bool check_histograms(const struct gmon *g)
{
    vec_each (const struct histogram, h, &g->histograms) {
        if (!slice_equal(h->dimension, SLICE("seconds")) || !h->rate)
            return diag_error(g->content->diag,
                              "the histogram counts '%.*s' at a rate of %u, expected seconds",
                              SLICE_ARG(h->dimension), h->rate);
        if (h->high <= h->low)
            return diag_error(g->content->diag,
                              "invalid addresses of a histogram: 0x%llx to 0x%llx",
                              (unsigned long long)h->low, (unsigned long long)h->high);
    }
    return true;
}

/* ---- functions ----------------------------------------------------------------------------- */

static void find_functions(struct gmon *g)
{
    const struct content *c = g->content;
    const char *path = c->head->path ? c->head->path : c->source->path;
    uint64_t end = 0;

    vec_each (const struct histogram, h, &g->histograms)
        end = h->high > end ? h->high : end;
    gmon_program_init(&g->program, c->options, path, end, c->diag);
    if (!g->program.functions.count) {
        struct gmon_addresses starts = {0};

        vec_each (const struct arc, a, &g->arcs)
            *vec_add(&starts) = a->to;
        gmon_program_guess(&g->program, &starts);
        vec_release(&starts);
        diag_add(c->diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the functions have no names: name the program with --program=FILE");
    }
    call_graph_add_function(&g->graph, builder_entry(&g->b, &(struct frame){.kind = FRAME_NATIVE}));
    vec_each (const struct gmon_function, f, &g->program.functions) {
        struct frame frame = {.name = f->name, .kind = FRAME_NATIVE};

        if (!g->program.found)
            frame.kind = FRAME_PLAIN;
        call_graph_add_function(&g->graph, builder_entry(&g->b, &frame));
    }
}

/* ---- histograms ---------------------------------------------------------------------------- */

/*
 * Returns the first address of bin `i`. The C library counts a tick at an address of `pairs` bytes
 * times two in bin pairs * scale / 65536.
 */
static uint64_t bin_start(const struct histogram *h, uint64_t i)
{
    const uint64_t whole = 65536;
    u128 scale = (u128)h->count * sizeof(uint16_t) * whole / (h->high - h->low), pairs;

    if (!scale || i == h->count)
        return i ? h->high : h->low;
    scale = scale < whole ? scale : whole;
    pairs = (i * whole + scale - 1) / scale;
    return pairs < (h->high - h->low) / 2 ? h->low + 2 * (uint64_t)pairs : h->high;
}

/*
 * Deals the time of bin `i` to the functions in it, in proportion to their bytes. `at` is the
 * function at the start of the bin before, and is moved to that of this bin.
 */
static bool deal_bin(struct gmon *g, const struct histogram *h, uint32_t i, uint64_t ns,
                     uint32_t *at)
{
    const size_t functions = g->program.functions.count;
    const struct gmon_function *f = g->program.functions.items;
    uint64_t begin = bin_start(h, i), end = bin_start(h, i + (uint64_t)1), from = begin, given = 0;
    bool ok = true;
    uint32_t in;

    while (*at < functions && f[*at].start <= begin)
        ++*at;
    for (in = *at; ok && in < functions && f[in].start < end; in++) {
        uint64_t part = (uint64_t)((u128)ns * (f[in].start - from) / (end - begin));

        ok = call_graph_add_self(&g->graph, 0, in, (int64_t)part);
        given += part;
        from = f[in].start;
    }
    return ok && call_graph_add_self(&g->graph, 0, in, (int64_t)(ns - given));
}

static bool read_histogram(struct gmon *g, const struct histogram *h)
{
    struct bytes b = bytes_make(h->bins, g->swapped);
    uint32_t at = 0;
    uint64_t before = 0, sum = 0;
    bool ok = true;

    for (uint32_t i = 0; ok && i < h->count; i++) {
        uint64_t ticks = bytes_u16(&b), now;

        if (!ticks)
            continue;
        sum += ticks;
        /* So the times of all bins add up to that of all ticks, rounded once. */
        now = (uint64_t)((u128)sum * NS / h->rate);
        ok = deal_bin(g, h, i, now - before, &at);
        before = now;
    }
    g->ticks += sum;
    g->content->profile->ledger.lines += h->count;
    return ok;
}

/* ---- calls --------------------------------------------------------------------------------- */

static bool add_calls(struct gmon *g)
{
    struct gmon_calls calls = {0};
    bool ok;

    vec_each (const struct arc, a, &g->arcs) {
        struct gmon_call c = {.caller = gmon_program_find(&g->program, a->from),
                              .callee = gmon_program_find(&g->program, a->to),
                              .count = a->count};

        /* Of a callback, the C library is the caller. */
        if (c.caller && c.callee)
            *vec_add(&calls) = c;
    }
    ok = gmon_times_add(&g->graph, &calls);
    if (calls.count)
        call_graph_tell(g->content->profile);
    g->content->profile->ledger.lines += g->arcs.count;
    vec_release(&calls);
    return ok;
}

static bool add_stacks(struct gmon *g)
{
    uint32_t series =
        builder_series(&g->b, &(struct origin){.event = SLICE("cpu")}, unit_named(SLICE("ns")));
    bool ok = true;

    vec_each (const struct histogram, h, &g->histograms)
        ok = ok && read_histogram(g, h);
    if (!ok || !add_calls(g))
        return diag_error(g->content->diag, "the sum of the times exceeds 63 bits");
    if (g->histograms.count)
        profile_print_fact(g->content->profile, SLICE("sample interval"), "1/%u s",
                           g->histograms.items[0].rate);
    return call_graph_add_stacks(&g->graph, 0, &g->b, series, STACK_ROOT);
}

static bool gmon_read(struct content *content)
{
    struct gmon g = {.content = content};
    bool ok;

    builder_init(&g.b, content->profile, content->options, content->diag);
    call_graph_init(&g.graph);
    ok = content_load(content, &g.bytes) && read_records(&g) && check_histograms(&g);
    if (ok) {
        find_functions(&g);
        ok = add_stacks(&g);
        gmon_program_release(&g.program);
    }
    call_graph_release(&g.graph);
    builder_release(&g.b);
    release_all(&g, vec, histograms, arcs);
    buf_release(&g.bytes);
    return ok;
}

const struct format format_gmon = {
    .name = "gmon",
    .family = FORMAT_SYSTEMS,
    .description = "gmon.out of a program built with -pg; stacks are estimated from the calls",
    .recognised = "'gmon' and the version 1 at its start",
    .example = "gcc -pg app.c; ./a.out   # writes gmon.out, read with ./a.out beside it",
    .without_stacks = "the program ran for less than a sample of gprof, 0.01 s",
    .claims = gmon_claims,
    .read = gmon_read,
};
