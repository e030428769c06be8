package rows_test

import (
	"math"
	"reflect"
	"testing"

	"kifu/eval"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/meat"
	"kifu/fit/rows"
)

// TestSubset: a part of the games, or every third row, is as if the others had never been read.
func TestSubset(t *testing.T) {
	s := fittest.Small()
	d := rows.NewDesign(s.Present, fittest.Between(1, s.Terms), nil, []string{"x"})
	keep := func(id int64) bool { return id%3 != 1 }
	all, some, third := rows.NewBuilder(d), rows.NewBuilder(d), rows.NewBuilder(d)
	n := 0
	s.Play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &rows.Row{Game: int64(game), Phase: phase, Weight: float64(1 + game%2), Value: s.Present.Score(features, phase), Dense: []float64{float64(phase % 5)}, Stratum: uint8(phase)}
		for _, f := range features {
			if f.Term > 0 {
				x.Features = append(x.Features, rows.Count{Slot: f.Term - 1, N: f.Count})
			}
		}
		if won {
			x.Y = 1
		}
		all.Add(x)
		if keep(x.Game) {
			some.Add(x)
		}
		if n%3 == 0 {
			third.Add(x)
		}
		n++
	})
	r := all.Finish()
	for _, pair := range [][2]*rows.Store{{r.Subset(keep), some.Finish()}, {r.Every(3), third.Finish()}} {
		got, want := pair[0], pair[1]
		if got.N != want.N || got.Games != want.Games || got.Weight != want.Weight {
			t.Fatalf("%d rows of %d games, weight %v; want %d of %d, %v", got.N, got.Games, got.Weight, want.N, want.Games, want.Weight)
		}
		a, b := got.All(), want.All()
		for i := range a {
			if !reflect.DeepEqual(a[i], b[i]) {
				t.Fatalf("row %d is %+v, want %+v", i, a[i], b[i])
			}
		}
	}
}

// TestGamesApart: rows of a game that do not lie together are put together.
func TestGamesApart(t *testing.T) {
	s := fittest.Small()
	d := rows.NewDesign(s.Present, fittest.Between(1, s.Terms), nil, nil)
	near, far := rows.NewBuilder(d), rows.NewBuilder(d)
	var later []*rows.Row
	s.Play(func(game int, features []eval.Feature, phase int, won bool) {
		x := &rows.Row{Game: int64(game), Phase: phase, Weight: 1, Value: s.Present.Score(features, phase)}
		for _, f := range features {
			if f.Term > 0 {
				x.Features = append(x.Features, rows.Count{Slot: f.Term - 1, N: f.Count * 20}) // beyond the table of small counts
			}
		}
		if won {
			x.Y = 1
		}
		near.Add(x)
		if phase%2 == 0 {
			far.Add(x)
		} else {
			later = append(later, x)
		}
	})
	for _, x := range later {
		far.Add(x)
	}
	a, b := near.Finish(), far.Finish()
	sa, sb := a.Supports(2), b.Supports(2)
	for i := range sa { // sums in another order
		if math.Abs(sa[i].Squares-sb[i].Squares) > 1e-9*sa[i].Squares {
			t.Errorf("squares %v, %v", sa[i].Squares, sb[i].Squares)
		}
		sa[i].Squares, sb[i].Squares = 0, 0
	}
	if a.N != b.N || a.Games != b.Games || !reflect.DeepEqual(sa, sb) {
		t.Fatalf("%d rows of %d games, %d of %d", a.N, a.Games, b.N, b.Games)
	}
	var active = fittest.Between(0, d.Scale()+1)
	theta := make([]float64, len(active))
	theta[d.Scale()] = s.Scale
	var columns [][]rows.Entry
	for _, j := range active {
		columns = append(columns, []rows.Entry{{At: j, Share: 1}})
	}
	u := rows.NewUnknowns(d, make([]float64, len(active)), columns)
	ma, _ := meat.Of(a, losses.Logistic{}, theta, u, 1).Meats(len(u.Columns), nil, nil, nil, nil, 1)
	mb, _ := meat.Of(b, losses.Logistic{}, theta, u, 1).Meats(len(u.Columns), nil, nil, nil, nil, 1)
	for i := range active {
		for j := range active {
			if x, y := ma.At(i, j), mb.At(i, j); math.Abs(x-y) > 1e-9*(1+math.Abs(x)) {
				t.Fatalf("scores of games %d %d: %v, %v", i, j, x, y)
			}
		}
	}
}
