#include "report/lookup.h"

#include "base/release.h"
#include "report/render.h"

static bool find(const struct lookup *l, const struct record *record, size_t *place)
{
    for (*place = 0; *place < l->records.count; ++*place)
        if (l->records.items[*place] == record)
            return true;
    return false;
}

/* Adds a record and those of its lists. */
static void add_record(struct lookup *l, const struct record *record)
{
    size_t place;

    if (find(l, record, &place))
        return;
    *vec_add(&l->records) = record;
    for (size_t i = 0; i < record->count; i++)
        if (record->fields[i].record)
            add_record(l, record->fields[i].record);
}

/* Of two fields of one name, the first counts. */
static void add_fields(struct lookup *l, const struct record *record)
{
    size_t from = l->fields.count;

    for (uint32_t i = 0; i < intern_count(&l->names); i++)
        *vec_add(&l->fields) = NULL;
    for (size_t i = record->count; i-- > 0;) {
        uint32_t name = intern_find(&l->names, record->fields[i].name);

        if (name != MAP_NONE)
            l->fields.items[from + name] = &record->fields[i];
    }
}

void lookup_fill(struct lookup *l, const struct record *const *whole, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_record(l, whole[i]);
    vec_each (const struct record *const, record, &l->records)
        add_fields(l, *record);
}

const struct field *const *lookup_fields(const struct lookup *l, const struct record *record)
{
    size_t place;

    if (!find(l, record, &place))
        BUG("%s is in no template", record->what);
    return intern_count(&l->names) ? l->fields.items + place * intern_count(&l->names) : NULL;
}

void lookup_release(struct lookup *l)
{
    intern_release(&l->names);
    release_all(l, vec, records, fields);
}
