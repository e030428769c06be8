// Package played sums up the games that met a position.
//
// In: the hits of a search in games, or an opening tree. Out: how often the games reached the position, their results, and the moves
// by which they went on. It does not search.
package played

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kifu/datasets/tree"
	"kifu/explore/parts"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query/find"
)

// Node sums up the games that met a position: how often they reached it, and went on.
type Node struct {
	parts.Tally
	Games   []int64  // some to look at
	Plies   []int32  // where they have the position; nil: not known
	Name    string   // of the opening; may be empty
	Next    []Branch // those of most games first
	Sampled bool     // Games are not the first ones, but the best rated and the latest
}

// Branch is a move played in a position.
type Branch struct {
	parts.Tally
	Hash uint64 // of the position in which move is played
	move string // as players or coordinates write it
	Move string
	To   string // address
	Name string // of the opening that it leads to

	After board.Board // nil: the move cannot be played
}

// Listed is the number of games of a node that are listed.
const Listed = 40

// Counter makes a node of the games that have a position.
type Counter struct {
	Node
	next map[[2]any]*Branch // by hash and move
}

func (c *Counter) Take(h find.Hit) error {
	c.Add(h.Result)
	if len(c.Games) < Listed {
		c.Games, c.Plies = append(c.Games, h.Game), append(c.Plies, h.Ply)
	}
	if h.Move == "" {
		return nil
	}
	k := [2]any{h.Hash, h.Move}
	if c.next[k] == nil {
		if c.next == nil {
			c.next = map[[2]any]*Branch{}
		}
		c.next[k] = &Branch{Hash: h.Hash, move: h.Move}
	}
	c.next[k].Add(h.Result)
	return nil
}

func (c *Counter) Counted() *Node {
	for _, one := range c.next {
		c.Next = append(c.Next, *one)
	}
	c.sortNext()
	return &c.Node
}

// sortNext puts the moves of most games first.
func (n *Node) sortNext() {
	slices.SortFunc(n.Next, func(a, b Branch) int {
		return cmp.Or(cmp.Compare(b.All, a.All), cmp.Compare(a.move, b.move), cmp.Compare(a.Hash, b.Hash))
	})
}

func HashesOf(same []board.Board) []uint64 { return lists.Of(same, board.Board.Hash) }

// Tree is a tree that pages read.
type Tree struct{ *tree.Tree }

// Node sums up what the tree has of some positions, in games of a filter and with a result ("": any). It is nil where the tree
// has nothing of any games.
func (t *Tree) Node(ctx context.Context, same []board.Board, f tree.Filter, result string) (*Node, error) {
	moves, err := t.Moves(ctx, HashesOf(same), f)
	if err == nil && len(moves) == 0 && f != (tree.Filter{}) {
		if moves, err = t.Moves(ctx, HashesOf(same), tree.Filter{}); len(moves) > 0 {
			return &Node{}, err
		}
	}
	if err != nil || len(moves) == 0 {
		return nil, err
	}
	n := &Node{Sampled: true}
	for _, m := range moves {
		tally := parts.Tally{All: m.Games, First: m.First, Draws: m.Draws, Second: m.Second}.Of(result)
		if tally.All == 0 {
			continue
		}
		n.Join(tally)
		for _, id := range m.Examples {
			if len(n.Games) < Listed && !slices.Contains(n.Games, id) {
				n.Games = append(n.Games, id)
			}
		}
		if m.Move != "" {
			n.Next = append(n.Next, Branch{Tally: tally, Hash: m.Hash, move: m.Move})
		}
	}
	n.sortNext()
	n.Sampled = n.All > int64(len(n.Games))
	return n, nil
}

// Only returns the one game that went on from some positions to one of others, which the tree leaves out; ok is false
// where there may be more.
func (t *Tree) Only(ctx context.Context, from, to []board.Board) (id int64, ok bool, err error) {
	if t.MinGames > 2 {
		return 0, false, nil
	}
	moves, err := t.Moves(ctx, HashesOf(from), tree.Filter{})
	var found []*tree.Move
	for _, m := range moves {
		b := from[slices.IndexFunc(from, func(b board.Board) bool { return b.Hash() == m.Hash })]
		if played, err := b.Find(m.Move); err == nil && slices.Contains(HashesOf(to), played.Play().Hash()) {
			found = append(found, m)
		}
	}
	if err != nil || len(found) != 1 || found[0].Games != 1 {
		return 0, false, err
	}
	return found[0].Latest, true, nil
}

// Write sets move and address of a branch of the position from, after moves, as played at at. It returns a text
// that moves share if the symmetries of at make them one; on at itself, a move is shown as it was played.
func (n *Branch) Write(h parts.Here, moves []string, from, at board.Board) (same string) {
	m, err := from.Find(n.move)
	if err != nil {
		return ""
	}
	text := board.MoveAs(m, from, at)
	if same = text; from.Hash() == at.Hash() {
		text = string(m.AppendCoordinates(nil))
	}
	if as, err := at.Find(text); err == nil {
		n.Move, n.After = string(as.AppendShown(nil, h.Look().Western)), as.Play()
		n.To = h.With("line", strings.Join(append(slices.Clone(moves), string(as.AppendCoordinates(nil))), " "))
		return same
	}
	// A move that is legal by what the board does not show, such as taking in passing.
	n.Move, n.After = string(m.AppendShown(nil, h.Look().Western)), m.Play()
	n.To = h.With("at", string(from.AppendText(nil)), "variant", "", "line", string(m.AppendCoordinates(nil)))
	return n.To
}
