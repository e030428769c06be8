package transform

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/datasettest"
	"kifu/kit/gametest"
	"kifu/schemas"
)

// testGame is a game as the tests write it into a dataset.
type testGame struct {
	start, result       string // "" is null
	termination         string // likewise
	firstElo, secondElo int32  // 0 is null
	moves               []games.Move
	evals, clocks       []int32 // 0 is null; nil: the whole list is
	breakCode           bool
}

// randomGames plays short random games; many share their first positions.
func randomGames(n int) []testGame {
	starts := []string{"", "", "", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"}
	results := []string{"first", "second", "draw", ""}
	terminations := []string{"Normal", "Time forfeit", "", "Bob won on time", "Abandoned"}
	var all []testGame
	for i := range n {
		g := testGame{start: starts[i%len(starts)], result: results[i%3+i/7%2], termination: terminations[i%5], firstElo: int32(i * 37 % 2800), secondElo: int32(i * 53 % 2800)}
		p := startOf(g)
		gametest.Random(p, 3+i%40, uint64(i%11), func(_ chess.Position, line []games.Move) {
			g.moves = slices.Clone(line)
		})
		if i%2 == 0 {
			for k := range g.moves {
				g.evals = append(g.evals, int32(k%5*10))
				g.clocks = append(g.clocks, int32(1000*(600-k)))
			}
		}
		all = append(all, g)
	}
	return all
}

func startOf(g testGame) chess.Position {
	p, _, err := chess.Rules{}.Start("", g.start)
	if err != nil {
		panic(err)
	}
	return p
}

// write makes a games dataset of parts of 40 games in row groups of 15.
func write(t *testing.T, all []testGame) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "test", Output: schemas.Games.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
			b.SetTable(schemas.Games)
			b.SetMeta("game", "chess")
			for part := 0; part*40 < len(all); part++ {
				var groups []*columns.Batch
				from, to := part*40, min(part*40+40, len(all))
				for ; from < to; from += 15 {
					batch := columns.NewBatch(schemas.Games)
					for i := from; i < min(from+15, to); i++ {
						all[i].append(batch, int64(i))
					}
					groups = append(groups, batch)
				}
				if err := datasettest.Part(b, part, groups...); err != nil {
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

func (g *testGame) append(b *columns.Batch, id int64) {
	for i := range b.Cols {
		v := &b.Cols[i]
		text := func(s string) {
			if s == "" {
				v.AppendNull()
			} else {
				v.AppendString(s)
			}
		}
		list := func(values []int32) {
			if values == nil {
				v.AppendNull()
				return
			}
			for _, x := range values {
				v.AppendItem(x, x != 0)
			}
			v.EndList()
		}
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(id)
		case "variant":
			v.AppendString("standard")
		case "start_position":
			text(g.start)
		case "result":
			text(g.result)
		case "termination":
			text(g.termination)
		case "first_elo", "second_elo":
			elo := g.firstElo
			if v.Column.Name == "second_elo" {
				elo = g.secondElo
			}
			if elo == 0 {
				v.AppendNull()
			} else {
				v.AppendInt32(elo)
			}
		case "moves":
			v.AppendBytes(g.codes())
		case "evals":
			list(g.evals)
		case "clocks_ms":
			list(g.clocks)
		case "ply_count":
			v.AppendInt32(int32(len(g.moves)))
		case "tags":
			v.EndMap()
		case "source_offset":
			v.AppendInt64(0)
		case "game", "source_file":
			v.AppendString("x")
		default:
			v.AppendNull()
		}
	}
	b.Rows++
}

func (g *testGame) codes() []byte {
	var codes []byte
	p := startOf(*g)
	for i, m := range g.moves {
		code := chess.Rules{}.PackMove(p, m)
		if g.breakCode && i == 1 {
			code = 35 // from an empty square, or one of the side not to move
		}
		codes = binary.LittleEndian.AppendUint16(codes, code)
		p = p.Play(m)
	}
	return codes
}

// rowText is one output row by column name, as text.
type rowText map[string]string

// expect returns the rows that Run must write, made by the slow and obvious way.
func expect(all []testGame, keep func(g testGame, id, ply int) bool) []rowText {
	var want []rowText
	for id, g := range all {
		p, opening := startOf(g), "null"
		for ply := 0; ; ply++ {
			if name := (chess.Rules{}).OpeningName(p); name != "" {
				opening = name
			}
			if keep(g, id, ply) {
				want = append(want, g.row(p, id, ply))
				want[len(want)-1]["opening_name"] = opening
			}
			if ply == len(g.moves) {
				break
			}
			p = p.Play(g.moves[ply])
		}
	}
	return want
}

func (g *testGame) row(p chess.Position, id, ply int) rowText {
	orNull := func(x int32) string {
		if x == 0 {
			return "null"
		}
		return fmt.Sprint(x)
	}
	r := rowText{
		"game_id": fmt.Sprint(id), "ply": fmt.Sprint(ply), "first_to_move": fmt.Sprint(p.ToMove() == games.First),
		"hash": fmt.Sprint(p.Hash()), "board": fmt.Sprintf("%x", p.AppendBoard(nil)),
		"first_elo": orNull(g.firstElo), "second_elo": orNull(g.secondElo),
		"move": "null", "result": "null", "comment_value": "null", "clock_ms": "null",
	}
	if ply < len(g.moves) {
		r["move"] = string(chess.Rules{}.AppendCoordinates(nil, p, g.moves[ply]))
	}
	if g.result != "" {
		r["result"] = g.result
	}
	if ply >= 1 && g.evals != nil {
		r["comment_value"] = orNull(g.evals[ply-1]) // after the move that led here
	}
	if ply >= 2 && g.clocks != nil {
		r["clock_ms"] = orNull(g.clocks[ply-2]) // after the last move of the side to move
	}
	for i, v := range (chess.Rules{}).AppendColumns(nil, p) {
		r[chess.Rules{}.Columns()[i].Name] = fmt.Sprint(v)
	}
	return r
}

// run transforms and returns the directory and the rows.
func run(t *testing.T, gamesDir string, p Params, workers, buckets int) (string, []rowText, *manifest.Manifest) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "positions")
	m, _, err := datasets.Build(context.Background(), dir, datasets.Step{Stage: "transform", Output: "positions/v1", Params: p, Inputs: []string{gamesDir},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			if buckets > 0 {
				b.SetTable(Table(chess.Rules{}, true))
				return runDedup(ctx, chess.Rules{}, p, leftOut{}, buckets, datasets.MapOptions{Workers: workers, Columns: sourceColumns}, in[0], b)
			}
			return Run(ctx, chess.Rules{}, p, Options{Workers: workers}, in[0], b)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir, read(t, dir), m
}

func read(t *testing.T, dir string) []rowText {
	t.Helper()
	d := datasettest.Open(t, dir)
	var got []rowText
	b := datasettest.Rows(t, d)
	for row := range b.Rows {
		r := rowText{}
		for c := range b.Cols {
			r[b.Cols[c].Column.Name] = cell(&b.Cols[c], row)
		}
		got = append(got, r)
	}
	return got
}

func cell(v *columns.Vec, row int) string {
	switch {
	case v.IsNull(row):
		return "null"
	case v.Column.Type == schemas.FixedBytes:
		return fmt.Sprintf("%x", v.Value(row))
	case v.Column.Type == schemas.String:
		return string(v.Value(row))
	case v.Column.Type == schemas.Bool:
		return fmt.Sprint(v.Bool[row])
	case v.Column.Type == schemas.Int64:
		return fmt.Sprint(v.Int64[row])
	case v.Column.Type == schemas.Uint64:
		return fmt.Sprint(v.Uint64[row])
	}
	return fmt.Sprint(v.Int32[row])
}

func compare(t *testing.T, got, want []rowText) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if !maps.Equal(got[i], want[i]) {
			for name := range want[i] {
				if got[i][name] != want[i][name] {
					t.Errorf("row %d, game %s, ply %s: %s is %s, want %s", i, want[i]["game_id"], want[i]["ply"], name, got[i][name], want[i][name])
				}
			}
			t.FailNow()
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d rows, want %d", len(got), len(want))
	}
	if len(want) == 0 {
		t.Fatal("the test wants no rows")
	}
}

func TestFilters(t *testing.T) {
	all := randomGames(100)
	dir := write(t, all)
	for _, test := range []struct {
		name string
		p    Params
		keep func(g testGame, id, ply int) bool
	}{
		{"all", Params{}, func(testGame, int, int) bool { return true }},
		{"min-ply", Params{MinPly: 8}, func(_ testGame, _, ply int) bool { return ply >= 8 }},
		{"max-ply", Params{MaxPly: 8}, func(_ testGame, _, ply int) bool { return ply <= 8 }},
		{"window", Params{MinPly: 8, MaxPly: 12}, func(_ testGame, _, ply int) bool { return ply >= 8 && ply <= 12 }},
		{"every", Params{Every: 3}, func(_ testGame, _, ply int) bool { return ply%3 == 0 }},
		{"min-elo", Params{MinElo: 1500}, func(g testGame, _, _ int) bool { return g.firstElo >= 1500 && g.secondElo >= 1500 }},
		{"termination", Params{ExcludeTermination: []string{"TIME", " abandon"}}, func(g testGame, _, _ int) bool {
			return g.termination == "Normal" || g.termination == ""
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, got, m := run(t, dir, test.p, 2, 0)
			compare(t, got, expect(all, test.keep))
			if m.Counts.Read != 100 || m.Counts.Written != int64(len(got)) {
				t.Errorf("counts %+v for 100 games and %d rows", m.Counts, len(got))
			}
		})
	}
}

// TestSample: the share is right, the seed matters, and whether a position is kept does not
// depend on the other games.
func TestSample(t *testing.T) {
	all := randomGames(400)
	total := len(expect(all, func(testGame, int, int) bool { return true }))
	picked := func(all []testGame, p Params) map[string]bool {
		_, rows, _ := run(t, write(t, all), p, 2, 0)
		set := map[string]bool{}
		for _, r := range rows {
			set[r["game_id"]+"/"+r["ply"]] = true
		}
		return set
	}
	a := picked(all, Params{Sample: 0.3, Seed: 1})
	if want, sd := 0.3*float64(total), math.Sqrt(0.3*0.7*float64(total)); math.Abs(float64(len(a))-want) > 4*sd {
		t.Errorf("a sample of 0.3 of %d has %d positions, want %.0f ± %.0f", total, len(a), want, sd)
	}
	if b := picked(all, Params{Sample: 0.3, Seed: 2}); maps.Equal(a, b) {
		t.Error("two seeds draw the same positions")
	}
	for place := range picked(all[:50], Params{Sample: 0.3, Seed: 1}) {
		if !a[place] {
			t.Fatalf("%s is drawn from 50 games and not from 400", place)
		}
	}
}

// TestOpeningNames: a position that the list of openings lacks has the name of the last one
// of its game that it has, whether that is kept or not; before the first there is none.
func TestOpeningNames(t *testing.T) {
	var g testGame
	p := chess.Start()
	for _, move := range strings.Fields("Nf3 Nc6 e4 e5 Bb5 a6 Bxc6 h5 h4 Rh6") {
		m, err := chess.Rules{}.ParseMove(p, []byte(move))
		if err != nil {
			t.Fatal(err)
		}
		g.moves = append(g.moves, m)
		p = p.Play(m)
	}
	for want, params := range map[string]Params{
		"null, Ruy Lopez, Ruy Lopez: Exchange Variation": {Every: 5},
		"Ruy Lopez: Exchange Variation":                  {MinPly: 10},
		"null":                                           {MaxPly: 1, Every: 4},
	} {
		_, rows, _ := run(t, write(t, []testGame{g}), params, 1, 0)
		var got []string
		for _, r := range rows {
			got = append(got, r["opening_name"])
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%+v: %s, want %s", params, text, want)
		}
	}
}

func TestDedup(t *testing.T) {
	all := randomGames(100)
	dir := write(t, all)
	for _, p := range []Params{{Dedup: true}, {Dedup: true, MinPly: 2, Every: 2}} {
		// The obvious way: a map from hash to row, in order of appearance.
		rows := expect(all, func(_ testGame, _, ply int) bool { return ply >= p.MinPly && (p.Every == 0 || ply%p.Every == 0) })
		first := map[string]int{}
		var want []rowText
		counts := [][4]int{}
		for _, r := range rows {
			i, seen := first[r["hash"]]
			if !seen {
				i = len(want)
				first[r["hash"]] = i
				want = append(want, r)
				counts = append(counts, [4]int{})
			}
			counts[i][0]++
			switch r["result"] {
			case "first":
				counts[i][1]++
			case "draw":
				counts[i][2]++
			case "second":
				counts[i][3]++
			}
		}
		for i, c := range counts {
			for k, name := range []string{"occurrences", "first_wins", "draws", "second_wins"} {
				want[i][name] = fmt.Sprint(c[k])
			}
		}
		if len(want) == len(rows) {
			t.Fatal("no position comes up twice")
		}
		for _, buckets := range []int{0, 1, 8} {
			_, got, m := run(t, dir, p, 3, buckets)
			compare(t, got, want)
			if n := m.Counts.Noted["positions that had come up before"]; n != int64(len(rows)-len(want)) {
				t.Errorf("%d positions noted as repeated, want %d", n, len(rows)-len(want))
			}
		}
	}
}

// TestWorkers: the bytes do not depend on the number of workers, nor on the buckets.
func TestWorkers(t *testing.T) {
	dir := write(t, randomGames(100))
	for _, p := range []Params{{Sample: 0.5, Seed: 3}, {Dedup: true}} {
		var first map[string][]byte
		for workers := 1; workers <= 4; workers++ {
			if testing.Short() && (workers == 2 || workers == 3) {
				continue
			}
			buckets := 0
			if p.Dedup {
				buckets = 1 << workers
			}
			out, _, _ := run(t, dir, p, workers, buckets)
			files := map[string][]byte{}
			paths, _ := filepath.Glob(filepath.Join(out, "*.parquet"))
			for _, path := range paths {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				files[filepath.Base(path)] = data
			}
			if first == nil {
				first = files
			}
			if len(files) != 3 || !maps.EqualFunc(first, files, bytes.Equal) {
				t.Errorf("%+v: %d parts from %d workers differ from those of one", p, len(files), workers)
			}
		}
	}
}

func TestRejects(t *testing.T) {
	all := randomGames(6)
	all[1].breakCode, all[3].breakCode = true, true
	for _, p := range []Params{{}, {Dedup: true}} {
		_, rows, m := run(t, write(t, all), p, 1, 0)
		want := map[string]int64{string(games.IllegalMove): 2}
		if !reflect.DeepEqual(m.Counts.Rejected, want) {
			t.Errorf("rejected %v, want %v", m.Counts.Rejected, want)
		}
		for _, r := range rows {
			if r["game_id"] == "1" || r["game_id"] == "3" {
				t.Fatalf("a row of the rejected game %s", r["game_id"])
			}
		}
	}
}
