/*
 * A reader that tries what the sandbox forbids, preloaded into the real program:
 *
 *     LD_PRELOAD=intruder.so flamepress graph FILE
 *
 * When the program has read a file that begins with "intruder", in the thread that
 * reads it, every attempt below is made once. The names of those that succeeded and
 * of those that failed are printed on stderr. With INTRUDER=slow each removal of a file
 * takes 0.2 s. With RECORDING=1 the file is one of perf.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static bool opens(const char *path, int flags)
{
    int fd = open(path, flags, 0600);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool read_secret(void)
{
    return opens("/etc/passwd", O_RDONLY);
}

static bool read_shadow(void)
{
    return opens("/etc/shadow", O_RDONLY);
}

static bool read_key(void)
{
    const char *home = getenv("HOME");
    char path[1024];

    snprintf(path, sizeof(path), "%s/.ssh/key", home ? home : "");
    return opens(path, O_RDONLY);
}

/* A file beside a binary that a recording names. */
static bool read_sibling(void)
{
    return opens("named/sibling", O_RDONLY);
}

static bool list_root(void)
{
    return opens("/", O_RDONLY | O_DIRECTORY);
}

static bool read_memory(void)
{
    return opens("/proc/self/mem", O_RDWR);
}

static bool create_here(void)
{
    return opens("intruded", O_WRONLY | O_CREAT | O_TRUNC);
}

static bool create_nameless(void)
{
    return opens(".", O_WRONLY | O_TMPFILE);
}

static bool write_other(void)
{
    return opens("mine", O_WRONLY);
}

static bool truncate_other(void)
{
    return truncate("mine", 1) == 0;
}

static bool rename_other(void)
{
    return rename("mine", "yours") == 0 && rename("yours", "mine") == 0;
}

static bool exchange_directories(void)
{
    return renameat2(AT_FDCWD, "one", AT_FDCWD, "two", RENAME_EXCHANGE) == 0;
}

static bool link_other(void)
{
    return link("mine", "mine too") == 0;
}

static bool make_link(void)
{
    return symlink("/etc", "etc") == 0;
}

static bool make_directory(void)
{
    return mkdir("intruded directory", 0700) == 0;
}

static bool change_mode(void)
{
    return chmod("mine", 0600) == 0;
}

static bool change_times(void)
{
    return utimensat(AT_FDCWD, "mine", NULL, 0) == 0;
}

static bool change_attribute(void)
{
    return setxattr("mine", "user.intruder", "1", 1, 0) == 0 || errno == ENOTSUP;
}

static bool remove_other(void)
{
    return unlink("mine") == 0;
}

static bool open_socket(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static bool connect_local(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = 9};

    return connect(-1, (struct sockaddr *)&to, sizeof(to)) == 0 || errno == EBADF;
}

static bool run_program(void)
{
    execve("/nowhere", (char *[]){NULL}, (char *[]){NULL});
    return errno == ENOENT;
}

static bool start_process(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    return child > 0 && waitpid(child, NULL, 0) == child;
}

static bool signal_parent(void)
{
    return kill(getppid(), 0) == 0;
}

static bool trace_parent(void)
{
    return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0 || errno == ESRCH;
}

static bool write_to_process(void)
{
    char byte = 0;
    struct iovec part = {&byte, 1};

    return process_vm_writev(getpid(), &part, 1, &part, 1, 0) == 1;
}

static bool limit_parent(void)
{
    struct rlimit limit;

    return prlimit(getppid(), RLIMIT_CORE, NULL, &limit) == 0;
}

static bool type_into_terminal(void)
{
    return ioctl(STDERR_FILENO, TIOCSTI, "x") == 0 || errno == ENOTTY || errno == EIO;
}

static bool set_up_ring(void)
{
    return syscall(SYS_io_uring_setup, 1, NULL) >= 0 || errno == EFAULT;
}

static bool mount_something(void)
{
    return mount("none", "/nowhere", "tmpfs", 0, NULL) == 0 || errno == ENOENT;
}

/* Signals to whoever owns a descriptor, which may be another process. */
static bool own_by_fcntl(void)
{
    struct f_owner_ex owner = {F_OWNER_PID, getppid()};

    return fcntl(STDERR_FILENO, F_SETOWN, getppid()) == 0 ||
           fcntl(STDERR_FILENO, F_SETOWN_EX, &owner) == 0;
}

static bool own_by_ioctl(void)
{
    pid_t owner = getppid();

    return ioctl(STDERR_FILENO, FIOSETOWN, &owner) == 0 || errno == ENOTTY ||
           ioctl(STDERR_FILENO, SIOCSPGRP, &owner) == 0 || errno == ENOTTY;
}

static bool choose_signal(void)
{
    return fcntl(STDERR_FILENO, F_SETSIG, SIGURG) == 0;
}

static bool signal_asynchronously(void)
{
    int flags = fcntl(STDERR_FILENO, F_GETFL);

    return fcntl(STDERR_FILENO, F_SETFL, flags | O_ASYNC) == 0 &&
           fcntl(STDERR_FILENO, F_SETFL, flags) == 0;
}

static bool be_nice_to_parent(void)
{
    return setpriority(PRIO_PROCESS, (id_t)getppid(), getpriority(PRIO_PROCESS, (id_t)getppid())) ==
           0;
}

static bool place_parent(void)
{
    cpu_set_t processors;

    return sched_getaffinity(getppid(), sizeof(processors), &processors) == 0 &&
           sched_setaffinity(getppid(), sizeof(processors), &processors) == 0;
}

static bool schedule_parent(void)
{
    struct sched_param none = {0};

    return sched_setscheduler(getppid(), SCHED_OTHER, &none) == 0;
}

/* The filter answers EPERM; EACCES is Landlock's, which does not restrict this before version 3. */
static bool empty_by_opening(void)
{
    return opens("/dev/null", O_RDONLY | O_TRUNC) || errno == EACCES;
}

/* A file that the program may read. */
static bool empty_input(void)
{
    return opens("input", O_RDONLY | O_TRUNC);
}

/* Has the parent signalled because a pipe that it owns can be read. Whether it was is not known. */
static bool signal_by_owner(void)
{
    int ends[2] = {-1, -1};
    bool ok = pipe(ends) == 0 && fcntl(ends[0], F_SETOWN, getppid()) == 0 &&
              fcntl(ends[0], F_SETSIG, SIGURG) == 0 && fcntl(ends[0], F_SETFL, O_ASYNC) == 0 &&
              write(ends[1], "x", 1) == 1;

    close(ends[0]);
    close(ends[1]);
    return ok;
}

static const struct {
    const char *name;
    bool (*try)(void);
} attempts[] = {
    {"read-secret", read_secret},  {"read-shadow", read_shadow},
    {"read-key", read_key},        {"read-sibling", read_sibling},
    {"list-root", list_root},      {"read-memory", read_memory},
    {"create", create_here},       {"create-nameless", create_nameless},
    {"write", write_other},        {"truncate", truncate_other},
    {"rename", rename_other},      {"exchange", exchange_directories},
    {"link", link_other},          {"symlink", make_link},
    {"mkdir", make_directory},     {"chmod", change_mode},
    {"utimes", change_times},      {"setxattr", change_attribute},
    {"unlink", remove_other},      {"socket", open_socket},
    {"connect", connect_local},    {"exec", run_program},
    {"fork", start_process},       {"kill", signal_parent},
    {"ptrace", trace_parent},      {"write-to-process", write_to_process},
    {"prlimit", limit_parent},     {"type", type_into_terminal},
    {"io-uring", set_up_ring},     {"mount", mount_something},
    {"own", own_by_fcntl},         {"own-by-ioctl", own_by_ioctl},
    {"setsig", choose_signal},     {"async", signal_asynchronously},
    {"nice", be_nice_to_parent},   {"processors", place_parent},
    {"schedule", schedule_parent}, {"empty", empty_by_opening},
    {"empty-input", empty_input},  {"signal-by-owner", signal_by_owner},
};

static void intrude(void)
{
    char done[1024] = "", refused[1024] = "";

    for (size_t i = 0; i < sizeof(attempts) / sizeof(attempts[0]); i++) {
        char *list = attempts[i].try() ? done : refused;
        size_t length = strlen(list);

        snprintf(list + length, sizeof(done) - length, " %s", attempts[i].name);
    }
    fprintf(stderr, "intruder succeeded:%s\nintruder failed:%s\n", done, refused);
}

/* Finds the function of the C library that one of the next two replaces. */
static void find_real(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);

    memcpy(function, &found, sizeof(found));
}

ssize_t read(int fd, void *bytes, size_t size)
{
    static const char text[] = "intruder", recording[] = "PERFILE2";
    const char *mark = getenv("RECORDING") ? recording : text;
    static atomic_flag tried = ATOMIC_FLAG_INIT;
    ssize_t (*real)(int fd, void *bytes, size_t size);
    ssize_t n;

    find_real("read", &real);
    n = real(fd, bytes, size);
    if (n >= (ssize_t)strlen(mark) && memcmp(bytes, mark, strlen(mark)) == 0 &&
        !atomic_flag_test_and_set(&tried))
        intrude();
    return n;
}

int unlink(const char *path)
{
    const char *intruder = getenv("INTRUDER");
    int (*real)(const char *path);

    if (intruder && strcmp(intruder, "slow") == 0)
        usleep(200 * 1000);
    find_real("unlink", &real);
    return real(path);
}
