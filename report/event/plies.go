package event

import (
	"bytes"
	"context"
	"hash/fnv"
	"math"
	"sync"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/internal/splitmix"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

// side is a player's side of a game.
type side struct {
	game          int64
	player, day   uint64 // hashes of the player's name, and of that with the date
	sign          int8   // 1: the first player
	score         float64
	rating, other float64 // the player's and the opponent's
	moves         int
}

// ply is a move of a side; what is not known of it is NaN.
type ply struct {
	value, loss  float32
	clock, spent float64
}

// block holds sides of games and their moves, one side after the other.
type block struct {
	sides []side
	plies []ply
	rows  *columns.Batch // of the moves, the columns that the condition reads
}

// blockMoves is about how many moves the database judges at once: a statement costs it some milliseconds.
const blockMoves = 1 << 18

// gameColumns are the columns of games that moves are made of.
var gameColumns = []string{"game_id", "first_player", "second_player", "first_elo", "second_elo", "date", "increment_ms", "variant", "start_position", "result", "ply_count", "evals", "clocks_ms"}

// reading reads the moves of games, as the query of event.sql returns them.
type reading struct {
	games  *datasets.Dir
	rules  board.Game // nil: not known
	filter *query.Filter
	lost   bool             // the condition has lost_before
	losses map[uint64]int64 // games lost so far, by player and day
	last   int64
	free   sync.Pool // of blocks
	blocks []*block  // that are to be judged
	moves  int       // in these
}

func newReading(ctx context.Context, games *datasets.Dir, filter *query.Filter) *reading {
	return &reading{games: games, rules: board.Named(ctx, games.Manifest.Meta["game"]), filter: filter, lost: filter.Columns().Index("lost_before") >= 0, losses: map[uint64]int64{}, last: -1}
}

// read calls take with the moves of each side, and whether the event holds in them. The two sides of a game follow each other.
func (r *reading) read(ctx context.Context, workers int, take func(s *side, plies []ply, events []bool)) error {
	batches := datasets.Batches(r.games.Table, workers, gameColumns...)
	err := datasets.Each(ctx, r.games, workers, "event", "games", func(worker int, g datasets.Group, emit func(*block) error) error {
		b := batches[worker]
		if err := g.Read(b); err != nil {
			return err
		}
		return r.sides(b, emit)
	}, func(b *block) error {
		if err := r.gather(b); err != nil || r.moves < blockMoves {
			return err
		}
		return r.judge(ctx, take)
	})
	if err != nil {
		return err
	}
	return r.judge(ctx, take)
}

// gather keeps a block that is to be judged.
func (r *reading) gather(b *block) error {
	for i := range b.sides {
		s := &b.sides[i]
		if s.game < r.last {
			return sheet.Errorf("game %d comes after game %d: sort the games first (kifu sort)", s.game, r.last)
		}
		r.last = s.game
	}
	if r.lost {
		r.count(b)
	}
	r.blocks, r.moves = append(r.blocks, b), r.moves+len(b.plies)
	return nil
}

// judge calls take with the sides of the blocks.
func (r *reading) judge(ctx context.Context, take func(s *side, plies []ply, events []bool)) error {
	events, err := r.filter.SelectAll(ctx, lists.Of(r.blocks, func(b *block) *columns.Batch { return b.rows }))
	if err != nil {
		return err
	}
	for _, b := range r.blocks {
		plies := b.plies
		for i := range b.sides {
			n := b.sides[i].moves
			take(&b.sides[i], plies[:n], events[:n])
			plies, events = plies[n:], events[n:]
		}
		r.free.Put(b)
	}
	r.blocks, r.moves = r.blocks[:0], 0
	return nil
}

// count counts the games that a player lost before on the same day.
func (r *reading) count(b *block) {
	v := b.rows.Col("lost_before")
	for i := range b.sides {
		s := &b.sides[i]
		n := r.losses[s.day]
		for range s.moves {
			v.AppendInt64(n)
		}
		if s.score == 0 {
			r.losses[s.day]++
		}
	}
}

// block returns an empty block.
func (r *reading) block() *block {
	b, _ := r.free.Get().(*block)
	if b == nil {
		b = &block{rows: columns.NewBatch(r.filter.Columns())}
	}
	b.sides, b.plies = b.sides[:0], b.plies[:0]
	b.rows.Reset()
	return b
}

// gameRows are rows of games.
type gameRows struct {
	rules                                                  board.Game
	id                                                     []int64
	plies                                                  []int32
	players, ratings                                       [2]*columns.Vec
	date, increment, variant, start, result, evals, clocks *columns.Vec
}

// sides emits the sides of games.
func (r *reading) sides(b *columns.Batch, emit func(*block) error) error {
	g := gameRows{rules: r.rules, id: b.Col("game_id").Int64, plies: b.Col("ply_count").Int32, players: [2]*columns.Vec{b.Col("first_player"), b.Col("second_player")},
		ratings: [2]*columns.Vec{b.Col("first_elo"), b.Col("second_elo")}, date: b.Col("date"), increment: b.Col("increment_ms"), variant: b.Col("variant"), start: b.Col("start_position"),
		result: b.Col("result"), evals: b.Col("evals"), clocks: b.Col("clocks_ms")}
	to := r.block()
	for row := range b.Rows {
		for _, sign := range []int8{-1, 1} { // as the query orders them for lost_before
			g.add(to, row, sign)
		}
		if len(to.plies) >= blockMoves {
			if err := emit(to); err != nil {
				return err
			}
			to = r.block()
		}
	}
	return emit(to)
}

// add adds a side of a game, unless its player is unknown.
func (g *gameRows) add(to *block, row int, sign int8) {
	own := 0 // of players and ratings
	if sign < 0 {
		own = 1
	}
	name := g.players[own].Value(row)
	if len(name) == 0 {
		return
	}
	s := side{game: g.id[row], player: hashOf(name), sign: sign, score: math.NaN(), rating: g.ratings[own].Number(row), other: g.ratings[1-own].Number(row)}
	s.day = splitmix.Mix(s.player + splitmix.Golden)
	if !g.date.IsNull(row) {
		s.day = splitmix.Mix(s.player ^ hashOf(g.date.Value(row)))
	}
	switch string(g.result.Value(row)) {
	case "first":
		s.score = float64(1 - own)
	case "second":
		s.score = float64(own)
	case "draw":
		s.score = 0.5
	}
	from := len(to.plies)
	to.plies = g.side(to.plies, row, own, sign)
	s.moves = len(to.plies) - from
	to.sides = append(to.sides, s)
	to.rows.Rows += s.moves
	for i := range to.rows.Cols {
		g.column(&to.rows.Cols[i], row, own, to.plies[from:])
	}
}

// turn returns the index of a side's first move.
func (g *gameRows) turn(row, own int) int {
	if g.secondBegins(row) {
		return 1 - own
	}
	return own
}

// secondBegins reports whether the second player moves first, as the macro of this name does.
func (g *gameRows) secondBegins(row int) bool {
	if g.start.IsNull(row) || g.rules == nil {
		return bytes.Contains(g.variant.Value(row), []byte("handicap"))
	}
	at, err := g.rules.Start(string(g.variant.Value(row)), string(g.start.Value(row)))
	return err == nil && at.ToMove() == games.Second
}

// side appends the moves of a side.
func (g *gameRows) side(to []ply, row, own int, sign int8) []ply {
	increment := int64(0)
	if !g.increment.IsNull(row) {
		increment = int64(g.increment.Int32[row])
	}
	evals, clocks := itemsOf(g.evals, row), itemsOf(g.clocks, row)
	for k := g.turn(row, own); k < int(g.plies[row]); k += 2 {
		p := ply{nan32, nan32, math.NaN(), math.NaN()}
		if before, known := evals.at(k - 1); known {
			value := bounded(before, sign)
			p.value = float32(value)
			if after, known := evals.at(k); known {
				p.loss = float32(max(0, value-bounded(after, sign)))
			}
		}
		if before, known := clocks.at(k - 2); known {
			p.clock = float64(before) / 1000
			if after, known := clocks.at(k); known {
				p.spent = float64(max(0, int64(before)-int64(after)+increment)) / 1000
			}
		}
		to = append(to, p)
	}
	return to
}

// items are the numbers of a list, of which some are not known.
type items struct {
	x     []int32
	known []bool
}

func itemsOf(v *columns.Vec, row int) items {
	if v.IsNull(row) {
		return items{}
	}
	from, to := v.List(row)
	return items{v.Int32[from:to], v.ItemOK[from:to]}
}

// at returns what columns.Vec.Item does.
func (l items) at(k int) (x int32, known bool) {
	if uint(k) >= uint(len(l.x)) || !l.known[k] {
		return 0, false
	}
	return l.x[k], true
}

var nan32 = float32(math.NaN())

// bounded is a value for the mover, within ±mostValue.
func bounded(value int32, sign int8) int32 {
	return max(-mostValue, min(mostValue, int32(sign)*value))
}

// hashOf hashes a text.
func hashOf(text []byte) uint64 {
	h := fnv.New64a()
	h.Write(text)
	return splitmix.Mix(h.Sum64())
}

// column appends a column of the moves of a side, but for lost_before, which count appends.
func (g *gameRows) column(v *columns.Vec, row, own int, plies []ply) {
	switch v.Column.Name {
	case "value":
		for i := range plies {
			appendNumber(v, float64(plies[i].value))
		}
	case "loss":
		for i := range plies {
			appendNumber(v, float64(plies[i].loss))
		}
	case "clock":
		for i := range plies {
			appendNumber(v, plies[i].clock)
		}
	case "spent":
		for i := range plies {
			appendNumber(v, plies[i].spent)
		}
	case "ply":
		first := g.turn(row, own)
		for i := range plies {
			v.AppendInt64(int64(first + 1 + 2*i))
		}
	case "move":
		for i := range plies {
			v.AppendInt64(int64(i + 1))
		}
	case "rating":
		appendTimes(v, g.ratings[own], row, len(plies))
	case "opponent_rating":
		appendTimes(v, g.ratings[1-own], row, len(plies))
	case "player":
		appendTimes(v, g.players[own], row, len(plies))
	case "opponent":
		appendTimes(v, g.players[1-own], row, len(plies))
	case "date":
		appendTimes(v, g.date, row, len(plies))
	}
}

// appendNumber appends a number, null if it is NaN.
func appendNumber(v *columns.Vec, x float64) {
	known := x == x
	if !known {
		x = 0
	}
	v.Float64, v.Valid = append(v.Float64, x), append(v.Valid, known)
}

// appendTimes appends what w has in a row n times.
func appendTimes(v, w *columns.Vec, row, n int) {
	for range n {
		v.AppendFrom(w, row)
	}
}

// moveColumns are the columns that a condition may name; what comes later in the game is none of them.
func moveColumns() schemas.Table {
	t := schemas.Table{Name: "moves"}
	for _, c := range []struct {
		of    schemas.Type
		names []string
	}{{schemas.Float64, []string{"value", "loss", "clock", "spent"}}, {schemas.Int64, []string{"move", "ply", "lost_before"}}, {schemas.Int32, []string{"rating", "opponent_rating"}}, {schemas.String, []string{"player", "opponent", "date"}}} {
		for _, name := range c.names {
			t.Columns = append(t.Columns, schemas.Column{Name: name, Type: c.of, Nullable: true, Repeats: c.of == schemas.String})
		}
	}
	return t
}
