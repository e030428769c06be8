package tree_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/datasets/several"
	read "kifu/datasets/tree"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/kit/datasettest"
	"kifu/kit/sample"
	"kifu/schemas"
	"kifu/transform/tree"
)

// grow makes a tree of games at dir.
func grow(t *testing.T, dir string, p tree.Params, workers int, o datasets.Options, in ...string) *datasets.Dir {
	t.Helper()
	_, _, err := datasets.Build(t.Context(), dir, datasets.Step{Stage: "tree", Output: schemas.Tree().ID(), Params: p, Inputs: in,
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return tree.Run(ctx, chess.Rules{}, p, workers, in, out)
		}}, o)
	if err != nil {
		t.Fatal(err)
	}
	d := datasettest.Open(t, dir)
	return d
}

// played is a move of a game in a position.
type played struct {
	hash uint64
	move string
}

// scan sums up the first plies of games, one game after the other, with boards. By position it counts games.
func scan(t *testing.T, d *datasets.Dir, depth int, takes func(b *columns.Batch, i int) bool) (moves map[played]*read.Move, positions map[uint64]int64) {
	t.Helper()
	g := board.Of(chess.Rules{})
	moves, positions = map[played]*read.Move{}, map[uint64]int64{}
	bestOf := map[played]int32{}
	each(t, d, func(b *columns.Batch, i int) {
		if !takes(b, i) {
			return
		}
		at, err := g.Start(string(b.Col("variant").Value(i)), string(b.Col("start_position").Value(i)))
		if err != nil {
			t.Fatal(err)
		}
		codes, seen := b.Col("moves").Value(i), map[uint64]bool{}
		for ply := 0; ply < depth; ply++ {
			k := played{hash: at.Hash()}
			var m board.Move
			if 2*ply < len(codes) {
				if m, err = at.FindCode(binary.LittleEndian.Uint16(codes[2*ply:])); err != nil {
					t.Fatal(err)
				}
				k.move = string(m.AppendCoordinates(nil))
			}
			if !seen[k.hash] {
				positions[k.hash]++
				one := moves[k]
				if one == nil {
					one = &read.Move{Hash: k.hash, Move: k.move, Latest: -1}
					moves[k] = one
				}
				count(one, b, i, bestOf, k)
			}
			seen[k.hash] = true
			if m == nil {
				return
			}
			at = m.Play()
		}
	})
	return moves, positions
}

// count adds a game to a move.
func count(m *read.Move, b *columns.Batch, i int, bestOf map[played]int32, k played) {
	id, date := b.Col("game_id").Int64[i], string(b.Col("date").Value(i))
	m.Games++
	switch string(b.Col("result").Value(i)) {
	case "first":
		m.First++
	case "second":
		m.Second++
	case "draw":
		m.Draws++
	}
	sum := int32(0)
	for side, name := range [2]string{"first_elo", "second_elo"} {
		if v := b.Col(name); !v.IsNull(i) {
			m.EloSum[side] += int64(v.Int32[i])
			m.EloGames[side]++
			sum += v.Int32[i]
		}
	}
	if !b.Col("first_elo").IsNull(i) && !b.Col("second_elo").IsNull(i) && sum > bestOf[k] {
		bestOf[k], m.Examples = sum, []int64{id}
	}
	if date >= m.LastDate {
		m.LastDate, m.Latest = date, id
	}
	if date != "" && (m.FirstDate == "" || date < m.FirstDate) {
		m.FirstDate = date
	}
}

// each calls f with every row.
func each(t *testing.T, d *datasets.Dir, f func(b *columns.Batch, i int)) {
	t.Helper()
	b := columns.NewBatch(d.Table)
	err := datasets.Each(t.Context(), d, 1, "", "", func(_ int, g datasets.Group, _ func(int) error) error {
		if err := g.Read(b); err != nil {
			return err
		}
		for i := range b.Rows {
			f(b, i)
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
}

func all(*columns.Batch, int) bool { return true }

// gamesOf returns the games of the sample, or those at KIFU_TREE_GAMES.
func gamesOf(t *testing.T) *datasets.Dir {
	if path := os.Getenv("KIFU_TREE_GAMES"); path != "" {
		d := datasettest.Open(t, path)
		return d
	}
	return sample.Games(t.TempDir())
}

// TestScan: a thousand positions drawn at random have the numbers of a scan, and the positions that are left out are those
// of too few games; whatever the groups of games, which a filter chooses.
func TestScan(t *testing.T) {
	in, dir := gamesOf(t), t.TempDir()
	const depth = 24
	moves, positions := scan(t, in, depth, all)
	of := map[uint64][]*read.Move{}
	for _, m := range moves {
		of[m.Hash] = append(of[m.Hash], m)
	}
	hashes := make([]uint64, 0, len(of))
	for h := range of {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(hashes), func(i, j int) { hashes[i], hashes[j] = hashes[j], hashes[i] })
	for _, p := range []tree.Params{{Depth: depth, MinGames: 1}, {Depth: depth, MinGames: 3}, {Depth: depth, MinGames: 2, By: []string{"month", "rating", "speed"}}} {
		d := grow(t, filepath.Join(dir, fmt.Sprint(p)), p, 2, datasets.Options{}, in.Path)
		var cut int64
		for _, n := range positions {
			if n < int64(p.MinGames) {
				cut++
			}
		}
		note := fmt.Sprintf("positions of fewer than %d games left out", p.MinGames)
		if got := d.Manifest.Counts.Noted[note]; got != cut || cut == 0 != (p.MinGames == 1) {
			t.Errorf("%v: %d %s, want %d", p, got, note, cut)
		}
		tr, err := read.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hashes[:min(1000, len(hashes))] {
			got, err := tr.Moves(t.Context(), []uint64{h}, read.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			want := of[h]
			if positions[h] < int64(p.MinGames) {
				want = nil
			}
			compare(t, got, want)
		}
	}
}

// compare compares moves in any order. The best and the latest game of all are among those of the groups.
func compare(t *testing.T, got, want []*read.Move) {
	t.Helper()
	byMove := map[string]read.Move{}
	for _, m := range got {
		byMove[m.Move] = *m
	}
	if len(got) != len(want) || len(byMove) != len(got) {
		t.Fatalf("%d moves, want %d", len(got), len(want))
	}
	for _, w := range want {
		g := byMove[w.Move]
		for _, id := range append(slices.Clone(w.Examples), w.Latest) {
			if !slices.Contains(g.Examples, id) {
				t.Fatalf("%x %s: game %d is not among %v", w.Hash, w.Move, id, g.Examples)
			}
		}
		g.Examples = w.Examples
		if diff := cmp.Diff(g, *w); diff != "" {
			t.Fatalf("%x %s (- tree, + scan):\n%s", w.Hash, w.Move, diff)
		}
	}
}

// TestFilter: a filter takes the games of its groups, and no others.
func TestFilter(t *testing.T) {
	in := gamesOf(t)
	p := tree.Params{Depth: 10, MinGames: 1, By: []string{"month"}}
	d := grow(t, filepath.Join(t.TempDir(), "tree"), p, 1, datasets.Options{}, in.Path)
	tr, err := read.Open(d)
	if err != nil {
		t.Fatal(err)
	}
	f := read.Filter{From: "1853", To: "1857"}
	moves, _ := scan(t, in, p.Depth, func(b *columns.Batch, i int) bool {
		date := string(b.Col("date").Value(i))
		return date >= f.From && date < "1858"
	})
	if len(moves) < 20 {
		t.Fatalf("%d moves: too few to tell", len(moves))
	}
	start, err := board.Of(chess.Rules{}).Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := tr.Moves(t.Context(), []uint64{start.Hash()}, f)
	if err != nil {
		t.Fatal(err)
	}
	var want []*read.Move
	for k, m := range moves {
		if k.hash == start.Hash() {
			want = append(want, m)
		}
	}
	compare(t, got, want)
	if _, err := tr.Moves(t.Context(), nil, read.Filter{MinRating: 2000}); err == nil {
		t.Error("a tree without ratings is filtered by them")
	}
}

// TestWorkers: the bytes do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	in, dir, p := gamesOf(t), t.TempDir(), tree.Params{Depth: 30, MinGames: 2}
	a := grow(t, filepath.Join(dir, "a"), p, 1, datasets.Options{}, in.Path)
	b := grow(t, filepath.Join(dir, "b"), p, 5, datasets.Options{}, in.Path)
	if diff := cmp.Diff(a.Manifest, b.Manifest); diff != "" || a.Rows() == 0 {
		t.Error(diff)
	}
}

// TestAppend: games that are appended are counted with those that were there, and game_id tells where they come from; the
// parts that were there stay as they are.
func TestAppend(t *testing.T) {
	in, dir, p := gamesOf(t), t.TempDir(), tree.Params{Depth: 8, MinGames: 1}
	half := func(name string, from, to int64) string {
		path := filepath.Join(dir, name)
		sample.Build(path, datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), Params: name, Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			out.SetMeta("game", "chess")
			b := columns.NewBatch(schemas.Games)
			each(t, in, func(of *columns.Batch, i int) {
				if id := of.Col("game_id").Int64[i]; id < from || id >= to {
					return
				}
				for k := range b.Cols {
					b.Cols[k].AppendFrom(&of.Cols[k], i)
				}
				b.Rows++
			})
			w, err := out.Part(0)
			if err != nil {
				return err
			}
			group, err := w.Encode(b)
			if err == nil {
				err = w.Append(group)
			}
			if err != nil {
				return err
			}
			return w.Close(manifest.Counts{Written: int64(b.Rows)}, nil)
		}})
		return path
	}
	first, second := half("first", 0, 60), half("second", 60, 100)
	whole := grow(t, filepath.Join(dir, "whole"), p, 2, datasets.Options{}, first, second)
	one := grow(t, filepath.Join(dir, "tree"), p, 2, datasets.Options{Append: true}, first)
	both := grow(t, filepath.Join(dir, "tree"), p, 2, datasets.Options{Append: true}, first, second)
	if both.NumParts() != 2*one.NumParts() {
		t.Errorf("%d parts after %d", both.NumParts(), one.NumParts())
	}
	moves, _ := scan(t, in, p.Depth, all)
	a, err := read.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	b, err := read.Open(both)
	if err != nil {
		t.Fatal(err)
	}
	for k := range moves {
		want, err := a.Moves(t.Context(), []uint64{k.hash}, read.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.Moves(t.Context(), []uint64{k.hash}, read.Filter{})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, got, want)
		if i := slices.IndexFunc(got, func(m *read.Move) bool { return m.Move == k.move }); got[i].Games != moves[k].Games || got[i].Latest%several.GamesApart != moves[k].Latest {
			t.Fatalf("%v: %d games, the latest %d, want %d and %d", k, got[i].Games, got[i].Latest, moves[k].Games, moves[k].Latest)
		}
	}
}

// BenchmarkTree makes the tree of the games at KIFU_TREE_GAMES.
func BenchmarkTree(b *testing.B) {
	path := os.Getenv("KIFU_TREE_GAMES")
	if path == "" {
		b.Skip("KIFU_TREE_GAMES names no games")
	}
	p := tree.Params{Depth: 50, MinGames: 2}
	for b.Loop() {
		m, _, err := datasets.Build(b.Context(), filepath.Join(b.TempDir(), "tree"), datasets.Step{Stage: "tree", Output: schemas.Tree().ID(), Params: p, Inputs: []string{path},
			Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
				return tree.Run(ctx, chess.Rules{}, p, 0, in, out)
			}}, datasets.Options{})
		if err != nil {
			b.Fatal(err)
		}
		var bytes int64
		for _, part := range m.Parts {
			bytes += part.Bytes
		}
		b.ReportMetric(float64(bytes)/float64(m.Counts.Written), "B/row")
		b.ReportMetric(float64(m.Counts.Written), "rows")
	}
}
