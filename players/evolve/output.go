package evolve

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"text/tabwriter"

	"kifu/datasets"
	"kifu/eval"
	"kifu/internal/lists"
	"kifu/players"
)

// Text is the name of the file with the readable table.
const Text = "evolve.txt"

// history collects the generations.
type history struct {
	Params
	game    string
	weights int
	lines   []line
	best    *individual
	model   *eval.Model // model of the best strategy
}

// line is one generation.
type line struct {
	games, draws int
	plies        float64 // mean plies per game
	best         result  // of the first in rank
	mean         float64 // score
	step         float64 // mean logarithm of all step sizes
	king         float64 // mean
}

func (h *history) add(population []*individual, ranks []int, p played) {
	l := line{best: p.Results[ranks[0]]}
	n := float64(len(population))
	sides := 0
	for i, r := range p.Results {
		sides += r.games()
		l.draws += r.Draws
		l.mean += float64(r.score()) / n
		l.step += population[i].logStep() / n
		l.king += population[i].king / n
	}
	l.games, l.draws = sides/2, l.draws/2
	l.plies = float64(p.Plies) / float64(l.games)
	h.lines = append(h.lines, l)
}

// writeTo writes the files next to the parts.
func (h *history) writeTo(out *datasets.Builder) error {
	m := h.model.Clone()
	m.Name = h.name()
	weights, err := m.TOML()
	if err != nil {
		return err
	}
	player := players.Player{Game: h.game, Name: m.Name, Depth: h.Depth, Weights: players.Weights, Quiescence: true}
	model, err := player.TOML()
	if err != nil {
		return err
	}
	return errors.Join(out.AddFile(players.Weights, weights), out.AddFile(players.File, model), out.AddCSV("generations.csv", h.table()), out.AddFile(Text, h.text()))
}

// name returns the name of the best strategy.
func (h *history) name() string {
	kind, scheme := "linear", ""
	if h.Network != nil {
		kind = "network"
	}
	if h.RoundRobin {
		scheme = " round-robin"
	}
	return fmt.Sprintf("%s %d-ply%s", kind, h.Depth, scheme)
}

// table returns the contents of generations.csv.
func (h *history) table() [][]string {
	rows := [][]string{{"generation", "games", "draws", "plies", "best_score", "best_games", "mean_score", "sigma", "king"}}
	decimal := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for g, l := range h.lines {
		king := ""
		if h.Network != nil {
			king = decimal(l.king)
		}
		rows = append(rows, []string{strconv.Itoa(g), strconv.Itoa(l.games), strconv.Itoa(l.draws), decimal(l.plies),
			strconv.Itoa(l.best.score()), strconv.Itoa(l.best.games()), decimal(l.mean), decimal(math.Exp(l.step)), king})
	}
	return rows
}

// text returns the contents of evolve.txt. It lists only some of many generations.
func (h *history) text() []byte {
	const most = 20
	var b bytes.Buffer
	total := lists.Sum(h.lines, func(l line) int { return l.games })
	fmt.Fprintf(&b, "%s, %s: %d weights, population %d, %d generations, %d games\n", h.game, h.name(), h.weights, h.Population, len(h.lines), total)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "GENERATION\tGAMES\tDRAWS\tPLIES\tBEST SCORE\tOF\tMEAN\tSTEP\t")
	if h.Network != nil {
		fmt.Fprint(w, "KING\t")
	}
	fmt.Fprintln(w)
	for i := range min(most, len(h.lines)) {
		g := i
		if len(h.lines) > most {
			g = i * (len(h.lines) - 1) / (most - 1)
		}
		l := h.lines[g]
		fmt.Fprintf(w, "%d\t%d\t%d\t%.1f\t%d\t%d\t%.2f\t%.4f\t", g, l.games, l.draws, l.plies, l.best.score(), l.best.games(), l.mean, math.Exp(l.step))
		if h.Network != nil {
			fmt.Fprintf(w, "%.2f\t", l.king)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // into memory
	fmt.Fprintf(&b, "the best is strategy %d, born in generation %d", h.best.id, h.best.born)
	if h.Network != nil {
		fmt.Fprintf(&b, ", its king worth %.1f men", h.best.king)
	}
	fmt.Fprintln(&b)
	return b.Bytes()
}
