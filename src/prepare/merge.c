#include "prepare/merge.h"

#include "prepare/choose.h"
#include "prepare/units.h"
#include "profile/reshape.h"

/* Returns the name of the root frame of an input. */
static struct slice root_name(enum merge_by by, const struct profile *p, struct slice file,
                              struct diag *diag)
{
    struct slice host = profile_fact(p, SLICE("hostname"));

    if (by != MERGE_HOST)
        return file;
    if (!host.len)
        diag_warn(diag, "the input does not say its host; its frame is '%.*s'", SLICE_ARG(file));
    return host.len ? host : file;
}

/* Returns true if one of the graphs shows a change. */
static bool differential(const struct profile *p)
{
    vec_each (struct series, s, &p->series)
        if (s->base != SERIES_NONE)
            return true;
    return false;
}

/* Removes facts that differ between the profiles. A sum with an estimate is an estimate. */
static void keep_common_facts(struct profile *p, const struct profile *other)
{
    size_t kept = 0;

    vec_each (struct fact, f, &p->facts)
        if (slice_equal(f->key, SLICE("estimated")) ||
            slice_equal(profile_fact(other, f->key), f->value))
            p->facts.items[kept++] = *f;
    p->facts.count = kept;
}

/* Gives series of one name the same unit. Returns false after reporting units that differ. */
static bool match_units(struct profile *whole, struct profile *part, struct diag *diag)
{
    for (uint32_t id = 0; id < part->series.count; id++) {
        const struct series *s = &part->series.items[id];
        uint32_t same = profile_find_series(whole, s->name);

        if (same == SERIES_NONE || units_match(whole, same, part, id))
            continue;
        return diag_error(diag, "%.*s is in %.*s here and in %.*s before; they cannot be merged",
                          SLICE_ARG(choose_shown_name(part, id)), SLICE_ARG(unit_word(&s->unit)),
                          SLICE_ARG(unit_word(&whole->series.items[same].unit)));
    }
    return true;
}

bool merge_add(enum merge_by by, struct profile *whole, struct profile *part, struct slice name,
               struct diag *diag)
{
    if (whole->series.count && part->series.count && differential(whole) != differential(part))
        return diag_error(diag, "one-column and two-column stacks cannot be merged");
    if (!match_units(whole, part, diag))
        return false;
    reshape_match_owners(whole, part);
    if (merge_has_roots(by))
        reshape_add_root(part, root_name(by, part, name, diag));
    if ((uint64_t)whole->stacks.count + part->stacks.count > STACKS_MOST)
        return diag_error(diag, "the inputs together have too many distinct stacks");
    if (whole->series.count) {
        keep_common_facts(whole, part);
        keep_common_facts(part, whole);
    }
    if (!profile_merge(whole, part))
        return diag_error(diag, "the merged weights do not fit in 64 bits");
    whole->inputs++;
    return true;
}
