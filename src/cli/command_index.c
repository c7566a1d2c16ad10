/*
 * Runs `flamepress index`: writes a page and a feed of all reports in a folder, into the folder.
 */
#include "cli/command.h"

#include <string.h>

#include "base/file.h"
#include "base/version.h"
#include "batch/report_file.h"
#include "batch/report_list.h"
#include "cli/confine.h"
#include "cli/sink.h"

enum { FILES = 2, OLD_MAX_SIZE = 64 << 20 };

static const struct {
    const char *name;
    void (*write)(const struct report_index *index, struct buf *out);
} files[FILES] = {{"index.html", report_index_page}, {"feed.xml", report_index_feed}};

static bool check_folder(const char *folder, struct diag *diag)
{
    if (file_kind(folder) != FILE_DIRECTORY)
        return diag_error(diag, "%s: no such directory", folder);
    if (report_file_exists(folder))
        return diag_error(diag, "%s is a report; name the directory that contains reports", folder);
    return true;
}

/* Returns false after reporting that a file of that name is no earlier index. */
static bool may_replace(const char *path, bool force, struct diag *diag)
{
    struct buf old = {0}, why = {0};
    bool ok = force || file_kind(path) == FILE_ABSENT ||
              (file_read(path, OLD_MAX_SIZE, &old, &why) && report_index_is_own(buf_slice(&old)));

    buf_release(&old);
    buf_release(&why);
    return ok || diag_error(diag, "%s is not an earlier index; replace it with --force", path);
}

static bool write_files(const struct command_job *job, const struct report_index *index,
                        const char *const *paths)
{
    bool ok = true;

    for (size_t i = 0; i < FILES && ok; i++) {
        struct buf text = {0};

        files[i].write(index, &text);
        ok = sink_write(job->console, paths[i], buf_slice(&text)) != SINK_FAILED;
        buf_release(&text);
    }
    return ok;
}

static void write_index(const struct command_job *job, const char *folder, struct diag *diag)
{
    const struct options *o = job->options;
    struct slice title = o->plan.look.picture.title;
    struct report_index index = {.title = title.len ? title : SLICE("Reports"),
                                 .version = SLICE(FLAMEPRESS_VERSION)};
    struct strings written = {0};
    bool ok = true;

    for (size_t i = 0; i < FILES; i++) {
        *vec_add(&written) = arena_printf(&index.memory, "%s/%s", folder, files[i].name);
        ok = may_replace(written.items[i], o->force, diag) && ok;
    }
    if (ok) {
        confine(o, &written, job->console);
        ok = report_list_read(&index, folder, &job->plan->reading.limits, diag) &&
             (index.entries.count || diag_error(diag, "%s: no reports in this directory", folder));
    }
    if (ok && (job->outcome->written = write_files(job, &index, written.items)))
        console_say(job->console, "%s: %zu report%s", written.items[0], index.entries.count,
                    index.entries.count == 1 ? "" : "s");
    vec_release(&index.entries);
    vec_release(&written);
    arena_release(&index.memory);
}

void command_index(const struct command_job *job)
{
    const struct options *o = job->options;
    struct arena memory = {0};
    struct diag diag;

    diag_init(&diag, SLICE("flamepress"));
    if (o->paths.count != 1) {
        diag_error(&diag, "name one directory that contains reports (see --help)");
        job->outcome->usage = true;
    } else {
        struct slice folder = slice_str(o->paths.items[0]);

        while (folder.len > 1 && folder.ptr[folder.len - 1] == '/')
            folder.len--;
        folder = slice_str(arena_strdup(&memory, folder));
        if (check_folder(folder.ptr, &diag))
            write_index(job, folder.ptr, &diag);
    }
    console_show(job->console, &diag);
    diag_release(&diag);
    arena_release(&memory);
}
