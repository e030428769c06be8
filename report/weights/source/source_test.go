package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/eval"
)

// model has names that the languages reserve, arrays with gaps, squares, and a number that is no count.
func model() *eval.Model {
	return &eval.Model{Game: "other", Name: "mine", Unit: "centipawns", Stages: []string{"mg", "eg"}, Knots: []int{24, 0},
		Terms: []eval.Term{
			{Name: "BishopPair", Group: "pairs", Weights: []float64{30.4, 50.5}},
			{Name: "double", Group: "pairs", Weights: []float64{-9.5, -0.2}},
			{Name: "knight_0", Group: "mobility", Weights: []float64{-20, -30}},
			{Name: "knight_2", Group: "mobility", Weights: []float64{1, 2}},
			{Name: "alone_7", Group: "mobility", Weights: []float64{4}},
			{Name: "pawn_a2", Group: "pst", Weights: []float64{11, 12}},
			{Name: "pawn_h7", Group: "pst", Weights: []float64{13, 14}},
		},
		Reals: []eval.Real{{Name: "king-danger", Weight: -0.125}}}
}

func text(t *testing.T, format string, m *eval.Model, p Params) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, format, m, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// printed is what the programs in C and Rust print of the weights.
const printed = "30 51 -10 0 -20 1 2 4 4 3 11 12 13 14 -0.125"

// TestCompiles lets compilers read what is written, and print some weights.
func TestCompiles(t *testing.T) {
	for _, c := range []struct{ compiler, file, format, program string }{
		{"cc", "w.c", "c", `#include <stdio.h>
			int main(void) { printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %g", BishopPair.mg, BishopPair.eg, double_.mg, double_.eg, knight[0].mg, knight[2].mg, knight[2].eg,
			alone_7.mg, alone_7.eg, (int)(sizeof knight / sizeof *knight), pawn[8].mg, pawn[8].eg, pawn[55].mg, pawn[55].eg, king_danger); }`},
		{"rustc", "w.rs", "rust", `fn main() { print!("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", BISHOPPAIR.0, BISHOPPAIR.1, DOUBLE.0, DOUBLE.1, KNIGHT[0].0, KNIGHT[2].0, KNIGHT[2].1,
			ALONE_7.0, ALONE_7.1, KNIGHT.len(), PAWN[8].0, PAWN[8].1, PAWN[55].0, PAWN[55].1, KING_DANGER) }`},
	} {
		t.Run(c.compiler, func(t *testing.T) {
			if _, err := exec.LookPath(c.compiler); err != nil {
				t.Skip("no " + c.compiler)
			}
			dir := t.TempDir()
			source, program := filepath.Join(dir, c.file), filepath.Join(dir, "program")
			if err := os.WriteFile(source, []byte(text(t, c.format, model(), Params{Times: 1})+c.program), 0o666); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(c.compiler, "-o", program, source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			out, err := exec.Command(program).Output()
			if err != nil || string(out) != printed {
				t.Errorf("%v: printed %q, want %q", err, out, printed)
			}
		})
	}
}

// TestOneStage writes plain numbers, with decimals and in another unit.
func TestOneStage(t *testing.T) {
	m := &eval.Model{Game: "other", Name: "mine", Unit: "pawns", Stages: []string{"all"}, Knots: []int{0}, Terms: []eval.Term{{Name: "tempo", Group: "g", Weights: []float64{0.25}}}}
	for format, want := range map[string]string{"c": "static const double tempo = 0.50;", "rust": "pub const TEMPO: f64 = 0.50;", "toml": "tempo = 0.50", "json": `"tempo": [0.50]`, "uci": "setoption name tempo value 0.50"} {
		if got := text(t, format, m, Params{Times: 2, Decimals: 2}); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", format, want, got)
		}
	}
}

func TestFormats(t *testing.T) {
	read := struct {
		Weights map[string]map[string][]float64
	}{}
	if err := json.Unmarshal([]byte(text(t, "json", model(), Params{Times: 1, Decimals: 1})), &read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{30.4, 50.5}, read.Weights["pairs"]["BishopPair"]); diff != "" || len(read.Weights["pst"]) != 2 {
		t.Errorf("%s%v", diff, read)
	}
	m, err := eval.ReadModel(strings.NewReader(text(t, "toml", model(), Params{Times: 1})))
	if diff := cmp.Diff(model(), m); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	if got := text(t, "uci", model(), Params{Times: 1}); !strings.HasPrefix(got, "setoption name BishopPair_mg value 30\nsetoption name BishopPair_eg value 51\n") {
		t.Error(got)
	}
	var b bytes.Buffer
	if err := Template(&b, "{{range .Groups}}{{range .Arrays}}{{.Name}} {{len .Entries}};{{end}}{{end}}", model(), Params{Times: 1}); err != nil || b.String() != "BishopPair 1;double 1;knight 3;alone_7 1;pawn 64;" {
		t.Error(b.String(), err)
	}
	if err := Write(&b, "go", model(), Params{Times: 1}); err == nil {
		t.Error("a format that there is not was taken")
	}
}

// TestPatch changes numbers in sources of several languages, and nothing else.
func TestPatch(t *testing.T) {
	for name, c := range map[string]struct{ was, want string }{
		"c": {"// BishopPair = 1\nint use() { return BishopPair + 3 == 4 ? Double : 2; }\nconst Score BishopPair = S(1, -2); /* double = 3 */\n#define DOUBLE S(5, 6)\nScore Knight[4] = {\n\tS(1,2), S(3,4),\n\tS(5,6), S(7,8) };\n",
			"// BishopPair = 1\nint use() { return BishopPair + 3 == 4 ? Double : 2; }\nconst Score BishopPair = S(30, 51); /* double = 3 */\n#define DOUBLE S(-10, 0)\nScore Knight[4] = {\n\tS(-20,-30), S(3,4),\n\tS(1,2), S(7,8) };\n"},
		"rust":      {"pub const BISHOP_PAIR: [i32; 2] = [7, 8];\nconst DOUBLE: S = S::new(3.0, 4.00);\n", "pub const BISHOP_PAIR: [i32; 2] = [30, 51];\nconst DOUBLE: S = S::new(-9.5, -0.20);\n"},
		"json":      {`{"unit": "x", "bishop_pair": [1, 2], "double": [3, 4]}`, `{"unit": "x", "bishop_pair": [30, 51], "double": [-10, 0]}`},
		"toml":      {"# double = 3\nbishop_pair = [1.0, 2]\ndouble = [3, 4] # five\n", "# double = 3\nbishop_pair = [30.4, 51]\ndouble = [-10, 0] # five\n"},
		"by stages": {"int mg_double = 3;\nint eg_double = 4;\nint pawn_mg[64] = {" + numbers(64) + "};\nint pawn_eg[64] = {" + numbers(64) + "};", ""},
	} {
		got, done, err := Patch([]byte(c.was), model(), Params{Times: 1})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.want == "" {
			c.want = strings.NewReplacer("mg_double = 3", "mg_double = -10", "eg_double = 4", "eg_double = 0").Replace(c.was)
			mg, eg, _ := strings.Cut(c.want, "pawn_eg")
			c.want = strings.NewReplacer(" 8,", " 11,", " 55,", " 13,").Replace(mg) + "pawn_eg" + strings.NewReplacer(" 8,", " 12,", " 55,", " 14,").Replace(eg)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(done.Missing) == 0 || done.Numbers == 0 {
			t.Errorf("%s: %+v", name, done)
		}
	}
}

// numbers returns 0, 1, … n-1.
func numbers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " %d,", i)
	}
	return b.String()
}

func TestPatchAdds(t *testing.T) {
	m := model()
	m.Corrections = true
	got, done, err := Patch([]byte("BishopPair = S(10, 10);"), m, Params{Times: 10})
	if err != nil || string(got) != "BishopPair = S(314, 515);" || done.Numbers != 2 {
		t.Errorf("%q %+v %v", got, done, err)
	}
}

func TestPatchRefuses(t *testing.T) {
	for was, want := range map[string]string{
		"\nBishopPair = S(1);":                    "line 2 gives BishopPair 1 numbers: want 2",
		"BishopPair = 1, 2;\nbishop_pair = [3,4]": "lines 1 and 2 both give BishopPair numbers",
		"int double_mg = 3;":                      "double has numbers for 1 of the stages mg, eg",
	} {
		if _, _, err := Patch([]byte(was), model(), Params{Times: 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", was, err, want)
		}
	}
	if _, _, err := Patch(nil, &eval.Model{Network: []float32{1}}, Params{Times: 1}); err == nil {
		t.Error("a network has no names")
	}
}
