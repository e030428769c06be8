package fit

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"kifu/fit/computed"
	"kifu/fit/mapped"
	"kifu/fit/rows"
	"kifu/internal/hands"
	"kifu/internal/human"
	"kifu/internal/progress"
)

// serve answers questions about the rows of a fit. It reads only the rows that they concern.
func serve(ctx context.Context, p choices, m Means, from Sources, d hands.Desk, columns computed.Reader) error {
	s, err := newSections(ctx, p, m, from, columns)
	if err != nil {
		return err
	}
	err = d.Serve(ctx, s.answer)
	progress.Note(ctx, fmt.Sprintf("fit: of %s rows of %s %s were read here", human.Grouped(s.starts[len(s.starts)-1]), from.Labels.Path, human.Grouped(s.read)))
	return errors.Join(err, s.forget(nil), s.labels.computed.Close())
}

// sections are the rows that a worker keeps, in stretches cut by the coordinator. A stretch is read at
// its first question; one without a question for a round has gone to another worker, and is freed.
type sections struct {
	ctx    context.Context // of the work, for reading
	m      Means
	in     *input // without rows
	labels source
	starts []int64 // first row of each part, and the number of all

	mu   sync.Mutex
	all  map[rows.Span]*section // by chunks
	read int64                  // rows
}

// section is one of them.
type section struct {
	once  sync.Once
	users sync.WaitGroup
	round int   // of the last question about it
	size  int64 // bytes in memory
	spill *mapped.Columns
	rows  *rows.Store
	err   error
}

// newSections reads what is needed to read rows.
func newSections(ctx context.Context, p choices, m Means, from Sources, columns computed.Reader) (*sections, error) {
	in, err := begin(ctx, p, from, columns)
	if err != nil {
		return nil, err
	}
	if p.Holdout > 0 {
		if err := in.findCopies(ctx, m, from); err != nil {
			return nil, err
		}
	}
	s := &sections{ctx: ctx, m: m, in: in, labels: source{dir: from.Labels, wanted: in.wanted}, all: map[rows.Span]*section{}, starts: []int64{0}}
	for i := range from.Labels.NumParts() {
		info, err := from.Labels.Info(i)
		if err != nil {
			return nil, err
		}
		s.starts = append(s.starts, s.starts[i]+info.Rows)
	}
	return s, in.compute(ctx, &s.labels, from.Labels, columns)
}

// answer answers a question. Any number of goroutines may ask.
func (s *sections) answer(text []byte) ([]byte, error) {
	q, err := rows.ReadQuestion(text)
	if err != nil {
		return nil, err
	}
	k, err := s.section(q.Section)
	if err != nil {
		return nil, err
	}
	defer k.users.Done()
	k.once.Do(func() { k.err = s.fill(k, q.Section) })
	if k.err == nil {
		return k.rows.Answer(q, s.m.workers())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all[q.Section.Chunks] == k {
		delete(s.all, q.Section.Chunks) // the next question tries again
	}
	return nil, k.err
}

// section returns a section with one more user.
func (s *sections) section(of rows.Section) (*section, error) {
	err := s.forget(func(k *section) bool { return k.round >= of.Round-1 })
	s.mu.Lock()
	defer s.mu.Unlock()
	k := s.all[of.Chunks]
	if k == nil {
		k = &section{spill: mapped.New("", s.room())}
		s.all[of.Chunks] = k
	}
	k.round = max(k.round, of.Round)
	k.users.Add(1)
	return k, err
}

// room returns how many bytes of rows may yet be kept in memory.
func (s *sections) room() int64 {
	left := s.m.Memory
	for _, k := range s.all {
		left -= k.size
	}
	return max(0, left)
}

// forget lets go of the sections for which keep does not hold; nil: of all.
func (s *sections) forget(keep func(*section) bool) (err error) {
	s.mu.Lock()
	var old []*section
	for chunks, k := range s.all {
		if keep == nil || !keep(k) {
			old = append(old, k)
			delete(s.all, chunks)
		}
	}
	s.mu.Unlock()
	for _, k := range old {
		k.users.Wait()
		err = errors.Join(err, k.spill.Close())
	}
	return err
}

// fill reads the rows of a section.
func (s *sections) fill(k *section, of rows.Section) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, k.spill.Close())
		}
	}()
	in := *s.in
	in.spill, in.design = k.spill, s.in.design.Mixing(of.Phases)
	in.train = in.newSample()
	d, err := newDecoder(&in, s.labels)
	if err != nil {
		return err
	}
	d.from, d.to = of.From, of.To
	for i, start := range s.starts[:len(s.starts)-1] {
		if s.starts[i+1] <= of.From || start >= of.To {
			continue
		}
		if err := s.readPart(i, d, &in); err != nil {
			return err
		}
	}
	if err := in.train.finish(&in); err != nil {
		return err
	}
	if err := k.spill.MapIn(); err != nil {
		return err
	}
	k.rows = in.train.rows
	if !k.rows.Keep(of, s.in.p.Blend) {
		return fmt.Errorf("%s has %d rows in chunks %d to %d here, but %d at the coordinator: are these the same labels?", s.labels.dir.Path, k.rows.N, of.Chunks.From+1, of.Chunks.To, of.Rows)
	}
	if !k.spill.Used() {
		s.mu.Lock()
		k.size = k.spill.Size()
		s.mu.Unlock()
	}
	return nil
}

// readPart reads those row groups of a part that have rows of the section.
func (s *sections) readPart(i int, d *decoder, in *input) error {
	s.labels.computed.Expect(i, 1)
	defer s.labels.computed.Done(i)
	for g, err := range s.labels.dir.Groups(nil, i) {
		if err != nil {
			return err
		}
		first := s.starts[i] + g.First
		end := first + g.Rows
		if end <= d.from || first >= d.to {
			continue
		}
		if err := d.decode(s.ctx, g, first); err != nil {
			return err
		}
		if d.deliver(in); end <= d.to {
			in.train.build.Cut() // after a section's end, whoever asks has taken in the game that waits here
		}
		s.mu.Lock()
		s.read += g.Rows
		s.mu.Unlock()
	}
	return nil
}
