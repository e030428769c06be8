package opening

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"kifu/datasets"
	"kifu/datasets/tree"
	"kifu/games"
	"kifu/games/board"
	"kifu/internal/lists"
	"kifu/query"
	"kifu/report/sheet"
	"kifu/schemas"
)

//go:embed tree.sql
var treeTemplate string

// treeSQL is the data of tree.sql.
type treeSQL struct {
	View     string
	MinGames int
	Filter   tree.Filter
}

// ofTree makes the report of a tree of kifu tree: of the moves in positions that shown moves reach from the usual
// start. A position counts once there, however many moves came before it, and is shown at the smallest number.
func ofTree(ctx context.Context, p Params, in []*datasets.Dir) (*report, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	d := in[0]
	switch {
	case len(in) > 1:
		return nil, sheet.Errorf("%s is a tree, which must be the only dataset: for players name games instead, for values also labels (kifu transform, kifu label)", d.Path)
	case p.Player != "":
		return nil, sheet.Errorf("%s is a tree, which has no players: name games instead", d.Path)
	}
	filter, err := tree.FilterOf(p.MinElo, p.MaxElo, p.From, p.To)
	if err != nil {
		return nil, sheet.Errorf("%s: %w", d.Path, err)
	}
	t, err := tree.Open(d)
	if err != nil {
		return nil, err
	}
	if p.Depth > t.Depth || p.MinGames < t.MinGames {
		return nil, sheet.Errorf("%s has %d plies and positions of at least %d games: change --depth or --min-games, or make it again (kifu tree --depth %d --min-games %d)", d.Path, t.Depth, t.MinGames, p.Depth, p.MinGames)
	}
	o := &report{Params: p, Nodes: map[spot]*node{}, Game: d.Manifest.Meta["game"], Tree: t}
	if o.Rules = board.Named(ctx, o.Game); o.Rules == nil {
		return nil, fmt.Errorf("%s: no game %q", d.Path, o.Game)
	}
	o.q.Merged = o.Rules.Layout().Symmetric
	names := sheet.UniqueNames(p.Sources)
	o.Sources = []sheet.Source{{Name: names[0], Key: d.Manifest.Key, Rows: d.Rows()}}
	if o.SQL, err = sheet.Fill("tree.sql", treeTemplate, treeSQL{query.View(names[0]), p.MinGames, filter}); err != nil {
		return nil, err
	}
	w := &walker{report: o, filter: filter, shown: map[uint64]uint64{}, boards: map[spot]board.Board{}}
	w.texts.number("") // is noText
	if err := w.walk(ctx); err != nil {
		return nil, err
	}
	if err := o.join(w.moves, &w.texts, w.boards, nil); err != nil {
		return nil, err
	}
	return o, o.judge(ctx, &stream{report: o})
}

// walker goes through a tree, ply by ply.
type walker struct {
	*report
	filter tree.Filter
	texts  texts
	shown  map[uint64]uint64 // by form: the hash of the image that is shown
	boards map[spot]board.Board
	moves  []shownMove // with a form as child, until all are known
}

// form is a position with its mirror images and rotations, where these are one.
type form struct {
	images []board.Board
	name   string // of the opening
	moves  []*tree.Move
}

// newForm returns the form of a position.
func (w *walker) newForm(b board.Board, name string) *form {
	if w.q.Merged {
		return &form{images: board.Alike(w.Rules, b), name: name}
	}
	return &form{images: []board.Board{b}, name: name}
}

// walk finds the moves that are shown.
func (w *walker) walk(ctx context.Context) error {
	start, err := w.Rules.Start("", "")
	if err != nil {
		return err
	}
	level := map[uint64]*form{board.Canonical(start): w.newForm(start, start.Opening(""))}
	for ply := 0; len(level) > 0; ply++ {
		if level, err = w.level(ctx, ply, level); err != nil {
			return err
		}
	}
	for i := range w.moves {
		w.moves[i].child = w.shown[w.moves[i].child]
	}
	sortMoves(w.moves, &w.texts)
	return nil
}

// level takes the moves of the positions of a ply, and returns the forms of those that come after them and did not come before.
func (w *walker) level(ctx context.Context, ply int, at map[uint64]*form) (map[uint64]*form, error) {
	var hashes []uint64
	of := map[uint64]*form{}
	for _, f := range at {
		for _, b := range f.images {
			hashes = append(hashes, b.Hash())
			of[b.Hash()] = f
		}
	}
	moves, err := w.Tree.Moves(ctx, hashes, w.filter)
	if err != nil {
		return nil, err
	}
	for _, m := range moves {
		of[m.Hash].moves = append(of[m.Hash].moves, m)
	}
	var after []childOf
	for _, key := range slices.Sorted(maps.Keys(at)) {
		shown := at[key].shown()
		w.shown[key] = shown.Hash()
		if ply == w.Params.Depth {
			continue
		}
		next, err := w.position(spot{int64(ply), shown.Hash()}, at[key], shown)
		if err != nil {
			return nil, err
		}
		after = append(after, next...)
	}
	// A lasting name comes from the move that brought most games.
	slices.SortStableFunc(after, func(a, b childOf) int { return cmp.Compare(b.games, a.games) })
	next := map[uint64]*form{}
	for _, c := range after {
		if _, known := w.shown[c.form]; !known && next[c.form] == nil {
			next[c.form] = w.newForm(c.Board, c.name)
		}
	}
	return next, nil
}

// shown is the image that most games have.
func (f *form) shown() board.Board {
	games := map[uint64]int64{}
	for _, m := range f.moves {
		games[m.Hash] += m.Games
	}
	return slices.MaxFunc(f.images, func(a, b board.Board) int {
		return cmp.Or(cmp.Compare(games[a.Hash()], games[b.Hash()]), cmp.Compare(a.Hash(), b.Hash()))
	})
}

// childOf is the position after a move that is shown.
type childOf struct {
	board.Board
	form  uint64
	name  string
	games int64
}

// class sums up the moves that are one by the symmetries of a position.
type class struct {
	edgeSum
	text string // as most games with the shown image write it
	most int64  // these games
}

// position takes the moves of a position whose image as is shown.
func (w *walker) position(at spot, f *form, as board.Board) (after []childOf, err error) {
	images := lists.By(f.images, board.Board.Hash)
	classes, total := map[string]*class{}, int64(0)
	for _, m := range f.moves {
		if m.Move == "" {
			continue
		}
		from := images[m.Hash]
		played, err := from.Find(m.Move)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w in %s", w.Sources[0].Name, m.Move, err, from.AppendText(nil))
		}
		text := board.MoveAs(played, from, as)
		if classes[text] == nil {
			classes[text] = &class{text: text}
		}
		c := classes[text]
		sum, err := sumOf(m, as.ToMove())
		if err != nil {
			return nil, err
		}
		c.add(sum)
		total += m.Games
		if m.Hash == at.hash && cmp.Or(cmp.Compare(m.Games, c.most), cmp.Compare(m.Move, c.text)) > 0 {
			c.text, c.most = m.Move, m.Games
		}
	}
	w.boards[at] = as
	for _, text := range slices.Sorted(maps.Keys(classes)) {
		c := classes[text]
		if c.games < int64(w.Params.MinGames) {
			continue
		}
		m, err := as.Find(text)
		if err != nil {
			return nil, err
		}
		b := m.Play()
		if c.rated < c.games { // the tree does not have the points of the rated games
			c.rated, c.ratedHalves, c.other = 0, 0, 0
		}
		name := b.Opening(f.name)
		w.q.Named = w.q.Named || name != ""
		key := edgeKey{moveKey: moveKey{at, w.texts.number(c.text)}, child: board.Canonical(b), first: as.ToMove() == games.First}
		w.moves = append(w.moves, shownMove{edgeKey: key, edgeSum: c.edgeSum, total: total, name: w.texts.number(name)})
		after = append(after, childOf{b, key.child, name, c.games})
	}
	return after, nil
}

// sumOf returns what a tree has of a move.
func sumOf(m *tree.Move, mover games.Side) (edgeSum, error) {
	own, other, wins, losses := 0, 1, m.First, m.Second
	if mover == games.Second {
		own, other, wins, losses = 1, 0, losses, wins
	}
	s := edgeSum{games: m.Games, wins: wins, draws: m.Draws, losses: losses, own: m.EloSum[own], owns: m.EloGames[own]}
	if wins+m.Draws+losses == m.Games && m.EloGames[other] == m.Games {
		s.other, s.rated, s.ratedHalves = m.EloSum[other], m.Games, 2*wins+m.Draws
	}
	if m.LastDate == "" {
		return s, nil
	}
	var ok bool
	if s.date, ok = schemas.DateOf([]byte(m.LastDate)); !ok {
		return s, fmt.Errorf("the tree has an invalid date %q: make it again with kifu tree --force", m.LastDate)
	}
	return s, nil
}
