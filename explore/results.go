package explore

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"sort"
	"strings"

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

// result is the rows of a query as they are shown.
type result struct {
	Columns []query.Column
	Rows    [][]any
	More    bool
	set     *Set // that the rows are of; nil: of several, or of none
}

// Link is where the position or the game of a row is shown, "" where it has none.
func (r *result) Link(row []any) string {
	at := func(name string) any {
		i := slices.IndexFunc(r.Columns, func(c query.Column) bool { return c.Name == name })
		if i < 0 || row[i] == nil {
			return ""
		}
		return row[i]
	}
	game, ply := at("game_id"), at("ply")
	switch {
	case r.set == nil || game == "":
		return ""
	case ply != "" && (r.set.Kind() == "labels" || r.set.Kind() == "positions"):
		return to("position", "on", r.set.Name, "game", game, "ply", ply)
	case r.set.games != nil:
		return to("game", "on", r.set.games.Name, "id", game, "ply", ply)
	}
	return ""
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
		if c.ctx.Err() != nil {
			return nil, err
		}
		data.Error = err.Error()
		return p, nil
	}
	p.SQL = data.SQL
	return p, nil
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
func (r *result) Number(i int) bool { return isNumber(r.Columns[i]) }

// resultsPage is the data of results.html.
type resultsPage struct {
	Set    *Set
	Table  string
	Result *result
	Files  []datasetFile
	Params []param
	Meta   []param
	Counts []param
	Tables []string
	Used   []*Set // datasets that it was made of, among those there are
}

// datasetFile is a file beside the parts.
type datasetFile struct {
	Name  string
	Bytes int64
}

// param is one of the values with which a dataset was made.
type param struct{ Name, Value string }

// resultsView shows what a dataset holds and how it was made: on, table.
func resultsView(c *call) (*page, error) {
	d := named(c.site.sets, c.here.Get("on"))
	if d == nil {
		return nil, c.noSet("any kind", nil)
	}
	m := d.Dir.Manifest
	data := &resultsPage{Set: d, Tables: d.Tables(), Params: paramsOf(m.Params), Meta: sorted(m.Meta)}
	for _, f := range m.Files {
		data.Files = append(data.Files, datasetFile{f.Name, f.Bytes})
	}
	for _, in := range m.Inputs {
		if i := slices.IndexFunc(c.site.sets, func(o *Set) bool { return o.Dir.Manifest.Key == in.Key }); i >= 0 {
			data.Used = append(data.Used, c.site.sets[i])
		}
	}
	if d.tabular() {
		data.Tables = append([]string{d.Name}, data.Tables...)
	}
	p := &page{Title: d.Name, Data: data}
	if len(data.Tables) == 0 {
		return p, nil
	}
	data.Table = data.Tables[0]
	if t := c.here.Get("table"); slices.Contains(data.Tables, t) {
		data.Table = t
	}
	p.SQL = "SELECT * FROM " + query.View(data.Table)
	if data.Table == d.Name {
		p.SQL = "SELECT " + shownColumns(d) + " FROM " + query.View(data.Table)
	}
	var err error
	if data.Result, err = c.result(p.SQL, mostRows); err == nil {
		data.Result.set = d
	}
	return p, err
}

// shownColumns leaves out what is packed.
func shownColumns(d *Set) string {
	var all []string
	for _, name := range columnNames(d) {
		all = append(all, query.QuoteName(name))
	}
	return strings.Join(all, ", ")
}

// paramsOf are the parameters of a manifest, those of structures as JSON.
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
		values[name] = cut(400, s)
	}
	return sorted(values)
}

func sorted(m map[string]string) (all []param) {
	for name, value := range m {
		if value != "" {
			all = append(all, param{name, plainText(value)})
		}
	}
	sort.Slice(all, func(i, k int) bool { return all[i].Name < all[k].Name })
	return all
}

// Base is the name without its end.
func (f datasetFile) Base() string { return strings.TrimSuffix(f.Name, path.Ext(f.Name)) }
