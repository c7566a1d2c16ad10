/*
 * Assembles the report of finished jobs: makes its data, then writes its texts to the
 * stage, which already has the pictures.
 */
#ifndef BATCH_ASSEMBLE_H
#define BATCH_ASSEMBLE_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/slice.h"
#include "batch/batch.h"
#include "report/report.h"
#include "report/templates.h"

/* The texts of a report besides its graphs; all may be empty. */
struct assembly {
    struct slice title, subtitle, date;
    enum report_site site;
    struct slice place; /* directory of the report; its last part is the name in a wiki */
    enum report_pages pages;
    const struct comparison *comparison; /* with an earlier week; or NULL */
    bool dark_images;                    /* there are pictures for dark pages, too */
    unsigned list_below;                 /* graphs with fewer samples are in one list */
};

/*
 * Fills `report`, which is uninitialised, with the results of the jobs. The graphs move from the
 * jobs into the report. `introduction` gets the messages about the introduction's file.
 */
void assemble_report(struct report *report, const struct assembly *assembly, struct batch *batch,
                     struct diag *introduction);

/*
 * Writes the Markdown, the JSON and, unless a site generator makes it, the page to the stage, and
 * puts the stage into place. If the report is paged, `threads` threads write a page of each graph.
 * Returns false after reporting an error, or if the stage failed; stage->failure then says why.
 */
bool assemble_write(const struct report *report, const struct templates *templates,
                    struct stage *stage, unsigned threads, struct diag *diag);

/* Returns the name of the report's main text, below its directory. */
const char *assemble_index(const struct report *report);

#endif
