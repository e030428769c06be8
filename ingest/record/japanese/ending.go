package japanese

import "kifu/ingest/record"

// Ending is the statement after the last move.
type Ending struct {
	Wins int // 1 the side to move, -1 the other side, 0 neither, Open if unknown
	Why  []byte
}

// Open is the Ending.Wins of a game without a result.
const Open = 2

// endings is the closed list: the names of CSA, then the words of KIF. Other words in a move's place
// are no endings.
var endings = map[string]Ending{
	"TORYO": {-1, resignation}, "投了": {-1, resignation},
	"TIME_UP": {-1, timeForfeit}, "切れ負け": {-1, timeForfeit}, "時間切れ": {-1, timeForfeit}, "Time-up": {-1, timeForfeit},
	"ILLEGAL_MOVE": {-1, illegal}, "反則負け": {-1, illegal},
	"ILLEGAL_ACTION": {1, illegal}, "反則勝ち": {1, illegal},
	"TSUMI": {-1, checkmate}, "詰み": {-1, checkmate}, "詰": {-1, checkmate},
	"KACHI": {1, declaration}, "入玉勝ち": {1, declaration}, "入玉宣言": {1, declaration}, "宣言勝ち": {1, declaration},
	"不戦敗": {-1, forfeit}, "不戦勝": {1, forfeit},
	"SENNICHITE": {0, repetition}, "千日手": {0, repetition},
	"JISHOGI": {0, impasse}, "持将棋": {0, impasse},
	"HIKIWAKE": {0, draw}, "引き分け": {0, draw}, "引分け": {0, draw}, "引分": {0, draw},
	"MAX_MOVES": {0, limit}, "最大手数": {0, limit},
	"CHUDAN": {Open, abandoned}, "中断": {Open, abandoned},
	"FUZUMI": {Open, noMate}, "不詰": {Open, noMate},
	"封じ手": {Open, sealed}, "MATTA": {Open, takenBack}, "ERROR": {Open, fault},
}

// EndingOf returns the ending that a word means with Black (else White) to move, and whether Ending.Wins is
// about Black. A foul with a sign is that side's, whoever is to move (+ILLEGAL_ACTION).
func EndingOf(word []byte, black bool) (e Ending, of bool, known bool) {
	if len(word) > 0 && (word[0] == '+' || word[0] == '-') {
		return Ending{-1, illegal}, word[0] == '+', string(word[1:]) == "ILLEGAL_ACTION"
	}
	e, known = endings[string(word)]
	return e, black, known
}

// Result returns the result of Ending.Wins as record.Game.Result has it, for Black or for White.
func Result(wins int, black bool) []byte {
	switch {
	case wins == Open:
		return unfinished
	case wins == 0:
		return drawn
	case wins > 0 == black:
		return firstWins
	}
	return secondWins
}

var (
	resignation = []byte(record.Resignation)
	timeForfeit = []byte(record.TimeForfeit)
	forfeit     = []byte(record.Forfeit)
	abandoned   = []byte(record.Abandoned)
	illegal     = []byte("illegal move")
	checkmate   = []byte("checkmate")
	declaration = []byte("declaration")
	repetition  = []byte("repetition")
	impasse     = []byte("impasse")
	draw        = []byte("draw")
	limit       = []byte("length limit")
	noMate      = []byte("no mate")
	sealed      = []byte("sealed move")
	takenBack   = []byte("a move taken back")
	fault       = []byte("error")

	firstWins  = []byte(record.FirstWins)
	secondWins = []byte(record.SecondWins)
	drawn      = []byte(record.Drawn)
	unfinished = []byte("*")
)
