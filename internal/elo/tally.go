package elo

// Tally counts games from the side of one player.
type Tally struct {
	Wins       int `json:"w"`
	Draws      int `json:"d"`
	Losses     int `json:"l"`
	Unfinished int `json:"u,omitempty"`
}

// Add adds the counts of o.
func (t *Tally) Add(o Tally) {
	t.Wins, t.Draws, t.Losses, t.Unfinished = t.Wins+o.Wins, t.Draws+o.Draws, t.Losses+o.Losses, t.Unfinished+o.Unfinished
}

// Finished returns the number of games that count.
func (t Tally) Finished() int { return t.Wins + t.Draws + t.Losses }
