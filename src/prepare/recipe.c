#include "prepare/recipe.h"

#include "profile/event.h"

void recipe_init(struct recipe *r)
{
    *r = (struct recipe){.factor = 1};
    filter_init(&r->filter);
}

void recipe_release(struct recipe *r)
{
    release_all(r, vec, events, processes, threads, states);
    filter_release(&r->filter);
    search_list_release(&r->searches);
    rename_list_release(&r->renames);
    mark_list_release(&r->marks);
}

static bool is_event(const struct profile *p, struct slice event)
{
    vec_each (struct series, s, &p->series)
        if (slice_equal(s->event, event))
            return true;
    return false;
}

bool recipe_event_is(const struct profile *p, const struct series *s, struct slice event)
{
    if (slice_equal(event, SLICE("all")) || slice_equal(event, s->event) ||
        slice_equal(event, s->name))
        return true;
    return (slice_equal(event, event_base(s->event)) ||
            slice_equal(event, event_counted(s->event))) &&
           !is_event(p, event);
}

bool recipe_wants(const struct recipe *r, const struct profile *p, const struct series *s)
{
    vec_each (const struct slice, event, &r->events)
        if (recipe_event_is(p, s, *event))
            return true;
    return !r->events.count;
}

struct unit_scale recipe_scale(const struct recipe *r, const struct profile *p, uint32_t series)
{
    struct unit_scale scale = {p->series.items[series].unit, p->decimals, r->factor};

    if (r->count_name.len)
        scale.unit = (struct unit){UNIT_COUNT, 0, r->count_name};
    return scale;
}
