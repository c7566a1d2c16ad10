package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"sync"
	"time"
)

var sink int

func mix(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += i * 31 % 7
	}
	return s
}

func work(wait *sync.WaitGroup, ready chan bool) {
	defer wait.Done()
	var kept [][]byte
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); {
		sink += mix(10000)
		kept = append(kept, make([]byte, 512))
	}
	<-ready
	fmt.Fprintln(os.Stderr, len(kept) > 0)
}

func write(name string, profile string, debug int) {
	f, _ := os.Create(name)
	pprof.Lookup(profile).WriteTo(f, debug)
	f.Close()
}

func main() {
	f, _ := os.Create("cpu.pb.gz")
	pprof.StartCPUProfile(f)
	var wait sync.WaitGroup
	ready := make(chan bool)
	for i := 0; i < 2; i++ {
		wait.Add(1)
		go work(&wait, ready)
	}
	time.Sleep(400 * time.Millisecond)
	pprof.StopCPUProfile()
	f.Close()
	write("goroutine2.txt", "goroutine", 2)
	write("heap1.txt", "heap", 1)
	close(ready)
	wait.Wait()
}
