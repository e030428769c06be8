package parts

import (
	"fmt"

	"kifu/games"
	"kifu/internal/human"
	"kifu/report/shape"
)

// Tally counts games by their results; First and Second are wins.
type Tally struct {
	All, First, Draws, Second int64
	Sides                     [2]string // their names, for Words
}

// Words writes the counts with the names of the sides.
func (t Tally) Words() string {
	return fmt.Sprintf("%s wins %d, draws %d, %s wins %d", t.Sides[0], t.First, t.Draws, t.Sides[1], t.Second)
}

// Of returns the games with a result, or with "" all of them.
func (t Tally) Of(result string) Tally {
	switch result {
	case "first":
		return Tally{All: t.First, First: t.First}
	case "draw":
		return Tally{All: t.Draws, Draws: t.Draws}
	case "second":
		return Tally{All: t.Second, Second: t.Second}
	}
	return t
}

// Join adds the games of another tally.
func (t *Tally) Join(o Tally) {
	t.All, t.First, t.Draws, t.Second = t.All+o.All, t.First+o.First, t.Draws+o.Draws, t.Second+o.Second
}

func (t *Tally) Add(result games.Outcome) {
	t.All++
	switch result {
	case games.FirstWins:
		t.First++
	case games.Drawn:
		t.Draws++
	case games.SecondWins:
		t.Second++
	}
}

// fewResults is the number of results below which a score has its interval.
const fewResults = 400

// Score is the first player's share of the points in percent, of few games with its 95 % interval.
func (t Tally) Score() string {
	n := t.First + t.Draws + t.Second
	if n == 0 {
		return "–"
	}
	score, low, high := shape.ScoreOf(t.First, t.Draws, t.Second)
	if n >= fewResults {
		return human.Fixed(100*score, 1)
	}
	return fmt.Sprintf("%s (%.0f to %.0f)", human.Fixed(100*score, 1), 100*low, 100*high)
}

// Bar is where the parts of a bar begin, in percent of the games with a result: draws, and
// the second player's wins.
func (t Tally) Bar() [4]string {
	n := float64(max(1, t.First+t.Draws+t.Second))
	first, draws, second := 100*float64(t.First)/n, 100*float64(t.Draws)/n, 100*float64(t.Second)/n
	write := func(v float64) string { return fmt.Sprintf("%.2f", v) }
	return [4]string{write(first), write(draws), write(first + draws), write(second)}
}
