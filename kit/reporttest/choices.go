package reporttest

import (
	"strconv"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/schemas"
)

// Choice is a row of the test datasets of choices.
type Choice struct {
	game, ply int64
	move      string
	played    bool
	value     float32
}

// WriteChoices writes a dataset of choices below dir.
func WriteChoices(t *testing.T, dir string, rows []Choice) *datasets.Dir {
	t.Helper()
	table := schemas.Choices(schemas.Positions(1, nil, false), []string{"static_value"})
	meta := map[string]string{"game": "chess", "unit": "centipawns", "leaf": "static_value", "alternatives": "0"}
	return writePart(t, dir, onePart{stage: "label", table: table, params: len(rows), meta: meta, size: len(rows)}, rows, appendChoice)
}

func appendChoice(b *columns.Batch, r Choice) {
	for i := range b.Cols {
		v := &b.Cols[i]
		switch v.Column.Name {
		case "game_id":
			v.AppendInt64(r.game)
		case "ply":
			v.AppendInt32(int32(r.ply))
		case "first_to_move":
			v.AppendBool(r.ply%2 == 0)
		case "move":
			v.AppendString(r.move)
		case "played":
			v.AppendBool(r.played)
		case "static_value":
			v.AppendFloat32(r.value)
		default:
			switch {
			case v.Column.Nullable:
				v.AppendNull()
			case v.Column.Type == schemas.Bytes:
				v.AppendBytes(nil)
			default:
				v.AppendInt32(0)
			}
		}
	}
}

// CommittedChoices returns the rows of testdata/choices.csv.
func CommittedChoices(t *testing.T) []Choice {
	var rows []Choice
	for _, r := range sharedRows(t, "choices.csv") {
		game, _ := strconv.ParseInt(r["game_id"], 10, 64)
		ply, _ := strconv.ParseInt(r["ply"], 10, 64)
		value, err := strconv.ParseFloat(r["value"], 32)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, Choice{game, ply, r["move"], r["played"] == "1", float32(value)})
	}
	return rows
}
