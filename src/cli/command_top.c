#include "cli/command.h"

#include "cli/confine.h"
#include "cli/load.h"
#include "cli/sink.h"
#include "draw/draw.h"
#include "draw/fit.h"
#include "options/table.h"
#include "prepare/prepare.h"
#include "report/top_table.h"
#include "report/top_tree.h"

enum { TREE_ROWS = 50 }; /* default --rows of --tree and --around */

static const struct format {
    enum options_format name;
    void (*write)(const struct top_table *t, struct buf *out);
    void (*write_tree)(const struct top_tree *t, struct buf *out);
} table_formats[] = {
    {FORMAT_TEXT, top_table_text, top_tree_text},
    {FORMAT_CSV, top_table_csv, top_tree_csv},
    {FORMAT_JSON, top_table_json, top_tree_json},
};

/* Text is the default. */
static const struct format *find_format(enum options_format name)
{
    size_t i = sizeof(table_formats) / sizeof(*table_formats) - 1;

    while (i && table_formats[i].name != name)
        i--;
    return &table_formats[i];
}

/* Writes the tree that is asked for. Returns false after reporting why there is none. */
static bool write_tree(const struct command_job *job, const struct tree *tree,
                       const struct format *f, struct buf *out, struct diag *diag)
{
    bool rows_given = options_given(job->options, options_find("rows", COMMAND_TOP));
    const struct recipe *recipe = &job->plan->recipe;
    struct top_tree top = {tree, recipe_scale(recipe, tree->profile, tree->series),
                           rows_given ? job->plan->rows : TREE_ROWS};
    struct tree around;

    if (recipe->around.len) {
        if (!fit_check(&job->plan->look, recipe, false, tree->profile, tree->series, diag) ||
            !draw_sandwich(&around, recipe->around, tree, diag))
            return false;
        top.tree = &around;
    }
    f->write_tree(&top, out);
    if (recipe->around.len)
        tree_release(&around);
    return true;
}

static void write_table(const struct command_job *job, const struct tree *tree,
                        const struct format *f, struct buf *out, struct diag *diag)
{
    const struct recipe *recipe = &job->plan->recipe;
    struct shares shares = {0};

    share_sum_all(&recipe->searches, tree, &shares);
    share_warn_given_up(&shares, diag);
    f->write(&(struct top_table){.tree = tree,
                                 .scale = recipe_scale(recipe, tree->profile, tree->series),
                                 .rows = job->plan->rows,
                                 .shares = &shares},
             out);
    vec_release(&shares);
}

/* Returns false after reporting why there is nothing to write. */
static bool write(const struct command_job *job, const struct profile *p, uint32_t series,
                  struct buf *out)
{
    const struct recipe *recipe = &job->plan->recipe;
    const struct format *f = find_format(job->options->format);
    struct tree_options tree_options = {.reverse = recipe->reverse};
    struct budget budget, *before;
    struct tree tree;
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE("flamepress"));
    prepare_budget(recipe, prepare_memory_limit(recipe, p), p, &budget);
    before = budget_enter(&budget);
    tree_init(&tree, p, series, &tree_options);
    if (job->options->tree)
        prepare_charge_tree(tree.count);
    ok = budget_allows(&diag, DIAG_AT_FILE);
    if (ok && (job->options->tree || recipe->around.len))
        ok = write_tree(job, &tree, f, out, &diag);
    else if (ok)
        write_table(job, &tree, f, out, &diag);
    budget_leave(before);
    tree_release(&tree);
    console_show(job->console, &diag);
    if (!ok)
        exit_count_failure(job->outcome, &diag);
    diag_release(&diag);
    return ok;
}

void command_top(const struct command_job *job)
{
    struct library_graph graph;
    struct buf text = {0};

    confine(job->options, &job->options->outputs, job->console);
    library_graph_init(&graph);
    if (load_graph(job, &graph) && write(job, &graph.profile, library_graph_series(&graph), &text))
        job->outcome->written =
            sink_write(job->console, options_output(job->options), buf_slice(&text)) != SINK_FAILED;
    library_graph_release(&graph);
    buf_release(&text);
}
