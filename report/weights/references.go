package weights

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	toml "github.com/pelletier/go-toml/v2"

	"kifu/internal/bounded"
	"kifu/internal/lists"
)

// Reference is a list of weights to compare fits with: values of the literature, or the weights file of
// an evaluator.
type Reference struct {
	Game   string   `json:"game" toml:"game"`
	Name   string   `json:"name" toml:"name"`
	Unit   string   `json:"unit" toml:"unit"`
	Source string   `json:"source,omitempty" toml:"source"` // where the values are printed
	Stages []string `json:"stages,omitempty" toml:"stages"` // of values that are lists
	// Weights are by group and term: one value for all stages, or one a stage.
	Weights map[string]map[string][]float64 `json:"weights" toml:"-"`
}

//go:embed references
var references embed.FS

// Literature are the names of the bundled references.
func Literature() []string {
	var names []string
	files, err := fs.Glob(references, "references/*.toml")
	if err != nil {
		panic(err) // the pattern is right
	}
	names = append(names, lists.Of(files, func(f string) string { return strings.TrimSuffix(path.Base(f), ".toml") })...)
	return names
}

// ReadReference reads a reference by its name, or a weights file by its path.
func ReadReference(name string) (Reference, error) {
	text, err := references.ReadFile("references/" + name + ".toml")
	if err != nil {
		text, err = bounded.ReadFile(name, bounded.Study)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return Reference{}, fmt.Errorf("%s is neither a weights file nor one of %s", name, strings.Join(Literature(), ", "))
	}
	if err != nil {
		return Reference{}, err
	}
	r, err := parseReference(text)
	if err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func parseReference(text []byte) (Reference, error) {
	r := Reference{Weights: map[string]map[string][]float64{}}
	if err := toml.Unmarshal(text, &r); err != nil {
		return r, err
	}
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		return r, err
	}
	for group, table := range all {
		terms, ok := table.(map[string]any)
		if !ok {
			continue
		}
		r.Weights[group] = map[string][]float64{}
		for term, value := range terms {
			values, ok := numbers(value)
			if !ok || len(values) != 1 && len(values) != len(r.Stages) {
				return r, fmt.Errorf("%s.%s: want a number, or one for each of %d stages", group, term, len(r.Stages))
			}
			r.Weights[group][term] = values
		}
	}
	if r.Name == "" || r.Unit == "" || len(r.Weights) == 0 {
		return r, errors.New("want name, unit, and groups of weights")
	}
	return r, nil
}

func numbers(value any) ([]float64, bool) {
	switch v := value.(type) {
	case int64:
		return []float64{float64(v)}, true
	case float64:
		return []float64{v}, true
	case []any:
		var all []float64
		for _, x := range v {
			one, ok := numbers(x)
			if !ok || len(one) != 1 {
				return nil, false
			}
			all = append(all, one[0])
		}
		return all, true
	}
	return nil, false
}

// value is the reference's value of a weight.
func (r *Reference) value(l Line) (float64, bool) {
	values := r.Weights[l.Group][l.Term]
	if len(values) == 1 {
		return values[0], true
	}
	for i, stage := range r.Stages {
		if stage == l.Stage && i < len(values) {
			return values[i], true
		}
	}
	return 0, false
}

// goesWith sees that r is of the same game and unit as the fits, and has one of their
// weights.
func (r *Reference) goesWith(w *Report) error {
	if r.Game != "" && r.Game != w.Fits[0].Game {
		return fmt.Errorf("reference %s is of %s, the fits are of %s", r.Name, r.Game, w.Fits[0].Game)
	}
	if r.Unit != w.Unit {
		return fmt.Errorf("reference %s is in %s, the fits are in %s", r.Name, r.Unit, w.Unit)
	}
	for _, l := range w.Lines {
		if _, ok := r.value(l); ok {
			return nil
		}
	}
	return fmt.Errorf("reference %s has none of the fitted weights", r.Name)
}

// addLiterature adds the published weights that go with the fits.
func (w *Report) addLiterature() error {
	for _, name := range Literature() {
		r, err := ReadReference(name)
		if err != nil {
			return err
		}
		if r.goesWith(w) == nil {
			w.References = append(w.References, r)
		}
	}
	return nil
}
