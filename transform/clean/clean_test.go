package clean

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// slowDistance is the least number of changes that make short the beginning of long, by the whole
// table of the textbook (Wagner and Fischer 1974) and its least last row.
func slowDistance(short, long []byte) int {
	n, m := len(short)/2, len(long)/2
	d := make([][]int, n+1)
	for i := range d {
		d[i] = make([]int, m+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
			case j == 0:
				d[i][j] = i
			default:
				cost := 1
				if short[2*i-2] == long[2*j-2] && short[2*i-1] == long[2*j-1] {
					cost = 0
				}
				d[i][j] = min(d[i-1][j-1]+cost, d[i-1][j]+1, d[i][j-1]+1)
			}
		}
	}
	best := d[n][0]
	for _, x := range d[n] {
		best = min(best, x)
	}
	return best
}

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		long := make([]byte, 2*r.IntN(30))
		for i := range long {
			long[i] = byte(r.IntN(2))
		}
		short := append([]byte{}, long[:len(long)/2/2*2]...)
		for range r.IntN(5) {
			if len(short) > 1 {
				short[2*r.IntN(len(short)/2)] ^= 1
			}
		}
		if r.IntN(2) == 0 && len(short) > 4 {
			short = short[2:]
		}
		for most := range 6 {
			want := min(slowDistance(short, long), most+1)
			if got := min(distance(short, long, most), most+1); got != want {
				t.Fatalf("distance(%v, %v, %d) = %d, want %d", short, long, most, got, want)
			}
		}
	}
}

func TestLooseDate(t *testing.T) {
	for text, want := range map[string]string{
		"1992.11.04": "1992-11-04", "1992/11/4": "1992-11-04", "19921104": "1992-11-04", "4.11.1992": "1992-11-04",
		"4 Nov 1992": "1992-11-04", "November 4, 1992": "1992-11-04", "Nov 1992": "1992-11", "c. 1850": "1850", "1850?": "1850",
		"1990.13.05": "1990-05-13", "1990.02.30": "1990-02", "04/11/1992": "1992", "24/11/1992": "1992-11-24", "11/24/1992": "1992-11-24",
		"05/05/1992": "1992-05-05", "1971-1972": "", "": "", "????.??.??": "", "0190.01.01": "", "1992.00.00": "1992", "29.2.1900": "1900-02",
		"29.2.2000": "2000-02-29", "99991231": "",
	} {
		if got := looseDate(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestYearAtEnd(t *testing.T) {
	for text, want := range map[string]string{
		"Hastings 1895": "1895", "Paris (1900)": "1900", "1895": "", "Open U2000": "", "Under 2000": "", "Elo 2000": "", "Hastings 1971 1972": "",
		"Hastings 1971-1972": "", "Room 1200": "", "": "", "London 1851, rapid": "",
	} {
		if got := yearAtEnd([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPlayers(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Kortchnoi, Viktor", "Korchnoj V", true}, {"Tal, Mikhail", "Mikhail Tal", true}, {"Xu, Jun", "Xu J", true},
		{"Byrne, Robert", "Fischer, Robert James", true}, // a word is enough where the moves are the same
		{"Mc Connell, J.", "McConnell, J", true}, {"NN", "Amateur", false},
		{"Tal, Mikhail", "Petrosian, Tigran", false}, {"", "Tal", false},
	} {
		a, b := playerOf(c.a), playerOf(c.b)
		if got := a.shares(&b); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

// game makes an entry of players' names, a date and moves of one code each.
func game(id int64, first, second, date string, moves int) entry {
	e := entry{id: id, players: [2]player{playerOf(first), playerOf(second)}, date: []byte(date)}
	for i := range moves {
		e.moves = append(e.moves, byte(i), byte(i>>8))
	}
	return e
}

// TestJudge: the same moves are one game or two by names and dates, and by the number of moves.
func TestJudge(t *testing.T) {
	for i, c := range []struct {
		a, b entry
		want verdict
	}{
		{game(1, "Tal", "Keres", "1959", 4), game(2, "Tal", "Keres", "1959-09", 4), sameMoves},
		{game(1, "Tal", "Keres", "1959-08", 20), game(2, "Tal", "Keres", "1959-09", 20), other},
		{game(1, "Tal", "Keres", "1959-08", 30), game(2, "Tal", "Keres", "1959-09", 30), sameMoves},
		{game(1, "Tal", "Keres", "1955", 40), game(2, "Tal", "Keres", "1959", 40), other},
		{game(1, "Tal", "Keres", "1955", 50), game(2, "Tal", "Keres", "1959", 50), sameMoves},
		{game(1, "Tal", "Keres", "1959", 39), game(2, "Tal", "Smyslov", "1959", 39), other},
		{game(1, "Tal", "Keres", "1959", 40), game(2, "Tal", "Smyslov", "1959", 40), sameMoves},
		{game(1, "Tal", "Keres", "1958", 80), game(2, "Tal", "Smyslov", "1959", 80), other},
		{game(1, "Tal", "Keres", "", 59), game(2, "Euwe", "Smyslov", "", 59), other},
		{game(1, "Tal", "Keres", "", 60), game(2, "Euwe", "Smyslov", "", 60), sameMoves},
		{game(1, "Tal", "", "", 20), game(2, "Tal", "Keres", "", 20), sameMoves},
		{game(1, "Tal", "NN", "", 19), game(2, "Tal", "Amateur", "", 19), other},
		{game(1, "Tal", "Keres", "1959", 30), game(2, "Tal", "Keres", "1959", 31), beginning},
		{game(1, "Tal", "Keres", "1958", 60), game(2, "Tal", "Keres", "1959", 61), other},
	} {
		if got := judge(&c.a, &c.b); got != c.want {
			t.Errorf("%d: %v, want %v", i, got, c.want)
		}
	}
}

// TestEntry: an entry comes back as it was spilled.
func TestEntry(t *testing.T) {
	a, b := game(7, "Tal, Mikhail", "", "1959-09", 3), game(1<<40, "", "Keres", "", 0)
	a.start, a.result, a.known = 1<<60, 'f', 9
	data := b.append(a.append(nil))
	for _, want := range []entry{a, b} {
		var got entry
		data = got.read(data)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if len(data) != 0 {
		t.Errorf("%d bytes are left", len(data))
	}
}

// TestBelow: ids are counted across words.
func TestBelow(t *testing.T) {
	s := newBitset(200)
	for _, id := range []int64{3, 64, 65, 199} {
		s.add(id)
	}
	s.count()
	for id, want := range map[int64]int64{0: 0, 3: 0, 4: 1, 64: 1, 65: 2, 66: 3, 199: 3, 200: 4} {
		if got := s.below(id); got != want {
			t.Errorf("below %d: %d, want %d", id, got, want)
		}
	}
}
