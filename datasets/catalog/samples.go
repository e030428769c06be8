package catalog

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Sample is a small database bundled with the program.
type Sample struct {
	Name    string `toml:"name"`
	Game    string `toml:"game"`
	File    string `toml:"file"` // the name to give it
	Games   int    `toml:"games"`
	Licence string `toml:"licence"`
	About   string `toml:"about"`
	Data    []byte `toml:"-"` // the file's content
}

//go:embed samples/samples.toml samples/*.zst
var samples embed.FS

// Samples returns the bundled databases, in the order of samples/samples.toml, by name.
func Samples() ([]Sample, error) {
	text, err := samples.ReadFile("samples/samples.toml")
	if err != nil {
		return nil, err
	}
	var list struct {
		Sample []Sample `toml:"sample"`
	}
	d := toml.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, fmt.Errorf("the list of samples: %w", err)
	}
	for i := range list.Sample {
		s := &list.Sample[i]
		if s.Data, err = samples.ReadFile(path.Join("samples", s.File)); err != nil {
			return nil, fmt.Errorf("the list of samples: %w", err)
		}
	}
	return list.Sample, nil
}

// FindSample returns the sample of that name; the error lists the names.
func FindSample(name string) (Sample, error) {
	all, err := Samples()
	if err != nil {
		return Sample{}, err
	}
	var names []string
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Sample{}, fmt.Errorf("no sample %q: want one of %s", name, strings.Join(names, ", "))
}
