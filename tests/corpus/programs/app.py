import faulthandler, sys, threading, time
def parse(n):
    return sum(i * i % 7 for i in range(n))
def work():
    end = time.time() + 1.2
    while time.time() < end:
        parse(20000)
thread = threading.Thread(target=work, name='worker')
faulthandler.dump_traceback_later(0.1, repeat=True, file=open(sys.argv[1], 'w'))
thread.start(); work(); thread.join()
