/* A 32-bit program that computes in leaf(), below middle(), and needs no library. */

static volatile unsigned sink;

static __attribute__((noinline)) void leaf(unsigned seed)
{
    for (unsigned i = 0; i < 4000; i++)
        sink = sink * 1103515245 + seed + i;
}

static __attribute__((noinline)) void middle(unsigned seed)
{
    for (unsigned i = 0; i < 40; i++) {
        leaf(seed + i);
        sink++;
    }
}

__attribute__((force_align_arg_pointer)) void _start(void)
{
    enum { EXIT = 1 };

    for (unsigned i = 0; i < 1000; i++)
        middle(i);
    for (;;)
        __asm__ volatile("int $0x80" : : "a"(EXIT), "b"(0));
}
