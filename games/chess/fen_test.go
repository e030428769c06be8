package chess

import (
	"errors"
	"testing"

	"kifu/games"
)

func TestParseFEN(t *testing.T) {
	for _, test := range []struct {
		name, fen, want string // as it is written again, or the reason
	}{
		{"usual", StartFEN, StartFEN},
		{"no counters", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", StartFEN},
		{"men only", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"},
		{"Shredder-FEN", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", StartFEN},
		{"X-FEN with an inner rook", "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1", "4k3/8/8/8/8/8/8/R1R1K3 w C - 0 1"},
		{"X-FEN with the outer rook", "4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1", "4k3/8/8/8/8/8/8/R1R1K3 w Q - 0 1"},
		{"Chess960 rights by letters", "1r3k1r/8/8/8/8/8/8/1R3K1R b HBhb - 3 9", "1r3k1r/8/8/8/8/8/8/1R3K1R b KQkq - 3 9"},
		{"a letter without a rook", "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"},
		{"a king that has moved", "4k3/8/8/8/8/4K3/8/R6R w KQ - 0 1", "4k3/8/8/8/8/4K3/8/R6R w - - 0 1"},
		{"passing that nobody can", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"},
		{"passing that somebody can", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3"},
		{"passing by a pinned pawn", "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"},
		{"passing on the wrong rank", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e6 0 3", "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"},
		{"a blank beyond ASCII", "k7/8/8/8/8/8/8/K7 b\u00a0-\u2003-\t5 9", "k7/8/8/8/8/8/8/K7 b - - 5 9"},
		{"counters with signs and zeros", " k7/8/8/8/8/8/8/K7  b - - +5 00009 ", "k7/8/8/8/8/8/8/K7 b - - 5 9"},
		{"a seventh field", "k7/8/8/8/8/8/8/K7 b - - 5 9 x", "unreadable FEN"},
		{"a counter of letters", "k7/8/8/8/8/8/8/K7 b - - 5a 9", "unreadable FEN"},
		{"?", "?", "unreadable FEN"},
		{"empty", " ", "unreadable FEN"},
		{"seven ranks", "8/8/8/8/8/8/K1k5 w - - 0 1", "unreadable FEN"},
		{"nine files", "9/8/8/8/8/8/8/K1k5 w - - 0 1", "unreadable FEN"},
		{"a long rank", "8/8/8/8/8/8/8/K1k5p w - - 0 1", "unreadable FEN"},
		{"a strange man", "8/8/8/8/8/8/8/K1k1x3 w - - 0 1", "unreadable FEN"},
		{"a strange side", "8/8/8/8/8/8/8/K1k5 x - - 0 1", "unreadable FEN"},
		{"strange rights", "8/8/8/8/8/8/8/K1k5 w X - 0 1", "unreadable FEN"},
		{"a strange square", "8/8/8/8/8/8/8/K1k5 w - e9 0 1", "unreadable FEN"},
		{"a negative counter", "8/8/8/8/8/8/8/K1k5 w - - -1 1", "unreadable FEN"},
		{"no king", "8/8/8/8/8/8/8/K7 w - - 0 1", "FEN without exactly one king a side"},
		{"three kings", "k7/8/8/8/8/8/8/K1K5 w - - 0 1", "FEN without exactly one king a side"},
		{"a pawn on the edge", "P6k/8/8/8/8/8/8/K7 w - - 0 1", "FEN with a pawn on the first or last rank"},
		{"a king to be taken", "7k/8/8/8/8/8/8/K6R w - - 0 1", "FEN in which the king could be taken"},
	} {
		p, err := ParseFEN(test.fen)
		got := p.String()
		if want := p.computeHash(); p.hash != want {
			t.Errorf("%s: hash %x, want %x", test.name, p.hash, want)
		}
		if err != nil {
			var r games.Reason
			if !errors.As(err, &r) {
				t.Errorf("%s: error %v wraps no Reason", test.name, err)
			}
			got = string(r)
		}
		if got != test.want {
			t.Errorf("%s: %q is read as %q, want %q", test.name, test.fen, got, test.want)
		}
	}
}

func TestStart(t *testing.T) {
	const inner = "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1"
	for _, test := range []struct{ variant, fen, want string }{
		{"", "", "standard"}, {"Standard", "", "standard"}, {"normal", "", "standard"}, {"chess", StartFEN, "standard"}, {"From Position", StartFEN, "standard"},
		{"Chess960", inner, "chess960"}, {"chess 960", inner, "chess960"}, {"960", inner, "chess960"}, {"fischerandom", inner, "chess960"}, {"Fischer Random", inner, "chess960"},
		{"fischerrandom", "", "chess960"}, {"Freestyle", inner, "chess960"}, {"wild/fr", inner, "chess960"}, {"", inner, "chess960"}, {"Chess960", StartFEN, "chess960"},
		{"Atomic", "", "variant Atomic is not played here"}, {"Three-check", "", "variant Three-check is not played here"}, {"wild/0", "", "variant wild/0 is not played here"},
		{"", "?", "unreadable FEN"},
	} {
		_, got, err := Rules{}.Start(test.variant, test.fen)
		if err != nil {
			var r games.Reason
			errors.As(err, &r)
			got = string(r)
		}
		if got != test.want {
			t.Errorf("variant %q with %q is %q, want %q", test.variant, test.fen, got, test.want)
		}
	}
}

// TestMen: what is no board of eight ranks of eight squares is not read.
func TestMen(t *testing.T) {
	var p Position
	if !p.parseMen([]byte("r3k2r/p6p/8/1q5Q/8/8/P6P/R3K2R")) || p.Occupied().Count() != 12 || p.KindAt(SquareAt(1, 4)) != Queen || p.hash != p.computeHash() {
		t.Errorf("%s, hash %x", p, p.hash)
	}
	for _, men := range []string{
		"", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/", "8/8/8/8/8/8/8/8/", "8/8/8/8/8/8/8/8/8", "8/8/8/8/8/8/88/", "88/8/8/8/8/8/8",
		"8/8/8/8/8/8/7/9", "8/8/8/7/81/8/8/8", "8/8/8/8/8/8/8/7", "8/8/8/8/8/8/8/7KK", "8/8/8/8/8/8/8/7x", "8/8/8/8/8/8/8/08", "88888888", "/8/8/8/8/8/8/8/",
	} {
		if p.parseMen([]byte(men)) {
			t.Errorf("%q is read", men)
		}
	}
}
