#include "input/build/java.h"

#include "base/ascii.h"

/* ---- states -------------------------------------------------------------------------------- */

static const struct slice states[JAVA_STATES] = {
    [JAVA_RUNNABLE] = {"RUNNABLE", 8},
    [JAVA_BLOCKED] = {"BLOCKED", 7},
    [JAVA_WAITING] = {"WAITING", 7},
    [JAVA_TIMED_WAITING] = {"TIMED_WAITING", 13},
    [JAVA_PARKED] = {"PARKED", 6},
    [JAVA_SUSPENDED] = {"SUSPENDED", 9},
    [JAVA_NEW] = {"NEW", 3},
    [JAVA_TERMINATED] = {"TERMINATED", 10},
    [JAVA_VM] = {"VM", 2},
    [JAVA_UNKNOWN] = {"threads", 7},
};

enum java_state java_state_named(struct slice word)
{
    for (size_t i = 0; i < JAVA_VM; i++)
        if (slice_equal(states[i], word))
            return (enum java_state)i;
    return JAVA_UNKNOWN;
}

struct slice java_state_event(enum java_state state)
{
    return states[state];
}

static unsigned state_rank(const struct series *s)
{
    for (unsigned i = 0; i < JAVA_STATES; i++)
        if (slice_equal(states[i], s->event))
            return i;
    return JAVA_STATES;
}

void java_order_states(struct profile *profile)
{
    profile_order_series(profile, state_rank);
}

/* ---- frames -------------------------------------------------------------------------------- */

/*
 * Length of an address after a slash, or after the plus of jstack -F: "0x1f", or
 * "1872034366" in older releases, if a dot or the end follows. Returns 0 if there is none.
 */
static size_t address_length(struct slice s)
{
    bool hex = slice_starts(s, SLICE("0x"));
    size_t start = hex ? 2 : 0, i = start;

    while (i < s.len && (hex ? ascii_is_hex(s.ptr[i]) : ascii_is_digit(s.ptr[i])))
        i++;
    return i > start && (i == s.len || s.ptr[i] == '.') ? i : 0;
}

/* Offset of the parenthesis that opens the place, or text.len. */
static size_t place_start(struct slice text)
{
    size_t close = slice_find_last(text, ')'), depth = 0;

    for (size_t i = close < text.len ? close + 1 : 0; i > 0; i--) {
        depth += text.ptr[i - 1] == ')';
        if (text.ptr[i - 1] == '(' && --depth == 0)
            return i - 1;
    }
    return slice_find(text, '(');
}

static void add_class_and_method(struct buf *out, struct slice name, bool slashes)
{
    for (size_t i = 0; i < name.len; i++) {
        size_t address;

        if (name.ptr[i] != '/' && name.ptr[i] != '+') {
            buf_add_char(out, name.ptr[i]);
            continue;
        }
        address = address_length(slice_skip(name, i + 1));
        if (address)
            i += address;
        else if (name.ptr[i] == '+')
            buf_add_char(out, '+');
        else if (slashes)
            buf_add_char(out, '.');
        else
            buf_clear(out);
    }
}

/* "java.base@17/Object.java:366" to file and line. */
static void read_place(struct slice place, struct frame *f)
{
    size_t slash = slice_find_last(place, '/'), colon;

    if (slash < place.len) {
        struct slice module = slice_take(place, slash);

        f->module = slice_take(module, slice_find(module, '@'));
        place = slice_skip(place, slash + 1);
    }
    place = slice_take(place, slice_find(place, '('));
    colon = slice_find(place, ':');
    if (slice_find(place, '.') < colon && slice_find(place, ' ') == place.len) {
        f->file = slice_take(place, colon);
        if (!num_parse_u64(slice_skip(place, colon + 1), &f->line))
            f->line = 0;
    }
}

bool java_cut_descriptor(struct slice *name)
{
    size_t open = slice_find(*name, '('), close = slice_find_last(*name, ')');
    struct slice result = slice_skip(*name, close + 1);

    if (open > close || !result.len || !memchr("VZBCSIJFD[L", result.ptr[0], 11))
        return false;
    *name = slice_take(*name, open);
    return true;
}

struct frame java_frame(struct slice text, bool slashes, struct buf *scratch)
{
    struct frame f = {.kind = FRAME_JAVA};
    size_t open = place_start(text);
    struct slice place = slice_skip(text, open + 1), name = slice_trim(slice_take(text, open));

    read_place(slice_take(place, slice_find_last(place, ')')), &f);
    buf_clear(scratch);
    slashes |= java_cut_descriptor(&name);
    add_class_and_method(scratch, name, slashes);
    f.name = buf_slice(scratch);
    return f;
}

struct frame java_method(struct slice class, struct slice method, struct buf *scratch)
{
    if (slice_starts(class, SLICE("L")) && slice_ends(class, SLICE(";")))
        class = slice_take(slice_skip(class, 1), class.len - 2);
    buf_clear(scratch);
    add_class_and_method(scratch, class, true);
    if (scratch->len)
        buf_add_char(scratch, '.');
    buf_add_slice(scratch, method);
    return (struct frame){.name = buf_slice(scratch), .kind = FRAME_JAVA};
}

struct frame java_frame_reference(struct slice text)
{
    return (struct frame){.name = slice_take(text, slice_find(text, '(')), .kind = FRAME_PLAIN};
}

bool java_entry(struct builder *b, struct frame_cache *known, struct slice text, bool slashes,
                uint32_t *entry)
{
    const uint32_t cut = UINT32_MAX;

    if (!frame_cache_find(known, text, entry)) {
        struct buf name = {0};

        *entry = cut;
        if (slice_find(text, '(') < text.len) {
            struct frame f = b->options->names == NAMES_REFERENCE
                                 ? java_frame_reference(text)
                                 : java_frame(text, slashes, &name);

            *entry = builder_entry(b, &f);
        }
        buf_release(&name);
        frame_cache_add(known, *entry);
    }
    return *entry != cut;
}

bool java_at(struct slice line, struct slice *text)
{
    const struct slice at = SLICE("at ");

    line = slice_trim_left(line);
    if (!slice_starts(line, at))
        return false;
    *text = slice_skip(line, at.len);
    return text->len > 0 && text->ptr[0] != ' ';
}

/* ---- threads ------------------------------------------------------------------------------- */

struct slice java_thread_base(struct slice name)
{
    size_t i = name.len;

    while (i > 0 && ascii_is_digit(name.ptr[i - 1]))
        i--;
    return i < name.len && i > 0 && name.ptr[i - 1] == '-' ? slice_take(name, i - 1) : name;
}

bool java_open(struct sample *s, struct slice thread)
{
    if (!sample_open(s, s->builder.options->tid ? thread : java_thread_base(thread)))
        return false;
    s->origin.thread = sample_keep(s, thread);
    return true;
}

void java_set_state(struct sample *s, enum java_state state)
{
    s->origin.event = s->origin.state = java_state_event(state);
}

bool java_push(struct sample *s, struct slice text)
{
    uint32_t entry;

    if (!java_entry(&s->builder, &s->known, text, false, &entry))
        return false;
    sample_push(s, entry);
    return true;
}
