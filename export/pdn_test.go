package export

import (
	"bytes"
	"fmt"
	"testing"

	"kifu/games"
	"kifu/ingest/pdn"
	"kifu/ingest/record"
)

// What is written is read back: tags, moves and result.
func TestPDNIsReadBack(t *testing.T) {
	g := Game{
		First: []byte("Hay, W."), Second: []byte(`Wyllie "J."`), Event: []byte("Alwick [1842]"), FirstElo: 2100,
		Date: []byte("1842"), Start: []byte("B:W21,22,K9:B1"), FirstToMove: true, Result: games.FirstWins,
		Tags: []Tag{{[]byte("GameType"), []byte("21,B,8,8,N1,0")}, {[]byte("Annotator"), []byte("x")}},
	}
	for i := range 60 {
		g.Moves = append(g.Moves, Move{Text: fmt.Appendf(nil, "%dx%dx32", i%30+1, 31)})
	}
	text := PDN{GameType: "21", BlackFirst: true}.Append(nil, &g)
	for _, line := range bytes.Split(text, []byte("\n")) {
		if len(line) > lineWidth {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	var back record.Game
	if err := record.NewStream(pdn.Format(), bytes.NewReader(text), record.Options{}).Read(&back); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Event": "Alwick [1842]", "Site": "?", "Date": "1842.??.??", "White": `Wyllie "J."`, "Black": "Hay, W.", "BlackElo": "2100", "WhiteElo": "",
		"Result": "1-0", "GameType": "21", "FEN": "B:W21,22,K9:B1", "SetUp": "1", "Annotator": "x",
	} {
		if got := string(back.Tag(name)); got != want {
			t.Errorf("tag %s is read back as %q, want %q", name, got, want)
		}
	}
	if len(back.Moves) != len(g.Moves) || string(back.Result) != "1-0" {
		t.Fatalf("%d moves and result %q in\n%s", len(back.Moves), back.Result, text)
	}
	for i, m := range back.Moves {
		if !bytes.Equal(m.Text, g.Moves[i].Text) {
			t.Errorf("move %d is read back as %s, want %s", i, m.Text, g.Moves[i].Text)
		}
	}
}

func TestFENLine(t *testing.T) {
	p := Position{Text: []byte("B:W21,22,K9:B1"), Move: []byte("1-5"), Result: games.SecondWins}
	if got, want := string(FEN{}.Append(nil, &p)), "B:W21,22,K9:B1 c0 \"1-5\"; c1 \"0-1\";\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p = Position{Text: p.Text}
	if got, want := string(FEN{}.Append(nil, &p)), "B:W21,22,K9:B1\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
