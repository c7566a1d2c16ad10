#include "text/shape.h"

#include <stdio.h>
#include <unistd.h>

#include "base/diag.h"
#include "text/line.h"
#include "text/list.h"
#include "unit/support/test.h"

/*
 * Glyphs and positions are those of hb-shape, HarfBuzz's own program. `plain` texts are Latin;
 * their ligatures, which would make an arrow of `->`, are off. The Makefile lists the packages of
 * the fonts.
 */
#define ROBOTO "/usr/share/fonts/truetype/roboto/unhinted/RobotoCondensed-Regular.ttf"
#define DEJAVU "/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed.ttf"
#define ARABIC "/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf"
#define DEVANAGARI "/usr/share/fonts/truetype/noto/NotoSansDevanagari-Regular.ttf"
#define HEBREW "/usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf"
#define TAMIL "/usr/share/fonts/truetype/noto/NotoSansTamil-Regular.ttf"
#define THAI "/usr/share/fonts/truetype/noto/NotoSansThai-Regular.ttf"
#define CHINESE "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"

static const struct {
    const char *font;
    bool plain;
    const char *text;
} cases[] = {
    {ROBOTO, true, "AVATAR To. fi ffi office -> != Wave"},
    {ROBOTO, true, "std::vector<int, std::allocator<int> >::push_back(int&&)"},
    {ROBOTO, true, "e\u0301 u\u0308 n\u0303o A\u030a"},
    {ROBOTO, true, "Ångström façade naïve Łódź"},
    {DEJAVU, true, "fi -> e\u0323\u0301 a\u0300\u0316x"},
    {ARABIC, false, "مرحبا بالعالم"},
    {ARABIC, false, "السَّلَامُ عَلَيْكُمْ"},
    {ARABIC, false, "لا إله لله"},
    {DEJAVU, false, "مرحبا بالعالم"},
    {DEVANAGARI, false, "नमस्ते दुनिया"},
    {DEVANAGARI, false, "क्षत्रिय र्कि श्री ट्ठ"},
    {DEVANAGARI, false, "प्रोफ़ाइल"},
    {HEBREW, false, "שלום עולם"},
    {HEBREW, false, "בְּרֵאשִׁית"},
    {TAMIL, false, "கொடு நௌகா"},
    {THAI, false, "สวัสดี น้ำ"},
    {CHINESE, false, "中文函数标签"},
    {CHINESE, false, "性能分析、火焰圖"},
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* Appends a line in the format of hb-shape: [glyph=cluster@x,y+advance|...], glyphs as numbers. */
static void write_line(const struct line *line, struct buf *out)
{
    const char *separator = "[";

    for (uint32_t r = 0; r < line->run_count; r++) {
        const struct line_run *run = &line->runs[r];

        cr_expect_eq(run->font, 0, "'%.*s' takes font %u", SLICE_ARG(line->text), run->font);
        for (uint32_t i = run->first; i < run->first + run->count; i++) {
            const struct shape_glyph *g = &line->glyphs[i];

            buf_printf(out, "%s%u=%u", separator, g->glyph, g->cluster);
            if (g->x_offset || g->y_offset)
                buf_printf(out, "@%d,%d", g->x_offset, g->y_offset);
            buf_printf(out, "+%d", g->x_advance);
            separator = "|";
        }
    }
    buf_add_str(out, "]");
}

static void run_hb_shape(size_t i, struct buf *out)
{
    struct buf command = {0};
    char line[4096];

    buf_printf(&command, "hb-shape --no-glyph-names %s --font-file=%s --text='%s' 2>&1",
               cases[i].plain ? "--features=-liga,-clig,-calt" : "", cases[i].font, cases[i].text);
    FILE *pipe = popen(buf_string(&command), "r");

    cr_assert_not_null(pipe);
    if (fgets(line, sizeof(line), pipe))
        buf_add_slice(out, slice_trim(slice_str(line)));
    pclose(pipe);
    buf_release(&command);
}

Test(text_shape, gives_what_hb_shape_gives)
{
    cr_assert_eq(system("hb-shape --version > /dev/null"), 0,
                 "hb-shape is missing (libharfbuzz-bin, make deps)");
    for (size_t i = 0; i < CASES; i++) {
        struct fonts_options options = {.font = cases[i].font};
        struct diag d;
        struct buf ours = {0}, theirs = {0};

        cr_assert_eq(access(cases[i].font, R_OK), 0, "%s is missing (make deps)", cases[i].font);
        diag_init(&d, SLICE(""));
        struct list *list = list_new(&options, &d);
        struct line_cache *cache = line_cache_new();
        const struct line *line = line_get(cache, list, slice_str(cases[i].text));

        write_line(line, &ours);
        run_hb_shape(i, &theirs);
        cr_expect_str_eq(buf_string(&ours), buf_string(&theirs), "'%s'\n  ours   %s\n  theirs %s",
                         cases[i].text, buf_string(&ours), buf_string(&theirs));
        line_put(line);
        line_cache_free(cache);
        list_free(list);
        buf_release(&ours);
        buf_release(&theirs);
        diag_release(&d);
    }
}

Test(text_shape, refuses_what_is_no_font)
{
    static const char zeros[4096];

    cr_expect_null(shape_font_new(slice_make(NULL, 0), 0));
    cr_expect_null(shape_font_new(SLICE("this is no font"), 0));
    cr_expect_null(shape_font_new(slice_make(zeros, sizeof(zeros)), 0));
}
