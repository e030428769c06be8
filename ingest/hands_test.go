package ingest

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/ingest/legal"
	"kifu/internal/hands"
	"kifu/schemas"
)

// elsewhere answers by servers of another process, as it were: by nothing but bytes, out of order,
// and some twice.
type elsewhere struct {
	ctx   context.Context
	games []legal.Game
	asked int
}

func (e *elsewhere) Ask(ctx context.Context, n int, _ func(int) int, ask func(int) []byte, take func(int, []byte) error) error {
	e.asked += n
	answers := make([][]byte, n)
	for _, i := range append(rand.Perm(n), rand.Perm(n)...) {
		d := &desk{question: bytes.Clone(ask(i))}
		if err := Serve(e.ctx, d, Options{Games: e.games, NewFilter: byNames}); err != nil {
			return err
		}
		answers[i] = bytes.Clone(d.answer)
	}
	for i, a := range answers {
		if err := take(i, a); err != nil {
			return err
		}
	}
	return nil
}

func (e *elsewhere) Room() int { return 1 << 20 }

// desk has one question.
type desk struct{ question, answer []byte }

func (d *desk) Serve(_ context.Context, answer func([]byte) ([]byte, error)) (err error) {
	d.answer, err = answer(d.question)
	return err
}

// evenNames keeps the games of which the first player's name has an even length.
type evenNames struct{}

func (evenNames) Select(_ context.Context, b *columns.Batch) (keep []bool, err error) {
	names := b.Col("first_player")
	for i := range b.Rows {
		keep = append(keep, !names.IsNull(i) && len(names.Value(i))%2 == 0)
	}
	return keep, nil
}

func (evenNames) Close() error { return nil }

func byNames(context.Context, string, schemas.Table) (Filter, error) { return evenNames{}, nil }

// TestAsked: games that others read make the bytes, the counts and the log of one process: of many
// small files and a large one, with damage, names in encodings of their own, and a filter.
func TestAsked(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for i := range 40 {
		text := many(1 + i%7)
		if i%5 == 0 {
			text = bytes.ReplaceAll(text, []byte("e4"), []byte("e5"))
		}
		if i%3 == 0 {
			text = append([]byte("[White \"M\xfcller, J\xf6rg\"]\n"), text...)
		}
		files = append(files, write(t, filepath.Join(dir, fmt.Sprintf("%02d.pgn", i)), text))
	}
	kinds, large := []Params{{Game: "chess", PartGames: 100}, {Game: "chess", KeepPrefix: true, Where: "even"}}, 2000
	if testing.Short() {
		kinds, large = kinds[:1], 1600
	}
	files = append(files, write(t, filepath.Join(dir, "large.pgn"), many(large)))
	for _, p := range kinds {
		var logs [2]bytes.Buffer
		var made [2]map[string]string
		for i, others := range []bool{false, true} {
			ctx, e := context.Background(), &elsewhere{ctx: context.Background(), games: []legal.Game{game}}
			if others {
				ctx = hands.With(ctx, e)
			}
			out := filepath.Join(t.TempDir(), "games")
			o := Options{Inputs: files, Log: &logs[i], NewFilter: byNames, Workers: 2}
			if _, _, err := buildIn(ctx, out, p, o, 3000, datasets.Options{}); err != nil {
				t.Fatal(err)
			}
			if others && e.asked < 2*round {
				t.Errorf("%d jobs were asked about: want several rounds", e.asked)
			}
			made[i] = contents(t, out)
		}
		if len(made[0]) < 2 || logs[0].Len() == 0 && p.Where == "" {
			t.Fatalf("%d files, log %q", len(made[0]), logs[0].String())
		}
		for name, text := range made[0] {
			if made[1][name] != text {
				t.Errorf("%+v: %s differs", p, name)
			}
		}
		if len(made[1]) != len(made[0]) || logs[0].String() != logs[1].String() {
			t.Errorf("%+v: %d files, %d when others read; log\n%s\n%s", p, len(made[0]), len(made[1]), logs[0].String(), logs[1].String())
		}
	}
}

// TestAskedOfNobody: an error of those who are asked ends the run, and what is no answer is one.
func TestAskedOfNobody(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "a.pgn"), many(50))
	for want, h := range map[string]hands.Hands{"nobody": away{}, "the answer of a worker": nonsense{}} {
		ctx := hands.With(context.Background(), h)
		_, _, err := datasets.Build(ctx, filepath.Join(t.TempDir(), "games"), datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), InputKeys: []manifest.Input{{Name: "a", Key: "b"}},
			Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
				return Run(ctx, game, Params{Game: "chess"}, Options{Inputs: []string{file}}, b)
			}}, datasets.Options{})
		if err == nil || !bytes.Contains([]byte(err.Error()), []byte(want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

type away struct{}

func (away) Room() int     { return 1 << 20 }
func (nonsense) Room() int { return 1 << 20 }

func (away) Ask(context.Context, int, func(int) int, func(int) []byte, func(int, []byte) error) error {
	return errors.New("nobody")
}

type nonsense struct{}

func (nonsense) Ask(_ context.Context, _ int, _ func(int) int, _ func(int) []byte, take func(int, []byte) error) error {
	return take(0, []byte("hello"))
}

// holding is elsewhere, and looks at what is held while it is asked.
type holding struct {
	elsewhere
	asked, question int // how many; bytes of the longest
	most            uint64
}

func (h *holding) Ask(ctx context.Context, n int, section func(int) int, ask func(int) []byte, take func(int, []byte) error) error {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	h.asked, h.most = h.asked+n, max(h.most, m.HeapAlloc)
	for i := range n {
		h.question = max(h.question, len(ask(i)))
	}
	return h.elsewhere.Ask(ctx, n, section, ask, take)
}

// TestAskedWithLongRecords: jobs that wait for others do not hold the records that they are of, and
// what no message has room for is read here.
func TestAskedWithLongRecords(t *testing.T) {
	const games = 24
	noise := make([]byte, 1_100_000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	for what, c := range map[string]struct {
		long  string
		asked int
	}{
		"blank lines": {strings.Repeat("\n", 1_100_000), games},
		"noise":       {"\n%" + hex.EncodeToString(noise) + "\n", 0},
	} {
		var text bytes.Buffer
		for i := range games {
			fmt.Fprintf(&text, "[White \"w%d\"]\n[Result \"1-0\"]\n\n1. e4 %s e5 1-0\n\n", i, c.long)
		}
		file := write(t, filepath.Join(t.TempDir(), "long.pgn"), text.Bytes())
		text = bytes.Buffer{}
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		h := &holding{elsewhere: elsewhere{ctx: context.Background(), games: []legal.Game{game}}}
		out := filepath.Join(t.TempDir(), "games")
		m, _, err := buildIn(hands.With(context.Background(), h), out, Params{Game: "chess"}, Options{Inputs: []string{file}, Workers: 2}, 0, datasets.Options{})
		if err != nil || m.Counts.Written != games {
			t.Fatalf("%s: %v, %+v", what, err, m)
		}
		if held := int64(h.most) - int64(before.HeapAlloc); held > 10<<20 {
			t.Errorf("%s: %d MB are held", what, held>>20)
		}
		if h.question > h.Room() || h.asked < c.asked || c.asked == 0 && h.asked > 2 {
			t.Errorf("%s: %d questions, one of %d bytes", what, h.asked, h.question)
		}
	}
}
