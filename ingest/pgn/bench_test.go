package pgn

import (
	"testing"
)

// BenchmarkRead reads the file that PGN names, as one block, from memory.
func BenchmarkRead(b *testing.B) {
	tested.ReadFile(b, "PGN", "")
}
