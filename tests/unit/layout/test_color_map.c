#include "layout/color_map.h"

#include "unit/support/test.h"

static void read_map(struct color_map *m, struct slice text, uint64_t warnings, bool is_map)
{
    struct diag diag;

    *m = (struct color_map){0};
    diag_init(&diag, SLICE("palette.map"));
    cr_expect_eq(color_map_read(m, text, &diag), is_map);
    cr_expect_eq(diag.counts[DIAG_WARNING], warnings);
    cr_expect_eq(diag.counts[DIAG_ERROR], is_map ? 0 : 1);
    diag_release(&diag);
}

Test(layout_color_map, lines)
{
    static const char text[] = "main->rgb(205,92,0)\n"
                               "a->b->rgb(1,2,3)\r\n"
                               "read_[k]->rgb( 255, 0 ,17)\n"
                               "\n"
                               "main->rgb(4,5,6)\n";
    struct color_map m;
    palette_color c;

    read_map(&m, slice_str(text), 0, true);
    cr_expect(color_map_find(&m, SLICE("main"), SYMBOL_USER, &c));
    cr_expect_eq(c, 0x040506, "the last line counts");
    cr_expect(color_map_find(&m, SLICE("a->b"), SYMBOL_USER, &c));
    cr_expect_eq(c, 0x010203);
    cr_expect(color_map_find(&m, SLICE("read"), SYMBOL_KERNEL, &c));
    cr_expect_eq(c, 0xff0011);
    cr_expect_not(color_map_find(&m, SLICE("read"), SYMBOL_USER, &c));
    color_map_release(&m);
}

Test(layout_color_map, what_is_no_line)
{
    static const char *const bad[] = {
        "main",           "->rgb(1,2,3)",     "a->rgb(1,2)",     "a->rgb(1,2,3",
        "a->rgb(1,2,3)x", "a->rgb(1,2,256)",  "a->rgb(-1,2,3)",  "a->rgb(a,b,c)",
        "a->rgb()",       "\xff->rgb(1,2,3)", "a->rgb(1,2,3,4)",
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct color_map m;

        read_map(&m, slice_str(bad[i]), 1, false);
        cr_expect_eq(intern_count(&m.names), 0, "%s", bad[i]);
        color_map_release(&m);
    }
}

/* Merging keeps old colours and adds new ones. The file is sorted by name and read back equal. */
Test(layout_color_map, round_trip)
{
    struct color_map m, more = {0}, again;
    struct buf out = {0}, second = {0};

    read_map(&m, SLICE("main->rgb(1,2,3)\n"), 0, true);
    color_map_add(&more, SLICE("main"), SYMBOL_USER, 0xffffff);
    color_map_add(&more, SLICE("main"), SYMBOL_JIT, 0x102030);
    color_map_add(&more, SLICE("main"), SYMBOL_JIT, 0x000000);
    color_map_add(&more, SLICE("a\nb"), SYMBOL_USER, 0x00ff00);
    color_map_merge(&m, &more);
    color_map_write(&m, &out);
    cr_expect_str_eq(buf_string(&out),
                     "a b->rgb(0,255,0)\nmain->rgb(1,2,3)\nmain_[j]->rgb(16,32,48)\n");
    read_map(&again, buf_slice(&out), 0, true);
    color_map_write(&again, &second);
    cr_expect(slice_equal(buf_slice(&out), buf_slice(&second)));
    color_map_release(&m);
    color_map_release(&more);
    color_map_release(&again);
    buf_release(&out);
    buf_release(&second);
}
