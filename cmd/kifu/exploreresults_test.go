package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
)

// TestExploreResults: a model, a fit, a match and reports open with what they found in words and
// tables, a search with quiescence told from one without, and no JSON; rows that are of a game
// lead to it at their ply, and to the position where there is one.
func TestExploreResults(t *testing.T) {
	dir := t.TempDir()
	run := steps(t, dir)
	run("datasets", "sample", "tictactoe-selfplay", "--out", "t.pgn.zst")
	run("ingest", "--out", "all/games", "t.pgn.zst")
	run("transform", "--out", "all/positions", "all/games")
	run("label", "--search", "quiescence", "--out", "all/labels", "all/positions")
	run("fit", "--out", "all/fit", "--method", "mlm", "--holdout", "0.2", "--free", "lines", "--l2", "0.01", "all/labels")
	run("learn", "--out", "all/model", "--player", "depth=3*", "--max-depth", "2", "--max-decisions", "60", "all/games")
	run("match", "--out", "all/match", "--game", "tictactoe", "--player", "depth=2", "--player", "random", "--games", "20")
	run("report", "curve", "--out", "all/curve", "--when", "early=ply < 5", "--min-count", "5", "all/labels")
	run("report", "opponent", "--out", "all/opponent", "all/model")
	run("evolve", "--out", "all/evolved", "--game", "tictactoe", "--depth", "1", "--generations", "1", "--population", "4", "--games", "2")

	address, stop := explored(t, dir, "all")
	defer stop()
	get := textsAt(t, address)
	for name, c := range map[string]struct{ says, leads []string }{
		"model": {[]string{"model of tictactoe", "The model of depth=3* looks", "with weights learned by", "2 plies with quiescence", "accuracy of a random move"},
			[]string{`game\?id=\d+&amp;on=games&amp;ply=\d+`, `position\?game=\d+&amp;on=labels&amp;ply=\d+`}},
		"fit":      {[]string{"fitted to", "On held-out games the log-loss is", "with the initial weights", "with the base rate"}, []string{`positions\?down=1&amp;on=labels&amp;order=abs%28%22lines%22%29`}},
		"match":    {[]string{"Depth=2 against random, 20 games: won", "Elo "}, []string{`games\?on=match&amp;opponent=random&amp;player=depth%3D2`, `game\?id=0&amp;on=match`}},
		"curve":    {[]string{"Share of games won by ", "The curves"}, []string{`position\?game=\d+&amp;on=labels&amp;ply=\d+`, `game\?id=\d+&amp;on=games&amp;ply=\d+`}},
		"opponent": {[]string{"predicts"}, []string{`game\?id=\d+&amp;on=games&amp;ply=\d+`}},
		"evolved":  {[]string{`<pre class="printed">tictactoe, linear`}, nil},
	} {
		page := get("results?on=" + name)
		said := html.UnescapeString(page)
		for _, s := range c.says {
			if !strings.Contains(said, s) {
				t.Errorf("%s does not say %q", name, s)
			}
		}
		for _, s := range c.leads {
			if !regexp.MustCompile(`href="` + s).MatchString(page) {
				t.Errorf("%s has no link %s", name, s)
			}
		}
		main, _, _ := strings.Cut(page, "How it was made")
		if strings.Contains(main, "{&#34;") || strings.Contains(main, "map[") {
			t.Errorf("%s begins with JSON", name)
		}
	}
	// The links hold: the first of each kind opens.
	page := get("results?on=model")
	for _, view := range []string{"game", "position"} {
		link := regexp.MustCompile(`href="(` + view + `\?[^"]*)"`).FindStringSubmatch(page)
		if link == nil {
			t.Fatalf("no link to a %s", view)
		}
		if text := get(html.UnescapeString(link[1])); !strings.Contains(text, `id="board"`) {
			t.Errorf("%s shows no board", link[1])
		}
	}
	// So do those of a query, if it is of one dataset of games.
	const q = "sql?q=SELECT+ply%%2C+game_id+FROM+%s+ORDER+BY+ALL"
	if page := get(fmt.Sprintf(q, "labels")); !strings.Contains(page, `href="game?id=0&amp;on=games&amp;ply=0"`) || !strings.Contains(page, `href="position?game=0&amp;on=labels&amp;ply=0"`) {
		t.Error("rows of a query lead nowhere")
	}
	if page := get("sql?q=SELECT+game_id+FROM+labels+JOIN+match+USING+(game_id)"); strings.Contains(page, `href="game?id`) {
		t.Error("rows of games of two datasets lead to one of them")
	}
}
