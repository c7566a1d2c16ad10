#include "base/ascii.h"

#include <string.h>

#include "unit/support/test.h"

static const char small[] = "abcdefghijklmnopqrstuvwxyz";
static const char capital[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

static bool is_in(const char *set, char c)
{
    return c && strchr(set, c);
}

Test(base_ascii, classes_have_their_characters_only)
{
    for (int i = 0; i < 256; i++) {
        char c = (char)i;

        cr_expect_eq(ascii_is_digit(c), is_in("0123456789", c), "%d", i);
        cr_expect_eq(ascii_is_hex(c), is_in("0123456789abcdefABCDEF", c), "%d", i);
        cr_expect_eq(ascii_is_small(c), is_in(small, c), "%d", i);
        cr_expect_eq(ascii_is_capital(c), is_in(capital, c), "%d", i);
        cr_expect_eq(ascii_is_letter(c), is_in(small, c) || is_in(capital, c), "%d", i);
        cr_expect_eq(ascii_lower(c), is_in(capital, c) ? small[strchr(capital, c) - capital] : c,
                     "%d", i);
    }
}
