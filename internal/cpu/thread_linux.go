package cpu

import (
	"runtime"
	"syscall"
	"time"
)

// Took returns the processor time in user mode that f takes on its thread: what other
// goroutines and the collector of garbage do meanwhile does not count.
func Took(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begun := thread()
	f()
	return thread() - begun
}

func thread() time.Duration {
	const thisThread = 1 // RUSAGE_THREAD of getrusage(2)
	var u syscall.Rusage
	if err := syscall.Getrusage(thisThread, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
