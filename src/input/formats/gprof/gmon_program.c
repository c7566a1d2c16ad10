#include "input/formats/gprof/gmon_program.h"

#include <stdlib.h>

#include "base/file.h"
#include "input/core/dependencies.h"

/* The C library rounds the end of the recorded addresses up by less than this many bytes. */
enum { ROUNDING = 16 };

/* Opens a program if its code ends where the recorded addresses end. */
static bool open_program(struct gmon_program *p, const struct input_options *o,
                         enum dependency_root root, const char *path, uint64_t end)
{
    uint64_t code_end;

    p->found = binary_open(&p->binary, dependencies_open_named(o, root, path));
    if (!p->found)
        return false;
    if (binary_code_end(&p->binary, &code_end) && end >= code_end && end - code_end < ROUNDING)
        return true;
    binary_release(&p->binary);
    p->found = false;
    return false;
}

/* Looks beside the recording. */
static bool open_beside(struct gmon_program *p, const struct input_options *o, const char *path,
                        uint64_t end)
{
    const char *root = o->symfs ? o->symfs : "";
    enum dependency_root below = *root ? DEPENDENCY_AS_NAMED : DEPENDENCY_BESIDE;
    struct slice name = file_name_of(slice_str(path));
    struct slice folder = slice_make(path, strlen(path) - name.len);
    struct slice first = slice_take(name, slice_find(name, '.'));
    struct slice names[] = {first, SLICE("a.out")};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *place = arena_printf(&p->names, "%s%s%.*s%.*s", root, *root ? "/" : "",
                                         SLICE_ARG(folder), SLICE_ARG(names[i]));

        if (names[i].len && open_program(p, o, below, place, end))
            return true;
    }
    return false;
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return a < b ? -1 : a > b;
}

/* Adds the functions of a sorted table, which has the best of several at one address. */
static void add_functions(struct gmon_program *p, const struct symtab *table)
{
    vec_each (const struct binary_symbol, s, &table->symbols) {
        const struct binary_symbol *best = symtab_find(table, s->start);
        size_t count = p->functions.count;

        if (best && best->start == s->start &&
            (!count || p->functions.items[count - 1].start != s->start))
            *vec_add(&p->functions) = (struct gmon_function){best->start, best->name};
    }
}

void gmon_program_init(struct gmon_program *p, const struct input_options *options,
                       const char *path, uint64_t end, struct diag *diag)
{
    struct symtab table = {0};

    *p = (struct gmon_program){.binary = {.fd = -1}};
    if (options->program && !open_program(p, options, DEPENDENCY_AS_NAMED, options->program, end))
        diag_add(diag, DIAG_WARNING, DIAG_AT_FILE,
                 "%s is not the program that wrote this file: it cannot be read, or its code does "
                 "not end at 0x%llx",
                 options->program, (unsigned long long)end);
    if (!p->found && !options->program && path)
        open_beside(p, options, path, end);
    if (!p->found)
        return;
    binary_add_symbols(&p->binary, &p->binary, &table);
    binary_add_plt(&p->binary, &p->names, &table);
    symtab_sort(&table);
    add_functions(p, &table);
    symtab_release(&table);
}

void gmon_program_release(struct gmon_program *p)
{
    if (p->found)
        binary_release(&p->binary);
    vec_release(&p->functions);
    arena_release(&p->names);
}

void gmon_program_guess(struct gmon_program *p, struct gmon_addresses *starts)
{
    if (starts->count)
        qsort(starts->items, starts->count, sizeof(*starts->items), compare);
    vec_each (const uint64_t, start, starts) {
        size_t count = p->functions.count;

        if (!count || p->functions.items[count - 1].start != *start)
            *vec_add(&p->functions) = (struct gmon_function){
                *start,
                slice_str(arena_printf(&p->names, "code from 0x%llx", (unsigned long long)*start))};
    }
}

uint32_t gmon_program_find(const struct gmon_program *p, uint64_t address)
{
    size_t low = 0, high = p->functions.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (p->functions.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}
