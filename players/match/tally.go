package match

import "kifu/players/match/pentanomial"

// Tally counts the results of a meeting, all from the side of its first player. The order
// of additions does not matter.
type Tally struct {
	// Sides are the wins, draws and losses when moving first, and when moving second.
	Sides [2][3]int64 `json:"sides"`
	// Pairs are the numbers of pairs of finished games by their points: 0, ½, … 2.
	Pairs      pentanomial.Pairs `json:"pairs"`
	Unfinished int64             `json:"unfinished"`
	Ends       map[string]int64  `json:"ends"` // games by the rule that ended them
	Plies      int64             `json:"plies"`
	// Seen is of the whole match alone, not of its parts.
	Seen Seen `json:"seen,omitzero"`
}

func (t *Tally) count(g *record) {
	if t.Ends == nil {
		t.Ends = map[string]int64{}
	}
	rule := g.rule
	if g.rule == adjudication && g.why == "draw" {
		rule += " (draw)"
	}
	t.Ends[rule]++
	t.Plies += int64(g.plies)
	if n, ok := g.halves(); ok {
		t.Sides[g.firstMover()][2-n]++
	} else {
		t.Unfinished++
	}
}

// pair counts the two games of a pair.
func (t *Tally) pair(a, b *record) {
	m, ok := a.halves()
	n, too := b.halves()
	if ok && too {
		t.Pairs[m+n]++
	}
}

func (t *Tally) add(o Tally) {
	for i := range t.Sides {
		for j := range t.Sides[i] {
			t.Sides[i][j] += o.Sides[i][j]
		}
	}
	for i := range t.Pairs {
		t.Pairs[i] += o.Pairs[i]
	}
	t.Unfinished += o.Unfinished
	t.Plies += o.Plies
	if t.Ends == nil {
		t.Ends = map[string]int64{}
	}
	for rule, n := range o.Ends {
		t.Ends[rule] += n
	}
}

// all returns the wins, draws and losses on either side.
func (t *Tally) all() [3]int64 { return sum(t.Sides[0], t.Sides[1]) }
