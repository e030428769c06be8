package order

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
	"kifu/kit/slow"
	"kifu/schemas"
)

// game holds the columns that the tests compare.
type game struct {
	offset        int64 // source_offset: the game's number in the input
	first, second string
	date          string
	elo           [2]int32
	evals         []int32
}

const parts, partGames = 2, 9_000

// makeGames makes games of a few busy players and many others, with every kind of null.
func makeGames() []game {
	rnd := rand.New(rand.NewPCG(1, 2))
	player := func() string {
		switch n := rnd.IntN(40); {
		case n == 0:
			return ""
		case n < 12:
			return fmt.Sprintf("Busy, %c", 'A'+rnd.IntN(6))
		}
		return fmt.Sprintf("Player %04d", rnd.IntN(700)) // so few that no two share a counter of busy
	}
	all := make([]game, parts*partGames)
	for i := range all {
		g := game{offset: int64(i), first: player(), second: player()}
		if rnd.IntN(20) > 0 {
			g.date = []string{"1950", "1950-07", "1950-07-15", fmt.Sprintf("%d-0%d-1%d", 1900+rnd.IntN(100), 1+rnd.IntN(9), rnd.IntN(10))}[rnd.IntN(4)]
		}
		for side := range g.elo {
			g.elo[side] = max(0, int32(rnd.IntN(2500)-500))
		}
		for range rnd.IntN(4) {
			g.evals = append(g.evals, int32(rnd.IntN(200)-100))
		}
		all[i] = g
	}
	return all
}

func text(v *columns.Vec, s string) {
	if s == "" && v.Column.Nullable {
		v.AppendNull()
		return
	}
	v.AppendString(s)
}

func (g *game) append(b *columns.Batch) {
	for c := range b.Cols {
		switch v := &b.Cols[c]; v.Column.Name {
		case "game_id", "source_offset":
			v.AppendInt64(g.offset)
		case "first_player":
			text(v, g.first)
		case "second_player":
			text(v, g.second)
		case "date":
			text(v, g.date)
		case "first_elo", "second_elo":
			if x := g.elo[strings.Count(v.Column.Name, "second")]; x > 0 {
				v.AppendInt32(x)
			} else {
				v.AppendNull()
			}
		case "ply_count":
			v.AppendInt32(int32(len(g.evals)))
		case "evals":
			for _, x := range g.evals {
				if x == 7 {
					v.AppendItem(0, false)
					continue
				}
				v.AppendItem(x, true)
			}
			v.EndList()
		case "moves":
			v.AppendBytes(make([]byte, 2*len(g.evals)))
		case "clocks_ms", "base_ms", "increment_ms":
			v.AppendNull()
		case "tags":
			if g.offset%3 == 0 {
				v.AppendPair([]byte("Key"), fmt.Append(nil, g.offset))
			}
			v.EndMap()
		default:
			if v.Column.Type != schemas.String && v.Column.Nullable {
				v.AppendNull()
				continue
			}
			word, _, _ := strings.Cut(v.Column.Domain.Words, "|")
			text(v, cmp.Or(word, "x"))
		}
	}
	b.Rows++
}

// store writes games as ingest would, in row groups of other sizes than sort's.
func store(t *testing.T, dir string, all []game) string {
	t.Helper()
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "ingest", Output: schemas.Games.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			out.SetMeta("game", "chess")
			for p := range parts {
				var groups []*columns.Batch
				for group := range slices.Chunk(all[p*partGames:(p+1)*partGames], 3000) {
					b := columns.NewBatch(schemas.Games)
					for i := range group {
						group[i].append(b)
					}
					groups = append(groups, b)
				}
				if err := datasettest.Part(out, p, groups...); err != nil {
					return err
				}
			}
			return nil
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func step(by, in string, workers int) datasets.Step {
	p := Params{By: by}
	return datasets.Step{Stage: "sort", Output: schemas.Games.ID(), Params: p, Inputs: []string{in},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, p, workers, in[0], out)
		}}
}

// eachGroup reads the row groups of d.
func eachGroup(t *testing.T, d *datasets.Dir, f func(b *columns.Batch)) {
	t.Helper()
	for g, err := range d.Groups(nil) {
		b := columns.NewBatch(d.Table)
		if err := errors.Join(err, g.Read(b)); err != nil {
			t.Fatal(err)
		}
		f(b)
	}
}

func TestSortIsThatOfTheStandardLibrary(t *testing.T) {
	slow.Test(t, "sorts in every order")
	all := makeGames()
	in := store(t, filepath.Join(t.TempDir(), "games"), all)
	nullsLast := func(a, b string) int {
		if (a == "") != (b == "") {
			return -cmp.Compare(a, b)
		}
		return cmp.Compare(a, b)
	}
	games := map[string]int{}
	for _, g := range all {
		games[g.first]++
		games[g.second]++
	}
	busier := func(g game) string {
		if g.first == "" || g.second != "" && (games[g.second] > games[g.first] || games[g.second] == games[g.first] && g.second < g.first) {
			return g.second
		}
		return g.first
	}
	for by, compare := range map[string]func(a, b game) int{
		"date":         func(a, b game) int { return nullsLast(a.date, b.date) },
		"first_player": func(a, b game) int { return nullsLast(a.first, b.first) },
		"player": func(a, b game) int {
			return cmp.Or(nullsLast(busier(a), busier(b)), nullsLast(a.date, b.date))
		},
		"elo": func(a, b game) int {
			x, y := max(a.elo[0], a.elo[1]), max(b.elo[0], b.elo[1])
			if x == 0 || y == 0 {
				return cmp.Compare(y, x)
			}
			return cmp.Or(cmp.Compare(x, y), cmp.Compare(min(a.elo[0], a.elo[1]), min(b.elo[0], b.elo[1])))
		},
		"ply_count": func(a, b game) int { return cmp.Compare(len(a.evals), len(b.evals)) },
	} {
		t.Run(by, func(t *testing.T) {
			want := slices.Clone(all)
			slices.SortStableFunc(want, compare)
			d := datasettest.Build(t, filepath.Join(t.TempDir(), "sorted"), step(by, in, 2))
			at := 0
			eachGroup(t, d, func(b *columns.Batch) {
				if b.Rows > sizesOfGames.group {
					t.Errorf("a row group of %d games", b.Rows)
				}
				expected := columns.NewBatch(d.Table)
				for i := range b.Rows {
					want[at+i].append(expected)
					expected.Col("game_id").Int64[i] = int64(at + i)
				}
				for c := range b.Cols {
					if x, y := fmt.Sprint(b.Cols[c]), fmt.Sprint(expected.Cols[c]); x != y {
						t.Fatalf("games %d to %d: column %s differs", at, at+b.Rows, b.Cols[c].Column.Name)
					}
				}
				at += b.Rows
			})
			if at != len(all) || d.Manifest.Counts.Written != int64(at) || len(d.Manifest.Parts) != 2 {
				t.Errorf("%d games, %d counted, %d parts", at, d.Manifest.Counts.Written, len(d.Manifest.Parts))
			}
			if d.Manifest.Meta["game"] != "chess" || d.Manifest.Meta["order"] != by {
				t.Errorf("meta %v", d.Manifest.Meta)
			}
		})
	}
}

// TestBoundsDoNotOverlap: of dates in order, only neighbouring row groups share one.
func TestBoundsDoNotOverlap(t *testing.T) {
	in := store(t, filepath.Join(t.TempDir(), "games"), makeGames())
	d := datasettest.Build(t, filepath.Join(t.TempDir(), "sorted"), step("date", in, 2))
	before := ""
	for i, path := range d.PartPaths() {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		pf, err := parquet.OpenFile(f, d.Manifest.Parts[i].Bytes)
		if err != nil {
			t.Fatal(err)
		}
		date, _ := pf.Schema().Lookup("date")
		id, _ := pf.Schema().Lookup("game_id")
		for _, rg := range pf.Metadata().RowGroups {
			by := rg.SortingColumns
			if len(by) != 2 || int(by[0].ColumnIdx) != date.ColumnIndex || int(by[1].ColumnIdx) != id.ColumnIndex || by[0].Descending || by[0].NullsFirst {
				t.Fatalf("%s: sorted by %v", path, by)
			}
			stats := rg.Columns[date.ColumnIndex].MetaData.Statistics
			if stats.MinValue == nil && stats.NullCount == rg.NumRows {
				continue
			}
			if string(stats.MinValue) < before || string(stats.MaxValue) < string(stats.MinValue) {
				t.Fatalf("%s: a row group from %s to %s after one that ends at %s", path, stats.MinValue, stats.MaxValue, before)
			}
			before = string(stats.MaxValue)
		}
	}
}

// TestIndexOfPlayers compares the index with the games beside it.
func TestIndexOfPlayers(t *testing.T) {
	in := store(t, filepath.Join(t.TempDir(), "games"), makeGames())
	d := datasettest.Build(t, filepath.Join(t.TempDir(), "sorted"), step("player", in, 2))
	var want []string
	eachGroup(t, d, func(b *columns.Batch) {
		at := func(name string, i int) string { return string(b.Col(name).Value(i)) }
		elo := func(name string, i int) int32 { return b.Col(name).Int32[i] }
		for i := range b.Rows {
			id := b.Col("game_id").Int64[i]
			a, z := at("first_player", i), at("second_player", i)
			for side, name := range []string{a, z} {
				if name != "" {
					own, other := "first_elo", "second_elo"
					if side == 1 {
						own, other = other, own
					}
					want = append(want, fmt.Sprintf("%s\x00%09d %d %s %d %s %d", name, id, side, at("date", i), elo(own, i), []string{z, a}[side], elo(other, i)))
				}
			}
		}
	})
	slices.Sort(want)
	rows := readIndex(t, filepath.Join(d.Path, indexFile))
	if !slices.Equal(rows, want) {
		t.Errorf("the index of %d rows differs from the games' %d", len(rows), len(want))
	}
}

func readIndex(t *testing.T, path string) []string {
	t.Helper()
	type row struct {
		Player      string  `parquet:"player"`
		First       bool    `parquet:"first"`
		ID          int64   `parquet:"game_id"`
		Date        *string `parquet:"date"`
		Elo         *int32  `parquet:"elo"`
		Opponent    *string `parquet:"opponent"`
		OpponentElo *int32  `parquet:"opponent_elo"`
	}
	rows, err := parquet.ReadFile[row](path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range rows {
		side := 1
		if r.First {
			side = 0
		}
		all = append(all, fmt.Sprintf("%s\x00%09d %d %s %d %s %d", r.Player, r.ID, side, orZero(r.Date), orZero(r.Elo), orZero(r.Opponent), orZero(r.OpponentElo)))
	}
	return all
}

func orZero[T any](p *T) (x T) {
	if p != nil {
		x = *p
	}
	return x
}

// TestBytes: neither the number of workers nor an interruption changes them.
func TestBytes(t *testing.T) {
	in := store(t, filepath.Join(t.TempDir(), "games"), makeGames())
	want := datasettest.Build(t, filepath.Join(t.TempDir(), "two"), step("player", in, 2))
	one := datasettest.Build(t, filepath.Join(t.TempDir(), "one"), step("player", in, 1))
	datasettest.Same(t, want.Path, one.Path)

	cut := step("player", in, 2)
	run := cut.Run
	cut.Run = func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
		return errors.Join(run(ctx, in, out), errors.New("cut off"))
	}
	dir := filepath.Join(t.TempDir(), "cut")
	if _, _, err := datasets.Build(context.Background(), dir, cut, datasets.Options{}); err == nil {
		t.Fatal("no error")
	}
	for _, name := range []string{"part-00001.parquet", "part-00001.parquet.json"} {
		if err := os.Remove(filepath.Join(dir, ".tmp", name)); err != nil {
			t.Fatal(err)
		}
	}
	datasettest.Same(t, want.Path, datasettest.Build(t, dir, step("player", in, 2)).Path)
}

func TestOrdersAreRefusedByName(t *testing.T) {
	for by, want := range map[string]string{"moves": "cannot be sorted by moves, which is bytes", "dat": `no order "dat": want date, player, elo, game,`} {
		if err := (Params{By: by}).Check(schemas.Games); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", by, err)
		}
	}
}

// TestPositionsByHash: rows of positions come in the order of a number of 64 bits, unsigned,
// with all their columns and their game_id as it was.
func TestPositionsByHash(t *testing.T) {
	table := schemas.Positions(3, []schemas.GameColumn{{Name: "phase", Doc: "phase"}}, false)
	table.Columns = append(table.Columns, schemas.Column{Name: "static_value", Type: schemas.Float32})
	const rows = 80_000 // of three row groups
	rnd := rand.New(rand.NewPCG(3, 4))
	hashes := make([]uint64, rows)
	in := datasettest.Build(t, filepath.Join(t.TempDir(), "in"), datasets.Step{Stage: "test", Output: table.ID(), Params: 1,
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(table)
			w, err := b.Part(0)
			if err != nil {
				return err
			}
			batch := columns.NewBatch(table)
			for i := range hashes {
				hashes[i] = rnd.Uint64() >> (rnd.IntN(2) * 60) // some of them equal
				for c := range batch.Cols {
					switch v := &batch.Cols[c]; v.Column.Name {
					case "game_id":
						v.AppendInt64(int64(i))
					case "hash":
						v.AppendUint64(hashes[i])
					case "board":
						v.AppendBytes([]byte{byte(i), byte(i >> 8), byte(hashes[i])})
					case "static_value":
						v.AppendFloat32(float32(i) - 9000.5)
					case "first_to_move":
						v.AppendBool(i%3 == 0)
					case "ply", "phase":
						v.AppendInt32(int32(i % 999))
					default:
						v.AppendNull()
					}
				}
				batch.Rows++
			}
			g, err := w.Encode(batch)
			if err != nil {
				return err
			}
			if err := w.Append(g); err != nil {
				return err
			}
			return w.Close(manifest.Counts{Read: rows, Written: rows}, nil)
		}})
	sorted := datasettest.Build(t, filepath.Join(t.TempDir(), "out"), datasets.Step{Stage: "sort", Output: table.ID(), Params: "hash", Inputs: []string{in.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return Run(ctx, Params{By: "hash"}, 2, in[0], b)
		}})
	want := make([]int, rows)
	for i := range want {
		want[i] = i
	}
	slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(hashes[a], hashes[b]) })
	at := 0
	eachGroup(t, sorted, func(b *columns.Batch) {
		for i := range b.Rows {
			row := want[at]
			at++
			if b.Col("game_id").Int64[i] != int64(row) || b.Col("hash").Uint64[i] != hashes[row] || b.Col("static_value").Float32[i] != float32(row)-9000.5 ||
				!bytes.Equal(b.Col("board").Value(i), []byte{byte(row), byte(row >> 8), byte(hashes[row])}) || b.Col("ply").Int32[i] != int32(row%999) ||
				b.Col("first_to_move").Bool[i] != (row%3 == 0) || !b.Col("move").IsNull(i) {
				t.Fatalf("row %d of the sorted positions is not row %d of the others", at-1, row)
			}
		}
	})
	if at != rows {
		t.Errorf("%d rows, want %d", at, rows)
	}
	checkHashBounds(t, sorted, in)
	// Numbers with a fraction are in order, too, whatever their sign.
	for _, pair := range [][2]float32{{-2, -1}, {-1, 0}, {-1e-30, 1e-30}, {1, 2.5}, {-3e38, 3e38}} {
		if ordinal(pair[0]) >= ordinal(pair[1]) {
			t.Errorf("%v is not below %v", pair[0], pair[1])
		}
	}
}

// checkHashBounds: the footers of rows sorted by hash tell the hashes of each row group, those of
// others do not.
func checkHashBounds(t *testing.T, sorted, other *datasets.Dir) {
	t.Helper()
	before, groups := uint64(0), 0
	batch := columns.NewBatch(sorted.Table, "hash")
	for g, err := range sorted.Groups(batch) {
		if err != nil {
			t.Fatal(err)
		}
		hashes := batch.Col("hash").Uint64
		low, high, ok := g.Bounds("hash")
		if !ok || low < before || low != hashes[0] || high != hashes[len(hashes)-1] {
			t.Errorf("row group %d has bounds %d and %d (%v), want %d and %d", g.Number, low, high, ok, hashes[0], hashes[len(hashes)-1])
		}
		before = high
		groups++
	}
	if groups < 2 {
		t.Errorf("%d row groups: nothing is left out", groups)
	}
	for g, err := range other.Groups(nil) {
		if err != nil {
			t.Fatal(err)
		}
		if low, high, ok := g.Bounds("hash"); ok {
			t.Errorf("rows in another order have bounds %d and %d", low, high)
		}
	}
}
