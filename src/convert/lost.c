#include "convert/lost.h"

#include "base/utf8.h"
#include "convert/lines.h"

static bool has_module(const struct symbol *s)
{
    return s->module != SYMBOL_NONE;
}

static bool has_file(const struct symbol *s)
{
    return s->file != SYMBOL_NONE;
}

/* What functions may have. */
static const struct {
    unsigned held;
    const char *what;
    bool (*has)(const struct symbol *s);
} parts[] = {
    {CONVERT_MODULES, "modules", has_module},
    {CONVERT_LINES, "source lines", has_file},
};

static void add_part(struct buf *out, const char *part)
{
    buf_add_str(out, out->len ? ", " : "");
    buf_add_str(out, part);
}

/* Names what the functions of the stacks have and the format does not hold. */
static void add_functions(struct buf *out, const struct conversion *c, unsigned holds)
{
    const struct symbols *symbols = &c->profile->symbols;
    struct lines lines;

    lines_init(&lines, c);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        unsigned count = 0;

        for (uint32_t s = 0; s < symbols_count(symbols); s++)
            count += lines.named[s] && parts[i].has(&symbols->items.items[s]);
        if (!count || holds & parts[i].held)
            continue;
        add_part(out, parts[i].what);
        buf_printf(out, " of %u function%s", count, count == 1 ? "" : "s");
    }
    lines_release(&lines);
}

static void add_facts(struct buf *out, const struct profile *p)
{
    const char *before = " (";

    if (!p->facts.count)
        return;
    add_part(out, "facts of the recording");
    vec_each (const struct fact, fact, &p->facts) {
        buf_add_str(out, before);
        utf8_add_escaped(out, fact->key);
        before = ", ";
    }
    buf_add_char(out, ')');
}

static bool has_times(const struct conversion *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct series *s = &c->profile->series.items[c->series[i]];

        if (s->last_ns > s->first_ns)
            return true;
    }
    return false;
}

void lost_add(struct buf *out, const struct conversion *c, const struct convert_writer *writer)
{
    const unsigned of_functions = CONVERT_MODULES | CONVERT_LINES;
    const bool threads = writer->many || writer->holds & CONVERT_SPLIT;

    if ((writer->holds & of_functions) != of_functions)
        add_functions(out, c, writer->holds);
    if (!(writer->holds & CONVERT_FACTS))
        add_facts(out, c->profile);
    if (!(writer->holds & CONVERT_TIMES) && has_times(c))
        add_part(out, "times of single samples");
    if (c->profile->has_threads && !(c->split_by && threads))
        add_part(out, threads ? "threads of single samples (--split=thread has them)"
                              : "threads of single samples");
}
