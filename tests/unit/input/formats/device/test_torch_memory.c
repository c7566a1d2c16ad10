/* Snapshots of PyTorch's memory, and pickles that are not data. */

#include "unit/support/claim.h"
#include "unit/support/folding.h"
#include "unit/support/test.h"

/*
 * Writes a pickle of protocol 2. Lists and dictionaries are as in Python, with blanks for colons
 * and commas; "=3" puts the value before it into the memo, "*3" takes it from there.
 */
static void add_value(struct buf *out, const char **at)
{
    static const char *const opcodes[][2] = {{"[", "]("}, {"]", "e"}, {"{", "}("}, {"}", "u"}};
    const char *end;
    char c = **at;

    for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
        if (c == *opcodes[i][0])
            buf_add_str(out, opcodes[i][1]);
    if (c == '\'') {
        end = strchr(*at + 1, '\'');
        buf_add_char(out, 'U');
        buf_add_char(out, (char)(end - *at - 1));
        buf_add_slice(out, slice_make(*at + 1, (size_t)(end - *at - 1)));
        *at = end;
    } else if (c == '=' || c == '*') {
        buf_add_char(out, c == '=' ? 'q' : 'h');
        buf_add_char(out, (char)(*++*at - '0'));
    } else if (c >= '0' && c <= '9') {
        char *stop;
        uint64_t number = strtoull(*at, &stop, 10);

        buf_add_str(out, "\x8a\x09");
        for (unsigned i = 0; i < 9; i++)
            buf_add_char(out, i < 8 ? (char)(number >> (8 * i)) : '\0');
        *at = stop - 1;
    }
    ++*at;
}

static void add_pickle(struct buf *out, const char *text)
{
    buf_add_str(out, "\x80\x02");
    while (*text)
        add_value(out, &text);
    buf_add_char(out, '.');
}

#define FRAME(name, file, line) "{'name' '" name "' 'filename' '" file "' 'line' " #line "}"
#define MAIN "[" FRAME("f", "/srv/a.py", 3) "=1 " FRAME("main", "/srv/a.py", 9) "=2]=3"
#define OTHER "[{'name' 'g'} *2]=4"
#define BLOCK(address, size, state, frames)                                                        \
    "{'address' " #address " 'size' " #size " 'requested_size' " #size " 'state' '" state          \
    "' 'frames' " frames "}"
#define LIVE "active_allocated"
#define SEGMENT(device, size) "{'device' " #device " 'total_size' " #size " 'blocks' ["
#define ENTRY(action, addr, size, frames)                                                          \
    "{'action' '" action "' 'addr' " #addr " 'size' " #size " 'frames' " frames "}"

static const struct {
    const char *what, *pickle, *folded, *told;
} cases[] = {
    {"blocks in use; frames that come again; no frames at all",
     "{'segments' [" SEGMENT(0, 900) BLOCK(10, 100, LIVE, MAIN) BLOCK(11, 7, LIVE, "*3")
         BLOCK(12, 20, LIVE, OTHER) BLOCK(13, 500, "inactive", "[]")
             BLOCK(14, 60, "active_pending_free", "*3") BLOCK(15, 3, LIVE, "[]") "]}]}",
     "--\n 3\nmain;f 107\nmain;g 20\n", NULL},
    {"what was in use when most was; memory of before the trace",
     "{'segments' [" SEGMENT(0, 900) BLOCK(10, 100, LIVE, MAIN) BLOCK(
         30, 5, LIVE,
         OTHER) "]}] "
                "'device_traces' [[" ENTRY("segment_alloc", 10, 900, "*3")
                    ENTRY("alloc", 20, 40, "*4") ENTRY("free_requested", 40, 2, "*3")
                        ENTRY("free_completed", 40, 2, "*3") ENTRY("alloc", 20, 50, "*3")
                            ENTRY("free_completed", 20, 50, "[]") ENTRY("alloc", 30, 5, "*4") "]]}",
     "--\nmain;f 100\nmain;g 5\n--\nmain;f 50\nmain;g 45\n--\nmain;f 150\n", NULL},
    {"memory of before the trace at the peak",
     "{'segments' [] 'device_traces' [[" ENTRY("alloc", 20, 40, MAIN)
         ENTRY("free_requested", 40, 2, "[]") ENTRY("free_requested", 20, 40, "[]") "]]}",
     "--\nmain;f 40\n--\n[allocated before the trace] 2\nmain;f 40\n", NULL},
    {"devices are the first frames if there are several",
     "{'segments' [" SEGMENT(0, 9) BLOCK(10, 1, LIVE, MAIN) "]}" SEGMENT(3, 9)
         BLOCK(10, 2, LIVE, "*3") "]}] 'device_traces' [[] [" ENTRY("alloc", 10, 4, "*3") "]]}",
     "--\nGPU 0;main;f 1\nGPU 3;main;f 2\n--\nGPU 1;main;f 4\n--\nGPU 1;main;f 4\n", NULL},
    {"a list of segments alone, with the histories of 2022",
     "[{'segment_type' 'small' 'total_size' 9 'blocks' [{'size' 8 'state' '" LIVE
     "' 'history' [{'frames' " MAIN "}]}]}]",
     "--\nmain;f 8\n", NULL},
    {"frames of the code that records stacks",
     "{'segments' [" SEGMENT(0, 9) BLOCK(1, 8, LIVE,
                                         "[{'name' 'torch::unwind::unwind()' 'filename' '\?\?'} "
                                         "{'name' 'torch::CapturedTraceback::gather(bool)'} "
                                         "{'name' 'at::empty(long)' 'filename' 'a.cpp'} "
                                         "{'name' '<module>' 'filename' '/srv/a.py'}]") "]}]}",
     "--\n<module> (a.py);at::empty 8\n", NULL},
    {"sizes that are missing or impossible",
     "{'segments' [" SEGMENT(0, 9) "{'state' '" LIVE "'}" BLOCK(1, 9223372036854775807, LIVE, MAIN)
         BLOCK(1, 18446744073709551615, LIVE, "*3") BLOCK(1, 8, LIVE, "*3") "]}]}",
     "--\nmain;f 8\n", "skipped 3 parts whose size is missing or impossible"},
    {"an action that is not known",
     "{'segments' [" SEGMENT(0, 9) BLOCK(1, 8, LIVE, MAIN) "]}] 'device_traces' [[" ENTRY(
         "alloc", 1, 8, "*3") ENTRY("teleport", 1, 8, "*3") "]]}",
     "--\nmain;f 8\n--\nmain;f 8\n--\nmain;f 8\n", "as 'teleport'"},
    {"a value within itself; the last value of a key counts; keys that are no texts",
     "{'segments' []=5 'segments' [" SEGMENT(0, 9) "]} {'blocks' *5 7 8 [] []} {'total_size' 4 "
                                                   "'blocks' [" BLOCK(1, 8, LIVE, MAIN) "]=6}]}",
     "--\nmain;f 8\n", "skipped 1 part whose size is missing or impossible"},
};

Test(input_torch_memory, snapshots)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf bytes = {0};

        add_pickle(&bytes, cases[i].pickle);
        folding_check_bytes(buf_slice(&bytes), cases[i].folded, cases[i].told);
        buf_release(&bytes);
    }
}

/* ---- pickles ------------------------------------------------------------------------------- */

#define TOP "\x80\x02}X\x08\x00\x00\x00segments"
#define BYTES(text)                                                                                \
    {                                                                                              \
        text, sizeof(text) - 1                                                                     \
    }

static const struct {
    struct slice bytes;
    const char *message;
} refused[] = {
    {BYTES(TOP "cos\nsystem\n."), "byte 0x10: error: the pickle's opcode GLOBAL is not data"},
    {BYTES(TOP "NNR."), "byte 0x12: error: the pickle's opcode REDUCE is not data"},
    {BYTES(TOP "\x93."), "opcode STACK_GLOBAL is not data"},
    {BYTES(TOP "N\x81."), "opcode NEWOBJ is not data"},
    {BYTES(TOP "Nb."), "opcode BUILD is not data"},
    {BYTES(TOP "I1\n."), "opcode 0x49 is not one of plain data"},
    {BYTES(TOP "\xff."), "opcode 0xff is not one of plain data"},
    {BYTES(TOP "\x80\x06."), "opcode PROTO has an unknown protocol"},
    {BYTES(TOP "]s"), "the pickle has no end"},
    {BYTES(TOP "X\xff\xff\xff\x7f."), "opcode BINUNICODE is not complete"},
    {BYTES(TOP "\x8d\xff\xff\xff\xff\xff\xff\xff\xff."), "opcode BINUNICODE8 is not complete"},
    {BYTES(TOP "\x8b\xff\xff\xff\xff."), "opcode LONG4 is not complete"},
    {BYTES(TOP "\x95\xff\x00\x00\x00\x00\x00\x00\x00."), "opcode FRAME is not complete"},
    {BYTES(TOP "G\x00."), "opcode BINFLOAT is not complete"},
    {BYTES(TOP "h\x07."), "opcode BINGET has an index that the memo does not have"},
    {BYTES(TOP "j\xff\xff\xff\xff."), "opcode LONG_BINGET has an index"},
    {BYTES(TOP "r\xff\xff\xff\xff."), "opcode LONG_BINPUT has an index beyond"},
    {BYTES(TOP "u."), "opcode SETITEMS finds no MARK"},
    {BYTES(TOP "e."), "opcode APPENDS finds no MARK"},
    {BYTES(TOP "(((t."), "leaves more or less than one value"},
    {BYTES(TOP "(a."), "opcode APPEND finds too few values"},
    {BYTES(TOP "(\x86."), "opcode TUPLE2 finds too few values"},
    {BYTES(TOP "(q\x01."), "opcode BINPUT finds too few values"},
    {BYTES(TOP "a."), "opcode APPEND needs a list"},
    {BYTES("\x80\x02]X\x08\x00\x00\x00segmentsNs."), "opcode SETITEM needs a dictionary"},
    {BYTES("\x80\x02}(X\x08\x00\x00\x00segmentsu."), "opcode SETITEMS has a key without a value"},
    {BYTES("\x80\x02X\x08\x00\x00\x00segments."), "neither segments nor device_traces"},
};

Test(input_torch_memory, all_but_data_is_refused_with_its_place)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        struct buf messages = {0};
        struct reading r;

        reading_text(&r, refused[i].bytes, NULL);
        reading_messages(&r, &messages);
        cr_expect_eq(r.result, INPUT_FAILED, "%s: result %d", refused[i].message, r.result);
        cr_expect(strstr(buf_string(&messages), refused[i].message), "%s: %s", refused[i].message,
                  buf_string(&messages));
        buf_release(&messages);
        reading_release(&r);
    }
}

/* Lists within lists, deeper than any stack of calls. */
Test(input_torch_memory, nesting_takes_no_stack)
{
    enum { DEPTH = 1 << 20 };
    struct buf bytes = {0};

    buf_add_str(&bytes, "\x80\x02}(U\x08segments");
    for (int i = 0; i < DEPTH; i++)
        buf_add_char(&bytes, ']');
    for (int i = 0; i < DEPTH - 1; i++)
        buf_add_char(&bytes, 'a');
    buf_add_str(&bytes, "u.");
    folding_check_bytes(buf_slice(&bytes), "", "skipped 1 part");
    buf_release(&bytes);
}

/* ---- facts --------------------------------------------------------------------------------- */

Test(input_torch_memory, facts)
{
    struct buf bytes = {0};
    struct reading r;

    add_pickle(&bytes,
               "{'segments' [" SEGMENT(
                   0, 4096) "{'size' 1024 'requested_size' 1000 'state' '" LIVE "' 'frames' " MAIN
                            "}" BLOCK(2, 512, "inactive", "[]")
                                BLOCK(3, 64, "active_pending_free", "[]")
                                    BLOCK(4, 1024, "inactive", "[]") "]}] 'device_traces' [[" ENTRY(
                                        "alloc", 7, 1,
                                        "*3") "{'action' 'oom' 'size' 2048 'device_free' 100}]]}");
    reading_text(&r, buf_slice(&bytes), NULL);
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("GPU memory reserved")),
                          SLICE("4.00 KiB in 1 segment, 1.00 KiB live, 64 bytes to be freed")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("GPU memory free in segments")),
                          SLICE("1.50 KiB, 37.5% of the reserved memory; the largest piece has "
                                "1.00 KiB; rounding takes 24 bytes")));
    cr_expect(slice_equal(profile_fact(&r.profile, SLICE("GPU out of memory")),
                          SLICE("1 time; the last one asked for 2.00 KiB with 100 bytes left on "
                                "the device")));
    cr_expect_str_eq(r.profile.format, "torch-memory");
    reading_release(&r);
    buf_release(&bytes);
}

Test(input_torch_memory, claims)
{
    cr_expect(
        claim_by(&format_torch_memory, SLICE("\x80\x04\x95........}\x8c\x08segments"), false));
    cr_expect(claim_by(&format_torch_memory, SLICE("\x80\x02](total_size segment_type"), false));
    cr_expect_not(claim_by(&format_torch_memory, SLICE("\x80\x01segments"), false));
    cr_expect_not(claim_by(&format_torch_memory, SLICE("\x80\x06segments"), false));
    cr_expect_not(claim_by(&format_torch_memory, SLICE("\x80\x02total_size"), false));
    cr_expect_not(claim_by(&format_torch_memory, SLICE("segments"), true));
}
