package tune

import (
	"encoding/json"
	"fmt"

	"kifu/datasets"
	"kifu/datasets/journal"
)

// kept are the results of the pairs of a part that an interrupted run has played, by number. The journal gets
// those that are played now.
type kept struct {
	journal *journal.File
	played  map[int]Result
}

// pairResult is a record of the journal.
type pairResult struct {
	Pair int `json:"pair"`
	Result
}

// keepPairs opens the journal of part i.
func keepPairs(out *datasets.Builder, i int) (*kept, error) {
	j, err := out.Journal(fmt.Sprintf("pairs-%d", i))
	if err != nil {
		return nil, err
	}
	k := &kept{j, map[int]Result{}}
	for _, text := range j.Records() {
		var r pairResult
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, fmt.Errorf("a pair that was kept: %w (tune again with --force)", err)
		}
		k.played[r.Pair] = r.Result
	}
	return k, nil
}

// play returns the result of a pair: the kept one, or of its games, played now.
func (k *kept) play(pair int, games func(pair int) (Result, error)) (Result, error) {
	if r, played := k.played[pair]; played {
		return r, nil
	}
	r, err := games(pair)
	if err != nil {
		return r, err
	}
	text, err := json.Marshal(pairResult{pair, r})
	if err != nil {
		return r, err
	}
	return r, k.journal.Add(text)
}
