package features

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/eval"
	"kifu/internal/lists"
	"kifu/internal/progress"
	"kifu/schemas"
)

// real is a column with its present weight.
type real struct {
	column int
	weight float64
}

// plan reports how each column is written.
type plan struct {
	path  string
	seen  *survey
	model *eval.Model
	of    []int // the column of each term
	// plain are the columns that stay columns of numbers: those kept and the features that
	// are not counts, whose names are in reals.
	plain []int
	reals []string
	dense []real // those with a weight that the values have
	table schemas.Table
	scale float64 // w_0 when there are no values, else 0
	// correct adds the weights to the values, which others already include.
	correct bool
	unit    string

	groupRows int   // in a row group
	partRows  int64 // in a part, at least
}

func newPlan(p Params, path string, s *survey) (*plan, error) {
	pl := &plan{path: path, seen: s, unit: p.Unit, groupRows: 1 << 16, partRows: 1 << 22}
	var whole []int
	numbers := map[string]float64{} // of the weights file
	if p.Model != nil {
		for _, r := range p.Model.Reals {
			numbers[r.Name] = r.Weight
		}
	}
	for i := range s.columns {
		c := &s.columns[i]
		weight, given := numbers[c.name]
		switch {
		case c.role == featureRole && c.counts() && !given:
			if whole = append(whole, i); p.Wide {
				pl.plain = append(pl.plain, i)
			}
		case c.role == featureRole:
			pl.reals = append(pl.reals, c.name)
			pl.plain = append(pl.plain, i)
			if delete(numbers, c.name); weight != 0 {
				pl.dense = append(pl.dense, real{i, weight})
			}
		case c.role == keptRole:
			pl.plain = append(pl.plain, i)
		}
	}
	if err := pl.terms(p, whole); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for name := range numbers {
		return nil, fmt.Errorf("%s: no column for feature %s of the weights file", path, name)
	}
	pl.model.Reals = nil
	for k, i := 0, 0; i < len(pl.reals); i++ {
		r := eval.Real{Name: pl.reals[i]}
		if k < len(pl.dense) && s.columns[pl.dense[k].column].name == r.Name {
			r.Weight = pl.dense[k].weight
			k++
		}
		pl.model.Reals = append(pl.model.Reals, r)
	}
	pl.correct = p.Model != nil && p.Model.Corrections
	switch valued := s.find(valueRole) >= 0; {
	case p.Model == nil:
		if pl.model.Corrections = valued; !valued {
			pl.scale = eloScale
		}
	case pl.correct && !valued:
		return nil, fmt.Errorf("%s: no column value, which the weights file corrects: --column value=NAME names it", path)
	}
	if pl.unit == "" {
		if pl.unit = "centipawns"; pl.scale != 0 {
			pl.unit = "Elo"
		}
	}
	pl.model.Unit = pl.unit
	if err := pl.model.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return pl, pl.columns()
}

// terms builds the model, with a column for each of its terms.
func (pl *plan) terms(p Params, whole []int) error {
	if p.Model != nil {
		return pl.given(p.Model, whole)
	}
	pl.model = p.emptyModel()
	byGroup, groups := map[string][]int{}, []string{}
	for _, i := range whole {
		group, _, found := strings.Cut(pl.seen.columns[i].name, ":")
		if !found {
			group = "features"
		}
		if byGroup[group] == nil {
			groups = append(groups, group)
		}
		byGroup[group] = append(byGroup[group], i)
	}
	for _, group := range groups {
		for _, i := range byGroup[group] {
			name := pl.seen.columns[i].name
			if _, term, found := strings.Cut(name, ":"); found {
				name = term
			}
			pl.model.Terms = append(pl.model.Terms, eval.Term{Name: name, Group: group, Weights: make([]float64, len(pl.model.Stages))})
			pl.of = append(pl.of, i)
		}
	}
	return nil
}

// given uses the model m, each of whose terms needs a column.
func (pl *plan) given(m *eval.Model, whole []int) error {
	pl.model = m.Clone()
	columnOf := lists.By(whole, func(i int) string { return pl.seen.columns[i].name })
	pl.unit = cmp.Or(pl.unit, m.Unit)
	for _, t := range m.Terms {
		name := t.Name
		i, ok := columnOf[name]
		if !ok {
			name = t.Group + ":" + t.Name
			i, ok = columnOf[name]
		}
		if !ok {
			return fmt.Errorf("no column of whole numbers within ±32767 is called %s, which is a term of the weights file", t.Name)
		}
		pl.of = append(pl.of, i)
		delete(columnOf, name)
	}
	for _, i := range whole {
		if _, over := columnOf[pl.seen.columns[i].name]; over {
			return fmt.Errorf("column %s is not a term of the weights file: omit it with --ignore, keep it for conditions with --keep, or give it a weight", pl.seen.columns[i].name)
		}
	}
	return nil
}

// columns builds the table.
func (pl *plan) columns() error {
	var head []schemas.Column
	head = append(head, schemas.Column{Name: "game_id", Type: schemas.Int64, Doc: "of the file, or by order where games have names"})
	if pl.seen.find(gameRole) >= 0 && !pl.seen.numbered {
		head = append(head, schemas.Column{Name: "game", Type: schemas.String, Repeats: true, Doc: "name of the game"})
	}
	if pl.seen.find(plyRole) >= 0 {
		head = append(head, schemas.Column{Name: "ply", Type: schemas.Int32, Doc: "moves played before the position"})
	}
	if pl.seen.find(turnRole) >= 0 {
		head = append(head, schemas.Column{Name: "first_to_move", Type: schemas.Bool, Doc: "the first player is to move"})
	}
	head = append(head, schemas.Column{Name: "result", Type: schemas.String, Nullable: true, Repeats: true, Doc: "of the game: first, second or draw"})
	if pl.seen.find(fenRole) >= 0 {
		head = append(head, schemas.Column{Name: "fen", Type: schemas.String, Doc: "the position, as the file has it"})
	}
	if pl.seen.find(expectedRole) >= 0 {
		head = append(head, schemas.ExpectedResult)
	}
	for _, i := range pl.plain {
		head = append(head, schemas.Column{Name: pl.seen.columns[i].name, Type: schemas.Float64, Doc: "as the file has it"})
	}
	pl.table = schemas.Labels(schemas.Table{Columns: head}, []string{"value"}, nil, "value")
	taken := map[string]bool{}
	for _, c := range pl.table.Columns {
		if taken[c.Name] {
			return fmt.Errorf("%s: %s is also a column of labels: rename the file's column", pl.path, c.Name)
		}
		taken[c.Name] = true
	}
	return nil
}

// write reads the file again and writes the labels.
func (pl *plan) write(ctx context.Context, out *datasets.Builder) error {
	out.SetTable(pl.table)
	meta := map[string]string{"game": pl.model.Game, "unit": pl.unit, "evaluator": pl.model.Name, "values": "value", "leaf": "value", "reals": strings.Join(pl.reals, "\n")}
	if pl.seen.find(gameRole) < 0 {
		meta[schemas.NoGames] = "rows"
	}
	if pl.scale != 0 {
		meta["scale"] = strconv.FormatFloat(pl.scale, 'g', -1, 64)
	}
	for key, value := range meta {
		out.SetMeta(key, value)
	}
	weights, err := pl.model.TOML()
	if err != nil {
		return err
	}
	if err := out.AddFile("weights.toml", weights); err != nil {
		return err
	}
	w := &writer{plan: pl, out: out, batch: columns.NewBatch(pl.table), ids: map[string]int64{}, weights: map[int][]float64{}}
	bar := progress.Start(ctx, "features", pl.seen.rows, "rows")
	defer bar.Done()
	err = readBlocks(pl.path, pl.seen.kinds(), func(b *block) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		bar.Add(int64(b.rows))
		return w.rows(b)
	})
	if err == nil {
		err = w.flush(true)
	}
	if err != nil && w.part != nil {
		w.part.Abort()
	}
	return err
}

// writer fills row groups and parts.
type writer struct {
	*plan
	out     *datasets.Builder
	batch   *columns.Batch
	part    *datasets.PartWriter // nil: none open
	index   int                  // of the part
	written int64                // rows of the part
	ids     map[string]int64     // of named games
	game    []byte               // the last one
	id      int64                // of the last game; without games of the next row
	weights map[int][]float64    // of each term, by phase
	counts  []eval.Feature       // of the last row
	packed  []byte
}

// rows appends the rows of b.
func (w *writer) rows(b *block) error {
	game, result := w.texts(b, gameRole), w.texts(b, resultRole)
	expected := w.cells(b, expectedRole)
	ply, turn, phase, value := w.cells(b, plyRole), w.cells(b, turnRole), w.cells(b, phaseRole), w.cells(b, valueRole)
	cols := w.batch.Col
	for i := range b.rows {
		if game == nil {
			cols("game_id").AppendInt64(w.id)
			w.id++
		} else {
			cols("game_id").AppendInt64(w.gameID(game.text(i)))
		}
		if v := cols("game"); v != nil {
			v.AppendBytes(game.text(i))
		}
		if ply != nil {
			cols("ply").AppendInt32(int32(ply[i]))
		}
		if turn != nil {
			cols("first_to_move").AppendBool(turn[i] == 1)
		}
		word := ""
		if result != nil {
			word, _ = parseResult(result.text(i))
		}
		cols("result").AppendText([]byte(word))
		if expected != nil {
			cols(schemas.ExpectedResult.Name).AppendFloat32(float32(expected[i]))
		}
		if v := cols("fen"); v != nil {
			v.AppendBytes(b.cells[w.seen.find(fenRole)].text(i))
		}
		at := 0
		if phase != nil {
			at = int(phase[i])
		}
		score := w.features(b, i, at)
		switch {
		case value != nil && w.correct:
			score += value[i]
		case value != nil:
			score = value[i]
		}
		cols("value").AppendFloat32(float32(score))
		cols("leaf_phase").AppendInt32(int32(at))
		cols("features").AppendBytes(w.packed)
	}
	for _, i := range w.plain {
		v := cols(w.seen.columns[i].name)
		v.Float64 = append(v.Float64, b.cells[i].numbers...)
	}
	w.batch.Rows += b.rows
	if w.batch.Rows >= w.groupRows {
		return w.flush(false)
	}
	return nil
}

// texts returns the cells of the column with the role, nil without one.
func (w *writer) texts(b *block, r role) *cells {
	if i := w.seen.find(r); i >= 0 {
		return &b.cells[i]
	}
	return nil
}

// cells returns the numbers of the column with the role, nil without one.
func (w *writer) cells(b *block, r role) []float64 {
	if i := w.seen.find(r); i >= 0 {
		return b.cells[i].numbers
	}
	return nil
}

// gameID returns the number of a game: its own, or its name's.
func (w *writer) gameID(name []byte) int64 {
	if w.game != nil && string(w.game) == string(name) {
		return w.id
	}
	w.game = append(w.game[:0], name...)
	if w.seen.numbered {
		w.id, _ = gameNumber(name)
		return w.id
	}
	id, ok := w.ids[string(name)]
	if !ok {
		id = int64(len(w.ids))
		w.ids[string(name)] = id
	}
	w.id = id
	return id
}

// features packs the counts of row i into w.packed and returns the score of all features.
func (w *writer) features(b *block, i, phase int) (score float64) {
	weights, ok := w.weights[phase]
	if !ok {
		mix := w.model.Mix(phase, nil)
		for t := range w.model.Terms {
			weights = append(weights, w.model.Terms[t].At(mix))
		}
		w.weights[phase] = weights
	}
	w.counts = w.counts[:0]
	for term, column := range w.of {
		x := b.cells[column].numbers[i]
		if x == 0 {
			continue
		}
		score += x * weights[term]
		w.counts = append(w.counts, eval.Feature{Term: uint32(term), Count: int16(x)})
	}
	for _, r := range w.dense {
		score += r.weight * b.cells[r.column].numbers[i]
	}
	w.packed = eval.AppendPacked(w.packed[:0], w.counts)
	return math.Round(score*eval.Grain) / eval.Grain
}

// flush writes the batch, and closes the part if it is full or the last.
func (w *writer) flush(last bool) error {
	_, done := w.out.Done(w.index)
	if w.part == nil && !done && w.batch.Rows > 0 {
		var err error
		if w.part, err = w.out.Part(w.index); err != nil {
			return err
		}
	}
	if !done && w.batch.Rows > 0 {
		if err := w.part.Put(w.batch); err != nil {
			return err
		}
	}
	w.written += int64(w.batch.Rows)
	w.batch.Reset()
	if w.written < w.partRows && !last || w.written == 0 {
		return nil
	}
	if !done {
		if err := w.part.Close(manifest.Counts{Read: w.written, Written: w.written}, nil); err != nil {
			return err
		}
		w.part = nil
	}
	w.index, w.written = w.index+1, 0
	return nil
}
