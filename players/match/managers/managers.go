// Package managers translates the command lines of fastchess and cutechess-cli, which play matches of chess programs,
// into flags of kifu match.
package managers

import (
	"fmt"
	"kifu/internal/step"
	"slices"
	"strconv"
	"strings"
)

// Translation is a command line as flags of kifu match.
type Translation struct {
	Args []string // flags and values, for exec
	Left []string // options that have no counterpart and change no result
}

// option is a word with a hyphen and what follows it to the next one.
type option struct {
	name   string
	words  []string          // without =
	values map[string]string // NAME=VALUE
	order  []string          // the names, in order
}

// quiet are options about how a manager prints, logs and recovers.
var quiet = strings.Fields(`autosaveinterval crc32 debug epdout force-concurrency log output outcomeinterval randomseed ratinginterval
	recover report scoreinterval show-latency strikes tbpieces testEnv use-affinity wait`)

// Translate reads a command line, with or without the program's name before it. A backslash before the end of a line goes on. Options are those of fastchess 1 and
// cutechess-cli 1.3; one that would change results and has no counterpart is an error.
func Translate(line string) (*Translation, error) {
	words, open := step.Split(strings.ReplaceAll(line, "\\\n", " "), `"'`)
	if open != 0 {
		return nil, fmt.Errorf("a quote (%c) is not closed", open)
	}
	t := &translator{fast: true, games: -1, rounds: -1}
	if len(words) > 0 && !strings.HasPrefix(words[0], "-") {
		t.fast = !strings.Contains(words[0], "cutechess")
		words = words[1:]
	}
	for _, o := range options(words) {
		if err := t.option(o); err != nil {
			return nil, fmt.Errorf("-%s: %w", o.name, err)
		}
	}
	return t.finish()
}

// options cuts the words at those that begin with a hyphen.
func options(words []string) (all []option) {
	for _, w := range words {
		if name, is := strings.CutPrefix(w, "-"); is && name != "" && !strings.Contains(name, "=") && (name[0] < '0' || name[0] > '9') {
			all = append(all, option{name: strings.TrimPrefix(name, "-"), values: map[string]string{}})
			continue
		}
		if len(all) == 0 {
			all = append(all, option{name: w, values: map[string]string{}})
			continue
		}
		o := &all[len(all)-1]
		if name, value, is := strings.Cut(w, "="); is {
			o.values[name], o.order = value, append(o.order, name)
		} else {
			o.words = append(o.words, w)
		}
	}
	return all
}

// translator goes through the options of a command line.
type translator struct {
	Translation
	fast          bool // fastchess, whose defaults differ
	engines       []option
	each          option
	games, rounds int
}

func (t *translator) add(flag string, value ...string) {
	t.Args = append(append(t.Args, "--"+flag), value...)
}

// option translates one option.
func (t *translator) option(o option) (err error) {
	first := strings.Join(o.words, " ")
	switch o.name {
	case "engine":
		t.engines = append(t.engines, o)
	case "each":
		t.each = o
	case "games":
		t.games, err = strconv.Atoi(first)
	case "rounds":
		t.rounds, err = strconv.Atoi(first)
	case "repeat":
		if first != "" && first != "2" {
			return fmt.Errorf("kifu plays each opening twice, not %s times", first)
		}
	case "concurrency":
		t.add("workers", first)
	case "seed", "srand":
		t.add("seed", first)
	case "openings":
		return t.openings(o)
	case "sprt":
		return t.sprt(o)
	case "draw", "resign":
		t.add(o.name, settings(o, "movenumber", "movecount", "score", "twosided"))
	case "maxmoves":
		moves, err := strconv.Atoi(first)
		if err != nil {
			return err
		}
		t.add("max-plies", strconv.Itoa(2*moves))
		t.add("at-limit", "draw")
	case "tb":
		t.add("syzygy", first)
	case "pgnout":
		file := first
		if file == "" {
			file = o.values["file"]
		} else {
			file = o.words[0]
		}
		t.add("record", file)
	case "event", "site":
		t.add(o.name, first)
	case "tournament":
		return t.tournament(first)
	case "variant":
		return t.variant(first)
	default:
		if !slices.Contains(quiet, o.name) {
			return fmt.Errorf("no option of kifu match does this")
		}
		t.Left = append(t.Left, "-"+o.name)
	}
	return err
}

// settings are the values of an option with these names, as kifu match takes them.
func settings(o option, names ...string) string {
	var all []string
	for _, name := range names {
		if value, there := o.values[name]; there {
			all = append(all, name+"="+value)
		}
	}
	return strings.Join(all, " ")
}

func (t *translator) openings(o option) error {
	for _, name := range o.order {
		switch value := o.values[name]; name {
		case "file":
			t.add("openings", value)
		case "plies":
			t.add("opening-plies", value)
		case "order":
			t.add("opening-order", value)
		case "format", "policy": // a file's content decides; pairs take openings in turn
		case "start":
			if value != "1" {
				return fmt.Errorf("start=%s: kifu match begins with the first opening; cut the file", value)
			}
		default:
			return fmt.Errorf("%s=: no option of kifu match does this", name)
		}
	}
	return nil
}

func (t *translator) sprt(o option) error {
	of := map[string]string{"elo0": "0", "elo1": "5", "alpha": "0.05", "beta": "0.05", "model": map[bool]string{true: "normalized", false: "logistic"}[t.fast]}
	for _, name := range o.order {
		if _, known := of[name]; !known {
			return fmt.Errorf("%s=: want elo0, elo1, alpha, beta, model", name)
		}
		of[name] = o.values[name]
	}
	t.add("sprt", of["elo0"]+":"+of["elo1"])
	if of["alpha"] != "0.05" || of["beta"] != "0.05" {
		t.add("sprt-errors", of["alpha"]+":"+of["beta"])
	}
	switch of["model"] {
	case "normalized":
	case "logistic":
		t.add("sprt-scale", "logistic")
	default:
		return fmt.Errorf("model=%s: kifu has normalized and logistic", of["model"])
	}
	return nil
}

func (t *translator) tournament(kind string) error {
	switch kind {
	case "gauntlet":
		t.add("gauntlet")
	case "round-robin", "roundrobin":
	default:
		return fmt.Errorf("%s: want round-robin or gauntlet", kind)
	}
	return nil
}

func (t *translator) variant(name string) error {
	switch name {
	case "standard":
	case "fischerandom":
		t.add("variant", "chess960")
	default:
		return fmt.Errorf("%s: kifu plays standard chess and fischerandom", name)
	}
	return nil
}

// finish puts players and games before the other flags.
func (t *translator) finish() (*Translation, error) {
	if len(t.engines) < 2 {
		return nil, fmt.Errorf("%d engines: want -engine cmd=PROGRAM … for each of two or more", len(t.engines))
	}
	var before []string
	for _, o := range t.engines {
		player, err := t.player(o)
		if err != nil {
			return nil, fmt.Errorf("-engine: %w", err)
		}
		before = append(before, "--player", player)
	}
	encounter, rounds := 1, 1
	if t.fast {
		encounter, rounds = 2, 2
	}
	if t.games > 0 {
		encounter = t.games
	}
	if t.rounds > 0 {
		rounds = t.rounds
	}
	games := encounter * rounds
	t.Args = slices.Concat(before, []string{"--games", strconv.Itoa(games + games%2)}, t.Args)
	return &t.Translation, nil
}
