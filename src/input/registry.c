#include "input/registry.h"

#include "input/formats.h"

#define DECLARE(id) extern const struct format format_##id;
INPUT_FORMATS(DECLARE)

#define ADDRESS(id) &format_##id,
const struct format *const registry_formats[] = {INPUT_FORMATS(ADDRESS)};
const size_t registry_count = sizeof(registry_formats) / sizeof(registry_formats[0]);

#define ID(id) #id,
static const char *const ids[] = {INPUT_FORMATS(ID)};

const char *registry_family_title(enum format_family family)
{
    static const char *const titles[FORMAT_FAMILIES] = {
        [FORMAT_ANY] = "Any profiler",
        [FORMAT_LINUX] = "Linux: perf, eBPF, SystemTap, debuggers",
        [FORMAT_SYSTEMS] = "Other systems: DTrace, FreeBSD, AIX, macOS, Windows",
        [FORMAT_JAVA] = "Java",
        [FORMAT_GO] = "Go and pprof",
        [FORMAT_DEVICES] = "Accelerators: GPU, TPU",
        [FORMAT_BROWSERS] = "Browsers and JavaScript",
        [FORMAT_LANGUAGES] = "Python, Ruby, PHP, Haskell and others",
        [FORMAT_MEMORY] = "Calls and memory: Valgrind, heaptrack",
        [FORMAT_PICTURES] = "Flame graphs: the pictures and pages that tickets have",
    };

    return titles[family];
}

static const char *ahead_lacks(const struct text_readahead *a)
{
    if (!a->lane_size || !a->found_size)
        return "text.ahead's lane_size or found_size";
    if (!a->begin || !a->scan || !a->take || !a->release || !a->release_found)
        return "one of text.ahead's begin(), scan(), take(), release() and release_found()";
    return NULL;
}

const char *registry_lacks(const struct format *f)
{
    bool text = f->text.line || f->text.lines || f->text.ahead;

    if (!f->name || !f->description || !f->recognised || !f->example)
        return "a name, description, recognised or example";
    if (f->family <= FORMAT_NO_FAMILY || f->family >= FORMAT_FAMILIES)
        return "a family";
    if (!f->claims)
        return "claims()";
    if (text == (f->read != NULL))
        return "one of text.line(), text.lines(), text.ahead and read()";
    if (text && !f->text.state_size)
        return "text.state_size";
    return f->text.ahead ? ahead_lacks(f->text.ahead) : NULL;
}

void registry_check(void)
{
    for (size_t i = 0; i < registry_count; i++)
        if (registry_lacks(registry_formats[i]))
            BUG("input format '%s' lacks %s", ids[i], registry_lacks(registry_formats[i]));
}

/* Source code, a script, a patch or a manual page may quote a profile; no profiler writes these. */
static bool is_source(struct slice bytes)
{
    return slice_starts_any(slice_trim_left(bytes), "/*", "//", "#include ", "#!", "diff --git ",
                            ".\\\"", "'\\\"", ".TH ");
}

/*
 * Whether `f` reads lines and the head is a JSON document that was looked into beyond the usual
 * bytes, for members that come late: formats of lines had their turn before.
 */
static bool is_too_late(const struct format *f, const struct head *head)
{
    return !f->read && head->is_json && head->intact && head->bytes.len > SOURCE_HEAD;
}

static bool claims(const struct format *f, const struct head *head)
{
    if (is_too_late(f, head))
        return false;
    return (!f->needs || slice_has(head->bytes, slice_str(f->needs))) && f->claims(head);
}

const struct format *registry_find(const struct head *head)
{
    if (is_source(head->bytes))
        return NULL;
    for (size_t i = 0; i < registry_count; i++)
        if (claims(registry_formats[i], head))
            return registry_formats[i];
    return NULL;
}

bool registry_read(const struct format *format, struct source *source, const struct head *head,
                   const struct input_options *options, unsigned threads, struct profile *out,
                   struct diag *diag)
{
    struct content content = {source, head, options, out, diag, threads};

    if (format->read)
        return format->read(&content);
    return text_read(&format->text, source, options, threads, out, diag);
}
