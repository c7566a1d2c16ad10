/*
 * Reader of the text that pprof -traces prints, sample by sample.
 *
 *     File: server
 *     Type: cpu
 *     Duration: 10s, Total samples = 1.12s (11.20%)
 *     -----------+-------------------------------------------------------
 *           key1:  tag1
 *             1s   leaf (inline)
 *                  caller
 *     -----------+-------------------------------------------------------
 *
 * A sample's value precedes its leaf, with a unit and at most two
 * decimals, so sums are sums of rounded values; they are compared with the
 * total of the heading. Labels come before the value.
 *
 * Source: printTraces() in github.com/google/pprof/internal/report/report.go.
 */
#include "input/build/sample.h"
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/formats/go/pprof.h"

/* Meanings of repeated lines; `context` is an index in `amounts` or in `known_labels`. */
enum { TRACES_SEPARATOR = 1, TRACES_FRAME, TRACES_SAMPLE, TRACES_LABEL };

struct traces_label {
    struct slice key, value;
};

struct traces {
    struct sample sample; /* its texts are those of labels, type and unit */
    struct pprof_labels labels;
    struct slice type;          /* event of all samples */
    bool begun;                 /* the first separator was read */
    bool labelled;              /* labels were read and their sample was not */
    struct pprof_amount amount; /* of the current sample */
    struct pprof_amount total;  /* stated by the heading */
    bool has_unit;              /* the unit is set, by the first sample with a unit */
    int64_t sum;                /* of all samples, in that unit */
    uint64_t rounding;          /* largest error of `sum` */
    VEC(struct pprof_amount) amounts;
    VEC(struct traces_label) known_labels;
};

static bool is_separator(struct slice line)
{
    return slice_starts(line, SLICE("-----------+---"));
}

/* A separator among the first lines, preceded by a line "Type: ..." or only by blank lines. */
static bool traces_claims(const struct head *head)
{
    bool type = false, first = true;

    head_each_of (line, head, 100) {
        if (is_separator(line))
            return type || first;
        type |= slice_starts(line, SLICE("Type: "));
        first &= !slice_trim(line).len;
    }
    return false;
}

static bool traces_begin(struct text *t, void *state)
{
    struct traces *r = state;

    sample_init(&r->sample, t->profile, t->options, t->diag);
    r->sample.unit = (struct unit){0};
    r->sample.origin.tags = TAGS_OTHER;
    r->labels.options = t->options;
    return true;
}

STATE_RELEASE(traces, (sample, sample), (pprof_labels, labels), (vec, amounts, known_labels));

/* ---- the heading --------------------------------------------------------------------------- */

static void read_heading(struct text *t, struct traces *r, struct slice line)
{
    const struct slice total = SLICE("Total samples = ");
    struct slice key, value = line, word;

    slice_cut(&value, ':', &key);
    value = slice_trim(value);
    if (slice_equal(key, SLICE("File")))
        pprof_facts_add(t->profile, "file", value);
    else if (slice_equal(key, SLICE("Time")))
        pprof_facts_add(t->profile, "captured on", value);
    else if (slice_equal(key, SLICE("Duration")))
        pprof_facts_add(t->profile, "duration", slice_take(value, slice_find(value, ',')));
    else if (slice_equal(key, SLICE("Type")))
        r->type = sample_keep(&r->sample, value);
    value = slice_skip(line, slice_search(line, total) + total.len);
    if (slice_word(&value, &word))
        pprof_amount_parse(word, &r->total);
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Adds the current sample, if any. Returns false after reporting an error. */
static bool finish(struct traces *r)
{
    struct builder *b = &r->sample.builder;
    struct origin *origin = &r->sample.origin;
    int64_t value = (int64_t)r->amount.value;
    bool ok = true;

    if (!r->sample.open)
        return true;
    sample_drop(&r->sample);
    if (r->amount.negative)
        value = -value;
    origin->event = r->type;
    if (value)
        ok = builder_add_signed(b, builder_series(b, origin, r->sample.unit), value);
    if (ok && __builtin_add_overflow(r->sum, value, &r->sum))
        return diag_error(b->diag, "the sum of the samples exceeds 63 bits");
    r->rounding += r->amount.rounding;
    *origin = (struct origin){.tags = TAGS_OTHER};
    return ok;
}

static uint32_t push_frame(struct text *t, struct traces *r, struct slice name)
{
    struct frame frame;

    name = slice_trim(name);
    frame = pprof_frame_named(t->options, name, SLICE(""), 0);
    if (slice_ends(name, SLICE(" (inline)"))) {
        frame.name = slice_take(name, name.len - strlen(" (inline)"));
        frame.class = SYMBOL_INLINED;
    }
    return sample_frame(&r->sample, &frame);
}

/* "      key1:  tag1". Returns false for any other line. */
static bool read_label(struct text *t, struct traces *r, struct slice line)
{
    const struct slice middle = SLICE(":  ");
    size_t at = slice_search(line, middle);
    struct traces_label label = {slice_trim(slice_take(line, at)),
                                 slice_trim(slice_skip(line, at + middle.len))};

    if (at == line.len)
        return false;
    label.key = sample_keep(&r->sample, label.key);
    label.value = sample_keep(&r->sample, label.value);
    if (t->keeps) {
        t->meaning.kind = TRACES_LABEL;
        t->meaning.context = (uint32_t)r->known_labels.count;
        *vec_add(&r->known_labels) = label;
    }
    r->labelled = true;
    pprof_labels_take(&r->labels, label.key, label.value, &r->sample.origin);
    return true;
}

/* Whether the unit equals that of earlier samples; pprof prints 0 without a unit. */
static bool same_unit(struct traces *r, const struct pprof_amount *amount)
{
    struct unit *unit = &r->sample.unit;

    if (!amount->value)
        return true;
    if (!r->has_unit) {
        r->has_unit = true;
        *unit = amount->unit;
        unit->noun = sample_keep(&r->sample, unit->noun);
    }
    return unit->kind == amount->unit.kind && slice_equal(unit->noun, amount->unit.noun);
}

static bool open_sample(struct traces *r, const struct pprof_amount *amount)
{
    r->labelled = false;
    r->amount = *amount;
    return sample_open(&r->sample, SLICE(""));
}

/* "        1s   main.fib". Returns false for any other line. */
static bool read_sample(struct text *t, struct traces *r, struct slice line)
{
    struct slice rest = line, word;
    struct pprof_amount amount;

    if (!slice_word(&rest, &word) || !pprof_amount_parse(word, &amount) || r->sample.open ||
        !same_unit(r, &amount))
        return false;
    amount.unit.noun = r->sample.unit.noun;
    open_sample(r, &amount);
    if (!slice_trim(rest).len)
        return true;
    t->meaning.entry = push_frame(t, r, rest);
    if (t->keeps) {
        t->meaning.kind = TRACES_SAMPLE;
        t->meaning.context = (uint32_t)r->amounts.count;
        *vec_add(&r->amounts) = amount;
    }
    return true;
}

static bool traces_line(struct text *t, void *state, struct slice line)
{
    enum { INDENT = 13 };
    struct traces *r = state;

    if (!slice_trim(line).len)
        return true;
    if (is_separator(line)) {
        t->meaning.kind = TRACES_SEPARATOR;
        r->begun = true;
        return finish(r);
    }
    if (!r->begun) {
        read_heading(t, r, slice_trim(line));
        return true;
    }
    if (r->sample.open && slice_trim(slice_take(line, INDENT)).len == 0) {
        t->meaning = (struct line_meaning){.kind = TRACES_FRAME, .entry = push_frame(t, r, line)};
        return true;
    }
    if (!r->sample.open && (read_sample(t, r, line) || read_label(t, r, line)))
        return true;
    return text_skip_line(t, "neither a value with a frame nor a label", slice_trim(line));
}

static enum text_again traces_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct traces *r = state;
    const struct traces_label *label;

    (void)t;
    if (m->kind == TRACES_SEPARATOR) {
        r->begun = true;
        return finish(r) ? TEXT_DONE : TEXT_FAILED;
    }
    if (!r->begun || r->sample.open != (m->kind == TRACES_FRAME))
        return TEXT_UNFIT;
    if (m->kind == TRACES_LABEL) {
        label = &r->known_labels.items[m->context];
        r->labelled = true;
        pprof_labels_take(&r->labels, label->key, label->value, &r->sample.origin);
        return TEXT_DONE;
    }
    if (m->kind == TRACES_SAMPLE)
        open_sample(r, &r->amounts.items[m->context]);
    sample_push(&r->sample, m->entry);
    return TEXT_DONE;
}

/* ---- the end ------------------------------------------------------------------------------- */

static bool traces_end(struct text *t, void *state)
{
    struct traces *r = state;
    int64_t total = r->total.negative ? -(int64_t)r->total.value : (int64_t)r->total.value;

    if (r->sample.open || r->labelled)
        cut_off(t, DIAG_AT_FILE, "the file is truncated: no separator after its last sample");
    if (!finish(r))
        return false;
    if (total && r->sample.unit.kind == r->total.unit.kind &&
        (double)total - (double)r->sum > (double)(r->rounding + r->total.rounding))
        cut_off(t, DIAG_AT_FILE,
                "the samples add up to less than the heading states; the file may be truncated");
    if (r->has_unit && r->sample.unit.kind != UNIT_COUNT)
        profile_add_fact(t->profile, SLICE("rounded"),
                         SLICE("pprof -traces prints each value with at most two decimals"));
    pprof_labels_tell(&r->labels, t->profile);
    return true;
}

const struct format format_pprof_traces = {
    .name = "pprof-traces",
    .family = FORMAT_GO,
    .description = "output of pprof -traces",
    .recognised = "lines '-----------+----', after a line 'Type: ...'",
    .example = "go tool pprof -traces cpu.pb.gz > cpu.traces",
    .without_stacks = "its samples have no frames; record with stacks",
    .claims = traces_claims,
    .text = {TEXT_READER(traces), .again = traces_again},
};
