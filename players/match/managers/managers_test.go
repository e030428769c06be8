package managers

import (
	"strings"
	"testing"
)

// TestTranslate: command lines as the managers' own pages show them.
func TestTranslate(t *testing.T) {
	for _, c := range []struct{ line, want, left string }{
		{"fastchess -engine cmd=./new name=New -engine cmd=./old name=Old -each tc=8+0.08 option.Hash=16 -rounds 15000 -repeat -concurrency 8 -openings file=UHO.epd format=epd order=random -sprt elo0=0 elo1=2 alpha=0.05 beta=0.1 -draw movenumber=34 movecount=8 score=20 -resign movecount=3 score=600 twosided=true -pgnout file=games.pgn notation=san -recover -ratinginterval 10",
			"--player|uci:./new name=New tc=8+0.08 Hash=16|--player|uci:./old name=Old tc=8+0.08 Hash=16|--games|30000|--workers|8|--openings|UHO.epd|--opening-order|random|--sprt|0:2|--sprt-errors|0.05:0.1|--draw|movenumber=34 movecount=8 score=20|--resign|movecount=3 score=600 twosided=true|--record|games.pgn", "-recover -ratinginterval"},
		{"cutechess-cli -engine cmd=stockfish 'option.Debug Log File=my log' depth=3 -engine cmd=\"my engine\" args='-x y' tc=inf nodes=100 -each proto=uci -games 2 -rounds 50 -repeat -tournament gauntlet -openings file=b.pgn format=pgn plies=16 -sprt elo0=-3 elo1=1 -srand 7 -maxmoves 100 -tb /tb -pgnout out.pgn min",
			`--player|uci:stockfish "Debug Log File=my log" depth=3|--player|"uci:my engine -x y" nodes=100|--games|100|--gauntlet|--openings|b.pgn|--opening-plies|16|--sprt|-3:1|--sprt-scale|logistic|--seed|7|--max-plies|200|--at-limit|draw|--syzygy|/tb|--record|out.pgn`, ""},
		{"-engine cmd=a -engine cmd=b \\\n -each st=1 -variant fischerandom", "--player|uci:a st=1|--player|uci:b st=1|--games|4|--variant|chess960", ""},
	} {
		got, err := Translate(c.line)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if strings.Join(got.Args, "|") != c.want || strings.Join(got.Left, " ") != c.left {
			t.Errorf("%s\n%s\nleft out %v; want\n%s", c.line, strings.Join(got.Args, "|"), got.Left, c.want)
		}
	}
	for line, want := range map[string]string{
		"fastchess -engine cmd=a": "1 engines", "-engine cmd=a -engine name=b": "cmd=PROGRAM is missing", "-engine cmd=a proto=xboard -engine cmd=b": "UCI",
		"-engine cmd=a -engine cmd=b -noswap": "-noswap: no option", "-engine cmd=a -engine cmd=b -sprt model=bayesian": "normalized and logistic",
		"-engine cmd=a -engine cmd=b -openings file=x start=5": "start=5", "-engine cmd='a": "not closed", "-engine cmd=a -engine cmd=b -games x": "-games",
		"-engine cmd=a dir=b -engine cmd=b": "dir=b", "-engine cmd=a -engine cmd=b -variant atomic": "atomic", "-engine cmd=a -engine cmd=b -tournament knockout": "gauntlet",
		"-engine cmd=a ponder=1 -engine cmd=b": "ponder=", "-engine cmd=a -engine cmd=b -repeat 3": "not 3 times",
	} {
		if _, err := Translate(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}
