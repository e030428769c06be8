package chess

import (
	"strconv"
	"strings"
	"testing"

	"kifu/games/chess"
)

// The counts of terms, on boards where they can be seen. Counts are White's less Black's; a
// term that a line names without a count is 0.
func TestTerms(t *testing.T) {
	e := newDefault(t)
	for _, c := range []struct{ fen, want string }{
		{"4k3/8/8/8/8/8/P3P1P1/4K3 w - - 0 1", "isolated_ah=1 isolated_de=1 isolated_bg=1 isolated_cf=0 isolated_open=3 pawn_islands=3 pawn=3 doubled=0"},
		{"4k3/8/8/8/P7/P7/8/4K3 w - - 0 1", "doubled=1 isolated_ah=2 pawn_islands=1"},
		{"4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1", "phalanx_rank_4=2 isolated_de=0 pawn_islands=1 passed_rank_4=2 passed_connected_rank_4=2 passed_de=2"},
		{"4k3/8/8/8/4P3/3P4/8/4K3 w - - 0 1", "supported_rank_4=1 phalanx_rank_4=0"},
		{"4k3/8/3p4/4P3/8/8/8/4K3 w - - 0 1", "lever_rank_5=1 passed_rank_5=0"},
		{"4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1", "blocked_pawn_rank_5=1 isolated_de=0 isolated_open=0"},
		{"4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1", "backward=1 backward_open=1 isolated_de=-1"},
		{"4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", "pawn_attacked_twice=1"},
		{"4k3/pp6/8/8/8/8/5PPP/4K3 w - - 0 1", "pawn_majority_wing=0 pawn_islands=0"},
		{"4k3/pp4p1/8/8/8/8/5PPP/4K3 w - - 0 1", "pawn_islands=-1"},

		{"4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "passed_rank_5=1 passed_free_rank_5=1 passed_safe_rank_5=1 passed_own_king_distance_5=1 passed_foe_king_distance_4=1 passed_unstoppable=1"},
		{"4k3/8/8/P7/8/8/8/4K3 b - - 0 1", "passed_unstoppable=0 tempo=-1"},
		{"8/3k4/3P4/8/8/8/8/4K3 w - - 0 1", "passed_blocked_rank_6=1 passed_free_rank_6=0 passed_safe_rank_6=0 passed_stop_attacked=0"},
		{"4k3/8/3P4/8/8/8/8/4K3 w - - 0 1", "passed_blocked_rank_6=0 passed_free_rank_6=1 passed_safe_rank_6=0 passed_stop_attacked=1 passed_foe_king_distance_1=1"},
		{"4k3/8/8/3P4/2P5/8/8/4K3 w - - 0 1", "passed_supported_rank_5=1 passed_connected_rank_5=1 passed_connected_rank_4=1 passed_cf=1"},
		{"4k3/8/4p3/8/3PP3/8/8/4K3 w - - 0 1", "candidate_rank_4=1 passed_rank_4=0"},
		{"4k3/8/8/P7/8/8/8/R3K3 w - - 0 1", "passed_rook_behind=1 passed_foe_rook_behind=0"},
		{"4k3/8/8/P7/8/8/8/r3K3 w - - 0 1", "passed_rook_behind=0 passed_foe_rook_behind=1 passed_unstoppable=0"},

		{"4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", "shelter_bg_rank_2=1 shelter_cf_rank_2=1 shelter_ah_rank_2=1 shelter_de_rank_2=0"},
		{"4k3/8/8/8/6p1/8/5PP1/6K1 w - - 0 1", "storm_bg_rank_4=1 storm_blocked_rank_4=0"},
		{"4k3/8/8/8/8/6p1/5PP1/6K1 w - - 0 1", "storm_bg_rank_3=0 storm_blocked_rank_3=1"},
		{"4k3/8/8/8/8/8/8/K7 w - - 0 1", "king_flight_3=1 king_flight_5=-1 king_open_file=0"},
		{"6k1/6p1/8/8/8/8/8/4K3 w - - 0 1", "king_open_file=1 king_beside_open_file=0"},
		{"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "safe_check_rook=1 king_attack_rook=0 unsafe_checks=0"},
		{"2r3k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "safe_check_rook=0 unsafe_checks=1"},
		{"6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "king_attack_rook=0"},
		{"6k1/5ppp/8/8/8/8/8/5RK1 w - - 0 1", "king_attack_rook=1 king_attackers_2=0"},
		{"6k1/5ppp/8/6N1/8/8/8/5RK1 w - - 0 1", "king_attack_rook=1 king_attack_knight=1 king_attackers_2=1"},
		{"k3r3/8/8/8/8/4N3/8/4K3 w - - 0 1", "pinned_knight=1 knight_mobility_0=1"},
		{"k3r3/8/8/8/8/8/8/6K1 w - - 0 1", "king_flank_attack=5"},
		{"4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castle_short=1 castle_long=0"},
		{"r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "castle_short=0 castle_long=-1"},

		{"4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1", "knight_outpost=1 knight_outpost_loose=0 knight_mobility_8=1 knight_king_distance=4 knight_pawns=1"},
		{"4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "knight_outpost=0 knight_outpost_loose=1"},
		{"4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1", "knight_outpost=0 knight_outpost_loose=0"},
		{"4k3/8/8/8/4P3/4N3/8/4K3 w - - 0 1", "knight_behind_pawn=1 knight_outpost_reach=1"},

		{"4k3/8/8/8/8/P6P/1P6/2B1K3 w - - 0 1", "bishop_own_pawns=2 bishop_pair=0 bishop_mobility_5=1"},
		{"4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", "bishop_pair=1 bishop=2"},
		{"4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", "bishop_long_diagonal=1"},
		{"4k3/8/8/8/3P4/8/1B6/4K3 w - - 0 1", "bishop_long_diagonal=0 bishop_blocked_pawns=0"},
		{"4k3/B7/1p6/8/8/8/8/4K3 w - - 0 1", "bishop_trapped=1"},
		{"2b1k3/7p/8/8/8/8/PPP5/2B1K3 w - - 0 1", "opposite_bishops_pawns=2"},
		{"2b1k2r/7p/8/8/8/8/PPP5/2B1K2R w - - 0 1", "opposite_bishops_pawns=0"},

		{"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "rook_open_file=1 rook_semi_open_file=0 rook_mobility_10=1"},
		{"4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", "rook_open_file=0 rook_semi_open_file=1 rook_pawns=0"},
		{"4k3/8/8/p7/P7/8/8/R3K3 w - - 0 1", "rook_open_file=0 rook_semi_open_file=0 rook_blocked_file=1 rook_pawns=1"},
		{"4k3/R7/8/8/8/8/8/4K3 w - - 0 1", "rook_seventh=1"},
		{"8/R7/4k3/8/8/8/8/4K3 w - - 0 1", "rook_seventh=0"},
		{"4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", "rook_connected=2 rook_king_file=0"},
		{"3qk3/8/8/8/8/8/8/3RK3 w - - 0 1", "rook_queen_file=1 threat_rook_on_queen=1"},
		{"4k3/8/8/8/8/8/5PPP/6KR w - - 0 1", "rook_trapped=1 rook_mobility_0=1"},

		{"4k3/8/8/8/8/3Q4/8/1NB1K3 w - - 0 1", "queen_early=2 queen_king_distance=5 queen_inside=0"},
		{"3rk3/8/8/8/3P4/8/3Q4/4K3 w - - 0 1", "queen_shadowed=1"},
		{"4k3/8/3Q4/8/8/8/8/4K3 w - - 0 1", "queen_inside=1"},

		{"7k/8/8/3r4/4P3/8/8/4K3 w - - 0 1", "threat_pawn_on_rook=1 hanging_rook=1 hanging_rook_to_move=1 loose_men=1 hanging_pawn=0"},
		{"7k/8/8/3r4/4P3/8/8/4K3 b - - 0 1", "threat_pawn_on_rook=1 hanging_rook=1 hanging_rook_to_move=0"},
		{"7k/8/4p3/3r4/4P3/8/8/4K3 w - - 0 1", "threat_pawn_on_rook=1 hanging_rook=0 loose_men=0"},
		{"7k/8/5q2/8/4N3/8/8/4K3 w - - 0 1", "threat_knight_on_queen=1"},
		{"7k/8/5q2/8/8/2B5/8/4K3 w - - 0 1", "threat_bishop_on_queen=1"},
		{"7k/8/8/8/8/8/3p4/4K3 w - - 0 1", "threat_king_on_pawn=1"},
		{"4k3/8/8/3n4/8/4P3/8/7K w - - 0 1", "pawn_push_threat=1"},
		{"4k3/8/8/3n1p2/8/4P3/8/7K w - - 0 1", "pawn_push_threat=0"},
		{"4k3/8/8/8/2P5/8/8/4K3 w - - 0 1", "centre_pawn_attacks=1"},
		{"4k3/8/8/8/8/2N5/8/4K3 w - - 0 1", "centre_piece_attacks=2"},
	} {
		p, err := chess.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		features, _ := e.Trace(p, nil)
		for _, f := range features {
			counts[e.Model().Terms[f.Term].Name] = int(f.Count)
		}
		for _, want := range strings.Fields(c.want) {
			name, text, _ := strings.Cut(want, "=")
			if _, err := e.Model().Match(name); err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			if counts[name] != n {
				t.Errorf("%s: %s %d times, want %d", c.fen, name, counts[name], n)
			}
		}
	}
}
