//go:build unix

package fresh

import "syscall"

// NoFollow is the flag of os.OpenFile that makes a symbolic link an error.
const NoFollow = syscall.O_NOFOLLOW
