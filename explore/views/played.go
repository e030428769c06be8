package views

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets"
	"kifu/datasets/tree"
	"kifu/explore/parts"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query/find"
)

// node sums up the games that met a position: how often they reached it, and went on.
type node struct {
	parts.Tally
	Games   []int64 // some to look at
	plies   []int32 // where they have the position; nil: not known
	Name    string  // of the opening; may be empty
	Next    []branch
	Sampled bool // Games are not the first ones, but the best rated and the latest
}

// branch is a move played in a position.
type branch struct {
	parts.Tally
	hash uint64 // of the position in which move is played
	move string // as players or coordinates write it
	Move string
	To   string // address
	Name string // of the opening that it leads to

	after board.Board // nil: the move cannot be played
}

// listed is the number of games of a node that are listed.
const listed = 40

// counter makes a node of the games that have a position.
type counter struct {
	node
	next map[[2]any]*branch // by hash and move
}

func (c *counter) take(h find.Hit) error {
	c.Add(h.Result)
	if len(c.Games) < listed {
		c.Games, c.plies = append(c.Games, h.Game), append(c.plies, h.Ply)
	}
	if h.Move == "" {
		return nil
	}
	k := [2]any{h.Hash, h.Move}
	if c.next[k] == nil {
		if c.next == nil {
			c.next = map[[2]any]*branch{}
		}
		c.next[k] = &branch{hash: h.Hash, move: h.Move}
	}
	c.next[k].Add(h.Result)
	return nil
}

func (c *counter) counted() *node {
	for _, one := range c.next {
		c.Next = append(c.Next, *one)
	}
	slices.SortFunc(c.Next, func(a, b branch) int {
		return cmp.Or(cmp.Compare(b.All, a.All), cmp.Compare(a.move, b.move), cmp.Compare(a.hash, b.hash))
	})
	return &c.node
}

// replayed counts the games of d that reached one of some positions, of those that are taken (nil: all). A game counts once,
// at the first time that it has one.
func (c *call) replayed(d *Set, g Game, same []board.Board, taken func(id int64) bool) (*node, error) {
	var count counter
	_, err := g.Find(c.ctx, find.Query{Hashes: hashesOf(same), Games: taken}, max(1, c.site.limits.Threads), d.Dir, count.take)
	return count.counted(), err
}

func hashesOf(same []board.Board) []uint64 { return lists.Of(same, board.Board.Hash) }

// openTree opens the tree in a directory, or finds it open.
func (s *Pages) openTree(ctx context.Context, path string) (*openTree, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.trees[path]; t != nil {
		return t, nil
	}
	d, err := datasets.OpenAt(ctx, path)
	if err != nil {
		return nil, err
	}
	opened, err := tree.Open(d)
	t := &openTree{opened}
	if err == nil {
		s.trees[path] = t
	}
	return t, err
}

// openTree is a tree that pages read.
type openTree struct{ *tree.Tree }

// node sums up what the tree has of some positions, in games of a filter and with a result ("": any). It is nil where the tree
// has nothing of any games.
func (t *openTree) node(ctx context.Context, same []board.Board, f tree.Filter, result string) (*node, error) {
	moves, err := t.Moves(ctx, hashesOf(same), f)
	if err == nil && len(moves) == 0 && f != (tree.Filter{}) {
		if moves, err = t.Moves(ctx, hashesOf(same), tree.Filter{}); len(moves) > 0 {
			return &node{}, err
		}
	}
	if err != nil || len(moves) == 0 {
		return nil, err
	}
	n := &node{Sampled: true}
	for _, m := range moves {
		tally := parts.Tally{All: m.Games, First: m.First, Draws: m.Draws, Second: m.Second}.Of(result)
		if tally.All == 0 {
			continue
		}
		n.Join(tally)
		for _, id := range m.Examples {
			if len(n.Games) < listed && !slices.Contains(n.Games, id) {
				n.Games = append(n.Games, id)
			}
		}
		if m.Move != "" {
			n.Next = append(n.Next, branch{Tally: tally, hash: m.Hash, move: m.Move})
		}
	}
	n.Sampled = n.All > int64(len(n.Games))
	return n, nil
}

// only returns the one game that went on from some positions to one of others, which the tree leaves out; ok is false
// where there may be more.
func (t *openTree) only(ctx context.Context, from, to []board.Board) (id int64, ok bool, err error) {
	if t.MinGames > 2 {
		return 0, false, nil
	}
	moves, err := t.Moves(ctx, hashesOf(from), tree.Filter{})
	var found []*tree.Move
	for _, m := range moves {
		b := from[slices.IndexFunc(from, func(b board.Board) bool { return b.Hash() == m.Hash })]
		if played, err := b.Find(m.Move); err == nil && slices.Contains(hashesOf(to), played.Play().Hash()) {
			found = append(found, m)
		}
	}
	if err != nil || len(found) != 1 || found[0].Games != 1 {
		return 0, false, err
	}
	return found[0].Latest, true, nil
}
