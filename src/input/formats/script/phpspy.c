/*
 * phpspy's samples: frames numbered from the leaf, then a blank line.
 *
 *     0 usleep <internal>:-1
 *     1 App\Job::run /srv/app/job.php:42
 *     # uri = /index.php
 *
 * A sample counts 1. The word after the number is the function; file and line
 * follow. The pid and the thread of a "#" line are not used.
 *
 * Grammar: phpspy's README (adsr/phpspy) and its stackcollapse-phpspy.pl.
 */
#include "input/build/sample.h"
#include "input/format.h"
#include "input/parse/native.h"

/* A frame with the number 0, which begins a sample. */
enum { PHPSPY_LEAF = SAMPLE_KINDS };

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

/* Claims at least two frames, numbered from 0 up within each sample, and nothing else. */
static bool phpspy_claims(const struct head *head)
{
    uint64_t next = 0, number;
    size_t frames = 0;

    head_each (line, head) {
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

static bool phpspy_line(struct text *t, void *state, struct slice line)
{
    struct sample *s = state;
    struct frame f = {0};
    uint64_t number;

    if (!line.len)
        return sample_close_line(s, t);
    if (line.ptr[0] == '#')
        return true;
    if (!parse_frame(line, &number, &f))
        return text_skip(t, "expected 'N FUNCTION FILE:LINE'; line skipped");
    if ((!number || !s->open) && !sample_open(s, SLICE("")))
        return false;
    sample_frame_line(s, t, &f);
    if (!number)
        t->meaning.kind = PHPSPY_LEAF;
    return true;
}

static enum text_again phpspy_again(struct text *t, void *state, const struct line_meaning *m)
{
    if (m->kind != PHPSPY_LEAF)
        return sample_again(t, state, m);
    if (!sample_open(state, SLICE("")))
        return TEXT_FAILED;
    sample_push(state, m->entry);
    return TEXT_DONE;
}

static bool begins_sample(struct slice line)
{
    return slice_starts(line, SLICE("0 "));
}

const struct format format_phpspy = {
    .name = "phpspy",
    .family = FORMAT_LANGUAGES,
    .description = "phpspy samples of PHP programs",
    .recognised = "'N FUNCTION FILE:LINE', numbered from 0, blank lines between samples",
    .example = "phpspy -p PID -o app.phpspy",
    .in_order = true,
    .claims = phpspy_claims,
    .text = {SAMPLE_READER(phpspy, sizeof(struct sample)), .again = phpspy_again,
             .starts_record = begins_sample},
};
