package sheet

import (
	"fmt"
	"slices"

	"kifu/internal/human"
	"kifu/internal/lists"
)

// Source is a dataset as a report speaks of it; what does not concern a report is empty.
type Source struct {
	Name, Column      string // Column is the evaluation
	Key, Game, Zeroed string
	Rows              int64
	Dedup             bool
}

// Sources are the datasets of a report.
type Sources []Source

// SourcesOf are the datasets of contenders, each once.
func SourcesOf(all []Contender) (of Sources) {
	for _, c := range all {
		if s := (Source{Name: c.Source, Key: c.Key, Rows: c.Rows}); !slices.Contains(of, s) {
			of = append(of, s)
		}
	}
	return of
}

// Names returns their names, in order.
func (all Sources) Names() []string { return lists.Of(all, func(s Source) string { return s.Name }) }

// Read is the number of their rows.
func (all Sources) Read() int64 { return lists.Sum(all, func(s Source) int64 { return s.Rows }) }

// Inputs returns the lines that name the sources in the report's footer, with their numbers of rows. one and
// many are the words for rows; without them rows are called rows.
func (all Sources) Inputs(one, many string) (lines []string) {
	for _, s := range all {
		if one == "" {
			lines = append(lines, fmt.Sprintf("%s: key %s, %s rows", s.Name, ShortKey(s.Key), human.Grouped(s.Rows)))
		} else {
			lines = append(lines, fmt.Sprintf("%s: %s, key %s", s.Name, human.Plural(s.Rows, one, many), ShortKey(s.Key)))
		}
	}
	return lines
}
