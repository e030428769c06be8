package shogi_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kifu/games"
	"kifu/games/shogi"
	"kifu/kit/gametest"
)

// The tables in testdata and those of $KIFU_ORACLE were written with OpenShogiLib 0.8.0,
// the library of the authors of Takeuchi et al. 2007.

// eachRow calls f with the fields of every line after the head, by their names.
func eachRow(t *testing.T, path string, f func(field map[string]string)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(path, ".zst") {
		d, err := zstd.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		r = d
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	var head []string
	n := 0
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if head == nil {
			head = fields
			continue
		}
		row := map[string]string{}
		for i, name := range head {
			row[name] = fields[i]
		}
		f(row)
		n++
	}
	if n == 0 || lines.Err() != nil {
		t.Fatalf("%s: %d rows, %v", path, n, lines.Err())
	}
}

// large returns the path of a table that is not bundled, or skips the test.
func large(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("KIFU_ORACLE")
	if dir == "" {
		t.Skip("KIFU_ORACLE names no directory with " + name)
	}
	return filepath.Join(dir, name)
}

func parse(t *testing.T, sfen string) shogi.Position {
	t.Helper()
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		t.Fatalf("%s: %v", sfen, err)
	}
	return p
}

func TestLegalMoves(t *testing.T) {
	eachRow(t, large(t, "shogi_legal.tsv.zst"), func(row map[string]string) {
		p := parse(t, row["sfen"])
		var texts []string
		for _, m := range p.AppendMoves(nil) {
			texts = append(texts, string(shogi.Rules{}.AppendCoordinates(nil, p, m)))
		}
		slices.Sort(texts)
		if got := fmt.Sprint(len(texts), " ", strings.Join(texts, " ")); strings.TrimSpace(got) != row["legal"] {
			t.Errorf("%s\n got %s\nwant %s", p, got, row["legal"])
		}
	})
}

// TestChecks: the moves that give check are those of the legal ones after which the other
// side is in check, and the answers to a check are counted.
func TestChecks(t *testing.T) {
	n := 0
	for _, sfen := range []string{
		shogi.StartSFEN,
		"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
		"R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
		"4k4/9/4K4/9/9/9/4B4/4R4/4L4 b RB2G2S2N2L9P2g2s2nl9p 1",
	} {
		for seed := range uint64(20) {
			gametest.Random(parse(t, sfen), 120, seed, func(p shogi.Position, _ []games.Move) {
				var want []games.Move
				for _, m := range p.AppendMoves(nil) {
					if next := p.Play(m); next.InCheck() {
						want = append(want, m)
					}
				}
				n += len(want)
				if got, want := (shogi.Rules{}).Answers(p), answers(p); p.InCheck() && got != want {
					t.Fatalf("%s: %d answers, want %d", p, got, want)
				}
				if got := (shogi.Rules{}).HasCheck(p); got != (len(want) > 0) {
					t.Fatalf("%s: has a check: %t", p, got)
				}
				if got := p.AppendChecks(nil); !slices.Equal(got, want) {
					t.Fatalf("%s: checks %x, want %x", p, got, want)
				}
			})
		}
	}
	if n < 1000 {
		t.Errorf("%d checks: too few to tell", n)
	}
}

// answers counts the moves, those that differ in the promotion or in what is dropped once.
func answers(p shogi.Position) int {
	all := map[[2]shogi.Square]bool{}
	for _, m := range p.AppendMoves(nil) {
		from := shogi.From(m)
		if shogi.IsDrop(m) {
			from = shogi.NoSquare
		}
		all[[2]shogi.Square{from, shogi.To(m)}] = true
	}
	return len(all)
}

// TestPawnDrops holds both the list of moves and a written move against the rule.
func TestPawnDrops(t *testing.T) {
	eachRow(t, "testdata/pawn_drops.tsv", func(row map[string]string) {
		p := parse(t, row["sfen"])
		m, err := shogi.Rules{}.ParseMove(p, []byte(row["move"]))
		if legal := row["verdict"] == "legal"; legal != (err == nil) || legal != slices.Contains(p.AppendMoves(nil), m) {
			t.Errorf("%s: %s is %s, read as %#x, %v", p, row["move"], row["verdict"], m, err)
		}
	})
}

func TestRepetition(t *testing.T) {
	eachRow(t, "testdata/repetition.tsv", func(row map[string]string) {
		start, line, _ := strings.Cut(row["game"], " moves ")
		replay := shogi.Rules{}.NewReplay()
		replay.Reset(parse(t, start))
		got := "none"
		for i, text := range strings.Fields(line) {
			m, err := shogi.Rules{}.ParseMove(replay.Position(), []byte(text))
			if err != nil {
				t.Fatalf("%s: move %d: %v", row["game"], i+1, err)
			}
			replay.Play(m)
			if o, rule := replay.Outcome(); o != games.Undecided && got == "none" {
				got = o.String()
				if rule == "perpetual check" {
					got += " wins (perpetual check)"
				}
				got += " at " + strconv.Itoa(i+1)
			}
		}
		if got != row["answer"] {
			t.Errorf("%s: %s, want %s", row["game"], got, row["answer"])
		}
	})
}

func TestDeclaration(t *testing.T) {
	eachRow(t, "testdata/declare.tsv", func(row map[string]string) {
		p := parse(t, row["sfen"])
		if got := column(t, p, "declarable"); (got == 1) != (row["declare"] == "yes") {
			t.Errorf("%s: declarable %d, want %s (%s points, %s pieces)", p, got, row["declare"], row["points"], row["pieces_in_camp"])
		}
	})
}

// TestGivenPieces: White, who gave a rook and a bishop, counts their ten points.
func TestGivenPieces(t *testing.T) {
	const board = "4K4/9/9/9/9/9/+p+p+p+p+p+p+p2/+p+p+s6/4k4 w "
	for hands, want := range map[string]int{"RB4G3S4N4L2P7p": 1, "RB4G3S4N4L3P6p": 0} {
		p := parse(t, board+hands+" 1")
		if got := column(t, p, "declarable"); got != want {
			t.Errorf("%s: declarable %d, want %d", p, got, want)
		}
	}
}

func TestFeatures(t *testing.T) {
	eachRow(t, large(t, "shogi_features.tsv.zst"), func(row map[string]string) {
		p := parse(t, row["sfen"])
		x := p.Pressure()
		for name, got := range map[string]int{
			"raw_black": x.Attack[shogi.Black], "raw_white": x.Attack[shogi.White],
			"def_black": x.Cover(shogi.Black), "def_white": x.Cover(shogi.White), "progress16": x.Progress(),
			"golds": column(t, p, "four_golds"), "piece": column(t, p, "material_difference"),
			"check": column(t, p, "in_check"), "declare": column(t, p, "declarable"),
		} {
			if want, err := strconv.Atoi(row[name]); err != nil || got != want {
				t.Errorf("%s: %s is %d, want %s", p, name, got, row[name])
			}
		}
	})
}

// column returns the value of a condition column.
func column(t *testing.T, p shogi.Position, name string) int {
	t.Helper()
	values := shogi.Rules{}.AppendColumns(nil, p)
	for i, c := range (shogi.Rules{}).Columns() {
		if c.Name == name {
			return int(values[i])
		}
	}
	t.Fatalf("no column %s", name)
	return 0
}

// TestHeld: boards are equal whatever is in hand, and a hand has another's pieces as Guard tells.
func TestHeld(t *testing.T) {
	rules := shogi.Rules{}
	hands := []string{"-", "P", "18P", "L", "4L", "N4S", "2B2R", "RB4G", "4G3L2P"}
	var boards []uint64
	var held []uint32
	for _, hand := range hands {
		board, h := rules.Held(parse(t, "4k4/9/9/9/9/9/9/9/9 b "+hand+" 1"), shogi.Black)
		boards, held = append(boards, board), append(held, h)
	}
	if len(slices.Compact(boards)) != 1 {
		t.Errorf("boards %x", boards)
	}
	for i := range hands {
		p := parse(t, "4k4/9/9/9/9/9/9/9/9 b "+hands[i]+" 1")
		a := p.Hand(shogi.Black)
		for j := range hands {
			p := parse(t, "4k4/9/9/9/9/9/9/9/9 b "+hands[j]+" 1")
			b := p.Hand(shogi.Black)
			want := true
			for k := shogi.Pawn; k <= shogi.Gold; k++ {
				want = want && a.Count(k) >= b.Count(k)
			}
			if got := ((held[i]|rules.Guard())-held[j])&rules.Guard() == rules.Guard(); got != want {
				t.Errorf("%s has %s: %t, want %t", hands[i], hands[j], got, want)
			}
		}
	}
}
