#include "input/build/demangle.h"

#include "unit/support/patience.h"
#include "unit/support/test.h"

/* names.tsv has the names; the tests of this file are for the limits. */

static bool demangles(struct slice name)
{
    struct buf out = {0};
    bool done;

    buf_add_str(&out, "before ");
    done = demangle_add(&out, name);
    cr_expect(done ? out.len > 7 : strcmp(buf_string(&out), "before ") == 0, "'%.*s' left '%s'",
              SLICE_ARG(slice_take(name, 80)), buf_string(&out));
    buf_release(&out);
    return done;
}

Test(input_demangle, appends)
{
    struct buf out = {0};

    cr_expect(demangle_add(&out, SLICE("_Z1fi")));
    cr_expect(demangle_add(&out, SLICE("_RNvCs1234_7mycrate3foo")));
    cr_expect(demangle_add(&out, SLICE("_Dmain")));
    cr_expect_str_eq(buf_string(&out), "f(int)mycrate::fooD main");
    buf_release(&out);
}

Test(input_demangle, leaves_other_text_alone)
{
    static const char *const texts[] = {"",       "_",          "__",      "main", "_Z",     "__Z",
                                        "_R",     "_D",         "_Read",   "_D3",  "_D9foo", "Z1fi",
                                        "_z1fi",  "_______Z1f", "_Z1fi ",  "_ZN",  "_ZSt",   "_ZT",
                                        "_RNvC1", "_RB_",       "_RYB_B_", "_D1a", "_ZTQ"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        cr_expect(!demangles(slice_str(texts[i])), "'%s'", texts[i]);
    cr_expect(!demangles(slice_make("_Z1fi\0", 6)));
}

/* Makes a name that repeats a part between a start and an end. */
static bool repeated(const char *start, const char *part, size_t times, const char *end)
{
    struct buf name = {0};
    bool done;

    buf_add_str(&name, start);
    for (size_t i = 0; i < times; i++)
        buf_add_str(&name, part);
    buf_add_str(&name, end);
    done = demangles(buf_slice(&name));
    buf_release(&name);
    return done;
}

Test(input_demangle, recursion_is_bounded)
{
    patience(20);
    static const struct {
        const char *start, *part, *end;
    } deep[] = {
        {"_Z1f", "P", "i"},       {"_Z1fI", "1AI", "E"},   {"_ZN", "1AIN", "E"},
        {"_RNvC1a1b", "I", "E"},  {"_RIC1a", "R", "uE"},   {"_R", "N", "vC1a1b"},
        {"_D1fF", "A", "aZv"},    {"_D1f", "__T1a", "Z"},  {"_D1fFP", "FP", "Zv"},
        {"_Z1fIXsz", "sz", "EE"}, {"_Z1fIX", "plL", "EE"}, {"_Z1f", "KPF", "i"},
    };
    static const size_t times[] = {10, 300, 1000, 5000, 1000000};

    for (size_t i = 0; i < sizeof(deep) / sizeof(deep[0]); i++)
        for (size_t k = 0; k < sizeof(times) / sizeof(times[0]); k++)
            repeated(deep[i].start, deep[i].part, times[k], deep[i].end);
    cr_expect(repeated("_Z1f", "P", 10, "i"));
    cr_expect(!repeated("_Z1f", "P", 1000000, "i"));
}

/* Each part names the part before it twice: sixty parts expand to a text of 2^60 bytes. */
static void doubling(struct buf *name, const char *start, const char *format, unsigned first,
                     unsigned count, const char *end)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    buf_add_str(name, start);
    for (unsigned i = 0; i < count; i++)
        for (const char *c = format; *c; c++) {
            if (*c != '#') {
                buf_add_char(name, *c);
                continue;
            }
            if (first + i >= 36)
                buf_add_char(name, digits[(first + i) / 36]);
            buf_add_char(name, digits[(first + i) % 36]);
        }
    buf_add_str(name, end);
}

Test(input_demangle, results_are_bounded)
{
    struct buf name = {0};

    patience(20);
    /* f(A<int>, A<A<int>, A<int>>, ...): S_ is A, S0_ A<int>, and so on. */
    doubling(&name, "_Z1f1AIiE", "S_IS#_S#_E", 0, 60, "");
    cr_expect(!demangles(buf_slice(&name)));
    buf_clear(&name);
    doubling(&name, "_Z1f1AIiE", "S_IS#_S#_E", 0, 4, "");
    cr_expect(demangles(buf_slice(&name)));
    buf_release(&name);
}

Test(input_demangle, rust_results_are_bounded)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    struct buf name = {0};
    size_t before = 0;

    patience(20);
    /*
     * f::<(u8, u8), (B, B), ...>: each B is the tuple before it; positions count from after "_R".
     */
    buf_add_str(&name, "_RINvC1a1f");
    for (unsigned i = 0; i < 40; i++) {
        size_t at = name.len - 2;

        buf_add_str(&name, "T");
        for (unsigned k = 0; k < 2; k++) {
            if (i == 0) {
                buf_add_str(&name, "h");
                continue;
            }
            buf_add_char(&name, 'B');
            if (before - 1 >= 62)
                buf_add_char(&name, digits[(before - 1) / 62]);
            buf_add_char(&name, digits[(before - 1) % 62]);
            buf_add_char(&name, '_');
        }
        buf_add_str(&name, "E");
        before = at;
        if (i == 3) {
            buf_add_str(&name, "E");
            cr_expect(demangles(buf_slice(&name)), "%s", buf_string(&name));
            name.len--;
        }
    }
    buf_add_str(&name, "E");
    cr_expect(!demangles(buf_slice(&name)));
    buf_release(&name);
}

Test(input_demangle, d_results_are_bounded)
{
    patience(20);
    /* Two references on each level, which are more than the limit allows to follow. */
    cr_expect(demangles(SLICE("_D1fFAyaQdQfZv")));
    repeated("_D1fFAya", "B2QdQf", 8, "Zv");
    cr_expect(!repeated("_D1fFAya", "B2QdQf", 9, "Zv"));
}
