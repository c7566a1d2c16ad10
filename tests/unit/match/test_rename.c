#include "match/rename.h"

#include "unit/support/test.h"

Test(match_rename, names_are_rewritten)
{
    static const struct {
        const char *rules[3], *name, *want;
    } rows[] = {
        {{"-w[0-9]+$="}, "orders-w12", "orders"},
        {{"-w[0-9]+$=-wN"}, "orders-w12", "orders-wN"},
        {{"[0-9]+=N"}, "pool-1-thread-34", "pool-N-thread-N"},
        {{"^(\\w+)::(\\w+)$=$2 of $1"}, "ns::f", "f of ns"},
        {{"b=<$&>"}, "abcb", "a<b>c<b>"},
        {{"b=$$1"}, "abc", "a$1c"},
        {{"b=$1$"}, "abc", "a$1$c"},
        {{"(a)|(b)=[$1$2]"}, "ab", "[a][b]"},
        {{"(a)(b)(c)=$3$03$12"}, "abc", "cca2"},
        {{"(?=b)=-"}, "abb", "a-b-b"},
        {{"^=x"}, "ab", "xab"},
        {{"$=x"}, "ab", "abx"},
        {{"=\\(\\)=none"}, "operator=()", "operatornone"},
        {{"a=b", "b=c"}, "a", "c"},
        {{"b=c", "a=b"}, "a", "b"},
        {{"a=b", "b=c", "c=d"}, "abc", "ddd"},
        {{"x=y"}, "abc", "abc"},
        {{".+="}, "abc", "abc"},
        {{"(?:)=|"}, "\xc3\xa4\xe4\xb8\xad", "|\xc3\xa4|\xe4\xb8\xad|"},
        {{"(=["}, "f(x)", "f[x)"}, /* meant as text (match/literal.h) */
        {{"a=b"}, "", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct rename_list list = {0};
        struct buf why = {0};
        struct rename_pass r;
        struct slice got;

        for (size_t k = 0; k < 3 && rows[i].rules[k]; k++)
            cr_assert(rename_list_parse(&list, slice_str(rows[i].rules[k]), false, &why), "%s: %s",
                      rows[i].rules[k], buf_string(&why));
        rename_pass_init(&r, &list);
        for (int again = 0; again < 2; again++) {
            got = rename_apply(&r, slice_str(rows[i].name));
            cr_expect(slice_equal(got, slice_str(rows[i].want)), "row %zu: %.*s, not %s", i,
                      SLICE_ARG(got), rows[i].want);
        }
        cr_expect_null(r.given_up);
        rename_pass_release(&r);
        rename_list_release(&list);
        buf_release(&why);
    }
}

Test(match_rename, bad_rules_are_refused)
{
    static const char *const rules[] = {"abc", "=x", "^(=x", "x{3,1}=y", "a=\xff", ""};

    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
        struct rename_list list = {0};
        struct buf why = {0};

        cr_expect_not(rename_list_parse(&list, slice_str(rules[i]), false, &why), "%s", rules[i]);
        cr_expect(why.len > 0, "%s: no reason", rules[i]);
        cr_expect_eq(list.count, 0);
        rename_list_release(&list);
        buf_release(&why);
    }
}

Test(match_rename, names_are_bounded)
{
    struct rename_list list = {0};
    struct buf why = {0}, name = {0};
    struct rename_pass r;
    struct slice got;

    for (int i = 0; i < 1 << 12; i++)
        buf_add_char(&name, 'a');
    for (int i = 0; i < 4; i++)
        cr_assert(rename_list_add(&list, SLICE("a"), SLICE("aaaaaaaaaaaaaaaaaaaa"), false, &why));
    rename_pass_init(&r, &list);
    got = rename_apply(&r, buf_slice(&name));
    cr_expect_leq(got.len, RENAMED_MOST);
    cr_expect_eq(got.len, (size_t)(1 << 12) * 20, "the last renames would exceed the limit");
    rename_pass_release(&r);
    rename_list_release(&list);
    buf_release(&name);
    buf_release(&why);
}
