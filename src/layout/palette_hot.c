#include "layout/palette_hot.h"

/* r = 205 + 50 v3, g = 230 v1, b = 55 v2, cut to integers: flamegraph.pl's "hot". */
static palette_color hot(struct slice name, enum symbol_class class, const double v[3])
{
    (void)name;
    (void)class;
    return (uint32_t)(205 + 50 * v[2]) << 16 | (uint32_t)(230 * v[0]) << 8 | (uint32_t)(55 * v[1]);
}

const struct palette palette_hot = {
    .name = "hot",
    .about = "red to yellow, by name",
    .color = hot,
};
