package ingest

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// named writes a game a line of names "White|Black|Event".
func named(names ...string) string {
	var b strings.Builder
	for _, line := range names {
		f := strings.Split(line, "|")
		fmt.Fprintf(&b, "[Event \"%s\"]\n[White \"%s\"]\n[Black \"%s\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n", f[2], f[0], f[1])
	}
	return b.String()
}

// namesOf reads the names of a dataset as named takes them.
func namesOf(t *testing.T, text []byte, p Params) []string {
	t.Helper()
	dir := t.TempDir()
	p.Game = "chess"
	if _, err := buildParams(t, dir, p, Options{Inputs: []string{write(t, filepath.Join(t.TempDir(), "x.pgn"), text)}, Workers: 2}, 400); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, row := range rowsBy(t, dir, "\n") {
		value := map[string]string{}
		for field := range strings.SplitSeq(row, "\n") {
			name, v, _ := strings.Cut(field, "=")
			value[name] = strings.Trim(v, `"`)
		}
		names = append(names, value["first_player"]+"|"+value["second_player"]+"|"+value["event"])
	}
	return names
}

func TestEncodings(t *testing.T) {
	russian := []string{"Иванов, И. И.|Ли|Чемпионат Москвы", "Ботвинник, Михаил|Smyslov, Vasily|МОСКВА", "Ли|Ян|x"}
	polish := []string{"Łukasz Wójcik|Świerczyński, Jerzy|Kraków", "Włodarczyk|Kovačević, Žarko|x", "Győr|Žďár|x", "Dvořák, Jiří|Štoček|Plzeň"}
	western := []string{"Müller, Thomas|Große, Jörg|Östersund", "Núñez, José|Réti|x", "Bjørn Ødegård|Bæk|São Paulo", "O’Kelly|x|y"}
	for _, x := range []struct {
		table *charmap.Charmap
		names []string
	}{
		{charmap.Windows1251, russian}, {charmap.KOI8R, russian}, {charmap.CodePage866, russian}, {charmap.Windows1250, polish},
		{charmap.Windows1252, western}, {charmap.CodePage850, western[:3]}, {charmap.Windows1254, []string{"Şahin|Yılmaz, Mustafa|İstanbul", "Çelik|Doğan|x"}},
	} {
		text, err := x.table.NewEncoder().String(named(x.names...))
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(t, []byte(text), Params{}); fmt.Sprint(got) != fmt.Sprint(x.names) {
			t.Errorf("%v:\n%q, want\n%q", x.table, got, x.names)
		}
	}
}

// A file glued together of several keeps the names of every game.
func TestMixedEncodings(t *testing.T) {
	names := []string{"Müller, Jörg|Große|Köln", "Карпов, Анатолий|Каспаров|Москва", "Łukasz Wójcik|Świątek|x", "Čech, Jiří|Иванов|x"}
	var text bytes.Buffer
	for i, table := range []*charmap.Charmap{charmap.Windows1252, charmap.Windows1251, charmap.Windows1250} {
		coded, err := table.NewEncoder().String(named(names[i]))
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(coded)
	}
	text.WriteString(named(names[3])) // UTF-8
	if got := namesOf(t, text.Bytes(), Params{}); fmt.Sprint(got) != fmt.Sprint(names) {
		t.Errorf("%q, want %q", got, names)
	}
}

func TestEncodingOfTheUser(t *testing.T) {
	coded, _ := charmap.Windows1257.NewEncoder().String(named("Mikėnas|x|y"))
	if got := namesOf(t, []byte(coded), Params{}); got[0] == "Mikėnas|x|y" {
		t.Error("told without the user: this test needs a harder name")
	}
	if got := namesOf(t, []byte(coded), Params{Encoding: "cp1257"}); got[0] != "Mikėnas|x|y" {
		t.Errorf("%q", got)
	}
	_, err := buildParams(t, t.TempDir(), Params{Game: "chess", Encoding: "ebcdic"}, Options{Inputs: []string{"testdata/columns.pgn"}}, 0)
	if err == nil || !strings.Contains(err.Error(), "windows-1251") {
		t.Errorf("an unknown encoding: %v", err)
	}
}

// Blanks are trimmed when it is known what is one: in Windows-1252 A0 is a blank, in
// CP866 it is a letter.
func TestBlanksOfEncodings(t *testing.T) {
	if got := namesOf(t, []byte(named("\xA0M\xFCller \xA0|x|y")), Params{}); got[0] != "Müller|x|y" {
		t.Errorf("%q", got)
	}
	coded, _ := charmap.CodePage866.NewEncoder().String(named("Москва|анна|Анна"))
	if got := namesOf(t, []byte(coded), Params{}); got[0] != "Москва|анна|Анна" {
		t.Errorf("%q", got)
	}
}
