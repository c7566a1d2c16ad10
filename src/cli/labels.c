#include "cli/labels.h"

#include "base/file.h"
#include "batch/history_pack.h"
#include "cli/aside.h"

struct request {
    const char *directory;
    struct slice replaced;
    bool sound;
};

static bool read_here(struct history *h, const struct request *r, struct diag *diag)
{
    return r->sound ? history_read_sound(h, r->directory, diag)
                    : history_read(h, r->directory, r->replaced, diag);
}

static void read_packed(void *context, struct buf *out)
{
    struct history h;
    struct diag diag;
    bool ok;

    diag_init(&diag, SLICE(""));
    ok = read_here(&h, context, &diag);
    history_pack(&h, ok, &diag, out);
    history_release(&h);
    diag_release(&diag);
}

bool labels_read(struct history *h, const char *directory, struct slice replaced, bool sound,
                 const struct options *o, struct diag *diag)
{
    struct request request = {directory, replaced, sound};
    struct buf packed = {0};
    bool ok;

    *h = (struct history){0};
    if (o->no_sandbox || file_kind(directory) == FILE_ABSENT)
        return read_here(h, &request, diag);
    ok = aside_run(read_packed, &request, directory, &packed)
             ? history_pack_read(h, directory, buf_slice(&packed), diag)
             : diag_error(diag,
                          "%s: the process that reads histories failed; --no-sandbox reads them "
                          "without it",
                          directory);
    buf_release(&packed);
    return ok;
}

bool labels_resolve(const char **path, struct options *o, struct diag *diag)
{
    const struct history_label *label = NULL;
    struct history h = {0};
    const char *directory;
    struct slice name;
    bool ok;

    if (file_kind(*path) != FILE_ABSENT || !history_split(*path, &o->memory, &directory, &name))
        return true;
    ok = labels_read(&h, directory, SLICE(""), false, o, diag);
    if (ok && h.labels.count)
        label = name.len ? history_find(&h, name) : &h.labels.items[h.labels.count - 1];
    if (label)
        *path = arena_strdup(&o->memory, slice_str(label->path));
    else if (ok && h.labels.count)
        diag_error(diag, "%s: no label '%.*s' in this history, whose newest is '%.*s'", directory,
                   SLICE_ARG(name), SLICE_ARG(h.labels.items[h.labels.count - 1].name));
    else if (ok)
        diag_error(diag, "%s: the history has no labels", directory);
    history_release(&h);
    return label != NULL;
}
