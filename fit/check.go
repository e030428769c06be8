package fit

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kifu/datasets/manifest"
	"kifu/fit/computed"
	"kifu/fit/solve"
	"kifu/internal/human"
)

// Profile summarises the positions of a fit before the fit is made.
type Profile struct {
	Method                    string
	Positions, Games          int
	FirstWins, Draws, SecondW float64
	Counts                    manifest.Counts
	solve.Findings
}

// Check reports everything that prevents a fit, while Run stops at the first cause. Causes are no games, one
// game, only draws, one winner, or an open scale. Weights may never fire, be thin, constant, separable or
// collinear.
func Check(ctx context.Context, p Params, m Means, from Sources) (*Profile, error) {
	return check(ctx, p, m, from, computed.SQL)
}

func check(ctx context.Context, p Params, m Means, from Sources, columns computed.Reader) (profile *Profile, err error) {
	c, err := p.choices()
	if err != nil {
		return nil, err
	}
	in, err := read(ctx, c, m, from, columns)
	out := Profile{Method: c.name}
	if !out.Add(err) {
		return nil, err
	}
	if err != nil { // the scale of a blend
		return &out, nil
	}
	defer func() { err = errors.Join(err, in.close()) }()
	r := in.train.rows
	out.Positions, out.Games, out.Counts = r.Positions(), r.Games, in.counts
	out.FirstWins, out.Draws, out.SecondW = in.train.results.First, in.train.results.Draws, in.train.results.Second
	found, err := solve.Survey(ctx, r, in.settings(m.workers()))
	if err != nil {
		return nil, err
	}
	out.Findings = *found
	return &out, nil
}

// Print writes what a check found.
func (p *Profile) Print(w io.Writer) {
	if Moves(p.Method) {
		fmt.Fprintf(w, "%s: %s decisions of %s games; %d unknowns\n", p.Method, human.Grouped(int64(p.Positions)), human.Grouped(int64(p.Games)), p.Parameters)
	} else {
		fmt.Fprintf(w, "%s: %s positions of %s games: first wins %s, draws %s, second wins %s; %d unknowns\n", p.Method, human.Grouped(int64(p.Positions)), human.Grouped(int64(p.Games)),
			human.Grouped(int64(p.FirstWins)), human.Grouped(int64(p.Draws)), human.Grouped(int64(p.SecondW)), p.Parameters)
	}
	for _, n := range p.Problems {
		fmt.Fprintf(w, "  problem (%s): %s\n", n.Kind, n.Text)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(w, "  note (%s): %s\n", n.Kind, n)
	}
	if len(p.Problems)+len(p.Notes) == 0 {
		fmt.Fprintln(w, "  no problems found")
	}
}
