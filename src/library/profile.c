/*
 * Profiles of the library: read, prepared, drawn, folded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/version.h"
#include "draw/draw.h"
#include "flamepress.h"
#include "input/read.h"
#include "library/settings.h"
#include "output/folded.h"
#include "output/writer.h"
#include "prepare/prepare.h"
#include "tree/share.h"

struct flamepress_profile {
    struct profile profile;
    struct arena memory;
    const char *source, *warnings;
    bool prepared;
    uint32_t series; /* the graph, once it is prepared */
};

const char *flamepress_version(void)
{
    return FLAMEPRESS_VERSION;
}

static const char *write_warnings(struct arena *memory, const struct diag *diag)
{
    struct buf text;
    const char *copy;

    buf_init(&text);
    for (size_t i = 0; i < diag->messages.count; i++)
        if (diag->messages.items[i].level == DIAG_WARNING)
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
    struct flamepress_profile *p = xcalloc(1, sizeof(*p));
    unsigned threads = options_threads(&settings->options);
    struct input_options reading = library_reading(settings);
    enum input_result result;
    struct diag diag;

    diag_init(&diag, slice_str(path));
    profile_init(&p->profile);
    arena_init(&p->memory);
    p->source = arena_strdup(&p->memory, slice_str(path));
    result = path ? input_read(path, &reading, threads, &p->profile, &diag)
                  : input_read_memory(bytes, &reading, threads, &p->profile, &diag);
    p->warnings = write_warnings(&p->memory, &diag);
    if (result != INPUT_READ) {
        if (!diag.counts[DIAG_ERROR])
            diag_raise_note(&diag);
        library_fail(&diag, error);
        flamepress_profile_free(p);
        p = NULL;
    }
    diag_release(&diag);
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
    profile_release(&p->profile);
    arena_release(&p->memory);
    free(p);
}

const char *flamepress_profile_format(const struct flamepress_profile *p)
{
    return p->profile.format;
}

const char *flamepress_profile_warnings(const struct flamepress_profile *p)
{
    return p->warnings;
}

bool flamepress_prepare(struct flamepress_profile *p, const struct flamepress_settings *settings,
                        struct flamepress_error *error)
{
    const struct plan *plan;
    struct prepared made;
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE(""));
    prepared_init(&made);
    plan = library_plan(settings, LIBRARY_GRAPH, &diag);
    if (p->prepared)
        plan = (diag_error(&diag, "the profile was prepared before"), NULL);
    ok = plan && prepare(&p->profile, &plan->recipe, &made, &diag);
    if (ok && made.empty) {
        diag_raise_note(&diag);
        ok = false;
    }
    if (ok) {
        p->prepared = true;
        p->series = made.graphs.items[0];
    } else {
        library_fail(&diag, error);
    }
    prepared_release(&made);
    diag_release(&diag);
    return ok;
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

/* What a drawing needs besides the profile. */
struct making {
    const struct plan *plan;
    const struct writer *writer;
    struct fonts *fonts;
    struct diag diag;
};

static bool write_picture(struct making *m, const struct picture *picture, struct buf *out)
{
    unsigned ratios = m->plan->look.pixel_ratios ? m->plan->look.pixel_ratios : 1u << 1;
    struct buf why;
    bool ok;

    if (ratios & (ratios - 1))
        return diag_error(&m->diag, "a picture has one pixel ratio");
    buf_init(&why);
    ok = m->writer->write(picture, (unsigned)__builtin_ctz(ratios), out, &why) ||
         diag_error(&m->diag, "cannot draw: %s", why.ptr);
    buf_release(&why);
    return ok;
}

static bool draw_profile(struct making *m, const struct flamepress_profile *p, struct buf *out)
{
    struct tree_options whole = {.reverse = false};
    struct shares found = {0};
    struct drawing drawing;
    struct tree tree;
    bool ok;

    tree_init(&tree, &p->profile, p->series, &whole);
    share_sum_all(&m->plan->recipe.searches, &tree, &found);
    ok = draw_init(&drawing,
                   &(struct draw_request){
                       .look = &m->plan->look,
                       .recipe = &m->plan->recipe,
                       .fonts = m->fonts,
                       .source = file_name_of(slice_str(p->source)),
                       .searches = found.items,
                       .search_count = found.count,
                   },
                   &tree, &m->diag) &&
         write_picture(m, draw_picture(&drawing), out);
    draw_release(&drawing);
    vec_release(&found);
    tree_release(&tree);
    return ok;
}

bool flamepress_draw(const struct flamepress_profile *p, const struct flamepress_settings *settings,
                     enum flamepress_format format, struct flamepress_bytes *picture,
                     struct flamepress_error *error)
{
    struct making m = {.plan = NULL};
    struct buf out;
    bool ok;

    buf_init(&out);
    diag_init(&m.diag, SLICE(""));
    m.writer = writer_find(format == FLAMEPRESS_PNG ? SLICE("png") : SLICE("svg"));
    m.plan = library_plan(settings, LIBRARY_GRAPH, &m.diag);
    ok = m.plan != NULL;
    if (!p->prepared)
        ok = diag_error(&m.diag, "the profile is not prepared");
    ok = ok && (m.fonts = library_fonts(settings, &m.diag)) && draw_profile(&m, p, &out);
    if (ok)
        give_bytes(&out, picture);
    else
        library_fail(&m.diag, error);
    diag_release(&m.diag);
    buf_release(&out);
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
    struct buf out;

    buf_init(&out);
    diag_init(&diag, SLICE(""));
    if (!p->prepared) {
        diag_error(&diag, "the profile is not prepared");
        library_fail(&diag, error);
    } else {
        folded_write(&p->profile, p->series, take_block, &out);
        give_bytes(&out, text);
    }
    diag_release(&diag);
    buf_release(&out);
    return p->prepared;
}
