package pattern

import (
	"fmt"
	"slices"
	"strings"

	"kifu/games"
)

const (
	mostEntries = 1 << 24 // of a table
	mostWeights = 1 << 26
)

// Plan is a File on a game's board.
type Plan struct {
	File     *File
	Weights  int // number of them
	tables   []table
	places   []place
	cells    int
	kinds    int // of pieces of a side
	exchange []int
}

// TableInfo describes a pattern of a plan.
type TableInfo struct {
	Name            string
	Squares, Places int
	First           []int // number of pieces at which each phase begins
	Classes         int   // weights of a phase: entries that no symmetry makes equal
	At              int   // number of its first weight: phase by phase, Classes each
}

// table is a pattern.
type table struct {
	TableInfo
	size    int // entries of a phase: base to the power of the number of squares
	base    int
	class   []uint32 // of each entry
	phaseOf []uint8  // by number of pieces
	phases  int
	digits  []uint8
	letters []string // of the contents of a square
}

// place is an instance.
type place struct {
	table int
	cells []int
	other bool // seen by the side that is not to move, with the opposite sign
}

// NewPlan lays a pattern file on a game's board: layout and pieces come from its Drawer.
func NewPlan(f *File, game string, l *games.Layout, pieces []games.Piece) (*Plan, error) {
	if f.Game != game {
		return nil, fmt.Errorf("a pattern file of %s, not of %s", f.Game, game)
	}
	p := &Plan{File: f, cells: l.Columns * l.Rows, kinds: (len(pieces) - 1) / 2, exchange: exchanged(l)}
	for i := range f.Patterns {
		if err := p.add(&f.Patterns[i], l, pieces); err != nil {
			return nil, fmt.Errorf("line %d: pattern %s: %w", f.Patterns[i].line, f.Patterns[i].Name, err)
		}
	}
	if p.Weights > mostWeights {
		return nil, fmt.Errorf("%d weights: at most %d", p.Weights, mostWeights)
	}
	return p, nil
}

// exchanged returns for each cell the one that it changes places with when the sides do.
func exchanged(l *games.Layout) []int {
	to := make([]int, l.Columns*l.Rows)
	for i := range to {
		switch to[i] = i; l.Exchange {
		case games.UpsideDown:
			to[i] = (l.Rows-1-i/l.Columns)*l.Columns + i%l.Columns
		case games.HalfTurned:
			to[i] = len(to) - 1 - i
		}
	}
	return to
}

func (p *Plan) add(of *Pattern, l *games.Layout, pieces []games.Piece) (err error) {
	t := table{TableInfo: TableInfo{Name: of.Name, At: p.Weights}}
	if t.digits, t.base, err = digits(of.Kinds, pieces); err != nil {
		return err
	}
	t.letters = t.spell(pieces)
	places, err := placesOf(of, l)
	if err != nil {
		return err
	}
	t.Squares = len(places[0])
	t.size = 1
	for range t.Squares {
		if t.size *= t.base; t.size > mostEntries {
			return fmt.Errorf("%d squares with %d contents each: a table has at most %d entries", t.Squares, t.base, mostEntries)
		}
	}
	places, same := spread(places, symmetries(of.Symmetries, l))
	t.share(same)
	if err := t.setPhases(of.Phases, p.cells); err != nil {
		return err
	}
	for _, cells := range places {
		p.places = append(p.places, place{table: len(p.tables), cells: cells})
		if of.Both {
			p.places = append(p.places, place{table: len(p.tables), cells: cells, other: true})
		}
	}
	if t.Places = len(places); of.Both {
		t.Places *= 2
	}
	p.Weights += t.phases * t.Classes
	p.tables = append(p.tables, t)
	return nil
}

// digits returns what each piece counts as to the first player: 0 an empty square or another
// kind, then the own kinds, then the other's.
func digits(kinds []string, pieces []games.Piece) (of []uint8, base int, err error) {
	per := (len(pieces) - 1) / 2
	of = make([]uint8, len(pieces))
	n := 0
	found := map[string]bool{}
	for i := range per {
		kind := kindOf(pieces[1+i])
		if kinds != nil && !slices.Contains(kinds, kind) {
			continue
		}
		found[kind] = true
		n++
		of[1+i], of[1+per+i] = uint8(n), uint8(n)
	}
	for _, k := range kinds {
		if !found[k] {
			return nil, 0, fmt.Errorf("no kind of pieces %q: there are %s", k, strings.Join(Kinds(pieces), ", "))
		}
	}
	for i := range of {
		if side := pieces[i].Side; of[i] > 0 && side == games.Second {
			of[i] += uint8(n)
		}
	}
	return of, 1 + 2*n, nil
}

// spell returns a letter for each content of a square.
func (t *table) spell(pieces []games.Piece) []string {
	own := (t.base - 1) / 2
	letters := make([]string, t.base)
	letters[0] = "-"
	for i, d := range t.digits {
		if d > 0 && int(d) <= own {
			kind := kindOf(pieces[i])
			letters[d], letters[int(d)+own] = strings.ToUpper(kind[:1]), strings.ToLower(kind[:1])
		}
	}
	return letters
}

// kindOf returns the kind of a piece: its name without its side's.
func kindOf(p games.Piece) string {
	if _, kind, ok := strings.Cut(p.Name, " "); ok {
		return kind
	}
	return p.Name
}

// Kinds returns the kinds of one side's pieces.
func Kinds(pieces []games.Piece) (kinds []string) {
	for _, p := range pieces[1 : 1+(len(pieces)-1)/2] {
		kinds = append(kinds, kindOf(p))
	}
	return kinds
}

// placesOf returns the cells of each place that the pattern names.
func placesOf(of *Pattern, l *games.Layout) (places [][]int, err error) {
	if of.Squares == nil {
		for i, name := range l.Names {
			if name != "" {
				places = append(places, []int{i})
			}
		}
		return places, nil
	}
	for _, text := range of.Squares {
		var cells []int
		for _, name := range strings.Fields(text) {
			c := l.Cell(name)
			switch {
			case c < 0:
				return nil, fmt.Errorf("no square %q on this board", name)
			case slices.Contains(cells, c):
				return nil, fmt.Errorf("square %s occurs twice", name)
			}
			cells = append(cells, c)
		}
		if len(places) > 0 && len(places[0]) != len(cells) {
			return nil, fmt.Errorf("places of %d and of %d squares cannot share a table", len(places[0]), len(cells))
		}
		places = append(places, cells)
	}
	if len(places) == 0 {
		return nil, fmt.Errorf("no squares")
	}
	return places, nil
}

// setPhases fills the phase of each number of pieces.
func (t *table) setPhases(of Phases, most int) error {
	t.First = of.First
	if t.First == nil {
		for i := range of.Count {
			t.First = append(t.First, i*(most+1)/of.Count)
		}
	}
	if t.phases = len(t.First); t.phases > most+1 || t.phases > 255 {
		return fmt.Errorf("%d phases: want at most %d, the number of pieces on a full board", t.phases, most)
	}
	t.phaseOf = make([]uint8, most+1)
	for n := range t.phaseOf {
		for k, from := range t.First {
			if n >= from {
				t.phaseOf[n] = uint8(k)
			}
		}
	}
	return nil
}

// Tables returns the patterns in their order.
func (p *Plan) Tables() (all []TableInfo) {
	for i := range p.tables {
		all = append(all, p.tables[i].TableInfo)
	}
	return all
}

// Neighbour is a stretch of N weights from A of a phase, and that from B of the next phase.
type Neighbour struct{ A, B, N int }

// Neighbours returns the pairs of adjacent phases.
func (p *Plan) Neighbours() (all []Neighbour) {
	for i := range p.tables {
		t := &p.tables[i]
		for phase := 1; phase < t.phases; phase++ {
			b := t.At + phase*t.Classes
			all = append(all, Neighbour{b - t.Classes, b, t.Classes})
		}
	}
	return all
}

// Contents writes the lowest entry of a class of a pattern, square by square. "-" is an empty
// square or a kind that does not count. A piece is the first letters of its kind: capitals for
// the side to move, small letters for the other.
func (p *Plan) Contents(table, class int) string {
	t := &p.tables[table]
	entry := 0
	for i, c := range t.class {
		if int(c) == class {
			entry = i
			break
		}
	}
	var b strings.Builder
	for range t.Squares {
		b.WriteString(t.letters[entry%t.base])
		entry /= t.base
	}
	return b.String()
}
