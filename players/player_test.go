package players_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kifu/eval"
	"kifu/players"
)

func weights() *eval.Model {
	return &eval.Model{
		Game: "checkers", Name: "learned", Unit: "centimen", Stages: []string{"all"}, Knots: []int{0},
		Terms: []eval.Term{{Name: "man", Group: "material", Weights: []float64{100}}, {Name: "king", Group: "material", Weights: []float64{160.5}}},
	}
}

// TestTOML: a player and its weights are read as they were written.
func TestTOML(t *testing.T) {
	for _, s := range []players.Player{
		{Game: "checkers", Name: `M. "Tin\sley"`, Depth: 6, Temperature: 0.42, Lapse: 0.003, Weights: "weights.toml", Eval: weights()},
		{Game: "checkers", Depth: 1, Weights: "w/other.toml", Quiescence: true, Eval: weights()},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "w"), 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, players.File)
		for path, text := range map[string]func() ([]byte, error){file: s.TOML, filepath.Join(dir, s.Weights): s.Eval.TOML} {
			data, err := text()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := players.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&s, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const head = "game = \"checkers\"\ndepth = 3\nweights = \"weights.toml\"\n"
	for text, want := range map[string]string{
		head + "temprature = 1.0":                                         `line 4: unknown key "temprature": did you mean temperature?`,
		head + "[quiescence]\nx = 1":                                      "quiescence",
		head + "lapse = 2.0":                                              "lapse: 2: a share",
		head + "temperature = -1.0":                                       "temperature: -1",
		head + "temperature = nan":                                        "temperature: NaN",
		head + "temperature = \"hot\"":                                    "line 4",
		head + "depth = 4":                                                "line 4",
		head + "player = ":                                                "line 4",
		"game = \"checkers\"\nweights = \"weights.toml\"":                 "depth: it is missing",
		"depth = 3\nweights = \"weights.toml\"":                           "game: it is missing",
		"game = \"checkers\"\ndepth = 3":                                  "weights: it is missing",
		"game = \"checkers\"\ndepth = 0\nweights = \"weights.toml\"":      "depth: 0",
		"game = \"checkers\"\ndepth = 3\nweights = \"none.toml\"":         "none.toml",
		"game = \"chess\"\ndepth = 3\nweights = \"weights.toml\"":         `it is "chess", but`,
		"game = \"checkers\"\ndepth = 3\nweights = \"broken.toml\"":       "broken.toml: line 1",
		"game = \"checkers\"\ndepth = 3.5\nweights = \"weights.toml\"":    "line 2",
		"game = \"checkers\"\ndepth = 9e99\nweights = \"weights.toml\"":   "line 2",
		"game = \"checkers\"\ndepth = 3\nweights = [\"a\"]\nlapse = 0.25": "line 3",
	} {
		dir := t.TempDir()
		w, err := weights().TOML()
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string]string{"weights.toml": string(w), "broken.toml": "weight = 1", players.File: text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err = players.Read(filepath.Join(dir, players.File))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%q: %v, want %q and the file's name", text, err, want)
		}
	}
	if _, err := players.Read(filepath.Join(t.TempDir(), "gone.toml")); err == nil || !strings.Contains(err.Error(), "gone.toml") {
		t.Errorf("no file: %v", err)
	}
}

// TestLargeModel: a file of forty thousand keys is refused before it is taken apart.
func TestLargeModel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "model.toml")
	text := "game = \"chess\"\ndepth = 1\nweights = \"weights.toml\"\n"
	for i := range 40000 {
		text += fmt.Sprintf("k%d = 1\n", i)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := players.Read(file); err == nil || !strings.Contains(err.Error(), "too long: want 16 KiB at most") {
		t.Error(err)
	}
}
