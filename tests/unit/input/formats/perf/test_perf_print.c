#include "input/formats/perf/perf_print.h"

#include "unit/support/test.h"

#define COMMON                                                                                     \
    "name: event\nID: 7\nformat:\n"                                                                \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"                       \
    "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"                                       \
    "\tfield:int number;\toffset:16;\tsize:4;\tsigned:1;\n"                                        \
    "\tfield:u32 state;\toffset:20;\tsize:4;\tsigned:0;\n"                                         \
    "\tfield:const void * ptr;\toffset:24;\tsize:8;\tsigned:0;\n"                                  \
    "\tfield:__data_loc char[] cmd;\toffset:32;\tsize:4;\tsigned:0;\n"                             \
    "\tfield:unsigned long args[2];\toffset:40;\tsize:16;\tsigned:0;\n\nprint fmt: "

/* comm is "io", number -2, state 6, ptr 0xff00, cmd "read" at the end, args 3 and 4. */
static const char sample[] = "\7\0\0\0\0\0\0\0io\0\0\0\0\0\0\xfe\xff\xff\xff\6\0\0\0"
                             "\0\xff\0\0\0\0\0\0\x38\0\5\0\0\0\0\0\3\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0"
                             "read";

static void expect(const char *format, struct slice bytes, bool swapped, const char *want)
{
    struct perf_print p;
    struct buf description = {0}, out = {0};

    buf_printf(&description, "%s%s\n", COMMON, format);
    perf_print_init(&p, buf_slice(&description));
    perf_print_add(&p, bytes, swapped, &out);
    cr_expect(slice_equal(buf_slice(&out), slice_str(want)), "%s: %.*s, not %s", format,
              SLICE_ARG(buf_slice(&out)), want);
    perf_print_release(&p);
    buf_release(&description);
    buf_release(&out);
}

Test(input_perf_print, prints_what_the_format_says)
{
    static const struct {
        const char *format, *want;
    } rows[] = {
        {"\"comm=%s pid=%d %u\", REC->comm, REC->number, REC->number", "comm=io pid=-2 4294967294"},
        {"\"a\" \"b 100%%|%03d|%4x|%#llx|%c\", 5, 0x1f, REC->args[1], 65",
         "ab 100%|005|  1f|0x4|A"},
        {"\"%p %pS %p\", REC->ptr, (void *)REC->ptr, 0", "0xff00 0xff00 (nil)"},
        {"\"%s\", __get_str(cmd)", "read"},
        {"\"%s%s\", (REC->state & (((2 | 4) + 1) << 1) - 1) ? "
         "__print_flags(REC->state, \"|\", { 2, \"S\" }, { 0x00000004UL, \"T\" }) : \"R\", "
         "REC->state & 8 ? \"+\" : \"\"",
         "S|T"},
        {"\"%s\", __print_flags(REC->state, \"|\", {2, \"S\"})", "S|0x4"},
        {"\"%s %s\", __print_symbolic(REC->state - 1, { 5, \"five\" }), "
         "__print_symbolic(1, { 2, \"two\" })",
         "five 0x1"},
        {"\"%d,%d\", ((unsigned int) ((0x0fe00003) >> 20)), "
         "((unsigned int) ((0x0fe00003) & ((1U << 20) - 1)))",
         "254,3"},
        {"\"%d %d %d %d\", 7 / 0, 7 % 0, !REC->state, ~0 == -1", "0 0 0 1"},
        {"\"%d %s\", SOME_CONSTANT, __print_array(__get_dynamic_array(x), 1, 2)", "0 "},
        {"\"%d %d\", REC->nothing, REC->args[9]", "0 0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        expect(rows[i].format, slice_make(sample, sizeof(sample)), false, rows[i].want);
}

Test(input_perf_print, lists_the_fields_if_the_format_is_not_understood)
{
    static const char *const formats[] = {"",
                                          "\"%d",
                                          "\"%d\"",
                                          "\"%d\", (",
                                          "\"%l\", 1",
                                          "\"%y\", 1",
                                          "\"%d\", 1 +",
                                          "\"%d\", REC.comm",
                                          "\"%s\", __print_flags(1, \"|\", {1, 2})"};

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        expect(formats[i], slice_make(sample, sizeof(sample)), false,
               " comm=io number=-2 state=0x6 ptr=0xff00 cmd=read args=0x0");
}

Test(input_perf_print, other_byte_order)
{
    expect("\"%d %x\", REC->number, REC->state", slice_make(sample, sizeof(sample)), true,
           "-16777217 6000000");
}

Test(input_perf_print, reads_nothing_beyond_the_sample)
{
    for (size_t len = 0; len < sizeof(sample); len++) {
        struct perf_print p;
        struct buf out = {0};

        perf_print_init(&p, SLICE(COMMON "\"%s %d %s %p\", REC->comm, REC->args[1], "
                                         "__get_str(cmd), REC->ptr\n"));
        perf_print_add(&p, slice_make(sample, len), false, &out);
        cr_expect(out.len > 0);
        perf_print_release(&p);
        buf_release(&out);
    }
}

Test(input_perf_print, depth_is_bounded)
{
    struct buf format = {0};

    buf_add_str(&format, "\"%d\", ");
    for (int i = 0; i < 100 * 1000; i++)
        buf_add_str(&format, i % 2 ? "(" : "~");
    expect(buf_string(&format), slice_make(sample, sizeof(sample)), false,
           " comm=io number=-2 state=0x6 ptr=0xff00 cmd=read args=0x0");
    buf_clear(&format);
    buf_add_str(&format, "\"%d\", REC->state");
    for (int i = 0; i < 100 * 1000; i++)
        buf_add_str(&format, " + REC->state");
    expect(buf_string(&format), slice_make(sample, sizeof(sample)), false,
           " comm=io number=-2 state=0x6 ptr=0xff00 cmd=read args=0x0");
    buf_release(&format);
}
