#include "input/build/binary.h"

#include <fcntl.h>
#include <link.h>
#include <string.h>

#include "unit/support/own_code.h"
#include "unit/support/test.h"

static bool has_name(const struct symtab *t, struct slice name)
{
    bool found = false;

    vec_each (const struct binary_symbol, s, &t->symbols) {
        found = found || slice_equal(s->name, name);
    }
    return found;
}

/* Finds a shared library that is loaded: each calls __cxa_finalize and takes its address. */
static int take_criterion(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    if (!strstr(info->dlpi_name, "libcriterion"))
        return 0;
    *(const char **)context = info->dlpi_name;
    return 1;
}

/* Linkers put the entry of a function whose address is taken, too, into .plt.got. */
Test(input_binary, entries_of_plt_got_have_names)
{
    const char *library = NULL;
    struct arena names = {0};
    struct symtab t = {0};
    struct binary e;

    dl_iterate_phdr(take_criterion, &library);
    cr_assert(library && binary_open(&e, open(library, O_RDONLY | O_CLOEXEC)));
    if (!binary_section(&e, ".plt.got").len) {
        binary_release(&e);
        cr_skip_test("the linker of this machine makes no .plt.got");
    }
    binary_add_plt(&e, &names, &t);
    cr_expect(has_name(&t, SLICE("__cxa_finalize@plt")));
    symtab_release(&t);
    arena_release(&names);
    binary_release(&e);
}

Test(input_binary, maps_of_its_code_fit)
{
    enum { PAGE = 4096 };
    struct own_code code;

    own_code_find(&code);

    const uint64_t end = code.offset + code.size;
    const struct {
        const char *what;
        struct binary_part part;
        bool want;
    } rows[] = {
        {"its own", {code.offset, code.size}, true},
        {"an unknown one", {code.offset, 0}, true},
        {"one that a program cut at its beginning", {code.offset + PAGE, code.size - PAGE}, true},
        {"one of the whole file", {0, end + PAGE}, true},
        {"one that a program cut at its end", {code.offset, code.size / 2 / PAGE * PAGE}, true},
        {"a longer one", {code.offset, code.size + (2 << 20)}, false},
        {"one behind the code", {end + (2 << 20), code.size}, false},
    };
    struct binary e;

    cr_assert(binary_open(&e, open("/proc/self/exe", O_RDONLY | O_CLOEXEC)));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        cr_expect_eq(binary_fits(&e, rows[i].part), rows[i].want, "%s", rows[i].what);
    binary_release(&e);
}
