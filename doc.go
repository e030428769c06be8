// Package kifu is the root of the module. It holds no code: the program is cmd/kifu,
// and the tests here hold the whole tree against its plan.
package kifu
