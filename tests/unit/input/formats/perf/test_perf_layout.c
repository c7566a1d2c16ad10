#include "input/formats/perf/perf_layout.h"

#include "unit/support/test.h"

#define COMMON                                                                                     \
    "name: event\nID: 7\nformat:\n"                                                                \
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"                       \
    "\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"                                       \
    "\tfield:int number;\toffset:16;\tsize:4;\tsigned:1;\n"                                        \
    "\tfield:u32 state;\toffset:20;\tsize:4;\tsigned:0;\n"                                         \
    "\tfield:const void * ptr;\toffset:24;\tsize:8;\tsigned:0;\n"                                  \
    "\tfield:__data_loc char[] cmd;\toffset:32;\tsize:4;\tsigned:0;\n"                             \
    "\tfield:u8 args[2];\toffset:40;\tsize:2;\tsigned:0;\n\nprint fmt: "

/* comm is "io", number -2, state 6, ptr 0xff00, cmd "read" at the end. */
static const char sample[] = "\7\0\0\0\0\0\0\0io\0\0\0\0\0\0\xfe\xff\xff\xff\6\0\0\0"
                             "\0\xff\0\0\0\0\0\0\x38\0\5\0\0\0\0\0\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                             "read";

/* Appends what is read of a sample: "state=6 ptr=65280 S". */
static void read_sample(struct buf *out, const char *format, struct slice bytes, bool swapped)
{
    struct buf description = {0};
    struct perf_fields fields = {0};
    struct perf_layout layout;

    buf_printf(&description, "%s%s\n", COMMON, format);
    perf_layout_init(&layout, buf_slice(&description));
    perf_layout_read(&layout, bytes, swapped, &fields);
    vec_each (struct perf_field, field, &fields.items)
        if (field->is_number)
            buf_printf(out, "%.*s=%llu ", SLICE_ARG(field->name),
                       (unsigned long long)field->number);
    buf_add_slice(out, fields.state);
    perf_fields_release(&fields);
    perf_layout_release(&layout);
    buf_release(&description);
}

static void expect(const char *format, bool swapped, const char *want)
{
    struct buf out = {0};

    read_sample(&out, format, slice_make(sample, sizeof(sample)), swapped);
    cr_expect_str_eq(buf_string(&out), want, "%s: '%s', not '%s'", format, buf_string(&out), want);
    buf_release(&out);
}

/* Texts, arrays, negative numbers and what each sample has are no numbers. */
#define NUMBERS "state=6 ptr=65280 "

Test(input_perf_layout, numbers_by_name)
{
    expect("", false, NUMBERS);
    expect("", true, "state=100663296 ptr=71776119061217280 ");
}

Test(input_perf_layout, the_state_as_the_format_says)
{
    static const struct {
        const char *format, *want;
    } rows[] = {
        {"\"prev_state=%s\", REC->state ? \"S\" : \"R\"", NUMBERS "S"},
        {"\"prev_comm=%s 100%% prev_prio=%d prev_state=%s%s ==> next_pid=%d\", REC->comm, "
         "__print_array(x, 1, \"a,(b\"), "
         "(REC->state & (((2 | 4) + 1) << 1) - 1) ? "
         "__print_flags(REC->state, \"|\", { 2, \"S\" }, { 0x00000004UL, \"T\" }) : \"R\", "
         "REC->state & 4 ? \"+\" : \"\", REC->number",
         NUMBERS "S|T+"},
        {"\"prev_state=%s\", __print_flags(REC->state, \"|\", {2, \"S\"})", NUMBERS "S|0x4"},
        {"\"prev_state=%s\", __print_flags(REC->state - 6, \"|\", {2, \"S\"}, {0, \"R\"})",
         NUMBERS "R"},
        {"\"prev_state=%s\", ((unsigned int) ((0x0fe00003) >> 20)) == 254 && ~0 == -1 ? \"S\" : "
         "\"R\"",
         NUMBERS "S"},
        {"\"prev_state=%s\", 7 / 0 || 7 % 0 || !REC->state || UNKNOWN || REC->nothing ? \"S\" : "
         "\"R\"",
         NUMBERS "R"},
        {"\"prev_state=%d\", REC->state", NUMBERS},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        expect(rows[i].format, false, rows[i].want);
}

Test(input_perf_layout, no_state_if_the_format_is_not_understood)
{
    static const char *const formats[] = {
        "",
        "\"prev_state=%s",
        "\"prev_state=%s\"",
        "\"prev_pid=%d prev_state=%s\", \"S\"",
        "\"prev_state=%s\", (",
        "\"prev_state=%s\", 1 +",
        "\"prev_state=%s\", REC.comm",
        "\"prev_state=%s%s\", \"S\"",
        "\"prev_state=%s\", name_of(REC->state)",
        "\"prev_state=%s\", __print_flags(1, \"|\", {1, 2})",
    };

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        expect(formats[i], false, NUMBERS);
}

Test(input_perf_layout, reads_nothing_beyond_the_sample)
{
    for (size_t len = 0; len < sizeof(sample); len++) {
        char *copy = xmalloc(len);
        struct buf out = {0};

        memcpy(copy, sample, len);
        read_sample(&out, "\"prev_state=%s\", REC->state ? \"S\" : \"R\"", slice_make(copy, len),
                    false);
        cr_expect(slice_ends(buf_slice(&out), len < 24 ? SLICE("R") : SLICE("S")), "%zu", len);
        free(copy);
        buf_release(&out);
    }
}

Test(input_perf_layout, depth_is_bounded)
{
    struct buf format = {0};

    buf_add_str(&format, "\"prev_state=%s\", ");
    for (int i = 0; i < 100 * 1000; i++)
        buf_add_str(&format, i % 2 ? "(" : "~");
    expect(buf_string(&format), false, NUMBERS);
    buf_clear(&format);
    buf_add_str(&format, "\"prev_state=%s\", REC->state");
    for (int i = 0; i < 100 * 1000; i++)
        buf_add_str(&format, " + REC->state");
    buf_add_str(&format, " ? \"S\" : \"R\"");
    expect(buf_string(&format), false, NUMBERS);
    buf_release(&format);
}
