// Package players reads and writes a player's way of finding moves: model.toml, with a
// weights.toml next to it. learn writes it for an opponent, and match plays and searches
// with it.
//
//	game = "checkers"
//	player = "Tinsley"
//	depth = 6
//	temperature = 0.42
//	lapse = 0.0
//	weights = "weights.toml"
//	quiescence = false
//
// A player uses a strategy of Carmel and Markovitch ("Learning Models of Opponent's Strategy in Game
// Playing", 1993, definition 1): a linear evaluation function and a fixed depth. The choice is noisy: with
// probability lapse any legal move, else move i with probability proportional to exp(value i / temperature).
//
// The package only checks the file for consistency. Callers that play it check that the game is known, that
// its evaluator accepts the weights, and that the search reaches the depth.
package players

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"kifu/eval"
	"kifu/internal/bounded"
	"kifu/internal/edits"
)

// Names of the files into which a stage writes a player.
const (
	File    = "model.toml"
	Weights = "weights.toml"
)

// Player is a player as data: model.toml and the weights that it names.
type Player struct {
	Game  string `toml:"game"`   // as Rules.Name
	Name  string `toml:"player"` // name of the modelled player; may be empty
	Depth int    `toml:"depth"`  // plies of look-ahead, its own move included; from 1
	// Temperature of the choice, in the evaluator's unit; 0 always gives a best move.
	Temperature float64 `toml:"temperature"`
	Lapse       float64 `toml:"lapse"` // share of random moves, sampled from all legal ones, 0 to 1
	// Weights is the path of the weights.toml, with slashes between folders, as written in
	// the file: a relative path starts from the file's own folder.
	Weights string `toml:"weights"`
	// Quiescence enables quiescence search at the leaves. The strategies of the paper do not
	// use it.
	Quiescence bool `toml:"quiescence"`
	// Eval holds the contents of Weights, with the terms in the order of that file.
	// eval.Model.Fill puts them into an evaluator's own order.
	Eval *eval.Model `toml:"-"`
}

// keys are the keys of the file, with whether each is required.
var keys = []struct {
	name     string
	required bool
}{{"game", true}, {"player", false}, {"depth", true}, {"temperature", false}, {"lapse", false}, {"weights", true}, {"quiescence", false}}

// Read reads the player in the file and its weights. Errors name the file, and the line or
// the key.
func Read(file string) (*Player, error) {
	data, err := bounded.ReadFile(file, bounded.Settings)
	if err != nil {
		return nil, fmt.Errorf("reading a strategy: %w", err)
	}
	s, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	weights := filepath.FromSlash(s.Weights)
	if !filepath.IsAbs(weights) {
		weights = filepath.Join(filepath.Dir(file), weights)
	}
	f, err := os.Open(weights)
	if err != nil {
		return nil, fmt.Errorf("%s: weights: %w", file, err)
	}
	defer f.Close()
	if s.Eval, err = eval.ReadModel(f); err != nil {
		return nil, fmt.Errorf("%s: %w", weights, err)
	}
	if s.Eval.Game != "" && s.Eval.Game != s.Game {
		return nil, fmt.Errorf("%s: game: it is %q, but %s has weights for %q", file, s.Game, weights, s.Eval.Game)
	}
	return s, nil
}

// decode reads all but the weights.
func decode(data []byte) (*Player, error) {
	var given map[string]any
	if err := toml.Unmarshal(data, &given); err != nil {
		return nil, place(err)
	}
	s := &Player{}
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(s); err != nil {
		return nil, place(err)
	}
	for _, k := range keys {
		if _, ok := given[k.name]; k.required && !ok {
			return nil, fmt.Errorf("%s: it is missing", k.name)
		}
	}
	return s, s.Validate()
}

// place prefixes an error of the decoder with the line and the key.
func place(err error) error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		e := strict.Errors[0]
		line, _ := e.Position()
		name := strings.Join(e.Key(), ".")
		return fmt.Errorf("line %d: unknown key %q%s", line, name, edits.Meant(name, keyNames()))
	}
	if syntax, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := syntax.Position()
		if key := strings.Join(syntax.Key(), "."); key != "" {
			return fmt.Errorf("line %d: %s: %w", line, key, err)
		}
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

func keyNames() []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// Validate returns an error for the first key with an invalid value.
func (s *Player) Validate() error {
	switch {
	case s.Game == "":
		return errors.New("game: it is empty")
	case s.Depth < 1:
		return fmt.Errorf("depth: %d: from 1 ply", s.Depth)
	case !(s.Temperature >= 0) || math.IsInf(s.Temperature, 1):
		return fmt.Errorf("temperature: %v: 0 (always a best move) or more, in the evaluator's unit", s.Temperature)
	case !(s.Lapse >= 0 && s.Lapse <= 1):
		return fmt.Errorf("lapse: %v: a share from 0 to 1", s.Lapse)
	case s.Weights == "":
		return errors.New("weights: it is empty: name a weights.toml")
	}
	return nil
}

// TOML returns s as a model.toml, which Read reads back.
func (s *Player) TOML() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, k := range []struct {
		name  string
		value any
	}{{"game", s.Game}, {"player", s.Name}, {"depth", s.Depth}, {"temperature", Round(s.Temperature)},
		{"lapse", Round(s.Lapse)}, {"weights", s.Weights}, {"quiescence", s.Quiescence}} {
		line, err := toml.Marshal(map[string]any{k.name: k.value})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.name, err)
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}

// Round rounds a number as files of players hold it, to six digits: more are noise.
func Round(x float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	if err != nil {
		return x
	}
	return short
}
