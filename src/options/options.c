#include "options/options.h"

#include "base/file.h"
#include "base/pool.h"
#include "options/table.h"
#include "report/build.h"

void options_init(struct options *o)
{
    const struct compare_settings compare = compare_settings_default();

    *o = (struct options){.command = COMMAND_REPORT, .fonts = {.system = true}};
    o->compare = (struct options_compare){
        .measure = compare.measure,
        .min_change = 100 * compare.stats.min_change,
        .min_share = 100 * compare.stats.min_share,
        .fdr = 100 * compare.stats.rate,
        .min_samples = (unsigned)compare.stats.min_count,
        .min_runs = compare.min_runs,
    };
    o->plan.reading = input_options_default();
    recipe_init(&o->plan.recipe);
    o->plan.look = look_defaults;
    o->plan.rows = REPORT_DEFAULT_ROWS;
    o->plan.graphs = REPORT_MOST_GRAPHS;
    o->list_below = REPORT_LEAST_SAMPLES;
}

static void copy_strings(struct strings *list)
{
    const struct strings all = *list;

    *list = (struct strings){0};
    vec_each (const char *, item, &all)
        *vec_add(list) = *item;
}

void options_copy(struct options *o, const struct options *from)
{
    *o = *from;
    o->memory = (struct arena){0};
    for (const struct option_row *row = options_table; row->name; row++)
        if (options_is_list(row))
            copy_strings(options_field(o, row));
    copy_strings(&o->paths);
    copy_strings(&o->words);
    o->searches.items = NULL;
    o->searches.count = o->searches.cap = 0;
    vec_each (struct search, search, &from->searches)
        *vec_add(&o->searches) = *search;
}

void options_release(struct options *o)
{
    for (const struct option_row *row = options_table; row->name; row++)
        if (options_is_list(row))
            vec_release((struct strings *)options_field(o, row));
    release_all(o, vec, searches, paths, words);
    arena_release(&o->memory);
}

const char *options_output(const struct options *o)
{
    const char *last = o->outputs.count ? o->outputs.items[o->outputs.count - 1] : NULL;

    return file_is_standard(last) ? NULL : last;
}

unsigned options_threads(const struct options *o)
{
    return o->threads ? o->threads : pool_default_threads();
}
