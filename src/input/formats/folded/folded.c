/*
 * Folded stacks: one stack per line, frames root first between semicolons, then a blank
 * and the weight.
 *
 *     main;parse;read_[k] 12
 *
 * Only the last blank-separated word is the weight, so frames may contain blanks. A weight
 * may have a fraction, which is kept exactly. Two weights make a differential profile,
 * before and after. One or two is decided for the whole file, because the last frame of a
 * stack may end in a number. What producers add by accident is removed: bcc's "^C" before
 * the first stack and "[...]" at the end, heaptrack's empty last frame. After the frame
 * "--", and in files of bcc's older offwaketime after "-", comes the stack of a waking
 * thread, whose frames get the class of wakers. A first frame "tid:N" is a thread. A first line
 * that this program wrote says what the weights are (profile/folded_head.h).
 *
 * A file is not cut into parts: for a million distinct stacks one thread needs less time
 * than two need to merge their tries, and half the memory. But lines are parsed ahead of
 * their turn.
 */
#include <math.h>
#include <string.h>

#include "base/intern.h"
#include "base/ascii.h"
#include "base/num.h"
#include "input/formats/folded/folded_scan.h"
#include "input/formats/folded/folded_stack.h"
#include "input/build/origin.h"
#include "input/format.h"
#include "input/core/text.h"
#include "profile/folded_head.h"

/* The weights of a line, its number and its series. */
struct folded_sample {
    struct decimal weight, base;
    uint64_t line;
    uint32_t series; /* SERIES_NONE if options leave it out */
};

struct folded {
    struct folded_stacks stacks;
    bool differential;
    bool headed; /* the file begins with a head */
    struct folded_head head;
    uint64_t head_line; /* line number of the head; 0 until it was read */
    bool begun;         /* a stack was taken */
    struct buf name;    /* of a thread's series */
    struct folded_sample waiting[STACK_PATHS_MOST]; /* for their stacks */
};

/* ---- look-alikes --------------------------------------------------------------------------- */

/*
 * Semicolons and numbers are also in source code, in markup and JSON on long
 * lines, in tables of names and in numberings.
 */

/* Lines of one name and a number each. */
struct folded_doubt {
    struct intern names;
    size_t lines, repeated; /* names that were there before: stacks are added up */
    size_t rising;          /* numbers one above that of the line before */
    uint64_t last;
};

/* Ends in "&lt": the semicolon of an HTML entity ended the frame. */
static bool ends_in_entity(struct slice s)
{
    size_t at = s.len;

    while (at > 0 && ascii_is_letter(s.ptr[at - 1]))
        at--;
    return at > 0 && at < s.len && s.ptr[at - 1] == '&';
}

static bool is_balanced(struct slice s)
{
    size_t quotes = 0;
    long depth = 0;

    for (size_t i = 0; i < s.len; i++) {
        quotes += s.ptr[i] == '"';
        depth += s.ptr[i] == '(' || s.ptr[i] == '[' || s.ptr[i] == '{';
        depth -= s.ptr[i] == ')' || s.ptr[i] == ']' || s.ptr[i] == '}';
        if (depth < 0)
            return false;
    }
    return depth == 0 && quotes % 2 == 0;
}

static bool is_strange(struct slice frame)
{
    return !frame.len || frame.ptr[0] == ' ' || ends_in_entity(frame) || !is_balanced(frame);
}

/*
 * Whether the start of an endless line is a program or JSON rather than a deep
 * stack: a first frame, or a quarter of all frames, with unpaired quotes or
 * brackets, an HTML entity at its end, or a blank in front.
 */
static bool folded_doubt_start(struct slice stack)
{
    size_t frames = 0, strange = 0;
    struct slice frame;

    while (slice_cut(&stack, ';', &frame)) {
        if (is_strange(frame) && !frames)
            return true;
        strange += is_strange(frame);
        frames++;
    }
    return strange * 4 > frames;
}

/*
 * Whether the line or the number at its end is in a comment or a quotation: " * a;b 12",
 * "> a;b 12", "x; // A 12", "x; -- 12", "x # 12"; or the number is an operand: "f(x); i = i + 1".
 */
static bool folded_doubt_comment(struct slice stack)
{
    struct slice first = slice_trim_left(stack);
    struct slice last = slice_trim_left(slice_skip(stack, slice_find_last(stack, ';') + 1));

    return slice_starts_any(first, "* ", "/* ", "// ", "# ", "> ") ||
           slice_ends_any(stack, " #", " --", " +", " -", " *", " /", " =", " <-") ||
           slice_starts(last, SLICE("// "));
}

static void folded_doubt_release(struct folded_doubt *d)
{
    intern_release(&d->names);
}

/* "54328f6b27a45c51986ed436f3f609bf", a checksum. */
static bool is_checksum(struct slice name)
{
    enum { SHORTEST = 32 };

    for (size_t i = 0; i < name.len; i++)
        if (!memchr("0123456789abcdef", name.ptr[i], 16))
            return false;
    return name.len >= SHORTEST;
}

static void folded_doubt_add(struct folded_doubt *d, struct slice name, uint64_t number)
{
    d->rising += d->lines > 0 && number == d->last + 1;
    d->repeated += is_checksum(name) || intern_find(&d->names, name) != MAP_NONE;
    intern_add(&d->names, name);
    d->last = number;
    d->lines++;
}

/* Whether the lines are a table or a log rather than a profile. */
static bool folded_doubt_lines(const struct folded_doubt *d)
{
    enum { LEAST_RISING = 8 };

    return d->repeated * 4 > d->lines || (d->rising >= LEAST_RISING && d->rising * 2 > d->lines);
}

/* ---- recognition --------------------------------------------------------------------------- */

/* What the first lines of a file look like. */
struct survey {
    size_t lines;      /* that are neither blank nor a comment */
    size_t one, two;   /* with a weight at least, with two */
    size_t separated;  /* of those with a weight: with a ';' */
    size_t unfinished; /* bytes of a last line that is not all there */
    size_t separators; /* ';' in those */
    size_t two_alone;  /* of those with two: without a ';' */
    size_t prose;      /* lines of one frame that reads like words in a row */
    size_t code;       /* lines of one frame that only a function or a module is called */
    bool doubtful;     /* lines of one frame that are rather a table or a log */
    bool headed;       /* the first line has no weight */
    size_t dashes;     /* lines with the frame "-" */
    size_t off_wake;   /* of the above: followed by a thread's going to sleep, or by the end */
};

/* Whether there is anything but numbers in it; tables of them are not stacks. */
static bool has_name(struct slice stack)
{
    for (size_t i = 0; i < stack.len; i++)
        if (!memchr("0123456789.,:+- \t", stack.ptr[i], 17))
            return true;
    return false;
}

/* Whether it looks like the columns of a table or a setting rather than a name. */
static bool has_columns(struct slice stack)
{
    return slice_find(stack, '\t') < stack.len || slice_has(stack, SLICE("  ")) ||
           strchr(",:=|", stack.ptr[stack.len - 1]);
}

/* Whether it is several words; "main (app.py:3)", as Python's profilers write frames, is one. */
static bool has_words(struct slice stack)
{
    for (size_t i = 0; i + 1 < stack.len; i++)
        if (stack.ptr[i] == ' ' && stack.ptr[i + 1] != '(')
            return true;
    return false;
}

/*
 * Whether no counter, setting or word is called so: "a::b", "f()", "f_[k]", "libc`read", "f+0x1f",
 * "[unknown]", "main (app.py:3)".
 */
static bool is_code(struct slice name)
{
    return slice_has_any(name, "::", "`", "_[", "+0x", "->") || slice_ends(name, SLICE(")")) ||
           (slice_starts(name, SLICE("[")) && slice_ends(name, SLICE("]")));
}

/*
 * Some of bcc's tools put "-" between user and kernel frames. The older offwaketime puts
 * it between the stack of a sleeping thread, which ends in the scheduler, and that of its
 * waker, which may be empty.
 */
static void survey_dash(struct survey *s, struct slice stack)
{
    const struct slice dash = SLICE(";-;");
    size_t at = slice_search(stack, dash);
    struct slice before = slice_take(stack, at);

    if (at == stack.len)
        return;
    before = slice_skip(before, slice_find_last(before, ';') + 1);
    s->dashes++;
    s->off_wake += at + dash.len == stack.len || slice_has(before, SLICE("sched")) ||
                   slice_has(before, SLICE("finish_task_switch"));
}

static void survey_line(struct survey *s, struct folded_doubt *doubt, struct slice line)
{
    struct decimal weight;
    bool separated, two;
    uint64_t value;

    line = folded_weight_trim(line);
    if (!line.len || folded_weight_is_comment(line))
        return;
    s->lines++;
    separated = slice_find(line, ';') < line.len;
    if (folded_weight_cut(&line, &weight) != FOLDED_WEIGHT_OK || !has_name(line) ||
        (!separated && has_columns(line)) || folded_doubt_comment(line)) {
        s->headed |= s->lines == 1;
        return;
    }
    s->one++;
    s->separated += separated;
    survey_dash(s, line);
    value = weight.value;
    two = folded_weight_cut_base(&line, &weight);
    s->two += two;
    if (!separated) {
        s->two_alone += two;
        s->prose += has_words(line);
        s->code += is_code(line);
        folded_doubt_add(doubt, line, value);
    }
}

static struct survey survey(struct slice head, bool whole)
{
    struct survey s = {0};
    struct folded_doubt doubt = {0};
    struct slice line;

    while (slice_cut(&head, '\n', &line)) {
        bool cut = !whole && !head.len;

        if (!cut) {
            survey_line(&s, &doubt, line);
            continue;
        }
        s.unfinished = line.len;
        for (size_t i = 0; i < line.len; i++)
            s.separators += line.ptr[i] == ';';
    }
    /*
     * Differential files list each stack once, and two weights on every line; one line is no
     * proof.
     */
    s.doubtful =
        folded_doubt_lines(&doubt) ||
        (s.two_alone && (s.lines < 2 || doubt.repeated || s.two != s.one || s.one != s.lines));
    folded_doubt_release(&doubt);
    return s;
}

/* "v 10400 3", the first line of heaptrack's files, and nothing else. */
static bool is_heaptrack_header(struct slice head)
{
    enum { LEAST_DIGITS = 5 };
    struct slice rest = slice_skip(head, 2);

    return slice_starts(head, SLICE("v 1")) && slice_find(rest, ' ') >= LEAST_DIGITS &&
           slice_find(rest, '\n') + 1 >= rest.len;
}

/* True for "app.folded", "app.folded.gz" and the like: names that people give to folded stacks. */
static bool is_named_so(const char *path)
{
    static const char *const marks[] = {".folded", ".collapsed"};
    const char *slash = path ? strrchr(path, '/') : NULL;
    struct slice name = slice_str(slash ? slash : path ? path : "");

    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        struct slice mark = slice_str(marks[i]);
        struct slice rest = slice_skip(name, slice_search(name, mark) + mark.len);

        if (slice_has(name, mark) && (!rest.len || rest.ptr[0] == '.'))
            return true;
    }
    return false;
}

/* Finds the head among comments and blank lines at the start. Returns false if there is none. */
static bool find_head(struct slice start, bool whole, struct slice *line)
{
    while (slice_cut(&start, '\n', line)) {
        *line = folded_weight_trim(*line);
        if (folded_head_is(*line))
            return start.len || whole;
        if (line->len && !folded_weight_is_comment(*line))
            return false;
    }
    return false;
}

/*
 * A stack of several frames with a weight is enough in a file whose name says what it is: its other
 * lines are damaged. Half of the lines are enough if half of these have several frames. Else
 * nearly all lines must have a weight, the first among them, and they must be no table.
 * Unless the file's name says that they are stacks, most must be a single word, and a
 * line must have several frames, or half of the names must be such that nothing but code
 * is called so: "width 640" is a setting. A single line longer than the head is a deep stack if
 * it has many frames.
 */
static bool folded_claims(const struct head *h)
{
    struct slice head = h->bytes;
    enum { LEAST_SEPARATORS = 16, LONGEST_FRAME = 1024 };
    struct slice line;
    struct survey s;

    if (slice_find(head, '\0') < head.len)
        return false;
    if (find_head(head, h->whole, &line))
        return true;
    s = survey(head, h->whole);
    if (!s.lines)
        return s.separators >= LEAST_SEPARATORS && s.unfinished / s.separators < LONGEST_FRAME &&
               !strchr("{[<", head.ptr[0]) && !folded_doubt_start(head);
    if (s.separated * 2 >= s.one && (s.one * 2 >= s.lines || is_named_so(h->path)))
        return s.one > 0;
    if (s.two_alone && is_heaptrack_header(head))
        return false;
    return s.one > 0 && !s.headed && !s.doubtful && s.one * 10 >= s.lines * 9 &&
           (is_named_so(h->path) || (s.prose * 2 < s.one && (s.separated || s.code * 2 >= s.one)));
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Adds the series of a file that says nothing about its weights. */
static void add_series(struct profile *p, bool differential)
{
    if (differential)
        profile_series_pair(p, SLICE("base"), SLICE("new"), unit_samples);
    else
        profile_series(p, SLICE(""), unit_samples);
    vec_each (struct series, s, &p->series) {
        s->event = SLICE("");
        s->uncounted = s->unitless = true;
    }
}

static bool folded_begin(struct text *t, void *state)
{
    struct folded *f = state;
    struct survey s = survey(t->start, t->start_whole);
    struct profile *p = t->profile;
    struct slice line;

    folded_stacks_init(&f->stacks, p, t->options);
    f->stacks.wakers.after_dash = s.dashes > 0 && s.off_wake * 10 >= s.dashes * 9;
    f->headed = find_head(t->start, t->start_whole, &line);
    if (f->headed) {
        folded_head_read(&f->head, p, line);
        f->differential = f->head.has_base;
        folded_head_add_series(&f->head, p);
        return true;
    }
    f->differential = s.two > 0 && s.two * 10 >= s.one * 9;
    add_series(p, f->differential);
    return true;
}

/* Returns the only series, or the new one of a pair. */
static uint32_t drawn_series(const struct folded *f)
{
    return f->differential ? 1 : 0;
}

/* Reports what was changed in a line, whose graph is that of `series`. */
static void tell_changes(struct text *t, uint32_t series, const struct folded_line *line)
{
    if (line->weight.rounded || line->base.rounded)
        diag_add(t->diag, DIAG_NOTE, DIAG_AT_LINE(t->line), "weight rounded to %d decimals",
                 NUM_MAX_DECIMALS);
    if (line->truncated)
        diag_warn_line(t->diag, t->line,
                       "stack has more than %u frames; those nearest the leaf are kept "
                       "(--max-frames N raises the limit)",
                       t->options->limits.max_depth);
    if (line->cut_name)
        diag_warn_line(t->diag, t->line,
                       "name is longer than %u bytes and is cut (--max-name N raises the limit)",
                       t->options->limits.max_name);
    t->profile->ledger.truncated += line->truncated;
    profile_note_truncated(t->profile, series, line->truncated);
}

static bool add_weight(struct text *t, uint32_t series, uint32_t stack,
                       const struct decimal *weight, uint64_t line)
{
    struct profile *p = t->profile;

    if (weight->decimals == 0 && p->decimals == 0 ? profile_add(p, series, stack, weight->value)
                                                  : profile_add_decimal(p, series, stack, *weight))
        return true;
    diag_add(t->diag, DIAG_ERROR, DIAG_AT_LINE(line), PROFILE_TOO_HEAVY);
    return false;
}

static bool add_sample(struct text *t, const struct folded *f, uint32_t stack,
                       const struct folded_sample *s)
{
    if (s->series == SERIES_NONE)
        return true;
    if (f->differential && !add_weight(t, 0, stack, &s->base, s->line))
        return false;
    return add_weight(t, s->series, stack, &s->weight, s->line);
}

/* Adds the samples whose stacks had to wait. */
static bool settle(struct text *t, struct folded *f)
{
    uint32_t stacks[STACK_PATHS_MOST];
    uint32_t count = f->stacks.waiting;

    if (!count)
        return true;
    folded_stacks_settle(&f->stacks, stacks);
    for (uint32_t i = 0; i < count; i++)
        if (!add_sample(t, f, stacks[i], &f->waiting[i]))
            return false;
    return true;
}

/* Takes the head of the file, or adds that of a file that was appended to it. */
static bool take_head(struct text *t, struct folded *f, struct slice line)
{
    if (!f->headed)
        return true;
    if (!f->head_line) {
        f->head_line = t->line;
        return true;
    }
    return folded_head_join(&f->head, t->profile, line) ||
           text_fail(t, "the stacks below have another event or unit than those above; fold the "
                        "files together, or read them one by one");
}

/*
 * Adds the size of a weight that has another form than those that are taken, such as -5, 1,000 or
 * one beyond 64 bits, to the ledger.
 */
static void note_weight(struct profile *p, struct slice word)
{
    enum { LONGEST = 48 };
    char text[LONGEST];
    size_t len = 0;
    double weight;

    for (size_t i = 0; i < word.len && len < LONGEST; i++)
        if (word.ptr[i] != ',')
            text[len++] = word.ptr[i];
    if (num_parse_double(slice_make(text, len), &weight))
        p->ledger.unreadable_weight += fabs(weight);
}

/* Skips a line without a weight, with a warning unless it is known decoration. */
static void skip_line(struct text *t, struct slice line, enum folded_weight result)
{
    enum { SHOWN = 60 };
    struct slice word = folded_weight_word(line);
    bool alone = word.len == line.len;

    if (line.ptr[0] == '#' || slice_equal(line, SLICE("[...]")) || slice_equal(line, SLICE("^C")))
        return;
    t->profile->ledger.unreadable++;
    note_weight(t->profile, word);
    word = slice_take(word, SHOWN);
    if (result == FOLDED_WEIGHT_TOO_LARGE)
        diag_warn_line(t->diag, t->line, "weight '%.*s' does not fit in 64 bits; line skipped",
                       SLICE_ARG(word));
    else if (result == FOLDED_WEIGHT_TOO_SMALL)
        diag_warn_line(t->diag, t->line,
                       "weight '%.*s' is 0 when rounded to %d decimals; line skipped (multiply all "
                       "weights by a power of ten)",
                       SLICE_ARG(word), NUM_MAX_DECIMALS);
    else if (alone)
        diag_warn_line(t->diag, t->line,
                       "expected 'frame;frame;... WEIGHT', found '%.*s'; line skipped",
                       SLICE_ARG(word));
    else if (word.len > 1 && word.ptr[0] == '-' && ascii_is_digit(word.ptr[1]))
        diag_warn_line(t->diag, t->line,
                       "weight '%.*s' is negative, expected a number from 0; line skipped",
                       SLICE_ARG(word));
    else if (word.len && ascii_is_digit(word.ptr[0]))
        diag_warn_line(t->diag, t->line,
                       "weight '%.*s' is not a decimal number, such as 12 or 1.5; line skipped",
                       SLICE_ARG(word));
    else
        diag_warn_line(t->diag, t->line,
                       "weight '%.*s' is not a number; expected 'frame;frame;... WEIGHT'; "
                       "line skipped",
                       SLICE_ARG(word));
}

/* Returns the series of a stack, which --thread and --split may choose; SERIES_NONE for none. */
static uint32_t series_of(struct text *t, struct folded *f, struct slice stack)
{
    struct profile *p = t->profile;
    uint32_t drawn = drawn_series(f), id;
    struct origin origin = {0};

    if (f->differential || !folded_thread(stack, &origin.tid))
        return drawn;
    p->has_threads = true;
    if (!origin_is_wanted(&origin, t->options)) {
        p->ledger.left_out++;
        return SERIES_NONE;
    }
    if (!t->options->split_thread)
        return drawn;
    buf_clear(&f->name);
    origin_add_name(&f->name, &origin, t->options);
    id = profile_series_of(p, buf_slice(&f->name), p->series.items[drawn].event,
                           p->series.items[drawn].unit);
    p->series.items[id].uncounted = p->series.items[drawn].uncounted;
    p->series.items[id].unitless = p->series.items[drawn].unitless;
    return id;
}

static bool take_line(struct text *t, struct folded *f, const struct folded_scan *scan,
                      const struct folded_line *line)
{
    struct folded_sample sample = {line->weight, line->base, t->line, SERIES_NONE};
    uint32_t id;

    if (line->when != FOLDED_ALWAYS && f->begun != (line->when == FOLDED_UNLESS_FIRST))
        return true;
    if (line->result != FOLDED_WEIGHT_OK && folded_head_is(line->text))
        return take_head(t, f, line->text);
    if (line->result != FOLDED_WEIGHT_OK) {
        skip_line(t, line->text, line->result);
        return true;
    }
    f->begun = true;
    sample.series = series_of(t, f, line->text);
    if (!line->text.len)
        profile_note_without_frames(t->profile, drawn_series(f), 1);
    if (f->stacks.waiting == STACK_PATHS_MOST && !settle(t, f))
        return false;
    f->waiting[f->stacks.waiting] = sample;
    if (folded_stacks_add(&f->stacks, scan, line, &id) && !add_sample(t, f, id, &sample))
        return false;
    if (line->weight.rounded || line->base.rounded || line->truncated || line->cut_name)
        tell_changes(t, drawn_series(f), line);
    return true;
}

static bool folded_take(struct text *t, void *state, const void *found)
{
    const struct folded_scan *scan = found;
    struct folded *f = state;
    uint64_t before = t->line;

    vec_each (const struct folded_line, line, &scan->lines) {
        t->line = before + line->number;
        if (!take_line(t, f, scan, line))
            return false;
    }
    t->line = before + scan->line_count;
    folded_stacks_keep(&f->stacks);
    return settle(t, f);
}

static void folded_begin_lane(const struct text *t, const void *state, void *lane)
{
    folded_scan_lane_init(lane, &t->options->limits, ((const struct folded *)state)->differential);
}

static void folded_scan(void *lane, struct slice block, void *found)
{
    folded_scan_block(found, lane, block);
}

static void folded_release_lane(void *lane)
{
    folded_scan_lane_release(lane);
}

static void folded_release_scan(void *found)
{
    folded_scan_release(found);
}

static bool folded_end(struct text *t, void *state)
{
    const struct folded *f = state;

    if (f->headed)
        folded_head_finish(&f->head, t->profile, drawn_series(f));
    return true;
}

STATE_RELEASE(folded, (folded_stacks, stacks), (buf, name));

static const struct text_readahead folded_readahead = {
    .lane_size = sizeof(struct folded_lane),
    .found_size = sizeof(struct folded_scan),
    .begin = folded_begin_lane,
    .scan = folded_scan,
    .take = folded_take,
    .release = folded_release_lane,
    .release_found = folded_release_scan,
};

const struct format format_folded = {
    .name = "folded",
    .family = FORMAT_ANY,
    .description = "folded stacks, one or two weights a line",
    .recognised = "lines of 'frame;frame;... WEIGHT' (two weights: before and after)",
    .example = "perf script | stackcollapse-perf.pl > app.folded",
    .in_order = true,
    .claims = folded_claims,
    .text =
        {
            .state_size = sizeof(struct folded),
            .begin = folded_begin,
            .ahead = &folded_readahead,
            .end = folded_end,
            .release = folded_release,
        },
};
