// Package explore shows datasets in a browser: evaluation curves of typed conditions, positions, games,
// openings, players, and the tables of fits, matches and models.
//
// Datasets and their games go in (site.Set, site.Game); a Site is an http.Handler. Its pages are made on the
// server (package views), with a few small scripts for brushing charts, completing column names, and
// keys. Every view is a GET whose address has all its settings. It also gives its rows as CSV, its
// query as SQL and its picture as SVG and PNG (parameter as).
//
// Nothing is written: SQL only reads the attached datasets. Pages are made by processes with limits on
// memory, rows and time (worker.go), which are killed at a limit and started again (pool.go). An answer
// is complete before its first byte is sent, so that a slow reader blocks no others. Addresses begin
// with a secret token; a request with a foreign Host or Origin is refused (guard.go).
//
// Estimates come from the reports: curves from report/curve.
package explore

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"kifu/datasets"
	"kifu/explore/site"
	"kifu/explore/views"
)

// Options are the limits of a site.
type Options struct {
	Token   string        // that addresses begin with; empty: a random one
	Memory  string        // of one page, "2GB"; empty: that
	Threads int           // of one query; 0: one a processor
	Time    time.Duration // of one page; 0: 30 s
	Rows    int           // of a CSV; 0: a million
	Trust   bool          // leaves out the comparison of parts with their checksums

	// Tree makes the opening tree of games, or finds it made, and returns its directory; nil: openings are replayed.
	Tree func(ctx context.Context, games *datasets.Dir) (path string, err error) `json:"-"`
	// Start returns a command that calls Work with its standard input and output.
	Start func() *exec.Cmd `json:"-"`
}

// Site is the pages over some datasets. Pages are made by processes of their own (Work), which can be killed.
type Site struct {
	options Options
	pages   *views.Pages // of the datasets, for errors, menus and boards
	workers *pool

	grow func(line *lastLine, d *site.Set) (path string, err error) // makes a tree; nil: none is made
	few  int64                                                      // games up to which no tree is made

	mu      sync.Mutex
	growing map[string]*growing // by the name of the games
}

// shortToken is the least length of a token in bytes.
const shortToken = 16

// New attaches the datasets. Two of one name are an error. Close the site when it is no
// longer served.
func New(ctx context.Context, sets []*site.Set, games map[string]site.Game, o Options) (*Site, error) {
	if len(sets) == 0 {
		return nil, errors.New("nothing to explore: name datasets or records")
	}
	if o.Token == "" {
		random := make([]byte, 18)
		rand.Read(random)
		o.Token = base64.RawURLEncoding.EncodeToString(random)
	}
	if err := checkToken(o.Token); err != nil {
		return nil, err
	}
	o.Time = cmp.Or(o.Time, 30*time.Second)
	o.Memory = cmp.Or(o.Memory, "2GB")
	o.Rows = cmp.Or(o.Rows, 1_000_000)
	s := newSite(views.New(sets, games, nil, o.limits()), o)
	if !o.Trust {
		for _, d := range sets {
			if err := d.Dir.VerifyColumns(ctx); err != nil {
				return nil, err
			}
		}
	}
	s.grow = growIn(ctx, o)
	begin := beginning{Options: o}
	for _, d := range sets {
		begin.Sets = append(begin.Sets, setOf{d.Name, d.Path, d.Dir.Path})
	}
	var err error
	s.workers, err = newPool(ctx, begin, o.Start)
	return s, err
}

func newSite(pages *views.Pages, o Options) *Site {
	return &Site{options: o, pages: pages, few: fewGames, growing: map[string]*growing{}}
}

func (o Options) limits() views.Limits {
	return views.Limits{Memory: o.Memory, Threads: o.Threads, Time: o.Time, Rows: o.Rows}
}

func checkToken(token string) error {
	if len(token) < shortToken {
		return fmt.Errorf("a token of %d bytes is too short: use at least %d", len(token), shortToken)
	}
	for _, c := range []byte(token) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return errors.New("a token may have only letters a to z, digits, - and _")
		}
	}
	return nil
}

// Close ends the processes that make pages.
func (s *Site) Close() error { return s.workers.close() }

// Address is where the site is found on a listener.
func (s *Site) Address(l net.Listener) string {
	host, port, err := net.SplitHostPort(l.Addr().String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port) + "/" + s.options.Token + "/"
}

// stopTime is how long pages that are being made may take when the site stops.
const stopTime = 2 * time.Second

// Serve answers requests until the context ends, which is no error.
func (s *Site) Serve(ctx context.Context, l net.Listener) error {
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	server := &http.Server{
		Handler: s.Handler(l.Addr()), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, WriteTimeout: s.options.Time + patience, MaxHeaderBytes: 1 << 16,
		BaseContext: func(net.Listener) context.Context { return work },
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	stop() // ends the queries
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := server.Shutdown(limited); err != nil {
		server.Close()
	}
	return nil
}
