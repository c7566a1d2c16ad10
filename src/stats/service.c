#include "stats/service.h"

#include "base/die.h"

void stats_service_test(struct stats_change *changes, struct stats_noise *noise,
                        const struct stats_design *d, const struct stats_row *rows, size_t count,
                        const struct stats_settings *settings)
{
    struct stats_moments *moments = xcalloc(count, sizeof(*moments));
    bool *pools = xcalloc(count, sizeof(*pools));

    for (size_t k = 0; k < count; k++) {
        stats_moments_of(&moments[k], d, &rows[k]);
        pools[k] = rows[k].pools;
    }
    stats_noise_fit(noise, d, moments, pools, count, settings);
    for (size_t k = 0; k < count; k++)
        stats_change_test(&changes[k], d, noise, &moments[k], settings);
    free(moments);
    free(pools);
}
