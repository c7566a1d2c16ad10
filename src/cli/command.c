#include "cli/command.h"

#include <string.h>

const struct command commands[] = {
    {"report", COMMAND_REPORT, "DIR|FILE... [-o OUT]",
     "draw every profile of a directory and bind the graphs into a report",
     "Reads all profiles below DIR, draws each as a PNG and as an interactive SVG, and writes a "
     "page (index.html), the same in Markdown (report.md) and as data (report.json) to the "
     "directory OUT, flamepress-report by default. Files that are not profiles are listed and do "
     "not fail the report. Settings are read from flamepress.yml in DIR. OUT must be absent, "
     "empty or an earlier report; it is replaced atomically.",
     "flamepress report profiles/ -o report/", command_report},
    {"graph", COMMAND_GRAPH, "[FILE...] [-o X.svg|X.png]",
     "draw one picture of one or more profiles",
     "Merges the files and draws one graph. Standard input is read if no file is named. The ending "
     "of the output's name chooses PNG or SVG; without -o an SVG is written to standard output. "
     "If a file holds several events, the first is drawn and the others are named on standard "
     "error; --event chooses. A file of folded stacks with two columns is drawn as a differential "
     "graph.",
     "flamepress graph perf.data -o slow.png", command_graph},
    {"fold", COMMAND_FOLD, "[FILE...] [-o X.folded]", "convert profiles to folded stacks",
     "Reads profiles of any format and writes a line for each distinct stack: its frames from the "
     "root to the leaf, separated by semicolons, and its weight. Standard input is read if no file "
     "is named.",
     "flamepress fold app.perf | grep -v cpu_idle | flamepress graph > app.svg", command_fold},
    {"convert", COMMAND_CONVERT, "[FILE...] -o X.pb.gz|X.speedscope.json|...",
     "convert profiles to the formats of other tools",
     "Merges the files and writes their stacks as pprof (.pb.gz, .pprof, .pb), speedscope "
     "(.speedscope.json), a profile of the Firefox Profiler (.firefox.json), V8's .cpuprofile, a "
     "tree for d3-flame-graph (.json), OpenTelemetry's profiles in protobuf or JSON (.otlp, "
     ".otlp.json), or folded stacks (.folded, .collapsed). The ending of the "
     "output's name chooses; --format does for standard output. Standard input is read if no file "
     "is named. pprof, speedscope and OpenTelemetry get all events of the input, the other "
     "formats the first one, or the one that --event names. What a format cannot hold is said on "
     "standard error.",
     "flamepress convert perf.data -o app.pb.gz", command_convert},
    {"diff", COMMAND_DIFF, "BASE NEW | BASE... --with NEW... [-o X.png]",
     "compare two profiles: a differential graph, a table, or two-column folded stacks",
     "Compares two profiles of any formats, or the sums of several on each side of --with. If a "
     "side is a directory, prints what is worse or better, as check does; -o OUT writes the report "
     "of the new side with the base as its baseline. Otherwise the ending of the output's name "
     "chooses a picture "
     "(.png, .svg), a table of the functions that changed most (.txt, .csv, .json), or folded "
     "stacks with two columns (.folded), which are also written if nothing is said.",
     "flamepress diff last-week.perf this-week.perf -o change.png", command_diff},
    {"top", COMMAND_TOP, "[FILE...]", "list functions by self and total weight",
     "Prints a table of the functions with the largest self and total weight, or with --tree the "
     "heaviest frames as an indented call tree.",
     "flamepress top app.perf --format csv", command_top},
    {"check", COMMAND_CHECK, "DIR|FILE... --baseline BASE",
     "compare runs with earlier ones and fail if something is worse",
     "Compares the profiles of DIR, function by function, with earlier runs, and prints what is "
     "worse or better than noise between runs explains, in at most 40 lines. Files whose names "
     "differ in one number, date or host are runs of one service; three runs a side are needed, "
     "and more runs find smaller changes. A finding is worse, new, better or gone; a service "
     "without a finding is unchanged, which says what would have been found, or undecided if its "
     "runs or samples are too few to judge. Exact counts, as callgrind's, need one run. No "
     "pictures are drawn. Settings are read from "
     "flamepress.yml in DIR.",
     "flamepress check this-week/ --baseline last-week/ --junit check.xml", command_check},
    {"archive", COMMAND_ARCHIVE, "DIR|REPORT --to HISTORY",
     "add the runs of a directory of profiles or of a report to a history",
     "Adds a label, such as a week or a build, to a history: a directory that keeps the exact "
     "stacks of all runs of each service, a few KB for each profile. A label is added as a whole "
     "or not at all, and an existing label is replaced only with --force. With --keep the stacks "
     "of "
     "old labels are removed; what trends need of them stays, and no label disappears; without "
     "DIR nothing is added. Histories of two "
     "branches can be "
     "merged by their files.",
     "flamepress archive profiles/ --to history/ --label 2026-w47 --commit 4fe12ab",
     command_archive},
    {"digest", COMMAND_DIGEST, "REPORT|HISTORY[:LABEL]|DIR --baseline BASE",
     "write what is worse or better as text, Markdown, HTML or a mail",
     "Writes in at most 40 lines what changed: of a report that has a baseline, of a label of a "
     "history, which is the newest one unless it is named, against the label before it or "
     "--baseline, or of the profiles of DIR, compared with earlier runs as check does. The formats "
     "are text, Markdown for a ticket, HTML without scripts, and a mail (eml) that has the text, "
     "the HTML and pictures of the first findings, and lacks only its recipients. The exit status "
     "does not depend on what is found.",
     "flamepress digest report/ --format eml | sendmail team", command_digest},
    {"trends", COMMAND_TRENDS, "HISTORY -o OUT",
     "write pages with the shares of all labels of a history",
     "Reads a history that archive made and writes pages to the directory OUT: an index of "
     "services "
     "and labels, a page for each service with its functions over all labels and the changes of "
     "their levels, a feed of the changes (feed.xml) and all numbers as data (trends.json). "
     "Changes "
     "are looked for from twelve labels on. Links are relative, and no scripts or server are "
     "needed. OUT must be absent, empty or an earlier result; it is replaced atomically.",
     "flamepress trends history/ -o trends/", command_trends},
    {"index", COMMAND_INDEX, "DIR", "write a page and a feed of all reports in a directory",
     "Looks for reports in DIR and the directories below it, and writes DIR/index.html and "
     "DIR/feed.xml, an Atom feed. The page lists the reports, the newest first, with their dates, "
     "titles, the picture of the first graph, what was measured, what stands out and, if a report "
     "has a baseline, how many services are worse or better. A report without a calendar date "
     "(--date) has the day on which it was written. Links are relative, and no scripts or server "
     "are needed. Files of these names are replaced if they are an earlier index.",
     "flamepress index reports/", command_index},
    {"formats", COMMAND_FORMATS, "[FORMAT...] | --digest DIGEST [PATH...]",
     "list the input formats, how each is recognised, and a command that records it",
     "Lists every input format that flamepress reads, how it is recognised, and a command that "
     "produces it, and then the formats that are recognised and refused, with the command that "
     "converts each. If formats are named, only those are listed. With --digest the operands are "
     "files and directories of profiles, by default the present directory, and each profile that "
     "has the graph of a picture is printed with the name of the graph: the text chunk Digest of a "
     "PNG depends on the stacks and weights of its graph alone, after all filters, and neither on "
     "the look nor on names of files. A picture that was drawn with filters, or of one function, "
     "has the digest of what was left. exiftool and pngcheck show the text.",
     "flamepress formats perf-script", command_formats},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL},
};

const struct command *command_find(const char *name)
{
    for (const struct command *c = commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}
