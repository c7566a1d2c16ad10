
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define TOP "NYTProf 5 0\n:ticks_per_sec=10000000\n:nv_size=8\n"
/* Doubles of this machine's order: 1, 2 and 3. */
#define ONE "\0\0\0\0\0\0\xf0\x3f"
#define TWO "\0\0\0\0\0\0\0\x40"
#define THREE "\0\0\0\0\0\0\x08\x40"

static const struct {
    const char *what;
    struct slice input;
    const char *told;
} cases[] = {
    {"a callee returns before its caller",
     SLICE(TOP "<\2" ONE ONE "'\1f<\2" TWO TWO "'\1g<\1" THREE ONE "\"\4main"),
     "== time seconds e-9\nmain 100\nmain;f 100\nmain;g 200\n"},
    {"numbers of one to five bytes",
     SLICE(TOP "+\1\x80\x81\xc0\1\2-*\xe1\2\3\4\xff\1\2\3\4\1\2\3<\1" ONE ONE "'\1f"),
     "== time seconds e-9\nf 100\n"},
    {"a caller that did not return", SLICE(TOP "<\3" ONE ONE "'\1f<\1" ONE ONE "'\1g"),
     "== time seconds e-9\ng 100\ng;f 100\n"},
    {"sums of pairs without calls",
     SLICE(TOP "c\1\1'\4main\1" THREE ONE ONE "\1'\1fc\1\1'\1f\1" TWO TWO ONE "\1'\1g"),
     "== time seconds e-9\nmain;f 100\nmain;f;g 200\n"},
    {"a file that was cut", SLICE(TOP "<\1" ONE ONE "'\1f<\1" ONE),
     "== time seconds e-9\nf 100\n"
     "in: warning: the recording is damaged or was cut; 1 call before that is read\n"},
    {"a tag that is none", SLICE(TOP "<\1" ONE ONE "'\1f?"),
     "== time seconds e-9\nf 100\n"
     "in: warning: unknown record, of tag 0x3f, after 1 call; the rest of the recording is "
     "skipped\n"},
    {"long doubles", SLICE("NYTProf 5 0\n:nv_size=16\n<\1"),
     "in: error: the perl of this recording has long doubles; run: nytprofcalls FILE | flamepress "
     "graph\nfailed\n"},
    {"compressed bytes that are damaged", SLICE(TOP "zabc"),
     "in: error: the compressed part is damaged, ends early, or is larger than --max-size\n"
     "failed\n"},
};

Test(input_nytprof, records)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].what, cases[i].input, NULL, cases[i].told);
}

/* Calls within a zlib stream of stored blocks, which say their length twice. */
static void add_stored(struct buf *out, struct slice content)
{
    enum { MOST = 0xffff, BASE = 65521 };
    uint32_t a = 1, b = 0;

    buf_add_slice(out, SLICE("z\x78\x01"));
    for (size_t i = 0; i < content.len; i++) {
        a = (a + (unsigned char)content.ptr[i]) % BASE;
        b = (b + a) % BASE;
    }
    while (content.len) {
        struct slice block = slice_take(content, MOST);
        uint16_t len = (uint16_t)block.len, not = (uint16_t)~len;

        content = slice_skip(content, block.len);
        buf_add_char(out, content.len ? 0 : 1);
        buf_add(out, &len, sizeof(len));
        buf_add(out, &not, sizeof(not ));
        buf_add_slice(out, block);
    }
    for (int i = 3; i >= 0; i--)
        buf_add_char(out, (char)((b << 16 | a) >> 8 * i));
}

/* Records lie across the ends of blocks, compressed and not. */
Test(input_nytprof, many_records)
{
    struct buf calls = {0}, file = {0};

    for (int i = 0; i < 20000; i++) {
        buf_add_slice(&calls, SLICE("<\2" ONE ONE "'\1f"));
        if (i % 7 == 0)
            buf_add_slice(&calls, SLICE("#a line\n@\1\2\3\4\5\6'\5names"));
    }
    buf_add_slice(&calls, SLICE("<\1" THREE ONE "'\4main"));
    buf_add_str(&file, TOP);
    buf_add_slice(&file, buf_slice(&calls));
    told_expect("plain", buf_slice(&file), NULL, "== time seconds e-9\nmain 100\nmain;f 2000000\n");
    buf_clear(&file);
    buf_add_str(&file, TOP);
    add_stored(&file, buf_slice(&calls));
    told_expect("packed", buf_slice(&file), NULL,
                "== time seconds e-9\nmain 100\nmain;f 2000000\n");
    told_expect("packed and cut", slice_take(buf_slice(&file), sizeof(TOP) + 40), NULL,
                "== time seconds e-9\nf 100\n"
                "in: warning: the compressed part is damaged, ends early, or is larger than "
                "--max-size; what is before the damage is read\n"
                "in: warning: the recording is damaged or was cut; 1 call before that is read\n");
    buf_release(&calls);
    buf_release(&file);
}

Test(input_nytprof, claims)
{
    cr_expect(claim_by(&format_nytprof, SLICE("NYTProf 5 0\n#Perl\n"), true));
    cr_expect_not(claim_by(&format_nytprof, SLICE("NYTProf 5 0 is out\n"), true));
    cr_expect_not(claim_by(&format_nytprof, SLICE("NYTProf\n"), true));
}
