#include "assets/asset.h"

#include "unit/support/test.h"

Test(assets_asset, finds_each_file_by_its_own_name)
{
    struct slice content;

    cr_assert_gt(asset_count(), 0);
    for (size_t i = 0; i < asset_count(); i++) {
        struct slice name = asset_name(i);

        cr_expect(asset_find(name, &content), "%.*s is not found", SLICE_ARG(name));
        cr_expect_gt(content.len, 0, "%.*s is empty", SLICE_ARG(name));
        cr_expect_eq(content.ptr[content.len], '\0', "%.*s lacks its NUL", SLICE_ARG(name));
    }
}

Test(assets_asset, names_ascend)
{
    for (size_t i = 1; i < asset_count(); i++)
        cr_expect_lt(slice_compare(asset_name(i - 1), asset_name(i)), 0);
}

Test(assets_asset, has_no_other_names)
{
    static const char *const names[] = {"", "fonts/", "zzz", "RobotoCondensed-Regular.ttf", "A"};
    struct slice content;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        cr_expect_not(asset_find(slice_str(names[i]), &content), "'%s' is found", names[i]);
        cr_expect_eq(content.len, 0);
    }
}

Test(assets_asset, fonts_are_truetype)
{
    static const char *const names[] = {"fonts/RobotoCondensed-Regular.ttf",
                                        "fonts/DejaVuSansCondensed.ttf"};
    struct slice content;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        cr_assert(asset_find(slice_str(names[i]), &content), "%s is not embedded", names[i]);
        cr_assert_gt(content.len, 100000);
        cr_expect(memcmp(content.ptr, "\0\1\0\0", 4) == 0, "%s has another signature", names[i]);
    }
}
