/*
 * V8's CPU profiles, which Chrome's and Node's developer tools load.
 *
 * The format has a node for each distinct stack, and times at which the program was in a node. A
 * sample lasts as long as it weighs. Samples are in the order of time, without the pauses between
 * them; if the profile has no times, each distinct stack has one sample.
 *
 * Source: the type "Profile" of the Chrome DevTools Protocol.
 */
#include "base/json_writer.h"
#include "convert/lines.h"
#include "convert/timeline.h"
#include "convert/values.h"

struct cpuprofile_writer {
    const struct profile *profile;
    const struct series *series;
    struct convert_stream *out;
    struct lines lines;
    struct values_decimal decimal;
    struct buf text;
};

static void write_children(struct cpuprofile_writer *w, uint32_t node)
{
    struct buf *out = &w->out->bytes;

    buf_add_str(out, ",\"children\":[");
    for (uint32_t child = w->lines.first[node]; child; child = w->lines.next[child]) {
        buf_add_u64(out, (uint64_t)child + 1);
        if (w->lines.next[child])
            buf_add_char(out, ',');
        convert_stream_pass(w->out);
    }
    buf_add_char(out, ']');
}

/* Lines count from 0, and the line of an unknown place is -1. */
static void write_place(struct cpuprofile_writer *w, uint32_t node)
{
    const struct symbols *symbols = &w->profile->symbols;
    uint32_t symbol = node ? w->profile->stacks.symbol[node] : 0;
    uint32_t line = node ? symbols->items.items[symbol].line : 0;
    struct buf *out = &w->out->bytes;

    buf_add_str(out, ",\"scriptId\":\"0\",\"url\":");
    json_writer_string(out, node ? symbol_file(symbols, symbol) : SLICE(""));
    buf_add_str(out, ",\"lineNumber\":");
    buf_add_i64(out, (int64_t)line - 1);
}

static void write_node(struct cpuprofile_writer *w, uint32_t node)
{
    struct buf *out = &w->out->bytes;

    buf_clear(&w->text);
    if (node)
        values_add_name(&w->text, &w->profile->symbols, w->profile->stacks.symbol[node]);
    else
        buf_add_str(&w->text, "(root)");
    buf_add_str(out, node ? ",\n{\"id\":" : "{\"id\":");
    buf_add_u64(out, (uint64_t)node + 1);
    buf_add_str(out, ",\"callFrame\":{\"functionName\":");
    json_writer_string(out, buf_slice(&w->text));
    write_place(w, node);
    buf_add_str(out, ",\"columnNumber\":-1},\"hitCount\":");
    buf_add_str(out, lines_has(&w->lines, node) ? "1" : "0");
    if (w->lines.first[node])
        write_children(w, node);
    buf_add_char(out, '}');
}

/* A delta is the time since the sample before. A last sample, of the root, ends the last stack. */
static void write_samples(struct cpuprofile_writer *w)
{
    const struct series *s = w->series;
    const struct timeline samples = timeline_of(s);
    struct buf *out = &w->out->bytes;

    buf_add_str(out, "],\n\"startTime\":0,\"endTime\":");
    values_add_decimal(out, &w->decimal, s->total);
    buf_add_str(out, ",\n\"samples\":[");
    for (size_t i = 0; i < samples.count && convert_stream_pass(w->out); i++) {
        buf_add_u64(out, (uint64_t)timeline_row(&samples, i).stack + 1);
        buf_add_char(out, ',');
    }
    buf_add_char(out, '1');
    buf_add_str(out, "],\n\"timeDeltas\":[0");
    for (size_t i = 0; i < samples.count && convert_stream_pass(w->out); i++) {
        buf_add_char(out, ',');
        values_add_decimal(out, &w->decimal, timeline_row(&samples, i).weight);
    }
    buf_add_str(out, "]}\n");
}

static void write(const struct conversion *c, struct convert_stream *out, struct diag *diag)
{
    enum { MICROSECONDS = -6 };
    struct cpuprofile_writer w = {.profile = c->profile, .out = out};
    const struct series *s = &c->profile->series.items[c->series[0]];

    w.series = s;
    w.decimal = values_decimal(c->profile, s, MICROSECONDS);
    values_round_times(&w.decimal, c->profile, s, diag);
    values_tell_pair(s, diag);
    values_tell_digits(c->profile, s, MICROSECONDS, diag);
    if (s->unit.kind != UNIT_SECONDS)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "a cpuprofile has only times: 1 %.*s is written as 1 microsecond",
                 SLICE_ARG(unit_word_of_one(&s->unit)));
    lines_init(&w.lines, c);
    buf_add_str(&out->bytes, "{\"nodes\":[");
    for (uint32_t node = 0; node < c->profile->stacks.count && convert_stream_pass(out); node++)
        if (lines_use(&w.lines, node))
            write_node(&w, node);
    write_samples(&w);
    lines_release(&w.lines);
    buf_release(&w.text);
}

const struct convert_writer convert_cpuprofile = {
    .name = "cpuprofile",
    .title = "cpuprofile",
    .endings = ".cpuprofile",
    .about = "V8's CPU profiles, as Chrome's developer tools read them",
    .holds = CONVERT_LINES | CONVERT_ORDER,
    .write = write,
};
