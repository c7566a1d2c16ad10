
#include "cli/picture_texts.h"

#include "unit/support/test.h"

Test(cli_picture_texts, addresses_lead_from_the_snippet)
{
    static const struct {
        const char *picture, *from, *address;
    } rows[] = {
        {"slow.png", "slow.md", "slow.png"},          {"a/slow.png", "a/slow.md", "slow.png"},
        {"a/b/slow.png", "a/slow.md", "b/slow.png"},  {"slow.png", "a/slow.md", "../slow.png"},
        {"pics/y.png", "docs/x.md", "../pics/y.png"}, {"ab/y.png", "abc/x.md", "../ab/y.png"},
        {"/tmp/y.png", "x.md", "/tmp/y.png"},         {"/tmp/y.png", "/tmp/a/x.md", "../y.png"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct arena memory = {0};
        struct slice address = picture_texts_address(rows[i].picture, rows[i].from, &memory);

        cr_expect(slice_equal(address, slice_str(rows[i].address)), "%s from %s: %.*s",
                  rows[i].picture, rows[i].from, SLICE_ARG(address));
        arena_release(&memory);
    }
}

Test(cli_picture_texts, a_snippet_has_a_name_and_the_ending)
{
    cr_expect(picture_texts_takes("slow.md"));
    cr_expect_not(picture_texts_takes(".md"));
    cr_expect_not(picture_texts_takes("slow.mdx"));
    cr_expect_not(picture_texts_takes("-"));
    cr_expect_not(picture_texts_takes(NULL));
}
