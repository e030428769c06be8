package record

import "io"

// Format describes one record format: how its files are recognised, cut and read. Each format's folder
// returns its own; the table of games names the formats of a game. Two Formats of the same name are the
// same format.
type Format struct {
	Name       string   // as people call it: "PGN"
	Extensions []string // of its files, in lower case, with the dot

	// Recognize reports whether a stream that begins with head can only be of this format;
	// nil if the beginning does not identify it.
	Recognize func(head []byte) bool
	// HeaderSize is the length of a header of the stream that every block needs, in bytes.
	HeaderSize int
	// NewSplitter cuts r into blocks of about size bytes.
	NewSplitter func(r io.Reader, size int, from Start) Splitter
	// Whole: a stream shorter than a block is one block.
	Whole bool
	// NewReader returns a reader of those blocks.
	NewReader func(o Options) BlockReader

	// Table returns the text of the records in a Parquet file of size bytes; an error if it has none. nil: such files have none.
	Table func(r io.ReaderAt, size int64) (io.ReadCloser, error)

	// Holds: the records are games or positions. Opcodes: positions may have the best moves, moves to
	// avoid, and a name, in tags TagBestMoves, TagAvoid and TagID.
	Holds   Holds
	Opcodes bool

	// TagLine reports whether a line of a stream may hold tags, as evidence of the encoding of names. nil:
	// any may.
	TagLine func(line []byte) bool
	// Charset names the encoding of texts that are not UTF-8, if the format prescribes it.
	Charset string

	// VariantTag is the tag that names the game or its variant.
	VariantTag string
	// GameOf returns the game (a word of --game) for a value of VariantTag, or the value's own name
	// for a game that kifu lacks. GameByMoves returns the game of a record without the tag, and
	// whether it is certain. If not, the other records of the stream decide. Both are nil if the
	// format has only one game.
	GameOf      func(value []byte) string
	GameByMoves func(*Game) (name string, sure bool)
	// SureGame returns the game of all records in text if it can be found without reading them, else "", as
	// for text without a record. It may be nil.
	SureGame func(text []byte) string

	// Score returns the score that the record states: the first player's points minus the
	// second's, in hundredths. nil if records of this format state none.
	Score func(*Game) (score int32, ok bool)
	// AgreedScore: a game may have a score though its last position has none, as in Go when the players
	// agree on dead stones.
	AgreedScore bool

	// TableExtensions are the extensions of files, in the directories of the records, with
	// the names that records give by number. WithTables returns the format that reads
	// records with such files, by extension; it must not keep references to their bytes.
	TableExtensions []string
	WithTables      func(tables map[string]io.Reader) (*Format, error)
}

// Holds is the kind of a format's records.
type Holds uint8

// Games are records of play. Positions belong to no game, or to one that the record does not name.
// A Game is then a stretch of positions, each with the move that leads to the next (see Move.Text).
// Stretches are positions that are joined to games, unless positions are requested.
const (
	Games Holds = iota
	Positions
	Stretches
)

// Start is the place in its stream at which a Splitter begins.
type Start struct {
	Header []byte // the first HeaderSize bytes of the stream; fewer if it is shorter
	Offset int64  // 0, or where a block ended
	Line   int    // from 1
}
