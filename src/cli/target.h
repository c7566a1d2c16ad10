/*
 * The picture files that graph and diff write.
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/console.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "output/writer.h"
#include "profile/profile.h"

/* One picture file to write. */
struct target {
    const char *path; /* NULL for standard output */
    const struct writer *writer;
};

struct targets VEC_OF(struct target);

/*
 * Adds a file; `path` "-" or NULL means standard output. --format or the ending of `path` decides
 * the format. Returns false after reporting that the format is unknown or that standard output
 * cannot take it.
 */
bool target_add(const struct options *o, const char *path, struct targets *targets,
                struct diag *diag);

/* Texts of the picture that do not come from the profile; each may be empty. */
struct target_texts {
    struct slice source, title;
};

/* Draws a series into all targets. */
void target_draw(const struct options *o, struct console *console, const struct profile *p,
                 uint32_t series, const struct target_texts *texts, const struct targets *targets,
                 struct outcome *outcome);

#endif
