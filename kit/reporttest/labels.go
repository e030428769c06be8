package reporttest

import (
	"fmt"
	"maps"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/query"
	"kifu/schemas"
)

// Label is a row of the test datasets.
type Label struct {
	Game          int64
	Ply           int32
	Value, Safety float32
	Result        string // "": none
	Distinct      *[4]int32
	Elo           *[2]int32 // of the two players; nil: unknown
	Hash          uint64    // of the position; 0: one that no other game has from ply 30 on
}

// WriteLabels makes a dataset. meta is added to unit and leaf.
func WriteLabels(t *testing.T, dir string, rows []Label, meta map[string]string) *datasets.Dir {
	t.Helper()
	return WriteRowGroups(t, dir, rows, meta, len(rows))
}

// WriteRowGroups makes a dataset with so many rows to a row group.
func WriteRowGroups(t *testing.T, dir string, rows []Label, meta map[string]string, size int) *datasets.Dir {
	t.Helper()
	dedup := len(rows) > 0 && rows[0].Distinct != nil
	table := schemas.Labels(schemas.Positions(1, nil, dedup), []string{"quiescence_value"}, []string{"king_safety"}, "quiescence_value")
	all := map[string]string{"game": "chess", "unit": "centipawns", "leaf": "quiescence_value"}
	maps.Copy(all, meta)
	return writePart(t, dir, onePart{stage: "label", table: table, params: fmt.Sprint(len(rows), meta), meta: all, size: size}, rows, appendLabel)
}

func appendLabel(b *columns.Batch, r Label) {
	for i := range b.Cols {
		v := &b.Cols[i]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(r.Game)
		case "ply":
			v.AppendInt32(r.Ply)
		case "result":
			if r.Result == "" {
				v.AppendNull()
			} else {
				v.AppendString(r.Result)
			}
		case "quiescence_value":
			v.AppendFloat32(r.Value)
		case "king_safety":
			v.AppendFloat32(r.Safety)
		case "first_elo", "second_elo":
			if r.Elo == nil {
				v.AppendNull()
			} else if v.Column.Name == "first_elo" {
				v.AppendInt32(r.Elo[0])
			} else {
				v.AppendInt32(r.Elo[1])
			}
		case "occurrences":
			v.AppendInt32(r.Distinct[0])
		case "first_wins":
			v.AppendInt32(r.Distinct[1])
		case "draws":
			v.AppendInt32(r.Distinct[2])
		case "second_wins":
			v.AppendInt32(r.Distinct[3])
		default:
			switch {
			case v.Column.Nullable:
				v.AppendNull()
			case v.Column.Type == schemas.Bool:
				v.AppendBool(r.Ply%2 == 0)
			case v.Column.Type == schemas.Uint64:
				v.AppendUint64(hashOf(r))
			case v.Column.Type == schemas.FixedBytes:
				v.AppendBytes([]byte{0})
			case v.Column.Type == schemas.Bytes:
				v.AppendBytes(nil)
			default:
				v.AppendInt32(0)
			}
		}
	}
}

// hashOf is the hash of a position: games begin alike, and no two are copies where the rows do not say so.
func hashOf(r Label) uint64 {
	switch {
	case r.Hash != 0:
		return r.Hash
	case r.Ply < 30:
		return uint64(r.Ply)
	}
	return uint64(r.Game)<<16 + uint64(r.Ply)
}

// CommittedLabels are the labels of testdata, from which curve.py computed expected.csv.
func CommittedLabels(t *testing.T) []Label {
	var rows []Label
	for _, r := range sharedRows(t, "labels.csv") {
		rows = append(rows, Label{
			Game: int64(Number(t, r["game_id"])), Ply: int32(Number(t, r["ply"])),
			Value: float32(Number(t, r["quiescence_value"])), Safety: float32(Number(t, r["king_safety"])), Result: r["result"],
		})
	}
	return rows
}

// When are two conditions over the labels, of which no position meets both.
var When = []query.Named{{Name: "safe", SQL: "king_safety >= 30"}, {Name: "unsafe", SQL: "king_safety <= -30"}}
