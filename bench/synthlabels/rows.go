package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/schemas"
)

// generator writes the rows of a part.
type generator struct {
	p      params
	r      *rand.Rand
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
func (g *generator) game(b *columns.Batch, h head) {
	const openStep, safetyStep = 0.20, 0.12 // s of the two parts of a step, in log odds
	open, safety := 0.0, 0.0
	for ply := range h.plies {
		if ply > 0 {
			open += h.sign*openStep*openStep/2 + openStep*g.r.NormFloat64()
			safety += h.sign*safetyStep*safetyStep/2 + safetyStep*g.r.NormFloat64()
		}
		g.row(b, h, ply, open*g.p.Scale, safety*g.p.Scale)
		b.Rows++
	}
}

func (g *generator) row(b *columns.Batch, h head, ply int, open, safety float64) {
	at := g.places[g.r.IntN(len(g.places))]
	for i := range b.Cols {
		v := &b.Cols[i]
		switch name := v.Column.Name; name {
		case "game_id":
			v.AppendInt64(h.id)
		case "ply":
			v.AppendInt32(int32(ply))
		case "first_to_move":
			v.AppendBool(ply%2 == 0)
		case "move":
			v.AppendString(at.moves[g.r.IntN(len(at.moves))])
		case "hash":
			v.AppendUint64(g.hash(h, ply))
		case "board":
			v.AppendBytes(at.board)
		case "result":
			v.AppendString(h.result)
		case "comment_value", "clock_ms":
			v.AppendNull()
		case "first_elo", "second_elo":
			v.AppendInt32(int32(1500 + h.id%900))
		case "static_value":
			v.AppendFloat32(g.round(open + safety + 60*g.r.NormFloat64()))
		case "quiescence_value":
			v.AppendFloat32(g.round(open + safety))
		case "blind_value":
			v.AppendFloat32(g.round(open))
		case "king_safety":
			v.AppendFloat32(g.round(safety))
		case "leaf_phase":
			v.AppendInt32(int32(max(0, 24-ply/4)))
		case "features":
			v.AppendBytes(g.features())
		default:
			if v.Column.Type == schemas.Int16 {
				v.AppendInt32(int32(g.r.IntN(3)))
			} else {
				v.AppendFloat32(g.round(30 * g.r.NormFloat64()))
			}
		}
	}
}

func (g *generator) features() []byte {
	var features []eval.Feature
	term := uint32(g.r.IntN(termGap))
	for range g.p.Features {
		features = append(features, eval.Feature{Term: term, Count: int16(g.r.IntN(5) - 2)})
		term += uint32(1 + g.r.IntN(termGap))
	}
	return eval.AppendPacked(nil, features)
}

// hash is another one for every position.
func (g *generator) hash(h head, ply int) uint64 {
	if g.p.Lean {
		return uint64(h.id)<<8 | uint64(ply)
	}
	return g.r.Uint64()
}

// round is to the hundredth, as evaluators give values; lean ones round to the whole.
func (g *generator) round(v float64) float32 {
	if g.p.Lean {
		return float32(math.Round(v))
	}
	return float32(math.Round(v*100) / 100)
}

// writeGames writes the games that the labels are of.
func writeGames(p params, b *datasets.Builder) error {
	b.SetTable(schemas.Games)
	b.SetMeta("game", "chess")
	return p.eachPart(b, func(part int, first int64, w *partWriter) error {
		return p.eachGame(part, first, func(h head) error { return w.take(func(b *columns.Batch) { gameRow(b, h) }) })
	})
}

func gameRow(b *columns.Batch, h head) {
	for i := range b.Cols {
		v := &b.Cols[i]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(h.id)
		case "game":
			v.AppendString("chess")
		case "source_file", "variant":
			v.AppendString("standard")
		case "source_offset":
			v.AppendInt64(0)
		case "first_player":
			v.AppendString(fmt.Sprintf("Player %d", h.first))
		case "second_player":
			v.AppendString(fmt.Sprintf("Player %d", h.second))
		case "result":
			v.AppendString(h.result)
		case "ply_count":
			v.AppendInt32(int32(h.plies - 1))
		case "moves":
			v.AppendBytes(nil)
		case "tags":
			v.EndMap()
		default:
			v.AppendNull()
		}
	}
	b.Rows++
}
