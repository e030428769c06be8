// Package rlimit bounds what a process may take of the machine.
package rlimit

import (
	"fmt"
	"syscall"
)

// Memory lets the process have so many bytes of memory of its own (RLIMIT_DATA) and no more: what it asks for
// beyond them it does not get, which may end it. On systems other than Linux it does nothing.
func Memory(bytes int64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &now); err != nil {
		return fmt.Errorf("limit of memory: %w", err)
	}
	limit := min(uint64(bytes), now.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		return fmt.Errorf("limit of memory: %w", err)
	}
	return nil
}
