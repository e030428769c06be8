package match

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
	evalothello "kifu/eval/othello"
	evaltictactoe "kifu/eval/tictactoe"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/tictactoe"
	"kifu/kit/datasettest"
	"kifu/players/play"
	"kifu/schemas"
	"kifu/search/engine"
)

var (
	tictactoeGame = eval.Game[tictactoe.Position]{Rules: tictactoe.Rules{}, NewEvaluator: evaltictactoe.New, Default: evaltictactoe.Default}
	othelloGame   = eval.Game[othello.Position]{Rules: othello.Rules{}, NewEvaluator: evalothello.New, Default: evalothello.Default}
)

// params returns a match of two players.
func params(t *testing.T, n int, first, second string) Params {
	t.Helper()
	p := Params{Games: n, Seed: 1, Ends: Ends{MaxPlies: 1000}}
	for _, text := range []string{first, second} {
		p.Players = append(p.Players, player(t, text))
	}
	return p
}

func player(t *testing.T, text string) play.Player {
	t.Helper()
	p, err := play.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playOut plays a match of two players into dir.
func playOut[P games.Position[P]](t *testing.T, g eval.Game[P], learner Learner[P], p Params, workers int, dir string) (Result, error) {
	t.Helper()
	l, err := league(t, g, learner, p, workers, dir)
	if err != nil {
		return Result{}, err
	}
	return l.Meetings[0], nil
}

// league plays a match of any players into dir.
func league[P games.Position[P]](t *testing.T, g eval.Game[P], learner Learner[P], p Params, workers int, dir string) (l League, err error) {
	t.Helper()
	step := datasets.Step{Stage: "match", Output: schemas.Games.ID(), Params: p,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, g, learner, p, workers, out)
		}}
	if _, _, err := datasets.Build(context.Background(), dir, step, datasets.Options{}); err != nil {
		return l, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	return l, json.Unmarshal(text, &l)
}

// read calls visit with every row of a match.
func read(t *testing.T, dir string, visit func(b *columns.Batch, i int)) {
	t.Helper()
	b := datasettest.Rows(t, datasettest.Open(t, dir))
	for i := range b.Rows {
		visit(b, i)
	}
}

// TestTicTacToe: it is a draw (every tree of it says so), and who searches it to the
// end never loses.
func TestTicTacToe(t *testing.T) {
	r, err := playOut(t, tictactoeGame, nil, params(t, 10, "depth=9", "depth=9"), 2, t.TempDir())
	if want := [2][3]int64{{0, 5, 0}, {0, 5, 0}}; err != nil || r.Sides != want || r.Pairs != [5]int64{0, 0, 5} {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = playOut(t, tictactoeGame, nil, params(t, 40, "random", "depth=9"), 2, t.TempDir())
	if all := sum(r.Sides[0], r.Sides[1]); err != nil || all[0] > 0 || all[2] < 25 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestGames holds the rows of a match against the rules, the openings and each other,
// and the bytes of one worker against those of three.
func TestGames(t *testing.T) {
	p := params(t, 60, "depth=1", "depth=2 random=0.2")
	p.Openings.RandomPlies = 4
	one, three := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "three")
	result, err := playOut(t, chessGame, nil, p, 1, one)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := playOut(t, chessGame, nil, p, 3, three); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"part-00000.parquet", "manifest.json", ResultText} {
		a, _ := os.ReadFile(filepath.Join(one, name))
		b, err := os.ReadFile(filepath.Join(three, name))
		if err != nil || string(a) != string(b) {
			t.Errorf("%s depends on the number of workers", name)
		}
	}
	before, starts := "", map[string]bool{}
	var wdl [3]int64
	read(t, one, func(b *columns.Batch, i int) {
		moves := b.Col("moves").Value(i)
		opening := string(moves[:8])
		if id := b.Col("game_id").Int64[i]; id%2 == 1 && opening != before || id != int64(i) {
			t.Errorf("game %d, row %d: the opening is not that of its pair", id, i)
		}
		before, starts[opening] = opening, true
		outcome, rule := replayed(t, moves)
		if got := string(b.Col("result").Value(i)); got != outcome.String() || string(b.Col("termination").Value(i)) != rule {
			t.Errorf("game %d: result %q; the rules say %q by %s", i, got, outcome, rule)
		}
		first := string(b.Col("first_player").Value(i))
		if first != p.Players[i%2].Text {
			t.Errorf("game %d: %q moves first", i, first)
		}
		switch {
		case outcome == games.Drawn:
			wdl[1]++
		case (outcome == games.FirstWins) == (first == p.Players[0].Text):
			wdl[0]++
		default:
			wdl[2]++
		}
		from, to := b.Col("evals").List(i)
		if to-from != len(moves)/2 || b.Col("evals").ItemOK[from] || !b.Col("evals").ItemOK[from+4+(i%2)] {
			t.Errorf("game %d: %d values for %d plies, or values of drawn moves", i, to-from, len(moves)/2)
		}
	})
	if wdl != sum(result.Sides[0], result.Sides[1]) || len(starts) < 25 {
		t.Errorf("%v in the rows, %v in the result; %d openings", wdl, result.Sides, len(starts))
	}
}

// replayed is how a game of chess ends by the rules, which it does not before its end.
func replayed(t *testing.T, codes []byte) (games.Outcome, string) {
	t.Helper()
	r := chessGame.Rules.NewReplay()
	p, _, _ := chessGame.Rules.Start("", "")
	r.Reset(p)
	for ; len(codes) > 0; codes = codes[2:] {
		if o, rule := r.Outcome(); o != games.Undecided {
			t.Errorf("play goes on after %s", rule)
		}
		m, err := chessGame.Rules.UnpackMove(r.Position(), binary.LittleEndian.Uint16(codes))
		if err != nil {
			t.Fatal(err)
		}
		r.Play(m)
	}
	return r.Outcome()
}

func TestEnds(t *testing.T) {
	p := params(t, 4, "random", "random")
	p.Ends.MaxPlies = 3
	r, err := playOut(t, chessGame, nil, p, 1, t.TempDir())
	if err != nil || r.Unfinished != 4 || r.Plies != 12 || r.Elo != nil {
		t.Errorf("a limit of 3: %+v, %v", r, err)
	}
	p.Ends.LimitDraw = true
	if r, err = playOut(t, chessGame, nil, p, 1, t.TempDir()); err != nil || r.Pairs != [5]int64{0, 0, 2} {
		t.Errorf("drawn at the limit: %+v, %v", r, err)
	}
	// White is a queen up: both players see it, for as many plies as are asked for.
	p = params(t, 2, "depth=1", "depth=1")
	p.Openings = Openings{Name: "test", Text: "4k3/pppp4/8/8/8/8/4PPPP/3QK3 w - - 0 1"}
	p.Ends.ResignValue, p.Ends.ResignPlies = 500, 6
	r, err = playOut(t, chessGame, nil, p, 1, t.TempDir())
	if err != nil || r.Ends["adjudication"] != 2 || r.Plies != 12 || r.Sides != [2][3]int64{{1, 0, 0}, {0, 0, 1}} {
		t.Errorf("resigned: %+v, %v", r, err)
	}
}

// TestOpenings: the published numbers of lines, and what a file of openings may hold.
func TestOpenings(t *testing.T) {
	o, err := newOpener(othelloGame.Rules, Params{Openings: Openings{Plies: 4}})
	if err != nil || len(o.lines) != 244 {
		t.Errorf("%d starts of Othello, %v; want 244", len(o.lines), err)
	}
	all, err := newOpener(draughts.Checkers, Params{Openings: Openings{Plies: 2}})
	if err != nil || len(all.lines) != 49 {
		t.Fatalf("%d openings of two moves, %v; want 49", len(all.lines), err)
	}
	named, _ := Named("checkers", "two-move")
	played, err := newOpener(draughts.Checkers, Params{Openings: named})
	if err != nil || len(played.lines) != 43 {
		t.Fatalf("%d ballots, %v; want 43", len(played.lines), err)
	}
	ballots := map[string]bool{}
	for _, l := range played.lines {
		ballots[string(l.name)] = true
	}
	struck := 0
	for _, l := range all.lines {
		if !ballots[string(l.name)] {
			struck++
			if !strings.Contains(strings.SplitN(named.Text, "\n9-13", 2)[0], string(l.name)) {
				t.Errorf("%s is struck and not named", l.name)
			}
		}
	}
	if struck != 6 || len(ballots) != 43 {
		t.Errorf("%d different ballots, %d of the 49 struck", len(ballots), struck)
	}

	named, _ = Named("checkers", "three-move")
	deck, err := newOpener(draughts.Checkers, Params{Openings: named})
	if err != nil || len(deck.lines) != 144 {
		t.Fatalf("%d ballots of three moves, %v; want 144", len(deck.lines), err)
	}
	ballots = map[string]bool{}
	for _, l := range deck.lines {
		ballots[string(l.name)] = true
	}
	if len(ballots) != 144 {
		t.Errorf("%d different ballots of three moves", len(ballots))
	}

	for text, lines := range map[string]int{
		"e4 e5 # open\n\n# nothing\nd4":                                          2,
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -":                   1,
		"rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;": 1,
	} {
		o, err := newOpener(chessGame.Rules, Params{Openings: Openings{Name: "book", Text: text}})
		if err != nil || len(o.lines) != lines {
			t.Errorf("%q: %d openings, %v; want %d", text, len(o.lines), err, lines)
		}
	}
	for text, want := range map[string]string{
		"e4 e4":  "book:1: e4: illegal move",
		"# none": "no opening",
		"e4\nxy": `book:2: "xy" is neither a position nor moves`,
	} {
		if _, err := newOpener(chessGame.Rules, Params{Openings: Openings{Name: "book", Text: text}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// TestOpeningsOfAnotherVariant: a position that begins no named start of Shogi is a problem,
// and opens a game all the same.
func TestOpeningsOfAnotherVariant(t *testing.T) {
	o, err := newOpener(shogi.Rules{}, Params{Openings: Openings{Name: "book", Text: "4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n" + shogi.StartSFEN}})
	if err != nil || len(o.lines) != 2 || o.lines[0].variant != "problem" || o.lines[1].variant != "standard" {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestOpeningsOfUSI: positions and moves as UCI and USI write them.
func TestOpeningsOfUSI(t *testing.T) {
	text := "startpos moves 7g7f 3c3d\nposition sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\nstartpos"
	o, err := newOpener(shogi.Rules{}, Params{Openings: Openings{Name: "book", Text: text}})
	if err != nil || len(o.lines) != 3 || len(o.lines[0].moves) != 2 || o.lines[0].text != "" || len(o.lines[1].moves) != 1 || o.lines[1].variant != "problem" || len(o.lines[2].moves) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := newOpener(shogi.Rules{}, Params{Openings: Openings{Name: "book", Text: "startpos moves 7g7e"}}); err == nil || !strings.Contains(err.Error(), "book:1: 7g7e") {
		t.Errorf("an illegal move: %v", err)
	}
}

// program is an engine that plays the first move of tic-tac-toe that it finds, until it
// has none left to give.
type program struct{ left *atomic.Int64 }

func newProgram() program { return program{new(atomic.Int64)} }

func (program) Name() string                  { return "first" }
func (program) NewGame(context.Context) error { return nil }
func (program) Close() error                  { return nil }
func (program) Static(context.Context, string) (float64, bool, error) {
	return 0, false, nil
}

func (program) Search(context.Context, string) (v engine.Value, err error) {
	return v, errors.New("it only plays")
}

func (e program) Move(_ context.Context, start string, moves []string) (a engine.Answer, err error) {
	if e.left.Add(-1) < 0 {
		return a, errors.New("no more moves")
	}
	p, err := tictactoe.Rules{}.ParsePosition(start)
	if err != nil {
		return a, err
	}
	for _, text := range moves {
		m, err := tictactoe.Rules{}.ParseMove(p, []byte(text))
		if err != nil {
			return a, err
		}
		p = p.Play(m)
	}
	a.Best = string(tictactoe.Rules{}.AppendCoordinates(nil, p, p.AppendMoves(nil)[0]))
	return a, nil
}

// TestResume: a match that broke off goes on after its last finished game, and ends as if
// it had not.
func TestResume(t *testing.T) {
	var left atomic.Int64
	p := params(t, 700, "depth=1", "random")
	p.Players[1] = play.Player{Text: "program", Outside: &play.Outside{Name: "first", Start: func(context.Context) (engine.Engine, error) {
		return program{&left}, nil
	}}}
	whole, cut := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "cut")
	const plenty = 1 << 20
	left.Store(plenty)
	want, err := playOut(t, tictactoeGame, nil, p, 2, whole)
	if err != nil {
		t.Fatal(err)
	}
	asked := plenty - left.Load()
	left.Store(asked / 2)
	if _, err := playOut(t, tictactoeGame, nil, p, 2, cut); err == nil || !strings.Contains(err.Error(), "no more moves") {
		t.Fatalf("not broken off: %v", err)
	}
	const unfinished = 2 * 5 // moves of the games that two workers were playing
	left.Store(asked - asked/2 + unfinished)
	got, err := playOut(t, tictactoeGame, nil, p, 2, cut)
	if err != nil || got.Sides != want.Sides || got.Pairs != want.Pairs {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, name := range []string{"part-00000.parquet", "part-00002.parquet", "manifest.json", "result.json"} {
		a, errA := os.ReadFile(filepath.Join(whole, name))
		b, errB := os.ReadFile(filepath.Join(cut, name))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s differs: %v, %v", name, errA, errB)
		}
	}
}

// The column evals has hundredths, of whatever the evaluator's unit is.
func TestValuesAreHundredths(t *testing.T) {
	dir := t.TempDir() + "/games"
	p := params(t, 4, "depth=1 plain", "depth=1 plain")
	p.Openings.RandomPlies = 2
	if _, err := playOut(t, tictactoeGame, nil, p, 1, dir); err != nil {
		t.Fatal(err)
	}
	e, err := tictactoeGame.NewEvaluator(tictactoeGame.Default())
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	read(t, dir, func(b *columns.Batch, i int) {
		p, _, _ := tictactoeGame.Rules.Start("", "")
		from, _ := b.Col("evals").List(i)
		for k, codes := from, b.Col("moves").Value(i); len(codes) > 0; k, codes = k+1, codes[2:] {
			m, err := tictactoeGame.Rules.UnpackMove(p, binary.LittleEndian.Uint16(codes))
			if err != nil {
				t.Fatal(err)
			}
			p = p.Play(m)
			if k < from+2 || p.Outcome() != games.Undecided {
				continue
			}
			// Lines are whole ones: a value of 3 lines is 300.
			if got := b.Col("evals").Int32[k]; got != e.Value(p) {
				t.Errorf("game %d, ply %d: %d, the evaluator says %d hundredths", i, k-from, got, e.Value(p))
			}
			tried++
		}
	})
	if tried < 8 {
		t.Errorf("%d values looked at", tried)
	}
}
