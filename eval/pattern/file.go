package pattern

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/internal/tomldoc"
)

// File is a pattern file:
//
//	game = "othello"
//	name = "edges"
//	unit = "discs"
//	grain = 0.01           # a step of the tables, in the unit; a multiple of 0.01 (0.01)
//	phases = 13            # so many stretches of pieces on the board, or the first number of each
//	neighbours = 10        # an entry is drawn to its neighbouring phases as by 10 positions (0)
//	ridge = 2              # and to 0 as by 2 (1)
//	kinds = ["man"]        # pieces that differ from empty squares, by name (all)
//
//	[[pattern]]
//	name = "edge"
//	squares = "a1 b1 c1 d1 e1 f1 g1 h1"
//
// squares may be a list of texts, each a place of its own that shares the table; "each" is short
// for every square alone, and "" is a constant. A pattern may have its own phases and kinds.
// symmetries is "all" (the eight of a square board; the default if they leave the rules unchanged),
// "mirror" (left and right), "turn" (by half a turn) or "none". both = true also counts it from the
// other side, with the opposite sign, as Scan does.
type File struct {
	Game, Name, Unit string
	Grain            float64
	Neighbours       float64
	Ridge            float64
	Patterns         []Pattern
	Text             []byte // as read
}

// Pattern is one [[pattern]] of a File.
type Pattern struct {
	Name       string
	Squares    []string // of each place, names with spaces between; nil: each square alone
	Symmetries string   // "all", "mirror", "turn", "none"; "": the rules'
	Both       bool
	Phases     Phases
	Kinds      []string // nil: all

	line int
}

// Phases are stretches of numbers of pieces: Count equal ones, or those that begin at First.
type Phases struct {
	Count int
	First []int
}

// Is reports whether a text is a pattern file's, and not a weights.toml's.
func Is(text []byte) bool {
	entries, _ := tomldoc.Read(text)
	return slices.ContainsFunc(entries, func(e tomldoc.Entry) bool {
		return e.Kind == tomldoc.ArrayTable && slices.Equal(e.Key, []string{"pattern"})
	})
}

// Parse reads a pattern file. Errors name the line.
func Parse(text []byte) (*File, error) {
	f := &File{Grain: 0.01, Ridge: 1, Text: text}
	usual := Pattern{Phases: Phases{Count: 1}}
	entries, syntax := tomldoc.Read(text)
	for _, e := range entries {
		if err := f.entry(e, &usual); err != nil {
			return nil, fmt.Errorf("line %d: %w", e.Line, err)
		}
	}
	if syntax != nil {
		return nil, syntax
	}
	return f, f.validate()
}

func (f *File) entry(e tomldoc.Entry, usual *Pattern) error {
	key := strings.Join(e.Key, ".")
	switch {
	case e.Kind == tomldoc.ArrayTable && key == "pattern":
		p := *usual
		p.line = e.Line
		p.Squares = []string{unset}
		f.Patterns = append(f.Patterns, p)
		return nil
	case e.Kind != tomldoc.KeyValue:
		return fmt.Errorf("%q: a pattern file has a header and tables [[pattern]]", key)
	case len(f.Patterns) > 0:
		return f.Patterns[len(f.Patterns)-1].key(key, e.Value)
	}
	err := f.header(key, e.Value)
	if errors.Is(err, errUnknown) {
		if key == "phases" || key == "kinds" {
			return usual.key(key, e.Value)
		}
		return fmt.Errorf("unknown key %q: the header has game, name, unit, grain, phases, neighbours, ridge and kinds", key)
	}
	return err
}

// unset marks squares that were not given.
const unset = "\x00"

var errUnknown = errors.New("unknown key")

func (f *File) header(key string, v any) (err error) {
	switch key {
	case "game":
		f.Game, err = tomldoc.Text(v)
	case "name":
		f.Name, err = tomldoc.Text(v)
	case "unit":
		f.Unit, err = tomldoc.Text(v)
	case "grain":
		f.Grain, err = tomldoc.Float(v)
	case "neighbours":
		f.Neighbours, err = tomldoc.Float(v)
	case "ridge":
		f.Ridge, err = tomldoc.Float(v)
	default:
		return errUnknown
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", key, err)
	}
	return err
}

func (p *Pattern) key(key string, v any) (err error) {
	switch key {
	case "name":
		p.Name, err = tomldoc.Text(v)
	case "squares":
		p.Squares, err = texts(v)
		if err == nil && len(p.Squares) == 1 && p.Squares[0] == "each" {
			p.Squares = nil
		}
	case "symmetries":
		p.Symmetries, err = tomldoc.Text(v)
		if err == nil && !slices.Contains([]string{"all", "mirror", "turn", "none"}, p.Symmetries) {
			err = fmt.Errorf("%q: want all, mirror, turn or none", p.Symmetries)
		}
	case "both":
		var ok bool
		if p.Both, ok = v.(bool); !ok {
			err = errors.New("want true or false")
		}
	case "phases":
		p.Phases, err = phases(v)
	case "kinds":
		p.Kinds, err = texts(v)
	default:
		return fmt.Errorf("unknown key %q: a pattern has name, squares, symmetries, both, phases and kinds", key)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", key, err)
	}
	return err
}

func (f *File) validate() error {
	switch g := math.Round(f.Grain * 100); {
	case f.Game == "" || f.Name == "" || f.Unit == "":
		return errors.New("a pattern file needs game, name and unit")
	case g < 1 || math.Abs(f.Grain*100-g) > 1e-9 || f.Grain > 1000:
		return fmt.Errorf("grain %v: want a multiple of 0.01", f.Grain)
	case !(f.Neighbours >= 0) || !(f.Ridge >= 0):
		return fmt.Errorf("neighbours %v and ridge %v are numbers of positions: 0 or more", f.Neighbours, f.Ridge)
	case len(f.Patterns) == 0:
		return errors.New("a pattern file needs a [[pattern]]")
	}
	for i, p := range f.Patterns {
		switch {
		case p.Name == "":
			return fmt.Errorf("line %d: the pattern has no name", p.line)
		case slices.Equal(p.Squares, []string{unset}):
			return fmt.Errorf("line %d: pattern %s has no squares", p.line, p.Name)
		case slices.ContainsFunc(f.Patterns[:i], func(q Pattern) bool { return q.Name == p.Name }):
			return fmt.Errorf("line %d: pattern %s occurs twice", p.line, p.Name)
		}
	}
	return nil
}

// texts reads a text or a list of them.
func texts(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	out := []string{}
	for _, item := range list {
		s, err := tomldoc.Text(item)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

func phases(v any) (p Phases, err error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, item := range list {
		x, err := tomldoc.Float(item)
		if err != nil {
			return p, err
		}
		if x != math.Trunc(x) || x < 0 || x > 1000 || len(p.First) > 0 && int(x) <= p.First[len(p.First)-1] {
			return p, errors.New("want a number of phases, or the rising numbers of pieces at which they begin")
		}
		p.First = append(p.First, int(x))
	}
	if !ok {
		p = Phases{Count: p.First[0]}
		if p.Count < 1 {
			return p, errors.New("want at least one")
		}
	}
	return p, nil
}
