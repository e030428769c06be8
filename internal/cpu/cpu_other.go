//go:build !unix

package cpu

import "time"

var begun = time.Now()

// Time returns the time since the process began: this system is not asked for the
// processor's.
func Time() time.Duration { return time.Since(begun) }
