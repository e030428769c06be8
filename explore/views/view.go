package views

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"kifu/datasets/manifest"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/internal/human"
	"kifu/internal/pattern"
	"kifu/query"
	"kifu/query/format"
	"kifu/report/chart"
)

// Files are the templates, styles and scripts. The scripts of pages, 380 lines, are kept by hand: each does what an
// element asks for, without a framework and its build; charts and completion are libraries (web/vendor).
//
//go:embed web
var Files embed.FS

// call is one request for a view, with a database of its own.
type call struct {
	ctx  context.Context
	site *Pages
	db   *query.DB
	here parts.Here
	tree string // directory of a tree; "": none

	set  *site.Set   // that the page shows
	sets []*site.Set // that it may show
}

// page holds the content of a view.
type page struct {
	Title string
	Data  any
	SQL   string        // of all rows that are shown in part
	Rows  *query.Result // of the CSV; nil: SQL's rows
	Chart chart.Picture // nil: none
	JSON  any           // of an answer to a script; nil: a page
	To    string        // address of the page to go to instead; "": this one
}

// complaint is an error in a request.
type complaint struct {
	status int
	error
}

func (c complaint) Unwrap() error { return c.error }

func complain(format string, args ...any) error {
	return complaint{http.StatusBadRequest, fmt.Errorf(format, args...)}
}

// plain is an error whose text has no control characters, for what a reader typed.
func plain(err error) error { return errors.New(parts.Plain(err.Error())) }

// show writes an error that the reader can mend on the page; any other is returned.
func (c *call) show(on *string, err error) error {
	if c.ctx.Err() != nil {
		return err
	}
	*on = err.Error()
	return nil
}

var (
	ErrTime   = errors.New("time")   // the cause of a context whose page took too long
	ErrBroken = errors.New("broken") // the end of a process before its answer
)

// late returns the message that a page took too long, with the next step.
func (s *Pages) late() string {
	return fmt.Sprintf("this page took longer than %v and was stopped: ask for less, or start kifu explore with a longer --time", s.limits.Time)
}

// Fail shows an error of a page, of ctx, and the next step.
func (s *Pages) Fail(ctx context.Context, w http.ResponseWriter, h parts.Here, err error) {
	status := http.StatusInternalServerError
	var c complaint
	switch {
	case errors.As(err, &c) && c.status == http.StatusServiceUnavailable:
		status = c.status
	case err == ErrBroken:
		status, err = http.StatusServiceUnavailable, fmt.Errorf("this page needed more than %s of memory, or was interrupted: ask for less, or start kifu explore with a larger --memory", s.limits.Memory)
	case context.Cause(ctx) == ErrTime:
		status, err = http.StatusServiceUnavailable, errors.New(s.late())
	case ctx.Err() != nil:
		status, err = http.StatusServiceUnavailable, errors.New("ended")
	case errors.As(err, &c):
		status = c.status
	}
	if as := h.Get("as"); as != "" || h.View == "weights" {
		http.Error(w, err.Error(), status)
		return
	}
	s.render(w, status, "error", h, &page{Title: "That did not work", Data: human.Capital(err.Error())})
}

// write gives the page in the form of the parameter as: HTML, or what a file of it has.
func (c *call) write(w http.ResponseWriter, name string, p *page) error {
	file := name
	if on := c.here.Get("on"); on != "" && datasetName().MatchString(on) {
		file = on + "-" + name
	}
	head := func(kind, end string) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Disposition", `attachment; filename="`+file+end+`"`)
	}
	switch as := c.here.Get("as"); as {
	case "":
		if p.JSON != nil {
			text, err := json.Marshal(p.JSON)
			if err != nil {
				return err
			}
			w.Header().Set("Content-Type", "application/json")
			_, err = w.Write(append(text, '\n'))
			return err
		}
		c.site.render(w, http.StatusOK, name, c.here, p)
		return nil
	case "sql":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, err := fmt.Fprintln(w, p.SQL)
		return err
	case "csv":
		rows, err := c.rows(p)
		if err != nil {
			return err
		}
		write, err := format.Writer("csv")
		if err != nil {
			return err
		}
		head("text/csv; charset=utf-8", ".csv")
		return write(w, rows)
	case "svg", "png":
		if p.Chart == nil {
			return complain("%s has no picture", name)
		}
		made, err := p.Chart.Print(chart.Look{})
		if err != nil {
			return err
		}
		if as == "png" {
			head("image/png", ".png")
			_, err = w.Write(made.PNG)
		} else {
			head("image/svg+xml", ".svg")
			_, err = w.Write(made.SVG)
		}
		return err
	}
	return complain("no format %q: want csv, sql, svg or png", c.here.Get("as"))
}

// rows returns the rows of a CSV: the page's, or all of its query up to the limit of the site.
func (c *call) rows(p *page) (*query.Result, error) {
	if p.Rows != nil {
		return p.Rows, nil
	}
	if p.SQL == "" {
		return nil, complain("this page has no table to save")
	}
	return c.query(p.SQL, c.site.limits.Rows)
}

// query runs a SELECT and keeps at most this number of rows.
func (c *call) query(sql string, most int) (*query.Result, error) {
	r, err := c.db.Query(c.ctx, sql)
	if err != nil {
		return nil, complaint{http.StatusBadRequest, err}
	}
	var rows [][]any
	err = r.Each(func(row []any) error {
		if len(rows) == most {
			return errEnough
		}
		rows = append(rows, slices.Clone(row))
		return nil
	})
	if err != nil && err != errEnough {
		return nil, err
	}
	return query.NewResult(r.Columns, rows), nil
}

var errEnough = errors.New("enough rows")

// frame is the data of layout.html.
type frame struct {
	Title string
	Here  parts.Here
	Site  *Pages
	Page  *page
	Tool  string
	SQL   string // for the reader; "": none
}

// Kinds reports whether there is a dataset of one of the kinds.
func (f frame) Kinds(kinds ...string) bool { return len(f.Site.ofKind(kinds...)) > 0 }

// Endings reports whether there are positions of a game with endings.
func (f frame) Endings() bool { return len(f.Site.endingSets()) > 0 }

// Mistakes reports whether there are games whose moves may have values.
func (f frame) Mistakes() bool { return len(f.Site.mistakeSets()) > 0 }

// templates are parsed by the first page: other commands of the program need none.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(templateFunctions).ParseFS(Files, "web/*.html"))
})

var templateFunctions = template.FuncMap{
	"to": parts.To, "grouped": human.Grouped, "percent": human.Percent, "number": human.Number, "short": parts.Short, "json": parts.EmbeddedJSON,
	"add": func(a, b int) int { return a + b }, "seq": func(n int) []int { return make([]int, n) }, "cut": parts.Cut,
	"share": func(a, b int64) string { return human.Fixed(100*float64(a)/float64(max(b, 1)), 1) },
}

func (s *Pages) render(w http.ResponseWriter, status int, name string, h parts.Here, p *page) {
	var out bytes.Buffer
	f := frame{Title: p.Title, Here: h, Site: s, Page: p, Tool: "kifu " + manifest.Version, SQL: p.SQL}
	pages := templates()
	err := pages.ExecuteTemplate(&out, "head", f)
	if err == nil {
		err = pages.ExecuteTemplate(&out, name+".html", f)
	}
	if err == nil {
		err = pages.ExecuteTemplate(&out, "foot", f)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(out.Bytes())
}

// titled is the title of a page about what a dataset holds. One that is named after what it
// holds is not named twice.
func titled(what string, d *site.Set) string {
	if strings.EqualFold(what, d.Name) {
		return what
	}
	return what + " of " + d.Name
}

// noSet is the complaint for a view that has no dataset.
func (c *call) noSet(kind string, sets []*site.Set) error {
	if len(sets) == 0 {
		return complain("no dataset of %s is open: start kifu explore with one", kind)
	}
	return complain("no dataset of %s is called %s: choose one on the start page", kind, parts.Plain(c.here.Get("on")))
}

// datasetName are the allowed names of files.
var datasetName = pattern.Of(`^[\w.=,-]{1,80}$`)

// param is one of the values with which a dataset was made.
type param struct{ Name, Value string }
