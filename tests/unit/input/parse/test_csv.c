#include "input/parse/csv.h"

#include "unit/support/test.h"

static const struct {
    const char *line;
    char delimiter;
    bool ok;
    const char *cells; /* "indent:text|..." */
} lines[] = {
    {"a,b,c", ',', true, "0:a|0:b|0:c|"},
    {"a;b,c", ';', true, "0:a|0:b,c|"},
    {"a,,", ',', true, "0:a|0:|"},
    {"", ',', true, ""},
    {"  \"f(int, int)\",1,\"x\"", ',', true, "2:f(int, int)|0:1|0:x|"},
    {"\"  f\",1", ',', true, "2:f|0:1|"},
    {" \"  f\" ,1", ',', true, "3:f|0:1|"},
    {"\"say \"\"a\"\"\",1", ',', true, "0:say \"a\"|0:1|"},
    {"\"\",1", ',', true, "0:|0:1|"},
    {"a\tb\t\"c\td\"", '\t', true, "0:a|0:b|0:c\td|"},
    {"\"open,1", ',', false, "0:open,1|"},
    {"\"a\"b,1", ',', false, "0:a|"},
    {"\"", ',', false, "0:|"},
};

Test(input_csv, a_line_is_taken_apart)
{
    struct csv_row row = {0};
    struct buf cells = {0};

    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        buf_clear(&cells);
        cr_expect_eq(csv_split(&row, slice_str(lines[i].line), lines[i].delimiter), lines[i].ok,
                     "%s", lines[i].line);
        vec_each (struct csv_cell, cell, &row.cells)
            buf_printf(&cells, "%u:%.*s|", cell->indent, SLICE_ARG(cell->text));
        cr_expect_str_eq(buf_slice(&cells).ptr, lines[i].cells, "%s became %s", lines[i].line,
                         buf_string(&cells));
    }
    buf_release(&cells);
    csv_release(&row);
}

Test(input_csv, the_heading_tells_the_delimiter)
{
    cr_expect_eq(csv_delimiter(SLICE("Level,Name"), SLICE("Level")), ',');
    cr_expect_eq(csv_delimiter(SLICE("\"Level\";Name"), SLICE("Level")), ';');
    cr_expect_eq(csv_delimiter(SLICE("Level\tName"), SLICE("Level")), '\t');
    cr_expect_eq(csv_delimiter(SLICE("Level"), SLICE("Level")), '\0');
    cr_expect_eq(csv_delimiter(SLICE("Levels,Name"), SLICE("Level")), '\0');
    cr_expect_eq(csv_delimiter(SLICE("\"Level,Name"), SLICE("Level")), '\0');
    cr_expect_eq(csv_delimiter(SLICE(""), SLICE("Level")), '\0');
}

static const struct {
    const char *text;
    bool ok;
    uint64_t value;
    unsigned decimals;
} decimals[] = {
    {"", true, 0, 0},
    {"12", true, 12, 0},
    {"0.031", true, 31, 3},
    {"0,031", true, 31, 3},
    {"1,234", true, 1234, 3},
    {"1.234", true, 1234, 3},
    {"1,234.5", true, 12345, 1},
    {"1.234,5", true, 12345, 1},
    {"1 234,5", true, 12345, 1},
    {"1\xc2\xa0"
     "234",
     true, 1234, 0},
    {"1,234,567", true, 1234567, 0},
    {".5", true, 5, 1},
    {"1e3", true, 1000, 0},
    {"1.5e+02", true, 150, 0},
    {"1.5E-05", true, 15, 6},
    {"25e-11", true, 0, 9},
    {"15e-10", true, 2, 9},
    {"1,23,4", false, 0, 0},
    {"1,2345,6", false, 0, 0},
    {"-1", false, 0, 0},
    {"1e", false, 0, 0},
    {"1e999", false, 0, 0},
    {"9e19", false, 0, 0},
    {"99999999999999999999", false, 0, 0},
    {"nan", false, 0, 0},
    {"12%", false, 0, 0},
};

Test(input_csv, numbers_of_any_locale)
{
    for (size_t i = 0; i < sizeof(decimals) / sizeof(decimals[0]); i++) {
        struct decimal d = {0};
        bool ok = csv_decimal(slice_str(decimals[i].text), &d);

        cr_expect_eq(ok, decimals[i].ok, "'%s'", decimals[i].text);
        if (ok && decimals[i].ok)
            cr_expect(d.value == decimals[i].value && d.decimals == decimals[i].decimals,
                      "'%s' is %llu / 10^%u", decimals[i].text, (unsigned long long)d.value,
                      d.decimals);
    }
}

static const struct {
    const char *text;
    bool ok;
    uint64_t value;
} wholes[] = {
    {"0", true, 0},
    {"2,893,824", true, 2893824},
    {"2.893.824", true, 2893824},
    {"2 893 824", true, 2893824},
    {"471", true, 471},
    {"1,234", true, 1234},
    {"4,718.25", false, 0},
    {"4,7182", false, 0},
    {"1,234.567", false, 0},
    {"1234,567", false, 0},
    {",234", false, 0},
    {"", false, 0},
    {"18446744073709551616", false, 0},
};

Test(input_csv, whole_numbers_in_groups)
{
    for (size_t i = 0; i < sizeof(wholes) / sizeof(wholes[0]); i++) {
        uint64_t n = 0;
        bool ok = csv_whole(slice_str(wholes[i].text), &n);

        cr_expect_eq(ok, wholes[i].ok, "'%s'", wholes[i].text);
        cr_expect(!ok || n == wholes[i].value, "'%s' is %llu", wholes[i].text,
                  (unsigned long long)n);
    }
}
