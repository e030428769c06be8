package legal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/chess"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/ingest/record"
	"kifu/ingest/rows"
)

// format is one of which nothing is read.
var format = &record.Format{Name: "PGN", VariantTag: record.TagVariant}

// game makes a record of moves, with tags by name and value.
func game(result, moves string, tags ...string) *record.Game {
	g := &record.Game{Result: []byte(result)}
	for _, m := range strings.Fields(moves) {
		g.Moves = append(g.Moves, record.Move{Text: []byte(m)})
	}
	for i := 0; i < len(tags); i += 2 {
		g.Tags = append(g.Tags, record.Tag{Name: []byte(tags[i]), Value: []byte(tags[i+1])})
	}
	return g
}

// resolve plays a record.
func resolve(g Game, of *record.Game, keepPrefix bool) (r rows.Row, err error) {
	err = g.NewResolver(keepPrefix).Resolve(of, rows.ReadHeader(of, format.VariantTag, g.BlackFirst()), &r)
	return r, err
}

// played returns the moves of a row in coordinates.
func played[P games.Position[P]](t *testing.T, rules games.Rules[P], r *rows.Row) string {
	t.Helper()
	p, _, err := rules.Start(r.Variant, string(r.Start))
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for i := 0; i < len(r.Moves); i += 2 {
		m, err := rules.UnpackMove(p, binary.LittleEndian.Uint16(r.Moves[i:]))
		if err != nil {
			t.Fatal(err)
		}
		text = append(rules.AppendCoordinates(text, p, m), ' ')
		p = p.Play(m)
	}
	return strings.TrimSpace(string(text))
}

var chessGame = Bind[chess.Position](chess.Rules{}, []*record.Format{format})

// TestResolve: moves become packed moves, and the last position has its outcome.
func TestResolve(t *testing.T) {
	r, err := resolve(chessGame, game("0-1", "f3 e5 g4 Qh4#"), false)
	if got := played(t, chess.Rules{}, &r); err != nil || got != "f2f3 e7e5 g2g4 d8h4" || r.Final != games.SecondWins || len(r.Start) > 0 || r.Dialect != "" || r.Cut != "" {
		t.Errorf("%s, %+v, %v", got, r, err)
	}
	if r, err = resolve(chessGame, game("*", "e4 e5"), false); err != nil || r.Final != games.Undecided {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = resolve(chessGame, game("1-0", ""), false); err != nil || len(r.Moves) > 0 {
		t.Errorf("a result without moves: %+v, %v", r, err)
	}
}

// TestReject: what a game is left out for, and where.
func TestReject(t *testing.T) {
	for _, c := range []struct {
		of   *record.Game
		want string
	}{
		{game("", ""), "no moves and no result"},
		{game("*", "e4 e5 Ke3"), `illegal move: move 2. "Ke3"`},
		{game("*", "e4 Ke6"), `illegal move: move 1... "Ke6"`},
		{game("*", "e4 e5 @"), `unreadable move: move 2. "@"`},
		{game("*", "Ke5", record.TagFEN, "4k3/8/8/8/8/8/8/4K3 b - - 0 9"), `illegal move: move 1... "Ke5"`},
		{game("*", "Kd8 Ke4", record.TagFEN, "4k3/8/8/8/8/8/8/4K3 b - - 0 9"), `illegal move: move 2. "Ke4"`},
		{game("*", "e4", record.TagFEN, "8/8"), `unreadable start position: "8/8"`},
	} {
		_, err := resolve(chessGame, c.of, false)
		var reject *Reject
		if !errors.As(err, &reject) || !alike(reject.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	long := game("*", "e4", record.TagVariant, strings.Repeat("very ", 30)+"\x01odd")
	if _, err := resolve(chessGame, long, false); err == nil || len(err.Error()) > 90 {
		t.Errorf("an unknown variant: %v", err)
	}
	if got := RejectOf(errors.New("x")); got.Reason != "x" || got.Detail != "" {
		t.Errorf("another error is rejected as %+v", got)
	}
}

// alike reports whether a reject has the detail that is wanted, and a reason.
func alike(got, want string) bool {
	_, detail, _ := strings.Cut(want, ": ")
	return got == want || detail != "" && strings.HasSuffix(got, ": "+detail)
}

// TestClip: a name that a record gives to itself is short and printable.
func TestClip(t *testing.T) {
	for name, want := range map[string]string{
		"chess": "chess", "a\x00b\nc": "a?b?c", strings.Repeat("x", 80): strings.Repeat("x", 80), strings.Repeat("é", 60): strings.Repeat("é", 41) + "…",
	} {
		if got := Clip(name); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestKeepPrefix: a game with an illegal move is cut before it, and the row says why.
func TestKeepPrefix(t *testing.T) {
	of := game("1-0", "e4 e5 Ke3 Nc6")
	r, err := resolve(chessGame, of, true)
	if got := played(t, chess.Rules{}, &r); err != nil || got != "e2e4 e7e5" || len(of.Moves) != 2 || r.Cut == "" || !strings.HasPrefix(r.Fault, r.Cut) || !strings.HasSuffix(r.Fault, `move 2. "Ke3"`) {
		t.Errorf("%s, %d moves, %+v, %v", got, len(of.Moves), r, err)
	}
	if r, err = resolve(chessGame, game("1-0", "e4 e5"), true); err != nil || r.Cut != "" {
		t.Errorf("a legal game: %+v, %v", r, err)
	}
}

// TestStart: a start position that its variant has anyway is not stored, another one is, as the game writes it.
func TestStart(t *testing.T) {
	const usual, other = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
	for _, c := range []struct{ fen, want string }{{usual, ""}, {"?", ""}, {" " + other + " ", other}, {"4k3/8/8/8/8/8/4P3/4K3 w - -", other}} {
		r, err := resolve(chessGame, game("*", "e4", record.TagFEN, c.fen), false)
		if err != nil || string(r.Start) != c.want {
			t.Errorf("%q starts at %q, %v; want %q", c.fen, r.Start, err, c.want)
		}
	}
	var r rows.Row
	of := game("*", "nothing that is played", record.TagFEN, other)
	if err := chessGame.NewResolver(false).Begin(of, rows.ReadHeader(of, format.VariantTag, false), &r); err != nil || string(r.Start) != other {
		t.Errorf("the tags alone: %q, %v", r.Start, err)
	}
}

// TestDialects: moves in the letters of a language are played if it alone reads them; the usual letters come first.
func TestDialects(t *testing.T) {
	for moves, want := range map[string]string{"e4 e5 Sf3 Sc6 Lb5": "german", "e4 e5 Cf3 Cc6 Fb5": "french", "e4 e5 Nf3 Nc6 Bb5": ""} {
		r, err := resolve(chessGame, game("*", moves), false)
		if got := played(t, chess.Rules{}, &r); err != nil || got != "e2e4 e7e5 g1f3 b8c6 f1b5" || r.Dialect != want {
			t.Errorf("%s: %s in %q, %v", moves, got, r.Dialect, err)
		}
	}
	if _, err := resolve(chessGame, game("*", "e4 e5 Cf3 Xc6"), false); err == nil {
		t.Error("letters of no language are played")
	}
}

// TestPasses: passes that a record of Othello leaves out are put in, into the record too.
func TestPasses(t *testing.T) {
	rules := othello.Rules{}
	g := Bind[othello.Position](rules, []*record.Format{format})
	passes := 0
	for seed := range 20 {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		p, _, err := rules.Start("", "")
		if err != nil {
			t.Fatal(err)
		}
		var codes []byte
		var written []string
		for p.Outcome() == games.Undecided {
			m, forced := rules.ForcedPass(p)
			if forced {
				passes++
			} else {
				legal := p.AppendMoves(nil)
				m = legal[rng.IntN(len(legal))]
				written = append(written, string(rules.AppendCoordinates(nil, p, m)))
			}
			codes = binary.LittleEndian.AppendUint16(codes, rules.PackMove(p, m))
			p = p.Play(m)
		}
		of := game("*", strings.Join(written, " "))
		r, err := resolve(g, of, false)
		if err != nil || !bytes.Equal(r.Moves, codes) || r.Final != p.Outcome() || len(of.Moves) != len(codes)/2 {
			t.Fatalf("seed %d: %v, %d moves of %d, %v", seed, r.Final, len(of.Moves), len(codes)/2, err)
		}
	}
	if passes == 0 {
		t.Error("no game has a pass")
	}
}

// TestRepetition: the first repetition that ends a game of Shogi is found, and whether play goes on.
func TestRepetition(t *testing.T) {
	g := Bind[shogi.Position](shogi.Rules{}, []*record.Format{format})
	round := "2h3h 8b7b 3h2h 7b8b "
	for moves, want := range map[string][2]any{
		strings.Repeat(round, 2):          {games.Undecided, false},
		strings.Repeat(round, 3):          {games.Drawn, false},
		strings.Repeat(round, 3) + "7g7f": {games.Drawn, true},
	} {
		r, err := resolve(g, game("*", moves), false)
		if err != nil || r.Repetition != want[0] || r.GoesOn != want[1] {
			t.Errorf("%s: %v, goes on %v, %v; want %v", moves, r.Repetition, r.GoesOn, err, want)
		}
	}
}

// TestPositions: positions of a list are one game as long as a move leads from each to the next.
func TestPositions(t *testing.T) {
	b := columns.NewBatch(chessGame.Positions(false))
	table := rows.NewTable(b)
	resolver := chessGame.NewResolver(false)
	add := func(fen, move string) error {
		g := &record.Game{Moves: []record.Move{{Text: []byte(move)}}, Result: []byte("1-0")}
		g.Tags = []record.Tag{{Name: []byte(record.TagFEN), Value: []byte(fen)}}
		_, err := resolver.Positions(g, table)
		return err
	}
	const after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	for _, one := range [][2]string{{"", "e4"}, {after, "e5"}, {after, ""}, {"", ""}} {
		if err := add(one[0], one[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := add(after, "Ke4"); err == nil || !strings.Contains(err.Error(), `"Ke4" in rnbqkbnr`) {
		t.Errorf("an illegal move: %v", err)
	}
	resolver.Filled(table)
	if got := fmt.Sprint(b.Col("game_id").Int64, b.Col("ply").Int32[:2], b.Col("result").Len(), b.Col("first_elo").Len()); got != "[0 0 1 2] [0 1] 4 4" {
		t.Errorf("games, plies and lengths %s", got)
	}
	if got := string(bytes.Join([][]byte{b.Col("move").Value(0), b.Col("move").Value(1)}, []byte(" "))); got != "e2e4 e7e5" || !b.Col("move").IsNull(2) {
		t.Errorf("moves %s", got)
	}
}

// TestGames: names and formats of games, each format once, and which game a record can be of.
func TestGames(t *testing.T) {
	other := &record.Format{Name: "SGF"}
	reversi := Bind[othello.Position](othello.Rules{}, []*record.Format{format, other}, "reversi")
	all := []Game{chessGame, reversi}
	if set := Formats(all); len(set) != 2 || set[0] != format || set[1] != other {
		t.Errorf("formats %v", set)
	}
	if !reversi.Takes("othello") || !reversi.Takes("reversi") || reversi.Takes("chess") || !reversi.BlackFirst() || chessGame.BlackFirst() || reversi.Name() != "othello" {
		t.Error("names and sides")
	}
	for moves, want := range map[string]bool{"e4 e5 and so on": true, "f5 d6 and so on": true, "and so on": false} {
		if got := Playable(format, all, game("*", moves), 2); got != want {
			t.Errorf("%s: playable %v", moves, got)
		}
	}
	if Playable(format, all, game("*", ""), 0) || Playable(other, all[:1], game("*", "e4 e5"), 2) {
		t.Error("no moves, or a format of another game, are playable")
	}
}
