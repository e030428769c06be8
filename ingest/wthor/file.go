package wthor

import (
	"encoding/binary"
	"fmt"
	"io"
)

// A file is a header of 16 bytes and records of equal length; numbers are little-endian.
// (Fédération française d'Othello, "Format de la base WTHOR", 1998.)
//
//	 0–3   date of creation: century, year, month, day
//	 4–7   number of games
//	 8–9   number of players or tournaments
//	10–11  year of the games
//	12     size of the board: 8, or 0 which means 8; 10
//	13     0 games, 1 solitaires
//	14     empty squares from which the theoretical score counts
//	15     reserved
//
// A game on 8×8 has 16 bits each for the tournament and the two players (numbers), a byte each
// for Black's discs at the end and the theoretical ones, and 60 bytes for moves (10·row +
// column), then zeros.
const (
	// headerSize is the length of a header in bytes.
	headerSize = 16

	gameSize       = 68
	playerSize     = 20
	tournamentSize = 26
	moves          = 8 // offset of the moves in a game
)

// header is a header of a file of games.
type header struct {
	games int
	year  int
	depth int // of the theoretical score, in empty squares
	board byte
	kind  byte
}

func readHeader(b []byte) header {
	return header{
		games: int(binary.LittleEndian.Uint32(b[4:])),
		year:  int(binary.LittleEndian.Uint16(b[10:])),
		board: b[12], kind: b[13], depth: int(b[14]),
	}
}

// recognize reports whether a file that begins with b can be one of games: whether its
// header has a date, a year, a board and a depth that can be.
func recognize(b []byte) bool {
	if len(b) < headerSize {
		return false
	}
	h := readHeader(b)
	return (b[0] == 19 || b[0] == 20) && b[1] < 100 && b[2] <= 12 && b[3] <= 31 &&
		h.year < 3000 && (h.board == 0 || h.board == 8 || h.board == 10) && h.kind <= 1 && h.depth <= 60
}

// refusal is why the games of a file cannot be read, "" when they can.
func refusal(b []byte) string {
	switch h := readHeader(b); {
	case !recognize(b):
		return "not a WTHOR file of games"
	case h.board == 10:
		return "board of 10×10"
	case h.kind == 1:
		return "solitaires, not games"
	}
	return ""
}

// Names are the players and tournaments that games name by number. They may be shared
// by any number of readers.
type Names struct{ players, tournaments [][]byte }

// readNames reads the two files of names, WTHOR.JOU and WTHOR.TRN; either may be nil.
// The error names the file that does not have the length that its header gives.
func readNames(players, tournaments io.Reader) (*Names, error) {
	n := &Names{}
	var err error
	if n.players, err = readTable(players, playerSize); err != nil {
		return nil, fmt.Errorf("players (.JOU): %w", err)
	}
	if n.tournaments, err = readTable(tournaments, tournamentSize); err != nil {
		return nil, fmt.Errorf("tournaments (.TRN): %w", err)
	}
	return n, nil
}

// readTable reads names of size bytes each, zeros after them, and checks their number.
func readTable(r io.Reader, size int) ([][]byte, error) {
	if r == nil {
		return nil, nil
	}
	const most = 1<<16 - 1 // the header's field has 16 bits
	data, err := io.ReadAll(io.LimitReader(r, int64(headerSize+most*size)+1))
	if err != nil {
		return nil, err
	}
	if len(data) < headerSize {
		return nil, fmt.Errorf("%d bytes: too short for a header", len(data))
	}
	n := int(binary.LittleEndian.Uint16(data[8:]))
	if want := headerSize + n*size; len(data) != want {
		return nil, fmt.Errorf("%d bytes, %d for the %d names of its header; get the file again", len(data), want, n)
	}
	names := make([][]byte, n)
	for i := range names {
		name := data[headerSize+i*size:][:size]
		end := 0
		for end < size && name[end] != 0 {
			end++
		}
		names[i] = name[:end]
	}
	return names, nil
}
