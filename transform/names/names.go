// Package names finds names in a dataset of games that are probably one person's. They differ in case,
// accents, order, initials, titles, federation, romanisation, or by a typing error.
//
// It works in four steps, each linear except within small blocks:
//
//  1. read: every distinct name with its games, first and last date and rating range;
//  2. parse: a name becomes surname, given names and initials; which word of two is the
//     surname is learned from unambiguous names;
//  3. match: names that share a key are candidates, each with a reason;
//  4. weigh: evidence from the games. Two names that have played each other are two
//     persons. Guesses at spelling need years or ratings that fit, and names must agree in
//     digits (programs' versions) and in generation (Jr).
//
// It reports and changes nothing. Handles, names of one word, match only if equal up to
// case: on a server another spelling is another account.
package names

import (
	"cmp"
	"context"
	"slices"

	"kifu/datasets"
	"kifu/internal/lists"
)

// Params select the groups to report.
type Params struct {
	MinGames      int64   // of a group's names together
	MinConfidence float64 // of each name in it
}

// Player summarises the games of a name.
type Player struct {
	Name            string
	Games           int64
	First, Last     string // dates of the games; empty when none is known
	EloLow, EloHigh int32  // 0 when no rating is known
}

// Players returns all names of a dataset of games with facts from their games, in order of the names.
func Players(ctx context.Context, workers int, in *datasets.Dir) ([]Player, error) {
	if err := in.Want("games"); err != nil {
		return nil, err
	}
	players, err := collect(ctx, workers, in)
	all := lists.N(players.len(), func(i int) Player { return players.at(int32(i)) })
	return all, err
}

// Alias is a name in a group. The first of a group has the most games. Each of the others has the name it was
// matched to, the reason, and the confidence, up to 1.
type Alias struct {
	Group      int // from 1, in order of the groups' games
	Player     Player
	Canonical  string // the first name of the group, which represents all
	Of         string
	Reason     string
	Confidence float64
}

// Find returns the groups of two or more names, and the number of names.
func Find(ctx context.Context, p Params, workers int, in *datasets.Dir) ([]Alias, int, error) {
	if err := in.Want("games"); err != nil {
		return nil, 0, err
	}
	players, err := collect(ctx, workers, in)
	if err != nil {
		return nil, 0, err
	}
	links, err := acquainted(ctx, workers, in, players, match(players))
	if err != nil {
		return nil, 0, err
	}
	links = slices.DeleteFunc(links, func(l link) bool { return l.confidence < p.MinConfidence })
	met, err := meetings(ctx, workers, in, players, links)
	if err != nil {
		return nil, 0, err
	}
	return group(p, players, links, met), players.len(), nil
}

// forest joins players into groups.
type forest []int32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

func (f forest) root(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}

// group joins linked players, the most reliable link first, unless two of them have met.
func group(p Params, players *roster, links []link, met map[pair]bool) []Alias {
	slices.SortFunc(links, func(a, b link) int {
		return cmp.Or(cmp.Compare(b.confidence, a.confidence), cmp.Compare(a.name, b.name), cmp.Compare(a.of, b.of))
	})
	roots := newForest(players.len())
	members := map[int32][]int32{}
	of := func(i int32) []int32 {
		if m := members[roots.root(i)]; m != nil {
			return m
		}
		return []int32{i}
	}
	tree := map[int32][]link{} // the links that joined, from either end
	for _, l := range links {
		a, b := of(l.of), of(l.name)
		if roots.root(l.of) == roots.root(l.name) || rivals(a, b, met) {
			continue
		}
		tree[l.of] = append(tree[l.of], l)
		tree[l.name] = append(tree[l.name], link{name: l.of, of: l.name, reason: l.reason, confidence: l.confidence})
		roots[roots.root(l.name)] = roots.root(l.of)
		members[roots.root(l.of)] = slices.Concat(a, b)
	}
	var groups [][]int32
	for i := range int32(players.len()) {
		if m := members[i]; roots.root(i) == i && len(m) > 1 && total(players, m) >= p.MinGames {
			slices.SortFunc(m, func(a, b int32) int {
				return cmp.Or(cmp.Compare(players.games[b], players.games[a]), cmp.Compare(a, b))
			})
			groups = append(groups, m)
		}
	}
	slices.SortFunc(groups, func(a, b []int32) int {
		return cmp.Or(cmp.Compare(total(players, b), total(players, a)), cmp.Compare(a[0], b[0]))
	})
	return aliases(players, groups, tree)
}

// aliases lists the groups; every name but the head records the link that leads towards the
// head.
func aliases(players *roster, groups [][]int32, tree map[int32][]link) []Alias {
	var all []Alias
	for n, group := range groups {
		towards := map[int32]link{group[0]: {}}
		for reached := group[:1:1]; len(reached) > 0; reached = reached[1:] {
			for _, l := range tree[reached[0]] {
				if _, seen := towards[l.name]; !seen {
					towards[l.name] = l
					reached = append(reached, l.name)
				}
			}
		}
		for _, i := range group {
			a := Alias{Group: n + 1, Player: players.at(i), Canonical: string(players.name(group[0]))}
			if l := towards[i]; i != group[0] {
				a.Of, a.Reason, a.Confidence = string(players.name(l.of)), l.reason, l.confidence
			}
			all = append(all, a)
		}
	}
	return all
}

// rivals reports whether one of a has played one of b.
func rivals(a, b []int32, met map[pair]bool) bool {
	for _, x := range a {
		for _, y := range b {
			if met[pairOf(x, y)] {
				return true
			}
		}
	}
	return false
}

func total(players *roster, group []int32) int64 {
	return lists.Sum(group, func(i int32) int64 { return players.games[i] })
}
