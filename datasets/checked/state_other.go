//go:build !unix

package checked

import "os"

// stateOf asks the directory for the state of a file.
func stateOf(path string) (state, error) {
	info, err := os.Stat(path)
	if err != nil {
		return state{}, err
	}
	return state{Size: info.Size(), Written: info.ModTime().UnixNano()}, nil
}
