package record

import "cmp"

// The tags that the formats share. A reader gives its format's data under these names, so one table of
// columns serves all formats. docs/formats/tags.md has the columns, each format's page its tags. They are
// PGN's names (Standard: Portable Game Notation, 1994, sections 8.1 and 9) where PGN has one. Tags of
// other names are kept unchanged.
const (
	// TagEvent is the tournament or match, TagSite the place, TagRound the round.
	TagEvent = "Event"
	TagSite  = "Site"
	TagRound = "Round"
	// TagDate is the date of play, "1992.11.04" or ISO 8601, unknown parts as "??".
	TagDate = "Date"
	// TagUTCDate is read when TagDate is missing.
	TagUTCDate = "UTCDate"
	// TagTime is the time of day at which the game began, as written.
	TagTime = "Time"

	// TagWhite and TagBlack are the players by colour. Which of them moves first depends on
	// the game.
	TagWhite = "White"
	TagBlack = "Black"
	// TagWhiteElo and TagBlackElo are their ratings, whole numbers.
	TagWhiteElo = "WhiteElo"
	TagBlackElo = "BlackElo"

	// TagP1 and TagP2 are the players, the one who moves first in front, on sites of many games;
	// TagP1Elo and TagP2Elo are their ratings.
	TagP1    = "P1"
	TagP2    = "P2"
	TagP1Elo = "P1Elo"
	TagP2Elo = "P2Elo"

	// TagTimeControl is the time control in seconds: 300, 300+5, 40/7200, or 15:00/00:05 as
	// in GGF.
	TagTimeControl = "TimeControl"
	// TagECO is the code of the opening, TagOpening its name, which is read when there is
	// no code.
	TagECO     = "ECO"
	TagOpening = "Opening"

	// TagVariant and TagGameType, of PDN, name the game or its variant.
	TagVariant  = "Variant"
	TagGameType = "GameType"
	// TagFEN is the position that the game begins with, if it is not the usual one, in the notation of the
	// game's rules. TagSetUp announces one; it is not needed.
	TagFEN   = "FEN"
	TagSetUp = "SetUp"

	// TagResult is the result in the header; Game.Result is the one after the moves. TagTermination is the
	// reason for the game's end.
	TagResult      = "Result"
	TagTermination = "Termination"
	// TagScore is the first player's points minus the second's, a decimal number.
	TagScore = "Score"
	// TagAnnotator is the author of the comments.
	TagAnnotator = "Annotator"
	// TagBestMoves, TagAvoid and TagID belong to positions in test suites: bm, am, id of EPD.
	TagBestMoves = "bm"
	TagAvoid     = "am"
	TagID        = "id"
	// TagCut is the reason why kifu export left out the moves after a certain one.
	TagCut = "Cut"
)

// Results as Game.Result has them: the first number is the score of the player who moves
// first.
const (
	FirstWins  = "1-0"
	SecondWins = "0-1"
	Drawn      = "1/2-1/2"
)

// Values of TagTermination for which a format has a code.
const (
	Resignation = "resignation"
	TimeForfeit = "time forfeit"
	Forfeit     = "forfeit"
	Abandoned   = "abandoned"
)

// TerminationOf returns the word that all formats share for a server's status of a game, "outoftime" or
// "resign"; other words are unchanged.
func TerminationOf(status string) string { return cmp.Or(terminations[status], status) }

var terminations = map[string]string{
	"resign": Resignation, "outoftime": TimeForfeit, "timeout": Abandoned, "aborted": Abandoned, "noStart": Forfeit, "mate": "checkmate",
}

// maxTags bounds the tags of a game: what looks a tag up stays linear.
const maxTags = 250

// AddTag adds a tag to g, unless it has too many.
func AddTag(g *Game, name, value []byte) {
	if len(g.Tags) < maxTags {
		g.Tags = append(g.Tags, Tag{Name: name, Value: value})
	}
}

// Unescape resolves the backslashes before quotes and backslashes of a tag value, at the end of buffer.
func Unescape(v, buffer []byte) (plain, grown []byte) {
	from := len(buffer)
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) && (v[i+1] == '\\' || v[i+1] == '"') {
			i++
		}
		buffer = append(buffer, v[i])
	}
	return buffer[from:len(buffer):len(buffer)], buffer
}
