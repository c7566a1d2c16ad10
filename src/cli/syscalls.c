#include "cli/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/sanitized.h"

#if defined(__x86_64__) && defined(__LP64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* Calls that the kernel's headers may not have yet; their numbers are the same everywhere. */
enum { FCHMODAT2 = 452, SETXATTRAT = 463, REMOVEXATTRAT = 466, OPEN_TREE_ATTR = 467 };
enum { FILE_SETATTR = 469, NEWEST = FILE_SETATTR };

static const unsigned refused[] = {
    /* networks and messages */
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
    /* io_uring does the work of other calls, past this filter */
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    /* programs and processes */
    SYS_execve,
    SYS_execveat,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_kcmp,
    SYS_setpgid,
    /* priorities and processors, of any process of the user */
    SYS_setpriority,
    SYS_ioprio_set,
    SYS_sched_setparam,
    SYS_sched_setscheduler,
    SYS_sched_setattr,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_perf_event_open,
    SYS_userfaultfd,
#ifndef SANITIZED
    SYS_ptrace,
    SYS_process_vm_readv,
#endif
    /* attributes of files, which Landlock leaves alone, and truncate(), which old versions do */
    SYS_fchmod,
    SYS_fchmodat,
    FCHMODAT2,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SETXATTRAT,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    SYS_truncate,
    SYS_open_by_handle_at,
    /* the system */
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_open_tree,
    OPEN_TREE_ATTR,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_bpf,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_fanotify_init,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_syslog,
    SYS_personality,
/* calls that newer architectures never had */
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
#endif
};

enum { REFUSED = sizeof(refused) / sizeof(refused[0]), GROUP = 8 };

struct program {
    struct sock_filter code[2 * REFUSED + 128];
    size_t count;
};

static void add(struct program *p, unsigned operation, uint32_t value, unsigned yes, unsigned no)
{
    BUG_ON(p->count == sizeof(p->code) / sizeof(p->code[0]));
    p->code[p->count++] =
        (struct sock_filter){(uint16_t)operation, (uint8_t)yes, (uint8_t)no, value};
}

static void load(struct program *p, size_t offset)
{
    add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* `yes` and `no` are how many instructions are skipped if the loaded word equals `value`. */
static void if_equal(struct program *p, uint32_t value, unsigned yes, unsigned no)
{
    add(p, BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

static void allow(struct program *p)
{
    add(p, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static void refuse(struct program *p, int error)
{
    add(p, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0);
}

/* The low word of an argument; the architectures above are little-endian. */
static size_t argument(unsigned n)
{
    return offsetof(struct seccomp_data, args) + n * sizeof(uint64_t);
}

/* Operations on a descriptor that have its owner signalled, who may be any process of the user. */
static const unsigned of_fcntl[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
static const unsigned of_ioctl[] = {TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSPGRP};

/* Refuses a call if the argument has one of the values. */
static void refuse_values(struct program *p, unsigned number, unsigned place,
                          const unsigned *values, unsigned count)
{
    if_equal(p, number, 0, count + 3);
    load(p, argument(place));
    for (unsigned i = 0; i < count; i++)
        if_equal(p, values[i], count - i, 0);
    allow(p);
    refuse(p, EPERM);
}

/* Refuses to open a file that is emptied by that. `place` is that of the flags. */
static void add_truncation(struct program *p, unsigned number, unsigned place)
{
    if_equal(p, number, 0, 4);
    load(p, argument(place));
    add(p, BPF_JMP | BPF_JSET | BPF_K, O_TRUNC, 0, 1);
    refuse(p, EPERM);
    allow(p);
}

/* The calls whose arguments decide. Each block is skipped unless the number is its call's. */
static void add_by_argument(struct program *p)
{
#ifndef SANITIZED
    /* Threads, but no processes. */
    if_equal(p, SYS_clone3, 0, 1);
    refuse(p, ENOSYS);
    if_equal(p, SYS_clone, 0, 4);
    load(p, argument(0));
    add(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1);
    allow(p);
    refuse(p, EPERM);
#endif
    /* Signals to this process only. */
    if_equal(p, SYS_tgkill, 0, 4);
    load(p, argument(0));
    if_equal(p, (uint32_t)getpid(), 0, 1);
    allow(p);
    refuse(p, EPERM);
    /* Limits of this process only. */
    if_equal(p, SYS_prlimit64, 0, 4);
    load(p, argument(0));
    if_equal(p, 0, 0, 1);
    allow(p);
    refuse(p, EPERM);
    /* Processors of the calling thread only. */
    if_equal(p, SYS_sched_setaffinity, 0, 4);
    load(p, argument(0));
    if_equal(p, 0, 0, 1);
    allow(p);
    refuse(p, EPERM);
    /* No typing into the terminal, and no signals to whoever is made the owner of a descriptor. */
    if_equal(p, SYS_fcntl, 0, 6);
    load(p, argument(1));
    if_equal(p, F_SETFL, 0, 3);
    load(p, argument(2));
    add(p, BPF_JMP | BPF_JSET | BPF_K, O_ASYNC, 0, 1);
    refuse(p, EPERM);
    load(p, offsetof(struct seccomp_data, nr));
    refuse_values(p, SYS_ioctl, 1, of_ioctl, sizeof(of_ioctl) / sizeof(of_ioctl[0]));
    refuse_values(p, SYS_fcntl, 1, of_fcntl, sizeof(of_fcntl) / sizeof(of_fcntl[0]));
    /* Landlock before version 3 does not restrict the emptying of files; nothing here needs it. */
    add_truncation(p, SYS_openat, 2);
#ifdef __x86_64__
    add_truncation(p, SYS_open, 1);
    if_equal(p, SYS_creat, 0, 1);
    refuse(p, EPERM);
#endif
    if_equal(p, SYS_openat2, 0, 1);
    refuse(p, ENOSYS);
}

static int compare_numbers(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/*
 * The calls that are refused, in groups that are skipped by their last number: the
 * kernel runs the filter once for each call there is when it is installed.
 */
static void add_by_number(struct program *p)
{
    unsigned sorted[REFUSED];

    for (size_t i = 0; i < REFUSED; i++)
        sorted[i] = refused[i];
    qsort(sorted, REFUSED, sizeof(*sorted), compare_numbers);
    for (size_t i = 0; i < REFUSED; i += GROUP) {
        unsigned count = REFUSED - i < GROUP ? (unsigned)(REFUSED - i) : GROUP;

        add(p, BPF_JMP | BPF_JGT | BPF_K, sorted[i + count - 1], count + 2, 0);
        for (unsigned n = 0; n < count; n++)
            if_equal(p, sorted[i + n], count - n, 0);
        allow(p);
        refuse(p, EPERM);
    }
    allow(p);
}

bool syscalls_restrict(void)
{
    struct program p = {.count = 0};
    struct sock_fprog filter;

    load(&p, offsetof(struct seccomp_data, arch));
    if_equal(&p, ARCHITECTURE, 1, 0);
    refuse(&p, EPERM);
    load(&p, offsetof(struct seccomp_data, nr));
    add(&p, BPF_JMP | BPF_JGT | BPF_K, NEWEST, 0, 1);
    refuse(&p, ENOSYS);
    add_by_argument(&p);
    add_by_number(&p);
    filter = (struct sock_fprog){(unsigned short)p.count, p.code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

#else

bool syscalls_restrict(void)
{
    errno = ENOSYS;
    return false;
}

#endif
