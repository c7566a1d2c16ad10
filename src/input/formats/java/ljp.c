/*
 * traces.txt of the lightweight Java profiler: a line with a stack's count, its
 * number of frames and its leaf, then the callers, then a blank line.
 *
 *     128 3 	demo.Hash.mix(Hash.java:41)
 *     	demo.Hash.run(Hash.java:22)
 *     	java.lang.Thread.run(Thread.java:745)
 *
 *     Total trace count = 128, Total traces = 1
 *
 * What follows the total ranks methods and is not read. A truncated file has no
 * total, or a total that is not the sum of its stacks, or a stack with fewer
 * frames than stated; each is reported. Line -1 means a native method. Source:
 * stackcollapse-ljp.awk (github.com/brendangregg/FlameGraph).
 */
#include "input/core/cut_off.h"
#include "input/format.h"
#include "input/build/java.h"

struct ljp {
    struct sample sample;
    uint64_t said, frames; /* frames that the stack states, and has */
    uint64_t sum, total;
    bool ended;
};

/* Line meanings; the first line of a stack has its count as weight and its frames as depth. */
enum { LJP_FRAME = 1, LJP_FIRST, LJP_BLANK };

/* "COUNT FRAMES \tMETHOD(PLACE)": the line that begins a stack. */
static bool read_first(struct slice line, uint64_t *count, uint64_t *frames, struct slice *frame)
{
    struct slice word;

    if (!slice_word(&line, &word) || !num_parse_u64(word, count) || !slice_word(&line, &word) ||
        !num_parse_u64(word, frames))
        return false;
    *frame = slice_trim(line);
    return frame->len && slice_find(*frame, '(') < frame->len && slice_ends(*frame, SLICE(")"));
}

/* Claims a stack with all of its frames, followed by another one, the total, or nothing. */
static bool ljp_claims(const struct head *head)
{
    struct slice frame;
    uint64_t count, said = 0, frames = 0;

    head_each (line, head) {
        if (!slice_trim(line).len)
            continue;
        if (line.ptr[0] == '\t' && frames) {
            if (++frames > said || slice_find(line, '(') == line.len)
                return false;
        } else if (frames) {
            return frames == said && (slice_starts(line, SLICE("Total trace count = ")) ||
                                      read_first(line, &count, &said, &frame));
        } else if (slice_find(line, '\t') == line.len || !read_first(line, &count, &said, &frame)) {
            return false;
        } else {
            frames = 1;
        }
    }
    return said > 1 && frames == said;
}

static bool end_stack(struct text *t, struct ljp *l)
{
    if (!l->sample.open)
        return true;
    if (l->frames != l->said)
        diag_warn_line(t->diag, t->line, "the stack above has %llu frame%s but states %llu",
                       (unsigned long long)l->frames, diag_s(l->frames),
                       (unsigned long long)l->said);
    if (!num_add(l->sum, l->sample.weight.value, &l->sum))
        l->sum = UINT64_MAX;
    return sample_close(&l->sample);
}

static void push_frame(struct ljp *l, uint32_t entry)
{
    sample_push(&l->sample, entry);
    l->frames++;
}

static bool begin_stack(struct text *t, struct ljp *l, uint64_t count, uint64_t said)
{
    if (!end_stack(t, l) || !sample_open(&l->sample, SLICE("")))
        return false;
    l->sample.weight.value = count;
    l->said = said;
    l->frames = 0;
    return true;
}

static void read_total(struct ljp *l, struct slice line)
{
    struct slice number = slice_trim(slice_skip(line, slice_find(line, '=') + 1));

    l->ended = num_parse_u64(slice_take(number, slice_find(number, ',')), &l->total);
}

static bool ljp_line(struct text *t, void *state, struct slice line)
{
    struct slice trimmed = slice_trim(line), frame;
    struct ljp *l = state;
    uint64_t count, said;
    uint32_t entry;

    if (l->ended)
        return true;
    if (slice_starts(line, SLICE("Total trace count"))) {
        read_total(l, line);
        return end_stack(t, l);
    }
    if (!trimmed.len) {
        t->meaning.kind = LJP_BLANK;
        return end_stack(t, l);
    }
    if (l->sample.open && line.ptr[0] == '\t' && slice_ends(trimmed, SLICE(")"))) {
        if (!java_entry(&l->sample.builder, &l->sample.known, trimmed, false, &entry))
            return text_skip_line(t, "malformed frame", trimmed);
        t->meaning = (struct line_meaning){.kind = LJP_FRAME, .entry = entry};
        push_frame(l, entry);
        return true;
    }
    if (!read_first(line, &count, &said, &frame)) {
        text_skip(t, "expected 'COUNT FRAMES METHOD(PLACE)'; line skipped");
        return end_stack(t, l);
    }
    if (!begin_stack(t, l, count, said))
        return false;
    if (!java_entry(&l->sample.builder, &l->sample.known, frame, false, &entry))
        return text_skip_line(t, "malformed frame", frame);
    push_frame(l, entry);
    /* A line that begins with a tab may be a frame: what it means depends on the lines before. */
    if (said <= UINT32_MAX && line.ptr[0] != '\t')
        t->meaning = (struct line_meaning){
            .kind = LJP_FIRST, .entry = entry, .depth = (uint32_t)said, .weight = {.value = count}};
    return true;
}

static enum text_again ljp_again(struct text *t, void *state, const struct line_meaning *m)
{
    struct ljp *l = state;

    if (l->ended)
        return TEXT_DONE;
    if (m->kind == LJP_BLANK)
        return end_stack(t, l) ? TEXT_DONE : TEXT_FAILED;
    if (m->kind == LJP_FIRST && !begin_stack(t, l, m->weight.value, m->depth))
        return TEXT_FAILED;
    if (!l->sample.open)
        return TEXT_UNFIT;
    push_frame(l, m->entry);
    return TEXT_DONE;
}

static bool ljp_end(struct text *t, void *state)
{
    struct ljp *l = state;

    if (!end_stack(t, l))
        return false;
    if (!l->ended)
        cut_off(t, DIAG_AT_LINE(t->line),
                "the file ends without 'Total trace count'; it may be truncated");
    else if (l->sum != l->total)
        diag_warn_line(t->diag, t->line,
                       "the file states a total of %llu, but its stacks add up to %llu",
                       (unsigned long long)l->total, (unsigned long long)l->sum);
    return true;
}

const struct format format_ljp = {
    .name = "ljp",
    .family = FORMAT_JAVA,
    .description = "traces.txt of the lightweight Java profiler",
    .recognised = "lines 'COUNT FRAMES METHOD(PLACE)', followed by callers indented by a tab",
    .example = "java -agentpath:liblagent.so Main   (writes traces.txt)",
    .claims = ljp_claims,
    .text = {SAMPLE_LINES(ljp, SAMPLE_STATE(struct ljp)), .again = ljp_again, .end = ljp_end},
};
