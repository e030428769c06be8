package opening

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/games/board"
	"kifu/query"
)

// shownMove is a move of the tree that is shown.
type shownMove struct {
	edgeKey
	edgeSum
	total int64 // games of all moves of the position
	name  uint32
}

// answer makes the query's rows of a stream, nil where the query has to be asked.
func (s *stream) answer(ctx context.Context, db *query.DB) (*query.Result, error) {
	t, err := s.sum(ctx)
	if err != nil {
		return nil, apart(err)
	}
	var forms *merged
	if s.q.Merged {
		if forms, err = s.merge(ctx, t); err != nil {
			return nil, apart(err)
		}
		s.tree, s.forms = t, forms
	}
	moves := s.shown(t, forms)
	var replies map[spot]unplayed
	if s.choices != nil {
		if replies, err = s.unplayed(ctx, t, forms, moves); err != nil {
			return nil, apart(err)
		}
	}
	var positions map[spot]string
	if s.q.Boards {
		if positions, err = s.positions(ctx, t, moves); err != nil {
			return nil, err
		}
	}
	strength, err := performances(ctx, db, moves)
	if err != nil {
		return nil, err
	}
	result, err := s.result(moves, strength, replies, positions)
	s.summed = err == nil
	return result, apart(err)
}

// shown returns the moves that enough games have, in the order of the query.
func (s *stream) shown(t *tree, forms *merged) (moves []shownMove) {
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
				byMove.of(key).add(of.sums[i])
			}
		}
		for i, key := range byMove.keys {
			if sum := byMove.sums[i]; sum.games >= int64(s.p.MinGames) {
				moves = append(moves, shownMove{edgeKey: key, edgeSum: sum, total: left(key.spot)})
			}
		}
	}
	if forms != nil {
		take(&forms.edges, func(at spot) int64 { return forms.left[at] })
	} else {
		for i := range t.shards {
			part := &t.shards[i]
			take(&part.edges, func(at spot) int64 { return part.nodes.find(at).left })
		}
	}
	for i := range moves {
		moves[i].name = names[moves[i].named()].text
	}
	slices.SortFunc(moves, func(a, b shownMove) int {
		return cmp.Or(a.spot.compare(b.spot), cmp.Compare(b.games, a.games), strings.Compare(s.texts.text[a.move], s.texts.text[b.move]), cmp.Compare(a.child, b.child), compareTruth(a.first, b.first))
	})
	return moves
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

// named is what has one name.
func (k edgeKey) named() edgeKey { return edgeKey{moveKey: k.moveKey, child: k.child} }

// better keeps the most frequent name of a move, of several the last by the alphabet.
func better(names map[edgeKey]name, key edgeKey, games int64, t *texts) {
	if old, ok := names[key.named()]; !ok || games > old.games || games == old.games && t.text[key.name] > t.text[old.text] {
		names[key.named()] = name{games, key.name}
	}
}

// boards calls take with the boards of these rows, which it sorts.
func (s *stream) boards(ctx context.Context, rows []int64, take func(row int64, packed []byte) error) error {
	slices.Sort(rows)
	batches := datasets.Batches(s.from.Table, s.p.Workers, "board")
	type found struct {
		row    int64
		packed []byte
	}
	return datasets.Each(ctx, s.from, s.p.Workers, "opening: boards", "positions", func(worker int, g datasets.Group, emit func([]found) error) error {
		from, _ := slices.BinarySearch(rows, g.First)
		to, _ := slices.BinarySearch(rows, g.First+g.Rows)
		if from == to {
			return nil
		}
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		var all []found
		for _, row := range slices.Compact(slices.Clone(rows[from:to])) {
			all = append(all, found{row, slices.Clone(b.Cols[0].Value(int(row - g.First)))})
		}
		return emit(all)
	}, func(all []found) error {
		for _, f := range all {
			if err := take(f.row, f.packed); err != nil {
				return err
			}
		}
		return nil
	})
}

// positions returns the packed boards of the positions that are shown.
func (s *stream) positions(ctx context.Context, t *tree, moves []shownMove) (map[spot]string, error) {
	at := map[int64]spot{}
	for _, m := range moves {
		at[t.of(m.spot).nodes.find(m.spot).row] = m.spot
	}
	all := make(map[spot]string, len(at))
	var rows []int64
	for row := range at {
		rows = append(rows, row)
	}
	return all, s.boards(ctx, rows, func(row int64, packed []byte) error {
		all[at[row]] = string(packed)
		return nil
	})
}

// performances returns Elo's difference at the scores of the rated games, as the query computes it.
func performances(ctx context.Context, db *query.DB, moves []shownMove) (map[float64]float64, error) {
	all := map[float64]float64{}
	var scores []float64
	for i := range moves {
		m := &moves[i]
		if score := m.ratedScore(); m.rated >= enoughRated && score > 0 && score < 1 {
			if _, known := all[score]; !known {
				all[score] = 0
				scores = append(scores, score)
			}
		}
	}
	slices.Sort(scores)
	for part := range slices.Chunk(scores, 10000) {
		var list []string
		for _, score := range part {
			list = append(list, fmt.Sprintf("%.17e", score))
		}
		r, err := db.Query(ctx, "SELECT score, -400 * log10(1 / score - 1) FROM (SELECT unnest(["+strings.Join(list, ", ")+"]::DOUBLE[]) AS score)")
		if err != nil {
			return nil, err
		}
		if err := r.Each(func(row []any) error {
			all[row[0].(float64)] = row[1].(float64)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (m *shownMove) ratedScore() float64 { return float64(m.ratedHalves) / 2 / float64(m.rated) }

// columns are those of the query.
func (s *stream) columns() []query.Column {
	all := []query.Column{{Name: "ply", Type: "INTEGER"}, {Name: "hash", Type: "UBIGINT"}, {Name: "child", Type: "UBIGINT"}, {Name: "first_to_move", Type: "BOOLEAN"}, {Name: "move", Type: "VARCHAR"},
		{Name: "games", Type: "BIGINT"}, {Name: "share", Type: "DOUBLE"}, {Name: "wins", Type: "BIGINT"}, {Name: "draws", Type: "BIGINT"}, {Name: "losses", Type: "BIGINT"}, {Name: "score", Type: "DOUBLE"},
		{Name: "rating", Type: "DOUBLE"}, {Name: "performance", Type: "DOUBLE"}, {Name: "rated", Type: "BIGINT"}, {Name: "last_date", Type: "VARCHAR"}, {Name: "mean_year", Type: "DOUBLE"},
		{Name: "value", Type: "DOUBLE"}, {Name: "parent_value", Type: "DOUBLE"}, {Name: "unplayed", Type: "VARCHAR"}, {Name: "unplayed_value", Type: "DOUBLE"}}
	if s.q.Named {
		all = append(all, query.Column{Name: "opening", Type: "VARCHAR"})
	}
	if s.q.Boards {
		all = append(all, query.Column{Name: "san", Type: "VARCHAR"}, query.Column{Name: "unplayed_san", Type: "VARCHAR"}, query.Column{Name: "position", Type: "VARCHAR"})
	}
	return all
}

// result writes the moves as rows of the query.
func (s *stream) result(moves []shownMove, strength map[float64]float64, replies map[spot]unplayed, positions map[spot]string) (*query.Result, error) {
	rows := make([][]any, 0, len(moves))
	var at board.Board
	var reply [3]any // unplayed move, its value, its text
	var text string  // of the position
	for i := range moves {
		m := &moves[i]
		if i == 0 || m.spot != moves[i-1].spot {
			reply = [3]any{}
			u, ok := replies[m.spot]
			if ok {
				reply[0], reply[1] = s.texts.text[u.move], u.value
			}
			if s.q.Boards {
				var err error
				if at, err = s.rules.Unpack([]byte(positions[m.spot])); err != nil {
					return nil, errApart
				}
				text = string(at.AppendText(nil))
				if ok {
					if reply[2], err = san(at, s.texts.text[u.move]); err != nil {
						return nil, err
					}
				}
			}
		}
		row := append(s.row(m, strength), reply[0], reply[1])
		if s.q.Named {
			row = append(row, known(s.texts.text[m.name], m.name != noText))
		}
		if s.q.Boards {
			own, err := san(at, s.texts.text[m.move])
			if err != nil {
				return nil, err
			}
			row = append(row, own, reply[2], text)
		}
		rows = append(rows, row)
	}
	return query.NewResult(s.columns(), rows), nil
}

// san is a move as records write it.
func san(at board.Board, move string) (any, error) {
	m, err := at.Find(move)
	if err != nil {
		return nil, errApart // the query says which
	}
	return string(m.AppendText(nil)), nil
}

// known is a value, or null.
func known[T any](v T, ok bool) any {
	if ok {
		return v
	}
	return nil
}

// mean of n whole numbers, null of none.
func mean(sum float64, n int64) any { return known(sum/float64(n), n > 0) }

// row is a move as the first columns of the query have it.
func (s *stream) row(m *shownMove, strength map[float64]float64) []any {
	var performance any
	if m.rated >= enoughRated {
		difference := 0.0
		switch score := m.ratedScore(); {
		case score <= 0:
			difference = -800
		case score >= 1:
			difference = 800
		default:
			difference = max(-800, min(800, strength[score]))
		}
		performance = float64(m.other)/float64(m.rated) + difference
	}
	// Of the capacity of all columns, and of one more: the value that the tree backs up.
	row := make([]any, 0, 25)
	return append(row, m.ply, m.hash, m.child, m.first, s.texts.text[m.move],
		m.games, float64(m.games)/float64(m.total), m.wins, m.draws, m.losses, mean(float64(m.wins)+float64(m.draws)/2, m.wins+m.draws+m.losses),
		mean(float64(m.own), m.owns), performance, m.rated, known(m.date.String(), m.date != 0), mean(float64(m.years), m.yeared),
		known(float64(m.value), m.valued), known(float64(m.parent), m.parentValued))
}
