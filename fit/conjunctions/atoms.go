package conjunctions

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kifu/games"
	"kifu/internal/lists"
	"kifu/internal/pattern"
)

// Atom is a fact that is true or false in a position.
type Atom struct {
	Group int    // in each position one atom of a group is true: the contents of a square
	Cell  int    // of the layout; -1 for a column
	Name  string // "a1 mine", "phase < 20"
	SQL   string // the same as a condition over the columns (query/boards)
}

// Atoms are the facts that conjunctions are made of, the atoms of a group together.
type Atoms struct {
	List  []Atom
	first []int // atom, by group
	board *games.Layout
	cells []int // of the groups that are cells
	cuts  []Cut
}

// Groups returns the number of groups.
func (a *Atoms) Groups() int { return len(a.first) }

// Cut divides the values of a column at points: below the first, from each to the next, and
// from the last on.
type Cut struct {
	Name   string    `json:"name,omitempty" toml:"name,omitempty"` // what conjunctions call it; "": the SQL
	SQL    string    `json:"sql" toml:"sql"`                       // a column, or an expression over the columns
	Points []float64 `json:"points" toml:"points"`                 // ascending
}

// named is the beginning of a cut that has a name.
var named = pattern.Of(`^([\pL\pN_' -]+): `)

// ParseCut reads COLUMN=POINT,POINT,… or NAME: SQL=POINT,POINT,….
func ParseCut(text string) (c Cut, err error) {
	at := strings.LastIndexByte(text, '=')
	if at <= 0 || at == len(text)-1 {
		return c, fmt.Errorf("%q: want COLUMN=POINT,…, as in phase=20,40", text)
	}
	c.SQL = strings.TrimSpace(text[:at])
	if m := named().FindStringSubmatch(c.SQL); m != nil {
		c.Name, c.SQL = m[1], strings.TrimSpace(c.SQL[len(m[0]):])
	}
	for _, word := range strings.Split(text[at+1:], ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || x-x != 0 {
			return c, fmt.Errorf("%q: %q is not a number", text, word)
		}
		if n := len(c.Points); n > 0 && x <= c.Points[n-1] {
			return c, fmt.Errorf("%q: cut points must ascend, %s does not", text, word)
		}
		c.Points = append(c.Points, x)
	}
	return c, nil
}

// part returns the number of the stretch that holds x.
func (c Cut) part(x float64) int {
	at, found := slices.BinarySearch(c.Points, x)
	if found {
		at++
	}
	return at
}

// number writes a cut point.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// name returns the name of stretch i.
func (c Cut) name(i int) string {
	name := cmp.Or(c.Name, c.SQL)
	if i > 0 && i < len(c.Points) {
		return number(c.Points[i-1]) + " <= " + name + " < " + number(c.Points[i])
	}
	return c.outer(name, i)
}

// sql returns the condition that the column is in stretch i.
func (c Cut) sql(i int) string {
	column := "(" + c.SQL + ")"
	if i > 0 && i < len(c.Points) {
		return column + " >= " + number(c.Points[i-1]) + " AND " + column + " < " + number(c.Points[i])
	}
	return c.outer(column, i)
}

// outer returns the condition of the first stretch or the last.
func (c Cut) outer(column string, i int) string {
	if i == 0 {
		return column + " < " + number(c.Points[0])
	}
	return column + " >= " + number(c.Points[i-1])
}

// newAtoms returns the atoms of the squares of a board with these pieces (nil: none), and of cuts.
func newAtoms(board *games.Layout, pieces []games.Piece, side string, cuts []Cut) *Atoms {
	a := &Atoms{board: board, cuts: cuts}
	if board != nil {
		names, v := contents(pieces, side), newView(board, pieces)
		for cell, square := range board.Names {
			if square == "" {
				continue
			}
			a.cells = append(a.cells, cell)
			a.group(cell, len(names), func(i int) (name, sql string) {
				where, what := literal(square), literal(pieces[i].Letter)
				if side == sideMover {
					where = either(where, literal(board.Names[v.cell[cell]]))
					what = either(what, literal(pieces[v.other[i]].Letter))
				}
				return square + " " + names[i], fmt.Sprintf("piece_at(board, %s) = %s", where, what)
			})
		}
	}
	for _, c := range cuts {
		a.group(-1, len(c.Points)+1, func(i int) (name, sql string) { return c.name(i), c.sql(i) })
	}
	return a
}

// literal returns a text in SQL.
func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// either returns what is x where the first player is to move, else y.
func either(x, y string) string {
	if x == y {
		return x
	}
	return fmt.Sprintf("CASE WHEN first_to_move THEN %s ELSE %s END", x, y)
}

// group appends a group of n atoms.
func (a *Atoms) group(cell, n int, of func(i int) (name, sql string)) {
	a.first = append(a.first, len(a.List))
	for i := range n {
		name, sql := of(i)
		a.List = append(a.List, Atom{Group: len(a.first) - 1, Cell: cell, Name: name, SQL: sql})
	}
}

// contents returns what the contents of a square are called, by the number of the piece: as
// the side to move sees them, or by their own names.
func contents(pieces []games.Piece, side string) []string {
	names := []string{"empty"}
	for _, p := range pieces[1:] {
		name := p.Name
		if side == sideMover {
			whose, kind := "my", ""
			if p.Side == games.Second {
				whose = "their"
			}
			_, kind, _ = strings.Cut(p.Name, " ")
			if len(pieces) == 3 || kind == "" {
				name = map[string]string{"my": "mine", "their": "theirs"}[whose]
			} else {
				name = whose + " " + kind
			}
		}
		names = append(names, name)
	}
	return names
}

// SQL returns the condition that all of atoms are true.
func (a *Atoms) SQL(atoms []uint32) string {
	all := lists.Of(atoms, func(x uint32) string { return a.List[x].SQL })
	return cmp.Or(strings.Join(all, " AND "), "true")
}

// separator is between the names of atoms.
const separator = " & "

// Name returns the names of atoms with the separator between them.
func (a *Atoms) Name(atoms []uint32) string {
	names := lists.Of(atoms, func(x uint32) string { return a.List[x].Name })
	return strings.Join(names, separator)
}
