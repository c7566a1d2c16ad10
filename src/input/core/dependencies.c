#include "input/core/dependencies.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/build_id.h"
#include "base/file.h"
#include "input/core/binary_file.h"
#include "input/core/recording.h"

/* What is digested for one input, read of the kernel's symbols, and remembered in a run. */
enum { MOST_TEXT = 1 << 30, MOST_NOTES = 1 << 20, MOST_KNOWN = 4096 };
static const uint64_t most_digested = 4ull << 30;

/* ---- the memo -------------------------------------------------------------------------------- */

void dependencies_memo_init(struct dependencies_memo *memo)
{
    *memo = (struct dependencies_memo){0};
    pthread_mutex_init(&memo->lock, NULL);
    pthread_cond_init(&memo->found, NULL);
}

void dependencies_memo_release(struct dependencies_memo *memo)
{
    pthread_mutex_destroy(&memo->lock);
    pthread_cond_destroy(&memo->found);
    intern_release(&memo->names);
    vec_release(&memo->files);
}

/* Returns the entry of a file, NULL if there are too many entries. The lock is held. */
static struct dependency_state *known_file(struct dependencies_memo *memo,
                                           enum dependency_kind kind, const char *path)
{
    struct budget *before = budget_enter(NULL); /* the memo is not this input's */
    struct dependency_state *known = NULL;
    struct buf name = {0};
    uint32_t id;

    buf_add_char(&name, (char)('0' + kind));
    buf_add_str(&name, path);
    id = intern_find(&memo->names, buf_slice(&name));
    if (id != MAP_NONE) {
        known = &memo->files.items[id];
    } else if (memo->files.count < MOST_KNOWN) {
        intern_add(&memo->names, buf_slice(&name));
        known = vec_add(&memo->files);
        *known = (struct dependency_state){0};
    }
    buf_release(&name);
    budget_leave(before);
    return known;
}

/*
 * Returns true if the state of a file is known, after waiting for a thread that is finding it.
 * After false, the caller finds it and calls memo_end().
 */
static bool memo_begin(struct dependencies_memo *memo, enum dependency_kind kind, const char *path,
                       const struct file_identity *identity, unsigned char state[BLAKE_SIZE])
{
    struct dependency_state *known;
    bool found;

    if (!memo)
        return false;
    pthread_mutex_lock(&memo->lock);
    while ((known = known_file(memo, kind, path)) && known->wanted)
        pthread_cond_wait(&memo->found, &memo->lock);
    found = known && known->found && memcmp(&known->identity, identity, sizeof(*identity)) == 0;
    if (found)
        memcpy(state, known->state, BLAKE_SIZE);
    else if (known)
        known->wanted = true;
    pthread_mutex_unlock(&memo->lock);
    return found;
}

/* Keeps a state that was found for a file of this identity, unless `found` is false. */
static void memo_end(struct dependencies_memo *memo, enum dependency_kind kind, const char *path,
                     const struct file_identity *identity, const unsigned char state[BLAKE_SIZE],
                     bool found)
{
    struct dependency_state *known;

    if (!memo)
        return;
    pthread_mutex_lock(&memo->lock);
    known = known_file(memo, kind, path);
    if (known) {
        known->identity = *identity;
        memcpy(known->state, state, BLAKE_SIZE);
        known->found = found;
        known->wanted = false;
        pthread_cond_broadcast(&memo->found);
    }
    pthread_mutex_unlock(&memo->lock);
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *dependencies_home(void)
{
    const char *home = getenv("HOME");

    return home && home[0] == '/' ? home : "";
}

/* The directory of the input, with its last slash, or an empty slice. */
static struct slice folder_of(const struct dependencies *c)
{
    struct slice path = slice_str(c->input ? c->input : "");

    return slice_take(path, path.len - file_name_of(path).len);
}

/* Splits a path. One that is not below the root is as the input names it. */
static struct slice split(const struct dependencies *c, enum dependency_root *root,
                          const char *path)
{
    struct slice below = SLICE(""), whole = slice_str(path);

    if (*root == DEPENDENCY_IN_HOME)
        below = slice_str(dependencies_home());
    else if (*root == DEPENDENCY_BESIDE)
        below = folder_of(c);
    if (!slice_starts(whole, below) || (*root == DEPENDENCY_BESIDE && !c->input))
        *root = DEPENDENCY_AS_NAMED;
    return *root == DEPENDENCY_AS_NAMED ? whole : slice_skip(whole, below.len);
}

/* Writes the path of an item. Returns NULL if there can be no such file. */
static const char *path_of(const struct dependencies *c, const struct dependency *item,
                           struct buf *out)
{
    if (item->root == DEPENDENCY_IN_HOME && !*dependencies_home())
        return NULL;
    if (item->root == DEPENDENCY_IN_HOME)
        buf_add_str(out, dependencies_home());
    if (item->root == DEPENDENCY_BESIDE)
        buf_add_slice(out, folder_of(c));
    buf_add_slice(out, item->name);
    return buf_string(out);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void digest(struct slice bytes, unsigned char state[BLAKE_SIZE])
{
    struct blake b;

    blake_init(&b);
    blake_add_text(&b, bytes);
    blake_end(&b, state);
}

static int open_regular(const char *path)
{
    /* Opening a device may have effects. */
    return file_kind(path) == FILE_REGULAR
               ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
               : -1;
}

static int open_file(const struct input_options *o, enum dependency_kind kind, const char *path)
{
    if (kind == DEPENDENCY_FILE)
        return open_regular(path);
    return o->open_named ? o->open_named(o->open_context, path) : binary_file_open(path);
}

static bool digest_file(struct dependencies *c, enum dependency_kind kind, int fd,
                        unsigned char state[BLAKE_SIZE])
{
    enum file_state_kind how = kind == DEPENDENCY_NAMED ? FILE_STATE_BINARY : FILE_STATE_BYTES;
    uint64_t left = most_digested - c->digested;
    bool ok = file_state_find(fd, how, &left, state);

    c->digested = most_digested - left;
    return ok;
}

/* Finds the state of an open file. Returns false if it cannot be told. */
static bool find_opened(struct dependencies *c, enum dependency_kind kind, const char *path, int fd,
                        unsigned char state[BLAKE_SIZE])
{
    struct file_identity identity;
    bool ok;

    if (!file_state_identify_open(fd, &identity))
        return false;
    if (memo_begin(c->memo, kind, path, &identity, state))
        return true;
    ok = digest_file(c, kind, fd, state);
    memo_end(c->memo, kind, path, &identity, state, ok);
    return ok;
}

/* Finds the state of a file. Returns false if it cannot be told. */
static bool find_file(struct dependencies *c, const struct input_options *o,
                      enum dependency_kind kind, const char *path, unsigned char state[BLAKE_SIZE])
{
    struct file_identity identity;
    bool ok = true;
    int fd;

    if (!file_state_identify(path, &identity) || memo_begin(c->memo, kind, path, &identity, state))
        return true;
    fd = open_file(o, kind, path);
    if (fd >= 0) {
        ok = file_state_identify_open(fd, &identity) && digest_file(c, kind, fd, state);
        close(fd);
    }
    memo_end(c->memo, kind, path, &identity, state, ok);
    return ok;
}

static void find_list(const char *path, unsigned char state[BLAKE_SIZE])
{
    struct recording_files files = {0};
    struct buf names = {0};

    memset(state, 0, BLAKE_SIZE);
    if (recording_list(&files, path)) {
        vec_each (const char *const, file, &files.paths) {
            buf_add_slice(&names, file_name_of(slice_str(*file)));
            buf_add_char(&names, '/');
        }
        digest(buf_slice(&names), state);
    }
    recording_files_release(&files);
    buf_release(&names);
}

static void find_kallsyms(struct dependencies *c, unsigned char state[BLAKE_SIZE])
{
    const struct file_identity always = {0};
    struct buf bytes = {0}, why = {0};

    if (memo_begin(c->memo, DEPENDENCY_KALLSYMS, "", &always, state))
        return;
    if (!file_read("/proc/kallsyms", MOST_TEXT, &bytes, &why))
        buf_clear(&bytes);
    digest(buf_slice(&bytes), state);
    memo_end(c->memo, DEPENDENCY_KALLSYMS, "", &always, state, true);
    buf_release(&bytes);
    buf_release(&why);
}

static bool is_so(enum dependency_kind question, struct slice wanted)
{
    struct buf text = {0}, why = {0};
    struct slice found;
    bool so = false;

    if (!wanted.len)
        return false;
    if (question == DEPENDENCY_VDSO_ID) {
        build_id_write_vdso(&text);
        so = slice_equal(buf_slice(&text), wanted);
    } else if (question == DEPENDENCY_KERNEL_ID) {
        /* Among other notes. */
        if (file_read("/sys/kernel/notes", MOST_NOTES, &text, &why)) {
            found = buf_slice(&text);
            so = slice_search(found, wanted) < found.len;
        }
    } else if (file_read("/proc/sys/kernel/osrelease", MOST_NOTES, &text, &why)) {
        so = slice_equal(slice_trim(buf_slice(&text)), wanted);
    }
    buf_release(&text);
    buf_release(&why);
    return so;
}

static void answer(bool so, unsigned char state[BLAKE_SIZE])
{
    memset(state, 0, BLAKE_SIZE);
    state[0] = so;
}

/* Finds the state in which an item is now. Returns false if it cannot be told. */
static bool find_state(struct dependencies *c, const struct input_options *o,
                       const struct dependency *item, unsigned char state[BLAKE_SIZE])
{
    struct buf buffer = {0};
    const char *path = path_of(c, item, &buffer);
    bool ok = true;

    memset(state, 0, BLAKE_SIZE);
    switch (item->kind) {
    case DEPENDENCY_NAMED:
    case DEPENDENCY_FILE:
        ok = !path || find_file(c, o, item->kind, path, state);
        break;
    case DEPENDENCY_LIST:
        if (path)
            find_list(path, state);
        break;
    case DEPENDENCY_KALLSYMS:
        find_kallsyms(c, state);
        break;
    case DEPENDENCY_KERNEL_ID:
    case DEPENDENCY_KERNEL_RELEASE:
    case DEPENDENCY_VDSO_ID:
        answer(is_so(item->kind, item->name), state);
        break;
    }
    buf_release(&buffer);
    return ok;
}

bool dependencies_is_same(struct dependencies *c, const struct input_options *o,
                          const struct dependency *item)
{
    unsigned char now[BLAKE_SIZE];

    return find_state(c, o, item, now) && memcmp(now, item->state, BLAKE_SIZE) == 0;
}

/* ---- noting ---------------------------------------------------------------------------------- */

void dependencies_release(struct dependencies *c)
{
    arena_release(&c->memory);
    vec_release(&c->items);
    c->digested = 0;
    c->unknown = false;
}

static struct dependency *add(struct dependencies *c, enum dependency_kind kind,
                              enum dependency_root root, struct slice name)
{
    struct dependency *item = vec_add(&c->items);

    if (c->items.count > DEPENDENCIES_MOST)
        c->unknown = true;
    *item = (struct dependency){kind, root, arena_copy(&c->memory, name), {0}};
    return item;
}

/* Adds a file by its path relative to `root`. */
static struct dependency *add_path(struct dependencies *c, enum dependency_kind kind,
                                   enum dependency_root root, const char *path)
{
    struct slice name = split(c, &root, path);

    return add(c, kind, root, name);
}

static int open_noted(const struct input_options *o, enum dependency_kind kind,
                      enum dependency_root root, const char *path)
{
    struct dependencies *c = o->dependencies;
    bool possible = root != DEPENDENCY_IN_HOME || *dependencies_home();
    int fd = possible ? open_file(o, kind, path) : -1;
    struct dependency *item;

    if (!c)
        return fd;
    item = add_path(c, kind, root, path);
    if (fd >= 0 && !find_opened(c, kind, path, fd, item->state))
        c->unknown = true;
    return fd;
}

int dependencies_open_named(const struct input_options *o, enum dependency_root root,
                            const char *path)
{
    return open_noted(o, DEPENDENCY_NAMED, root, path);
}

int dependencies_open_file(const struct input_options *o, enum dependency_root root,
                           const char *path)
{
    return open_noted(o, DEPENDENCY_FILE, root, path);
}

void dependencies_add(const struct input_options *o, enum dependency_kind kind,
                      enum dependency_root root, const char *path)
{
    int fd = o->dependencies ? open_noted(o, kind, root, path) : -1;

    if (fd >= 0)
        close(fd);
}

void dependencies_add_list(const struct input_options *o, const char *path)
{
    struct dependencies *c = o->dependencies;

    if (c)
        find_list(path, add_path(c, DEPENDENCY_LIST, DEPENDENCY_BESIDE, path)->state);
}

void dependencies_add_kallsyms(const struct input_options *o, struct slice bytes)
{
    struct dependencies *c = o->dependencies;

    if (c)
        digest(bytes, add(c, DEPENDENCY_KALLSYMS, DEPENDENCY_AS_NAMED, SLICE(""))->state);
}

bool dependencies_ask(const struct input_options *o, enum dependency_kind question,
                      struct slice wanted)
{
    bool so = is_so(question, wanted);

    if (o->dependencies)
        answer(so, add(o->dependencies, question, DEPENDENCY_AS_NAMED, wanted)->state);
    return so;
}

void dependencies_add_unknown(const struct input_options *o)
{
    if (o->dependencies)
        o->dependencies->unknown = true;
}
