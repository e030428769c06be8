package ingest

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"kifu/datasets"
	"kifu/ingest/record"
	"kifu/internal/hands"
)

// Workers on other machines can read the jobs: they get the text of one and return its rows as an
// encoded row group. What is left here is decompressing, cutting, numbering the games, and writing
// in order, so that the bytes are those of one process. Workers need not see the files.

// round is how many jobs are asked about at a time, while as many more are cut.
const round = 32

// question is a job, and how its records are read.
type question struct {
	Params   Params
	Verbose  bool
	Segments []carriedSegment
}

type carriedSegment struct {
	File   int
	Name   string
	Texts  texts
	Format string
	Usual  string // game
	Block  record.Block
	Fault  *record.SyntaxError
}

// answer is what a worker made of a job.
type answer struct {
	Group  []byte  // a row group, in which ids count from 0; nil: no game
	IDs    []int64 // as they are there
	Games  int
	Counts datasets.Counts
	Log    []byte
}

// GobEncode implements gob.GobEncoder.
func (t texts) GobEncode() ([]byte, error) { return gobOf(t.fixed, t.encoding, t.prior) }

// GobDecode implements gob.GobDecoder.
func (t *texts) GobDecode(text []byte) error { return ungob(text, &t.fixed, &t.encoding, &t.prior) }

func gobOf(values ...any) ([]byte, error) {
	var out bytes.Buffer
	e := gob.NewEncoder(&out)
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func ungob(text []byte, into ...any) error {
	d := gob.NewDecoder(bytes.NewReader(text))
	for _, v := range into {
		if err := d.Decode(v); err != nil {
			return err
		}
	}
	return nil
}

// asks reports whether others can read the records: not those whose names stand in files of their own.
func (r *run) asks() bool { return !slices.ContainsFunc(r.files, r.all.isTable) }

// ask has the jobs read by others until there are none.
func (r *run) ask(ctx context.Context, h hands.Hands, parse, parsed chan *job) error {
	for open := true; open; {
		var jobs []*job
		for open && len(jobs) < round {
			select {
			case j, ok := <-parse:
				if open = ok; ok {
					jobs = append(jobs, j)
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		err := h.Ask(ctx, len(jobs), nil, func(i int) []byte { return r.question(jobs[i]) }, func(i int, text []byte) error {
			if err := jobs[i].read(text); err != nil {
				return fmt.Errorf("the answer of a worker: %w", err)
			}
			parsed <- jobs[i] // has room for every job there is
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *run) question(j *job) []byte {
	q := question{Params: r.params, Verbose: r.Log != nil}
	for _, s := range j.segments[:j.used] {
		q.Segments = append(q.Segments, carriedSegment{s.file, s.name, s.texts, s.format.Name, s.usual, s.block, s.fault})
	}
	text, err := gobOf(q)
	if err != nil {
		panic(err) // a buffer takes everything, and all of these have an encoding
	}
	return packer.EncodeAll(text, nil) // servers take messages of a megabyte
}

// The text of questions is compressed. Both may be used by several goroutines at once.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30))
)

// read takes what a worker has made of j.
func (j *job) read(text []byte) error {
	var a answer
	if err := ungob(text, &a); err != nil {
		return err
	}
	j.carried, j.games, j.log = a.Group, a.Games, a.Log
	j.counts.Add(a.Counts)
	j.rows.Rows, j.rows.id.Int64 = len(a.IDs), append(j.rows.id.Int64[:0], a.IDs...)
	return nil
}

// recode gives the row groups that others encoded the ids of their games.
func (r *run) recode(ctx context.Context, encode, encoded chan *job) error {
	for {
		select {
		case j, ok := <-encode:
			if !ok {
				return nil
			}
			if j.rows.Rows > 0 {
				var err error
				if j.group, err = j.part.w.Receive(j.carried); err == nil {
					err = j.part.w.Recode(j.group, j.rows.id)
				}
				if err != nil {
					return err
				}
			}
			encoded <- j
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Serve answers the questions of a Run elsewhere, of any of the games. Of o it needs Games and
// NewFilter.
func Serve(ctx context.Context, d hands.Desk, o Options) error {
	o.Seen = &Seen{listed: []file{}}
	s := &server{Options: o, workers: map[Params]*worker{}}
	defer s.close()
	return d.Serve(ctx, func(text []byte) ([]byte, error) { return s.answer(ctx, text) })
}

// server has a worker for each kind of question.
type server struct {
	Options
	workers map[Params]*worker
}

func (s *server) close() {
	for _, w := range s.workers {
		w.close()
	}
}

func (s *server) worker(ctx context.Context, p Params) (*worker, error) {
	if w := s.workers[p]; w != nil {
		return w, nil
	}
	i := slices.IndexFunc(s.Games, func(g Game) bool { return g.Name() == p.Game })
	if i < 0 {
		return nil, fmt.Errorf("no game %q", p.Game)
	}
	r, err := newRun(s.Games[i], p, s.Options, true)
	if err != nil {
		return nil, err
	}
	w, err := newWorker(ctx, r)
	if err == nil {
		s.workers[p] = w
	}
	return w, err
}

func (s *server) answer(ctx context.Context, text []byte) ([]byte, error) {
	var q question
	text, err := unpacker.DecodeAll(text, nil)
	if err == nil {
		err = ungob(text, &q)
	}
	if err != nil {
		return nil, err
	}
	w, err := s.worker(ctx, q.Params)
	if err != nil {
		return nil, err
	}
	if w.Log = nil; q.Verbose {
		w.Log = io.Discard
	}
	j := &job{rows: newTable(datasets.NewBatch(w.table))}
	for _, c := range q.Segments {
		i := slices.IndexFunc(w.formats, func(f *record.Format) bool { return f.Name == c.Format })
		if i < 0 {
			return nil, fmt.Errorf("no format %q", c.Format)
		}
		seg := j.add(c.File)
		seg.name, seg.texts, seg.format, seg.usual, seg.block, seg.fault = c.Name, c.Texts, w.formats[i], c.Usual, c.Block, c.Fault
	}
	if err := w.parse(ctx, j); err != nil {
		return nil, err
	}
	a := answer{Games: j.games, Counts: j.counts, Log: j.log, IDs: j.rows.id.Int64}
	if j.rows.Rows > 0 {
		g, err := datasets.Encode(w.table, j.rows.Batch)
		if err != nil {
			return nil, err
		}
		if a.Group, err = g.Carry(); err != nil {
			return nil, err
		}
	}
	return gobOf(a)
}
