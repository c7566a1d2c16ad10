/* The start of the file that describes a part of a report. */
#include "batch/part.h"
#include "report/graph_codec.h"
#include "unit/support/test.h"

/* What differs between the heads; the rest is the same in each. */
struct written {
    uint64_t number, count, listed, character;
    struct slice word;
    size_t cut; /* bytes that the end lacks */
};

static const struct written good = {2, 3, 1, 0x4e2d, {"-o", 2}, 0};

/* With the digest of these bytes: whoever changes a part can compute it. */
static void write_head(struct buf *out, const struct written *w)
{
    unsigned char digest[BLAKE_SIZE];
    struct blake all;

    buf_add_str(out, "flamepress-part/1\n");
    graph_codec_write_text(out, SLICE("1.0"));
    graph_codec_write_text(out, SLICE("build"));
    graph_codec_write_number(out, w->number);
    graph_codec_write_number(out, w->count);
    graph_codec_write_text(out, SLICE("inputs"));
    graph_codec_write_text(out, SLICE("setting"));
    graph_codec_write_number(out, 1);
    graph_codec_write_text(out, w->word);
    graph_codec_write_number(out, 0);
    graph_codec_write_number(out, 1);
    graph_codec_write_number(out, w->listed);
    graph_codec_write_number(out, w->character);
    out->len -= w->cut;
    blake_init(&all);
    blake_add(&all, buf_slice(out));
    blake_end(&all, digest);
    buf_add(out, digest, BLAKE_SIZE);
}

static bool reads(const struct written *w)
{
    struct buf text = {0};
    struct arena memory = {0};
    struct part_head head = {0};
    struct slice in;
    bool read;

    write_head(&text, w);
    in = buf_slice(&text);
    read = part_head_read(&in, &memory, &head);
    if (read) {
        cr_expect_eq(in.len, 0);
        cr_expect_eq(head.id.number, w->number);
        cr_expect_eq(head.id.count, w->count);
        cr_expect(slice_equal(slice_str(head.words.items[0]), w->word));
        cr_expect(head.embedded);
        cr_expect_eq(head.missing.count, w->listed);
        cr_expect_eq(head.missing.items[0], w->character);
    }
    part_head_release(&head);
    arena_release(&memory);
    buf_release(&text);
    return read;
}

Test(batch_part, a_head_is_read_as_it_was_written)
{
    static const struct written rows[] = {
        good,
        {1, 1, 1, 0x4e2d, {"-o", 2}, 0},
        {PARTS_MOST, PARTS_MOST, 1, UINT32_MAX, {"", 0}, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect(reads(&rows[i]), "row %zu", i);
}

Test(batch_part, what_no_program_writes_is_refused)
{
    static const struct written rows[] = {
        {0, 3, 1, 0x4e2d, {"-o", 2}, 0},
        {4, 3, 1, 0x4e2d, {"-o", 2}, 0},
        {2, PARTS_MOST + 1, 1, 0x4e2d, {"-o", 2}, 0},
        {2, 3, 1, (uint64_t)UINT32_MAX + 1, {"-o", 2}, 0},
        {2, 3, 2, 0x4e2d, {"-o", 2}, 0},
        {2, 3, 100, 0x4e2d, {"-o", 2}, 0},
        {2, 3, 1, 0x4e2d, {"-\0o", 3}, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect(!reads(&rows[i]), "row %zu", i);
}

Test(batch_part, a_head_that_is_cut_is_refused)
{
    struct buf whole = {0};
    struct written w = good;

    write_head(&whole, &good);
    for (w.cut = 1; w.cut <= whole.len - BLAKE_SIZE; w.cut++)
        cr_expect(!reads(&w), "without %zu bytes", w.cut);
    buf_release(&whole);
}

Test(batch_part, each_byte_counts)
{
    struct arena memory = {0};
    struct buf text = {0};

    write_head(&text, &good);
    for (size_t i = 0; i < text.len; i++) {
        struct part_head head = {0};
        struct slice in = buf_slice(&text);

        text.ptr[i] ^= 1;
        cr_expect(!part_head_read(&in, &memory, &head), "byte %zu", i);
        text.ptr[i] ^= 1;
        part_head_release(&head);
    }
    arena_release(&memory);
    buf_release(&text);
}
