/*
 * Runs a command as if the kernel, or the system, refused one layer of the sandbox:
 *
 *     without landlock|rules|seccomp ENOSYS|EPERM COMMAND [ARGUMENT...]
 *
 * A kernel without the layer answers ENOSYS, filters of containers also EPERM. "rules" is only the
 * call by which Landlock allows something. To refuse seccomp, too, comes last.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned first, last; /* calls */
} layers[] = {
    {"landlock", SYS_landlock_create_ruleset, SYS_landlock_restrict_self},
    {"rules", SYS_landlock_add_rule, SYS_landlock_add_rule},
    {"seccomp", SYS_seccomp, SYS_seccomp},
};

static int refuse(unsigned first, unsigned last, unsigned error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 1),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
    };
    struct sock_fprog program = {sizeof(code) / sizeof(*code), code};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 3 && i < sizeof(layers) / sizeof(*layers); i++)
        if (strcmp(argv[1], layers[i].name) == 0) {
            if (refuse(layers[i].first, layers[i].last,
                       strcmp(argv[2], "EPERM") == 0 ? EPERM : ENOSYS) == 0)
                execvp(argv[3], argv + 3);
            perror(argv[3]);
        }
    return 125;
}
