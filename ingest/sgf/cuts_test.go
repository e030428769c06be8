package sgf

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRandomCuts: streams thrown together from what decides where a game begins and ends,
// and how it is encoded, give the same games wherever they are cut.
func TestRandomCuts(t *testing.T) {
	pieces := []string{"(", "(;", "\n(;", ")", ")", "]", ";", ";GM[1]", "GM[1]", "FF[4]", "PB[a]", "\n(;PB[b]", "PW[c]", ";PW[d]", "TE[1]", "RE[B+R]",
		";B[aa]", ";W[bb]", "B[cc]", ";AB[dd]", "C[", "\\", "\n", " ", "月", "\xE6", "PB[\xC3]", "PB[\xB0\xD7]", "\x83\x5C", "CA[shift-jis]", "(;GM[1]PB[e];B[aa];W[bb])\n"}
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		var s strings.Builder
		for range 1 + r.IntN(60) {
			s.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := []byte(s.String())
		want, err := tested.All(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 7, 64, 300} {
			got, err := tested.Split(text, size)
			if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Fatalf("%q in blocks of %d bytes\n%s\nat once\n%s\n%v", text, size, strings.Join(got, "\n"), strings.Join(want, "\n"), err)
			}
		}
	}
}
