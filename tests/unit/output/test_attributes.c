#include "output/attributes.h"

#include "unit/support/test.h"

static const struct {
    const char *line;
    bool taken;
} lines[] = {
    {"main\thref=https://example.org/?a=1&b=2", true},
    {"main\thref=HTTP://example.org", true},
    {"main\thref=mailto:me@example.org", true},
    {"main\thref=docs/main.html#top", true},
    {"main\thref=#top", true},
    {"main\thref=?s=main", true},
    {"main\thref=//example.org/x", true},
    {"main\thref=./a:b", true},
    {"main\ttitle=<b>\"x\"</b> & y=z\tclass=a b\ttarget=_blank", true},
    {"main\ttitle=", true},
    {"", true},
    {"# a comment", true},
    {"main\thref=javascript:alert(1)", false},
    {"main\thref=JaVaScRiPt:alert(1)", false},
    {"main\thref= javascript:alert(1)", false},
    {"main\thref=\x01javascript:alert(1)", false},
    {"main\thref=java\rscript:alert(1)", false},
    {"main\thref=java\x01script:alert(1)", false},
    {"main\thref=data:text/html,<script>", false},
    {"main\thref=vbscript:x", false},
    {"main\thref=blob:x", false},
    {"main\thref=a:b", false},
    {"main\thref=:b", false},
    {"main\thref=", false},
    {"main\thref=\\\\host\\x", false},
    {"main\ttitle=a\x1f"
     "b",
     false},
    {"main\ttitle=\xff", false},
    {"main\tonclick=alert(1)", false},
    {"main\tstyle=fill:red", false},
    {"main\tg_extra=onload=x", false},
    {"main\txlink:href=x", false},
    {"main\ttitle", false},
    {"main", false},
    {"main\t", false},
    {"\ttitle=x", false},
};

Test(output_attributes, what_is_taken)
{
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct attributes a = {0};
        struct diag diag;

        diag_init(&diag, SLICE("names"));
        cr_expect_eq(attributes_read(&a, slice_str(lines[i].line), &diag), lines[i].taken,
                     "line %zu: %s", i, lines[i].line);
        cr_expect_eq(diag.counts[DIAG_ERROR] > 0, !lines[i].taken, "line %zu", i);
        diag_release(&diag);
        attributes_release(&a);
    }
}

Test(output_attributes, values)
{
    static const char text[] = "main\ttitle=The main\thref=a?x=1=2\r\n"
                               "read [ext4]\tclass=io\n"
                               "main\tclass=hot\ttitle=Again\n";
    const struct attribute_set *set;
    struct attributes a = {0};
    struct diag diag;

    diag_init(&diag, SLICE("names"));
    cr_assert(attributes_read(&a, slice_str(text), &diag));
    set = attributes_find(&a, SLICE("main"));
    cr_assert_not_null(set);
    cr_expect(slice_equal(set->values[ATTRIBUTE_TITLE], SLICE("Again")));
    cr_expect(slice_equal(set->values[ATTRIBUTE_HREF], SLICE("a?x=1=2")));
    cr_expect(slice_equal(set->values[ATTRIBUTE_CLASS], SLICE("hot")));
    cr_expect_eq(set->values[ATTRIBUTE_TARGET].len, 0);
    cr_expect_not_null(attributes_find(&a, SLICE("read [ext4]")));
    cr_expect_null(attributes_find(&a, SLICE("mai")));
    diag_release(&diag);
    attributes_release(&a);
}
