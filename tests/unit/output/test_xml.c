#include "output/xml.h"

#include "unit/support/test.h"

Test(output_xml, text)
{
    static const struct {
        struct slice in;
        const char *want;
    } cases[] = {
        {{"plain", 5}, "plain"},
        {{"", 0}, ""},
        {{"a<b>&\"c\"'", 9}, "a&lt;b&gt;&amp;&quot;c&quot;'"},
        {{"]]>", 3}, "]]&gt;"},
        {{"a\tb\nc\rd", 7}, "a b c d"},
        {{"\0x\x01\x1f\x7f", 5}, "\uFFFDx\uFFFD\uFFFD\uFFFD"},
        {{"\xe6\xbc\xa2\xe5\xad\x97", 6}, "\xe6\xbc\xa2\xe5\xad\x97"},
        {{"\xef\xbf\xbe|\xef\xbf\xbf", 7}, "\uFFFD|\uFFFD"},
        {{"\xf0\x9f\x94\xa5", 4}, "\xf0\x9f\x94\xa5"},
        {{"a\xff"
          "b\xe6\xbc",
          5},
         "a\uFFFD"
         "b\uFFFD"},
        {{"\xed\xa0\x80", 3}, "\uFFFD\uFFFD\uFFFD"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf out = {0};

        xml_write(&out, cases[i].in);
        cr_expect_str_eq(buf_string(&out), cases[i].want, "case %zu: %s", i, buf_string(&out));
        buf_release(&out);
    }
}

Test(output_xml, attribute)
{
    struct buf out = {0};

    xml_write_attribute(&out, "word", SLICE("a \"b\" & c"));
    cr_expect_str_eq(buf_string(&out), " word=\"a &quot;b&quot; &amp; c\"");
    buf_release(&out);
}
