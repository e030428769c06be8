package names

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kifu/datasets"
	"kifu/datasets/columns"
	"kifu/kit/datasettest"
	"kifu/schemas"
)

// played is one game of a test.
type played struct {
	first, second, date string
	elo                 [2]int32
}

// store writes games with only the columns that the package reads.
func store(t *testing.T, games []played) *datasets.Dir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "games")
	return datasettest.Build(t, dir, datasets.Step{Stage: "ingest", Output: schemas.Games.ID(),
		Run: func(_ context.Context, _ []*datasets.Dir, out *datasets.Builder) error {
			out.SetTable(schemas.Games)
			b := columns.NewBatch(schemas.Games)
			for _, g := range games {
				for c := range b.Cols {
					g.fill(&b.Cols[c])
				}
				b.Rows++
			}
			return datasettest.Part(out, 0, b)
		}})
}

func (g *played) fill(v *columns.Vec) {
	text := map[string]string{"first_player": g.first, "second_player": g.second, "date": g.date}
	switch v.Column.Type {
	case schemas.Int16:
		elo := g.elo[strings.Count(v.Column.Name, "second")]
		if elo == 0 {
			v.AppendNull()
			return
		}
		v.AppendInt32(elo)
	case schemas.Int32:
		v.AppendInt32(0)
	case schemas.Int64:
		v.AppendInt64(0)
	case schemas.Int32List:
		v.AppendNull()
	case schemas.StringMap:
		v.EndMap()
	default:
		if s := text[v.Column.Name]; s != "" || !v.Column.Nullable {
			v.AppendString(s)
			return
		}
		v.AppendNull()
	}
}

// find makes a game of each name against somebody else, "name/year/rating", the first
// name most often, and returns the groups as "a = b (reason)".
func find(t *testing.T, players ...string) []string {
	t.Helper()
	var games []played
	for i, p := range players {
		fields := strings.Split(p+"//", "/")
		g := played{first: fields[0], second: "", date: fields[1]}
		fmt.Sscan(fields[2], &g.elo[0])
		for range 5 * (len(players) - i) {
			games = append(games, g)
		}
		if i == 0 {
			games = append(games, slices.Repeat([]played{g}, 20)...)
		}
	}
	return groups(t, games, Params{MinConfidence: 0.7})
}

func groups(t *testing.T, games []played, p Params) []string {
	t.Helper()
	found, _, err := Find(context.Background(), p, 2, store(t, games))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, a := range found {
		if a.Of != "" {
			all = append(all, fmt.Sprintf("%s = %s (%s)", a.Player.Name, a.Of, a.Reason))
		}
	}
	return all
}

func TestOnePerson(t *testing.T) {
	for _, c := range []struct{ reason, players string }{
		{sameLetters, "Carlsen, Magnus/2010;CARLSEN,MAGNUS/2011"},
		{sameLetters, "Müller, Karl;Muller,  Karl"},
		{sameLetters, "Vachier-Lagrave, Maxime/2010;Vachier Lagrave, Maxime/2010"},
		{sameLetters, "Spassky, B V/1970;Spassky, BV/1970"},
		{sameLetters, "DrNykterstein/2020;drnykterstein/2020"},
		{decorated, "Carlsen, Magnus/2010;GM Carlsen, Magnus/2011"},
		{decorated, "Keres, Paul/1950;Keres, Paul (EST)/1950"},
		{decorated, "Karpov, Anatoly/1980;Karpov, Anatoly (RUS/1980"},
		{decorated, "Drasko, Milan/1980;Drasko, Milan YUG/1980"},
		{otherOrder, "Carlsen, Magnus/2010;Magnus Carlsen/2010"},
		{otherOrder, "Timman, Jan/1980;Jan Timman/1980"},
		{otherOrder, "Spassky, B/1970;B. Spassky/1970"},
		{abbreviated, "Carlsen, Magnus/2010;Carlsen,M./2011"},
		{abbreviated, "Carlsen, M/2010;Carlsen, Magnus/2011"},
		{abbreviated, "Short, Nigel D/1990;Short, N D/1991"},
		{middleName, "Alekhine, Alexander/1920;Alekhine, Alexander A/1921"},
		{romanised, "Korchnoi, Viktor/1970;Kortchnoj, Victor/1975"},
		{romanised, "Jussupow, Artur/1990;Yusupov, Artur/1985"},
		{romanised, "Чигорин, Михаил/1890;Tchigorin, Mikhail/1891"},
		{romanised, "Hübner, Robert/1980;Huebner, Robert/1981"},
		{romanised, "Ivanchuk, Vasyl (UKR)/1990;Ivanczuk, Vasyl (UKR)/1990"},
		{romanisedInitials, "Jussupow, A/1990/2600;Yusupov, A/1985/2590"},
		{sameLetters, "羽生善治/1990;羽生 善治/1990"},
		{sameLetters, "羽生善治/1990;羽生\u3000善治/1990"},
		{sameLetters, "渡辺明/2010;渡邊　明/2010"},
		{sameLetters, "髙見泰地/2018;高見泰地/2018"},
		{decorated, "羽生善治/1990;羽生善治九段/1990"},
		{decorated, "谷川浩司/1990;谷川 浩司 永世名人/1990"},
		{decorated, "里見香奈/2010;里見香奈女流四段/2010"},
		{otherOrder, "羽生 善治/1990;善治 羽生/1990"},
		{otherOrder, "羽生善治/1990;善治 羽生/1990"},
		{otherOrder, "Fujii, Sota/2020;Sota Fujii/2020"},
		{slip, "Smyslov, Vasily/1950;Smsylov, Vasily/1951"},
		{slip, "Khalifman, Alexander/1993;Khalifman, Alexande/1993"},
		{slip, "Polugaevsky, Lev/0/2600;Polugajevsky, Lev/0/2580"},
	} {
		players := strings.Split(c.players, ";")
		got := find(t, players...)
		if len(got) != 1 || !strings.HasSuffix(got[0], "("+c.reason+")") {
			t.Errorf("%q: %v, want one by %s", players, got, c.reason)
		}
	}
}

func TestTwoPersons(t *testing.T) {
	for _, players := range []string{
		"Short, Nigel/1990;Short, N D/1990",               // another initial
		"Short, Nigel/1990;Short, N D/1990;Short, N/1990", // which of them?
		"Petrosian, Tigran L/2015/2600;Petrosian, T A/2015/2600;Petrosian, T/2015/2600",
		"Wang, Yue/2010/2700;Wang, Yu/2010/2700",
		"Stockfish 14/2021;Stockfish 15/2022",
		"Stockfish 14.1/2021;Stockfish 141/2021",
		"Komodo/2014;Komodo 9/2015",
		"Houdini 4 x64/2014;Houdini 4 x32/2014",
		"player_one/2020/1500;playerone/2020/1500", // two accounts
		"yg-1/2020/1500;yg_1/2020/1500",
		"A_Moore/2020/1500;Alexi_Moore/2020/1500",
		"Houdini 1.5/2011;Houdini 1.5a/2011",
		"penguin/2020/1500;penguins/2020/1500",
		"Smith, John/2000;Smith, James/2000;Smith, J/2000",
		"Evans, Larry D/1980;Evans, Larry M/1980;Evans, Larry/1980",
		"Garcia Vera, O/1950;Garcia Vera, R/1950",
		"Wang, Lei/2000;Lei, Wang/2000",
		"Li, Chao/2010/2700;Li, Chao b/2010/2700",
		"Byrne, Robert/1970;Byrne, Donald/1970",
		"Polgar, Zsuzsa/1990;Polgar, Zsofia/1990",
		"Ivanov, Sergei/1990;Ivanova, Sergei/1990",
		"Walker, John Jr/1990;Walker, John/1990",
		"Tarrasch, Siegbert/1900;Tarrasch, S/1995",           // too long a life
		"Petrosian, Tigran/1960/2600;Petrosian, T/1965/1700", // too far apart
		"Smyslov, Vasily;Smsylov, Vasily",                    // no evidence
		"Timoshchenko, G/1985/2530;Timoshenko, G/1990/2520",  // Gennadi and Georgy
		"Jussupow, A/1990;Yusupov, A/1985",                   // contemporaries alone
		"Ivanchuk, Vasyl (UKR)/1990;Ivanczuk, Vasyl (POL)/1990",
		"藤井聡太/2010;藤井猛/2010",
		"佐藤康光/2000/2600;佐藤康弘/2000/2600",
		"渡辺 明/2010;渡部 愛/2010",
		"選手001/2000;選手002/2000",
		"Caruana,Fabiano/2015;Caruana,Fabiano:Green,Lee/2015", // two who consult
		"Caruana, Fabiano/2015;Caruana, F & Green, L/2015",
		"Caruana, Fabiano/2015;Caruana,F+Green,L/2015",
	} {
		if got := find(t, strings.Split(players, ";")...); len(got) != 0 {
			t.Errorf("%q: %v", players, got)
		}
	}
}

// TestInitialsOfOneTime: an initial stands for all spellings of one player, and namesakes of other
// times do not keep it from that.
func TestInitialsOfOneTime(t *testing.T) {
	got := find(t, "Tal, Mihail/1960", "Tal, M/1960", "Tal, Mikhail/1960", "Tal, Mikhail N/1960", "Tal, M N/1960")
	if len(got) != 4 || !slices.Contains(got, "Tal, M = Tal, Mihail (initials)") || !slices.Contains(got, "Tal, Mikhail = Tal, Mihail (romanisation)") {
		t.Errorf("%v", got)
	}
	got = find(t, "Petrosian, Tigran V/1965", "Petrosian, T/1965", "Petrosian, T L/2015")
	if len(got) != 1 || got[0] != "Petrosian, T = Petrosian, Tigran V (initials)" {
		t.Errorf("%v", got)
	}
}

// TestGivenNamesInUseAreNoSlips: a given name that others have too is another name.
func TestGivenNamesInUseAreNoSlips(t *testing.T) {
	players := []string{"Petersen, Steven/1990", "Petersen, Stefen/1990"}
	if got := find(t, players...); len(got) != 1 {
		t.Fatalf("without others: %v", got)
	}
	for _, surname := range []string{"Adams", "Brown", "Clark"} {
		players = append(players, surname+", Stefen/1990")
	}
	if got := find(t, players...); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestWhoMetIsTwo: a game between two names separates them, even when a third would join
// them.
func TestWhoMetIsTwo(t *testing.T) {
	many := func(first, second string) []played {
		return slices.Repeat([]played{{first: first, second: second, date: "1990-05-01"}}, 9)
	}
	apart := slices.Concat(many("Short, N", "x"), many("Short, Nigel", "y"))
	if got := groups(t, apart, Params{}); len(got) != 1 {
		t.Fatalf("before they met: %v", got)
	}
	met := append(apart, played{first: "Short, Nigel", second: "Short, N", date: "1991"})
	if got := groups(t, met, Params{}); len(got) != 0 {
		t.Errorf("after they met: %v", got)
	}
	third := append(met, many("SHORT, N.", "z")...)
	if got := groups(t, third, Params{}); len(got) != 1 || !strings.Contains(got[0], sameLetters) {
		t.Errorf("a third: %v", got)
	}
}

func TestMinGames(t *testing.T) {
	games := []played{{first: "A, B", second: "C, D"}, {first: "a, b", second: "E, F"}, {first: "A,B", second: "c, d"}}
	for least, want := range map[int64]int{0: 3, 2: 3, 3: 2, 4: 0} { // names beside the heads: 2 of A, B in 3 games, 1 of C, D in 2
		if got := groups(t, games, Params{MinGames: least}); len(got) != want {
			t.Errorf("at least %d games: %v, want %d", least, got, want)
		}
	}
}

// TestAlike: keys of one hash that differ make blocks of their own.
func TestAlike(t *testing.T) {
	m := &matcher{}
	names := []string{"a", "b", "a", "c", "b", "a"}
	var keys []keyed
	for i := range names {
		keys = append(keys, keyed{7, int32(i)})
	}
	got := fmt.Sprint(m.alike(keys, func(i int32) string { return names[i] }))
	if want := "[[0 2 5] [1 4]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestRoster: players are found under their names while they become many, and after they are
// sorted, with what is known of them.
func TestRoster(t *testing.T) {
	const n = 5000
	r := newRoster()
	for i := range n {
		p := r.add(fmt.Appendf(nil, "%d", n-i))
		r.games[p]++
		r.seen(p, fmt.Appendf(nil, "19%02d", i%100))
		r.seen(p, []byte("1950-05"))
		r.rated(p, int32(1000+i))
		if again := r.add(fmt.Appendf(nil, "%d", n-i)); again != p {
			t.Fatalf("%d is %d and %d", n-i, p, again)
		}
	}
	r.sort()
	for i := range n {
		name := fmt.Sprint(n - i)
		p := r.find([]byte(name))
		if p < 0 {
			t.Fatalf("%s is not found", name)
		}
		year := fmt.Sprintf("19%02d", i%100)
		want := Player{name, 1, min(year, "1950-05"), max(year, "1950-05"), int32(1000 + i), int32(1000 + i)}
		if got := r.at(p); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
		if p > 0 && string(r.name(p-1)) >= name {
			t.Fatalf("%s is after %s", name, r.name(p-1))
		}
	}
	if p := r.find([]byte("nobody")); p >= 0 {
		t.Errorf("nobody is %d", p)
	}
}

// TestOpponentsInCommon: names without years and ratings of which one may be short for the
// other are one player's if they share three opponents and have not met.
func TestOpponentsInCommon(t *testing.T) {
	of := func(name string, opponents ...string) (games []played) {
		for _, o := range opponents {
			games = append(games, played{first: name, second: o})
		}
		return games
	}
	rivals := []string{"Hellman, W", "Lowder, E", "Oldbury, D", "Fortman, R"}
	one := append(of("M Tinsley", rivals...), of("MF Tinsley", rivals[:3]...)...)
	if got := groups(t, one, Params{MinConfidence: 0.7}); len(got) != 1 || got[0] != "MF Tinsley = M Tinsley (initials)" {
		t.Errorf("%v", got)
	}
	for what, games := range map[string][]played{
		"two opponents in common": append(of("M Tinsley", rivals...), of("MF Tinsley", rivals[:2]...)...),
		"a game with each other":  append(one, of("M Tinsley", "MF Tinsley")...),
	} {
		if got := groups(t, games, Params{MinConfidence: 0.7}); len(got) != 0 {
			t.Errorf("%s: %v", what, got)
		}
	}
}
