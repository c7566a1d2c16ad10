#include "tree/idle.h"

#include <stdlib.h>

#include "match/kernel_entry.h"
#include "profile/reshape.h"

/* Flags of functions. A stack has only CPU and WAIT. */
enum {
    CPU = 1 << 0,      /* the CPU idles in it */
    WAIT = 1 << 1,     /* threads wait for work in it */
    LOOP = 1 << 2,     /* kernel worker loop: blocking directly in it means idle */
    SLEEP = 1 << 3,    /* blocks; idle if its caller is a LOOP */
    INTERRUPT = 1 << 4 /* its callees are work, even if its caller is idle */
};

/*
 * A row is a whole name, or its last part after a dot, slash or colon. A row that ends in a star
 * is the beginning of a name.
 */
static const struct {
    const char *name;
    unsigned char flags;
} rows[] = {
    /* Linux */
    {"cpu_idle", CPU},
    {"do_idle", CPU},
    {"cpu_startup_entry", CPU},
    {"default_idle", CPU},
    {"default_idle_call", CPU},
    {"arch_cpu_idle", CPU},
    {"native_safe_halt", CPU},
    {"pv_native_safe_halt", CPU},
    {"acpi_idle_enter", CPU},
    {"acpi_safe_halt", CPU},
    {"cpuidle_enter", CPU},
    {"cpuidle_enter_state", CPU},
    {"intel_idle*", CPU},
    {"mwait_idle*", CPU},
    {"poll_idle", CPU},
    {"worker_thread", LOOP},
    {"smpboot_thread_fn", LOOP},
    {"kthreadd", LOOP},
    {"kjournald2", LOOP},
    {"rescuer_thread", LOOP},
    {"kswapd_try_to_sleep", LOOP},
    {"schedule", SLEEP},
    {"do_epoll_wait", WAIT},
    {"ep_poll", WAIT},
    {"do_sys_poll", WAIT},
    {"do_select", WAIT},
    /* other kernels */
    {"mach_cpu_idle", CPU},
    {"cpu_idle_mwait", CPU},
    {"cpu_idle_acpi", CPU},
    {"cpu_idle_hlt", CPU},
    {"acpi_cpu_idle", CPU},
    {"sched_idletd", CPU},
    {"machine_idle", CPU},
    {"processor_idle", CPU},
    {"KiIdleLoop", CPU},
    /* the C library and event loops */
    {"epoll_wait", WAIT},
    {"epoll_pwait", WAIT},
    {"epoll_pwait2", WAIT},
    {"poll", WAIT},
    {"__poll", WAIT},
    {"ppoll", WAIT},
    {"select", WAIT},
    {"__select", WAIT},
    {"pselect", WAIT},
    {"kevent", WAIT},
    {"uv__io_poll", WAIT},
    {"io_uring_wait_cqe*", WAIT},
    {"GetQueuedCompletionStatus*", WAIT},
    {"mach_msg_trap", WAIT},
    /* run-time systems */
    {"(idle)", CPU | WAIT},
    {"epollWait", WAIT},
    {"EPoll.wait", WAIT},
    {"ThreadPoolExecutor.getTask", WAIT},
    {"ForkJoinPool.awaitWork", WAIT},
    {"ReferenceQueue.remove", WAIT},
    {"Reference.waitForReferencePendingList", WAIT},
    {"runtime.findRunnable", WAIT},
    {"runtime.findrunnable", WAIT},
    {"runtime.stopm", WAIT},
    {"runtime.mPark", WAIT},
    /* tracers */
    {"linux:schedule", WAIT}, /* uftrace: the thread is off the CPU and not preempted */
};

/* Whether a byte separates the parts of a name, in any language. */
static bool is_boundary(char c)
{
    return c == '.' || c == '/' || c == ':' || c == '`' || c == '$';
}

/* Whether `text` equals `row`, in which a dot matches any separator, such as "::". */
static bool same_parts(struct slice text, struct slice row)
{
    size_t at = 0;

    for (size_t i = 0; i < row.len; i++, at++) {
        if (at >= text.len)
            return false;
        if (text.ptr[at] == row.ptr[i])
            continue;
        if (row.ptr[i] != '.' || !is_boundary(text.ptr[at]))
            return false;
        at += at + 1 < text.len && text.ptr[at] == ':' && text.ptr[at + 1] == ':';
    }
    return at == text.len;
}

static bool is_row(struct slice name, struct slice row)
{
    if (slice_ends(row, SLICE("*")))
        return slice_starts(name, slice_take(row, row.len - 1));
    if (row.ptr[0] != '(')
        name = slice_take(name, slice_find(name, '('));
    if (same_parts(name, row))
        return true;
    for (size_t i = 0; i + 1 < name.len; i++)
        if (is_boundary(name.ptr[i]) && same_parts(slice_skip(name, i + 1), row))
            return true;
    return false;
}

static unsigned char flags_of(const struct symbols *symbols, uint32_t id)
{
    enum symbol_class class = symbol_class(symbols, id);
    struct slice name = symbol_name(symbols, id);
    unsigned char flags = 0;

    if (symbol_class_is_waker(class) || class == SYMBOL_SEPARATOR)
        return 0;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (is_row(name, slice_str(rows[i].name)))
            flags |= rows[i].flags;
    if (kernel_entry_is_interrupt(name))
        flags |= INTERRUPT;
    return class == SYMBOL_ON_CPU ? flags & ~WAIT & ~LOOP : flags;
}

bool idle_is_cpu(const struct symbols *symbols, uint32_t id)
{
    return flags_of(symbols, id) & CPU;
}

void idle_init(struct idle *i, const struct profile *p)
{
    const struct stacks *stacks = &p->stacks;
    uint32_t count = symbols_count(&p->symbols);
    unsigned char *flags = xmalloc(count + (size_t)1);

    for (uint32_t id = 0; id < count; id++)
        flags[id] = flags_of(&p->symbols, id);
    i->marks = xcalloc(stacks->count, 1);
    for (uint32_t id = 1; id < stacks->count; id++) {
        uint32_t parent = stacks->parent[id];
        unsigned char own = flags[stacks->symbol[id]], mark = i->marks[parent];

        if (own & INTERRUPT)
            mark &= ~CPU;
        if ((own & SLEEP) && parent != STACK_ROOT && (flags[stacks->symbol[parent]] & LOOP))
            mark |= WAIT;
        i->marks[id] = mark | (own & (CPU | WAIT));
    }
    free(flags);
}

void idle_release(struct idle *i)
{
    free(i->marks);
}

void idle_drop(const struct idle *i, struct series *s, bool waits)
{
    uint64_t dropped = reshape_drop(s, i->marks, waits ? CPU | WAIT : CPU);

    reshape_add_removal(s, "--idle", dropped, false);
}
