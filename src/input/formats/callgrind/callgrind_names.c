#include "input/formats/callgrind/callgrind_names.h"

#include "base/num.h"

/* Numbers below it are indexes; programs count from 1. */
enum { SMALL_NUMBERS = 1 << 22 };

void callgrind_names_init(struct callgrind_names *n)
{
    *n = (struct callgrind_names){0};
    intern_init(&n->texts);
    intern_init(&n->functions);
    for (int i = 0; i < CALLGRIND_TABLES; i++)
        intern_init(&n->large[i]);
}

void callgrind_names_release(struct callgrind_names *n)
{
    intern_release(&n->texts);
    intern_release(&n->functions);
    vec_release(&n->recent);
    for (int i = 0; i < CALLGRIND_TABLES; i++) {
        intern_release(&n->large[i]);
        vec_release(&n->numbered[i]);
    }
}

/* Takes "(12)" off the front. */
static bool cut_number(struct slice *s, struct slice *digits, uint64_t *value)
{
    size_t close = 1;

    if (!s->len || s->ptr[0] != '(')
        return false;
    while (close < s->len && s->ptr[close] >= '0' && s->ptr[close] <= '9')
        close++;
    if (close == s->len || s->ptr[close] != ')')
        return false;
    *digits = slice_take(slice_skip(*s, 1), close - 1);
    *s = slice_skip(*s, close + 1);
    return num_parse_u64(*digits, value);
}

struct callgrind_name callgrind_names_read(struct callgrind_names *n, enum callgrind_table table,
                                           struct slice s)
{
    struct callgrind_name name = {.number = CALLGRIND_NONE};
    struct slice rest = s, digits;
    uint32_t *text;
    uint64_t value;

    if (!cut_number(&rest, &digits, &value)) {
        name.text = intern_add(&n->texts, s);
        return name;
    }
    name.number = value < SMALL_NUMBERS ? (uint32_t)value
                                        : SMALL_NUMBERS + intern_add(&n->large[table], digits);
    while (n->numbered[table].count <= name.number)
        *vec_add(&n->numbered[table]) = CALLGRIND_NONE;
    rest = slice_trim_left(rest);
    text = &n->numbered[table].items[name.number];
    if (*text == CALLGRIND_NONE || (rest.len && !slice_equal(rest, intern_get(&n->texts, *text))))
        *text = intern_add(&n->texts, rest);
    name.text = *text;
    return name;
}

struct slice callgrind_names_text(const struct callgrind_names *n, uint32_t text)
{
    struct slice s = text == CALLGRIND_NONE ? SLICE("") : intern_get(&n->texts, text);

    return slice_equal(s, SLICE("???")) ? SLICE("") : s;
}

/* What makes two functions one. */
struct function_key {
    uint32_t text, thread, number, file, object;
};

static uint32_t add_key(struct callgrind_names *n, const struct function_key *key)
{
    return intern_add(&n->functions, slice_make((const char *)key, sizeof(*key)));
}

static uint32_t numbered_function(struct callgrind_names *n, const struct callgrind_function *f)
{
    struct function_key key = {f->name.text, f->thread, f->name.number, CALLGRIND_NONE,
                               CALLGRIND_NONE};
    struct callgrind_recent *recent;

    while (n->recent.count <= f->name.number)
        *vec_add(&n->recent) = (struct callgrind_recent){CALLGRIND_NONE, 0, 0};
    recent = &n->recent.items[f->name.number];
    if (recent->text != f->name.text || recent->thread != f->thread)
        *recent = (struct callgrind_recent){f->name.text, f->thread, add_key(n, &key)};
    return recent->function;
}

uint32_t callgrind_names_function(struct callgrind_names *n, const struct callgrind_function *f)
{
    struct function_key key = {f->name.text, f->thread, CALLGRIND_NONE, f->file, f->object};

    return f->name.number == CALLGRIND_NONE ? add_key(n, &key) : numbered_function(n, f);
}

uint32_t callgrind_names_function_text(const struct callgrind_names *n, uint32_t function)
{
    struct function_key key;

    memcpy(&key, intern_get(&n->functions, function).ptr, sizeof(key));
    return key.text;
}

/* "fib'2" is fib in the second level of its recursion. */
static struct slice without_level(struct slice name)
{
    size_t at = slice_find_last(name, '\'');
    uint64_t level;

    return at > 0 && num_parse_u64(slice_skip(name, at + 1), &level) ? slice_take(name, at) : name;
}

/* Xdebug may add a file that is known anyway. */
static struct slice without_file(struct slice name, struct slice file)
{
    struct slice base = slice_take(name, name.len - file.len);

    if (file.len && slice_ends(name, file) && base.len > 1 && slice_ends(base, SLICE(":")) &&
        !slice_ends(base, SLICE("::")))
        return slice_take(base, base.len - 1);
    return name;
}

/* Xdebug's mark of functions of PHP itself. */
static struct slice without_mark(struct slice name)
{
    static const struct slice mark = {"php::", 5};

    return slice_starts(name, mark) ? slice_skip(name, mark.len) : name;
}

uint32_t callgrind_names_frame(const struct callgrind_names *n, const struct callgrind_function *f,
                               bool xdebug, struct builder *b)
{
    struct slice name = callgrind_names_text(n, f->name.text);
    struct frame frame = {
        .name = name,
        .module = callgrind_names_text(n, f->object),
        .file = callgrind_names_text(n, f->file),
        .kind = FRAME_PLAIN,
    };

    if (xdebug)
        frame.name = without_file(name, frame.file);
    if (b->options->names == NAMES_REFERENCE)
        return builder_entry(b, &frame);
    if (frame.module.len)
        frame.kind = FRAME_NATIVE;
    else if (frame.file.len && !xdebug)
        frame.kind = frame_kind_of(frame.file);
    frame.name = xdebug ? without_mark(frame.name) : without_level(name);
    frame.has_address =
        slice_starts(name, SLICE("0x")) && num_parse_hex(slice_skip(name, 2), &frame.address);
    if (frame.has_address)
        frame.name = SLICE("");
    return builder_entry(b, &frame);
}
