package gametest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"kifu/games"
)

// kit holds the values compared across all positions of a run.
type kit[P games.Position[P]] struct {
	rules  games.Rules[P]
	o      Options
	keyOf  map[uint64]string // hash to reduced text
	hashOf map[string]uint64
	moves  []games.Move
}

func newKit[P games.Position[P]](r games.Rules[P], o Options) *kit[P] {
	return &kit[P]{rules: r, o: o, keyOf: map[uint64]string{}, hashOf: map[string]uint64{}}
}

// game plays one random game in parallel with a replay and checks every position.
func (k *kit[P]) game(t *testing.T, s Start, n uint64) {
	t.Helper()
	replay := k.rules.NewReplay()
	played := 0
	Random(startOf(t, k.rules, s), k.o.Plies, k.o.Seed+n, func(p P, line []games.Move) {
		if len(line) == 0 {
			replay.Reset(p)
		} else {
			replay.Play(line[len(line)-1])
		}
		played = len(line)
		if got := replay.Position(); got.Hash() != p.Hash() {
			t.Fatalf("%s: the replay is at %s", describe(k.rules, p), describe(k.rules, got))
		}
		if o, rule := replay.Outcome(); (o == games.Undecided) != (rule == "") {
			t.Fatalf("%s: replay's outcome %q by rule %q", describe(k.rules, p), o, rule)
		} else if own := p.Outcome(); own != games.Undecided && o != own {
			t.Fatalf("%s: outcome %q, in the replay %q", describe(k.rules, p), own, o)
		}
		k.position(t, p, n)
	})
	if played == 0 {
		t.Fatalf("start %+v: no moves", s)
	}
}

func (k *kit[P]) position(t *testing.T, p P, seed uint64) {
	t.Helper()
	k.checkMoves(t, p)
	k.checkTactics(t, p)
	k.checkTexts(t, p)
	k.checkBoard(t, p)
	k.checkHash(t, p)
	if got, want := len(k.rules.AppendColumns(nil, p)), len(k.rules.Columns()); got != want {
		t.Fatalf("%s: %d column values for %d columns", describe(k.rules, p), got, want)
	}
	// Any code must give a move or an error.
	rng := rand.New(rand.NewPCG(p.Hash(), seed))
	for range 20 {
		_, _ = k.rules.UnpackMove(p, uint16(rng.Uint32()))
	}
}

func (k *kit[P]) checkMoves(t *testing.T, p P) {
	t.Helper()
	k.moves = p.AppendMoves(k.moves[:0])
	for i, m := range k.moves {
		if m == 0 {
			t.Fatalf("%s: move %d is zero", describe(k.rules, p), i)
		}
		if i > 0 && m <= k.moves[i-1] {
			t.Fatalf("%s: moves %d and %d are not ascending", describe(k.rules, p), i-1, i)
		}
	}
	if (len(k.moves) == 0) != (p.Outcome() != games.Undecided) {
		t.Fatalf("%s: %d moves and outcome %q", describe(k.rules, p), len(k.moves), p.Outcome())
	}
	if again := p.AppendMoves([]games.Move{7}); again[0] != 7 || !slices.Equal(again[1:], k.moves) {
		t.Fatalf("%s: AppendMoves does not append", describe(k.rules, p))
	}
}

func (k *kit[P]) checkTactics(t *testing.T, p P) {
	t.Helper()
	tactics, forced := p.AppendTactics([]games.Move{7})
	if tactics[0] != 7 {
		t.Fatalf("%s: AppendTactics does not append", describe(k.rules, p))
	}
	tactics = slices.Clone(tactics[1:])
	slices.Sort(tactics)
	for i, m := range tactics {
		if _, found := slices.BinarySearch(k.moves, m); !found || i > 0 && m == tactics[i-1] {
			t.Fatalf("%s: tactic %s is illegal or twice there", describe(k.rules, p), k.rules.AppendMove(nil, p, m))
		}
	}
	if forced && len(tactics) != len(k.moves) && (!k.o.Choice || len(tactics) == 0) {
		t.Fatalf("%s: forced, with %d of %d moves", describe(k.rules, p), len(tactics), len(k.moves))
	}
}

// checkTexts converts every move and the position to their texts and codes and back.
func (k *kit[P]) checkTexts(t *testing.T, p P) {
	t.Helper()
	texts := map[string]bool{}
	codes := map[uint16]bool{}
	for _, m := range k.moves {
		for _, text := range [][]byte{k.rules.AppendMove(nil, p, m), k.rules.AppendCoordinates(nil, p, m)} {
			if got, err := k.rules.ParseMove(p, text); err != nil || got != m {
				t.Fatalf("%s: move %q (%#x) is read as %#x, %v", describe(k.rules, p), text, m, got, err)
			}
		}
		texts[string(k.rules.AppendCoordinates(nil, p, m))] = true
		code := k.rules.PackMove(p, m)
		codes[code] = true
		if got, err := k.rules.UnpackMove(p, code); err != nil || got != m {
			t.Fatalf("%s: move %#x packed as %#x unpacks as %#x, %v", describe(k.rules, p), m, code, got, err)
		}
	}
	if len(texts) != len(k.moves) || len(codes) != len(k.moves) {
		t.Fatalf("%s: %d moves have %d coordinates and %d codes", describe(k.rules, p), len(k.moves), len(texts), len(codes))
	}
	text := k.rules.AppendPosition([]byte("x"), p)[1:]
	back, err := k.rules.ParsePosition(string(text))
	if err != nil {
		t.Fatalf("%s: %v", describe(k.rules, p), err)
	}
	if again := k.rules.AppendPosition(nil, back); !bytes.Equal(again, text) {
		t.Fatalf("%s: is read back as %q", describe(k.rules, p), again)
	}
	k.same(t, p, back, "read back from its text")
}

func (k *kit[P]) checkBoard(t *testing.T, p P) {
	t.Helper()
	board := k.rules.AppendBoard([]byte("x"), p)[1:]
	if len(board) != k.rules.BoardSize() {
		t.Fatalf("%s: board of %d bytes, want %d", describe(k.rules, p), len(board), k.rules.BoardSize())
	}
	back, err := k.rules.UnpackBoard(board)
	if err != nil {
		t.Fatalf("%s: %v", describe(k.rules, p), err)
	}
	if again := k.rules.AppendBoard(nil, back); !bytes.Equal(again, board) {
		t.Fatalf("%s: board %x unpacks to one of %x", describe(k.rules, p), board, again)
	}
	k.same(t, p, back, "unpacked")
	if _, err := k.rules.UnpackBoard(board[:len(board)-1]); err == nil {
		t.Fatal("a board that is too short unpacks without an error")
	}
	k.checkCount(t, p)
}

// checkCount compares the number of pieces with the cells and hands that have one.
func (k *kit[P]) checkCount(t *testing.T, p P) {
	t.Helper()
	drawer, draws := k.rules.(games.Drawer[P])
	counter, counts := k.rules.(games.PieceCounter[P])
	if !draws || !counts {
		return
	}
	n := 0
	for _, piece := range drawer.AppendCells(nil, p) {
		if piece != 0 {
			n++
		}
	}
	if hands, ok := k.rules.(games.Hands[P]); ok {
		n += len(hands.AppendHand(nil, p, games.First)) + len(hands.AppendHand(nil, p, games.Second))
	}
	if got := counter.PieceCount(p); got != n {
		t.Fatalf("%s: %d pieces are counted, %d are there", describe(k.rules, p), got, n)
	}
}

// same fails unless q equals p except for what the packed form leaves out.
func (k *kit[P]) same(t *testing.T, p, q P, how string) {
	t.Helper()
	if p.Hash() != q.Hash() || p.ToMove() != q.ToMove() || !slices.Equal(k.moves, q.AppendMoves(nil)) {
		t.Fatalf("%s: %s it is another: %s", describe(k.rules, p), how, describe(k.rules, q))
	}
}

// checkHash compares hash and text with all positions seen before.
func (k *kit[P]) checkHash(t *testing.T, p P) {
	t.Helper()
	key, hash := k.o.Key(string(k.rules.AppendPosition(nil, p))), p.Hash()
	if other, seen := k.keyOf[hash]; seen && other != key {
		t.Fatalf("hash %#x of %q and of %q", hash, key, other)
	}
	if other, seen := k.hashOf[key]; seen && other != hash {
		t.Fatalf("position %q has hashes %#x and %#x", key, hash, other)
	}
	k.keyOf[hash], k.hashOf[key] = key, hash
}
