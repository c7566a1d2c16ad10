#include "input/formats/perf/perf_inline.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/budget.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/build/binary.h"
#include "input/build/line_table.h"

/*
 * Far more than the hot units of large programs have. A step is what libdw does for one attribute,
 * one byte of a list of ranges or one byte of a name.
 */
enum { MOST_LINE_STEPS = 1 << 26, MOST_ROWS = 1 << 24 };
#define MOST_STEPS (UINT64_C(1) << 30)

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
    uint64_t steps;      /* that libdw did, as far as the input controls them */
    size_t ranges_bytes; /* of the largest section with lists of ranges */
};

/* ---- the work of libdw ----------------------------------------------------------------------- */

/* Counts steps. Returns false if the binary has had its share, or the input has. */
static bool spend(struct perf_inline *p, uint64_t steps)
{
    budget_work(steps);
    p->steps += steps;
    return p->steps < MOST_STEPS && !budget_is_over();
}

/* The attributes of an entry, all of which libdw passes to find one that is not there. */
static uint64_t count_attributes(Dwarf_Die *die)
{
    size_t count = 0;

    /* libdw knows the abbreviation of an entry after it was asked for its tag. */
    if (dwarf_tag(die) != DW_TAG_invalid && die->abbrev)
        dwarf_getattrcnt(die->abbrev, &count);
    return count + 1;
}

uint64_t perf_inline_steps(const struct perf_inline *p)
{
    return p->steps;
}

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
    p->ranges_bytes = binary_section(e, ".debug_ranges").len;
    if (binary_section(e, ".debug_rnglists").len > p->ranges_bytes)
        p->ranges_bytes = binary_section(e, ".debug_rnglists").len;
    p->budget = (struct line_budget){.steps = MOST_LINE_STEPS, .kept = MOST_ROWS};
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

/*
 * Adds the ranges of an entry. Returns whether it has any. A list may have any number of items that
 * are no ranges, which libdw passes in one call; only how far it came is known, and only after a
 * range. So a list without ranges counts as long as its section: linkers leave few of those.
 */
static bool add_ranges(struct perf_inline *p, struct ranges *r, Dwarf_Die *die, uint32_t function)
{
    Dwarf_Addr base, start, end;
    size_t before = r->items.count;
    uint64_t each = 2 * count_attributes(die);
    ptrdiff_t at = 0, last;

    while (spend(p, each) && (last = at, at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
        if (last && at > last)
            spend(p, (uint64_t)(at - last));
        if (start < end)
            *vec_add(&r->items) = (struct range){
                .start = start,
                .end = end,
                .number = (uint32_t)r->items.count,
                .function = function,
            };
    }
    if (r->items.count == before && dwarf_hasattr(die, DW_AT_ranges))
        spend(p, p->ranges_bytes);
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

/* The entries around the one that a walk through a unit is at, outermost first. */
struct level {
    uint32_t function; /* around the entries of this level */
    bool outside;      /* no code is below them */
};

/*
 * A walk through a unit in the order of its bytes. libdw would find the sibling of an entry by a
 * walk through all that is below it, so that a walk by siblings costs as many steps for each
 * entry as there are entries around it.
 */
struct walk {
    Dwarf_Die die;
    const unsigned char *end; /* of the unit */
    VEC(struct level) levels;
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
static bool add_function(struct perf_inline *p, struct unit *unit, Dwarf_Die *die,
                         uint32_t *function)
{
    int tag = dwarf_tag(die);
    uint32_t id = (uint32_t)unit->functions.count;

    if (!may_have_functions(tag))
        return false;
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
        return true;
    /* Functions that are always inlined have entries without code. */
    if (!add_ranges(p, &unit->ranges, die, id))
        return tag == DW_TAG_inlined_subroutine;
    *vec_add(&unit->functions) = (struct function){
        .entry = dwarf_dieoffset(die), .caller = tag == DW_TAG_subprogram ? UINT32_MAX : *function};
    *function = id;
    return true;
}

/* Starts a walk at the first entry below the unit's. Returns false if there is none. */
static bool begin_walk(struct walk *w, Dwarf_Die *root)
{
    Dwarf_Die unit = *root;
    Dwarf_Off offset = dwarf_dieoffset(root), first = offset - dwarf_cuoffset(root), next;

    *w = (struct walk){0};
    if (dwarf_next_unit(dwarf_cu_getdwarf(unit.cu), first, &next, NULL, NULL, NULL, NULL, NULL,
                        NULL, NULL) != 0 ||
        dwarf_child(root, &w->die) != 0)
        return false;
    w->end = (const unsigned char *)root->addr + (next - offset);
    *vec_add(&w->levels) = (struct level){.function = UINT32_MAX};
    return true;
}

/*
 * Goes on to the next entry, where `below` is the level of what is below this one. An entry without
 * code below it is passed in one step if it says where the next one is. libdw sets the address of a
 * sibling that is missing to the byte that ends the list of siblings.
 */
static bool step(struct walk *w, struct level below)
{
    Dwarf_Die next = {0};
    const unsigned char *at;
    int found;

    if (!(below.outside && dwarf_hasattr(&w->die, DW_AT_sibling)) &&
        dwarf_child(&w->die, &next) == 0) {
        *vec_add(&w->levels) = below;
        w->die = next;
        return true;
    }
    found = dwarf_siblingof(&w->die, &next);
    at = next.addr;
    if (found < 0 || at <= (const unsigned char *)w->die.addr)
        return false;
    if (found == 0) {
        w->die = next;
        return true;
    }
    for (; at < w->end && !*at; at++) {
        if (w->levels.count == 1)
            return false;
        w->levels.count--;
    }
    w->die = (Dwarf_Die){.addr = (void *)(uintptr_t)at, .cu = w->die.cu};
    return at < w->end;
}

static void read_functions(struct perf_inline *p, struct unit *unit, Dwarf_Die *root)
{
    struct walk w;

    for (bool more = begin_walk(&w, root); more && spend(p, count_attributes(&w.die));) {
        struct level below = w.levels.items[w.levels.count - 1];

        below.outside = below.outside || !add_function(p, unit, &w.die, &below.function);
        more = step(&w, below);
    }
    vec_release(&w.levels);
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
            if (type != DW_UT_compile ||
                !add_ranges(p, &p->places, &unit, (uint32_t)p->entries.count))
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

static struct slice name_of(struct perf_inline *p, Dwarf_Die *die, bool linked)
{
    static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    size_t count = sizeof(names) / sizeof(names[0]) - linked;
    Dwarf_Attribute attribute;

    for (size_t i = 0; i < count; i++)
        if (spend(p, count_attributes(die)) && dwarf_attr_integrate(die, names[i], &attribute)) {
            struct slice name = slice_str(dwarf_formstring(&attribute));

            spend(p, name.len);
            return name;
        }
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
        f->name = name_of(p, &die,
                          f->caller == UINT32_MAX && dwarf_diecu(&die, &root, NULL, NULL) &&
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
