package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/eval"
)

// dump writes the positions of a labels dataset that kifu fit would use (draws left
// out, all games fitted to) as arrays for other solvers. free are terms and groups.
func dump(dir *datasets.Dir, free string, to *arrays) error {
	text, err := dir.ReadFile("weights.toml")
	if err != nil {
		return err
	}
	m, err := eval.ReadModel(bytes.NewReader(text))
	if err != nil {
		return err
	}
	numbers := map[int][]int32{} // of a term, by stage
	next := int32(0)
	for _, name := range strings.Split(free, ",") {
		terms, err := m.Match(name)
		if err != nil {
			return err
		}
		for _, t := range terms {
			var of []int32
			for s := range m.Stages {
				if s == 0 || len(m.Terms[t].Weights) > 1 {
					next++
				}
				of = append(of, next-1)
			}
			numbers[t] = of
		}
	}
	leaf := dir.Manifest.Meta["leaf"]
	b := columns.NewBatch(dir.Table, "result", leaf, "leaf_phase", "features")
	for _, err := range dir.Groups(b) {
		if err != nil {
			return err
		}
		for r := range b.Rows {
			value := float64(b.Col(leaf).Float32[r])
			result := string(b.Col("result").Value(r))
			mix := m.Mix(int(b.Col("leaf_phase").Int32[r]), nil)
			features, err := eval.AppendUnpacked(nil, b.Col("features").Value(r))
			if err != nil {
				return err
			}
			score := 0.0
			for _, f := range features {
				score += float64(f.Count) * m.Terms[f.Term].At(mix)
			}
			if result != "first" && result != "second" || math.Abs(value) > 31000 || value == 0 && math.Abs(score) > 0.5 {
				continue
			}
			for _, f := range features {
				of, ok := numbers[int(f.Term)]
				if !ok {
					continue
				}
				if len(m.Terms[f.Term].Weights) == 1 {
					to.entry(of[0], float64(f.Count))
					continue
				}
				for s, share := range mix {
					if share != 0 {
						to.entry(of[s], float64(f.Count)*share)
					}
				}
			}
			to.row(value, result == "first")
		}
	}
	fmt.Printf("%s: %d columns written for other solvers\n", dir.Path, next)
	return to.err
}
