//go:build !unix

package fresh

// NoFollow is the flag of os.OpenFile that makes a symbolic link an error; there is none here.
const NoFollow = 0
