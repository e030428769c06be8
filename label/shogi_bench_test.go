package label

import (
	"bufio"
	"os"
	"strings"
	"testing"

	evalshogi "kifu/eval/shogi"
	"kifu/games/shogi"
	"kifu/search"
)

// BenchmarkQuiescenceShogi searches the positions of $KIFU_POSITIONS, those of whole games as
// kifu export writes them.
func BenchmarkQuiescenceShogi(b *testing.B) {
	name := os.Getenv("KIFU_POSITIONS")
	if name == "" {
		b.Skip("KIFU_POSITIONS names no file of positions")
	}
	f, err := os.Open(name)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var ps []shogi.Position
	for in := bufio.NewScanner(f); in.Scan(); {
		p, err := shogi.ParseSFEN(strings.Join(strings.Fields(in.Text())[:4], " "))
		if err != nil {
			b.Fatal(err)
		}
		ps = append(ps, p)
	}
	e, err := evalshogi.New(evalshogi.Default())
	if err != nil {
		b.Fatal(err)
	}
	s := search.New(e)
	measureSearch(b, func(i int) int64 { return s.Quiescence(ps[i%len(ps)]).Nodes })
}
