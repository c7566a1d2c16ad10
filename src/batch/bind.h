/*
 * From jobs that are done to the report: its data, then its texts beside the
 * pictures in the stage.
 */
#ifndef BATCH_BIND_H
#define BATCH_BIND_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/slice.h"
#include "batch/batch.h"
#include "report/report.h"
#include "report/templates.h"

/* What a report says besides its graphs; all texts may be empty. */
struct bind {
    struct slice title, subtitle, date;
    enum report_site site;
    bool dark_images; /* there are pictures for dark pages, too */
};

/*
 * Fills `report`, which is uninitialised, with what became of the inputs. The graphs move from the
 * jobs into the report. `introduction` gets the messages about the file of that name.
 */
void bind_report(struct report *report, const struct bind *bind, struct batch *batch,
                 struct diag *introduction);

/*
 * Writes the Markdown, the JSON and, unless a generator of sites makes it, the page into the
 * batch's stage, and puts the stage into place. Returns false after reporting; s->failure then says
 * why if it was the stage.
 */
bool bind_write(const struct report *report, const struct templates *templates, struct stage *stage,
                struct diag *diag);

/* The name of the report's main text, below its directory. */
const char *bind_index(const struct report *report);

#endif
