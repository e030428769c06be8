package csv

import (
	"strings"
	"testing"

	"kifu/kit/recordtest"
)

var tested = recordtest.NewFormat(Format())

// TestVectors reads the files of testdata/vectors.
func TestVectors(t *testing.T) { tested.Run(t) }

// TestKeep: the tags choose games.
func TestKeep(t *testing.T) {
	tested.Keep(t, "white,black,moves\na,yes,e4 e5\nb,no,e4 e5\n\"c\",\"yes\",\"1. e4\"\n", 2, recordtest.Skipped, 1)
}

// TestRecognise: tables of games are told from other tables.
func TestRecognise(t *testing.T) {
	of := Format().Recognize
	for text, want := range map[string]bool{
		"id,rated,created_at,last_move_at,turns,victory_status,winner,increment_code,white_id,white_rating,black_id,black_rating,moves,opening_eco,opening_name,opening_ply\r\n": true,
		"PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n":                                                                              true,
		"Event;White;Black;Result;AN\n": true,
		"game_id,ply,moves\n":           false,
		"FEN,Evaluation\n":              false,
		"white,black,result\n":          false,
		"1. e4 e5 2. Nf3\n":             false,
		"":                              false,
	} {
		if got := of([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// FuzzRead: any bytes give the same games at once and in blocks.
func FuzzRead(f *testing.F) {
	tested.FuzzBlocks(f, "white,moves\n\"a\"\"b\",e4\r\n\nc,\"1. e4\ne5\"\nd,\"e4\ne,d4\n", "\"\n\"\n\"", strings.Repeat(">", maxHeading+9)+"\na\n", "\uFEFF"+strings.Repeat(">", maxHeading)+"\na\n")
}
