package population

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/players/decide"
)

// Text is the file with the tables for readers.
const Text = "human.txt"

// names returns the predictors, in the order of guessed.by.
func (l *learner[P]) names() []string {
	names := []string{"model"}
	if l.Prior != nil {
		names = append(names, "model of others")
	} else if l.model.Pairs != nil {
		names = append(names, "without pairs")
	}
	names = append(names, "any legal move")
	for look := range l.looks {
		switch look {
		case 0:
			names = append(names, "value at sight")
		case 1:
			names = append(names, "value 1 ply ahead")
		default:
			names = append(names, fmt.Sprintf("value %d plies ahead", look))
		}
	}
	for _, e := range l.Engines {
		names = append(names, e.Name)
	}
	return names
}

var head = []table.Cell{table.Text("predictor"), table.Number("log-loss, nats"), table.Number("first, %"), table.Number("first 3, %"), table.Number("model better, points"), table.Number("model better, nats")}

// write writes the tables of the test.
func (l *learner[P]) write(all []guessed, out *datasets.Builder) error {
	var text bytes.Buffer
	of := "players"
	if l.Prior != nil {
		of = "games"
	}
	fmt.Fprintf(&text, "Fitted to %s decisions of %s %s, tested on %s decisions of %s %s.\n\n", human.Grouped(int64(len(l.fitted))), human.Grouped(int64(l.fit.Groups)), of, human.Grouped(int64(len(all))), human.Grouped(int64(clusters(all))), of)
	scores := bytes.NewBufferString("predictor,ratings,decisions,players,nats,nats_half,first,first_half,first3,first3_half,model_first_above,model_first_above_half,model_nats_below,model_nats_below_half\n")
	for _, b := range l.bands(all) {
		var rows [][]string
		for i, name := range l.names() {
			r := summarize(b.of, i)
			rows = append(rows, []string{name, r[0].text(3, 1), r[1].text(1, 100), r[2].text(1, 100), r[3].text(1, 100), r[4].text(3, 1)})
			fmt.Fprintf(scores, "%s,%s,%d,%d", cell(name), b.name, len(b.of), clusters(b.of))
			for _, m := range r {
				scores.WriteString("," + m.csv())
			}
			scores.WriteByte('\n')
		}
		if len(b.of) == len(all) || clusters(b.of) >= leastShown {
			fmt.Fprintf(&text, "%s: %s decisions\n\n%s\n", b.name, human.Grouped(int64(len(b.of))), table.Table{Head: head, Rows: rows}.Plain())
		}
	}
	if l.Prior != nil {
		text.WriteString(l.own.text(l.model.Features))
	} else if l.model.Pairs == nil {
		text.WriteString("Pairs of features have no weights: fitted to four fifths of the players, they did not improve the predictions of the others.\n")
	}
	for name, data := range map[string][]byte{Text: text.Bytes(), "scores.csv": scores.Bytes(), "features.csv": l.featuresCSV(), "calibration.csv": calibrationCSV(all)} {
		if err := out.AddFile(name, data); err != nil {
			return err
		}
	}
	return nil
}

// band is the decisions of players rated alike.
type band struct {
	name string
	of   []guessed
}

// leastShown is the smallest number of players (of one player, of games) of a band that the text has; scores.csv has all.
const leastShown = 20

// bandWidth is the width of a band of ratings.
const bandWidth = 200

// bands returns all decisions, and the decisions of each band of ratings that has any.
func (l *learner[P]) bands(all []guessed) []band {
	bands := []band{{"all", all}}
	for low := 0; low < 1<<13; low += bandWidth {
		of := lists.Where(all, func(g guessed) bool { return g.rating > 0 && int(g.rating) >= low && int(g.rating) < low+bandWidth })
		if len(of) > 0 && len(of) < len(all) {
			bands = append(bands, band{fmt.Sprintf("rated %d to %d", low, low+bandWidth-1), of})
		}
	}
	return bands
}

// cell writes a name as a cell of CSV.
func cell(name string) string {
	if strings.ContainsAny(name, ",\"") {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return name
}

// mean is a mean over decisions with half its 95 % interval, by player; NaN for none.
type mean struct {
	x    float64
	half *float64
}

func (m mean) text(digits int, times float64) string {
	if math.IsNaN(m.x) {
		return ""
	}
	s := strconv.FormatFloat(m.x*times, 'f', digits, 64)
	if m.half != nil {
		s += " ± " + strconv.FormatFloat(*m.half*times, 'f', digits, 64)
	}
	return s
}

func (m mean) csv() string {
	if math.IsNaN(m.x) {
		return ","
	}
	return decide.Decimal(m.x) + "," + decide.OrEmpty(m.half)
}

// summarize returns a predictor's nats, its shares of moves ranked first and among the first 3,
// and the model's advantage in first share and nats on the same decisions.
func summarize(all []guessed, by int) (means [5]mean) {
	cluster := func(i int) int64 { return all[i].whose }
	for k, f := range []func(g *guessed) float64{
		func(g *guessed) float64 { return -g.by[by].log },
		func(g *guessed) float64 { return g.by[by].first(1) },
		func(g *guessed) float64 { return g.by[by].first(3) },
		func(g *guessed) float64 { return g.by[0].first(1) - g.by[by].first(1) },
		func(g *guessed) float64 { return g.by[0].log - g.by[by].log },
	} {
		x := make([]float64, len(all))
		for i := range all {
			x[i] = f(&all[i])
		}
		if by == 0 && k > 2 || k == 2 && math.IsNaN(means[0].x) { // an engine names one move
			means[k].x = math.NaN()
			continue
		}
		means[k].x, _ = decide.MeanByCluster(x, cluster)
		means[k].half = decide.Within95(x, cluster)
	}
	return means
}

// clusters counts the players of decisions; of one player, the games.
func clusters(all []guessed) int {
	return len(lists.Set(lists.Of(all, func(g guessed) int64 { return g.whose })))
}

// featuresCSV returns the weights with their errors.
func (l *learner[P]) featuresCSV() []byte {
	rows := [][]string{{"feature", "when", "weight", "se"}}
	of := l.model.Contexts()
	for f, name := range l.model.Features {
		for c, when := range of {
			i, se := f*len(of)+c, ""
			if l.fit.SE != nil {
				se = decide.Decimal(l.fit.SE[i])
			}
			rows = append(rows, []string{name, when, decide.Decimal(l.fit.Beta[i]), se})
		}
	}
	var out bytes.Buffer
	csv.NewWriter(&out).WriteAll(rows)
	return out.Bytes()
}

// calibrationBins is how many classes of chances a calibration has.
const calibrationBins = 20

// calibrationCSV returns how often moves were played that the model gave chances of some size.
func calibrationCSV(all []guessed) []byte {
	var n, p, played [calibrationBins]float64
	for i := range all {
		for _, c := range all[i].chances {
			k := min(int(c.p*calibrationBins), calibrationBins-1)
			n[k], p[k] = n[k]+1, p[k]+c.p
			if c.played {
				played[k]++
			}
		}
	}
	var out bytes.Buffer
	out.WriteString("from,to,moves,predicted,played\n")
	for k := range n {
		if n[k] > 0 {
			fmt.Fprintf(&out, "%g,%g,%.0f,%s,%s\n", float64(k)/calibrationBins, float64(k+1)/calibrationBins, n[k], decide.Decimal(p[k]/n[k]), decide.Decimal(played[k]/n[k]))
		}
	}
	return out.Bytes()
}
