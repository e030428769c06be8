package label

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"kifu/games/chess"
	"kifu/kit/datasettest"
	"kifu/kit/evaltest"
	"kifu/search/engine"
)

// outsider is an engine whose values depend on earlier questions since NewGame, as with a
// hash table, and which fails now and then.
type outsider struct {
	asked int
	fails func(position string) bool
}

func (o *outsider) Name() string                  { return "Outsider 1" }
func (o *outsider) Close() error                  { return nil }
func (o *outsider) NewGame(context.Context) error { o.asked = 0; return nil }
func (o *outsider) Search(_ context.Context, position string) (engine.Value, error) {
	o.asked++
	if o.fails != nil && o.fails(position) {
		return engine.Value{}, errors.New("outsider fails")
	}
	return engine.Value{Score: float64(100*o.asked + strings.Count(position, "p"))}, nil
}
func (o *outsider) Static(_ context.Context, position string) (float64, bool, error) {
	return float64(len(position)), !strings.Contains(position, " b "), nil
}

func outside(static bool, fails func(string) bool) *Engine {
	return &Engine{Name: "Outsider 1", Limits: engine.Limits{Depth: 1}, Static: static,
		Start: func(context.Context) (engine.Engine, error) { return &outsider{fails: fails}, nil }}
}

func TestEngineValues(t *testing.T) {
	const (
		white = "4k3/pp6/8/8/8/8/8/4K3 w - - 0 1"
		black = "4k3/pp6/8/8/8/8/8/4K3 b - - 0 1"
		mated = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
		stale = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
	)
	rows, d := run(t, dataset(t, fens(t, white, black, mated, stale)), 2, Params{Search: []string{"static"}, Engine: outside(true, nil)})
	// Each row is a game of its own; the value is 100 and a pawn each, for the side to
	// move.
	for i, want := range []float32{102, -102, 32000, 0} {
		if v := rows.Col("engine_value"); v.IsNull(i) || v.Float32[i] != want {
			t.Errorf("row %d: engine value %v, want %v", i, v.Float32[i], want)
		}
		if null := rows.Col("engine_static_value").IsNull(i); null != (i > 0) {
			t.Errorf("row %d: static value null: %v", i, null)
		}
	}
	if d.Manifest.Meta["engine"] != "Outsider 1" || !bytes.Contains(d.Manifest.Params, []byte(`"name": "Outsider 1"`)) {
		t.Errorf("meta %v, parameters %s", d.Manifest.Meta, d.Manifest.Params)
	}
}

func TestFirstPlayers(t *testing.T) {
	for _, c := range []struct {
		v    engine.Value
		want float32
	}{
		{engine.Value{Score: 35}, 35}, {engine.Value{Score: 1e9}, 31000},
		{engine.Value{Mate: 1}, 31999}, {engine.Value{Mate: 3}, 31995}, {engine.Value{Mate: -1}, -31998},
	} {
		if a, b := firstPlayers(c.v, chess.White), firstPlayers(c.v, chess.Black); a != c.want || b != -c.want {
			t.Errorf("%+v: %v for White, %v for Black, want %v", c.v, a, b, c.want)
		}
	}
}

// With several games the bytes do not depend on the number of engines, though the engine
// remembers earlier questions.
func TestEngineWorkers(t *testing.T) {
	positions := dataset(t, evaltest.RandomPlay(chess.Start(), 8, 60, 5))
	p := Params{Search: []string{"static"}, Engine: outside(false, nil)}
	_, one := run(t, positions, 1, p)
	_, three := run(t, positions, 3, p)
	if len(one.PartPaths()) < 2 || len(one.PartPaths()) != len(three.PartPaths()) {
		t.Fatalf("%d and %d parts", len(one.PartPaths()), len(three.PartPaths()))
	}
	datasettest.Same(t, one.Path, three.Path)
}

// A position that the engine cannot value is null and noted; when it stops valuing
// anything, the run ends with the error.
func TestEngineFails(t *testing.T) {
	ps := evaltest.RandomPlay(chess.Start(), 2, 60, 6)
	var n atomic.Int64
	bad := string(chess.Rules{}.AppendPosition(nil, ps[7]))
	bad = strings.Join(strings.Fields(bad)[:4], " ") // a dataset has no move counters
	rows, d := run(t, dataset(t, ps), 1, Params{Search: []string{"static"}, Engine: outside(false, func(position string) bool {
		if strings.HasPrefix(position, bad) {
			n.Add(1)
			return true
		}
		return false
	})})
	if v := rows.Col("engine_value"); !v.IsNull(7) || v.IsNull(6) || v.IsNull(8) {
		t.Error("not the one row has no value")
	}
	if d.Manifest.Counts.Noted[noValue] != 1 || n.Load() != 3 {
		t.Errorf("noted %v after %d attempts", d.Manifest.Counts.Noted, n.Load())
	}
	_, err := build(t, dataset(t, ps), 1, Params{Search: []string{"static"}, Engine: outside(false, func(string) bool { return true })})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("outsider fails (no value for %d positions in a row", unanswered)) {
		t.Errorf("an engine that values nothing: %v", err)
	}
}

func TestCut(t *testing.T) {
	ids := make([]int64, 3*engineRows)
	for i := range ids {
		ids[i] = int64(i / 100)
		if i > engineRows {
			ids[i] = math.MaxInt64 // a game larger than a part
		}
	}
	var cuts []int
	for from := 0; from < len(ids); from = cuts[len(cuts)-1] {
		cuts = append(cuts, cut(ids, from))
	}
	want := []int{engineRows / 100 * 100, engineRows + 1, 2*engineRows + 1, len(ids)}
	if fmt.Sprint(cuts) != fmt.Sprint(want) {
		t.Errorf("cuts %v, want %v", cuts, want)
	}
}
