//go:build !linux

package cpu

import "time"

// Took returns the processor time in user mode that the process takes while f runs.
func Took(f func()) time.Duration {
	begun := Time()
	f()
	return Time() - begun
}
