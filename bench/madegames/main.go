// Madegames writes a dataset of many games of chess that begin as real ones do, for timing kifu tree and what reads trees.
//
//	go run ./bench/madegames -games 10000000 -out /var/tmp/made GAMES
//
// A made game plays 6 to 40 plies of a game of GAMES, whose players, date and result it has. The moves after them are legal
// ones up to ply 60, of which some are played far more often than others. Ratings are drawn from 1800 to 2700. The bytes do not
// depend on the number of processors.
package main

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"

	"golang.org/x/sync/errgroup"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/games/chess"
	"kifu/schemas"
)

type params struct {
	Games int64
	Plies int
	Seed  uint64
}

const (
	perPart  = 1 << 18
	rowGroup = 1 << 14
)

func main() {
	var p params
	flag.Int64Var(&p.Games, "games", 10_000_000, "number of games")
	flag.IntVar(&p.Plies, "plies", 60, "moves of each, at most")
	flag.Uint64Var(&p.Seed, "seed", 1, "seed")
	out := flag.String("out", "", "directory")
	flag.Parse()
	_, _, err := datasets.Build(context.Background(), *out, datasets.Step{
		Stage: "ingest", Output: schemas.Games.ID(), Params: p, Inputs: flag.Args(),
		Run: func(_ context.Context, in []*datasets.Dir, b *datasets.Builder) error { return write(p, in, b) },
	}, datasets.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "madegames:", err)
		os.Exit(1)
	}
}

// real is what a made game takes from a real one.
type real struct{ first, second, date, result, moves string }

func write(p params, in []*datasets.Dir, b *datasets.Builder) error {
	b.SetTable(schemas.Games)
	b.SetMeta("game", "chess")
	all, err := read(in)
	if err != nil {
		return err
	}
	work := new(errgroup.Group)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for part := range int((p.Games + perPart - 1) / perPart) {
		if _, done := b.Done(part); done {
			continue
		}
		work.Go(func() error {
			m := &maker{p: p, real: all, r: rand.New(rand.NewPCG(p.Seed, uint64(part))), unroller: games.NewUnroller(chess.Rules{})}
			return m.part(b, part)
		})
	}
	return work.Wait()
}

// read returns the games from the usual start.
func read(in []*datasets.Dir) (all []real, err error) {
	for _, d := range in {
		b := columns.NewBatch(d.Table, "first_player", "second_player", "date", "result", "moves", "start_position")
		for _, err := range d.Groups(b) {
			if err != nil {
				return nil, err
			}
			text := func(name string, row int) string { return string(b.Col(name).Value(row)) }
			for row := range b.Rows {
				if b.Col("start_position").IsNull(row) {
					all = append(all, real{text("first_player", row), text("second_player", row), text("date", row), text("result", row), text("moves", row)})
				}
			}
		}
	}
	return all, nil
}

// maker makes the games of a part.
type maker struct {
	p        params
	real     []real
	r        *rand.Rand
	unroller *games.Unroller[chess.Position]
	legal    []games.Move
	codes    []byte
}

func (m *maker) part(b *datasets.Builder, part int) error {
	w, err := b.Part(part)
	if err != nil {
		return err
	}
	batch := columns.NewBatch(b.Table())
	first := int64(part) * perPart
	last := min(first+perPart, m.p.Games)
	for id := first; id < last; id++ {
		if err := m.game(batch, id); err != nil {
			w.Abort()
			return err
		}
		if batch.Rows < rowGroup && id < last-1 {
			continue
		}
		g, err := w.Encode(batch)
		if err == nil {
			err = w.Append(g)
		}
		if err != nil {
			w.Abort()
			return err
		}
		batch.Reset()
	}
	return w.Close(manifest.Counts{Read: last - first, Written: last - first}, nil)
}

// game appends a game.
func (m *maker) game(b *columns.Batch, id int64) error {
	from := &m.real[m.r.IntN(len(m.real))]
	taken := min(2*(6+m.r.IntN(35)), len(from.moves))
	m.codes = append(m.codes[:0], from.moves[:taken]...)
	start, err := m.unroller.Start([]byte("standard"), nil)
	if err != nil {
		return err
	}
	position, err := m.unroller.Play(start, m.codes, func(chess.Position, games.Move) {})
	if err != nil {
		return err
	}
	for len(m.codes) < 2*m.p.Plies {
		m.legal = position.AppendMoves(m.legal[:0])
		if len(m.legal) == 0 {
			break
		}
		u := m.r.Float64()
		move := m.legal[int(u*u*u*float64(len(m.legal)))]
		m.codes = binary.LittleEndian.AppendUint16(m.codes, chess.Rules{}.PackMove(position, move))
		position = position.Play(move)
	}
	texts := map[string]string{"game": "chess", "source_file": "made", "first_player": from.first, "second_player": from.second,
		"date": from.date, "variant": "standard", "result": from.result}
	for i := range b.Cols {
		m.cell(&b.Cols[i], b.Table.Columns[i].Name, id, texts)
	}
	b.Rows++
	return nil
}

// cell appends the value of the column of that name; texts has those of texts.
func (m *maker) cell(v *columns.Vec, name string, id int64, texts map[string]string) {
	switch name {
	case "game_id", "source_offset":
		v.AppendInt64(id)
	case "first_elo", "second_elo":
		v.AppendInt32(int32(1800 + m.r.IntN(901)))
	case "ply_count":
		v.AppendInt32(int32(len(m.codes) / 2))
	case "moves":
		v.AppendBytes(m.codes)
	case "tags":
		v.EndMap()
	default:
		if text := texts[name]; text != "" {
			v.AppendString(text)
		} else {
			v.AppendNull()
		}
	}
}
