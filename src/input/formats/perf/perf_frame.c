#include "input/formats/perf/perf_frame.h"

#include "base/ascii.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/build/names.h"
#include "input/parse/suffix.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void perf_frames_init(struct perf_frames *f, struct profile *profile,
                      const struct input_options *options, bool java)
{
    *f = (struct perf_frames){.profile = profile, .options = options, .java = java};
    /* Longer than any line, so that it never matches. */
    *vec_add(&f->lines) = (struct perf_line){.text = "", .len = UINT32_MAX};
}

void perf_frames_release(struct perf_frames *f)
{
    release_each(f, (arena, texts), (map, index), (vec, lines, chains, found), (buf, name));
}

size_t perf_frame_address(const char *line, const char *end)
{
    const char *p = line, *digits;

    while (p < end && is_blank(*p))
        p++;
    digits = p;
    while (p < end && ascii_is_hex(*p))
        p++;
    if (p == digits || p == end || !is_blank(*p))
        return 0;
    return (size_t)(p - line);
}

/* Offset of the parenthesis that the last character closes, or s.len. */
static size_t find_opening(struct slice s)
{
    size_t open = 0;

    for (size_t i = s.len; i-- > 0;) {
        if (s.ptr[i] == ')')
            open++;
        else if (s.ptr[i] == '(' && --open == 0)
            return i;
    }
    return s.len;
}

/* Of lines that were written into one another: "f (/lib/libc", "f ([kernel.kallsyms])/libc.so)". */
static bool find_broken_module(struct slice s, size_t *open)
{
    size_t path = slice_search(s, SLICE(" (/")), name = slice_search(s, SLICE(" (["));

    *open = (path < name ? path : name) + 1;
    return *open <= s.len;
}

/* " symbol (module)": the module is what the last parentheses hold, if a blank is before them. */
static void parse_clean(struct slice text, struct perf_frame *f)
{
    struct slice s = slice_trim_right(text);
    size_t open = slice_ends(s, SLICE(")")) ? find_opening(s) : s.len;

    f->module = slice_make(NULL, 0);
    if (open > 0 && open < s.len && is_blank(s.ptr[open - 1])) {
        f->module = slice_make(s.ptr + open + 1, s.len - open - 2);
        s = slice_take(s, open);
    } else if (find_broken_module(s, &open)) {
        f->module = slice_skip(s, open + 1);
        f->module = slice_take(f->module, slice_find(f->module, ')'));
        s = slice_take(s, open);
    }
    f->symbol = slice_trim(s);
}

/*
 * Finds the module as the script's expression \s*(.+) \((.*)\) does: at the last " (" that
 * a ")" follows. Returns false if it does not match.
 */
static bool parse_reference(struct slice text, struct perf_frame *f)
{
    struct slice s = slice_trim_right(text), all = s;
    size_t close = slice_find_last(s, ')');

    s = slice_trim_left(slice_take(s, close));
    if (close == all.len)
        return false;
    for (size_t i = s.len; i-- > 2;)
        if (s.ptr[i] == '(' && s.ptr[i - 1] == ' ') {
            f->symbol = slice_take(s, i - 1);
            f->module = slice_skip(s, i + 1);
            return true;
        }
    /* Two blanks: the symbol's name is empty. */
    if (!slice_starts(s, SLICE("(")) || !slice_starts(text, SLICE("  (")))
        return false;
    f->symbol = SLICE(" ");
    f->module = slice_skip(s, 1);
    return true;
}

/* The name of a process in parentheses is no function; "(anonymous)" of a module is one. */
static bool is_process(const struct frame *f)
{
    return !f->module.len && slice_starts(f->name, SLICE("(")) &&
           slice_find(f->name, ')') == f->name.len - 1;
}

static void resolve_clean(struct perf_frames *f, const struct perf_frame *line)
{
    struct frame frame = {.name = suffix_strip_offset(line->symbol), .module = line->module};

    if (is_process(&frame))
        return;
    frame.has_address = f->options->addrs && num_parse_hex(line->address, &frame.address);
    frame_resolve(&frame, f->options, &f->profile->symbols, &f->name, &f->found);
}

/* ---- as the script prints it ---------------------------------------------------------------- */

/* The class as far as it is asked for. */
static enum symbol_class class_of(const struct perf_frames *f, struct slice module)
{
    if (f->options->inlined && names_module_class(module) == SYMBOL_INLINED)
        return SYMBOL_INLINED;
    return names_module_class_reference(module);
}

/* Name of a frame without a symbol: "[libc.so.6]", or "[unknown]" if the module is missing, too. */
static void name_module(const struct perf_frames *f, const struct perf_frame *line, struct buf *out)
{
    struct slice base = slice_skip(line->module, slice_find_last(line->module, '/') + 1);

    if (slice_find_last(line->module, '/') == line->module.len)
        base = line->module;
    if (!line->module.len || slice_equal(line->module, SLICE("[unknown]")))
        base = SLICE("unknown");
    buf_add_char(out, '[');
    buf_add_slice(out, base);
    if (f->options->addrs)
        buf_printf(out, " <%.*s>", SLICE_ARG(line->address));
    buf_add_char(out, ']');
}

static void resolve_reference(struct perf_frames *f, const struct perf_frame *line)
{
    const struct slice mark = SLICE("_[i]");
    struct slice chain = suffix_strip_offset(line->symbol), name;
    struct frame frame = {.module = line->module, .kind = FRAME_PLAIN, .has_class = true};
    struct buf module = {0}, tidy = {0};

    if (slice_starts(chain, SLICE("(")))
        return;
    frame.class = class_of(f, line->module);
    while (names_next_inlined_reference(&chain, &name)) {
        if (slice_equal(name, SLICE("[unknown]"))) {
            buf_clear(&module);
            name_module(f, line, &module);
            name = buf_slice(&module);
        }
        buf_clear(&tidy);
        names_add_reference(&tidy, name, f->java);
        frame.name = buf_slice(&tidy);
        if (frame.class == SYMBOL_INLINED && slice_ends(frame.name, mark))
            frame.name = slice_take(frame.name, frame.name.len - mark.len);
        frame_resolve(&frame, f->options, &f->profile->symbols, &f->name, &f->found);
        frame.class = SYMBOL_INLINED;
    }
    buf_release(&tidy);
    buf_release(&module);
}

/* Turns what was found around, so that the leaf is first. */
static void reverse(uint32_t *ids, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        uint32_t id = ids[i];

        ids[i] = ids[count - 1 - i];
        ids[count - 1 - i] = id;
    }
}

void perf_frames_resolve_parts(struct perf_frames *f, const struct perf_frame *frame)
{
    vec_clear(&f->found);
    if (f->options->names == NAMES_REFERENCE)
        resolve_reference(f, frame);
    else
        resolve_clean(f, frame);
    reverse(f->found.items, f->found.count);
}

uint32_t perf_frames_inlined(struct perf_frames *f, uint32_t symbol)
{
    struct symbols *symbols = &f->profile->symbols;
    struct slice name = symbol_name(symbols, symbol);

    if (f->options->names == NAMES_REFERENCE && !f->options->inlined)
        return symbol;
    return symbols_add(symbols, name, SYMBOL_INLINED);
}

/* The symbol with ":main.c:12" at the end of its name, and what is known of the one without. */
static uint32_t add_placed(struct perf_frames *f, uint32_t symbol, struct slice file, uint64_t line)
{
    struct symbols *symbols = &f->profile->symbols;
    uint32_t placed;

    buf_clear(&f->name);
    buf_printf(&f->name, "%.*s:", SLICE_ARG(symbol_name(symbols, symbol)));
    utf8_add_clean(&f->name, file_name_of(file));
    if (line)
        buf_printf(&f->name, ":%llu", (unsigned long long)line);
    for (size_t i = 0; i < f->name.len; i++)
        if (f->name.ptr[i] == ';')
            f->name.ptr[i] = ':';
    placed = symbols_add(symbols, buf_slice(&f->name), symbol_class(symbols, symbol));
    symbols_add_known(symbols, placed, symbols, symbol);
    return placed;
}

uint32_t perf_frames_place(struct perf_frames *f, uint32_t symbol, struct slice file, uint64_t line)
{
    struct symbols *symbols = &f->profile->symbols;

    if (!file.len || slice_equal(file, SLICE("??")))
        return symbol;
    if (f->options->srcline)
        symbol = add_placed(f, symbol, file, line);
    if (symbols->items.items[symbol].file == SYMBOL_NONE) {
        buf_clear(&f->name);
        utf8_add_clean(&f->name, file);
        symbols_set_source(symbols, symbol, buf_slice(&f->name), line);
    }
    return symbol;
}

void perf_frames_resolve(struct perf_frames *f, struct slice address, struct slice text)
{
    struct perf_frame frame = {.address = slice_trim(address)};

    if (f->options->names == NAMES_REFERENCE && parse_reference(text, &frame)) {
        perf_frames_resolve_parts(f, &frame);
        return;
    }
    vec_clear(&f->found);
    parse_clean(text, &frame);
    resolve_clean(f, &frame);
    reverse(f->found.items, f->found.count);
}

static bool same_text(const void *context, uint32_t id, const void *key)
{
    const struct perf_line *line = &((const struct perf_frames *)context)->lines.items[id];
    const struct slice *text = key;

    return line->len == text->len && memcmp(line->text, text->ptr, text->len) == 0;
}

static void note_follower(struct perf_frames *f, uint32_t last, uint32_t id)
{
    struct perf_line *line = &f->lines.items[last];

    line->next[1] = line->next[0];
    line->next[0] = id;
}

uint32_t perf_frames_find(struct perf_frames *f, uint32_t last, struct slice text)
{
    uint32_t id = map_find(&f->index, map_hash_bytes(&f->index, text), same_text, f, &text);

    if (id == MAP_NONE)
        return 0;
    note_follower(f, last, id);
    return id;
}

uint32_t perf_frames_add(struct perf_frames *f, uint32_t last, struct slice text)
{
    struct perf_line line = {.len = (uint32_t)text.len};
    uint32_t id = (uint32_t)f->lines.count;

    line.text = arena_copy(&f->texts, text).ptr;
    line.by_address = f->options->addrs &&
                      (slice_has(text, SLICE("[unknown]")) || slice_starts(text, SLICE("  ")));
    if (!line.by_address) {
        perf_frames_resolve(f, slice_make(NULL, 0), text);
        line.count = (uint32_t)f->found.count;
        line.symbols = (uint32_t)f->chains.count;
    }
    if (line.count == 1) {
        line.symbols = f->found.items[0];
    } else if (line.count > 1) {
        vec_each (uint32_t, symbol, &f->found)
            *vec_add(&f->chains) = *symbol;
    }
    *vec_add(&f->lines) = line;
    map_add(&f->index, map_hash_bytes(&f->index, text), id);
    note_follower(f, last, id);
    return id;
}
