// Package gametable binds every game to every stage. It is the only place where games meet stages, and a package
// of its own, so that the stages are compiled for each game once and not with every change of a command.
package gametable

import (
	"kifu/eval"
	evalchess "kifu/eval/chess"
	evaldraughts "kifu/eval/draughts"
	evalnetwork "kifu/eval/network"
	evalothello "kifu/eval/othello"
	evalshogi "kifu/eval/shogi"
	evaltictactoe "kifu/eval/tictactoe"
	evalweiqi "kifu/eval/weiqi"
	"kifu/export"
	exportaix "kifu/export/aix"
	exportnnue "kifu/export/nnue"
	exportshogi "kifu/export/shogi"
	"kifu/games/chess"
	chessaix "kifu/games/chess/aix"
	chessmotifs "kifu/games/chess/motifs"
	"kifu/games/chess/syzygy"
	"kifu/games/draughts"
	"kifu/games/othello"
	"kifu/games/shogi"
	"kifu/games/tictactoe"
	"kifu/games/weiqi"
	"kifu/ingest/aix"
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
	"kifu/players/evolve"
	"kifu/players/match"
)

// All is every game that kifu knows, one line each.
//
// A game that shares a format with others is distinguished by the format (its GameOf).
var All = []Game{
	bind(chess.Rules{}, evalchess.New, evalchess.Default, facts{wide: true, endings: openSyzygy, motifs: chessmotifs.Chess{},
		read: records(aix.Format(), ndjson.Format(), csv.Format(), lines.Moves(), fens.Format(), nnue.Plain(), nnue.Binpack(), nnue.Bullet()), write: export.Formats{Record: export.PGN{}, Line: export.EPD{}, More: []export.Record{exportaix.Format{}, exportaix.Format{Level: chessaix.Medium}, exportaix.Format{Level: chessaix.High}},
			Lines: []export.Line{export.FEN{}, exportnnue.Plain{}, exportnnue.Binpack{}, exportnnue.Bullet{}, exportnnue.Bullet{Text: true}}}}),
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
	// wide means that positions have some thirty moves or more, so that learn looks one ply
	// less ahead unless --thorough is set.
	wide bool
	// motifs is the games.Motifs of the game; nil: none.
	motifs any
	// endings opens the tables of endings in directories; nil without any.
	endings func(dirs string) (Endings, error)
}

// Endings are tables of endings with names.
type Endings interface {
	match.Tables
	Names() []string
}

func openSyzygy(dirs string) (Endings, error) { return syzygy.Open(dirs) }

// shogiFormats returns the formats of Shogi; the names of handicaps in KIF come from its rules.
func shogiFormats() export.Formats {
	names, presets := map[string]string{}, map[string]string{}
	for _, h := range shogi.Handicaps {
		names[h.Name] = h.Japanese
		if preset, known := jkf.PresetOf(h.Japanese); known {
			presets[h.Name] = preset
		}
	}
	return export.Formats{Record: exportshogi.CSA{}, Line: export.FEN{}, Lines: []export.Line{exportshogi.Packed{Letters: shogi.Letters}, exportshogi.Packed{PSV: true, Letters: shogi.Letters}},
		More: []export.Record{exportshogi.KIF{Handicaps: names}, exportshogi.KIF{KI2: true, Handicaps: names}, exportshogi.JKF{Presets: presets}, exportshogi.HCPE{}, exportshogi.HCPE{PSV: true}, exportshogi.SFEN{}}}
}

func records(formats ...*record.Format) []*record.Format { return formats }

// bindDraughts binds a variant whose games are PDN; its records may bear the names in also, too.
func bindDraughts(r draughts.Rules, written export.PDN, also ...string) Game {
	e := evaldraughts.Of(r)
	return bind(r, e.New, e.Default, facts{also: also,
		read: records(pdn.Format()), write: export.Formats{Record: written, Line: export.FEN{}}})
}

// bindNamed binds a variant whose openings have names.
func bindNamed(r draughts.Rules, f facts) Game {
	e := evaldraughts.Of(r)
	return bind(draughts.Named{Rules: r}, e.New, e.Default, f)
}

// bindCheckers binds checkers, whose openings have names and whose weights may be a network's.
func bindCheckers(f facts) Game {
	e := evaldraughts.Of(draughts.Checkers)
	evaluator := func(m *eval.Model) (eval.Evaluator[draughts.Position], error) {
		if m.Network != nil {
			return evalnetwork.New(m)
		}
		return e.New(m)
	}
	g := bind(draughts.Named{Rules: draughts.Checkers}, evaluator, e.Default, f)
	g.Network = &evolve.Network{Weights: evalnetwork.Weights, Model: evalnetwork.Model}
	return g
}
