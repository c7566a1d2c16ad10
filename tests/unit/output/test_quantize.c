#include "output/quantize.h"

#include <criterion/criterion.h>

#include "base/buf.h"
#include "layout/palette.h"

static int moved(const struct quantize *q, uint32_t number)
{
    uint32_t from = q->colors.items[number], to = q->shown[quantize_cell(q, number)];
    int most = 0;

    for (int shift = 0; shift < 24; shift += 8) {
        int d = abs((int)(from >> shift & 255) - (int)(to >> shift & 255));

        most = d > most ? d : most;
    }
    return most;
}

Test(output_quantize, few_colours_are_exact)
{
    struct quantize q;

    quantize_init(&q);
    for (uint32_t i = 0; i < QUANTIZE_CELLS; i++)
        cr_expect_eq(quantize_add(&q, 0x10203 * (i + 1)), i);
    cr_expect_eq(quantize_add(&q, 0x10203 * 5), 4, "known colours keep their number");
    quantize_fit(&q);
    cr_expect_eq(q.cells, QUANTIZE_CELLS);
    for (uint32_t i = 0; i < QUANTIZE_CELLS; i++)
        cr_expect_eq(moved(&q, i), 0, "colour %u", i);
    quantize_release(&q);
}

Test(output_quantize, none_and_one)
{
    struct quantize q;

    quantize_init(&q);
    quantize_fit(&q);
    cr_expect_eq(q.cells, 1);
    quantize_release(&q);

    quantize_init(&q);
    quantize_add(&q, 0xabcdef);
    quantize_fit(&q);
    cr_expect_eq(q.cells, 1);
    cr_expect_eq(q.shown[0], 0xabcdef);
    quantize_release(&q);
}

/* All palettes, by hash and by name, with separators and changes among them. */
Test(output_quantize, palettes_stay_within_the_bound)
{
    for (size_t i = 0; palettes[i]; i++) {
        for (int by_name = 0; by_name < 2; by_name++) {
            struct quantize q;
            struct buf name;
            int most = 0;

            quantize_init(&q);
            buf_init(&name);
            for (unsigned n = 0; n < 5000; n++) {
                buf_clear(&name);
                buf_printf(&name, "%c%cfunction_%u%c", 'A' + (int)(n % 57),
                           'a' + (int)(n / 57 % 26), n, 'a' + (int)(n * 7 % 26));
                quantize_add(&q, palette_pick(palettes[i], buf_slice(&name), SYMBOL_USER, by_name));
            }
            quantize_add(&q, palette_pick(palettes[i], SLICE("-"), SYMBOL_SEPARATOR, false));
            quantize_add(&q, palette_pick(palettes[i], SLICE("--"), SYMBOL_SEPARATOR, false));
            quantize_fit(&q);
            for (uint32_t c = 0; c < q.colors.count; c++)
                most = moved(&q, c) > most ? moved(&q, c) : most;
            cr_expect(most <= QUANTIZE_BOUND, "%s%s: moved by %d", palettes[i]->name,
                      by_name ? " by name" : "", most);
            cr_expect(by_name || most <= 5, "%s: moved by %d", palettes[i]->name, most);
            buf_release(&name);
            quantize_release(&q);
        }
    }
}

Test(output_quantize, changes_stay_within_the_bound)
{
    struct quantize q;

    quantize_init(&q);
    for (int64_t delta = -300; delta <= 300; delta++)
        quantize_add(&q, palette_delta(delta, 300));
    quantize_fit(&q);
    for (uint32_t c = 0; c < q.colors.count; c++)
        cr_expect(moved(&q, c) <= QUANTIZE_BOUND, "%06x moved by %d", q.colors.items[c],
                  moved(&q, c));
    cr_expect_eq(moved(&q, 300), 0, "white stays white");
    quantize_release(&q);
}

Test(output_quantize, order_does_not_matter)
{
    struct quantize forward, backward;

    quantize_init(&forward);
    quantize_init(&backward);
    for (uint32_t i = 0; i < 500; i++) {
        quantize_add(&forward, i * 2654435761u >> 8);
        quantize_add(&backward, (499 - i) * 2654435761u >> 8);
    }
    quantize_fit(&forward);
    quantize_fit(&backward);
    for (uint32_t i = 0; i < 500; i++)
        cr_expect_eq(forward.shown[quantize_cell(&forward, i)],
                     backward.shown[quantize_cell(&backward, 499 - i)]);
    quantize_release(&forward);
    quantize_release(&backward);
}
