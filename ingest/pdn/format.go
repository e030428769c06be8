package pdn

import "kifu/ingest/record"

// Format returns the description of PDN. The tag GameType names the game; without it the
// squares of the moves do.
func Format() *record.Format {
	return &record.Format{
		Name: "PDN", Extensions: []string{".pdn"},
		NewSplitter: initial().Cuts().Splitter,
		Whole:       true,
		NewReader:   func(o record.Options) record.BlockReader { return NewBlockReader(o) },
		TagLine:     func(line []byte) bool { return line[0] == '[' },
		VariantTag:  record.TagGameType,
		GameOf:      GameType,
		GameByMoves: gameByMoves,
	}
}

// gameByMoves recognises the variant of draughts by the squares of the start and of the moves: letters are
// Russian, numbers above 32 belong to the board of a hundred squares. Otherwise it is not sure.
func gameByMoves(g *record.Game) (name string, sure bool) {
	if name = gameBySquares(g.Tag(record.TagFEN)); name != "" {
		return name, true
	}
	for i := range g.Moves {
		switch found := gameBySquares(g.Moves[i].Text); found {
		case "russian":
			return found, true
		case "draughts":
			name = found
		}
	}
	if name != "" {
		return name, true
	}
	return "checkers", false
}

// gameBySquares returns the game of the squares in text; "" if they fit several.
func gameBySquares(text []byte) (name string) {
	number := 0
	for i, c := range text {
		switch {
		case c >= 'a' && c <= 'h' && i+1 < len(text) && text[i+1] >= '1' && text[i+1] <= '8':
			return "russian"
		case c >= '0' && c <= '9':
			number = 10*number + int(c-'0')
		default:
			number = 0
		}
		if number > 32 && number <= 50 {
			name = "draughts"
		}
	}
	return name
}
