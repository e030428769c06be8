package fit

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"kifu/datasets"
	"kifu/eval"
	"kifu/internal/progress"
)

// input is what a fit reads: the labels' evaluator, and the positions as rows, those
// of held-out games apart.
type input struct {
	model       *eval.Model
	leaf        string // value column
	design      *design
	train, held *sample
	targetScale float64 // of a blend
	counts      datasets.Counts
}

// sample is a set of games.
type sample struct {
	rows    *rows
	build   *builder
	results results
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
			if f.Name == t.Name {
				return nil, fmt.Errorf("added feature %q: the evaluator has a term of that name", f.Name)
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
func read(ctx context.Context, p Params, workers int, dir *datasets.Dir, columns columnReader) (*input, error) {
	if err := dir.Want("labels"); err != nil {
		return nil, err
	}
	in := &input{leaf: dir.Manifest.Meta["leaf"]}
	var err error
	if in.model, err = loadModel(dir); err != nil {
		return nil, err
	}
	free, err := freeTerms(p, in.model, dir.Manifest.Meta["zeroed"])
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range p.Add {
		names = append(names, f.Name)
	}
	in.design = newDesign(in.model, free, p.builtin(), names)
	in.design.drawn = p.Method == Ordered
	in.train, in.held = &sample{build: newBuilder(in.design)}, &sample{build: newBuilder(in.design)}
	in.train.build.blend = p.Blend > 0
	x, err := readExtras(ctx, p, dir, columns)
	if err != nil {
		return nil, err
	}
	if err := in.readParts(ctx, p, workers, dir, free, x); err != nil {
		return nil, err
	}
	in.train.rows, in.held.rows = in.train.build.finish(), in.held.build.finish()
	in.train.build, in.held.build = nil, nil
	if p.Blend > 0 && in.train.rows.n > 0 {
		in.targetScale, err = in.train.rows.blend(p.Blend, p.TargetScale, workers)
	}
	return in, err
}

// piece is a row group.
type piece struct {
	part     *datasets.Part
	rowGroup int
	first    int64 // number of its first row in the dataset
}

// readParts decodes the row groups on several workers and adds their rows in order.
func (in *input) readParts(ctx context.Context, p Params, workers int, dir *datasets.Dir, free []int, x extras) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
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
	for slot, term := range free {
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
	inOrder(workers, len(pieces), func(w, i int) {
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
