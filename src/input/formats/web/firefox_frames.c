#include "input/formats/web/firefox_frames.h"

#include <stdlib.h>

#include "base/num.h"
#include "input/build/addresses.h"
#include "input/parse/json.h"

static const struct {
    enum firefox_frames_table table;
    const char *name;
} columns[FIREFOX_COLUMNS] = {
    [FRAME_LOCATION] = {FIREFOX_FRAMES, "location"},
    [FRAME_FUNC] = {FIREFOX_FRAMES, "func"},
    [FRAME_LINE] = {FIREFOX_FRAMES, "line"},
    [FRAME_INLINE_DEPTH] = {FIREFOX_FRAMES, "inlineDepth"},
    [FRAME_SYMBOL] = {FIREFOX_FRAMES, "nativeSymbol"},
    [FRAME_LIB] = {FIREFOX_FRAMES, "lib"}, /* since version 70, instead of the resource's */
    [FRAME_CATEGORY] = {FIREFOX_FRAMES, "category"},
    [FUNC_NAME] = {FIREFOX_FUNCTIONS, "name"},
    [FUNC_IS_JS] = {FIREFOX_FUNCTIONS, "isJS"},
    [FUNC_RESOURCE] = {FIREFOX_FUNCTIONS, "resource"},
    [FUNC_FILE] = {FIREFOX_FUNCTIONS, "fileName"},
    [FUNC_SOURCE] = {FIREFOX_FUNCTIONS, "source"},
    [FUNC_LINE] = {FIREFOX_FUNCTIONS, "lineNumber"},
    [RESOURCE_LIB] = {FIREFOX_RESOURCES, "lib"},
    [SYMBOL_LIB] = {FIREFOX_NATIVE, "libIndex"},
    [SOURCE_FILE] = {FIREFOX_SOURCES, "filename"},
};

static int compare_starts(const void *a, const void *b)
{
    const struct firefox_lib *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static void read_libs(struct firefox_frames *f, const struct json_value *libs)
{
    json_each(v, libs)
    {
        struct firefox_lib lib = {.name = json_text(json_get(v, "name")),
                                  .path = json_text(json_get(v, "path")),
                                  .code_id = json_text(json_get(v, "codeId"))};

        if (!lib.name.len)
            lib.name = json_text(json_get(v, "debugName"));
        json_u64(json_get(v, "start"), &lib.start);
        json_u64(json_get(v, "end"), &lib.end);
        *vec_add(&f->libs) = lib;
        *vec_add(&f->loaded) = lib;
    }
    if (f->loaded.count)
        qsort(f->loaded.items, f->loaded.count, sizeof(*f->loaded.items), compare_starts);
}

static const struct json_value *first_of(const struct json_value *thread,
                                         const struct json_value *shared, const char *name)
{
    const struct json_value *own = json_get(thread, name);

    return own ? own : json_get(shared, name);
}

void firefox_frames_init(struct firefox_frames *f, const struct json_value *thread,
                         const struct json_value *shared, const struct json_value *libs)
{
    static const char *const tables[FIREFOX_TABLES] = {
        [FIREFOX_FRAMES] = "frameTable",       [FIREFOX_FUNCTIONS] = "funcTable",
        [FIREFOX_RESOURCES] = "resourceTable", [FIREFOX_NATIVE] = "nativeSymbols",
        [FIREFOX_SOURCES] = "sources",
    };
    const struct json_value *own_libs = json_get(thread, "libs");

    *f = (struct firefox_frames){.strings = first_of(thread, shared, "stringArray")};
    if (!f->strings)
        f->strings = first_of(thread, shared, "stringTable");
    for (int i = 0; i < FIREFOX_TABLES; i++)
        firefox_table_init(&f->tables[i], first_of(thread, shared, tables[i]));
    for (int i = 0; i < FIREFOX_COLUMNS; i++)
        f->columns[i] = firefox_table_column(&f->tables[columns[i].table], columns[i].name);
    read_libs(f, own_libs && own_libs->count ? own_libs : libs);
}

void firefox_frames_release(struct firefox_frames *f)
{
    for (int i = 0; i < FIREFOX_TABLES; i++)
        firefox_table_release(&f->tables[i]);
    release_all(f, vec, libs, loaded);
}

uint32_t firefox_frames_index(const struct firefox_frames *f, enum firefox_frames_column c,
                              uint32_t row)
{
    return row == FIREFOX_NONE ? row : firefox_table_index(&f->columns[c], row);
}

static struct slice string_at(const struct firefox_frames *f, uint32_t index)
{
    return index == FIREFOX_NONE ? SLICE("") : json_text(firefox_table_element(f->strings, index));
}

/* ---- libraries ----------------------------------------------------------------------------- */

static struct slice lib_name(const struct firefox_frames *f, uint32_t lib)
{
    return lib < f->libs.count ? f->libs.items[lib].name : SLICE("");
}

/* Returns the name of the library that contains an address, or an empty slice. */
static struct slice lib_around(const struct firefox_frames *f, uint64_t address)
{
    size_t low = 0, high = f->loaded.count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (f->loaded.items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && address < f->loaded.items[low - 1].end)
        return f->loaded.items[low - 1].name;
    return SLICE("");
}

/* ---- raw ----------------------------------------------------------------------------------- */

static bool is_root(struct slice name)
{
    return slice_equal(name, SLICE("(root)"));
}

/* Takes ":12" off the end. Returns false if the text does not end so. */
static bool cut_number(struct slice *text, uint64_t *number)
{
    size_t at = slice_find_last(*text, ':');

    if (at == 0 || at == text->len || !num_parse_u64(slice_skip(*text, at + 1), number))
        return false;
    *text = slice_take(*text, at);
    return true;
}

/* Reads "http://host/a.js:1:14", or the last part of "a -> b:1:14", a script loaded by a script. */
static bool read_script(struct slice text, struct frame *f)
{
    static const struct slice arrow = {" -> ", 4};
    uint64_t line, column;
    size_t at;

    if (!cut_number(&text, &line))
        return false;
    column = line;
    f->line = cut_number(&text, &line) ? line : column;
    while ((at = slice_search(text, arrow)) < text.len)
        text = slice_skip(text, at + arrow.len);
    f->file = text;
    return true;
}

/*
 * Returns the index of the '(' that opens the brackets at the end, after a blank; text.len if there
 * is none.
 */
static size_t last_brackets(struct slice text)
{
    size_t at = text.len;

    if (!slice_ends(text, SLICE(")")))
        return text.len;
    while (at > 0 && !slice_starts(slice_skip(text, --at), SLICE(" (")))
        ;
    return at > 0 ? at : text.len;
}

/* Reads "alpha (http://host/a.js:1:14)", or a position alone. */
static void read_js(struct slice location, struct frame *frame)
{
    size_t at = last_brackets(location);
    struct slice inner = SLICE("");

    if (at < location.len)
        inner = slice_take(slice_skip(location, at + 2), location.len - at - 3);
    if (inner.len && read_script(inner, frame))
        frame->name = slice_take(location, at);
    else if (slice_has(location, SLICE("://")) && read_script(location, frame))
        frame->name = frame->file;
}

/*
 * Reads "main (in XUL)", also followed by "+ 123" or "(main.cpp:12)"; `at` is the index of " (in ".
 */
static void read_symbol(struct slice location, size_t at, struct frame *frame)
{
    struct slice rest = slice_skip(location, at + strlen(" (in "));
    size_t end = slice_find(rest, ')');

    frame->name = slice_take(location, at);
    frame->module = slice_take(rest, end);
    frame->kind = FRAME_NATIVE;
    rest = slice_trim(slice_skip(rest, end + 1));
    if (slice_starts(rest, SLICE("(")) && slice_ends(rest, SLICE(")")))
        read_script(slice_take(slice_skip(rest, 1), rest.len - 2), frame);
}

bool firefox_frames_parse(const struct firefox_frames *f, struct slice location,
                          struct frame *frame)
{
    size_t in = slice_search(location, SLICE(" (in "));

    *frame = (struct frame){.name = location, .kind = FRAME_PLAIN};
    if (is_root(location))
        return false;
    if (slice_starts(location, SLICE("0x")) &&
        num_parse_hex(slice_skip(location, 2), &frame->address)) {
        frame->has_address = true;
        frame->name = SLICE("");
        frame->module = lib_around(f, frame->address);
    } else if (in < location.len) {
        read_symbol(location, in, frame);
    } else {
        read_js(location, frame);
    }
    return true;
}

/* ---- processed ----------------------------------------------------------------------------- */

/* The library of a frame. */
static uint32_t lib_of(const struct firefox_frames *f, uint32_t row, uint32_t func)
{
    uint32_t symbol = firefox_frames_index(f, FRAME_SYMBOL, row);
    uint32_t lib = firefox_frames_index(f, SYMBOL_LIB, symbol);

    if (!lib_name(f, lib).len)
        lib = firefox_frames_index(f, FRAME_LIB, row);
    if (!lib_name(f, lib).len)
        lib = firefox_frames_index(f, RESOURCE_LIB, firefox_frames_index(f, FUNC_RESOURCE, func));
    return lib;
}

/* The name of an address that counts from the beginning of a library, as samply writes it. */
static struct slice name_of_address(const struct firefox_frames *f, uint32_t lib, uint64_t address)
{
    struct buf id = {0};
    struct slice name;

    if (!f->addresses || !lib_name(f, lib).len ||
        !(f->libs.items[lib].path.len || f->libs.items[lib].code_id.len))
        return SLICE("");
    addresses_add_id(&id, f->libs.items[lib].code_id);
    name = addresses_find(
        f->addresses,
        &(struct addresses_binary){.path = f->libs.items[lib].path, .build_id = buf_slice(&id)},
        ADDRESSES_BASE, address);
    buf_release(&id);
    return name;
}

static bool get_processed(const struct firefox_frames *f, uint32_t row, struct frame *frame)
{
    uint32_t func = firefox_frames_index(f, FRAME_FUNC, row);
    const struct json_value *is_js = firefox_table_cell(&f->columns[FUNC_IS_JS], func);
    uint32_t depth = firefox_frames_index(f, FRAME_INLINE_DEPTH, row), lib;

    frame->name = string_at(f, firefox_frames_index(f, FUNC_NAME, func));
    if (is_root(frame->name))
        return false;
    frame->file = string_at(f, firefox_frames_index(f, FUNC_FILE, func));
    if (!frame->file.len)
        frame->file = string_at(
            f, firefox_frames_index(f, SOURCE_FILE, firefox_frames_index(f, FUNC_SOURCE, func)));
    if (!json_u64(firefox_table_cell(&f->columns[FRAME_LINE], row), &frame->line))
        json_u64(firefox_table_cell(&f->columns[FUNC_LINE], func), &frame->line);
    if (is_js && is_js->type == JSON_TRUE) {
        if (!frame->file.len)
            read_js(frame->name, frame);
        return true;
    }
    lib = lib_of(f, row, func);
    frame->module = lib_name(f, lib);
    if (frame->module.len && !f->cleaned)
        frame->kind = FRAME_NATIVE;
    if (depth != FIREFOX_NONE && depth > 0)
        frame->class = SYMBOL_INLINED;
    /* A name that is only an address means a function without a symbol. */
    if (slice_starts(frame->name, SLICE("0x")) &&
        num_parse_hex(slice_skip(frame->name, 2), &frame->address)) {
        frame->has_address = true;
        frame->name = name_of_address(f, lib, frame->address);
    }
    return true;
}

bool firefox_frames_get(const struct firefox_frames *f, uint32_t row, struct frame *frame)
{
    *frame = (struct frame){.kind = FRAME_PLAIN};
    if (!f->columns[FRAME_LOCATION].there)
        return get_processed(f, row, frame);
    return firefox_frames_parse(f, string_at(f, firefox_frames_index(f, FRAME_LOCATION, row)),
                                frame);
}
