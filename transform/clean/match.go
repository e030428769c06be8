package clean

import (
	"bytes"
	"strings"
)

// verdict reports how alike the moves of two games are that are one.
type verdict int

const (
	other verdict = iota
	sameMoves
	beginning
	likeMoves
)

// reason describes why e is left out for head. Changes are counted by it, so equal cases have equal
// words.
func (v verdict) reason(e, head *entry) string {
	var b strings.Builder
	switch v {
	case sameMoves:
		b.WriteString("the same moves")
	case beginning:
		b.WriteString("the first of its moves")
	default:
		b.WriteString("moves that differ a little")
	}
	for side := range e.players {
		if a, o := &e.players[side], &head.players[side]; a.known() && o.known() && !a.shares(o) {
			b.WriteString("; another " + []string{"first", "second"}[side] + " player")
		}
	}
	if datesOf(e, head) != agree {
		b.WriteString("; another date")
	}
	if e.result != head.result && e.result != 0 && head.result != 0 {
		b.WriteString("; another result")
	}
	return b.String()
}

// The numbers of moves of either side from which games are taken for one.
const (
	shortDraw  = 30 // with another date: the same moves are no chance any more
	longGame   = 50 // with dates years apart
	oneUnknown = 20 // with one of the names unknown
	oneName    = 40 // with one of the names another
	noName     = 60 // with both names others
	likeLength = 24 // that are compared when moves differ
	likeShare  = 10 // of so many moves one may differ
)

// cluster are the games of a block of which others may be duplicates, with an index of
// their players and moves.
type cluster struct {
	byWord   map[uint32][]*entry
	byMoves  map[string][]*entry // of unknown players, and of long games, by their moves
	byWindow map[string][]*entry
}

// add makes e a game of which others may be duplicates.
func (c *cluster) add(e *entry) {
	seen := map[uint32]bool{0: true}
	for _, p := range e.players {
		for _, w := range append(p.words[:], p.surname) {
			if !seen[w] {
				c.byWord[w] = append(c.byWord[w], e)
				seen[w] = true
			}
		}
	}
	if m := string(e.moves); len(c.byMoves[m]) < mostAlike {
		c.byMoves[m] = append(c.byMoves[m], e)
	}
	for _, w := range windows(e) {
		if w != "" && len(c.byWindow[w]) < mostAlike {
			c.byWindow[w] = append(c.byWindow[w], e)
		}
	}
}

// mostAlike bounds the games with which one is compared for its moves alone.
const mostAlike = 256

// sameMoves returns the first game that e is a copy or the beginning of.
func (c *cluster) sameMoves(e *entry) (head *entry, v verdict) {
	take := func(all []*entry) {
		for _, h := range all {
			if head != nil && h.fuller(head) >= 0 {
				return
			}
			if got := judge(e, h); got != other {
				head, v = h, got
				return
			}
		}
	}
	for _, p := range e.players {
		for _, w := range append(p.words[:], p.surname) {
			if w != 0 {
				take(c.byWord[w])
			}
		}
	}
	take(c.byMoves[string(e.moves)])
	return head, v
}

// judge compares games that begin with the same moves, h being the fuller one.
func judge(e, h *entry) verdict {
	if e.start != h.start || !bytes.HasPrefix(h.moves, e.moves) {
		return other
	}
	v := sameMoves
	if len(e.moves) < len(h.moves) {
		v = beginning
	}
	names, when := namesAgree(e, h), datesOf(e, h)
	if when != agree && (names < 2 || v == beginning) {
		return other
	}
	least := [3]int{noName, oneName, 0}[names]
	if names == 1 && !named(e, h) {
		least = oneUnknown
	}
	if names == 2 {
		least = [3]int{0, shortDraw, longGame}[when]
	}
	if e.plies() < least {
		return other
	}
	return v
}

// namesAgree returns how many of the players agree; a name that is not known agrees with none.
func namesAgree(a, b *entry) (n int) {
	for side := range a.players {
		if a.players[side].shares(&b.players[side]) {
			n++
		}
	}
	return n
}

// named reports whether all players of both games are known.
func named(a, b *entry) bool {
	for side := range a.players {
		if !a.players[side].known() || !b.players[side].known() {
			return false
		}
	}
	return true
}

// likeMoves returns the game with which e shares a window of moves and nearly all others.
func (c *cluster) likeMoves(e *entry) (head *entry, v verdict) {
	for _, w := range windows(e) {
		for _, h := range c.byWindow[w] {
			if head != nil && h.fuller(head) >= 0 {
				break
			}
			if got := alike(e, h); got != other {
				head, v = h, got
				break
			}
		}
	}
	return head, v
}

// windowMoves is the length of a window, in moves of either side.
const windowMoves = 12

// windows returns windows of the moves of e with their places, "" beyond the end.
func windows(e *entry) (all [4]string) {
	for i := range all {
		from, to := 2*i*windowMoves, 2*(i+1)*windowMoves
		if to <= len(e.moves) {
			all[i] = string(rune('0'+i)) + string(e.moves[from:to])
		}
	}
	return all
}

// alike compares the moves of games of the same players, h being the fuller one.
func alike(e, h *entry) verdict {
	n := e.plies()
	if e.start != h.start || datesOf(e, h) != agree || namesAgree(e, h) < 2 || n < likeLength {
		return other
	}
	most := max(2, n/likeShare)
	off := distance(e.moves, h.moves, most)
	switch {
	case off > most:
		return other
	case off == 0:
		return beginning
	}
	return likeMoves
}

// distance returns how many moves must be inserted, deleted or changed to make short the beginning of long,
// or at least most+1 if that is more than most. Moves are two bytes each.
func distance(short, long []byte, most int) int {
	n, m := len(short)/2, len(long)/2
	band := most
	row, next := make([]int, 2*band+1), make([]int, 2*band+1)
	beyond := most + 1
	for k := range row { // of no moves of short: k-band moves of long left out
		row[k] = beyond
		if k >= band {
			row[k] = k - band
		}
	}
	for i := 1; i <= n; i++ {
		least := beyond
		for k := range next {
			j := i + k - band
			next[k] = beyond
			if j < 0 || j > m {
				continue
			}
			if j > 0 {
				cost := 1
				if short[2*(i-1)] == long[2*(j-1)] && short[2*(i-1)+1] == long[2*(j-1)+1] {
					cost = 0
				}
				next[k] = min(next[k], row[k]+cost)
			}
			if k+1 < len(row) {
				next[k] = min(next[k], row[k+1]+1)
			}
			if k > 0 && j > 0 {
				next[k] = min(next[k], next[k-1]+1)
			}
			least = min(least, next[k])
		}
		if least > most {
			return beyond
		}
		row, next = next, row
	}
	best := beyond
	for k, d := range row {
		if j := n + k - band; j >= 0 && j <= m {
			best = min(best, d)
		}
	}
	return best
}
