package conjunctions

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Rules returns the leaves of a tree as ordered rules: the first true rule decides. The last is the
// conjunction without atoms, for all other positions. As in C4.5rules (Quinlan, C4.5, 1993, chapter 5)
//   - a rule loses the atom without which its pessimistic error is lowest, as long as that does not grow;
//   - of the rules of one winner those stay that are described, with their exceptions, in the fewest bits;
//   - the winner whose rules are wrong in fewer positions comes first, of one winner the rule with the lowest error;
//   - a rule goes without which all of them err no more.
func Rules(s *Sample, atoms *Atoms, leaves []Set) []Set {
	r := &ruler{Sample: s, atoms: atoms, all: ones(s.N)}
	var of [2][]*rule // lost, won
	for _, leaf := range leaves {
		won := 0
		if 2*leaf.Won >= leaf.Support {
			won = 1
		}
		x := r.general(leaf.Atoms, won == 1)
		if !slices.ContainsFunc(of[won], func(y *rule) bool { return slices.Equal(x.atoms, y.atoms) }) {
			of[won] = append(of[won], x)
		}
	}
	var wrong [2]int
	for i := range of {
		of[i] = r.shortest(of[i], i == 1)
		slices.SortStableFunc(of[i], func(a, b *rule) int { return cmp.Compare(a.rate, b.rate) })
		one, _ := r.covered(of[i])
		wrong[i] = r.wrong(one, i == 1)
	}
	if wrong[1] <= wrong[0] {
		of[0], of[1] = of[1], of[0]
	}
	return r.sets(r.needed(slices.Concat(of[0], of[1])))
}

// caseOf returns rules as an expression of SQL: the share won by the first that is true.
func (a *Atoms) caseOf(rules []Set) string {
	text := "CASE"
	for _, x := range rules {
		text += fmt.Sprintf("\n  WHEN %s THEN %.4f", a.SQL(x.Atoms), float64(x.Won)/float64(x.Support))
	}
	return text + "\nEND"
}

// rule is a conjunction that names a winner.
type rule struct {
	atoms []uint32 // ascending
	at    []uint64 // positions in which it is true
	won   bool
	rate  float64 // of errors, pessimistic
	bits  float64 // that name the atoms in any order
}

type ruler struct {
	*Sample
	atoms *Atoms
	all   []uint64 // positions
}

// wrong returns in how many of the positions at the winner is another.
func (r *ruler) wrong(at []uint64, won bool) int {
	if k := countBoth(at, r.Won); !won {
		return k
	}
	return count(at) - countBoth(at, r.Won)
}

const (
	pessimism = 0.25 // chance of so few errors as were seen at the pessimistic rate (Quinlan, chapter 4)
	theory    = 0.5  // weight of the bits that state rules: they overlap, and fewer would do (Quinlan, chapter 5)
)

// pessimistic returns the pessimistic error rate of a rule that is wrong in this many of n positions.
func pessimistic(wrong, n int) float64 {
	if wrong == n {
		return 1
	}
	return distuv.Beta{Alpha: float64(wrong) + 1, Beta: float64(n - wrong)}.Quantile(1 - pessimism)
}

// general returns the rule that is left of the atoms of a leaf.
func (r *ruler) general(atoms []uint32, won bool) *rule {
	named := func(atoms []uint32) *rule {
		x := &rule{atoms: atoms, at: r.and(nil, atoms, 0, len(r.Won)), won: won}
		x.rate = pessimistic(r.wrong(x.at, won), count(x.at))
		x.bits = -orders(len(atoms))
		for _, a := range atoms {
			x.bits += math.Log2(float64(r.atoms.Groups() * len(r.atoms.ofGroup(r.atoms.List[a].Group))))
		}
		return x
	}
	best := named(slices.Sorted(slices.Values(atoms)))
	for len(best.atoms) > 1 {
		least := best
		for i := range best.atoms {
			if x := named(slices.Delete(slices.Clone(best.atoms), i, i+1)); x.rate <= least.rate {
				least = x
			}
		}
		if least == best {
			break
		}
		best = least
	}
	return best
}

// covered returns the positions in which one of rules is true, and those in which two or more are.
func (r *ruler) covered(rules []*rule) (one, two []uint64) {
	one, two = make([]uint64, len(r.Won)), make([]uint64, len(r.Won))
	for _, x := range rules {
		for i, w := range x.at {
			two[i] |= one[i] & w
			one[i] |= w
		}
	}
	return one, two
}

// shortest takes those rules of one winner away without which the bits of the others and of the exceptions are no more, the
// most useless first.
func (r *ruler) shortest(rules []*rule, won bool) []*rule {
	of := r.wrong(r.all, !won) // positions of the winner
	for least := math.Inf(1); len(rules) > 0; {
		one, two := r.covered(rules)
		n, wrong, stated := count(one), r.wrong(one, won), 0.0
		for _, x := range rules {
			stated += x.bits
		}
		bits := func(k int, stated float64, n, wrong int) float64 {
			return max(0, stated-orders(k))*theory + choose(n, wrong) + choose(r.N-n, of-(n-wrong))
		}
		least = min(least, bits(len(rules), stated, n, wrong))
		worst := -1
		for i, x := range rules {
			alone := minus(x.at, two)
			if b := bits(len(rules)-1, stated-x.bits, n-count(alone), wrong-r.wrong(alone, won)); b <= least {
				least, worst = b, i
			}
		}
		if worst < 0 {
			break
		}
		rules = slices.Delete(rules, worst, worst+1)
	}
	return rules
}

// minus returns the positions of a that are not in b.
func minus(a, b []uint64) []uint64 {
	c := make([]uint64, len(a))
	for i, w := range a {
		c[i] = w &^ b[i]
	}
	return c
}

// orders returns the bits of an order of n things, log2 n!.
func orders(n int) float64 {
	x, _ := math.Lgamma(float64(n) + 1)
	return x / math.Ln2
}

// choose returns the bits that name k of n things.
func choose(n, k int) float64 { return orders(n) - orders(k) - orders(n-k) }

// needed takes away those rules, the last first, without which the first that is true of the others is wrong no more often; where
// none is true the more frequent winner is named.
func (r *ruler) needed(rules []*rule) []*rule {
	errors := func(leftOut int) (n int) {
		left := r.all
		for k, x := range rules {
			if k != leftOut {
				n += r.wrong(and(left, x.at), x.won)
				left = minus(left, x.at)
			}
		}
		return n + min(r.wrong(left, true), r.wrong(left, false))
	}
	least := errors(-1)
	for i := len(rules) - 1; i >= 0; i-- {
		if n := errors(i); n <= least {
			rules, least = slices.Delete(rules, i, i+1), n
		}
	}
	return rules
}

// sets returns rules as conjunctions with the positions that each decides, and what is left.
func (r *ruler) sets(rules []*rule) (sets []Set) {
	left := r.all
	for _, x := range append(rules, &rule{at: r.all}) {
		if n, won := countThree(left, x.at, r.Won); n > 0 {
			sets = append(sets, Set{Atoms: x.atoms, Support: n, Won: won, Decides: true})
		}
		left = minus(left, x.at)
	}
	return sets
}
