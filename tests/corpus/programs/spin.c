/*
 * Two ways to the same leaf, one of them through an inlined function. There is no library, so that
 * all frames are the program's own:
 *
 *     gcc -g -O0 -nostdlib -static -fcf-protection=none -fno-stack-protector \
 *         -Wl,--build-id=sha1,--eh-frame-hdr,-z,norelro,-z,noseparate-code -o spin spin.c
 */
static volatile unsigned long sink;

__attribute__((noinline)) static void leaf(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        sink += i;
}

static inline __attribute__((always_inline)) void twice(unsigned long n)
{
    leaf(n);
    leaf(n);
}

__attribute__((noinline)) static void parse(void)
{
    leaf(20000000);
    sink++;
}

__attribute__((noinline)) static void render(void)
{
    twice(12000000);
    sink++;
}

void _start(void);
void _start(void)
{
    for (int i = 0; i < 2; i++) {
        parse();
        render();
    }
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
}
