package opening

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"kifu/games/board"
	"kifu/internal/dyads"
	"kifu/internal/human"
	"kifu/internal/lists"
	"kifu/internal/table"
	"kifu/report/shape"
	"kifu/report/sheet"
)

// bestLine is a line of moves, of which the last is by the side that scores well after it.
type bestLine struct {
	node      *node // before the last move
	edge      *edge
	text      string
	low, high float64
}

// bestLines has a side's lines, best first.
type bestLines struct {
	compared int // the number of lines they were chosen from
	lines    []*bestLine
}

// mostBest is how many lines of a side are shown.
const mostBest = 10

// leastBest returns the number of games with a result that a line needs.
func (o *report) leastBest() int64 { return int64(max(o.Params.MinGames, enoughGames)) }

// results returns the number of games with a result.
func (e *edge) results() int64 { return e.Wins + e.Draws + e.Losses }

// candidates returns the best lines of each side, with intervals that take games for independent.
func (o *report) candidates() (all []*bestLines) {
	lines := o.lines()
	for _, first := range []bool{true, false} {
		mine := lists.Where(lines, func(l *bestLine) bool { return l.node.First == first })
		for _, l := range mine {
			l.interval(l.edge.spread(), len(mine))
		}
		slices.SortFunc(mine, byLow)
		all = append(all, &bestLines{len(mine), mine[:min(len(mine), mostBest)]})
	}
	return all
}

func byLow(a, b *bestLine) int {
	return cmp.Or(cmp.Compare(b.low, a.low), strings.Compare(a.text, b.text))
}

// ends reports whether no next move of the same side has as many games.
func (e *edge) ends(least int64) bool {
	if e.To == nil {
		return true
	}
	for _, reply := range e.To.Edges {
		if reply.To != nil && slices.ContainsFunc(reply.To.Edges, func(next *edge) bool { return next.results() >= least }) {
			return false
		}
	}
	return true
}

// lines returns the moves that end a line with enough games, each by the first way to it.
func (o *report) lines() (all []*bestLine) {
	w, seen, least := treeWriter{rules: o.Rules}, map[spot]bool{}, o.leastBest()
	var walk func(n *node, at board.Board, line string)
	walk = func(n *node, at board.Board, line string) {
		for _, e := range n.Edges {
			if e.results() < least {
				continue
			}
			_, text, after := w.step(at, n, e, line)
			if e.ends(least) {
				all = append(all, &bestLine{node: n, edge: e, text: text})
			}
			if e.To != nil && !seen[e.Child] {
				seen[e.Child] = true
				walk(e.To, after, text)
			}
		}
	}
	for i, root := range o.Roots {
		at, label := w.board(root.Position), ""
		if len(o.Roots) > 1 {
			label = startName(w.rules, at, root, i) + ":"
		}
		walk(root, at, label)
	}
	return all
}

// spread is the variance of the score, games being independent.
func (e *edge) spread() dyads.Spread {
	n := float64(e.results())
	return dyads.Spread{Variance: ((float64(e.Wins)+float64(e.Draws)/4)/n - e.Score*e.Score) / (n - 1), Degrees: n - 1}
}

// interval sets Wilson's interval at the number of independent games that would vary as much. The intervals of so many
// lines hold all at once in 95 % of databases (Bonferroni), so that they hold for those that are chosen.
func (l *bestLine) interval(s dyads.Spread, compared int) {
	n, p := float64(l.edge.results()), l.edge.Score
	if s.Variance > 1e-12 && p*(1-p) > 0 {
		n = p * (1 - p) / s.Variance
	}
	l.low, l.high = shape.WilsonAt(p, n, dyads.Quantile(s.Degrees, compared))
}

// enoughGames is how many games with a result the score of a headline has.
const enoughGames = 30

// judge takes the best lines, and their intervals and the headline score's: of the move with the most
// games of the first start.
func (o *report) judge(ctx context.Context, s *stream) error {
	o.Best = o.candidates()
	root := o.Roots[0]
	head := &bestLine{node: root, edge: root.Edges[0]}
	var known []sheet.Known
	who, err := o.players(ctx, s, head)
	if err != nil {
		return err
	}
	n := float64(head.edge.results())
	byGame := dyads.Spread{Variance: head.edge.spread().Variance * n / (n - 1), Degrees: math.Inf(1)}
	if who == nil {
		head.interval(byGame, 1)
	} else {
		o.ByPlayer = true
		if clusters := who.widen(head, 0, byGame, 1); clusters.Games > 0 {
			known = []sheet.Known{sheet.KnownOf(clusters, who.names)}
		}
		move := 0
		for _, of := range o.Best {
			for _, l := range of.lines {
				move++
				who.widen(l, move, l.edge.spread(), of.compared)
			}
			slices.SortFunc(of.lines, byLow)
		}
	}
	var views []string
	if o.q.Games != "" {
		views = append(views, s.q.Games)
	}
	players, err := o.Params.Clusters.OfGames(views)
	if err == nil && head.edge.results() >= enoughGames {
		o.Headline, o.Errors = head, "Headline. "+players.NoteOf(known)
	}
	return err
}

// whoPlayed has the games of the headline's move, mark 0, and of the best lines in their order, with their players.
type whoPlayed struct {
	marks marks
	games []pairOf
	names *dyads.Names
	way   string
}

// players looks for who played the games of the headline and of the best lines; nil where that is not known or not asked.
func (o *report) players(ctx context.Context, s *stream, head *bestLine) (*whoPlayed, error) {
	way := dyads.Way(o.Params.Clusters.Way)
	if s.record == nil || way == dyads.ByGame {
		return nil, nil
	}
	moves := []moveKey{{head.node.spot, s.texts.number(head.edge.Move)}}
	for _, of := range o.Best {
		for _, l := range of.lines {
			moves = append(moves, moveKey{l.node.spot, s.texts.number(l.edge.Move)})
		}
	}
	w := &whoPlayed{names: dyads.NewNames(o.Params.Clusters.Aliases), way: way}
	var err error
	if w.marks, err = s.mark(ctx, moves); err == nil {
		w.games, err = s.pairs(ctx, w.names, w.marks)
	}
	return w, err
}

// widen sets the interval by game of a line, or that by player where it is wider, and returns the players.
func (w *whoPlayed) widen(l *bestLine, move int, byGame dyads.Spread, compared int) *dyads.Clusters {
	pairs, u, sizes := w.marks.deviations(w.games, move, l.node.First, l.edge.Score)
	clusters := dyads.Of(pairs)
	if clusters.Usable() && byGame.Variance > 0 {
		v, shares := clusters.Variance(u, sizes, float64(l.edge.results()))
		byGame = dyads.Wider(byGame, dyads.Spread{Variance: v, Degrees: shares.OfPlayers(v / byGame.Variance)}, w.way)
	}
	l.interval(byGame, compared)
	return clusters
}

// Sides are the game's names of the sides.
func (o *report) Sides() [2]string { return board.Sides(o.Rules) }

// BarSides are the names of the sides as bars show them, the one with the light pieces first.
func (o *report) BarSides() [2]string {
	names, _ := barSides(o.Rules)
	return names
}

// bestTables are the best lines of each side that has some.
func (o *report) bestTables() (all []table.Table) {
	how := ""
	if !o.ByPlayer {
		how = ", with intervals for independent games"
	}
	for i, of := range o.Best {
		t := table.Table{Name: []string{"best-first", "best-second"}[i], Caption: "Best lines for " + o.Sides()[i] + how,
			Head: []table.Cell{table.Text("line"), table.Number("games"), table.Number("score"), table.Number("from"), table.Number("to")}}
		if o.q.Named {
			t.Head = append(t.Head, table.Text("opening"))
		}
		for _, l := range of.lines {
			row := []string{l.text, human.Grouped(l.edge.results()), human.Percent(l.edge.Score, 1), human.Percent(l.low, 1), human.Percent(l.high, 1)}
			if o.q.Named {
				row = append(row, l.edge.Opening)
			}
			t.Rows = append(t.Rows, row)
		}
		if len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// bestNote describes how the lines were chosen.
func (o *report) bestNote() string {
	var of []string
	for i, b := range o.Best {
		if len(b.lines) > 0 {
			of = append(of, fmt.Sprintf("%s of %s", human.Plural(int64(b.compared), "line", "lines"), o.Sides()[i]))
		}
	}
	if len(of) == 0 {
		return fmt.Sprintf("No line has a result in %d games or more: there is no table of the best lines.", o.leastBest())
	}
	how := "games are treated as independent"
	if o.ByPlayer {
		how = "games of one player are not treated as independent"
	}
	return fmt.Sprintf("A line ends with the side's last move played in at least %d games with a result. The best lines have the highest lower end of the interval. The 95 %% intervals hold for all %s at once (Bonferroni), which allows for choosing the best; %s.",
		o.leastBest(), human.List(of), how)
}
