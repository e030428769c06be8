package clean

import (
	"cmp"
	"context"
	"encoding/binary"
	"hash/fnv"
	"slices"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/internal/ordered"
	"kifu/internal/progress"
	"kifu/internal/spill"
)

// run is one run of the package.
type run struct {
	params  Params
	workers int
	rules   any
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

// pass is one way to bring games that may be one into a bucket. Package duplicates is not called for
// the games of the same moves: it names the longest game that contains another, whoever played it,
// and decides nothing. Here a game joins the fullest one whose players and dates allow it, which may be another.
type pass struct {
	title string
	// keys calls f with each key of a game. Games that share one are compared.
	keys  func(e *entry, f func(key uint64) error) error
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

// keyed is an entry under one of its keys.
type keyed struct {
	key uint64
	entry
}

// bucket returns the duplicates in a bucket.
func (p *pass) bucket(data []byte) (found []Out) {
	var entries []keyed
	for len(data) > 0 {
		k := keyed{key: binary.LittleEndian.Uint64(data)}
		data = k.read(data[8:])
		entries = append(entries, k)
	}
	slices.SortFunc(entries, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), a.fuller(&b.entry)) })
	for from, to := 0, 0; from < len(entries); from = to {
		for to = from + 1; to < len(entries) && entries[to].key == entries[from].key; to++ {
		}
		if to-from > 1 {
			found = append(found, p.cluster(entries[from:to])...)
		}
	}
	return found
}

// cluster returns the duplicates of a block: the fullest games come first, and each joins the first
// of them that it matches.
func (p *pass) cluster(block []keyed) (found []Out) {
	c := &cluster{byWord: map[uint32][]*entry{}, byMoves: map[string][]*entry{}, byWindow: map[string][]*entry{}}
	for i := range block {
		e := &block[i].entry
		if i > 0 && e.id == block[i-1].id {
			continue // two of its keys are equal
		}
		if head, v := p.match(c, e); head != nil {
			found = append(found, Out{ID: e.id, Kept: head.id, Reason: v.reason(e, head), Same: v == sameMoves})
			continue
		}
		c.add(e)
	}
	return found
}

// byMoves brings together the games that begin with the same moves.
func (r *run) byMoves() pass {
	n := 2 * r.params.MinPrefix
	return pass{
		title: "compare moves",
		keys: func(e *entry, f func(uint64) error) error {
			return f(hash64(e.start, e.moves[:min(len(e.moves), n)]))
		},
		match: (*cluster).sameMoves,
	}
}

// byPlayers brings together the games of two surnames; where either of two words may be one, of both.
func byPlayers() pass {
	return pass{
		title: "compare players",
		keys: func(e *entry, f func(uint64) error) error {
			a, b := &e.players[0], &e.players[1]
			for _, x := range [2]uint32{a.surname, a.other} {
				for _, y := range [2]uint32{b.surname, b.other} {
					if x == 0 || y == 0 {
						continue
					}
					if err := f(hash64(uint64(x)<<32|uint64(y), nil)); err != nil {
						return err
					}
				}
			}
			return nil
		},
		match: (*cluster).likeMoves,
	}
}

func hash64(seed uint64, text []byte) uint64 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, seed))
	h.Write(text)
	return h.Sum64()
}

// entryColumns are the columns that an entry is made of.
var entryColumns = []string{"game_id", "variant", "start_position", "moves", "first_player", "second_player", "date", "result",
	"event", "site", "round", "first_elo", "second_elo", "evals"}

// scatterer puts games into buckets, for one worker.
type scatterer struct {
	rules any
	to    *spill.Writer
	batch *columns.Batch
	names *namer
}

// scatter puts the games that have moves, except skip's, into the buckets of a pass.
func (r *run) scatter(ctx context.Context, p pass, skip *bitset, to *spill.File) error {
	all := make([]*scatterer, r.workers)
	for i := range all {
		all[i] = &scatterer{rules: r.rules, to: spill.NewWriter(to, chunkBytes), batch: columns.NewBatch(r.in.Table, entryColumns...), names: &namer{canonical: r.names, seen: map[string]player{}}}
	}
	err := datasets.Each(ctx, r.in, r.workers, "read games", "games", func(worker int, g datasets.Group, _ func(struct{}) error) error {
		s := all[worker]
		if err := g.Read(s.batch); err != nil {
			return err
		}
		return s.put(p, g.First, skip)
	}, nil)
	for _, s := range all {
		if err == nil {
			err = s.to.Flush()
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
		e := entryOf(s.rules, s.batch, row, s.names)
		if len(e.moves) == 0 {
			continue
		}
		e.id = first + int64(row)
		if err := p.keys(&e, func(key uint64) error { return s.add(key, &e) }); err != nil {
			return err
		}
	}
	return nil
}

// add puts a game into the bucket of one of its keys.
func (s *scatterer) add(key uint64, e *entry) error {
	bucket := int(key % uint64(s.to.Buckets()))
	return s.to.Put(bucket, e.append(binary.LittleEndian.AppendUint64(s.to.Pending(bucket), key)))
}
