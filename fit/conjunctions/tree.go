package conjunctions

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"kifu/datasets/bygame"
	"kifu/internal/progress"
)

// pruningShare is the share of the games that prune a tree which the others grew.
const pruningShare = 1. / 3

// tree returns the leaves of a decision tree of winners, each a conjunction with its atoms in the
// order of the splits. The leaves exclude each other and cover all positions. A split divides
// positions by a group of atoms (the contents of a square, the stretches of a column) that leaves
// support positions in at least two branches. It has the highest gain ratio among such groups with
// at least average information (Quinlan, C4.5, 1993, 2.2). A path has up to size splits (0: any
// number). The tree grows on two thirds of the games, copies together. On the other third a split stays only if it
// lowers the log-loss by more than two standard errors by game.
func tree(ctx context.Context, s *Sample, atoms *Atoms, l Limits, copies *bygame.Copies, seed uint64) ([]Set, error) {
	bar := progress.Start(ctx, "tree", 0, "splits")
	defer bar.Done()
	g := &grower{Sample: s, Limits: l, atoms: atoms, ctx: ctx, bar: bar, losses: make([]float64, s.N)}
	grow, prune := make([]uint64, len(s.Won)), make([]uint64, len(s.Won))
	for i := range s.N {
		part := grow
		if copies.Held(s.Game[i], pruningShare, ^seed) {
			part = prune
		}
		part[i>>6] |= 1 << (i & 63)
	}
	root := g.grow(grow, nil)
	g.prune(root, prune)
	var sets []Set
	g.leaves(root, ones(s.N), nil, &sets)
	return sets, ctx.Err()
}

// node is a part of the positions, divided by the atoms of a group unless it is a leaf.
type node struct {
	n, won   int // positions that grew it
	branches []branch
}

type branch struct {
	atom uint32
	to   *node
}

// logLoss returns the log-loss of a position in n, won or lost, by the frequency of wins with one added to each count.
func (n *node) logLoss(won bool) float64 {
	p := (float64(n.won) + 1) / (float64(n.n) + 2)
	if !won {
		p = 1 - p
	}
	return -math.Log(p)
}

type grower struct {
	*Sample
	Limits
	atoms  *Atoms
	ctx    context.Context
	bar    *progress.Bar
	losses []float64 // log-loss by position, of those that prune
}

// grow returns the tree of the positions at, below splits by the groups used.
func (g *grower) grow(at []uint64, used []int) *node {
	n := &node{n: count(at), won: countBoth(at, g.Won)}
	if n.won == 0 || n.won == n.n || g.Size > 0 && len(used) == g.Size || g.ctx.Err() != nil {
		return n
	}
	group := g.best(at, n, used)
	if group < 0 {
		return n
	}
	g.bar.Add(1)
	used = append(slices.Clip(used), group)
	for _, a := range g.atoms.ofGroup(group) {
		to := &node{n: n.n, won: n.won} // without positions of its own it predicts what n does
		if part := and(at, g.Bits[a]); count(part) > 0 {
			to = g.grow(part, used)
		}
		n.branches = append(n.branches, branch{a, to})
	}
	return n
}

// best returns the group that divides the positions of n best, -1 if none does.
func (g *grower) best(at []uint64, n *node, used []int) int {
	type split struct {
		group       int
		gain, ratio float64
	}
	var splits []split
	mean := 0.0
	for group := range g.atoms.Groups() {
		if slices.Contains(used, group) {
			continue
		}
		gain, parts, large := entropy(n.won, n.n), 0.0, 0
		for _, a := range g.atoms.ofGroup(group) {
			k, won := countThree(at, g.Bits[a], g.Won)
			if k == 0 {
				continue
			}
			if k >= max(1, g.Support) {
				large++
			}
			share := float64(k) / float64(n.n)
			gain, parts = gain-share*entropy(won, k), parts-share*math.Log(share)
		}
		if large >= 2 && gain > noInformation {
			splits = append(splits, split{group, gain, gain / parts})
			mean += gain
		}
	}
	best := -1
	for i, x := range splits {
		if x.gain >= mean/float64(len(splits))-noInformation && (best < 0 || x.ratio > splits[best].ratio) {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	return splits[best].group
}

// entropy returns the entropy of won positions among n, in nats.
func entropy(won, n int) (h float64) {
	for _, k := range []int{won, n - won} {
		if p := float64(k) / float64(n); p > 0 {
			h -= p * math.Log(p)
		}
	}
	return h
}

// prune makes leaves of the splits below n that do not predict the winners of the positions at better, and sets their losses.
func (g *grower) prune(n *node, at []uint64) {
	leaf := func(i int) float64 { return n.logLoss(g.Won[i>>6]>>(i&63)&1 == 1) }
	if n.branches != nil {
		for _, b := range n.branches {
			g.prune(b.to, and(at, g.Bits[b.atom]))
		}
		var gains []float64
		var games []int64
		eachBit(at, func(i int) { gains, games = append(gains, leaf(i)-g.losses[i]), append(games, g.Game[i]) })
		if gain, se := mean(gains, games); gain > 2*se {
			return
		}
		n.branches = nil
	}
	eachBit(at, func(i int) { g.losses[i] = leaf(i) })
}

// leaves appends the leaves below n that have positions; the positions at are those with the atoms above.
func (g *grower) leaves(n *node, at []uint64, above []uint32, sets *[]Set) {
	if n.branches == nil {
		if k := count(at); k > 0 && len(above) > 0 {
			*sets = append(*sets, Set{Atoms: slices.Clone(above), Support: k, Won: countBoth(at, g.Won)})
		}
		return
	}
	for _, b := range n.branches {
		g.leaves(b.to, and(at, g.Bits[b.atom]), append(slices.Clip(above), b.atom), sets)
	}
}

// ofGroup returns the atoms of a group.
func (a *Atoms) ofGroup(group int) (atoms []uint32) {
	for i := a.first[group]; i < len(a.List) && a.List[i].Group == group; i++ {
		atoms = append(atoms, uint32(i))
	}
	return atoms
}

// ones returns n positions.
func ones(n int) []uint64 {
	all := slices.Repeat([]uint64{^uint64(0)}, (n+63)/64)
	if n&63 > 0 {
		all[len(all)-1] >>= 64 - n&63
	}
	return all
}

// and returns the positions that are in a and in b.
func and(a, b []uint64) []uint64 {
	c := make([]uint64, len(a))
	for i, w := range a {
		c[i] = w & b[i]
	}
	return c
}

// eachBit calls f with the number of every position in at.
func eachBit(at []uint64, f func(i int)) {
	for k, w := range at {
		for ; w != 0; w &= w - 1 {
			f(k<<6 + bits.TrailingZeros64(w))
		}
	}
}
