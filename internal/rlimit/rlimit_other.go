//go:build !linux

package rlimit

// Memory does nothing on this system.
func Memory(int64) error { return nil }
