package export

import (
	"bytes"

	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/schemas"
)

// Position is a position as a Line writes it. Its memory is reused.
type Position struct {
	Text     []byte // as the rules write positions, with counters
	Counters bool   // the counters in Text are the game's, not zeros because they are missing
	Move     []byte // played here, in coordinates; nil after the last
	Result   games.Outcome
	Place    []byte // "12:40": game_id and ply; nil if it is not wanted
	Value    []byte // by a search, in the side to move's eyes; nil for none
	Line     []byte // the search's variation as records write moves, a space between; nil for none

	// For training data:
	Board      []byte // packed by the rules
	ToMove     games.Side
	Ply, Clock int   // since the game began, and since the last capture or other progress
	Score      int32 // the side to move's, in whole units of the column
	Scored     bool

	// Soft: the result is Expected, between a win, a draw and a loss, in the first player's eyes.
	Soft     bool
	Expected float32
}

// setExpected makes the result of p the expected one in row i of a column, where it is none of the three.
func (p *Position) setExpected(c *columns.Vec, i int) {
	if c != nil && p.Result == games.Undecided && !c.IsNull(i) {
		p.Soft, p.Expected = true, c.Float32[i]
	}
}

// positionLines writes the rows of a dataset of positions or labels.
func positionLines[P games.Position[P]](rules games.Rules[P], format Line, o opcodes) rowWriter {
	var line Position
	w := opcodeWriter[P]{opcodes: o, rules: rules}
	return func(dst []byte, in *columns.Batch, i int, _ start, counts *manifest.Counts) ([]byte, error) {
		p, err := rules.UnpackBoard(in.Col("board").Value(i))
		if err != nil {
			return dst, err
		}
		line = Position{Text: rules.AppendPosition(line.Text[:0], p), Move: value(in, "move", i), Result: games.OutcomeNamed(value(in, "result", i))}
		line.setExpected(in.Col(schemas.ExpectedResult.Name), i)
		if o.place {
			w.fill(&line, p, in, i)
		}
		counts.Written++
		return format.Append(dst, &line), nil
	}
}

// lines writes every position of a game, the final one too, with its place if that is wanted.
func (r *replayer[P]) lines(format Line, places bool) rowWriter {
	var place []byte
	return func(dst []byte, in *columns.Batch, i int, _ start, counts *manifest.Counts) ([]byte, error) {
		before, n := len(dst), int64(0)
		result := games.OutcomeNamed(in.Col("result").Value(i))
		add := func(p P, move []byte) {
			r.line = Position{Text: r.rules.AppendPosition(r.line.Text[:0], p), Counters: true, Move: move, Result: result}
			if places {
				place = appendPlace(place[:0], in.Col("game_id").Int64[i], n)
				r.line.Place = place
			}
			dst = format.Append(dst, &r.line)
			n++
		}
		last, err := r.eachMove(in, i, func(p P, m games.Move) {
			r.texts = r.rules.AppendCoordinates(r.texts[:0], p, m)
			add(p, r.texts)
		})
		if err != nil {
			return dst[:before], err
		}
		add(last, nil)
		counts.Written += n
		return dst, nil
	}
}

// EPD writes chess positions in Extended Position Description: the first four fields
// of the FEN; hmvc and fmvn where the game's counters are known; as comments, c0 the
// move that was played, in coordinates, and c1 the result.
type EPD struct{}

// Name returns "epd".
func (EPD) Name() string { return "epd" }

// Append appends a line.
func (EPD) Append(dst []byte, p *Position) []byte {
	rest := p.Text
	for range 4 {
		end := bytes.IndexByte(rest, ' ')
		if end < 0 {
			end = len(rest)
		}
		if len(rest) != len(p.Text) {
			dst = append(dst, ' ')
		}
		dst = append(dst, rest[:end]...)
		rest = rest[min(end+1, len(rest)):]
	}
	if clock, number, ok := bytes.Cut(rest, []byte(" ")); ok && p.Counters {
		dst = append(append(append(dst, " hmvc "...), clock...), ';')
		dst = append(append(append(dst, " fmvn "...), number...), ';')
	}
	return append(appendOpcodes(dst, p), '\n')
}
