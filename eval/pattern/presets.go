package pattern

import (
	"embed"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"kifu/games"
)

// Presets are the words of Preset, for help.
const Presets = "logistello, logistello:PHASES, scan, scan:PHASES, tuples:NUMBERxSIZE:SEED"

// Preset returns the text of a pattern file:
//
//	logistello  Buro's for a board of 8×8 whose symmetries change nothing: corners of 3×3 and
//	            2×5, edges with the X-squares, rows and columns 2 to 4, diagonals of 4 to 8; 46
//	            places in 13 phases, or as many as follow a colon
//	scan        Scan 3's (Letouzey), on boards of which every second cell is played on:
//	            overlapping rectangles of 4 columns and 6 rows with the men in them, and the number
//	            of men and kings, all from both sides, in 2 phases
//	tuples:NUMBERxSIZE:SEED  n-tuples: that many walks over adjacent squares, drawn by the seed
//	            (Lucas 2008), for any game
//
// unit returns the unit of the game's evaluator. known is false for another word.
func Preset(word, game, unit string, l *games.Layout, pieces []games.Piece) (text []byte, known bool, err error) {
	name, rest, _ := strings.Cut(word, ":")
	head := func(phases int, more string) string {
		return fmt.Sprintf("# The preset %s.\ngame = %q\nname = %q\nunit = %q\nphases = %d\n%s", word, game, name, unit, phases, more)
	}
	var b string
	switch name {
	case "logistello":
		b, err = logistello(rest, head, l)
	case "scan":
		b, err = scan(rest, head, l, pieces)
	case "tuples":
		b, err = tuples(rest, head, l)
	default:
		return nil, false, nil
	}
	if err != nil {
		err = fmt.Errorf("preset %s: %w", word, err)
	}
	return []byte(b), true, err
}

// phasesOf reads the number of phases after a preset's colon.
func phasesOf(text string, usual int) (int, error) {
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 255 {
		return 0, fmt.Errorf("%q: want a number of phases", text)
	}
	return n, nil
}

func logistello(rest string, head func(int, string) string, l *games.Layout) (string, error) {
	n, err := phasesOf(rest, 13)
	if err != nil {
		return "", err
	}
	if l.Columns != 8 || l.Rows != 8 || !l.Symmetric || slices.Contains(l.Names, "") {
		return "", fmt.Errorf("it is for a board of 8×8 that may be turned and mirrored")
	}
	var b strings.Builder
	b.WriteString(head(n, "neighbours = 10\nridge = 2\n"))
	at := func(x, y int) string { return l.Names[y*8+x] }
	line := func(name string, length int, cell func(k int) string) {
		var squares []string
		for k := range length {
			squares = append(squares, cell(k))
		}
		fmt.Fprintf(&b, "\n[[pattern]]\nname = %q\nsquares = %q\n", name, strings.Join(squares, " "))
	}
	line("corner_3x3", 9, func(k int) string { return at(k%3, k/3) })
	line("corner_2x5", 10, func(k int) string { return at(k%5, k/5) })
	line("edge_2x", 10, func(k int) string {
		if k >= 8 {
			return at(1+5*(k-8), 1)
		}
		return at(k, 0)
	})
	for row := 1; row < 4; row++ {
		line(fmt.Sprintf("row_%d", row+1), 8, func(k int) string { return at(k, row) })
	}
	for length := 8; length >= 4; length-- {
		line(fmt.Sprintf("diagonal_%d", length), length, func(k int) string { return at(k, k+8-length) })
	}
	b.WriteString("\n[[pattern]]\nname = \"turn\"\nsquares = \"\"\nphases = 65\n")
	return b.String(), nil
}

func scan(rest string, head func(int, string) string, l *games.Layout, pieces []games.Piece) (string, error) {
	n, err := phasesOf(rest, 2)
	if err != nil {
		return "", err
	}
	kinds := Kinds(pieces)
	if !slices.Contains(l.Names, "") || len(kinds) != 2 || l.Columns < 6 || l.Columns != l.Rows {
		return "", fmt.Errorf("it is for boards with men and kings on every second cell")
	}
	var b strings.Builder
	b.WriteString(head(n, "grain = 1\nneighbours = 10\nridge = 150\n"))
	for left := 0; left+4 <= l.Columns; left += 2 {
		var squares []string
		for row := range 6 {
			for column := left; column < left+4; column++ {
				if name := l.Names[row*l.Columns+column]; name != "" {
					squares = append(squares, name)
				}
			}
		}
		fmt.Fprintf(&b, "\n[[pattern]]\nname = \"rectangle_%d\"\nsquares = %q\nkinds = [%q]\nboth = true\n", left/2+1, strings.Join(squares, " "), kinds[0])
	}
	b.WriteString("\n[[pattern]]\nname = \"pieces\"\nsquares = \"each\"\nboth = true\n")
	b.WriteString("\n[[pattern]]\nname = \"turn\"\nsquares = \"\"\n")
	return b.String(), nil
}

func tuples(rest string, head func(int, string) string, l *games.Layout) (string, error) {
	shape, seedText, _ := strings.Cut(rest, ":")
	numberText, sizeText, _ := strings.Cut(shape, "x")
	number, err1 := strconv.Atoi(numberText)
	size, err2 := strconv.Atoi(sizeText)
	seed, err3 := uint64(1), error(nil)
	if seedText != "" {
		seed, err3 = strconv.ParseUint(seedText, 10, 64)
	}
	if err1 != nil || err2 != nil || err3 != nil || number < 1 || number > 1000 || size < 1 || size > 16 {
		return "", fmt.Errorf("want NUMBERxSIZE:SEED, as in tuples:20x6:1")
	}
	r := rand.New(rand.NewPCG(seed, 0x7475706c6573))
	var b strings.Builder
	b.WriteString(head(1, "neighbours = 10\nridge = 2\n"))
	for i := range number {
		cells := walk(r, l, size)
		if cells == nil {
			return "", fmt.Errorf("no walk over %d squares on this board", size)
		}
		var names []string
		for _, c := range cells {
			names = append(names, l.Names[c])
		}
		fmt.Fprintf(&b, "\n[[pattern]]\nname = \"tuple_%d\"\nsquares = %q\n", i+1, strings.Join(names, " "))
	}
	return b.String(), nil
}

// walk draws that many different squares, each next to an earlier one; nil if a board has none.
func walk(r *rand.Rand, l *games.Layout, size int) (cells []int) {
	for range 1000 {
		at := r.IntN(len(l.Names))
		if cells = cells[:0]; l.Names[at] == "" {
			continue
		}
		cells = append(cells, at)
		for tries := 0; len(cells) < size && tries < 100*size; tries++ {
			from := cells[r.IntN(len(cells))]
			x, y := from%l.Columns+r.IntN(3)-1, from/l.Columns+r.IntN(3)-1
			if x < 0 || y < 0 || x >= l.Columns || y >= l.Rows {
				continue
			}
			if c := y*l.Columns + x; l.Names[c] != "" && !slices.Contains(cells, c) {
				cells = append(cells, c)
			}
		}
		if len(cells) == size {
			return cells
		}
	}
	return nil
}

// Bundled tables, by game. experiments/logistello describes how they were made.
//
//go:embed shipped
var shipped embed.FS

// Shipped is the word for the bundled tables, instead of a file.
const Shipped = "tables"

// ReadShipped returns the bundled pattern file and weights of a game; ok is false where
// there are none.
func ReadShipped(game string) (text, weights []byte, ok bool) {
	text, err := fs.ReadFile(shipped, "shipped/"+game+".toml")
	if err != nil {
		return nil, nil, false
	}
	weights, err = fs.ReadFile(shipped, "shipped/"+game+Extension)
	return text, weights, err == nil
}
