package play

import (
	"encoding/json"

	"kifu/eval"
	"kifu/internal/checksum"
	"kifu/internal/lists"
	"kifu/search/engine"
)

// Player describes a player's way of finding moves as data.
type Player struct {
	Text string // its name in the games: the words that Parse read, or their name=
	// Depth of its search, with quiescence at the leaves unless Plain; 0 for a player that
	// does not search.
	Depth int
	Plain bool
	// Random is the share of its moves sampled from all legal ones; 1 for a random player.
	Random float64
	// Temperature, in the evaluator's unit, makes it sample moves, preferring better ones:
	// 0 always plays the best.
	Temperature float64
	Weights
	// ModelFile is the model.toml of the player, empty for none.
	ModelFile string
	// BookFile is the EPD file whose moves it plays, empty for none; Book is its text.
	BookFile, Book string
	// MStar makes it search with a model of its opponent, nil for none.
	MStar *MStar
	// Human makes it choose moves as people do, nil for none.
	Human *Human
	// Outside is a program that finds its moves, nil for none.
	Outside *Outside
}

// Weights are an evaluation function as data.
type Weights struct {
	// EvalFile is the source of the weights, empty for the default ones. Zero are the terms and groups with
	// weight 0. Pseudo, if not nil, is the seed from which all weights are sampled instead. Eval is the
	// resulting model; nil: the game's default for players.
	EvalFile string
	Zero     []string
	Pseudo   *uint64
	Eval     *eval.Model
	// Weaken is the absolute value from which the function returns 0, in its unit (f^a of
	// Carmel and Markovitch); 0: it is not weakened.
	Weaken float64
}

// MStar configures a search with a model of the opponent.
type MStar struct {
	Modified bool // the model decides only the replies to the moves at the root
	// ModelFile is the model.toml of the opponent, empty for none. Model is the model from
	// it or from the words; nil: none before the player has learned one.
	ModelFile string
	Model     *Model
	// Every is the number of games against an opponent after which it is learned again; 0:
	// never.
	Every int
}

// Model is a model of an opponent: a strategy without quiescence.
type Model struct {
	Depth int
	Weights
}

// MarshalJSON returns the JSON of everything a player's moves depend on, and its name.
func (p Player) MarshalJSON() ([]byte, error) {
	form := struct {
		Name        string  `json:"name"`
		Depth       int     `json:"depth,omitempty"`
		Plain       bool    `json:"plain,omitempty"`
		Random      float64 `json:"random,omitempty"`
		Temperature float64 `json:"temperature,omitempty"`
		weightsKey
		Book       string         `json:"book,omitempty"` // its checksum
		Modified   bool           `json:"modified,omitempty"`
		ModelDepth int            `json:"model_depth,omitempty"`
		Model      *weightsKey    `json:"model,omitempty"`
		Every      int            `json:"relearn,omitempty"`
		Human      string         `json:"human,omitempty"` // the key of its model
		Rating     float64        `json:"rating,omitempty"`
		Protocol   string         `json:"protocol,omitempty"`
		Program    string         `json:"program,omitempty"`
		Arguments  []string       `json:"arguments,omitempty"`
		Limits     *engine.Limits `json:"limits,omitempty"`
		Options    []string       `json:"options,omitempty"`
	}{Name: p.Text, Depth: p.Depth, Plain: p.Plain, Random: p.Random, Temperature: p.Temperature}
	var err error
	if form.weightsKey, err = p.Weights.key(); err != nil {
		return nil, err
	}
	if p.Book != "" {
		form.Book = checksum.Bytes([]byte(p.Book))
	}
	if h := p.Human; h != nil && h.Model != nil {
		form.Rating = h.Rating
		if form.Human, err = h.Model.Key(); err != nil {
			return nil, err
		}
	}
	if m := p.MStar; m != nil {
		form.Modified, form.Every = m.Modified, m.Every
		form.Protocol = "mstar"
		if m.Model != nil {
			key, err := m.Model.key()
			if err != nil {
				return nil, err
			}
			form.ModelDepth, form.Model = m.Model.Depth, &key
		}
	}
	if o := p.Outside; o != nil {
		form.Protocol, form.Program, form.Limits = o.Protocol, o.Name, &o.Config.Limits
		if len(o.Config.Command) > 1 {
			form.Arguments = o.Config.Command[1:]
		}
		form.Options = lists.Of(o.Config.Options, engine.Option.String)
	}
	return json.Marshal(form)
}

// weightsKey identifies weights in hashes: the model by its name and the checksum of its
// weights.toml.
type weightsKey struct {
	Evaluator string  `json:"evaluator,omitempty"`
	Weaken    float64 `json:"weaken,omitempty"`
}

func (w Weights) key() (weightsKey, error) {
	k := weightsKey{Weaken: w.Weaken}
	if w.Eval == nil {
		return k, nil
	}
	var err error
	k.Evaluator, err = w.Eval.Key()
	return k, err
}

// Control returns the text of a player's time control, as the tag TimeControl has it; empty
// for a player without one.
func (p *Player) Control() string {
	switch {
	case p.Outside == nil || !p.Outside.Config.Limits.Timed():
		return ""
	case p.Outside.Config.Limits.Strict:
		return engine.TimeControl{Base: p.Outside.Config.Limits.MoveTime}.String() + "/move"
	}
	return p.Outside.Config.Limits.Clock.String()
}

// Limits returns the limits of an outside program, none for other players.
func (p *Player) Limits() engine.Limits {
	if p.Outside == nil {
		return engine.Limits{}
	}
	return p.Outside.Config.Limits
}

func (p Player) Relearns() bool { return p.MStar != nil && p.MStar.Every > 0 }
