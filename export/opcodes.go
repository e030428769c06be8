package export

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/schemas"
)

// appendOpcodes appends what follows a position, as EPD has it: c0 with the move that was
// played, c1 with the result; id, ce and pv where they are known.
func appendOpcodes(dst []byte, p *Position) []byte {
	quoted := func(opcode string, operand []byte) {
		dst = append(append(append(append(dst, opcode...), '"'), operand...), '"', ';')
	}
	plain := func(opcode string, operand []byte) {
		dst = append(append(append(dst, opcode...), operand...), ';')
	}
	if p.Move != nil {
		quoted(" c0 ", p.Move)
	}
	if p.Result != games.Undecided {
		quoted(" c1 ", []byte(results[p.Result]))
	} else if p.Soft {
		quoted(" c1 ", strconv.AppendFloat(nil, float64(p.Expected), 'f', -1, 32))
	}
	if p.Place != nil {
		quoted(" id ", p.Place)
	}
	if p.Value != nil {
		plain(" ce ", p.Value)
	}
	if len(p.Line) > 0 {
		plain(" pv ", p.Line)
	}
	return dst
}

// opcodes reports which columns of positions or labels become opcodes.
type opcodes struct {
	place       bool
	value, line string // columns; "" for none
}

// opcodesOf returns what p wants of in.
func opcodesOf(in *datasets.Dir, p Params) opcodes {
	o := opcodes{place: p.Opcodes && in.Table.Index("game_id") >= 0}
	if !p.Opcodes {
		return o
	}
	o.value = p.Value
	o.value = cmp.Or(o.value, in.Manifest.Meta["leaf"])
	if line := strings.TrimSuffix(o.value, "_value") + "_pv"; o.value != "" && in.Table.Index(line) >= 0 {
		o.line = line
	}
	return o
}

// check refuses a value that in does not have.
func (o opcodes) check(in *datasets.Dir) error {
	if o.value == "" {
		return nil
	}
	i := in.Table.Index(o.value)
	if i < 0 {
		return fmt.Errorf("%s has no column %s", in.Path, o.value)
	}
	if t := in.Table.Columns[i].Type; t != schemas.Float32 && t != schemas.Int32 {
		return fmt.Errorf("%s: column %s holds no evaluations", in.Path, o.value)
	}
	return nil
}

// columns returns those that lines are made of.
func (o opcodes) columns(in *datasets.Dir) (list []string) {
	for _, name := range []string{"game_id", "ply", "board", "move", "result", schemas.ExpectedResult.Name, o.value, o.line} {
		if in.Table.Index(name) >= 0 {
			list = append(list, name)
		}
	}
	return list
}

// opcodeWriter fills in opcodes. Its memory is reused.
type opcodeWriter[P games.Position[P]] struct {
	opcodes
	rules              games.Rules[P]
	where, worth, line []byte
	moves              []games.Move
	text               []byte
}

// fill sets place, value and line of row i, which is p.
func (w *opcodeWriter[P]) fill(line *Position, p P, in *columns.Batch, i int) {
	w.where = appendPlace(w.where[:0], in.Col("game_id").Int64[i], int64(in.Col("ply").Int32[i]))
	line.Place = w.where
	if w.value != "" && !in.Col(w.value).IsNull(i) {
		w.worth = strconv.AppendInt(w.worth[:0], int64(centipawns(w.number(in, i), w.value == "comment_value", p.ToMove())), 10)
		line.Value = w.worth
	}
	if w.opcodes.line != "" {
		w.line = w.variation(w.line[:0], p, in.Col(w.opcodes.line).Value(i))
		line.Line = w.line
	}
}

func (w *opcodeWriter[P]) number(in *columns.Batch, i int) int32 {
	c := in.Col(w.value)
	if c.Column.Type == schemas.Int32 {
		return c.Int32[i]
	}
	return int32(math.Round(float64(c.Float32[i])))
}

// epdWin is the value of ce for schemas.Win.
const epdWin = 32767

// centipawns turns a value in the first player's eyes into the operand of ce, in the eyes of
// the side to move: a mate in n plies is ±(32767-n) there. Comments count mates in moves.
func centipawns(v int32, moves bool, mover games.Side) int32 {
	v *= mover.Sign()
	if !schemas.Forced(v) {
		return v
	}
	n := schemas.Win - max(v, -v)
	if moves && v > 0 {
		n = max(2*n-1, 0)
	} else if moves {
		n *= 2
	}
	if v < 0 {
		return n - epdWin
	}
	return epdWin - n
}

// variation rewrites moves in coordinates from p on as records have them, up to the first that
// cannot be played.
func (w *opcodeWriter[P]) variation(dst []byte, p P, coordinates []byte) []byte {
	for _, word := range bytes.Fields(coordinates) {
		m, found := w.find(p, word)
		if !found {
			return dst
		}
		if len(dst) > 0 {
			dst = append(dst, ' ')
		}
		dst = w.rules.AppendMove(dst, p, m)
		p = p.Play(m)
	}
	return dst
}

func (w *opcodeWriter[P]) find(p P, coordinates []byte) (games.Move, bool) {
	w.moves = p.AppendMoves(w.moves[:0])
	for _, m := range w.moves {
		w.text = w.rules.AppendCoordinates(w.text[:0], p, m)
		if bytes.Equal(w.text, coordinates) {
			return m, true
		}
	}
	return 0, false
}

// appendPlace appends "12:40", as kifu show takes it.
func appendPlace(dst []byte, game, ply int64) []byte {
	return strconv.AppendInt(append(strconv.AppendInt(dst, game, 10), ':'), ply, 10)
}
