package match

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"

	"kifu/games"
	"kifu/internal/splitmix"
	"kifu/players/match/pentanomial"
)

// Seen counts what recurs in a meeting: openings, games and pairs.
type Seen struct {
	Openings pentanomial.Openings `json:"openings"`
	Distinct int64                `json:"distinct_games"`
	// Fresh are the pairs of which a game was new, FreshOpenings the sums of those: a sequential
	// test counts no copies.
	Fresh         pentanomial.Pairs    `json:"fresh_pairs"`
	FreshOpenings pentanomial.Openings `json:"-"`

	kinds pentanomial.Openings // sums over distinct pairs of games, as over openings
	stale int64                // pairs since the last new game
}

// repeats finds what comes again in a meeting.
type repeats struct {
	games    map[uint64]struct{}
	openings map[uint32]*[2]pentanomial.Opening // of all pairs, and of those that are no copies
	kinds    map[uint64]*pentanomial.Opening
	fresh    bool // the first game of the pair is new
}

func newRepeats() *repeats {
	return &repeats{games: map[uint64]struct{}{}, openings: map[uint32]*[2]pentanomial.Opening{}, kinds: map[uint64]*pentanomial.Opening{}}
}

// footprint distinguishes a game from others of its opening: a hash of its moves and of the side that moved first.
func (g *record) footprint() uint64 {
	h := fnv.New64a()
	h.Write(g.Start)
	h.Write(g.Moves)
	return splitmix.Mix(h.Sum64()+uint64(g.firstMover())) & (1<<footprintBits - 1)
}

// see counts a game, with the one before it in its pair, if it is the second one.
func (r *repeats) see(t *Tally, before, g *sighting) {
	key := uint64(g.opening)<<footprintBits ^ g.footprint
	_, known := r.games[key]
	r.games[key] = struct{}{}
	if !known {
		t.Seen.Distinct++
	}
	if before == nil {
		r.fresh = !known
		return
	}
	t.Seen.stale++
	if fresh := r.fresh || !known; fresh {
		t.Seen.stale = 0
	}
	if before.halves == unfinished || g.halves == unfinished {
		return
	}
	points := int(before.halves + g.halves)
	if r.openings[g.opening] == nil {
		r.openings[g.opening] = &[2]pentanomial.Opening{}
	}
	of := r.openings[g.opening]
	t.Seen.Openings.Add(&of[0], points)
	if t.Seen.stale == 0 {
		t.Seen.Fresh[points]++
		t.Seen.FreshOpenings.Add(&of[1], points)
	}
	if kind := splitmix.Mix(key) + before.footprint; r.kinds[kind] == nil {
		r.kinds[kind] = &pentanomial.Opening{}
		t.Seen.kinds.Add(r.kinds[kind], points)
	} else {
		t.Seen.kinds.Add(r.kinds[kind], points)
	}
}

// clusters returns the sums that errors are computed from: over openings or, with one opening, over distinct pairs.
func (s *Seen) clusters() pentanomial.Openings {
	if s.Openings.Number == 1 {
		return s.kinds
	}
	return s.Openings
}

// tested returns what a sequential test counts: no copies, and of one opening pairs that are independent.
func (s *Seen) tested() (pentanomial.Pairs, pentanomial.Openings) {
	if s.Openings.Number == 1 {
		return s.Fresh, pentanomial.Openings{}
	}
	return s.Fresh, s.FreshOpenings
}

// exhausted reports whether a whole round of openings brought no new game.
func (s *Seen) exhausted() bool {
	return s.stale >= max(pentanomial.LeastPairs, s.Openings.Number)
}

// sentence returns what comes again among the games played, and what the intervals allow for, in a sentence.
func (s *Seen) sentence(played, pairs int64) string {
	from, chance := fmt.Sprintf("%d openings", s.Openings.Number), "chance in games and openings"
	if s.Openings.Number == 1 {
		from, chance = "one opening", "chance in games of this opening alone"
	}
	if s.Openings.Number > 1 && s.Openings.Number < pairs {
		chance += ", by opening where that is wider"
	}
	return fmt.Sprintf("%d of %d games are distinct, from %s; intervals allow for %s", s.Distinct, played, from, chance)
}

// sighting holds the facts of a game that see needs.
type sighting struct {
	opening   uint32 // hash of the position after it
	footprint uint64
	halves    uint64 // points of the first player in halves
}

const (
	footprintBits = 38
	unfinished    = 3
	// footprintBytes hold footprint and halves.
	footprintBytes = 5
)

func (g *record) sighting() sighting {
	halves, ok := g.halves()
	if !ok {
		halves = unfinished
	}
	return sighting{g.Begun, g.footprint(), uint64(halves)}
}

// appendTo appends all but the opening, which follows from the number of the game.
func (s *sighting) appendTo(b []byte) []byte {
	var x [8]byte
	binary.LittleEndian.PutUint64(x[:], s.footprint<<2|s.halves)
	return append(b, x[:footprintBytes]...)
}

// state holds a part's games for the tallies of a match that resumes.
type state struct {
	Tallies map[int]*Tally `json:"tallies"` // by meeting
	Games   []byte         `json:"games"`   // sightings
}

// recall counts the games of part i again in the order seen.
func (r *run[P]) recall(i int, seen []byte) error {
	if len(seen)%footprintBytes != 0 {
		return fmt.Errorf("%d bytes", len(seen))
	}
	for k := range len(seen) / footprintBytes {
		g := r.at(i*r.part + k)
		if g.meeting >= len(r.tallies) {
			return fmt.Errorf("no game %d", g.Number)
		}
		if err := r.tables[0].open(&g); err != nil {
			return err
		}
		var x [8]byte
		copy(x[:], seen[k*footprintBytes:(k+1)*footprintBytes])
		bits := binary.LittleEndian.Uint64(x[:])
		r.see(&g, sighting{g.Begun, bits >> 2, bits & 3})
	}
	return nil
}

// see counts a sighting for its meeting.
func (r *run[P]) see(g *record, s sighting) {
	var before *sighting
	if g.index%2 == 1 {
		before = &r.last
	}
	r.repeats[g.meeting].see(&r.tallies[g.meeting], before, &s)
	r.last = s
}

// halves returns the half points that the first player of the meeting made; ok is false
// when the game was not finished.
func (g *record) halves() (n int, ok bool) {
	switch g.Outcome {
	case games.Drawn:
		return 1, true
	case games.WinFor(games.Side(g.firstMover())):
		return 2, true
	}
	return 0, g.Outcome != games.Undecided
}

// ofTest returns what a test made of pairs that came again; nothing when none did.
func (s *Seen) ofTest(pairs int64) string {
	fresh, text := s.Fresh.N(), ""
	if copies := pairs - fresh; copies > 0 {
		text += fmt.Sprintf("the test counts %d of %d pairs: the others repeat earlier games\n", fresh, pairs)
	}
	if s.exhausted() {
		text += fmt.Sprintf("the test ended because the games of %d openings only repeat: use more --openings, or --random-plies\n", s.Openings.Number)
	}
	if _, o := s.tested(); o.Repeat(fresh) {
		text += fmt.Sprintf("openings repeat: the test divides its ratio by the dependence of pairs in %d openings\n", s.FreshOpenings.Number)
	}
	return text
}
