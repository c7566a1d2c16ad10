#include "cli/caption.h"

#include <criterion/criterion.h>

/* What the pictures of a profile with these options say; NULL ends the words. */
static void expect(const char *const *words, const char *title, uint32_t inputs, const char *form,
                   const char *view, const char *part)
{
    char *copies[12] = {NULL};
    struct options o;
    struct profile p;
    struct diag diag;
    struct arena memory;
    struct buf text;
    int count = 0;

    arena_init(&memory);
    for (; words[count]; count++)
        copies[count] = arena_strdup(&memory, slice_str(words[count]));
    options_init(&o);
    profile_init(&p);
    diag_init(&diag, SLICE("test"));
    cr_assert(options_parse(&o, COMMAND_GRAPH, count, copies, &diag), "%s", words[0]);
    p.inputs = inputs;
    p.has_processes = p.has_states = true;
    buf_init(&text);
    caption_write_form(&o, false, &text);
    cr_expect_str_eq(text.ptr, form);
    buf_clear(&text);
    caption_write_view(&o, slice_str(title), &text);
    cr_expect_str_eq(text.ptr, view, "%s: %s", words[0], text.ptr);
    buf_clear(&text);
    caption_write_part(&o, &p, slice_str(title), &text);
    cr_expect_str_eq(text.ptr, part, "%s: %s", words[0], text.ptr);
    buf_release(&text);
    diag_release(&diag);
    profile_release(&p);
    options_release(&o);
    arena_release(&memory);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(cli_caption, says_how_a_picture_was_made)
{
    expect(WORDS("a.folded"), "", 1, "Flame graph", "", "");
    expect(WORDS("--sort=weight"), "CPU", 0, "Flame graph", "", "");
    expect(WORDS("--reverse"), "CPU", 1, "Flame graph", "merged from the leaves", "");
    expect(WORDS("--reverse", "--inverted"), "CPU", 1, "Icicle graph",
           "merged from the leaves, root at the top", "");
    expect(WORDS("--around", "f"), "CPU", 1, "Flame graph", "callers and callees of f", "");
    expect(WORDS("--around", "f"), "Callers and callees of f", 1, "Flame graph", "", "");
    expect(WORDS("--flamechart", "--from", "3"), "", 1, "Flame chart", "in the order of time",
           "from 3 s");
    expect(WORDS("--kind=heatmap", "--inverted", "--to=1.5"), "", 1, "Heat map", "", "up to 1.5 s");
    expect(WORDS("--group=module", "--collapse-recursion", "--from=1", "--to=2"), "", 2,
           "Flame graph", "", "by module, recursion collapsed, from 1 s to 2 s, 2 profiles merged");
    expect(WORDS("--process=a", "--process=b", "--process=7", "--state=D"), "", 1, "Flame graph",
           "", "processes a, b and 7, state D");
    expect(WORDS("--process=b"), "CPU Flame Graph (b)", 1, "Flame graph", "", "");
    expect(WORDS("--thread=t"), "", 1, "Flame graph", "", ""); /* the input does not tell threads */
}

Test(cli_caption, of_differences)
{
    struct options o;
    struct buf text;

    options_init(&o);
    buf_init(&text);
    caption_write_form(&o, true, &text);
    cr_expect_str_eq(text.ptr, "Differential flame graph");
    buf_release(&text);
    options_release(&o);
}
