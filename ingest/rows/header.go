package rows

import (
	"bytes"

	"kifu/ingest/record"
)

// Header has the indexes in a game's Tags of the tags that fill columns, -1 for an absent one. The first
// usable one of repeated tags counts.
type Header struct {
	First, Second, firstElo, secondElo, event, site, round, date, utcDate int
	timeControl, ECO, Opening, result, termination, Variant, FEN, setUp   int
	cut                                                                   int
	blackFirst                                                            bool // the first player is Black
}

// columnTags is how many tags a header has.
const columnTags = 18

// ReadHeader finds the tags of g. variantTag is the format's.
func ReadHeader(g *record.Game, variantTag string, blackFirst bool) Header {
	h := Header{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, blackFirst}
	for i := range g.Tags {
		at := h.Place(g.Tags[i].Name, variantTag, blackFirst)
		if at != nil && (*at < 0 || Unknown(bytes.TrimSpace(g.Tags[*at].Value))) {
			*at = i
		}
	}
	return h
}

// Place returns where h has the place of the tag of that name; nil if no column is made of
// it. The first player is Black or White, and the sites' own P1 in any game.
func (h *Header) Place(name []byte, variantTag string, blackFirst bool) *int {
	white, black, whiteElo, blackElo := &h.First, &h.Second, &h.firstElo, &h.secondElo
	if blackFirst {
		white, black, whiteElo, blackElo = black, white, blackElo, whiteElo
	}
	switch string(name) {
	case record.TagWhite:
		return white
	case record.TagBlack:
		return black
	case record.TagWhiteElo:
		return whiteElo
	case record.TagBlackElo:
		return blackElo
	case record.TagP1:
		return &h.First
	case record.TagP2:
		return &h.Second
	case record.TagP1Elo:
		return &h.firstElo
	case record.TagP2Elo:
		return &h.secondElo
	case record.TagEvent:
		return &h.event
	case record.TagSite:
		return &h.site
	case record.TagRound:
		return &h.round
	case record.TagDate:
		return &h.date
	case record.TagUTCDate:
		return &h.utcDate
	case record.TagTimeControl:
		return &h.timeControl
	case record.TagECO:
		return &h.ECO
	case record.TagOpening:
		return &h.Opening
	case record.TagResult:
		return &h.result
	case record.TagTermination:
		return &h.termination
	case record.TagFEN:
		return &h.FEN
	case record.TagSetUp:
		return &h.setUp
	case record.TagCut:
		return &h.cut
	case variantTag:
		return &h.Variant
	}
	return nil
}

// TagValue returns the value of tag i of g, nil if i is negative.
func TagValue(g *record.Game, i int) []byte {
	if i < 0 {
		return nil
	}
	return g.Tags[i].Value
}
