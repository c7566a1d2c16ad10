/*
 * Writes the picture files of one graph of a report: in all formats, at all pixel
 * ratios, on a light and on a dark background.
 */
#ifndef BATCH_GRAPH_FILES_H
#define BATCH_GRAPH_FILES_H

#include <stdbool.h>

#include "base/diag.h"
#include "batch/stage.h"
#include "draw/look.h"
#include "output/picture.h"
#include "report/build.h"

enum graph_files_kind { GRAPH_FILES_ALL, GRAPH_FILES_PNG, GRAPH_FILES_SVG };

struct graph_files {
    const struct look *look;
    struct stage *stage; /* NULL if the report is a single file, which contains the pictures */
    struct slice name;   /* file name without ending */
    struct diag *diag;
    struct report_graph *graph; /* gets the names and sizes of the files */
    enum graph_files_kind which;
};

/* Draws a picture, and those linked by `below`, into all files. Returns false after an error. */
bool graph_files_write(const struct graph_files *f, const struct picture *p);

/*
 * Appends the paths of all files of a graph that is not packed, with its exports, crops and runs,
 * each with a NUL after it.
 */
void graph_files_list(const struct report_graph *g, struct buf *out);

#endif
