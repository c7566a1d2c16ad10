#include "input/formats/web/v8_code.h"

#include "input/formats/web/v8_profile.h"

static bool is_function(struct slice type)
{
    static const char *const types[] = {"LazyCompile", "Function", "JS", "Eval", "Script"};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (slice_equal(type, slice_str(types[i])))
            return true;
    return false;
}

/* Takes ":12" off the end of a text; false where there is no such thing. */
static bool cut_number(struct slice *text, uint64_t *number)
{
    size_t colon = slice_find_last(*text, ':');

    if (colon == text->len || !num_parse_u64(slice_skip(*text, colon + 1), number))
        return false;
    *text = slice_take(*text, colon);
    return true;
}

/*
 * Where the file begins in "get size /a b/x.js": behind the first blank that a
 * path follows, else behind the last one.
 */
static size_t file_start(struct slice text)
{
    static const char *const starts[] = {
        " /", " file:", " node:", " http:", " https:", " webpack:", " internal/", " native "};
    size_t first = text.len;

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        size_t at = slice_search(text, slice_str(starts[i]));

        if (at < first)
            first = at;
    }
    if (first == text.len)
        first = slice_find_last(text, ' ');
    return first < text.len ? first + 1 : 0;
}

static enum symbol_class class_of(char mark)
{
    switch (mark) {
    case '~':
        return SYMBOL_INTERPRETED;
    case '^':
    case '+':
    case '*':
        return SYMBOL_JIT;
    default:
        return SYMBOL_USER;
    }
}

static uint32_t function_entry(struct builder *b, struct slice text, char mark, bool script)
{
    struct frame f = {.kind = FRAME_PLAIN, .class = class_of(mark), .has_class = true};
    uint64_t number = 0;
    size_t start;

    if (cut_number(&text, &number)) {
        f.line = number;
        if (cut_number(&text, &number))
            f.line = number;
    }
    start = script ? 0 : file_start(text);
    f.file = slice_skip(text, start);
    f.name = slice_trim(slice_take(text, start));
    if (!script && !f.line) {
        f.name = text; /* no place is told: all of it is the name */
        f.file = SLICE("");
    }
    if (script && !f.line)
        f.line = 1;
    return v8_profile_entry(b, &f);
}

/* As V8's own tick processor has it: "LazyCompile: *fib w.js:3:13". */
static uint32_t reference_entry(struct builder *b, const struct v8_code *code)
{
    bool function = is_function(code->type);
    struct buf text;
    uint32_t entry;

    buf_init(&text);
    buf_printf(&text, "%.*s: ", SLICE_ARG(code->type));
    if (code->mark)
        buf_add_char(&text, code->mark);
    if (function && (!code->name.len || code->name.ptr[0] == ' '))
        buf_add_str(&text, "<anonymous>");
    buf_add_slice(&text, code->name);
    entry = builder_entry(b, &(struct frame){.name = buf_slice(&text), .kind = FRAME_PLAIN});
    buf_release(&text);
    return entry;
}

uint32_t v8_code_entry(struct builder *b, const struct v8_code *code)
{
    struct buf text;
    uint32_t entry;

    if (b->options->names == NAMES_REFERENCE)
        return reference_entry(b, code);
    if (is_function(code->type))
        return function_entry(b, code->name, code->mark, slice_equal(code->type, SLICE("Script")));
    buf_init(&text);
    buf_printf(&text, "%.*s:%.*s", SLICE_ARG(code->type), SLICE_ARG(code->name));
    entry = builder_entry(b, &(struct frame){.name = buf_slice(&text), .kind = FRAME_PLAIN});
    buf_release(&text);
    return entry;
}

uint32_t v8_code_library(struct builder *b, struct slice path)
{
    struct frame f = {.module = path, .kind = FRAME_NATIVE};

    if (b->options->names == NAMES_REFERENCE)
        f = (struct frame){.name = path, .kind = FRAME_PLAIN};
    return builder_entry(b, &f);
}

uint32_t v8_code_unknown(struct builder *b, uint64_t address)
{
    struct frame f = {.address = address, .has_address = b->options->addrs, .kind = FRAME_PLAIN};

    if (b->options->names == NAMES_REFERENCE)
        f.name = SLICE("UNKNOWN");
    return builder_entry(b, &f);
}
