#include "batch/history.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "input/core/source.h"
#include "input/parse/json.h"
#include "input/walk.h"
#include "output/runs.h"
#include "report/names.h"

#define INDEX "index.json"
#define INDEX_SCHEMA "flamepress-history/1"
#define META "meta.json"
#define TABLES "functions.zst"
#define STACKS ".runs.zst"
#define META_SCHEMA "flamepress-label/1"

enum { FILES_MAX_SIZE = 64 << 20 };

static int compare_labels(const void *a, const void *b)
{
    const struct history_label *x = a, *y = b;
    int order = slice_compare(x->date, y->date);

    return order ? order : slice_compare_numbered(x->name, y->name);
}

static void sort_labels(struct history *h)
{
    if (h->labels.count)
        qsort(h->labels.items, h->labels.count, sizeof(*h->labels.items), compare_labels);
}

/*
 * Reads a file of a history as JSON. Returns false after appending why it cannot be read to `why`;
 * a file that ends early is damaged, too. Release the document in either case.
 */
static bool read_document(const char *path, struct json_document *document, struct buf *why)
{
    struct buf text = {0};
    struct diag damage;
    bool ok;

    *document = (struct json_document){0};
    diag_init(&damage, SLICE(""));
    ok = file_read(path, FILES_MAX_SIZE, &text, why);
    if (ok) {
        ok = json_load_text(buf_slice(&text), &damage, document) && !damage.messages.count;
        if (!ok)
            buf_add_str(why, "the JSON is damaged or not complete");
    }
    diag_release(&damage);
    buf_release(&text);
    return ok;
}

/* Says whether a file was written by this program, and by a version that is known. */
static bool check_schema(const char *path, const struct json_document *document, struct slice known,
                         struct diag *diag)
{
    struct slice schema = json_text(json_get(document->values.items, "schema"));
    size_t number = slice_find_last(known, '/') + 1;

    if (slice_equal(schema, known))
        return true;
    if (!slice_starts(schema, slice_take(known, number)))
        return diag_error(diag, "%s: expected the schema '%.*s'", path, SLICE_ARG(known));
    return diag_error(diag,
                      "%s: version '%.*s' of the schema is not known; a newer flamepress wrote it",
                      path, SLICE_ARG(slice_skip(schema, number)));
}

static bool read_meta(struct history *h, const char *path, struct history_label *label,
                      struct diag *diag)
{
    struct json_document document;
    struct buf why = {0};
    bool ok;

    ok = read_document(path, &document, &why) || diag_error(diag, "%s: %s", path, why.ptr);
    ok = ok && check_schema(path, &document, SLICE(META_SCHEMA), diag);
    if (ok) {
        const struct json_value *top = document.values.items;

        label->date = arena_copy(&h->memory, json_text(json_get(top, "date")));
        label->commit = arena_copy(&h->memory, json_text(json_get(top, "commit")));
        label->note = arena_copy(&h->memory, json_text(json_get(top, "note")));
    }
    json_release(&document);
    buf_release(&why);
    return ok;
}

/* Refuses the index of another version. A damaged one is none: archive writes it again. */
static bool check_index(struct history *h, const char *directory, struct diag *diag)
{
    const char *path = arena_printf(&h->memory, "%s/" INDEX, directory);
    struct json_document document;
    struct buf why = {0};
    bool ok;

    ok = !read_document(path, &document, &why) ||
         check_schema(path, &document, SLICE(INDEX_SCHEMA), diag);
    json_release(&document);
    buf_release(&why);
    return ok;
}

/* Adds the label that a path below the history is part of; paths are in order. */
static struct history_label *add_part(struct history *h, const char *directory, struct slice name)
{
    struct history_label *last = h->labels.count ? &h->labels.items[h->labels.count - 1] : NULL;

    if (last && slice_equal(last->name, name))
        return last;
    last = vec_add(&h->labels);
    *last = (struct history_label){
        .name = arena_copy(&h->memory, name),
        .path = arena_printf(&h->memory, "%s/%.*s", directory, SLICE_ARG(name)),
    };
    return last;
}

/* Which files the directory of a label has. */
struct label_files {
    bool meta, tables;
    bool damaged; /* the meta.json is */
};

/*
 * Leaves out directories without a meta.json, which are no labels, and those whose meta.json is
 * damaged. `replaced` is written again, so nothing of it is missed.
 */
static void keep_labels(struct history *h, const struct label_files *files, struct slice replaced)
{
    size_t kept = 0;

    for (size_t i = 0; i < h->labels.count; i++) {
        const struct history_label *label = &h->labels.items[i];

        if (files[i].damaged)
            *vec_add(&h->damaged) = label->name;
        else if (files[i].meta)
            h->labels.items[kept++] = *label;
        else if (files[i].tables && !slice_equal(label->name, replaced))
            *vec_add(&h->unlisted) = slice_str(label->path);
    }
    h->labels.count = kept;
}

/* Reads a history. A damaged label fails, unless `sound` says that the others are wanted. */
static bool read_labels(struct history *h, const char *directory, struct slice replaced, bool sound,
                        struct diag *diag)
{
    struct paths paths = {0};
    struct label_files *files;
    bool ok;

    *h = (struct history){0};
    if (file_kind(directory) == FILE_ABSENT)
        return true;
    ok = check_index(h, directory, diag) && walk_directory(directory, NULL, &paths, diag);
    files = xcalloc(paths.items.count + 1, sizeof(*files));
    for (size_t i = 0; ok && i < paths.items.count; i++) {
        struct slice path = paths.items.items[i], name = slice_take(path, slice_find(path, '/'));
        struct slice file = slice_skip(path, name.len);
        struct history_label *label;

        if (!file.len)
            continue;
        label = add_part(h, directory, name);
        label->has_stacks |= slice_ends(file, SLICE(STACKS));
        files[h->labels.count - 1].tables |= slice_equal(file, SLICE("/" TABLES));
        if (!slice_equal(file, SLICE("/" META)))
            continue;
        files[h->labels.count - 1].meta = true;
        files[h->labels.count - 1].damaged =
            !slice_equal(name, replaced) &&
            !read_meta(h, arena_printf(&h->memory, "%s/" META, label->path), label, diag);
        ok = sound || !files[h->labels.count - 1].damaged;
    }
    keep_labels(h, files, replaced);
    free(files);
    walk_paths_release(&paths);
    sort_labels(h);
    return ok;
}

bool history_read(struct history *h, const char *directory, struct slice replaced,
                  struct diag *diag)
{
    return read_labels(h, directory, replaced, false, diag);
}

bool history_read_sound(struct history *h, const char *directory, struct diag *diag)
{
    return read_labels(h, directory, SLICE(""), true, diag);
}

bool history_list_stacks(const struct history_label *label, struct arena *memory,
                         struct history_files *paths, struct diag *diag)
{
    struct paths files = {0};
    bool ok = walk_directory(label->path, NULL, &files, diag);

    vec_each (const struct slice, file, &files.items)
        if (ok && slice_ends(*file, SLICE(STACKS)) && slice_find(*file, '/') == file->len)
            *vec_add(paths) = arena_printf(memory, "%s/%.*s", label->path, SLICE_ARG(*file));
    walk_paths_release(&files);
    return ok;
}

void history_release(struct history *h)
{
    vec_release(&h->labels);
    vec_release(&h->damaged);
    vec_release(&h->unlisted);
    arena_release(&h->memory);
}

void history_warn(const struct history *h, struct diag *diag)
{
    vec_each (const struct slice, path, &h->unlisted)
        diag_warn(diag,
                  "%.*s: the label is left out, because its " META
                  " is missing; restore the file, or archive the label again",
                  SLICE_ARG(*path));
}

const struct history_label *history_find(const struct history *h, struct slice name)
{
    vec_each (const struct history_label, label, &h->labels)
        if (slice_equal(label->name, name))
            return label;
    return NULL;
}

/*
 * Labels make a history, too: its index may have been removed to end a conflict of git. Only names
 * of files are looked at, because this is asked before the run enters its sandbox.
 */
static bool is_history(const char *directory, struct arena *memory)
{
    bool found = file_kind(arena_printf(memory, "%s/" INDEX, directory)) == FILE_REGULAR;
    bool meta = false, content = false; /* of `label` */
    struct slice label = SLICE("");
    struct paths paths = {0};
    struct diag ignored;

    if (found || file_kind(directory) != FILE_DIRECTORY)
        return found;
    diag_init(&ignored, SLICE(""));
    walk_directory(directory, NULL, &paths, &ignored);
    vec_each (const struct slice, path, &paths.items) { /* in order */
        struct slice name = slice_take(*path, slice_find(*path, '/'));
        struct slice file = slice_skip(*path, name.len);

        if (!slice_equal(name, label))
            meta = content = false;
        label = name;
        meta |= slice_equal(file, SLICE("/" META));
        content |= slice_equal(file, SLICE("/" TABLES)) || slice_ends(file, SLICE(STACKS));
        found |= meta && content;
    }
    walk_paths_release(&paths);
    diag_release(&ignored);
    return found;
}

bool history_split(const char *text, struct arena *memory, const char **directory,
                   struct slice *label)
{
    struct slice all = slice_str(text);
    size_t colon = slice_find_last(all, ':');

    *directory = arena_strdup(memory, all);
    *label = SLICE("");
    if (file_kind(text) == FILE_ABSENT && colon < all.len) {
        *directory = arena_strdup(memory, slice_take(all, colon));
        *label = slice_skip(all, colon + 1);
    }
    if (slice_equal(*label, SLICE("last")))
        *label = SLICE("");
    return is_history(*directory, memory);
}

void history_set(struct history *h, const struct history_label *label)
{
    struct history_label copy = {
        .name = arena_copy(&h->memory, label->name),
        .date = arena_copy(&h->memory, label->date),
        .commit = arena_copy(&h->memory, label->commit),
        .note = arena_copy(&h->memory, label->note),
        .path = arena_strdup(&h->memory, slice_str(label->path)),
        .has_stacks = true,
    };
    size_t at = 0;

    while (at < h->labels.count && !slice_equal(h->labels.items[at].name, label->name))
        at++;
    if (at == h->labels.count)
        *vec_add(&h->labels) = copy;
    else
        h->labels.items[at] = copy;
    sort_labels(h);
}

static void put_label(struct json_writer *w, const struct history_label *label)
{
    json_writer_text(w, "label", label->name);
    json_writer_optional(w, "date", label->date);
    json_writer_optional(w, "commit", label->commit);
    json_writer_optional(w, "note", label->note);
}

void history_write_index(const struct history *h, struct buf *out)
{
    struct json_writer w;

    json_writer_init(&w, out);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_text(&w, "schema", SLICE(INDEX_SCHEMA));
    json_writer_list(&w, "labels", JSON_LINES);
    vec_each (const struct history_label, label, &h->labels) {
        json_writer_object(&w, NULL, JSON_INLINE);
        put_label(&w, label);
        json_writer_close(&w);
    }
    json_writer_close(&w);
    json_writer_close(&w);
    buf_add_char(out, '\n');
}

bool history_name_is_valid(struct slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = ascii_lower(name.ptr[i]);

        if (!ascii_is_digit(c) && !ascii_is_small(c) && c != '-' && c != '_' && !(c == '.' && i))
            return false;
    }
    return name.len && name.len <= NAMES_MAX_LENGTH;
}

/* ---- tables of functions ------------------------------------------------------ */

/* Appends the content of a file. Returns false after appending why it cannot be read to `why`. */
static bool read_content(const char *path, uint64_t max_size, struct buf *out, struct buf *why)
{
    struct source source;
    struct diag damage;
    bool ok;

    diag_init(&damage, SLICE(""));
    ok = source_open(&source, path, max_size, &damage);
    for (size_t n = 1; ok && n > 0;) {
        n = source_read(&source, buf_reserve(out, SOURCE_BLOCK), SOURCE_BLOCK);
        out->len += n;
        ok = !source.failed;
    }
    if (!ok && damage.messages.count)
        buf_add_slice(why, damage.messages.items[damage.messages.count - 1].text);
    source_release(&source);
    diag_release(&damage);
    return ok;
}

bool history_read_tables(const struct history_label *label, uint64_t max_size,
                         struct function_tables *tables, struct diag *diag)
{
    struct arena memory = {0};
    const char *path = arena_printf(&memory, "%s/" TABLES, label->path);
    struct buf text = {0}, why = {0};
    bool ok = false;

    *tables = (struct function_tables){0};
    if (file_kind(path) != FILE_ABSENT)
        ok = (read_content(path, max_size, &text, &why) &&
              compare_tables_read(tables, &text, &why)) ||
             diag_error(diag, "%s: %s%s", path, buf_string(&why),
                        label->has_stacks
                            ? "; remove the file, and the table is made of the stacks again"
                            : "");
    buf_release(&text);
    buf_release(&why);
    arena_release(&memory);
    return ok;
}

static bool stage_tables(struct stage *stage, const struct services *services)
{
    struct function_tables tables = {0};
    struct buf text = {0}, packed = {0};
    bool ok;

    vec_each (const struct service, s, services)
        compare_tables_add(&tables, s);
    compare_tables_write(&tables, &text);
    runs_compress(buf_slice(&text), &packed);
    ok = stage_write(stage, TABLES, buf_slice(&packed));
    buf_release(&packed);
    buf_release(&text);
    compare_tables_release(&tables);
    return ok;
}

/* ---- the files of a label -------------------------------------------------- */

static void put_run(struct json_writer *w, const struct run *run)
{
    json_writer_object(w, NULL, JSON_LINES);
    json_writer_text(w, "name", run->name);
    json_writer_u64(w, "samples", run->samples);
    json_writer_u64(w, "duration_ns", run->duration_ns);
    json_writer_u64(w, "lost", run->lost);
    json_writer_list(w, "facts", JSON_LINES);
    vec_each (const struct fact, f, &run->facts) {
        json_writer_object(w, NULL, JSON_INLINE);
        json_writer_text(w, "key", f->key);
        json_writer_text(w, "value", f->value);
        json_writer_close(w);
    }
    json_writer_close(w);
    json_writer_close(w);
}

static void put_service(struct json_writer *w, const struct service *s, struct slice file)
{
    json_writer_object(w, NULL, JSON_LINES);
    json_writer_text(w, "name", s->name);
    json_writer_optional(w, "event", s->event);
    json_writer_text(w, "unit", unit_word(&s->unit));
    json_writer_bool(w, "exact", s->exact);
    json_writer_optional(w, "owner", s->owner);
    json_writer_text(w, "file", file);
    json_writer_list(w, "runs", JSON_LINES);
    vec_each (const struct run, run, &s->runs)
        put_run(w, run);
    json_writer_close(w);
    json_writer_close(w);
}

static bool stage_service(struct stage *stage, const struct service *s, const char *path)
{
    struct buf text = {0}, packed = {0};
    bool ok;

    runs_write(s, &text);
    runs_compress(buf_slice(&text), &packed);
    ok = stage_write(stage, path, buf_slice(&packed));
    buf_release(&packed);
    buf_release(&text);
    return ok;
}

/* Names the files of the services, "orders.cpu-clock". */
static void name_files(struct names *names, const struct services *services, struct arena *memory)
{
    struct slice *paths = xreallocarray(NULL, services->count + 1, sizeof(*paths));

    for (size_t i = 0; i < services->count; i++) {
        const struct service *s = &services->items[i];

        paths[i] = slice_str(arena_printf(memory, "%.*s%s%.*s", SLICE_ARG(s->name),
                                          s->event.len ? "." : "", SLICE_ARG(s->event)));
    }
    names_init(names, paths, services->count);
    free(paths);
}

bool history_stage(struct stage *stage, const struct history_label *label,
                   const struct services *services)
{
    struct json_writer w;
    struct arena memory = {0};
    struct names names;
    struct buf meta = {0};
    bool ok = true;

    name_files(&names, services, &memory);
    json_writer_init(&w, &meta);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_text(&w, "schema", SLICE(META_SCHEMA));
    put_label(&w, label);
    json_writer_list(&w, "services", JSON_LINES);
    for (size_t i = 0; ok && i < services->count; i++) {
        const char *path = arena_printf(&memory, "%.*s" STACKS, SLICE_ARG(names.stems.items[i]));

        ok = stage_service(stage, &services->items[i], path);
        put_service(&w, &services->items[i], slice_str(path));
    }
    json_writer_close(&w);
    json_writer_close(&w);
    buf_add_char(&meta, '\n');
    ok = ok && stage_tables(stage, services) && stage_write(stage, META, buf_slice(&meta));
    names_release(&names);
    buf_release(&meta);
    arena_release(&memory);
    return ok;
}
