package export

import (
	"bytes"
	"kifu/datasets/columns"
	"kifu/datasets/manifest"
	"kifu/games"
	"kifu/schemas"
)

// Game is a replayed game as a Record writes it. Its memory belongs to the caller and
// is reused.
type Game struct {
	// First, Second, … Opening are the columns of that name; nil where they are null.
	First, Second, Event, Site, Round, Date, TimeControl, Termination, Opening []byte

	FirstElo, SecondElo int32  // 0 when null
	Variant             []byte // nil for the game's usual one
	Start               []byte // nil for the variant's usual start
	From                []byte // the start as text, whether usual or not; nil if it is the game's usual one
	FirstToMove         bool   // at the start
	Result              games.Outcome
	Score               int32  // of the final position: the first player's points minus the second's, hundredths
	Ending              string // the rule by which the side to move has lost in the final position ("checkmate"), where nothing is recorded; else empty
	Scored              bool   // there is such a score: the moves go to the end, in a game that counts points
	Moves               []Move
	Annotations         []schemas.Annotation // in the order of their plies
	Cut                 []byte               // why the moves end early; nil for a whole game
	Tags                []Tag                // all other tags, as written
	// AllTags: tags that follow from the moves are wanted; Code and Name belong to the last position
	// in the game's list of openings, empty without one.
	AllTags    bool
	Code, Name string
}

// Tag is a tag that no column has taken.
type Tag struct{ Name, Value []byte }

// Tag returns the value of a tag that no column has taken.
func (g *Game) Tag(name string) (value []byte, ok bool) {
	for i := range g.Tags {
		if string(g.Tags[i].Name) == name {
			return g.Tags[i].Value, true
		}
	}
	return nil, false
}

// Begins returns the side that begins.
func (g *Game) Begins() games.Side {
	if g.FirstToMove {
		return games.First
	}
	return games.Second
}

// Mover returns the side to move at the end.
func (g *Game) Mover() games.Side { return (g.Begins() + games.Side(len(g.Moves))) & 1 }

// Wins returns 1 if the side to move at the end has won, -1 if the other has, 0 for a draw, 2 for no result.
func (g *Game) Wins() int {
	switch g.Result {
	case games.Drawn:
		return 0
	case games.WinFor(g.Mover()):
		return 1
	case games.WinFor(g.Mover().Other()):
		return -1
	}
	return 2
}

// Ended returns why the game ended: Termination, or checkmate where nothing is recorded and the loser is mated.
func (g *Game) Ended() string {
	if g.Ending == checkmate {
		return checkmate
	}
	return string(g.Termination)
}

// checkmate is the name of that end in records and in rules.
const checkmate = "checkmate"

// DateTime returns the date with slashes, and the time of the tag of that name behind it; nothing without a date.
func (g *Game) DateTime() []byte {
	date, unread := g.Tag("Date")
	if !unread {
		date = bytes.ReplaceAll(g.Date, []byte("-"), []byte("/"))
	}
	if time, timed := g.Tag("Time"); timed && len(date) > 0 {
		date = append(append(date[:len(date):len(date)], ' '), time...)
	}
	if len(date) == 0 {
		return nil
	}
	return date
}

// Move is a move with what its comment said.
type Move struct {
	Text               []byte // as the rules write it for the format, else as they write it
	Value              int32  // first player's side, hundredths; a mate in n is ±(32000-n)
	Clock              int32  // milliseconds left to the mover
	HasValue, HasClock bool
	Depth              int32 // that a program reported, 0 for none
	Time               int32 // milliseconds that the move took
	HasTime            bool
}

var (
	// replayColumns are the columns that a replay reads.
	replayColumns = []string{"game_id", "variant", "start_position", "result", "moves"}
	recordColumns = append([]string{"first_player", "second_player", "first_elo", "second_elo", "event", "site",
		"round", "date", "time_control", "opening", "termination", "cut", "evals", "clocks_ms", "annotations", "depths", "times_ms", "tags"}, replayColumns...)
)

// replayer replays the games of a dataset.
type replayer[P games.Position[P]] struct {
	rules    games.Rules[P]
	scorer   games.Scorer[P] // nil if the game counts no points
	replay   games.Replay[P]
	usual    string                  // the variant that needs no name
	openings games.ListedOpenings[P] // nil unless their names are written
	unroller *games.Unroller[P]
	write    func(dst []byte, p P, m games.Move) []byte // a move, as the format has it

	game  Game
	texts []byte // the moves' texts, end to end
	from  []byte // the start's text
	line  Position

	bare      bool      // without annotations
	annotator Annotator // nil if the format has none
}

func newReplayer[P games.Position[P]](rules games.Rules[P]) *replayer[P] {
	r := &replayer[P]{rules: rules, unroller: games.NewUnroller(rules), replay: rules.NewReplay(), write: rules.AppendMove}
	r.scorer, _ = rules.(games.Scorer[P])
	if _, usual, err := rules.Start("", ""); err == nil {
		r.usual = usual
	}
	return r
}

// start returns the start position of game i.
func (r *replayer[P]) start(in *columns.Batch, i int) (P, error) {
	return r.unroller.Start(in.Col("variant").Value(i), value(in, "start_position", i))
}

// eachMove replays game i and calls visit with every position and the move played there.
// It returns the final position.
func (r *replayer[P]) eachMove(in *columns.Batch, i int, visit func(p P, m games.Move)) (P, error) {
	p, err := r.start(in, i)
	if err != nil {
		return p, err
	}
	return r.unroller.Play(p, in.Col("moves").Value(i), visit)
}

// record writes whole games.
func (r *replayer[P]) record(format Record, p Params) rowWriter {
	r.bare = p.Bare
	r.annotator, _ = format.(Annotator)
	if p.AllTags {
		r.game.AllTags = true
		r.openings, _ = r.rules.(games.ListedOpenings[P])
	}
	if styles, ok := r.rules.(games.Styles[P]); ok {
		r.write = func(dst []byte, p P, m games.Move) []byte {
			text, ok := styles.AppendStyle(dst, format.Name(), p, m)
			if !ok {
				text = r.rules.AppendMove(dst, p, m)
			}
			return text
		}
	}
	checker, _ := format.(Checker)
	return func(dst []byte, in *columns.Batch, i int, s start, counts *manifest.Counts) ([]byte, error) {
		if err := r.fill(in, i, s, counts); err != nil {
			return dst, err
		}
		if checker != nil {
			if err := checker.Check(&r.game); err != nil {
				return dst, err
			}
		}
		counts.Written++
		return format.Append(dst, &r.game), nil
	}
}

// fill makes r.game of row i, from s on.
func (r *replayer[P]) fill(in *columns.Batch, i int, s start, counts *manifest.Counts) error {
	start, err := r.start(in, i)
	if err != nil {
		return err
	}
	g := &r.game
	*g = Game{Moves: g.Moves[:0], Annotations: g.Annotations[:0], Tags: g.Tags[:0], AllTags: g.AllTags,
		First: value(in, "first_player", i), Second: value(in, "second_player", i),
		Event: value(in, "event", i), Site: value(in, "site", i), Round: value(in, "round", i), Date: value(in, "date", i),
		TimeControl: value(in, "time_control", i), Termination: value(in, "termination", i), Opening: value(in, "opening", i), Cut: value(in, "cut", i),
		FirstElo: elo(in, "first_elo", i), SecondElo: elo(in, "second_elo", i),
		Start: value(in, "start_position", i), FirstToMove: start.ToMove() == games.First,
		Result: games.OutcomeNamed(in.Col("result").Value(i)),
	}
	if v := in.Col("variant").Value(i); string(v) != r.usual {
		g.Variant = v
	}
	if g.Start != nil || g.Variant != nil {
		r.from = r.rules.AppendPosition(r.from[:0], start)
		g.From = r.from
	}
	r.texts = r.texts[:0]
	ply, begun := int32(0), error(nil)
	end, err := r.eachMove(in, i, func(p P, m games.Move) {
		if ply == s.ply {
			p, begun = r.begin(s, p)
		}
		r.name(p)
		if ply++; ply <= s.ply {
			return
		}
		from := len(r.texts)
		r.texts = r.write(r.texts, p, m)
		g.Moves = append(g.Moves, Move{Text: r.texts[from:]})
	})
	if err != nil {
		return err
	}
	if ply == s.ply {
		_, begun = r.begin(s, end)
	}
	switch {
	case ply < s.ply:
		return tooShort
	case begun != nil:
		return begun
	}
	r.name(end)
	if r.scorer != nil {
		g.Score, g.Scored = r.scorer.Score(end)
	}
	if g.Termination == nil && g.Wins() == -1 {
		r.replay.Reset(end)
		_, g.Ending = r.replay.Outcome()
	}
	// The buffer may have moved while it grew: cut the texts again.
	at := 0
	for k := range g.Moves {
		end := at + len(g.Moves[k].Text)
		g.Moves[k].Text = r.texts[at:end]
		at = end
	}
	eachItem(in.Col("evals"), i, s.ply, g.Moves, func(m *Move, v int32) { m.Value, m.HasValue = v, true })
	eachItem(in.Col("clocks_ms"), i, s.ply, g.Moves, func(m *Move, v int32) { m.Clock, m.HasClock = v, true })
	eachItem(in.Col("depths"), i, s.ply, g.Moves, func(m *Move, v int32) { m.Depth = v })
	eachItem(in.Col("times_ms"), i, s.ply, g.Moves, func(m *Move, v int32) { m.Time, m.HasTime = v, true })
	if err := r.annotate(value(in, "annotations", i), s.ply, counts); err != nil {
		return err
	}
	tags := in.Col("tags")
	for j, to := tags.List(i); j < to; j += 2 {
		g.Tags = append(g.Tags, Tag{tags.Text(j), tags.Text(j + 1)})
	}
	return nil
}

// name notes the opening of p, if it is listed.
func (r *replayer[P]) name(p P) {
	if r.openings == nil {
		return
	}
	if code, name := r.openings.OpeningCode(p), r.openings.OpeningName(p); code != name { // without codes the column has it
		r.game.Code, r.game.Name = code, name
	}
}

// eachItem calls set for the elements of row i, but the first skip of them, that are not null;
// list is nil for a column that the dataset does not have.
func eachItem(list *columns.Vec, i int, skip int32, moves []Move, set func(m *Move, v int32)) {
	if list == nil || list.IsNull(i) {
		return
	}
	from, to := list.List(i)
	from += int(skip)
	for k := from; k < to && k-from < len(moves); k++ {
		if list.ItemOK[k] {
			set(&moves[k-from], list.Int32[k])
		}
	}
}

// value returns a text of row i, nil when it is null.
func value(in *columns.Batch, column string, i int) []byte {
	return cell(in.Col(column), i)
}

// cell returns row i of a column; nil for none.
func cell(v *columns.Vec, i int) []byte {
	if v == nil || v.IsNull(i) { // datasets of before lack columns
		return nil
	}
	return v.Value(i)
}

func elo(in *columns.Batch, column string, i int) int32 {
	v := in.Col(column)
	if v.IsNull(i) {
		return 0
	}
	return v.Int32[i]
}
