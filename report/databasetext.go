package report

import (
	"fmt"
	"math"
	"strings"

	"kifu/datasets"
)

// write puts everything that d has to say into out.
func (d *database) write(out Output) error {
	csv, err := render("csv", d.Rows)
	if err != nil {
		return err
	}
	var read int64
	for _, s := range d.Sources {
		read += s.Rows
	}
	out.AddCounts(datasets.Counts{Read: read})
	pictures := d.charts()
	first := pictures[0]
	p := page{Document: document{Title: d.title(), Lead: d.lead(), Tables: d.tables(), Notes: d.notes()},
		Legend: first.legend(), Picture: first.svg(plainNumber), SQL: d.SQL, Inputs: d.inputs()}
	p.Document.Lead += " Below: " + strings.ToLower(first.Title[:1]) + first.Title[1:] + ", " + first.Subtitle + "."
	for _, c := range pictures[1:] {
		p.More = append(p.More, page{Document: document{Title: c.Title, Lead: upperFirst(c.Subtitle) + "."}, Legend: c.legend(), Picture: c.svg(plainNumber)})
		if err := writePaper(out, "database-"+strings.ReplaceAll(strings.ToLower(c.Title), " ", "-"), c); err != nil {
			return err
		}
	}
	return write(out, "database", p, first, csv)
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// writePaper puts a picture's files beside the others.
func writePaper(out Output, name string, c interface{ print() (printed, error) }) error {
	paper, err := c.print()
	if err != nil {
		return fmt.Errorf("drawing %s: %w", name, err)
	}
	for _, f := range []struct {
		end  string
		data []byte
	}{{".svg", paper.SVG}, {".pdf", paper.PDF}, {".png", paper.PNG}} {
		if err := out.AddFile(name+f.end, f.data); err != nil {
			return err
		}
	}
	return nil
}

func (d *database) title() string {
	var names []string
	for _, s := range d.Sources {
		names = append(names, s.Name)
	}
	return titleOf("Games", d.Game, names)
}

func (d *database) lead() string {
	var parts []string
	for _, f := range d.Sections["games"] {
		if f.Item != "all" {
			continue
		}
		text := fmt.Sprintf("%s: %s of %s plies on average; the first player scores %s.", f.Source, plural(f.Games, "game", "games"), oneDecimal(f.Mean), percent(f.Score, 1))
		for _, a := range d.Sections["first-move advantage"] {
			if a.Source == f.Source && a.Item == "given the ratings" {
				text += fmt.Sprintf(" Given the ratings, to move first is worth %s Elo (%s to %s).", signed(a.Value, 0), signed(a.Low, 0), signed(a.High, 0))
			}
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func oneDecimal(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.1f", v)
}

// charts are the pictures that the datasets allow; that of lengths always.
func (d *database) charts() []*chart {
	var all []*chart
	if len(d.Sections["rating difference"]) > 0 {
		if c := d.ratingChart(); len(c.Series[0].Points) > 1 {
			all = append(all, c)
		}
	}
	all = append(all, d.lengthChart())
	if d.Branches {
		all = append(all, d.branchingChart())
	}
	return all
}

// fewGames is how many games a point of a picture has at least.
const fewGames = 20

func (d *database) ratingChart() *chart {
	c := &chart{Title: "Results by rating difference", Subtitle: fmt.Sprintf("bins of %d Elo with at least %d games; bands: 95 %% intervals", d.Params.Bin, fewGames),
		XLabel: "first player's rating minus the second's [Elo]", YLabel: "score of the first player", YMin: 0, YMax: 1, Cross: &point{X: 0, Y: 0.5}}
	facts := d.Sections["rating difference"]
	elo := series{Label: "Elo's expectation", Colour: guide, Dash: 1, Smooth: true}
	for i, name := range sourcesOf(facts) {
		s := series{Label: name, Colour: i}
		first := series{Label: "expectation with the first move, " + name, Colour: i, Dash: 2, Smooth: true}
		for _, f := range facts {
			if f.Source != name || f.Games < fewGames {
				continue
			}
			note := fmt.Sprintf("%s at %s: %s (%s to %s) of %s, expected %s", name, plainNumber(f.Value), percent(f.Score, 1), percent(f.Low, 1), percent(f.High, 1), plural(f.Games, "game", "games"), percent(f.Expected, 1))
			s.Points = append(s.Points, point{f.Value, f.Score, f.Low, f.High, note})
			if !math.IsNaN(f.ExpectedFirst) {
				first.Points = append(first.Points, point{X: f.Value, Y: f.ExpectedFirst})
			}
		}
		c.Series = append(c.Series, s)
		if len(first.Points) > 1 {
			c.Series = append(c.Series, first)
		}
	}
	c.spanX(float64(d.Params.Bin))
	const steps = 100
	for i := range steps + 1 {
		v := c.XMin + (c.XMax-c.XMin)*float64(i)/steps
		elo.Points = append(elo.Points, point{X: v, Y: 1 / (1 + math.Pow(10, -v/400))})
	}
	c.Series = append(c.Series, elo)
	c.XTicks, c.YTicks = axisTicks(c.XMin, c.XMax, 12, plainNumber), axisTicks(0, 1, 10, plainNumber)
	return c
}

func (d *database) lengthChart() *chart {
	c := &chart{Title: "Length of games", Subtitle: fmt.Sprintf("share of the games in bins of %d plies; bands: 95 %% intervals", lengthBin), XLabel: "plies", YLabel: "share of the games"}
	facts := d.Sections["length"]
	total := map[string]int64{}
	for _, f := range facts {
		total[f.Source] += f.Games
	}
	for i, name := range sourcesOf(facts) {
		s := series{Label: name, Colour: i}
		for _, f := range facts {
			if f.Source != name {
				continue
			}
			share := float64(f.Games) / float64(total[name])
			low, high := wilson(share, float64(total[name]))
			c.YMax = math.Max(c.YMax, high)
			s.Points = append(s.Points, point{f.Value + lengthBin/2, share, low, high,
				fmt.Sprintf("%s, %s to %s plies: %s, %s, the first player scores %s", name, plainNumber(f.Value), plainNumber(f.Value+lengthBin-1), plural(f.Games, "game", "games"), percent(share, 1), percent(f.Score, 1))})
		}
		c.Series = append(c.Series, s)
	}
	c.spanX(lengthBin / 2)
	c.XMin, c.YMax = 0, c.YMax*1.05
	c.XTicks, c.YTicks = axisTicks(c.XMin, c.XMax, 12, plainNumber), axisTicks(0, c.YMax, 8, plainNumber)
	return c
}

// wilson is Wilson's 95 % interval of a share of n.
func wilson(share, n float64) (low, high float64) {
	const z = 1.959963984540054
	centre, spread := share*n+z*z/2, z*math.Sqrt(share*(1-share)*n+z*z/4)
	return math.Max(0, (centre-spread)/(n+z*z)), math.Min(1, (centre+spread)/(n+z*z))
}

func (d *database) branchingChart() *chart {
	c := &chart{Title: "Branching factor", Subtitle: fmt.Sprintf("mean number of legal moves at plies with at least %d positions; bands: first to ninth decile", fewGames), XLabel: "plies played", YLabel: "legal moves"}
	facts := d.Sections["ply"]
	for i, name := range sourcesOf(facts) {
		s := series{Label: name, Colour: i}
		for _, f := range facts {
			if f.Source != name || f.Positions < fewGames {
				continue
			}
			c.YMax = math.Max(c.YMax, f.Ninetieth)
			s.Points = append(s.Points, point{f.Value, f.Mean, f.Tenth, f.Ninetieth,
				fmt.Sprintf("%s, ply %s: %.1f legal moves (%s to %s) in %s", name, plainNumber(f.Value), f.Mean, plainNumber(f.Tenth), plainNumber(f.Ninetieth), plural(f.Positions, "position", "positions"))})
		}
		c.Series = append(c.Series, s)
	}
	c.spanX(1)
	c.YMax = math.Max(1, c.YMax*1.05)
	c.XTicks, c.YTicks = axisTicks(c.XMin, c.XMax, 12, plainNumber), axisTicks(0, c.YMax, 8, plainNumber)
	return c
}

// spanX sets the horizontal axis to the points, with a margin.
func (c *chart) spanX(margin float64) {
	c.XMin, c.XMax = math.Inf(1), math.Inf(-1)
	for _, s := range c.Series {
		for _, p := range s.Points {
			c.XMin, c.XMax = math.Min(c.XMin, p.X-margin), math.Max(c.XMax, p.X+margin)
		}
	}
	if c.XMin > c.XMax {
		c.XMin, c.XMax = 0, margin
	}
}

// sourcesOf are the names of the sources in the order of the facts.
func sourcesOf(facts []fact) []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range facts {
		if !seen[f.Source] {
			seen[f.Source] = true
			names = append(names, f.Source)
		}
	}
	return names
}

func (d *database) tables() []table {
	tables := []table{d.gamesTable(), d.advantageTable()}
	if len(d.Sections["rating difference"]) > 0 {
		tables = append(tables, d.ratingTable())
	}
	tables = append(tables, d.profileTable())
	if d.Branches {
		tables = append(tables, d.phaseTable())
	}
	tables = append(tables, d.duplicatesTable())
	if len(d.Sections["rejected"])+len(d.Sections["noted"]) > 0 {
		tables = append(tables, d.rejectsTable())
	}
	return tables
}

func (d *database) gamesTable() table {
	t := table{Name: "games", Caption: "Games", Head: []cell{{"games", false}, {"", false}, {"number", true}, {"first wins", true}, {"draws", true}, {"second wins", true}, {"no result", true},
		{"score", true}, {"95\u00a0% interval", true}, {"plies", true}, {"mean length", true}, {"median", true}, {"deciles", true}, {"years", false}}}
	for _, f := range d.Sections["games"] {
		dates := "–"
		if f.FirstDate != "" {
			dates = f.FirstDate[:min(4, len(f.FirstDate))] + "–" + f.LastDate[:min(4, len(f.LastDate))]
		}
		t.Rows = append(t.Rows, []string{f.Source, f.Item, grouped(f.Games), grouped(f.Wins), grouped(f.Draws), grouped(f.Losses), grouped(f.Unfinished),
			percent(f.Score, 1), shareInterval(f.Low, f.High), grouped(f.Plies), oneDecimal(f.Mean), plainNumber(f.Median), plainNumber(f.Tenth) + " to " + plainNumber(f.Ninetieth), dates})
	}
	return t
}

// shareInterval writes the ends of an interval of shares.
func shareInterval(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return "–"
	}
	return fmt.Sprintf("%.1f–%.1f", 100*low, 100*high)
}

func (d *database) advantageTable() table {
	t := table{Name: "advantage", Caption: "What it is worth to move first", Head: []cell{{"games", false}, {"", false}, {"Elo", true}, {"95\u00a0% interval", true}, {"games", true}}}
	for _, f := range d.Sections["first-move advantage"] {
		t.Rows = append(t.Rows, []string{f.Source, f.Item, signed(f.Value, 1), signed(f.Low, 1) + " to " + signed(f.High, 1), grouped(f.Games)})
	}
	return t
}

func (d *database) ratingTable() table {
	t := table{Name: "ratings", Caption: "Results by rating difference", Long: true, Head: []cell{{"games", false}, {"difference", true}, {"number", true}, {"first wins", true}, {"draws", true}, {"second wins", true},
		{"score", true}, {"95\u00a0% interval", true}, {"expected", true}, {"with the first move", true}, {"score − expected", true}}}
	for _, f := range d.Sections["rating difference"] {
		t.Rows = append(t.Rows, []string{f.Source, plainNumber(f.Value), grouped(f.Games), grouped(f.Wins), grouped(f.Draws), grouped(f.Losses),
			percent(f.Score, 1), shareInterval(f.Low, f.High), percent(f.Expected, 1), percent(f.ExpectedFirst, 1), signed(100*(f.Score-f.Expected), 1)})
	}
	return t
}

// profileTable has the branching factor and the length beside those of the book.
func (d *database) profileTable() table {
	t := table{Name: "profile", Caption: "Branching factor and length", Head: []cell{{"source", false}, {"legal moves", true}, {"deciles", true}, {"positions", true}, {"plies a game", true}}}
	for _, f := range d.Sections["literature"] {
		t.Rows = append(t.Rows, []string{f.Source + ", " + f.Item, oneDecimal(f.Mean), "–", "–", grouped(f.Plies)})
	}
	for _, f := range d.Sections["games"] {
		if f.Item == "all" {
			t.Rows = append(t.Rows, []string{f.Source, "–", "–", "–", oneDecimal(f.Mean)})
		}
	}
	for _, f := range d.Sections["branching"] {
		t.Rows = append(t.Rows, []string{f.Source, oneDecimal(f.Mean), plainNumber(f.Tenth) + " to " + plainNumber(f.Ninetieth), grouped(f.Positions), "–"})
	}
	return t
}

func (d *database) phaseTable() table {
	t := table{Name: "phases", Caption: "Branching factor and length by phase", Head: []cell{{"positions", false}, {"phase", false}, {"legal moves", true}, {"deciles", true}, {"number", true}, {"share", true}, {"games that get there", true}, {"plies there a game", true}}}
	total := map[string]int64{}
	for _, f := range d.Sections["branching"] {
		total[f.Source] = f.Positions
	}
	for _, f := range d.Sections["phase"] {
		t.Rows = append(t.Rows, []string{f.Source, f.Item, oneDecimal(f.Mean), plainNumber(f.Tenth) + " to " + plainNumber(f.Ninetieth), grouped(f.Positions),
			percent(float64(f.Positions)/float64(total[f.Source]), 1), grouped(f.Games), oneDecimal(float64(f.Positions) / float64(f.Games))})
	}
	return t
}

func (d *database) duplicatesTable() table {
	t := table{Name: "duplicates", Caption: "Games that are there again", Head: []cell{{"games", false}, {"", false}, {"beyond the first", true}, {"share", true}, {"groups", true}}}
	total := map[string]int64{}
	for _, f := range d.Sections["games"] {
		if f.Item == "all" {
			total[f.Source] = f.Games
		}
	}
	found := map[[2]string]fact{}
	for _, f := range d.Sections["duplicates"] {
		found[[2]string{f.Source, f.Item}] = f
	}
	for _, name := range sourcesOf(d.Sections["games"]) {
		for _, item := range []string{"same moves", "same moves, at least 20 plies", "same moves, players and date"} {
			f := found[[2]string{name, item}]
			t.Rows = append(t.Rows, []string{name, item, grouped(f.Games), percent(float64(f.Games)/float64(total[name]), 2), grouped(f.Groups)})
		}
	}
	return t
}

func (d *database) rejectsTable() table {
	t := table{Name: "rejects", Caption: "What was left out or odd when the games were made", Head: []cell{{"games", false}, {"", false}, {"reason", false}, {"number", true}}}
	for _, section := range []string{"rejected", "noted"} {
		for _, f := range d.Sections[section] {
			t.Rows = append(t.Rows, []string{f.Source, section, f.Item, grouped(f.Games)})
		}
	}
	return t
}

func (d *database) notes() []string {
	notes := []string{
		"Score is the first player's, a draw half a win, of the games with a result. Its interval is Wilson's, 95 %, at the number of games that would vary as much if there were no draws.",
		"Elo's expectation is 1/(1+10^(−d/400)) at the rating difference d, averaged over the games of a bin.",
	}
	if len(d.Sections["rating difference"]) > 0 {
		notes = append(notes, "Given the ratings, the advantage of moving first is the number of Elo a at which the expectations at d + a add up to the points made; its interval takes the games as independent and knows nothing of errors of the ratings. By score alone it is what the score would mean between equal players.")
	} else {
		notes = append(notes, "No game has both ratings. By score alone, the advantage of moving first is what the score would mean between equal players.")
	}
	notes = append(notes, "Games with the same moves have the same start, variant and moves to the end; short ones may be other games all the same. kifu duplicates also finds games that go on where another ends.")
	if d.Branches {
		notes = append(notes, "The branching factor is the mean number of legal moves in the positions given in which a move was played; what transform left out (--min-ply, --sample) is not in it, nor in the plies by phase. A pass counts where the rules have it as a move, and a capture of several pieces in draughts is one move.")
	} else {
		notes = append(notes, "For the branching factor, name a dataset of positions too that kifu transform --legal-moves made.")
	}
	if len(d.Sections["literature"]) > 0 {
		notes = append(notes, "Mańdziuk 2010: Knowledge-Free and Learning-Based Methods in Intelligent Game Playing, section 1.1.")
	}
	return notes
}

func (d *database) inputs() []string {
	var all []string
	for _, s := range d.Sources {
		all = append(all, fmt.Sprintf("%s: key %s, %s rows", s.Name, s.Key[:min(16, len(s.Key))], grouped(s.Rows)))
	}
	return all
}
