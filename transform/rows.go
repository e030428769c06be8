package transform

import (
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/internal/lists"
)

// rows appends positions to a batch, one column after the other.
type rows[P games.Position[P]] struct {
	rules games.Rules[P]
	batch *columns.Batch

	gameID, ply, firstToMove, move, hash, board *columns.Vec
	result, comment, clock, firstElo, secondElo *columns.Vec
	occurrences, firstWins, draws, secondWins   *columns.Vec // nil without dedup
	game                                        []*columns.Vec
	legal                                       *columns.Vec // nil without LegalMoves
	opening                                     *columns.Vec // nil where openings have no names
	names                                       games.OpeningNames[P]
	listed                                      bool // an opening's name lasts until the next

	count  func(P) int // of legal moves
	text   []byte
	values []int16
}

func (r *rows[P]) bind(b *columns.Batch) {
	if r.batch == b {
		return
	}
	game := r.game[:0]
	game = append(game, lists.Of(r.rules.Columns(), func(c games.Column) *columns.Vec { return b.Col(c.Name) })...)
	*r = rows[P]{rules: r.rules, batch: b, game: game, count: games.CountMoves(r.rules), text: r.text, values: r.values,
		gameID: b.Col("game_id"), ply: b.Col("ply"), firstToMove: b.Col("first_to_move"), move: b.Col("move"),
		hash: b.Col("hash"), board: b.Col("board"), result: b.Col("result"), comment: b.Col("comment_value"),
		clock: b.Col("clock_ms"), firstElo: b.Col("first_elo"), secondElo: b.Col("second_elo"),
		occurrences: b.Col("occurrences"), firstWins: b.Col("first_wins"), draws: b.Col("draws"), secondWins: b.Col("second_wins"),
		legal: b.Col("legal_moves"), opening: b.Col("opening_name"),
	}
	r.names, _ = r.rules.(games.OpeningNames[P])
	_, r.listed = r.rules.(games.ListedOpenings[P])
}

// rowGroupRows is the number of rows after which a row group is closed, at the end of a
// game.
const rowGroupRows = 96 << 10

// append appends the positions of g at the plies in keep, column by column.
func (r *rows[P]) append(g *game[P], keep []int) {
	r.values = r.values[:0]
	for _, ply := range keep {
		p := g.positions[ply]
		r.ply.AppendInt32(int32(ply))
		r.firstToMove.AppendBool(p.ToMove() == games.First)
		r.hash.AppendUint64(p.Hash())
		r.board.Bytes = r.rules.AppendBoard(r.board.Bytes, p)
		r.board.Ends = append(r.board.Ends, int32(len(r.board.Bytes)))
		r.values = r.rules.AppendColumns(r.values, p)
		if ply < len(g.moves) {
			r.text = r.rules.AppendCoordinates(r.text[:0], p, g.moves[ply])
			r.move.AppendBytes(r.text)
		} else {
			r.move.AppendNull()
		}
		if r.legal != nil {
			r.legal.AppendInt32(int32(r.count(p)))
		}
	}
	if r.opening != nil {
		r.appendOpenings(g.positions, keep)
	}
	for i, v := range r.game {
		to := v.Int32 // here it is kept in registers
		for at := i; at < len(r.values); at += len(r.game) {
			to = append(to, int32(r.values[at]))
		}
		v.Int32 = to
	}
	appendItems(r.comment, g.source.evals, g.row, keep, 1)
	appendItems(r.clock, g.source.clocks, g.row, keep, 2)
	for range keep {
		r.gameID.AppendInt64(g.id)
	}
	appendTimes(r.result, g.source.result, g.row, len(keep))
	appendTimes(r.firstElo, g.source.firstElo, g.row, len(keep))
	appendTimes(r.secondElo, g.source.secondElo, g.row, len(keep))
	r.batch.Rows += len(keep)
}

// appendOpenings appends the names of the openings that a game's positions show at the plies
// in keep, which ascend. Names of a list last until the next.
func (r *rows[P]) appendOpenings(positions []P, keep []int) {
	name, from := "", 0
	for _, ply := range keep {
		if r.listed {
			for ; from <= ply; from++ {
				if next := r.names.OpeningName(positions[from]); next != "" {
					name = next
				}
			}
		} else {
			name = r.names.OpeningName(positions[ply])
		}
		r.opening.AppendText([]byte(name))
	}
}

// close makes a row group of the rows so far, if there are enough.
func (r *rows[P]) close() error {
	if r.batch.Rows < rowGroupRows {
		return nil
	}
	return r.batch.Flush()
}

// appendItems appends the elements of a row's list that were recorded so many plies before each in keep, nulls without one.
func appendItems(to, list *columns.Vec, row int, keep []int, before int) {
	if list.IsNull(row) {
		to.AppendNulls(len(keep))
		return
	}
	for _, ply := range keep {
		x, known := list.Item(row, ply-before)
		to.AppendInt32If(x, known)
	}
}

// appendTimes appends a row n times.
func appendTimes(to, from *columns.Vec, row, n int) {
	if from.IsNull(row) {
		to.AppendNulls(n)
		return
	}
	for range n {
		to.AppendFrom(from, row)
	}
}

// appendTallies appends the columns of dedup for the positions just appended.
func (r *rows[P]) appendTallies(tallies []tally) {
	for i := range tallies {
		t := &tallies[i]
		r.occurrences.AppendInt32(t.results[0] + t.results[1] + t.results[2] + t.results[3])
		r.firstWins.AppendInt32(t.results[games.FirstWins])
		r.draws.AppendInt32(t.results[games.Drawn])
		r.secondWins.AppendInt32(t.results[games.SecondWins])
	}
}
