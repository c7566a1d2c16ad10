#include "input/formats/perf/perf_fields.h"

#include "base/num.h"

void perf_fields_release(struct perf_fields *f)
{
    vec_release(&f->items);
}

bool perf_fields_number(const struct perf_fields *f, struct slice name, uint64_t *value)
{
    for (size_t i = 0; f && i < f->items.count; i++) {
        const struct perf_field *field = &f->items.items[i];

        if (!slice_equal(field->name, name))
            continue;
        *value = field->number;
        return field->is_number;
    }
    return false;
}

/* ---- the text of perf script ----------------------------------------------------------------- */

/* A number in hex after "0x", or in decimal; "(nil)" is the address 0. */
static struct perf_field *add(struct perf_fields *f, struct slice name, struct slice text)
{
    struct perf_field *field = vec_add(&f->items);

    *field = (struct perf_field){.name = name};
    field->is_number =
        slice_equal(text, SLICE("(nil)")) ||
        (slice_starts(text, SLICE("0x")) ? num_parse_hex(slice_skip(text, 2), &field->number)
                                         : num_parse_u64(text, &field->number));
    return field;
}

/* The word after the last `key`; the name before it may contain anything. */
static struct slice last_value(struct slice text, const char *key)
{
    struct slice mark = slice_str(key), rest = text, value = {0};

    for (size_t at; (at = slice_search(rest, mark)) < rest.len;) {
        rest = slice_skip(rest, at + mark.len);
        value = rest;
    }
    return slice_take(value, slice_find(value, ' '));
}

/* "io:7 [120] S" or "db:8 [120]": the number between the last colon and its blank. */
static void add_short(struct perf_fields *f, struct slice name, struct slice text)
{
    text = slice_take(text, slice_find_last(text, '['));
    add(f, name, slice_trim(slice_skip(text, slice_find_last(text, ':') + 1)));
}

static void parse_switch(struct perf_fields *f, struct slice text)
{
    size_t arrow = slice_search(text, SLICE(" ==> "));
    struct slice from = slice_take(text, arrow), to = slice_skip(text, arrow);
    struct slice pid = last_value(from, " prev_pid=");

    if (pid.len) {
        add(f, SLICE("prev_pid"), pid);
        add(f, SLICE("next_pid"), last_value(to, " next_pid="));
        f->state = last_value(from, " prev_state=");
        return;
    }
    add_short(f, SLICE("prev_pid"), from);
    add_short(f, SLICE("next_pid"), to);
    f->state = slice_trim(slice_skip(from, slice_find_last(from, ']') + 1));
}

static void parse_thread(struct perf_fields *f, struct slice text)
{
    struct slice pid = last_value(text, " pid=");

    if (pid.len)
        add(f, SLICE("pid"), pid);
    else
        add_short(f, SLICE("pid"), text);
    add(f, SLICE("delay"), last_value(text, " delay="));
}

/* "addr: 0x00000000, len: 0x00021000" */
static void parse_call(struct perf_fields *f, struct slice text)
{
    const struct slice mark = SLICE(": ");
    struct slice part;

    while (slice_cut(&text, ',', &part)) {
        size_t colon = slice_search(part, mark);
        struct slice value = slice_skip(part, colon + mark.len);

        add(f, slice_trim(slice_take(part, colon)), slice_take(value, slice_find(value, ' ')));
    }
}

static void parse_return(struct perf_fields *f, struct slice text)
{
    add(f, SLICE("ret"), slice_take(text, slice_find(text, ' ')));
}

/* "254,0 R 4096 () 1952 + 8 [app]": the device, and the sector before the plus. */
static void parse_request(struct perf_fields *f, struct slice text)
{
    enum { MINOR_BITS = 20, MAJOR_BITS = 12 };
    struct slice device = slice_take(text, slice_find(text, ' '));
    struct slice before = slice_take(text, slice_search(text, SLICE(" + ")));
    size_t comma = slice_find(device, ',');
    struct perf_field *dev = add(f, SLICE("dev"), SLICE(""));
    uint64_t major, minor;

    dev->is_number = num_parse_u64(slice_take(device, comma), &major) && !(major >> MAJOR_BITS) &&
                     num_parse_u64(slice_skip(device, comma + 1), &minor) && !(minor >> MINOR_BITS);
    if (dev->is_number)
        dev->number = major << MINOR_BITS | minor;
    add(f, SLICE("sector"), slice_skip(before, slice_find_last(before, ' ') + 1));
}

/* "0xffff888... try read &p->lock" or "0xffff888... (ret=0)" */
static void parse_lock(struct perf_fields *f, struct slice text)
{
    const struct slice mark = SLICE("(ret=");
    struct slice ret = slice_skip(text, slice_search(text, mark));
    struct slice address = slice_take(text, slice_find(text, ' '));

    add(f, SLICE("lock_addr"), address);
    add(f, SLICE("lockdep_addr"), address);
    add(f, SLICE("flags"), slice_has(text, SLICE(" try ")) ? SLICE("1") : SLICE("0"));
    ret = slice_skip(ret, mark.len);
    add(f, SLICE("ret"), slice_take(ret, slice_find(ret, ')')));
}

static void parse_words(struct perf_fields *f, struct slice text)
{
    enum { MOST = 64 };
    struct slice word;

    while (f->items.count < MOST && slice_word(&text, &word)) {
        size_t equals = slice_find(word, '=');
        struct slice value = slice_skip(word, equals + 1);

        add(f, slice_take(word, equals), slice_take(value, slice_find(value, ',')));
    }
}

/* "call_site=f+0x1 ptr=0xffff888 bytes_alloc=128". Old versions write addresses without 0x. */
static void parse_memory(struct perf_fields *f, struct slice text)
{
    const struct slice name = SLICE("ptr"), mark = SLICE(" ptr=");
    struct slice address = slice_skip(text, slice_search(text, mark));

    address = slice_skip(address, mark.len);
    address = slice_take(address, slice_find(address, ' '));
    parse_words(f, text);
    vec_each (struct perf_field, field, &f->items)
        if (slice_equal(field->name, name) && !slice_starts(address, SLICE("0x")))
            field->is_number |= num_parse_hex(address, &field->number);
}

/* "(7f5da47a6930) size=48", or "(7f5da47a6930 <- 560ef78275c9) ptr=0x7f5d9c000b70" of a return */
static void parse_probe(struct perf_fields *f, struct slice text)
{
    size_t close = slice_find(text, ')');
    bool returns = slice_find(text, '<') < close;

    if (!slice_starts(text, SLICE("(")) || close == text.len)
        return;
    add(f, returns ? SLICE("__probe_ret_ip") : SLICE("__probe_ip"), SLICE(""));
    parse_words(f, slice_skip(text, close + 1));
}

#define FIELDS_WORD(text)                                                                          \
    {                                                                                              \
        "" text, sizeof(text) - 1                                                                  \
    }

/* How perf script writes the fields, by what an event's name begins with; else as of a probe. */
static const struct {
    struct slice event;
    void (*parse)(struct perf_fields *f, struct slice text);
} forms[] = {
    {FIELDS_WORD("sched:sched_switch"), parse_switch},
    {FIELDS_WORD("sched:"), parse_thread},
    {FIELDS_WORD("syscalls:sys_enter_"), parse_call},
    {FIELDS_WORD("syscalls:sys_exit_"), parse_return},
    {FIELDS_WORD("block:"), parse_request},
    {FIELDS_WORD("lock:"), parse_lock},
    {FIELDS_WORD("kmem:"), parse_memory},
    {FIELDS_WORD(""), parse_probe},
};

void perf_fields_parse(struct perf_fields *f, struct slice event, struct slice text)
{
    size_t form = 0;

    vec_clear(&f->items);
    f->state = slice_make(NULL, 0);
    while (!slice_starts(event, forms[form].event))
        form++;
    forms[form].parse(f, text);
}

/* ---- probes ---------------------------------------------------------------------------------- */

/* Groups of events that are probes: perf's, by the name of the binary they are in, and ftrace's. */
static const struct slice groups[] = {FIELDS_WORD("probe:"), FIELDS_WORD("probe_"),
                                      FIELDS_WORD("uprobes:"), FIELDS_WORD("kprobes:"),
                                      FIELDS_WORD("sdt_")};

/* Prefixes that libraries put before the names of these functions. */
static const struct slice prefixes[] = {
    FIELDS_WORD("__GI_"),    FIELDS_WORD("__"),  FIELDS_WORD("_"),   FIELDS_WORD("libc_"),
    FIELDS_WORD("pthread_"), FIELDS_WORD("je_"), FIELDS_WORD("tc_"), FIELDS_WORD("mi_")};

/* Suffixes that users append to the names of return probes. */
static const struct slice endings[] = {FIELDS_WORD("return"), FIELDS_WORD("ret"),
                                       FIELDS_WORD("exit"), FIELDS_WORD("_")};

static bool is_probe(struct slice name)
{
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (slice_starts(name, groups[i]))
            return slice_find(name, ':') < name.len;
    return false;
}

/* Removes a prefix from a name. Returns false if there is none. */
static bool strip_prefix(struct slice *name)
{
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (name->len > prefixes[i].len && slice_starts(*name, prefixes[i])) {
            *name = slice_skip(*name, prefixes[i].len);
            return true;
        }
    }
    return false;
}

/* Removes a suffix of return probes from a name. Returns false if there is none. */
static bool strip_ending(struct slice *name)
{
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        if (name->len > endings[i].len && slice_ends(*name, endings[i])) {
            *name = slice_take(*name, name->len - endings[i].len);
            return true;
        }
    }
    return false;
}

/*
 * The function of a probe: "malloc" for "__libc_malloc_1" and, for return probes,
 * "malloc__return".
 */
static struct slice find_function(struct slice name, bool returns)
{
    size_t digits = name.len;

    while (returns && strip_ending(&name))
        digits = name.len;
    while (digits && (unsigned char)(name.ptr[digits - 1] - '0') < 10)
        digits--;
    if (digits < name.len && digits > 1 && name.ptr[digits - 1] == '_')
        name = slice_take(name, digits - 1);
    while (strip_prefix(&name))
        ;
    return name;
}

bool perf_fields_probe(const struct perf_fields *f, struct slice event, struct perf_probe *probe)
{
    bool found = false, numbers = true;

    probe->returns = false;
    probe->count = 0;
    for (size_t i = 0; f && i < f->items.count; i++) {
        const struct perf_field *field = &f->items.items[i];

        if (slice_starts(field->name, SLICE("__probe_"))) {
            found = true;
            probe->returns |= slice_equal(field->name, SLICE("__probe_ret_ip"));
            continue;
        }
        numbers = numbers && field->is_number && probe->count < PERF_ARGS_MOST;
        if (numbers)
            probe->args[probe->count++] = field->number;
    }
    if (!found || !is_probe(event))
        return false;
    probe->function = find_function(slice_skip(event, slice_find(event, ':') + 1), probe->returns);
    return true;
}
