#include "cli/report_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/arguments.h"

static void copy_words(struct part_words *out, const struct strings *from)
{
    vec_each (const char *const, word, from)
        *vec_add(out) = *word;
}

/* Makes the directory of all parts, which must not be among the profiles. */
static bool make_place(const struct options *o, struct diag *diag)
{
    struct buf why = {0};
    bool ok = file_make_directory(o->parts, &why);

    if (!ok)
        diag_error(diag, "option --parts: '%s': %s", o->parts, buf_string(&why));
    buf_release(&why);
    vec_each (const char *const, path, &o->paths)
        if (ok && file_kind(*path) == FILE_DIRECTORY && file_is_inside(o->parts, *path))
            ok = diag_error(diag,
                            "option --parts: '%s' is inside '%s', where profiles are: name another "
                            "directory",
                            o->parts, *path);
    return ok;
}

static bool prepare_part(struct report_parts *p, struct options *o, struct diag *diag)
{
    struct part_number *id = &p->part.id;

    if (!part_number_read(slice_str(o->part), "/", id))
        return diag_error(diag, "option --part: invalid value '%s', expected I/N, such as 3/20",
                          o->part);
    if (!o->parts)
        return diag_error(diag, "--part needs --parts: the directory of all parts");
    if (!make_place(o, diag))
        return false;
    copy_words(&p->words, &o->words);
    copy_words(&p->paths, &o->paths);
    p->part.words = &p->words;
    p->part.paths = &p->paths;
    *vec_add(&o->outputs) =
        arena_printf(&o->memory, "%s/%u-of-%u", o->parts, id->number, id->count);
    return true;
}

/* Returns the option of a word of PART_NAME, "--NAME" or "--NAME=VALUE", and its value; or NULL. */
static const struct option_row *find_row(const char *word, const char **value)
{
    size_t equals = slice_find(slice_str(word), '=');
    const struct option_row *row = NULL;
    struct arena memory = {0};

    if (slice_starts(slice_str(word), SLICE("--")))
        row =
            options_find(arena_strdup(&memory, slice_skip(slice_take(slice_str(word), equals), 2)),
                         COMMAND_REPORT);
    arena_release(&memory);
    *value = word[equals] ? word + equals + 1 : "";
    return row && arguments_is_common(row) ? row : NULL;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

bool report_parts_repeat(const char *word)
{
    static const char *const of_profiles[] = {"symfs", "program", "kallsyms", NULL};
    const char *value;
    const struct option_row *row = find_row(word, &value);

    return row && !is_one_of(row->name, of_profiles) &&
           (strcmp(row->name, "follow") == 0 || options_files(row, value) != FILES_NONE);
}

static bool has_word(const struct part_words *words, const char *word)
{
    vec_each (const char *const, other, words)
        if (strcmp(*other, word) == 0)
            return true;
    return false;
}

/* Checks that `words`, of the parts, and `own`, of the command line, go together. */
static bool check_words(const struct part_words *words, const struct part_words *own,
                        struct diag *diag)
{
    const char *value;

    vec_each (const char *const, word, own)
        if (!report_parts_repeat(*word) || !has_word(words, *word))
            return diag_error(
                diag, "--stitch takes the options that the parts were made with: leave out '%s'",
                *word);
    vec_each (const char *const, word, words) {
        if (!find_row(*word, &value))
            return diag_error(diag, "the parts were made with '%s', which is no option of parts",
                              *word);
        if (report_parts_repeat(*word) && !has_word(own, *word))
            return diag_error(diag,
                              "the parts were made with '%s': parts cannot choose which files are "
                              "read; repeat that option beside --stitch",
                              *word);
    }
    return true;
}

/* Checks that all parts are of the same paths, unless this run names them. */
static bool check_paths(const struct stitch *s, struct diag *diag)
{
    const struct part_words *first = &s->first->head.paths;

    for (unsigned i = 0; i < s->count; i++) {
        const struct part_words *paths = &s->parts[i].head.paths;
        bool same = paths->count == first->count;

        if (s->parts[i].trouble)
            continue;
        for (size_t n = 0; same && n < paths->count; n++)
            same = strcmp(paths->items[n], first->items[n]) == 0;
        if (!same)
            return diag_error(diag,
                              "parts %u and %u of %u name different directories of profiles: "
                              "name the right one",
                              s->first->head.id.number, i + 1, s->count);
    }
    return true;
}

struct words VEC_OF(char *);

static void add_word(struct words *words, struct options *o, const char *word)
{
    *vec_add(words) = arena_strdup(&o->memory, slice_str(word));
}

/* Gives `o` the options and operands of the parts; operands of this run replace theirs. */
static bool repeat_command(struct options *o, const struct part_head *head, struct diag *diag)
{
    struct words words = {0};
    bool ok;

    vec_each (const char *const, word, &head->words)
        add_word(&words, o, *word);
    if (!o->paths.count) {
        add_word(&words, o, "--");
        vec_each (const char *const, path, &head->paths)
            add_word(&words, o, *path);
    }
    o->words.count = 0;
    o->said = NULL;
    ok = arguments_parse(o, COMMAND_REPORT, (int)words.count, words.items, diag);
    vec_release(&words);
    return ok;
}

/*
 * Another machine wrote the parts. What they say does not make this one use the network, or read
 * files that its user has not named. No profile is read.
 */
static bool prepare_stitch(struct report_parts *p, struct options *o, struct diag *diag)
{
    struct input_options *reading = &o->plan.reading;
    bool ok;

    copy_words(&p->words, &o->words);
    ok = stitch_open(&p->stitch, o->stitch, diag) &&
         check_words(&p->stitch.first->head.words, &p->words, diag) &&
         (o->paths.count || check_paths(&p->stitch, diag)) &&
         repeat_command(o, &p->stitch.first->head, diag);
    reading->debuginfod = false;
    reading->symfs = reading->program = reading->kallsyms = NULL;
    return ok;
}

bool report_parts_init(struct report_parts *p, struct options *o, struct diag *diag)
{
    if (o->part)
        return prepare_part(p, o, diag);
    return !o->stitch || prepare_stitch(p, o, diag);
}

void report_parts_release(struct report_parts *p)
{
    part_release(&p->part);
    stitch_close(&p->stitch);
    release_all(p, vec, words, paths);
}
