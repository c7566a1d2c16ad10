Breakpoint 1 at 0x1189: file app.c, line 10.
[Thread debugging using libthread_db enabled]
Using host libthread_db library "/lib/x86_64-linux-gnu/libthread_db.so.1".
[New Thread 0x7ffff7dce6c0 (LWP 17723)]
[Switching to Thread 0x7ffff7dce6c0 (LWP 17723)]

Thread 2 "app" hit Breakpoint 1, mix (n=n@entry=4) at app.c:10
10	    for (unsigned i = 0; i < n * 1000; i++)

Thread 2 (Thread 0x7ffff7dce6c0 (LWP 17723) "app"):
#0  mix (n=n@entry=4) at app.c:10
#1  0x0000555555555268 in work (rounds=0x7fffffffe66c) at app.c:27
#2  0x00007ffff7e5b1f5 in start_thread (arg=<optimized out>) at ./nptl/pthread_create.c:442
#3  0x00007ffff7edb8ec in clone3 () at ../sysdeps/unix/sysv/linux/x86_64/clone3.S:81

Thread 1 (Thread 0x7ffff7dcf740 (LWP 17700) "app"):
#0  0x000055555555518f in mix (n=n@entry=2) at app.c:10
#1  0x0000555555555268 in work (rounds=rounds@entry=0x7fffffffe66c) at app.c:27
#2  0x00005555555552ec in main (count=<optimized out>, arguments=<optimized out>) at app.c:41
[Switching to Thread 0x7ffff7dcf740 (LWP 17700)]

Thread 1 "app" hit Breakpoint 1, mix (n=n@entry=4) at app.c:10
10	    for (unsigned i = 0; i < n * 1000; i++)

Thread 2 (Thread 0x7ffff7dce6c0 (LWP 17723) "app"):
#0  mix (n=n@entry=1) at app.c:10
#1  0x0000555555555268 in work (rounds=0x7fffffffe66c) at app.c:27
#2  0x00007ffff7e5b1f5 in start_thread (arg=<optimized out>) at ./nptl/pthread_create.c:442
#3  0x00007ffff7edb8ec in clone3 () at ../sysdeps/unix/sysv/linux/x86_64/clone3.S:81

Thread 1 (Thread 0x7ffff7dcf740 (LWP 17700) "app"):
#0  mix (n=n@entry=4) at app.c:10
#1  0x0000555555555268 in work (rounds=rounds@entry=0x7fffffffe66c) at app.c:27
#2  0x00005555555552ec in main (count=<optimized out>, arguments=<optimized out>) at app.c:41
