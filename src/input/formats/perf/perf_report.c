/*
 * perf report with folded call chains, each preceded by its count:
 *
 *     # Samples: 868  of event 'cpu-clock'
 *     # Overhead       Samples  Command
 *     # ........  ............  .......
 *         37.56%           326  thr
 *     71 start;work;inl
 *     35 start;main
 *
 * A row of the table names the command of the chains below it; the command is the root
 * frame. Chains are root first with "-g caller". An event begins with its "# Samples" line
 * and is a series. The unit depends on "-g ...,count" or "period", which the text does not
 * show: it is samples, unless the first chain of an event is larger than the number of
 * samples. Chains that --percent-limit excludes are missing in the file; a note says if
 * fewer samples are listed than were taken. A report with the column "Children" counts
 * each sample once for each of its callers and is refused.
 *
 * Grammar: perf-report(1), tools/perf/ui/stdio/hist.c.
 */
#include "input/build/builder.h"
#include "input/format.h"
#include "input/build/frame_cache.h"
#include "input/parse/native.h"
#include "input/formats/perf/perf_line.h"

struct perf_report {
    struct builder builder;
    struct buf event, command;
    struct frame_cache known; /* frames */
    size_t start, end;        /* of the column "Command" */
    bool has_column;          /* there is one */
    bool in_table;            /* after the line of dots */
    uint64_t samples, seen;   /* of the current event: as stated, and the sum of its chains */
    uint64_t most;            /* the most that `samples` may have been before perf shortened it */
    struct unit unit;         /* of the chains, once `seen` is more than 0 */
};

/* How many "12K" may have been at the most. */
static uint64_t most_samples(struct slice text)
{
    static const char letters[] = "KMGT";
    const char *letter = text.len ? strchr(letters, text.ptr[text.len - 1]) : NULL;
    uint64_t n;

    if (letter && *letter)
        text.len--;
    if (!num_parse_u64(text, &n) || n >= UINT32_MAX)
        return UINT64_MAX;
    return letter && *letter ? (n + 1) * num_pow10(3 * (unsigned)(letter - letters + 1)) : n;
}

/* "# Samples: 868  of event 'cpu-clock'"; perf shortens 12000 to "12K". */
static bool parse_samples(struct slice line, uint64_t *samples, uint64_t *most, struct slice *event)
{
    const struct slice start = SLICE("# Samples: "), mark = SLICE(" of event");
    struct slice rest = slice_skip(line, start.len), digits;
    size_t at = slice_search(rest, mark), quote;

    if (!slice_starts(line, start) || at == rest.len)
        return false;
    digits = slice_trim(slice_take(rest, at));
    if (!num_parse_u64(digits, samples))
        *samples = 0;
    *most = most_samples(digits);
    rest = slice_skip(rest, at);
    quote = slice_find(rest, '\'');
    rest = slice_skip(rest, quote + 1);
    *event = slice_take(rest, slice_find_last(rest, '\''));
    return true;
}

/* "71 start;work;inl" */
static bool parse_chain(struct slice line, struct slice *weight, struct slice *chain)
{
    struct slice rest = line;

    if (!native_take_number(&rest, weight) || !slice_starts(rest, SLICE(" ")))
        return false;
    *chain = slice_skip(rest, 1);
    return chain->len > 0;
}

/* The titles of the columns, centred; the first has the share by which the rows are sorted. */
static bool is_heading(struct slice line)
{
    struct slice title;

    if (!slice_starts(line, SLICE("# ")))
        return false;
    line = slice_skip(line, 1);
    return slice_word(&line, &title) && slice_is_any(title, "Overhead", "Children", "Latency") &&
           line.len > 0;
}

/* "    37.56%  326  thr" */
static bool is_row(struct slice line)
{
    struct slice word;

    return slice_starts(line, SLICE(" ")) && slice_word(&line, &word) &&
           slice_ends(word, SLICE("%"));
}

/* A Java name may contain a semicolon: "Lpkg/Class;::method". */
static bool next_frame(struct slice *rest, struct slice *name)
{
    size_t end = slice_find(*rest, ';');

    if (!rest->len)
        return false;
    while (end + 2 < rest->len && rest->ptr[end + 1] == ':' && rest->ptr[end + 2] == ':')
        end += 1 + slice_find(slice_skip(*rest, end + 1), ';');
    *name = slice_take(*rest, end);
    *rest = slice_skip(*rest, end + 1);
    return true;
}

/* The current event is over: says whether the report left chains out. */
static void finish_event(struct text *t, struct perf_report *r)
{
    if (r->seen && r->seen < r->samples)
        diag_add(t->diag, DIAG_NOTE, DIAG_AT_FILE,
                 "the chains listed add up to %llu of %llu samples (perf report "
                 "--percent-limit 0 lists all)",
                 (unsigned long long)r->seen, (unsigned long long)r->samples);
    r->seen = 0;
    r->samples = 0;
    r->in_table = false;
}

/* Comments: the event, the titles of the columns, the dots that show how wide they are. */
static bool read_comment(struct text *t, struct perf_report *r, struct slice line)
{
    const struct slice lost = SLICE("# Total Lost Samples: ");
    struct slice event, title = SLICE("Command");
    uint64_t samples, most;

    if (parse_samples(line, &samples, &most, &event)) {
        finish_event(t, r);
        r->samples = samples;
        r->most = most;
        buf_clear(&r->event);
        buf_add_slice(&r->event, event);
    } else if (is_heading(line)) {
        if (slice_has(line, SLICE(" Children ")))
            return diag_error(t->diag, "the report adds callers' samples to their callees' "
                                       "(column Children); run perf report --no-children");
        r->start = slice_search(line, title);
        r->has_column = r->start < line.len;
    } else if (slice_starts(line, SLICE("# .."))) {
        r->in_table = true;
        r->end = r->start + slice_find(slice_skip(line, r->start), ' ');
    } else if (slice_starts(line, lost) &&
               num_parse_u64(slice_trim(slice_skip(line, lost.len)), &samples)) {
        t->profile->ledger.lost += samples;
    }
    return true;
}

/* The command of a row; the last column is as long as it is. */
static void read_row(struct perf_report *r, struct slice line)
{
    struct slice command = SLICE("");

    if (r->has_column && r->start < line.len)
        command = slice_skip(line, r->start);
    if (r->end > r->start && r->end < line.len && line.ptr[r->end] == ' ')
        command = slice_take(command, r->end - r->start);
    command = slice_trim(command);
    buf_clear(&r->command);
    buf_add_slice(&r->command, command);
}

/* The first chain of an event is among its heaviest: more than all samples are periods. */
static struct unit find_unit(const struct perf_report *r, uint64_t weight)
{
    struct perf_event e = {.name = buf_slice(&r->event), .has_period = true, .period = 1};

    return weight > r->most ? perf_event_unit(&e) : unit_samples;
}

/* The frame of a name. perf writes the address of a frame that has no symbol. */
static struct frame frame_of(const struct input_options *options, struct slice name)
{
    struct frame f = {.name = name, .kind = FRAME_NATIVE};
    struct slice rest = name;
    uint64_t address;

    if (options->names == NAMES_REFERENCE)
        f.kind = FRAME_PLAIN;
    else if (native_take_address(&rest, &address) && !rest.len && !options->addrs)
        f.name = SLICE("");
    return f;
}

static bool add_chain(struct text *t, struct perf_report *r, struct slice chain, uint64_t weight)
{
    struct origin origin = {.event = buf_slice(&r->event), .process = buf_slice(&r->command)};
    struct slice name;

    builder_begin(&r->builder);
    if (origin.process.len)
        builder_name(&r->builder, origin.process, FRAME_OWNER);
    while (next_frame(&chain, &name)) {
        uint32_t entry;

        if (!frame_cache_find(&r->known, name, &entry)) {
            struct frame frame = frame_of(t->options, name);

            entry = builder_entry(&r->builder, &frame);
            frame_cache_add(&r->known, entry);
        }
        builder_push(&r->builder, entry);
    }
    if (!r->seen)
        r->unit = find_unit(r, weight);
    if (!num_add(r->seen, weight, &r->seen))
        r->seen = UINT64_MAX;
    return builder_add(&r->builder, builder_series(&r->builder, &origin, r->unit), weight);
}

static bool perf_report_claims(const struct head *head)
{
    struct slice weight, chain;
    bool titles = false, row = false;

    head_each (line, head) {
        if (line.len && line.ptr[0] != '#' && !titles)
            return false;
        titles = titles || is_heading(line);
        row = row || (titles && is_row(line));
        if (row && parse_chain(line, &weight, &chain))
            return true;
    }
    return false;
}

static bool perf_report_begin(struct text *t, void *state)
{
    struct perf_report *r = state;

    builder_init(&r->builder, t->profile, t->options, t->diag);
    r->most = UINT64_MAX;
    return true;
}

static bool perf_report_line(struct text *t, void *state, struct slice line)
{
    struct perf_report *r = state;
    struct slice digits, chain;
    uint64_t weight;

    if (!slice_trim(line).len)
        return true;
    if (line.ptr[0] == '#')
        return read_comment(t, r, line);
    if (r->in_table && is_row(line)) {
        read_row(r, line);
        return true;
    }
    if (r->in_table && parse_chain(line, &digits, &chain) && num_parse_u64(digits, &weight))
        return add_chain(t, r, chain, weight);
    text_skip(t, "expected 'P%%  COMMAND' or 'COUNT frame;frame'; line skipped");
    return true;
}

static bool perf_report_end(struct text *t, void *state)
{
    finish_event(t, state);
    return true;
}

STATE_RELEASE(perf_report, (builder, builder), (buf, event, command), (frame_cache, known));

const struct format format_perf_report = {
    .name = "perf-report",
    .family = FORMAT_LINUX,
    .description = "perf report with folded call chains",
    .recognised = "'# Overhead', rows of per cent, and 'COUNT frame;frame' below",
    .example = "perf report --stdio --no-children -s comm --percent-limit 0 "
               "-g folded,0,caller,count > app.report",
    .without_stacks = "record with perf record -g",
    .claims = perf_report_claims,
    .text = {TEXT_READER(perf_report)},
};
