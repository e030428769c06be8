package shapes

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"kifu/games"
	"kifu/games/tictactoe"
)

// ringed are shapes of tic-tac-toe: the cell's kind (middle, edge, corner), then the cell.
type ringed struct{}

func (ringed) PatternSizes() []string { return []string{"kind", "cell"} }

func (ringed) EachPattern(_ tictactoe.Position, moves []games.Move, f func(move int, key uint64) bool) {
	for i, m := range moves {
		cell := uint64(m)
		if f(i, 100+cell%3) {
			f(i, 1000+cell)
		}
	}
}

// chosen counts decisions among nine moves by planted strengths: of the kinds, and of the cells within them.
func chosen(t *testing.T, n, least, workers int) (*Counter[tictactoe.Position], *Choices, [9]float64) {
	t.Helper()
	kind, cell := [3]float64{0.8, 0, -0.5}, [9]float64{0, 0.6, 0, -0.7, 0, 0, 0.3}
	var want [9]float64
	for i := range want {
		want[i] = kind[i%3] + cell[i]
	}
	rng := rand.New(rand.NewPCG(4, 5))
	c := NewCounter(ringed{}, 0, workers)
	moves := []games.Move{0, 1, 2, 3, 4, 5, 6, 7, 8}
	var played []int
	for i := range n {
		best := 0
		most := math.Inf(-1)
		for m, s := range want {
			if v := s - math.Log(-math.Log(rng.Float64())); v > most {
				best, most = m, v
			}
		}
		played = append(played, best)
		c.Played(i%workers, tictactoe.Position{}, moves, best)
	}
	c.Keep(least)
	all := new(Choices)
	for _, m := range played {
		one := new(Choices)
		c.Choice(one, tictactoe.Position{}, moves, m)
		all.Append(one)
	}
	return c, all, want
}

// TestWeigh: strengths that were planted are found again, up to what all moves have in common, for any number of workers, and
// come back from a file.
func TestWeigh(t *testing.T) {
	const n = 20_000
	var first []byte
	for _, workers := range []int{1, 3} {
		c, all, want := chosen(t, n, 1, workers)
		s, err := c.Weigh(all, workers, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		file, err := s.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && !bytes.Equal(file, first) {
			t.Errorf("other strengths by %d workers", workers)
		}
		first = file
		read, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		j := NewJudge(ringed{}, read)
		j.Judge(tictactoe.Position{}, []games.Move{0, 1, 2, 3, 4, 5, 6, 7, 8})
		mean := 0.0
		for i := range want {
			mean += (j.Largest[i] - want[i]) / 9
		}
		for i := range want {
			if off := j.Largest[i] - want[i] - mean; math.Abs(off) > 4*math.Sqrt(9.0/n) {
				t.Errorf("cell %d: strength %.3f, planted %.3f", i, j.Largest[i]-mean, want[i])
			}
			if j.Sizes[i] != 2 || i%3 == 0 && j.Smallest[i] != j.Smallest[0] {
				t.Errorf("cell %d: %d sizes, the smallest %.3f", i, j.Sizes[i], j.Smallest[i])
			}
		}
	}
	for _, damaged := range [][]byte{nil, first[:len(first)-1], append([]byte("x"), first...)} {
		if _, err := Read(damaged); err == nil {
			t.Errorf("%d bytes are read as strengths", len(damaged))
		}
	}
}

// TestSlope: the slope of the fit is that of differences of its value; a shape that is too rare counts with its smaller one.
func TestSlope(t *testing.T) {
	c, all, _ := chosen(t, 300, 30, 2)
	n := len(c.played)
	if n >= 12 || n < 4 {
		t.Fatalf("%d shapes are kept: want some of 12", n)
	}
	scale, x := make([]float64, n), make([]float64, n)
	for i := range x {
		scale[i], x[i] = 1+float64(i), math.Sin(float64(i))
	}
	w := &weigher{Choices: all, within: c.within, scale: scale, workers: 2, slope: make([]float64, n), strength: make([]float64, n+1)}
	w.move(x)
	slope := append([]float64{}, w.slope...)
	const h = 1e-6
	for i := range x {
		at := append([]float64{}, x...)
		at[i] += h
		w.move(at)
		above := w.value
		at[i] -= 2 * h
		w.move(at)
		if got := (above - w.value) / (2 * h); math.Abs(got-slope[i]*scale[i]) > 1e-3*(1+math.Abs(got)) {
			t.Errorf("shape %d: slope %v, by differences %v", i, slope[i]*scale[i], got)
		}
	}
}
