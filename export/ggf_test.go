package export

import (
	"bytes"
	"fmt"
	"testing"

	"kifu/games"
	"kifu/ingest/ggf"
	"kifu/ingest/record"
)

// What is written is read back: tags, start, values, clocks and result.
func TestGGFIsReadBack(t *testing.T) {
	const start = "--XXO-----XX------XOO---XXXXOO-----OX-----O-X------------------- O"
	g := Game{
		First: []byte("edax"), Second: []byte("Ro]xane"), Event: []byte("Coupe d'été"), Site: []byte("GGS/os"), FirstElo: 2691,
		Date: []byte("2009-07"), TimeControl: []byte("05:00/2/02:00"), Termination: []byte("time forfeit"),
		Start: []byte(start), FirstToMove: false, Result: games.SecondWins,
		Tags: []Tag{
			{[]byte("Score"), []byte("-10.5")}, {[]byte("Time"), []byte("02:52:45.MDT")}, {[]byte("RB"), []byte("2691.38")},
			{[]byte("TY"), []byte("s8r18")}, {[]byte("KM"), []byte("0")}, {[]byte("not_letters"), []byte("x")},
		},
		Moves: []Move{
			{Text: []byte("f5"), Value: -825, HasValue: true, Clock: 299_990, HasClock: true}, // used 2.01
			{Text: []byte("d6"), Clock: 302_000, HasClock: true},                              // used nothing
			{Text: []byte("pass"), Value: 40, HasValue: true, Clock: 301_989, HasClock: true}, // used 0.001
			{Text: []byte("c4")}, // in the time of grace
			{Text: []byte("b5"), Clock: 3_989, HasClock: true},
			{Text: []byte("g8")},
		},
	}
	text := GGF{}.Append(nil, &g)
	var back record.Game
	if err := record.NewStream(ggf.Format(), bytes.NewReader(text), record.Options{}).Read(&back); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	want := map[string]string{
		"Black": "edax", "White": "Ro)xane", "BlackElo": "2691", "RB": "2691.38", "Event": "Coupe d'été", "Site": "GGS/os",
		"Date": "2009.07", "Time": "02:52:45.MDT", "TimeControl": "05:00/2/02:00", "Variant": "s8r18", "TY": "s8r18",
		"Score": "-10.5", "Termination": "time forfeit", "KM": "0",
		"FEN": "8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- O",
	}
	for name, want := range want {
		if got := string(back.Tag(name)); got != want {
			t.Errorf("tag %s is read back as %q, want %q", name, got, want)
		}
	}
	if len(back.Tags) != len(want) || string(back.Result) != "0-1" {
		t.Errorf("result %q and tags %s", back.Result, back.Tags)
	}
	if len(back.Moves) != len(g.Moves) {
		t.Fatalf("%d moves in %s", len(back.Moves), text)
	}
	for i, m := range back.Moves {
		w := g.Moves[i]
		if got := (Move{Text: m.Text, Value: m.Value, Clock: m.Clock, HasValue: m.HasValue, HasClock: m.HasClock}); fmt.Sprint(got) != fmt.Sprint(w) {
			t.Errorf("move %d is read back as %v, want %v: %s", i, got, w, text)
		}
	}
}

// The result that other formats had becomes a score, if there is one.
func TestGGFScore(t *testing.T) {
	discs := func(n string) []Tag { return []Tag{{[]byte("BlackDiscs"), []byte(n)}} }
	for _, c := range []struct {
		about string
		game  Game
		want  string
	}{
		{"of WTHOR", Game{Result: games.FirstWins, Tags: discs("34")}, "RE[+4.000]"},
		{"of WTHOR, drawn", Game{Result: games.Drawn, Tags: discs("32")}, "RE[0.000]"},
		{"of the moves", Game{Result: games.SecondWins, Score: -1200, Scored: true}, "RE[-12.000]"},
		{"of the moves, which the result contradicts", Game{Result: games.FirstWins, Score: -1200, Scored: true}, "Result[1-0]"},
		{"unknown", Game{Result: games.Drawn}, "Result[1/2-1/2]"},
		{"resigned", Game{Result: games.FirstWins, Tags: discs("64"), Termination: []byte("resignation")}, "RE[+64.000:r]"},
		{"nobody's", Game{}, "TY[8]BO["},
	} {
		if text := (GGF{}).Append(nil, &c.game); !bytes.Contains(text, []byte(c.want)) {
			t.Errorf("%s: no %s in %s", c.about, c.want, text)
		}
	}
}

func TestOBFLine(t *testing.T) {
	p := Position{Text: []byte("XO-- X"), Move: []byte("f5"), Result: games.FirstWins}
	if got, want := string(OBF{}.Append(nil, &p)), "XO-- X; c0 \"f5\"; c1 \"1-0\";\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p = Position{Text: p.Text}
	if got, want := string(OBF{}.Append(nil, &p)), "XO-- X;\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
