#include "text/label.h"

#include "base/pool.h"
#include "base/utf8.h"
#include "raster/fill.h"
#include "text/unicode.h"
#include "unit/support/patience.h"
#include "unit/support/test.h"

static const char *const names[] = {
    "main",
    "std::vector<int, std::allocator<int> >::push_back(int const&)",
    "java/util/concurrent/ThreadPoolExecutor.runWorker",
    "AVATAR To. Wave, fi ffi",
    "a b c d e f g",
    "entry_SYSCALL_64_after_hwframe",
    "naïve::façade e\u0301e\u0301e\u0301 ü",
    "中文函数标签::性能分析",
    "مرحبا بالعالم",
    "السَّلَامُ عَلَيْكُمْ main",
    "क्षत्रिय नमस्ते दुनिया",
    "mixed שלום (abc) main",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467 family \U0001f1e9\U0001f1ea flag",
    "\u202eevil\u202c name\t\x01",
    "zero\u200bwidth\u200dname\ufeff",
    "\u1100\u1161\u11a8\u1100\u1161\u11a8 한국어",
    "x",
    "  two  blanks  ",
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static const enum label_mode modes[] = {LABEL_SMART, LABEL_HEAD, LABEL_TAIL};

static struct fonts *open_fonts(const struct fonts_options *options)
{
    struct diag d;

    diag_init(&d, SLICE(""));
    struct fonts *f = fonts_new(options, &d);

    cr_assert_not_null(f);
    diag_release(&d);
    return f;
}

static struct slice without_ellipsis(struct slice s)
{
    static const struct slice dots = {LABEL_ELLIPSIS, 3};

    if (slice_starts(s, dots))
        return slice_skip(s, 3);
    return slice_ends(s, dots) ? slice_take(s, s.len - 3) : s;
}

/* Returns true if a cluster of `text` begins at byte `at`, or the text ends there. */
static bool is_boundary(struct slice text, size_t at)
{
    uint32_t chars[256];
    size_t bytes[257];
    size_t count = 0;
    struct slice rest = text;

    for (; rest.len > 0; count++) {
        bytes[count] = text.len - rest.len;
        rest = slice_skip(rest, utf8_decode(rest, &chars[count]));
    }
    bytes[count] = text.len;
    for (size_t i = 0; i < count; i += unicode_cluster(chars + i, count - i)) {
        if (bytes[i] == at)
            return true;
    }
    return at == text.len;
}

/* Checks the properties that every label of label_fit() has. */
static void check_fitted(struct fonts *f, struct label_style style, const char *name, int64_t room,
                         int64_t width, struct slice got)
{
    struct slice kept = without_ellipsis(got);

    cr_expect(utf8_valid(got), "'%s' in %ld", name, (long)room);
    cr_expect_leq(width, room, "'%s' in %ld: %ld", name, (long)room, (long)width);
    cr_expect_eq(width > 0, got.len > 0, "'%s' in %ld", name, (long)room);
    if (got.len == 0)
        return;
    cr_expect_eq(label_width(f, style, got), width, "'%.*s'", SLICE_ARG(got));
    for (size_t i = 0; i < kept.len;) {
        uint32_t c;

        i += utf8_decode(slice_skip(kept, i), &c);
        cr_expect_not(unicode_is_forbidden(c), "'%s' shows U+%04X", name, c);
    }
}

Test(text_label, fits_every_room)
{
    struct fonts *f = open_fonts(NULL);
    struct label_style style = label_style(12, 1);

    for (size_t i = 0; i < NAMES; i++) {
        int64_t whole = label_width(f, style, slice_str(names[i]));

        for (int64_t room = 0; room < whole + 64; room += 23) {
            for (size_t m = 0; m < 3; m++) {
                struct buf out = {0};

                int64_t width = label_fit(f, style, slice_str(names[i]), room, modes[m], &out);

                check_fitted(f, style, names[i], room, width, buf_slice(&out));
                if (room >= whole)
                    cr_expect_eq(width, whole, "'%s' is not whole in %ld", names[i], (long)room);
                buf_release(&out);
            }
        }
    }
    fonts_free(f);
}

static void check_cuts(struct fonts *f)
{
    struct label_style style = label_style(12, 1);

    for (size_t i = 0; i < NAMES; i++) {
        struct slice name = slice_str(names[i]);
        int64_t whole = label_width(f, style, name);
        size_t most = 0;

        for (int64_t room = 0; room < whole; room += 17) {
            struct buf head = {0}, tail = {0};

            label_fit(f, style, name, room, LABEL_HEAD, &head);
            label_fit(f, style, name, room, LABEL_TAIL, &tail);
            struct slice first = without_ellipsis(buf_slice(&head));
            struct slice last = without_ellipsis(buf_slice(&tail));

            /* Control characters are replaced in labels, which differ from the name then. */
            if (!strchr(names[i], '\t')) {
                cr_expect(slice_starts(name, first) && is_boundary(name, first.len), "'%s': '%s'",
                          names[i], buf_string(&head));
                cr_expect(slice_ends(name, last) && is_boundary(name, name.len - last.len),
                          "'%s': '%s'", names[i], buf_string(&tail));
            }
            cr_expect_geq(first.len, most, "'%s' shows less in more room", names[i]);
            most = first.len;
            buf_release(&head);
            buf_release(&tail);
        }
        cr_expect(most > 0 || name.len < 3, "'%s' is never shown in part", names[i]);
    }
}

/* Tries the system's fonts, and embedded fonts alone, which lack half of the characters. */
Test(text_label, never_cuts_a_cluster)
{
    struct fonts_options alone = {.system = false};
    struct fonts *all = open_fonts(NULL);
    struct fonts *few = open_fonts(&alone);

    check_cuts(all);
    check_cuts(few);
    fonts_free(all);
    fonts_free(few);
}

Test(text_label, shortens_like_a_person)
{
    static const char name[] = "void app::Cache<int, Key>::insert(Key const&) const";
    static const char *const steps[] = {
        name, "app::Cache<int, Key>::insert", "app::Cache::insert", "Cache::insert", "insert",
    };
    struct fonts *f = open_fonts(NULL);
    struct label_style style = label_style(12, 1);

    for (size_t i = 0; i < 5; i++) {
        struct buf out = {0};
        int64_t room = label_width(f, style, slice_str(steps[i]));

        label_fit(f, style, slice_str(name), room, LABEL_SMART, &out);
        cr_expect_str_eq(buf_string(&out), steps[i], "'%s' where '%s' fits", buf_string(&out),
                         steps[i]);
        buf_clear(&out);
        label_fit(f, style, slice_str(name), room - 1, LABEL_SMART, &out);
        if (i < 4)
            cr_expect_str_eq(buf_string(&out), steps[i + 1], "'%s' where '%s' fits",
                             buf_string(&out), steps[i + 1]);
        else
            cr_expect_str_eq(buf_string(&out), "inse" LABEL_ELLIPSIS, "'%s'", buf_string(&out));
        buf_release(&out);
    }
    fonts_free(f);
}

Test(text_label, leaves_at_least_two_characters)
{
    struct fonts *f = open_fonts(NULL);
    struct label_style style = label_style(12, 1);
    int64_t two = label_width(f, style, SLICE("mm" LABEL_ELLIPSIS));
    struct buf out = {0};

    cr_expect_eq(label_fit(f, style, SLICE("mmmmmm"), two - 1, LABEL_HEAD, &out), 0);
    cr_expect_eq(label_fit(f, style, SLICE("mmmmmm"), two - 1, LABEL_TAIL, &out), 0);
    cr_expect_eq(label_fit(f, style, SLICE("éééééé"), two / 2, LABEL_HEAD, &out), 0);
    cr_expect_eq(out.len, 0);
    cr_expect_eq(label_fit(f, style, SLICE("mmmmmm"), two, LABEL_HEAD, &out), two);
    cr_expect_str_eq(buf_string(&out), "mm" LABEL_ELLIPSIS);
    cr_expect_gt(label_fit(f, style, SLICE("x"), 640, LABEL_HEAD, &out), 0);
    buf_release(&out);
    fonts_free(f);
}

Test(text_label, shows_what_it_must_not_obey)
{
    struct fonts *f = open_fonts(NULL);
    struct label_style style = label_style(12, 1);
    struct buf out = {0};

    label_fit(f, style, SLICE("a\u202eb\tc\x7f\u2066"), 1 << 20, LABEL_SMART, &out);
    cr_expect_str_eq(buf_string(&out), "a\ufffdb\ufffdc\ufffd\ufffd");
    buf_release(&out);
    fonts_free(f);
}

static void check_drawn_alike(struct fonts *a, struct fonts *b, struct slice text)
{
    struct pixmap first, second;

    pixmap_init(&first, 180, 20);
    pixmap_init(&second, 180, 20);
    label_draw(a, label_style(12, 1), &first, 90, 15, text, pixmap_bounds(&first));
    label_draw(b, label_style(12, 1), &second, 90, 15, text, pixmap_bounds(&first));
    cr_expect(memcmp(first.pixels, second.pixels, 180 * 20) == 0, "'%.*s'", SLICE_ARG(text));
    pixmap_release(&first);
    pixmap_release(&second);
}

/* Returns the highest row with ink; the picture has 80 rows and its baseline is row 60. */
static int32_t first_row(struct fonts *f, struct label_style style, const char *text)
{
    struct pixmap p;
    int32_t row = -1;

    pixmap_init(&p, 60, 80);
    label_draw(f, style, &p, 10 * 64, 60, slice_str(text), pixmap_bounds(&p));
    for (int32_t i = 0; i < 60 * 80 && row < 0; i++) {
        if (p.pixels[i] > 3)
            row = i / 60;
    }
    pixmap_release(&p);
    return row;
}

/* Shaping, for the default font as a file, and pairs, for the embedded one, measure the same. */
Test(text_label, measuring_by_pairs_changes_nothing)
{
    static const char *const ascii[] = {"main",
                                        "AVATAR To. Wave, fi ffi",
                                        "a b  c",
                                        "  lead",
                                        "std::map<K, V>::find(K const&)",
                                        "com.foo.Bar.baz",
                                        "L.V.A.T.y.P.",
                                        "f",
                                        "___",
                                        "\"quotes\" 'and' `more`"};
    struct fonts_options options = {
        .font = "/usr/share/fonts/truetype/roboto/unhinted/RobotoCondensed-Regular.ttf"};
    struct fonts *pairs = open_fonts(NULL);
    struct fonts *shaped = open_fonts(&options);
    struct label_style style = label_style(12, 1);

    for (size_t i = 0; i < sizeof(ascii) / sizeof(ascii[0]); i++) {
        struct slice name = slice_str(ascii[i]);
        int64_t whole = label_width(pairs, style, name);

        cr_expect_eq(whole, label_width(shaped, style, name), "'%s'", ascii[i]);
        for (int64_t room = 1; room < whole + 9; room += 5) {
            for (size_t m = 0; m < 3; m++) {
                struct buf a = {0}, b = {0};

                int64_t first = label_fit(pairs, style, name, room, modes[m], &a);
                int64_t second = label_fit(shaped, style, name, room, modes[m], &b);

                cr_expect(first == second && slice_equal(buf_slice(&a), buf_slice(&b)),
                          "'%s' in %ld: '%s' and '%s'", ascii[i], (long)room, buf_string(&a),
                          buf_string(&b));
                buf_release(&a);
                buf_release(&b);
            }
        }
        check_drawn_alike(pairs, shaped, name);
    }
    fonts_free(pairs);
    fonts_free(shaped);
}

/* Marks are just above their letters, and higher above a capital. */
Test(text_label, marks_are_raised)
{
    struct fonts_options options = {.font = "DejaVu Sans Condensed"};
    struct fonts *f = open_fonts(&options);
    struct label_style style = label_style(24, 1);
    int32_t small = first_row(f, style, "x\u0301"), large = first_row(f, style, "X\u0301");
    int32_t capital = first_row(f, style, "X");

    cr_expect_lt(large, small, "rows %d and %d", large, small);
    cr_expect_lt(large, capital - 2, "rows %d and %d", large, capital);
    cr_expect_gt(large, capital - 12, "rows %d and %d", large, capital);
    fonts_free(f);
}

enum { WIDTH = 400, ROW = 18 };

/* Fits and draws all names, one below the other. */
static void draw_names(struct fonts *f, struct pixmap *p, double ratio)
{
    struct label_style style = label_style(12, ratio);

    pixmap_init(p, (uint32_t)(WIDTH * ratio), (uint32_t)(ROW * NAMES * ratio));
    for (int32_t i = 0; i < NAMES; i++) {
        int32_t top = (int32_t)(i * ROW * ratio);
        int32_t bottom = (int32_t)((i + 1) * ROW * ratio);
        struct clip row = {0, top, (int32_t)p->width, bottom};
        struct buf out = {0};

        label_fit(f, style, slice_str(names[i]), (int64_t)(300 * 64 * ratio), LABEL_SMART, &out);
        label_draw(f, style, p, 3 * 64, label_baseline(f, style, top, bottom), buf_slice(&out),
                   row);
        buf_release(&out);
    }
}

static void draw_job(void *context, size_t index, unsigned worker)
{
    struct pixmap p, reference;
    struct fonts *own = open_fonts(NULL);
    double ratio = index % 2 ? 1 : 2;

    (void)worker;
    draw_names(context, &p, ratio);
    draw_names(own, &reference, ratio);
    cr_expect(memcmp(p.pixels, reference.pixels, (size_t)p.width * p.height) == 0, "job %zu",
              index);
    pixmap_release(&p);
    pixmap_release(&reference);
    fonts_free(own);
}

Test(text_label, threads_draw_the_same)
{
    struct fonts *f = open_fonts(NULL);

    pool_run(4, 8, draw_job, f);
    fonts_free(f);
}

Test(text_label, draws_inside_the_clip_only)
{
    struct fonts *f = open_fonts(NULL);
    struct label_style style = label_style(14, 1);

    for (size_t i = 0; i < NAMES; i++) {
        struct pixmap whole, part;
        struct clip clip = {20, 7, 61, 15};
        unsigned wrong = 0, ink = 0;

        pixmap_init(&whole, 200, 24);
        pixmap_init(&part, 200, 24);
        label_draw(f, style, &whole, 64, 17, slice_str(names[i]), pixmap_bounds(&whole));
        label_draw(f, style, &part, 64, 17, slice_str(names[i]), clip);
        for (int32_t y = 0; y < 24; y++) {
            for (int32_t x = 0; x < 200; x++) {
                bool inside = x >= clip.left && x < clip.right && y >= clip.top && y < clip.bottom;
                uint8_t level = pixmap_row(&whole, (uint32_t)y)[x];

                ink += level > 0;
                wrong += pixmap_row(&part, (uint32_t)y)[x] != (inside ? level : 0);
            }
        }
        cr_expect_eq(wrong, 0, "'%s': %u pixels", names[i], wrong);
        cr_expect_gt(ink, 10, "'%s' is not there", names[i]);
        pixmap_release(&whole);
        pixmap_release(&part);
    }
    fonts_free(f);
}

/* Drawing a text gives the same pixels as drawing its halves side by side. */
Test(text_label, letters_stand_where_they_were_measured)
{
    struct fonts *f = open_fonts(NULL);
    struct label_style style = label_style(12, 1);
    struct pixmap whole, parts;

    pixmap_init(&whole, 120, 20);
    pixmap_init(&parts, 120, 20);
    label_draw(f, style, &whole, 200, 15, SLICE("main_loop"), pixmap_bounds(&whole));
    label_draw(f, style, &parts, 200, 15, SLICE("main_"), pixmap_bounds(&parts));
    int32_t x = 200 + (int32_t)(label_width(f, style, SLICE("main_loop")) -
                                label_width(f, style, SLICE("loop")));

    label_draw(f, style, &parts, x, 15, SLICE("loop"), pixmap_bounds(&parts));
    cr_expect(memcmp(whole.pixels, parts.pixels, 120 * 20) == 0);
    pixmap_release(&whole);
    pixmap_release(&parts);
    fonts_free(f);
}

/* The lowest rows are as high as the font. */
Test(text_label, tails_stay_in_low_rows)
{
    struct fonts *f = open_fonts(NULL);

    for (int32_t height = 12; height < 20; height++) {
        struct label_style style = label_style(12, 1);
        int32_t tails = 3, baseline = label_baseline(f, style, 0, height);

        cr_expect_leq(baseline + tails, height, "%d: %d", height, baseline);
        cr_expect_geq(baseline, 9, "%d: %d", height, baseline);
    }
    cr_expect_eq(label_baseline(f, label_style(12, 1), 0, 10), 9, "capitals stay whole");
    fonts_free(f);
}

Test(text_label, baseline_centres_capitals)
{
    struct fonts *f = open_fonts(NULL);

    for (int32_t height = 15; height < 40; height++) {
        struct label_style style = label_style(12, 1);
        struct pixmap p;
        int32_t first = -1, last = -1;

        pixmap_init(&p, 40, (uint32_t)height);
        label_draw(f, style, &p, 64, label_baseline(f, style, 0, height), SLICE("HEH"),
                   pixmap_bounds(&p));
        for (int32_t y = 0; y < height; y++) {
            for (uint32_t x = 0; x < 40; x++) {
                if (pixmap_row(&p, (uint32_t)y)[x] < 4)
                    continue;
                first = first < 0 ? y : first;
                last = y;
            }
        }
        cr_expect_leq(abs(first - (height - 1 - last)), 1, "%d: rows %d to %d", height, first,
                      last);
        pixmap_release(&p);
    }
    fonts_free(f);
}

/* The time for a very long name depends on the room, not on the length of the name. */
Test(text_label, long_names_are_cheap)
{
    enum { LENGTH = 300000, ROUNDS = 50 };
    static const char *const units[] = {"abc::",  "é", "म", "a\u0301", "\u0301",
                                        "\u200b", "(", "<", "ب",       "a.b "};
    struct fonts *f = open_fonts(NULL);
    struct label_style style = label_style(12, 1);

    patience(20);
    for (size_t u = 0; u < sizeof(units) / sizeof(units[0]); u++) {
        struct buf name = {0}, out = {0};

        while (name.len < LENGTH)
            buf_add_str(&name, units[u]);
        for (int i = 0; i < ROUNDS; i++) {
            buf_clear(&out);
            int64_t width = label_fit(f, style, buf_slice(&name), 100 * 64, modes[i % 3], &out);

            cr_expect_leq(width, 100 * 64);
            cr_expect_lt(out.len, 10000, "%zu bytes of '%s'", out.len, units[u]);
        }
        buf_release(&name);
        buf_release(&out);
    }
    fonts_free(f);
}

Test(text_label, styles)
{
    cr_expect_eq(label_style(12, 1).size, 12 * 64);
    cr_expect_eq(label_style(12, 2).size, 24 * 64);
    cr_expect_eq(label_style(0.1, 1).size, LABEL_MIN_SIZE * 64);
    cr_expect_eq(label_style(1e9, 1).size, LABEL_MAX_SIZE * 64);
}
