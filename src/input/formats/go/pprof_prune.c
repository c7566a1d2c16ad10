#include "input/formats/go/pprof_prune.h"

#include "base/utf8.h"

static bool compile(struct pprof_pattern *pattern, struct slice text, struct diag *diag)
{
    struct buf whole = {0}, why = {0};

    buf_printf(&whole, "^(?:%.*s)$", SLICE_ARG(text));
    pattern->search = search_new(buf_slice(&whole), 0, &why);
    if (pattern->search)
        pattern->matcher = search_matcher_new(pattern->search);
    else
        diag_warn(diag, "the profile's pattern '%.*s' of frames to drop is not applied: %s",
                  SLICE_ARG(text), buf_string(&why));
    buf_release(&why);
    buf_release(&whole);
    return pattern->search;
}

static void release(struct pprof_pattern *pattern)
{
    search_matcher_free(pattern->matcher);
    search_free(pattern->search);
    *pattern = (struct pprof_pattern){0};
}

void pprof_prune_init(struct pprof_prune *p, struct slice drop, struct slice keep,
                      struct diag *diag)
{
    *p = (struct pprof_prune){.diag = diag};
    if (drop.len && compile(&p->drop, drop, diag) && keep.len && !compile(&p->keep, keep, diag))
        release(&p->drop);
}

void pprof_prune_release(struct pprof_prune *p)
{
    release(&p->drop);
    release(&p->keep);
    buf_release(&p->name);
}

/*
 * Returns the name as pprof matches it: without the '.' that an ABI of PowerPC begins names with,
 * and without parameters. "(anonymous namespace)" and "operator()" are no parameters.
 */
static struct slice simple_name(struct slice name)
{
    static const struct slice reserved[] = {{"(anonymous namespace)", 21}, {"operator()", 10}};
    size_t i = 0;

    if (slice_starts(name, SLICE(".")))
        name = slice_skip(name, 1);
    for (;;) {
        struct slice rest = slice_skip(name, i);

        if (slice_starts(rest, reserved[0]))
            i += reserved[0].len;
        else if (slice_starts(rest, reserved[1]))
            i += reserved[1].len;
        else if (!rest.len || rest.ptr[0] == '(')
            break;
        else
            i++;
    }
    return slice_take(name, i);
}

static enum search_match match(struct pprof_prune *p, struct pprof_pattern *pattern)
{
    enum search_match found = search_match(pattern->matcher, buf_slice(&p->name));

    if (found == SEARCH_GIVEN_UP && !p->told) {
        diag_warn(p->diag, "the profile's patterns of frames to drop take too long; the frames of "
                           "some functions are not dropped");
        p->told = true;
    }
    return found;
}

bool pprof_prune_drops(struct pprof_prune *p, struct slice name)
{
    if (!p->drop.matcher || !name.len)
        return false;
    buf_clear(&p->name);
    utf8_add_clean(&p->name, simple_name(name));
    return match(p, &p->drop) == SEARCH_HIT &&
           !(p->keep.matcher && match(p, &p->keep) != SEARCH_MISS);
}
