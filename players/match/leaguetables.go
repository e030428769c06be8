package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"kifu/internal/elo"
	"kifu/internal/lists"

	tables "kifu/internal/table"
)

// document has the tables of a league in the layout of Al-Khateeb and Kendall (2011,
// tables 2 to 5): the results of each row player against each column player.
func (l *League) document() tables.Document {
	all := []tables.Table{l.standings()}
	for i, what := range []string{"Wins", "Draws", "Losses"} {
		all = append(all, l.cross(fmt.Sprintf("%s of the row player against the column player", what), strings.ToLower(what),
			func(wdl [3]int64) int64 { return wdl[i] }))
	}
	all = append(all, l.meetings())
	if l.Orders > 0 {
		all = append(all, l.ratings())
	}
	return tables.Document{Tables: append(all, l.ends())}
}

// heads returns the heads of a column of names and of columns of numbers.
func heads(names string, numbers ...string) []tables.Cell {
	head := []tables.Cell{tables.Text(names)}
	for _, n := range numbers {
		head = append(head, tables.Number(n))
	}
	return head
}

// plain is the tables for a terminal, a blank line between them.
func plain(d tables.Document) string {
	var b strings.Builder
	for i, t := range d.Tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, t.Caption)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		head := lists.Of(t.Head, func(h tables.Cell) string { return h.Text })
		rows, wide := append([][]string{head}, t.Rows...), 0 // names are left-aligned
		for _, row := range rows {
			wide = max(wide, utf8.RuneCountInString(row[0]))
		}
		for _, row := range rows {
			fmt.Fprintf(w, "  %s%s\t%s\t\n", row[0], strings.Repeat(" ", wide-utf8.RuneCountInString(row[0])), strings.Join(row[1:], "\t"))
		}
		_ = w.Flush() // into memory
	}
	return b.String()
}

// markdown and latex are the tables as texts of these kinds, a blank line between them.
func markdown(d tables.Document) string {
	texts := lists.Of(d.Tables, tables.Table.Markdown)
	return strings.Join(texts, "\n")
}

func latex(d tables.Document) string {
	var b strings.Builder
	for i, t := range d.Tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%% %s\n", t.Caption)
		_ = tables.WriteLaTeX(&b, t.Head, t.Each) // into memory
	}
	return b.String()
}

func (l *League) standings() tables.Table {
	t := tables.Table{Name: "standings", Caption: fmt.Sprintf("%d games of %d players", l.Games, len(l.Players)), Head: heads("player", "wins", "draws", "losses", "mean points")}
	if l.AllOrders > 0 {
		t.Caption += fmt.Sprintf("; ratings in %d random orders of all games", l.AllOrders)
		t.Head = append(t.Head, tables.Number("rating"), tables.Number("SD"), tables.Number("class"))
	}
	for _, s := range l.Standings {
		row := []string{s.Player, count(s.Wins), count(s.Draws), count(s.Losses), optional("%.3f", s.MeanPoints)}
		if l.AllOrders > 0 {
			row = append(row, ratingCells(s.Rating)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cross counts a property of the games of each row player against each column player.
func (l *League) cross(title, what string, of func(wdl [3]int64) int64) tables.Table {
	t := tables.Table{Caption: title, Head: heads("player", append(slices.Clone(l.Players), "Σ "+what)...)}
	for i, name := range l.Players {
		row := slices.Repeat([]string{"-"}, len(l.Players)+2)
		row[0] = name
		total := int64(0)
		for _, m := range l.Meetings {
			for k, wdl := range [2][3]int64{m.all(), turned(m.all())} {
				if m.seats[k] == i {
					row[1+m.seats[1-k]] = count(of(wdl))
					total += of(wdl)
				}
			}
		}
		row[len(row)-1] = count(total)
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (l *League) meetings() tables.Table {
	t := tables.Table{Name: "meetings", Caption: "Meetings, from the side of the first player; intervals of 95 %",
		Head: heads("players", "wins", "draws", "losses", "mean points", "Elo", "low", "high", "superiority")}
	for _, m := range l.Meetings {
		all := m.all()
		row := []string{m.Players[0] + " : " + m.Players[1], count(all[0]), count(all[1]), count(all[2]), optional("%.3f", m.MeanPoints), "-", "-", "-", "-"}
		if m.Elo != nil {
			copy(row[5:], []string{fmt.Sprintf("%+.1f", m.Elo.Value), fmt.Sprintf("%+.1f", m.Elo.Low), fmt.Sprintf("%+.1f", m.Elo.High), fmt.Sprintf("%.1f %%", 100**m.Superiority)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (l *League) ratings() tables.Table {
	t := tables.Table{Caption: fmt.Sprintf("Ratings of each meeting in %d random orders of its games", l.Orders), Head: heads("player", "mean", "SD", "class")}
	for _, m := range l.Meetings {
		if m.Ratings == nil {
			continue
		}
		for k, r := range m.Ratings {
			t.Rows = append(t.Rows, append([]string{m.Players[k]}, ratingCells(&r)...))
		}
	}
	return t
}

func (l *League) ends() tables.Table {
	var all Tally
	for i := range l.Meetings {
		all.add(l.Meetings[i].Tally)
	}
	t := tables.Table{Caption: "What ended the games", Head: heads("rule", "games")}
	for _, rule := range all.rules() {
		t.Rows = append(t.Rows, []string{rule, count(all.Ends[rule])})
	}
	return t
}

// ratingCells returns mean, standard deviation and class; dashes without a rating.
func ratingCells(r *elo.Rating) []string {
	if r == nil {
		return []string{"-", "-", "-"}
	}
	return []string{fmt.Sprintf("%.2f", r.Mean), fmt.Sprintf("%.2f", r.SD), r.Class}
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

// optional formats x, or a dash for nil.
func optional(format string, x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(format, *x)
}

// table returns the contents of league.csv, a row for each player and each of its opponents.
func (l *League) table() [][]string {
	rows := [][]string{{"player", "opponent", "wins", "draws", "losses", "unfinished", "mean_points", "elo", "elo_low", "elo_high", "rating", "rating_sd", "class"}}
	for _, m := range l.Meetings {
		for k, wdl := range [2][3]int64{m.all(), turned(m.all())} {
			row := []string{m.Players[k], m.Players[1-k], count(wdl[0]), count(wdl[1]), count(wdl[2]), count(m.Unfinished), "", "", "", "", "", "", ""}
			if mean := meanPoints(wdl); mean != nil {
				row[6] = number(*mean)
			}
			if e := m.Elo; e != nil && k == 0 {
				row[7], row[8], row[9] = number(e.Value), number(e.Low), number(e.High)
			} else if e != nil {
				row[7], row[8], row[9] = number(-e.Value), number(-e.High), number(-e.Low)
			}
			if m.Ratings != nil {
				r := m.Ratings[k]
				row[10], row[11], row[12] = number(r.Mean), number(r.SD), r.Class
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
