package eval

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"kifu/games"
)

// Game holds what the stages need of a game: its rules and its evaluator.
type Game[P games.Position[P]] struct {
	Rules games.Rules[P]
	// NewEvaluator returns an evaluator of the game's terms with the weights of a model;
	// terms that the model lacks get their default weights.
	NewEvaluator func(*Model) (Evaluator[P], error)
	// Default returns the default model, of counted terms, which the caller may change.
	Default func() *Model
	// Play returns the model to play and to value positions by where none is named, which the
	// caller may change; nil: Default.
	Play func() (*Model, error)
}

// Counted is the word for the default model of counted terms, instead of a file.
const Counted = "terms"

// Playing returns the model to play and to value positions by where none is named.
func (g Game[P]) Playing() (*Model, error) {
	if g.Play == nil {
		return g.Default(), nil
	}
	return g.Play()
}

// Model returns the model described by a weights.toml: all terms of the game's evaluator in
// their order, missing ones with their default weights. A nil text means the default model.
func (g Game[P]) Model(text []byte) (*Model, error) {
	if text == nil {
		return g.Default(), nil
	}
	m, err := ReadModel(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	e, err := g.NewEvaluator(m)
	if err != nil {
		return nil, err
	}
	return e.Model(), nil
}

// Checksum returns "sha256:" and the SHA-256 of the model's weights.toml in hexadecimal.
func (m *Model) Checksum() (string, error) {
	text, err := m.TOML()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(text)), nil
}

// Key returns the identity of the model in keys of datasets: its name and its Checksum;
// "default" for nil, the default model of a game.
func (m *Model) Key() (string, error) {
	if m == nil {
		return "default", nil
	}
	sum, err := m.Checksum()
	if err != nil {
		return "", err
	}
	return m.Name + " " + sum, nil
}

// MarshalJSON returns the Key as JSON: a model is that alone in the parameters that are hashed into a dataset's
// key. A nil model is null.
func (m *Model) MarshalJSON() ([]byte, error) {
	key, err := m.Key()
	if err != nil {
		return nil, err
	}
	return json.Marshal(key)
}

// AddTables calls add for each file that holds the model's tables, by name; a model without
// tables, or whose tables are elsewhere, has none.
func (m *Model) AddTables(add func(name string, data []byte) error) error {
	if m.Tables == nil {
		return nil
	}
	files, err := m.Tables.Files()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := add(name, files[name]); err != nil {
			return err
		}
	}
	return nil
}
