// Synthlabels writes a labels dataset of any size whose true evaluation curve is
// known, for timing and for trying reports.
//
//	go run ./bench/synthlabels -rows 10000000 -out /var/tmp/labels
//
// A game is decided by a fair coin, and its value is a random walk of log-likelihood
// ratios of the coin: each ply adds N(±s²/2, s²), + when the first player will win. By
// Bayes' rule the win probability at value v is then exactly 1/(1+exp(-v/scale)) at
// every ply. Part of each step is booked to the group king_safety, which the column
// blind_value lacks, so its conditioned curves split. Boards are positions of games played at
// random, and moves are legal, so that reports can draw them; neither has to do with the values.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"kifu/datasets"
	"kifu/eval"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/schemas"
)

type params struct {
	Rows     int64   // at least: the last game is finished
	Parts    int     // of equal size
	Features int     // mean number a row
	Draws    float64 // share of drawn games
	Scale    float64 // of the curve, in centipawns
	Seed     uint64
}

var groups = []string{"material", "piece_square", "mobility", "pawns", "passed_pawns", "king_safety", "bishops", "rooks", "threats", "tempo"}

var pieces = []schemas.GameColumn{
	{Name: "phase"}, {Name: "white_pawns"}, {Name: "black_pawns"}, {Name: "white_knights"}, {Name: "black_knights"},
	{Name: "white_bishops"}, {Name: "black_bishops"}, {Name: "white_rooks"}, {Name: "black_rooks"},
	{Name: "white_queens"}, {Name: "black_queens"},
}

const rowGroup = 1 << 16

func main() {
	var p params
	flag.Int64Var(&p.Rows, "rows", 10_000_000, "number of labels")
	flag.IntVar(&p.Parts, "parts", 8, "number of parts")
	flag.IntVar(&p.Features, "features", 24, "features a row")
	flag.Float64Var(&p.Draws, "draws", 0.3, "share of drawn games")
	flag.Float64Var(&p.Scale, "scale", 180, "scale of the curve")
	flag.Uint64Var(&p.Seed, "seed", 1, "seed")
	out := flag.String("out", "", "directory")
	flag.Parse()
	_, _, err := datasets.Build(context.Background(), *out, datasets.Step{
		Stage: "label", Output: "labels/v2", Params: p,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error { return write(p, b) },
	}, datasets.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "synthlabels:", err)
		os.Exit(1)
	}
}

func write(p params, b *datasets.Builder) error {
	b.SetTable(schemas.Labels(schemas.Positions(board.Of(chess.Rules{}).BoardSize(), pieces, false),
		[]string{"static_value", "quiescence_value", "blind_value"}, groups, "quiescence_value"))
	for k, v := range map[string]string{"game": "chess", "unit": "centipawns", "leaf": "quiescence_value", "groups": strings.Join(groups, ",")} {
		b.SetMeta(k, v)
	}
	places, err := randomPlaces(4096)
	if err != nil {
		return err
	}
	g := &generator{p: p, r: rand.New(rand.NewPCG(p.Seed, 0)), places: places}
	for i := range p.Parts {
		w, err := b.Part(i)
		if err != nil {
			return err
		}
		var written int64
		batch := datasets.NewBatch(b.Table())
		for written < p.Rows/int64(p.Parts) {
			batch.Reset()
			for batch.Rows < rowGroup && written+int64(batch.Rows) < p.Rows/int64(p.Parts) {
				g.game(batch)
			}
			rg, err := w.Encode(batch)
			if err == nil {
				err = w.Append(rg)
			}
			if err != nil {
				return err
			}
			written += int64(batch.Rows)
		}
		if err := w.Close(datasets.Counts{Read: written, Written: written}, nil); err != nil {
			return err
		}
	}
	return nil
}

type generator struct {
	p      params
	r      *rand.Rand
	id     int64
	places []place
}

// place is a position with its legal moves in coordinates.
type place struct {
	board []byte
	moves []string
}

// randomPlaces are positions of games played at random.
func randomPlaces(n int) (all []place, err error) {
	g, r := board.Of(chess.Rules{}), rand.New(rand.NewPCG(1, 2))
	for len(all) < n {
		b, err := g.Start("", "")
		if err != nil {
			return nil, err
		}
		for range 80 {
			moves := b.Moves()
			if len(moves) == 0 || len(all) == n {
				break
			}
			p := place{board: b.Pack(nil)}
			for _, m := range moves {
				p.moves = append(p.moves, string(m.AppendCoordinates(nil)))
			}
			all = append(all, p)
			b = moves[r.IntN(len(moves))].Play()
		}
	}
	return all, nil
}

// game appends the positions of one game.
func (g *generator) game(b *datasets.Batch) {
	const openStep, safetyStep = 0.20, 0.12 // s of the two parts of a step, in log odds
	sign, result := -1.0, "second"
	if g.r.Float64() < 0.5 {
		sign, result = 1, "first"
	}
	if g.r.Float64() < g.p.Draws {
		result = "draw"
	}
	n := 30 + g.r.IntN(80)
	open, safety := 0.0, 0.0
	for ply := range n {
		if ply > 0 {
			open += sign*openStep*openStep/2 + openStep*g.r.NormFloat64()
			safety += sign*safetyStep*safetyStep/2 + safetyStep*g.r.NormFloat64()
		}
		g.row(b, ply, result, open*g.p.Scale, safety*g.p.Scale)
		b.Rows++
	}
	g.id++
}

func (g *generator) row(b *datasets.Batch, ply int, result string, open, safety float64) {
	at := g.places[g.r.IntN(len(g.places))]
	for i := range b.Cols {
		v := &b.Cols[i]
		switch name := v.Column.Name; name {
		case "game_id":
			v.AppendInt64(g.id)
		case "ply":
			v.AppendInt32(int32(ply))
		case "first_to_move":
			v.AppendBool(ply%2 == 0)
		case "move":
			v.AppendString(at.moves[g.r.IntN(len(at.moves))])
		case "hash":
			v.AppendUint64(g.r.Uint64())
		case "board":
			v.AppendBytes(at.board)
		case "result":
			v.AppendString(result)
		case "comment_value", "clock_ms":
			v.AppendNull()
		case "first_elo", "second_elo":
			v.AppendInt32(int32(1500 + g.id%900))
		case "static_value":
			v.AppendFloat32(round(open + safety + 60*g.r.NormFloat64()))
		case "quiescence_value":
			v.AppendFloat32(round(open + safety))
		case "blind_value":
			v.AppendFloat32(round(open))
		case "king_safety":
			v.AppendFloat32(round(safety))
		case "leaf_phase":
			v.AppendInt32(int32(max(0, 24-ply/4)))
		case "features":
			v.AppendBytes(g.features())
		default:
			if v.Column.Type == schemas.Int16 {
				v.AppendInt32(int32(g.r.IntN(3)))
			} else {
				v.AppendFloat32(round(30 * g.r.NormFloat64()))
			}
		}
	}
}

func (g *generator) features() []byte {
	var features []eval.Feature
	term := uint32(0)
	for range g.p.Features {
		term += uint32(1 + g.r.IntN(20))
		features = append(features, eval.Feature{Term: term, Count: int16(g.r.IntN(5) - 2)})
	}
	return eval.AppendPacked(nil, features)
}

// round is to the hundredth, as evaluators give values.
func round(v float64) float32 { return float32(math.Round(v*100) / 100) }
