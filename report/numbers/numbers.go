// Package numbers gives every number that a report prints a name, for papers and for programs:
// curve/curves/total/at-0 is the cell of table "curves" in row "total" and column "at 0". In: the
// document of a report. Out: macros for LaTeX and JSON, both with the key of the report's dataset.
package numbers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kifu/internal/table"
)

// Number is a number as a report prints it.
type Number struct {
	ID   string `json:"id"`   // PREFIX/TABLE/ROW/COLUMN; of the sentence under the title PREFIX/lead/N
	Text string `json:"text"` // as printed: "53.6 %", "+31 (+5 to +60)"
	// Value is the number, a percentage as hundredths of one (53.6); nil for texts of several numbers.
	Value *float64 `json:"value,omitempty"`
	// Low and High are the ends of its 95 % interval, in the same unit; nil if the report prints none.
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// Of returns the numbers of the document of a report ("curve") in order; prefix begins their names.
func Of(d table.Document, report, prefix string) []Number {
	n := namer{}
	for i, text := range running().FindAllString(d.Lead, -1) {
		n.add(Number{Text: text, Value: value(text)}, prefix, "lead", strconv.Itoa(i+1))
	}
	for _, t := range d.Tables {
		name := strings.TrimPrefix(cmp.Or(t.Name, slug(t.Caption)), report+"-")
		columns := columnNames(t)
		for i, row := range rowNames(t) {
			for j, text := range t.Rows[i] {
				if columns[j] == "" || !strings.ContainsFunc(text, unicode.IsDigit) {
					continue
				}
				one := Number{Text: text}
				one.Value, one.Low, one.High = readCell(t, i, j)
				n.add(one, prefix, name, row, columns[j])
			}
		}
	}
	return n.all
}

// namer collects numbers under names that are all different.
type namer struct {
	all  []Number
	seen map[string]int
}

func (n *namer) add(one Number, parts ...string) {
	if n.seen == nil {
		n.seen = map[string]int{}
	}
	one.ID = unique(n.seen, strings.Join(parts, "/"))
	n.all = append(n.all, one)
}

// unique returns name, with a number after it from its second use on.
func unique(seen map[string]int, name string) string {
	if seen[name]++; seen[name] > 1 {
		return fmt.Sprintf("%s-%d", name, seen[name])
	}
	return name
}

// columnNames returns the names of the columns, "" of those that name rows and of texts.
func columnNames(t table.Table) []string {
	names, seen := make([]string, len(t.Head)), map[string]int{}
	keys := keyColumns(t)
	for j, h := range t.Head {
		if !slices.Contains(keys, j) && (h.Number || numeric(t, j)) {
			names[j] = unique(seen, cmp.Or(slug(h.Text), "column"))
		}
	}
	return names
}

// numeric reports whether all texts of a column are without letters: "+18 =6 −3".
func numeric(t table.Table, j int) bool {
	return !slices.ContainsFunc(t.Rows, func(row []string) bool { return strings.ContainsFunc(row[j], unicode.IsLetter) })
}

// keyColumns returns the columns that name a row: the first of texts, before which a rank may be, with as many
// more as tell the rows apart; in a table without texts the first column.
func keyColumns(t table.Table) []int {
	from := 0
	if len(t.Head) > 1 && t.Head[0].Number && !t.Head[1].Number {
		from = 1
	}
	to := from + 1
	for !t.Head[from].Number && to < len(t.Head) && !t.Head[to].Number && !numeric(t, to) {
		to++
	}
	fewest := to
	for ; to < len(t.Head); to++ {
		if apart(t, from, to) {
			return columns(from, to)
		}
	}
	return columns(from, fewest)
}

// apart reports whether no two rows have the same texts in these columns.
func apart(t table.Table, from, to int) bool {
	seen := map[string]bool{}
	for _, row := range t.Rows {
		key := strings.Join(row[from:to], "\x00")
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

func columns(from, to int) []int {
	all := make([]int, 0, to-from)
	for j := from; j < to; j++ {
		all = append(all, j)
	}
	return all
}

// rowNames returns the names of the rows.
func rowNames(t table.Table) []string {
	names := make([]string, len(t.Rows))
	if len(t.Head) == 0 {
		return names
	}
	keys := keyColumns(t)
	for i, row := range t.Rows {
		var words []string
		for _, j := range keys {
			if word := slug(row[j]); word != "" {
				words = append(words, word)
			}
		}
		names[i] = cmp.Or(strings.Join(words, "-"), strconv.Itoa(i+1))
	}
	return names
}

// slug is a text in small letters, digits and hyphens; the sign and the point of a number stay.
func slug(text string) string {
	var out []rune
	letters := []rune(strings.ToLower(text))
	digit := func(i int) bool { return i >= 0 && i < len(letters) && unicode.IsDigit(letters[i]) }
	for i, r := range letters {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '.' && digit(i-1) && digit(i+1):
			out = append(out, r)
		case (r == '−' || r == '-') && digit(i+1) && !digit(i-1):
			out = append(out, '-')
		case r == '.' || r == ',' || r == '\'' || r == '’':
		case len(out) > 0 && out[len(out)-1] != '-':
			out = append(out, '-')
		}
	}
	return strings.TrimRight(string(out), "-")
}
