package person

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// isHan reports a name in Chinese characters or kana alone, of which the surname is written
// first, with a space after it or none.
func isHan(name string) bool {
	found := false
	for _, r := range name {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー':
			found = true
		case unicode.IsSpace(r):
		default:
			return false
		}
	}
	return found
}

// variants are older or other forms of characters in which one name is written.
var variants = strings.NewReplacer("邊", "辺", "邉", "辺", "髙", "高", "澤", "沢", "﨑", "崎", "齋", "斎", "廣", "広", "濱", "浜",
	"國", "国", "眞", "真", "龍", "竜", "櫻", "桜", "藏", "蔵", "冨", "富", "德", "徳", "瀨", "瀬", "惠", "恵", "榮", "栄")

// ranks are titles of players of Shogi and Go after a name; a grade is before 段, 級 or 冠.
var ranks = []string{"永世名人", "名誉名人", "永世棋聖", "竜王", "名人", "王位", "王座", "棋王", "王将", "棋聖", "叡王", "本因坊", "十段",
	"天元", "碁聖", "女王", "倉敷藤花", "会長", "先生", "さん", "氏", "君"}

// hanOf parses a name for which isHan holds, without its rank.
func hanOf(name string) Form {
	words := strings.Fields(variants.Replace(norm.NFKC.String(name)))
	if n := len(words); n > 1 && withoutRank(words[n-1]) == "" {
		words = words[:n-1] // 谷川浩司 九段
	}
	last := len(words) - 1
	if rest := withoutRank(words[last]); rest != "" {
		words[last] = rest
	}
	return Form{Han: true, Surname: words[0], Given: words[1:], Single: len(words) == 1, Bare: strings.Join(words, "")}
}

// withoutRank takes ranks off the end of a word; a word that is one becomes empty. Names of
// two characters and fewer stay: 本因坊 is no rank of a player called 本.
func withoutRank(word string) string {
	for {
		rest := word
		for _, rank := range ranks {
			rest = strings.TrimSuffix(rest, rank)
		}
		for _, unit := range []string{"段", "級", "冠"} {
			if graded, found := strings.CutSuffix(rest, unit); found {
				if less := strings.TrimRight(graded, "初一二三四五六七八九十"); less != graded {
					rest = strings.TrimSuffix(strings.TrimSuffix(less, "女流"), "アマ")
				}
			}
		}
		rest = strings.TrimSuffix(rest, "アマ")
		if n := len([]rune(rest)); rest == word || n == 1 {
			return word
		}
		word = rest
	}
}
