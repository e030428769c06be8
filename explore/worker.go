package explore

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"

	"kifu/datasets"
	"kifu/explore/parts"
	"kifu/explore/site"
	"kifu/explore/views"
	"kifu/internal/human"
	"kifu/internal/rlimit"
	"kifu/query"
)

// beginning is the first line of JSON that a process for pages gets.
type beginning struct {
	Options Options
	Sets    []setOf
}

// setOf is a Set without what is read from its directory.
type setOf struct{ Name, Path, Dir string }

// ask is one request for a page, or the end of the one that is being made.
type ask struct {
	View  string     `json:",omitempty"`
	Query url.Values `json:",omitempty"`
	Tree  string     `json:",omitempty"` // directory of the tree of an openings page; "": none
	Stop  bool       `json:",omitempty"`
}

// A database gets so much less of a process's memory than all, and the program itself some more.
const (
	reserve = 4
	own     = 256 << 20
)

// Work makes pages in a process of its own: it reads requests from in, writes answers of HTTP to out,
// and ends with in, whatever it is doing. SQL and requests may take all the memory of the process, and
// no more.
func Work(ctx context.Context, in io.Reader, out io.Writer, open func(path string) (*datasets.Dir, error), games map[string]site.Game) error {
	lines := json.NewDecoder(in)
	var begin beginning
	if err := lines.Decode(&begin); err != nil {
		return err
	}
	s, err := newWorker(ctx, begin, open, games)
	first := &reply{out: bufio.NewWriter(out)}
	if err != nil {
		first.WriteHeader(http.StatusInternalServerError)
		io.WriteString(first, err.Error())
		return first.close()
	}
	defer s.close()
	if err := first.close(); err != nil {
		return err
	}
	asked, stop := make(chan ask), make(chan bool, 1)
	go func() {
		for {
			var a ask
			if lines.Decode(&a) != nil {
				os.Exit(0) // also while DuckDB is at work
			}
			if a.Stop {
				select {
				case stop <- true:
				default:
				}
				continue
			}
			asked <- a
		}
	}()
	for a := range asked {
		if err := s.serve(ctx, a, stop, out); err != nil {
			return err
		}
	}
	return nil
}

// newWorker opens the datasets of a process that makes pages.
func newWorker(ctx context.Context, begin beginning, open func(path string) (*datasets.Dir, error), games map[string]site.Game) (*worker, error) {
	o := begin.Options
	memory, err := human.ParseBytes(o.Memory)
	if err != nil {
		return nil, err
	}
	if err := rlimit.Memory(memory + own); err != nil {
		return nil, err
	}
	var sets []*site.Set
	for _, one := range begin.Sets {
		d, err := open(one.Dir)
		if err != nil {
			return nil, err
		}
		sets = append(sets, &site.Set{Name: one.Name, Path: one.Path, Dir: d})
	}
	limit := fmt.Sprintf("%dB", memory-memory/reserve)
	db, err := query.Open(ctx, query.Options{Threads: o.Threads, MemoryLimit: limit, SpillLimit: "20GB", Trust: o.Trust})
	if err != nil {
		return nil, err
	}
	for _, d := range sets {
		// A model without tables has no view.
		if err := db.Attach(ctx, d.Name, d.Dir); err != nil && d.Tabular() {
			return nil, errors.Join(err, db.Close())
		}
	}
	return &worker{views.New(sets, games, db, o.limits()), o.Time, db.Close}, nil
}

// worker makes pages in a process of its own.
type worker struct {
	pages *views.Pages
	time  time.Duration // of one page
	close func() error
}

// serve makes one page, until stop asks for no more of it.
func (s *worker) serve(ctx context.Context, a ask, stop <-chan bool, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	select {
	case <-stop: // of the one before
	default:
	}
	go func() {
		select {
		case <-stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	w := &reply{out: bufio.NewWriter(out)}
	limited, end := context.WithTimeoutCause(ctx, s.time, views.ErrTime)
	defer end()
	if err := s.pages.Make(limited, w, a.View, a.Query, a.Tree); err != nil && !w.written {
		s.pages.Fail(limited, w, parts.HereOf(a.View, a.Query), err)
	}
	return w.close()
}

// reply writes an answer of HTTP as it comes.
type reply struct {
	out     *bufio.Writer
	head    http.Header
	body    io.WriteCloser
	written bool
}

// Header, WriteHeader and Write implement http.ResponseWriter.
func (r *reply) Header() http.Header {
	if r.head == nil {
		r.head = http.Header{}
	}
	return r.head
}

func (r *reply) WriteHeader(status int) {
	if r.written {
		return
	}
	r.written = true
	r.Header().Set("Transfer-Encoding", "chunked")
	fmt.Fprintf(r.out, "HTTP/1.1 %03d %s\r\n", status, http.StatusText(status))
	r.head.Write(r.out)
	io.WriteString(r.out, "\r\n")
	r.body = httputil.NewChunkedWriter(r.out)
}

func (r *reply) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	if len(data) == 0 {
		return 0, nil // would be the end
	}
	return r.body.Write(data)
}

func (r *reply) close() error {
	r.WriteHeader(http.StatusOK)
	err := r.body.Close()
	io.WriteString(r.out, "\r\n")
	return errors.Join(err, r.out.Flush())
}
