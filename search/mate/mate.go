// Package mate looks for forced mates: sequences of checks that the other side cannot answer,
// whatever it plays. For a position and a number of nodes it returns mate, no mate or unknown,
// with a line.
//
// The search is df-pn (Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
// Applications", 2002): proof and disproof numbers with a table. The attacker's disproof
// numbers are weak ones (Ueda, Hashimoto, Hashimoto and Iida, "Weak Proof-Number Search",
// 2008). A position that recurs on the path is no mate. A side that mates with some pieces in
// hand also mates with more of them on the same board, and one that does not, does not with
// fewer (Seo, Iida and Uiterwijk, "The PN*-search algorithm: Application to tsume-shogi", 2001,
// section 4.2). Some moves differ only in the piece that they put between king and checker
// (games.Checker's Block). Of these the next one is searched when the one before it has been
// refuted, which changes no verdict.
//
// The moves of a position are generated once and kept for the search, because df-pn returns to
// positions often.
//
// A disproof that rests on a repetition is stored like any other. In rare cases another path to
// the same position is therefore taken for no mate, too.
package mate

import "kifu/games"

// Verdict reports whether the side to move mates.
type Verdict uint8

// Unknown: the nodes did not suffice.
const (
	Unknown Verdict = iota
	Mate
	NoMate
)

// String returns "mate", "nomate" or "unknown".
func (v Verdict) String() string { return [...]string{"unknown", "mate", "nomate"}[v] }

// Result is the result of a search.
type Result struct {
	Verdict Verdict
	Nodes   int
	// Plies is the length of the mate that was found, against the longest of the defences
	// that were looked at; it need not be the shortest. Line is such a line, which may end
	// early where the table has lost its end; it belongs to the Solver until its next search.
	// Shorten finds the shortest, and marks it by Shortest.
	Plies    int
	Line     []games.Move
	Shortest bool
}

// Solver looks for mates in one position after the other. It is for one goroutine. A
// result depends on nothing but the position and the number of nodes.
type Solver[P games.Position[P]] struct {
	rules    games.Checker[P]
	guard    uint32
	limit    int
	nodes    int
	attacker games.Side
	table    []entry
	filter   []uint64 // bits by board: none of an entry's board is zero
	set      []uint32 // words of filter that are not zero
	search   uint32   // entries of other searches are void
	path     [maxPly + 1]place
	moves    []games.Move
	edges    []edge // of the positions searched, each position's together
	keep     int    // so many edges are kept, later ones until their position is left
	line     []games.Move
	bounds   map[uint64]bound // of Shorten
	open     map[uint64]bool  // those that are being looked at
	left     int              // nodes of Shorten
}

// place identifies a position: what is on the board, and the attacker's hand.
type place struct {
	board uint64
	hand  uint32
}

// edge is a move of a position that has been searched, with what is known of the position
// after it.
type edge struct {
	board  uint64
	move   games.Move
	hand   uint32
	pn, dn uint32
	before int16 // the edge of the same block that must be refuted first, from the position's first one; -1 for none
	plies  uint8 // of the mate, if pn is 0
	loop   bool  // the numbers come from a repetition on the path
}

const (
	infinite = 1 << 30
	maxPly   = 255
	maxEdges = 1 << 22
)

// New returns a Solver that gives up after so many nodes.
func New[P games.Position[P]](rules games.Checker[P], nodes int) *Solver[P] {
	size := 1 << 12
	for size < 4*nodes && size < 1<<24 {
		size *= 2
	}
	return &Solver[P]{rules: rules, guard: rules.Guard(), limit: nodes, table: make([]entry, size), filter: make([]uint64, size/32), keep: min(16*nodes, maxEdges)}
}

// Solve looks for a mate by the side to move.
func (s *Solver[P]) Solve(p P) Result {
	s.nodes, s.moves, s.line = 0, s.moves[:0], s.line[:0]
	s.search++
	for _, w := range s.set {
		s.filter[w] = 0
	}
	s.set = s.set[:0]
	s.attacker = p.ToMove()
	root := edge{pn: 1, dn: 1}
	root.board, root.hand = s.rules.Held(p, s.attacker)
	s.edges = append(s.edges[:0], root)
	for root.pn != 0 && root.dn != 0 && s.nodes < s.limit {
		s.node(0, p, true, infinite, infinite, 0)
		root = s.edges[0]
	}
	r := Result{Nodes: s.nodes}
	switch {
	case root.pn == 0:
		r.Verdict, r.Plies = Mate, int(root.plies)
		r.Line = s.variation(p)
	case root.dn == 0:
		r.Verdict = NoMate
	}
	return r
}

// node searches p, to which edge number at leads, until a number reaches its limit, and
// sets the edge's numbers. attack means that the side to move gives the checks.
func (s *Solver[P]) node(at int, p P, attack bool, limitPN, limitDN uint32, ply int) {
	s.nodes++
	n := s.edges[at]
	s.path[ply] = place{n.board, n.hand}
	first, count := s.expand(&n, p, attack, ply)
	for n.pn != 0 && n.dn != 0 {
		best, second, others := s.sum(&n, attack, s.edges[first:first+count])
		if n.pn >= limitPN || n.dn >= limitDN || n.pn == 0 || n.dn == 0 || s.nodes >= s.limit {
			break
		}
		c := &s.edges[first+best]
		if attack {
			s.node(first+best, p.Play(c.move), false, min(limitPN, second+second/4+1), limitDN-others, ply+1)
		} else {
			s.node(first+best, p.Play(c.move), true, limitPN-others, min(limitDN, second+second/8+1), ply+1)
		}
	}
	if first+count > s.keep {
		s.edges = s.edges[:first]
		first, count = 0, 0
	}
	s.store(&n, first, count)
	c := &s.edges[at]
	c.pn, c.dn, c.plies = n.pn, n.dn, n.plies
}

// expand returns the place of the edges of n, which is p, with what the table holds of them. It
// sets n's numbers if one of them settles it.
func (s *Solver[P]) expand(n *edge, p P, attack bool, ply int) (first, count int) {
	if ply == maxPly {
		n.pn, n.dn = infinite, 0
		return 0, 0
	}
	if e := s.find(n.board, n.hand); e != nil && e.count > 0 {
		first, count = int(e.first), int(e.count)
		s.refresh(s.edges[first:first+count], ply)
		return first, count
	}
	from := len(s.moves)
	if attack {
		s.moves = s.rules.AppendChecks(s.moves, p)
	} else {
		s.moves = p.AppendMoves(s.moves)
	}
	first = len(s.edges)
	var blocks [256]int16 // the last move of a block, counted from 1
	for i, m := range s.moves[from:] {
		c := edge{move: m, pn: 1, dn: 1, before: -1}
		next := p.Play(m)
		c.board, c.hand = s.rules.Held(next, s.attacker)
		if c.loop = s.onPath(&c, ply); c.loop {
			c.pn, c.dn = infinite, 0
		} else if !s.look(&c) {
			s.guess(&c, next, attack)
		}
		if attack && c.pn == 0 || !attack && c.dn == 0 {
			n.pn, n.dn, n.plies = c.pn, c.dn, c.plies+1
			s.edges, s.moves = s.edges[:first], s.moves[:from]
			return 0, 0
		}
		if !attack {
			if block := s.rules.Block(m); block != 0 {
				c.before = blocks[block] - 1
				blocks[block] = int16(i) + 1
			}
		}
		s.edges = append(s.edges, c)
	}
	s.moves = s.moves[:from]
	return first, len(s.edges) - first
}

// refresh brings the edges of a position to which the search has come back up to date.
func (s *Solver[P]) refresh(edges []edge, ply int) {
	for i := range edges {
		c := &edges[i]
		if c.loop {
			c.pn, c.dn = 1, 1
		}
		if c.pn == 0 || c.dn == 0 {
			continue
		}
		if c.loop = s.onPath(c, ply); c.loop {
			c.pn, c.dn = infinite, 0
		} else {
			s.look(c)
		}
	}
}

// guess sets the numbers of a child that nothing is known of: a check that has no answer is
// mate, one that has many is far from it; a position without a check is none. (How many checks
// there are means little: with their number as the disproof number the search takes more nodes
// and solves fewer of the oracle's mates.)
func (s *Solver[P]) guess(c *edge, p P, attack bool) {
	if attack {
		if c.pn = uint32(s.rules.Answers(p)); c.pn == 0 {
			c.dn = infinite
			s.store(c, 0, 0) // the line needs it
		}
		return
	}
	if !s.rules.HasCheck(p) {
		c.pn, c.dn = infinite, 0
	}
}

// onPath reports whether a position of the side that is to move at ply+1 is on the path,
// with the same board and no fewer pieces in the attacker's hand.
func (s *Solver[P]) onPath(at *edge, ply int) bool {
	for i := ply - 1; i >= 0; i -= 2 {
		if s.path[i].board == at.board && s.holds(s.path[i].hand, at.hand) {
			return true
		}
	}
	return false
}

// holds reports whether a has all pieces of b.
func (s *Solver[P]) holds(a, b uint32) bool { return ((a|s.guard)-b)&s.guard == s.guard }

// sum sets n's numbers from its edges'. best is the edge to search next, second the
// number of the next best, others what the edges other than best add to the sum.
//
// Several checks often have one refutation, which a sum would count each time: an attacker's
// disproof number is the greatest of the checks', and one for each further check that is open.
// (Weak proof numbers for the answers, too, settle more without a mate and fewer mates.)
func (s *Solver[P]) sum(n *edge, attack bool, edges []edge) (best int, second, others uint32) {
	least, total, most, open := uint32(infinite), uint32(0), uint32(0), uint32(0)
	second, best = infinite, -1
	longest := uint8(0)
	for i := range edges {
		c := &edges[i]
		if c.before >= 0 && edges[c.before].pn != 0 {
			continue // its turn has not come
		}
		number, other := c.dn, c.pn
		if attack {
			number, other = c.pn, c.dn
		}
		total, most = min(total+other, infinite), max(most, other)
		if other > 0 {
			open++
		}
		if number < least || best < 0 {
			second = least
			least, best = number, i
		} else if number < second {
			second = number
		}
		if c.pn == 0 {
			longest = max(longest, c.plies)
		}
	}
	if attack && open > 0 {
		total, others = min(most+open-1, infinite), open-1
	} else if best >= 0 && !attack {
		others = total - edges[best].pn
	}
	switch {
	case best < 0 && attack:
		n.pn, n.dn = infinite, 0
	case best < 0:
		n.pn, n.dn, n.plies = 0, infinite, 0
	case attack:
		if n.pn, n.dn = least, total; n.pn == 0 {
			n.dn, n.plies = infinite, edges[best].plies+1
		}
	default:
		if n.pn, n.dn = total, least; n.dn == 0 {
			n.pn = infinite
		} else if n.pn == 0 {
			n.dn, n.plies = infinite, longest+1
		}
	}
	return best, second, others
}

// variation follows the mate from p as far as the table has it.
func (s *Solver[P]) variation(p P) []games.Move {
	for attack := true; len(s.line) < maxPly; attack = !attack {
		from := len(s.moves)
		if attack {
			s.moves = s.rules.AppendChecks(s.moves, p)
		} else {
			s.moves = p.AppendMoves(s.moves)
		}
		var choice games.Move
		var plies uint8
		for _, m := range s.moves[from:] {
			var c edge
			c.board, c.hand = s.rules.Held(p.Play(m), s.attacker)
			if !s.look(&c) || c.pn != 0 {
				continue
			}
			if choice == 0 || attack == (c.plies < plies) && c.plies != plies {
				choice, plies = m, c.plies
			}
		}
		s.moves = s.moves[:from]
		if choice == 0 {
			break
		}
		s.line = append(s.line, choice)
		p = p.Play(choice)
	}
	return s.line
}
