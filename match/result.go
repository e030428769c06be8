package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// ResultText is the file beside the parts that has the result to be read.
const ResultText = "result.txt"

// Result is what came out of a match, from the side of its first player.
type Result struct {
	Players [2]string `json:"players"`
	Games   int       `json:"games"`
	Tally
	// What only whole pairs tell; nil when there is none.
	Score         *Estimate `json:"score,omitempty"` // points of a game, from 0 to 1
	Elo           *Estimate `json:"elo,omitempty"`
	NormalisedElo *Estimate `json:"normalised_elo,omitempty"`
	Superiority   *float64  `json:"likelihood_of_superiority,omitempty"`
	SPRT          *SPRT     `json:"sprt,omitempty"`
}

// SPRT is how much likelier the games are under the second of two hypotheses.
type SPRT struct {
	Elo0 float64 `json:"normalised_elo_0"`
	Elo1 float64 `json:"normalised_elo_1"`
	LLR  float64 `json:"llr"`
}

func newResult(p Params, t Tally) Result {
	r := Result{Players: [2]string{p.Players[0].Text, p.Players[1].Text}, Games: p.Games, Tally: t}
	if t.Pairs == [5]int64{} {
		return r
	}
	s := newPairStats(t.Pairs)
	score, elo, normalised, superiority := s.score(), s.elo(), s.normalisedElo(), s.superiority()
	r.Score, r.Elo, r.NormalisedElo, r.Superiority = &score, &elo, &normalised, &superiority
	if h := p.SPRT; h != nil {
		r.SPRT = &SPRT{h[0], h[1], s.ratioNormalised(h[0], h[1])}
	}
	return r
}

// String is the table of results.
func (r Result) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "wins\tdraws\tlosses\tpoints\t  player")
	all := sum(r.Sides[0], r.Sides[1])
	row(w, all, r.Players[0])
	row(w, r.Sides[0], "  moving first")
	row(w, r.Sides[1], "  moving second")
	row(w, turned(all), r.Players[1])
	row(w, turned(r.Sides[1]), "  moving first")
	row(w, turned(r.Sides[0]), "  moving second")
	_ = w.Flush() // into memory
	fmt.Fprintf(&b, "pairs by points 0, ½, 1, 1½, 2: %s\n", strings.Trim(fmt.Sprint(r.Pairs), "[]"))
	if r.Elo != nil {
		fmt.Fprintf(&b, "Elo %+.1f (95 %%: %+.1f to %+.1f), normalised %+.1f (%+.1f to %+.1f), likelihood of superiority %.1f %%\n",
			r.Elo.Value, r.Elo.Low, r.Elo.High, r.NormalisedElo.Value, r.NormalisedElo.Low, r.NormalisedElo.High, 100**r.Superiority)
	} else {
		fmt.Fprintln(&b, "no finished pair: nothing to estimate")
	}
	if alike(r.Pairs) {
		fmt.Fprintln(&b, "all pairs made the same points: the intervals say nothing")
	}
	if r.SPRT != nil {
		fmt.Fprintf(&b, "log likelihood ratio of normalised Elo %g against %g: %.3f\n", r.SPRT.Elo1, r.SPRT.Elo0, r.SPRT.LLR)
	}
	fmt.Fprintf(&b, "ends: %s\n", r.ends())
	return b.String()
}

// alike reports whether there are pairs and they all made the same points.
func alike(pairs [5]int64) bool {
	kinds := 0
	for _, n := range pairs {
		if n > 0 {
			kinds++
		}
	}
	return kinds == 1
}

// row writes wins, draws and losses.
func row(w *tabwriter.Writer, wdl [3]int64, name string) {
	fmt.Fprintf(w, "%d\t%d\t%d\t%.1f\t  %s\n", wdl[0], wdl[1], wdl[2], float64(wdl[0])+float64(wdl[1])/2, name)
}

func sum(a, b [3]int64) [3]int64 { return [3]int64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// turned are wins, draws and losses as the opponent sees them.
func turned(wdl [3]int64) [3]int64 { return [3]int64{wdl[2], wdl[1], wdl[0]} }

// ends lists what ended the games, most frequent first.
func (r Result) ends() string {
	rules := slices.SortedFunc(maps.Keys(r.Ends), func(a, b string) int {
		if r.Ends[a] != r.Ends[b] {
			return int(r.Ends[b] - r.Ends[a])
		}
		return strings.Compare(a, b)
	})
	for i, rule := range rules {
		rules[i] = fmt.Sprintf("%s %d", rule, r.Ends[rule])
	}
	return strings.Join(rules, ", ")
}
