#include "cli/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/sanitized.h"
#include "cli/syscalls.h"

/* Headers of Linux before 6.2 lack this right, of version 3. */
#define TRUNCATE (UINT64_C(1) << 14)

/*
 * Headers of Linux before 6.12 lack this scope, of version 6: signals, by whatever call, to
 * processes in the sandbox only. Kernels take a longer structure if what they do not know is 0.
 */
#define SIGNALS (UINT64_C(1) << 1)
struct handled {
    uint64_t files, networks, scopes;
};

#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/*
 * Renaming and linking from one directory to another is also refused: it needs a right of version 2
 * that is not granted if it is not handled.
 */
#define CHANGING                                                                                   \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                               \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG)
#define NEVER                                                                                      \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_SOCK |    \
     LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)
/* The rights that a rule for a single file may have. */
#define OF_FILES (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | TRUNCATE)

/* Returns the version of the kernel's Landlock, or less than 1 if there is none. */
static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool sandbox_restricts_files(void)
{
    return landlock_version() >= 1;
}

static const char refused[] = "the system refuses a call of Landlock";

/*
 * Why the last call failed, if it is no fault of a path: no descriptor was free, or a filter of the
 * system, as containers have, refuses the call. NULL otherwise.
 */
static const char *find_obstacle(void)
{
    if (errno == EMFILE || errno == ENFILE)
        return "too few files may be open (ulimit -n)";
    return errno == EPERM || errno == ENOSYS ? refused : NULL;
}

static long add_rule(int rules, const struct landlock_path_beneath_attr *rule)
{
    return syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, rule, 0);
}

/*
 * A path that cannot be opened gets no rule: opening it fails later, with its reason. The kernel
 * refuses rights of directories for a file. Returns what keeps the rule from being made, though the
 * path could be opened: then opening the path would fail for another reason.
 */
static const char *allow(int rules, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {rights, open(path, O_PATH | O_CLOEXEC)};
    const char *obstacle = NULL;

    if (rule.parent_fd < 0)
        return errno == EPERM ? NULL : find_obstacle();
    if (add_rule(rules, &rule) != 0) {
        rule.allowed_access &= OF_FILES;
        if (add_rule(rules, &rule) != 0)
            obstacle = find_obstacle();
    }
    close(rule.parent_fd);
    return obstacle;
}

/* Whether one of the few paths before this one is the same. Further ones cost more than a rule. */
static bool is_repeated(const struct strings *paths, size_t index)
{
    enum { FEW = 32 };

    for (size_t i = index > FEW ? index - FEW : 0; i < index; i++)
        if (strcmp(paths->items[i], paths->items[index]) == 0)
            return true;
    return false;
}

static const char *restrict_files(const struct sandbox *s)
{
    long version = landlock_version();
    uint64_t changing = CHANGING | (version >= 3 ? TRUNCATE : 0);
    struct handled handled = {.files = READING | changing | NEVER,
                              .scopes = version >= 6 ? SIGNALS : 0};
    const char *obstacle = NULL;
    int rules;

    if (version < 1)
        return errno == EPERM ? refused : NULL;
    rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);
    if (rules < 0)
        return find_obstacle();
    for (size_t i = 0; i < s->readable.count && !obstacle; i++)
        if (!is_repeated(&s->readable, i))
            obstacle = allow(rules, s->readable.items[i], READING);
    if (s->writable && !obstacle)
        obstacle = allow(rules, s->writable, READING | changing);
#ifdef SANITIZED
    if (!obstacle)
        obstacle = allow(rules, "/proc", READING);
#endif
    if (!obstacle && syscall(SYS_landlock_restrict_self, rules, 0) != 0)
        obstacle = find_obstacle();
    close(rules);
    return obstacle;
}

struct sandbox_obstacles sandbox_enter(const struct sandbox *s)
{
    struct sandbox_obstacles obstacles = {0};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return obstacles;
    obstacles.files = restrict_files(s);
    if (!syscalls_restrict() && errno == EPERM)
        obstacles.calls = "the system refuses a filter of system calls";
    return obstacles;
}
