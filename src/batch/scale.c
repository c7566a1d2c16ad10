#include "batch/scale.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/pool.h"
#include "batch/batch.h"
#include "prepare/prepare.h"

void batch_scale_init(struct batch_scale *s)
{
    *s = (struct batch_scale){0};
}

void batch_scale_release(struct batch_scale *s)
{
    vec_release(&s->rows);
    arena_release(&s->memory);
}

/* Returns the power of a unit: weights are whole numbers of 10^-power seconds, bytes or things. */
static int power_of(const struct unit *unit, unsigned decimals)
{
    return (int)decimals - (unit->kind == UNIT_SECONDS ? unit->exponent : 0);
}

/* Returns weight * 10^(to - from), rounded up; UINT64_MAX if it does not fit in 64 bits. */
static uint64_t convert(uint64_t weight, int from, int to)
{
    for (; from < to; from++)
        if (!num_mul(weight, 10, &weight))
            return UINT64_MAX;
    for (; from > to; from--)
        weight = weight / 10 + (weight % 10 != 0);
    return weight;
}

static bool is_more(uint64_t a, int power_a, uint64_t b, int power_b)
{
    int power = power_a > power_b ? power_a : power_b;

    /* A weight that does not fit in the finer unit is greater than one that does. */
    return convert(a, power_a, power) > convert(b, power_b, power);
}

static struct batch_scale_row *find_row(const struct batch_scale *s, const struct unit *unit)
{
    for (size_t i = 0; i < s->rows.count; i++) {
        struct batch_scale_row *row = &s->rows.items[i];

        if (row->kind == unit->kind &&
            (row->kind != UNIT_COUNT || slice_equal(row->noun, unit->noun)))
            return row;
    }
    return NULL;
}

void batch_scale_add(struct batch_scale *s, const struct unit *unit, unsigned decimals,
                     uint64_t weight)
{
    struct batch_scale_row *row = find_row(s, unit);
    int power = power_of(unit, decimals);

    if (!row) {
        row = vec_add(&s->rows);
        *row = (struct batch_scale_row){unit->kind, arena_copy(&s->memory, unit->noun), 0, power};
    }
    if (is_more(weight, power, row->weight, row->power)) {
        row->weight = weight;
        row->power = power;
    }
}

uint64_t batch_scale_find(const struct batch_scale *s, const struct unit *unit, unsigned decimals)
{
    const struct batch_scale_row *row = find_row(s, unit);
    uint64_t weight = row ? convert(row->weight, row->power, power_of(unit, decimals)) : 0;

    return weight < UINT64_MAX ? weight : 0;
}

bool batch_scale_total(const struct batch_scale *s, const struct profile *p, uint32_t series,
                       struct look *look)
{
    const struct series *one = &p->series.items[series];
    uint64_t weight = batch_scale_find(s, &one->unit, p->decimals);

    if (!weight || one->base != SERIES_NONE)
        return false;
    look->has_total = true;
    look->total = (struct decimal){.value = weight, .decimals = p->decimals};
    return true;
}

/* ---- the first pass ---- */

struct measuring {
    struct batch *batch;
    struct batch_scale *parts; /* by input */
};

static void measure(void *context, size_t index, unsigned worker)
{
    struct measuring *m = context;
    struct diag unused;
    struct profile p;
    struct prepared made;

    (void)worker;
    diag_init(&unused, slice_make(NULL, 0));
    profile_init(&p);
    prepared_init(&made);
    if (batch_read(m->batch, index, &p, &unused) == INPUT_READ &&
        prepare(&p, &m->batch->plans[index]->recipe, &made, &unused)) {
        vec_each (const uint32_t, id, &made.graphs) {
            const struct series *s = &p.series.items[*id];

            if (s->base == SERIES_NONE)
                batch_scale_add(&m->parts[index], &s->unit, p.decimals, s->total);
        }
    }
    prepared_release(&made);
    profile_release(&p);
    admission_leave(&m->batch->admission);
    diag_release(&unused);
}

void batch_scale_measure(struct batch *b, struct batch_scale *s)
{
    size_t count = b->inputs->items.count;
    struct measuring m = {b, xcalloc(count, sizeof(*m.parts))};

    for (size_t i = 0; i < count; i++)
        batch_scale_init(&m.parts[i]);
    pool_run(b->threads, count, measure, &m);
    for (size_t i = 0; i < count; i++) {
        vec_each (const struct batch_scale_row, row, &m.parts[i].rows) {
            struct unit unit = {row->kind, 0, row->noun};
            uint64_t weight = convert(row->weight, row->power, row->power < 0 ? 0 : row->power);

            batch_scale_add(s, &unit, row->power < 0 ? 0 : (unsigned)row->power, weight);
        }
        batch_scale_release(&m.parts[i]);
    }
    free(m.parts);
}
