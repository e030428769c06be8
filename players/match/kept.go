package match

import (
	"context"
	"fmt"

	"kifu/datasets/journal"
	"kifu/internal/hands"
)

// kept are the games of a part that an interrupted run has played, by number. The journal gets
// those that are played now.
type kept struct {
	journal *journal.File
	games   map[int]record
}

// keep opens the journal of part i.
func (r *run[P]) keep(i int) (*kept, error) {
	j, err := r.out.Journal(fmt.Sprintf("games-%d", i))
	if err != nil {
		return nil, err
	}
	k := &kept{j, map[int]record{}}
	for _, text := range j.Records() {
		var g record
		if err := hands.Unpack(text, &g); err != nil {
			return nil, fmt.Errorf("a game that was kept: %w (play again with --force)", err)
		}
		k.games[g.Number] = g
	}
	return k, nil
}

// game returns the game of a number: the kept one, or a new one.
func (p *part[P]) game(ctx context.Context, worker, number int) (*record, error) {
	if g, played := p.kept.games[number]; played {
		p.bar.Skip(1)
		return p.returned(g), nil
	}
	g := p.at(number)
	if err := p.tables[worker].play(ctx, &g); err != nil {
		return nil, err
	}
	p.bar.Add(1)
	text, err := hands.Pack(g)
	if err != nil {
		return nil, err
	}
	return &g, p.kept.journal.Add(text)
}
