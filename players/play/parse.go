package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kifu/internal/step"
	"kifu/search"
	"kifu/search/engine"
)

// Words lists the words that Parse reads, for messages.
const Words = "random, quiescence, depth=N, mstar, model=FILE, human model=FILE, uci:PROGRAM, usi:PROGRAM, gtp:PROGRAM or hub:PROGRAM"

// Parse reads a player: words followed by settings.
//
//	random                     any legal move
//	quiescence                 the move to the best value by quiescence: depth=1
//	depth=3                    fixed-depth alpha-beta with quiescence
//	depth=3 plain              without quiescence: a strategy of Carmel and Markovitch
//	model=FILE                 a strategy, with its temperature and lapse (model.toml)
//	human model=FILE rating=1500  moves drawn as people choose them (model.toml of kifu human)
//	depth=3 book=FILE          with the moves of an EPD file (bm) in its positions
//	mstar depth=6 model=FILE   M* with that model of the opponent; mstar-modified; or
//	                           with model-depth=, -eval=, -zero=, -weaken= instead
//	mstar depth=6 relearn=2    M* that learns its model after every two games
//	uci:stockfish depth=1      an outside program, with depth=, nodes=, movetime=, tc= or st=
//	                           and options of its own, Hash=16
//	"gtp:gnugo --mode gtp"     a program of Go, commands as options: level=1
//	"hub:scan hub" depth=4     a program of draughts
//	usi:gpsusi movetime=1s     a program of Shogi
//
// and for players that search: eval=FILE (weights), zero=GROUP,… (terms with weight 0),
// pseudorandom=SEED (weights sampled from -10 to 10), weaken=A (values of at least A count
// as 0), random=P (the share of random moves), temperature=T. Every player accepts
// name=NAME, its name in the games instead of its words. A word with blanks is put in
// double quotes.
func Parse(text string) (Player, error) {
	words, open := step.Split(text, `"`)
	p := Player{Text: strings.Join(strings.Fields(text), " ")}
	switch {
	case open != 0:
		return p, fmt.Errorf("player %q: a quote is not closed", text)
	case len(words) == 0:
		return p, errors.New("no player: want " + Words)
	}
	if name := repeated(words); name != "" && !strings.HasPrefix(words[0], "gtp:") { // GTP's are commands
		return p, fmt.Errorf("player %q: %s= is given twice: choose one (zero= takes several: zero=A,B)", text, name)
	}
	var err error
	if protocol, program, ok := strings.Cut(words[0], ":"); ok && starter(protocol) != nil {
		err = p.parseOutside(protocol, strings.Fields(program), words[1:])
	} else {
		err = p.parseOwn(words)
	}
	if err != nil {
		return p, fmt.Errorf("player %q: %w", text, err)
	}
	return p, nil
}

// repeated returns the first name before an = that an earlier word has, too; "" if none has.
func repeated(words []string) string {
	seen := map[string]bool{}
	for _, word := range words {
		name, _, is := strings.Cut(word, "=")
		if is && seen[name] {
			return name
		}
		seen[name] = seen[name] || is
	}
	return ""
}

// parseOwn reads a player that is not an outside program.
func (p *Player) parseOwn(words []string) error {
	for _, word := range words {
		if err := p.parseWord(word); err != nil {
			return err
		}
	}
	if p.Human != nil {
		return p.parseHuman()
	}
	switch searches := p.Depth > 0 || p.ModelFile != ""; {
	case p.ModelFile != "" && (p.Depth > 0 || p.Plain):
		return fmt.Errorf("%s sets the depth: omit depth= and plain", p.ModelFile)
	case p.MStar != nil:
		return p.checkMStar()
	case !searches && p.Random < 1:
		return errors.New("it needs a depth (depth=N)")
	case !searches && (p.EvalFile != "" || p.Zero != nil || p.Pseudo != nil || p.Weaken > 0 || p.Temperature > 0 || p.Plain):
		return errors.New("a random player has no evaluation")
	}
	return nil
}

// checkMStar decides what model= means: for a player that models, its opponent.
func (p *Player) checkMStar() error {
	switch m := p.MStar; {
	case p.Depth == 0:
		return errors.New("it needs a depth (depth=N)")
	case p.Temperature > 0:
		return errors.New("a player by M* plays its best move: omit temperature=")
	case m.ModelFile != "" && m.Model != nil:
		return fmt.Errorf("its opponent is modelled by %s and by other words: choose one", m.ModelFile)
	case m.ModelFile == "" && m.Model == nil && m.Every == 0:
		return errors.New("a player by M* needs a model of its opponent: model=FILE, model-depth=N or relearn=GAMES")
	case m.Model != nil && m.Model.Depth == 0:
		return errors.New("the model of its opponent needs a depth (model-depth=N)")
	case m.Every < 0:
		return errors.New("relearn= takes a non-negative number of games")
	}
	p.Plain = true
	return nil
}

func (p *Player) parseWord(word string) (err error) {
	name, value, _ := strings.Cut(word, "=")
	if setting, ok := strings.CutPrefix(name, "model-"); ok {
		return p.parseModel(setting, value)
	}
	known := true
	switch {
	case word == "random":
		p.Random = 1
	case word == "quiescence":
		p.Depth = 1
	case word == "human":
		p.Human = &Human{}
	case word == "plain":
		p.Plain = true
	case word == "mstar" || word == "mstar-modified":
		p.MStar = &MStar{Modified: word != "mstar", ModelFile: p.ModelFile}
		p.ModelFile = ""
	case value == "":
		known = false
	case name == "depth":
		p.Depth, err = parseDepth(value)
	case name == "random":
		if p.Random, err = strconv.ParseFloat(value, 64); err != nil || !(p.Random >= 0 && p.Random <= 1) {
			err = fmt.Errorf("random %q: want a share from 0 to 1", value)
		}
	case name == "temperature":
		p.Temperature, err = parsePositive(name, value)
	case name == "name":
		p.Text = value
	case name == "rating":
		err = p.parseRating(value)
	case name == "book":
		p.BookFile = value
	case name == "model" && p.MStar != nil:
		p.MStar.ModelFile = value
	case name == "model":
		p.ModelFile = value
	case name == "relearn" && p.MStar != nil:
		if p.MStar.Every, err = strconv.Atoi(value); err != nil || p.MStar.Every < 1 {
			err = fmt.Errorf("relearn %q: want a number of games", value)
		}
	default:
		known, err = p.Weights.parse(name, value)
	}
	if err == nil && !known {
		err = fmt.Errorf("%q is none of random, quiescence, depth=N, plain, human, rating=N, mstar, mstar-modified, model=FILE, relearn=GAMES (after mstar), book=FILE, random=SHARE, temperature=T, eval=FILE, zero=GROUP,…, pseudorandom=SEED, weaken=VALUE, name=NAME, and no program: uci:PROGRAM, usi:PROGRAM, gtp:PROGRAM or hub:PROGRAM", word)
	}
	return err
}

// parse reads a setting of the evaluation function, if name is one.
func (w *Weights) parse(name, value string) (known bool, err error) {
	switch name {
	case "eval":
		w.EvalFile = value
	case "zero":
		w.Zero = strings.Split(value, ",")
	case "pseudorandom":
		seed, fault := strconv.ParseUint(value, 10, 64)
		if w.Pseudo = &seed; fault != nil {
			err = fmt.Errorf("pseudorandom %q: want a seed, a number from 0", value)
		}
	case "weaken":
		w.Weaken, err = parsePositive(name, value)
	default:
		return false, nil
	}
	if err == nil && w.Pseudo != nil && w.EvalFile != "" {
		err = errors.New("its weights come from a file or from a seed: choose one")
	}
	return true, err
}

// parseModel reads a word about the opponent's model: model-depth=4.
func (p *Player) parseModel(name, value string) (err error) {
	if p.MStar == nil {
		return fmt.Errorf("model-%s is for a player that models its opponent: put mstar before it", name)
	}
	p.MStar.Model = cmp.Or(p.MStar.Model, &Model{})
	if name == "depth" {
		p.MStar.Model.Depth, err = parseDepth(value)
		return err
	}
	known, err := p.MStar.Model.parse(name, value)
	if err == nil && (!known || value == "") {
		err = fmt.Errorf("model-%s=%s is none of model-depth=N, model-eval=FILE, model-zero=GROUP,…, model-pseudorandom=SEED, model-weaken=VALUE", name, value)
	}
	return err
}

func parseDepth(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > search.MaxDepth {
		return 0, fmt.Errorf("depth %q: want a number from 1 to %d", value, search.MaxDepth)
	}
	return n, nil
}

func parsePositive(name, value string) (float64, error) {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x > 0) || math.IsInf(x, 1) {
		return 0, fmt.Errorf("%s %q: want a number above 0", name, value)
	}
	return x, nil
}

// starter returns the function that starts programs of a protocol, nil for an unknown one.
func starter(protocol string) func(context.Context, engine.Config) (engine.Engine, error) {
	switch protocol {
	case "uci":
		return engine.StartUCI
	case "usi":
		return engine.StartUSI
	case "hub":
		return engine.StartHub
	case "gtp":
		return func(ctx context.Context, c engine.Config) (engine.Engine, error) { return engine.StartGTP(ctx, c, "") }
	}
	return nil
}

// parseOutside reads a player that is another program: its command and settings.
func (p *Player) parseOutside(protocol string, command, words []string) error {
	c := engine.Config{Command: command}
	for _, word := range words {
		var err error
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "name":
			p.Text = value
		case "depth", "plies", "nodes", "movetime", "tc", "st", "timemargin":
			err = parseLimit(&c.Limits, name, value)
		default:
			var o engine.Option
			o, err = engine.ParseOption(word)
			c.Options = append(c.Options, o)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", word, err)
		}
	}
	switch {
	case len(command) == 0:
		return errors.New("it names no program")
	case protocol == "gtp" && (c.Limits.Depth != 0 || c.Limits.Nodes != 0 || c.Limits.MoveTime != 0 && !c.Limits.Strict):
		return errors.New("GTP has no depth, nodes or movetime: use tc=, st= or the program's own command (level=1)")
	case protocol != "gtp" || c.Limits.Timed():
		if err := c.Validate(); err != nil {
			return fmt.Errorf("%w (depth=, nodes=, movetime=, tc= or st=)", err)
		}
	}
	start := starter(protocol)
	o := &Outside{Protocol: protocol, Config: c}
	o.Start = func(ctx context.Context) (engine.Engine, error) { return start(ctx, o.Config) }
	p.Outside = o
	return nil
}

// parseLimit reads a limit of a program's searches, in the words of tournament managers: tc= and
// st= in seconds, timemargin= in milliseconds.
func parseLimit(l *engine.Limits, name, value string) (err error) {
	switch name {
	case "depth", "plies":
		l.Depth, err = strconv.Atoi(value)
	case "nodes":
		l.Nodes, err = strconv.ParseInt(value, 10, 64)
	case "movetime":
		l.MoveTime, err = time.ParseDuration(value)
	case "tc":
		l.Clock, err = engine.ParseTimeControl(value)
	case "st":
		var c engine.TimeControl
		if c, err = engine.ParseTimeControl(value); err != nil || c.Increment != 0 || c.Moves != 0 {
			return errors.New("want the seconds for each move, as st=0.1")
		}
		l.MoveTime, l.Strict = c.Base, true
	case "timemargin":
		var ms int
		if ms, err = strconv.Atoi(value); err != nil || ms < 0 || ms > 1e6 {
			return errors.New("want milliseconds, as timemargin=50")
		}
		l.Margin = time.Duration(ms) * time.Millisecond
	}
	return err
}
