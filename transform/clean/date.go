package clean

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
)

// dateTags are tags for the day of the game, in the order in which they are tried.
var dateTags = []string{"Date", "UTCDate", "GameDate", "DatePlayed", "DT", "RD", "StartDate", "EndDate"}

// Years that a number in a text may be.
const (
	firstYear = 1400
	lastYear  = 2100
)

// repairDate completes a missing or partial date from other tags: a date in another form, the year in which
// the event began, or the year at the end of event or site.
func (e *edit) repairDate() {
	own := e.text("date")
	take := func(date, reason string) bool {
		if len(date) <= len(own) || !strings.HasPrefix(date, string(own)) {
			return false
		}
		e.put("date", []byte(date), changeDate, reason, -1)
		return true
	}
	for _, name := range dateTags {
		if take(looseDate(string(e.tag(name))), "read from the tag "+name) {
			return
		}
	}
	if own != nil {
		return
	}
	if d := looseDate(string(e.tag("EventDate"))); len(d) > 4 && d[5:7] < "12" { // a game of an event from December may be of the next year
		if take(d[:4], "the year of the tag EventDate") {
			return
		}
	}
	for _, name := range []string{"event", "site"} {
		if take(yearAtEnd(e.text(name)), "the year in the column "+name) {
			return
		}
	}
}

// looseDate reads a date in any usual form into ISO 8601, at the precision that is certain, "" if none is.
// 1992/11/04, 19921104, 4.11.1992 and 4 Nov 1992 give 1992-11-04; in 1990.13.05 day and month are exchanged.
// 04/11/1992, in April or November, gives the year.
func looseDate(text string) string {
	numbers, month, separator := datePartsOf(text)
	at := -1
	for i, n := range numbers {
		if len(n) == 8 && len(numbers) == 1 {
			return valid(number(n[:4]), number(n[4:6]), number(n[6:]))
		}
		if y := number(n); len(n) == 4 && y >= firstYear && y <= lastYear {
			if at >= 0 {
				return "" // two years
			}
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	y := number(numbers[at])
	var rest []int
	for i, n := range numbers {
		if i != at && len(n) <= 2 {
			rest = append(rest, number(n))
		}
	}
	switch {
	case month > 0 && len(rest) == 1:
		return valid(y, month, rest[0])
	case month > 0:
		return valid(y, month, 0)
	case at == 0 && len(rest) == 2:
		if rest[0] > 12 {
			return valid(y, rest[1], rest[0])
		}
		return valid(y, rest[0], rest[1])
	case at == 0 && len(rest) == 1:
		return valid(y, rest[0], 0)
	case at == 2 && len(rest) == 2:
		if rest[1] > 12 {
			return valid(y, rest[0], rest[1])
		}
		if separator == '.' || rest[0] > 12 || rest[0] == rest[1] {
			return valid(y, rest[1], rest[0])
		}
	}
	return valid(y, 0, 0)
}

// datePartsOf returns the numbers of a text, the month that it names, 0 for none, and what follows
// the first number.
func datePartsOf(text string) (numbers []string, month int, separator byte) {
	for i := 0; i < len(text); {
		from := i
		switch c := rune(text[i]); {
		case unicode.IsDigit(c):
			for i < len(text) && text[i] >= '0' && text[i] <= '9' {
				i++
			}
			if numbers = append(numbers, text[from:i]); separator == 0 && i < len(text) {
				separator = text[i]
			}
		case unicode.IsLetter(c):
			for i < len(text) && (text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z') {
				i++
			}
			i = max(i, from+1)
			if i-from >= 3 {
				month = max(month, (strings.Index("janfebmaraprmayjunjulaugsepoctnovdec", strings.ToLower(text[from:from+3]))+3)/3)
			}
		default:
			i++
		}
	}
	return numbers, month, separator
}

func number(digits string) (n int) {
	for _, d := range digits {
		n = 10*n + int(d-'0')
	}
	return n
}

// valid writes a date as far as it can be one.
func valid(y, m, d int) string {
	switch {
	case y < firstYear || y > lastYear:
		return ""
	case m < 1 || m > 12:
		return fmt.Sprintf("%04d", y)
	case d < 1 || d > time.Date(y, time.Month(m)+1, 0, 0, 0, 0, 0, time.UTC).Day():
		return fmt.Sprintf("%04d-%02d", y, m)
	}
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

// yearAtEnd returns the year at the end of a text, if it is a separate word and the only number of four
// digits: in "Hastings 1895", but not in "Open U2000", "Elo 2000" or "1971-1972".
func yearAtEnd(text []byte) string {
	words := bytes.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' })
	if len(words) < 2 {
		return ""
	}
	last := string(words[len(words)-1])
	switch strings.ToLower(string(words[len(words)-2])) {
	case "elo", "rating", "under", "below", "over", "above", "u", "<", ">", "to", "-":
		return ""
	}
	for _, w := range words[:len(words)-1] {
		if len(w) >= 4 && isDigits(w[:4]) {
			return ""
		}
	}
	if len(last) != 4 || !isDigits([]byte(last)) {
		return ""
	}
	return valid(number(last), 0, 0)
}

func isDigits(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c < '0' || c > '9' })
}
