package curve

import (
	"context"
	"math"

	"kifu/datasets/bygame"
	"kifu/internal/dyads"
	"kifu/report/sheet"
)

// clusterSums are the wins, losses and draws that clusters of games have in bins of one curve, for
// those from from to to.
type clusterSums struct {
	of       *dyads.Clusters
	games    *bygame.Index
	draws    bool // draws count
	from, to int32
	most     int                // entries that there is memory for
	own      map[int32]*ownSums // by bin; not nil for the first clusters
	bins     [][]entry          // of each cluster, by hash, open addressing; their number is a power of two
	filled   []int32            // how many of each
	room     int                // of all
	codes    map[int32]uint16   // of bins
	coded    []int32            // bins, by code; the first for none
	carried  map[carry]uint32
}

// ownSums are the clusters of one game: by its outcome, which they are, and the number of its positions, how
// many there are.
type ownSums [outcomes][dyads.Owns][]int64

// entry is a cluster in a bin; code 0: empty.
type entry struct {
	code      uint16
	positions [drawn + 1]uint16
}

// carry is a number of an entry that has passed 65,535, so often.
type carry struct {
	cluster int32
	code    uint16
	outcome uint8
}

// mostEntries bounds memory, to 128 MB: with more, the labels are read again for the clusters left over.
const mostEntries = 1 << 24

// byPlayer is the variance by player in a bin, with the players' sizes.
type byPlayer struct {
	any      bool // some players have positions there
	variance float64
	sizes    dyads.Sizes
}

// sums reads the labels, and again if the sums of the clusters are more than most entries.
func (s *reading) sums(ctx context.Context, workers, most int) (out []*sums, err error) {
	if s.known != nil && s.known.of == nil {
		if err := s.clusters(ctx, workers); err != nil {
			return nil, err
		}
	}
	if s.known == nil || !s.known.of.Usable() {
		return s.sum(ctx, workers, nil)
	}
	clusters := int32(len(s.known.of.Sums))
	next := make([]int32, len(s.curves)) // clusters
	players := make([][]map[int32]byPlayer, len(s.curves))
	for first, left := true, true; left; first = false {
		all := make([]*clusterSums, len(s.curves))
		for i, from := range next {
			if first || from < clusters {
				all[i] = s.newClusterSums(from, first, most/len(all))
			}
		}
		out, err = s.sum(ctx, workers, func(curve int, g played) {
			if c := all[curve]; c != nil {
				c.add(g)
			}
		})
		if err != nil {
			return nil, err
		}
		left = false
		for i, c := range all {
			if c == nil {
				continue
			}
			if len(c.coded) > math.MaxUint16 {
				return nil, sheet.Errorf("%s: more than %d bins of width %v: make them wider with --bin", s.path, math.MaxUint16, s.bin)
			}
			if first {
				players[i] = make([]map[int32]byPlayer, len(s.lines))
			}
			for k, line := range s.lines {
				if first {
					players[i][k] = map[int32]byPlayer{}
				}
				c.square(out[i], line.draw, players[i][k])
			}
			next[i] = c.to
			left = left || c.to < clusters
		}
	}
	for i := range out {
		out[i].players = players[i]
	}
	return out, nil
}

func (s *reading) newClusterSums(from int32, first bool, most int) *clusterSums {
	of := s.known.of
	n := len(of.Sums) - int(from)
	c := &clusterSums{of: of, games: s.known.index, draws: s.draws, from: from, to: int32(len(of.Sums)), most: most,
		bins: make([][]entry, n), filled: make([]int32, n), codes: map[int32]uint16{}, coded: make([]int32, 1), carried: map[carry]uint32{}}
	if first {
		c.own = map[int32]*ownSums{}
	}
	return c
}

// add adds a game to its clusters, if their sums are made.
func (c *clusterSums) add(g played) {
	at := c.games.Row(g.id)
	if at < 0 {
		return
	}
	own := c.of.Own[at]
	for i := range g.shares {
		x := &g.shares[i]
		for outcome, n := range x.n[:unfinished] {
			if n == 0 || outcome == int(drawn) && !c.draws {
				continue
			}
			if own != 0 && c.own != nil {
				c.addOwn(own, x.bin, outcome, n)
			}
			for _, k := range c.of.Of[at] {
				if k >= c.from && k < c.to {
					c.addTo(k, c.codeOf(x.bin), uint8(outcome), n)
				}
			}
		}
	}
	for c.room > c.most && c.to > c.from+1 {
		c.to--
		c.room -= len(c.bins[c.to-c.from])
		c.bins[c.to-c.from] = nil
	}
}

// addOwn adds the positions of a game that is a cluster by itself.
func (c *clusterSums) addOwn(own dyads.Own, bin int32, outcome int, n int32) {
	b := c.own[bin]
	if b == nil {
		b = &ownSums{}
		c.own[bin] = b
	}
	counts := &b[outcome][own]
	for int(n) >= len(*counts) {
		*counts = append(*counts, 0)
	}
	(*counts)[n]++
}

// codeOf numbers a bin.
func (c *clusterSums) codeOf(bin int32) uint16 {
	code, ok := c.codes[bin]
	if !ok {
		code = uint16(len(c.coded))
		c.codes[bin], c.coded = code, append(c.coded, bin)
	}
	return code
}

// addTo adds positions to a cluster in a bin.
func (c *clusterSums) addTo(cluster int32, code uint16, outcome uint8, positions int32) {
	n := &c.entry(cluster-c.from, code).positions[outcome]
	sum := uint32(*n) + uint32(positions)
	if *n = uint16(sum); sum > math.MaxUint16 {
		c.carried[carry{cluster, code, outcome}] += sum >> 16
	}
}

// entry returns the sums of a cluster in a bin, to which positions are to be added. The bins of one
// cluster are together, as a game has several of them.
func (c *clusterSums) entry(cluster int32, code uint16) *entry {
	all := c.bins[cluster]
	if 4*int(c.filled[cluster]) >= 3*len(all) {
		old := all
		all = make([]entry, max(8, 2*len(old)))
		for _, e := range old {
			if e.code != 0 {
				*find(all, e.code) = e
			}
		}
		c.bins[cluster] = all
		c.room += len(all) - len(old)
	}
	e := find(all, code)
	if e.code == 0 {
		e.code = code
		c.filled[cluster]++
	}
	return e
}

// find returns the entry of a bin, or the one that it may take.
func find(all []entry, code uint16) *entry {
	mask := uint32(len(all) - 1)
	for h := uint32(code) * 0x9e3779b9 >> 16; ; h++ { // the highest bits depend on all
		if e := &all[h&mask]; e.code == code || e.code == 0 {
			return e
		}
	}
}

// positions returns a cluster's positions in a bin by the outcome of their games.
func (c *clusterSums) positions(cluster int32, e entry) (n [drawn + 1]float64) {
	for outcome, low := range e.positions {
		n[outcome] = float64(low)
		if len(c.carried) > 0 {
			n[outcome] += float64(c.carried[carry{cluster, e.code, uint8(outcome)}]) * (1 << 16)
		}
	}
	return n
}

// square adds the squares of the clusters' sums to each bin's, where a draw counts draw: of a player's
// sum u the square, divided by one less the player's share of the positions, as by_player of games.sql
// has it.
func (c *clusterSums) square(of *sums, draw float64, sum map[int32]byPlayer) {
	add := func(bin int32, factor, players, wins, losses, draws float64) {
		b := of.bins[bin]
		w, positions := float64(b.wins), float64(b.positions)
		if c.draws {
			w += draw * float64(b.draws)
		}
		if n := wins + losses + draws; n > 0 {
			u := wins + draw*draws - w/positions*n
			to := sum[bin]
			share := n / positions
			to.any = true
			d := u / (1 - min(dyads.MostShare, share)) / positions
			to.variance += factor * (d * d)
			for i, power := range [...]float64{share, share * share, share * (share * share), share * share * (share * share)} {
				to.sizes[i] += players * power
			}
			sum[bin] = to
		}
	}
	for bin, own := range c.own { // whose order does not matter: each has a sum of its own
		for outcome := range own {
			for which, counts := range own[outcome] {
				which := dyads.Own(which)
				for n, times := range counts {
					var x [outcomes]float64
					x[outcome] = float64(n)
					add(bin, float64(times)*c.of.Factor(which), float64(times)*float64(which.Players()), x[won], x[lost], x[drawn])
				}
			}
		}
	}
	for cluster := c.from; cluster < c.to; cluster++ {
		for _, e := range c.bins[cluster-c.from] {
			if e.code != 0 {
				n := c.positions(cluster, e)
				factor := c.of.Sums[cluster]
				add(c.coded[e.code], factor, b2f(factor > 0), n[won], n[lost], n[drawn])
			}
		}
	}
}

func b2f(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
