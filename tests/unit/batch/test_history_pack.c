#include "batch/history_pack.h"

#include "report/graph_codec.h"
#include "unit/support/test.h"

static void fill(struct history *h)
{
    *h = (struct history){0};
    *vec_add(&h->labels) = (struct history_label){
        .name = SLICE("w1"), .date = SLICE("2026-01-01"), .path = "h/w1", .has_stacks = true};
    *vec_add(&h->labels) = (struct history_label){
        .name = SLICE("w2"), .commit = SLICE("abc"), .note = SLICE("n"), .path = "h/w2"};
    *vec_add(&h->damaged) = SLICE("w3");
    *vec_add(&h->unlisted) = SLICE("h/w4");
}

/* What a history has, on one line. */
static void describe(const struct history *h, const struct diag *diag, struct buf *out)
{
    vec_each (const struct history_label, l, &h->labels)
        buf_printf(out, "%.*s %.*s %.*s %.*s %s %d, ", SLICE_ARG(l->name), SLICE_ARG(l->date),
                   SLICE_ARG(l->commit), SLICE_ARG(l->note), l->path, l->has_stacks);
    vec_each (const struct slice, name, &h->damaged)
        buf_printf(out, "damaged %.*s, ", SLICE_ARG(*name));
    vec_each (const struct slice, path, &h->unlisted)
        buf_printf(out, "unlisted %.*s, ", SLICE_ARG(*path));
    diag_write(diag, out, false);
}

Test(batch_history_pack, reads_back_what_it_wrote)
{
    struct history h, again;
    struct diag diag, messages;
    struct buf packed = {0}, text = {0};

    fill(&h);
    diag_init(&diag, SLICE(""));
    diag_init(&messages, SLICE(""));
    diag_error(&messages, "bad %d", 1);
    diag_warn(&messages, "odd");
    history_pack(&h, true, &messages, &packed);
    cr_expect(history_pack_read(&again, "h", buf_slice(&packed), &diag));
    describe(&again, &diag, &text);
    cr_expect_str_eq(buf_string(&text),
                     "w1 2026-01-01   h/w1 1, w2  abc n h/w2 0, damaged w3, unlisted h/w4, "
                     "error: bad 1\nwarning: odd\n");
    history_release(&again);
    diag_release(&messages);
    diag_release(&diag);
    buf_release(&text);
    buf_release(&packed);
    history_release(&h);
}

/* Returns whether `bytes` are taken for a history. */
static bool unpack(struct slice bytes)
{
    struct history h;
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE(""));
    ok = history_pack_read(&h, "h", bytes, &diag);
    cr_expect(ok || diag.counts[DIAG_ERROR]);
    vec_each (const struct history_label, l, &h.labels)
        cr_expect(slice_starts(slice_str(l->path), SLICE("h/")) &&
                      slice_find_last(slice_str(l->path), '/') == 1,
                  "%s", l->path);
    history_release(&h);
    diag_release(&diag);
    return ok;
}

Test(batch_history_pack, trusts_no_bytes)
{
    static const struct slice names[] = {SLICE(".."), SLICE("."),    SLICE(""),
                                         SLICE("/"),  SLICE("../x"), SLICE("a\0b")};
    struct buf packed = {0};
    struct diag none;
    struct history h;

    fill(&h);
    diag_init(&none, SLICE(""));
    history_pack(&h, true, &none, &packed);
    for (size_t n = 0; n < packed.len; n++)
        cr_expect_not(unpack(slice_take(buf_slice(&packed), n)), "%zu bytes", n);
    for (size_t i = 0; i < packed.len * 256; i++) {
        char *byte = &packed.ptr[i / 256], kept = *byte;

        *byte = (char)i;
        unpack(buf_slice(&packed));
        *byte = kept;
    }
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        buf_clear(&packed);
        h.labels.items[0].name = names[i];
        history_pack(&h, true, &none, &packed);
        cr_expect_not(unpack(buf_slice(&packed)), "name %zu", i);
    }
    buf_release(&packed);
    diag_release(&none);
    history_release(&h);
}
