package export

import (
	"cmp"
	"math"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/schemas"
)

// Training is a Line of training data: positions that are made of the board, the move, the value
// and the result, not of text.
type Training interface {
	Line
	// Pack appends a position; the error is the reason to leave it out.
	Pack(dst []byte, p *Position) ([]byte, error)
}

// NoMove is the reason to leave out a position in which no move was played.
const NoMove games.Reason = games.NoMove

// NoResult is why what has no result is left out.
const NoResult games.Reason = "no result"

// softResult is why a position is left out by a format that has wins, draws and losses alone.
const softResult games.Reason = "a result between win, draw and loss"

// trainer turns rows of positions or labels into training data.
type trainer struct {
	format    Training
	takesSoft bool
	value     string // column; "" for none
	line      Position

	batch                                               *columns.Batch // that the columns are of
	board, move, result, ply, first, clock, soft, score *columns.Vec
}

func newTrainer(format Training, value string) *trainer {
	soft, ok := format.(interface{ TakesSoft() bool })
	return &trainer{format: format, value: value, takesSoft: ok && soft.TakesSoft()}
}

// bind finds the columns of a batch.
func (t *trainer) bind(in *columns.Batch) {
	t.batch = in
	t.board, t.move, t.result = in.Col("board"), in.Col("move"), in.Col("result")
	t.ply, t.first, t.clock = in.Col("ply"), in.Col("first_to_move"), in.Col(schemas.HalfmoveClock.Name)
	t.soft, t.score = in.Col(schemas.ExpectedResult.Name), in.Col(t.value)
}

// trainingColumns are the columns that training data are made of.
func trainingColumns(in *datasets.Dir, value string) (list []string) {
	for _, name := range []string{"game_id", "ply", "first_to_move", "board", "move", "result", schemas.ExpectedResult.Name, schemas.HalfmoveClock.Name, value} {
		if in.Table.Index(name) >= 0 {
			list = append(list, name)
		}
	}
	return list
}

// trainingValue returns the column with the values: p's, else the leaf's of labels, the record's of
// positions.
func trainingValue(in *datasets.Dir, p Params) (string, error) {
	value := cmp.Or(p.Value, in.Manifest.Meta["leaf"])
	value = cmp.Or(value, "comment_value")
	return value, opcodes{value: value}.check(in)
}

// row implements rowWriter.
func (t *trainer) row(dst []byte, in *columns.Batch, i int, _ start, counts *manifest.Counts) ([]byte, error) {
	if t.batch != in {
		t.bind(in)
	}
	p := &t.line
	*p = Position{Board: t.board.Value(i), Move: cell(t.move, i), Result: games.OutcomeNamed(cell(t.result, i)), ToMove: games.Second, Ply: int(t.ply.Int32[i])}
	if t.first.Bool[i] {
		p.ToMove = games.First
	}
	if t.clock != nil {
		p.Clock = int(t.clock.Int32[i])
	}
	p.setExpected(t.soft, i)
	if c := t.score; c != nil && !c.IsNull(i) {
		p.Score, p.Scored = score(c, i)*p.ToMove.Sign(), true
	}
	dst, err := t.pack(dst)
	if err != nil {
		return dst, err
	}
	counts.Written++
	return dst, nil
}

// pack packs the line, which has a board.
func (t *trainer) pack(dst []byte) ([]byte, error) {
	if t.line.Result == games.Undecided {
		switch {
		case !t.line.Soft:
			return dst, NoResult
		case !t.takesSoft:
			return dst, softResult
		}
	}
	n := len(dst)
	dst, err := t.format.Pack(dst, &t.line)
	if err != nil {
		return dst[:n], err
	}
	return dst, nil
}

// Outcome is 1 if the side to move wins, 0 for a draw, -1 if it loses.
func (p *Position) Outcome() int {
	switch p.Result {
	case games.Drawn:
		return 0
	case games.WinFor(p.ToMove):
		return 1
	}
	return -1
}

// score returns a value in whole units.
func score(c *columns.Vec, i int) int32 {
	if c.Column.Type == schemas.Int32 {
		return c.Int32[i]
	}
	return int32(math.Round(float64(c.Float32[i])))
}

// train writes the positions of games in which a move was played.
func (r *replayer[P]) train(format Training) rowWriter {
	t := newTrainer(format, "")
	counter, _ := r.rules.(games.Counter[P])
	var board []byte
	return func(dst []byte, in *columns.Batch, i int, _ start, counts *manifest.Counts) ([]byte, error) {
		before, n, ply := len(dst), int64(0), 0
		result := games.OutcomeNamed(in.Col("result").Value(i))
		var fault error
		_, err := r.eachMove(in, i, func(p P, m games.Move) {
			r.texts = r.rules.AppendCoordinates(r.texts[:0], p, m)
			board = r.rules.AppendBoard(board[:0], p)
			t.line = Position{Board: board, Move: r.texts, Result: result, ToMove: p.ToMove(), Ply: ply}
			if counter != nil {
				t.line.Clock, t.line.Ply = counter.Counters(p)
			}
			if v, ok := item(in.Col("evals"), i, ply-1); ok {
				t.line.Score, t.line.Scored = v*p.ToMove().Sign(), true
			}
			ply++
			if fault == nil {
				dst, fault = t.pack(dst)
				n++
			}
		})
		if err == nil {
			err = fault
		}
		if err != nil {
			return dst[:before], err
		}
		counts.Written += n
		return dst, nil
	}
}

// item returns element k of the list in row i.
func item(list *columns.Vec, i, k int) (v int32, ok bool) {
	if list == nil || list.IsNull(i) || k < 0 {
		return 0, false
	}
	from, to := list.List(i)
	if k += from; k >= to || !list.ItemOK[k] {
		return 0, false
	}
	return list.Int32[k], true
}

// AppendPacked is Append of a Training: what cannot be packed is left out.
func AppendPacked(f Training, dst []byte, p *Position) []byte {
	n := len(dst)
	dst, err := f.Pack(dst, p)
	if err != nil {
		return dst[:n]
	}
	return dst
}
