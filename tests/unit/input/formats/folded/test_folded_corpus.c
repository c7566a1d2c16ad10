/*
 * Folded files of the corpus with texts beside them; the table of the corpus has
 * their totals.
 */

#include "base/file.h"
#include "input/read.h"
#include "tree/share.h"
#include "unit/support/test.h"

#define CORPUS "../shared/corpus/"

static enum input_result read_file(const char *file, struct profile *p)
{
    struct input_options options = input_options_default();
    enum input_result result;
    struct diag diag;
    struct buf path = {0};

    buf_printf(&path, CORPUS "%s", file);
    profile_init(p);
    diag_init(&diag, buf_slice(&path));
    result = input_read(buf_string(&path), &options, 1, p, &diag);
    diag_release(&diag);
    buf_release(&path);
    return result;
}

static bool is_there(void)
{
    return file_kind(CORPUS "folded") == FILE_DIRECTORY;
}

Test(input_folded_corpus, what_is_no_profile_is_not_taken_for_one)
{
    struct profile p;

    if (!is_there())
        cr_skip_test(CORPUS " is not here");
    cr_expect_eq(read_file("folded/nameattr-not-a-profile.txt", &p), INPUT_UNKNOWN);
    profile_release(&p);
    cr_expect_eq(read_file("folded/empty.txt", &p), INPUT_EMPTY);
    profile_release(&p);
}

/* The example of the articles on flame graphs: all samples of ext4, each counted once. */
Test(input_folded_corpus, a_search_is_a_union_over_stacks)
{
    struct tree_options whole = {.reverse = false};
    struct share found;
    struct search *search;
    struct profile p;
    struct tree tree;
    struct buf why = {0};

    if (!is_there())
        cr_skip_test(CORPUS " is not here");
    search = search_new(SLICE("^ext4_"), false, &why);
    cr_assert(search, "%s", buf_string(&why));
    cr_assert_eq(read_file("seeds/stap-ext4.folded", &p), INPUT_READ);
    tree_init(&tree, &p, 0, &whole);
    share_sum(search, &tree, &found);
    cr_expect_eq(found.weight, 958);
    cr_expect_eq(tree_weight(&tree), 958);
    tree_release(&tree);
    profile_release(&p);
    search_free(search);
    buf_release(&why);
}
