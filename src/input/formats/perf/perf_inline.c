#include "input/formats/perf/perf_inline.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/build/binary.h"
#include "input/build/line_table.h"

/* Far more than the hot units of large programs have. */
enum { MOST_VISITS = 1 << 27, MOST_DEPTH = 1024, MOST_STEPS = 1 << 26, MOST_ROWS = 1 << 24 };

/* A function, or a place where one is inlined. */
struct function {
    Dwarf_Off entry;
    uint32_t caller; /* the function around it; UINT32_MAX if it is inlined nowhere */
    bool known;      /* the rest is; it may be empty */
    struct slice name;
    struct perf_place call; /* where it is inlined */
};

/* A range of a function's code. */
struct range {
    uint64_t start, end;
    uint32_t number;   /* in the order of the entries, in which inner functions are later */
    uint32_t function; /* or the unit, in the ranges of units */
    uint32_t around;   /* the nearest one before it that ends later */
};

struct ranges {
    VEC(struct range) items;
};

struct unit {
    Dwarf_Off entry;
    bool has_functions, has_lines; /* they were read */
    VEC(struct function) functions;
    struct ranges ranges;
    struct line_table lines;
    struct slice folder;     /* where it was compiled */
    VEC(struct slice) paths; /* of the table's files, by number, as far as they were asked for */
};

struct perf_inline {
    Dwarf *dwarf;
    struct line_sections sections;
    struct line_budget budget; /* of line tables */
    struct arena texts;
    struct buf path;
    struct map index; /* of units, by entry */
    VEC(struct unit) units;
    bool has_places;      /* `places` is known */
    struct ranges places; /* of all units; `function` is the index in `entries` */
    VEC(Dwarf_Off) entries;
    uint32_t visits;
};

struct perf_inline *perf_inline_new(const struct binary *e)
{
    Dwarf *dwarf = dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
    struct perf_inline *p;

    if (!dwarf)
        return NULL;
    p = xcalloc(1, sizeof(*p));
    p->dwarf = dwarf;
    /* libdw has decompressed them. */
    p->sections = (struct line_sections){
        .lines = binary_section(e, ".debug_line"),
        .line_texts = binary_section(e, ".debug_line_str"),
        .texts = binary_section(e, ".debug_str"),
        .swapped = binary_is_swapped(e),
    };
    p->budget = (struct line_budget){.steps = MOST_STEPS, .kept = MOST_ROWS};
    return p;
}

void perf_inline_free(struct perf_inline *p)
{
    if (!p)
        return;
    vec_each (struct unit, unit, &p->units) {
        release_each(unit, (vec, functions, ranges.items, paths), (line_table, lines));
    }
    release_each(p, (vec, units, places.items, entries), (map, index), (arena, texts), (buf, path));
    dwarf_end(p->dwarf);
    xfree(p);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Adds the ranges of an entry. Returns whether it has any. */
static bool add_ranges(struct ranges *r, Dwarf_Die *die, uint32_t function)
{
    Dwarf_Addr base, start, end;
    size_t before = r->items.count;

    for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
        if (start < end)
            *vec_add(&r->items) = (struct range){
                .start = start,
                .end = end,
                .number = (uint32_t)r->items.count,
                .function = function,
            };
    return r->items.count > before;
}

static int compare(const void *left, const void *right)
{
    const struct range *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static void sort(struct ranges *r)
{
    struct range *items = r->items.items;

    if (r->items.count)
        qsort(items, r->items.count, sizeof(*items), compare);
    for (uint32_t i = 0; i < r->items.count; i++) {
        uint32_t around = i ? i - 1 : UINT32_MAX;

        while (around != UINT32_MAX && items[around].end <= items[i].start)
            around = items[around].around;
        items[i].around = around;
    }
}

/* The innermost range at an address, or NULL. */
static const struct range *find_range(const struct ranges *r, uint64_t address)
{
    const struct range *items = r->items.items;
    size_t low = 0, high = r->items.count;
    uint32_t at;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    at = low ? (uint32_t)(low - 1) : UINT32_MAX;
    while (at != UINT32_MAX && items[at].end <= address)
        at = items[at].around;
    return at == UINT32_MAX ? NULL : &items[at];
}

/* ---- units ----------------------------------------------------------------------------------- */

/* What a walk through the entries of a unit still has to visit, outermost first. */
struct level {
    Dwarf_Die die;
    uint32_t function; /* around it */
};

static bool may_have_functions(int tag)
{
    static const int tags[] = {
        DW_TAG_subprogram,  DW_TAG_inlined_subroutine, DW_TAG_lexical_block, DW_TAG_namespace,
        DW_TAG_class_type,  DW_TAG_structure_type,     DW_TAG_module,        DW_TAG_try_block,
        DW_TAG_catch_block, DW_TAG_entry_point,        DW_TAG_with_stmt,
    };

    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
        if (tags[i] == tag)
            return true;
    return false;
}

/*
 * Adds the function of an entry, if it is one with code, and sets `*function` to it. Returns false
 * if no code is below the entry.
 */
static bool add_function(struct unit *unit, Dwarf_Die *die, uint32_t *function)
{
    int tag = dwarf_tag(die);
    uint32_t id = (uint32_t)unit->functions.count;

    if (!may_have_functions(tag))
        return false;
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
        return true;
    /* Of functions that are always inlined there are entries without code. */
    if (!add_ranges(&unit->ranges, die, id))
        return tag == DW_TAG_inlined_subroutine;
    *vec_add(&unit->functions) = (struct function){
        .entry = dwarf_dieoffset(die), .caller = tag == DW_TAG_subprogram ? UINT32_MAX : *function};
    *function = id;
    return true;
}

static void read_functions(struct perf_inline *p, struct unit *unit, Dwarf_Die *root)
{
    VEC(struct level) levels = {0};
    struct level level = {.function = UINT32_MAX};

    if (dwarf_child(root, &level.die) == 0)
        *vec_add(&levels) = level;
    while (levels.count && p->visits++ < MOST_VISITS) {
        struct level *top = &levels.items[levels.count - 1];
        Dwarf_Die die = top->die;
        bool inside;

        level.function = top->function;
        inside = add_function(unit, &die, &level.function);
        if (dwarf_siblingof(&die, &top->die) != 0)
            levels.count--;
        if (inside && levels.count < MOST_DEPTH && dwarf_child(&die, &level.die) == 0)
            *vec_add(&levels) = level;
    }
    vec_release(&levels);
    sort(&unit->ranges);
}

static bool same_unit(const void *context, uint32_t id, const void *key)
{
    return ((const struct perf_inline *)context)->units.items[id].entry == *(const Dwarf_Off *)key;
}

static struct unit *find_unit(struct perf_inline *p, Dwarf_Die *die)
{
    Dwarf_Off entry = dwarf_dieoffset(die);
    uint64_t hash = map_hash_pair(&p->index, entry, 0);
    uint32_t id = map_find(&p->index, hash, same_unit, p, &entry);

    if (id == MAP_NONE) {
        id = (uint32_t)p->units.count;
        *vec_add(&p->units) = (struct unit){.entry = entry};
        map_add(&p->index, hash, id);
    }
    return &p->units.items[id];
}

/* Finds the unit of an address by the ranges of the units themselves. */
static bool find_place(struct perf_inline *p, uint64_t address, Dwarf_Die *die)
{
    const struct range *place;

    if (!p->has_places) {
        Dwarf_CU *cu = NULL;
        Dwarf_Die unit;
        uint8_t type;

        /* Units in other files, which this one names, are not asked for. */
        while (dwarf_get_units(p->dwarf, cu, &cu, NULL, &type, &unit, NULL) == 0) {
            if (type != DW_UT_compile || !add_ranges(&p->places, &unit, (uint32_t)p->entries.count))
                continue;
            *vec_add(&p->entries) = dwarf_dieoffset(&unit);
        }
        sort(&p->places);
        p->has_places = true;
    }
    place = find_range(&p->places, address);
    return place && dwarf_offdie(p->dwarf, p->entries.items[place->function], die);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Whether functions of a language have the names in programs that they have in the source. */
static bool keeps_names(int language)
{
    static const int languages[] = {
        DW_LANG_C89,   DW_LANG_C,       DW_LANG_C99,     DW_LANG_C11,      DW_LANG_Ada83,
        DW_LANG_Ada95, DW_LANG_Cobol74, DW_LANG_Cobol85, DW_LANG_Pascal83, DW_LANG_Fortran77,
        DW_LANG_PLI,   DW_LANG_UPC,     DW_LANG_D,       DW_LANG_Go,       DW_LANG_Mips_Assembler,
    };

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        if (languages[i] == language)
            return true;
    return false;
}

static struct slice name_of(Dwarf_Die *die, bool linked)
{
    static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    size_t count = sizeof(names) / sizeof(names[0]) - linked;
    Dwarf_Attribute attribute;

    for (size_t i = 0; i < count; i++)
        if (dwarf_attr_integrate(die, names[i], &attribute))
            return slice_str(dwarf_formstring(&attribute));
    return slice_make(NULL, 0);
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool find_number(Dwarf_Die *die, unsigned name, uint64_t *out)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
        return false;
    *out = value;
    return true;
}

static void read_lines(struct perf_inline *p, struct unit *unit, Dwarf_Die *root)
{
    Dwarf_Attribute attribute;
    uint64_t offset;

    if (!find_number(root, DW_AT_stmt_list, &offset))
        return;
    line_table_read(&unit->lines, &p->sections, offset, &p->budget);
    if (dwarf_attr(root, DW_AT_comp_dir, &attribute))
        unit->folder = slice_str(dwarf_formstring(&attribute));
}

static struct perf_place place_of(struct perf_inline *p, struct unit *unit, uint64_t file,
                                  uint64_t line)
{
    struct perf_place place = {.line = line <= UINT32_MAX ? (uint32_t)line : 0};

    if (file > unit->lines.files.count)
        return place;
    while (unit->paths.count <= file)
        *vec_add(&unit->paths) = slice_make(NULL, 0);
    place.file = unit->paths.items[file];
    buf_clear(&p->path);
    if (!place.file.len &&
        line_table_add_path(&unit->lines, (uint32_t)file, unit->folder, &p->path))
        place.file = unit->paths.items[file] = arena_copy(&p->texts, buf_slice(&p->path));
    return place;
}

/* The place that a row says; nowhere without one. */
static struct perf_place place_of_row(struct perf_inline *p, struct unit *unit,
                                      const struct line_row *row)
{
    return row ? place_of(p, unit, row->file, row->line) : (struct perf_place){0};
}

/* ---- functions ------------------------------------------------------------------------------- */

static const struct function *find_function(struct perf_inline *p, struct unit *unit, uint32_t id)
{
    struct function *f = &unit->functions.items[id];
    Dwarf_Die die, root;
    uint64_t file, line;

    if (!f->known && dwarf_offdie(p->dwarf, f->entry, &die)) {
        f->name = name_of(&die, f->caller == UINT32_MAX && dwarf_diecu(&die, &root, NULL, NULL) &&
                                    !keeps_names(dwarf_srclang(&root)));
        if (find_number(&die, DW_AT_call_file, &file) && find_number(&die, DW_AT_call_line, &line))
            f->call = place_of(p, unit, file, line);
    }
    f->known = true;
    return f;
}

/* The unit of an address with its line table and, if wanted, its functions; NULL if none has it. */
static struct unit *load_unit(struct perf_inline *p, uint64_t address, bool functions)
{
    Dwarf_Die root;
    struct unit *unit;

    if (!dwarf_addrdie(p->dwarf, address, &root) && !find_place(p, address, &root))
        return NULL;
    unit = find_unit(p, &root);
    if (!unit->has_lines)
        read_lines(p, unit, &root);
    unit->has_lines = true;
    if (functions && !unit->has_functions)
        read_functions(p, unit, &root);
    unit->has_functions |= functions;
    return unit;
}

unsigned perf_inline_find(struct perf_inline *p, uint64_t address, struct perf_place *place,
                          struct perf_function found[PERF_INLINE_MOST])
{
    struct unit *unit = load_unit(p, address, found != NULL);
    const struct range *range;
    struct perf_place here;
    unsigned count = 0;

    here = unit ? place_of_row(p, unit, line_table_find(&unit->lines, address))
                : (struct perf_place){0};
    *place = here;
    range = unit && found ? find_range(&unit->ranges, address) : NULL;
    for (uint32_t id = range ? range->function : UINT32_MAX;
         id != UINT32_MAX && count < PERF_INLINE_MOST; id = unit->functions.items[id].caller) {
        const struct function *f = find_function(p, unit, id);

        found[count++] = (struct perf_function){f->name, here, f->caller == UINT32_MAX};
        here = f->call;
    }
    return count;
}

struct perf_place perf_inline_find_start(struct perf_inline *p, uint64_t address)
{
    struct unit *unit = load_unit(p, address, false);

    return unit ? place_of_row(p, unit, line_table_find_start(&unit->lines, address))
                : (struct perf_place){0};
}
