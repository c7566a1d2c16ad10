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

/* Returns false after reporting a word that is no option which parts have in common. */
static bool check_word(const char *word, struct diag *diag)
{
    size_t equals = slice_find(slice_str(word), '=');
    struct arena memory = {0};
    const struct option_row *row = NULL;

    if (slice_starts(slice_str(word), SLICE("--")))
        row =
            options_find(arena_strdup(&memory, slice_skip(slice_take(slice_str(word), equals), 2)),
                         COMMAND_REPORT);
    arena_release(&memory);
    return (row && arguments_is_common(row) && strcmp(row->name, "cp") != 0) ||
           diag_error(diag, "the parts were made with '%s', which is no option of parts", word);
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
    bool ok = true;

    vec_each (const char *const, word, &head->words) {
        ok = ok && check_word(*word, diag);
        add_word(&words, o, *word);
    }
    if (!o->paths.count) {
        add_word(&words, o, "--");
        vec_each (const char *const, path, &head->paths)
            add_word(&words, o, *path);
    }
    ok = ok && arguments_parse(o, COMMAND_REPORT, (int)words.count, words.items, diag);
    vec_release(&words);
    return ok;
}

static bool prepare_stitch(struct report_parts *p, struct options *o, struct diag *diag)
{
    if (o->words.count)
        return diag_error(
            diag, "--stitch takes the options that the parts were made with: leave out '%s'",
            o->words.items[0]);
    if (!stitch_open(&p->stitch, o->stitch, diag) ||
        !repeat_command(o, &p->stitch.first->head, diag))
        return false;
    /* Another machine wrote the parts: they must not make this one use the network. */
    o->plan.reading.debuginfod = false;
    return true;
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
