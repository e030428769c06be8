package kifu

import _ "embed"

// Citation is CITATION.cff: how papers cite the program.
//
//go:embed CITATION.cff
var Citation string
