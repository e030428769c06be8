// Package report puts every report that a set of datasets allows on one page. Each report is
// a folder below, with its query, text and tests:
//
//	curve/ split/ calibration/ depth/   of labels
//	weights/ opponent/                  of fits and opponent models
//	database/ opening/ pairs/           of games and positions
//	moves/                              of choices and predictions
//	wdl/                                of labels or positions, alone
//
// What they have in common is the kit, which depends on no report:
//
//	sheet/   datasets attached, the query of a template run, its rows read by column
//	shape/   the bins of a curve: its sigmoid, its steps, its gap to another one
//	chart/   pictures for the page (SVG) and for paper (SVG, PDF, PNG)
//	page/    index.html of a report, and what a report writes to
//
// A report is one SQL file and a renderer. Everything written comes from that query's result:
// index.html (a page that opens offline), a picture, the numbers as CSV, tables as Markdown and
// LaTeX. The query is next to them as SQL that kifu query runs. What SQL cannot compute (a fitted
// sigmoid, the gap between two curves) is computed from its rows. Split is a pass over the labels,
// and only its curves are a query's.
//
// A report is a directory with a manifest like any dataset. It exists whole or not at all, is not
// made twice, and has the same bytes every time. Reports read manifests, columns, fit.json and
// learn.json; they are independent of games and of other stages.
package report
