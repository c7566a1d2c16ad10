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

/* Whether the last call failed for want of descriptors, which may be free again later. */
static bool lacks_descriptors(void)
{
    return errno == EMFILE || errno == ENFILE;
}

/*
 * A path that cannot be opened gets no rule: opening it fails later, with its reason. The kernel
 * refuses rights of directories for a file. Returns false if no descriptor was free for the rule:
 * then opening the path would fail for another reason.
 */
static bool allow(int rules, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {rights, open(path, O_PATH | O_CLOEXEC)};

    if (rule.parent_fd < 0)
        return !lacks_descriptors();
    if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0) {
        rule.allowed_access &= OF_FILES;
        syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(rule.parent_fd);
    return true;
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

static bool restrict_files(const struct sandbox *s)
{
    long version = landlock_version();
    uint64_t changing = CHANGING | (version >= 3 ? TRUNCATE : 0);
    struct landlock_ruleset_attr handled = {.handled_access_fs = READING | changing | NEVER};
    bool ok = true;
    int rules;

    if (version < 1)
        return true;
    rules = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0);
    if (rules < 0)
        return !lacks_descriptors();
    for (size_t i = 0; i < s->readable.count; i++)
        if (!is_repeated(&s->readable, i))
            ok = ok && allow(rules, s->readable.items[i], READING);
    if (s->writable)
        ok = ok && allow(rules, s->writable, READING | changing);
#ifdef SANITIZED
    ok = ok && allow(rules, "/proc", READING);
#endif
    if (ok)
        syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return ok;
}

bool sandbox_enter(const struct sandbox *s)
{
    bool ok;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return true;
    ok = restrict_files(s);
    syscalls_restrict();
    return ok;
}
