#include "cli/recipe_make.h"

#include <string.h>

#include "base/num.h"

enum { NS_DECIMALS = 9 };

static void copy_names(struct names_wanted *to, const struct strings *from)
{
    vec_each (const char *const, name, from)
        *vec_add(to) = slice_str(*name);
}

/* Seconds as nanoseconds, cut after the ninth decimal. */
static struct recipe_time nanoseconds(const char *seconds)
{
    struct recipe_time time = {.given = seconds != NULL};
    struct decimal d;

    if (!time.given)
        return time;
    if (!num_parse_decimal(slice_str(seconds), &d))
        BUG("the value was checked: %s", seconds);
    if (d.decimals > NS_DECIMALS)
        time.ns = d.value / num_pow10(d.decimals - NS_DECIMALS);
    else if (!num_mul(d.value, num_pow10(NS_DECIMALS - d.decimals), &time.ns))
        time.ns = UINT64_MAX;
    return time;
}

static enum merge_by merge_of(const struct options *o)
{
    static const char *const words[] = {
        [MERGE_OFF] = "off", [MERGE_PLAIN] = "plain", [MERGE_FILE] = "file", [MERGE_HOST] = "host"};

    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(o->merge, words[i]) == 0)
            return (enum merge_by)i;
    BUG("--merge %s", o->merge);
}

static enum group_by group_of(const struct options *o)
{
    for (unsigned by = 0; by < GROUPS; by++)
        if (strcmp(o->group, group_word((enum group_by)by)) == 0)
            return (enum group_by)by;
    BUG("--group %s", o->group);
}

static bool add_filters(struct filter *f, const struct options *o, struct diag_place place,
                        struct diag *diag)
{
    struct buf why;
    bool ok = true;

    buf_init(&why);
    f->group = group_of(o);
    f->collapse_recursion = o->collapse_recursion;
    for (unsigned role = 0; role < FILTER_ROLES; role++) {
        vec_each (const char *, pattern, &o->filters[role]) {
            if (filter_add(f, (enum filter_role)role, slice_str(*pattern), o->ignore_case, &why))
                continue;
            diag_add(diag, DIAG_ERROR, place, "option %s: %s in '%s'", filter_options[role],
                     why.ptr, *pattern);
            buf_clear(&why);
            ok = false;
        }
    }
    buf_release(&why);
    return ok;
}

static bool add_period(struct recipe *r, const struct options *o, struct diag_place place,
                       struct diag *diag)
{
    r->from = nanoseconds(o->from);
    r->to = nanoseconds(o->to);
    if (!r->from.given || !r->to.given || r->from.ns <= r->to.ns)
        return true;
    diag_add(diag, DIAG_ERROR, place, "--from %s is after --to %s", o->from, o->to);
    return false;
}

bool recipe_make(struct recipe *r, const struct options *o, enum command_id command,
                 struct diag_place place, struct diag *diag)
{
    bool ok;

    recipe_init(r);
    r->one_graph = command != COMMAND_REPORT;
    r->needs_pair = command == COMMAND_DIFF && o->paths.count != 2;
    r->as_counted = command == COMMAND_FOLD;
    copy_names(&r->events, &o->events);
    copy_names(&r->processes, &o->processes);
    copy_names(&r->threads, &o->thread_names);
    copy_names(&r->states, &o->states);
    r->kind = o->kind ? kind_find(slice_str(o->kind)) : NULL;
    r->side_by_side = o->pair;
    r->frequency = o->frequency;
    r->drop_idle = strcmp(o->idle, "drop") == 0;
    r->normalize = o->normalize;
    r->negate = o->negate;
    r->merge = merge_of(o);
    r->around = slice_str(o->around);
    r->reverse = o->reverse;
    r->count_name = slice_str(o->count_name);
    r->factor = o->factor;
    ok = add_filters(&r->filter, o, place, diag);
    ok = add_period(r, o, place, diag) && ok;
    r->moments = o->flamechart || r->from.given || r->to.given || recipe_is_of(r, KIND_HEATMAP);
    return ok;
}

bool recipe_make_searches(struct recipe *r, const struct options *o, struct diag *diag)
{
    struct buf why;
    bool ok = true;

    buf_init(&why);
    vec_each (const struct named_search, s, &o->searches) {
        if (search_list_add(&r->searches, slice_str(s->name), slice_str(s->pattern), o->ignore_case,
                            &why))
            continue;
        ok = diag_error(diag, "search '%s': %s in %s", s->name, why.ptr, s->pattern);
        buf_clear(&why);
    }
    buf_release(&why);
    return ok;
}
