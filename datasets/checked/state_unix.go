//go:build unix

package checked

import "golang.org/x/sys/unix"

// stateOf asks the directory for the state of a file.
func stateOf(path string) (state, error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return state{}, err
	}
	return state{s.Size, s.Mtim.Nano(), s.Ctim.Nano(), uint64(s.Dev), s.Ino}, nil
}
