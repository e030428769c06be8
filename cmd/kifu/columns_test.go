package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kifu/cmd/kifu/command"
	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/kit/datasettest"
	"kifu/kit/slow"
	"kifu/kit/sound"
	"kifu/schemas"
)

// columnGames are games with all that the columns of games and positions are read from.
const columnGames = `[Event "E"]
[Site "S"]
[Round "1"]
[Date "2001.02.03"]
[White "Anand, V"]
[Black "Carlsen, M"]
[Result "%s"]
[WhiteElo "2700"]
[BlackElo "2800"]
[TimeControl "300+5"]
[ECO "C50"]
[Annotator "x"]

1. e4 {[%%eval 0.2] [%%clk 0:05:00]} e5 {[%%eval 0.3] [%%clk 0:04:59]} 2. Nf3 Nc6 3. Bc4 Bc5 4. %s d6 5. d3 Nf6 %s

`

// commandsOn are the lines of commands that read each kind of dataset, which is x. The folder has the
// datasets g, p, l and c as kifu makes them.
var commandsOn = map[string][]string{
	"games": {"check x", "transform --out o x", "names --out o.csv x", "duplicates --out o x", "clean --out o x", "sort --by first_elo --out o x", "query|select * from x|x=x",
		"query|select max(ply_count), min(first_elo), count(result), max(len(evals)) from x|x=x", "report database --out o x", "report players --out o x", "find --moves e4 x", "show x", "export --out o.pgn x",
		"player Anand x", "learn --out o --player Anand x", "find --player Anand x"},
	"positions": {"check x", "label --out o x", "choices --out o x", "query|select * from x|x=x", "report opening --out o x", "show x", "sort --by hash --out o x", "export --out o.epd x", "patterns --out o x"},
	"labels": {"check x", "fit --out o x", "fit --out o --method ls x", "report curve --out o x", "report split --out o x", "report calibration --out o x", "report depth --out o x", "conjunctions --out o x",
		"query|select * from x|x=x", "export --out o x", "show x"},
	"choices":      {"check x", "fit --out o --method choice x", "report moves --out o x", "query|select * from x|x=x", "report moves --out o --games g x"},
	"weights":      {"check x", "report weights --out o x", "query|select * from x|x=x"},
	"duplicates":   {"check x", "query|select * from x|x=x", "transform --out o --without x g"},
	"tree":         {"check x", "query|select * from x|x=x"},
	"conjunctions": {"check x", "query|select * from x|x=x", "query|describe x|x=x"},
	"predictions":  {"check x", "query|select * from x|x=x", "report moves --out o x"},
	"generations":  {"check x", "query|select * from x|x=x", "report all --out o x"},
	"tables":       {"check x", "query|select * from x|x=x", "report weights --out o x"},
	"trajectory":   {"check x", "query|select * from x|x=x", "show x"},
}

// smallTables are made by commands that take long, or programs: their datasets have rows of ones.
var smallTables = []schemas.Table{schemas.Conjunctions, schemas.Predictions(), schemas.Generations, schemas.Tables, schemas.Trajectory}

// strange are values for a column, by name: outside its domain (true), or at its ends.
func strange(c schemas.Column) map[string]bool {
	switch c.Type {
	case schemas.Int16, schemas.Int32:
		return map[string]bool{"least": c.Domain != (schemas.Domain{}) || c.Type == schemas.Int16, "greatest": c.Type == schemas.Int16 || c.Domain.High > 0 && c.Domain.High < math.MaxInt32, "low": false, "high": false}
	case schemas.Int64:
		return map[string]bool{"least": c.Domain != (schemas.Domain{}), "greatest": c.Domain != (schemas.Domain{}), "low": false, "high": false}
	case schemas.Uint64:
		return map[string]bool{"greatest": false}
	case schemas.Float32, schemas.Float64:
		return map[string]bool{"NaN": true, "Inf": true, "low": false, "high": false}
	case schemas.String:
		return map[string]bool{"not UTF-8": true, "empty": c.Domain.Words != "", "escape": c.Domain.Words != "", "slash": c.Domain.Words != ""}
	case schemas.Bytes, schemas.FixedBytes:
		return map[string]bool{"ones": false, "one byte": c.Domain.Count != ""}
	case schemas.Int32List:
		return map[string]bool{"one more": true, "items": false}
	case schemas.StringMap:
		return map[string]bool{"not UTF-8": true, "escape": false}
	}
	return nil
}

// firstOutside returns one of the values that are outside the domain, if there is one.
func firstOutside(values map[string]bool) map[string]bool {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] {
			return map[string]bool{name: true}
		}
	}
	return nil
}

// appendStrange appends such a value to v. was is the column that row comes from.
func appendStrange(v, was *columns.Vec, row int, name string) {
	low, high := v.Column.Bounds()
	number := map[string]float64{"low": low, "high": high, "least": math.MinInt32, "greatest": math.MaxInt32, "NaN": math.NaN(), "Inf": math.Inf(1)}[name]
	switch v.Column.Type {
	case schemas.Int16, schemas.Int32:
		v.AppendInt32(int32(number))
	case schemas.Int64:
		v.AppendInt64(map[string]int64{"least": math.MinInt64, "greatest": math.MaxInt64, "low": int64(max(low, math.MinInt64)), "high": int64(min(high, 1<<62))}[name])
	case schemas.Uint64:
		v.AppendUint64(math.MaxUint64)
	case schemas.Float32:
		v.AppendFloat32(float32(number))
	case schemas.Float64:
		v.AppendFloat64(number)
	case schemas.String:
		v.AppendString(map[string]string{"not UTF-8": "a\xff", "escape": "\x1b[2J\u202e", "slash": "../../a/'\"`$(x)<b>\x00"}[name])
	case schemas.Bytes, schemas.FixedBytes:
		bytes := []byte(strings.Repeat("\xff", len(was.Value(row))))
		if name == "one byte" && v.Column.Type == schemas.Bytes {
			bytes = []byte{0xff}
		}
		v.AppendBytes(bytes)
	case schemas.Int32List:
		from, to := was.List(row)
		for range to - from {
			v.AppendItem(math.MinInt32, true)
		}
		if name == "one more" {
			v.AppendItem(1, true)
		}
		v.EndList()
	case schemas.StringMap:
		v.AppendPair([]byte("Annotator"), []byte(map[string]string{"not UTF-8": "\xc3", "escape": "\x1b[2J"}[name]))
		v.EndMap()
	}
}

// ones makes a dataset of three rows of ones.
func ones(t *testing.T, dir string, table schemas.Table) {
	t.Helper()
	b := columns.NewBatch(table)
	sound.Fill(b, 3)
	writeRows(t, dir, table, datasets.Step{Stage: table.Name, Output: table.ID(), Params: "ones"}, b, func(*datasets.Builder) error { return nil })
}

// writeRows writes a dataset of one part, or without rows of none.
func writeRows(t *testing.T, dir string, table schemas.Table, s datasets.Step, b *columns.Batch, beside func(*datasets.Builder) error) {
	t.Helper()
	s.Run = func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
		out.SetTable(table)
		if err := beside(out); err != nil {
			return err
		}
		if b == nil {
			return nil
		}
		w, err := out.Part(0)
		if err != nil {
			return err
		}
		g, err := w.Encode(b)
		if err == nil {
			err = w.Append(g)
		}
		if err != nil {
			return err
		}
		return w.Close(manifest.Counts{Read: int64(b.Rows), Written: int64(b.Rows)}, nil)
	}
	if _, _, err := datasets.Build(context.Background(), dir, s, datasets.Options{}); err != nil {
		t.Fatal(err)
	}
}

// craft writes from to a new dataset at to, with right checksums, in which the second row has such a value in
// a column.
func craft(t *testing.T, from *datasets.Dir, to, column, value string) {
	t.Helper()
	in, b := firstRows(t, from), columns.NewBatch(from.Table)
	for i := range b.Cols {
		for row := range in.Rows {
			if row == 1 && b.Cols[i].Column.Name == column {
				appendStrange(&b.Cols[i], &in.Cols[i], row, value)
			} else {
				b.Cols[i].AppendFrom(&in.Cols[i], row)
			}
		}
	}
	b.Rows = in.Rows
	writeRows(t, to, from.Table, datasets.Step{Stage: from.Manifest.Stage, Output: from.Table.ID(), Params: []string{column, value}}, b,
		withFiles(from, func(_ string, text []byte) []byte { return text }))
}

// firstRows returns the first row group of a dataset.
func firstRows(t *testing.T, from *datasets.Dir) *columns.Batch {
	t.Helper()
	p, err := from.OpenPart(0)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	b := columns.NewBatch(from.Table)
	if err := p.Read(0, b); err != nil {
		t.Fatal(err)
	}
	return b
}

// withFiles returns what gives a copy the facts of a dataset, and its files as change makes them.
func withFiles(from *datasets.Dir, change func(name string, text []byte) []byte) func(*datasets.Builder) error {
	return func(out *datasets.Builder) error {
		for key, text := range from.Manifest.Meta {
			out.SetMeta(key, text)
		}
		for _, f := range from.Manifest.Files {
			text, err := from.ReadFile(f.Name)
			if err == nil {
				err = out.AddFile(f.Name, change(f.Name, text))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
}

// columnKitchen makes a small dataset of each kind in a folder.
func columnKitchen(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var games strings.Builder
	for i := range 6 {
		result := []string{"1-0", "0-1", "1/2-1/2"}[i%3]
		fmt.Fprintf(&games, columnGames, result, []string{"O-O", "c3", "Nc3"}[i/2], result)
	}
	if err := os.WriteFile(filepath.Join(dir, "g.pgn"), []byte(games.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"ingest --out g g.pgn", "transform --out p g", "label --out l p", "choices --out c p", "fit --out w --l2 1 --scale 0.005 --min-games 1 --free mobility,king_safety l", "duplicates --out d g", "tree --out t --by month,rating,speed g"} {
		if code, said := inDir(t.Context(), dir, append(strings.Fields(line), "--progress", "none")...); code != command.OK {
			t.Fatalf("%s: %s", line, said)
		}
	}
	for _, table := range smallTables {
		ones(t, filepath.Join(dir, table.Name), table)
	}
	return dir
}

// TestColumns: every column of every kind of dataset gets values that kifu does not write, and that it hardly
// ever writes, with right checksums; every command that reads such a dataset ends with an error of a
// line, or does what it does. kifu check names part, row and column of each value outside its domain.
// With KIFU_LONG=1 all values are tried by all commands, else one a column by every ninth command.
func TestColumns(t *testing.T) {
	slow.Test(t, "runs every command for each of some hundred columns")
	dir := columnKitchen(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	all, runs := 0, 0
	kinds := map[string]string{"games": "g", "positions": "p", "labels": "l", "choices": "c", "weights": "w", "duplicates": "d", "tree": "t"}
	for _, table := range smallTables {
		kinds[table.Name] = table.Name
	}
	for kind, name := range kinds {
		from := datasettest.Open(t, filepath.Join(dir, name))
		if got, _, _ := strings.Cut(from.Table.ID(), "/"); got != kind {
			t.Fatalf("%s holds %s", name, got)
		}
		if from.Rows() < 2 {
			t.Fatalf("%s: %d rows, none to change", kind, from.Rows())
		}
		for _, c := range from.Table.Columns {
			values := strange(c)
			if os.Getenv("KIFU_LONG") == "" {
				values = firstOutside(values)
			}
			for value, outside := range values {
				all++
				x := filepath.Join(dir, "x")
				os.RemoveAll(x)
				craft(t, from, x, c.Name, value)
				for i, line := range commandsOn[kind] {
					if os.Getenv("KIFU_LONG") == "" && line != "check x" && (all+i)%9 != 0 {
						continue
					}
					for _, out := range []string{"o", "o.csv", "o.pgn", "o.epd"} {
						os.RemoveAll(filepath.Join(dir, out))
					}
					runs++
					args := strings.Fields(line)
					if strings.Contains(line, "|") {
						args = strings.Split(line, "|")
					}
					code, said := inDir(t.Context(), dir, append(args, "--progress", "none")...)
					named := strings.Contains(said, "part-00000.parquet: row 2, column "+c.Name+": ")
					switch {
					case code == command.Misuse:
						t.Errorf("%s: exit 2: %s", line, said)
					case strings.ContainsAny(said, "\x1b\u202e") || panicked.MatchString(said):
						t.Errorf("%s.%s, %s: %s: exit %d: %.300q", kind, c.Name, value, line, code, said)
					case strings.Contains(said, "ncoding found in Parquet"):
						t.Errorf("%s.%s, %s: %s: %s", kind, c.Name, value, line, said)
					case outside && line == "check x" && !named:
						t.Errorf("%s.%s, %s: %s", kind, c.Name, value, said)
					case outside && code != command.OK && !named && strings.Contains(said, c.Name):
						t.Logf("%s.%s, %s: %s: %s", kind, c.Name, value, line, said)
					}
				}
			}
		}
	}
	t.Logf("%d datasets, %d runs", all, runs)
}

var panicked = regexp.MustCompile(`goroutine \d|runtime error|index out of range|nil pointer|slice bounds`)

// TestExploreOfStrangers: a name that is not UTF-8, in a dataset with right checksums, is named by part,
// row and column on the page of players; with --trust the page says what names it.
func TestExploreOfStrangers(t *testing.T) {
	slow.Test(t, "starts two explorers")
	dir := columnKitchen(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	from := datasettest.Open(t, filepath.Join(dir, "g"))
	craft(t, from, filepath.Join(dir, "x"), "first_player", "not UTF-8")
	for want, args := range map[string][]string{"row 2, column first_player: ": {"x"}, "text is not UTF-8: kifu check": {"x", "--trust"}} {
		address, stop := explored(t, dir, args...)
		r, err := http.Get(address + "players?on=x")
		if err != nil {
			t.Fatal(err)
		}
		page, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || !strings.Contains(string(page), want) || strings.Contains(string(page), "Parquet") {
			t.Errorf("%v: %d, %v, %q", args, r.StatusCode, err, page)
		}
		if code := stop(); code != command.OK {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}
