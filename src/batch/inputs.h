/*
 * Collects the inputs of a report from files and directories, and separates
 * commentary and settings from profiles.
 *
 * A Markdown file beside a profile ("mysql.md" next to "mysql.perf.gz") is its
 * commentary, and "mysql.perf.gz.meta.yml" or "mysql.meta.yml" says more about
 * the run. In the directory itself flamepress.md, or README.md if there is
 * none, is the introduction, and flamepress.yml has the settings. None of these
 * is an input.
 *
 * Pictures of profiles are often beside the profiles that they were drawn from,
 * so a picture is read only if it is named. If a directory is a report of
 * flamepress, its graphs are the inputs: the runs of each, or the SVG if the
 * report did not keep runs.
 */
#ifndef BATCH_INPUTS_H
#define BATCH_INPUTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/slice.h"
#include "base/vec.h"
#include "report/names.h"

/* The name of the settings in a directory of profiles. */
#define INPUTS_SETTINGS "flamepress.yml"

struct input_file {
    const char *path;       /* to open */
    const char *shown;      /* path in the report, relative to the directory that all are in */
    const char *below;      /* path below the directory that it was found in, or NULL */
    const char *commentary; /* path of its Markdown file, or NULL */
    const char *meta;       /* path of its meta file (batch/meta.h), or NULL */
    bool named;             /* on the command line, or unreadable: failing to read it is an error */
    bool pictures;          /* it is read even if it is a picture of a profile */
};

struct inputs_options {
    const char *out; /* left out of walks; may be NULL */
    bool follow;     /* follow all symbolic links, not only links to files of the same directory */
};

struct inputs {
    struct arena memory;
    bool follow;                  /* of the options */
    VEC(struct input_file) items; /* sorted by the path shown */
    const char *first;            /* the first of the paths given to inputs_init() */
    const char *places;           /* all of these paths, or several and how many more */
    const char *settings;         /* path of flamepress.yml, or NULL */
    const char *introduction;     /* path of flamepress.md or README.md, or NULL */
};

/*
 * Fills `in` from files and directories. A directory that cannot be read
 * becomes an input, which will fail. Returns false after reporting a path that
 * cannot be used at all.
 */
bool inputs_init(struct inputs *in, const char *const *paths, size_t count,
                 const struct inputs_options *options, struct diag *diag);

/* Returns true if `path` is a directory with a report of flamepress. */
bool inputs_is_report(const char *path);

/* Returns the path of the meta file of a profile, or NULL. The text is in `in`. */
const char *inputs_find_meta(struct inputs *in, const char *path);

/*
 * Removes files whose `shown` path matches one of the globs ('*' also matches
 * slashes), except files named on the command line.
 */
void inputs_exclude(struct inputs *in, const char *const *globs, size_t count);

/* Names the graphs of the inputs after their paths. */
void inputs_name_graphs(const struct inputs *in, struct names *names);

void inputs_release(struct inputs *in);

#endif
