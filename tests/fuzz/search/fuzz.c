/*
 * Compiles a search from any bytes and runs it: the first byte says whether case is
 * ignored, the first line is the pattern, and each further line is a name.
 */
#include <stddef.h>
#include <stdint.h>

#include "tree/share.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Limits the work, so that a slow pattern is not reported as a hang. */
enum { NAMES_MOST = 8, NAME_LENGTH_MOST = 64, PATTERN_LENGTH_MOST = 256 };

static void add_names(struct profile *p, struct slice rest)
{
    uint32_t series = profile_series(p, SLICE(""), unit_samples);
    uint32_t stack = STACK_ROOT;
    struct slice line;

    for (int i = 0; i < NAMES_MOST && slice_cut(&rest, '\n', &line); i++) {
        uint32_t symbol = symbols_add_annotated(&p->symbols, slice_take(line, NAME_LENGTH_MOST));

        stack = stacks_push(&p->stacks, stack, symbol);
        if (!profile_add(p, series, stack, 1))
            BUG("a few samples fit");
    }
}

static void run(const struct search *s, const struct profile *p)
{
    struct tree_options reversed = {.reverse = true};
    struct share forward, backward;
    struct tree t;

    tree_init(&t, p, 0, &(struct tree_options){0});
    share_sum(s, &t, &forward);
    if (forward.weight > tree_weight(&t))
        BUG("more than all");
    tree_release(&t);
    tree_init(&t, p, 0, &reversed);
    share_sum(s, &t, &backward);
    tree_release(&t);
    if (forward.weight != backward.weight || forward.symbols != backward.symbols)
        BUG("the direction of the tree matters");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice rest, pattern;
    struct profile p;
    struct search *s;
    struct buf why = {0};

    if (size < 2)
        return 0;
    rest = slice_make((const char *)data + 1, size - 1);
    if (!slice_cut(&rest, '\n', &pattern))
        return 0;
    profile_init(&p);
    add_names(&p, rest);
    s = search_new(slice_take(pattern, PATTERN_LENGTH_MOST), data[0] & 3, &why);
    if (!s && !why.len)
        BUG("refused without a word");
    if (s)
        run(s, &p);
    search_free(s);
    profile_release(&p);
    buf_release(&why);
    return 0;
}
