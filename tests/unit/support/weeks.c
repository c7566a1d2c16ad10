#include "unit/support/weeks.h"

#include "base/hash.h"
#include "unit/support/graph.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* A count near `mean`: its deviation is that of a Poisson count, up to a factor of about one. */
static unsigned draw(unsigned mean, uint64_t seed)
{
    double sum = 0, root = 1;

    for (int i = 0; i < 20; i++)
        root = (root + mean / root) / 2; /* Newton's square root */
    for (uint64_t i = 0; i < 12; i++)
        sum += (double)(hash_mix(seed, i) >> 11) / 9007199254740992.0;
    return mean ? (unsigned)(mean + root * (sum - 6) + 0.5) : 0;
}

void week_init(struct service *s, const char *name, const struct week_stack *stacks, size_t count,
               unsigned seed)
{
    service_init(s, slice_str(name));
    for (size_t run = 0; run < count; run++) {
        struct buf text = {0}, file = {0};
        struct graph g;

        for (size_t i = 0; stacks[i].stack; i++) {
            unsigned samples = draw(stacks[i].samples, hash_mix(hash_mix(seed, run), i));

            if (samples)
                buf_printf(&text, "%s %u\n", stacks[i].stack, samples);
        }
        buf_printf(&file, "%s.%zu", name, run + 1);
        graph_init(&g, buf_slice(&text));
        cr_assert(service_add_run(s, buf_slice(&file), &g.profile, 0));
        graph_release(&g);
        buf_release(&text);
        buf_release(&file);
    }
}

void week_add_file(struct service *s, const char *path, const char *run)
{
    struct reading r;

    reading_path(&r, path, run, NULL, 1);
    cr_assert_eq(r.result, INPUT_READ, "%s", path);
    cr_assert(service_add_run(s, slice_str(run), &r.profile, 0));
    reading_release(&r);
}
