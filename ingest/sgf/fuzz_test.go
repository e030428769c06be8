package sgf

import (
	"testing"

	"kifu/ingest/record"
	"kifu/kit/recordtest"
)

// FuzzReader: whatever is read, games lie in the stream in their order and hold no more than
// it has, and do not depend on where the stream is cut.
func FuzzReader(f *testing.F) {
	tested.FuzzOrder(f, func(t *testing.T, text []byte, g *record.Game) {
		if utf16Of(text) == nil {
			recordtest.LineOf(t, text, g)
		}
	})
}

// FuzzDamage: whatever stands in the place of game k, the games before it and from the
// next one on are read as ever.
func FuzzDamage(f *testing.F) {
	const before, after = "(;GM[1]PB[0];B[aa];W[bb](;B[cc])(;B[dd]))\n", "\n(;GM[1]PB[2]SZ[9];B[aa])\n(;FF[3]GM[1]PB[3];W[ab];B[];C[x];W[zz])\n"
	tested.FuzzDamage(f, before, after, 0, 2)
}
