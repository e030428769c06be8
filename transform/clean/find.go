package clean

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"slices"

	"kifu/datasets"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/spill"
)

// run is one run of the package.
type run struct {
	params  Params
	workers int
	in      *datasets.Dir
	out     *datasets.Builder
	final   func() finalFunc

	blackFirst bool

	names  map[string]string
	gone   gone
	left   *bitset     // of gone
	donors *spill.File // what games left out know, by the game that is kept; nil if there are none
}

// Sizes of the scratch files: bytes of a bucket and of a game in it, guessed.
const (
	bucketBytes  = 24 << 20
	bytesPerGame = 260
	maxBuckets   = 1 << 13
	chunkBytes   = 16 << 10
)

// pass is one way to bring games that may be one into a bucket.
type pass struct {
	title string
	// key returns the text whose hash chooses the bucket; false for a game that has none.
	key func(dst []byte, e *entry) ([]byte, bool)
	// block reports whether neighbours in a bucket that is sorted by order are compared.
	order func(a, b *entry) int
	block func(a, b *entry) bool
	match func(c *cluster, e *entry) (head *entry, v verdict)
}

// find adds the duplicates among the games that are not left out yet.
func (r *run) find(ctx context.Context) error {
	if r.params.Dedup == None {
		return nil
	}
	passes := []pass{r.byMoves()}
	if r.params.Dedup == Fuzzy {
		passes = append(passes, byPlayers())
	}
	for _, p := range passes {
		skip := newBitset(r.in.Rows())
		for _, g := range r.gone {
			if g.ID >= 0 && g.ID < r.in.Rows() {
				skip.add(g.ID)
			}
		}
		if err := r.pass(ctx, p, skip); err != nil {
			return err
		}
	}
	return nil
}

// pass divides the games among buckets and finds the duplicates in each.
func (r *run) pass(ctx context.Context, p pass, skip *bitset) error {
	dir, err := r.out.Spill("clean")
	if err != nil {
		return err
	}
	file, err := spill.Create(dir+"/games", int(min(r.in.Rows()*bytesPerGame/bucketBytes+1, maxBuckets)))
	if err != nil {
		return err
	}
	defer file.Close()
	if err := r.scatter(ctx, p, skip, file); err != nil {
		return err
	}
	bar := progress.Start(ctx, p.title, int64(file.Buckets()), "buckets")
	defer bar.Done()
	return ordered.Run(ctx, file.Buckets(), r.workers, func(_, i int, emit func([]Out) error) error {
		data, err := file.Read(i, nil)
		if err != nil {
			return err
		}
		bar.Add(1)
		return emit(p.bucket(data))
	}, func(found []Out) error {
		r.gone = append(r.gone, found...)
		return nil
	})
}

// bucket returns the duplicates in a bucket.
func (p *pass) bucket(data []byte) (found []Out) {
	var entries []entry
	for len(data) > 0 {
		var e entry
		data = e.read(data)
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Or(p.order(&a, &b), a.fuller(&b)) })
	for from, to := 0, 0; from < len(entries); from = to {
		for to = from + 1; to < len(entries) && p.block(&entries[from], &entries[to]); to++ {
		}
		if to-from > 1 {
			found = append(found, p.cluster(entries[from:to])...)
		}
	}
	return found
}

// cluster returns the duplicates of a block: the fullest games come first, and each joins the first
// of them that it matches.
func (p *pass) cluster(block []entry) (found []Out) {
	slices.SortFunc(block, func(a, b entry) int { return a.fuller(&b) })
	c := newCluster()
	for i := range block {
		e := &block[i]
		if head, v := p.match(c, e); head != nil {
			found = append(found, Out{ID: e.id, Kept: head.id, Reason: v.reason(e, head), Same: v.kind == sameMoves})
			continue
		}
		c.add(e)
	}
	return found
}

// byMoves brings together the games that begin with the same moves.
func (r *run) byMoves() pass {
	n := 2 * r.params.MinPrefix
	opening := func(e *entry) []byte { return e.moves[:min(len(e.moves), n)] }
	return pass{
		title: "compare moves",
		key: func(dst []byte, e *entry) ([]byte, bool) {
			return append(binary.LittleEndian.AppendUint64(dst, e.start), opening(e)...), true
		},
		order: func(a, b *entry) int {
			return cmp.Or(cmp.Compare(a.start, b.start), bytes.Compare(opening(a), opening(b)))
		},
		block: func(a, b *entry) bool { return a.start == b.start && bytes.Equal(opening(a), opening(b)) },
		match: (*cluster).sameMoves,
	}
}

// byPlayers brings together the games of two surnames.
func byPlayers() pass {
	return pass{
		title: "compare players",
		key: func(dst []byte, e *entry) ([]byte, bool) {
			a, b := e.players[0].surname, e.players[1].surname
			return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(dst, a), b), a != 0 && b != 0
		},
		order: func(a, b *entry) int {
			return cmp.Or(cmp.Compare(a.players[0].surname, b.players[0].surname), cmp.Compare(a.players[1].surname, b.players[1].surname))
		},
		block: func(a, b *entry) bool {
			return a.players[0].surname == b.players[0].surname && a.players[1].surname == b.players[1].surname
		},
		match: (*cluster).likeMoves,
	}
}

// entryColumns are the columns that an entry is made of.
var entryColumns = []string{"game_id", "variant", "start_position", "moves", "first_player", "second_player", "date", "result",
	"event", "site", "round", "first_elo", "second_elo", "evals"}

// scatterer puts games into buckets, for one worker.
type scatterer struct {
	to     *spill.File
	chunks [][]byte
	batch  *datasets.Batch
	names  *namer
	key    []byte
}

// scatter puts the games that have moves into the buckets of a pass, but those of skip.
func (r *run) scatter(ctx context.Context, p pass, skip *bitset, to *spill.File) error {
	all := make([]*scatterer, r.workers)
	for i := range all {
		all[i] = &scatterer{to: to, chunks: make([][]byte, to.Buckets()), batch: datasets.NewBatch(r.in.Table, entryColumns...), names: newNamer(r.names)}
	}
	err := datasets.Each(ctx, r.in, r.workers, "read games", "games", func(worker int, g datasets.Group, _ func(struct{}) error) error {
		s := all[worker]
		if err := g.Read(s.batch); err != nil {
			return err
		}
		return s.put(p, g.First, skip)
	}, nil)
	for _, s := range all {
		for bucket := range s.chunks {
			if err == nil {
				err = s.flush(bucket)
			}
		}
	}
	return err
}

// put scatters the games of the batch, the first of which is row first of the dataset.
func (s *scatterer) put(p pass, first int64, skip *bitset) error {
	for row := range s.batch.Rows {
		if skip.has(first + int64(row)) {
			continue
		}
		e := entryOf(s.batch, row, s.names)
		if len(e.moves) == 0 {
			continue
		}
		e.id = first + int64(row)
		key, ok := p.key(s.key[:0], &e)
		if s.key = key; !ok {
			continue
		}
		h := fnv.New64a()
		h.Write(key)
		bucket := int(h.Sum64() % uint64(len(s.chunks)))
		s.chunks[bucket] = e.append(s.chunks[bucket])
		if len(s.chunks[bucket]) >= chunkBytes {
			if err := s.flush(bucket); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *scatterer) flush(bucket int) error {
	if len(s.chunks[bucket]) == 0 {
		return nil
	}
	_, err := s.to.Put(bucket, s.chunks[bucket])
	s.chunks[bucket] = s.chunks[bucket][:0]
	return err
}
