
#include "support/formats.h"
#include "unit/support/claim.h"
#include "unit/support/told.h"
#include "unit/support/test.h"

#define SYMBOLS                                                                                    \
    "sym1 \"app\" \"main\" \"C:/a b/app.c\" 55\nsym2 \"kernel32\" \"[unknown]\" \"[unknown]\" 0\n"

/* clang-format off */
static const struct {
    const char *name, *text, *want;
} cases[] = {
    {"symbols and stacks",
     SYMBOLS "0.500000 sym1 sym2 sym2\r\n1.25 sym1 sym2 sym2\n0.25 sym2\n",
     "==  seconds e0\n[kernel32] 0.25\n[kernel32];[kernel32];main 1.75\n"},
    {"an undefined symbol and malformed lines",
     SYMBOLS "0.5 sym1 sym9\n0.5\nsym1 main\nx.5 sym1\n",
     "==  seconds e0\n[unknown];main 0.5\n"
     "in:3: warning: undefined symbol 'sym9'\n"
     "in:4: warning: expected a symbol or a stack; line skipped\n"
     "in:5: warning: expected a symbol or a stack; line skipped\n"
     "in:6: warning: expected a symbol or a stack; line skipped\n"},
    {"the same words, the symbol defined again: as it was, then another one",
     SYMBOLS "1.0 sym1\n2.0 sym1\n" SYMBOLS "4.0 sym1\nsym1 \"app\" \"run\" \"a.c\" 7\n"
             "8.0 sym1\n16.0 sym1\n",
     "==  seconds e0\nmain 7\nrun 24\n"},
    {"a stack with an unknown symbol is reported each time",
     SYMBOLS "0.5 sym9\n0.5 sym9\n",
     "==  seconds e0\n[unknown] 1\n"
     "in:3: warning: undefined symbol 'sym9'\n"
     "in:4: warning: undefined symbol 'sym9'\n"},
};
/* clang-format on */

Test(input_sleepy, texts)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        told_expect(cases[i].name, slice_str(cases[i].text), NULL, cases[i].want);
}

Test(input_sleepy, claims)
{
    cr_expect(claim_find(SLICE(SYMBOLS "0.5 sym1\n"), true) == &format_sleepy);
    cr_expect(claim_find(SLICE(SYMBOLS), false) == &format_sleepy);
    cr_expect(claim_find(SLICE(SYMBOLS), true) != &format_sleepy);
    cr_expect(claim_find(SLICE("0.5 sym1\n"), true) != &format_sleepy);
    cr_expect(claim_find(SLICE(SYMBOLS "hello\n"), true) != &format_sleepy);
}
