#include "match/kernel_entry.h"

/*
 * Source: the entries of arch/x86/entry, of arch/arm64/kernel/entry.S and arch/arm/kernel/entry-
 * armv.S of Linux 3.10 to 6.12, and where threads of the kernel begin. A row is the beginning of a
 * name.
 */
bool kernel_entry_is(struct slice name)
{
    return kernel_entry_is_interrupt(name) ||
           slice_starts_any(
               name, "entry_SYSCALL_", "entry_SYSENTER_", "entry_INT80", "int80_emulation",
               "swapgs_restore_regs_and_return_to_usermode", "syscall_return_via_sysret",
               "system_call", "ret_from_fork", "ret_to_user", "ret_fast_syscall", "retint_user",
               "secondary_startup_64", "start_secondary", "asm_exc_", "asm_spurious_interrupt",
               "asm_int80_emulation", "asm_fred_", "asm_xenpv_", "el0_", "el0t_", "el1_", "el1h_",
               "el1t_", "x86_64_start_kernel", "start_kernel", "page_fault", "async_page_fault",
               "general_protection", "error_entry", "call_function_", "irq_work_interrupt",
               "do_syscall_64", "do_idle", "cpu_startup_entry", "kthread");
}

/* Of x86, before and since Linux 5.8, and of ARM; and the thread that does their work. */
bool kernel_entry_is_interrupt(struct slice name)
{
    return slice_starts_any(name, "asm_sysvec_", "asm_common_interrupt", "common_interrupt",
                            "ret_from_intr", "apic_timer_interrupt", "reschedule_interrupt",
                            "call_function_interrupt", "call_function_single_interrupt",
                            "hypervisor_callback_interrupt", "el1_irq", "el0_irq", "el1h_64_irq",
                            "el0t_64_irq", "el1_interrupt", "el0_interrupt", "__irq_svc",
                            "__irq_usr", "run_ksoftirqd");
}
