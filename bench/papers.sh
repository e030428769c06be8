#!/bin/sh
# Runs what docs/papers.md says: its programs in Python and R, and those that draw the pictures of a page
# of all reports again, on the bundled games.
#
#   bench/papers.sh [WORK]        default: a temporary directory
#
# Python is $PYTHON (default python3), R is Rscript; what needs a library that is not there (pandas, polars,
# matplotlib) is named and left out. It ends with the number of programs that ran, or with an error.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
work=${1:-$(mktemp -d "${TMPDIR:-/tmp}/kifu-papers.XXXXXX")}
mkdir -p "$work"
python=${PYTHON:-python3}
export GOFLAGS="-tags=no_duckdb_arrow ${GOFLAGS:-}" MPLBACKEND=Agg
[ -n "${KIFU:-}" ] && ln -sf "$KIFU" "$work/kifu" || go build -o "$work/kifu" ./cmd/kifu
cd "$work"
PATH=$work:$PATH
[ -d all ] || {
	kifu datasets sample chess-masters --out games.pgn.zst
	kifu ingest --out games games.pgn.zst
	kifu transform --out positions --sample 0.3 games
	kifu label --out labels positions
	kifu fit --out fit --free king_safety labels
	kifu report curve --out curve labels
	kifu report all --out all --size 120mmx80mm games labels fit
} >/dev/null
ran=0
left_out() { echo "left out: $1"; }
has() { "$python" -c "import $1" 2>/dev/null; }
# block LANGUAGE prints the program in the fence of that language.
block() { awk -v fence="\`\`\`$1" '$0 == "```" { on = 0 } on { print } $0 == fence { on = 1 }' "$root/docs/papers.md"; }

# made FILE COMMAND... runs a program, which must make FILE.
made() {
	file=$1
	shift
	rm -f "$file"
	"$@" >/dev/null
	test -s "$file" || { echo "$*: no $file" >&2; exit 1; }
	ran=$((ran + 1))
}

block sh | sh -e >/dev/null
if has pandas && has matplotlib; then
	block python >with_pandas.py
	made pandas.pdf "$python" with_pandas.py
else
	left_out "pandas and matplotlib"
fi
if has polars; then
	block "python polars" >with_polars.py
	made polars.csv "$python" with_polars.py
else
	left_out polars
fi
if command -v Rscript >/dev/null; then
	block r >with_r.R
	made r.csv Rscript --vanilla with_r.R
	for program in all/*-plot.R; do
		made again.pdf Rscript --vanilla "$program" again.pdf
	done
else
	left_out R
fi
if has matplotlib; then
	for program in all/*-plot.py; do
		made again.pdf "$python" "$program" again.pdf
	done
else
	left_out matplotlib
fi
echo "$ran programs ran"
