package main

import (
	"context"
	"errors"
	"math"
	"os"
	"strconv"

	"kifu/bench/simulation/walk"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/bradley"
	"kifu/report/pairs"
	"kifu/schemas"
)

// pairing: where no pair is special, does kifu report players single one out? And where one is,
// does it come out?
var pairing = study{
	name:    "pairs",
	columns: []string{"a false pair stands out", "before z is divided by its spread", "the planted pair stands out"},
	kinds: []kind{
		league{"six players, nothing special", 6, 0, 0}.kind([][2]float64{{0, 0.08}, {0, 0.1}, {0, 0}}),
		league{"six players, strength changes with the opponent by 0.5", 6, 0.5, 0}.kind([][2]float64{{0, 0.08}, {0.2, 1}, {0, 0}}),
		league{"four players, the same", 4, 0.5, 0}.kind([][2]float64{{0, 0}, {0.1, 1}, {0, 0}}),
		league{"nothing special", 12, 0, 0}.kind([][2]float64{{0, 0.08}, {0, 0.1}, {0, 0}}),
		league{"strength changes with the opponent by 0.5", 12, 0.5, 0}.kind([][2]float64{{0, 0.08}, {0.5, 1}, {0, 0}}),
		league{"the same, one opponent does not suit by 4", 12, 0.5, 4}.kind([][2]float64{{0, 0.1}, {0.4, 1}, {0.3, 1}}),
	},
}

// league is one in which everybody plays everybody, with correct ratings; the lead over an opponent
// beyond the ratings varies by a normal number, log-odds.
type league struct {
	name            string
	players         int
	change, special float64
}

const (
	meetings = 40 // games of a pair
	scale    = 150
)

func (l league) kind(want [][2]float64) kind {
	return kind{l.name, func(ctx context.Context, seed, i uint64) (answers []bool, err error) {
		dir, err := os.MkdirTemp("", "players-")
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		_, _, err = datasets.Build(ctx, dir, datasets.Step{Stage: "simulation", Output: schemas.Games.ID(), Params: [...]uint64{seed, i},
			Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error { return l.write(seed, i, b) }}, datasets.Options{})
		if err != nil {
			return nil, err
		}
		games, err := datasets.Open(dir)
		if err != nil {
			return nil, err
		}
		p := pairs.Params{Sources: []string{"games"}, MinGames: 10, Expectation: pairs.ExpectRatings, FDR: 0.05, Workers: 1}
		found, err := pairs.Find(ctx, p, []*datasets.Dir{games})
		if err != nil {
			return nil, err
		}
		return l.answers(found), nil
	}, want}
}

// answers reports what a report shows. Before z was divided a pair stood out if the p of its z passed among
// all by Benjamini and Hochberg: the least p times the number of pairs is a bound of that.
func (l league) answers(found []pairs.Found) []bool {
	out := make([]bool, 3)
	for _, k := range found {
		special := l.special > 0 && (k.A == "0" && k.B == "1" || k.A == "1" && k.B == "0")
		out[0] = out[0] || k.StandsOut && !special
		out[1] = out[1] || !special && math.Erfc(math.Abs(k.Raw)/math.Sqrt2)*float64(len(found)) <= 0.05
		out[2] = out[2] || k.StandsOut && special
	}
	return out
}

// write plays the league.
func (l league) write(seed, i uint64, out *datasets.Builder) error {
	rng := walk.Source(seed, i)
	curve := bradley.Curve{Advantage: 0.2, Draws: 0.6}
	out.SetMeta("game", "simulation")
	out.SetTable(schemas.Table{Name: schemas.Games.Name, Version: schemas.Games.Version, Columns: []schemas.Column{
		{Name: "first_player", Type: schemas.String}, {Name: "second_player", Type: schemas.String},
		{Name: "first_elo", Type: schemas.Int16}, {Name: "second_elo", Type: schemas.Int16},
		{Name: "variant", Type: schemas.String}, {Name: "result", Type: schemas.String},
	}})
	w, err := out.Part(0)
	if err != nil {
		return err
	}
	b := columns.NewBatch(out.Table())
	strength := make([]float64, l.players)
	for p := range strength {
		strength[p] = rng.NormFloat64()
	}
	for a := range l.players {
		for c := range a {
			ahead := strength[a] - strength[c] + l.change*rng.NormFloat64()
			if a == 1 && c == 0 {
				ahead += l.special
			}
			for game := range meetings {
				first, second, x := a, c, ahead
				if game%2 == 1 {
					first, second, x = c, a, -ahead
				}
				o, result, u := curve.At(x+curve.Advantage), "second", rng.Float64()
				switch {
				case u < o.Win:
					result = "first"
				case u < o.Win+o.Draw:
					result = "draw"
				}
				b.Col("first_player").AppendString(strconv.Itoa(first))
				b.Col("second_player").AppendString(strconv.Itoa(second))
				b.Col("first_elo").AppendInt32(int32(math.Round(2000 + scale*strength[first])))
				b.Col("second_elo").AppendInt32(int32(math.Round(2000 + scale*strength[second])))
				b.Col("variant").AppendString("standard")
				b.Col("result").AppendString(result)
				b.Rows++
			}
		}
	}
	return w.CloseWith(b, manifest.Counts{}, nil)
}
