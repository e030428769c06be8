// Package mate looks for forced mates: sequences of checks that the other side cannot
// answer, whatever it plays. A position and a number of nodes go in; mate, no mate or
// unknown come out, with a line.
//
// The search is df-pn (Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
// Applications", 2002): proof and disproof numbers with a table. A position that comes
// again on the path is no mate. Of moves that only put different pieces between king and
// checker on one square (games.Checker's Block) the next is looked at when the one before
// it has been refuted, which changes no verdict.
//
// A disproof that rests on a repetition is stored as any other, so that in rare cases
// another path to the same position is taken for no mate, too.
package mate

import "kifu/games"

// Verdict says whether the side to move mates.
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
	Plies int
	Line  []games.Move
}

// Solver looks for mates in one position after the other. It is for one goroutine. A
// result depends on nothing but the position and the number of nodes.
type Solver[P games.Position[P]] struct {
	rules    games.Checker[P]
	limit    int
	nodes    int
	table    []entry
	search   uint32 // entries of other searches are void
	path     [maxPly + 1]uint64
	moves    []games.Move
	children []child[P]
	line     []games.Move
}

// entry holds the proof and disproof numbers found for a position.
type entry struct {
	key    uint64
	pn, dn uint32
	search uint32
	plies  uint32 // of the mate, if pn is 0
}

// child is a move of a node that is being searched.
type child[P any] struct {
	move   games.Move
	p      P
	hash   uint64
	pn, dn uint32
	plies  uint32
	before int32 // the move of the same block that must be refuted first; -1 for none
}

const (
	infinite = 1 << 30
	maxPly   = 255
	probes   = 8
)

// New returns a Solver that gives up after so many nodes.
func New[P games.Position[P]](rules games.Checker[P], nodes int) *Solver[P] {
	size := 1 << 12
	for size < 4*nodes && size < 1<<24 {
		size *= 2
	}
	return &Solver[P]{rules: rules, limit: nodes, table: make([]entry, size)}
}

// Solve looks for a mate by the side to move.
func (s *Solver[P]) Solve(p P) Result {
	s.nodes, s.moves, s.children, s.line = 0, s.moves[:0], s.children[:0], s.line[:0]
	s.search++
	hash := p.Hash()
	root := child[P]{p: p, hash: hash, pn: 1, dn: 1}
	for root.pn != 0 && root.dn != 0 && s.nodes < s.limit {
		s.node(&root, true, infinite, infinite, 0)
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

// node searches n until a number reaches its limit, and sets n's numbers. attack says
// that the side to move gives the checks.
func (s *Solver[P]) node(n *child[P], attack bool, limitPN, limitDN uint32, ply int) {
	s.nodes++
	s.path[ply] = n.hash
	base := len(s.children)
	s.expand(n, attack, ply)
	for {
		best, second := s.sum(n, attack, base)
		if n.pn >= limitPN || n.dn >= limitDN || n.pn == 0 || n.dn == 0 || s.nodes >= s.limit {
			break
		}
		c := s.children[best] // the slice may move: work on a copy
		if attack {
			s.node(&c, false, min(limitPN, second+second/4+1), limitDN-n.dn+c.dn, ply+1)
		} else {
			s.node(&c, true, limitPN-n.pn+c.pn, min(limitDN, second+second/4+1), ply+1)
		}
		s.children[best] = c
	}
	s.children = s.children[:base]
	s.store(n)
}

// expand appends the children of n with what the table knows of them.
func (s *Solver[P]) expand(n *child[P], attack bool, ply int) {
	from := len(s.moves)
	if ply < maxPly {
		if attack {
			s.moves = s.rules.AppendChecks(s.moves, n.p)
		} else {
			s.moves = n.p.AppendMoves(s.moves)
		}
	}
	base := len(s.children)
	var blocks [256]int32 // the last move of a block, counted from base + 1
	for _, m := range s.moves[from:] {
		c := child[P]{move: m, p: n.p.Play(m), pn: 1, dn: 1, before: -1}
		c.hash = c.p.Hash()
		if s.onPath(c.hash, ply) {
			c.pn, c.dn = infinite, 0
		} else if e := s.find(c.hash); e != nil {
			c.pn, c.dn, c.plies = e.pn, e.dn, e.plies
		} else {
			s.guess(&c, attack)
		}
		if block := s.rules.Block(m); !attack && block != 0 {
			if last := blocks[block]; last > 0 {
				c.before = int32(base) + last - 1
			}
			blocks[block] = int32(len(s.children)-base) + 1
		}
		s.children = append(s.children, c)
	}
	s.moves = s.moves[:from]
	if ply == maxPly && attack {
		n.pn, n.dn = infinite, 0
	}
}

// guess sets the numbers of a child that nothing is known of: a check that has no answer is
// mate, one that has many is far from it; a position without a check is none.
func (s *Solver[P]) guess(c *child[P], attack bool) {
	from := len(s.moves)
	if attack {
		s.moves = c.p.AppendMoves(s.moves)
	} else {
		s.moves = s.rules.AppendChecks(s.moves, c.p)
	}
	n := uint32(len(s.moves) - from)
	s.moves = s.moves[:from]
	switch {
	case attack && n == 0:
		c.pn, c.dn = 0, infinite
		s.store(c) // the line needs it
	case attack:
		c.pn = n
	case n == 0:
		c.pn, c.dn = infinite, 0
	default:
		c.dn = n
	}
}

// onPath reports whether a position with that hash, of the side that is to move at ply+1,
// stands on the path.
func (s *Solver[P]) onPath(hash uint64, ply int) bool {
	for i := ply - 1; i >= 0; i -= 2 {
		if s.path[i] == hash {
			return true
		}
	}
	return false
}

// sum sets n's numbers by those of its children, from base on. best is the child to
// search next, second the number of the next best.
func (s *Solver[P]) sum(n *child[P], attack bool, base int) (best int, second uint32) {
	least, total, plies := uint32(infinite), uint32(0), uint32(0)
	second, best = infinite, -1
	shortest := uint32(infinite)
	for i := base; i < len(s.children); i++ {
		c := &s.children[i]
		if c.before >= 0 && s.children[c.before].pn != 0 {
			continue // its turn has not come
		}
		number, other := c.dn, c.pn
		if attack {
			number, other = c.pn, c.dn
		}
		total = min(total+other, infinite)
		if number < least || best < 0 {
			second = least
			least, best = number, i
		} else if number < second {
			second = number
		}
		if c.pn == 0 {
			plies = max(plies, c.plies)
			shortest = min(shortest, c.plies)
		}
	}
	switch {
	case best < 0 && attack:
		n.pn, n.dn = infinite, 0
	case best < 0:
		n.pn, n.dn, n.plies = 0, infinite, 0
	case attack:
		if n.pn, n.dn = least, total; n.pn == 0 {
			n.dn, n.plies = infinite, shortest+1
		}
	default:
		if n.pn, n.dn = total, least; n.dn == 0 {
			n.pn = infinite
		} else if n.pn == 0 {
			n.dn, n.plies = infinite, plies+1
		}
	}
	return best, second
}

// find returns what the table knows of a position; nil for nothing.
func (s *Solver[P]) find(hash uint64) *entry {
	mask := uint64(len(s.table) - 1)
	for i := range uint64(probes) {
		if e := &s.table[(hash+i)&mask]; e.search == s.search && e.key == hash {
			return e
		}
	}
	return nil
}

// store keeps n's numbers, in the place of those that are worth the least.
func (s *Solver[P]) store(n *child[P]) {
	mask := uint64(len(s.table) - 1)
	var at *entry
	for i := range uint64(probes) {
		e := &s.table[(n.hash+i)&mask]
		if e.search != s.search || e.key == n.hash {
			at = e
			break
		}
		if at == nil || worth(e) < worth(at) {
			at = e
		}
	}
	*at = entry{key: n.hash, pn: n.pn, dn: n.dn, search: s.search, plies: n.plies}
}

// worth is high for what has been settled.
func worth(e *entry) uint32 {
	if e.pn == 0 {
		return infinite + 1
	}
	return e.pn + e.dn
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
		var plies uint32
		for _, m := range s.moves[from:] {
			next := p.Play(m)
			e := s.find(next.Hash())
			if e == nil || e.pn != 0 {
				continue
			}
			if choice == 0 || attack == (e.plies < plies) && e.plies != plies {
				choice, plies = m, e.plies
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
