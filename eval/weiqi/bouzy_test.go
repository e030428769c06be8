package weiqi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/games/weiqi"
)

// numbers returns the values of a field, row by row.
func (f *field) numbers(size int) (all []int) {
	for row := range size {
		for column := range size {
			at, n := weiqi.PointAt(column, row), 0
			for k := range f.planes {
				if f.planes[k].Has(at) {
					n += 1 << k
				}
			}
			if f.white.Has(at) {
				n = -n
			}
			all = append(all, n)
		}
	}
	return all
}

// TestTobi: two stones with a point between them, after one, two and three dilations, as
// the documentation of GNU Go has them (section "Bouzy's 5/21 algorithm").
func TestTobi(t *testing.T) {
	var black weiqi.Bitboard
	black.Add(weiqi.PointAt(5, 5))
	black.Add(weiqi.PointAt(7, 5))
	f := newField(weiqi.Board(13), black, weiqi.Bitboard{})
	for i, want := range []string{
		"0 0 0 0 0 1 0 1 0 0 0 0 0; 0 0 0 0 1 128 2 128 1 0 0 0 0",
		"0 0 0 0 2 2 3 2 2 0 0 0 0; 0 0 0 1 2 132 4 132 2 1 0 0 0",
		"0 0 0 2 4 6 6 6 4 2 0 0 0; 0 0 1 2 6 136 8 136 6 2 1 0 0",
	} {
		f.dilate()
		n := f.numbers(13)
		got := strings.Trim(fmt.Sprint(n[4*13:5*13]), "[]") + "; " + strings.Trim(fmt.Sprint(n[5*13:6*13]), "[]")
		if got != want {
			t.Errorf("after %d dilations\n%s, want\n%s", i+1, got, want)
		}
	}
}

// slow is a field point by point.
type slow struct {
	size   int
	points []int
}

func (s *slow) step(change func(n int, around []int) int) {
	next := make([]int, len(s.points))
	for at, n := range s.points {
		x, y := at%s.size, at/s.size
		var around []int
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			if x+d[0] >= 0 && x+d[0] < s.size && y+d[1] >= 0 && y+d[1] < s.size {
				around = append(around, s.points[(y+d[1])*s.size+x+d[0]])
			}
		}
		next[at] = change(n, around)
	}
	s.points = next
}

func dilation(n int, around []int) int {
	positive, negative := 0, 0
	for _, m := range around {
		if m > 0 {
			positive++
		} else if m < 0 {
			negative++
		}
	}
	switch {
	case n >= 0 && negative == 0:
		return n + positive
	case n <= 0 && positive == 0:
		return n - negative
	}
	return n
}

func erosion(n int, around []int) int {
	for _, m := range around {
		if n > 0 && m <= 0 {
			n--
		} else if n < 0 && m >= 0 {
			n++
		}
	}
	return n
}

// TestAgainstPoints compares all dilations and erosions with the slow ones.
func TestAgainstPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		size := 2 + rng.IntN(18)
		s := slow{size, make([]int, size*size)}
		var stones [2]weiqi.Bitboard
		density := 3 + rng.IntN(20)
		for at := range s.points {
			if c := rng.IntN(density); c < 2 {
				stones[c].Add(weiqi.PointAt(at%size, at/size))
				s.points[at] = 128 - 256*c
			}
		}
		f := newField(weiqi.Board(size), stones[0], stones[1])
		for i := range 5 + 21 {
			if i < 5 {
				f.dilate()
				s.step(dilation)
			} else {
				f.erode()
				s.step(erosion)
			}
			if fmt.Sprint(f.numbers(size)) != fmt.Sprint(s.points) {
				t.Fatalf("step %d on %d lines\n%v, want\n%v", i, size, f.numbers(size), s.points)
			}
		}
	}
}

// A single stone has no territory (1 + n(n-1) erosions undo n dilations).
func TestSingleStone(t *testing.T) {
	for _, at := range []weiqi.Point{weiqi.PointAt(9, 9), weiqi.PointAt(3, 3), weiqi.PointAt(0, 0)} {
		f := newField(weiqi.Board(19), weiqi.At(at), weiqi.Bitboard{})
		for range 5 {
			f.dilate()
		}
		for range 21 {
			f.erode()
		}
		if n := f.black.Count(); n > 1 {
			t.Errorf("%d points of a stone at %d", n, at)
		}
	}
}
