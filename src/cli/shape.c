#include "cli/shape.h"

#include <string.h>

#include "base/num.h"
#include "cli/kind.h"
#include "cli/load.h"
#include "cli/times.h"
#include "profile/reshape.h"
#include "tree/idle.h"

static const char *const groups[] = {
    [GROUP_NOT] = "function",
    [GROUP_MODULE] = "module",
    [GROUP_PACKAGE] = "package",
};

static enum group_by group_of(const struct options *o)
{
    for (unsigned i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (strcmp(o->group, groups[i]) == 0)
            return (enum group_by)i;
    BUG("--group %s", o->group);
}

static void make_filter(const struct options *o, struct filter *f)
{
    struct buf why;

    buf_init(&why);
    filter_init(f);
    f->group = group_of(o);
    f->collapse_recursion = o->collapse_recursion;
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        vec_each (const char *, pattern, &o->filters[role])
            if (!filter_add(f, (enum filter_role)role, slice_str(*pattern), o->ignore_case, &why))
                BUG("option %s was checked: %s", filter_options[role], why.ptr);
    buf_release(&why);
}

static void tell_matches(const struct filter *f, const struct filter_matches *matches,
                         struct diag *diag)
{
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        if (f->searches[role].count && !matches->symbols[role])
            diag_add(diag, DIAG_WARNING, DIAG_AT_FILE, "%s matches no function",
                     filter_options[role]);
    if (matches->exhausted)
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "the filters were given up on %lu names: too much work",
                 (unsigned long)matches->exhausted);
}

static void drop_idle(const struct options *o, struct profile *p)
{
    struct idle idle;

    idle_init(&idle, p);
    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct kind *k = kind_of(o, p, id);

        idle_drop(&idle, &p->series.items[id], k->waits || k == &kinds[0]);
    }
    idle_release(&idle);
}

bool shape_profile(const struct options *o, struct profile *p, struct diag *diag)
{
    struct filter_matches matches;
    struct filter filter;
    bool ok = true;

    if (!times_apply(o, p, diag))
        return false;
    if (strcmp(o->idle, "drop") == 0)
        drop_idle(o, p);
    make_filter(o, &filter);
    filter_run(&filter, p, &matches);
    tell_matches(&filter, &matches, diag);
    if (filter.group != GROUP_NOT && !matches.grouped)
        ok = diag_error(diag, "--group=%s: no function of this input says its %s", o->group,
                        o->group);
    filter_release(&filter);
    return ok;
}

static uint64_t whole(const struct profile *p, const struct series *s)
{
    return reshape_whole(s) +
           (s->base == SERIES_NONE ? 0 : reshape_whole(&p->series.items[s->base]));
}

bool shape_is_empty(const struct profile *p, uint32_t series, struct diag *diag)
{
    const struct series *s = &p->series.items[series];
    bool before = s->base != SERIES_NONE && p->series.items[s->base].total;
    const char *most = NULL;
    uint64_t weight = 0;

    if (s->total || before || !whole(p, s))
        return false;
    vec_each (const struct removal, r, &s->removals) {
        if (r->stayed || r->weight < weight)
            continue;
        most = r->option;
        weight = r->weight;
    }
    diag_add(diag, DIAG_NOTE, DIAG_AT_FILE, "nothing is left to show: %s takes all of it",
             most ? most : "the filter");
    return true;
}

/* "--focus leaves out 1,234 samples (21.70%)", a line for each. */
static void tell_removals(const struct options *o, struct console *console, const struct profile *p,
                          uint32_t series, const char *of)
{
    const struct series *s = &p->series.items[series];
    struct unit_scale scale = load_scale(o, p, series);
    uint64_t all = reshape_whole(s);
    struct buf text;

    buf_init(&text);
    vec_each (struct removal, r, &s->removals) {
        buf_clear(&text);
        unit_write_exact(&text, &scale, r->weight);
        buf_add_str(&text, " (");
        num_write_percent(&text, r->weight, all, 2);
        console_say(console, "%s %s %s%%%s)", r->option,
                    r->stayed ? "takes frames out of" : "leaves out", text.ptr, of);
    }
    buf_release(&text);
}

bool shape_series(const struct options *o, struct console *console, struct profile *p,
                  uint32_t series, struct outcome *outcome)
{
    uint32_t base = p->series.items[series].base;
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE("flamepress"));
    ok = shape_profile(o, p, &diag);
    if (ok && base != SERIES_NONE)
        tell_removals(o, console, p, base, " of the weight before");
    if (ok)
        tell_removals(o, console, p, series, "");
    if (ok && shape_is_empty(p, series, &diag)) {
        diag_raise_note(&diag);
        ok = false;
    }
    outcome->usage |= !ok;
    console_show(console, &diag);
    diag_release(&diag);
    return ok;
}
