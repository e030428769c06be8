package population

import (
	"bytes"
	"encoding/csv"
	"testing"

	"kifu/games/weiqi"
	"kifu/internal/clogit"
)

// TestFeaturesCSV: the name of a feature may have a comma.
func TestFeaturesCSV(t *testing.T) {
	l := &learner[weiqi.Position]{fit: &clogit.Fit{Beta: []float64{1}}}
	l.model.Features = []string{"takes a liberty, which is left"}
	rows, err := csv.NewReader(bytes.NewReader(l.featuresCSV())).ReadAll()
	if err != nil || len(rows) != 2 || rows[1][0] != l.model.Features[0] {
		t.Errorf("rows %v, error %v", rows, err)
	}
}
