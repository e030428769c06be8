// The race detector learns nothing from DuckDB, which takes long to compile for it.

//go:build !race

package ingest

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kifu/query"
	"kifu/schemas"
)

const filterGames = `[Event "A"]
[White "Ann"]
[Black "Bob"]
[WhiteElo "2400"]
[BlackElo "2310"]
[Date "2011.??.??"]
[Annotator "x"]

1. e4 e5 1-0

[Event "B"]
[White "Cid"]
[Black "Dan"]
[WhiteElo "2400"]
[BlackElo "?"]

1. e4 Ke7 0-1

[Event "C"]
[White "Eve"]
[Black "Ann"]
[WhiteElo "1500"]
[BlackElo "1600"]
[Result "1/2-1/2"]

{ open 1. e4

[Event "D"]
[Variant "Atomic"]
[WhiteElo "2500"]
[BlackElo "2500"]

1. e4 *

[Event "E"]
[WhiteElo "2500"]
[BlackElo "2500"]
[Result "1-0"]
`

func bySQL(ctx context.Context, condition string, t schemas.Table) (Filter, error) {
	return query.NewFilter(ctx, "--where", condition, t)
}

// Conditions mean what they mean in a query; of games that they leave out nothing is
// said, whatever is wrong with their moves.
func TestWhere(t *testing.T) {
	in := []string{write(t, filepath.Join(t.TempDir(), "x.pgn"), []byte(filterGames))}
	for condition, want := range map[string]string{
		"least(first_elo, second_elo) >= 2300 and date >= '2010'": "1 kept, 0 rejected, 4 left out",
		"first_elo >= 2300":                      "1 kept, 3 rejected, 1 left out",
		"second_elo is null":                     "0 kept, 1 rejected, 4 left out",
		"'Ann' in (first_player, second_player)": "1 kept, 1 rejected, 3 left out",
		"tags['Annotator'][1] = 'x'":             "1 kept, 0 rejected, 4 left out",
		"result = 'first'":                       "0 kept, 1 rejected, 4 left out",
		"variant = 'standard'":                   "1 kept, 3 rejected, 1 left out",
		"event in ('A', 'E')":                    "1 kept, 1 rejected, 3 left out",
	} {
		p := Params{Game: "chess", Where: condition}
		m, err := buildParams(t, t.TempDir(), p, Options{NewFilter: bySQL, Inputs: in}, 0)
		if err != nil {
			t.Fatalf("%s: %v", condition, err)
		}
		rejected := int64(0)
		for _, n := range m.Counts.Rejected {
			rejected += n
		}
		got := fmt.Sprintf("%d kept, %d rejected, %d left out", m.Counts.Written, rejected, m.Counts.Noted[leftOut])
		if got != want || m.Counts.Read != 5 {
			t.Errorf("%s: %s, want %s (%+v)", condition, got, want, m.Counts)
		}
		files, sums, err := Count(context.Background(), game, p, Options{NewFilter: bySQL, Inputs: in, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if files[0].LeftOut != m.Counts.Noted[leftOut] || files[0].Games+files[0].Damaged+files[0].LeftOut != 5 || sums.Read != 5 {
			t.Errorf("%s: counted %+v", condition, files[0])
		}
	}
}

func TestWhereIsRefused(t *testing.T) {
	in := []string{write(t, filepath.Join(t.TempDir(), "x.pgn"), []byte(filterGames))}
	for condition, want := range map[string]string{
		"ply_count > 20":                   "ply_count",
		"first_elo":                        "true or false",
		"count(*) > 3":                     "aggregate",
		"frst_elo > 3":                     "first_elo",
		"first_elo > ":                     "--where",
		"exists (select 1 from games)":     "sub-query",
		"event::int > 0 or round::int > 0": "could not convert",
	} {
		_, err := buildParams(t, t.TempDir(), Params{Game: "chess", Where: condition}, Options{NewFilter: bySQL, Inputs: in}, 0)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", condition, err, want)
		}
	}
}

// Many blocks, several workers and files: the condition judges each game by its own
// tags.
func TestWhereOverManyBlocks(t *testing.T) {
	dir := t.TempDir()
	var in []string
	for i := range 3 {
		in = append(in, write(t, filepath.Join(dir, fmt.Sprintf("%d.pgn", i)), many(500)))
	}
	whole, some := t.TempDir(), t.TempDir()
	mustBuild(t, whole, Options{NewFilter: bySQL, Inputs: in}, 3000, 0)
	p := Params{Game: "chess", Where: "source_offset % 3 = 1 and source_file <> '1.pgn'"}
	m, err := buildParams(t, some, p, Options{NewFilter: bySQL, Inputs: in, Workers: 3}, 3000)
	if err != nil {
		t.Fatal(err)
	}
	if m.Counts.Written == 0 || m.Counts.Noted[leftOut] < 700 {
		t.Errorf("%+v", m.Counts)
	}
	kept := map[string]bool{}
	for _, row := range rowsOf(t, some) {
		kept[withoutID(row)] = true
	}
	for _, row := range rowsOf(t, whole) {
		var offset int
		fmt.Sscan(strings.Split(row, "source_offset=")[1], &offset)
		want := offset%3 == 1 && !strings.Contains(row, ` source_file="1.pgn" `)
		if row = withoutID(row); want != kept[row] {
			t.Fatalf("%s: kept %v, want %v", row, kept[row], want)
		}
	}
}

// withoutID takes the first column off a row.
func withoutID(row string) string {
	_, rest, _ := strings.Cut(row[1:], " ")
	return rest
}
