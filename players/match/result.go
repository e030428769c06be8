package match

import (
	"fmt"
	"kifu/internal/elo"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"kifu/players/match/pentanomial"
)

// ResultText is the name of the file next to the parts with the readable result.
const ResultText = "result.txt"

// Result is the result of the meeting of two players, from the side of the first one.
type Result struct {
	Players [2]string `json:"players"`
	Tally
	// MeanPoints per game are the papers', 2 for a win and 1 for a draw; nil when
	// no game was finished.
	MeanPoints *float64 `json:"mean_points,omitempty"`
	// Statistics of whole pairs; nil when there are none.
	Score         *pentanomial.Estimate `json:"score,omitempty"` // points per game, from 0 to 1
	Elo           *pentanomial.Estimate `json:"elo,omitempty"`
	NormalisedElo *pentanomial.Estimate `json:"normalised_elo,omitempty"`
	Superiority   *float64              `json:"likelihood_of_superiority,omitempty"`
	Usual         *pentanomial.Usual    `json:"usual,omitempty"`
	SPRT          *pentanomial.SPRT     `json:"sprt,omitempty"`
	Ratings       *[2]elo.Rating        `json:"ratings,omitempty"` // by the games of this meeting alone

	seats [2]int // of the players in the list
}

func newResult(players [2]string, t Tally, test *pentanomial.Test) Result {
	r := Result{Players: players, Tally: t, MeanPoints: meanPoints(t.all())}
	if test != nil {
		s := test.Ended(t.Seen.tested())
		r.SPRT = &s
	}
	if t.Pairs.N() == 0 {
		return r
	}
	if u, ok := pentanomial.Usually(t.Pairs); ok {
		r.Usual = &u
	}
	m := pentanomial.Measure(t.Pairs, t.Seen.clusters())
	score, elo, normalised, superiority := m.Score(), m.Elo(), m.NormalisedElo(), m.Superiority()
	r.Score, r.Elo, r.NormalisedElo, r.Superiority = &score, &elo, &normalised, &superiority
	return r
}

// meanPoints returns the mean points per game, nil without games.
func meanPoints(wdl [3]int64) *float64 {
	n := wdl[0] + wdl[1] + wdl[2]
	if n == 0 {
		return nil
	}
	mean := float64(2*wdl[0]+wdl[1]) / float64(n)
	return &mean
}

// String returns the table of results.
func (r Result) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "wins\tdraws\tlosses\tpoints\tscore\t  player")
	all := r.all()
	row(w, all, r.Players[0])
	row(w, r.Sides[0], "  moving first")
	row(w, r.Sides[1], "  moving second")
	row(w, turned(all), r.Players[1])
	row(w, turned(r.Sides[1]), "  moving first")
	row(w, turned(r.Sides[0]), "  moving second")
	_ = w.Flush() // into memory
	fmt.Fprintf(&b, "pairs by points 0, ½, 1, 1½, 2: %s\n", strings.Trim(fmt.Sprint(r.Pairs), "[]"))
	fmt.Fprintln(&b, r.estimates())
	if r.Elo != nil {
		fmt.Fprintln(&b, r.Seen.sentence(all[0]+all[1]+all[2]+r.Unfinished, r.Pairs.N()))
	}
	if r.Usual != nil {
		fmt.Fprintln(&b, "as fishtest and fastchess count:", r.Usual)
	}
	if r.Pairs.Alike() {
		fmt.Fprintln(&b, "all pairs made the same points: the intervals assume that a pair can also be lost or won completely")
	}
	if r.SPRT != nil {
		fmt.Fprintln(&b, r.SPRT)
		fmt.Fprint(&b, r.Seen.ofTest(r.Pairs.N()))
	}
	fmt.Fprintf(&b, "ends: %s\n", r.ends())
	return b.String()
}

// estimates returns the estimates from the pairs, in a line.
func (r Result) estimates() string {
	if r.Elo == nil {
		return "no finished pair: nothing to estimate"
	}
	return fmt.Sprintf("Elo %+.1f (95 %%: %+.1f to %+.1f), normalised %+.1f (%+.1f to %+.1f), likelihood of superiority %.1f %%",
		r.Elo.Value, r.Elo.Low, r.Elo.High, r.NormalisedElo.Value, r.NormalisedElo.Low, r.NormalisedElo.High, 100**r.Superiority)
}

// running returns the score of a match of two players so far, for its progress.
func (t *Tally) running(test *pentanomial.Test) string {
	all := t.all()
	text := fmt.Sprintf("+%d =%d -%d", all[0], all[1], all[2])
	if u, ok := pentanomial.Usually(t.Pairs); ok {
		text += fmt.Sprintf(", Elo %+.1f ± %.1f", u.Elo, u.EloError)
	}
	if test != nil && t.Pairs.N() > 0 {
		s := test.SPRT(t.Seen.tested())
		text += fmt.Sprintf(", LLR %.2f (%.2f, %.2f)", s.LLR, s.Lower, s.Upper)
	}
	return text
}

// row writes wins, draws and losses.
func row(w *tabwriter.Writer, wdl [3]int64, name string) {
	score := "-"
	points, games := float64(wdl[0])+float64(wdl[1])/2, wdl[0]+wdl[1]+wdl[2]
	if games > 0 {
		score = fmt.Sprintf("%.3f", points/float64(games))
	}
	fmt.Fprintf(w, "%d\t%d\t%d\t%.1f\t%s\t  %s\n", wdl[0], wdl[1], wdl[2], points, score, name)
}

func sum(a, b [3]int64) [3]int64 { return [3]int64{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// turned returns wins, draws and losses as the opponent sees them.
func turned(wdl [3]int64) [3]int64 { return [3]int64{wdl[2], wdl[1], wdl[0]} }

// rules returns the rules that ended the games, most frequent first.
func (t *Tally) rules() []string {
	return slices.SortedFunc(maps.Keys(t.Ends), func(a, b string) int {
		if t.Ends[a] != t.Ends[b] {
			return int(t.Ends[b] - t.Ends[a])
		}
		return strings.Compare(a, b)
	})
}

// ends lists the rules that ended the games.
func (t *Tally) ends() string {
	rules := t.rules()
	for i, rule := range rules {
		rules[i] = fmt.Sprintf("%s %d", rule, t.Ends[rule])
	}
	return strings.Join(rules, ", ")
}
