package opening

import (
	"context"
	"fmt"

	"kifu/games/board"
)

// merged is a tree in which mirror images and rotations are one position.
type merged struct {
	shown map[spot]uint64 // by ply and form: the hash that most rows have
	edges sumsBy[edgeKey, edgeSum]
	left  map[spot]int64       // rows of a position after which a move leads to another
	class map[moveKey]uint32   // moves in positions in their orientation, and in the shown one's
	texts map[moveKey]uint32   // moves of shown positions by class, as most games have them
	board map[spot]board.Board // of positions of shown forms, in their orientation
}

// merge turns positions to the image that most games have.
func (s *stream) merge(ctx context.Context) (*merged, error) {
	t := s.tree
	f := &merged{shown: map[spot]uint64{}, left: map[spot]int64{}, class: map[moveKey]uint32{}}
	type most struct {
		rows, best int64
		hash       uint64
	}
	all := map[spot]most{}
	t.nodes(func(k spot, n *nodeSum) {
		form := spot{k.ply, n.form}
		of := all[form]
		if of.rows += n.rows; n.rows > of.best || n.rows == of.best && k.hash > of.hash {
			of.best, of.hash = n.rows, k.hash
		}
		all[form] = of
	})
	for form, of := range all {
		if of.rows >= int64(s.Params.MinGames) {
			f.shown[form] = of.hash
		}
	}
	at := map[int64]spot{}
	t.nodes(func(k spot, n *nodeSum) {
		if _, ok := f.shown[spot{k.ply, n.form}]; ok {
			at[n.row] = k
		}
	})
	var err error
	if f.board, err = s.boards(ctx, at); err != nil {
		return nil, err
	}
	if err := s.classes(t, f); err != nil {
		return nil, err
	}
	s.turn(t, f)
	return f, nil
}

// nodes calls f with every position.
func (t *sharded) nodes(f func(k spot, n *nodeSum)) {
	for i := range t.shards {
		of := &t.shards[i].nodes
		for k := range of.keys {
			f(of.keys[k], &of.sums[k])
		}
	}
}

// shownAs returns the shown position of a position's form: itself if its form is not shown.
func (f *merged) shownAs(t *sharded, k spot) (as spot, shown bool) {
	n := t.shard(k).nodes.find(k)
	if n == nil {
		return k, false
	}
	hash, shown := f.shown[spot{k.ply, n.form}]
	if !shown {
		return k, false
	}
	return spot{k.ply, hash}, true
}

// classes finds out which moves are one by the symmetries, and how most games write each.
func (s *stream) classes(t *sharded, f *merged) error {
	type written struct {
		rows int64
		text uint32
	}
	best := map[moveKey]written{}
	for i := range t.shards {
		of := &t.shards[i].moves
		for k, key := range of.keys {
			as, shown := f.shownAs(t, key.spot)
			if !shown {
				continue
			}
			text, err := f.moveAs(s.texts.text[key.move], key.spot, as)
			if err != nil {
				return err
			}
			class := s.texts.number(text)
			f.class[key] = class
			if as != key.spot {
				continue
			}
			at, w := moveKey{as, class}, written{of.sums[k].rows, key.move}
			if old, ok := best[at]; !ok || w.rows > old.rows || w.rows == old.rows && s.texts.text[w.text] > s.texts.text[old.text] {
				best[at] = w
			}
		}
	}
	f.texts = make(map[moveKey]uint32, len(best))
	for at, w := range best {
		f.texts[at] = w.text
	}
	return nil
}

// moveAs is a move of one position in another that is its image.
func (f *merged) moveAs(move string, from, to spot) (string, error) {
	b := f.board[from]
	m, err := b.Find(move)
	if err != nil {
		return "", fmt.Errorf("%s: %w in %s", move, err, b.AppendText(nil))
	}
	return board.MoveAs(m, b, f.board[to]), nil
}

// turn adds up the moves of the positions that are shown.
func (s *stream) turn(t *sharded, f *merged) {
	as := func(k moveKey) (moveKey, bool) {
		at, shown := f.shownAs(t, k.spot)
		return moveKey{at, f.class[k]}, shown
	}
	child := func(ply int64, hash uint64) uint64 {
		at, _ := f.shownAs(t, spot{ply + 1, hash})
		return at.hash
	}
	t.nodes(func(k spot, n *nodeSum) {
		if at, shown := f.shownAs(t, k); shown {
			f.left[at] += n.left
		}
	})
	for i := range t.shards {
		part := &t.shards[i]
		for k, key := range part.edges.keys {
			if at, shown := as(key.moveKey); shown {
				f.edges.sum(edgeKey{at, child(key.ply, key.child), key.name, key.first}).add(part.edges.sums[k])
			}
		}
	}
	// From here on a move is written as most games have it, and nothing is looked up.
	for i := range f.edges.keys {
		key := &f.edges.keys[i]
		key.moveKey = f.text(key.moveKey)
	}
}

// text is a move of a shown position as most games write it.
func (f *merged) text(class moveKey) moveKey {
	if text, ok := f.texts[class]; ok {
		class.move = text
	}
	return class
}
