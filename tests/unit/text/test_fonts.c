#include "text/fonts.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "text/label.h"
#include "unit/support/test.h"

#define ARABIC "/usr/share/fonts/truetype/noto/NotoSansArabic-Regular.ttf"
#define CHINESE "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"

/* Expects that opening fails with a message that contains `words`. */
static void expect_error(const struct fonts_options *options, const char *words)
{
    struct diag d;
    struct buf said = {0};

    diag_init(&d, SLICE(""));
    struct fonts *f = fonts_new(options, &d);

    cr_expect_null(f, "opened; '%s' was expected", words);
    diag_write(&d, &said, false);
    cr_expect_eq(d.counts[DIAG_ERROR], 1);
    cr_expect(strstr(buf_string(&said), words) != NULL, "'%s' lacks '%s'", buf_string(&said),
              words);
    fonts_free(f);
    buf_release(&said);
    diag_release(&d);
}

static struct fonts *open_fonts(const char *font, const char *directory, bool system)
{
    struct fonts_options options = {font, directory, system};
    struct diag d;
    struct buf said = {0};

    diag_init(&d, SLICE(""));
    struct fonts *f = fonts_new(&options, &d);

    diag_write(&d, &said, false);
    cr_assert_not_null(f, "%s", buf_string(&said));
    buf_release(&said);
    diag_release(&d);
    return f;
}

/* Draws a text and returns the characters that no font has, as "U+4E2D U+6587". */
static char *draw_missing(struct fonts *f, const char *text)
{
    struct fonts_chars chars = {0};
    struct pixmap p;
    struct buf list = {0};

    pixmap_init(&p, 300, 20);
    label_draw(f, label_style(12, 1), &p, 0, 15, slice_str(text), pixmap_bounds(&p));
    pixmap_release(&p);
    fonts_missing(f, &chars);
    vec_each (uint32_t, c, &chars)
        buf_printf(&list, "%sU+%04X", list.len ? " " : "", *c);
    vec_release(&chars);
    return buf_detach(&list, NULL);
}

static void expect_missing(struct fonts *f, const char *text, const char *want)
{
    char *got = draw_missing(f, text);

    cr_expect_str_eq(got, want, "'%s' lacks %s, not %s", text, got, want);
    free(got);
}

Test(text_fonts, faults_are_told)
{
    expect_error(&(struct fonts_options){.font = "Roboto Condenced", .system = true},
                 "did you mean Roboto Condensed?");
    expect_error(&(struct fonts_options){.font = "No Such Family At All", .system = true},
                 "no font 'No Such Family At All' is installed");
    expect_error(&(struct fonts_options){.font = "/nowhere/font.ttf"}, "/nowhere/font.ttf");
    expect_error(&(struct fonts_options){.font = "/etc/passwd"}, "no font with outlines");
    expect_error(&(struct fonts_options){.font = "/etc"}, "/etc");
    expect_error(&(struct fonts_options){.directory = "/nowhere"}, "'/nowhere'");
}

Test(text_fonts, the_first_font_is_the_one_named)
{
    static const struct {
        const char *font, *family;
    } cases[] = {
        {NULL, "Roboto Condensed"},
        {"roboto condensed", "Roboto Condensed"},
        {"DejaVu Sans Condensed", "DejaVu Sans Condensed"},
        {"Noto Sans Arabic", "Noto Sans Arabic"},
        {ARABIC, "Noto Sans Arabic"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct fonts *f = open_fonts(cases[i].font, NULL, i == 3);

        cr_expect(slice_equal(fonts_family(f), slice_str(cases[i].family)), "%s gives %.*s",
                  cases[i].font, SLICE_ARG(fonts_family(f)));
        fonts_free(f);
    }
}

Test(text_fonts, a_missing_character_is_a_box_and_is_remembered)
{
    struct fonts *f = open_fonts(NULL, NULL, false);
    struct pixmap p;
    unsigned ink = 0;

    expect_missing(f, "main é ж → مرحبا", "");
    expect_missing(f, "b文a中 文\u200d", "U+4E2D U+6587");
    expect_missing(f, "\U0010fffd", "U+4E2D U+6587 U+10FFFD");
    pixmap_init(&p, 30, 20);
    label_draw(f, label_style(12, 1), &p, 64, 15, slice_str("中"), pixmap_bounds(&p));
    for (size_t i = 0; i < 30 * 20; i++)
        ink += p.pixels[i];
    cr_expect_gt(ink, 20, "nothing is to be seen");
    pixmap_release(&p);
    fonts_free(f);
}

Test(text_fonts, other_fonts_are_asked_in_turn)
{
    struct fonts *system = open_fonts(NULL, NULL, true);
    struct fonts *named = open_fonts(CHINESE, NULL, false);
    struct fonts *directory = open_fonts(NULL, "/usr/share/fonts/truetype/droid", false);

    expect_missing(system, "中文 नमस्ते", "");
    expect_missing(named, "中文 नमस्ते", "U+0924 U+0928 U+092E U+0938 U+0947 U+094D");
    expect_missing(directory, "中文 main", "");
    fonts_free(system);
    fonts_free(named);
    fonts_free(directory);
}

Test(text_fonts, a_directory_without_fonts_is_a_warning)
{
    char path[] = P_tmpdir "/fonts-XXXXXX";
    struct diag d;
    struct buf why = {0}, file = {0};

    cr_assert_not_null(mkdtemp(path));
    buf_printf(&file, "%s/broken.ttf", path);
    diag_init(&d, SLICE(""));
    struct fonts *f = fonts_new(&(struct fonts_options){.directory = path}, &d);

    cr_expect_eq(d.counts[DIAG_WARNING], 1);
    fonts_free(f);
    /* A broken font in the directory is skipped. */
    cr_assert(file_create(buf_string(&file), SLICE("no font"), &why));
    f = open_fonts(NULL, path, false);
    expect_missing(f, "中", "U+4E2D");
    fonts_free(f);
    file_remove_tree(path, &why);
    buf_release(&file);
    buf_release(&why);
    diag_release(&d);
}

/*
 * Opening the default fonts starts neither fontconfig nor FreeType: every run opens them. All of it
 * takes less time than to look for a font of the system once.
 */
Test(text_fonts, opening_is_quick)
{
    enum { TIMES = 20 };
    clock_t start = clock(), opened;
    struct fonts *f;

    for (int i = 0; i < TIMES; i++)
        fonts_free(open_fonts(NULL, NULL, true));
    opened = clock() - start;
    start = clock();
    f = open_fonts(NULL, NULL, true);
    expect_missing(f, "中", "");
    fonts_free(f);
    cr_expect_lt(opened, clock() - start);
}
