package export

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kifu/games"
	"kifu/ingest/record"
	"kifu/ingest/sgf"
)

func readSGF(t *testing.T, text []byte) (g record.Game) {
	t.Helper()
	if err := record.NewStream(sgf.Format(), bytes.NewReader(text), record.Options{}).Read(&g); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return g
}

// What is written is read back: tags, start, values, clocks and result.
func TestSGFIsReadBack(t *testing.T) {
	g := Game{
		First: []byte(`a]b\c`), Second: []byte("井山裕太"), Event: []byte("Coupe d'été: 1\\2"), Site: []byte("KGS"), Round: []byte("2"),
		FirstElo: 2691, Date: []byte("2009-07"), TimeControl: []byte("1800"), Termination: []byte("time forfeit"), Opening: []byte("pro: 4-4"),
		Variant: []byte("9x9 japanese komi -0.5"), Start: []byte("4X4/9/2X3O2/9/.X5X1/9/9/9/OO7 w - 0 0:0 -0.5 japanese"),
		Result: games.SecondWins, Cut: []byte("ko retaken at once"),
		Tags: []Tag{
			{[]byte("WR"), []byte("9d?")}, {[]byte("RU"), []byte("Japanese rules")}, {[]byte("KM"), []byte("-0,5")}, {[]byte("HA"), []byte("3")},
			{[]byte("AP"), []byte("CGoban:3")}, {[]byte("Annotator"), []byte("x")}, {[]byte("Event"), []byte("twice")}, {[]byte("Opaque"), []byte("z")},
		},
		Moves: []Move{
			{Text: []byte("ee"), Value: -825, HasValue: true, Clock: 299_990, HasClock: true},
			{Text: []byte("fe"), Clock: 302_000, HasClock: true},
			{Text: []byte(""), Value: 31_998, HasValue: true},
			{Text: []byte("gg"), Value: 0, HasValue: true, Clock: 1, HasClock: true},
		},
	}
	text := SGF{}.Append(nil, &g)
	back := readSGF(t, text)
	tags := []string{
		`Event=Coupe d'été: 1\2`, "Round=2", "Site=KGS", `Black=a]b\c`, "BlackElo=2691", "White=井山裕太", "TimeControl=1800", "Date=2009-07",
		"ON=pro: 4-4", "Termination=time forfeit", "WR=9d?", "RU=Japanese rules", "KM=-0,5", "HA=3", "AP=CGoban:3", "Annotator=x", "Event=twice",
		"Cut=ko retaken at once", "Variant=9x9 japanese komi -0.5", "FEN=4X4/9/2X3O2/9/1X5X1/9/9/9/OO7 w",
	}
	var got []string
	for _, tag := range back.Tags {
		got = append(got, fmt.Sprintf("%s=%s", tag.Name, tag.Value))
	}
	if got, want := strings.Join(got, "\n"), strings.Join(tags, "\n"); got != want {
		t.Errorf("tags\n%s\nwant\n%s\nof %s", got, want, text)
	}
	if string(back.Result) != "0-1" || len(back.Moves) != len(g.Moves) {
		t.Fatalf("result %q and %d moves of %s", back.Result, len(back.Moves), text)
	}
	for i, m := range back.Moves {
		w := g.Moves[i]
		if got := (Move{Text: m.Text, Value: m.Value, Clock: m.Clock, HasValue: m.HasValue, HasClock: m.HasClock}); fmt.Sprint(got) != fmt.Sprint(w) {
			t.Errorf("move %d is read back as %v, want %v: %s", i, got, w, text)
		}
	}
}

// Who begins and with which stones is read back, whether there are moves or not.
func TestSGFStart(t *testing.T) {
	for _, c := range []struct {
		about, variant, start string
		black                 bool
		tags                  []Tag
		wantVariant, wantFEN  string
	}{
		{"the usual start", "", "", true, nil, "19x19", ""},
		{"a small board", "9x9 komi 7", "", true, nil, "9x9 komi 7", ""},
		{"rules and all", "13x13 new-zealand handicap 4 komi 0.5", "", false, nil, "13x13 new-zealand handicap 4 komi 0.5", ""},
		{"a handicap in words", "19x19 handicap 2", "", false, []Tag{{[]byte("HA"), []byte("2子")}}, "19x19 handicap 2", ""},
		{"a handicap of another number", "19x19 handicap 5", "", false, []Tag{{[]byte("HA"), []byte("4")}}, "19x19 handicap 5", ""},
		{"a handicap that is a remark", "", "", true, []Tag{{[]byte("HA"), []byte("4")}}, "19x19", ""},
		{"White begins", "5x5", "5/5/5/5/5 w - 0 0:0 0 -", false, nil, "5x5", "5/5/5/5/5 w"},
		{"Black goes on", "5x5", "X3O/5/5/5/4X b - 0 0:0 0 -", true, nil, "5x5", "X3O/5/5/5/4X b"},
		{"a ko", "5x5", ".XO2/X1XO1/.XO2/5/5 w bb 0 0:0 0 -", false, nil, "5x5", "1XO2/X1XO1/1XO2/5/5 w bb"},
		{"a wide board", "", "19/10X8/18O" + strings.Repeat("/19", 16) + " w - 0 0:0 0 -", false, nil, "19x19", "19/10X8/18O" + strings.Repeat("/19", 16) + " w"},
	} {
		for _, moves := range [][]Move{nil, {{Text: []byte("cc")}, {Text: []byte("dd")}}} {
			g := Game{FirstToMove: c.black, Tags: c.tags, Moves: moves}
			if c.variant != "" {
				g.Variant = []byte(c.variant)
			}
			if c.start != "" {
				g.Start = []byte(c.start)
			}
			text := SGF{}.Append(nil, &g)
			back := readSGF(t, text)
			if v, fen := string(back.Tag("Variant")), string(back.Tag("FEN")); v != c.wantVariant || fen != c.wantFEN || len(back.Moves) != len(moves) {
				t.Errorf("%s, %d moves: %q, %q, %d moves of %s", c.about, len(moves), v, fen, len(back.Moves), text)
			}
		}
	}
}

func TestSGFResult(t *testing.T) {
	tags := func(name, value string) []Tag { return []Tag{{[]byte(name), []byte(value)}} }
	for want, g := range map[string]Game{
		"RE[B+3.5]":     {Result: games.FirstWins, Tags: tags("Score", "+3.5")},
		"RE[W+0.25]":    {Result: games.SecondWins, Tags: tags("Score", "-0.25")},
		"RE[W+R]":       {Result: games.SecondWins, Termination: []byte("resignation")},
		"RE[B+T]":       {Result: games.FirstWins, Termination: []byte("time forfeit")},
		"RE[B+F]":       {Result: games.FirstWins, Termination: []byte("forfeit")},
		"RE[W+Offline]": {Result: games.SecondWins, Termination: []byte("abandoned")},
		"RE[B+]":        {Result: games.FirstWins},
		"RE[0]":         {Result: games.Drawn},
		"RE[Void]":      {Tags: tags("RE", "Void")},
	} {
		text := SGF{}.Append(nil, &g)
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %s in %s", want, text)
		}
		back := readSGF(t, text)
		result := results[g.Result]
		if g.Result == games.Undecided {
			result = ""
		}
		if string(back.Result) != result || !bytes.Equal(back.Tag("Termination"), g.Termination) {
			t.Errorf("%s is read back as %q, %q", want, back.Result, back.Tag("Termination"))
		}
		for _, tag := range g.Tags {
			if got := back.Tag(string(tag.Name)); !bytes.Equal(got, tag.Value) {
				t.Errorf("%s: tag %s is read back as %q, want %q", want, tag.Name, got, tag.Value)
			}
		}
	}
	if text := (SGF{}).Append(nil, &Game{}); bytes.Contains(text, []byte("RE[")) {
		t.Errorf("a result of nobody: %s", text)
	}
}

// TestSGFReasons: why a game ended is read back, whoever won, with a score or without.
func TestSGFReasons(t *testing.T) {
	for result, want := range map[games.Outcome]string{games.Undecided: "", games.FirstWins: "1-0", games.SecondWins: "0-1", games.Drawn: "1/2-1/2"} {
		for _, why := range []string{"", "resignation", "time forfeit", "forfeit", "abandoned", "move limit", "two passes"} {
			for _, score := range []string{"", "+3.5"} {
				if score != "" && result != games.FirstWins {
					continue
				}
				g := Game{Variant: []byte("9x9"), Result: result, FirstToMove: true, Moves: []Move{{Text: []byte("ee")}}}
				if why != "" {
					g.Termination = []byte(why)
				}
				if score != "" {
					g.Tags = []Tag{{[]byte("Score"), []byte(score)}}
				}
				text := SGF{}.Append(nil, &g)
				if got := readSGF(t, text); string(got.Result) != want || string(got.Tag(record.TagTermination)) != why || string(got.Tag(record.TagScore)) != score {
					t.Errorf("%s: %q by %q, score %q", text, got.Result, got.Tag(record.TagTermination), got.Tag(record.TagScore))
				}
			}
		}
	}
}
