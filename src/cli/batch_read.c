#include "cli/batch_read.h"

#include "cli/counters.h"
#include "cli/hotcold.h"
#include "cli/kind.h"
#include "cli/load.h"
#include "cli/option_colors.h"
#include "cli/option_shapes.h"
#include "cli/shape.h"
#include "profile/pair.h"

enum input_result batch_read(const struct batch *b, size_t index, struct options *own,
                             struct profile *p, bool *usable, struct diag *diag)
{
    const struct input_file *input = &b->inputs->items.items[index];
    unsigned threads = load_threads(b->options);
    struct input_options reading;
    enum input_result result;

    profile_init(p);
    config_options(b->config, b->options, input->shown, own);
    reading = load_input_options(own, true);
    /* With fewer files than threads, those that are left help with the files. */
    if (b->inputs->items.count >= threads)
        threads = 1;
    result = input_read(input->path, &reading, threads, p, diag);
    *usable = result == INPUT_READ && option_colors_check(own, diag) &&
              option_shapes_check(own, diag) && hotcold_check(own, diag) &&
              batch_read_pairs(own, p, diag) && kind_apply(own, p, diag);
    return result;
}

bool batch_read_pairs(const struct options *own, struct profile *p, struct diag *diag)
{
    return load_pairs(own, p, diag) && counters_add_graphs(own, p, diag);
}

/* Whether a series is of the kind that --kind selects, if it does. */
static bool is_selected(const struct options *own, const struct profile *p, uint32_t series,
                        bool selects)
{
    if (kind_joins_counters(own))
        return pair_kind(p, series) != PAIR_CHANGE;
    return !selects || kind_recognise(p, series) == kind_find(slice_str(own->kind));
}

size_t batch_read_series(const struct options *own, struct profile *p, uint32_t *chosen,
                         struct diag *diag)
{
    bool selects = kind_selects(own, p);
    size_t count = 0, left = 0;

    for (uint32_t id = 0; id < p->series.count; id++) {
        const struct series *s = &p->series.items[id];

        if (s->count && !s->before && load_wants(own, p, s) && is_selected(own, p, id, selects))
            chosen[count++] = id;
    }
    if (!count)
        diag_error(diag, "none of the events asked for is in this profile");
    else if (!shape_profile(own, p, diag))
        return 0;
    for (size_t i = 0; i < count; i++)
        if (p->series.items[chosen[i]].count)
            chosen[left++] = chosen[i];
    if (count && !left)
        shape_is_empty(p, chosen[0], diag);
    return left;
}
