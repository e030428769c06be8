// Package person reads names of players: it folds case, accents and scripts, parses a name into
// surname, given names and initials, and finds the names of records meant by a user who
// types a part of one (Resolve).
//
// It compares names as texts alone. What the games reveal of two names, that they met or are of
// different centuries, is weighed by package transform/names.
package person
