package export_test

import (
	"context"
	"os"

	"kifu/export"
	"kifu/games/chess"
	"kifu/kit/sample"
)

// The first game of a dataset as a record.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	first := []export.Source{{Params: export.Params{Format: "pgn", Games: func(id int64) bool { return id == 0 }}, In: sample.Games(dir)}}
	formats := export.Formats{Record: export.PGN{}, Line: export.EPD{}}
	if _, err := export.Run(context.Background(), chess.Rules{}, formats, 0, first, os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// [Event "?"]
	// [Site "London"]
	// [Date "1850.??.??"]
	// [Round "?"]
	// [White "Blackburne, Joseph H"]
	// [Black "Bird, Henry E"]
	// [Result "1/2-1/2"]
	// [ECO "C51"]
	//
	// 1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. b4 Bxb4 5. c3 Bc5 6. O-O d6 7. d4 exd4 8.
	// cxd4 Bb6 9. d5 Na5 10. Bb2 Ne7 11. Bd3 f6 12. Nh4 O-O 13. Nd2 Ng6 14. Nxg6 hxg6
	// 15. Nf3 g5 16. Rc1 Bg4 17. Be2 Re8 18. Qc2 c6 19. dxc6 Nxc6 20. Rfd1 Qe7 21.
	// Nxg5 fxg5 22. Bxg4 Qxe4 23. Qb3+ Kh8 24. Qh3+ Kg8 25. Bf5 Qh4 26. Qb3+ Kh8 27.
	// Qf7 Ne5 28. Bxe5 Rxe5 29. Bc8 Qf4 30. Qxb7 g4 31. Rc2 Qb4 32. g3 Rb8 33. Qxb8
	// Re1+ 34. Rxe1 Qxe1+ 35. Kg2 Qe4+ 36. Kf1 Qh1+ 37. Ke2 Qf3+ 38. Kd2 Qxf2+ 39.
	// Kc3 Qc5+ 40. Kd2 Qg5+ 1/2-1/2
}
