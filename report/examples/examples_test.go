package examples

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	evalchess "kifu/eval/chess"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/internal/lists"
	"kifu/kit/sample"
	"kifu/label"
	"kifu/query"
	"kifu/transform"
)

var asks = []Ask{
	{Number: "1", Name: "more <b>pawns</b>", Condition: "white_pawns > black_pawns", More: true},
	{Number: "1b", Name: "fewer pawns", Condition: "white_pawns < black_pawns -- a comment", More: false},
	{Number: "2", Name: "nothing", Condition: "white_pawns > 8", More: true},
}

// TestFind: examples are of the condition, each of another game; those that are wrong are the
// wins at the lowest values, as a query of its own finds them.
func TestFind(t *testing.T) {
	ctx := board.With(context.Background(), []board.Game{board.Of(chess.Rules{})})
	dir := t.TempDir()
	labels, games := sample.Labels(dir), sample.Games(dir)
	all, err := Find(ctx, labels, games, "quiescence_value", 2, asks)
	if err != nil {
		t.Fatal(err)
	}
	if none, err := Find(context.Background(), labels, nil, "quiescence_value", 2, asks); err != nil || none != nil {
		t.Errorf("without boards: %d examples, %v", len(none), err)
	}
	seen := map[string]bool{}
	for _, e := range all {
		game := fmt.Sprint(e.Ask, e.Wrong, e.Game)
		if seen[game] {
			t.Errorf("game %d comes twice", e.Game)
		}
		seen[game] = true
		text := string(e.Board.AppendText(nil))
		pawns := strings.Count(text, "P") - strings.Count(text, "p")
		if e.Ask == 0 && pawns <= 0 || e.Ask == 1 && pawns >= 0 || e.Ask == 2 {
			t.Errorf("%s is not of condition %d", text, e.Ask)
		}
		if e.First == "" || e.Terms == nil {
			t.Errorf("game %d has no player or no terms: %+v", e.Game, e)
		}
		sum, groups := 0.0, 0.0
		for _, c := range e.Counts {
			sum += c.Score()
		}
		for _, term := range e.Terms {
			groups += term.Score
		}
		if len(e.Counts) == 0 || math.Abs(sum-groups) > 0.5 {
			t.Errorf("the terms of game %d make %v, its groups %v", e.Game, sum, groups)
		}
		if len(e.Next) == 0 || e.Next[0] != e.Move || strings.Contains(e.played(), e.Move) && len(e.Move) > 3 {
			t.Errorf("next moves %v (%s) of game %d, where %s was played", e.Next, e.played(), e.Game, e.Move)
		}
		for i := 1; i < len(e.Terms); i++ {
			if compareSize(e.Terms[i-1].Score, e.Terms[i].Score) < 0 {
				t.Errorf("the terms of game %d are in no order", e.Game)
			}
		}
	}
	db, err := query.Open(ctx, query.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Attach(ctx, "l", labels); err != nil {
		t.Fatal(err)
	}
	r, err := db.Query(ctx, "SELECT min(quiescence_value)::DOUBLE, count(DISTINCT game_id) FROM l WHERE white_pawns > black_pawns AND result = 'first'")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := r.All()
	if err != nil {
		t.Fatal(err)
	}
	wrong := lists.Where(all, func(e Example) bool { return e.Ask == 0 })
	if !wrong[0].Wrong || wrong[0].Value != rows[0][0] || wrong[Wrong-1].Value < wrong[0].Value || len(wrong) != Wrong+Right {
		t.Errorf("the most wrong of %d examples is %+v, want the value %v", len(wrong), wrong[0], rows[0][0])
	}

	page := string(HTML(board.Of(chess.Rules{}), asks, all, "centipawns"))
	for want, n := range map[string]int{"<svg xmlns": len(all), "<details>": 2, "more &lt;b&gt;pawns": 1, "<b>": 0, `<g id="kb1">`: 1, `href="https://lichess.org/analysis/`: len(all), `class="explore" hidden data-to="position?game=`: len(all)} {
		if got := strings.Count(page, want); got != n {
			t.Errorf("%d times %s on the page, want %d", got, want, n)
		}
	}
	data, err := CSV(asks, all)
	if err != nil {
		t.Fatal(err)
	}
	if lines, err := csv.NewReader(strings.NewReader(string(data))).ReadAll(); err != nil || len(lines) != len(all)+1 {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

// TestOfTerms: positions of a term are those where it counts most, as their own counts say, the most
// wrong of the Wrong and the Right that are shown, and each once.
func TestOfTerms(t *testing.T) {
	ctx := board.With(context.Background(), []board.Game{board.Of(chess.Rules{})})
	labels := sample.Labels(t.TempDir())
	asks, all, err := OfTerms(ctx, labels, nil, 2, []string{"bishop_pair", "no such term", "pawn"})
	if err != nil || len(asks) != 2 || asks[0].Name != "bishop_pair" {
		t.Fatalf("%+v, %v", asks, err)
	}
	least, seen := map[string]int{}, map[string]bool{}
	for _, e := range all {
		name := asks[e.Ask].Name
		i := slices.IndexFunc(e.Counts, func(c Count) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("game %d, ply %d: %s does not count in %+v", e.Game, e.Ply, name, e.Counts)
		}
		least[name] = max(e.Counts[i].Count, -e.Counts[i].Count)
		if text := name + string(e.Board.AppendText(nil)); seen[text] {
			t.Errorf("%s comes twice", text)
		} else {
			seen[text] = true
		}
		if e.Wrong != ((e.Result == "first") != (e.Value > 0)) {
			t.Errorf("game %d, ply %d: %s at %v is wrong: %v", e.Game, e.Ply, e.Result, e.Value, e.Wrong)
		}
	}
	// A pawn more or less is common: those shown have more.
	if least["bishop_pair"] != 1 || least["pawn"] < 2 {
		t.Errorf("least counts %v", least)
	}
}

// TestNextOfSample: of a sample of positions the next moves are those that follow one another.
func TestNextOfSample(t *testing.T) {
	ctx := board.With(context.Background(), []board.Game{board.Of(chess.Rules{})})
	dir := t.TempDir()
	positions := sample.Build(filepath.Join(dir, "some"), datasets.Step{Stage: "transform", Output: "positions/v1", Params: transform.Params{Sample: 0.5}, Inputs: []string{sample.Games(dir).Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, chess.Rules{}, transform.Params{Sample: 0.5}, transform.Options{}, in[0], out)
		}})
	p := label.Params{Search: []string{"quiescence"}, Eval: evalchess.Default()}
	labels := sample.Build(filepath.Join(dir, "labels"), datasets.Step{Stage: "label", Output: "labels/v2", Params: p, Inputs: []string{positions.Path},
		Run: func(ctx context.Context, in []*datasets.Dir, out *datasets.Builder) error {
			return label.Run(ctx, sample.Chess, p, 2, in[0], out)
		}})
	all, err := Find(ctx, labels, nil, "quiescence_value", 12, asks[:2])
	if err != nil {
		t.Fatal(err)
	}
	cut := 0
	for _, e := range all {
		if len(e.Next) < nextMoves {
			cut++
		}
		b := e.Board
		for _, text := range e.Next {
			m, err := b.Find(text)
			if err != nil {
				t.Fatalf("game %d, ply %d: %v cannot be played one after the other: %v", e.Game, e.Ply, e.Next, err)
			}
			b = m.Play()
		}
	}
	if len(all) < 10 || cut == 0 {
		t.Errorf("%d examples, %d of them with gaps after them", len(all), cut)
	}
}

// TestReplay: a game is played up to a ply, and the moves after it are told.
func TestReplay(t *testing.T) {
	g := board.Of(chess.Rules{})
	b, _ := g.Start("", "")
	var codes []byte
	for _, text := range []string{"e2e4", "e7e5", "g1f3"} {
		m, err := b.Find(text)
		if err != nil {
			t.Fatal(err)
		}
		code := chessCode(text)
		codes = append(codes, byte(code), byte(code>>8))
		b = m.Play()
	}
	at, next, err := replay(g, "standard", "", codes, 1)
	if err != nil || !strings.HasPrefix(string(at.AppendText(nil)), "rnbqkbnr/pppppppp/8/8/4P3/8/") || strings.Join(next, " ") != "e5 Nf3" {
		t.Errorf("%v %v %v", at, next, err)
	}
	if _, _, err := replay(g, "standard", "", codes, 3); err == nil {
		t.Error("a ply after the end has a move")
	}
}

// chessCode is the code of a move in the column moves, as its documentation has it.
func chessCode(text string) uint16 {
	square := func(s string) uint16 { return uint16(s[0]-'a') + 8*uint16(s[1]-'1') }
	return square(text[:2]) | square(text[2:])<<6
}

// TestPageStaysSmall: what does not fit is named.
func TestPageStaysSmall(t *testing.T) {
	g := board.Of(chess.Rules{})
	b, err := g.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	var many []Ask
	var all []Example
	for i := range 100 {
		many = append(many, Ask{Name: "a"})
		for range 12 {
			all = append(all, Example{Ask: i, Board: b, Result: "first"})
		}
	}
	page := HTML(g, many, all, "centipawns")
	if len(page) > pageBytes+100_000 || !strings.Contains(string(page), "conditions more are in the CSV") {
		t.Errorf("%d bytes", len(page))
	}
}
