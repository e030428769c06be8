package choose

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pelletier/go-toml/v2"

	"kifu/eval"
	"kifu/internal/bounded"
	"kifu/internal/clogit"
	"kifu/internal/lists"
	"kifu/players"
	"kifu/players/shapes"
)

// Names of the files that hold a model.
const (
	File    = "model.toml"
	Weights = "weights.toml" // of the values; only with a depth
	Shapes  = "shapes.bin"   // only with shapes
)

// form is model.toml.
type form struct {
	Game     string        `toml:"game"`
	Chooses  string        `toml:"chooses"` // "human"
	Depth    int           `toml:"depth"`
	Ratings  []float64     `toml:"ratings"`
	Clocks   bool          `toml:"clocks"`
	Phases   []float64     `toml:"phases"`
	Weights  string        `toml:"weights,omitempty"`
	Shapes   string        `toml:"shapes,omitempty"`
	Contexts []string      `toml:"contexts"`
	Features []featureForm `toml:"features"`
}

type featureForm struct {
	Name    string    `toml:"name"`
	Weights []float64 `toml:"weights"`
	Pairs   []float64 `toml:"pairs,omitempty"` // its clogit.Rank numbers
}

// human is the value of the key chooses.
const human = "human"

// mostFile is the largest file of a model that is read: shapes may be many.
const mostFile = 4 << 30

// Files returns the files that hold m, by name.
func (m *Model) Files() (map[string][]byte, error) {
	of := m.Contexts()
	f := form{Game: m.Game, Chooses: human, Depth: m.Depth, Ratings: m.Ratings, Clocks: m.Clocks, Phases: m.Phases[:], Contexts: of}
	files := map[string][]byte{}
	var err error
	if m.Depth > 0 {
		f.Weights = Weights
		if files[Weights], err = m.Eval.TOML(); err != nil {
			return nil, err
		}
		if err := m.Eval.AddTables(func(name string, data []byte) error { files[name] = data; return nil }); err != nil {
			return nil, err
		}
	}
	if m.Shapes != nil {
		f.Shapes = Shapes
		if files[Shapes], err = m.Shapes.AppendBinary(nil); err != nil {
			return nil, err
		}
	}
	for i, name := range m.Features {
		one := featureForm{Name: name}
		for _, w := range m.Weights[i*len(of) : (i+1)*len(of)] {
			one.Weights = append(one.Weights, players.Round(w))
		}
		if m.Pairs != nil {
			one.Pairs = lists.Of(m.Pairs[i][:], players.Round)
		}
		f.Features = append(f.Features, one)
	}
	files[File], err = toml.Marshal(f)
	return files, err
}

// Key returns "sha256:" and the SHA-256 of all files.
func (m *Model) Key() (string, error) {
	files, err := m.Files()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		sum.Write(files[name])
	}
	return fmt.Sprintf("sha256:%x", sum.Sum(nil)), nil
}

// Round rounds the weights and the pairs as a file holds them.
func (m *Model) Round() {
	for i, w := range m.Weights {
		m.Weights[i] = players.Round(w)
	}
	for f := range m.Pairs {
		for k, v := range m.Pairs[f] {
			m.Pairs[f][k] = players.Round(v)
		}
	}
}

// Read reads the model in a file, and the files that it names. Errors name the file.
func Read(file string) (*Model, error) {
	data, err := bounded.ReadFile(file, bounded.Weights)
	if err != nil {
		return nil, fmt.Errorf("reading a model of human moves: %w", err)
	}
	var f form
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&f); err != nil || f.Chooses != human {
		return nil, fmt.Errorf("%s is not a model of human moves: give the %s that kifu human made", file, File)
	}
	m := &Model{Game: f.Game, Depth: f.Depth, Ratings: f.Ratings, Clocks: f.Clocks}
	copy(m.Phases[:], f.Phases)
	for _, one := range f.Features {
		m.Features, m.Weights = append(m.Features, one.Name), append(m.Weights, one.Weights...)
	}
	if err := m.check(&f); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(f.Features) > 0 && f.Features[0].Pairs != nil {
		m.Pairs = lists.Of(f.Features, func(one featureForm) (v [clogit.Rank]float64) { copy(v[:], one.Pairs); return v })
	}
	beside := func(name string) string { return filepath.Join(filepath.Dir(file), filepath.Base(name)) }
	if f.Weights != "" {
		r, err := os.Open(beside(f.Weights))
		if err != nil {
			return nil, fmt.Errorf("%s: weights: %w", file, err)
		}
		defer r.Close()
		if m.Eval, err = eval.ReadModel(r); err != nil {
			return nil, fmt.Errorf("%s: %w", beside(f.Weights), err)
		}
	}
	if f.Shapes != "" {
		data, err := bounded.ReadFile(beside(f.Shapes), mostFile)
		if err != nil {
			return nil, fmt.Errorf("%s: shapes: %w", file, err)
		}
		if m.Shapes, err = shapes.Read(data); err != nil {
			return nil, fmt.Errorf("%s: %w", beside(f.Shapes), err)
		}
	}
	return m, nil
}

// check returns an error for what cannot be a model.
func (m *Model) check(f *form) error {
	switch {
	case m.Depth < 0 || (m.Depth > 0) != (f.Weights != ""):
		return fmt.Errorf("depth: %d, with weights %q", m.Depth, f.Weights)
	case len(f.Phases) != 2:
		return errors.New("phases: want two")
	case !slices.IsSorted(m.Ratings) || len(slices.Compact(slices.Clone(m.Ratings))) != len(m.Ratings):
		return fmt.Errorf("ratings: %v do not ascend", m.Ratings)
	case !slices.Equal(f.Contexts, m.Contexts()):
		return fmt.Errorf("contexts: want %q", m.Contexts())
	}
	for _, one := range f.Features {
		if len(one.Weights) != len(f.Contexts) {
			return fmt.Errorf("feature %q has %d weights: want one for each of %d contexts", one.Name, len(one.Weights), len(f.Contexts))
		}
		if n := len(one.Pairs); n != len(f.Features[0].Pairs) || n != 0 && n != clogit.Rank {
			return fmt.Errorf("feature %q has %d numbers for its pairs: want %d, or no feature with any", one.Name, n, clogit.Rank)
		}
		for _, w := range slices.Concat(one.Weights, one.Pairs) {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				return fmt.Errorf("feature %q has weight %v", one.Name, w)
			}
		}
	}
	return nil
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
