package label

import (
	"bufio"
	"os"
	"testing"
	"time"

	"kifu/datasets/columns"
	evalchess "kifu/eval/chess"
	"kifu/games/chess"
	"kifu/internal/cpu"
	"kifu/search"
)

// played returns the positions of whole games, one after the other, as a dataset has them.
func played(t testing.TB) []chess.Position {
	t.Helper()
	f, err := os.Open("../eval/chess/testdata/positions.fen")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var ps []chess.Position
	for in := bufio.NewScanner(f); in.Scan(); {
		p, err := chess.ParseFEN(in.Text())
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	return ps
}

// measureSearch reports the nodes of a search and the searches in a second of processor time; of
// returns the nodes of the ith.
func measureSearch(b *testing.B, of func(i int) int64) {
	b.ReportAllocs()
	b.ResetTimer()
	begun := cpu.Time()
	var nodes int64
	for i := range b.N {
		nodes += of(i)
	}
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
	b.ReportMetric(float64(b.N)/(cpu.Time()-begun).Seconds(), "positions/cpu-s")
}

func BenchmarkQuiescence(b *testing.B) {
	ps := played(b)
	e, err := evalchess.New(evalchess.Default())
	if err != nil {
		b.Fatal(err)
	}
	s := search.New(e)
	measureSearch(b, func(i int) int64 { return s.Quiescence(ps[i%len(ps)]).Nodes })
}

func BenchmarkDepth3(b *testing.B) {
	ps := played(b)
	e, err := evalchess.New(evalchess.Default())
	if err != nil {
		b.Fatal(err)
	}
	s := search.New(e)
	measureSearch(b, func(i int) int64 { return s.Depth(ps[i*7%len(ps)], 3).Nodes })
}

// BenchmarkLabel measures all that the stage does to a position between reading and writing
// it: unpack, static value, quiescence, features of the leaf.
func BenchmarkLabel(b *testing.B) {
	ps := played(b)
	table := positionsTable()
	pl, err := newPlan(chessGame, Params{Search: []string{"static", "quiescence"}}, table)
	if err != nil {
		b.Fatal(err)
	}
	w := newWorker(pl)
	in, out := columns.NewBatch(table), columns.NewBatch(pl.table)
	b.ReportAllocs()
	b.ResetTimer()
	var spent time.Duration
	done := 0
	for done < b.N {
		b.StopTimer()
		in.Reset()
		out.Reset()
		for i, p := range ps {
			appendRow(in, int64(i), p)
		}
		b.StartTimer()
		begun := cpu.Time()
		if _, err := w.label(in, out); err != nil {
			b.Fatal(err)
		}
		spent += cpu.Time() - begun
		done += len(ps)
	}
	b.ReportMetric(float64(done)/spent.Seconds(), "positions/cpu-s")
}
