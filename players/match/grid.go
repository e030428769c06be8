package match

import (
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	tables "kifu/internal/table"
)

// grid is a readable table.
type grid struct {
	title string
	head  []string // the first column has names
	rows  [][]string
}

// render renders all grids, a blank line between them.
func render(grids []grid, one func(grid) string) string {
	texts := make([]string, len(grids))
	for i, g := range grids {
		texts[i] = one(g)
	}
	return strings.Join(texts, "\n")
}

func (g grid) text() string {
	var b strings.Builder
	fmt.Fprintln(&b, g.title)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	wide := 0 // names are left-aligned
	for _, row := range append([][]string{g.head}, g.rows...) {
		wide = max(wide, len([]rune(row[0])))
	}
	for _, row := range append([][]string{g.head}, g.rows...) {
		fmt.Fprintf(w, "  %s%s\t%s\t\n", row[0], strings.Repeat(" ", wide-len([]rune(row[0]))), strings.Join(row[1:], "\t"))
	}
	_ = w.Flush() // into memory
	return b.String()
}

func (g grid) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", g.title)
	line := func(cells []string) {
		fmt.Fprintf(&b, "| %s |\n", strings.ReplaceAll(strings.Join(cells, "\x00"), "|", `\|`))
	}
	line(g.head)
	fmt.Fprintf(&b, "|---|%s\n", strings.Repeat("---:|", len(g.head)-1))
	for _, row := range g.rows {
		line(row)
	}
	return strings.ReplaceAll(b.String(), "\x00", " | ")
}

func (g grid) latex() string {
	escape := strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "Σ", `$\Sigma$`, "±", `$\pm$`, "½", `$\frac12$`)
	var b strings.Builder
	fmt.Fprintf(&b, "%% %s\n\\begin{tabular}{l%s}\n", g.title, strings.Repeat("r", len(g.head)-1))
	line := func(cells []string) {
		for i, cell := range cells {
			if i > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(escape.Replace(cell))
		}
		b.WriteString(" \\\\\n")
	}
	line(g.head)
	b.WriteString("\\hline\n")
	for _, row := range g.rows {
		line(row)
	}
	b.WriteString("\\end{tabular}\n")
	return b.String()
}

// leagueDocument is the grids as data.
func leagueDocument(grids []grid) tables.Document {
	var d tables.Document
	for _, g := range grids {
		t := tables.Table{Caption: g.title, Rows: g.rows, Head: []tables.Cell{tables.Text(g.head[0])}}
		for _, h := range g.head[1:] {
			t.Head = append(t.Head, tables.Number(h))
		}
		d.Tables = append(d.Tables, t)
	}
	return d
}

// grids returns the tables of a league in the layout of Al-Khateeb and Kendall (2011,
// tables 2 to 5): the results of each row player against each column player.
func (l *League) grids() []grid {
	grids := []grid{l.standings()}
	for i, what := range []string{"Wins", "Draws", "Losses"} {
		grids = append(grids, l.cross(fmt.Sprintf("%s of the row player against the column player", what), strings.ToLower(what),
			func(wdl [3]int64) int64 { return wdl[i] }))
	}
	grids = append(grids, l.meetings())
	if l.Orders > 0 {
		grids = append(grids, l.ratings())
	}
	return append(grids, l.ends())
}

func (l *League) standings() grid {
	g := grid{title: fmt.Sprintf("%d games of %d players", l.Games, len(l.Players)), head: []string{"player", "wins", "draws", "losses", "mean points"}}
	if l.AllOrders > 0 {
		g.title += fmt.Sprintf("; ratings in %d random orders of all games", l.AllOrders)
		g.head = append(g.head, "rating", "SD", "class")
	}
	for _, s := range l.Standings {
		row := []string{s.Player, count(s.Wins), count(s.Draws), count(s.Losses), optional("%.3f", s.MeanPoints)}
		if l.AllOrders > 0 {
			row = append(row, s.Rating.cells()...)
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// cross counts a property of the games of each row player against each column player.
func (l *League) cross(title, what string, of func(wdl [3]int64) int64) grid {
	g := grid{title: title, head: append(append([]string{"player"}, l.Players...), "Σ "+what)}
	for i, name := range l.Players {
		row := make([]string, len(l.Players)+2)
		for k := range row {
			row[k] = "-"
		}
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
		g.rows = append(g.rows, row)
	}
	return g
}

func (l *League) meetings() grid {
	g := grid{title: "Meetings, from the side of the first player; intervals of 95 %",
		head: []string{"players", "wins", "draws", "losses", "mean points", "Elo", "low", "high", "superiority"}}
	for _, m := range l.Meetings {
		all := m.all()
		row := []string{m.Players[0] + " : " + m.Players[1], count(all[0]), count(all[1]), count(all[2]), optional("%.3f", m.MeanPoints), "-", "-", "-", "-"}
		if m.Elo != nil {
			copy(row[5:], []string{fmt.Sprintf("%+.1f", m.Elo.Value), fmt.Sprintf("%+.1f", m.Elo.Low), fmt.Sprintf("%+.1f", m.Elo.High), fmt.Sprintf("%.1f %%", 100**m.Superiority)})
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func (l *League) ratings() grid {
	g := grid{title: fmt.Sprintf("Ratings of each meeting in %d random orders of its games", l.Orders), head: []string{"player", "mean", "SD", "class"}}
	for _, m := range l.Meetings {
		if m.Ratings == nil {
			continue
		}
		for k, r := range m.Ratings {
			g.rows = append(g.rows, append([]string{m.Players[k]}, r.cells()...))
		}
	}
	return g
}

func (l *League) ends() grid {
	var all Tally
	for i := range l.Meetings {
		all.add(l.Meetings[i].Tally)
	}
	g := grid{title: "What ended the games", head: []string{"rule", "games"}}
	for _, rule := range all.rules() {
		g.rows = append(g.rows, []string{rule, count(all.Ends[rule])})
	}
	return g
}

// cells returns mean, standard deviation and class; dashes without a rating.
func (r *Rating) cells() []string {
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

// csv returns a table with a row for each player and each of its opponents.
func (l *League) csv() string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"player", "opponent", "wins", "draws", "losses", "unfinished", "mean_points", "elo", "elo_low", "elo_high", "rating", "rating_sd", "class"}) // into memory
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
			_ = w.Write(row)
		}
	}
	w.Flush()
	return b.String()
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
