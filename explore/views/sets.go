package views

import (
	"slices"

	"kifu/explore/site"
	"kifu/internal/lists"
	"kifu/report/endgame"
	"kifu/schemas"
)

// ofKind are the sets of some kinds, in their order.
func (s *Pages) ofKind(kinds ...string) []*site.Set {
	return lists.Where(s.sets, func(d *site.Set) bool { return slices.Contains(kinds, d.Kind()) && d.Tabular() })
}

// motifsOf returns the motifs of the moves of games d; nil without them.
func (s *Pages) motifsOf(d *site.Set) *site.Set {
	all := s.ofKind("motifs")
	if i := slices.IndexFunc(all, func(m *site.Set) bool { return m.Games == d }); i >= 0 {
		return all[i]
	}
	return nil
}

// endingSets are the datasets of positions whose games have endings.
func (s *Pages) endingSets() (all []*site.Set) {
	for _, d := range s.ofKind("labels", "positions") {
		g, ok := s.games[d.Game()]
		if _, err := endgame.DataOf(d.Dir, d.Name); err == nil && ok && endgame.Has(g.Boards) {
			all = append(all, d)
		}
	}
	return all
}

// mistakeSets are the datasets of choices, labels, positions and games, those with values of moves first. The page of one without
// values explains how to get some.
func (s *Pages) mistakeSets() []*site.Set {
	var valued, others []*site.Set
	for _, kind := range []string{"choices", "labels", "positions", "games"} {
		for _, d := range s.ofKind(kind) {
			_, known := s.games[d.Game()]
			switch {
			case !known || d.GamesOf() == nil || d.Has("occurrences") || kind == "choices" && d.Boards == nil:
			case s.valued(d):
				valued = append(valued, d)
			default:
				others = append(others, d)
			}
		}
	}
	return append(valued, others...)
}

// valued reports whether a dataset has values. One that cannot be read may have some: its page names the fault.
func (s *Pages) valued(d *site.Set) bool {
	column := recordColumns[d.Kind()]
	if column == "" {
		return d.Value() != ""
	}
	filled, err := s.filledIn(d)
	return err != nil || filled[column]
}

// recordColumns are the columns with the records' own values.
var recordColumns = map[string]string{"games": "evals", "positions": "comment_value"}

// columnNames are those that a condition may name.
func columnNames(d *site.Set) (all []string) {
	for _, c := range d.Dir.Table.Columns {
		if c.Type != schemas.Bytes && c.Type != schemas.FixedBytes {
			all = append(all, c.Name)
		}
	}
	return all
}

// numberColumns are those that can be an evaluation: real numbers.
func numberColumns(d *site.Set) (all []string) {
	for _, c := range d.Dir.Table.Columns {
		if c.Type == schemas.Float32 || c.Type == schemas.Float64 || c.Name == "comment_value" {
			all = append(all, c.Name)
		}
	}
	return all
}

// filledIn returns what filled does, also of positions.
func (s *Pages) filledIn(d *site.Set) (map[string]bool, error) {
	return kept(s, s.filled, d.Name, func() (map[string]bool, error) {
		columns := lists.Where(append([]string{"start_position", "evals", "comment_value"}, gameOrders...), d.Has)
		return d.Dir.Filled(columns...)
	})
}

// gameOrders are the columns by which games are sorted.
var gameOrders = []string{"game_id", "date", "first_player", "second_player", "first_elo", "second_elo", "result", "ply_count", "opening", "event"}
