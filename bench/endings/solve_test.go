package main

import (
	"maps"
	"testing"

	"kifu/games"
	"kifu/kit/slow"
)

// TestPawn: White wins 111,282 positions with the pawn on the files a to d, as Stockfish's bitbase of this ending has it.
func TestPawn(t *testing.T) {
	slow.Test(t, "solves an ending")
	e := newEnding("P")
	won := 0
	for i := range e.asked {
		p := &e.positions[i]
		if file := int(p.Pawns().First()) & 7; file < 4 && e.depth[i] != unsolved {
			won++
		}
	}
	if won != 111_282 {
		t.Errorf("%d positions are won, want 111,282", won)
	}
}

// TestRook: moves until mate with Black to move, of positions that no symmetry of the board maps to each other, as Bain's data set
// chess (King-Rook vs. King) in the UCI repository counts them.
func TestRook(t *testing.T) {
	slow.Test(t, "solves an ending")
	e := newEnding("R")
	seen, got := map[[3]int]bool{}, map[int]int{}
	for i := range e.asked {
		p := &e.positions[i]
		if p.ToMove() == games.First {
			continue
		}
		key := lowest([3]int{int(p.King(games.First)), int(p.Rooks().First()), int(p.King(games.Second))})
		if seen[key] {
			continue
		}
		seen[key] = true
		moves := e.depth[i]
		if moves != unsolved {
			moves /= 2
		}
		got[moves]++
	}
	want := map[int]int{unsolved: 2796, 0: 27, 1: 78, 2: 246, 3: 81, 4: 198, 5: 471, 6: 592, 7: 683, 8: 1433, 9: 1712, 10: 1985,
		11: 2854, 12: 3597, 13: 4194, 14: 4553, 15: 2166, 16: 390}
	if !maps.Equal(got, want) {
		t.Errorf("positions by moves until mate: %v, want %v", got, want)
	}
}

// lowest returns the least of the eight images of three squares.
func lowest(men [3]int) [3]int {
	best := men
	for image := range 8 {
		var x [3]int
		for i, s := range men {
			file, rank := s&7, s>>3
			if image&1 != 0 {
				file = 7 - file
			}
			if image&2 != 0 {
				rank = 7 - rank
			}
			if image&4 != 0 {
				file, rank = rank, file
			}
			x[i] = rank<<3 | file
		}
		for i := range x {
			if x[i] != best[i] {
				if x[i] < best[i] {
					best = x
				}
				break
			}
		}
	}
	return best
}
