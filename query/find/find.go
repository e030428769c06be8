// Package find finds positions in games: by hash, by conditions on the board and the record, and by
// series of such positions. Games go in; out comes, for each game that has such a position, the
// first one, with the move that was played there.
//
// Games are replayed on several workers, and conditions are evaluated on them without a database: ten million
// positions in a few seconds. Positions and labels need no replay: SQL searches them (query/boards), and
// those sorted by hash answer at once.
package find

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/expression"
)

// Query chooses positions: all fields that are set must hold.
type Query struct {
	Hashes []uint64 // one of these; nil: any
	// Conditions are Sequence.Steps of them, the first on the position itself, and with Sequence.Without one more.
	Conditions []expression.Node
	Sequence   Sequence
	Exchanged  bool                // also with the sides exchanged
	Games      func(id int64) bool // in which games; nil: in all
	Near       *Near               // asks for Hit.Line; nil: it is left out
}

// Near asks what was played near a pattern of the position, with Every seen through its mirror images and exchanged sides;
// see board.Pattern.Line.
type Near struct {
	Pattern *board.Pattern
	Every   bool
}

// Written is a move in a position whatever came before: Move in Latin letters, Shown as players write it, which
// differ in Shogi (P-7f, ▲７六歩).
type Written struct{ Move, Shown string }

// Hit is the first such position of a game.
type Hit struct {
	Game        int64
	Hash        uint64
	Ply         int32
	FirstToMove bool
	Written     // played there; empty after the last move
	Result      games.Outcome

	Line      string // of Query.Near: the later moves near the pattern, as it shows them
	Exchanged bool   // sides are exchanged in Line
}

// LineResult returns the result with the sides as in Line.
func (h Hit) LineResult() games.Outcome {
	if h.Exchanged {
		return exchanged(h.Result)
	}
	return h.Result
}

// exchanged returns an outcome with the sides exchanged.
func exchanged(o games.Outcome) games.Outcome {
	if o == games.FirstWins || o == games.SecondWins {
		return games.FirstWins + games.SecondWins - o
	}
	return o
}

// Run calls take with the hits of the games of in, in their order. finder has the motifs of the game's moves, which
// are columns of conditions, as columns of positions are; nil: none. It returns how many games were looked at, and
// those that could not be replayed by reason.
func Run[P games.Position[P]](ctx context.Context, rules games.Rules[P], finder games.Motifs[P], q Query, workers int, in *datasets.Dir, take func(Hit) error) (manifest.Counts, error) {
	var counts manifest.Counts
	if err := in.Want("games"); err != nil {
		return counts, err
	}
	type piece struct {
		hits   []Hit
		counts manifest.Counts
	}
	seekers := make([]*seeker[P], max(workers, 1))
	for i := range seekers {
		var err error
		if seekers[i], err = newSeeker(rules, finder, q, in); err != nil {
			return counts, err
		}
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
			hit, found, err := s.find(i)
			switch {
			case s.misused != nil:
				return s.misused
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
	rules      games.Rules[P]
	unroller   *games.Unroller[P]
	q          Query
	batch      *columns.Batch
	conditions []eval
	played     []board.Played
	marks      []int
	misused    error // a condition that is neither true nor false
	replayed[P]
	seen[P]
}

// replayed is the game so far: it is played as far as conditions ask.
type replayed[P games.Position[P]] struct {
	row       int // of the batch
	positions []P
	moves     []games.Move
	codes     []byte // of the moves that were not played yet
	err       error
}

func newSeeker[P games.Position[P]](rules games.Rules[P], finder games.Motifs[P], q Query, in *datasets.Dir) (*seeker[P], error) {
	read := []string{"game_id", "variant", "start_position", "result", "moves"}
	if len(q.Conditions) > 0 {
		read = append(read, "first_elo", "second_elo", "evals", "clocks_ms")
	}
	q.Sequence.Steps = cmp.Or(q.Sequence.Steps, 1)
	s := &seeker[P]{rules: rules, unroller: games.NewUnroller(rules), q: q, batch: columns.NewBatch(in.Table, read...)}
	if q.Exchanged {
		s.exchanger, _ = rules.(games.Exchanger[P])
		if s.exchanger == nil {
			return nil, fmt.Errorf("the sides of %s cannot be exchanged in conditions", rules.Name())
		}
	}
	s.shows(s, finder)
	for _, n := range q.Conditions {
		e, err := compile(n, s)
		if err != nil {
			return nil, err
		}
		s.conditions = append(s.conditions, e)
	}
	if len(q.Conditions) > 0 {
		s.q.Sequence.Before = below(q.Conditions[0])
	}
	return s, nil
}

// find looks for the first wanted position of game i of the batch.
func (s *seeker[P]) find(i int) (h Hit, found bool, err error) {
	if err := s.begin(i); err != nil {
		return h, false, err
	}
	ply, found := s.first(false)
	if s.q.Exchanged {
		if other, ok := s.first(true); ok && (!found || other < ply) {
			ply, found = other, true
		}
	}
	if s.err != nil || !found {
		return h, false, s.err
	}
	p := s.positions[ply]
	h = Hit{Game: s.batch.Col("game_id").Int64[i], Hash: p.Hash(), Ply: int32(ply), FirstToMove: p.ToMove() == games.First, Result: s.result()}
	if s.reaches(ply + 1) {
		if h.Written, err = s.written(p, s.moves[ply]); err != nil {
			return h, false, err
		}
	}
	if s.q.Near != nil {
		h.Line, h.Exchanged = s.near(ply)
	}
	return h, s.err == nil, s.err
}

// written writes a move of p as if p began the game.
func (s *seeker[P]) written(p P, m games.Move) (w Written, err error) {
	shower, other := s.rules.(games.Shower[P])
	if !other {
		text := string(s.rules.AppendMove(nil, p, m))
		return Written{text, text}, nil
	}
	p, err = s.rules.UnpackBoard(s.rules.AppendBoard(nil, p))
	return Written{string(shower.AppendShown(nil, p, m, true)), string(shower.AppendShown(nil, p, m, false))}, err
}

// near follows the game from a position on.
func (s *seeker[P]) near(ply int) (line string, exchanged bool) {
	s.turn(ply, false)
	s.played = s.played[:0]
	drawer := s.rules.(games.Drawer[P])
	for i := ply; s.reaches(i + 1); i++ {
		s.marks = drawer.AppendMarks(s.marks[:0], s.positions[i], s.moves[i])
		if n := len(s.marks); n > 0 {
			s.played = append(s.played, board.Played{Cell: s.marks[n-1], Side: s.positions[i].ToMove()})
		}
	}
	v := s.view()
	return s.q.Near.Pattern.Line(s.boards, v.Layout(), v.Cells(), s.q.Near.Every, s.played)
}

// first looks for the first wanted position, with the sides as they are or exchanged.
func (s *seeker[P]) first(exchanged bool) (ply int, ok bool) {
	return s.q.Sequence.First(s.reaches, func(condition, ply int) bool {
		if condition == 0 && s.q.Hashes != nil && !slices.Contains(s.q.Hashes, s.positions[ply].Hash()) {
			return false
		}
		if condition >= len(s.conditions) {
			return true
		}
		s.turn(ply, exchanged)
		v := s.conditions[condition]()
		if v.kind > truth {
			s.misused = errors.New("a condition is true or false, this is a value: compare it, as in ply > 0")
		}
		return v.holds()
	})
}

// begin sets up game i of the batch.
func (s *seeker[P]) begin(i int) error {
	p, err := s.unroller.Start(s.batch.Col("variant").Value(i), s.batch.Col("start_position").Value(i))
	s.replayed = replayed[P]{row: i, positions: append(s.positions[:0], p), moves: s.moves[:0], codes: s.batch.Col("moves").Value(i)}
	s.at = -1
	return err
}

// reaches reports whether the game has a position after so many plies.
func (s *seeker[P]) reaches(ply int) bool {
	for len(s.positions) <= ply && len(s.codes) > 1 && s.err == nil {
		p := s.positions[len(s.positions)-1]
		m, err := s.rules.UnpackMove(p, binary.LittleEndian.Uint16(s.codes))
		if err != nil {
			s.err = err
			break
		}
		s.positions, s.moves, s.codes = append(s.positions, p.Play(m)), append(s.moves, m), s.codes[2:]
	}
	return ply < len(s.positions)
}

func (s *seeker[P]) result() games.Outcome {
	return games.OutcomeNamed(s.batch.Col("result").Value(s.row))
}

// Sequence defines how conditions follow one another in a game: condition 0 holds in the first position, the
// next in a later one, and so on.
type Sequence struct {
	Steps    int  // conditions, at least one
	Within   int  // each at most so many plies after the one before
	SameSide bool // all with the same side to move
	Without  bool // condition number Steps holds in no position in between
	Before   int  // condition 0 holds at no ply from here on; 0: it may
}

// First returns the least ply at which the sequence begins in a game whose positions are numbered from 0 up to
// last. holds reports whether a condition holds at a ply.
func (s Sequence) First(last func(ply int) bool, holds func(condition, ply int) bool) (ply int, ok bool) {
	for ply = 0; (s.Before == 0 || ply < s.Before) && last(ply); ply++ {
		if holds(0, ply) && s.goesOn(1, ply, last, holds) {
			return ply, true
		}
	}
	return 0, false
}

// goesOn reports whether the conditions from number step on follow a position.
func (s Sequence) goesOn(step, ply int, last func(ply int) bool, holds func(condition, ply int) bool) bool {
	if step == s.Steps {
		return true
	}
	for next := ply + 1; next <= ply+s.Within && last(next); next++ {
		if !(s.SameSide && (next-ply)%2 != 0) && holds(step, next) && s.goesOn(step+1, next, last, holds) {
			return true
		}
		if s.Without && holds(s.Steps, next) {
			return false
		}
	}
	return false
}
