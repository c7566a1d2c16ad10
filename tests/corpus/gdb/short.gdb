#0  app::queue::take (...)
#1  app::run (...)
#2  main (argc=1)
[Inferior 1 (process 12) detached]
#0  app::run (...)
#1  main (argc=1)
[Inferior 1 (process 12) detached]
