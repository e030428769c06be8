package fit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/fit/computed"
	"kifu/fit/fittest"
	"kifu/fit/losses"
	"kifu/fit/method"
	"kifu/fit/rows"
	"kifu/internal/hands"
	"kifu/internal/progress"
	"kifu/kit/datasettest"
	"kifu/kit/slow"
	"kifu/schemas"
)

// office has workers of a fit, who all sit in this process. Sections go to one after the other; a worker that is killed
// after so many answers has left its own to the next.
type office struct {
	desks  []*desk
	killed int // answers after which the first one is gone; 0: never
	given  int
	rounds int
	fault  error
}

// desk is where one of them gets its questions, until it is closed.
type desk struct {
	answer chan func([]byte) ([]byte, error)
	closed chan struct{}
	said   bytes.Buffer // when it had ended
	ended  chan error
}

func (d *desk) Serve(_ context.Context, answer func([]byte) ([]byte, error)) error {
	d.answer <- answer
	<-d.closed
	return nil
}

func (o *office) Room() int { return 1 << 20 }

func (o *office) Ask(_ context.Context, n int, section func(int) int, question func(int) []byte, take func(int, []byte) error) error {
	o.rounds++
	for i := range n {
		if o.given++; o.given == o.killed {
			close(o.desks[0].closed)
			o.desks = o.desks[1:]
		}
		d := o.desks[section(i)%len(o.desks)]
		answer := <-d.answer
		text, err := answer(question(i))
		d.answer <- answer
		if err == nil {
			err = take(i, text)
		}
		if err != nil {
			o.fault = err // the fit goes on alone
			return err
		}
	}
	return nil
}

// fitWith fits with so many workers, and returns the files and what each worker has said. It fails
// if nothing was asked, or not answered.
func fitWith(t *testing.T, p Params, in *datasets.Dir, columns computed.Reader, workers, killed int, memory int64) (files map[string]string, said []string) {
	t.Helper()
	from := Sources{Labels: in}
	o := &office{killed: killed}
	for range workers {
		d := &desk{answer: make(chan func([]byte) ([]byte, error), 1), closed: make(chan struct{}), ended: make(chan error, 1)}
		o.desks = append(o.desks, d)
		go func() {
			ctx := progress.With(hands.Serving(context.Background(), d), progress.Notes, &d.said)
			d.ended <- run(ctx, p, Means{Workers: 1, Memory: memory}, from, nil, columns)
		}()
	}
	all := o.desks
	dir := filepath.Join(t.TempDir(), "fit")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "fit", Output: schemas.Weights.ID(), Params: p, Inputs: []string{in.Path},
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			if workers > 0 {
				ctx = hands.With(ctx, o)
			}
			return run(ctx, p, Means{Workers: 1, Memory: 1 << 30}, from, out, columns)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range o.desks {
		close(d.closed)
	}
	for _, d := range all {
		if err := <-d.ended; err != nil {
			t.Error(err)
		}
		said = append(said, d.said.String())
	}
	if workers > 0 && (o.rounds < 3 || o.fault != nil) {
		t.Errorf("%d rounds of questions, %v", o.rounds, o.fault)
	}
	files = map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files, said
}

// made are columns of numbers for any expression.
func made(_ context.Context, dir *datasets.Dir, features []computed.Feature) (columns [][]float64, err error) {
	for k, f := range features {
		column := make([]float64, dir.Rows())
		for i := range column {
			switch column[i] = float64((i*(7+k)+i/11)%97) - 48; {
			case strings.HasSuffix(f.Name, "where"):
				column[i] = float64(min(i%7, 1))
			case f.Name == scaleBy:
				column[i] = float64(i / 40 % 3)
			}
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// TestSections: whatever is fitted how, workers who have read a part of the labels each give the bytes of one run; one
// that is killed has left its rows to others.
func TestSections(t *testing.T) {
	slow.Test(t, "dozens of fits by three workers")
	s := fittest.Small()
	s.RowGroup = 30
	labels := s.Labels(t, "", func(*columns.Batch) {})
	free := []string{"g1", "t11"}
	for name, p := range map[string]Params{
		"plain":         {Method: method.MLM{}, Draws: DrawsExclude, Free: free},
		"ls":            {Method: method.LS{}, Draws: DrawsHalf, Free: free, Holdout: 0.3, Folds: 2, Seed: 4},
		"by game":       {Method: method.MLM{Minimised: method.Minimised{Weight: method.ByGame}}, Draws: DrawsExclude, Free: free, Holdout: 0.2, Seed: 5},
		"some of each":  {Method: method.MLM{Minimised: method.Minimised{MaxPerGame: 6, Weight: method.ByGame}}, Draws: DrawsHalf, Free: free, Holdout: 0.3, Seed: 6},
		"ordered":       {Method: method.Ordered{}, Draws: DrawsHalf, Free: free},
		"added":         {Method: method.MLM{Positions: method.Positions{Intercept: true}}, Draws: DrawsHalf, Free: free, Add: []computed.Feature{{Name: "x", SQL: "x"}}, Where: "y"},
		"blended":       {Method: method.MLM{Aim: method.Aim{Target: "deep", Blend: 0.4, TargetScale: 0.01}}, Draws: DrawsHalf, Free: free},
		"value":         {Method: method.Value{Target: "deep", Minimised: method.Minimised{MaxPerGame: 9}}, Draws: DrawsHalf, Free: free, Where: "y"},
		"levels":        {Method: method.MLM{Scales: method.Scales{ScaleBy: "game_id % 3"}}, Draws: DrawsHalf, Free: free},
		"sets":          {Method: method.MLM{Sets: method.Sets{Phases: []int{8}}}, Draws: DrawsHalf, Free: free},
		"over the edge": {Method: method.MLM{}, Draws: DrawsHalf, Free: free, Where: "y", Holdout: 0.9, Seed: 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, _ := fitWith(t, p, labels, inParts(made), 0, 0, 0)
			for _, c := range []struct {
				workers, killed int
				memory          int64
			}{{1, 0, 1 << 30}, {2, 0, 1 << 30}, {3, 0, 0}, {3, 7, 1 << 14}} {
				got, said := fitWith(t, p, labels, inParts(made), c.workers, c.killed, c.memory)
				for file := range want {
					if got[file] != want[file] {
						t.Errorf("%+v: %s differs", c, file)
					}
				}
				for i, text := range said {
					read := 0
					_, text, _ = strings.Cut(strings.ReplaceAll(text, ",", ""), labels.Path)
					if _, err := fmt.Sscanf(text, "%d were read here", &read); err != nil || read == 0 && name != "over the edge" || read > 6120 {
						t.Fatalf("%+v: worker %d read %d rows: %q, %v", c, i, read, text, err)
					}
					if all := c.workers == 1; !all && (c.killed == 0 || i == 0) && read > 4200 && name != "over the edge" {
						t.Errorf("%+v: worker %d has read %d of 6000 rows", c, i, read)
					}
				}
			}
		})
	}
}

// TestSectionsLetGo: what a worker was not asked about for a round is gone, and is read again; what cannot be read is said,
// and tried again.
func TestSectionsLetGo(t *testing.T) {
	s := fittest.Small()
	s.RowGroup = 30
	labels := s.Labels(t, "", func(*columns.Batch) {})
	p := chosen(t, Params{Method: method.MLM{}, Draws: DrawsHalf, Free: []string{"g1"}})
	var questions [][]byte // the first of each section, of five rounds
	in, err := read(context.Background(), p, Means{Workers: 1, Memory: 1 << 30}, Sources{Labels: labels}, nil)
	if err != nil {
		t.Fatal(err)
	}
	in.train.rows.Ask = func(n int, section func(int) int, question func(int) []byte, _ func(int, []byte) error) error {
		for last, i := -1, 0; i < n; i++ {
			if section(i) != last {
				last, questions = section(i), append(questions, question(i))
			}
		}
		return errors.New("nobody")
	}
	theta := make([]float64, in.design.Size())
	for range 5 {
		in.train.rows.Pass(losses.Logistic{}, theta, 1, make([]float64, len(theta)))
	}
	n := len(questions) / 5
	if n < 3 {
		t.Fatalf("%d sections", n)
	}
	k, err := newSections(context.Background(), p, Means{Workers: 1, Memory: 1 << 30}, Sources{Labels: labels}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(round, section int) {
		t.Helper()
		if _, err := k.answer(questions[round*n+section]); err != nil {
			t.Error(err)
		}
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { ask(0, 0) })
	}
	all.Wait()
	ask(0, 1)
	once := k.read
	ask(1, 0) // the second has gone elsewhere
	if len(k.all) != 2 || k.read != once {
		t.Errorf("%d sections, %d rows read, %d before", len(k.all), k.read, once)
	}
	ask(2, 0)
	if len(k.all) != 1 {
		t.Errorf("%d sections are kept", len(k.all))
	}
	ask(3, 1)
	if k.read <= once || k.read >= 2*once {
		t.Errorf("%d rows read, %d before the second section came back", k.read, once)
	}
	q, err := rows.ReadQuestion(questions[4*n+2])
	if err != nil {
		t.Fatal(err)
	}
	part, err := labels.Info(1)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(labels.Path, part.Name)
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := k.answer(questions[4*n+2]); err == nil || !strings.Contains(err.Error(), part.Name) {
		t.Errorf("without a part of chunks %v: %v", q.Section.Chunks, err)
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	ask(4, 2)
	k.in.p.MaxPerGame = 3
	k.all = map[rows.Span]*section{}
	if _, err := k.answer(questions[4*n]); err == nil || !strings.Contains(err.Error(), "are these the same labels?") {
		t.Errorf("other rows: %v", err)
	}
	if err := k.forget(nil); err != nil || len(k.all) > 0 {
		t.Errorf("at the end: %d sections, %v", len(k.all), err)
	}
}

// decisions writes choices of 500 games, in row groups of 30 moves: six decisions of three moves each.
func decisions(t *testing.T, s *fittest.Simulation) *datasets.Dir {
	t.Helper()
	table := schemas.Choices(schemas.Table{}, []string{"quiescence_value"})
	dir := filepath.Join(t.TempDir(), "choices")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: table.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			text, err := s.Present.TOML()
			if err == nil {
				err = out.AddFile("weights.toml", text)
			}
			if err != nil {
				return err
			}
			out.SetMeta("leaf", "quiescence_value")
			out.SetTable(table)
			var groups []*columns.Batch
			b, r := columns.NewBatch(table), rand.New(rand.NewPCG(7, 8))
			for i := range 9000 {
				first, played := i/3%2 == 0, i%3 == i/18%3
				value := r.IntN(200)
				if played && first {
					value += 60
				} else if played {
					value -= 60
				}
				b.Col("game_id").AppendInt64(int64(i / 18))
				b.Col("ply").AppendInt32(int32(i / 3 % 6))
				b.Col("first_to_move").AppendBool(first)
				b.Col("played").AppendBool(played)
				b.Col("quiescence_value").AppendFloat32(float32(value))
				b.Col("leaf_phase").AppendInt32(int32(24 - i/3%6))
				b.Col("features").AppendBytes(eval.AppendPacked(nil, []eval.Feature{{Term: 0, Count: int16(2*r.IntN(5) - 3)}, {Term: uint32(3 + r.IntN(3)), Count: 1}}))
				b.Col("move").AppendString("a1")
				b.Col("legal_moves").AppendInt32(3)
				for _, name := range []string{"result", "first_elo", "second_elo"} {
					b.Col(name).AppendNull()
				}
				if b.Rows++; b.Rows == 30 {
					groups, b = append(groups, b), columns.NewBatch(table)
				}
			}
			return datasettest.Part(out, 0, groups...)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := datasettest.Open(t, dir)
	return d
}

// TestSectionsOfDecisions: the moves of decisions, of which the one played comes first and of which some are drawn.
func TestSectionsOfDecisions(t *testing.T) {
	in := decisions(t, fittest.Small())
	for _, p := range []Params{
		{Method: method.Choice{Minimised: method.Minimised{Weight: method.ByGame}}, Draws: DrawsExclude, Free: []string{"t0", "t4"}, Holdout: 0.3},
		{Method: method.Pairs{Minimised: method.Minimised{MaxPerGame: 4}}, Draws: DrawsExclude, Free: []string{"t0", "t4"}, Seed: 2},
	} {
		want, _ := fitWith(t, p, in, nil, 0, 0, 0)
		got, said := fitWith(t, p, in, nil, 3, 30, 1<<30)
		for file := range want {
			if got[file] != want[file] {
				t.Errorf("%s: %s differs", p.Method.Name(), file)
			}
		}
		for i, text := range said {
			if strings.Contains(text, " 9,000 were read here") {
				t.Errorf("%s: worker %d says %q", p.Method.Name(), i, text)
			}
		}
	}
}

// TestSectionsApart: rows of games that lie apart are brought together alike by all who read them, and that is all of them.
func TestSectionsApart(t *testing.T) {
	s := fittest.Small()
	s.RowGroup = 30
	labels := s.Labels(t, "", func(b *columns.Batch) {
		for i := range b.Rows {
			b.Col("game_id").Int64[i] %= 250
		}
	})
	p := Params{Method: method.MLM{Minimised: method.Minimised{Weight: method.ByGame}}, Draws: DrawsHalf, Free: []string{"g1", "t11"}, Holdout: 0.2, Seed: 3}
	want, _ := fitWith(t, p, labels, nil, 0, 0, 0)
	got, said := fitWith(t, p, labels, nil, 2, 9, 1<<30)
	for file := range want {
		if got[file] != want[file] {
			t.Errorf("%s differs", file)
		}
	}
	for i, text := range said {
		if !strings.Contains(text, " 6,000 were read here") {
			t.Errorf("worker %d says %q", i, text)
		}
	}
}
