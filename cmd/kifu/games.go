package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"kifu/datasets"
	"kifu/eval"
	evalchess "kifu/eval/chess"
	evaldraughts "kifu/eval/draughts"
	evalnetwork "kifu/eval/network"
	evalothello "kifu/eval/othello"
	"kifu/eval/pattern"
	evalshogi "kifu/eval/shogi"
	evaltictactoe "kifu/eval/tictactoe"
	evalweiqi "kifu/eval/weiqi"
	"kifu/explore"
	"kifu/export"
	exportnnue "kifu/export/nnue"
	"kifu/find"
	"kifu/fit"
	"kifu/fit/conjunctions"
	"kifu/games"
	"kifu/games/board"
	"kifu/games/chess"
	"kifu/games/chess/syzygy"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/tictactoe"
	"kifu/games/weiqi"
	"kifu/ingest"
	"kifu/ingest/baduk"
	"kifu/ingest/csa"
	"kifu/ingest/csv"
	"kifu/ingest/fens"
	"kifu/ingest/ggf"
	"kifu/ingest/hcpe"
	"kifu/ingest/jkf"
	"kifu/ingest/kif"
	"kifu/ingest/lines"
	"kifu/ingest/ndjson"
	"kifu/ingest/nnue"
	"kifu/ingest/pdn"
	"kifu/ingest/pgn"
	"kifu/ingest/record"
	"kifu/ingest/sgf"
	"kifu/ingest/usi"
	"kifu/ingest/wthor"
	"kifu/label"
	"kifu/label/patterns"
	"kifu/players/chunks"
	"kifu/players/evolve"
	"kifu/players/identify"
	"kifu/players/learn"
	"kifu/players/match"
	"kifu/search"
	"kifu/search/signature"
	"kifu/transform"
	"kifu/transform/clean"
)

// table is every game that kifu knows, one line each. It is the only place where
// games meet stages.
//
// A game that shares a format with others is told from them by the format (its GameOf).
var table = []game{
	bind(chess.Rules{}, evalchess.New, evalchess.Default, facts{wide: true, endings: openSyzygy,
		read: records(pgn.Format(), ndjson.Format(), csv.Format(), lines.Moves(), fens.Format(), nnue.Plain(), nnue.Binpack(), nnue.Bullet()), write: export.Formats{Record: export.PGN{}, Line: export.EPD{}, Lines: []export.Line{export.FEN{}, exportnnue.Plain{}, exportnnue.Binpack{}, exportnnue.Bullet{}, exportnnue.Bullet{Text: true}}}}),
	bindCheckers(facts{
		read: records(pdn.Format()), write: export.Formats{Record: export.PDN{GameType: "21", BlackFirst: true}, Line: export.FEN{}}}),
	bindNamed(draughts.International, facts{
		read: records(pdn.Format()), write: export.Formats{Record: export.PDN{GameType: "20"}, Line: export.FEN{}},
		protocol: "hub"}),
	bindDraughts(draughts.Russian, export.PDN{GameType: "25"}),
	bindDraughts(draughts.Brazilian, export.PDN{GameType: "26"}),
	bindDraughts(draughts.Italian, export.PDN{GameType: "22"}),
	bindDraughts(draughts.Frisian, export.PDN{GameType: "40"}),
	bindDraughts(draughts.Giveaway, export.PDN{BlackFirst: true}, "checkers"), // PDN has no number for giveaway
	bind(othello.Rules{}, evalothello.New, evalothello.Default, facts{
		read: records(wthor.Format(), ggf.Format(), sgf.Format(), lines.Transcripts(), fens.Boards()), write: export.Formats{Record: export.GGF{}, Line: export.OBF{}}}),
	bind(weiqi.Rules{}, evalweiqi.New, evalweiqi.Default, facts{wide: true,
		read: records(sgf.Format(), baduk.GIB(), baduk.NGF(), baduk.UGF()), write: export.Formats{Record: export.SGF{}, Line: export.FEN{}},
		protocol: "gtp"}),
	bind(shogi.Rules{}, evalshogi.New, evalshogi.Default, facts{wide: true,
		read: records(csa.Format(), kif.Format(), usi.Format(), jkf.Format(), hcpe.Format(), hcpe.PSV()), write: shogiFormats(),
		protocol: "usi"}),
	bind(tictactoe.Rules{}, evaltictactoe.New, evaltictactoe.Default, facts{
		read: records(pgn.Format()), write: export.Formats{Record: export.PGN{Game: "tictactoe"}, Line: export.FEN{}}}),
}

// facts holds what the stages need to know of a game besides its rules and its evaluator.
type facts struct {
	read  []*record.Format // its records come in; the order in which they are tried
	also  []string         // games whose name its records may bear, too
	write export.Formats
	// protocol is the protocol of outside programs that play this game and no other: "gtp",
	// "hub", "usi"; empty if they speak UCI.
	protocol string
	// wide says that positions have some thirty moves or more, so that learn looks one ply
	// less ahead unless it is asked to be thorough.
	wide bool
	// endings opens the tables of endings in directories; nil if there are none for the game.
	endings func(dirs string) (endings, error)
}

// endings are tables of endings with names.
type endings interface {
	match.Tables
	Names() []string
}

func openSyzygy(dirs string) (endings, error) { return syzygy.Open(dirs) }

// shogiFormats returns the formats of Shogi; the names of handicaps in KIF are those of its rules.
func shogiFormats() export.Formats {
	names, presets := map[string]string{}, map[string]string{}
	for _, h := range shogi.Handicaps {
		names[h.Name] = h.Japanese
		if preset, known := jkf.PresetOf(h.Japanese); known {
			presets[h.Name] = preset
		}
	}
	return export.Formats{Record: export.CSA{}, Line: export.FEN{}, Lines: []export.Line{export.Packed{Letters: shogi.Letters}, export.Packed{PSV: true, Letters: shogi.Letters}},
		More: []export.Record{export.KIF{Handicaps: names}, export.KIF{KI2: true, Handicaps: names}, export.JKF{Presets: presets}, export.HCPE{}, export.HCPE{PSV: true}, export.SFEN{}}}
}

func records(formats ...*record.Format) []*record.Format { return formats }

// bindDraughts binds a variant whose games are PDN; its records may bear the names in also, too.
func bindDraughts(r draughts.Rules, written export.PDN, also ...string) game {
	e := evaldraughts.Of(r)
	return bind(r, e.New, e.Default, facts{also: also,
		read: records(pdn.Format()), write: export.Formats{Record: written, Line: export.FEN{}}})
}

// bindNamed binds a variant whose openings have names.
func bindNamed(r draughts.Rules, f facts) game {
	e := evaldraughts.Of(r)
	return bind(draughts.Named{Rules: r}, e.New, e.Default, f)
}

// bindCheckers binds checkers, whose openings have names and whose weights may be those of a network.
func bindCheckers(f facts) game {
	e := evaldraughts.Of(draughts.Checkers)
	evaluator := func(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
		if m.Network != nil {
			return evalnetwork.New(m)
		}
		return e.New(m)
	}
	g := bind(draughts.Named{Rules: draughts.Checkers}, evaluator, e.Default, f)
	g.network = &evolve.Network{Weights: evalnetwork.Weights, Model: evalnetwork.Model}
	return g
}

// game has what the commands ask of a game, with its position type bound away.
type game struct {
	name      string
	columns   []games.Column // of positions
	named     bool           // positions tell the opening's name
	ingest    ingest.Game
	protocol  string // of outside programs, as in facts
	endings   func(dirs string) (endings, error)
	wide      bool // as in facts
	transform func(ctx context.Context, p transform.Params, o transform.Options, in *datasets.Dir, out *datasets.Builder) error
	clean     func(ctx context.Context, p clean.Params, o clean.Options, in *datasets.Dir, out *datasets.Builder) error
	label     func(ctx context.Context, p label.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	match     func(ctx context.Context, p match.Params, workers int, out *datasets.Builder) error
	duels     func(p match.Params, workers int) (duels, error)
	book      func(ctx context.Context, d *datasets.Dir, plies int) (string, error) // openings
	evolve    func(ctx context.Context, p evolve.Params, workers int, out *datasets.Builder) error
	network   *evolve.Network // that evolve can evolve; nil: none
	learn     func(ctx context.Context, p learn.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	identify  func(ctx context.Context, p identify.Params, workers int, in []*datasets.Dir, out *datasets.Builder) error
	chunks    func(ctx context.Context, p chunks.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	patterns  func(ctx context.Context, p patterns.Params, workers int, in *datasets.Dir, out *datasets.Builder) error
	boards    board.Game
	find      func(ctx context.Context, q find.Query, workers int, in *datasets.Dir, take func(find.Hit) error) (datasets.Counts, error)
	formats   export.Formats
	explore   explore.Game
	export    func(ctx context.Context, workers int, sources []export.Source, w io.Writer) (datasets.Counts, error)
	// startPhase is the phase of the usual start, by the evaluator.
	startPhase func() (int, error)
	points     bool // values that come from the end of the game are points
	// conjunctions finds those of the first of in; the second is to test on, or nil.
	conjunctions func(ctx context.Context, p conjunctions.Params, m conjunctions.Means, in []*datasets.Dir, out *datasets.Builder) error
	tables       tablesOf
	// model reads weights against the game's evaluator; nil text gives the default.
	model func(text []byte) (*eval.Model, error)
	// playing returns the model that plays where none is named.
	playing func() (*eval.Model, error)
	// signature is the number of nodes of a fixed set of searches; mstar that of M*, 0
	// where it is none.
	signature, mstar func() (int64, error)
	perft            func(position string, depth int, report func(move string, nodes uint64)) (uint64, error)
}

func bind[P games.Position[P]](rules games.Rules[P], evaluator func(*eval.Model) (eval.Evaluator[P], error), model func() *eval.Model, f facts) game {
	tables, evaluator := bindTables(rules, evaluator, model)
	g := eval.Game[P]{Rules: rules, NewEvaluator: evaluator, Default: model, Play: tables.playing(model)}
	_, named := rules.(games.OpeningNames[P])
	return game{
		named:   named,
		name:    rules.Name(),
		columns: rules.Columns(),
		model:   g.Model,
		playing: g.Playing,
		points:  label.Points(rules), startPhase: func() (int, error) { return label.StartPhase(g) },
		tables:  tables,
		boards:  board.Of(rules),
		explore: explore.Game{Boards: board.Of(rules), Judge: explore.Bind(g, tables.beside), Opening: explore.NameOpenings(rules)},
		find: func(ctx context.Context, q find.Query, workers int, in *datasets.Dir, take func(find.Hit) error) (datasets.Counts, error) {
			return find.Run(ctx, rules, q, workers, in, take)
		},
		formats:  f.write,
		protocol: f.protocol, endings: f.endings,
		wide: f.wide,
		export: func(ctx context.Context, workers int, sources []export.Source, w io.Writer) (datasets.Counts, error) {
			return export.RunAll(ctx, rules, f.write, workers, sources, w)
		},
		signature: counting(g, signature.Nodes[P]),
		mstar:     counting(g, signature.MStar[P]),
		ingest:    ingest.Bind(rules, f.read, f.also...),
		transform: func(ctx context.Context, p transform.Params, o transform.Options, in *datasets.Dir, out *datasets.Builder) error {
			return transform.Run(ctx, rules, p, o, in, out)
		},
		clean: func(ctx context.Context, p clean.Params, o clean.Options, in *datasets.Dir, out *datasets.Builder) error {
			return clean.Run(ctx, rules, p, o, in, out)
		},
		label: func(ctx context.Context, p label.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return label.Run(ctx, g, p, workers, in, out)
		},
		match: func(ctx context.Context, p match.Params, workers int, out *datasets.Builder) error {
			return match.Run(ctx, g, relearner(g), p, workers, out)
		},
		duels: func(p match.Params, workers int) (duels, error) { return match.NewDuels(g, p, workers) },
		book: func(ctx context.Context, d *datasets.Dir, plies int) (string, error) {
			return match.ReadBook(ctx, rules, d, plies)
		},
		evolve: func(ctx context.Context, p evolve.Params, workers int, out *datasets.Builder) error {
			return evolve.Run(ctx, g, p, workers, out)
		},
		learn: func(ctx context.Context, p learn.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return learn.Run(ctx, g, p, workers, in, out)
		},
		identify: func(ctx context.Context, p identify.Params, workers int, in []*datasets.Dir, out *datasets.Builder) error {
			return identify.Run(ctx, g, p, workers, in, out)
		},
		chunks: func(ctx context.Context, p chunks.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return chunks.Run(ctx, g, p, workers, in, out)
		},
		patterns: func(ctx context.Context, p patterns.Params, workers int, in *datasets.Dir, out *datasets.Builder) error {
			return patterns.Run(ctx, rules, p, workers, in, out)
		},
		conjunctions: func(ctx context.Context, p conjunctions.Params, m conjunctions.Means, in []*datasets.Dir, out *datasets.Builder) error {
			return conjunctions.Run(ctx, rules, p, m, in[0], in[1], out)
		},
		perft: func(position string, depth int, report func(string, uint64)) (uint64, error) {
			p, _, err := rules.Start("", position)
			if err != nil {
				return 0, err
			}
			return divide(rules, p, depth, report), nil
		},
	}
}

// counting returns the number of nodes of searches with the counted terms of g.
func counting[P games.Position[P]](g eval.Game[P], nodes func(games.Rules[P], search.Static[P]) (int64, error)) func() (int64, error) {
	return func() (int64, error) {
		e, err := g.NewEvaluator(g.Default())
		if err != nil {
			return 0, err
		}
		return nodes(g.Rules, e)
	}
}

// tablesOf holds what the tables of patterns need of a game.
type tablesOf struct {
	layout *games.Layout // of the usual board
	pieces []games.Piece
	index  func(*pattern.Plan) fit.Indexer
	// shipped returns the evaluator of the tables that ship, nil where there are none. They are read
	// when they are first asked for: that takes as long as many a command.
	shipped func() (*eval.Model, error)
	// beside reads the tables beside a dataset, whose files read returns.
	beside func(read func(name string) ([]byte, error)) (eval.Tables, error)
}

// playing returns what plays where no weights are named: the tables that ship, or else model.
func (t tablesOf) playing(model func() *eval.Model) func() (*eval.Model, error) {
	return func() (*eval.Model, error) {
		m, err := t.shipped()
		if m == nil && err == nil {
			m = model()
		}
		return m, err
	}
}

// bindTables returns how a game's positions are laid on patterns, and its evaluator for models
// with tables, too.
func bindTables[P games.Position[P]](rules games.Rules[P], evaluator func(*eval.Model) (eval.Evaluator[P], error), model func() *eval.Model) (tablesOf, func(*eval.Model) (eval.Evaluator[P], error)) {
	drawer := rules.(games.Drawer[P]) // as board.Of demands
	start, _, err := rules.Start("", "")
	if err != nil {
		panic(err) // every game has a usual start
	}
	of := tablesOf{layout: drawer.Layout(start), pieces: drawer.Pieces(), index: fit.IndexerOf(rules, drawer)}
	of.beside = func(read func(name string) ([]byte, error)) (eval.Tables, error) {
		text, err := read(pattern.Name + ".toml")
		if err != nil {
			return nil, err
		}
		weights, err := read(pattern.Name + pattern.Extension)
		if err != nil {
			return nil, err
		}
		t, err := pattern.Read(text, weights, rules.Name(), of.layout, of.pieces)
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	once := sync.OnceValues(func() (*pattern.Tables, error) {
		text, weights, ok := pattern.ReadShipped(rules.Name())
		if !ok {
			return nil, nil
		}
		return pattern.Read(text, weights, rules.Name(), of.layout, of.pieces)
	})
	of.shipped = func() (*eval.Model, error) {
		t, err := once()
		if t == nil || err != nil {
			return nil, err
		}
		return t.Model(), nil
	}
	return of, func(m *eval.Model) (eval.Evaluator[P], error) {
		if m.Tables == nil {
			return evaluator(m)
		}
		e, err := pattern.New(m, drawer)
		if err != nil {
			return nil, err
		}
		usual, err := evaluator(model())
		if err != nil {
			return nil, err
		}
		if forcer, ok := usual.(interface{ Forced(P) bool }); ok {
			return pattern.Forcing[P]{Evaluator: e, Of: forcer}, nil
		}
		return e, nil
	}
}

// divide counts the leaves depth plies below p and reports the share of each move.
func divide[P games.Position[P]](rules games.Rules[P], p P, depth int, report func(string, uint64)) uint64 {
	if depth == 0 {
		return 1
	}
	var total uint64
	for _, m := range p.AppendMoves(nil) {
		n := games.Perft(p.Play(m), depth-1)
		report(string(rules.AppendCoordinates(nil, p, m)), n)
		total += n
	}
	return total
}

// gameNames are the words of --game.
func gameNames() []string {
	var names []string
	for _, g := range table {
		names = append(names, g.name)
	}
	return names
}

// ingestGames returns the games of the table as ingest sees them.
func ingestGames() []ingest.Game {
	var all []ingest.Game
	for _, g := range table {
		all = append(all, g.ingest)
	}
	return all
}

// allBoards returns the boards of all games.
func allBoards() []board.Game {
	var all []board.Game
	for _, g := range table {
		all = append(all, g.boards)
	}
	return all
}

// firstWithNetwork returns the name of the first game of which a network can evolve.
func firstWithNetwork() string {
	for _, g := range table {
		if g.network != nil {
			return g.name
		}
	}
	return table[0].name
}

// speaking returns the names of the games whose outside programs speak a protocol.
func speaking(protocol string) string {
	var names []string
	for _, g := range table {
		if g.protocol == protocol {
			names = append(names, g.name)
		}
	}
	return strings.Join(names, ", ")
}

// findGame returns the game of that name; the error lists the names.
func findGame(name string) (game, error) {
	for _, g := range table {
		if g.name == name {
			return g, nil
		}
	}
	return game{}, usagef("no game %q; kifu knows %s", name, strings.Join(gameNames(), ", "))
}

// gameOf returns the game that a dataset is of.
func gameOf(d *datasets.Dir) (game, error) {
	g, err := findGame(d.Manifest.Meta["game"])
	if err != nil {
		return game{}, fmt.Errorf("%s: %w", d.Path, err)
	}
	return g, nil
}
