// Package find looks for positions in games: by hash, by the pieces on the board, by a pattern.
// Games go in; out comes, for each game that has such a position, the first one, with the move
// that was played there.
//
// Games are replayed on several workers, ten million positions in a few seconds. Positions and labels
// need no replay: they are searched by SQL (query/boards), and at once if sorted by hash.
package find

import (
	"context"
	"encoding/binary"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/board"
)

// Query chooses positions: all fields that are set must hold.
type Query struct {
	Hashes   []uint64 // one of these; nil: any
	Material *board.Material
	Pattern  *board.Pattern
	Games    func(id int64) bool // in which games; nil: in all
}

// Hit is the first such position of a game.
type Hit struct {
	Game        int64
	Hash        uint64
	Ply         int32
	FirstToMove bool
	Move        string // played there, as records write it; "" after the last
	Result      games.Outcome
}

// Run calls take with the hits of the games of in, in their order. It returns how many games
// were looked at, and those that could not be replayed by reason.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], q Query, workers int, in *datasets.Dir, take func(Hit) error) (datasets.Counts, error) {
	var counts datasets.Counts
	if err := in.Want("games"); err != nil {
		return counts, err
	}
	type piece struct {
		hits   []Hit
		counts datasets.Counts
	}
	seekers := make([]*seeker[P], max(workers, 1))
	for i := range seekers {
		seekers[i] = newSeeker(rules, q, in)
	}
	err := datasets.Each(ctx, in, len(seekers), "find", "games", func(worker int, group datasets.Group, emit func(piece) error) error {
		s := seekers[worker]
		if err := group.Read(s.batch); err != nil {
			return err
		}
		var p piece
		for i := range s.batch.Rows {
			if q.Games != nil && !q.Games(s.batch.Col("game_id").Int64[i]) {
				continue
			}
			p.counts.Read++
			hit, found, err := s.game(i)
			switch {
			case err != nil:
				p.counts.Reject(string(games.ReasonOf(err)), 1)
			case found:
				p.counts.Written++
				p.hits = append(p.hits, hit)
			}
		}
		return emit(p)
	}, func(p piece) error {
		counts.Add(p.counts)
		for _, h := range p.hits {
			if err := take(h); err != nil {
				return err
			}
		}
		return nil
	})
	return counts, err
}

// seeker is one worker.
type seeker[P games.Position[P]] struct {
	rules    games.Rules[P]
	drawer   games.Drawer[P]
	hands    games.Hands[P]        // nil: none
	counter  games.PieceCounter[P] // nil: each cell is looked at
	pieces   int                   // of q.Material
	unroller *games.Unroller[P]
	q        Query
	batch    *columns.Batch
	cells    []uint8
}

func newSeeker[P games.Position[P]](rules games.Rules[P], q Query, in *datasets.Dir) *seeker[P] {
	s := &seeker[P]{rules: rules, unroller: games.NewUnroller(rules), q: q,
		batch: columns.NewBatch(in.Table, "game_id", "variant", "start_position", "result", "moves")}
	s.drawer, _ = rules.(games.Drawer[P])
	s.hands, _ = rules.(games.Hands[P])
	s.counter, _ = rules.(games.PieceCounter[P])
	if q.Material != nil {
		s.pieces = q.Material.Total()
	}
	return s
}

// game replays game i of the batch up to its first wanted position.
func (s *seeker[P]) game(i int) (h Hit, found bool, err error) {
	start := s.batch.Col("start_position")
	var position []byte
	if !start.IsNull(i) {
		position = start.Value(i)
	}
	p, err := s.unroller.Start(s.batch.Col("variant").Value(i), position)
	if err != nil {
		return h, false, err
	}
	codes := s.batch.Col("moves").Value(i)
	for ply := int32(0); ; ply++ {
		if s.wanted(p) {
			h = Hit{Game: s.batch.Col("game_id").Int64[i], Hash: p.Hash(), Ply: ply, FirstToMove: p.ToMove() == games.First, Result: s.result(i)}
			if len(codes) > 1 {
				m, err := s.rules.UnpackMove(p, binary.LittleEndian.Uint16(codes))
				if err != nil {
					return h, false, err
				}
				h.Move = string(s.rules.AppendMove(nil, p, m))
			}
			return h, true, nil
		}
		if len(codes) < 2 {
			return h, false, nil
		}
		m, err := s.rules.UnpackMove(p, binary.LittleEndian.Uint16(codes))
		if err != nil {
			return h, false, err
		}
		p, codes = p.Play(m), codes[2:]
	}
}

func (s *seeker[P]) result(i int) games.Outcome {
	return games.OutcomeNamed(s.batch.Col("result").Value(i))
}

// wanted reports whether p matches, testing the cheapest condition first.
func (s *seeker[P]) wanted(p P) bool {
	if s.q.Hashes != nil && !slices.Contains(s.q.Hashes, p.Hash()) {
		return false
	}
	if s.q.Material == nil && s.q.Pattern == nil {
		return true
	}
	if s.q.Material != nil && s.counter != nil && s.counter.PieceCount(p) != s.pieces {
		return false
	}
	s.cells = s.drawer.AppendCells(s.cells[:0], p)
	if s.q.Pattern != nil && !s.q.Pattern.Match(s.cells, s.drawer.Layout(p).Columns) {
		return false
	}
	if s.q.Material == nil {
		return true
	}
	var m board.Material
	m.Count(s.cells)
	if s.hands != nil {
		for _, side := range [2]games.Side{games.First, games.Second} {
			m.Count(s.hands.AppendHand(s.cells[:0], p, side))
		}
	}
	return m == *s.q.Material
}
