package players

import "testing"

// FuzzPlayer: a text is a valid model.toml or an error, and a player is written as a text
// that gives the same player.
func FuzzPlayer(f *testing.F) {
	for _, text := range []string{
		"game = \"chess\"\nplayer = \"A\\u001b[2J\"\ndepth = 3\ntemperature = 12.5\nlapse = 0.01\nweights = \"weights.toml\"\nquiescence = true\n",
		"game = 'x'\ndepth = 9223372036854775807\nweights = '../../etc/passwd'\n", "depth = -1", "game = \"x\"\ndepth = 1\nweights = \"w\"\ntemperature = nan", "[a]\n[a]", "depth = 1.5",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := decode(text)
		if err != nil {
			return
		}
		written, err := p.TOML()
		if err != nil {
			t.Fatalf("read, but %v", err)
		}
		again, err := decode(written)
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		p.Temperature, p.Lapse = Round(p.Temperature), Round(p.Lapse)
		if *p != *again {
			t.Fatalf("%+v is read back as %+v", p, again)
		}
	})
}
