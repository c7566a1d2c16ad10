/*
 * The pictures of one graph of a report: in all formats, at all ratios, on
 * light ground and on dark.
 */
#ifndef BATCH_GRAPH_FILES_H
#define BATCH_GRAPH_FILES_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/stage.h"
#include "draw/look.h"
#include "output/picture.h"
#include "report/build.h"

struct graph_files {
    const struct look *look;
    struct stage *stage; /* NULL where the report is a single file: pictures go into it */
    struct slice name;   /* of the files, without ending */
    struct diag *diag;
    struct report_graph *graph; /* is told of the files */
};

/* Draws the picture, and what is below it, into all files; false, told, where one cannot be. */
bool graph_files_write(const struct graph_files *f, const struct picture *p);

#endif
