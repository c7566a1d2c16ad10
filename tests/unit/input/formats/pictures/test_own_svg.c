/*
 * SVGs of flamepress with data made by hand. tests/tickets reads those that the
 * program draws.
 */

#include "output/deflate.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

/* Appends an SVG with these words and this tree, as an earlier program wrote it if `earlier`. */
static void add_spelt(struct buf *out, const char *words, struct slice tree, bool earlier)
{
    buf_printf(out,
               "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
               "class=\"flamepress\">\n<metadata/><metadata %s=\"%s\">",
               earlier ? "class=\"flame-data\" left=\"10\" profile"
                       : "data-flame=\"data\" data-left=\"10\" data-profile",
               words);
    deflate_write(out, (struct deflate_parts){.text = tree});
    buf_add_str(out, "</metadata>\n</svg>\n");
}

static void add_svg(struct buf *out, const char *words, struct slice tree)
{
    add_spelt(out, words, tree, false);
}

#define WORDS "version=1 decimals=0 name=cycles event=cycles unit=cycles samples=3 squares=29"
/* Symbols a, b (kernel); stacks a and a;b with 2 and 5, 1 without a stack. */
#define TREE "\2\1a\0\1b\1\2\0\0\1\1\1\2\5\0\1\0\2"

static const struct {
    const char *name, *words;
    struct slice tree;
    const char *want;
} cases[] = {
    {"a tree", WORDS, {TREE, sizeof(TREE) - 1}, "== cycles cycles\n 1\na 2\na;b 5\n"},
    {"marks of the kernel in the input",
     WORDS " marks=2",
     {TREE, sizeof(TREE) - 1},
     "== cycles cycles\n 1\na 2\na;b_[k] 5\n"},
    {"decimals, time",
     "version=1 decimals=2 name=x%20y event=x unit=ms",
     {TREE, sizeof(TREE) - 1},
     "== x y seconds e-3\n 0.01\na 0.02\na;b 0.05\n"},
    {"time in units of 10 ns",
     "version=1 decimals=0 name=x event=x unit=s exponent=-8",
     {TREE, sizeof(TREE) - 1},
     "== x seconds e-8\n 1\na 2\na;b 5\n"},
    {"time in units that do not exist",
     "version=1 decimals=0 name=x event=x unit=s exponent=-99",
     {TREE, sizeof(TREE) - 1},
     "== x seconds e0\n 1\na 2\na;b 5\n"},
    {"merged from the leaves",
     WORDS " from=leaf",
     {TREE, sizeof(TREE) - 1},
     "== cycles cycles\n 1\na 2\nb;a 5\n"},
    {"frames left out",
     WORDS,
     {"\1\1a\0\2\0\0\1\1\0\2\5\0\1\0\0", 16},
     "== cycles cycles\na 7\nin: warning: the picture had no room for all frames; their weight is "
     "that of their callers\n"},
    {"two weights",
     WORDS " pair=change base.name=base base.event=cycles base.unit=cycles",
     {"\1\1a\0\1\0\1\0\7\0\4\0\1", 13},
     "== cycles cycles\na 7\n== base cycles\na 4\n"},
    {"a chart",
     WORDS " order=time",
     /* a: 5 in all, 2 of it before b */
     {"\2\1a\0\1b\0\2\0\0\1\1\0\5\3\0\2\0\1\0\2", 21},
     "== cycles cycles\na 5\na;b 3\n"},
    {"things of 4096 bytes",
     "version=1 decimals=0 name=f event=f unit=faults each=4096",
     {"\1\1a\0\1\0\1\0\x80\x40\0\1", 12},
     "== f faults\na 2\n"},
    {"a newer version",
     "version=2 decimals=0",
     {TREE, sizeof(TREE) - 1},
     "in: error: the picture says 'version=2', which is not known; a newer flamepress wrote it\n"
     "failed\n"},
    {"no version",
     "decimals=0",
     {TREE, sizeof(TREE) - 1},
     "in: error: the picture does not say what its profile measures\nfailed\n"},
    {"a class that does not exist",
     WORDS,
     {"\1\1a\x40\1\0\1\0\7\0\1", 11},
     "== cycles cycles\nin: error: the profile in the picture is damaged\nfailed\n"},
    {"more dropped than there is",
     WORDS,
     {"\1\1a\0\2\0\2\1\1\0\2\5\0\1\0\1", 16},
     "== cycles cycles\na 2\nin: error: the profile in the picture is damaged\nfailed\n"},
    {"a symbol that does not exist",
     WORDS,
     {"\1\1a\0\1\0\1\0\7\0\2", 11},
     "== cycles cycles\nin: error: the profile in the picture is damaged\nfailed\n"},
    {"a place that does not exist",
     WORDS,
     {"\1\1a\0\1\0\1\0\7\3", 10},
     "== cycles cycles\nin: error: the profile in the picture is damaged\nfailed\n"},
    {"more stacks than bytes",
     WORDS,
     {"\1\1a\0\xff\xff\xff\xff\x0f", 9},
     "== cycles cycles\nin: error: the profile in the picture is damaged\nfailed\n"},
};

Test(input_own_svg, trees)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int earlier = 0; earlier < 2; earlier++) {
            struct buf svg = {0};

            add_spelt(&svg, cases[i].words, cases[i].tree, earlier);
            told_expect(cases[i].name, buf_slice(&svg), NULL, cases[i].want);
            buf_release(&svg);
        }
    }
}

/* Texts "so" and "c.c"; b has both, with line 300, a has none. */
#define ORIGINS "\2\2so\3c.c\0\1\0\2\254\2"

static const struct {
    const char *words;
    struct slice tree;
    const char *module, *file; /* of b; NULL if the graph is not read */
    uint32_t line;
} origins[] = {
    {WORDS " origins=14", {TREE ORIGINS, sizeof(TREE ORIGINS) - 1}, "so", "c.c", 300},
    {WORDS " origins=14", {TREE "colours" ORIGINS, sizeof(TREE ORIGINS) + 6}, "so", "c.c", 300},
    {WORDS, {TREE ORIGINS, sizeof(TREE ORIGINS) - 1}, "", "", 0},
    {WORDS " origins=13", {TREE ORIGINS, sizeof(TREE ORIGINS) - 1}, NULL, NULL, 0},
    {WORDS " origins=99", {TREE ORIGINS, sizeof(TREE ORIGINS) - 1}, NULL, NULL, 0},
    {WORDS " origins=x", {TREE ORIGINS, sizeof(TREE ORIGINS) - 1}, NULL, NULL, 0},
    {WORDS " origins=6", {TREE "\1\1x\2\0\0", sizeof(TREE) + 5}, NULL, NULL, 0},
};

Test(input_own_svg, modules_and_source_lines)
{
    for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
        const struct symbols *symbols;
        struct buf svg = {0};
        struct reading r;
        uint32_t b;

        add_svg(&svg, origins[i].words, origins[i].tree);
        reading_text(&r, buf_slice(&svg), NULL);
        symbols = &r.profile.symbols;
        b = symbols_find(symbols, SLICE("b"), SYMBOL_USER);
        cr_expect_eq(r.result, origins[i].module ? INPUT_READ : INPUT_FAILED, "%zu", i);
        if (origins[i].module) {
            cr_expect(slice_equal(symbol_module(symbols, b), slice_str(origins[i].module)), "%zu",
                      i);
            cr_expect(slice_equal(symbol_file(symbols, b), slice_str(origins[i].file)), "%zu", i);
            cr_expect_eq(symbols->items.items[b].line, origins[i].line, "%zu", i);
            cr_expect_eq(symbol_module(symbols, symbols_find(symbols, SLICE("a"), SYMBOL_USER)).len,
                         0);
        }
        reading_release(&r);
        buf_release(&svg);
    }
}

/* A cut is reported, and the data before the cut is read. */
Test(input_own_svg, cut_tree)
{
    for (size_t len = 0; len < cases[0].tree.len; len++) {
        struct buf svg = {0};
        struct reading r;

        add_svg(&svg, cases[0].words, slice_take(cases[0].tree, len));
        reading_text(&r, buf_slice(&svg), NULL);
        cr_expect_eq(r.result, INPUT_FAILED, "%zu bytes", len);
        reading_release(&r);
        buf_release(&svg);
    }
}

Test(input_own_svg, samples)
{
    struct buf svg = {0};
    struct reading r;

    add_svg(&svg, cases[0].words, cases[0].tree);
    reading_text(&r, buf_slice(&svg), NULL);
    cr_expect_eq(profile_samples(&r.profile, 0), 3);
    cr_expect_eq((uint64_t)r.profile.series.items[0].squares, 29);
    reading_release(&r);
    buf_release(&svg);
}

/* A picture is read only if it is named. */
Test(input_own_svg, not_named)
{
    struct input_options options = input_options_default();
    struct buf svg = {0};

    options.pictures = false;
    add_svg(&svg, cases[0].words, cases[0].tree);
    told_expect("not named", buf_slice(&svg), &options,
                "in: note: a picture (flamepress-svg), which is read only if it is named on the "
                "command line\nunknown\n");
    buf_release(&svg);
}

Test(input_own_svg, without_data)
{
    told_expect("no data", SLICE("<svg xmlns=\"x\" class=\"flamepress differential\"></svg>"), NULL,
                "in: error: this SVG of flamepress contains no data: it was drawn with "
                "--svg-script=none, or is a heat map\nfailed\n");
    told_expect("older",
                SLICE("<svg xmlns=\"x\" class=\"flamepress\"><metadata class=\"flame-data\" "
                      "left=\"1\">AAAA</metadata></svg>"),
                NULL,
                "in: error: an older flamepress drew this SVG; its data does not say what was "
                "measured\nfailed\n");
    told_expect("not base64",
                SLICE("<svg xmlns=\"x\" class=\"flamepress\"><metadata class=\"flame-data\" "
                      "profile=\"" WORDS "\">!</metadata></svg>"),
                NULL,
                "in: error: the profile in the picture is damaged: it is not base64\nfailed\n");
}
