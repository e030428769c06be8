package search

import (
	"context"
	"encoding/binary"
	"path/filepath"
	"slices"

	"kifu/datasets"
	"kifu/internal/lists"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/scratch"
	"kifu/internal/spill"
	"kifu/report/split/conditions"
)

// stored is the rows of the labels for the tests, in a scratch file. Labels are decoded and compared with
// thresholds once, and each pass reads the atoms that it needs. A row takes two bytes and a bit an atom.
type stored struct {
	params   Params
	axis     *axis
	set      *conditions.Set
	clusters *clusters
	dir      *scratch.Dir
	file     *spill.File
	blocks   []storedBlock
	rows     int64
}

// storedBlock is a block in the file: its keys, then the words of each atom.
type storedBlock struct {
	games []blockGame
	at    int64
}

// store reads the labels, and writes the blocks of each row group. Games at the ends of row groups are in blocks of their own.
func (r *reader) store(ctx context.Context, x *axis, set *conditions.Set) (s *stored, err error) {
	s = &stored{params: r.params, axis: x, set: set, clusters: r.clusters, dir: scratch.New("", "splits")}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if err = s.dir.Make(); err != nil {
		return s, err
	}
	if s.file, err = spill.Create(filepath.Join(s.dir.Path(), "rows"), 1); err != nil {
		return s, err
	}
	type made struct {
		whole storedBlock
		ends  []*rowBlock
	}
	workers := ordered.Workers(r.params.Workers)
	rows := lists.N(workers, func(int) *rowBlock { return r.block() })
	games := joined{rowBlock: rowBlock{columns: make([][]float64, len(r.columns))}, take: func(b *rowBlock) error {
		one, err := s.put(b, r.given)
		s.add(one)
		return err
	}}
	err = datasets.Each(ctx, r.dir, workers, "splits: conditions", "positions", func(w int, g datasets.Group, emit func(made) error) error {
		if err := r.read(g, rows[w]); err != nil {
			return err
		}
		ends := rows[w].ends()
		whole, err := s.put(rows[w], r.given)
		if err != nil {
			return err
		}
		return emit(made{whole, ends})
	}, func(m made) error {
		s.add(m.whole)
		return games.add(m.ends)
	})
	if err == nil {
		err = games.end()
	}
	return s, err
}

func (s *stored) add(b storedBlock) {
	s.blocks = append(s.blocks, b)
	for _, g := range b.games {
		s.rows += int64(g.rows)
	}
}

// put writes the block of rows.
func (s *stored) put(rows *rowBlock, given []bitset) (one storedBlock, err error) {
	b := s.axis.blockOf(rows, s.set, given)
	data := make([]byte, 0, 2*len(b.keys)+len(b.words)*len(b.keys)/8)
	for _, key := range b.keys {
		data = binary.LittleEndian.AppendUint16(data, key)
	}
	for _, words := range b.words {
		for _, word := range words {
			data = binary.LittleEndian.AppendUint64(data, word)
		}
	}
	one.games = b.games
	one.at, err = s.file.Put(0, data)
	return one, err
}

// read fills b with a block, of these atoms.
func (s *stored) read(from storedBlock, atoms []int, b *block, buffer []byte) ([]byte, error) {
	b.games = from.games
	words := 0
	if n := len(b.games); n > 0 {
		words = b.games[n-1].to
	}
	buffer = slices.Grow(buffer[:0], 128*words)[:128*words]
	if err := s.file.ReadAt(buffer, from.at); err != nil {
		return buffer, err
	}
	b.keys = slices.Grow(b.keys[:0], 64*words)[:64*words]
	for i := range b.keys {
		b.keys[i] = binary.LittleEndian.Uint16(buffer[2*i:])
	}
	for _, a := range atoms {
		if err := s.file.ReadAt(buffer[:8*words], from.at+int64(8*words*(16+a))); err != nil {
			return buffer, err
		}
		b.words[a] = slices.Grow(b.words[a][:0], words)[:words]
		for i := range b.words[a] {
			b.words[a][i] = binary.LittleEndian.Uint64(buffer[8*i:])
		}
	}
	return buffer, nil
}

func (s *stored) close() {
	if s.file != nil {
		s.file.Close()
	}
	s.dir.Remove()
}

func (s *stored) workers() int { return ordered.Workers(s.params.Workers) }

// eachBlock calls visit with all blocks, with the atoms of these conditions, and take with what it makes of each, in order.
func eachBlock[R any](ctx context.Context, s *stored, title string, of []conditions.Condition, visit func(worker int, b *block) R, take func(R)) error {
	atoms := lists.Where(lists.N(len(s.set.Atoms), func(a int) int { return a }), func(a int) bool {
		return slices.ContainsFunc(of, func(c conditions.Condition) bool { return slices.Contains(c.Atoms[:], a) })
	})
	blocks := lists.N(s.workers(), func(int) *block { return &block{words: make([][]uint64, len(s.set.Atoms))} })
	buffers := make([][]byte, len(blocks))
	bar := progress.Start(ctx, title, s.rows, "positions")
	defer bar.Done()
	return ordered.Run(ctx, len(s.blocks), len(blocks), func(w, i int, emit func(R) error) (err error) {
		if buffers[w], err = s.read(s.blocks[i], atoms, blocks[w], buffers[w]); err != nil {
			return err
		}
		made := visit(w, blocks[w])
		for _, g := range blocks[w].games {
			bar.Add(int64(g.rows))
		}
		return emit(made)
	}, func(made R) error {
		take(made)
		return nil
	})
}
