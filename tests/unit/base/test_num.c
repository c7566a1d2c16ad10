
#include "base/num.h"

#include "unit/support/test.h"

static const struct {
    const char *text;
    bool ok;
    uint64_t value;
    unsigned decimals;
    bool rounded;
} decimals[] = {
    {"0", true, 0, 0, false},
    {"18446744073709551615", true, UINT64_MAX, 0, false},
    {"18446744073709551616", false, 0, 0, false},
    {"1.5", true, 15, 1, false},
    {"1.", true, 1, 0, false},
    {"1.500", true, 15, 1, false},
    {"0.000000001", true, 1, 9, false},
    {"0.0000000015", true, 2, 9, true},
    {"0.0000000014", true, 1, 9, true},
    {"0.9999999999", true, 1000000000, 9, true},
    {".5", false, 0, 0, false},
    {"", false, 0, 0, false},
    {"-1", false, 0, 0, false},
    {"1e3", true, 1000, 0, false},
    {"2.25e+09", true, 2250000000, 0, false},
    {"2.5E-3", true, 25, 4, false},
    {"1.25e-9", true, 1, 9, true},
    {"1e19", true, 10000000000000000000u, 0, false},
    {"1e20", false, 0, 0, false},
    {"0e99", true, 0, 0, false},
    {"1e", false, 0, 0, false},
    {"1e+", false, 0, 0, false},
    {"e3", false, 0, 0, false},
    {"-1e3", false, 0, 0, false},
    {"1e3.5", false, 0, 0, false},
    {"1.5x", false, 0, 0, false},
    {"1.2.3", false, 0, 0, false},
    {"18446744073709551615.5", false, 0, 0, false},
};

Test(base_num, decimal)
{
    for (size_t i = 0; i < sizeof(decimals) / sizeof(*decimals); i++) {
        struct decimal n = {0};
        bool ok = num_parse_decimal(slice_str(decimals[i].text), &n);

        cr_expect(ok == decimals[i].ok, "'%s'", decimals[i].text);
        cr_expect(!ok || (n.value == decimals[i].value && n.decimals == decimals[i].decimals &&
                          n.rounded == decimals[i].rounded),
                  "'%s': %llu / 10^%u", decimals[i].text, (unsigned long long)n.value, n.decimals);
    }
}

static const struct {
    uint64_t part, whole;
    unsigned decimals;
    const char *text;
} percents[] = {
    {1, 3, 2, "33.33"},
    {2, 3, 2, "66.67"},
    {1, 1, 2, "100.00"},
    {0, 5, 1, "0.0"},
    {5, 0, 2, "0"},
    {1, 2000, 1, "0.1"},
    {1, 2000, 2, "0.05"},
    {1, 100000, 4, "0.0010"},
    {UINT64_MAX, UINT64_MAX, 4, "100.0000"},
    {UINT64_MAX / 2, UINT64_MAX, 2, "50.00"},
    {7, 8, 0, "88"},
};

Test(base_num, percent)
{
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
        buf_clear(&out);
        num_write_percent(&out, percents[i].part, percents[i].whole, percents[i].decimals);
        cr_expect_str_eq(buf_string(&out), percents[i].text);
    }
    buf_release(&out);
}

static const struct {
    uint64_t value;
    unsigned decimals;
    const char *plain, *grouped;
} written[] = {
    {0, 0, "0", "0"},
    {1234567, 0, "1234567", "1,234,567"},
    {334618, 3, "334.618", "334.618"},
    {1500, 3, "1.5", "1.5"},
    {12345678000, 3, "12345678", "12,345,678"},
    {1, 9, "0.000000001", "0.000000001"},
    {1234000500, 15, "0.0000012340005", "0.0000012340005"},
    {UINT64_MAX, 19, "1.8446744073709551615", "1.8446744073709551615"},
    {UINT64_MAX, 0, "18446744073709551615", "18,446,744,073,709,551,615"},
};

Test(base_num, write)
{
    struct buf out = {0};

    for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++) {
        buf_clear(&out);
        num_write_decimal(&out, written[i].value, written[i].decimals);
        cr_expect_str_eq(buf_string(&out), written[i].plain);
        buf_clear(&out);
        num_write_grouped(&out, written[i].value, written[i].decimals);
        cr_expect_str_eq(buf_string(&out), written[i].grouped);
    }
    buf_release(&out);
}

Test(base_num, hex)
{
    uint64_t n = 0;

    cr_expect(num_parse_hex(SLICE("fFfFfFfFfFfFfFfF"), &n) && n == UINT64_MAX);
    cr_expect(!num_parse_hex(SLICE("10000000000000000"), &n));
    cr_expect(!num_parse_hex(SLICE("0x1"), &n));
    cr_expect(!num_parse_hex(SLICE("g"), &n));
    cr_expect(!num_parse_hex(SLICE("@"), &n));
    cr_expect(!num_parse_hex(SLICE(""), &n));
}

Test(base_num, fixed_numbers_are_those_with_a_point_and_few_digits)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } cases[] = {
        {"0.0", true, 0},
        {"1.5", true, 1500000},
        {"12.000001", true, 12000001},
        {"999999999.999999", true, 999999999999999},
        {"9999999999.0", false, 0},
        {"0.0000001", false, 0},
        {"", false, 0},
        {".5", false, 0},
        {"5.", false, 0},
        {"5", false, 0},
        {"5x5", false, 0},
        {"5.5x", false, 0},
        {"5.5.5", false, 0},
        {"-5.5", false, 0},
        {"683202.133760", true, 683202133760},
        {"683202.13376", true, 683202133760},
        {"1234567.5", true, 1234567500000},
        {"12345678.5", true, 12345678500000},
        {"68320x.133760", false, 0},
        {"683202.1337x0", false, 0},
        {"683202.13376/", false, 0},
        {"683202.13376:", false, 0},
        {"683202:133760", false, 0},
        {"683202.1.3376", false, 0},
        {"683202.1337601", false, 0},
        {"1234567.", false, 0},
        {"12345678", false, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t value = 0;
        bool ok = num_parse_fixed(slice_str(cases[i].text), 6, &value);

        cr_expect(ok == cases[i].ok && value == cases[i].value, "%s", cases[i].text);
    }
}

Test(base_num, floating)
{
    double n = 0;

    cr_expect(num_parse_double(SLICE("-1.5e3"), &n) && n == -1500);
    cr_expect(!num_parse_double(SLICE("nan"), &n));
    cr_expect(!num_parse_double(SLICE("inf"), &n));
    cr_expect(!num_parse_double(SLICE("1e999"), &n));
    cr_expect(!num_parse_double(SLICE("0x10"), &n));
    cr_expect(!num_parse_double(SLICE("1 "), &n));
}

Test(base_num, digits_at_the_front_are_counted_and_read)
{
    static const struct {
        char text[9]; /* as many bytes as are read */
        unsigned digits;
        uint64_t value;
    } cases[] = {
        {"       ", 0, 0},
        {"x1234567", 0, 0},
        {"7       ", 1, 7},
        {"07 12345", 2, 7},
        {"120)\n   ", 3, 120},
        {"1234\n678", 4, 1234},
        {"9999999:", 7, 9999999},
        {"12345678", 8, 12345678},
        {"99999999", 8, 99999999},
        {"00000000", 8, 0},
        {"12/4:678", 2, 12},
        {"1\xff\xfe\xf6\x8a\x80zz", 1, 1},
        {"\xb9\xb0"
         "123456",
         0, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t value = 77;

        cr_expect_eq(num_take_digits(cases[i].text, &value), cases[i].digits, "'%s'",
                     cases[i].text);
        cr_expect_eq(value, cases[i].value, "'%s' gave %llu", cases[i].text,
                     (unsigned long long)value);
    }
}

Test(base_num, hexadecimal_digits_at_the_front_are_counted_and_read)
{
    static const struct {
        char text[9]; /* as many bytes as are read */
        unsigned digits;
        uint64_t value;
    } cases[] = {
        {"       ", 0, 0},
        {"g1234567", 0, 0},
        {"f       ", 1, 15},
        {"0A 12345", 2, 10},
        {"1fE,+0x4", 3, 0x1fe},
        {"12aF\n678", 4, 0x12af},
        {"abcdef9:", 7, 0xabcdef9},
        {"89aBcDeF", 8, 0x89abcdef},
        {"ffffffff", 8, 0xffffffff},
        {"00000000", 8, 0},
        {"1@`G/:gf", 1, 1},
        {"9\xb0\xe1\x61\x41zzz", 1, 9},
        {"\xe1\xc1"
         "123456",
         0, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t value = 77;

        cr_expect_eq(num_take_hex(cases[i].text, &value), cases[i].digits, "'%s'", cases[i].text);
        cr_expect_eq(value, cases[i].value, "'%s' gave %llx", cases[i].text,
                     (unsigned long long)value);
    }
}
