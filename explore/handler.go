package explore

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"

	"kifu/explore/parts"
	"kifu/explore/views"
	"kifu/report/chart"
)

// Handler answers the requests that come in at an address.
func (s *Site) Handler(at net.Addr) http.Handler {
	mux := http.NewServeMux()
	web, err := fs.Sub(views.Files, "web")
	if err != nil {
		panic(err) // it is embedded
	}
	mux.Handle("/static/", http.StripPrefix("/static/", static(http.FileServerFS(web))))
	mux.HandleFunc("/static/palette.css", palette)
	mux.HandleFunc("/board", s.pages.DrawBoard)
	mux.HandleFunc("/file", s.pages.File)
	for _, name := range views.Names() {
		path := "/" + name
		if name == "home" {
			path = "/{$}"
		}
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, name) })
	}
	return s.guard(at, mux)
}

// static keeps templates and listings of folders to itself.
func static(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".html") || strings.HasSuffix(r.URL.Path, "/") || r.URL.Path == "" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "max-age=3600")
		next.ServeHTTP(w, r)
	})
}

// palette is the colours of the charts as a style sheet.
func palette(w http.ResponseWriter, _ *http.Request) {
	var light, dark strings.Builder
	for i, c := range chart.Palette {
		fmt.Fprintf(&light, "--k%d:%s;", i, c[0])
		fmt.Fprintf(&dark, "--k%d:%s;", i, c[1])
	}
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	fmt.Fprintf(w, ":root{%s}\n@media (prefers-color-scheme: dark){:root{%s}}\n", light.String(), dark.String())
}

// answer has the page of a view made within the limit of time, and sends it.
func (s *Site) answer(w http.ResponseWriter, r *http.Request, name string) {
	ctx, cancel := context.WithTimeoutCause(r.Context(), s.options.Time+grace/2, views.ErrTime)
	defer cancel()
	a, err := ask{View: name, Query: r.URL.Query()}, error(nil)
	if name == "openings" {
		var g *growing
		if a.Tree, g, err = s.treeFor(a.Query); g != nil {
			s.pages.Wait(w, a.Query, g.line.String())
			return
		}
	}
	var made *spool
	if err == nil {
		made, err = s.workers.answer(ctx, a)
	}
	if err != nil {
		s.pages.Fail(ctx, w, parts.HereOf(name, r.URL.Query()), err)
		return
	}
	defer made.Close()
	made.send(w)
}
