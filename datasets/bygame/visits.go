package bygame

import (
	"cmp"
	"context"
	"encoding/binary"
	"path/filepath"
	"slices"

	"kifu/internal/scratch"
	"kifu/internal/spill"
)

// visit is a position that a game has.
type visit struct {
	key  uint64 // of position and ply
	game int64
}

const (
	visitBytes   = 16
	visitBuckets = 256     // by the first bits of the key
	visitBuffer  = 1 << 16 // bytes of each
)

// visits takes any number of visits, and returns them sorted: the visits of one position together.
// Above most bytes they are in a scratch file.
type visits struct {
	most    int64
	held    []visit
	dir     *scratch.Dir
	file    *spill.File // nil while all are in memory
	buffers [][]byte
	err     error
}

func newVisits(most int64) *visits { return &visits{most: most, dir: scratch.New("", "copies")} }

// add adds one; each returns any failure.
func (s *visits) add(one visit) {
	switch {
	case s.err != nil:
	case s.file != nil:
		s.put(one)
	default:
		s.held = append(s.held, one)
		if int64(len(s.held))*visitBytes > s.most {
			s.spill()
		}
	}
}

// spill moves all that is held to a file.
func (s *visits) spill() {
	if s.err = s.dir.Make(); s.err != nil {
		return
	}
	if s.file, s.err = spill.Create(filepath.Join(s.dir.Path(), "visits"), visitBuckets); s.err != nil {
		return
	}
	s.buffers = make([][]byte, visitBuckets)
	for _, one := range s.held {
		s.put(one)
	}
	s.held = nil
}

func (s *visits) put(one visit) {
	b := one.key >> 56
	if s.buffers[b] == nil {
		s.buffers[b] = make([]byte, 0, visitBuffer)
	}
	s.buffers[b] = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(s.buffers[b], one.key), uint64(one.game))
	if len(s.buffers[b])+visitBytes > visitBuffer {
		s.write(int(b))
	}
}

func (s *visits) write(b int) {
	if s.err == nil {
		_, s.err = s.file.Put(b, s.buffers[b])
	}
	s.buffers[b] = s.buffers[b][:0]
}

// eachRun calls do with some of the visits after the others, sorted by key and game; all that have one key are
// in one call.
func (s *visits) eachRun(ctx context.Context, do func(sorted []visit)) error {
	if s.file == nil {
		if s.err == nil {
			sortVisits(s.held)
			do(s.held)
		}
		return s.err
	}
	for b := range s.buffers {
		s.write(b)
	}
	if s.err != nil {
		return s.err
	}
	var bytes []byte
	var all []visit
	for b := range visitBuckets {
		var err error
		if bytes, err = s.file.Read(b, bytes); err != nil {
			return err
		}
		all = all[:0]
		for i := 0; i < len(bytes); i += visitBytes {
			all = append(all, visit{binary.LittleEndian.Uint64(bytes[i:]), int64(binary.LittleEndian.Uint64(bytes[i+8:]))})
		}
		sortVisits(all)
		if do(all); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func sortVisits(all []visit) {
	slices.SortFunc(all, func(a, b visit) int {
		if a.key != b.key {
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(a.game, b.game)
	})
}

// close removes what is on disk.
func (s *visits) close() error {
	if s.file == nil {
		return s.dir.Remove()
	}
	s.file.Close()
	return s.dir.Remove()
}
