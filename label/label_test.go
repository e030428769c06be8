package label

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	evalchess "kifu/eval/chess"
	"kifu/games"
	"kifu/games/chess"
	"kifu/kit/datasettest"
	"kifu/kit/evaltest"
	"kifu/schemas"
)

var chessGame = eval.Game[chess.Position]{Rules: chess.Rules{}, NewEvaluator: evalchess.New, Default: evalchess.Default}

// dataset writes positions as transform would, some hundred rows to a row group.
func dataset(t *testing.T, ps []chess.Position) string {
	t.Helper()
	return edited(t, ps, func(*columns.Batch, int) {})
}

// edited makes a dataset after an edit of every row group, whose first position has the
// number from.
func edited(t *testing.T, ps []chess.Position, edit func(b *columns.Batch, from int)) string {
	t.Helper()
	table := positionsTable()
	dir := filepath.Join(t.TempDir(), "positions")
	_, _, err := datasets.Build(context.Background(), dir, datasets.Step{
		Stage: "transform", Output: table.ID(), Params: len(ps),
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(table)
			out.SetMeta("game", "chess")
			var groups []*columns.Batch
			for from := 0; from < len(ps); from += 200 {
				b := columns.NewBatch(table)
				for i, p := range ps[from:min(from+200, len(ps))] {
					appendRow(b, int64(from+i), p)
				}
				edit(b, from)
				groups = append(groups, b)
			}
			return datasettest.Part(out, 0, groups...)
		},
	}, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func positionsTable() schemas.Table {
	rules := chess.Rules{}
	var columns []schemas.GameColumn
	for _, c := range rules.Columns() {
		columns = append(columns, schemas.GameColumn{Name: c.Name, Doc: c.Doc})
	}
	return schemas.Positions(rules.BoardSize(), columns, false)
}

func appendRow(b *columns.Batch, id int64, p chess.Position) {
	rules := chess.Rules{}
	conditions := rules.AppendColumns(nil, p)
	for i := range b.Cols {
		v := &b.Cols[i]
		switch name := v.Column.Name; {
		case name == "game_id":
			v.AppendInt64(id)
		case name == "first_to_move":
			v.AppendBool(p.ToMove() == chess.White)
		case name == "hash":
			v.AppendUint64(p.Hash())
		case name == "board":
			v.AppendBytes(rules.AppendBoard(nil, p))
		case name == "ply":
			v.AppendInt32(int32(id))
		case v.Column.Nullable:
			v.AppendNull()
		default:
			v.AppendInt32(int32(conditions[0]))
			conditions = conditions[1:]
		}
	}
	b.Rows++
}

// label runs the stage and returns all rows, and the directory.
func run(t *testing.T, positions string, workers int, p Params) (*columns.Batch, *datasets.Dir) {
	t.Helper()
	dir, err := build(t, positions, workers, p)
	if err != nil {
		t.Fatal(err)
	}
	d := datasettest.Open(t, dir)
	return datasettest.Rows(t, d), d
}

func build(t *testing.T, positions string, workers int, p Params) (dir string, err error) {
	dir = filepath.Join(t.TempDir(), "labels")
	_, _, err = datasets.Build(context.Background(), dir, datasets.Step{
		Stage: "label", Output: "labels/v2", Params: p, Inputs: []string{positions},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, chessGame, p, workers, in[0], out)
		},
	}, datasets.Options{})
	return dir, err
}

func fens(t *testing.T, texts ...string) []chess.Position {
	t.Helper()
	var ps []chess.Position
	for _, text := range texts {
		p, err := chess.ParseFEN(text)
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	return ps
}

// What happens in these positions is beyond doubt; depth 1 sees one move more.
func TestPlantedPositions(t *testing.T) {
	const any = math.MaxFloat32
	cases := []struct {
		name, fen         string
		quiescence, depth float32 // values
		gain              int     // of quiescence over the static value, in pawns, for White
	}{
		{"free queen", "6k1/8/8/8/3q4/8/3R4/6K1 w - - 0 1", any, any, 9},
		{"free queen for Black", "6k1/3r4/8/3Q4/8/8/8/6K1 b - - 0 1", any, any, -9},
		{"defended pawn", "6k1/8/2p5/3p4/8/8/3Q4/6K1 w - - 0 1", any, any, 0},
		{"promotion", "3n2k1/2P5/8/8/8/8/8/6K1 w - - 0 1", any, any, 10},
		{"mated", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", 32000, 32000, 0},
		{"mates in one", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", any, 31999, 0},
		{"Black mates in one", "r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 1", any, -31999, 0},
		{"takes with mate", "r5k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 31999, 31999, 320},
		{"check, then mated", "1r4k1/5ppp/8/8/R7/8/8/3R2K1 b - - 0 1", any, any, 0},
		{"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, 0, 0},
		{"check must be answered", "6k1/8/8/8/8/8/5q2/7K w - - 0 1", any, any, 0},
	}
	var ps []chess.Position
	for _, c := range cases {
		ps = append(ps, fens(t, c.fen)...)
	}
	rows, _ := run(t, dataset(t, ps), 1, Params{Search: []string{"static", "depth:1", "quiescence"}})
	static, depth, quiescence := rows.Col("static_value").Float32, rows.Col("depth_1_value").Float32, rows.Col("quiescence_value").Float32
	for i, c := range cases {
		if c.quiescence != any && quiescence[i] != c.quiescence {
			t.Errorf("%s: quiescence value %v, want %v", c.name, quiescence[i], c.quiescence)
		}
		if c.depth != any && depth[i] != c.depth {
			t.Errorf("%s: value to depth 1 %v, want %v", c.name, depth[i], c.depth)
		}
		if gain := float64(quiescence[i]-static[i]) / 100; math.Abs(gain-float64(c.gain)) > 4 {
			t.Errorf("%s: static %v, quiescence %v: a gain of %.1f pawns, want about %d", c.name, static[i], quiescence[i], gain, c.gain)
		}
	}
}

// features decodes row i.
func features(rows *columns.Batch, i int) []eval.Feature {
	fs, err := eval.AppendUnpacked(nil, rows.Col("features").Value(i))
	if err != nil {
		panic(err)
	}
	return fs
}

// The value, the group scores and the features with the weights beside them agree.
func TestGroupsAndFeaturesAddUp(t *testing.T) {
	for _, leaf := range []string{"static", "quiescence", "depth:2"} {
		ps := evaltest.RandomPlay(chess.Start(), 4, 120, 3)
		if leaf == "depth:2" {
			ps = ps[:150]
		}
		rows, d := run(t, dataset(t, ps), 2, Params{Search: []string{leaf}})
		text, err := d.ReadFile("weights.toml")
		if err != nil {
			t.Fatal(err)
		}
		m, err := eval.ReadModel(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		values := rows.Col(d.Manifest.Meta["leaf"]).Float32
		for i := range rows.Rows {
			v := float64(values[i])
			if math.Abs(v) > 31000 {
				continue
			}
			sum := 0.0
			for _, g := range m.Groups() {
				sum += float64(rows.Col(g).Float32[i])
			}
			score := m.Score(features(rows, i), int(rows.Col("leaf_phase").Int32[i]))
			if math.Abs(sum-v) > 0.02 || math.Abs(score-v) > 0.02 {
				t.Fatalf("%s, row %d: value %v, groups %v, weights times features %v", leaf, i, v, sum, score)
			}
		}
	}
}

// A zeroed group is out of the values and still in its column.
func TestZero(t *testing.T) {
	positions := dataset(t, evaltest.RandomPlay(chess.Start(), 3, 120, 4))
	full, _ := run(t, positions, 1, Params{Search: []string{"static"}})
	zero, d := run(t, positions, 1, Params{Search: []string{"static"}, Zero: []string{"mobility", "tempo", "knight"}})
	if d.Manifest.Meta["zeroed"] != "mobility,tempo,knight" {
		t.Errorf("meta %v", d.Manifest.Meta)
	}
	moved, model := 0, evalchess.Default()
	for i := range full.Rows {
		for _, c := range []string{"mobility", "tempo", "material"} {
			if a, b := full.Col(c).Float32[i], zero.Col(c).Float32[i]; a != b {
				t.Fatalf("row %d: %s %v, %v when others are zeroed", i, c, a, b)
			}
		}
		v, w := full.Col("static_value").Float32[i], zero.Col("static_value").Float32[i]
		if v == 0 && w == 0 || math.Abs(float64(v)) > 31000 {
			continue
		}
		lost := full.Col("mobility").Float32[i] + full.Col("tempo").Float32[i]
		for _, f := range features(full, i) {
			if term := model.Terms[f.Term]; term.Name == "knight" {
				lost += float32(f.Count) * float32(term.At(model.Mix(int(full.Col("leaf_phase").Int32[i]), nil)))
			}
		}
		if math.Abs(float64(v-w-lost)) > 0.05 {
			t.Fatalf("row %d: %v, zeroed %v, but what was zeroed is worth %v", i, v, w, lost)
		}
		if lost != 0 {
			moved++
		}
	}
	if moved < 100 {
		t.Errorf("only %d rows have anything zeroed", moved)
	}
	text, _ := d.ReadFile("weights.toml")
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range m.Terms {
		if (term.Group == "mobility" || term.Name == "knight") && (term.Weights[0] != 0 || term.Weights[1] != 0) {
			t.Errorf("%s has weights %v in the labels' weights.toml", term.Name, term.Weights)
		}
	}
}

// The bytes do not depend on the number of workers, and the rows are those of the
// positions, in their order.
func TestWorkers(t *testing.T) {
	ps := evaltest.RandomPlay(chess.Start(), 8, 150, 5)
	positions := dataset(t, ps)
	p := Params{Search: []string{"static", "quiescence"}}
	rows, one := run(t, positions, 1, p)
	_, three := run(t, positions, 3, p)
	datasettest.Same(t, one.Path, three.Path)
	if rows.Rows != len(ps) {
		t.Fatalf("%d rows of %d positions", rows.Rows, len(ps))
	}
	for i, p := range ps {
		if rows.Col("game_id").Int64[i] != int64(i) || rows.Col("hash").Uint64[i] != p.Hash() || !rows.Col("result").IsNull(i) {
			t.Fatalf("row %d is not that of position %d", i, i)
		}
	}
}

// TestValuesAlone: without features the values, and all columns of the positions, are as with them.
func TestValuesAlone(t *testing.T) {
	ps := evaltest.RandomPlay(chess.Start(), 2, 60, 9)
	positions := dataset(t, ps)
	p := Params{Search: []string{"static", "quiescence"}}
	want, _ := run(t, positions, 1, p)
	p.ValuesAlone = true
	got, d := run(t, positions, 1, p)
	if n := len(positionsTable().Columns) + 2; len(got.Cols) != n || got.Rows != len(ps) || d.Manifest.Meta["groups"] != "" {
		t.Fatalf("%d rows of %d columns, groups %q; want %d of %d, none", got.Rows, len(got.Cols), d.Manifest.Meta["groups"], len(ps), n)
	}
	for i := range got.Cols {
		if !reflect.DeepEqual(got.Cols[i], want.Cols[i]) {
			t.Errorf("column %s differs", got.Cols[i].Column.Name)
		}
	}
}

// Every depth has its column; a variation leads to its leaf, whose static value is the
// value.
func TestDepthsAndVariations(t *testing.T) {
	ps := evaltest.RandomPlay(chess.Start(), 1, 60, 9)
	positions := dataset(t, ps)
	rows, d := run(t, positions, 2, Params{Search: []string{"quiescence", "depth:3"}, Variations: true})
	if want := "quiescence_value,depth_1_value,depth_2_value,depth_3_value"; d.Manifest.Meta["values"] != want || d.Manifest.Meta["leaf"] != "depth_3_value" {
		t.Errorf("meta %v", d.Manifest.Meta)
	}
	alone, _ := run(t, positions, 1, Params{Search: []string{"depth:2"}})
	rules, moved := chess.Rules{}, 0
	e, err := evalchess.New(evalchess.Default())
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range ps {
		if a, b := rows.Col("depth_2_value").Float32[i], alone.Col("depth_2_value").Float32[i]; a != b {
			t.Fatalf("row %d: %v to depth 2 on the way to 3, %v alone", i, a, b)
		}
		for _, search := range []string{"quiescence", "depth_1", "depth_2", "depth_3"} {
			leaf := p
			for _, text := range strings.Fields(string(rows.Col(search + "_pv").Value(i))) {
				m, err := rules.ParseMove(leaf, []byte(text))
				if err != nil {
					t.Fatalf("row %d, %s: %v", i, search, err)
				}
				leaf = leaf.Play(m)
				moved++
			}
			if board := rules.AppendBoard(nil, leaf); !bytes.Equal(board, rows.Col(search+"_leaf").Value(i)) {
				t.Fatalf("row %d, %s: the variation does not lead to the leaf", i, search)
			}
			v := rows.Col(search + "_value").Float32[i]
			if leaf.Outcome() == games.Undecided && v != float32(e.Value(leaf))/eval.Grain {
				t.Fatalf("row %d, %s: value %v, at the leaf %v", i, search, v, float32(e.Value(leaf))/eval.Grain)
			}
		}
	}
	if moved < len(ps) {
		t.Errorf("%d moves in all variations", moved)
	}
}

func TestParams(t *testing.T) {
	for _, c := range []struct {
		search []string
		want   string
	}{
		{nil, "no search"},
		{[]string{"deep"}, `no search "deep"`},
		{[]string{"depth:0"}, "from 1 to 63"},
		{[]string{"depth:x"}, "from 1 to 63"},
		{[]string{"static", "static"}, "named twice"},
		{[]string{"depth:2", "depth:3"}, "give one depth:N"},
	} {
		if err := (Params{Search: c.search}).Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.search, err)
		}
	}
	if _, err := newPlan(chessGame, Params{Search: []string{"static"}, Zero: []string{"no_such"}}, schemas.Table{}); err == nil {
		t.Error("an unknown term was zeroed")
	}
	// Other weights are other labels.
	a, _ := json.Marshal(Params{Search: []string{"static"}, Eval: evalchess.Default()})
	m := evalchess.Default()
	m.Terms[0].Weights[0]++
	b, _ := json.Marshal(Params{Search: []string{"static"}, Eval: m})
	if bytes.Equal(a, b) {
		t.Error("the parameters do not tell two models apart")
	}
}
