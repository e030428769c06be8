package record

// Block is a run of whole games, cut out of a stream: the unit of work of one worker.
type Block struct {
	Data    []byte
	Offset  int64 // of Data in the decompressed stream
	Line    int   // on which Data begins, from 1
	EndLine int   // on which it ends, and the next block begins

	// In formats that pack records into larger units, at whose start reading can begin: Inside, the block
	// begins within a unit that an earlier block began; Open, it ends within one.
	Inside, Open bool
	// Weight is the block's size in bytes for the memory bound, if its records take much more than Data.
	Weight int
}

// Splitter cuts a stream into blocks for parallel reading. Reading the blocks one by one
// gives the same games as reading the stream, wherever the cuts fall.
//
// Next fills b, whose Data is reused when it is large enough. It returns io.EOF after the
// last block; a *SyntaxError for a stretch that had to be left out, after which Next may be
// called again; any other error, from the stream itself, is final.
type Splitter interface {
	Next(b *Block) error
}

// BlockReader reads the games of one block at a time.
type BlockReader interface {
	Reader
	// Reset makes the reader read the games of b from its beginning.
	Reset(b Block)
}
