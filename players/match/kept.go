package match

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"

	"kifu/datasets"
)

// kept are the games of a part that an interrupted run has played, by number. The journal gets
// those that are played now.
type kept struct {
	journal *datasets.Journal
	games   map[int]wire
}

// keep opens the journal of part i.
func (r *run[P]) keep(i int) (*kept, error) {
	j, err := r.out.Journal(fmt.Sprintf("games-%d", i))
	if err != nil {
		return nil, err
	}
	k := &kept{j, map[int]wire{}}
	for _, text := range j.Records() {
		var w wire
		if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&w); err != nil {
			return nil, fmt.Errorf("a game that was kept: %w (play again with --force)", err)
		}
		k.games[w.Number] = w
	}
	return k, nil
}

// game returns the game of a number: the kept one, or a new one.
func (p *part[P]) game(ctx context.Context, worker, number int) (*record, error) {
	g := p.at(number)
	if w, played := p.kept.games[number]; played {
		p.bar.Skip(1)
		return w.record(g), nil
	}
	if err := p.tables[worker].play(ctx, &g); err != nil {
		return nil, err
	}
	p.bar.Add(1)
	return &g, p.kept.journal.Add(encode(g.wire()))
}
