#include <zlib.h>

#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/proto_text.h"
#include "unit/support/test.h"

#define FILE_PATH "tests/corpus/perfetto/app.perfetto-trace"

/* Samples; slices by interned and by plain names, of tracks and of ftrace's marks. */
Test(input_perfetto, whole_file)
{
    struct buf bytes = {0};

    folding_load(FILE_PATH, &bytes);
    folding_check_bytes(
        buf_slice(&bytes),
        "--\nmain 2\nmain;read 2\n"
        "--\nmain;by name 4\nmain;frame 12\nmain;frame;draw 20\nmain;later 2\nmain;mark 3\n"
        "tid 99;draw 7\n",
        NULL);
    buf_release(&bytes);
}

/* What has a weight and is left out: slices of old Chrome and of unknown types, bad numbers. */
Test(input_perfetto, events_that_are_not_understood_are_told)
{
    static const struct {
        const char *packets, *told;
    } cases[] = {
        {"1:{8:5 10:2 11:{6:{2:88 3:7} 23:'old'}}",
         "the slice 'old' is a legacy event, of phase X"},
        {"1:{8:5 10:2 11:{9:9 23:'new'}}", "unknown type 9 or time of the event 'new'; skipped"},
        {"1:{8:5 10:2 66:{3:7}} 2:{1:1}", "field 2 of a trace is unknown; skipped"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf bytes = {0};
        struct reading r;

        proto_text_add(&bytes,
                       "1:{8:1 10:2 11:{9:1 23:'f'}} 1:{8:3 10:2 11:{9:2}}"
                       "1:{8:3 10:2 11:{9:3}} 1:{8:3 10:2 11:{9:4}}",
                       NULL);
        proto_text_add(&bytes, cases[i].packets, NULL);
        reading_text(&r, buf_slice(&bytes), NULL);
        cr_expect_eq(r.profile.ledger.unreadable, 1, "%zu", i);
        reading_expect_message(&r, cases[i].told);
        reading_release(&r);
        buf_release(&bytes);
    }
}

/* A sample without a stack counts as such; the profiler's own losses are counted as lost. */
Test(input_perfetto, samples_without_a_stack)
{
    struct buf bytes = {0};
    struct reading r;

    proto_text_add(&bytes,
                   "1:{8:1 10:2 13:1 12:{5:{1:1 2:'f'} 6:{1:1 2:1} 7:{1:1 2:1}} 66:{3:7 4:1}}"
                   "1:{8:2 10:2 66:{3:7}} 1:{8:3 10:2 66:{3:7 18:1}}"
                   "1:{8:4 10:2 66:{1:1 17:5}} 1:{8:5 10:2 66:{19:{1:1}}}"
                   "1:{8:6 10:2 66:{3:7 4:9}}",
                   NULL);
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_assert_eq(r.profile.series.count, 1);
    cr_expect_eq(r.profile.series.items[0].total, 3);
    cr_expect_eq(r.profile.ledger.without_frames, 2);
    cr_expect_eq(r.profile.ledger.lost, 6);
    reading_expect_message(&r, "a sample has the stack 9, which the file does not explain");
    reading_release(&r);
    buf_release(&bytes);
}

/* A name is unknown if it was interned in another sequence, or before the state was cleared. */
Test(input_perfetto, unknown_name)
{
    struct buf bytes = {0};
    size_t at;

    folding_load(FILE_PATH, &bytes);
    at = slice_search(buf_slice(&bytes), SLICE("later"));
    bytes.ptr[at - 3] = 9; /* the number that the name is interned by */
    folding_check_bytes(
        buf_slice(&bytes),
        "--\nmain 2\nmain;read 2\n"
        "--\nmain;[unknown] 2\nmain;by name 4\nmain;frame 12\nmain;frame;draw 20\nmain;mark 3\n"
        "tid 99;draw 7\n",
        "1 slice has a name that the file does not explain");
    buf_release(&bytes);
}

/* Every prefix is read; if it ends within a packet, a message says so. */
Test(input_perfetto, cut_files)
{
    struct buf bytes = {0};
    size_t told = 0;

    folding_load(FILE_PATH, &bytes);
    for (size_t len = 200; len < bytes.len; len++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, slice_take(buf_slice(&bytes), len), NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, INPUT_READ, "%zu", len);
        told += strstr(buf_string(&messages), "damaged or cut from here on") != NULL;
        reading_release(&r);
        buf_release(&messages);
    }
    cr_expect_gt(told, (bytes.len - 200) * 9 / 10);
    buf_release(&bytes);
}

static void add_field(struct buf *out, const char *tag, struct slice bytes)
{
    buf_printf(out, "%s%c%c", tag, (int)(bytes.len & 127) | 128, (int)(bytes.len >> 7));
    buf_add_slice(out, bytes);
}

/* The whole file in one compressed packet. */
Test(input_perfetto, compressed_packets)
{
    struct buf bytes = {0}, packet = {0}, file = {0};
    char packed[8192];
    uLongf len = sizeof(packed);

    folding_load(FILE_PATH, &bytes);
    cr_assert_eq(compress((Bytef *)packed, &len, (const Bytef *)bytes.ptr, bytes.len), Z_OK);
    add_field(&packet, "\222\3", slice_make(packed, len));
    add_field(&file, "\12", buf_slice(&packet));
    folding_check_bytes(
        buf_slice(&file),
        "--\nmain 2\nmain;read 2\n"
        "--\nmain;by name 4\nmain;frame 12\nmain;frame;draw 20\nmain;later 2\nmain;mark 3\n"
        "tid 99;draw 7\n",
        NULL);
    cr_expect(claim_by(&format_perfetto, slice_take(buf_slice(&file), 40), false),
              "the packet goes on behind the head");
    file.ptr[file.len / 2] ^= 1;
    folding_check_bytes(buf_slice(&file), "", "damaged");
    buf_release(&bytes);
    buf_release(&packet);
    buf_release(&file);
}

Test(input_perfetto, claims)
{
    cr_expect(claim_by(&format_perfetto, SLICE("\12\4\120\1\100\5"), true));
    cr_expect_not(claim_by(&format_perfetto, SLICE("\12\2\100\5"), true));
    cr_expect_not(claim_by(&format_perfetto, SLICE("\12\4\10\1\20\2\22\3"), true));
    cr_expect_not(claim_by(&format_perfetto, SLICE("\12\4\120"), true));
}
