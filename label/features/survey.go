package features

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kifu/datasets/part"
	"kifu/internal/progress"
)

// role is the purpose of a column.
type role uint8

const (
	ignored role = iota
	gameRole
	resultRole
	valueRole
	plyRole
	phaseRole
	turnRole
	fenRole
	expectedRole // an expected result; its column is kept by that name
	keptRole
	featureRole
)

// roles are the roles recognised by a column's name.
var roles = map[string]role{"game": gameRole, "result": resultRole, "value": valueRole, "ply": plyRole, "phase": phaseRole, "first_to_move": turnRole, "fen": fenRole, "expected_result": expectedRole}

// column is a column of the file with a summary of its cells.
type column struct {
	name      string
	role      role
	whole     bool // all numbers are whole
	low, high float64
	missing   int64
	first     int64 // where the first one is missing
}

// counts reports whether the numbers can be counts of a term.
func (c *column) counts() bool {
	return c.whole && c.low >= math.MinInt16 && c.high <= math.MaxInt16
}

// survey is the result of a first reading of a file.
type survey struct {
	columns  []column
	rows     int64
	numbered bool // games are whole numbers, which are their ids
}

func (s *survey) kinds() []kind {
	kinds := make([]kind, len(s.columns))
	for i, c := range s.columns {
		switch c.role {
		case ignored:
		case gameRole, resultRole, fenRole:
			kinds[i] = text
		default:
			kinds[i] = number
		}
	}
	return kinds
}

// find returns the index of the column with the role, -1 without one.
func (s *survey) find(r role) int {
	return slices.IndexFunc(s.columns, func(c column) bool { return c.role == r })
}

// ByGameID reports whether the games of a file are in a column of the name that datasets have for it, as the file has no other column
// for them.
func ByGameID(p Params, path string) bool {
	t, err := openTable(path)
	if err != nil {
		return false // Run explains why
	}
	names := t.names()
	_ = t.close()
	return p.Columns["game"] == "" && !slices.Contains(names, "game") && slices.Contains(names, part.GameID) && !slices.Contains(slices.Concat(p.Keep, p.Ignore), part.GameID)
}

// look reads the file once.
func look(ctx context.Context, p Params, path string) (*survey, error) {
	t, err := openTable(path)
	if err != nil {
		return nil, err
	}
	names := t.names()
	if err := t.close(); err != nil {
		return nil, err
	}
	s := &survey{numbered: true}
	if s.columns, err = assign(p, path, names); err != nil {
		return nil, err
	}
	bar := progress.Start(ctx, "features: look", 0, "rows")
	defer bar.Done()
	err = readBlocks(path, s.kinds(), func(b *block) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		bar.Add(int64(b.rows))
		return s.add(path, b)
	})
	if err != nil {
		return nil, err
	}
	return s, s.judge(path)
}

// assign gives every column its role.
func assign(p Params, path string, names []string) ([]column, error) {
	columns := make([]column, len(names))
	place := map[string]int{}
	for i, name := range names {
		if name == "" {
			return nil, fmt.Errorf("%s: column %d has no name: the first line has the names of the columns", path, i+1)
		}
		if _, twice := place[name]; twice {
			return nil, fmt.Errorf("%s: two columns are named %q", path, name)
		}
		place[name] = i
		columns[i] = column{name: name, role: featureRole, whole: true}
	}
	give := func(name string, r role) error {
		i, ok := place[name]
		if !ok {
			return fmt.Errorf("%s: no column %q; there are %s", path, name, strings.Join(names, ", "))
		}
		if columns[i].role != featureRole {
			return fmt.Errorf("%s: column %q is requested twice", path, name)
		}
		columns[i].role = r
		return nil
	}
	for word, r := range roles {
		name, asked := p.Columns[word]
		if !asked {
			name = word
		}
		if (r == fenRole || r == expectedRole) && !asked && slices.Contains(p.Ignore, name) {
			continue
		}
		if _, there := place[name]; !there && !asked && (r != resultRole || p.expects(place)) {
			continue
		}
		if err := give(name, r); err != nil {
			if !asked {
				err = fmt.Errorf("%w: name the one with the %s by --column %s=NAME", err, word, word)
			}
			return nil, err
		}
	}
	if i := slices.IndexFunc(columns, func(c column) bool { return c.role == valueRole }); i < 0 && p.Valued {
		return nil, fmt.Errorf("%s: no column \"value\"; there are %s: name the one with the evaluation by --column value=NAME", path, strings.Join(names, ", "))
	}
	for r, list := range map[role][]string{keptRole: p.Keep, ignored: p.Ignore} {
		for _, name := range list {
			if i, there := place[name]; there && r == keptRole && columns[i].role == fenRole {
				continue // it is kept
			}
			if err := give(name, r); err != nil {
				return nil, err
			}
		}
	}
	if !p.Valued && !slices.ContainsFunc(columns, func(c column) bool { return c.role == featureRole }) {
		return nil, fmt.Errorf("%s: no column is left for a feature", path)
	}
	return columns, nil
}

// expects reports whether the file has expected results and so needs no others.
func (p Params) expects(place map[string]int) bool {
	_, there := place["expected_result"]
	return p.Columns["expected_result"] != "" || there && !slices.Contains(p.Ignore, "expected_result")
}

// add summarises the rows of b.
func (s *survey) add(path string, b *block) error {
	s.rows += int64(b.rows)
	for i := range s.columns {
		c := &s.columns[i]
		switch c.role {
		case ignored, fenRole:
		case gameRole, resultRole:
			if err := s.addTexts(c, path, b, &b.cells[i]); err != nil {
				return err
			}
		default:
			for row, x := range b.cells[i].numbers {
				if math.IsNaN(x) {
					c.lacks(b.where[row])
					continue
				}
				if math.IsInf(x, 0) {
					return fmt.Errorf("%s, column %s: infinite", place(path, b.where[row]), c.name)
				}
				c.low, c.high = min(c.low, x), max(c.high, x)
				c.whole = c.whole && x == math.Trunc(x)
			}
			if err := c.fits(path, b, b.cells[i].numbers); err != nil {
				return err
			}
		}
	}
	return nil
}

// fits returns an error for numbers that are invalid for the role.
func (c *column) fits(path string, b *block, numbers []float64) error {
	var ok func(float64) bool
	var want string
	whole := func(low, high float64) func(float64) bool {
		return func(x float64) bool { return x >= low && x <= high && x == math.Trunc(x) }
	}
	switch c.role {
	case plyRole:
		ok, want = whole(0, math.MaxInt32), "a non-negative whole number"
	case phaseRole:
		ok, want = whole(math.MinInt16, math.MaxInt16), "a whole number within ±32767"
	case turnRole:
		ok, want = whole(0, 1), "1 or 0, true or false"
	case expectedRole:
		ok, want = func(x float64) bool { return x >= 0 && x <= 1 }, "the first player's expected result, from 0 (lost) to 1 (won)"
	case valueRole:
		ok, want = func(x float64) bool { return math.Abs(x) <= 1e6 }, "a value within a million"
	default:
		return nil
	}
	for row, x := range numbers {
		if !math.IsNaN(x) && !ok(x) {
			return fmt.Errorf("%s, column %s: %v: want %s", place(path, b.where[row]), c.name, x, want)
		}
	}
	return nil
}

func (c *column) lacks(where int64) {
	if c.missing++; c.missing == 1 {
		c.first = where
	}
}

func (s *survey) addTexts(c *column, path string, b *block, in *cells) error {
	for row := range b.rows {
		t := in.text(row)
		if len(t) == 0 {
			c.lacks(b.where[row])
			continue
		}
		if c.role == gameRole {
			if s.numbered {
				_, s.numbered = gameNumber(t)
			}
			continue
		}
		if _, ok := parseResult(t); !ok {
			return fmt.Errorf("%s, column %s: %q is not a result: want 1-0, 0-1 or 1/2-1/2; 1, 0 or 0.5; first, second or draw; or * for none (for numbers between, --column expected_result=%s and fit --expected expected_result)", place(path, b.where[row]), c.name, t, c.name)
		}
	}
	return nil
}

// gameNumber reads the id of a game, if it is a number as programs write them.
func gameNumber(t []byte) (int64, bool) {
	n, err := strconv.ParseInt(string(t), 10, 64)
	return n, err == nil && n >= 0 && t[0] != '+' && (t[0] != '0' || len(t) == 1)
}

// parseResult returns labels' word for a result, "" for none.
func parseResult(t []byte) (word string, ok bool) {
	switch string(t) {
	case "1-0", "1", "1.0", "first":
		return "first", true
	case "0-1", "0", "0.0", "second":
		return "second", true
	case "1/2-1/2", "1/2", "½", "½-½", "0.5", ".5", "draw":
		return "draw", true
	case "*":
		return "", true
	}
	return "", false
}

// judge returns an error for a file with missing cells, or without rows.
func (s *survey) judge(path string) error {
	if s.rows == 0 {
		return fmt.Errorf("%s: no rows below the names of the columns", path)
	}
	var lacking []string
	for _, c := range s.columns {
		if c.missing > 0 {
			lacking = append(lacking, fmt.Sprintf("column %s in %d of %d rows (%s)", c.name, c.missing, s.rows, strings.TrimPrefix(place(path, c.first), path+", ")))
		}
	}
	if lacking == nil {
		return nil
	}
	more := ""
	if n := len(lacking); n > 8 {
		lacking, more = lacking[:8], fmt.Sprintf(", and %d columns more", n-8)
	}
	return fmt.Errorf("%s: missing: %s%s: omit these rows or columns, or fill in numbers", path, strings.Join(lacking, ", "), more)
}
