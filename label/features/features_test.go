package features

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	"kifu/fit"
	"kifu/fit/computed"
	"kifu/fit/method"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// build makes labels of a file.
func build(t *testing.T, p Params, path string) (*datasets.Dir, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "labels")
	_, _, err := datasets.Build(context.Background(), out, datasets.Step{
		Stage: "features", Output: "labels/v2", Params: p,
		Run: func(ctx context.Context, _ []*datasets.Dir, b *datasets.Builder) error { return Run(ctx, p, path, b) },
	}, datasets.Options{})
	if err != nil {
		return nil, err
	}
	return datasets.Open(out)
}

// rows returns the rows of a dataset as texts; features as term=count.
func rows(t *testing.T, d *datasets.Dir) (out []map[string]string) {
	t.Helper()
	b := datasettest.Rows(t, d)
	for r := range b.Rows {
		out = append(out, rowOf(t, b, r))
	}
	return out
}

func rowOf(t *testing.T, b *columns.Batch, r int) map[string]string {
	row := map[string]string{}
	for i := range b.Cols {
		v := &b.Cols[i]
		switch name := v.Column.Name; {
		case v.IsNull(r):
		case name == "features":
			counts, err := eval.AppendUnpacked(nil, v.Value(r))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range counts {
				row[name] += fmt.Sprintf("%d=%d ", f.Term, f.Count)
			}
		case v.Int64 != nil:
			row[name] = fmt.Sprint(v.Int64[r])
		case v.Int32 != nil:
			row[name] = fmt.Sprint(v.Int32[r])
		case v.Float32 != nil:
			row[name] = fmt.Sprint(v.Float32[r])
		case v.Float64 != nil:
			row[name] = fmt.Sprint(v.Float64[r])
		case v.Bool != nil:
			row[name] = fmt.Sprint(v.Bool[r])
		default:
			row[name] = string(v.Value(r))
		}
	}
	return row
}

// TestFitsOfAFileAreStatsmodels: fits to labels of the reference rows have the weights
// and errors that statsmodels and scipy give them (fit/fittest/testdata/reference.py).
func TestFitsOfAFileAreStatsmodels(t *testing.T) {
	p := Params{Columns: map[string]string{"result": "y"}, Ignore: []string{"deep"}, Stages: []Stage{{"opening", 24}, {"endgame", 0}}}
	labels, err := build(t, p, "../../fit/fittest/testdata/reference.csv")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../fit/fittest/testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var references map[string]json.RawMessage
	if err := json.Unmarshal(text, &references); err != nil {
		t.Fatal(err)
	}
	for _, m := range []method.Method{method.MLM{}, method.LS{}} {
		var want struct {
			Weights []float64 `json:"weights"`
			SE      []float64 `json:"se"`
			Robust  []float64 `json:"se_robust"`
		}
		if err := json.Unmarshal(references[m.Name()], &want); err != nil {
			t.Fatal(err)
		}
		fp := fit.Params{Method: m, Draws: fit.DrawsExclude, Free: []string{"all"}, Add: []computed.Feature{{Name: "c", SQL: "c"}}, Untapered: []string{"b"}}
		d := fitOf(t, fp, labels)
		got := rows(t, d)
		for i, row := range []int{0, 1, 2, 4} { // a opening, a endgame, b (and once more), c
			// kifu's robust errors divide the scores of a game by one less its leverage, statsmodels' do not.
			if y, err := strconv.ParseFloat(got[row]["se_robust"], 64); err != nil || y < want.Robust[i] || y > 1.05*want.Robust[i] {
				t.Errorf("%s: se_robust of %s is %s, statsmodels has %v", m.Name(), got[row]["term"], got[row]["se_robust"], want.Robust[i])
			}
			for name, x := range map[string]float64{"weight": want.Weights[i], "se": want.SE[i]} {
				if y, err := strconv.ParseFloat(got[row][name], 64); err != nil || math.Abs(y-x) > 1e-6*math.Max(1, math.Abs(x)) {
					t.Errorf("%s: %s of %s is %s, statsmodels has %v", m.Name(), name, got[row]["term"], got[row][name], x)
				}
			}
		}
	}
}

// TestFormsOfAFile: the spellings that a program may write.
func TestFormsOfAFile(t *testing.T) {
	const text = "game,result,first_to_move,ply,mobility:knight,king,mobility:rook\n" +
		"A,1-0,1,0,3,0.5,0\nA,1-0,false,1,-2,0,-1\n\"B, of 1901\",1/2-1/2,true,0,0,1e-2,7\nC,*,0,9,1,0,0\nA,first,1,12,0,-.25,0\n"
	want := []map[string]string{
		{"game_id": "0", "game": "A", "result": "first", "first_to_move": "true", "ply": "0", "king": "0.5", "features": "0=3 "},
		{"game_id": "0", "game": "A", "result": "first", "first_to_move": "false", "ply": "1", "king": "0", "features": "0=-2 1=-1 "},
		{"game_id": "1", "game": "B, of 1901", "result": "draw", "first_to_move": "true", "ply": "0", "king": "0.01", "features": "1=7 "},
		{"game_id": "2", "game": "C", "first_to_move": "false", "ply": "9", "king": "0", "features": "0=1 "},
		{"game_id": "0", "game": "A", "result": "first", "first_to_move": "true", "ply": "12", "king": "-0.25"},
	}
	for _, row := range want {
		row["value"], row["leaf_phase"] = "0", "0"
	}
	var zipped, packed bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte(text))
	z.Close()
	zs, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	zs.Write([]byte(text))
	zs.Close()
	for name, form := range map[string]string{
		"plain.csv": text, "dos.csv": "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n"), "end.csv": strings.TrimSuffix(text, "\n") + "\n\n",
		"tabs.tsv": strings.ReplaceAll(strings.ReplaceAll(text, ",", "\t"), "B\t", "B,"), "zipped.csv.gz": zipped.String(), "packed.csv.zst": packed.String(),
	} {
		d, err := build(t, Params{}, file(t, name, form))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := rows(t, d)
		for _, row := range got {
			if row["features"] == "" {
				delete(row, "features")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		weights, err := d.ReadFile("weights.toml")
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(weights), "[mobility]\nknight = 0.00\nrook = 0.00\n") || d.Manifest.Meta["reals"] != "king" || d.Manifest.Meta["unit"] != "Elo" {
			t.Errorf("%s: meta %v and weights\n%s", name, d.Manifest.Meta, weights)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "empty; want a header line with the names"},
		{"game,result,a\n", "no rows below"},
		{"game,result\n1,1\n", "no column is left for a feature"},
		{"game,result,a,a\n1,1,1,1\n", `two columns are named "a"`},
		{"game,result,a,\n1,1,1,1\n", "column 4 has no name"},
		{"id,won,a\n1,1,1\n", `no column "result"; there are id, won, a: name the one with the result by --column result=NAME`},
		{"game,result,a\n1,1,1\n1,1\n", "x.csv, line 3: 2 fields; the header has 3"},
		{"game,result,a\n1,1,1\n1,1,x\n", `x.csv, line 3, column a: "x" is not a number`},
		{"game,result,a\n1,1,1\n1,2,3\n", `x.csv, line 3, column result: "2" is not a result`},
		{"game,result,a,b\n1,1,1,\n1,1,NA,nan\n,1,1,1\n", "missing: column game in 1 of 3 rows (line 4), column a in 1 of 3 rows (line 3), column b in 2 of 3 rows (line 2)"},
		{"game,result,a\n1,1,inf\n", "x.csv, line 2, column a: infinite"},
		{"game,result,ply,a\n1,1,-1,1\n", "column ply: -1: want a non-negative whole number"},
		{"game,result,value,a\n1,1,1e7,1\n", "column value: 1e+07: want a value within"},
		{"game,result,leaf_phase,a\n1,1,0.5,1\n", "leaf_phase is also a column of labels"},
		{"game,result,a\n1,1,\"1\n", "line 2: a quote is not closed"},
	} {
		_, err := build(t, Params{}, file(t, "x.csv", c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// TestWithoutGames makes each row a game of its own, and says so in the labels.
func TestWithoutGames(t *testing.T) {
	d, err := build(t, Params{}, file(t, "x.csv", "result,a\n1,1\n0,2\n1,-1\n"))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, row := range rows(t, d) {
		ids = append(ids, row["game_id"])
	}
	if diff := cmp.Diff([]string{"0", "1", "2"}, ids); diff != "" || d.Manifest.Meta[schemas.NoGames] == "" {
		t.Errorf("%s %v", diff, d.Manifest.Meta)
	}
}

// TestPresentWeights: a model makes the values, and every count has to be in it.
func TestPresentWeights(t *testing.T) {
	model := &eval.Model{Game: "other", Unit: "points", Stages: []string{"opening", "endgame"}, Knots: []int{24, 0},
		Terms: []eval.Term{{Name: "b", Group: "g", Weights: []float64{2, 4}}, {Name: "a", Group: "h", Weights: []float64{10}}}}
	const text = "game,result,phase,a,b\n1,1,24,1,1\n1,1,12,-1,2\n2,0,0,0,1\n"
	d, err := build(t, Params{Model: model}, file(t, "x.csv", text))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"12", "-4", "4"} {
		if got := rows(t, d)[i]["value"]; got != want {
			t.Errorf("row %d: value %s, want %s", i, got, want)
		}
	}
	if _, err = build(t, Params{Model: model}, file(t, "x.csv", strings.ReplaceAll(text, "b", "c"))); err == nil || !strings.Contains(err.Error(), "no column of whole numbers within ±32767 is called b") {
		t.Error(err)
	}
	model.Terms = model.Terms[:1]
	if _, err = build(t, Params{Model: model}, file(t, "x.csv", text)); err == nil || !strings.Contains(err.Error(), "column a is not a term of the weights file") {
		t.Error(err)
	}
}

// TestCorrections: weights that correct values are added to them, other present weights are in them already.
func TestCorrections(t *testing.T) {
	const text = "game,result,value,a\n1,1,30,2\n2,0,-10,-1\n"
	first, err := build(t, Params{}, file(t, "x.csv", text))
	if err != nil {
		t.Fatal(err)
	}
	weights, err := first.ReadFile("weights.toml")
	if err != nil {
		t.Fatal(err)
	}
	model, err := eval.ReadModel(bytes.NewReader(weights))
	if err != nil || !model.Corrections {
		t.Fatalf("%v: no corrections in %s", err, weights)
	}
	model.Terms[0].Weights[0] = 5
	for corrections, want := range map[bool][]string{true: {"40", "-15"}, false: {"30", "-10"}} {
		model.Corrections = corrections
		d, err := build(t, Params{Model: model}, file(t, "x.csv", text))
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows(t, d) {
			if row["value"] != want[i] {
				t.Errorf("corrections %v, row %d: value %s, want %s", corrections, i, row["value"], want[i])
			}
		}
	}
	model.Corrections = true
	if _, err := build(t, Params{Model: model}, file(t, "x.csv", "game,result,a\n1,1,2\n")); err == nil || !strings.Contains(err.Error(), "no column value, which the weights file corrects") {
		t.Error(err)
	}
}

// TestNumbers compares the fast number parser with the standard library's.
func TestNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	texts := []string{"0", "-0", "1.", ".5", "-.25", "+7", "123456789012345", "1234567890123456", "0.000000000000001", "999999999999.999", "1e5", "-3.25e-7", "9007199254740993"}
	for range 20000 {
		texts = append(texts, strconv.FormatFloat(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(12)-4)), 'f', rng.IntN(14), 64))
	}
	for _, s := range texts {
		want, err := strconv.ParseFloat(s, 64)
		if got, ok := parseNumber([]byte(s)); err != nil || !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s is read as %v, %v; want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"-", ".", "1.2.3", "--1", "1,5", "0x", "a"} {
		if x, ok := parseNumber([]byte(s)); ok {
			t.Errorf("%q is read as %v", s, x)
		}
	}
}

// TestPositionIsKept: a column fen stays as text, unless it is to be left out.
func TestPositionIsKept(t *testing.T) {
	path := file(t, "f.csv", "game,fen,result,a\n1,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,1-0,1\n1,8/8/8/8/8/8/8/8 b - -,0-1,2\n")
	for _, p := range []Params{{}, {Keep: []string{"fen"}}} {
		d, err := build(t, p, path)
		if err != nil {
			t.Fatal(err)
		}
		if got := rows(t, d)[1]["fen"]; strings.Trim(got, `"`) != "8/8/8/8/8/8/8/8 b - -" {
			t.Errorf("the fen is %s", got)
		}
	}
	d, err := build(t, Params{Ignore: []string{"fen"}}, path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Table.Index("fen") >= 0 {
		t.Error("a column that was to be left out is there")
	}
}
