/*
 * Private definition of struct flamepress_settings; include it only within library/.
 */
#ifndef LIBRARY_SETTINGS_H
#define LIBRARY_SETTINGS_H

#include <pthread.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "draw/look.h"
#include "flamepress.h"
#include "input/core/options.h"
#include "prepare/recipe.h"
#include "report/build.h"
#include "text/fonts.h"

struct library_texts VEC_OF(const char *);

struct library_search {
    const char *name, *pattern;
};

/* Opened by the first drawing, used by all of them. */
struct library_fonts {
    pthread_mutex_t lock;
    struct fonts *fonts;
};

struct flamepress_settings {
    struct arena memory; /* of all texts */
    struct input_options reading;
    struct library_texts processes, threads, states; /* `reading` points to their items */
    struct recipe recipe;                            /* without its filter */
    struct library_texts patterns[FILTER_ROLES];
    VEC(struct library_search) searches;
    enum group_by group;
    bool collapse_recursion, ignore_case;
    struct look look;
    unsigned pixel_ratio;
    unsigned rows;
    unsigned thread_count; /* 0: as many as there are processors */
    const char *font, *font_directory;
    struct slice date;
    struct library_fonts *fonts;
};

/* The options of reading. */
struct input_options library_reading(const struct flamepress_settings *s);

/*
 * Makes the recipe of the settings, its filter compiled. Returns false after reporting a pattern
 * that is no regular expression. Release it with library_recipe_release() in either case.
 */
bool library_recipe(const struct flamepress_settings *s, struct recipe *recipe, struct diag *diag);
void library_recipe_release(struct recipe *recipe);

/* Adds the named searches to the recipe. Returns false after reporting a bad pattern. */
bool library_searches(const struct flamepress_settings *s, struct recipe *recipe,
                      struct diag *diag);

/* The fonts of the settings. Returns NULL after reporting why there are none. */
struct fonts *library_fonts(const struct flamepress_settings *s, struct diag *diag);

unsigned library_threads(const struct flamepress_settings *s);

/* Copies the errors of `diag` into `error`, which may be NULL. Returns false. */
bool library_fail(const struct diag *diag, struct flamepress_error *error);

#endif
