package fit

import (
	"cmp"
	"context"
	"encoding/binary"
	"path/filepath"
	"slices"

	"kifu/internal/scratch"
	"kifu/internal/spill"
)

// sight is a position that a game has.
type sight struct {
	key  uint64 // of position and ply
	game int64
}

const (
	sightBytes   = 16
	sightBuckets = 256     // by the first bits of the key
	sightBuffer  = 1 << 16 // bytes of each
)

// sights takes any number of sights, and returns them sorted: the sights of one position together.
// Above most bytes they are in a scratch file.
type sights struct {
	most    int64
	held    []sight
	dir     *scratch.Dir
	file    *spill.File // nil while all are in memory
	buffers [][]byte
	err     error
}

func newSights(most int64) *sights { return &sights{most: most, dir: scratch.New("", "fit")} }

// add adds one; each returns any failure.
func (s *sights) add(one sight) {
	switch {
	case s.err != nil:
	case s.file != nil:
		s.put(one)
	default:
		if s.held = append(s.held, one); int64(len(s.held))*sightBytes > s.most {
			s.spill()
		}
	}
}

// spill moves all that is held to a file.
func (s *sights) spill() {
	if s.err = s.dir.Make(); s.err != nil {
		return
	}
	if s.file, s.err = spill.Create(filepath.Join(s.dir.Path(), "sights"), sightBuckets); s.err != nil {
		return
	}
	s.buffers = make([][]byte, sightBuckets)
	for _, one := range s.held {
		s.put(one)
	}
	s.held = nil
}

func (s *sights) put(one sight) {
	b := one.key >> 56
	if s.buffers[b] == nil {
		s.buffers[b] = make([]byte, 0, sightBuffer)
	}
	s.buffers[b] = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(s.buffers[b], one.key), uint64(one.game))
	if len(s.buffers[b])+sightBytes > sightBuffer {
		s.write(int(b))
	}
}

func (s *sights) write(b int) {
	if s.err == nil {
		_, s.err = s.file.Put(b, s.buffers[b])
	}
	s.buffers[b] = s.buffers[b][:0]
}

// each calls do with some of the sights after the others, sorted by key and game; all that have one key are
// in one call.
func (s *sights) each(ctx context.Context, do func(sorted []sight)) error {
	if s.file == nil {
		if s.err == nil {
			sortSights(s.held)
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
	var all []sight
	for b := range sightBuckets {
		var err error
		if bytes, err = s.file.Read(b, bytes); err != nil {
			return err
		}
		all = all[:0]
		for i := 0; i < len(bytes); i += sightBytes {
			all = append(all, sight{binary.LittleEndian.Uint64(bytes[i:]), int64(binary.LittleEndian.Uint64(bytes[i+8:]))})
		}
		sortSights(all)
		if do(all); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func sortSights(all []sight) {
	slices.SortFunc(all, func(a, b sight) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.game, b.game)) })
}

// close removes what is on disk.
func (s *sights) close() error {
	if s.file == nil {
		return s.dir.Remove()
	}
	s.file.Close()
	return s.dir.Remove()
}
