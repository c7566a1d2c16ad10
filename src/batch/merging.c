#include "batch/merging.h"

#include "input/read.h"
#include "prepare/merge.h"
#include "prepare/prepare.h"
#include "prepare/units.h"
#include "profile/footprint.h"

/* Reads an input; `held` bytes of its memory limit are in use by earlier inputs. */
static bool read(const struct merging *m, const struct merging_input *in, uint64_t held,
                 struct profile *p, struct diag *diag)
{
    struct input_options reading = *in->reading;
    enum input_result result;

    reading.limits.held = held;
    result = in->path ? input_read(in->path, &reading, m->threads, p, diag)
                      : input_read_memory(in->bytes, &reading, m->threads, p, diag);

    return result == INPUT_READ &&
           (!in->own || in->own->kind == m->recipe->kind || units_apply(in->own, p, diag));
}

/* Whether the inputs are runs of one program, added up, whose generated functions are one. */
static bool are_runs(const struct merging *m, const struct merging_input *in)
{
    return in->reading->names != NAMES_REFERENCE && !merge_has_roots(m->recipe->merge) &&
           !recipe_is_of(m->recipe, KIND_HOTCOLD);
}

bool merging_add(struct merging *m, const struct merging_input *in, struct diag *diag)
{
    struct profile part;
    bool ok;

    if (m->count == 1 && !merge_has_roots(m->recipe->merge)) {
        ok = read(m, in, 0, m->whole, diag);
    } else {
        uint64_t held = profile_footprint(m->whole);

        profile_init(&part);
        ok = read(m, in, held, &part, diag) &&
             footprint_allows(held, &part, in->reading->limits.max_memory, diag) &&
             prepare_add(m->whole, &part, m->recipe, in->side, in->name, diag);
        if (ok && are_runs(m, in))
            align_runs_learn(&m->names, &part);
        profile_release(&part);
    }
    m->read += ok;
    vec_each (struct series, s, &m->whole->series) {
        if (m->read > 1)
            s->first_ns = UINT64_MAX; /* clocks of different recordings make no duration */
    }
    return ok;
}

void merging_end(struct merging *m)
{
    if (m->names.runs > 1)
        align_runs_rename(&m->names, m->whole);
    align_runs_release(&m->names);
}
