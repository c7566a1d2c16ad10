#include "input/formats/perf/perf_args.h"

#include "base/num.h"

#define WORD(text)                                                                                 \
    {                                                                                              \
        "" text, sizeof(text) - 1                                                                  \
    }

/* Groups of events that are probes: perf's own by the name of what they are in, and ftrace's. */
static const struct slice groups[] = {WORD("probe:"), WORD("probe_"), WORD("uprobes:"),
                                      WORD("kprobes:"), WORD("sdt_")};

/* What libraries have in front of the names of these functions. */
static const struct slice prefixes[] = {WORD("__GI_"),    WORD("__"),  WORD("_"),   WORD("libc_"),
                                        WORD("pthread_"), WORD("je_"), WORD("tc_"), WORD("mi_")};

/* What people put behind the names of probes at the end of a function. */
static const struct slice endings[] = {WORD("return"), WORD("ret"), WORD("exit"), WORD("_")};

static bool parse_number(struct slice text, uint64_t *value)
{
    return slice_starts(text, SLICE("0x")) ? num_parse_hex(slice_skip(text, 2), value)
                                           : num_parse_u64(text, value);
}

/* What stands behind "key=", up to a blank or a comma. */
static bool find_value(struct slice rest, struct slice key, struct slice *value)
{
    struct slice word;

    while (slice_word(&rest, &word)) {
        size_t equals = slice_find(word, '=');

        if (equals == word.len || !slice_equal(slice_take(word, equals), key))
            continue;
        *value = slice_skip(word, equals + 1);
        *value = slice_take(*value, slice_find(*value, ','));
        return true;
    }
    return false;
}

bool perf_args_number(const struct perf_event *e, struct slice key, uint64_t *value)
{
    struct slice text;

    return find_value(e->rest, key, &text) && parse_number(text, value);
}

bool perf_args_address(const struct perf_event *e, struct slice key, uint64_t *value)
{
    struct slice text;

    if (!find_value(e->rest, key, &text))
        return false;
    return num_parse_hex(slice_skip(text, slice_starts(text, SLICE("0x")) ? 2 : 0), value);
}

static bool is_probe(struct slice name)
{
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
        if (slice_starts(name, groups[i]))
            return slice_find(name, ':') < name.len;
    return false;
}

/* Takes what is in front of a name off; false where nothing is. */
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

/* The same for what is behind that of a probe of returns. */
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

/* "malloc" of "__libc_malloc_1" and, where it is of returns, of "malloc__return". */
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

bool perf_args_probe(const struct perf_event *e, struct perf_probe *probe)
{
    struct slice rest = e->rest, word;
    size_t close = slice_find(rest, ')');

    if (!is_probe(e->name) || !slice_starts(rest, SLICE("(")) || close == rest.len)
        return false;
    probe->returns = slice_find(slice_take(rest, close), '<') < close;
    probe->function =
        find_function(slice_skip(e->name, slice_find(e->name, ':') + 1), probe->returns);
    probe->count = 0;
    rest = slice_skip(rest, close + 1);
    while (probe->count < PERF_ARGS_MOST && slice_word(&rest, &word) &&
           parse_number(slice_skip(word, slice_find(word, '=') + 1), &probe->args[probe->count]))
        probe->count++;
    return true;
}
