#include "tree/group.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "profile/package.h"

const char *group_word(enum group_by by)
{
    static const char *const words[] = {
        [GROUP_NOT] = "function",
        [GROUP_MODULE] = "module",
        [GROUP_PACKAGE] = "package",
    };

    return words[by];
}

/* ---- packages ------------------------------------------------------------------------------ */

/* Returns the file in a name such as "name (file:12:5)", or an empty slice. */
static struct slice file_of(struct slice name)
{
    size_t open = slice_search(name, SLICE(" ("));
    struct slice file;

    if (open == name.len || !slice_ends(name, SLICE(")")))
        return slice_make(NULL, 0);
    file = slice_skip(slice_take(name, name.len - 1), open + 2);
    while (file.len) {
        size_t colon = slice_find_last(file, ':');
        struct slice digits = slice_skip(file, colon + 1);

        if (colon == file.len || !digits.len || digits.ptr[0] < '0' || digits.ptr[0] > '9')
            break;
        file = slice_take(file, colon);
    }
    return slice_find(file, '.') < file.len ? file : slice_make(NULL, 0);
}

/* Appends the installed package that contains the file; if there is none, the file's name. */
static void add_file_package(struct buf *out, struct slice file)
{
    struct slice rest = file, part = file;

    while (package_next_part(&rest, &part)) {
        size_t slash = slice_find(rest, '/');

        if (!package_is_directory(part) || !rest.len)
            continue;
        if (slice_starts(rest, SLICE("@")) && slash < rest.len) /* "@scope/package" */
            slash += 1 + slice_find(slice_skip(rest, slash + 1), '/');
        buf_add_slice(out, slice_take(rest, slash));
        return;
    }
    buf_add_slice(out, part);
}

/* Returns the name without arguments and template arguments. */
static struct slice head_of(struct slice name)
{
    static const char *const before[] = {"<", "&", "*", "mut ", "const ", "dyn ", "impl "};
    size_t tick = slice_find(name, '`'), end = 0;

    if (tick < name.len)
        name = slice_skip(name, tick + 1);
    for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
        if (slice_starts(name, slice_str(before[i])))
            name = slice_skip(name, strlen(before[i]));
    while (end < name.len && !strchr("(<[{ ,", name.ptr[end]))
        end++;
    return slice_take(name, end);
}

/* Appends "java.util" for "java/util/HashMap.get", "net/http" for "net/http.Get". */
static void add_path_package(struct buf *out, struct slice head, size_t slash)
{
    struct slice last = slice_skip(head, slash + 1);
    size_t end = 0;

    if (slice_starts(head, SLICE("/")))
        return; /* the path of a program */
    if (last.len && ascii_is_capital(last.ptr[0])) {
        for (size_t i = 0; i < slash; i++)
            buf_add_char(out, head.ptr[i] == '/' ? '.' : head.ptr[i]);
        return;
    }
    while (end < last.len && last.ptr[end] != '.' && last.ptr[end] != ':')
        end++;
    if (end < last.len)
        buf_add_slice(out, slice_take(head, slash + 1 + end));
}

/*
 * Package names begin with a small letter, class names with a capital. Without a
 * class, the first name is the package. If the first name is capital, the last
 * two names are class and method.
 */
static void add_dotted_package(struct buf *out, struct slice head)
{
    size_t first = slice_find(head, '.'), class = 0, last = slice_find_last(head, '.');

    if (!first || first == head.len)
        return;
    while (class < last && !ascii_is_capital(head.ptr[class])) {
        size_t dot = slice_find(slice_skip(head, class), '.');

        class += dot + 1;
    }
    if (class > last || class >= head.len || !ascii_is_capital(head.ptr[class])) {
        buf_add_slice(out, slice_take(head, first));
    } else if (class > 0) {
        buf_add_slice(out, slice_take(head, class - 1));
    } else {
        size_t type = slice_find_last(slice_take(head, last), '.');

        buf_add_slice(out, slice_take(head, type < last ? type : last));
    }
}

void group_package(struct slice name, struct buf *out)
{
    struct slice file = file_of(name), head = head_of(name);
    size_t slash = slice_find_last(head, '/'), colons = slice_search(head, SLICE("::"));

    if (file.len)
        add_file_package(out, file);
    else if (slash < head.len)
        add_path_package(out, head, slash);
    else if (colons < head.len)
        buf_add_slice(out, slice_take(head, colons));
    else
        add_dotted_package(out, head);
}

/* ---- symbols ------------------------------------------------------------------------------- */

static bool is_kernel(struct slice module)
{
    return slice_starts(module, SLICE("[kernel")) || slice_starts(module, SLICE("[guest.kernel")) ||
           slice_starts(module, SLICE("vmlinux"));
}

/* Appends the name of a symbol's group, or nothing if it is unknown. */
static void add_group(const struct symbols *symbols, uint32_t id, enum group_by by, struct buf *out)
{
    const struct symbol *symbol = &symbols->items.items[id];
    bool kernel = symbol->class == SYMBOL_KERNEL;

    if (by == GROUP_PACKAGE && !kernel)
        group_package(symbol_name(symbols, id), out);
    if (out->len)
        return;
    if (symbol->module != SYMBOL_NONE) {
        struct slice module = symbol_module_file(intern_get(&symbols->names, symbol->module));

        buf_add_slice(out, is_kernel(module)              ? SLICE("[kernel]")
                           : symbol_module_is_jit(module) ? SLICE("[jit]")
                                                          : module);
    } else if (kernel) {
        buf_add_str(out, "[kernel]");
    } else if (symbol->class == SYMBOL_JIT || symbol->class == SYMBOL_INTERPRETED ||
               symbol->class == SYMBOL_BASELINE) {
        buf_add_str(out, "[jit]");
    }
}

/* Returns the class of a group. Only classes that have colours are kept: others would split it. */
static enum symbol_class group_class(enum symbol_class class)
{
    class = symbol_class_of_code(class);
    return class == SYMBOL_KERNEL || class == SYMBOL_WAKER ? class : SYMBOL_USER;
}

enum symbol_class group_name(const struct symbols *symbols, uint32_t id, enum group_by by,
                             struct buf *out)
{
    add_group(symbols, id, by, out);
    return group_class(symbol_class(symbols, id));
}

uint32_t *group_symbols(struct profile *p, enum group_by by)
{
    uint32_t count = symbols_count(&p->symbols);
    uint32_t *groups = xreallocarray(NULL, count, sizeof(*groups));
    struct buf name = {0};

    for (uint32_t id = 0; id < count; id++) {
        enum symbol_class class = symbol_class(&p->symbols, id), own;

        groups[id] = SYMBOL_NONE;
        if (symbol_class_is_owner(class))
            continue;
        buf_clear(&name);
        own = group_name(&p->symbols, id, by, &name);
        if (class == SYMBOL_SEPARATOR) {
            groups[id] = id;
        } else if (name.len) {
            groups[id] = symbols_add(&p->symbols, buf_slice(&name), own);
            if (by == GROUP_MODULE) /* for colours by module */
                symbols_set_module(&p->symbols, groups[id], buf_slice(&name));
        }
    }
    buf_release(&name);
    return groups;
}

uint32_t group_none(struct profile *p, enum group_by by)
{
    return symbols_add(&p->symbols,
                       by == GROUP_MODULE ? SLICE("[no module]") : SLICE("[no package]"),
                       SYMBOL_USER);
}
