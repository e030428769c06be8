package conjunctions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kifu/eval/pattern"
	"kifu/games"
	"kifu/internal/lists"
)

const (
	// mostPatterns is the number of patterns of a file, the constant aside: as many groups of terms
	// as labels have (label.Run), less one.
	mostPatterns = 254
	usualEntries = 1 << 13 // of a table into which sets of squares are gathered
	mostEntries  = 1 << 16 // of one for a conjunction of many squares
)

// tableGrain is a step of the tables, in logits.
const tableGrain = 0.01

// tables returns the files of an evaluator (eval/pattern) whose values come from the
// conjunctions that are not left out, rounded to hundredths. Its patterns are sets of squares into
// which the patterns of the conjunctions are gathered; a conjunction counts in each entry that has its
// contents. It is nil without one: not seen by the side to move, with stretches of columns, or
// of too many squares.
func (a *Atoms) tables(game, side string, pieces []games.Piece, sets []Set, w Weights, left map[int]bool) (map[string][]byte, error) {
	if side != sideMover || len(a.cuts) > 0 || a.board == nil {
		return nil, nil
	}
	groups, of, ok := a.gather(sets, left, len(pieces))
	if !ok {
		return nil, nil
	}
	var text strings.Builder
	fmt.Fprintf(&text, "# Made by kifu conjunctions.\ngame = %q\nname = \"conjunctions\"\nunit = \"logits\"\ngrain = %v\n", game, tableGrain)
	for i, cells := range append([][]int{nil}, groups...) {
		fmt.Fprintf(&text, "\n[[pattern]]\nname = %q\nsquares = %q\nsymmetries = \"none\"\n", patternName(i), strings.Join(a.names(cells), " "))
	}
	f, err := pattern.Parse([]byte(text.String()))
	if err != nil {
		return nil, err
	}
	plan, err := pattern.NewPlan(f, game, a.board, pieces)
	if err != nil {
		return nil, err
	}
	weights, all := make([]float64, plan.Weights), plan.Tables()
	weights[all[0].At] = w.Constant
	for i, set := range sets {
		if left[i] {
			continue
		}
		table := weights[all[1+of[i]].At:][:all[1+of[i]].Classes]
		a.count(table, groups[of[i]], set.Atoms, pieces, w.Of[i])
	}
	t, _, err := plan.NewTables(weights)
	if err != nil {
		return nil, err
	}
	return t.Files()
}

// gather returns sets of cells and for each conjunction one that has all of its squares: the first
// that has them already, else the first that can take the others. ok is false if they are too many.
func (a *Atoms) gather(sets []Set, left map[int]bool, contents int) (groups [][]int, of []int, ok bool) {
	of = make([]int, len(sets))
	for i := len(sets) - 1; i >= 0; i-- { // long ones come last, unless they were selected
		if left[i] {
			continue
		}
		cells := lists.Of(sets[i].Atoms, func(x uint32) int { return a.List[x].Cell })
		if power(contents, len(cells)) > mostEntries {
			return nil, nil, false
		}
		of[i] = slices.IndexFunc(groups, func(g []int) bool { return len(without(cells, g)) == 0 })
		if of[i] < 0 {
			of[i] = slices.IndexFunc(groups, func(g []int) bool {
				more := without(cells, g)
				return len(more) < len(cells) && power(contents, len(g)+len(more)) <= usualEntries
			})
		}
		if of[i] < 0 {
			of[i] = len(groups)
			groups = append(groups, nil)
		}
		groups[of[i]] = append(groups[of[i]], without(cells, groups[of[i]])...)
		if len(groups) > mostPatterns {
			return nil, nil, false
		}
	}
	return groups, of, true
}

// without returns the cells that are not in group.
func without(cells, group []int) []int {
	return lists.Where(cells, func(c int) bool { return !slices.Contains(group, c) })
}

func power(base, n int) int {
	all := 1
	for range n {
		if all *= base; all > mostEntries {
			return all
		}
	}
	return all
}

// names returns the names of cells.
func (a *Atoms) names(cells []int) []string {
	return lists.Of(cells, func(c int) string { return a.board.Names[c] })
}

func patternName(i int) string {
	if i == 0 {
		return "constant"
	}
	return "squares_" + strconv.Itoa(i)
}

// count adds w to the entries of a table of these cells in which atoms are true. An entry has
// a digit for each cell, the first one's the lowest: 0 for an empty one, then the kinds of
// pieces of the side to move, then of the other.
func (a *Atoms) count(table []float64, cells []int, atoms []uint32, pieces []games.Piece, w float64) {
	kinds := (len(pieces) - 1) / 2
	base := 1 + 2*kinds
	want := make([]int, len(cells)) // digit + 1; 0: any
	for _, x := range atoms {
		atom := a.List[x]
		digit := int(x) - a.first[atom.Group]
		if digit > 0 {
			second := pieces[digit].Side == games.Second
			digit = 1 + (digit-1)%kinds
			if second {
				digit += kinds
			}
		}
		want[slices.Index(cells, atom.Cell)] = digit + 1
	}
	for entry := range table {
		rest, all := entry, true
		for _, d := range want {
			all = all && (d == 0 || rest%base == d-1)
			rest /= base
		}
		if all {
			table[entry] += w
		}
	}
}
