#include "prepare/frames.h"

#include <stdlib.h>

#include "base/num.h"
#include "prepare/units.h"
#include "profile/reshape.h"
#include "tree/idle.h"

static void warn_of_matches(const struct filter *f, const struct filter_matches *matches,
                            struct diag *diag)
{
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        if (f->searches[role].count && !matches->symbols[role])
            diag_warn(diag, "%s matches no %s", filter_options[role],
                      role == FILTER_COLLAPSE_MODULE ? "module" : "function");
}

static void drop_idle(const struct recipe *r, struct profile *p)
{
    struct idle idle;

    idle_init(&idle, p);
    for (uint32_t id = 0; id < p->series.count; id++) {
        struct series *s = &p->series.items[id];
        const struct kind *k = units_kind(r, p, id);
        bool waits = k->waits || k == &kinds[KIND_STACKS];

        if (s->before)
            continue;
        idle_drop(&idle, s, waits);
        if (s->base != SERIES_NONE)
            idle_drop(&idle, &p->series.items[s->base], waits);
    }
    idle_release(&idle);
}

/* Makes a table of the symbols that replace others. Returns how many do. */
static uint32_t find_renamed(struct rename_pass *renamer, struct profile *p, uint32_t *to)
{
    uint32_t count = symbols_count(&p->symbols), renamed = 0;

    for (uint32_t id = 0; id < count; id++) {
        struct slice name = symbol_name(&p->symbols, id), now;
        enum symbol_class class = symbol_class(&p->symbols, id);

        to[id] = id;
        if (class == SYMBOL_SEPARATOR)
            continue;
        now = rename_apply(renamer, name);
        if (now.ptr == name.ptr || slice_equal(now, name))
            continue;
        to[id] = symbols_add(&p->symbols, now, class);
        symbols_add_known(&p->symbols, to[id], &p->symbols, id);
        renamed++;
    }
    return renamed;
}

/* Returns false after reporting that a rename takes too much work. */
static bool rename_frames(const struct recipe *r, struct profile *p, struct diag *diag)
{
    uint32_t *to = xreallocarray(NULL, symbols_count(&p->symbols) + 1, sizeof(*to));
    struct rename_pass renamer;
    struct buf text = {0};
    uint32_t renamed;
    bool ok = true;

    rename_pass_init(&renamer, &r->renames);
    renamed = find_renamed(&renamer, p, to);
    if (renamer.given_up) {
        ok = diag_error(diag, "gave up the rename '%.*s': matching it takes too much work",
                        SLICE_ARG(renamer.given_up->search->pattern));
    } else if (renamed) {
        reshape_symbols(p, to);
        num_write_grouped(&text, renamed, 0);
        buf_add_str(&text, renamed == 1 ? " name" : " names");
        profile_add_fact(p, SLICE(FACT_RENAMED), buf_slice(&text));
    } else if (r->one_graph) {
        diag_warn(diag, "--rename matches no function");
    }
    buf_release(&text);
    rename_pass_release(&renamer);
    free(to);
    return ok;
}

bool frames_apply(const struct recipe *r, struct profile *p, struct diag *diag)
{
    const char *group = group_word(r->filter.group);
    struct filter_matches matches;

    if (r->drop_idle)
        drop_idle(r, p);
    if (r->renames.count && !rename_frames(r, p, diag))
        return false;
    if (!filter_run(&r->filter, p, &matches))
        return diag_error(diag, "gave up the filter '%.*s': matching it takes too much work",
                          SLICE_ARG(matches.given_up->pattern));
    warn_of_matches(&r->filter, &matches, diag);
    if (r->filter.group != GROUP_NOT && !matches.grouped)
        return diag_misuse(diag, "--group=%s: no function of this input says its %s", group, group);
    return true;
}

static uint64_t whole(const struct profile *p, const struct series *s)
{
    return reshape_whole(s) +
           (s->base == SERIES_NONE ? 0 : reshape_whole(&p->series.items[s->base]));
}

bool frames_are_gone(const struct profile *p, uint32_t series, struct diag *diag)
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
             most && *most ? most : "the filter");
    return true;
}
