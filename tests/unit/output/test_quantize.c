#include "output/quantize.h"

#include "base/buf.h"
#include "layout/diverge.h"
#include "layout/palette.h"
#include "unit/support/test.h"

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
    struct quantize q = {0};

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
    struct quantize q = {0};

    quantize_fit(&q);
    cr_expect_eq(q.cells, 1);
    quantize_release(&q);

    quantize_add(&q, 0xabcdef);
    quantize_fit(&q);
    cr_expect_eq(q.cells, 1);
    cr_expect_eq(q.shown[0], 0xabcdef);
    quantize_release(&q);
}

/* Two of the greys must share a cell, whose middle lies between two numbers. */
Test(output_quantize, a_middle_is_rounded_up)
{
    struct quantize q = {0};
    uint32_t upper;

    for (uint32_t i = 0; i < QUANTIZE_CELLS; i++)
        quantize_add(&q, 0x080808 * (i + 1));
    upper = quantize_add(&q, 0x080808 * QUANTIZE_CELLS + 0x010101);
    quantize_fit(&q);
    cr_expect_eq(quantize_cell(&q, upper), quantize_cell(&q, QUANTIZE_CELLS - 1));
    cr_expect_eq(moved(&q, upper), 0);
    quantize_release(&q);
}

/* Returns a function of a class of a palette, chosen by `n`. */
static struct palette_subject subject_number(unsigned n, struct buf *name)
{
    static const char *const parts[][2] = {
        {"", ""},           {"", "/lib/app.js"}, {"a::", ""},  {"core::", ""},
        {"java/lang/", ""}, {"node:", ""},       {"", "Perl"}, {"<built-in ", ""},
    };
    const struct palette_subject kinds[] = {
        {.class = SYMBOL_USER},        {.class = SYMBOL_KERNEL},
        {.class = SYMBOL_JIT},         {.class = SYMBOL_INLINED},
        {.class = SYMBOL_WAKER},       {.module = SLICE("/lib/python3.11/site-packages/a.py")},
        {.class = SYMBOL_INTERPRETED}, {.module = SLICE("/app/node_modules/a/b.js")},
    };
    struct palette_subject s = kinds[n / 8 % 8];

    buf_clear(name);
    buf_printf(name, "%s%c%cfunction_%u%c%s", parts[n % 8][0], 'A' + (int)(n % 57),
               'a' + (int)(n / 57 % 26), n, 'a' + (int)(n * 7 % 26), parts[n % 8][1]);
    s.name = buf_slice(name);
    return s;
}

/* Adds many frames of all kinds in the colours of a palette, and separators. */
static void add_palette(struct quantize *q, const struct palette_use *use)
{
    struct buf name = {0};

    for (unsigned n = 0; n < 5000; n++) {
        struct palette_subject s = subject_number(n, &name);

        quantize_add(q, palette_shade(use, s.name, palette_class_of(use->palette, &s)));
    }
    quantize_add(q, palette_separator(SLICE("-")));
    quantize_add(q, palette_separator(SLICE("--")));
    quantize_add(q, PALETTE_ROOT);
    buf_release(&name);
}

Test(output_quantize, palettes_stay_within_the_bound)
{
    for (size_t i = 0; palettes[i]; i++) {
        for (enum palette_spread spread = 0; spread <= PALETTE_AT_RANDOM; spread++) {
            struct palette_use use = {palettes[i], spread, 7};
            struct quantize q = {0};
            int most = 0;

            add_palette(&q, &use);
            quantize_fit(&q);
            for (uint32_t c = 0; c < q.colors.count; c++)
                most = moved(&q, c) > most ? moved(&q, c) : most;
            cr_expect(most <= QUANTIZE_BOUND, "%s, spread %d: moved by %d", palettes[i]->name,
                      (int)spread, most);
            if (spread == PALETTE_BY_HASH && !palette_has_classes(palettes[i]))
                cr_expect(most <= (i ? 6 : 5), "%s: moved by %d", palettes[i]->name, most);
            quantize_release(&q);
        }
    }
}

Test(output_quantize, changes_stay_within_the_bound)
{
    for (enum diverge_pair pair = 0; pair < DIVERGE_PAIRS; pair++) {
        struct quantize q = {0};

        for (int64_t change = -300; change <= 300; change++)
            quantize_add(&q, diverge_pick(pair, change, 300, 1));
        quantize_fit(&q);
        for (uint32_t c = 0; c < q.colors.count; c++)
            cr_expect(moved(&q, c) <= QUANTIZE_BOUND, "%06x moved by %d", q.colors.items[c],
                      moved(&q, c));
        cr_expect_eq(moved(&q, quantize_add(&q, 0xffffff)), 0, "white stays white");
        quantize_release(&q);
    }
}

Test(output_quantize, order_does_not_matter)
{
    struct quantize forward = {0}, backward = {0};

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
