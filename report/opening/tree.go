package opening

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/bygame"
	"kifu/games/board"
	"kifu/internal/human"
	"kifu/query"
	"kifu/report/sheet"
)

// shownMove is a move of the tree that is shown.
type shownMove struct {
	edgeKey
	edgeSum
	total int64 // games of all moves of the position
	name  uint32
}

// moves sums up the rows, and returns the moves that enough games have, in the order of the query.
func (s *stream) moves(ctx context.Context, db *query.DB) ([]shownMove, error) {
	err := s.sum(ctx)
	if errors.Is(err, bygame.ErrApart) {
		if err = s.sort(ctx, db); err == nil {
			err = s.sum(ctx)
		}
	}
	if err == nil && s.q.Merged {
		s.forms, err = s.merge(ctx)
	}
	if err != nil {
		return nil, err
	}
	return s.shown(), nil
}

func (s *stream) shown() (moves []shownMove) {
	names := map[edgeKey]name{}
	take := func(of *sumsBy[edgeKey, edgeSum], left func(spot) int64) {
		byMove := of
		if s.q.Named {
			byMove = &sumsBy[edgeKey, edgeSum]{}
			for i, key := range of.keys {
				if key.name != noText {
					better(names, key, of.sums[i].games, &s.texts)
				}
				key.name = noText
				byMove.sum(key).add(of.sums[i])
			}
		}
		for i, key := range byMove.keys {
			if sum := byMove.sums[i]; sum.games >= int64(s.Params.MinGames) {
				moves = append(moves, shownMove{edgeKey: key, edgeSum: sum, total: left(key.spot)})
			}
		}
	}
	if s.forms != nil {
		take(&s.forms.edges, func(at spot) int64 { return s.forms.left[at] })
	} else {
		for i := range s.tree.shards {
			part := &s.tree.shards[i]
			take(&part.edges, func(at spot) int64 { return part.nodes.find(at).left })
		}
	}
	for i := range moves {
		moves[i].name = names[moves[i].named()].text
	}
	sortMoves(moves, &s.texts)
	return moves
}

// sortMoves sorts moves as the query does.
func sortMoves(moves []shownMove, t *texts) {
	slices.SortFunc(moves, func(a, b shownMove) int {
		return cmp.Or(a.spot.compare(b.spot), cmp.Compare(b.games, a.games), strings.Compare(t.text[a.move], t.text[b.move]), cmp.Compare(a.child, b.child), compareTruth(a.first, b.first))
	})
}

func (s spot) compare(t spot) int {
	return cmp.Or(cmp.Compare(s.ply, t.ply), cmp.Compare(s.hash, t.hash))
}

func compareTruth(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// name is the name of an opening, and how many games have it.
type name struct {
	games int64
	text  uint32
}

// named returns the key of all games that share a name.
func (k edgeKey) named() edgeKey { return edgeKey{moveKey: k.moveKey, child: k.child} }

// better keeps the most frequent name of a move, of several the last by the alphabet.
func better(names map[edgeKey]name, key edgeKey, games int64, t *texts) {
	if old, ok := names[key.named()]; !ok || games > old.games || games == old.games && t.text[key.name] > t.text[old.text] {
		names[key.named()] = name{games, key.name}
	}
}

// boards returns the boards of positions, given a row of each.
func (s *stream) boards(ctx context.Context, at map[int64]spot) (map[spot]board.Board, error) {
	rows := slices.Sorted(maps.Keys(at))
	batches := datasets.Batches(s.from.Table, s.Params.Workers, "board")
	all := make(map[spot]board.Board, len(at))
	type found struct {
		row int64
		board.Board
	}
	return all, datasets.Each(ctx, s.from, s.Params.Workers, "opening: boards", "positions", func(worker int, g datasets.Group, emit func([]found) error) error {
		from, _ := slices.BinarySearch(rows, g.First)
		to, _ := slices.BinarySearch(rows, g.First+g.Rows)
		if from == to {
			return nil
		}
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		var some []found
		for _, row := range rows[from:to] {
			at, err := s.Rules.Unpack(b.Cols[0].Value(int(row - g.First)))
			if err != nil {
				return fmt.Errorf("%s: row %d: %w", s.path, row+1, err)
			}
			some = append(some, found{row, at})
		}
		return emit(some)
	}, func(some []found) error {
		for _, f := range some {
			all[at[f.row]] = f.Board
		}
		return nil
	})
}

// positions returns the boards of the positions that are shown.
func (s *stream) positions(ctx context.Context, moves []shownMove) (map[spot]board.Board, error) {
	at := map[int64]spot{}
	for _, m := range moves {
		at[s.tree.shard(m.spot).nodes.find(m.spot).row] = m.spot
	}
	return s.boards(ctx, at)
}

// plant makes the tree of the moves that are shown, with their boards and the best unplayed moves.
func (o *report) plant(ctx context.Context, db *query.DB, s *stream, moves []shownMove) (err error) {
	var replies map[spot]unplayed
	if s.q.Choices != "" {
		if replies, err = s.unplayed(ctx, db, moves); err != nil {
			return err
		}
	}
	var positions map[spot]board.Board
	if o.Rules != nil {
		if positions, err = s.positions(ctx, moves); err != nil {
			return err
		}
	}
	return o.join(moves, &s.texts, positions, replies)
}

// join makes the tree of moves, where they are known with the boards and the best unplayed moves of their positions.
func (o *report) join(moves []shownMove, texts *texts, positions map[spot]board.Board, replies map[spot]unplayed) (err error) {
	for i := range moves {
		m := &moves[i]
		at := positions[m.spot]
		n := o.Nodes[m.spot]
		if n == nil {
			n = &node{spot: m.spot, First: m.first, games: m.total, UnplayedValue: math.NaN()}
			if at != nil {
				n.Position = string(at.AppendText(nil))
			}
			if u, ok := replies[m.spot]; ok {
				n.Unplayed, n.UnplayedValue = texts.text[u.move], u.value
				if n.UnplayedText, err = o.written(at, n.Unplayed); err != nil {
					return err
				}
			}
			o.Nodes[m.spot] = n
			if n.ply == 0 {
				o.Roots = append(o.Roots, n)
			}
		}
		e := m.edge(texts)
		if e.Text, err = o.written(at, e.Move); err != nil {
			return err
		}
		e.From, n.Edges, o.Edges = n, append(n.Edges, e), append(o.Edges, e)
	}
	if len(o.Roots) == 0 {
		of := ""
		if chosen := o.Params.Chosen.String(); chosen != "" {
			of = " " + chosen
		}
		if o.Tree != nil {
			return sheet.Errorf("%s: no move from the usual start was played in %s%s: allow fewer with --min-games, or name the games, which show other starts", o.Sources[0].Name, human.Plural(int64(o.Params.MinGames), "game", "games"), of)
		}
		return sheet.Errorf("%s: no move at ply 0 was played in %s%s: allow fewer with --min-games, and keep the first plies (kifu transform without --min-ply and --sample)", o.Sources[0].Name, human.Plural(int64(o.Params.MinGames), "game", "games"), of)
	}
	slices.SortStableFunc(o.Roots, func(a, b *node) int { return cmp.Compare(b.games, a.games) })
	for _, root := range o.Roots {
		o.backUp(root)
	}
	return nil
}

// written returns a move as records write it; where boards are not known, the coordinates.
func (o *report) written(at board.Board, move string) (string, error) {
	if at == nil || move == "" {
		return move, nil
	}
	m, err := at.Find(move)
	if err != nil {
		return "", fmt.Errorf("%s: %s: %w in %s", o.Sources[0].Name, move, err, at.AppendText(nil))
	}
	return string(m.AppendText(nil)), nil
}

// mean returns sum/n; NaN without numbers.
func mean(sum float64, n int64) float64 { return sum / float64(n) }

// edge returns the move with its means.
func (m *shownMove) edge(t *texts) *edge {
	e := &edge{Move: t.text[m.move], First: m.first, Child: spot{m.ply + 1, m.child}, Opening: t.text[m.name], Rated: m.rated,
		Games: m.games, Wins: m.wins, Draws: m.draws, Losses: m.losses, Share: float64(m.games) / float64(m.total),
		Score: mean(float64(m.wins)+float64(m.draws)/2, m.wins+m.draws+m.losses), Rating: mean(float64(m.own), m.owns), MeanYear: mean(float64(m.years), m.yeared),
		Performance: math.NaN(), Value: math.NaN(), Parent: math.NaN()}
	if m.rated >= enoughRated {
		score := mean(float64(m.ratedHalves)/2, m.rated)
		e.Performance = mean(float64(m.other), m.rated) + max(-800, min(800, -400*math.Log10(1/score-1)))
	}
	if m.valued {
		e.Value = float64(m.value)
	}
	if m.parentValued {
		e.Parent = float64(m.parent)
	}
	if m.date != 0 {
		e.LastDate = m.date.String()
	}
	return e
}
