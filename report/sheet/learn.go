package sheet

import (
	"encoding/json"
	"fmt"

	"kifu/datasets"
	"kifu/schemas"
)

// ReadLearn reads the learn.json of a dataset, which has a model and its depths.
func ReadLearn(d *datasets.Dir) (*schemas.Learn, error) {
	text, err := d.ReadFile("learn.json")
	if err != nil {
		return nil, err
	}
	l := &schemas.Learn{}
	if err := json.Unmarshal(text, l); err != nil {
		return nil, fmt.Errorf("%s/learn.json: %w", d.Path, err)
	}
	if l.Model == nil || len(l.Depths) == 0 {
		return nil, fmt.Errorf("%s/learn.json: it has no model or no depths: run kifu learn again", d.Path)
	}
	return l, nil
}
