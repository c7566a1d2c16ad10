#include "report/graph_codec.h"

#include <string.h>

#include "unit/support/test.h"

/* Fills every member that is written with a different value. */
static void fill(struct report_graph *g)
{
    static const struct report_function function = {.name = {"f", 1}, .rank = 300, .idle = true};

    g->name = SLICE("a");
    g->title = SLICE("a title");
    g->notes_anchor = SLICE("anchor");
    g->scale = (struct unit_scale){{UNIT_SECONDS, -9, {"s", 1}}, 3, 0.25};
    g->total = UINT64_MAX;
    g->samples = 127;
    g->functions = 128;
    g->has_remarks = true;
    *vec_add(&g->facts) = (struct report_fact){SLICE("key"), SLICE("value")};
    *vec_add(&g->runs) = (struct report_run){.host = SLICE("host"), .lost = 7};
    *vec_add(&g->runs.items[0].facts) = (struct report_fact){SLICE("k"), SLICE("v")};
    *vec_add(&g->exports) = (struct report_export){SLICE("pprof"), "pprof", SLICE("graphs/a.pb")};
    *vec_add(&g->by_self) = function;
    *vec_add(&g->total_changes) = function;
    *vec_add(&g->matches) = (struct report_match){.pattern = SLICE("^x"), .exhausted = 1};
    *vec_add(&g->file_gaps) = (struct report_gap){.much = SLICE("12 lines"), .weight = 5};
    *vec_add(&g->areas) = (struct report_area){SLICE("1,2,3,4"), SLICE("f"), SLICE("p")};
    g->pictures[REPORT_PNG_DARK_2X] = (struct report_file){SLICE("x.png"), SLICE(""), 10, 20};
}

Test(report_graph_codec, gives_back_what_was_written)
{
    struct report_graph g = {0}, read = {0};
    struct buf bytes = {0}, again = {0};
    struct slice in;

    fill(&g);
    graph_codec_write(&g, &bytes);
    in = buf_slice(&bytes);
    cr_assert(graph_codec_read(&in, &read));
    cr_expect_eq(in.len, 0);
    graph_codec_write(&read, &again);
    cr_expect(slice_equal(buf_slice(&bytes), buf_slice(&again)));
    cr_expect(slice_equal(read.notes_anchor, SLICE("anchor")));
    cr_expect(read.total == UINT64_MAX && read.scale.factor == 0.25 && read.has_remarks);
    cr_expect(read.scale.unit.kind == UNIT_SECONDS && read.scale.unit.exponent == -9);
    cr_expect(read.total_changes.items[0].rank == 300 && read.total_changes.items[0].idle);
    cr_expect_str_eq(read.exports.items[0].name, "pprof");
    cr_expect(slice_equal(read.runs.items[0].facts.items[0].value, SLICE("v")));
    cr_expect_eq(read.pictures[REPORT_PNG_DARK_2X].height, 20);
    report_graph_release(&read);
    report_graph_release(&g);
    buf_release(&again);
    buf_release(&bytes);
}

/* Bytes that end early are refused; changed bytes are never read beyond the end. */
Test(report_graph_codec, refuses_cut_bytes)
{
    struct report_graph g = {0};
    struct buf bytes = {0};

    fill(&g);
    graph_codec_write(&g, &bytes);
    for (size_t len = 0; len < bytes.len; len++) {
        struct report_graph read = {0};
        char *copy = xmalloc(len + 1);
        struct slice in = slice_make(copy, len);

        memcpy(copy, bytes.ptr, len);
        cr_expect(!graph_codec_read(&in, &read), "%zu bytes", len);
        report_graph_release(&read);
        xfree(copy);
    }
    for (size_t at = 0; at < bytes.len; at++) {
        struct report_graph read = {0};
        char *copy = xmalloc(bytes.len);
        struct slice in = slice_make(copy, bytes.len);

        memcpy(copy, bytes.ptr, bytes.len);
        copy[at] = (char)(copy[at] ^ 0xff);
        graph_codec_read(&in, &read);
        report_graph_release(&read);
        xfree(copy);
    }
    report_graph_release(&g);
    buf_release(&bytes);
}
