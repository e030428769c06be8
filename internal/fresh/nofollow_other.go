//go:build !unix

package fresh

// NoFollow is the flag of os.OpenFile that makes a symbolic link an error; this system has none.
const NoFollow = 0
