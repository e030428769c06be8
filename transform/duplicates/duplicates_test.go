package duplicates

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/internal/lists"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// record is a game of the test.
type record struct {
	moves, start, first, second, date, result string
}

// build makes games of the records, in row groups of 7, and finds their duplicates.
func build(t *testing.T, games []record, p Params, workers int) (*manifest.Manifest, []string) {
	t.Helper()
	ctx := context.Background()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "games"), filepath.Join(dir, "dups")
	_, _, err := datasets.Build(ctx, in, datasets.Step{Stage: "ingest", Output: schemas.Games.ID(), Run: func(_ context.Context, _ []*datasets.Dir, b *datasets.Builder) error {
		b.SetTable(schemas.Games)
		b.SetMeta("game", "chess")
		var groups []*columns.Batch
		for from := 0; from < len(games); from += 7 {
			groups = append(groups, batch(games, from, min(from+7, len(games))))
		}
		return datasettest.Part(b, 0, groups...)
	}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := datasets.Build(ctx, out, datasets.Step{Stage: "duplicates", Output: schemas.Duplicates.ID(), Params: p, Inputs: []string{in},
		Run: func(ctx context.Context, in []*datasets.Dir, b *datasets.Builder) error {
			return Run(ctx, nil, p, workers, in[0], b)
		}}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, found(t, out)
}

func batch(games []record, from, to int) *columns.Batch {
	b := columns.NewBatch(schemas.Games)
	for i := from; i < to; i++ {
		g := games[i]
		for k := range b.Cols {
			v := &b.Cols[k]
			text := map[string]string{"moves": g.moves, "start_position": g.start, "first_player": g.first, "second_player": g.second,
				"date": g.date, "result": g.result, "variant": "standard", "game": "chess", "source_file": "f"}[v.Column.Name]
			switch {
			case v.Column.Name == "game_id":
				v.AppendInt64(int64(i))
			case v.Column.Name == "ply_count":
				v.AppendInt32(int32(len(g.moves) / 2))
			case v.Column.Name == "source_offset":
				v.AppendInt64(0)
			case v.Column.Name == "tags":
				v.EndMap()
			case v.Column.Nullable && text == "":
				v.AppendNull()
			default:
				v.AppendString(text)
			}
		}
		b.Rows++
	}
	return b
}

// found formats the rows: "1 of 0: moves 3/3 players date result".
func found(t *testing.T, dir string) []string {
	t.Helper()
	d := datasettest.Open(t, dir)
	b := datasettest.Rows(t, d)
	lines := lists.N(b.Rows, func(i int) string {
		var s strings.Builder
		fmt.Fprintf(&s, "%d of %d: %s %d/%d", b.Col("game_id").Int64[i], b.Col("original_id").Int64[i], b.Col("kind").Value(i), b.Col("ply_count").Int32[i], b.Col("original_ply_count").Int32[i])
		for _, name := range []string{"same_players", "same_date", "same_result"} {
			if b.Col(name).Bool[i] {
				s.WriteString(" " + strings.TrimPrefix(name, "same_"))
			}
		}
		return s.String()
	})
	return lines
}

func TestDuplicates(t *testing.T) {
	long := "aabbccddee"
	games := []record{
		0: {long, "", "Carlsen, Magnus", "Anand, V.", "2013-11-09", "draw"},
		1: {long, "", "Magnus Carlsen", "ANAND,Viswanathan", "2013", "draw"},   // a copy
		2: {long + "ff", "", "Carlsen, M", "Anand", "2013-11-09", "first"},     // a continuation
		3: {"aabb", "", "Carlsen, Magnus", "Anand, V.", "", ""},                // too short for a beginning
		4: {long, "8/8 w", "Carlsen, Magnus", "Anand, V.", "", "draw"},         // another start
		5: {"aabb", "", "X", "Y", "2014", "first"},                             // has the moves of 3
		6: {"", "", "X", "Y", "", "first"}, 7: {"", "", "X", "Y", "", "first"}, // no moves
		8:  {long + "ffgg", "", "N.Short", "Lawrence Day", "2013-11-08", "first"}, // the longest
		9:  {long + "ffgg", "", "Short, N", "Day, L A", "", "second"},
		10: {long + "hh", "", "", "", "", ""}, // another branch, shorter
	}
	m, got := build(t, games, Params{MinPrefix: 5}, 2)
	want := []string{
		"0 of 8: prefix 5/7",      // Short is not Carlsen
		"1 of 8: prefix 5/7 date", // 2013 does not contradict 2013-11-08
		"2 of 8: prefix 6/7 result",
		"3 of 5: moves 2/2 date result", // which tells more
		"9 of 8: moves 7/7 players date",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if m.Counts.Read != 11 || m.Counts.Written != 5 || m.Counts.Noted["moves of another game, other players"] != 1 {
		t.Errorf("%+v", m.Counts)
	}

	// Without the longer ones the copy is recognised by its players.
	_, got = build(t, games[:2], Params{MinPrefix: 5}, 1)
	if want := "1 of 0: moves 5/5 players date result"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

// TestOriginalTellsMore: of games with equal moves the one with the fuller header stays.
func TestOriginalTellsMore(t *testing.T) {
	moves := "aabbccddee"
	games := []record{
		{moves, "", "", "", "", ""}, {moves, "", "Tal", "", "1960", "draw"}, {moves, "", "Tal", "Botvinnik", "1960", "first"}, {moves, "", "Tal", "Botvinnik", "1960-03-26", "first"},
		{"aabbccddee" + "ff", "", "", "", "", ""}, {"aabbccddee" + "gg", "", "Tal", "Botvinnik", "", ""},
	}
	_, got := build(t, games[:4], Params{MinPrefix: 3}, 1)
	for i, want := range []string{"0 of 2", "1 of 2", "3 of 2"} {
		if len(got) != 3 || !strings.HasPrefix(got[i], want+":") {
			t.Fatalf("%q, want %s", got, want)
		}
	}
	_, got = build(t, games, Params{MinPrefix: 3}, 1)
	for i, want := range []string{"0 of 5", "1 of 5", "2 of 5", "3 of 5"} { // of two longer ones
		if len(got) != 4 || !strings.HasPrefix(got[i], want+":") {
			t.Fatalf("%q, want %s", got, want)
		}
	}
}

// TestAgainstAllPairs compares with a comparison of every pair of games, for random games
// with much in common, and for any number of workers.
func TestAgainstAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var games []record
	for range 400 {
		var s strings.Builder
		for range 1 + r.IntN(9) {
			fmt.Fprintf(&s, "a%c", "bc"[r.IntN(2)])
		}
		games = append(games, record{moves: s.String(), start: []string{"", "other"}[r.IntN(2)], first: "a", second: "b"})
	}
	const min = 4
	var want []string
	for i, g := range games {
		best := i
		for k, o := range games {
			b := games[best]
			if o.start != g.start || !strings.HasPrefix(o.moves, g.moves) || o.moves != g.moves && len(g.moves)/2 < min {
				continue
			}
			if len(o.moves) > len(b.moves) || len(o.moves) == len(b.moves) && k < best {
				best = k
			}
		}
		if best != i {
			kind := "moves"
			if games[best].moves != g.moves {
				kind = "prefix"
			}
			want = append(want, fmt.Sprintf("%d of %d: %s %d/%d players date result", i, best, kind, len(g.moves)/2, len(games[best].moves)/2))
		}
	}
	for workers := 1; workers < 4; workers++ {
		if _, got := build(t, games, Params{MinPrefix: min}, workers); !slices.Equal(got, want) {
			t.Errorf("%d workers: %d duplicates, want %d", workers, len(got), len(want))
		}
	}
}
