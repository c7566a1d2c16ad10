#include "batch/graph_pack.h"

#include "base/release.h"
#include "output/pack.h"
#include "unit/support/test.h"

static struct report_graph make(void)
{
    struct report_graph g = {.name = SLICE("n"), .title = SLICE("T"), .alt = SLICE("words")};

    g.total = 12;
    *vec_add(&g.by_self) = (struct report_function){.name = SLICE("idle"), .idle = true};
    *vec_add(&g.by_self) = (struct report_function){.name = SLICE("busy"), .rank = 2};
    *vec_add(&g.by_self) = (struct report_function){.name = SLICE("other"), .rank = 3};
    *vec_add(&g.by_total) = (struct report_function){.name = SLICE("main")};
    *vec_add(&g.areas) = (struct report_area){SLICE("1,2,3,4"), SLICE("f"), SLICE("p")};
    *vec_add(&g.matches) = (struct report_match){.name = SLICE("m")};
    g.pictures[REPORT_SVG].path = SLICE("graphs/n.svg");
    g.pictures[REPORT_PNG].path = SLICE("graphs/n.png");
    return g;
}

Test(batch_graph_pack, a_packed_graph_has_what_the_summary_says)
{
    struct report_graph g = make();

    graph_pack(&g, false);
    cr_expect(slice_equal(g.title, SLICE("T")));
    cr_expect_eq(g.total, 12);
    cr_expect_eq(g.matches.count, 1);
    cr_expect(slice_equal(g.pictures[REPORT_SVG].path, SLICE("graphs/n.svg")));
    cr_assert_eq(g.by_self.count, 1);
    cr_expect(slice_equal(g.by_self.items[0].name, SLICE("busy")));
    cr_expect_eq(g.by_total.count, 0);
    cr_expect_eq(g.areas.count, 0);
    report_graph_release(&g);
}

Test(batch_graph_pack, functions_that_can_differ_between_graphs_stay)
{
    struct report_graph g = make();

    g.by_self.items[2].self.weight = 6; /* of 12 */
    *vec_add(&g.leading) = (struct report_leading){7, 6, false};
    graph_pack(&g, false);
    cr_assert_eq(g.by_self.count, 2);
    cr_expect(slice_equal(g.by_self.items[1].name, SLICE("other")));
    cr_assert_eq(g.leading.count, 1);
    cr_expect_eq(g.leading.items[0].name_hash, 7);
    report_graph_release(&g);
}

Test(batch_graph_pack, the_complete_graph_comes_back_with_what_was_added_since)
{
    struct report_graph g = make(), full = {0};

    cr_expect_not(graph_pack_open(NULL, &g, &full));
    graph_pack(&g, false);
    g.anchor = SLICE("t-1");
    g.is_small = true;
    cr_assert(graph_pack_open(NULL, &g, &full));
    cr_expect_eq(full.by_self.count, 3);
    cr_expect_eq(full.by_total.count, 1);
    cr_expect_eq(full.areas.count, 1);
    cr_expect(slice_equal(full.alt, SLICE("words")));
    cr_expect(slice_equal(full.pictures[REPORT_PNG].path, SLICE("graphs/n.png")));
    cr_expect(slice_equal(full.anchor, SLICE("t-1")));
    cr_expect(full.is_small);
    report_graph_release(&full);
    report_graph_release(&g);
}

Test(batch_graph_pack, a_packed_graph_is_written_and_read_unless_it_is_damaged)
{
    struct report_graph g = make();
    struct buf bytes = {0};

    graph_pack(&g, false);
    graph_pack_write(&g, &bytes);
    for (size_t len = 0; len <= bytes.len; len++) {
        struct slice in = slice_take(buf_slice(&bytes), len);
        struct report_graph read = {0}, full = {0};

        cr_assert_eq(graph_pack_read(NULL, &in, false, &read), len == bytes.len);
        if (len == bytes.len) {
            cr_expect_eq(in.len, 0);
            cr_expect_eq(read.by_self.count, 1);
            cr_assert(graph_pack_open(NULL, &read, &full));
            cr_expect_eq(full.by_self.count, 3);
        }
        report_graph_release(&full);
        report_graph_release(&read);
    }
    buf_release(&bytes);
    report_graph_release(&g);
}

Test(batch_graph_pack, a_graph_that_stays_whole_is_written_as_another)
{
    struct report_graph g = make(), brief = make(), read = {0};
    struct buf bytes = {0}, same = {0};
    struct slice in;

    graph_pack(&g, true);
    cr_expect_eq(g.by_self.count, 3);
    cr_expect_not(graph_pack_open(NULL, &g, &read));
    graph_pack(&brief, false);
    graph_pack_write(&g, &bytes);
    graph_pack_write(&brief, &same);
    cr_expect(slice_equal(buf_slice(&bytes), buf_slice(&same)));
    in = buf_slice(&bytes);
    cr_assert(graph_pack_read(NULL, &in, true, &read));
    cr_expect_eq(read.by_self.count, 3);
    cr_expect_eq(read.areas.count, 1);
    graph_pack_shorten(&g);
    cr_expect_eq(g.by_self.count, 1);
    graph_pack_complete(&g);
    graph_pack_complete(&brief);
    cr_expect_eq(g.by_self.count, 3);
    cr_expect_eq(brief.by_self.count, 3);
    report_graph_release(&g);
    report_graph_release(&brief);
    report_graph_release(&read);
    buf_release(&bytes);
    buf_release(&same);
}

Test(batch_graph_pack, damaged_or_larger_bytes_are_refused)
{
    struct buf packed = {0}, out = {0};

    pack(SLICE("some bytes, some bytes"), PACK_FAST, &packed);
    cr_expect(pack_open(NULL, buf_slice(&packed), 22, &out));
    cr_expect(slice_equal(buf_slice(&out), SLICE("some bytes, some bytes")));
    cr_expect_not(pack_open(NULL, buf_slice(&packed), 21, &out));
    cr_expect_not(pack_open(NULL, slice_take(buf_slice(&packed), packed.len - 1), 22, &out));
    cr_expect_not(pack_open(NULL, SLICE(""), 22, &out));
    cr_expect_not(pack_open(NULL, SLICE("no zstd"), 22, &out));
    buf_release(&packed);
    buf_release(&out);
}
