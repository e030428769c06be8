package rows

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kifu/games"
	"kifu/ingest/charset"
	"kifu/ingest/record"
	"kifu/internal/hands"
	"kifu/schemas"
)

// cleaner turns tag values into column values. It keeps the buffer that they need.
type cleaner struct {
	buf  []byte
	game *record.Game // whose values they are; may be nil
	Texts
	decided bool                 // encoding of the game's texts is settled
	remarks []schemas.Annotation // more evidence of the encoding, once the tags are read
}

// Texts is the knowledge of the encoding of a stream's texts.
type Texts struct {
	fixed    bool // encoding was set by the user
	encoding charset.Encoding
	prior    charset.Evidence
}

// TextsOf looks at the beginning of a stream of a format: at its lines that may hold tags.
func TextsOf(head []byte, of *record.Format, fixed *charset.Encoding) Texts {
	if fixed != nil {
		return Texts{fixed: true, encoding: *fixed}
	}
	if of.Holds == record.Positions { // it has no texts
		return Texts{fixed: true, encoding: charset.UTF8}
	}
	if of.Charset != "" {
		if e, ok := charset.Parse(of.Charset); ok {
			return Texts{fixed: true, encoding: e}
		}
	}
	var prior charset.Evidence
	if whole := head[:bytes.LastIndexAny(head, "\r\n")+1]; charset.ASCII(whole) {
		// no evidence
	} else if charset.Sure(whole) {
		prior.AddLabel(charset.UTF8)
	} else {
		prior = tagEvidence(whole, of).Prior()
	}
	if bytes.HasPrefix(head, []byte("\uFEFF")) {
		prior.AddLabel(charset.UTF8)
	}
	return Texts{prior: prior}
}

// tagEvidence returns the evidence in the lines of text that may hold tags.
func tagEvidence(text []byte, of *record.Format) (seen charset.Evidence) {
	for line := range bytes.SplitAfterSeq(text, []byte("\n")) {
		for line := range bytes.SplitSeq(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")) {
			if len(line) > 0 && (of.TagLine == nil || of.TagLine(line)) {
				seen.Add(line)
			}
		}
	}
	return seen
}

// Decoder is the record.Options.Decoder of a stream.
func (t *Texts) Decoder(text []byte, label string) (record.Decoder, string) {
	switch {
	case !t.fixed:
		return t.prior.Decoder(text, label)
	case t.encoding.EightBit():
		return nil, ""
	}
	return t.encoding.Append, ""
}

// GobEncode implements gob.GobEncoder.
func (t Texts) GobEncode() ([]byte, error) { return hands.Pack(t.fixed, t.encoding, t.prior) }

// GobDecode implements gob.GobDecoder.
func (t *Texts) GobDecode(text []byte) error {
	return hands.Unpack(text, &t.fixed, &t.encoding, &t.prior)
}

// Begin makes c the cleaner of the values of g.
func (c *cleaner) Begin(g *record.Game) { c.game, c.decided, c.remarks = g, false, nil }

// decide settles the encoding of the game's values that are not UTF-8 from all of its values together.
func (c *cleaner) decide() charset.Encoding {
	if c.fixed || c.decided {
		return c.encoding
	}
	all := c.prior
	if c.game != nil {
		for i := range c.game.Tags {
			all.Add(c.game.Tags[i].Value)
		}
	}
	for i := range c.remarks {
		all.Add([]byte(c.remarks[i].Comment))
	}
	c.encoding, c.decided = all.Best(), true
	return c.encoding
}

// guess names the encoding that the game's values were taken for, "" if nothing had to be guessed.
func (c *cleaner) guess() string {
	switch {
	case c.decided:
		return c.encoding.Guess()
	case c.game.Guess != "" && slices.ContainsFunc(c.game.Tags, func(t record.Tag) bool { return !charset.ASCII(t.Value) }):
		return c.game.Guess
	}
	return ""
}

// Text makes v valid UTF-8 without control characters, trims it, and returns nil when
// nothing is known: an empty value, ? or -. It is v's memory or the cleaner's.
func (c *cleaner) Text(v []byte) []byte {
	v = unquoted(bytes.TrimSpace(c.Repair(v)))
	if Unknown(v) {
		return nil
	}
	return v
}

// quotes are the pairs of signs that enclose a value.
var quotes = [...][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}}

// unquoted cuts off the quotes that a whole value is in.
func unquoted(v []byte) []byte {
	if len(v) == 0 || v[0] != '"' && v[0] < utf8.RuneSelf {
		return v
	}
	for _, pair := range quotes {
		inner, begins := bytes.CutPrefix(v, []byte(pair[0]))
		inner, ends := bytes.CutSuffix(inner, []byte(pair[1]))
		if begins && ends && !bytes.Contains(inner, []byte(pair[0])) && !bytes.Contains(inner, []byte(pair[1])) {
			return bytes.TrimSpace(inner)
		}
	}
	return v
}

// Unknown reports whether a trimmed value is a word for "unknown".
func Unknown(v []byte) bool {
	for _, b := range v {
		if b != '?' {
			return len(v) == 1 && b == '-'
		}
	}
	return true
}

// Repair makes v valid UTF-8. A value that is not is decoded as the game's encoding has
// it. Control characters become spaces.
func (c *cleaner) Repair(v []byte) []byte {
	plain := true
	for _, b := range v {
		if b < ' ' || b >= '~' { // HZ has marks with ~
			plain = false
			break
		}
	}
	if plain {
		return v
	}
	if charset.Escaped(v) {
		c.buf = charset.AppendEscaped(c.buf[:0], v)
	} else if utf8.Valid(v) {
		c.buf = append(c.buf[:0], v...)
	} else {
		c.buf = c.decide().Append(c.buf[:0], v)
	}
	for i, b := range c.buf {
		if b < ' ' || b == 0x7F {
			c.buf[i] = ' '
		}
		if b == 0xC2 && c.buf[i+1] < 0xA0 { // U+0080 to U+009F, of which terminals obey some
			c.buf[i], c.buf[i+1] = ' ', ' '
		}
	}
	return c.buf
}

// date returns v in ISO 8601 at the precision that is known, nil if it names no year.
// ok reports that v holds nothing else.
func (c *cleaner) date(v []byte) (iso []byte, ok bool) {
	v = bytes.TrimSpace(v)
	if Unknown(v) {
		return nil, true
	}
	v, whole := dayIn(v)
	if iso, ok = c.iso(v); !whole {
		ok = false
	}
	return iso, ok
}

// iso is date without what may be around a date.
func (c *cleaner) iso(v []byte) (iso []byte, ok bool) {
	var part, digits [3]int // 0 unknown
	n, mark := 0, byte(0)
	for _, b := range v {
		switch {
		case (b == '.' || b == '-' || b == '/') && n < 2:
			n++
			mark = b
		case b == '?' || b == ' ':
		case b >= '0' && b <= '9' && digits[n] < 4:
			part[n] = 10*part[n] + int(b-'0')
			digits[n]++
		default:
			return nil, false
		}
	}
	year, month, day := part[0], part[1], part[2]
	certain := true
	if digits[0] != 4 && digits[0] != 0 {
		if digits[0] > 2 || digits[2] != 4 {
			return nil, false
		}
		year, month, day, certain = yearLast(part, mark)
	}
	if year == 0 {
		return nil, month == 0 && day == 0
	}
	c.buf = append(c.buf[:0], byte('0'+year/1000), byte('0'+year/100%10), byte('0'+year/10%10), byte('0'+year%10))
	if month == 0 {
		return c.buf, day == 0 && certain
	}
	if month > 12 {
		return nil, false
	}
	c.buf = append(c.buf, '-', byte('0'+month/10), byte('0'+month%10))
	if day == 0 {
		return c.buf, true
	}
	if day > daysIn(year, month) {
		return nil, false
	}
	return append(c.buf, '-', byte('0'+day/10), byte('0'+day%10)), true
}

// yearLast reads 25.11.2000, 14-01-1996 and 11/25/2000. Of 3-4-1996 and 3/4/1996 only the year is known, as some write the
// month first; certain is false then.
func yearLast(part [3]int, mark byte) (year, month, day int, certain bool) {
	a, b := part[0], part[1]
	switch year = part[2]; {
	case a == 0 || b == 0 || mark != '.' && a != b && a <= 12 && b <= 12:
		return year, 0, 0, false
	case mark != '.' && b > 12:
		return year, a, b, true
	}
	return year, b, a, true
}

// dayIn returns the date at the beginning of v. A time of day, the end of a range or a word for
// "about" may follow it. 2008年5月3日 is 2008-5-3. whole reports that nothing else follows.
func dayIn(v []byte) (day []byte, whole bool) {
	if bytes.Contains(v, []byte("年")) {
		v = []byte(strings.TrimRight(strings.NewReplacer("年", "-", "月", "-", "日", " ").Replace(string(v)), " -"))
	}
	day = v
	for _, about := range [...]string{"circa ", "ca. ", "c. ", "ca ", "c."} {
		if len(day) > len(about) && bytes.EqualFold(day[:len(about)], []byte(about)) {
			day = bytes.TrimSpace(day[len(about):])
			break
		}
	}
	for _, to := range [...]string{"~", "～", "–", "—", " - "} {
		if i := bytes.Index(day, []byte(to)); i > 0 {
			day = bytes.TrimSpace(day[:i])
		}
	}
	const year = 4
	if len(day) == 2*year+1 && numeric(day[:year]) && numeric(day[year+1:]) { // 1971-1972
		day = day[:year]
	}
	n, parts := 0, 0
	for ; parts < 3; parts++ { // digits, and what parts them
		from := n
		for n < len(day) && day[n] >= '0' && day[n] <= '9' {
			n++
		}
		if n == from || parts == 0 && n != year {
			break
		}
		if parts < 2 && (n == len(day) || bytes.IndexByte([]byte("-./"), day[n]) < 0) {
			break
		}
		if parts < 2 {
			n++
		}
	}
	if parts == 3 && n < len(day) && day[n] != '.' && day[n] != '?' {
		day = day[:n]
	}
	return day, len(day) == len(v)
}

// numeric reports whether v has digits alone.
func numeric(v []byte) bool {
	for _, b := range v {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// elo returns a rating, 0 if it is unknown. ok reports that v is a rating or a word for "none".
func elo(v []byte) (n int32, ok bool) {
	v = bytes.TrimSpace(v)
	if Unknown(v) {
		return 0, true
	}
	if len(v) > 4 || !numeric(v) {
		return 0, false
	}
	for _, b := range v {
		n = 10*n + int32(b-'0')
	}
	return n, true
}

// Result is games.ReadResult; ok reports that v is a result or a word for "none".
func Result(v []byte, blackFirst bool) (o games.Outcome, ok bool) {
	v = bytes.TrimSpace(v)
	if Unknown(v) {
		return games.Undecided, true
	}
	return games.ReadResult(v, blackFirst)
}
