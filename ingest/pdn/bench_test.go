package pdn

import (
	"strings"
	"testing"
)

// BenchmarkRead reads the file that PDN names, as one block, from memory; without it a
// game that has a little of everything, a thousand times.
func BenchmarkRead(b *testing.B) {
	tested.ReadFile(b, "PDN", strings.Repeat("[Event \"Alwick 1842\"]\n[Date \"1842-??-??\"]\n[Black \"Hay, W.\"]\n[Result \"1/2-1/2\"]\n"+
		strings.Repeat("1. 11-15 24-20 2. 8-11 28-24 3. 4-8 21x14x7 {a remark} (3... 23-19)\n", 10)+"1/2-1/2\n\n", 1000))
}
