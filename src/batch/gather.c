#include "batch/gather.h"

#include "base/num.h"
#include "profile/footprint.h"

/* Returns the service that takes a series; adds one if there is none. */
static struct service *find_service(struct services *services, struct slice name,
                                    const struct profile *p, uint32_t series)
{
    struct service *s;

    vec_each (struct service, known, services)
        if (slice_equal(known->name, name) && service_takes(known, p, series))
            return known;
    s = vec_add(services);
    service_init(s, name);
    return s;
}

/* Adds what the file's name says about a run, if its content does not say it. */
static void add_named_facts(struct service *s, struct slice shown)
{
    const struct {
        const char *key;
        struct slice value;
    } facts[] = {{RUN_HOST, grouping_host(shown)}, {RUN_TIME, grouping_date(shown)}};
    const struct run *run = &s->runs.items[s->runs.count - 1];

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        if (facts[i].value.len && !service_fact(run, slice_str(facts[i].key)).len)
            service_set_fact(s, s->runs.count - 1, slice_str(facts[i].key), facts[i].value);
}

/* Returns the run's name: the file's, or the run's own if the file keeps several. */
static struct slice run_name(const struct profile *p, uint32_t series, struct slice shown)
{
    vec_each (const struct run, run, &p->runs)
        if (run->series == series)
            return run->name;
    return shown;
}

/*
 * Returns a name that no run of the service has: files that keep runs, such as those of several
 * weeks, may have runs of one name. The text is in the service.
 */
static struct slice free_name(struct service *s, struct slice name, struct slice shown)
{
    struct arena *memory = &s->profile.strings;
    struct slice unique = name;

    for (size_t i = 1; service_has_run(s, unique); i++)
        unique = slice_str(
            i == 1 ? arena_printf(memory, "%.*s/%.*s", SLICE_ARG(shown), SLICE_ARG(name))
                   : arena_printf(memory, "%.*s/%.*s/%zu", SLICE_ARG(shown), SLICE_ARG(name), i));
    return unique;
}

/* Whether the weights of all runs of a service and of one more series fit in 64 bits. */
static bool sum_fits(const struct service *s, const struct profile *p, uint32_t series)
{
    unsigned own = s->profile.decimals, decimals = own > p->decimals ? own : p->decimals;
    uint64_t sum, added;

    return num_mul(s->total, num_pow10(decimals - own), &sum) &&
           num_mul(p->series.items[series].total, num_pow10(decimals - p->decimals), &added) &&
           num_add(sum, added, &sum);
}

bool gather_add(struct services *services, const struct group *group, struct slice shown,
                struct profile *p, const struct series_ids *graphs, struct diag *diag)
{
    struct slice kept = profile_fact(p, SLICE("service"));
    struct slice name = p->runs.count && kept.len ? kept : group->path;

    vec_each (const uint32_t, id, graphs) {
        struct service *s;

        if (p->series.items[*id].base != SERIES_NONE)
            continue;
        s = find_service(services, name, p, *id);
        if (!sum_fits(s, p, *id) ||
            !service_add_run(s, free_name(s, run_name(p, *id, shown), shown), p, *id))
            return diag_error(diag, "the runs of '%.*s' together are too large", SLICE_ARG(name));
        add_named_facts(s, shown);
        s->owner = arena_copy(&s->profile.strings, group->owner);
        s->link = arena_copy(&s->profile.strings, group->link);
    }
    return true;
}

uint64_t gather_footprint(const struct services *services)
{
    uint64_t bytes = 0;

    vec_each (const struct service, s, services)
        bytes += profile_footprint(&s->profile);
    return bytes;
}

void gather_release(struct services *services)
{
    vec_each (struct service, s, services)
        service_release(s);
    vec_release(services);
}
