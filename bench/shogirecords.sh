#!/bin/sh
# Records of Shogi held against each other, and floodgate's kind of archive:
#
#	bench/shogirecords.sh DATA [FILES]
#
# DATA has hcpe_688.hcpe.zst and hcpe_688.csa.zst, the same games as packed positions and as
# CSA, and selfplay_gps.csa.zst. It prints whether the two give the same games and positions,
# whether hcpe exported from CSA is the file byte for byte, and the time and the memory of
# reading FILES (20000) small files of CSA in one solid 7z, beside those of the same games in
# one file. It needs 7z or 7zz, zstd and GNU time, and fails if anything differs.
set -eu
[ $# -gt 0 ] || { sed -n "2,11s/^# \{0,1\}//p" "$0"; exit 2; }
data=$1 files=${2:-20000}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$root" && go build -tags no_duckdb_arrow -o "$work/kifu" ./cmd/kifu)
cd "$work"
for f in hcpe_688.hcpe hcpe_688.csa selfplay_gps.csa; do zstd -dqo $f "$data/$f.zst"; done

for kind in hcpe csa; do
	./kifu ingest --progress none --out g$kind hcpe_688.$kind
	./kifu transform --progress none --out p$kind g$kind
done
./kifu query --format csv "select count(*) as games, (select count(*) from (select moves, result, variant from a except all select moves, result, variant from b)) as games_that_differ from a" a=ghcpe b=gcsa | tee games.csv
./kifu query --format csv "select count(*) as positions, (select count(*) from (select ply, board, move, result from a except all select ply, board, move, result from b)) as positions_that_differ from a" a=phcpe b=pcsa | tee positions.csv
grep -q '^688,0$' games.csv
grep -q ',0$' positions.csv
./kifu export --format hcpe --out back.hcpe gcsa
cmp back.hcpe hcpe_688.hcpe
echo "hcpe written from CSA is the file byte for byte"

mkdir small
awk -v n="$files" 'function out() { if (game != "") for (k = i; k < n; k += 4000) { f = sprintf("small/wdoor+floodgate-%06d.csa", k); printf "%s", game > f; close(f) } game = "" }
	/^V/ && game != "" { out(); i++ } $0 != "/" { game = game $0 "\n" } END { out() }' selfplay_gps.csa
cat small/*.csa >all.csa
$(command -v 7z || command -v 7zz) a -bd -bso0 -ms=on small.7z small
ls -l small.7z all.csa | awk '{print $5, $9}'
for f in small.7z all.csa; do
	rm -rf g
	/usr/bin/time -f "$f: %U s of processor time, %M kB at most" ./kifu ingest --progress none --out g $f
	./kifu query --format csv "select count(*) as games, count(distinct source_file) as files, sum(ply_count) as plies from g" g=g | tail -1
done
