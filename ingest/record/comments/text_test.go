package comments

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/ingest/record"
)

// TestText: a comment is its words with single blanks between, by the standard library's idea of both.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		c := make([]byte, r.IntN(12))
		for i := range c {
			c[i] = " \t\r\n\v\fab{é\xff"[r.IntN(12)]
		}
		want := strings.Join(strings.FieldsFunc(string(c), func(r rune) bool { return strings.ContainsRune(" \t\r\n\v\f", r) }), " ")
		if got := Text(c); got != want {
			t.Fatalf("%q: %q, want %q", c, got, want)
		}
	}
}

// TestBare: a game whose annotations are counted has as many as one whose annotations are kept.
func TestBare(t *testing.T) {
	for _, c := range []string{"", " \n", "a good  move", " [%clk 0:01:00] x"} {
		kept, bare := record.Game{}, record.Game{Bare: true}
		for _, g := range []*record.Game{&kept, &bare} {
			g.Reset()
			Remark(g, []byte(c))
			Read(g, []byte(c), func([]byte, *record.Move) bool { return true })
		}
		if len(kept.Annotations) != len(bare.Annotations) {
			t.Errorf("%q: %d annotations, %d where they are counted", c, len(kept.Annotations), len(bare.Annotations))
		}
		for i, a := range bare.Annotations {
			if want := strings.TrimLeft(c, " \n")[:1]; a.Comment != want || !strings.HasPrefix(kept.Annotations[i].Comment, want) {
				t.Errorf("%q: counted as %q, want %q", c, a.Comment, want)
			}
		}
	}
}
