package search_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kifu/eval"
	evaldraughts "kifu/eval/draughts"
	evaltictactoe "kifu/eval/tictactoe"
	"kifu/games"
	"kifu/games/draughts"
	"kifu/games/tictactoe"
	"kifu/kit/evaltest"
	"kifu/kit/slow"
	"kifu/search"
)

// table is a small game given by its tree: the children of each node, and the values of
// either function at each, for the first player.
type table struct {
	children map[int][]int
	player   map[int]int32
	model    map[int]int32
}

type node struct {
	t    *table
	id   int
	side games.Side
}

func (n node) AppendMoves(dst []games.Move) []games.Move {
	for i := range n.t.children[n.id] {
		dst = append(dst, games.Move(i+1))
	}
	return dst
}
func (n node) AppendTactics(dst []games.Move) ([]games.Move, bool) { return dst, false }
func (n node) Play(m games.Move) node {
	return node{n.t, n.t.children[n.id][m-1], n.side.Other()}
}
func (n node) ToMove() games.Side     { return n.side }
func (n node) Hash() uint64           { return uint64(n.id) * 0x9e3779b97f4a7c15 }
func (n node) Outcome() games.Outcome { return games.Undecided }

type byPlayer struct{}
type byModel struct{}

func (byPlayer) Value(n node) int32 { return n.t.player[n.id] }
func (byModel) Value(n node) int32  { return n.t.model[n.id] }

// Figure 2 has a player of depth 2 and a model of depth 1, and minimax and M* choose
// differently; its values are not in the text. Here minimax gives the left move 4 and the
// right one 2. For the model the reply to the right that costs MAX least is the best one,
// so M* expects 8 there and goes right.
//
//	         0
//	    1         2
//	  3   4     5   6
//	f 4   6     2   8      the player's values, for MAX
//	m 4   6     7   1      the model's, for MAX too: MIN wants it small
func TestMStarFigure2(t *testing.T) {
	tree := &table{
		children: map[int][]int{0: {1, 2}, 1: {3, 4}, 2: {5, 6}},
		player:   map[int]int32{3: 400, 4: 600, 5: 200, 6: 800},
		model:    map[int]int32{3: 400, 4: 600, 5: 700, 6: 100},
	}
	root := node{t: tree}
	best, value := search.New[node](byPlayer{}).BestMoves(root, 2, nil)
	if !slices.Equal(best, []games.Move{1}) || value != 400 {
		t.Errorf("minimax: %v worth %d, want the left worth 400", best, value)
	}
	for _, modified := range []bool{false, true} {
		s := mstar[node](t, byPlayer{}, 2, byModel{}, 1, modified)
		for _, r := range []search.MStarResult{s.Search(root), s.Pruned(root)} {
			if !slices.Equal(r.Best, []games.Move{2}) || r.Value != 800 {
				t.Errorf("M*: %v worth %d, want the right worth 800", r.Best, r.Value)
			}
		}
	}
}

// A model of depth 1 uses static values for the replies of MIN, though the player looks a
// ply deeper: the horizon is tested for the node, not for its parent.
func TestMStarHorizon(t *testing.T) {
	tree := &table{
		children: map[int][]int{0: {1}, 1: {2, 3}, 2: {4}, 3: {5}},
		player:   map[int]int32{4: 100, 5: 500},
		model:    map[int]int32{2: 0, 3: 200, 4: 900, 5: -900},
	}
	root := node{t: tree}
	for depth, want := range map[int]int32{1: 100, 2: 500} { // of the model
		s := mstar[node](t, byPlayer{}, 3, byModel{}, depth, false)
		if r := s.Search(root); r.Value != want {
			t.Errorf("model of depth %d: %d, want %d", depth, r.Value, want)
		}
	}
}

func mstar[P games.Position[P]](t *testing.T, f search.Static[P], d int, model search.Static[P], dm int, modified bool) *search.MStar[P] {
	t.Helper()
	s, err := search.NewMStar(search.Strategy[P]{Static: f, Depth: d}, search.Strategy[P]{Static: model, Depth: dm}, modified)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNewMStarRefuses(t *testing.T) {
	for want, depths := range map[string][2]int{"looks beyond": {3, 3}, "one ply or more": {3, 0}, "from 2 to": {1, 1}} {
		_, err := search.NewMStar(search.Strategy[node]{Static: byPlayer{}, Depth: depths[0]}, search.Strategy[node]{Static: byModel{}, Depth: depths[1]}, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("player %d, model %d: %v", depths[0], depths[1], err)
		}
	}
}

// noisy gives each position a value from its hash: few values, so that ties are common.
type noisy[P games.Position[P]] struct{ seed uint64 }

func (n noisy[P]) Value(p P) int32 {
	rng := rand.NewPCG(p.Hash(), n.seed)
	return int32(rng.Uint64()%9)*search.Grain - 4*search.Grain
}

// lemmas compares M* on p with minimax and its pruned form with the plain one, for player
// depths 2 to deepest and every model depth. It returns how often M* expects more than
// minimax, and the nodes of the plain and of the pruned form.
func lemmas[P games.Position[P]](t *testing.T, p P, f, other search.Static[P], deepest int) (more int, plain, pruned int64) {
	t.Helper()
	sign := p.ToMove().Sign()
	for d := 2; d <= deepest; d++ {
		best, value := search.New(f).BestMoves(p, d, nil)
		for dm := 1; dm < d; dm++ {
			for _, modified := range []bool{false, true} {
				for _, model := range []search.Static[P]{f, other} {
					s := mstar(t, f, d, model, dm, modified)
					r, q := s.Search(p), s.Pruned(p)
					if r.Value != q.Value || !slices.Equal(r.Best, q.Best) || q.Nodes > r.Nodes {
						t.Fatalf("%v, depths %d and %d, modified %v: pruned %+v, plain %+v", p, d, dm, modified, q, r)
					}
					plain, pruned = plain+r.Nodes, pruned+q.Nodes
					if r.Value*sign < value*sign {
						t.Fatalf("lemma 2: %v, depths %d and %d, modified %v: %d, minimax %d", p, d, dm, modified, r.Value, value)
					}
					if r.Value != value {
						more++
					}
					if model == f && dm == d-1 && (r.Value != value || !slices.Equal(r.Best, best)) {
						t.Fatalf("lemma 1: %v, depth %d, modified %v: %+v, minimax %v worth %d", p, d, modified, r, best, value)
					}
				}
			}
		}
	}
	return more, plain, pruned
}

func TestMStarOnRandomTrees(t *testing.T) {
	slow.Test(t, "thousands of trees")
	more, plain, pruned := 0, int64(0), int64(0)
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		tree := &table{children: map[int][]int{}, player: map[int]int32{}, model: map[int]int32{}}
		next := grow(tree, rng, 0, 1, 5)
		for id := range next {
			tree.player[id], tree.model[id] = int32(rng.IntN(9)-4)*100, int32(rng.IntN(9)-4)*100
		}
		m, a, b := lemmas[node](t, node{t: tree, side: games.Side(seed & 1)}, byPlayer{}, byModel{}, 5)
		more, plain, pruned = more+m, plain+a, pruned+b
	}
	if more < 100 || pruned*5 > plain*4 {
		t.Errorf("the trees test little: %d values above minimax; %d nodes of %d", more, pruned, plain)
	}
}

// grow gives every node above depth two or three children; it returns the next free number.
func grow(t *table, rng *rand.Rand, id, next, depth int) int {
	if depth == 0 {
		return next
	}
	n := 2 + rng.IntN(2)
	for i := range n {
		t.children[id] = append(t.children[id], next+i)
	}
	next += n
	for _, c := range t.children[id] {
		next = grow(t, rng, c, next, depth-1)
	}
	return next
}

func TestMStarOnTicTacToe(t *testing.T) {
	slow.Test(t, "solves tic-tac-toe")
	f, err := evaltictactoe.New(evaltictactoe.Default())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i, p := range evaltest.RandomPlay(tictactoe.Position{}, 30, 9, 3) {
		if p.Outcome() == games.Undecided && p.Empty().Count() < 8 && i%3 == 0 {
			lemmas[tictactoe.Position](t, p, f, noisy[tictactoe.Position]{1}, 5)
			n++
		}
	}
	if n < 20 {
		t.Errorf("only %d positions", n)
	}
}

func TestMStarOnCheckers(t *testing.T) {
	e := evaldraughts.Of(draughts.Checkers)
	f, err := e.New(e.Default())
	if err != nil {
		t.Fatal(err)
	}
	start, _, err := draughts.Checkers.Start("", "")
	if err != nil {
		t.Fatal(err)
	}
	var other eval.Evaluator[draughts.Position]
	if other, err = e.New(evaltest.Randomized(e.Default(), 90, 1)); err != nil {
		t.Fatal(err)
	}
	for i, p := range evaltest.RandomPlay(start, 2, 60, 1) {
		if p.Outcome() == games.Undecided && i%12 == 0 {
			lemmas[draughts.Position](t, p, f, other, 4)
		}
	}
}
