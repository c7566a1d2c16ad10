#include "batch/stitch.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"
#include "batch/reuse.h"

enum { MOST_BYTES = 1 << 30 };

static const char missing[] = "missing", damaged[] = "damaged";

/* ---- finding parts --------------------------------------------------------------------------- */

struct numbers VEC_OF(struct part_number);

static bool list_parts(const char *directory, struct numbers *found, struct diag *diag)
{
    DIR *dir = opendir(directory);
    struct part_number id;
    struct dirent *entry;

    if (!dir)
        return diag_error(diag, "'%s' cannot be opened: name the directory that --parts made",
                          directory);
    while ((entry = readdir(dir)))
        if (part_number_read(slice_str(entry->d_name), "-of-", &id))
            *vec_add(found) = id;
    closedir(dir);
    if (!found->count)
        return diag_error(diag, "'%s' has no part of a report: make parts with --part=I/N --parts",
                          directory);
    for (size_t i = 1; i < found->count; i++)
        if (found->items[i].count != found->items[0].count)
            return diag_error(diag,
                              "'%s' has parts of two reports, '%u-of-%u' and '%u-of-%u': remove "
                              "those of the earlier one",
                              directory, found->items[0].number, found->items[0].count,
                              found->items[i].number, found->items[i].count);
    return true;
}

static void read_part(struct stitch *s, struct stitch_part *part, struct part_number id)
{
    const char *path = arena_printf(&s->memory, "%s/" PART_NAME, part->directory);
    struct buf why = {0};

    part->trouble = damaged;
    if (file_kind(path) == FILE_REGULAR && file_read(path, MOST_BYTES, &part->bytes, &why)) {
        part->records = buf_slice(&part->bytes);
        if (part_head_read(&part->records, &s->memory, &part->head) &&
            part->head.id.number == id.number && part->head.id.count == id.count)
            part->trouble = NULL;
    }
    buf_release(&why);
}

/* Appends what tells versions of the program apart. */
static const char *name_program(struct arena *memory, const struct part_head *head)
{
    struct buf text = {0};
    const char *name;

    buf_printf(&text, "%.*s", SLICE_ARG(head->program));
    if (head->build.len)
        buf_add_str(&text, ", build ");
    buf_add_hex(&text, slice_take(head->build, 4));
    name = arena_strdup(memory, buf_slice(&text));
    buf_release(&text);
    return name;
}

/* Checks that a part is of this program and belongs to the first one. */
static bool check_part(struct stitch *s, const struct stitch_part *part, struct diag *diag)
{
    const struct part_head *head = &part->head, *first = &s->first->head;
    struct part_head own;

    part_head_set_program(&own, &s->memory);
    if (!slice_equal(head->program, own.program) || !slice_equal(head->build, own.build))
        return diag_error(diag,
                          "part %u of %u was made by flamepress %s, and this is flamepress %s: "
                          "make all parts and the report with one version",
                          head->id.number, head->id.count, name_program(&s->memory, head),
                          name_program(&s->memory, &own));
    if (!slice_equal(head->inputs, first->inputs))
        return diag_error(diag,
                          "parts %u and %u of %u were made of different files: make the earlier "
                          "one again",
                          first->id.number, head->id.number, head->id.count);
    if (!slice_equal(head->setting, first->setting))
        return diag_error(diag,
                          "parts %u and %u of %u were made with different options or settings: "
                          "make the earlier one again",
                          first->id.number, head->id.number, head->id.count);
    return true;
}

bool stitch_open(struct stitch *s, const char *directory, struct diag *diag)
{
    struct numbers found = {0};
    bool ok = list_parts(directory, &found, diag);

    s->count = ok ? found.items[0].count : 0;
    s->parts = xcalloc(s->count + 1, sizeof(*s->parts));
    for (unsigned i = 0; i < s->count; i++)
        s->parts[i].trouble = missing;
    vec_each (const struct part_number, id, &found) {
        struct stitch_part *part = ok ? &s->parts[id->number - 1] : NULL;

        if (!part)
            break;
        part->directory = arena_printf(&s->memory, "%s/%u-of-%u", directory, id->number, id->count);
        read_part(s, part, *id);
    }
    vec_release(&found);
    for (unsigned i = 0; i < s->count && ok; i++) {
        if (s->parts[i].trouble)
            continue;
        s->first = s->first ? s->first : &s->parts[i];
        ok = check_part(s, &s->parts[i], diag);
    }
    if (ok && !s->first)
        return diag_error(diag, "'%s': no part can be read; make all parts again", directory);
    return ok;
}

void stitch_close(struct stitch *s)
{
    for (unsigned i = 0; i < s->count; i++) {
        part_head_release(&s->parts[i].head);
        buf_release(&s->parts[i].bytes);
    }
    free(s->parts);
    free(s->records);
    part_plan_release(&s->plan);
    arena_release(&s->memory);
    *s = (struct stitch){0};
}

/* ---- taking graphs --------------------------------------------------------------------------- */

static void find_records(struct stitch *s, struct stitch_part *part, const struct batch *b)
{
    struct slice in = part->records;
    struct part_record record;

    while (in.len && part_record_read(&in, &record))
        if (record.group < b->grouping.items.count && &s->parts[s->plan.part[record.group]] == part)
            s->records[record.group] = record;
    fonts_restore(b->fonts, part->head.embedded, part->head.missing.items,
                  part->head.missing.count);
}

void stitch_begin(struct stitch *s, const struct batch *b)
{
    part_plan_init(&s->plan, b, s->count);
    s->records = xcalloc(b->grouping.items.count + 1, sizeof(*s->records));
    s->refused =
        !slice_equal(slice_make((const char *)s->plan.inputs, BLAKE_SIZE), s->first->head.inputs) ||
        !slice_equal(slice_make((const char *)b->reuse->setting, BLAKE_SIZE),
                     s->first->head.setting);
    for (unsigned i = 0; i < s->count && !s->refused; i++)
        if (!s->parts[i].trouble)
            find_records(s, &s->parts[i], b);
}

void stitch_take(const struct stitch *s, struct batch *b, size_t index)
{
    unsigned number = s->plan.part[index];
    const struct stitch_part *part = &s->parts[number];
    const struct part_record *record = &s->records[index];

    if (!part->trouble && record->record.len &&
        reuse_restore(b->reuse, b, index, record->record, part->directory)) {
        b->reuse->lasting[index] = record->lasting;
        return;
    }
    if (stage_failed(b->stage))
        return;
    vec_each (const size_t, member, &b->grouping.items.items[index].members) {
        struct diag *diag = &b->jobs[*member].diag;

        if (part->trouble) /* stitch_report_troubles() says what to do */
            diag_error(diag, "not drawn: part %u of %u is %s", number + 1, s->count, part->trouble);
        else
            diag_error(diag,
                       "not drawn: part %u of %u is damaged; make it again with --part=%u/%u, then "
                       "stitch again",
                       number + 1, s->count, number + 1, s->count);
    }
}

static unsigned report_trouble(const struct stitch *s, const char *trouble, struct diag *diag)
{
    struct buf list = {0};
    unsigned count = 0;

    for (unsigned i = 0; i < s->count; i++)
        if (s->parts[i].trouble == trouble)
            buf_printf(&list, "%s%u", count++ ? ", " : "", i + 1);
    if (count)
        diag_error(diag, "%s parts of %u: %s: make each again with --part=I/%u, then stitch again",
                   trouble, s->count, buf_string(&list), s->count);
    buf_release(&list);
    return count;
}

unsigned stitch_report_troubles(const struct stitch *s, struct diag *diag)
{
    return report_trouble(s, missing, diag) + report_trouble(s, damaged, diag);
}
