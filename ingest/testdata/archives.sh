#!/bin/sh
# archives.sh: makes records.7z and the encrypted archives beside it, with 7z (p7zip) and
# zip. The games: a.pgn one, b.pgn two (and b.pgn.gz the same), in a solid block.
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
game() { printf '[Event "%s"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n' "$1"; }
game one >"$tmp/a.pgn"
{ game two; game three; } >"$tmp/b.pgn"
gzip -nk "$tmp/b.pgn"
echo 'no games here' >"$tmp/readme.txt"
rm -f records.7z encrypted.7z hidden.7z encrypted.zip
out=$PWD
cd "$tmp"
7z a -ms=on "$out/records.7z" a.pgn b.pgn b.pgn.gz readme.txt
7z a -psecret "$out/encrypted.7z" a.pgn
7z a "$out/encrypted.7z" b.pgn
7z a -psecret -mhe=on "$out/hidden.7z" a.pgn
zip -q -P secret "$out/encrypted.zip" a.pgn
zip -q "$out/encrypted.zip" b.pgn
