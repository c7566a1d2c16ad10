#include "cli/man_notes.h"

#include "base/percent.h"
#include "stats/reach.h"

static void write_services(struct buf *out)
{
    buf_add_str(
        out,
        "A run is one file. Files of one directory are runs of one service if their names differ "
        "in one number, date or host only, and if they have format, event and unit in common:\n"
        ".PP\n.nf\n"
        "orders.1.perf.gz  orders\\-2.perf  orders@web3.perf  one service\n"
        "mysql.cpu.folded  mysql.offcpu.folded              two services\n"
        ".fi\n.PP\n"
        "A number stands between dots, hyphens, underscores, '@' and the ends of the name: those "
        "of http2, v2 and x86_64 belong to a word, and those of 1.2.3 to a version. Endings of a "
        "format or compression are not in the name of a service; others are. The entries of\n"
        ".B services\nin flamepress.yml decide otherwise, and the report says what was grouped.\n");
}

static void write_row(struct buf *out, const char *noise, double rho, size_t runs)
{
    static const double samples[] = {300, 1000, 3000, 10000};

    buf_printf(out, "%-22s %5zu", noise, runs);
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        double change = stats_reach(rho, runs, samples[i]);
        struct buf cell = {0};

        if (change < 1)
            percent_write(&cell, change, PERCENT_CAPTION);
        else
            buf_add_str(&cell, "\\-");
        buf_printf(out, " %*s", change < 1 ? 7 : 8, buf_string(&cell));
        buf_release(&cell);
    }
    buf_add_char(out, '\n');
}

static void write_reach(struct buf *out)
{
    static const struct {
        const char *noise;
        double rho;
    } rows[] = {
        {"chance only", 0},
        {"a quiet machine", 0.001},
        {"compiles or warms up", 0.01},
    };
    static const size_t runs[] = {2, 3, 5, 10, 20};

    buf_printf(out,
               "The smallest change, in points, that four in five comparisons find: of a function "
               "with %d %% of a service in which %d functions are tested. More samples do not "
               "remove the noise between runs; more runs do. A report says the same of its own "
               "runs.\n.PP\n.nf\n%60s\n%-22s %5s %7s %7s %7s %7s\n",
               STATS_REACH_PERCENT, STATS_REACH_TESTED, "samples a run", "noise between runs",
               "runs", "300", "1,000", "3,000", "10,000");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (size_t k = 0; k < sizeof(runs) / sizeof(runs[0]); k++)
            write_row(out, k ? "" : rows[i].noise, rows[i].rho, runs[k]);
    buf_add_str(out, ".fi\n");
}

static const struct {
    unsigned commands;
    const char *title;
    void (*write)(struct buf *out);
} sections[] = {
    {COMMAND_REPORT | COMMAND_CHECK | COMMAND_ARCHIVE | COMMAND_DIGEST | COMMAND_DIFF,
     "RUNS AND SERVICES", write_services},
    {COMMAND_REPORT | COMMAND_CHECK | COMMAND_DIGEST | COMMAND_DIFF, "WHAT CAN BE FOUND",
     write_reach},
};

void man_notes(struct buf *out, enum command_id command)
{
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        if (!(sections[i].commands & command))
            continue;
        buf_printf(out, ".SH %s\n", sections[i].title);
        sections[i].write(out);
    }
}
