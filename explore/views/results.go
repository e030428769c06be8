package views

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/explore/summary"
	"kifu/internal/lists"
	"kifu/query"
)

// homeView lists the datasets.
func homeView(c *call) (*page, error) {
	return &page{Title: "Datasets", Data: c.site.sets}, nil
}

// sqlPage is the data of sql.html.
type sqlPage struct {
	SQL, Error string
	Words      []string
	Result     *result
}

// result is the rows of a query for display.
type result struct {
	Columns []query.Column
	Rows    [][]any
	More    bool
	links
}

// links is where the cells of some rows lead.
type links struct {
	games  *site.Set         // whose game_id the rows have; nil: unknown
	boards *site.Set         // that have the positions of rows; nil: none
	placed map[[2]int64]bool // games and plies of the rows that boards have
}

// Link returns the address that cell i of a row leads to, "" for none. A game opens at its ply, a ply as a
// position, a player with all games, and a group of terms with the positions where it is largest.
func (r *result) Link(row []any, i int) string {
	if row[i] == nil {
		return ""
	}
	game, ply := r.place(row)
	switch name := r.Columns[i].Name; {
	case name == "game_id" && r.games != nil && ply < 0:
		return parts.To("game", "on", r.games.Name, "id", game)
	case name == "game_id" && r.games != nil:
		return parts.To("game", "on", r.games.Name, "id", game, "ply", ply)
	case (name == "ply" || name == "game_id") && r.placed[[2]int64{game, ply}]:
		return parts.To("position", "on", r.boards.Name, "game", game, "ply", ply)
	case (name == "first_player" || name == "second_player" || name == "player") && r.games != nil:
		return parts.To("players", "on", r.games.Name, "name", row[i])
	case name == "term_group" && r.boards != nil && r.boards.Has(fmt.Sprint(row[i])):
		return parts.To("positions", "on", r.boards.Name, "order", "abs("+query.QuoteName(fmt.Sprint(row[i]))+")", "down", 1)
	}
	return ""
}

// place is the game and the ply of a row, -1 for what it lacks.
func (r *result) place(row []any) (game, ply int64) {
	at := func(name string) int64 {
		i := slices.IndexFunc(r.Columns, func(c query.Column) bool { return c.Name == name })
		if i < 0 {
			return -1
		}
		n, ok := row[i].(int64)
		if !ok {
			return -1
		}
		return n
	}
	return at("game_id"), at("ply")
}

// link sets where the rows lead: to games, and to their positions where the game has boards.
func (c *call) link(r *result, games, boards *site.Set) error {
	r.links = links{games, boards, map[[2]int64]bool{}}
	var ids []int64
	wanted := map[[2]int64]bool{}
	for _, row := range r.Rows {
		if game, ply := r.place(row); game >= 0 && ply >= 0 {
			wanted[[2]int64{game, ply}] = true
			ids = append(ids, game)
		}
	}
	if boards == nil || len(ids) == 0 {
		return nil
	}
	return datasets.Lookup(c.ctx, boards.Dir, ids, []string{"ply"}, func(b *columns.Batch) error {
		for i, game := range b.Col("game_id").Int64 {
			if at := [2]int64{game, int64(b.Col("ply").Number(i))}; wanted[at] {
				r.placed[at] = true
			}
		}
		return nil
	})
}

// mostRows is the number of rows of a table on a page.
const mostRows = 200

// sqlView runs a query of the reader's: q.
func sqlView(c *call) (*page, error) {
	data := &sqlPage{SQL: c.here.Get("q")}
	for _, s := range c.site.sets {
		data.Words = append(data.Words, s.Name)
		for _, t := range append(columnNames(s), s.Tables()...) {
			if !slices.Contains(data.Words, t) {
				data.Words = append(data.Words, t)
			}
		}
	}
	p := &page{Title: "SQL", Data: data}
	if strings.TrimSpace(data.SQL) == "" {
		return p, nil
	}
	var err error
	if data.Result, err = c.result(data.SQL, mostRows); err != nil {
		return p, c.show(&data.Error, err)
	}
	p.SQL = data.SQL
	games, boards := c.site.namedIn(data.SQL)
	return p, c.link(data.Result, games, boards)
}

// namedIn finds the games that all datasets of a query are of, and where their positions are;
// nil where they are of several.
func (s *Pages) namedIn(sql string) (games, boards *site.Set) {
	words := query.NamesIn(sql)
	for _, d := range s.sets {
		named := words[strings.ToLower(d.Name)] || slices.ContainsFunc(d.Tables(), func(t string) bool { return words[strings.ToLower(t)] })
		switch {
		case !named:
			continue
		case games != nil && d.Games != games:
			return nil, nil
		}
		games = d.Games
		if boards == nil || d.Kind() == "labels" {
			boards = d.Boards
		}
	}
	return games, boards
}

// result runs a query for a table of so many rows.
func (c *call) result(sql string, most int) (*result, error) {
	r, err := c.query(sql, most+1)
	if err != nil {
		return nil, err
	}
	rows, err := r.All()
	out := &result{Columns: r.Columns, Rows: rows}
	if len(rows) > most {
		out.Rows, out.More = rows[:most], true
	}
	return out, err
}

// Single reports whether it is better read from the top down: one row of many columns.
func (r *result) Single() bool { return len(r.Rows) == 1 && len(r.Columns) > 15 }

// Number reports whether column i is set to the right.
func (r *result) Number(i int) bool { return query.IsNumber(r.Columns[i].Type) }

// resultsPage is the data of results.html.
type resultsPage struct {
	Set     *site.Set
	Summary *summary.Summary // nil: none
	Table   string
	Result  *result
	Files   []datasetFile
	Params  []param
	Meta    []param
	Tables  []string
	Used    []*site.Set // datasets that it was made of, among those there are
}

// datasetFile is a file next to the parts.
type datasetFile struct {
	Name  string
	Bytes int64
}

// resultsView shows what a dataset holds and how it was made: on, table.
func resultsView(c *call) (*page, error) {
	d := site.Named(c.site.sets, c.here.Get("on"))
	if d == nil {
		return nil, c.noSet("any kind", nil)
	}
	m := d.Dir.Manifest
	data := &resultsPage{Set: d, Tables: d.Tables(), Params: paramsOf(m.Params), Meta: sorted(m.Meta)}
	for _, f := range m.Files {
		data.Files = append(data.Files, datasetFile{f.Name, f.Bytes})
	}
	for _, in := range m.Inputs {
		if i := slices.IndexFunc(c.site.sets, func(o *site.Set) bool { return o.Dir.Manifest.Key == in.Key }); i >= 0 {
			data.Used = append(data.Used, c.site.sets[i])
		}
	}
	var err error
	if data.Summary, err = summary.Of(d.Dir, d.Name); err != nil {
		return nil, err
	}
	p := &page{Title: d.Name, Data: data}
	data.Tables = shownTables(d)
	if t := c.here.Get("table"); slices.Contains(data.Tables, t) {
		data.Table = t
	} else if len(data.Tables) > 0 && !isJSON(d, data.Tables[0]) {
		data.Table = data.Tables[0]
	} else {
		return p, nil
	}
	if p.SQL, err = c.rowsOf(d, data.Table); err != nil {
		return nil, err
	}
	if data.Result, err = c.result(p.SQL, mostRows); err == nil {
		err = c.link(data.Result, d.Games, d.Boards)
	}
	return p, err
}

// shownTables are the tables of a dataset, those first that one looks at first: its own rows,
// decisions, examples. What is JSON is last.
func shownTables(d *site.Set) []string {
	all := d.Tables()
	rank := func(name string) int {
		switch {
		case isJSON(d, name):
			return 3
		case strings.HasSuffix(name, "_decisions"), strings.HasSuffix(name, "examples"):
			return 0
		case strings.HasSuffix(name, "plot"):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	if d.Tabular() {
		all = slices.Insert(all, 0, d.Name)
	}
	return all
}

// isJSON reports whether a table is a file of JSON.
func isJSON(s *site.Set, table string) bool {
	base := strings.TrimPrefix(table, s.Name+"_")
	return table != s.Name && s.Dir.HasFile(base+".json") && !s.Dir.HasFile(base+".csv")
}

var (
	// inFront are the columns that identify the row and its outcome.
	inFront = []string{"game_id", "ply", "first_player", "second_player", "result", "date", "ply_count", "condition", "value", "move",
		"legal_moves", "model_better", "model_equal", "term_group", "term", "stage", "initial_weight", "weight", "ci_low", "ci_high", "z", "positions", "games", "status"}
	// atTheEnd are texts that are long.
	atTheEnd = []string{"position", "pv", "next", "terms", "counts", "tags"}
	// orders are the sort orders of tables that are read from the top: the column, falling.
	orders = map[string]string{"model_better": `"model_better" DESC, game_id, ply`, "z": `abs("z") DESC NULLS LAST, term_group, term, stage`}
)

// rowsOf is the query of a table of a dataset, with the columns first that one looks at first.
func (c *call) rowsOf(d *site.Set, name string) (string, error) {
	var all []string
	if name == d.Name {
		all = columnNames(d)
	} else {
		r, err := c.query("SELECT * FROM "+query.View(name)+" LIMIT 0", 1)
		if err != nil {
			return "", err
		}
		all = append(all, lists.Of(r.Columns, func(column query.Column) string { return column.Name })...)
	}
	rank := func(column string) int {
		if i := slices.Index(inFront, column); i >= 0 {
			return i
		}
		return len(inFront) + 1 + slices.Index(atTheEnd, column)
	}
	slices.SortStableFunc(all, func(a, b string) int { return rank(a) - rank(b) })
	order := ""
	for i, column := range all {
		if by := orders[column]; by != "" && (column != "z" || d.Kind() == "weights" && name == d.Name) {
			order = " ORDER BY " + by
		}
		all[i] = query.QuoteName(column)
	}
	return "SELECT " + strings.Join(all, ", ") + " FROM " + query.View(name) + order, nil
}

// paramsOf are the parameters of a manifest, structures as JSON.
func paramsOf(text json.RawMessage) []param {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return nil
	}
	values := map[string]string{}
	for name, v := range m {
		var s string
		if json.Unmarshal(v, &s) != nil {
			var compact bytes.Buffer
			if json.Compact(&compact, v) == nil {
				s = compact.String()
			}
		}
		values[name] = parts.Cut(400, s)
	}
	return sorted(values)
}

func sorted(m map[string]string) (all []param) {
	for name, value := range m {
		if value != "" {
			all = append(all, param{name, parts.Plain(value)})
		}
	}
	sort.Slice(all, func(i, k int) bool { return all[i].Name < all[k].Name })
	return all
}

// Base is the name without its end.
func (f datasetFile) Base() string { return strings.TrimSuffix(f.Name, path.Ext(f.Name)) }

// shownColumns leaves out what is packed.
func shownColumns(d *site.Set) string {
	all := lists.Of(columnNames(d), query.QuoteName)
	return strings.Join(all, ", ")
}
