/*
 * Private definition of struct flamepress_settings; include it only within library/.
 *
 * Settings are the options of a command of the program. The plans and the fonts are made from them
 * at the first use, under a lock, and kept until a setting changes.
 */
#ifndef LIBRARY_SETTINGS_H
#define LIBRARY_SETTINGS_H

#include <pthread.h>

#include "base/diag.h"
#include "flamepress.h"
#include "options/options.h"

/* A graph, or a report of many. */
enum library_use { LIBRARY_GRAPH, LIBRARY_REPORT, LIBRARY_USES };

struct library_made {
    pthread_mutex_t lock;
    struct plan plans[LIBRARY_USES];
    bool planned[LIBRARY_USES];
    struct fonts *fonts;
};

struct flamepress_settings {
    struct options options;
    struct library_made *made;
};

/* Points `*settings` to default settings if it is NULL. Returns settings to free, or NULL. */
struct flamepress_settings *library_defaults(const struct flamepress_settings **settings);

/* Returns the plan of the settings. Returns NULL after reporting settings that do not agree. */
const struct plan *library_plan(const struct flamepress_settings *s, enum library_use use,
                                struct diag *diag);

/* Returns the options of reading; settings that do not agree are reported when a plan is made. */
struct input_options library_reading(const struct flamepress_settings *s);

/* Returns the fonts of the settings. Returns NULL after reporting why there are none. */
struct fonts *library_fonts(const struct flamepress_settings *s, struct diag *diag);

/* Copies the errors of `diag` into `error`, which may be NULL. Returns false. */
bool library_fail(const struct diag *diag, struct flamepress_error *error);

#endif
