#include "input/core/text.h"

#include <stdlib.h>

#include "base/budget.h"
#include "base/pool.h"

/* A part is worth a thread from this size on. */
enum { LEAST_PART = 8 * 1024 * 1024 };

enum { SHOWN = 60 }; /* bytes of a line in a message */

bool text_skip_line(struct text *t, const char *what, struct slice line)
{

    text_skip(t, "%s: '%.*s'%s; line skipped", what, SLICE_ARG(slice_take(line, SHOWN)),
              line.len > SHOWN ? "..." : "");
    return true;
}

bool text_fail_line(struct text *t, const char *what, struct slice line)
{
    return text_fail(t, "%s: '%.*s'%s", what, SLICE_ARG(slice_take(line, SHOWN)),
                     line.len > SHOWN ? "..." : "");
}

bool text_within_limits(const struct text *t)
{
    uint32_t most = t->options->limits.max_stacks;

    if (!budget_allows(t->diag, DIAG_AT_FILE))
        return false;
    if (t->profile->stacks.count <= most)
        return true;
    return diag_error(t->diag, "more than %u different stacks; --max-stacks N raises the limit",
                      most);
}

static bool each_line(const struct text_reader *r, struct text *t, void *state,
                      struct line_memo *memo, struct slice block)
{
    const char *p = block.ptr, *end = block.ptr + block.len;

    while (p < end) {
        const struct line_known *known = r->again ? line_memo_guess(memo, p, end) : NULL;
        size_t len = known ? known->len : (size_t)(text_line_end(p, end) - p) + 1;
        struct slice raw = {p, len}, line = {p, len - 1};

        if (!known && r->again)
            known = line_memo_find(memo, raw);
        t->line++;
        p += len;
        if (known) {
            enum text_again again = r->again(t, state, &known->meaning);

            if (again == TEXT_DONE)
                continue;
            if (again == TEXT_FAILED)
                return false;
        }
        if (line.len && line.ptr[line.len - 1] == '\r')
            line.len--;
        t->meaning.kind = 0;
        t->keeps = r->again && !known && line_memo_keeps(memo, raw);
        if (!r->line(t, state, line))
            return false;
        if (t->meaning.kind && t->keeps)
            line_memo_add(memo, raw, &t->meaning);
    }
    return true;
}

void text_tell_unended(struct text *t)
{
    diag_add(t->diag, DIAG_NOTE, DIAG_AT_FILE,
             "the last line has no line end: if the file was cut short, so is what it says");
}

bool text_is_read(struct text *t, enum text_blocks_state ending)
{
    if (ending == TEXT_BLOCKS_TOO_LONG)
        diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(t->line + 1),
                 "line is longer than %llu bytes; --max-line N raises the limit",
                 (unsigned long long)t->options->limits.max_line);
    return ending != TEXT_BLOCKS_TOO_LONG && ending != TEXT_BLOCKS_FAILED;
}

static bool read_blocks(const struct text_reader *r, struct text *t, void *state,
                        struct text_blocks *blocks)
{
    enum text_blocks_state reading = TEXT_BLOCKS_LINES;
    struct text_block memory = {0};
    struct line_memo memo;
    struct slice lines;
    bool ok = true;

    line_memo_init(&memo);
    while (ok && reading == TEXT_BLOCKS_LINES) {
        reading = text_blocks_next(blocks, &memory, &lines);
        if (reading == TEXT_BLOCKS_UNENDED)
            text_tell_unended(t);
        else if (reading != TEXT_BLOCKS_LINES)
            break;
        ok = (r->lines ? r->lines(t, state, lines) : each_line(r, t, state, &memo, lines)) &&
             text_within_limits(t);
    }
    line_memo_release(&memo);
    text_blocks_release(&memory);
    return ok && text_is_read(t, reading);
}

static bool read_all(const struct text_reader *r, struct text *t, struct text_blocks *blocks,
                     unsigned threads)
{
    void *state = xcalloc(1, r->state_size);
    bool ok;

    blocks->max_line = t->options->limits.max_line;
    ok = (!r->begin || r->begin(t, state)) &&
         (r->ahead ? text_readahead_read(r, t, state, blocks, threads)
                   : read_blocks(r, t, state, blocks)) &&
         (!r->end || r->end(t, state)) && text_within_limits(t);
    t->profile->ledger.lines = t->line;
    if (r->release)
        r->release(state);
    xfree(state);
    return ok;
}

/* A part of a file. Several threads read the parts at the same time. */
struct part {
    struct text_blocks blocks;
    struct text text;
    struct profile own; /* unused in the first part, which fills the caller's profile */
    struct diag diag;
    bool ok;
};

struct split {
    const struct text_reader *reader;
    struct part *parts;
    size_t count;
};

static void read_part(void *context, size_t index, unsigned worker)
{
    struct split *s = context;
    struct part *p = &s->parts[index];

    (void)worker;
    p->ok = read_all(s->reader, &p->text, &p->blocks, 1);
}

/* Returns the first record that begins at or after `offset`, or `end` if none is near. */
static uint64_t find_record(const struct text_reader *r, struct source *source, uint64_t offset,
                            uint64_t end, char *window)
{
    struct slice rest = {window, SOURCE_BLOCK}, line, before = {NULL, 0};
    struct diag unheard;
    bool ok;

    if (end - offset < SOURCE_BLOCK)
        return end;
    diag_init(&unheard, slice_make(NULL, 0));
    ok = source_read_at(source, offset, window, SOURCE_BLOCK, &unheard);
    diag_release(&unheard);
    if (!ok)
        return end;
    rest = slice_skip(rest, slice_find(rest, '\n') + 1);
    while (rest.len > 0) {
        size_t len = slice_find(rest, '\n');

        line = slice_take(rest, len);
        if (len == rest.len)
            break;
        if (r->starts_record ? r->starts_record(line)
                             : before.ptr && r->starts_behind(before, line))
            return offset + (uint64_t)(line.ptr - window);
        before = line;
        rest = slice_skip(rest, len + 1);
    }
    return end;
}

/* Cuts the file into at most `most` parts at records; each cut depends on the file alone. */
static void plan(struct split *s, struct source *source, unsigned most)
{
    uint64_t from = source->file_start, end = source->file_size;
    char *window = xmalloc(SOURCE_BLOCK);

    for (unsigned i = 1; i <= most && from < end; i++) {
        uint64_t nominal = source->file_start + (end - source->file_start) / most * i;
        uint64_t cut = end;

        if (i < most) {
            cut = find_record(s->reader, source, nominal, end, window);
            if (cut <= from || cut == end)
                continue;
        }
        s->parts[s->count++].blocks =
            (struct text_blocks){.source = source, .part = true, .offset = from, .end = cut};
        from = cut;
    }
    xfree(window);
}

/* Puts the parts together in the order of the file. */
static bool merge(struct split *s, struct profile *out, struct diag *diag)
{
    uint64_t lines = 0;

    for (size_t i = 0; i < s->count; i++)
        if (!s->parts[i].ok)
            return false;
    for (size_t i = 1; i < s->count; i++)
        if (!profile_merge(out, &s->parts[i].own))
            return false;
    if (out->stacks.count > s->parts[0].text.options->limits.max_stacks)
        return false;
    for (size_t i = 0; i < s->count; i++) {
        diag_append(diag, &s->parts[i].diag, lines);
        lines += s->parts[i].text.line;
    }
    return true;
}

static bool read_parts(struct split *s, const struct text *model, unsigned threads)
{
    bool ok;

    for (size_t i = 0; i < s->count; i++) {
        struct part *p = &s->parts[i];

        p->text = *model;
        p->text.first = i == 0;
        profile_init(&p->own);
        p->own.keep_timed = model->profile->keep_timed;
        diag_init(&p->diag, model->diag->path);
        p->text.profile = i == 0 ? model->profile : &p->own;
        p->text.diag = p->blocks.diag = &p->diag;
    }
    pool_run(threads, s->count, read_part, s);
    ok = merge(s, model->profile, model->diag);
    for (size_t i = 0; i < s->count; i++) {
        profile_release(&s->parts[i].own);
        diag_release(&s->parts[i].diag);
    }
    return ok;
}

bool text_read(const struct text_reader *reader, struct source *source,
               const struct input_options *options, unsigned threads, struct profile *out,
               struct diag *diag)
{
    struct text t = {.options = options, .profile = out, .diag = diag};
    struct text_blocks all = {.source = source, .diag = diag};
    struct split s = {.reader = reader};
    bool done = false;

    t.first = true;
    t.start = source_head(source, &t.start_whole);
    if (source_is_plain(source) && (reader->starts_record || reader->starts_behind) &&
        threads > 1) {
        uint64_t most = (source->file_size - source->file_start) / LEAST_PART;

        s.parts = xcalloc(threads, sizeof(*s.parts));
        if (most > 1 && !(reader->stays_whole && reader->stays_whole(&t)))
            plan(&s, source, most < threads ? (unsigned)most : threads);
        if (s.count > 1) {
            done = read_parts(&s, &t, threads);
            /*
             * If a part failed, the file is read again by one thread, whose messages have the right
             * lines.
             */
            if (!done) {
                profile_release(out);
                profile_init(out);
                budget_restart();
                out->keep_timed = options->timed;
                all.part = true;
                all.offset = source->file_start;
                all.end = source->file_size;
            }
        }
        xfree(s.parts);
    }
    return done || read_all(reader, &t, &all, threads);
}
