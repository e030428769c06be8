package export

// PDN writes games of draughts in Portable Draughts Notation 3.0: tags as PGN has them,
// the variant as GameType, results with the number of the player who moves first in
// front.
type PDN struct {
	// GameType is the variant's number in the tag of that name; "" writes none.
	GameType string
	// BlackFirst: Black moves first, as in checkers: the first player's name and rating are then in
	// Black's tags.
	BlackFirst bool
}

// Name returns "pdn".
func (PDN) Name() string { return "pdn" }

// Append appends a game and the empty line after it.
func (f PDN) Append(dst []byte, g *Game) []byte {
	w := pgnWriter{dst: dst, game: g}
	white, black, whiteElo, blackElo := g.First, g.Second, g.FirstElo, g.SecondElo
	if f.BlackFirst {
		white, black, whiteElo, blackElo = black, white, blackElo, whiteElo
	}
	w.roster("Event", g.Event)
	w.roster("Site", g.Site)
	w.date()
	w.roster("Round", g.Round)
	w.roster("White", white)
	w.roster("Black", black)
	w.tagString("Result", results[g.Result])
	w.elo("WhiteElo", whiteElo)
	w.elo("BlackElo", blackElo)
	w.optional("TimeControl", g.TimeControl)
	w.optional("Termination", g.Termination)
	w.opening()
	if f.GameType != "" {
		w.tagString("GameType", f.GameType)
	}
	w.optional("FEN", g.Start)
	if g.Start != nil {
		w.tagString("SetUp", "1")
	}
	w.optional("Cut", g.Cut)
	for _, t := range g.Tags {
		switch string(t.Name) {
		case "Event", "Date", "GameType", "SetUp":
		default:
			w.tag(t.Name, t.Value)
		}
	}
	w.dst = append(w.dst, '\n')
	w.moves()
	w.dst = append(w.dst, '\n', '\n')
	return w.dst
}

// FEN writes positions as the rules write them, without spaces, and after them, as EPD
// has it, c0 the move that was played, in coordinates, and c1 the result.
type FEN struct{}

// Name returns "fen".
func (FEN) Name() string { return "fen" }

// Append appends a line.
func (FEN) Append(dst []byte, p *Position) []byte {
	dst = append(dst, p.Text...)
	return append(appendOpcodes(dst, p), '\n')
}
