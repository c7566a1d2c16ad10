/*
 * Profiles of the library: read, prepared, drawn, folded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/version.h"
#include "batch/merging.h"
#include "flamepress.h"
#include "library/graph.h"
#include "library/settings.h"
#include "output/writer.h"

struct flamepress_profile {
    struct library_graph graph;
    struct arena memory;
    const char *source, *warnings;
};

const char *flamepress_version(void)
{
    return FLAMEPRESS_VERSION;
}

static const char *write_warnings(struct arena *memory, const struct diag *diag)
{
    struct buf text = {0};
    const char *copy;

    for (size_t i = 0; i < diag->messages.count; i++)
        if (diag->messages.items[i].level >= DIAG_WARNING)
            diag_write_message(diag, &diag->messages.items[i], &text, false);
    copy = arena_strdup(memory, buf_slice(&text));
    buf_release(&text);
    return copy;
}

/* Reads a file, or bytes if there is no path. */
static struct flamepress_profile *read_profile(const char *path, struct slice bytes,
                                               const struct flamepress_settings *settings,
                                               struct flamepress_error *error)
{
    struct flamepress_settings *defaults = library_defaults(&settings);
    struct flamepress_profile *p = xcalloc(1, sizeof(*p));
    const struct recipe alone = {.merge = MERGE_OFF};
    struct input_options reading = library_reading(settings);
    const struct merging_input in = {.path = path, .bytes = bytes, .reading = &reading};
    struct merging one = {
        .whole = &p->graph.profile,
        .recipe = &alone,
        .count = 1,
        .threads = options_threads(&settings->options),
    };
    struct diag diag;

    diag_init(&diag, slice_str(path));
    library_graph_init(&p->graph);
    p->source = arena_strdup(&p->memory, slice_str(path));
    merging_add(&one, &in, &diag);
    p->warnings = write_warnings(&p->memory, &diag);
    if (!one.read) {
        if (!diag.counts[DIAG_ERROR])
            diag_raise_note(&diag);
        library_fail(&diag, error);
        flamepress_profile_free(p);
        p = NULL;
    }
    diag_release(&diag);
    flamepress_settings_free(defaults);
    return p;
}

struct flamepress_profile *flamepress_read(const char *path,
                                           const struct flamepress_settings *settings,
                                           struct flamepress_error *error)
{
    return read_profile(path, slice_make(NULL, 0), settings, error);
}

struct flamepress_profile *flamepress_read_memory(const void *bytes, size_t size,
                                                  const struct flamepress_settings *settings,
                                                  struct flamepress_error *error)
{
    return read_profile(NULL, slice_make(bytes, size), settings, error);
}

void flamepress_profile_free(struct flamepress_profile *p)
{
    if (!p)
        return;
    library_graph_release(&p->graph);
    arena_release(&p->memory);
    free(p);
}

const char *flamepress_profile_format(const struct flamepress_profile *p)
{
    return p->graph.profile.format;
}

const char *flamepress_profile_warnings(const struct flamepress_profile *p)
{
    return p->warnings;
}

bool flamepress_prepare(struct flamepress_profile *p, const struct flamepress_settings *settings,
                        struct flamepress_error *error)
{
    struct flamepress_settings *defaults = library_defaults(&settings);
    const struct plan *plan;
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE(""));
    plan = library_plan(settings, LIBRARY_GRAPH, &diag);
    if (p->graph.prepared)
        ok = diag_error(&diag, "the profile was prepared before");
    else
        ok = plan && library_graph_prepare(&p->graph, plan, &diag);
    if (!ok)
        library_fail(&diag, error);
    diag_release(&diag);
    flamepress_settings_free(defaults);
    return ok;
}

static bool check_prepared(const struct flamepress_profile *p, struct diag *diag)
{
    return (p->graph.prepared && !p->graph.made.empty) ||
           diag_error(diag, "the profile is not prepared");
}

/* Gives what a buffer holds to the caller, who frees it. */
static void give_bytes(struct buf *from, struct flamepress_bytes *to)
{
    struct slice bytes = buf_slice(from);

    to->data = xmalloc(bytes.len + 1);
    if (bytes.len)
        memcpy(to->data, bytes.ptr, bytes.len);
    to->data[bytes.len] = '\0';
    to->size = bytes.len;
}

void flamepress_bytes_free(struct flamepress_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct flamepress_bytes){NULL, 0};
}

/* A picture on its way into memory. */
struct writing {
    const struct writer *writer;
    unsigned ratios; /* bit n set for ratio n; 0: ratio 1 */
    struct buf *out;
};

static bool write_picture(void *context, const struct picture *picture, struct diag *diag)
{
    const struct writing *w = context;
    unsigned ratio = w->ratios ? (unsigned)__builtin_ctz(w->ratios) : 1;
    struct buf why = {0};
    bool ok;

    if (w->ratios & (w->ratios - 1))
        return diag_error(diag, "pixel-ratio: a picture has one ratio");
    ok = w->writer->write(picture, ratio, w->out, &why) ||
         diag_error(diag, "cannot draw: %s", buf_string(&why));
    buf_release(&why);
    return ok;
}

bool flamepress_draw(const struct flamepress_profile *p, const struct flamepress_settings *settings,
                     enum flamepress_format format, struct flamepress_bytes *picture,
                     struct flamepress_error *error)
{
    struct flamepress_settings *defaults = library_defaults(&settings);
    struct library_drawing how = {0};
    struct writing writing;
    struct diag diag;
    struct buf out = {0};
    bool ok;

    diag_init(&diag, SLICE(""));
    ok = check_prepared(p, &diag) && (how.plan = library_plan(settings, LIBRARY_GRAPH, &diag)) &&
         (how.fonts = library_fonts(settings, &diag));
    if (ok) {
        how.source = look_source(&how.plan->look, slice_str(p->source));
        how.threads = options_threads(&settings->options);
        writing =
            (struct writing){writer_find(format == FLAMEPRESS_PNG ? SLICE("png") : SLICE("svg")),
                             how.plan->look.pixel_ratios, &out};
        ok = library_graph_draw(&p->graph, &how, write_picture, &writing, &diag);
    }
    if (ok)
        give_bytes(&out, picture);
    else
        library_fail(&diag, error);
    diag_release(&diag);
    buf_release(&out);
    flamepress_settings_free(defaults);
    return ok;
}

static bool take_block(void *context, struct slice bytes)
{
    buf_add_slice(context, bytes);
    return true;
}

bool flamepress_fold(const struct flamepress_profile *p, struct flamepress_bytes *text,
                     struct flamepress_error *error)
{
    struct diag diag;
    struct buf out = {0};
    bool ok;

    diag_init(&diag, SLICE(""));
    ok = check_prepared(p, &diag) && library_graph_fold(&p->graph, take_block, &out);
    if (ok)
        give_bytes(&out, text);
    else
        library_fail(&diag, error);
    diag_release(&diag);
    buf_release(&out);
    return ok;
}
