/*
 * phpspy's samples: frames numbered from the leaf, then a blank line.
 *
 *     0 usleep <internal>:-1
 *     1 App\Job::run /srv/app/job.php:42
 *     # uri = /index.php
 *
 * A sample counts 1. The word behind the number is the function; file and line
 * follow. Kept: function, file and line; a pid or a thread of a "#" line is
 * not. Counted: lines of no meaning.
 *
 * The grammar is that of phpspy's README (adsr/phpspy) and of its
 * stackcollapse-phpspy.pl.
 */
#include "input/build/builder.h"
#include "input/format.h"
#include "input/parse/native.h"

/* What lines mean. */
enum { PHPSPY_BLANK = 1, PHPSPY_LEAF, PHPSPY_FRAME };

struct phpspy {
    struct builder builder;
    bool in_stack;
};

/* "1 App\Job::run /srv/app/job.php:42" */
static bool parse_frame(struct slice line, uint64_t *number, struct frame *f)
{
    struct slice rest = line, digits, source;
    size_t at, colon;

    if (!native_take_number(&rest, &digits) || !num_parse_u64(digits, number) ||
        !slice_starts(rest, SLICE(" ")))
        return false;
    rest = slice_skip(rest, 1);
    at = slice_find(rest, ' ');
    f->name = slice_take(rest, at);
    source = slice_skip(rest, at + 1);
    colon = slice_find_last(source, ':');
    if (!f->name.len || colon >= source.len || colon == 0)
        return false;
    rest = slice_skip(source, colon + 1);
    if (!num_parse_u64(rest, &f->line) && !slice_equal(rest, SLICE("-1")))
        return false;
    f->file = slice_take(source, colon);
    f->kind = FRAME_PLAIN;
    return true;
}

static bool finish_stack(struct phpspy *p)
{
    struct origin origin = {0};

    if (!p->in_stack)
        return true;
    p->in_stack = false;
    return builder_add(&p->builder, builder_series(&p->builder, &origin, unit_samples), 1);
}

/* Samples alone: frames from 0 up, and two of them or more. */
static bool phpspy_claims(const struct head *head)
{
    struct slice rest = head->bytes, line;
    uint64_t next = 0, number;
    size_t frames = 0;

    while (head_line(head, &rest, &line)) {
        struct frame f = {0};

        if (!line.len) {
            next = 0;
            continue;
        }
        if (line.ptr[0] == '#')
            continue;
        if (!parse_frame(line, &number, &f) || (number != next && number != 0))
            return false;
        next = number + 1;
        frames++;
    }
    return frames > 1;
}

static bool phpspy_begin(struct text *t, void *state)
{
    struct phpspy *p = state;

    builder_init(&p->builder, t->profile, t->options, t->diag);
    return true;
}

static bool add_line(struct phpspy *p, const struct line_meaning *m)
{
    if (m->kind != PHPSPY_FRAME && !finish_stack(p))
        return false;
    if (m->kind == PHPSPY_BLANK)
        return true;
    if (!p->in_stack) {
        builder_begin(&p->builder);
        builder_leaf_first(&p->builder);
        p->in_stack = true;
    }
    builder_push(&p->builder, m->entry);
    return true;
}

static bool phpspy_line(struct text *t, void *state, struct slice line)
{
    struct phpspy *p = state;
    struct frame f = {0};
    uint64_t number;

    if (!line.len) {
        t->meaning = (struct line_meaning){.kind = PHPSPY_BLANK};
        return add_line(p, &t->meaning);
    }
    if (line.ptr[0] == '#')
        return true;
    if (!parse_frame(line, &number, &f)) {
        text_skip(t, "expected 'N FUNCTION FILE:LINE'; line skipped");
        return true;
    }
    t->meaning = (struct line_meaning){
        .kind = number ? PHPSPY_FRAME : PHPSPY_LEAF,
        .entry = builder_entry(&p->builder, &f),
    };
    return add_line(p, &t->meaning);
}

static enum text_again phpspy_again(struct text *t, void *state, const struct line_meaning *m)
{
    (void)t;
    return add_line(state, m) ? TEXT_DONE : TEXT_FAILED;
}

static bool phpspy_end(struct text *t, void *state)
{
    (void)t;
    return finish_stack(state);
}

static void phpspy_release(void *state)
{
    struct phpspy *p = state;

    builder_release(&p->builder);
}

static bool begins_sample(struct slice line)
{
    return slice_starts(line, SLICE("0 "));
}

static const struct text_reader phpspy_reader = {
    .state_size = sizeof(struct phpspy),
    .begin = phpspy_begin,
    .line = phpspy_line,
    .again = phpspy_again,
    .end = phpspy_end,
    .release = phpspy_release,
    .starts_record = begins_sample,
};

const struct format format_phpspy = {
    .name = "phpspy",
    .family = FORMAT_LANGUAGES,
    .description = "phpspy's samples of PHP programs",
    .recognised = "'N FUNCTION FILE:LINE', numbered from 0, blank lines between samples",
    .example = "phpspy -p PID -o app.phpspy",
    .in_order = true,
    .claims = phpspy_claims,
    .reader = &phpspy_reader,
};
