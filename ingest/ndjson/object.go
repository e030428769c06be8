package ndjson

import (
	"cmp"
	"strconv"
	"time"

	"kifu/ingest/record"
)

// object has what is read of a game: PGN and Rules of chess.com's, the others of lichess's.
type object struct {
	PGN   string `json:"pgn"`
	Rules string `json:"rules"`

	ID         string `json:"id"`
	Rated      bool   `json:"rated"`
	Variant    string `json:"variant"`
	Speed      string `json:"speed"`
	CreatedAt  int64  `json:"createdAt"` // milliseconds since 1970
	Status     string `json:"status"`
	Winner     string `json:"winner"`
	InitialFen string `json:"initialFen"`
	Tournament string `json:"tournament"`
	Swiss      string `json:"swiss"`
	Players    struct {
		White player `json:"white"`
		Black player `json:"black"`
	} `json:"players"`
	Opening struct {
		ECO  string `json:"eco"`
		Name string `json:"name"`
	} `json:"opening"`
	Moves *string `json:"moves"`
	Clock *struct {
		Initial   int `json:"initial"`
		Increment int `json:"increment"`
	} `json:"clock"`
	DaysPerTurn int       `json:"daysPerTurn"`
	Clocks      []int64   `json:"clocks"` // hundredths of a second after each move
	Analysis    []analyse `json:"analysis"`
}

type player struct {
	User struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	} `json:"user"`
	Name       string `json:"name"`
	Rating     int    `json:"rating"`
	RatingDiff *int   `json:"ratingDiff"`
	AI         int    `json:"aiLevel"`
}

// analyse is a server's word on the position after a move.
type analyse struct {
	Eval      *int32   `json:"eval"` // centipawns, White's view
	Mate      *int32   `json:"mate"`
	Judgment  judgment `json:"judgment"`
	Variation string   `json:"variation"`
}

// judgment is Lichess's verdict on a move that loses much.
type judgment struct {
	Name    string `json:"name"`
	Comment string `json:"comment"`
}

// glyphs are the NAGs of judgments.
var glyphs = map[string]int{"Inaccuracy": 6, "Mistake": 2, "Blunder": 4}

func tag(g *record.Game, name, value string) {
	if value != "" {
		g.Tags = append(g.Tags, record.Tag{Name: []byte(name), Value: []byte(value)})
	}
}

// tags notes the header, under the names that the PGN of the same game has.
func (o *object) tags(g *record.Game) {
	rated := "Casual "
	if o.Rated {
		rated = "Rated "
	}
	if o.Speed != "" {
		tag(g, record.TagEvent, rated+o.Speed+" game")
	}
	if o.ID != "" {
		tag(g, record.TagSite, "https://lichess.org/"+o.ID)
	}
	if o.CreatedAt > 0 {
		at := time.UnixMilli(o.CreatedAt).UTC()
		tag(g, record.TagUTCDate, at.Format("2006.01.02"))
		tag(g, "UTCTime", at.Format("15:04:05"))
	}
	o.Players.White.tags(g, record.TagWhite, record.TagWhiteElo)
	o.Players.Black.tags(g, record.TagBlack, record.TagBlackElo)
	switch {
	case o.Clock != nil:
		tag(g, record.TagTimeControl, strconv.Itoa(o.Clock.Initial)+"+"+strconv.Itoa(o.Clock.Increment))
	case o.DaysPerTurn > 0:
		tag(g, record.TagTimeControl, "1/"+strconv.Itoa(o.DaysPerTurn*24*60*60))
	}
	tag(g, record.TagECO, o.Opening.ECO)
	tag(g, record.TagOpening, o.Opening.Name)
	tag(g, record.TagVariant, o.Variant)
	tag(g, record.TagFEN, o.InitialFen)
	tag(g, record.TagTermination, record.TerminationOf(o.Status))
	tag(g, "Tournament", cmp.Or(o.Tournament, o.Swiss))
}

func (p *player) tags(g *record.Game, name, elo string) {
	computer := ""
	if p.AI > 0 {
		computer = "lichess AI level " + strconv.Itoa(p.AI)
	}
	tag(g, name, cmp.Or(p.User.Name, p.Name, computer))
	if p.Rating > 0 {
		tag(g, elo, strconv.Itoa(p.Rating))
	}
	if p.RatingDiff != nil {
		tag(g, name+"RatingDiff", strconv.Itoa(*p.RatingDiff))
	}
	tag(g, name+"Title", p.User.Title)
}

// result returns the winner's result, or a draw if the game has ended without one; nothing for a game in
// progress or one that was broken off.
func (o *object) result() []byte {
	switch o.Winner {
	case "white":
		return []byte(record.FirstWins)
	case "black":
		return []byte(record.SecondWins)
	}
	switch o.Status {
	case "draw", "stalemate", "outoftime", "timeout", "insufficientMaterialClaim":
		return []byte(record.Drawn)
	}
	return nil
}
