#include "input/build/symbol_server.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

struct request {
    struct timespec start;
    int peer;
    bool limited; /* by this program, not by the environment */
    bool expired, too_large;
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
    struct pollfd peer = {.fd = -1};
    struct timespec now;
    struct request *r;

    (void)all;
    if (!open_library(&library))
        return true;
    r = library.debuginfod_get_user_data(client);
    peer.fd = r->peer;
    clock_gettime(CLOCK_MONOTONIC, &now);
    r->expired |= r->limited && now.tv_sec - r->start.tv_sec > SYMBOL_SERVER_SECONDS;
    r->too_large |= done > largest_file();
    return r->expired || r->too_large || (r->peer >= 0 && poll(&peer, 1, 0) > 0);
}

static void add_reason(const struct request *r, int error, struct buf *out)
{
    if (r->expired)
        buf_printf(out, "a file takes longer than %d seconds; DEBUGINFOD_MAXTIME sets another time",
                   SYMBOL_SERVER_SECONDS);
    else if (r->too_large)
        buf_printf(out, "a file is larger than %lld bytes", (long long)largest_file());
    else if (error != ENOENT && error != EFBIG)
        buf_printf(out, "a request to DEBUGINFOD_URLS failed: %s", strerror(error));
}

int symbol_server_fetch(bool executable, struct slice build_id, int peer, struct buf *out_why)
{
    struct request r = {.peer = peer, .limited = !is_set(DEBUGINFOD_MAXTIME_ENV_VAR)};
    debuginfod_client *client;
    struct library library;
    int fd;

    if (!build_id.len || build_id.len > MOST_ID)
        return -1;
    if (!is_set(DEBUGINFOD_URLS_ENV_VAR)) {
        buf_add_str(out_why, "DEBUGINFOD_URLS names no server");
        return -1;
    }
    client = open_library(&library) ? library.debuginfod_begin() : NULL;
    if (!client) {
        buf_add_str(out_why, DEBUGINFOD_SONAME " cannot be opened; Debian has it in "
                                               "libdebuginfod1");
        return -1;
    }
    clock_gettime(CLOCK_MONOTONIC, &r.start);
    library.debuginfod_set_user_data(client, &r);
    library.debuginfod_set_progressfn(client, is_over);
    fd = (executable ? library.debuginfod_find_executable : library.debuginfod_find_debuginfo)(
        client, (const unsigned char *)build_id.ptr, (int)build_id.len, NULL);
    library.debuginfod_end(client);
    if (fd < 0)
        add_reason(&r, -fd, out_why);
    return fd < 0 ? -1 : fd;
}

/* ---- the requests of an input ---------------------------------------------------------------- */

static void count_missing(struct symbol_server *s, struct slice path, struct slice build_id)
{
    if (s->missing++ >= SHOWN)
        return;
    buf_printf(&s->names, "%s %.*s (build id ", s->missing > 1 ? "," : "", SLICE_ARG(path));
    for (size_t i = 0; i < build_id.len; i++)
        buf_printf(&s->names, "%02x", (unsigned char)build_id.ptr[i]);
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
