package charset

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// TestWideRegions takes the names of countries from CLDR in the languages of East Asia:
// five of them together, as a game has, must come out right, but for a few.
func TestWideRegions(t *testing.T) {
	for _, x := range []struct {
		encoding, language string
		right              float64 // share that must come out right
	}{
		{"gb18030", "zh", 0.9}, {"big5", "zh-Hant", 0.9}, {"shift-jis", "ja", 0.95}, {"euc-jp", "ja", 0.95}, {"euc-kr", "ko", 0.95},
	} {
		e, _ := Parse(x.encoding)
		var names []string
		namer := display.Regions(language.MustParse(x.language))
		for a := 'A'; a <= 'Z'; a++ {
			for b := 'A'; b <= 'Z'; b++ {
				if region, err := language.ParseRegion(string([]rune{a, b})); err == nil && region.IsCountry() {
					names = append(names, namer.Name(region))
				}
			}
		}
		right, n := 0, 0
		var wrong []string
		for ; len(names) >= 5; names = names[5:] {
			text := strings.Join(names[:5], " ")
			coded, err := known[e].wide.encoding.NewEncoder().String(text)
			if err != nil {
				continue
			}
			n++
			var v Evidence
			v.Add([]byte(coded))
			if got := string(v.Best().Append(nil, []byte(coded))); got == text {
				right++
			} else {
				wrong = append(wrong, v.Best().String())
			}
		}
		t.Logf("%s: %d of %d right; %v", x.encoding, right, n, wrong)
		if n < 10 || float64(right) < x.right*float64(n) {
			t.Errorf("%s: %d of %d right; %v", x.encoding, right, n, wrong)
		}
	}
}

// TestWidePlayers: names of players alone.
func TestWidePlayers(t *testing.T) {
	for encoding, names := range map[string]string{
		"gb18030":   "柯洁|古力|聂卫平|王天一|许银川|李昌镐",
		"shift-jis": "羽生善治|大山康晴|中原 誠|谷川浩司|藤井 聡太",
		"euc-jp":    "羽生善治|大山康晴|中原 誠|谷川浩司|藤井 聡太",
		"euc-kr":    "이창호|조훈현|박정환|신진서|김명훈",
	} {
		e, _ := Parse(encoding)
		right := 0
		all := strings.Split(names, "|")
		for _, name := range all {
			coded, err := known[e].wide.encoding.NewEncoder().String(name)
			if err != nil {
				t.Fatal(err)
			}
			var v Evidence
			v.Add([]byte(coded))
			if got := string(v.Best().Append(nil, []byte(coded))); got == name {
				right++
			} else {
				t.Logf("%s in %s: %q (%s)", name, encoding, got, v.Best())
			}
		}
		if right < len(all)-1 {
			t.Errorf("%s: %d of %d names alone", encoding, right, len(all))
		}
	}
}

// TestDamagedUTF8: what is left of UTF-8 stays UTF-8, in a text of its own or in a file of
// such texts.
func TestDamagedUTF8(t *testing.T) {
	file := Evidence{}
	file.Add([]byte("Müller"))
	file.Add([]byte("月冠 世界"))
	for _, x := range []struct {
		text, want string
		prior      Evidence
	}{
		{text: "PB[龙星无\xE6?\xB3]BR[9段]WR[9段]", want: "PB[龙星无\uFFFD?\uFFFD]BR[9段]WR[9段]"},
		{text: "\xE5?\x80", want: "\uFFFD?\uFFFD", prior: file.Prior()},
		{text: "Müller J\xC3", want: "Müller J\uFFFD"},
		{text: "J\xC3", want: "J\uFFFD", prior: file.Prior()},
		{text: "Сергей Иван\xD0", want: "Сергей Иван\uFFFD"},
		{text: "M\xFCller, J\xF6rg", want: "Müller, Jörg", prior: file.Prior()},
		{text: "Jos\xE9", want: "José"},
	} {
		v := x.prior
		v.Add([]byte(x.text))
		if got := string(v.Best().Append(nil, []byte(x.text))); got != x.want || !utf8.ValidString(got) {
			t.Errorf("%q: %q (%s), want %q", x.text, got, v.Best(), x.want)
		}
	}
}

// TestUsual decodes every pair of bytes that an encoding may have: the characters that are counted as
// usual are those that it gives, each once.
func TestUsual(t *testing.T) {
	for encoding, characters := range map[string]string{
		"gb18030": usualChinese, "big5": usualTraditional, "shift-jis": usualJapanese, "euc-jp": usualJapanese, "euc-kr": usualKorean,
	} {
		e, _ := Parse(encoding)
		w := known[e].wide
		found := map[rune]bool{}
		for pair := range 1 << 16 {
			lead, trail := byte(pair>>8), byte(pair)
			if lead < utf8.RuneSelf || w.pair(lead, trail) <= wrong {
				continue
			}
			text, err := w.encoding.NewDecoder().Bytes([]byte{lead, trail})
			r, n := utf8.DecodeRune(text)
			want := err == nil && n == len(text) && r != utf8.RuneError && strings.ContainsRune(characters, r)
			if got := w.usual(lead, trail); got != want {
				t.Errorf("%s: %x%x, %q, is usual: %v", encoding, lead, trail, text, got)
			}
			found[r] = found[r] || want
		}
		for _, r := range characters {
			if !found[r] {
				t.Errorf("%s has no %c", encoding, r)
			}
		}
	}
}
