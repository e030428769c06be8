//go:build unix

package cpu

import (
	"syscall"
	"time"
)

// Time returns the processor time that this process has used in user mode; zero when
// the system does not report it.
func Time() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
