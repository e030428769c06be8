package chart

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdfFont is a TrueType font of a PDF with the glyphs that are used, so that text is text: it can be
// searched and copied, and journals find the font embedded. Format: ISO 32000-1, 9.7 and 9.10.
type pdfFont struct {
	name   string
	font   *sfnt.Font
	tables map[string][]byte
	ids    map[sfnt.GlyphIndex]int // number of a glyph in the PDF; 0 is the sign for none
	used   []sfnt.GlyphIndex       // by their numbers
	runes  []rune                  // that each was first used for
}

// newPDFFont returns the font as a PDF can have it: nil if it is not a TrueType font in a file of its own.
func newPDFFont(f *sfnt.Font, buffer *sfnt.Buffer) *pdfFont {
	var source bytes.Buffer
	if _, err := f.WriteSourceTo(buffer, &source); err != nil {
		return nil
	}
	tables, err := sfntTables(source.Bytes())
	if err != nil {
		return nil
	}
	name, err := f.Name(buffer, sfnt.NameIDPostScript)
	if err != nil {
		return nil
	}
	return &pdfFont{name: name, font: f, tables: tables, ids: map[sfnt.GlyphIndex]int{0: 0}, used: []sfnt.GlyphIndex{0}, runes: []rune{0}}
}

var errNoTrueType = errors.New("not a TrueType font")

// sfntTables are the tables of a font with TrueType outlines (OpenType 1.9, "Organization of an
// OpenType Font").
func sfntTables(data []byte) (map[string][]byte, error) {
	if len(data) < 12 || binary.BigEndian.Uint32(data) != 0x00010000 {
		return nil, errNoTrueType
	}
	tables := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		at := 12 + 16*i
		if at+16 > len(data) {
			return nil, errNoTrueType
		}
		from, n := binary.BigEndian.Uint32(data[at+8:]), binary.BigEndian.Uint32(data[at+12:])
		if uint64(from)+uint64(n) > uint64(len(data)) {
			return nil, errNoTrueType
		}
		tables[string(data[at:at+4])] = data[from : from+n]
	}
	for _, needed := range []string{"head", "hhea", "hmtx", "maxp", "loca", "glyf"} {
		if tables[needed] == nil {
			return nil, errNoTrueType
		}
	}
	if len(tables["head"]) < 54 || len(tables["hhea"]) < 36 || len(tables["maxp"]) < 6 {
		return nil, errNoTrueType
	}
	return tables, nil
}

// id is the number of a glyph in the PDF.
func (f *pdfFont) id(glyph sfnt.GlyphIndex, r rune) int {
	id, known := f.ids[glyph]
	if !known {
		id = len(f.used)
		f.ids[glyph] = id
		f.used, f.runes = append(f.used, glyph), append(f.runes, r)
	}
	return id
}

// outline is the description of a glyph in the font.
func (f *pdfFont) outline(glyph sfnt.GlyphIndex) []byte {
	loca, glyf := f.tables["loca"], f.tables["glyf"]
	at := func(i int) int {
		if binary.BigEndian.Uint16(f.tables["head"][50:]) == 0 {
			return 2 * int(binary.BigEndian.Uint16(loca[2*i:]))
		}
		return int(binary.BigEndian.Uint32(loca[4*i:]))
	}
	return glyf[at(int(glyph)):at(int(glyph)+1)]
}

// composed calls replace with the places, in the description of a glyph that is made of others, of the
// numbers of these (OpenType 1.9, glyf, "Composite glyph description").
func composed(outline []byte, replace func(number []byte)) {
	if len(outline) < 10 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return
	}
	const words, scale, more, scales, matrix = 1, 8, 32, 64, 128
	for at := 10; at+4 <= len(outline); {
		flags := binary.BigEndian.Uint16(outline[at:])
		replace(outline[at+2 : at+4])
		at += 6
		if flags&words != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&scales != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			return
		}
	}
}

// subset is a font file of the glyphs that are used, numbered as in the PDF, and of those that they are made of.
func (f *pdfFont) subset() []byte {
	var glyf, loca, hmtx bytes.Buffer
	metrics := int(binary.BigEndian.Uint16(f.tables["hhea"][34:]))
	for i := 0; i < len(f.used); i++ { // grows by what glyphs are made of
		outline := slices.Clone(f.outline(f.used[i]))
		composed(outline, func(number []byte) {
			part := sfnt.GlyphIndex(binary.BigEndian.Uint16(number))
			binary.BigEndian.PutUint16(number, uint16(f.id(part, 0)))
		})
		loca.Write(binary.BigEndian.AppendUint32(nil, uint32(glyf.Len())))
		glyf.Write(outline)
		glyf.Write(make([]byte, -glyf.Len()&3))
		from := 4 * min(int(f.used[i]), metrics-1)
		bearing := f.tables["hmtx"][from+2 : from+4]
		if int(f.used[i]) >= metrics {
			bearing = f.tables["hmtx"][4*metrics+2*(int(f.used[i])-metrics):][:2]
		}
		hmtx.Write(f.tables["hmtx"][from : from+2])
		hmtx.Write(bearing)
	}
	loca.Write(binary.BigEndian.AppendUint32(nil, uint32(glyf.Len())))
	head, hhea, maxp := slices.Clone(f.tables["head"]), slices.Clone(f.tables["hhea"]), slices.Clone(f.tables["maxp"])
	binary.BigEndian.PutUint16(head[50:], 1) // long offsets
	binary.BigEndian.PutUint16(hhea[34:], uint16(len(f.used)))
	binary.BigEndian.PutUint16(maxp[4:], uint16(len(f.used)))
	tables := map[string][]byte{"head": head, "hhea": hhea, "maxp": maxp, "hmtx": hmtx.Bytes(), "loca": loca.Bytes(), "glyf": glyf.Bytes()}
	for _, hints := range []string{"cvt ", "fpgm", "prep"} {
		if t := f.tables[hints]; t != nil {
			tables[hints] = t
		}
	}
	return sfntFile(tables)
}

// sfntFile puts tables into a file, in the order of their names.
func sfntFile(tables map[string][]byte) []byte {
	names := slices.Sorted(maps.Keys(tables))
	n, power := len(names), 0
	for 2<<power <= n {
		power++
	}
	file := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, v := range []int{n, 16 << power, power, 16*n - 16<<power} {
		file = binary.BigEndian.AppendUint16(file, uint16(v))
	}
	at := 12 + 16*n
	var body []byte
	for _, name := range names {
		t := tables[name]
		padded := append(slices.Clone(t), make([]byte, -len(t)&3)...)
		sum := uint32(0)
		for i := 0; i < len(padded); i += 4 {
			sum += binary.BigEndian.Uint32(padded[i:])
		}
		file = append(file, name...)
		for _, v := range []uint32{sum, uint32(at + len(body)), uint32(len(t))} {
			file = binary.BigEndian.AppendUint32(file, v)
		}
		body = append(body, padded...)
	}
	return append(file, body...)
}

// showText writes text as signs of an embedded font; false: the font cannot be, or lacks a sign.
func (c *pdfCanvas) showText(f font.Face, at vg.Point, text string) bool {
	own, known := c.byFace[f.Face]
	if !known {
		own = newPDFFont(f.Face, &c.outlines)
		c.byFace[f.Face] = own
		if own != nil {
			c.fonts = append(c.fonts, own)
		}
	}
	if own == nil {
		return false
	}
	var codes strings.Builder
	for _, r := range text {
		glyph, err := f.Face.GlyphIndex(&c.outlines, r)
		if err != nil {
			return false
		}
		fmt.Fprintf(&codes, "%04x", own.id(glyph, r))
	}
	c.op("BT /f%d %s Tf %s %s Td <%s> Tj ET", slices.Index(c.fonts, own), pt(f.Font.Size), pt(at.X), pt(at.Y), codes.String())
	return true
}

// objects are the five objects of the font, the first of which has the number first.
func (f *pdfFont) objects(first int) ([]string, error) {
	program := f.subset()
	em := float64(f.font.UnitsPerEm())
	units := func(v int16) int { return int(float64(v) * 1000 / em) }
	short := func(table string, at int) int { return units(int16(binary.BigEndian.Uint16(f.tables[table][at:]))) }
	metrics := int(binary.BigEndian.Uint16(f.tables["hhea"][34:]))
	var widths, pairs strings.Builder
	for i, glyph := range f.used {
		width := binary.BigEndian.Uint16(f.tables["hmtx"][4*min(int(glyph), metrics-1):])
		fmt.Fprintf(&widths, "%s ", pt(vg.Length(float64(width)*1000/em)))
		if f.runes[i] != 0 {
			fmt.Fprintf(&pairs, "<%04x> <%s>\n", i, utf16Hex(string(f.runes[i])))
		}
	}
	tag := []byte("AAAAAA")
	for sum, i := crc32.ChecksumIEEE(program), 0; i < 6; i++ {
		tag[i], sum = 'A'+byte(sum%26), sum/26
	}
	name := string(tag) + "+" + f.name
	file, err := deflated(program)
	if err != nil {
		return nil, err
	}
	text, err := deflated([]byte("/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n/CMapName /kifu def /CMapType 2 def\n1 begincodespacerange <0000> <ffff> endcodespacerange\n" +
		charPairs(pairs.String()) + "endcmap CMapName currentdict /CMap defineresource pop end end\n"))
	if err != nil {
		return nil, err
	}
	return []string{
		fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>", name, first+1, first+4),
		fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /CIDToGIDMap /Identity /W [0 [%s]] >>",
			name, first+2, strings.TrimSpace(widths.String())),
		fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 4 /FontBBox [%d %d %d %d] /ItalicAngle 0 /Ascent %d /Descent %d /CapHeight %d /StemV 80 /FontFile2 %d 0 R >>",
			name, short("head", 36), short("head", 38), short("head", 40), short("head", 42), short("hhea", 4), short("hhea", 6), short("hhea", 4), first+3),
		fmt.Sprintf("<< /Length %d /Length1 %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(file), len(program), file),
		fmt.Sprintf("<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream", len(text), text),
	}, nil
}

// charPairs are the lines of a CMap in blocks of at most a hundred.
func charPairs(lines string) string {
	var out strings.Builder
	for block := range slices.Chunk(strings.SplitAfter(strings.TrimSuffix(lines, "\n"), "\n"), 100) {
		fmt.Fprintf(&out, "%d beginbfchar\n%s\nendbfchar\n", len(block), strings.TrimSuffix(strings.Join(block, ""), "\n"))
	}
	return out.String()
}

// utf16Hex is a text as a PDF writes it, in UTF-16.
func utf16Hex(text string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&out, "%04x", unit)
	}
	return out.String()
}

func deflated(data []byte) (string, error) {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	err := w.Close()
	return packed.String(), err
}
