package chess

import (
	"errors"
	"testing"

	"kifu/games"
)

// TestParseMove: the spellings that programs write for one move.
func TestParseMove(t *testing.T) {
	const (
		usual     = StartFEN
		castling  = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
		promotion = "1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1"
		knights   = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1" // the knight on c3 is pinned
		rooks     = "4k3/8/8/R6R/8/8/8/R3K3 w - - 0 1"
		passing   = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
		bishop    = "4k3/8/8/8/8/P1p5/1P6/B3K1B1 w - - 0 1"
		fischer   = "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1"
		threes    = "k7/8/8/2Q1Q3/8/2Q5/8/4K3 w - - 0 1"
	)
	for _, test := range []struct {
		fen, text, want string // the move in UCI, or the reason
	}{
		{usual, "e4", "e2e4"}, {usual, "e2e4", "e2e4"}, {usual, "e2-e4", "e2e4"}, {usual, "Pe4", "e2e4"}, {usual, "e4!?", "e2e4"}, {usual, "ee4", "e2e4"},
		{usual, "Nf3", "g1f3"}, {usual, "Ng1-f3", "g1f3"}, {usual, "g1f3", "g1f3"}, {usual, "Ngf3", "g1f3"}, {usual, "N1f3", "g1f3"},
		{usual, "nf3", "g1f3"}, {usual, "♘f3", "g1f3"}, {usual, "♞f3+", "g1f3"}, {usual, "♙e4", "e2e4"}, {usual, "Nf3+!! ", "g1f3"},
		{usual, "e5", "illegal move"}, {usual, "Nd2", "illegal move"}, {usual, "Nbf3", "illegal move"}, {usual, "exd3", "illegal move"}, {usual, "e2e5", "illegal move"},
		{usual, "5254", "e2e4"}, {usual, "7163", "g1f3"}, {castling, "5171", "e1g1"}, {promotion, "17181", "a7a8q"}, {promotion, "17284", "a7b8n"}, {usual, "5255", "illegal move"}, {usual, "5954", "unreadable move"},
		{usual, "--", "null move"}, {usual, "Z0", "null move"}, {usual, "0000", "null move"}, {usual, "null", "null move"},
		{usual, "", "unreadable move"}, {usual, "e", "unreadable move"}, {usual, "hello", "unreadable move"}, {usual, "Ne9", "unreadable move"}, {usual, "e4e", "unreadable move"}, {usual, "1e4", "illegal move"}, {usual, "O-O-O-O", "unreadable move"}, {usual, "Nf3Q", "illegal move"},
		{castling, "O-O", "e1g1"}, {castling, "O-O-O+", "e1c1"}, {castling, "0-0", "e1g1"}, {castling, "0-0-0#", "e1c1"}, {castling, "o-o", "e1g1"},
		{castling, "e1g1", "e1g1"}, {castling, "e1h1", "e1g1"}, {castling, "Kxa1", "e1c1"}, {castling, "Kg1", "e1g1"}, {castling, "Ke1-c1", "e1c1"},
		{usual, "O-O", "illegal move"}, {usual, "e1g1", "illegal move"},
		{fischer, "O-O", "f1h1"}, {fischer, "f1h1", "f1h1"}, {fischer, "O-O-O", "f1b1"}, {fischer, "f1b1", "f1b1"}, {fischer, "Kg1", "f1g1"},
		{promotion, "a8=Q", "a7a8q"}, {promotion, "a8Q", "a7a8q"}, {promotion, "a8(R)", "a7a8r"}, {promotion, "a8/N+", "a7a8n"}, {promotion, "a7a8b", "a7a8b"}, {promotion, "a8=b", "a7a8b"}, {promotion, "a8", "a7a8q"},
		{promotion, "axb8=N", "a7b8n"}, {promotion, "ab8N", "a7b8n"}, {promotion, "xb8=R", "a7b8r"}, {promotion, "a7xb8=Q#", "a7b8q"}, {promotion, "a8=K", "unreadable move"},
		{knights, "Ne2", "g1e2"}, {knights, "Nge2", "g1e2"}, {knights, "Nce2", "illegal move"},
		{rooks, "Rad5", "a5d5"}, {rooks, "Rd5", "ambiguous move"}, {rooks, "R1a3", "a1a3"}, {rooks, "R5a3", "a5a3"}, {rooks, "Ra3", "ambiguous move"},
		{passing, "exd6", "e5d6"}, {passing, "exd6e.p.", "e5d6"}, {passing, "exd6 e.p.", "e5d6"}, {passing, "e5d6ep", "e5d6"}, {passing, "d6", "illegal move"},
		{bishop, "bxc3", "b2c3"}, {bishop, "bc3", "b2c3"}, {bishop, "Bb6", "g1b6"}, {bishop, "bb6", "g1b6"},
		{threes, "Qc5d4", "c5d4"}, {threes, "Qcd4", "ambiguous move"}, {threes, "Qc3c4", "c3c4"}, {threes, "Q3c4", "c3c4"}, {threes, "Qd4", "ambiguous move"},
		{usual, "e2–e4", "e2e4"}, {usual, "Ng1\x96f3", "g1f3"}, {castling, "0–0–0", "e1c1"}, {castling, "O−O", "e1g1"}, {castling, "OO", "e1g1"}, {usual, "–", "unreadable move"},
		{castling, "Kexh1", "e1g1"}, {castling, "ke1xa1", "e1c1"}, {fischer, "Kxh1", "f1h1"}, {fischer, "kb1", "f1b1"},
		{usual, "P-K4", "descriptive notation"}, {usual, "N-KB3", "descriptive notation"}, {usual, "PxP", "descriptive notation"}, {usual, "QPxKtch", "descriptive notation"},
		{usual, "Kt-QB3", "descriptive notation"}, {usual, "R/1xQ", "descriptive notation"}, {usual, "B-K2+", "descriptive notation"}, {usual, "BxNf3", "unreadable move"},
		{"4k3/8/8/8/8/8/1p6/4K3 b - - 0 1", "bxa1=Q", "illegal move"}, {"4k3/8/8/8/8/8/1p6/R3K3 b - - 0 1", "bxa1=Q", "b2a1q"},
	} {
		p, err := ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Rules{}.ParseMove(p, []byte(test.text))
		got := ""
		if err != nil {
			got = err.Error()
			if r := games.Reason(""); !errors.As(err, &r) || m != 0 {
				t.Errorf("%s %q: move %#x with error %#v, want a bare Reason", test.fen, test.text, m, err)
			}
		} else {
			got = string(Rules{}.AppendCoordinates(nil, p, m))
		}
		if got != test.want {
			t.Errorf("%s: %q is read as %s, want %s", test.fen, test.text, got, test.want)
		}
	}
}

// TestAppendMove: SAN as the PGN standard has it.
func TestAppendMove(t *testing.T) {
	for _, test := range []struct{ fen, uci, want string }{
		{StartFEN, "g1f3", "Nf3"},
		{"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"}, // the other knight is pinned
		{"4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"},
		{"4k3/8/8/R6R/8/8/8/R3K3 w - - 0 1", "a5a3", "R5a3"},
		{"k7/8/8/2Q1Q3/8/8/2Q5/4K3 w - - 0 1", "c5c3", "Qc5c3"},
		{"k7/8/8/2Q1Q3/8/8/8/2Q1K1Q1 w - - 0 1", "c1e3", "Qc1e3"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6"},
		{"1n5k/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"},
		{"7k/R7/1R6/8/8/8/8/4K3 w - - 0 1", "b6b8", "Rb8#"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
		{"5k1r/8/8/8/8/8/8/R4K1R w KQk - 0 1", "f1h1", "O-O+"},
	} {
		p, err := ParseFEN(test.fen)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Rules{}.ParseMove(p, []byte(test.uci))
		if err != nil {
			t.Fatalf("%s %s: %v", test.fen, test.uci, err)
		}
		if got := string(Rules{}.AppendMove(nil, p, m)); got != test.want {
			t.Errorf("%s %s: written as %s, want %s", test.fen, test.uci, got, test.want)
		}
	}
}

// TestParseMoveAllocates: resolving a move is what ingest does most.
func TestParseMoveAllocates(t *testing.T) {
	p := Start()
	texts := [][]byte{[]byte("e4"), []byte("Nf3"), []byte("a2a3"), []byte("Nd2"), []byte("--")}
	if n := testing.AllocsPerRun(100, func() {
		for _, text := range texts {
			_, _ = Rules{}.ParseMove(p, text)
		}
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
