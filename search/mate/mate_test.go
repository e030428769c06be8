package mate_test

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kifu/games"
	"kifu/games/chess"
	"kifu/games/shogi"
	"kifu/internal/cpu"
	"kifu/kit/gametest"
	"kifu/search/mate"
)

func parse(t testing.TB, sfen string) shogi.Position {
	t.Helper()
	p, err := shogi.ParseSFEN(sfen)
	if err != nil {
		t.Fatalf("%s: %v", sfen, err)
	}
	return p
}

// rows returns the fields of a table of $KIFU_ORACLE without its head.
func rows(t testing.TB, name string) [][]string {
	t.Helper()
	dir := os.Getenv("KIFU_ORACLE")
	if dir == "" {
		t.Skip("KIFU_ORACLE names no directory with " + name)
	}
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(name, ".zst") {
		d, err := zstd.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		r = d
	}
	var all [][]string
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		all = append(all, strings.Split(lines.Text(), "\t"))
	}
	if len(all) < 2 || lines.Err() != nil {
		t.Fatal(name, lines.Err())
	}
	return all[1:]
}

// holds plays the line of a mate and reports whether all its attacker's moves are checks and
// its end is mate. A line that the table has lost the end of holds as far as it goes.
func holds[P games.Position[P]](p P, inCheck func(P) bool, r mate.Result) bool {
	for i, m := range r.Line {
		if p = p.Play(m); i%2 == 0 && !inCheck(p) {
			return false
		}
	}
	return len(r.Line) < r.Plies || p.Outcome() != games.Undecided
}

// mated reports by trying everything whether the side to move mates within so many plies.
func mated[P games.Position[P]](p P, inCheck func(P) bool, plies int) bool {
	for _, m := range p.AppendMoves(nil) {
		next := p.Play(m)
		if !inCheck(next) {
			continue
		}
		all := true
		for _, answer := range next.AppendMoves(nil) {
			if plies < 3 || !mated(next.Play(answer), inCheck, plies-2) {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

// TestExhaustive: in positions of random games every mate in three plies is found, and what
// is called no mate has none.
func TestExhaustive(t *testing.T) {
	exhaust(t, shogi.Rules{}, shogi.Rules{}, inCheck, []string{
		"8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
		"l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
		"8k/7p1/9/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1",
	})
	exhaust(t, chess.Rules{}, chess.Rules{}, func(p chess.Position) bool { return p.InCheck() }, []string{
		"r1bqk2r/pppp1ppp/2n2n2/2b1p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
		"4k3/8/8/8/8/8/1q4r1/6K1 w - - 0 1",
		"6k1/5ppp/8/8/2Q5/8/5PPP/R5K1 w - - 0 1",
	})
}

func inCheck(p shogi.Position) bool { return p.InCheck() }

func exhaust[P games.Position[P]](t *testing.T, rules games.Rules[P], checker games.Checker[P], inCheck func(P) bool, starts []string) {
	s := mate.New(checker, 5000)
	mates, none := 0, 0
	for _, text := range starts {
		start, err := rules.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(12) {
			gametest.Random(start, 12, seed, func(p P, _ []games.Move) {
				if p.Outcome() != games.Undecided {
					return
				}
				r := s.Solve(p)
				text := string(rules.AppendPosition(nil, p))
				switch found := mated(p, inCheck, 3); {
				case found && r.Verdict != mate.Mate, !found && r.Verdict == mate.Mate && r.Plies <= 3:
					t.Errorf("%s: %s in %d plies; mate within three: %t", text, r.Verdict, r.Plies, found)
				case r.Verdict == mate.Mate && !holds(p, inCheck, r):
					t.Errorf("%s: the line %v is no mate", text, r.Line)
				case r.Verdict == mate.Mate:
					mates++
					if short := s.Shorten(p, r); short.Plies > r.Plies || found && (short.Plies > 3 || !short.Shortest) || short.Shortest && len(short.Line) != short.Plies {
						t.Errorf("%s: mate in %d plies shortened to %d, %v (mate within three: %t)", text, r.Plies, short.Plies, short.Line, found)
					}
				case r.Verdict == mate.NoMate:
					none++
				}
			})
		}
	}
	if mates < 20 || none < 20 {
		t.Errorf("%s: %d mates and %d positions without: too few to tell", rules.Name(), mates, none)
	}
}

// TestChess: known mates by checks alone, with their length; a stalemate is none.
func TestChess(t *testing.T) {
	s := mate.New(chess.Rules{}, 10_000)
	for fen, plies := range map[string]int{
		"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1":                                   1, // the back rank
		"r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4": 1, // the scholar's
		"r6k/6pp/8/6N1/8/1Q6/8/6K1 w - - 0 1":                                 7, // Philidor's legacy, smothered: Nf7+ Kg8 Nh6+ Kh8 Qg8+ Rxg8 Nf7#
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1":            0,
		"7k/5Q2/8/8/8/8/8/6K1 w - - 0 1":                                      0, // the king is alone with the queen
	} {
		p, err := chess.ParseFEN(fen)
		if err != nil {
			t.Fatal(err)
		}
		r := s.Solve(p)
		if want := plies > 0; (r.Verdict == mate.Mate) != want || r.Verdict == mate.Unknown && plies > 0 || want && r.Plies < plies {
			t.Errorf("%s: %s in %d plies, want %d", fen, r.Verdict, r.Plies, plies)
		}
		t.Logf("%s: %s in %d plies, %d nodes", fen, r.Verdict, r.Plies, r.Nodes)
	}
}

// TestLong: a problem of many plies, found with a million nodes and not with a hundred.
func TestLong(t *testing.T) {
	p := parse(t, "4S3l/3Gpp3/2n3n1p/p4Ppp1/2p4P1/PPn2B3/2N+RSL1SP/2K1g4/L1SBk+r2L b 4P2g2p 1")
	if r := mate.New(shogi.Rules{}, 1_000_000).Solve(p); r.Verdict != mate.Mate || r.Plies < 5 || !holds(p, inCheck, r) {
		t.Errorf("%s in %d plies, %v", r.Verdict, r.Plies, r.Line)
	}
	if r := mate.New(shogi.Rules{}, 20).Solve(p); r.Verdict != mate.Unknown || r.Nodes > 40 {
		t.Errorf("with 20 nodes: %s, %d nodes", r.Verdict, r.Nodes)
	}
}

// TestWeak: mates that took 11,000 to 14,400 nodes with sums for the attacker's disproof numbers and
// a margin of a quarter for both sides.
func TestWeak(t *testing.T) {
	s := mate.New(shogi.Rules{}, 10_000)
	for _, sfen := range []string{
		"ln1+B4l/5k3/2pp3p1/pr2pp2p/7g1/2nPPP2P/PP7/K1GG5/LN5+rL w GPb4sn4p 1",
		"l3g2nl/9/p1S1k1sB1/2p1p1Spp/1+R7/P1P1P2gP/1P+b2PR2/4+p1KP1/L7L b GPgs3n4p 1",
		"lr6l/4g4/2ns5/p1ppp+S1kp/9/PP1P4P/2G1KS+b2/4G2s1/LN5RL b GNPbn8p 1",
	} {
		p := parse(t, sfen)
		if r := s.Solve(p); r.Verdict != mate.Mate || !holds(p, inCheck, r) {
			t.Errorf("%s: %s in %d nodes", sfen, r.Verdict, r.Nodes)
		}
	}
}

// TestUseless: a discovered check by a lance is mate where what is dropped before it can be taken
// on every square, and takes plies where it must not be taken next to the king.
func TestUseless(t *testing.T) {
	s := mate.New(shogi.Rules{}, 100_000)
	for sfen, plies := range map[string]int{
		"7lk/7p1/9/7N1/8G/9/9/9/8L b 2r2b3g4s3n2l17p 1": 1,
		"7lk/7p1/9/7N1/8G/9/9/9/8L b - 1":               1,
		"7lk/7p1/9/9/8G/9/9/9/8L b 2r2b3g4s4n2l17p 1":   0, // nothing holds 1b
		"7lk/7p1/9/9/8G/9/9/9/8L b - 1":                 1, // nothing to drop
		"8k/7p1/9/7N1/8G/9/9/9/8L b 2r2b3g4s3n3l17p 1":  0, // the king has 2a
	} {
		p := parse(t, sfen)
		r := s.Solve(p)
		if short := s.Shorten(p, r); short.Plies != plies || plies > 0 && !short.Shortest {
			t.Errorf("%s: %s in %d plies, shortened to %d (%t), want %d", sfen, r.Verdict, r.Plies, short.Plies, short.Shortest, plies)
		}
	}
}

// TestOracle: every mate and no mate that two other solvers agree about is found, and some
// of what one of them left open.
func TestOracle(t *testing.T) {
	s := mate.New(shogi.Rules{}, 10_000)
	count := map[string]int{}
	nodes, begun := 0, cpu.Time()
	for _, row := range rows(t, "shogi_mate.tsv.zst") {
		p := parse(t, row[4])
		r := s.Solve(p)
		nodes += r.Nodes
		count[row[0]+" is "+r.Verdict.String()]++
		if row[0] != "unknown" && r.Verdict != mate.Unknown && r.Verdict.String() != row[0] {
			t.Errorf("%s: %s, want %s (%d nodes)", row[4], r.Verdict, row[0], r.Nodes)
		}
		if r.Verdict == mate.Mate && !holds(p, inCheck, r) {
			t.Errorf("%s: the line %v of %d plies is no mate", row[4], r.Line, r.Plies)
		}
	}
	if left := count["mate is unknown"] + count["nomate is unknown"]; left > 2 {
		t.Errorf("%d that two solvers settle are left open", left)
	}
	t.Logf("%v; %d nodes, %.2f M a second of processor time", count, nodes, float64(nodes)/(cpu.Time()-begun).Seconds()/1e6)
}

// TestProblems: published problems are solved, and in the plies asked for but where the record itself
// says why not, or a million nodes do not prove the shortest mate.
func TestProblems(t *testing.T) {
	s := mate.New(shogi.Rules{}, 1_000_000)
	count := map[string]int{}
	for _, row := range rows(t, "shogi_problems.tsv") {
		p := parse(t, row[2])
		r := s.Shorten(p, s.Solve(p))
		if r.Verdict != mate.Mate {
			t.Errorf("%s: %s in %d nodes, want mate in %s", row[2], r.Verdict, r.Nodes, row[1])
		}
		want, _ := strconv.Atoi(row[1])
		why := objection(t, p, want, strings.Split(row[3], "|"))
		switch {
		case want == r.Plies:
			why = "as asked for"
		case why == "" && !r.Shortest:
			why = "not proved"
		case why == "":
			t.Errorf("%s: mate in %d plies, want %d; %s", row[2], r.Plies, want, usi(p, r.Line))
		}
		if count[why]++; why != "as asked for" {
			t.Logf("%s: %s: mate in %d (shortest: %t), %d nodes, want %d; %s", row[2], why, r.Plies, r.Shortest, r.Nodes, want, usi(p, r.Line))
		}
	}
	if t.Log(count); count["as asked for"] < 190 || count["not proved"] > 3 {
		t.Error("too few")
	}
}

// objection returns what a printed problem itself says against being mate in so many plies: no check
// mates in one; its line ends without mate; or longer lines are printed that mate as well.
func objection(t *testing.T, p shogi.Position, plies int, lines []string) string {
	if plies == 1 && !mated(p, inCheck, 1) {
		return "no mate in one"
	}
	for _, line := range lines {
		q, moves := p, strings.Fields(line)
		for _, text := range moves {
			m, err := shogi.Rules{}.ParseMove(q, []byte(text))
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			q = q.Play(m)
		}
		switch {
		case len(moves) == plies && q.Outcome() == games.Undecided:
			return "the printed line is no mate"
		case len(moves) > plies && q.Outcome() != games.Undecided:
			return "a longer defence is printed"
		}
	}
	return ""
}

// BenchmarkOracle reports nodes a second of processor time on every hundredth position of the
// oracle.
func BenchmarkOracle(b *testing.B) {
	var all []shogi.Position
	for i, row := range rows(b, "shogi_mate.tsv.zst") {
		if i%100 == 0 {
			all = append(all, parse(b, row[4]))
		}
	}
	s := mate.New(shogi.Rules{}, 10_000)
	nodes, begun := 0, cpu.Time()
	for b.Loop() {
		for _, p := range all {
			nodes += s.Solve(p).Nodes
		}
	}
	b.ReportMetric(float64(nodes)/(cpu.Time()-begun).Seconds()/1e6, "Mnodes/cpu-s")
}

// usi writes a line.
func usi(p shogi.Position, line []games.Move) (text string) {
	for _, m := range line {
		text += string(shogi.Rules{}.AppendCoordinates(nil, p, m)) + " "
		p = p.Play(m)
	}
	return text
}
