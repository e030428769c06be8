package evolve

import (
	"fmt"

	"kifu/datasets"
	"kifu/datasets/journal"
	"kifu/internal/hands"
)

// kept are the games of a generation that an interrupted run has played, by number. The journal gets those that are
// played now. Games that others play are not kept.
type kept struct {
	journal *journal.File
	games   map[int]finished
}

// keptGame is a record of the journal.
type keptGame struct {
	Number int
	Game   finished
}

// keepGames opens the journal of generation g.
func keepGames(out *datasets.Builder, g int) (*kept, error) {
	j, err := out.Journal(fmt.Sprintf("games-%d", g))
	if err != nil {
		return nil, err
	}
	k := &kept{j, map[int]finished{}}
	for _, text := range j.Records() {
		var one keptGame
		if err := hands.Unpack(text, &one); err != nil {
			return nil, fmt.Errorf("a game that was kept: %w (evolve again with --force)", err)
		}
		k.games[one.Number] = one.Game
	}
	return k, nil
}

func (k *kept) add(number int, g finished) error {
	text, err := hands.Pack(keptGame{number, g})
	if err != nil {
		return err
	}
	return k.journal.Add(text)
}
