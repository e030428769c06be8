package ingest

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/ingest/legal"
	"kifu/ingest/record"
	"kifu/ingest/rows"
	"kifu/internal/hands"
)

// Workers on other machines can read the jobs: they get the text of one and return its rows as an
// encoded row group. This process decompresses, cuts, numbers the games and writes in order, so the
// bytes equal a run's without workers. Workers need no access to the files.

// round is the number of jobs requested at a time, while as many more are cut. A job with more than
// mostAsked bytes, or more than the queue has room for, is read here.
const (
	round     = 32
	mostAsked = blockSize + 1<<16
)

// question is a job, and how its records are read. The bytes of its blocks follow it.
type question struct {
	Params   Params
	Verbose  bool
	Segments []carriedSegment
}

type carriedSegment struct {
	File   int
	Name   string
	Texts  rows.Texts
	Format string
	Usual  string       // game
	Block  record.Block // without its bytes
	Bytes  int
	Fault  *record.SyntaxError
}

// answer is a worker's result for a job.
type answer struct {
	Group  []byte  // a row group, in which ids count from 0; nil: no game
	IDs    []int64 // in the worker's numbering
	Games  int
	Counts manifest.Counts
	Log    []byte
}

// pack turns jobs into questions while they are cut, and frees the memory of their records.
func (r *run) pack(ctx context.Context, room int, parse <-chan *job, packed, parsed chan<- *job) error {
	defer close(packed)
	o := r.Options
	o.Games = r.known
	here := newServer(o)
	defer here.close()
	p, err := newPacker()
	if err != nil {
		return err
	}
	room = min(room, mostAsked)
	for j := range parse {
		if j.question, err = p.question(r, j); err != nil {
			return err
		}
		for i := range j.segments[:j.used] {
			j.segments[i].block.Data = nil
		}
		j.texts, j.taken = nil, 0
		if len(j.question) <= room {
			packed <- j // has room for every job there is, and so has parsed
			continue
		}
		text, err := here.answer(ctx, j.question)
		if err == nil {
			err = j.read(text)
		}
		if err != nil {
			return err
		}
		parsed <- j
	}
	return nil
}

// ask has the jobs read by others until there are none.
func (r *run) ask(ctx context.Context, h hands.Hands, packed <-chan *job, parsed chan<- *job) error {
	for open := true; open; {
		var jobs []*job
		for open && len(jobs) < round {
			select {
			case j, ok := <-packed:
				if open = ok; ok {
					jobs = append(jobs, j)
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		err := h.Ask(ctx, len(jobs), nil, func(i int) []byte { return jobs[i].question }, func(i int, text []byte) error {
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

// packer compresses questions.
type packer struct {
	z   *zstd.Encoder
	out bytes.Buffer
}

func newPacker() (*packer, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	return &packer{z: z}, err
}

func (p *packer) question(r *run, j *job) ([]byte, error) {
	q, size := question{Params: r.params, Verbose: r.Log != nil}, 0
	for _, s := range j.segments[:j.used] {
		n := len(s.block.Data)
		size += n
		s.block.Data = nil
		q.Segments = append(q.Segments, carriedSegment{s.file, s.name, s.texts, s.format.Name, s.usual, s.block, n, s.fault})
	}
	head, err := hands.Pack(q)
	if err != nil {
		return nil, err
	}
	p.out.Reset()
	p.z.ResetContentSize(&p.out, int64(len(head)+size))
	if _, err := p.z.Write(head); err != nil {
		return nil, err
	}
	for _, s := range j.segments[:j.used] {
		if _, err := p.z.Write(s.block.Data); err != nil {
			return nil, err
		}
	}
	err = p.z.Close()
	return bytes.Clone(p.out.Bytes()), err
}

// unpacker may be used by several goroutines at once.
var unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30))

// unpack reads a question, whose blocks are its own memory.
func unpack(text []byte) (*question, error) {
	text, err := unpacker.DecodeAll(text, nil)
	if err != nil {
		return nil, err
	}
	var q question
	rest := bytes.NewReader(text)
	if err := gob.NewDecoder(rest).Decode(&q); err != nil {
		return nil, err
	}
	text = text[len(text)-rest.Len():]
	for i := range q.Segments {
		s := &q.Segments[i]
		if s.Bytes < 0 || s.Bytes > len(text) {
			return nil, fmt.Errorf("a block of %d bytes, but %d are present", s.Bytes, len(text))
		}
		s.Block.Data, text = text[:s.Bytes:s.Bytes], text[s.Bytes:]
	}
	return &q, nil
}

// read takes what a worker has made of j.
func (j *job) read(text []byte) error {
	var a answer
	if err := hands.Unpack(text, &a); err != nil {
		return err
	}
	j.carried, j.games, j.log = a.Group, a.Games, a.Log
	j.counts.Add(a.Counts)
	j.question = nil
	j.rows.Rows, j.rows.ID.Int64 = len(a.IDs), append(j.rows.ID.Int64[:0], a.IDs...)
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
					err = j.part.w.Recode(j.group, j.rows.ID)
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

// Serve answers the questions of a Run elsewhere, of any of the games. It uses only Games and NewFilter of
// o.
func Serve(ctx context.Context, d hands.Desk, o Options) error {
	s := newServer(o)
	defer s.close()
	return d.Serve(ctx, func(text []byte) ([]byte, error) { return s.answer(ctx, text) })
}

// server has a worker for each kind of question.
type server struct {
	Options
	workers map[Params]*worker
}

func newServer(o Options) *server {
	o.Seen = &Seen{listed: []file{}}
	return &server{Options: o, workers: map[Params]*worker{}}
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
	i := slices.IndexFunc(s.Games, func(g legal.Game) bool { return g.Name() == p.Game })
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
	q, err := unpack(text)
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
	j := &job{rows: rows.NewTable(columns.NewBatch(w.table))}
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
	a := answer{Games: j.games, Counts: j.counts, Log: j.log, IDs: j.rows.ID.Int64}
	if j.rows.Rows > 0 {
		g, err := columns.Encode(w.table, j.rows.Batch)
		if err != nil {
			return nil, err
		}
		if a.Group, err = g.Carry(); err != nil {
			return nil, err
		}
	}
	return hands.Pack(a)
}
