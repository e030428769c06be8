package ingest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/manifest"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/weiqi"
	"kifu/ingest/ggf"
	"kifu/ingest/legal"
	"kifu/ingest/pdn"
	"kifu/ingest/record"
	"kifu/ingest/sgf"
	"kifu/ingest/wthor"
	"kifu/schemas"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

var (
	goGame   = legal.Bind[weiqi.Position](weiqi.Rules{}, []*record.Format{sgf.Format()})
	checkers = legal.Bind[draughts.Position](draughts.Checkers, []*record.Format{pdn.Format()})
	discs    = legal.Bind[othello.Position](othello.Rules{}, []*record.Format{wthor.Format(), ggf.Format(), sgf.Format()})
)

// ingestGame reads files, given by name and content, as games of g, and returns the dataset.
func ingestGame(t *testing.T, g legal.Game, p Params, files map[string]string) (string, *manifest.Manifest) {
	t.Helper()
	in, dir := t.TempDir(), filepath.Join(t.TempDir(), "games")
	for name, text := range files {
		write(t, filepath.Join(in, name), []byte(text))
	}
	p.Game = g.Name()
	o := Options{Inputs: []string{in}, Games: []legal.Game{game, goGame, checkers, discs}}
	m, _, err := datasets.Build(t.Context(), dir, datasets.Step{
		Stage: "ingest", Output: schemas.Games.ID(), Params: p,
		Run: func(ctx context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			return Run(ctx, g, p, o, out)
		},
	}, datasets.Options{})
	if empty, ok := errors.AsType[*Empty](err); ok {
		return dir, &manifest.Manifest{Counts: empty.Counts}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// playersOf returns the names of the players, "first|second", a game each.
func playersOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, row := range rowsBy(t, dir, "\n") {
		value := map[string]string{}
		for field := range strings.SplitSeq(row, "\n") {
			name, v, _ := strings.Cut(field, "=")
			value[name] = strings.Trim(v, `"`)
		}
		names = append(names, value["first_player"]+"|"+value["second_player"])
	}
	return names
}

// recordOf writes games with the given players, "first|second", in a format.
var recordOf = map[string]func(first, second string) string{
	"sgf": func(a, b string) string { return "(;GM[1]SZ[9]PB[" + a + "]PW[" + b + "]RE[B+R];B[aa];W[bb])\n" },
	"ca.sgf": func(a, b string) string {
		return "(;GM[1]CA[UTF-8]SZ[9]PB[" + a + "]PW[" + b + "]RE[B+R];B[aa];W[bb])\n"
	},
	"pgn": func(a, b string) string {
		return "[Event \"x\"]\n[White \"" + a + "\"]\n[Black \"" + b + "\"]\n\n1. e4 e5 1-0\n\n"
	},
	"pdn": func(a, b string) string {
		return "[Event \"x\"]\n[Black \"" + a + "\"]\n[White \"" + b + "\"]\n\n1. 11-15 23-19 1-0\n\n"
	},
	"ggf": func(a, b string) string {
		return "(;GM[Othello]PC[x]PB[" + a + "]PW[" + b + "]RE[2]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5];)\n"
	},
}

var gamesOf = map[string]legal.Game{"sgf": goGame, "ca.sgf": goGame, "pgn": game, "pdn": checkers, "ggf": discs}

// TestDamagedUTF8: of names of UTF-8 that lost bytes, or were cut within a letter, the rest
// stays what it is, in every format.
func TestDamagedUTF8(t *testing.T) {
	whole := [][2]string{{"风暴雷霆", "Müller, Jörg"}, {"月冠", "世界"}, {"Иванов", "Петросян"}}
	damaged := [][3]string{
		{"龙星无\xE6?\xB3", "是秋语", "龙星无\uFFFD?\uFFFD|是秋语"},
		{"\xE8?\xAA\xE8", "a", "\uFFFD?\uFFFD|a"},
		{"Михаил Ботвинн\xD0", "Смыслов", "Михаил Ботвинн\uFFFD|Смыслов"},
		{"J\xC3", "Müller", "J\uFFFD|Müller"},
	}
	for ext, record := range recordOf {
		var text strings.Builder
		var want []string
		for _, names := range whole {
			text.WriteString(record(names[0], names[1]))
			want = append(want, names[0]+"|"+names[1])
		}
		for _, names := range damaged {
			text.WriteString(record(names[0], names[1]))
			want = append(want, names[2])
		}
		dir, _ := ingestGame(t, gamesOf[ext], Params{}, map[string]string{"x." + ext: text.String()})
		for i, got := range playersOf(t, dir) {
			got = strings.ReplaceAll(got, "\uFFFD\uFFFD", "\uFFFD") // how many stand for what is lost
			if got != want[i] {
				t.Errorf("%s: %q, want %q", ext, got, want[i])
			}
		}
	}
}

// TestSaidUTF8: a mark at the beginning of the file, CA, and --encoding utf-8 say what bytes
// do not.
func TestSaidUTF8(t *testing.T) {
	for _, x := range []struct {
		ext, before string
		p           Params
	}{{"ca.sgf", "", Params{}}, {"pgn", "\uFEFF", Params{}}, {"pdn", "\uFEFF", Params{}}, {"pgn", "", Params{Encoding: "utf-8"}}, {"sgf", "", Params{Encoding: "utf-8"}}} {
		text := x.before + recordOf[x.ext]("J\xC3", "Yo")
		dir, m := ingestGame(t, gamesOf[x.ext], x.p, map[string]string{"x." + x.ext: text})
		if guessed := m.Counts.Noted["text in damaged utf-8"]; guessed != 1 && x.p.Encoding == "" {
			t.Errorf("%s %q %v: noted %v", x.ext, x.before, x.p, m.Counts.Noted)
		}
		if got := playersOf(t, dir); len(got) != 1 || got[0] != "J\uFFFD|Yo" {
			t.Errorf("%s %q %v: %q", x.ext, x.before, x.p, got)
		}
	}
}

// TestEastAsianNames: the encodings of East Asia are told in every format, and taken from
// the user.
func TestEastAsianNames(t *testing.T) {
	names := map[string][][2]string{
		"gb18030": {{"柯洁", "聂卫平"}, {"李昌镐", "王天一"}}, "shift-jis": {{"羽生善治", "大山康晴"}, {"谷川浩司", "加藤正夫"}},
		"euc-jp": {{"羽生善治", "大山康晴"}, {"谷川浩司", "加藤正夫"}}, "euc-kr": {{"이창호", "조훈현"}, {"박정환", "신진서"}},
	}
	for name, players := range names {
		for ext, record := range recordOf {
			if ext == "ca.sgf" {
				continue
			}
			text, want := "", ""
			for _, p := range players {
				text += record(p[0], p[1])
				want += p[0] + "|" + p[1] + " "
			}
			coded := map[string]func(string) (string, error){
				"gb18030": simplifiedchinese.GB18030.NewEncoder().String, "shift-jis": japanese.ShiftJIS.NewEncoder().String,
				"euc-jp": japanese.EUCJP.NewEncoder().String, "euc-kr": korean.EUCKR.NewEncoder().String,
			}[name]
			bytes, err := coded(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, encoding := range []string{"", name} {
				dir, m := ingestGame(t, gamesOf[ext], Params{Encoding: encoding}, map[string]string{"x." + ext: bytes})
				if got := strings.Join(playersOf(t, dir), " ") + " "; got != want {
					t.Errorf("%s as %s, told %q: %q", name, ext, encoding, got)
				}
				if said := m.Counts.Noted["text taken for "+name]; encoding == "" && said != int64(len(players)) || encoding != "" && said != 0 {
					t.Errorf("%s as %s, told %q: noted %v", name, ext, encoding, m.Counts.Noted)
				}
			}
		}
	}
}

// TestWthorNames: the bytes of games are no text, and say nothing about the encoding of
// names; that is Latin-1. Names that stay numbers are counted.
func TestWthorNames(t *testing.T) {
	var wtb bytes.Buffer
	head := [16]byte{0: 20, 1: 8, 2: 1, 3: 1, 12: 8, 14: 22}
	const n = 400
	binary.LittleEndian.PutUint32(head[4:], n)
	binary.LittleEndian.PutUint16(head[10:], 2008)
	wtb.Write(head[:])
	for range n { // players 0xEDE8 and 0x5B0A: a line that begins with a bracket and ends in Czech
		game := [68]byte{2: 0xE8, 3: 0xED, 4: '\n', 5: '[', 6: 33, 7: 33, 8: 56}
		wtb.Write(game[:])
	}
	table := func(size int, names ...string) string {
		out := make([]byte, 16+size*len(names))
		out[0], out[1], out[2], out[3] = 20, 8, 1, 1
		binary.LittleEndian.PutUint16(out[8:], uint16(len(names)))
		for i, name := range names {
			copy(out[16+i*size:], name)
		}
		return string(out)
	}
	dir, m := ingestGame(t, discs, Params{}, map[string]string{
		"a.wtb": wtb.String(), "WTHOR.JOU": table(20, "???", "\xC9tienne"), "WTHOR.TRN": table(26, "Championnat de Su\xE8de"),
	})
	for _, row := range rowsOf(t, dir) {
		if !strings.Contains(row, "Championnat de Suède") {
			t.Fatalf("the tournament is read as %s", row)
		}
	}
	if m.Counts.Noted[nameless] != n { // the players' numbers are beyond the table
		t.Errorf("%+v, want %d games without names", m.Counts, n)
	}
}

// TestOtherHandicap: six and seven stones of Fox stand on the upper and the lower side; a
// game that is legal with GTP's is read so.
func TestOtherHandicap(t *testing.T) {
	text := "(;GM[1]SZ[19]KM[0.5]HA[6]RU[Japanese];W[dj];B[pj];W[cf])\n" + // GTP has stones on both
		"(;GM[1]SZ[19]HA[7];W[dj];B[cf])\n" +
		"(;GM[1]SZ[19]HA[6];W[jd];B[jp])\n" +
		"(;GM[1]SZ[19]HA[7];W[dj];B[jd])\n" + // neither
		"(;GM[1]SZ[19]HA[8];W[dj];B[cf])\n" // there is only one way
	dir, m := ingestGame(t, goGame, Params{}, map[string]string{"x.sgf": text})
	got := rowsOf(t, dir)
	if len(got) != 3 || m.Counts.Rejected["move on an occupied point"] != 2 || m.Counts.Noted["handicap stones as Fox sets them"] != 2 {
		t.Fatalf("%+v\n%s", m.Counts, strings.Join(got, "\n"))
	}
	for i, want := range []string{
		`variant="19x19 japanese handicap 6 komi 0.5" start_position="19/19/19/3X5X5X3/19/19/19/19/19/19/19/19/19/19/19/3X5X5X3/19/19/19 w - 0 0:0 0.5 japanese"`,
		`variant="19x19 handicap 7" start_position="19/19/19/3X5X5X3/19/19/19/19/19/9X9/19/19/19/19/19/3X5X5X3/19/19/19 w - 0 0:0 0 -"`,
		`variant="19x19 handicap 6"`,
	} {
		if !strings.Contains(got[i], want) {
			t.Errorf("game %d: %s, want %s", i, got[i], want)
		}
	}
}

// TestOpenEnd: a file that was cut between two moves has one game more without its end.
func TestOpenEnd(t *testing.T) {
	for ext, record := range recordOf {
		if ext == "ggf" {
			continue // which is rejected without its end
		}
		whole := record("A", "B")
		cut := whole[:strings.LastIndexAny(strings.TrimRight(whole, ") \n10-"), " ]")+1]
		for text, want := range map[string]int64{whole + whole: 0, whole + cut: 1, cut: 1} {
			dir, m := ingestGame(t, gamesOf[ext], Params{}, map[string]string{"x." + ext: text})
			if m.Counts.Noted[openEnd] != want || len(rowsOf(t, dir)) != int(m.Counts.Read) {
				t.Errorf("%s %q: %+v, want %d noted", ext, text, m.Counts, want)
			}
		}
	}
}

// TestNullMoves: hyphens in place of moves are no moveless game.
func TestNullMoves(t *testing.T) {
	_, m := ingestGame(t, checkers, Params{}, map[string]string{"x.pdn": "[Event \"x\"]\n[Result \"1-0\"]\n\n1. - - 2. - - 1-0\n"})
	if m.Counts.Rejected["null move"] != 1 {
		t.Errorf("%+v", m.Counts)
	}
}
