#include "input/callgrind_names.h"

#include "base/num.h"

void callgrind_names_init(struct callgrind_names *n)
{
    *n = (struct callgrind_names){0};
    intern_init(&n->texts);
    intern_init(&n->functions);
    for (int i = 0; i < CALLGRIND_TABLES; i++)
        intern_init(&n->numbers[i]);
}

void callgrind_names_release(struct callgrind_names *n)
{
    intern_release(&n->texts);
    intern_release(&n->functions);
    for (int i = 0; i < CALLGRIND_TABLES; i++) {
        intern_release(&n->numbers[i]);
        vec_release(&n->numbered[i]);
    }
}

struct callgrind_name callgrind_names_read(struct callgrind_names *n, enum callgrind_table table,
                                           struct slice s)
{
    size_t close = s.len && s.ptr[0] == '(' ? slice_find(s, ')') : s.len;
    struct slice digits = close < s.len ? slice_take(slice_skip(s, 1), close - 1) : SLICE("");
    struct callgrind_name name = {.number = CALLGRIND_NONE};
    uint64_t value;

    if (!num_parse_u64(digits, &value)) {
        name.text = intern_add(&n->texts, s);
        return name;
    }
    name.number = intern_add(&n->numbers[table], digits);
    s = slice_trim_left(slice_skip(s, close + 1));
    if (name.number == n->numbered[table].count)
        *vec_add(&n->numbered[table]) = intern_add(&n->texts, s);
    else if (s.len)
        n->numbered[table].items[name.number] = intern_add(&n->texts, s);
    name.text = n->numbered[table].items[name.number];
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

uint32_t callgrind_names_function(struct callgrind_names *n, const struct callgrind_function *f)
{
    bool numbered = f->name.number != CALLGRIND_NONE;
    struct function_key key = {
        .text = f->name.text,
        .thread = f->thread,
        .number = f->name.number,
        .file = numbered ? CALLGRIND_NONE : f->file,
        .object = numbered ? CALLGRIND_NONE : f->object,
    };

    return intern_add(&n->functions, slice_make((const char *)&key, sizeof(key)));
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

/* Xdebug marks the functions of PHP itself, and may add a file that is known anyway. */
static struct slice xdebug_name(struct slice name, struct slice file)
{
    struct slice base = slice_take(name, name.len - file.len);

    if (file.len && slice_ends(name, file) && base.len > 1 && slice_ends(base, SLICE(":")) &&
        !slice_ends(base, SLICE("::")))
        return slice_take(base, base.len - 1);
    return slice_starts(name, SLICE("php::")) ? slice_skip(name, strlen("php::")) : name;
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

    if (b->options->names == NAMES_REFERENCE)
        return builder_entry(b, &frame);
    if (frame.module.len)
        frame.kind = FRAME_NATIVE;
    frame.name = xdebug ? xdebug_name(name, frame.file) : without_level(name);
    frame.has_address =
        slice_starts(name, SLICE("0x")) && num_parse_hex(slice_skip(name, 2), &frame.address);
    if (frame.has_address)
        frame.name = SLICE("");
    return builder_entry(b, &frame);
}
