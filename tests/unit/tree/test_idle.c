#include "tree/idle.h"

#include "profile/reshape.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

/* Whether a stack is kept: in profiles of time on the CPU, and in profiles of waiting. */
static const struct {
    const char *stack;
    bool busy, works;
} rows[] = {
    {"swapper;secondary_startup_64;cpu_startup_entry;do_idle;pv_native_safe_halt_[k]", false,
     false},
    {"swapper;do_idle;intel_idle_irq", false, false},
    {"swapper;do_idle;asm_sysvec_apic_timer_interrupt;tick", true, true},
    {"swapper;start_kernel;init", true, true},
    {"nginx;main;epoll_wait;entry;ep_poll;schedule", true, false},
    {"nginx;main;ngx_process;read;schedule", true, true},
    {"app;my_epoll_wait;work", true, true},
    {"app;poll_for_work", true, true},
    {"app;libc.so.6`__poll", true, false},
    {"kworker;kthread;worker_thread;schedule;__schedule", true, false},
    {"kworker;kthread;worker_thread;process_one_work;schedule", true, true},
    {"pool-1;java.util.concurrent.ThreadPoolExecutor.getTask;park", true, false},
    {"pool-1;java/util/concurrent/ThreadPoolExecutor::getTask", true, false},
    {"pool-1;java.util.concurrent.ThreadPoolExecutor.getTaskNow", true, true},
    {"io;sun.nio.ch.EPoll.wait(Native Method)", true, false},
    {"go;runtime.mcall;runtime.schedule;runtime.findRunnable", true, false},
    {"node;(root);(idle)", false, false},
    {"main;usleep;linux:schedule", true, false},
    {"main;spin;linux:schedule (pre-empted)", true, true},
    {"a;wait;schedule;--;wake_[w];cpu_startup_entry_[w];swapper_[w]", true, true},
    {"t;epoll_wait_[h];copy_[h]", true, true},
    {"t;epoll_wait_[c];schedule_[c]", true, false},
};

static uint64_t left_of(const char *stack, bool waits)
{
    struct reading r;
    struct idle idle;
    struct buf line = {0};
    uint64_t left;

    buf_printf(&line, "%s 3\nmain;work 4\n", stack);
    reading_text(&r, buf_slice(&line), NULL);
    cr_assert_eq(r.result, INPUT_READ);
    idle_init(&idle, &r.profile);
    idle_drop(&idle, &r.profile.series.items[0], waits);
    idle_release(&idle);
    left = r.profile.series.items[0].total;
    cr_expect_eq(reshape_whole(&r.profile.series.items[0]), 7, "removed weight is in the removals");
    cr_expect_eq(r.profile.series.items[0].count, left == 7 ? 2 : 1);
    buf_release(&line);
    reading_release(&r);
    return left;
}

Test(tree_idle, table)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_expect_eq(left_of(rows[i].stack, false), rows[i].busy ? 7 : 4, "%s", rows[i].stack);
        cr_expect_eq(left_of(rows[i].stack, true), rows[i].works ? 7 : 4, "%s", rows[i].stack);
    }
}
