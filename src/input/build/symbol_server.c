#include "input/build/symbol_server.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"

enum { MOST_ID = 64, SHOWN = 3 };

/* ---- the library ----------------------------------------------------------------------------- */

#define FUNCTIONS(CALL)                                                                            \
    CALL(debuginfod_begin)                                                                         \
    CALL(debuginfod_find_debuginfo)                                                                \
    CALL(debuginfod_find_executable)                                                               \
    CALL(debuginfod_set_progressfn)                                                                \
    CALL(debuginfod_set_user_data)                                                                 \
    CALL(debuginfod_get_user_data)                                                                 \
    CALL(debuginfod_end)

/* clang-format off */
#define MEMBER(name) __typeof__(&name) name;
#define FIND(name) found = dlsym(file, #name); all = all && found;                                 \
                   memcpy(&library->name, &found, sizeof(found));
/* clang-format on */

struct library {
    FUNCTIONS(MEMBER)
};

/*
 * Opens the library, which stays open, so that further calls only look up its functions. Returns
 * false if it is not installed, or is too old.
 */
static bool open_library(struct library *library)
{
    void *file = dlopen(DEBUGINFOD_SONAME, RTLD_NOW | RTLD_LOCAL), *found;
    bool all = file;

    if (!file)
        return false;
    FUNCTIONS(FIND)
    return all;
}

/* ---- a request ------------------------------------------------------------------------------- */

/*
 * A thread makes the request, since libdebuginfod 0.192 asks is_over() only once a server has
 * answered. A request that is given up goes on until libdebuginfod ends it.
 */
struct request {
    bool executable;
    unsigned char id[MOST_ID];
    size_t id_len;
    int done;       /* an eventfd, written to once `result` is known */
    int result;     /* a descriptor, or the negative of an error */
    bool too_large; /* the reason for it */
    atomic_bool given_up;
    atomic_int users; /* the thread, and who waits for it */
};

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);

    return value && *value;
}

/*
 * The largest file that is fetched, in bytes: an answer without an end would fill the disk.
 * libdebuginfod compares DEBUGINFOD_MAXSIZE only with the length that a server states.
 */
static int64_t largest_file(void)
{
    const int64_t most = INT64_C(4) << 30;
    const char *asked = getenv("DEBUGINFOD_MAXSIZE");
    uint64_t size;

    if (!asked || !num_parse_u64(slice_str(asked), &size) || !size || size > (uint64_t)most)
        return most;
    return (int64_t)size;
}

/* Returns true to end the request. libdebuginfod passes nothing but the client. */
static int is_over(debuginfod_client *client, long done, long all)
{
    struct library library;
    struct request *r;

    (void)all;
    if (!open_library(&library))
        return true;
    r = library.debuginfod_get_user_data(client);
    r->too_large |= done > largest_file();
    return r->too_large || atomic_load(&r->given_up);
}

static void release(struct request *r)
{
    if (atomic_fetch_sub(&r->users, 1) > 1)
        return;
    close(r->done);
    if (r->result >= 0 && atomic_load(&r->given_up))
        close(r->result);
    free(r);
}

static void *ask(void *context)
{
    struct request *r = context;
    struct library library;
    debuginfod_client *client = open_library(&library) ? library.debuginfod_begin() : NULL;

    r->result = -ENOMEM;
    if (client) {
        library.debuginfod_set_user_data(client, r);
        library.debuginfod_set_progressfn(client, is_over);
        r->result = (r->executable
                         ? library.debuginfod_find_executable
                         : library.debuginfod_find_debuginfo)(client, r->id, (int)r->id_len, NULL);
        library.debuginfod_end(client);
    }
    eventfd_write(r->done, 1);
    release(r);
    return NULL;
}

/* Starts the thread. Returns NULL after saying why it cannot be. */
static struct request *start(bool executable, struct slice build_id, struct buf *out_why)
{
    struct request *r = xcalloc(1, sizeof(*r));
    pthread_t thread;
    int error;

    r->executable = executable;
    r->id_len = build_id.len;
    memcpy(r->id, build_id.ptr, build_id.len);
    r->done = eventfd(0, EFD_CLOEXEC);
    error = r->done < 0 ? errno : 0;
    atomic_init(&r->users, 2);
    if (!error && (error = pthread_create(&thread, NULL, ask, r)) == 0) {
        pthread_detach(thread);
        return r;
    }
    buf_printf(out_why, "a request to DEBUGINFOD_URLS failed: %s", strerror(error));
    if (r->done >= 0)
        close(r->done);
    free(r);
    return NULL;
}

/* Waits for the result. Gives up if the peer is closed, or after the time that a file may take. */
static void wait_for_result(struct request *r, int peer, struct buf *out_why)
{
    bool limited = !is_set(DEBUGINFOD_MAXTIME_ENV_VAR);
    struct pollfd fds[] = {{r->done, POLLIN, 0}, {peer, POLLIN, 0}};
    int count;

    do
        count = poll(fds, 2, limited ? SYMBOL_SERVER_SECONDS * 1000 : -1);
    while (count < 0 && errno == EINTR);
    if (fds[0].revents)
        return;
    atomic_store(&r->given_up, true);
    if (!count)
        buf_printf(out_why,
                   "a file takes longer than %d seconds; DEBUGINFOD_MAXTIME sets another time",
                   SYMBOL_SERVER_SECONDS);
}

static void add_reason(const struct request *r, struct buf *out)
{
    int error = -r->result;

    if (r->too_large)
        buf_printf(out, "a file is larger than %lld bytes", (long long)largest_file());
    else if (error != ENOENT && error != EFBIG)
        buf_printf(out, "a request to DEBUGINFOD_URLS failed: %s", strerror(error));
}

int symbol_server_fetch(bool executable, struct slice build_id, int peer, struct buf *out_why)
{
    struct library library;
    struct request *r;
    int fd = -1;

    if (!build_id.len || build_id.len > MOST_ID)
        return -1;
    if (!is_set(DEBUGINFOD_URLS_ENV_VAR)) {
        buf_add_str(out_why, "DEBUGINFOD_URLS names no server");
        return -1;
    }
    if (!open_library(&library)) {
        buf_add_str(out_why, DEBUGINFOD_SONAME " cannot be opened; Debian has it in "
                                               "libdebuginfod1");
        return -1;
    }
    r = start(executable, build_id, out_why);
    if (!r)
        return -1;
    wait_for_result(r, peer, out_why);
    if (!atomic_load(&r->given_up)) {
        fd = r->result;
        if (fd < 0)
            add_reason(r, out_why);
    }
    release(r);
    return fd < 0 ? -1 : fd;
}

/* ---- the requests of an input ---------------------------------------------------------------- */

static void count_missing(struct symbol_server *s, struct slice path, struct slice build_id)
{
    if (s->missing++ >= SHOWN)
        return;
    buf_printf(&s->names, "%s %.*s (build id ", s->missing > 1 ? "," : "", SLICE_ARG(path));
    buf_add_hex(&s->names, build_id);
    buf_add_char(&s->names, ')');
}

int symbol_server_open(struct symbol_server *s, const struct input_options *options,
                       struct slice path, bool executable, struct slice build_id, struct diag *diag)
{
    struct buf why = {0};
    int fd;

    if (!options->debuginfod || s->stopped || !build_id.len)
        return -1;
    fd = options->fetch ? options->fetch(options->open_context, executable, build_id, &why)
                        : symbol_server_fetch(executable, build_id, -1, &why);
    if (fd < 0 && !why.len && !executable)
        count_missing(s, path, build_id);
    s->stopped = why.len;
    if (why.len)
        diag_warn(diag, "--debuginfod stops asking for files: %s", buf_string(&why));
    buf_release(&why);
    return fd;
}

void symbol_server_end(struct symbol_server *s, struct diag *diag)
{
    struct buf more = {0};

    if (s->missing > SHOWN)
        buf_printf(&more, " and %u more", s->missing - SHOWN);
    if (s->missing)
        diag_warn(diag, "--debuginfod: no server has the debug information of %u %s:%s%s",
                  s->missing, s->missing == 1 ? "binary" : "binaries", buf_string(&s->names),
                  buf_string(&more));
    buf_release(&more);
    buf_release(&s->names);
}
