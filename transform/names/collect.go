package names

import (
	"context"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
)

// collect reads the players of in, in order of their names.
func collect(ctx context.Context, workers int, in *datasets.Dir) (*roster, error) {
	players := newRoster()
	names := []string{"first_player", "second_player", "date", "first_elo", "second_elo"}
	err := eachGroup(ctx, "read names", workers, in, names, func(b *columns.Batch) {
		date := b.Col("date")
		for side, name := range []string{"first_player", "second_player"} {
			v, elo := b.Col(name), b.Col([]string{"first_elo", "second_elo"}[side])
			for i := range b.Rows {
				if v.IsNull(i) {
					continue
				}
				p := players.add(v.Value(i))
				players.games[p]++
				if !date.IsNull(i) {
					players.seen(p, date.Value(i))
				}
				if !elo.IsNull(i) {
					players.rated(p, elo.Int32[i])
				}
			}
		}
	})
	players.sort()
	return players, err
}

// pair is two players, the lower number first.
type pair struct{ a, b int32 }

func pairOf(a, b int32) pair { return pair{min(a, b), max(a, b)} }

// meetings returns the pairs of players that links join, directly or through others, and
// that have played each other.
func meetings(ctx context.Context, workers int, in *datasets.Dir, players *roster, links []link) (map[pair]bool, error) {
	roots := newForest(players.len())
	linked := make([]bool, players.len())
	for _, l := range links {
		roots[roots.root(l.name)] = roots.root(l.of)
		linked[l.name], linked[l.of] = true, true
	}
	met := map[pair]bool{}
	err := eachGroup(ctx, "look who met", workers, in, []string{"first_player", "second_player"}, func(b *columns.Batch) {
		first, second := b.Col("first_player"), b.Col("second_player")
		for i := range b.Rows {
			if first.IsNull(i) || second.IsNull(i) {
				continue
			}
			x := players.find(first.Value(i))
			if x < 0 || !linked[x] {
				continue
			}
			if y := players.find(second.Value(i)); y >= 0 && linked[y] && x != y && roots.root(x) == roots.root(y) {
				met[pairOf(x, y)] = true
			}
		}
	})
	return met, err
}

// leastCommon is how many opponents two names without years and ratings share before one is taken
// as short for the other.
const leastCommon = 3

// acquainted drops links between names without years and ratings that share too few opponents. Initials alone
// are no evidence, because the players may never have met.
func acquainted(ctx context.Context, workers int, in *datasets.Dir, players *roster, links []link) ([]link, error) {
	asked := map[int32]map[int32]bool{}
	for _, l := range links {
		if l.unknown {
			asked[l.name], asked[l.of] = map[int32]bool{}, map[int32]bool{}
		}
	}
	if len(asked) == 0 {
		return links, nil
	}
	err := eachGroup(ctx, "look who played whom", workers, in, []string{"first_player", "second_player"}, func(b *columns.Batch) {
		first, second := b.Col("first_player"), b.Col("second_player")
		for i := range b.Rows {
			if first.IsNull(i) || second.IsNull(i) {
				continue
			}
			x, y := players.find(first.Value(i)), players.find(second.Value(i))
			if of := asked[x]; of != nil {
				of[y] = true
			}
			if of := asked[y]; of != nil {
				of[x] = true
			}
		}
	})
	return slices.DeleteFunc(links, func(l link) bool {
		if !l.unknown {
			return false
		}
		common := 0
		for opponent := range asked[l.of] {
			if asked[l.name][opponent] {
				common++
			}
		}
		return common < leastCommon
	}), err
}

// eachGroup decodes row groups on several workers and calls f with them in order.
func eachGroup(ctx context.Context, title string, workers int, in *datasets.Dir, names []string, f func(b *columns.Batch)) error {
	return datasets.Each(ctx, in, workers, title, "games", func(_ int, g datasets.Group, emit func(*columns.Batch) error) error {
		b := columns.NewBatch(in.Table, names...)
		if err := g.Read(b); err != nil {
			return err
		}
		return emit(b)
	}, func(b *columns.Batch) error {
		f(b)
		return nil
	})
}
