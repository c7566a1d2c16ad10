
#include "input/parse/entities.h"

#include "unit/support/test.h"

Test(input_entities, texts)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"plain", "plain"},
        {"a&lt;b&gt; &amp;amp; &quot;&apos;&#39;&#x3c;", "a<b> &amp; \"''<"},
        {"&#233;&#x20AC;", "\xc3\xa9\xe2\x82\xac"},
        {"&unknown; & &; &#; &#0; &#x110000; &#xd800; &lt", "&unknown; & &; &#; &#0; &#x110000; "
                                                            "&#xd800; &lt"},
        {"&averyveryverylongone;", "&averyveryverylongone;"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct buf out = {0};

        entities_add(&out, slice_str(cases[i].text));
        cr_expect_str_eq(buf_string(&out), cases[i].want);
        buf_release(&out);
    }
}
