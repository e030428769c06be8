package report

import (
	"slices"
	"strings"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/report/opening"
	"kifu/schemas"
)

// together is one report of all datasets of a game and unit that hold the table, or that
// the stage of this name made.
func together(table string) func(in []*datasets.Dir) [][]int {
	return func(in []*datasets.Dir) [][]int {
		var all [][]int
		at := map[[2]string]int{}
		for j, d := range in {
			if d.Table.Name != table && d.Manifest.Stage != table {
				continue
			}
			key := [2]string{d.Manifest.Meta["game"], d.Manifest.Meta["unit"]}
			i, known := at[key]
			if !known {
				i = len(all)
				at[key] = i
				all = append(all, nil)
			}
			all[i] = append(all[i], j)
		}
		return all
	}
}

// databases are together's reports of games, each with positions that give the number of legal moves:
// the first made of each set.
func databases(in []*datasets.Dir) [][]int {
	all := together("games")(in)
	for i, group := range all {
		counted := map[string]bool{}
		for j, d := range in {
			if d.Manifest.Meta["game"] != in[group[0]].Manifest.Meta["game"] || d.Table.Index(schemas.LegalMoves.Name) < 0 || d.Table.Name == "choices" {
				continue
			}
			if of := positionsOf(d); !counted[of] {
				counted[of] = true
				all[i] = append(all[i], j)
			}
		}
	}
	return all
}

// ofEach is a report of each dataset that holds the table.
func ofEach(table string) func(in []*datasets.Dir) [][]int {
	return func(in []*datasets.Dir) [][]int {
		var all [][]int
		for j, d := range in {
			if d.Table.Name == table {
				all = append(all, []int{j})
			}
		}
		return all
	}
}

// ofPositions is a report of each set of positions: of their first labels or else of themselves, with the
// choices made of the same, and with their games, if these are given.
func ofPositions(in []*datasets.Dir) [][]int {
	var all [][]int
	made := map[string]bool{}
	for _, table := range []string{"labels", "positions"} {
		for j, d := range in {
			of := positionsOf(d)
			if d.Table.Name != table || made[of] {
				continue
			}
			made[of] = true
			group := []int{j}
			if i := slices.IndexFunc(in, func(c *datasets.Dir) bool {
				return c.Table.Name == "choices" && opening.Belong(d, c, d.Manifest.Meta["leaf"]) == nil
			}); i >= 0 {
				group = append(group, i)
			}
			if i := gamesOf(in, of); i >= 0 {
				group = append(group, i)
			}
			all = append(all, group)
		}
	}
	return all
}

// positionsOf is the key of the positions that d is or was made of.
func positionsOf(d *datasets.Dir) string {
	if key, one := inputOf(d, "positions/"); one {
		return key
	}
	return d.Manifest.Key
}

// isInput reports whether another dataset was made of d.
func isInput(in []*datasets.Dir, d *datasets.Dir) bool {
	return slices.ContainsFunc(in, func(other *datasets.Dir) bool {
		return slices.ContainsFunc(other.Manifest.Inputs, func(i manifest.Input) bool { return i.Key == d.Manifest.Key })
	})
}

// gamesOf is the number of the games that the positions with the key were made of, below 0 if they are
// not given or unknown.
func gamesOf(in []*datasets.Dir, positions string) int {
	for _, d := range in {
		if games, one := inputOf(d, "games/"); one && d.Manifest.Key == positions {
			return slices.IndexFunc(in, func(g *datasets.Dir) bool { return g.Manifest.Key == games })
		}
	}
	return -1
}

// inputOf is the key of the one input of the schema that d was made of.
func inputOf(d *datasets.Dir, schema string) (key string, one bool) {
	for _, input := range d.Manifest.Inputs {
		if strings.HasPrefix(input.Name, schema) {
			key, one = input.Key, key == ""
		}
	}
	return key, one
}

// decisions are together's reports of choices, each with the predictions of the game;
// predictions of other games have reports of their own.
func decisions(in []*datasets.Dir) [][]int {
	all := together("choices")(in)
	for _, predicted := range together(schemas.Predictions().Name)(in) {
		alone := true
		for i, group := range all {
			if in[group[0]].Manifest.Meta["game"] == in[predicted[0]].Manifest.Meta["game"] {
				all[i], alone = append(group, predicted...), false
			}
		}
		if alone {
			all = append(all, predicted)
		}
	}
	return all
}

// ofPieces are each of the labels whose positions have the columns of material that a model of
// wins, draws and losses is by.
func ofPieces(in []*datasets.Dir) (groups [][]int) {
	for _, group := range ofEach("labels")(in) {
		if t := in[group[0]].Table; t.Index("white_queens") >= 0 && t.Index("result") >= 0 {
			groups = append(groups, group)
		}
	}
	return groups
}
