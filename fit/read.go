package fit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"kifu/datasets"
	"kifu/eval"
	"kifu/internal/progress"
	"kifu/internal/splitmix"

	"kifu/fit/rows"
	"kifu/fit/solve"
	"kifu/internal/ordered"
)

// input is what a fit reads: the labels' evaluator, and the positions as rows, those
// of held-out games apart.
type input struct {
	model       *eval.Model
	leaf        string // value column
	design      *rows.Design
	train, held *sample
	games       map[int64]bool // that are wanted; nil: all
	testing     bool           // a dataset of held-out games is read
	spill       *rows.Spill    // has the features, if they are not in memory
	targetScale float64        // of a blend
	free        []int          // terms
	levels      []string       // of --scale-by
	unseen      *unseen        // positions without their next one; nil if it is of no use
	counts      datasets.Counts
}

// close lets go of what is not in memory.
func (in *input) close() error {
	if in.spill == nil {
		return nil
	}
	return in.spill.Close()
}

// sample is a set of games.
type sample struct {
	rows    *rows.Store
	build   *rows.Builder
	results rows.Results

	most    int // positions a game; 0: all
	seed    uint64
	game    []rows.Row // the rows of the last game, when there is a limit
	dropped int64
	gather  *gatherer // of decisions; nil: every row is by itself
}

// add takes a row in, or keeps it until its game is whole.
func (s *sample) add(x *rows.Row) {
	if s.most == 0 {
		s.put(x)
		return
	}
	if len(s.game) > 0 && s.game[0].Game != x.Game {
		s.endGame()
	}
	kept := *x
	kept.Features, kept.Dense = slices.Clone(x.Features), slices.Clone(x.Dense)
	s.game = append(s.game, kept)
}

func (s *sample) put(x *rows.Row) {
	s.build.Add(x)
	s.results.First += x.Won.First
	s.results.Draws += x.Won.Draws
	s.results.Second += x.Won.Second
}

// endGame puts the rows of a game in, a seeded choice of them if they are too many.
func (s *sample) endGame() {
	if n := len(s.game); n > s.most {
		for _, i := range drawn(n, s.most, splitmix.Hash(s.seed^capSalt, s.game[0].Game)) {
			s.put(&s.game[i])
		}
		s.dropped += int64(n - s.most)
	} else {
		for i := range s.game {
			s.put(&s.game[i])
		}
	}
	s.game = s.game[:0]
}

// finish makes the rows. Those of a game must lie together if there was a limit.
func (s *sample) finish() error {
	s.endGame()
	if s.gather != nil {
		if s.gather.endGame(s); s.gather.err != nil {
			return s.gather.err
		}
	}
	if s.most > 0 && s.build.Apart {
		return errors.New("the positions of a game do not lie together in the labels, as behind --dedup: --max-per-game cannot count them")
	}
	if s.build.Spill != nil && s.build.Apart {
		return errors.New("the positions of a game do not lie together in the labels, as behind --dedup: --spill cannot bring them together")
	}
	s.rows, s.build = s.build.Finish(), nil
	return nil
}

// loadModel reads the evaluator that lies beside the labels, in the order of their
// features.
func loadModel(in *datasets.Dir) (*eval.Model, error) {
	text, err := in.ReadFile("weights.toml")
	if err != nil {
		return nil, err
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s/weights.toml: %w", in.Path, err)
	}
	return m, nil
}

// freeTerms returns the indices of the terms that p frees, ascending.
func freeTerms(p Params, m *eval.Model, zeroed string) ([]int, error) {
	names := p.Free
	if len(names) == 0 && len(p.Add) == 0 && zeroed != "" {
		names = strings.Split(zeroed, ",")
	}
	free := map[int]bool{}
	for _, name := range names {
		if name == "all" {
			for i := range m.Terms {
				free[i] = true
			}
			continue
		}
		terms, err := m.Match(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		for _, i := range terms {
			free[i] = true
		}
	}
	var out []int
	for i, t := range m.Terms {
		if free[i] {
			out = append(out, i)
		}
		for _, f := range p.Add {
			// The names of groups that are fitted stand for their terms.
			if f.Name == t.Name || free[i] && f.Name == t.Group {
				return nil, fmt.Errorf("--add %s: the evaluator has a term or group of that name: give the feature another, as in %s_score=%s, or fit what is there with --free %s", f.Name, f.Name, f.SQL, f.Name)
			}
		}
		for _, name := range p.builtin() {
			if name == t.Name {
				return nil, fmt.Errorf("the evaluator has a term named %s: free it instead", name)
			}
		}
	}
	return out, nil
}

// read reads the labels.
func read(ctx context.Context, p Params, m Means, from Sources, columns columnReader) (_ *input, err error) {
	dir := from.Labels
	if err := p.Wants(dir); err != nil {
		return nil, err
	}
	in := &input{leaf: dir.Manifest.Meta["leaf"]}
	defer func() {
		if err != nil {
			err = errors.Join(err, in.close())
		}
	}()
	if in.model, err = loadModel(dir); err != nil {
		return nil, err
	}
	if in.free, err = freeTerms(p, in.model, dir.Manifest.Meta["zeroed"]); err != nil {
		return nil, err
	}
	if in.design, err = in.newDesign(p); err != nil {
		return nil, err
	}
	levelOf, err := in.readLevels(ctx, p, from, columns)
	if err != nil {
		return nil, err
	}
	in.train = &sample{build: rows.NewBuilder(in.design), most: p.MaxPerGame, seed: p.Seed}
	in.held = &sample{build: rows.NewBuilder(in.design), most: p.MaxPerGame, seed: p.Seed}
	in.train.build.Blend = p.Blend > 0
	in.train.build.Levels, in.held.build.Levels = levelOf != nil, levelOf != nil
	if in.design.Decided != nil {
		in.train.gather, in.held.gather = &gatherer{}, &gatherer{}
	}
	if m.Spill {
		if in.spill, err = rows.NewSpill(""); err != nil {
			return nil, err
		}
		in.train.build.Spill, in.held.build.Spill = in.spill, in.spill
	}
	if in.games, err = wantedGames(ctx, p, from.Games, columns); err != nil {
		return nil, err
	}
	for _, dir := range []*datasets.Dir{from.Labels, from.Test} {
		if dir == nil {
			continue
		}
		if in.testing = dir == from.Test; in.testing {
			if err := p.Wants(dir); err != nil {
				return nil, err
			}
			if err := Alike(from.Labels, dir); err != nil {
				return nil, err
			}
			in.games = nil
		}
		x, err := compute(ctx, p, dir, columns)
		if err != nil {
			return nil, err
		}
		if levelOf != nil {
			x.level = levelOf[dir]
		}
		if p.WithoutBlunders > 0 && !in.testing {
			if x.blunders, in.unseen, err = findBlunders(ctx, dir, in.leaf, p.WithoutBlunders, columns); err != nil {
				return nil, err
			}
		}
		if err := in.readParts(ctx, p, m.workers(), dir, x); err != nil {
			return nil, err
		}
	}
	for _, s := range []*sample{in.train, in.held} {
		if err := s.finish(); err != nil {
			return nil, fmt.Errorf("%s: %w", dir.Path, err)
		}
		if s.dropped > 0 {
			in.counts.Reject(overCap, s.dropped)
		}
		if s.gather != nil {
			in.counts.Add(s.gather.counts)
			s.rows.WeighDecisions(p.Weight == WeightGame && s == in.train)
		}
	}
	if in.spill != nil {
		if err := in.spill.MapIn(); err != nil {
			return nil, err
		}
	}
	if p.Weight == WeightGame && in.train.rows.N > 0 && in.train.gather == nil {
		in.train.rows.ByGame()
	}
	if p.Blend > 0 && in.train.rows.N > 0 {
		var ok bool
		if in.targetScale, ok = in.train.rows.Blend(p.Blend, p.TargetScale, m.workers()); !ok {
			return nil, solve.Refuse("no scale", []string{"target"}, "the values of --target do not foretell the results, so that they cannot be turned into win probabilities: is the value from the first player's side? Give its scale with --target-scale")
		}
	}
	return in, nil
}

// newDesign is the design of p.
func (in *input) newDesign(p Params) (*rows.Design, error) {
	var names []string
	for _, f := range p.Add {
		names = append(names, f.Name)
	}
	d := rows.NewDesign(in.model, in.free, p.builtin(), names)
	d.Drawn, d.Decided = p.Method == Ordered, rows.DecisionLossOf(p.Method)
	return d, d.Constrain(rows.Structure{Prior: p.Prior, Bounds: p.Bounds, Tie: p.Tie, Untapered: p.Untapered})
}

// wantedGames are the games for which Params.GamesWhere holds, nil without it.
func wantedGames(ctx context.Context, p Params, dir *datasets.Dir, columns columnReader) (map[int64]bool, error) {
	if dir == nil || p.GamesWhere == "" {
		return nil, nil
	}
	if err := dir.Want("games"); err != nil {
		return nil, err
	}
	all, err := columns(ctx, dir, []Feature{{Name: "game_id", SQL: "game_id"}, {"games-where", p.GamesWhere, condition}})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir.Path, err)
	}
	wanted := map[int64]bool{}
	for i, id := range all[0] {
		if all[1][i] != 0 {
			wanted[int64(id)] = true
		}
	}
	if len(wanted) == 0 {
		return nil, fmt.Errorf("%s: none of %d games fulfils %s", dir.Path, len(all[0]), p.GamesWhere)
	}
	return wanted, nil
}

// piece is a row group.
type piece struct {
	part     *datasets.Part
	rowGroup int
	first    int64 // number of its first row in the dataset
}

// readParts decodes the row groups on several workers and adds their rows in order.
func (in *input) readParts(ctx context.Context, p Params, workers int, dir *datasets.Dir, x computed) error {
	var pieces []piece
	total := int64(0)
	for i := range dir.Manifest.Parts {
		part, err := dir.OpenPart(i)
		if err != nil {
			return err
		}
		defer part.Close()
		for g := range part.RowGroups() {
			pieces = append(pieces, piece{part, g, total})
			total += part.Rows(g)
		}
	}
	slotOf := make([]int, len(in.model.Terms))
	for i := range slotOf {
		slotOf[i] = -1
	}
	for slot, term := range in.free {
		slotOf[term] = slot
	}
	bar := progress.Start(ctx, "fit: read", total, "positions")
	defer bar.Done()
	decoders := make([]*decoder, workers)
	for w := range decoders {
		var err error
		if decoders[w], err = newDecoder(in, p, dir, slotOf, x); err != nil {
			return err
		}
	}
	var failed atomic.Bool
	var firstErr error
	ordered.Merge(workers, len(pieces), func(w, i int) {
		if failed.Load() {
			return
		}
		d := decoders[w]
		if d.err = ctx.Err(); d.err == nil {
			d.err = d.decode(pieces[i])
		}
		if d.err != nil {
			failed.Store(true)
		}
	}, func(w, i int) {
		d := decoders[w]
		switch {
		case firstErr != nil:
		case d.err != nil:
			firstErr = d.err
		case !failed.Load():
			d.deliver(in)
			bar.Add(int64(d.batch.Rows))
		}
	})
	return firstErr
}
