#include "input/parse/trace_time.h"

#include "unit/support/test.h"

static const struct {
    const char *text; /* a value of JSON, in microseconds */
    bool is_time;
    int64_t ns;
} times[] = {
    {"0", true, 0},
    {"12", true, 12000},
    {"\"12\"", true, 12000},
    {"12.345", true, 12345},
    {"12.3", true, 12300},
    {"-1.5", true, -1500},
    {"1.5e3", true, 1500000},
    {"1.0004", true, 1000},
    {"1.0005", true, 1001},
    {"1.0006", true, 1001},
    {"1.00049", true, 1000},
    {"1.00050", true, 1001},
    {"-1.0005", true, -1001},
    {"123456789012345.678", true, 123456789012345678},
    {"9223372036854775.807", true, INT64_MAX},
    {"9223372036854775.808", false, 0},
    {"9223372036854775.8070", true, INT64_MAX},
    {"9223372036854775.8075", false, 0},
    {"999999999999999999", false, 0},
    {"18446744073709551615", false, 0},
    {"\"x\"", false, 0},
    {"\"\"", false, 0},
    {"\"1.2.3\"", false, 0},
    {"\".5.\"", false, 0},
    {"true", false, 0},
    {"[1]", false, 0},
};

Test(input_trace_time, nanoseconds)
{
    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
        struct json_document d;
        struct buf text = {0};
        struct diag diag;
        int64_t ns = 0;

        buf_printf(&text, "{\"v\":%s}", times[i].text);
        diag_init(&diag, SLICE("in"));
        cr_assert(json_load_text(buf_slice(&text), &diag, &d));
        cr_expect_eq(trace_time_get(json_get(d.values.items, "v"), &ns), times[i].is_time, "%s",
                     times[i].text);
        cr_expect_eq(ns, times[i].ns, "%s: %lld", times[i].text, (long long)ns);
        json_release(&d);
        diag_release(&diag);
        buf_release(&text);
    }
    cr_expect_not(trace_time_get(NULL, &(int64_t){0}));
}
