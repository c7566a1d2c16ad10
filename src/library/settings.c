#include "library/settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "options/make.h"
#include "options/table.h"

struct flamepress_settings *flamepress_settings_new(void)
{
    struct flamepress_settings *s = xcalloc(1, sizeof(*s));

    options_init(&s->options);
    s->made = xcalloc(1, sizeof(*s->made));
    pthread_mutex_init(&s->made->lock, NULL);
    return s;
}

/* Releases what was made of the settings. */
static void forget(struct library_made *made)
{
    for (unsigned use = 0; use < LIBRARY_USES; use++) {
        plan_release(&made->plans[use]);
        made->planned[use] = false;
    }
    fonts_free(made->fonts);
    made->fonts = NULL;
}

void flamepress_settings_free(struct flamepress_settings *s)
{
    if (!s)
        return;
    forget(s->made);
    pthread_mutex_destroy(&s->made->lock);
    free(s->made);
    options_release(&s->options);
    free(s);
}

struct flamepress_settings *library_defaults(const struct flamepress_settings **settings)
{
    struct flamepress_settings *defaults = NULL;

    if (!*settings)
        *settings = defaults = flamepress_settings_new();
    return defaults;
}

static bool refuse_name(const char *name, struct diag *diag)
{
    struct suggest near;
    struct buf hint = {0};

    if (options_find(name, COMMAND_LIBRARY))
        return diag_error(diag, "'%s' is an option of the program, not a setting", name);
    suggest_init(&near, name);
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->commands & COMMAND_LIBRARY)
            suggest_offer(&near, row->name);
    suggest_write(&near, "", &hint);
    diag_error(diag, "unknown setting '%s'%s", name, buf_string(&hint));
    buf_release(&hint);
    return false;
}

bool flamepress_settings_set(struct flamepress_settings *s, const char *name, const char *value,
                             struct flamepress_error *error)
{
    const struct option_row *row = options_find(name, COMMAND_LIBRARY);
    struct options *o = &s->options;
    struct diag diag;
    struct buf why = {0};
    bool ok;

    diag_init(&diag, SLICE(""));
    if (!row || !(row->commands & COMMAND_LIBRARY))
        ok = refuse_name(name, &diag);
    else if (!options_set(o, row, arena_strdup(&o->memory, slice_str(value)), &why))
        ok = diag_error(&diag, "%s: %s", name, buf_string(&why));
    else
        ok = true;
    if (ok) {
        options_mark_given(o, row);
        forget(s->made);
    } else {
        library_fail(&diag, error);
    }
    buf_release(&why);
    diag_release(&diag);
    return ok;
}

/* Makes the plan unless it is made. Returns false after reporting settings that do not agree. */
static bool make_plan(const struct flamepress_settings *s, enum library_use use, struct diag *diag)
{
    struct library_made *made = s->made;
    struct options own = s->options;

    if (made->planned[use])
        return true;
    own.command = use == LIBRARY_REPORT ? COMMAND_REPORT : own.folds ? COMMAND_FOLD : COMMAND_GRAPH;
    made->planned[use] = options_make_plan(&made->plans[use], &own, DIAG_AT_FILE, diag);
    if (!made->planned[use])
        plan_release(&made->plans[use]);
    return made->planned[use];
}

const struct plan *library_plan(const struct flamepress_settings *s, enum library_use use,
                                struct diag *diag)
{
    bool ok;

    pthread_mutex_lock(&s->made->lock);
    ok = make_plan(s, use, diag);
    pthread_mutex_unlock(&s->made->lock);
    return ok ? &s->made->plans[use] : NULL;
}

struct input_options library_reading(const struct flamepress_settings *s)
{
    struct input_options reading;
    struct diag unused;

    diag_init(&unused, SLICE(""));
    pthread_mutex_lock(&s->made->lock);
    make_plan(s, LIBRARY_GRAPH, &unused);
    reading = s->made->plans[LIBRARY_GRAPH].reading;
    pthread_mutex_unlock(&s->made->lock);
    diag_release(&unused);
    return reading;
}

struct fonts *library_fonts(const struct flamepress_settings *s, struct diag *diag)
{
    struct library_made *made = s->made;
    struct fonts *fonts;

    pthread_mutex_lock(&made->lock);
    if (!made->fonts)
        made->fonts = fonts_new(&s->options.fonts, diag);
    fonts = made->fonts;
    pthread_mutex_unlock(&made->lock);
    return fonts;
}

bool library_fail(const struct diag *diag, struct flamepress_error *error)
{
    struct buf text = {0};
    struct slice line;

    if (!error)
        return false;
    for (size_t i = 0; i < diag->messages.count; i++)
        if (diag->messages.items[i].level == DIAG_ERROR)
            diag_write_message(diag, &diag->messages.items[i], &text, false);
    line = slice_trim_right(slice_take(buf_slice(&text), sizeof(error->message) - 1));
    memcpy(error->message, line.ptr, line.len);
    error->message[line.len] = '\0';
    buf_release(&text);
    return false;
}
