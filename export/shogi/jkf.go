package shogi

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"kifu/export"
	"kifu/games"
	"kifu/internal/hcp"
	"kifu/schemas"
)

// JKF writes games as JSON Kifu Format, an object a line. Values are comments as CSA has them.
type JKF struct {
	commented
	// Presets are the names of variants that JKF has; a board is written for others.
	Presets map[string]string
}

// Name is "jkf".
func (JKF) Name() string { return "jkf" }

// Drops is what the format leaves out of games.
func (JKF) Drops() string { return "the distance of mates" }

type jkfGame struct {
	Header  jkfLines    `json:"header"`
	Initial *jkfInitial `json:"initial,omitempty"`
	Moves   []jkfMove   `json:"moves"`
}

type jkfInitial struct {
	Preset string    `json:"preset"`
	Data   *jkfBoard `json:"data,omitempty"`
}

type jkfBoard struct {
	Color int               `json:"color"`
	Board [9][9]jkfPiece    `json:"board"`
	Hands [2]map[string]int `json:"hands"`
}

type jkfPiece struct {
	Color *int   `json:"color,omitempty"`
	Kind  string `json:"kind,omitempty"`
}

type jkfSquare struct {
	X int `json:"x"`
	Y int `json:"y"`
}

type jkfMove struct {
	Comments []string   `json:"comments,omitempty"`
	Move     *jkfPlayed `json:"move,omitempty"`
	Special  string     `json:"special,omitempty"`
	Time     *jkfTime   `json:"time,omitempty"`
}

type jkfTime struct {
	Now   jkfSpan `json:"now"`
	Total jkfSpan `json:"total"`
}

type jkfSpan struct {
	H int64   `json:"h"`
	M int64   `json:"m"`
	S float64 `json:"s"`
}

func jkfSpanOf(ms int64) jkfSpan {
	return jkfSpan{ms / 3_600_000, ms / 60_000 % 60, float64(ms%60_000) / 1000}
}

type jkfPlayed struct {
	Color    int        `json:"color"`
	From     *jkfSquare `json:"from,omitempty"`
	To       jkfSquare  `json:"to"`
	Piece    string     `json:"piece"`
	Same     bool       `json:"same,omitempty"`
	Promote  *bool      `json:"promote,omitempty"`
	Capture  string     `json:"capture,omitempty"`
	Relative string     `json:"relative,omitempty"`
}

// Append appends a game.
func (f JKF) Append(dst []byte, g *export.Game) []byte {
	out := jkfGame{Header: jkfHeader(g), Moves: []jkfMove{{}}}
	p, _ := startOf(g)
	if preset, known := f.Presets[string(g.Variant)]; g.From != nil && known && g.Start == nil {
		out.Initial = &jkfInitial{Preset: preset}
	} else if g.From != nil {
		out.Initial = &jkfInitial{Preset: "OTHER", Data: jkfBoardOf(&p)}
	} else {
		out.Initial = &jkfInitial{Preset: "HIRATE"}
	}
	out.Moves[0].comment(g.After(0))
	last := -1
	clocks, timed := newShogiClocks(g)
	side := g.Begins()
	var total [2]int64
	for i := range g.Moves {
		m, _ := hcp.ParseUSI(g.Moves[i].Text)
		made := jkfMoveOf(&p, m, last)
		list := g.After(i + 1)
		if v := &g.Moves[i]; v.HasValue && !told(list, "** ") {
			made.Comments = []string{"** " + strconv.Itoa(int(shogiValue(v.Value)))}
		}
		made.comment(list)
		if ms, ok := clocks.Used(side, &g.Moves[i]); timed && ok {
			total[side] += ms
			made.Time = &jkfTime{jkfSpanOf(ms), jkfSpanOf(total[side])}
		}
		side = side.Other()
		out.Moves = append(out.Moves, made)
		p.Play(m)
		last = m.To
	}
	if name, _ := (&csaWriter{game: g}).end(); name != "" {
		out.Moves = append(out.Moves, jkfMove{Special: name})
	} else {
		out.Header.put("Result", []byte(jkfResults[g.Result]))
		out.Header.put("Termination", g.Termination)
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		panic("export: " + err.Error()) // strings and numbers alone
	}
	return append(dst, text.Bytes()...)
}

// jkfResults are the results for which CSA has no ending, in the tag Result.
var jkfResults = map[games.Outcome]string{games.FirstWins: "1-0", games.SecondWins: "0-1", games.Drawn: "1/2-1/2"}

// jkfLines is the header.
type jkfLines map[string]string

// put adds what is known.
func (h jkfLines) put(name string, value []byte) {
	if len(value) > 0 {
		h[name] = string(bytes.ToValidUTF8(value, []byte("\uFFFD")))
	}
}

func jkfHeader(g *export.Game) jkfLines {
	header := jkfLines{}
	for _, t := range g.Tags {
		name := string(t.Name)
		if to, known := shogiTags[name]; known {
			name = to
		}
		if name != "Time" && name != "Date" {
			header.put(name, t.Value)
		}
	}
	header.put("先手", g.First)
	header.put("後手", g.Second)
	header.put("棋戦", g.Event)
	header.put("場所", g.Site)
	header.put("戦型", g.Opening)
	header.put("Round", g.Round)
	header.put("Cut", g.Cut)
	header.put("持ち時間", limit(g))
	header.put("TimeControl", control(g))
	header.put("BlackElo", rating(g.FirstElo))
	header.put("WhiteElo", rating(g.SecondElo))
	header.put("開始日時", g.DateTime())
	return header
}

// jkfKind is the name of a piece, which CSA has.
func jkfKind(piece byte) string {
	return csaPiece(piece&^hcp.Promoted, piece&hcp.Promoted != 0)
}

func jkfSquareOf(s int) jkfSquare { return jkfSquare{s/9 + 1, s%9 + 1} }

func jkfBoardOf(p *hcp.Position) *jkfBoard {
	b := &jkfBoard{}
	if p.White {
		b.Color = 1
	}
	for s, piece := range p.Squares {
		if piece != 0 {
			color := int(piece >> 5 & 1)
			b.Board[s/9][s%9] = jkfPiece{Color: &color, Kind: jkfKind(piece)}
		}
	}
	for side := range b.Hands {
		b.Hands[side] = map[string]int{}
		for k, n := range p.Hands[side] {
			b.Hands[side][jkfKind(hcp.Kinds[k])] = int(n)
		}
	}
	return b
}

// jkfMoveOf writes m, played in p after a move to last.
func jkfMoveOf(p *hcp.Position, m hcp.Move, last int) jkfMove {
	played := &jkfPlayed{To: jkfSquareOf(m.To), Same: m.To == last}
	if p.White {
		played.Color = 1
	}
	if m.From < 0 {
		played.Piece, played.Relative = jkfKind(hcp.Kinds[m.Drop]), "H"
	} else {
		from := jkfSquareOf(m.From)
		piece := p.Squares[m.From]
		played.From, played.Piece = &from, jkfKind(piece)
		if m.Promotes || canPromote(p, m, piece) {
			played.Promote = &m.Promotes
		}
		if taken := p.Squares[m.To]; taken != 0 {
			played.Capture = jkfKind(taken)
		}
	}
	return jkfMove{Move: played}
}

// comment adds the lines of a list of comments.
func (m *jkfMove) comment(list []schemas.Annotation) {
	for _, a := range list {
		m.Comments = append(m.Comments, strings.Split(a.Comment, "\n")...)
	}
}

// canPromote reports whether a piece may promote by m: JKF then states that it does not.
func canPromote(p *hcp.Position, m hcp.Move, piece byte) bool {
	const camp = 3
	inCamp := func(s int) bool { return p.White && s%9 >= 9-camp || !p.White && s%9 < camp }
	return piece&hcp.Promoted == 0 && !strings.ContainsRune("GK", rune(piece&^32)) && (inCamp(m.From) || inCamp(m.To))
}
