package chess

import "kifu/games/chess"

// pawnFacts holds what the other term functions need of a player's pawns.
type pawnFacts struct {
	passed chess.Bitboard
	files  uint8 // that they are on
	dark   uint8 // their number on dark squares
	n      uint8 // their number
}

// pawnEntry is a remembered pawn structure, with the sum of the terms that depend on the pawns
// alone and, if it was traced, the number of their counts. It fills a line of the processor's cache.
type pawnEntry struct {
	men    [2]chess.Bitboard // as each player sees its own men
	sum    packed
	facts  [2]pawnFacts
	used   bool
	traced bool
	n      uint8
}

// pawnTable remembers structures by their whole pawn sets, so that a hit is always exact
// and no value depends on earlier positions. The counts, which few evaluations need, are apart:
// what all of them need stays in the processor's cache.
type pawnTable struct {
	entries [1 << pawnTableBits]pawnEntry
	counts  [1 << pawnTableBits][32]slotCount
}

const pawnTableBits = 10

// structure adds the terms of the pawns and of the kings' shelter, for both players.
func (e *evaluator) structure(w, b *view) packed {
	entry := e.pawnEntry(w, b)
	w.pawns, b.pawns = int(entry.facts[0].n), int(entry.facts[1].n)
	w.facts, b.facts = &entry.facts[0], &entry.facts[1]
	w.files, b.files = chess.Bitboard(w.facts.files)*chess.FileA, chess.Bitboard(b.facts.files)*chess.FileA
	w.foeFiles, b.foeFiles = b.files, w.files
	w.foeSpan, b.foeSpan = b.by[chess.Pawn].NorthFill().Flip(), w.by[chess.Pawn].NorthFill().Flip()
	return entry.sum + e.shelterOf(w) - e.shelterOf(b)
}

// pawnEntry finds or computes the structure of the pawns, and counts its terms.
func (e *evaluator) pawnEntry(w, b *view) *pawnEntry {
	wp, bp := w.men[chess.Pawn], b.men[chess.Pawn]
	key := uint64(wp)*0x9e3779b97f4a7c15 ^ uint64(bp)*0xc2b2ae3d27d4eb4f
	at := (key ^ key>>29) * 0xbf58476d1ce4e5b9 >> (64 - pawnTableBits)
	entry, counts := &e.pawns.entries[at], &e.pawns.counts[at]
	known := entry.used && entry.men[0] == wp && entry.men[1] == bp
	if known && !e.counting {
		return entry
	}
	if known && entry.traced {
		e.tally.replay(counts[:entry.n])
		return entry
	}
	entry.men = [2]chess.Bitboard{wp, bp}
	entry.used = true
	entry.sum = e.pawnTerms(w, &entry.facts[0]) - e.pawnTerms(b, &entry.facts[1]) + e.countersOf(true, w, b)
	entry.traced = false
	if e.counting {
		entry.n, entry.traced = e.tally.record(counts[:])
	}
	return entry
}

// pawnTerms adds the terms of v's pawns by themselves.
func (e *evaluator) pawnTerms(v *view, facts *pawnFacts) (sum packed) {
	own, foe := v.men[chess.Pawn], v.foe[chess.Pawn]
	attacks := v.by[chess.Pawn]
	adjacent := own.East() | own.West()
	for b := own; b != 0; b = b.Rest() {
		s := b.First()
		sum += e.man[chess.Pawn][s&63]
		sum += e.times(v, phalanx+s.Rank(), some(adjacent&s.Bit()))
		sum += e.times(v, supported+s.Rank(), some(attacks&s.Bit()))
	}
	foeWest, foeEast := foe.West().South(), foe.East().South()
	foeAttacks := foeWest | foeEast
	opposed := own & foe.South().SouthFill()
	hindered := own & own.South().SouthFill()
	sum += e.times(v, doubled, hindered.Count())

	alone := own &^ adjacent.FileFill()
	for b := alone; b != 0; b = b.Rest() {
		sum += e.one(v, isolated+edge(b.First().File()))
	}
	sum += e.times(v, isolatedOpen, (alone &^ opposed).Count())
	late := own &^ alone &^ adjacent.NorthFill() & (foeAttacks | foe).South()
	sum += e.times(v, backward, late.Count())
	sum += e.times(v, backwardOpen, (late &^ opposed).Count())

	sum += e.times(v, doubleAttacked, (own & foeWest & foeEast &^ attacks).Count())
	far := own & rank5to8 // the terms begin there
	sum += e.byRank(v, lever, far&foeWest)
	sum += e.byRank(v, lever, far&foeEast)
	sum += e.byRank(v, blockedPawn, far&foe.South())
	sum += e.openPawns(v, own&^opposed&^hindered, facts)
	files := own.SouthFill() & chess.Rank1
	facts.files, facts.dark, facts.n = uint8(files), uint8((own & chess.DarkSquares).Count()), uint8(own.Count())
	return sum + e.times(v, pawnIslands, (files&^(files<<1)).Count())
}

// byRank counts pawns by their rank.
func (e *evaluator) byRank(v *view, slot int, pawns chess.Bitboard) (sum packed) {
	for ; pawns != 0; pawns = pawns.Rest() {
		sum += e.one(v, slot+pawns.First().Rank())
	}
	return sum
}

// openPawns adds the passed pawns and candidates among the pawns with no pawn ahead.
func (e *evaluator) openPawns(v *view, open chess.Bitboard, facts *pawnFacts) (sum packed) {
	own, foe := v.men[chess.Pawn], v.foe[chess.Pawn]
	facts.passed = 0
	for b := open; b != 0; b = b.Rest() {
		s := b.First()
		adjacent, rank := besideFiles[s.File()], s.Rank()
		sentries := foe & (adjacent & aheadRanks(rank))
		if sentries == 0 {
			facts.passed |= s.Bit()
			continue
		}
		if helpers := own & adjacent & belowRank(rank+1); helpers.Count() >= sentries.Count() {
			sum += e.one(v, candidate+rank)
		}
	}
	for b := facts.passed; b != 0; b = b.Rest() {
		s := b.First()
		sum += e.one(v, passed+s.Rank())
		sum += e.one(v, passedFile+edge(s.File()))
		if v.by[chess.Pawn].Has(s) {
			sum += e.one(v, passedSupported+s.Rank())
		}
		if facts.passed&(chess.KingAttacks(s)&^chess.FileOf(s.File())) != 0 {
			sum += e.one(v, passedConnected+s.Rank())
		}
	}
	return sum
}

// passedPawns adds the terms that depend on more than pawns: the way ahead, kings, rooks.
func (e *evaluator) passedPawns(v *view) (sum packed) {
	foePieces := v.foe[chess.Knight] | v.foe[chess.Bishop] | v.foe[chess.Rook] | v.foe[chess.Queen]
	for b := v.facts.passed; b != 0; b = b.Rest() {
		s := b.First()
		rank, stop, path := s.Rank(), s+8, aheadOf[s&63]
		if rank < 3 {
			continue
		}
		sum += e.times(v, passedBlocked+rank, some(v.foe[0]&stop.Bit()))
		sum += e.times(v, passedFree+rank, 1-some(v.occ&path))
		sum += e.times(v, passedSafe+rank, 1-some(v.foeBy[0]&path))
		sum += e.times(v, passedStopHit, some(v.foeBy[0]&stop.Bit()))
		sum += e.times(v, passedStopHeld, some(v.by[0]&stop.Bit()))
		sum += e.one(v, passedOwnKing+chess.Distance(v.king, stop))
		sum += e.one(v, passedFoeKing+chess.Distance(v.foeKing, stop))
		behind := chess.FileOf(s.File()) & belowRank(rank)
		if behind&(v.men[chess.Rook]|v.foe[chess.Rook]) != 0 {
			seen := chess.RookAttacks(s, v.occ) & behind
			if seen&v.men[chess.Rook] != 0 {
				sum += e.one(v, passedRook)
			} else if seen&v.foe[chess.Rook] != 0 {
				sum += e.one(v, passedFoeRook)
			}
		}
		if foePieces == 0 && v.occ&path == 0 {
			late := 1
			if v.toMove {
				late = 0
			}
			if chess.Distance(v.foeKing, chess.SquareAt(s.File(), 7)) > 7-rank+late {
				sum += e.one(v, passedUnstoppable)
			}
		}
	}
	return sum
}

// edge returns the distance of a file from the nearer edge, 0 to 3.
func edge(file int) int { return min(file, 7-file) }

// belowRank returns the squares on ranks lower than r, 0 to 7.
func belowRank(r int) chess.Bitboard { return 1<<(8*uint(r)) - 1 }

// aheadRanks returns the squares on ranks higher than r, 0 to 7.
func aheadRanks(r int) chess.Bitboard { return ^chess.Bitboard(0) << (8 * uint(r+1)) }

// besideFiles are the files next to a file; aheadOf the squares ahead of one, on its
// own file.
var (
	besideFiles = func() (t [8]chess.Bitboard) {
		for f := range 8 {
			t[f] = chess.FileOf(f).East() | chess.FileOf(f).West()
		}
		return t
	}()
	aheadOf = func() (t [64]chess.Bitboard) {
		for s := range chess.Square(64) {
			t[s] = s.Bit().NorthFill() &^ s.Bit()
		}
		return t
	}()
)
