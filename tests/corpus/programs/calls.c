#include <stdlib.h>
static volatile long sink;
__attribute__((noinline)) static long parse(long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) {
        s += i * i % 7;
        sink = s;
    }
    return s;
}
__attribute__((noinline)) static long load(long n)
{
    long s = 0;
    for (int i = 0; i < 20; i++)
        s += parse(n);
    return s;
}
__attribute__((noinline)) static long reload(long n)
{
    return n ? parse(n) + load(n) : 0;
}
int main(void)
{
    for (int i = 0; i < 60; i++)
        sink += load(20000) + reload(30000);
    return 0;
}
