#include "cli/broker.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "batch/stage_link.h"
#include "input/core/binary_file.h"
#include "input/build/symbol_server.h"

enum operation {
    OPEN_DRAFT,
    KEEP_DRAFT,
    DROP_DRAFT,
    PUBLISH,
    RENEW,
    OPEN_NAMED,
    REMOVE,
    LINK,
    FETCH
};

/* Of the text at the end of a request or a reply, only the used bytes are sent. */
struct request {
    enum operation operation;
    bool executable;     /* of FETCH: the binary, not its debug information */
    size_t path;         /* of OPEN_DRAFT and REMOVE: its number */
    size_t length;       /* bytes of `name` */
    char name[PATH_MAX]; /* of OPEN_NAMED: the path; of LINK: paths; of FETCH: the build id */
};

struct reply {
    bool ok;
    size_t length; /* bytes of `why` */
    char why[512];
};

/* A control message with one descriptor. */
union passed {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof(int))];
};

/* ---- both sides ---- */

/* Sends one message, with a descriptor unless `fd` is -1. */
static bool send_message(int to, const void *bytes, size_t size, int fd)
{
    struct iovec part = {(void *)(uintptr_t)bytes, size};
    union passed passed = {.space = {0}};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t n;

    if (fd >= 0) {
        message.msg_control = &passed;
        message.msg_controllen = sizeof(passed.space);
        passed.header = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(&passed.header), &fd, sizeof(fd));
    }
    do
        n = sendmsg(to, &message, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

/*
 * Receives one message of at most that size. `*fd` becomes the descriptor that came with it, or -1.
 * Returns the size of the message, or 0 if there is none.
 */
static size_t receive_message(int from, void *bytes, size_t size, int *fd)
{
    struct iovec part = {bytes, size};
    union passed passed = {.space = {0}};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &passed,
                             .msg_controllen = sizeof(passed.space)};
    struct cmsghdr *header;
    ssize_t n;

    *fd = -1;
    do
        n = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    header = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(fd, CMSG_DATA(header), sizeof(*fd));
    return n > 0 ? (size_t)n : 0;
}

static bool receive_request(int from, struct request *r, int *fd)
{
    size_t size = receive_message(from, r, sizeof(*r), fd), fixed = offsetof(struct request, name);

    return size >= fixed && size - fixed == r->length && r->length <= sizeof(r->name);
}

static bool receive_reply(int from, struct reply *r, int *fd)
{
    size_t size = receive_message(from, r, sizeof(*r), fd), fixed = offsetof(struct reply, why);

    return size >= fixed && size - fixed == r->length && r->length <= sizeof(r->why);
}

/* ---- the broker ---- */

struct server {
    const struct broker *of;
    int socket;
    struct file_draft draft;
    bool drafting;
};

static bool close_draft(struct server *s, bool keep, struct buf *why)
{
    bool ok = s->drafting && file_draft_end(&s->draft, keep, why);

    s->drafting = false;
    return ok;
}

/* Opens a file for reading. Returns a descriptor, or -1. */
static int serve_named(const struct server *s, const struct request *r)
{
    struct buf path = {0};
    int fd = -1;

    buf_add(&path, r->name, r->length);
    if (s->of->opens && !memchr(r->name, '\0', r->length))
        fd = binary_file_open(buf_string(&path));
    buf_release(&path);
    return fd;
}

static int serve_fetch(const struct server *s, const struct request *r, struct buf *why)
{
    if (!s->of->fetches)
        return -1;
    return symbol_server_fetch(r->executable, slice_make(r->name, r->length), s->socket, why);
}

/* Links files of the earlier report into the stage. Returns whether all could be linked. */
static bool serve_link(const struct server *s, const struct request *r)
{
    struct stage *stage = s->of->stage;
    struct slice rest = slice_make(r->name, r->length), path;
    bool ok = stage && stage->open;

    while (stage && stage->open && slice_cut(&rest, '\0', &path))
        ok = stage_link(stage, path) && ok;
    return ok;
}

static bool remove_file(const char *path, struct buf *why)
{
    if (unlink(path) == 0)
        return true;
    buf_printf(why, "cannot remove: %s", strerror(errno));
    return false;
}

/*
 * Carries out a request. `*fd` becomes the descriptor of the reply, if it has one. Requests come
 * from a program that may have been taken over.
 */
static bool serve(struct server *s, const struct request *r, int *fd, struct buf *why)
{
    struct stage *stage = s->of->stage;

    switch (r->operation) {
    case OPEN_DRAFT:
        if (s->drafting || r->path >= s->of->paths.count)
            return false;
        s->drafting = file_draft_begin(&s->draft, s->of->paths.items[r->path], why);
        *fd = s->drafting ? s->draft.fd : -1;
        return s->drafting;
    case KEEP_DRAFT:
        return close_draft(s, true, why);
    case DROP_DRAFT:
        return close_draft(s, false, why);
    case PUBLISH:
        if (!stage || stage_publish(stage))
            return stage != NULL;
        buf_add_slice(why, buf_slice(&stage->failure));
        return false;
    case RENEW:
        if (stage)
            stage_renew(stage);
        return stage != NULL;
    case OPEN_NAMED:
        *fd = serve_named(s, r);
        return *fd >= 0;
    case LINK:
        return serve_link(s, r);
    case FETCH:
        *fd = serve_fetch(s, r, why);
        return *fd >= 0;
    case REMOVE:
        return r->path < s->of->removable.count &&
               remove_file(s->of->removable.items[r->path], why);
    }
    return false;
}

/*
 * Ends this process after a second, at whatever it is then: removing what is unfinished may take
 * long. The next run removes the rest.
 */
static void limit_time(void)
{
    sigset_t alarms;

    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(1);
}

/* Serves requests until the other side closes the connection. Does not return. */
static void run_broker(const struct broker *b, int socket)
{
    struct server server = {.of = b, .socket = socket};
    struct request request;
    struct buf why = {0};
    int passed;

    while (receive_request(socket, &request, &passed)) {
        struct reply reply = {.ok = false};
        int fd = -1;

        if (passed >= 0)
            close(passed);
        buf_clear(&why);
        reply.ok = serve(&server, &request, &fd, &why);
        reply.length = why.len < sizeof(reply.why) ? why.len : sizeof(reply.why);
        memcpy(reply.why, buf_string(&why), reply.length);
        send_message(socket, &reply, offsetof(struct reply, why) + reply.length, fd);
        if (fd >= 0 && request.operation != OPEN_DRAFT)
            close(fd);
    }
    limit_time();
    close_draft(&server, false, &why);
    if (b->stage)
        stage_abandon(b->stage);
    _exit(0);
}

/* ---- the program ---- */

void broker_init(struct broker *b)
{
    *b = (struct broker){.socket = -1};
    pthread_mutex_init(&b->lock, NULL);
}

void broker_release(struct broker *b)
{
    broker_end(b);
    pthread_mutex_destroy(&b->lock);
    vec_release(&b->paths);
    vec_release(&b->removable);
    arena_release(&b->memory);
}

void broker_add_path(struct broker *b, const char *path)
{
    *vec_add(&b->paths) = arena_strdup(&b->memory, slice_str(path));
}

void broker_add_removable(struct broker *b, const char *path)
{
    *vec_add(&b->removable) = arena_strdup(&b->memory, slice_str(path));
}

void broker_let_open(struct broker *b)
{
    b->opens = true;
}

void broker_let_fetch(struct broker *b)
{
    b->fetches = true;
}

bool broker_runs(const struct broker *b)
{
    return b->process > 0;
}

/* Returns false for a name that is longer than any path. */
static bool set_name(struct request *r, struct slice name)
{
    if (name.len > sizeof(r->name))
        return false;
    memcpy(r->name, name.ptr, name.len);
    r->length = name.len;
    return true;
}

/* Returns true with the descriptor of the reply, or -1; false with the reason. */
static bool request(struct broker *b, const struct request *r, int *fd, struct buf *why)
{
    struct reply reply;
    bool answered;

    pthread_mutex_lock(&b->lock);
    answered = send_message(b->socket, r, offsetof(struct request, name) + r->length, -1) &&
               receive_reply(b->socket, &reply, fd);
    pthread_mutex_unlock(&b->lock);
    if (!answered) {
        buf_add_str(why, "the process that writes files has ended");
        return false;
    }
    if (!reply.ok)
        buf_add(why, reply.why, reply.length);
    return reply.ok;
}

int broker_open_draft(struct broker *b, const char *path, struct buf *why)
{
    size_t number = 0;
    int fd;

    while (number < b->paths.count && strcmp(b->paths.items[number], path) != 0)
        number++;
    BUG_ON(number == b->paths.count);
    return request(b, &(struct request){.operation = OPEN_DRAFT, .path = number}, &fd, why) ? fd
                                                                                            : -1;
}

bool broker_close_draft(struct broker *b, bool keep, struct buf *why)
{
    int none;

    return request(b, &(struct request){.operation = keep ? KEEP_DRAFT : DROP_DRAFT}, &none, why);
}

bool broker_remove(struct broker *b, const char *path, struct buf *why)
{
    size_t number = 0;
    int none;

    while (number < b->removable.count && strcmp(b->removable.items[number], path) != 0)
        number++;
    BUG_ON(number == b->removable.count);
    if (!broker_runs(b))
        return remove_file(path, why);
    return request(b, &(struct request){.operation = REMOVE, .path = number}, &none, why);
}

static bool publish(void *broker, struct buf *why)
{
    int none;

    return request(broker, &(struct request){.operation = PUBLISH}, &none, why);
}

static void renew(void *broker)
{
    struct buf why = {0};
    int none;

    request(broker, &(struct request){.operation = RENEW}, &none, &why);
    buf_release(&why);
}

static bool link_files(void *broker, struct slice paths)
{
    struct request r = {.operation = LINK};
    struct buf why = {0};
    bool ok;
    int none;

    ok = set_name(&r, paths) && request(broker, &r, &none, &why);
    buf_release(&why);
    return ok;
}

int broker_open_named(void *broker, const char *path)
{
    struct request r = {.operation = OPEN_NAMED};
    struct broker *b = broker;
    struct buf why = {0};
    int fd;

    if (!b->opens || !broker_runs(b))
        return binary_file_open(path);
    if (!set_name(&r, slice_str(path)) || !request(b, &r, &fd, &why))
        fd = -1;
    buf_release(&why);
    return fd;
}

int broker_fetch(void *broker, bool executable, struct slice build_id, struct buf *out_why)
{
    struct request r = {.operation = FETCH, .executable = executable};
    struct broker *b = broker;
    int fd;

    if (!b->fetches || !broker_runs(b))
        return symbol_server_fetch(executable, build_id, -1, out_why);
    if (!set_name(&r, build_id))
        return -1;
    atomic_store(&b->fetching, true);
    if (!request(b, &r, &fd, out_why))
        fd = -1;
    atomic_store(&b->fetching, false);
    return fd;
}

/*
 * As fork(). The program has no second thread yet, so nothing in the C library has to be prepared
 * for the new process, which would copy its pages.
 */
static pid_t start_process(void)
{
#if __GLIBC_PREREQ(2, 34)
    return _Fork();
#else
    return fork();
#endif
}

bool broker_start(struct broker *b, struct stage *stage)
{
    sigset_t all, before;
    int ends[2];
    pid_t process;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    b->stage = stage;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    process = start_process();
    if (process == 0) {
        close(ends[0]);
        run_broker(b, ends[1]);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        return false;
    }
    b->process = process;
    b->socket = ends[0];
    if (stage) {
        stage->publish = publish;
        stage->renew = renew;
        stage->link = link_files;
        stage->publisher = b;
    }
    return true;
}

void broker_end(struct broker *b)
{
    /* An interrupt does not wait for a server. */
    if (atomic_load(&b->fetching))
        shutdown(b->socket, SHUT_RDWR);
    pthread_mutex_lock(&b->lock);
    if (b->process > 0) {
        close(b->socket);
        while (waitpid(b->process, NULL, 0) < 0 && errno == EINTR)
            ;
        b->process = 0;
    }
    pthread_mutex_unlock(&b->lock);
}
