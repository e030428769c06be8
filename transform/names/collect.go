package names

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets"
)

// collect reads the players of in, in order of their names.
func collect(ctx context.Context, workers int, in *datasets.Dir) ([]Player, error) {
	byName := map[string]*Player{}
	columns := []string{"first_player", "second_player", "date", "first_elo", "second_elo"}
	err := eachGroup(ctx, "read names", workers, in, columns, func(b *datasets.Batch) {
		date := b.Col("date")
		for side, name := range []string{"first_player", "second_player"} {
			v, elo := b.Col(name), b.Col([]string{"first_elo", "second_elo"}[side])
			for i := range b.Rows {
				if v.IsNull(i) {
					continue
				}
				p := byName[string(v.Value(i))]
				if p == nil {
					p = &Player{Name: string(v.Value(i))}
					byName[p.Name] = p
				}
				p.Games++
				if !date.IsNull(i) {
					p.seen(string(date.Value(i)))
				}
				if !elo.IsNull(i) {
					p.rated(elo.Int32[i])
				}
			}
		}
	})
	players := make([]Player, 0, len(byName))
	for _, p := range byName {
		players = append(players, *p)
	}
	slices.SortFunc(players, func(a, b Player) int { return cmp.Compare(a.Name, b.Name) })
	return players, err
}

func (p *Player) seen(date string) {
	if p.First == "" || date < p.First {
		p.First = date
	}
	p.Last = max(p.Last, date)
}

func (p *Player) rated(elo int32) {
	if p.EloLow == 0 || elo < p.EloLow {
		p.EloLow = elo
	}
	p.EloHigh = max(p.EloHigh, elo)
}

// pair is two players, the lower number first.
type pair struct{ a, b int32 }

func pairOf(a, b int32) pair { return pair{min(a, b), max(a, b)} }

// meetings returns the pairs of players that links join, directly or through others, and
// that have played each other.
func meetings(ctx context.Context, workers int, in *datasets.Dir, players []Player, links []link) (map[pair]bool, error) {
	roots := newForest(len(players))
	linked := map[string]int32{}
	for _, l := range links {
		roots[roots.root(l.name)] = roots.root(l.of)
		linked[players[l.name].Name], linked[players[l.of].Name] = l.name, l.of
	}
	met := map[pair]bool{}
	err := eachGroup(ctx, "look who met", workers, in, []string{"first_player", "second_player"}, func(b *datasets.Batch) {
		first, second := b.Col("first_player"), b.Col("second_player")
		for i := range b.Rows {
			x, ok := linked[string(first.Value(i))]
			if !ok || first.IsNull(i) || second.IsNull(i) {
				continue
			}
			if y, ok := linked[string(second.Value(i))]; ok && x != y && roots.root(x) == roots.root(y) {
				met[pairOf(x, y)] = true
			}
		}
	})
	return met, err
}

// eachGroup decodes row groups on several workers and calls f with them in order.
func eachGroup(ctx context.Context, title string, workers int, in *datasets.Dir, columns []string, f func(b *datasets.Batch)) error {
	return datasets.Each(ctx, in, workers, title, "games", func(_ int, g datasets.Group, emit func(*datasets.Batch) error) error {
		b := datasets.NewBatch(in.Table, columns...)
		if err := g.Read(b); err != nil {
			return err
		}
		return emit(b)
	}, func(b *datasets.Batch) error {
		f(b)
		return nil
	})
}
