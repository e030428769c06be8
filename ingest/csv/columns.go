package csv

import (
	"bytes"
	"strings"

	"kifu/ingest/record"
)

// column is the use of a column.
type column struct {
	name []byte // of the tag
	kind kind
}

type kind uint8

const (
	plain   kind = iota // the tag has the text
	moves               // the game's moves, or all of it in PGN
	winner              // white, black or draw
	when                // milliseconds since 1970
	minutes             // a time control in minutes and seconds: 10+5
	status              // why the game ended
	start               // a FEN: the start, unless the game is in PGN
)

// columns are a table's columns and their uses.
type columns struct {
	list      []column
	separator byte
	known     int  // that are in the list of names
	pgn       bool // the moves are a game in PGN
}

// names are the known columns, without capitals, blanks and underscores: columns of lichess games on
// Kaggle, of lichess's puzzles, and usual names.
var names = map[string]column{
	"moves": {kind: moves}, "movetext": {kind: moves}, "pgn": {kind: moves}, "an": {kind: moves}, "movelist": {kind: moves}, "ucimoves": {kind: moves}, "sanmoves": {kind: moves},
	"winner": {kind: winner}, "createdat": {kind: when}, "incrementcode": {kind: minutes},
	"fen": {[]byte(record.TagFEN), start}, "initialfen": {[]byte(record.TagFEN), start}, "startfen": {[]byte(record.TagFEN), start},
	"white": named(record.TagWhite), "whiteid": named(record.TagWhite), "whiteusername": named(record.TagWhite), "whiteplayer": named(record.TagWhite), "whitename": named(record.TagWhite),
	"black": named(record.TagBlack), "blackid": named(record.TagBlack), "blackusername": named(record.TagBlack), "blackplayer": named(record.TagBlack), "blackname": named(record.TagBlack),
	"whiterating": named(record.TagWhiteElo), "whiteelo": named(record.TagWhiteElo), "blackrating": named(record.TagBlackElo), "blackelo": named(record.TagBlackElo),
	"result": named(record.TagResult), "date": named(record.TagDate), "utcdate": named(record.TagUTCDate), "event": named(record.TagEvent), "round": named(record.TagRound),
	"site": named(record.TagSite), "url": named(record.TagSite), "gameurl": named(record.TagSite), "link": named(record.TagSite),
	"eco": named(record.TagECO), "openingeco": named(record.TagECO), "opening": named(record.TagOpening), "openingname": named(record.TagOpening),
	"timecontrol": named(record.TagTimeControl), "termination": {[]byte(record.TagTermination), status}, "victorystatus": {[]byte(record.TagTermination), status}, "status": {[]byte(record.TagTermination), status},
	"variant": named(record.TagVariant), "rules": named(record.TagVariant), "puzzleid": named("PuzzleId"), "themes": named("Themes"),
}

func named(tag string) column { return column{name: []byte(tag)} }

// columnsOf reads a heading.
func columnsOf(heading []byte) (c columns) {
	heading = bytes.TrimSpace(bytes.TrimPrefix(heading, mark))
	c.separator = ','
	for _, s := range []byte("\t;|") {
		if bytes.Count(heading, []byte{s}) > bytes.Count(heading, []byte{c.separator}) {
			c.separator = s
		}
	}
	for _, word := range bytes.Split(heading, []byte{c.separator}) {
		word = bytes.Trim(word, " \t\"")
		key := strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(string(word)))
		of, known := names[key]
		switch {
		case known:
			c.known++
			c.pgn = c.pgn || key == "pgn"
		case key == "":
			of.name = []byte("column")
		default:
			of.name = word
		}
		c.list = append(c.list, of)
	}
	return c
}

// hasGames reports whether the table has games: a column with moves and another known one.
func (c columns) hasGames() bool {
	for _, of := range c.list {
		if of.kind == moves {
			return c.known > 1
		}
	}
	return false
}
