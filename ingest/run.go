package ingest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"

	"kifu/datasets"
	"kifu/ingest/record"
	"kifu/internal/progress"
	"kifu/schemas"
)

// place is a game boundary in the input: where a part ended, in its state, and where
// the next run goes on.
type place struct {
	File   int   `json:"file"`
	Offset int64 `json:"offset"` // decompressed
	Line   int   `json:"line"`
	GameID int64 `json:"game_id"` // of the next game
}

// segment is a block of one file, or what went wrong between two.
type segment struct {
	file  int
	block record.Block
	fault *record.SyntaxError
}

// job is the unit of work: about blockSize bytes of records, from one file or many.
type job struct {
	seq      int
	segments []segment // the first used; memory of the rest is kept
	used     int
	end      place  // GameID is set when the job is numbered
	warn     []byte // a line for every file that ended early
	rows     *table
	counts   datasets.Counts
	log      []byte
	part     *part
	last     bool // of its part
	group    *datasets.RowGroup
}

// part is a part that is being written.
type part struct {
	w      *datasets.PartWriter
	games  int
	counts datasets.Counts
	end    place
}

// blockSize is the length of a job in bytes. Parts are closed, and reading goes on
// after an interruption, between two jobs.
const blockSize = 2 << 20

type run struct {
	Options
	game      Game
	format    format
	files     []file
	blockSize int
	partGames int
	out       *datasets.Builder

	from  place   // of this run
	id    int64   // of the next game
	parts int     // parts begun or taken over
	open  *part   // gets the next job; nil: a new one does
	begun []*part // and not closed
}

func newRun(g Game, p Params, o Options, out *datasets.Builder) (*run, error) {
	format, err := formatOf(g.Name())
	if err != nil {
		return nil, err
	}
	files, err := format.list(o.Inputs)
	if err != nil {
		return nil, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if p.PartGames <= 0 {
		p.PartGames = 1 << 16
	}
	out.SetTable(schemas.Games)
	out.SetMeta("game", g.Name())
	return &run{Options: o, game: g, format: format, files: files, blockSize: blockSize, partGames: p.PartGames, out: out}, nil
}

func (r *run) run(ctx context.Context) error {
	for {
		info, done := r.out.Done(r.parts)
		if !done {
			break
		}
		if err := json.Unmarshal(info.State, &r.from); err != nil {
			return fmt.Errorf("state of part %d: %w (start anew with --force)", r.parts, err)
		}
		r.parts++
	}
	r.id = r.from.GameID

	total := int64(0)
	for _, f := range r.files {
		if f.size == 0 {
			total = 0
			break
		}
		total += f.size
	}
	bar := progress.Start(ctx, "ingest", total>>10, "kB")
	defer bar.Done()
	for _, f := range r.files[:min(r.from.File, len(r.files))] {
		bar.Skip(f.size >> 10)
	}

	g, ctx := errgroup.WithContext(ctx)
	inFlight := r.Workers + 2
	free, parse := make(chan *job, inFlight), make(chan *job, inFlight)
	parsed, encode := make(chan *job, inFlight), make(chan *job, inFlight)
	encoded := make(chan *job, inFlight)
	for range inFlight {
		free <- &job{rows: newTable(datasets.NewBatch(schemas.Games))}
	}
	jobs := make(chan int, 1) // how many there are, when that is known
	g.Go(func() error {
		defer close(parse)
		n, err := r.read(ctx, bar, free, parse)
		jobs <- n
		return err
	})
	for range r.Workers {
		g.Go(func() error { return r.work(ctx, parse, parsed, encode, encoded) })
	}
	g.Go(func() error {
		defer close(encode)
		return r.write(ctx, jobs, free, parsed, encode, encoded)
	})
	err := g.Wait()
	if err != nil {
		for _, p := range r.begun {
			p.w.Abort()
		}
	}
	return err
}

// read cuts the files into jobs.
func (r *run) read(ctx context.Context, bar *progress.Bar, free, parse chan *job) (jobs int, err error) {
	var j *job
	size := 0
	send := func(end place) error {
		j.seq, j.end = jobs, end
		select {
		case parse <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
		jobs++
		j, size = nil, 0
		return nil
	}
	rest := int64(0)
	count := func(n int64) {
		rest += n
		bar.Add(rest >> 10)
		rest &= 1<<10 - 1
	}
	for i := r.from.File; i < len(r.files); i++ {
		at := place{File: i, Line: 1}
		if i == r.from.File && r.from.Line > 0 {
			at = r.from
		}
		var sum hash.Hash
		if r.files[i].path == "-" {
			sum = sha256.New()
		}
		s, err := open(r.files[i], r.Stdin, at.Offset, sum, count)
		if err != nil {
			return jobs, fmt.Errorf("%s: %w", r.files[i].path, err)
		}
		split := r.format.split(s, r.blockSize, at.Offset, at.Line)
		for {
			if j == nil {
				select {
				case j = <-free:
					j.reset()
				case <-ctx.Done():
					s.Close()
					return jobs, ctx.Err()
				}
			}
			seg := j.add(i)
			err := split.Next(&seg.block)
			if err == nil {
				size += len(seg.block.Data)
				if size >= r.blockSize/2 {
					end := place{File: i, Offset: seg.block.Offset + int64(len(seg.block.Data)), Line: seg.block.EndLine}
					if err := send(end); err != nil {
						s.Close()
						return jobs, err
					}
				}
				continue
			}
			if errors.As(err, &seg.fault) {
				continue
			}
			j.used--
			if err != io.EOF {
				if s.raw.err != nil || !s.packed {
					s.Close()
					return jobs, fmt.Errorf("%s: %w", r.files[i].path, err)
				}
				j.counts.Note("archive cut short or damaged", 1)
				j.warn = fmt.Appendf(j.warn, "%s: the archive is cut short or damaged (%v): what was whole has been read\n", r.files[i].name, err)
			}
			break
		}
		s.Close()
		if sum != nil {
			if err := r.out.SetInputKey(i, hex.EncodeToString(sum.Sum(nil))); err != nil {
				return jobs, err
			}
		}
	}
	if j != nil && (j.used > 0 || j.warn != nil) {
		return jobs, send(place{File: len(r.files), Line: 1})
	}
	return jobs, nil
}

// add returns the next segment of j, to be filled.
func (j *job) add(file int) *segment {
	if j.used == len(j.segments) {
		j.segments = append(j.segments, segment{})
	}
	seg := &j.segments[j.used]
	j.used++
	seg.file, seg.fault = file, nil
	return seg
}

// reset empties j and keeps its memory, but for what a crowd of small files needed.
func (j *job) reset() {
	j.segments = j.segments[:min(len(j.segments), 2)]
	j.rows.Reset()
	*j = job{segments: j.segments, rows: j.rows, log: j.log[:0]}
}

// work parses and encodes jobs until there are none. What waits to be encoded goes
// first: it is nearer to the file.
func (r *run) work(ctx context.Context, parse, parsed, encode, encoded chan *job) error {
	w := &worker{run: r, reader: r.format.reader(), resolver: r.game.newResolver()}
	for parse != nil || encode != nil {
		var j *job
		var ok bool
		select {
		case j, ok = <-encode:
			if !ok {
				encode = nil
				continue
			}
		default:
			select {
			case j, ok = <-encode:
				if !ok {
					encode = nil
					continue
				}
			case j, ok = <-parse:
				if !ok {
					parse = nil
					continue
				}
				w.parse(j)
				parsed <- j // has room for every job there is
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		if j.rows.Rows > 0 {
			var err error
			if j.group, err = j.part.w.Encode(j.rows.Batch); err != nil {
				return err
			}
		}
		encoded <- j
	}
	return nil
}

// write numbers the jobs, hands them back to be encoded, and puts them into parts, all
// in their order.
func (r *run) write(ctx context.Context, jobs chan int, free, parsed, encode, encoded chan *job) error {
	numbered, written, total := 0, 0, -1
	waiting, ready := map[int]*job{}, map[int]*job{}
	for total < 0 || written < total {
		select {
		case total = <-jobs:
			jobs = nil
		case j := <-parsed:
			waiting[j.seq] = j
			for j = waiting[numbered]; j != nil; j = waiting[numbered] {
				delete(waiting, numbered)
				numbered++
				if err := r.number(j); err != nil {
					return err
				}
				encode <- j
			}
		case j := <-encoded:
			ready[j.seq] = j
			for j = ready[written]; j != nil; j = ready[written] {
				delete(ready, written)
				written++
				if err := r.append(j); err != nil {
					return err
				}
				free <- j
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if r.parts == 0 {
		if err := r.begin(); err != nil {
			return err
		}
	}
	if r.open != nil {
		return r.finish(r.open)
	}
	return nil
}

// number gives the games of j their ids and j its part.
func (r *run) number(j *job) error {
	for i := range j.rows.id.Int64 {
		j.rows.id.Int64[i] += r.id
	}
	r.id += int64(j.rows.Rows)
	j.end.GameID = r.id
	if r.open == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	j.part = r.open
	j.part.games += j.rows.Rows
	if j.part.games >= r.partGames {
		j.last = true
		r.open = nil
	}
	return nil
}

func (r *run) begin() error {
	w, err := r.out.Part(r.parts)
	if err != nil {
		return err
	}
	r.parts++
	r.open = &part{w: w}
	r.begun = append(r.begun, r.open)
	return nil
}

// append puts the encoded j into its part, and says what there is to say about it.
func (r *run) append(j *job) error {
	if j.rows.Rows > 0 {
		if err := j.part.w.Append(j.group); err != nil {
			return err
		}
	}
	if r.Log != nil {
		if _, err := r.Log.Write(j.log); err != nil {
			return err
		}
	}
	if r.Warn != nil && j.warn != nil {
		if _, err := r.Warn.Write(j.warn); err != nil {
			return err
		}
	}
	j.part.counts.Add(j.counts)
	j.part.end = j.end
	if j.last {
		return r.finish(j.part)
	}
	return nil
}

func (r *run) finish(p *part) error {
	for i := range r.begun {
		if r.begun[i] == p {
			r.begun = append(r.begun[:i], r.begun[i+1:]...)
			break
		}
	}
	return p.w.Close(p.counts, p.end)
}
