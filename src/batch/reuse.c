#include "batch/reuse.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/flush.h"
#include "base/file.h"
#include "base/version.h"
#include "batch/reuse_dependencies.h"
#include "batch/graph_pack.h"
#include "batch/stage_link.h"
#include "input/core/recording.h"
#include "output/pack.h"
#include "report/graph_codec.h"

/* The first line of the file, and the directory of all files that may be taken over. */
#define HEADER "flamepress-reuse/6\n"
#define GRAPHS "graphs/"

enum { BLOCK = 256 << 10, MOST_RECORDS = 1 << 30, MOST_FILE = 1 << 30, MOST_BODY = 1 << 28 };

static struct slice as_slice(const unsigned char digest[BLAKE_SIZE])
{
    return slice_make((const char *)digest, BLAKE_SIZE);
}

static void digest_of(struct slice bytes, unsigned char out[BLAKE_SIZE])
{
    struct blake b;

    blake_init(&b);
    blake_add(&b, bytes);
    blake_end(&b, out);
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void add_number(struct blake *b, uint64_t value)
{
    blake_add_text(b, slice_make((const char *)&value, sizeof(value)));
}

/* Adds the bytes of a file. Returns false if it cannot be read, or is no file. */
static bool add_bytes(struct blake *b, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    char *block;
    ssize_t got = -1;

    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        block = xmalloc(BLOCK);
        add_number(b, (uint64_t)st.st_size);
        while ((got = read(fd, block, BLOCK)) > 0)
            blake_add(b, slice_make(block, (size_t)got));
        xfree(block);
    }
    close(fd);
    return got == 0;
}

/* The files that an input is read from, and that its reader does not note (job.dependencies). */
struct own_files {
    const char *paths[3]; /* NULL for one that is not there */
    struct buf data;
};

static void own_files_list(struct own_files *files, const struct input_file *input)
{
    *files = (struct own_files){.paths = {input->path, input->commentary, input->meta}};
    if (!recording_is_directory(input->path))
        return;
    buf_printf(&files->data, "%s/data", input->path);
    files->paths[0] = buf_string(&files->data);
}

/* Digests the state of a group's files. Returns false if one is no regular file. */
static bool find_state(const struct batch *b, const struct group *group,
                       unsigned char state[BLAKE_SIZE])
{
    struct blake digest;
    bool ok = true;

    blake_init(&digest);
    vec_each (const size_t, member, &group->members) {
        struct own_files files;
        struct file_identity identity;

        own_files_list(&files, &b->inputs->items.items[*member]);
        for (size_t i = 0; i < 3; i++) {
            if (!files.paths[i])
                continue;
            ok = ok && file_kind(files.paths[i]) == FILE_REGULAR;
            memset(&identity, 0, sizeof(identity));
            file_state_identify(files.paths[i], &identity);
            blake_add(&digest, slice_make((const char *)&identity, sizeof(identity)));
        }
        buf_release(&files.data);
    }
    blake_end(&digest, state);
    return ok;
}

static int compare_texts(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

/* Returns the number of texts that come before `text`; they are sorted. */
static size_t find_first(const struct slice *texts, size_t count, struct slice text)
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;

        if (slice_compare(texts[middle], text) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static void add_names(struct blake *digest, const struct reuse *r, const struct batch *b,
                      size_t index)
{
    const struct group *group = &b->grouping.items.items[index];
    struct slice own = b->group_names.stems.items[index];

    blake_add_text(digest, group->path);
    blake_add_text(digest, group->name);
    blake_add_text(digest, group->owner);
    blake_add_text(digest, group->link);
    blake_add_text(digest, own);
    blake_add_text(digest, b->service_names.stems.items[index]);
    add_number(digest, group->members.count);
    /* Longer names may take those that events of this one would get (report/names.h). */
    for (size_t i = find_first(r->stems, r->count, own);
         i < r->count && slice_starts(r->stems[i], own); i++)
        if (r->stems[i].len > own.len)
            blake_add_text(digest, r->stems[i]);
}

void reuse_find_key(const struct reuse *r, const struct batch *b, size_t index,
                    struct reuse_key *key)
{
    const struct group *group = &b->grouping.items.items[index];
    struct blake digest;
    bool ok;

    memset(key, 0, sizeof(*key));
    ok = find_state(b, group, key->state);
    if (!ok)
        return;
    blake_init(&digest);
    blake_add(&digest, as_slice(r->setting));
    add_names(&digest, r, b, index);
    vec_each (const size_t, member, &group->members) {
        const struct input_file *input = &b->inputs->items.items[*member];
        struct own_files files;

        own_files_list(&files, input);
        blake_add_text(&digest, slice_str(input->shown));
        blake_add_text(&digest, b->names->stems.items[*member]);
        add_number(&digest, (uint64_t)input->named << 1 | input->pictures);
        for (size_t i = 0; i < 3; i++) {
            add_number(&digest, files.paths[i] != NULL);
            ok = ok && (!files.paths[i] || add_bytes(&digest, files.paths[i]));
        }
        buf_release(&files.data);
    }
    blake_end(&digest, key->digest);
    key->known = ok;
}

/* ---- records --------------------------------------------------------------------------------- */

static void write_diag(const struct diag *d, struct buf *out)
{
    for (size_t i = 0; i < sizeof(d->counts) / sizeof(d->counts[0]); i++)
        graph_codec_write_number(out, d->counts[i]);
    graph_codec_write_number(out, d->messages.count);
    vec_each (const struct diag_message, m, &d->messages) {
        graph_codec_write_number(out, m->level);
        graph_codec_write_number(out, m->place.unit);
        graph_codec_write_number(out, m->place.at);
        graph_codec_write_number(out, m->place.column);
        graph_codec_write_text(out, m->text);
        graph_codec_write_number(out, m->suppressed);
    }
}

static bool read_message(struct slice *in, struct diag *d)
{
    uint64_t level, unit, at, column, suppressed;
    struct slice text;

    if (!graph_codec_read_number(in, &level) || !graph_codec_read_number(in, &unit) ||
        !graph_codec_read_number(in, &at) || !graph_codec_read_number(in, &column) ||
        !graph_codec_read_text(in, &text) || !graph_codec_read_number(in, &suppressed) ||
        level > DIAG_ERROR || unit > DIAG_BYTE)
        return false;
    *vec_add(&d->messages) = (struct diag_message){
        .level = (enum diag_level)level,
        .kind = "",
        .place = {(enum diag_unit)unit, at, (uint32_t)column},
        .text = arena_copy(&d->memory, text),
        .suppressed = suppressed,
    };
    return true;
}

static bool read_diag(struct slice *in, struct diag *d)
{
    uint64_t count;

    for (size_t i = 0; i < sizeof(d->counts) / sizeof(d->counts[0]); i++)
        if (!graph_codec_read_number(in, &d->counts[i]))
            return false;
    if (!graph_codec_read_number(in, &count) || count > in->len)
        return false;
    for (uint64_t i = 0; i < count; i++)
        if (!read_message(in, d))
            return false;
    return true;
}

static void write_job(const struct job *job, struct buf *out)
{
    reuse_dependencies_write(&job->dependencies, out);
    graph_codec_write_number(out, (uint64_t)job->read | (uint64_t)job->drawn << 1 |
                                      (uint64_t)job->has_runs << 2);
    write_diag(&job->diag, out);
    write_diag(&job->commentary, out);
    write_diag(&job->meta, out);
    graph_codec_write_number(out, job->graphs.count);
    vec_each (const struct report_graph, g, &job->graphs)
        graph_pack_write(g, out);
}

/*
 * Reads what reuse_dependencies_read() does; without a memo, the files need not be those of this
 * machine.
 */
static bool read_dependencies(const struct batch *b, size_t index, struct dependencies_memo *memo,
                              struct slice *in)
{
    struct dependencies now = {.input = b->inputs->items.items[index].path, .memo = memo};

    return reuse_dependencies_read(memo ? &now : NULL, &b->plans[index]->reading, in);
}

static bool read_job(struct batch *b, struct pack_opener *u, struct slice *in, struct job *job)
{
    uint64_t flags, count;

    if (!graph_codec_read_number(in, &flags) || !read_diag(in, &job->diag) ||
        !read_diag(in, &job->commentary) || !read_diag(in, &job->meta) ||
        !graph_codec_read_number(in, &count) || count > in->len)
        return false;
    job->read = flags & 1;
    job->drawn = flags >> 1 & 1;
    job->has_runs = flags >> 2 & 1;
    for (uint64_t i = 0; i < count; i++) {
        struct report_graph *g = vec_add(&job->graphs);

        memset(g, 0, sizeof(*g));
        if (!graph_pack_read(u, in, batch_keeps_whole(b), g))
            return false;
    }
    return true;
}

static void clear_diag(struct diag *d, const char *path)
{
    diag_release(d);
    diag_init(d, slice_str(path));
}

/* Undoes what was read of a job. */
static void clear_job(const struct input_file *input, struct job *job)
{
    vec_each (struct report_graph, g, &job->graphs)
        report_graph_release(g);
    vec_release(&job->graphs);
    clear_diag(&job->diag, input->shown);
    clear_diag(&job->commentary, input->commentary);
    clear_diag(&job->meta, input->meta);
    job->read = job->drawn = job->has_runs = false;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Opens a file of a report and reads it. Returns -1 if the path is not one of a graph's. */
static int read_file(const char *directory, struct slice path, struct buf *bytes)
{
    struct slice name = slice_skip(path, sizeof(GRAPHS) - 1);
    struct buf full = {0}, why = {0};
    struct stat st;
    int fd;

    if (!slice_starts(path, SLICE(GRAPHS)) || !name.len || name.ptr[0] == '.' ||
        slice_find(name, '/') < name.len || slice_find(name, '\0') < name.len)
        return -1;
    buf_printf(&full, "%s/%.*s", directory, SLICE_ARG(path));
    fd = open(buf_string(&full), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
                    !file_read_fd(fd, MOST_FILE, bytes, &why))) {
        close(fd);
        fd = -1;
    }
    buf_release(&full);
    buf_release(&why);
    return fd;
}

/* Writes the files of a job with their digests. Returns false if one cannot be read. */
static bool write_files(const struct batch *b, const struct job *job, struct buf *out)
{
    struct slice paths = buf_slice(&job->files), path;
    bool ok = true;

    while (ok && slice_cut(&paths, '\0', &path)) {
        unsigned char digest[BLAKE_SIZE];
        struct buf bytes = {0};
        int fd = read_file(b->stage->directory, path, &bytes);

        ok = fd >= 0;
        if (ok)
            close(fd);
        digest_of(buf_slice(&bytes), digest);
        graph_codec_write_text(out, path);
        buf_add(out, digest, BLAKE_SIZE);
        buf_release(&bytes);
    }
    return ok;
}

/* Copies one file of the earlier report, if it is still the one that was written. */
static bool copy_file(const char *from, struct batch *b, struct slice path, struct slice wanted)
{
    unsigned char digest[BLAKE_SIZE];
    struct buf bytes = {0}, name = {0};
    int fd = read_file(from, path, &bytes);
    bool ok;

    digest_of(buf_slice(&bytes), digest);
    ok = fd >= 0 && slice_equal(as_slice(digest), wanted);
    buf_add_slice(&name, path);
    if (ok && strcmp(from, b->stage->place) == 0) {
        ok = stage_take_over(b->stage, buf_string(&name), buf_slice(&bytes), fd);
    } else {
        if (fd >= 0)
            close(fd);
        ok = ok && stage_write(b->stage, buf_string(&name), buf_slice(&bytes));
    }
    buf_release(&bytes);
    buf_release(&name);
    return ok;
}

/* Copies all files of a record; after a failure there are none. */
static bool copy_files(const char *from, struct batch *b, struct slice in)
{
    VEC(struct slice) copied = {0};
    bool ok = true;

    while (ok && in.len) {
        struct slice path;

        ok = graph_codec_read_text(&in, &path) && in.len >= BLAKE_SIZE &&
             copy_file(from, b, path, slice_take(in, BLAKE_SIZE));
        if (ok)
            *vec_add(&copied) = path;
        in = slice_skip(in, BLAKE_SIZE < in.len ? BLAKE_SIZE : in.len);
    }
    for (size_t i = 0; !ok && i < copied.count; i++)
        stage_remove(b->stage, copied.items[i]);
    vec_release(&copied);
    return ok;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Finds the records, whose bytes are those that were written. */
static void find_records(struct reuse *r)
{
    struct slice in = buf_slice(&r->earlier), record;
    unsigned char digest[BLAKE_SIZE];

    if (!slice_starts(in, SLICE(HEADER)))
        return;
    in = slice_skip(in, sizeof(HEADER) - 1);
    while (in.len && graph_codec_read_text(&in, &record) && in.len >= BLAKE_SIZE) {
        digest_of(record, digest);
        if (record.len >= BLAKE_SIZE && slice_equal(as_slice(digest), slice_take(in, BLAKE_SIZE)))
            *vec_add(&r->records) = record;
        in = slice_skip(in, BLAKE_SIZE);
    }
    if (r->records.count)
        qsort(r->records.items, r->records.count, sizeof(*r->records.items), compare_texts);
}

void reuse_open(struct reuse *r, const char *place, struct slice options)
{
    struct buf path = {0}, why = {0}, id = {0};
    struct blake digest;

    memset(r, 0, sizeof(*r));
    dependencies_memo_init(&r->memo);
    build_id_write(&id);
    blake_init(&digest);
    blake_add_text(&digest, SLICE(FLAMEPRESS_VERSION));
    blake_add_text(&digest, buf_slice(&id));
    blake_add_text(&digest, options);
    blake_end(&digest, r->setting);
    /* Without an id, two versions of the program cannot be told from each other. */
    if (place && id.len) {
        r->place = place;
        buf_printf(&path, "%s/%s", place, REUSE_NAME);
        if (file_read(buf_string(&path), MOST_RECORDS, &r->earlier, &why))
            find_records(r);
    }
    buf_release(&path);
    buf_release(&why);
    buf_release(&id);
}

void reuse_release(struct reuse *r)
{
    for (size_t i = 0; i < r->count; i++)
        spill_drop(&r->made[i].spilled);
    if (r->made) {
        spill_release(&r->spill);
        pack_opener_release(&r->opener);
    }
    free(r->made);
    free(r->lasting);
    free(r->stems);
    vec_release(&r->records);
    buf_release(&r->earlier);
    dependencies_memo_release(&r->memo);
    memset(r, 0, sizeof(*r));
}

void reuse_begin(struct reuse *r, const struct batch *b)
{
    r->count = b->grouping.items.count;
    r->made = xcalloc(r->count + 1, sizeof(*r->made));
    spill_init(&r->spill, b->stage->directory);
    pack_opener_init(&r->opener);
    r->lasting = xcalloc(r->count + 1, sizeof(*r->lasting));
    r->stems = xcalloc(r->count + 1, sizeof(*r->stems));
    if (r->count) {
        memcpy(r->stems, b->group_names.stems.items, r->count * sizeof(*r->stems));
        qsort(r->stems, r->count, sizeof(*r->stems), compare_texts);
    }
}

/* Takes over what a record says of the jobs of a group. */
static bool read_jobs(struct reuse *r, struct batch *b, const struct group *group,
                      struct dependencies_memo *memo, struct slice *in)
{
    bool ok = true;

    vec_each (const size_t, member, &group->members)
        ok = ok && read_dependencies(b, *member, memo, in) &&
             read_job(b, &r->opener, in, &b->jobs[*member]);
    return ok;
}

/* Does what reuse_restore() does. `memo` is that of read_dependencies(). */
static bool restore(struct reuse *r, struct batch *b, size_t index, struct slice record,
                    struct dependencies_memo *memo, const char *from)
{
    const struct group *group = &b->grouping.items.items[index];
    struct slice packed = slice_skip(record, BLAKE_SIZE < record.len ? BLAKE_SIZE : record.len), in;
    struct buf body = {0};
    bool ok = pack_open(&r->opener, packed, MOST_BODY, &body);

    in = buf_slice(&body);
    ok = ok && read_jobs(r, b, group, memo, &in) && copy_files(from, b, in);
    buf_release(&body);
    if (ok) {
        r->made[index].taken = record;
        return true;
    }
    vec_each (const size_t, member, &group->members)
        clear_job(&b->inputs->items.items[*member], &b->jobs[*member]);
    return false;
}

bool reuse_restore(struct reuse *r, struct batch *b, size_t index, struct slice record,
                   const char *from)
{
    return restore(r, b, index, record, NULL, from);
}

bool reuse_take(struct reuse *r, struct batch *b, size_t index, const struct reuse_key *key)
{
    const struct group *group = &b->grouping.items.items[index];
    struct slice wanted = as_slice(key->digest);

    if (!key->known)
        return false;
    for (size_t i = find_first(r->records.items, r->records.count, wanted);
         i < r->records.count && slice_starts(r->records.items[i], wanted); i++) {
        if (restore(r, b, index, r->records.items[i], &r->memo, r->place)) {
            r->lasting[index] = true;
            vec_each (const size_t, member, &group->members)
                b->jobs[*member].taken = true;
            return true;
        }
    }
    return false;
}

/* Writes the files of all jobs of a group, as write_files() does. */
static bool write_all_files(const struct batch *b, const struct group *group, struct buf *out)
{
    bool ok = true;

    stage_link_settle(b->stage);
    vec_each (const size_t, member, &group->members)
        ok = ok && write_files(b, &b->jobs[*member], out);
    return ok;
}

void reuse_keep(struct reuse *r, const struct batch *b, size_t index, const struct reuse_key *key)
{
    const struct group *group = &b->grouping.items.items[index];
    struct buf out = {0}, body = {0};
    unsigned char state[BLAKE_SIZE];
    bool ok, drawn = false;

    ok = key->known && find_state(b, group, state) &&
         slice_equal(as_slice(state), as_slice(key->state));
    buf_add(&out, key->digest, BLAKE_SIZE);
    vec_each (const size_t, member, &group->members) {
        struct job *job = &b->jobs[*member];

        ok = ok && !job->dependencies.unknown && !job->diag.counts[DIAG_ERROR] &&
             !job->commentary.counts[DIAG_ERROR] && !job->meta.counts[DIAG_ERROR];
        write_job(job, &body);
        drawn |= job->files.len > 0;
        dependencies_release(&job->dependencies);
    }
    ok = ok && drawn;
    if ((ok || r->all) && write_all_files(b, group, &body)) {
        r->lasting[index] = ok;
        pack(buf_slice(&body), PACK_FAST, &out);
        spill_put(&r->spill, buf_slice(&out), &r->made[index].spilled);
    }
    buf_release(&out);
    buf_release(&body);
}

bool reuse_read_record(const struct reuse *r, size_t group, struct buf *out)
{
    const struct reuse_made *made = &r->made[group];

    buf_add_slice(out, made->taken);
    return made->taken.len || spill_get(&r->spill, &made->spilled, out);
}

void reuse_write(struct reuse *r, struct batch *b)
{
    struct stage_file file = {.stage = b->stage, .path = REUSE_NAME};
    const struct flush flush = {stage_file_take, &file};
    struct buf out = {0}, record = {0};

    if (!r->keeps || !fonts_are_embedded(b->fonts))
        return;
    buf_add_str(&out, HEADER);
    for (size_t i = 0; i < r->count; i++) {
        unsigned char digest[BLAKE_SIZE];

        buf_clear(&record);
        if (!r->lasting[i] || !reuse_read_record(r, i, &record))
            continue;
        digest_of(buf_slice(&record), digest);
        graph_codec_write_text(&out, buf_slice(&record));
        buf_add(&out, digest, BLAKE_SIZE);
        flush_if_large(&flush, &out);
    }
    stage_file_end(&file, buf_slice(&out));
    buf_release(&record);
    buf_release(&out);
}
