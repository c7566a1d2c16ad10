/*
 * Reader of gmon.out, the recording of a program built with -pg.
 *
 *     "gmon", u32 version (1), 12 bytes            in the byte order of the machine
 *     u8 0   a histogram: address low, address high, u32 bins, u32 ticks per second,
 *            char dimension[15] ("seconds"), char abbreviation, u16 ticks[bins]
 *     u8 1   calls: address in the caller, address of the callee, u32 count
 *     u8 2   counts of basic blocks: u32 n, n times: address, count of the size of an address
 *
 * Addresses have 8 or 4 bytes; the file does not say which, so its records are read with both
 * sizes, and the size is taken with which they end at its end. Each distinct call is held once.
 * The names of the functions are in the program (gmon_program.h); without
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
#include "base/multiset.h"
#include "input/build/call_graph.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/gprof/gmon_program.h"
#include "input/formats/gprof/gmon_times.h"
#include "input/parse/bytes.h"
#include "input/parse/stream.h"
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
    uint64_t count;
};

/* The records, read with one size of addresses. */
struct records {
    bool swapped, wide; /* addresses have 8 bytes */
    bool damaged;       /* a record was none */
    struct buf rest;    /* the start of a record */
    uint64_t skip;      /* bytes to skip before the next record */
    bool in_histogram;  /* they are those of the last histogram */
    VEC(struct histogram) histograms;
    struct arena texts;   /* of histograms */
    struct multiset arcs; /* each is a struct arc */
    uint64_t arc_count;
};

enum { WIDE, NARROW, SIZES };

struct gmon {
    struct content *content;
    struct records sizes[SIZES], *records; /* those of the size that fits */
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

static uint64_t take_address(const struct records *r, struct bytes *b)
{
    return r->wide ? bytes_u64(b) : bytes_u32(b);
}

static void skip_after(struct records *r, struct bytes *b, uint64_t bytes, bool in_histogram)
{
    r->skip = b->failed ? 0 : bytes;
    r->in_histogram = in_histogram;
}

static void take_histogram(struct records *r, struct bytes *b)
{
    struct histogram h = {.low = take_address(r, b), .high = take_address(r, b)};
    struct slice dimension;
    uint64_t size;

    h.count = bytes_u32(b);
    h.rate = bytes_u32(b);
    dimension = bytes_take(b, DIMENSION);
    dimension = slice_take(dimension, slice_find(dimension, '\0'));
    bytes_take(b, 1);
    size = (uint64_t)h.count * sizeof(uint16_t);
    if (h.high <= h.low) /* it is refused, or the size of addresses is the other one */
        skip_after(r, b, size, true);
    else
        h.bins = bytes_take(b, size);
    if (b->failed)
        return;
    h.dimension = arena_copy(&r->texts, dimension);
    h.bins = arena_copy(&r->texts, h.bins);
    *vec_add(&r->histograms) = h;
}

static void take_arc(struct records *r, struct bytes *b)
{
    struct arc arc = {.from = take_address(r, b), .to = take_address(r, b)};

    arc.count = bytes_u32(b);
    if (b->failed)
        return;
    multiset_add(&r->arcs, slice_make((const char *)&arc, sizeof(arc)));
    r->arc_count++;
}

/* Takes a record. Sets b->failed if it is not whole, and r->damaged if it is none. */
static void take_record(struct records *r, struct bytes *b)
{
    unsigned tag = bytes_u8(b);

    if (tag == HISTOGRAM)
        take_histogram(r, b);
    else if (tag == CALLS)
        take_arc(r, b);
    else if (tag == BLOCKS)
        skip_after(r, b, (uint64_t)bytes_u32(b) * (r->wide ? 16 : 8), false);
    else
        r->damaged = true;
}

/* Takes the records that end in `bytes`, the next bytes of the file after the call before. */
static void take_records(struct records *r, struct slice bytes)
{
    struct bytes b;
    size_t left;

    buf_add_slice(&r->rest, bytes);
    b = bytes_make(buf_slice(&r->rest), r->swapped);
    do {
        left = b.rest.len;
        if (r->skip < left) {
            left -= (size_t)r->skip;
            bytes_take(&b, r->skip);
            r->skip = 0;
            take_record(r, &b);
        } else {
            r->skip -= left;
            left = 0;
        }
    } while (left && !b.failed && !r->damaged);
    memmove(r->rest.ptr, r->rest.ptr + r->rest.len - left, left);
    buf_cut(&r->rest, left);
}

static bool are_whole(const struct records *r)
{
    return !r->damaged && !r->rest.len && !r->skip;
}

/* Takes the records with the size of addresses that fits; of a cut file, with 8 bytes. */
static void choose_records(struct gmon *g)
{
    struct records *r = &g->sizes[WIDE];

    if (!are_whole(r) && are_whole(&g->sizes[NARROW]))
        r = &g->sizes[NARROW];
    g->records = r;
    if (are_whole(r))
        return;
    if (r->skip && r->in_histogram)
        r->histograms.count--;
    cut_off(g->content, DIAG_AT_FILE,
            "the file ends within a record, or has one that is damaged; %zu histogram%s and %llu "
            "call%s before that are read",
            r->histograms.count, diag_s(r->histograms.count), (unsigned long long)r->arc_count,
            diag_s(r->arc_count));
}

static bool read_header(struct gmon *g, struct stream *s)
{
    struct slice head = stream_peek(s, HEAD);
    bool swapped;

    if (head.len < HEAD)
        return !g->content->source->failed &&
               diag_error(g->content->diag, "the file ends within its header");
    swapped = (head.ptr[4] != 0) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    g->sizes[WIDE] = (struct records){.swapped = swapped, .wide = true};
    g->sizes[NARROW] = (struct records){.swapped = swapped};
    stream_skip(s, HEAD);
    return true;
}

static bool read_records(struct gmon *g)
{
    struct stream s;
    struct slice bytes;
    bool ok;

    stream_init(&s, g->content);
    ok = read_header(g, &s);
    while (ok && (bytes = stream_rest(&s)).len) {
        for (int i = 0; i < SIZES; i++)
            if (!g->sizes[i].damaged)
                take_records(&g->sizes[i], bytes);
        stream_skip(&s, bytes.len);
    }
    stream_release(&s);
    if (!ok || g->content->source->failed)
        return false;
    choose_records(g);
    return true;
}

static bool check_histograms(const struct gmon *g)
{
    vec_each (const struct histogram, h, &g->records->histograms) {
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

static struct arc arc_at(const struct gmon *g, uint32_t i)
{
    struct arc arc;

    memcpy(&arc, intern_get(&g->records->arcs.keys, i).ptr, sizeof(arc));
    return arc;
}

/* ---- functions ----------------------------------------------------------------------------- */

static void find_functions(struct gmon *g)
{
    const struct content *c = g->content;
    const char *path = c->head->path ? c->head->path : c->source->path;
    uint64_t end = 0;

    vec_each (const struct histogram, h, &g->records->histograms)
        end = h->high > end ? h->high : end;
    gmon_program_init(&g->program, c->options, path, end, c->diag);
    if (!g->program.functions.count) {
        struct gmon_addresses starts = {0};

        for (uint32_t i = 0; i < multiset_size(&g->records->arcs); i++)
            *vec_add(&starts) = arc_at(g, i).to;
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
    struct bytes b = bytes_make(h->bins, g->records->swapped);
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

    for (uint32_t i = 0; i < multiset_size(&g->records->arcs); i++) {
        struct arc a = arc_at(g, i);
        struct gmon_call c = {.caller = gmon_program_find(&g->program, a.from),
                              .callee = gmon_program_find(&g->program, a.to),
                              .count = a.count * multiset_times(&g->records->arcs, i)};

        /* Of a callback, the C library is the caller. */
        if (c.caller && c.callee)
            *vec_add(&calls) = c;
    }
    ok = gmon_times_add(&g->graph, &calls);
    if (calls.count)
        call_graph_tell(g->content->profile);
    g->content->profile->ledger.lines += g->records->arc_count;
    vec_release(&calls);
    return ok;
}

static bool add_stacks(struct gmon *g)
{
    uint32_t series =
        builder_series(&g->b, &(struct origin){.event = SLICE("cpu")}, unit_named(SLICE("ns")));
    bool ok = true;

    vec_each (const struct histogram, h, &g->records->histograms)
        ok = ok && read_histogram(g, h);
    if (!ok || !add_calls(g))
        return diag_error(g->content->diag, "the sum of the times exceeds 63 bits");
    if (g->records->histograms.count)
        profile_print_fact(g->content->profile, SLICE("sample interval"), "1/%u s",
                           g->records->histograms.items[0].rate);
    return call_graph_add_stacks(&g->graph, 0, &g->b, series, STACK_ROOT);
}

static bool gmon_read(struct content *content)
{
    struct gmon g = {.content = content};
    bool ok;

    builder_init(&g.b, content->profile, content->options, content->diag);
    call_graph_init(&g.graph);
    ok = read_records(&g) && check_histograms(&g);
    if (ok) {
        find_functions(&g);
        ok = add_stacks(&g);
        gmon_program_release(&g.program);
    }
    call_graph_release(&g.graph);
    builder_release(&g.b);
    for (int i = 0; i < SIZES; i++)
        release_each(&g.sizes[i], (vec, histograms), (arena, texts), (multiset, arcs), (buf, rest));
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
