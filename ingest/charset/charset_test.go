package charset

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// in encodes text; ok is false if e cannot.
func (e Encoding) in(text string) (b []byte, ok bool) {
	b, err := known[e].table.NewEncoder().Bytes([]byte(text))
	return b, err == nil
}

func detect(texts ...[]byte) Encoding {
	var v Evidence
	for _, text := range texts {
		v.Add(text)
	}
	return v.Best()
}

func TestNames(t *testing.T) {
	for encoding, names := range map[string]string{
		"windows-1252": "Müller, Thomas|Große, Jörg|Östersund|Çelik|Bjørn Ødegård|Núñez, José|Peña|Sørensen|Märtin|Françoise|Hübner|Åström|São Paulo|Réti|König|Ünal|Bæk|MÜLLER, JÖRG|O’Kelly|Stoß",
		"windows-1251": "Иванов|Ли|Карпов, Анатолий|Реті|Петросян Т.|МОСКВА|Ботвинник, М. М.|Україна|Яковлев|Юдин",
		"windows-1250": "Łukasz|Wójcik, Paweł|Kovačević|Jiří Štoček|Dvořák|Włodarczyk|Ľubomír|Polgár Erzsébet|Świątek",
		"windows-1254": "Şahin|Yılmaz, Mustafa|Doğan|Işık",
		"windows-1257": "Kārlis Bērziņš|Žukauskas, Šarūnas|Šiauliai, Jūratė",
		"windows-1253": "Παπαδόπουλος|Γεώργιος",
		"koi8-u":       "Иванов, Пётр|Карпов|МОСКВА, Россия",
		"cp866":        "Иванов, Петр|Карпов|Москва",
		"cp850":        "Müller|Große, Jörg|Núñez, José",
		"macintosh":    "Müller, Jörg|Núñez, José",
		"iso-8859-2":   "Świątek|Łukasz Świerczyński",
	} {
		e, ok := Parse(encoding)
		if !ok {
			t.Fatal(encoding)
		}
		for name := range strings.SplitSeq(names, "|") {
			b, ok := e.in(name)
			if !ok {
				continue // that name has another letter
			}
			got := detect(b)
			if text := string(got.Append(nil, b)); text != name {
				t.Errorf("%s in %s: %q (%s)", name, encoding, text, got)
			}
		}
	}
}

// TestRegions takes the names of countries in many languages from CLDR, which
// letters.txt has not seen, and asks how many letters come out right: name by name, and
// with the evidence of the rest.
func TestRegions(t *testing.T) {
	for _, x := range []struct {
		encoding, languages string
		alone, together     float64 // shares of names that must come out right
	}{
		{"windows-1252", "de fr es it pt sv nb da fi nl et", 0.97, 1},
		{"windows-1252", "is", 0.9, 1},
		{"windows-1251", "ru uk bg", 0.99, 1},
		{"windows-1250", "pl cs sk hu hr", 0.84, 0.99},
		{"windows-1250", "sl ro", 0.5, 0.99},
		{"windows-1254", "tr", 0.85, 1},
		{"windows-1257", "lt lv", 0.25, 0.98},
		{"windows-1253", "el", 0.97, 1},
		{"koi8-u", "ru", 0.97, 1},
		{"cp866", "ru", 0.98, 1},
		{"cp850", "de fr es", 0.7, 1},
		{"cp852", "pl cs hu", 0.5, 0.99},
		{"macintosh", "de fr es", 0.15, 1},
	} {
		e, _ := Parse(x.encoding)
		for tag := range strings.FieldsSeq(x.languages) {
			var names []string
			var whole Evidence
			namer := display.Regions(language.MustParse(tag))
			for a := 'A'; a <= 'Z'; a++ {
				for b := 'A'; b <= 'Z'; b++ {
					region, err := language.ParseRegion(string([]rune{a, b}))
					if err != nil || !region.IsCountry() {
						continue
					}
					name := namer.Name(region)
					if coded, ok := e.in(name); ok && !utf8.Valid(coded) {
						names = append(names, name)
						whole.Add(coded)
					}
				}
			}
			alone, together := 0, 0
			var wrong []string
			for _, name := range names {
				coded, _ := e.in(name)
				var v Evidence
				v.Add(coded)
				if text := string(v.Best().Append(nil, coded)); text == name {
					alone++
				} else {
					wrong = append(wrong, text)
				}
				if string(v.Plus(whole.Prior()).Best().Append(nil, coded)) == name {
					together++
				}
			}
			n := float64(len(names))
			t.Logf("%s in %s: of %d names %.3f alone, %.3f together; %.5q", tag, x.encoding, len(names), float64(alone)/n, float64(together)/n, wrong)
			if len(names) < 10 || float64(alone) < x.alone*n || float64(together) < x.together*n {
				t.Errorf("%s in %s: of %d names %d alone, %d together; %q", tag, x.encoding, len(names), alone, together, wrong)
			}
		}
	}
}

// TestNeighboursDecide: names that are read as Western alone come out right in a file
// that says more, and a file does not outvote a name that is clear by itself.
func TestNeighboursDecide(t *testing.T) {
	for encoding, texts := range map[string][]string{
		"windows-1250": {"Žďár", "Győr", "Łukasz Wójcik", "Dvořák, Jiří", "Świątek", "Kovačević"},
		"windows-1257": {"Mikėnas", "Kārlis Bērziņš", "Žukauskas, Šarūnas"},
		"windows-1252": {"Guðmundur", "Müller", "Bjørn Ødegård", "Große", "Françoise"},
		"macintosh":    {"Jörg", "Müller", "Núñez, José", "Österreich", "Königsberg", "François"},
	} {
		e, _ := Parse(encoding)
		var file Evidence
		for _, text := range texts {
			if b, ok := e.in(text); ok {
				file.Add(b)
			}
		}
		b, _ := e.in(texts[0])
		var game Evidence
		game.Add(b)
		if got := game.Plus(file.Prior()).Best(); string(got.Append(nil, b)) != texts[0] {
			t.Errorf("%s in %s: read as %s", texts[0], encoding, got)
		}
		cyrillic, _ := Encoding(1).in("Петросян, Тигран")
		game = Evidence{}
		game.Add(cyrillic)
		if got := game.Plus(file.Prior()).Best(); got != 1 {
			t.Errorf("a Cyrillic name in a file of %s is read as %s", encoding, got)
		}
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]string{"CP1251": "windows-1251", "latin1": "windows-1252", "KOI8-R": "koi8-u", "Windows-1250": "windows-1250", "ISO_8859-2": "iso-8859-2", "cp866": "cp866"} {
		if e, ok := Parse(name); !ok || e.String() != want {
			t.Errorf("%s: %v, %v", name, e, ok)
		}
	}
	if _, ok := Parse("ebcdic"); ok {
		t.Error("ebcdic is known")
	}
}

// TestBeyondASCII: what a text costs in each encoding is what its bytes beyond ASCII and their
// neighbours cost.
func TestBeyondASCII(t *testing.T) {
	const most = 1 << 30
	rng := rand.New(rand.NewPCG(1, 2))
	tables := load()
	short := 0
	for range 3000 {
		text := make([]byte, rng.IntN(40))
		for i := range text {
			text[i] = byte(rng.IntN(128))
			if rng.IntN(4) == 0 {
				text[i] |= 0x80
			}
		}
		cut := beyondASCII(nil, text)
		if len(cut) < len(text) {
			short++
		}
		if got, want := utf8Cost(cut), utf8Cost(text); got != want {
			t.Fatalf("%q as UTF-8: %d, want %d", text, got, want)
		}
		for e := range known {
			var got, want int
			switch {
			case known[e].wide != nil:
				got, want = known[e].wide.cost(cut, most), known[e].wide.cost(text, most)
			case known[e].table != nil:
				got, want = tables[e].cost(cut, most), tables[e].cost(text, most)
			}
			if got != want {
				t.Fatalf("%q in %s: %d, want %d", text, Encoding(e), got, want)
			}
		}
	}
	if short < 1000 {
		t.Errorf("%d texts were cut", short)
	}
}

// TestAppendUTF8: damaged text is read as the standard library reads it.
func TestAppendUTF8(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	whole := []rune("aé€😀")
	for range 3000 {
		var text []byte
		for range rng.IntN(12) {
			c := []byte(string(whole[rng.IntN(len(whole))]))
			text = append(text, c[:1+rng.IntN(len(c))]...)
		}
		if got, want := UTF8.Append([]byte("x"), text), "x"+strings.ToValidUTF8(string(text), "\uFFFD"); string(got) != want {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
	}
}
