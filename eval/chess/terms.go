package chess

import (
	"fmt"
	"slices"

	"kifu/eval"
	"kifu/games/chess"
)

// Slots are the indices of the terms inside the evaluator: a block of adjacent slots for
// each family, so that a term is a constant and a count (material+2, knightMobility+5).
// Families that partition a whole (squares of a knight, mobility counts of a rook) leave
// one member out of the model: its slot has no term and weighs nothing. Otherwise the
// family would add up to another term (all squares of knights to the number of knights),
// and no fit could separate the two. For the same reason levers and blocked pawns count
// from the fifth rank on: a white pawn on the third rank faces a black one on its fifth,
// and on the fourth both sides are equal; and passed pawns count as such up to the sixth:
// on the seventh all are.
const (
	material = 0
	pst      = material + 8 // + 64*Kind + square, from pst - 64

	knightMobility = pst + 6*64
	bishopMobility = knightMobility + 9
	rookMobility   = bishopMobility + 14
	queenMobility  = rookMobility + 15

	isolated       = queenMobility + 28 // by distance from the edge
	isolatedOpen   = isolated + 4
	doubled        = isolatedOpen + 1
	backward       = doubled + 1
	backwardOpen   = backward + 1
	phalanx        = backwardOpen + 1 // by rank, as all that follow "by rank"
	supported      = phalanx + 8      // by rank
	lever          = supported + 8    // by rank
	blockedPawn    = lever + 8        // by rank
	doubleAttacked = blockedPawn + 8
	pawnIslands    = doubleAttacked + 1

	passed            = pawnIslands + 1 // by rank
	passedFile        = passed + 8      // by distance from the edge
	passedSupported   = passedFile + 4  // by rank
	passedConnected   = passedSupported + 8
	candidate         = passedConnected + 8
	passedBlocked     = candidate + 8 // by rank
	passedFree        = passedBlocked + 8
	passedSafe        = passedFree + 8
	passedOwnKing     = passedSafe + 8    // by distance of the own king
	passedFoeKing     = passedOwnKing + 8 // by distance of the other
	passedStopHit     = passedFoeKing + 8
	passedStopHeld    = passedStopHit + 1
	passedRook        = passedStopHeld + 1
	passedFoeRook     = passedRook + 1
	passedUnstoppable = passedFoeRook + 1

	shelter       = passedUnstoppable + 1 // 4 distances from the edge × 8 ranks
	storm         = shelter + 32          // likewise
	stormBlocked  = storm + 32            // by rank
	kingFlight    = stormBlocked + 8      // by number of squares
	attackBy      = kingFlight + 9        // by Kind
	attackers     = attackBy + 8          // by number
	danger        = attackers + 8         // by units / 2
	weakRing      = danger + 16           // by number of squares
	safeCheck     = weakRing + 9          // by Kind
	unsafeChecks  = safeCheck + 8
	pinned        = unsafeChecks + 1 // by Kind
	kingOpenFile  = pinned + 8
	besideOpen    = kingOpenFile + 1
	flankAttack   = besideOpen + 1
	flankDefence  = flankAttack + 1
	castleShort   = flankDefence + 1
	castleLong    = castleShort + 1
	knightOutpost = castleLong + 1

	knightOutpostLoose = knightOutpost + 1
	knightOutpostReach = knightOutpostLoose + 1
	knightBehindPawn   = knightOutpostReach + 1
	knightFromKing     = knightBehindPawn + 1
	knightPawns        = knightFromKing + 1

	bishopPair         = knightPawns + 1
	bishopOutpost      = bishopPair + 1
	bishopBehindPawn   = bishopOutpost + 1
	bishopFromKing     = bishopBehindPawn + 1
	bishopPawns        = bishopFromKing + 1
	bishopBlockedPawns = bishopPawns + 1
	bishopXray         = bishopBlockedPawns + 1
	bishopLongDiagonal = bishopXray + 1
	bishopTrapped      = bishopLongDiagonal + 1
	oppositeBishops    = bishopTrapped + 1

	rookOpen        = oppositeBishops + 1
	rookSemiOpen    = rookOpen + 1
	rookBlocked     = rookSemiOpen + 1
	rookSeventh     = rookBlocked + 1
	rookOnQueenFile = rookSeventh + 1
	rookOnKingFile  = rookOnQueenFile + 1
	rookConnected   = rookOnKingFile + 1
	rookTrapped     = rookConnected + 1
	rookPawns       = rookTrapped + 1

	queenInside    = rookPawns + 1
	queenEarly     = queenInside + 1
	queenNearKing  = queenEarly + 1
	queenShadowed  = queenNearKing + 1
	threatByPawn   = queenShadowed + 1  // by Kind attacked
	threatByKnight = threatByPawn + 8   // likewise
	threatByBishop = threatByKnight + 8 // likewise
	threatByRook   = threatByBishop + 8 // likewise
	threatByKing   = threatByRook + 8   // likewise
	hanging        = threatByKing + 8   // by Kind
	hangingToMove  = hanging + 8        // by Kind
	pushThreat     = hangingToMove + 8
	restricted     = pushThreat + 1
	queenChased    = restricted + 1
	loose          = queenChased + 1

	spaceSafe    = loose + 1
	spaceBehind  = spaceSafe + 1
	centrePawns  = spaceBehind + 1
	centrePieces = centrePawns + 1

	tempo = centrePieces + 1

	builtIn = tempo + 1
	// slots has room for the counters and is a power of two, so that masking an index
	// is enough to keep it inside.
	slots = 1024
)

// family is a block of slots with their names; "" has no term.
type family struct {
	group string
	first int
	names []string
}

// flat are the terms with one weight for all phases: they occur in endings only.
var flat = []string{"opposite_bishops_pawns", "passed_unstoppable"}

var kinds = [...]string{"", "pawn", "knight", "bishop", "rook", "queen", "king"}

// families are all terms except the counters, in the order of their slots.
var families = slices.Concat(
	[]family{{"material", material, kinds[:6]}},
	squares(chess.Pawn, "f2"), squares(chess.Knight, "f3"), squares(chess.Bishop, "e2"),
	squares(chess.Rook, "f1"), squares(chess.Queen, "d1"), squares(chess.King, "g1"),
	[]family{
		{"mobility", knightMobility, numbers("knight_mobility_%d", 0, 8, 4)},
		{"mobility", bishopMobility, numbers("bishop_mobility_%d", 0, 13, 6)},
		{"mobility", rookMobility, numbers("rook_mobility_%d", 0, 14, 6)},
		{"mobility", queenMobility, numbers("queen_mobility_%d", 0, 27, 12)},

		{"pawns", isolated, edges("isolated_%s")},
		{"pawns", isolatedOpen, []string{"isolated_open", "doubled", "backward", "backward_open"}},
		{"pawns", phalanx, ranks("phalanx_rank_%d", 2, 7)},
		{"pawns", supported, ranks("supported_rank_%d", 3, 7)},
		{"pawns", lever, ranks("lever_rank_%d", 5, 6)},
		{"pawns", blockedPawn, ranks("blocked_pawn_rank_%d", 5, 6)},
		{"pawns", doubleAttacked, []string{"pawn_attacked_twice", "pawn_islands"}},

		{"passed_pawns", passed, ranks("passed_rank_%d", 2, 6)},
		{"passed_pawns", passedFile, append([]string{""}, edges("passed_%s")[1:]...)},
		{"passed_pawns", passedSupported, ranks("passed_supported_rank_%d", 3, 6)},
		{"passed_pawns", passedConnected, ranks("passed_connected_rank_%d", 2, 7)},
		{"passed_pawns", candidate, ranks("candidate_rank_%d", 2, 6)},
		{"passed_pawns", passedBlocked, ranks("passed_blocked_rank_%d", 4, 7)},
		{"passed_pawns", passedFree, ranks("passed_free_rank_%d", 4, 7)},
		{"passed_pawns", passedSafe, ranks("passed_safe_rank_%d", 4, 7)},
		{"passed_pawns", passedOwnKing, numbers("passed_own_king_distance_%d", 0, 7, 3)},
		{"passed_pawns", passedFoeKing, numbers("passed_foe_king_distance_%d", 0, 7, 3)},
		{"passed_pawns", passedStopHit, []string{"passed_stop_attacked", "passed_stop_defended", "passed_rook_behind", "passed_foe_rook_behind", "passed_unstoppable"}},

		{"king_safety", shelter, edgeRanks("shelter_%s_rank_%d", 2, 7)},
		{"king_safety", storm, edgeRanks("storm_%s_rank_%d", 2, 6)},
		{"king_safety", stormBlocked, ranks("storm_blocked_rank_%d", 3, 6)},
		{"king_safety", kingFlight, numbers("king_flight_%d", 0, 8, 2)},
		{"king_safety", attackBy, byKind("king_attack_%s", chess.Knight, chess.Queen)},
		{"king_safety", attackers, append([]string{"", ""}, numbers("king_attackers_%d", 2, 5, -1)...)},
		{"king_safety", danger, append([]string{""}, numbers("king_danger_%d", 1, 15, -1)...)},
		{"king_safety", weakRing, append([]string{""}, numbers("king_ring_weak_%d", 1, 6, -1)...)},
		{"king_safety", safeCheck, byKind("safe_check_%s", chess.Knight, chess.Queen)},
		{"king_safety", unsafeChecks, []string{"unsafe_checks"}},
		{"king_safety", pinned, byKind("pinned_%s", chess.Pawn, chess.Queen)},
		{"king_safety", kingOpenFile, []string{"king_open_file", "king_beside_open_file", "king_flank_attack", "king_flank_defence", "castle_short", "castle_long"}},

		{"knights", knightOutpost, []string{"knight_outpost", "knight_outpost_loose", "knight_outpost_reach", "knight_behind_pawn", "knight_king_distance", "knight_pawns"}},
		{"bishops", bishopPair, []string{"bishop_pair", "bishop_outpost", "bishop_behind_pawn", "bishop_king_distance", "bishop_own_pawns", "bishop_blocked_pawns", "bishop_xray_pawns", "bishop_long_diagonal", "bishop_trapped", "opposite_bishops_pawns"}},
		{"rooks", rookOpen, []string{"rook_open_file", "rook_semi_open_file", "rook_blocked_file", "rook_seventh", "rook_queen_file", "rook_king_file", "rook_connected", "rook_trapped", "rook_pawns"}},
		{"queens", queenInside, []string{"queen_inside", "queen_early", "queen_king_distance", "queen_shadowed"}},

		{"threats", threatByPawn, byKind("threat_pawn_on_%s", chess.Knight, chess.Queen)},
		{"threats", threatByKnight, byKind("threat_knight_on_%s", chess.Pawn, chess.Queen, chess.Knight)},
		{"threats", threatByBishop, byKind("threat_bishop_on_%s", chess.Pawn, chess.Queen, chess.Bishop)},
		{"threats", threatByRook, byKind("threat_rook_on_%s", chess.Pawn, chess.Queen, chess.Rook)},
		{"threats", threatByKing, byKind("threat_king_on_%s", chess.Pawn, chess.Rook)},
		{"threats", hanging, byKind("hanging_%s", chess.Pawn, chess.Queen)},
		{"threats", hangingToMove, byKind("hanging_%s_to_move", chess.Pawn, chess.Queen)},
		{"threats", pushThreat, []string{"pawn_push_threat", "restricted_squares", "queen_chased", "loose_men"}},

		{"space", spaceSafe, []string{"space_safe", "space_behind_pawns", "centre_pawn_attacks", "centre_piece_attacks"}},
		{"tempo", tempo, []string{"tempo"}},
	},
)

// squares names the piece-square table of one kind; the square reference is left out.
func squares(k chess.Kind, reference string) []family {
	names := make([]string, 64)
	for s := range names {
		square := chess.Square(s)
		if k == chess.Pawn && (square.Rank() == 0 || square.Rank() == 7) || square.String() == reference {
			continue
		}
		names[s] = kinds[k] + "_" + square.String()
	}
	return []family{{"pst", pst + 64*int(k-chess.Pawn), names}}
}

// numbers names counts from low to high; reference is left out.
func numbers(format string, low, high, reference int) []string {
	var names []string
	for n := low; n <= high; n++ {
		if n == reference {
			names = append(names, "")
			continue
		}
		names = append(names, fmt.Sprintf(format, n))
	}
	return names
}

// ranks names ranks as players count them, 1 to 8; those outside low to high cannot
// occur or do not count.
func ranks(format string, low, high int) []string {
	names := make([]string, 8)
	for r := low; r <= high; r++ {
		names[r-1] = fmt.Sprintf(format, r)
	}
	return names
}

// edges names the files by their distance from the edge.
func edges(format string) []string {
	var names []string
	for _, files := range []string{"ah", "bg", "cf", "de"} {
		names = append(names, fmt.Sprintf(format, files))
	}
	return names
}

func edgeRanks(format string, low, high int) []string {
	var names []string
	for _, files := range []string{"ah", "bg", "cf", "de"} {
		for r := 1; r <= 8; r++ {
			name := ""
			if r >= low && r <= high {
				name = fmt.Sprintf(format, files, r)
			}
			names = append(names, name)
		}
	}
	return names
}

// byKind names kinds from low to high, except those left out.
func byKind(format string, low, high chess.Kind, without ...chess.Kind) []string {
	names := make([]string, 8)
	for k := low; k <= high; k++ {
		if !slices.Contains(without, k) {
			names[k] = fmt.Sprintf(format, kinds[k])
		}
	}
	return names
}

// layout returns the term of the model for each slot, -1 for none, and the model's terms
// without weights. Terms of one group are adjacent, families in the order of their slots
// and counters after them.
func layout() (termOf [slots]int16, terms []eval.Term) {
	all := slices.Clone(families)
	for i, c := range counters {
		all = append(all, family{c.group, builtIn + i, []string{c.name}})
	}
	var groups []string
	for _, f := range all {
		if !slices.Contains(groups, f.group) {
			groups = append(groups, f.group)
		}
	}
	for i := range termOf {
		termOf[i] = -1
	}
	for _, g := range groups {
		for _, f := range all {
			if f.group != g {
				continue
			}
			for i, name := range f.names {
				if name == "" {
					continue
				}
				if termOf[f.first+i] >= 0 {
					panic("eval/chess: two families share a slot: " + name)
				}
				termOf[f.first+i] = int16(len(terms))
				terms = append(terms, eval.Term{Name: name, Group: g})
			}
		}
	}
	return termOf, terms
}
