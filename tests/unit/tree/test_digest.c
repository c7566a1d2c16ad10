
#include "tree/digest.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

static void digest(const char *folded, struct buf *out)
{
    struct graph g;

    buf_clear(out);
    graph_init(&g, slice_str(folded));
    tree_digest(&g.tree, out);
    graph_release(&g);
}

Test(tree_digest, names_the_data_and_not_its_order)
{
    static const char first_data[] = "a;b;c 1\na;d 2\ne;f;g;h;i 3\nj;f;g;h;i 4\n";
    static const struct {
        const char *folded;
        bool same;
    } rows[] = {
        {"j;f;g;h;i 4\na;d 2\na;b;c 1\ne;f;g;h;i 3\n", true},
        {"a;b;c 1\na;d 1\na;d 1\ne;f;g;h;i 3\nj;f;g;h;i 4\n", true},
        {"a;b;c 1\na;d 2\ne;f;g;h;i 4\nj;f;g;h;i 3\n", false},
        {"a;b;c 1\na;D 2\ne;f;g;h;i 3\nj;f;g;h;i 4\n", false},
        {"a;b;c 1\na;d_[k] 2\ne;f;g;h;i 3\nj;f;g;h;i 4\n", false},
        {"a;b;c 2\na;d 1\ne;f;g;h;i 3\nj;f;g;h;i 4\n", false},
        {"a;c;b 1\na;d 2\ne;f;g;h;i 3\nj;f;g;h;i 4\n", false},
    };
    struct buf first = {0}, other = {0};

    digest(first_data, &first);
    cr_expect_eq(first.len, 16);
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        digest(rows[i].folded, &other);
        cr_expect_eq(strcmp(buf_string(&first), buf_string(&other)) == 0, rows[i].same, "row %zu",
                     i);
    }
    buf_release(&first);
    buf_release(&other);
}

/* In a differential graph, base and new are not the same. */
Test(tree_digest, tells_base_and_new_apart)
{
    struct buf one = {0}, other = {0};

    digest("a 3 5\nb 5 3\n", &one);
    digest("a 5 3\nb 3 5\n", &other);
    cr_expect(!slice_equal(buf_slice(&one), buf_slice(&other)));
    buf_release(&one);
    buf_release(&other);
}
