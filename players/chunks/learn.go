package chunks

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/games"
	"kifu/internal/person"
	"kifu/internal/splitmix"
	"kifu/players/decide"
)

// known is a chunk that returned.
type known struct {
	played    int32 // games in which a move completed it
	available int32 // decisions in which a move could
	pieces    int32
	text      string // "Nf3 g2 Bg2", with the side before it
}

// leastGames is the number of games that make a chunk known.
const leastGames = 2

// modeler is the adversary modeler of one player.
type modeler[P games.Position[P]] struct {
	Params
	game    eval.Game[P]
	drawer  games.Drawer[P]
	workers int
	counts  manifest.Counts

	seats  map[int64]decide.Seat
	chunks map[uint64]*known
	tree   map[uint64]int32 // games by position, and by position and move

	decisions, legal int64 // in the games to learn from
	questions        []question[P]
}

// Reasons for which games are left out.
const (
	copied  = "copy of another game"
	tooMany = "not drawn"
)

// find finds the player's games: all to learn from, and a sample of the others.
func (m *modeler[P]) find(ctx context.Context, in *datasets.Dir) error {
	is := person.Pattern(m.Names...)
	m.counts.Read = in.Rows()
	all, copies, err := decide.Seats(ctx, in, m.workers, func(name []byte) int {
		if is.Match(name) {
			return 0
		}
		return -1
	})
	if err != nil {
		return err
	}
	if copies > 0 {
		m.counts.Note(copied, int64(copies))
	}
	parts := map[decide.Part][]decide.Seat{}
	for _, s := range all {
		of := m.Split.Of(s.Game)
		parts[of] = append(parts[of], s)
	}
	m.seats = map[int64]decide.Seat{}
	for part, seats := range parts {
		if part != decide.Train && len(seats) > m.MaxGames {
			slices.SortStableFunc(seats, func(a, b decide.Seat) int {
				return cmp.Compare(splitmix.Share(m.Seed, a.Game), splitmix.Share(m.Seed, b.Game))
			})
			m.counts.Note(tooMany, int64(len(seats)-m.MaxGames))
			seats = seats[:m.MaxGames]
		}
		for _, s := range seats {
			m.seats[s.Game] = s
		}
	}
	for _, part := range []decide.Part{decide.Train, decide.Held, decide.Test} {
		if len(parts[part]) < 2 {
			return fmt.Errorf("%d games of %q are in the part %s: want at least 2", len(parts[part]), m.Names, part)
		}
	}
	return nil
}

// eachSeat replays the games of a part, in their order.
func (m *modeler[P]) eachSeat(ctx context.Context, in *datasets.Dir, title string, want func(part decide.Part) bool, visit func(s decide.Seat, g *decide.Replayed[P])) error {
	r := decide.Reader[P]{Rules: m.game.Rules, In: in, Workers: m.workers}
	return r.Each(ctx, title, func(b *columns.Batch, i int) (is [2]bool, yes bool) {
		s, ok := m.seats[b.Col("game_id").Int64[i]]
		return is, ok && want(m.Split.Of(s.Game))
	}, func(g *decide.Replayed[P]) {
		if g.Err != nil {
			m.counts.Reject(string(games.ReasonOf(g.Err)), 1)
			return
		}
		visit(m.seats[g.ID], g)
	})
}

func toLearn(part decide.Part) bool { return part == decide.Train }

// learn collects the chunks that the player's moves completed, each once a game, and the tree of
// the player's games.
func (m *modeler[P]) learn(ctx context.Context, in *datasets.Dir) error {
	m.chunks, m.tree = map[uint64]*known{}, map[uint64]int32{}
	w := newWatcher(m.drawer)
	err := m.eachSeat(ctx, in, "chunks", toLearn, func(s decide.Seat, g *decide.Replayed[P]) {
		seen := map[uint64]bool{}
		for ply, p := range g.Positions {
			if int(p.ToMove()) != s.Side {
				continue
			}
			for _, key := range []uint64{p.Hash(), decide.Key(p, g.Moves[ply])} {
				if !seen[key] {
					seen[key] = true
					m.tree[key]++
				}
			}
			f := w.begin(p)
			for _, c := range w.completed(f, p, g.Moves[ply]) {
				if seen[c.key] {
					continue
				}
				seen[c.key] = true
				k := m.chunks[c.key]
				if k == nil {
					k = &known{pieces: c.pieces}
					m.chunks[c.key] = k
				}
				if k.played++; k.played == leastGames {
					l := m.drawer.Layout(p)
					k.text = l.Sides[s.Side] + ": " + w.text(f, l, f.windows[c.window])
				}
			}
		}
	})
	for key, k := range m.chunks {
		if k.played < leastGames {
			delete(m.chunks, key)
		}
	}
	return err
}

// count counts in how many decisions each known chunk could have been completed.
func (m *modeler[P]) count(ctx context.Context, in *datasets.Dir) error {
	w := newWatcher(m.drawer)
	return m.eachSeat(ctx, in, "chances", toLearn, func(s decide.Seat, g *decide.Replayed[P]) {
		g.Decisions(s.Side, 0, 0, func(_ int, p P, legal []games.Move, _ int) {
			m.decisions++
			m.legal += int64(len(legal))
			f := w.begin(p)
			once := map[uint64]bool{}
			for _, move := range legal {
				for _, c := range w.completed(f, p, move) {
					if k := m.chunks[c.key]; k != nil && !once[c.key] {
						once[c.key] = true
						k.available++
					}
				}
			}
		})
	})
}
