#include "input/build/symtab.h"

#include "unit/support/test.h"

struct row {
    uint64_t start, size;
    const char *name;
    enum symtab_binding binding;
};

static void fill(struct symtab *t, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        symtab_add(t, rows[i].start, rows[i].size, slice_str(rows[i].name), rows[i].binding);
}

static void expect(const struct symtab *t, uint64_t address, const char *want)
{
    const struct binary_symbol *s = symtab_find(t, address);

    if (!want)
        cr_expect_null(s, "%#llx", (unsigned long long)address);
    else
        cr_expect(s && slice_equal(s->name, slice_str(want)), "%#llx: %.*s, not %s",
                  (unsigned long long)address, s ? (int)s->name.len : 0, s ? s->name.ptr : "",
                  want);
}

Test(input_symtab, finds_what_contains_an_address)
{
    static const struct row rows[] = {
        {0x400, 0x10, "late", SYMTAB_GLOBAL}, {0x100, 0x100, "outer", SYMTAB_GLOBAL},
        {0x120, 0x10, "inner", SYMTAB_LOCAL}, {0x140, 0, "label", SYMTAB_LOCAL},
        {0x300, 0, "unsized", SYMTAB_LOCAL},
    };
    struct symtab t = {0};

    fill(&t, rows, sizeof(rows) / sizeof(rows[0]));
    symtab_sort(&t);
    expect(&t, 0xff, NULL);
    expect(&t, 0x100, "outer");
    expect(&t, 0x12f, "inner");
    expect(&t, 0x130, "outer");
    expect(&t, 0x150, "outer");
    expect(&t, 0x200, NULL);
    expect(&t, 0x3ff, "unsized");
    expect(&t, 0x40f, "late");
    expect(&t, 0x410, NULL);
    symtab_release(&t);
}

Test(input_symtab, of_several_at_one_address_the_one_of_perf)
{
    static const struct {
        struct row rows[2];
        const char *want;
    } cases[] = {
        {{{1, 0, "empty", SYMTAB_GLOBAL}, {1, 2, "sized", SYMTAB_LOCAL}}, "sized"},
        {{{1, 2, "weak", SYMTAB_WEAK}, {1, 2, "local", SYMTAB_LOCAL}}, "local"},
        {{{1, 2, "local", SYMTAB_LOCAL}, {1, 2, "global", SYMTAB_GLOBAL}}, "global"},
        {{{1, 2, "__x", SYMTAB_GLOBAL}, {1, 2, "x", SYMTAB_GLOBAL}}, "x"},
        {{{1, 2, "short", SYMTAB_GLOBAL}, {1, 2, "longer", SYMTAB_GLOBAL}}, "longer"},
        {{{1, 2, "_Znwm", SYMTAB_GLOBAL}, {1, 2, "_Znam", SYMTAB_GLOBAL}}, "_Znam"},
        {{{1, 2, "SyS_read", SYMTAB_GLOBAL}, {1, 2, "sys_read", SYMTAB_GLOBAL}}, "sys_read"},
        {{{1, 2, "first", SYMTAB_GLOBAL}, {1, 2, "other", SYMTAB_GLOBAL}}, "first"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct symtab t = {0};

        fill(&t, cases[i].rows, 2);
        symtab_sort(&t);
        expect(&t, 1, cases[i].want);
        symtab_release(&t);
    }
}

Test(input_symtab, a_later_symbol_hides_earlier_ones)
{
    static const struct row rows[] = {
        {10, 10, "a", SYMTAB_GLOBAL}, {5, 10, "b", SYMTAB_GLOBAL},
        {16, 2, "c", SYMTAB_GLOBAL},  {30, 0, "nothing", SYMTAB_GLOBAL},
        {17, 20, "d", SYMTAB_GLOBAL}, {18, 1, "e", SYMTAB_GLOBAL},
    };
    static const struct {
        uint64_t address;
        const char *want;
    } finds[] = {{4, NULL}, {5, "b"},  {14, "b"}, {15, "a"}, {16, "c"},
                 {17, "d"}, {18, "e"}, {19, "d"}, {36, "d"}, {37, NULL}};
    struct symtab t = {0};

    fill(&t, rows, sizeof(rows) / sizeof(rows[0]));
    symtab_sort_latest(&t);
    for (size_t i = 0; i < sizeof(finds) / sizeof(finds[0]); i++)
        expect(&t, finds[i].address, finds[i].want);
    symtab_release(&t);
}
