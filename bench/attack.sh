#!/bin/bash
# bench/attack.sh [MB] [SECTION...]: hostile records, archives, SQL, clients, folders and engines, each
# against what is promised (docs/reliability.md): good neighbours are kept, whatever is refused is named,
# no program starts, no file outside is touched, and memory stays below 256 MB (names of five million
# players: 1 GB). Lines, comments, tags and trees have MB megabytes (1000). Prints attack, seconds, peak
# megabytes and what was seen; ends with 1 if a promise is broken. KIFU names a binary to try instead of
# one built here. Needs /usr/bin/time, curl, zip, zstd, xz and tar; 7zz or 7z is used if it is there. The
# short form of records is TestAttack.
# Sections: records, archives, sql, clients, folders, engines (without one: these), and columns:
# hostile values in every column of every kind of dataset, with right checksums, and every command on
# each (TestColumns).
set -u
mb=1000 limit=256 sections=()
for word in "$@"; do
	case $word in *[!0-9]*) sections+=("$word") ;; *) mb=$word ;; esac
done
[ ${#sections[@]} -gt 0 ] || sections=(records archives sql clients folders engines)
root=$(cd "$(dirname "$0")/.." && pwd)
columns() {
	(cd "$root" && KIFU_TESTS=all KIFU_LONG=1 go test -tags no_duckdb_arrow -vet=off -timeout 1h ./cmd/kifu -run 'TestColumns$' -v) || broken=1
}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kifu-attack.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
kifu=${KIFU:-$tmp/kifu}
[ -n "${KIFU:-}" ] || (cd "$root" && go build -tags no_duckdb_arrow -o "$kifu" ./cmd/kifu) || exit 1
cd "$tmp" || exit 1
broken=0

# measured NAME GAMES COMMAND...: the command makes the dataset out of GAMES games at least.
measured() {
	local name=$1 least=$2 games peak seconds seen=holds
	shift 2
	rm -rf out
	/usr/bin/time -o time -f '%e %M' "$kifu" "$@" --progress none --out out >said 2>&1
	read -r seconds peak <<<"$(tail -1 time)"
	games=$("$kifu" query --format csv 'select count(*) from g' g=out 2>/dev/null | tail -1)
	[ "${games:-0}" -ge "$least" ] || seen="broken: ${games:-no} games: $(head -1 said)"
	[ $((peak / 1024)) -lt $limit ] || seen="broken: memory"
	printf '| %s | %s | %d | %s |\n' "$name" "$seconds" $((peak / 1024)) "$seen"
	case $seen in broken*) broken=1 ;; esac
}
# refused NAME COMMAND...: the command ends with an error of one line, or notes that name it.
refused() {
	local name=$1 seen=holds seconds peak
	shift
	rm -rf out
	/usr/bin/time -o time -f '%e %M' "$kifu" "$@" --progress none >said 2>&1
	local status=$?
	read -r seconds peak <<<"$(tail -1 time)"
	grep -q 'goroutine\|panic' said && seen="broken: $(head -1 said)"
	[ $status -le 2 ] || seen="broken: exit $status"
	[ $((peak / 1024)) -lt $limit ] || seen="broken: memory"
	printf '| %s | %s | %d | %s |\n' "$name" "$seconds" $((peak / 1024)) "$seen"
	case $seen in broken*) broken=1 ;; esac
}

bytes=$((mb * 1000000))
fill() { head -c "$bytes" /dev/zero | tr '\0' "$1"; }
again() { yes "$1" | tr -d '\n' | head -c "$bytes"; }
stream() { # FORMAT KIND: a good game, a hostile one, a good game
	local board='BO[8 ---------------------------O*------*O--------------------------- *]'
	local kif='手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:00/00:00:00)\n'
	local good open close tag tagend comment end tree
	case $1 in
	pgn) good='[Event "good"]\n[White "a"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n' tag='[Event "bad"]\n[White "' tagend='"]\n\n1. e4 1-0\n\n' open='[Event "bad"]\n\n1. e4 ' close=' e5 1-0\n\n' comment='{' end='}' tree='(1. d4 ' ;;
	pdn) good='[Event "good"]\n[GameType "21"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n\n' tag='[Event "bad"]\n[White "' tagend='"]\n\n1. 11-15 1-0\n\n' open='[Event "bad"]\n\n1. 11-15 ' close=' 23-19 1-0\n\n' comment='{' end='}' tree='(1. 10-15 ' ;;
	sgf) good='(;GM[1]FF[4]SZ[19]PB[a]RE[B+R];B[pd];W[dp])\n' tag='(;GM[1]FF[4]SZ[19]PB[' tagend='];B[pd];W[dp])\n' open='(;GM[1]FF[4]SZ[19];B[pd]' close=';W[dp])\n' comment='C[' end=']' tree='(;W[dd];B[qf]' ;;
	ggf) good="(;GM[Othello]PC[x]PB[a]PW[b]RE[+2.000]TI[10]TY[8]${board}B[F5]W[F6];)\n" tag='(;GM[Othello]PC[x]PB[' tagend="]PW[b]RE[+2.000]TY[8]${board}B[F5]W[F6];)\n" open="(;GM[Othello]PC[x]PB[a]PW[b]RE[+2.000]TY[8]${board}B[F5]" close='W[F6];)\n' comment='C[' end=']' tree='(;W[F6]' ;;
	csa) good='V2.2\nN+a\nPI\n+\n+7776FU\n-3334FU\n%%TORYO\n/\n' tag='V2.2\nN+' tagend='\nPI\n+\n+7776FU\n%%TORYO\n/\n' open='V2.2\nPI\n+\n+7776FU\n' close='\n-3334FU\n%%TORYO\n/\n' comment="'*" end='' tree="'x\n" ;;
	kif) good="#KIF version=2.0 encoding=UTF-8\n手合割：平手\n先手：a\n${kif}   2 投了\n\n" tag='#KIF version=2.0 encoding=UTF-8\n手合割：平手\n先手：' tagend="\n${kif}   2 投了\n\n" open="#KIF version=2.0 encoding=UTF-8\n手合割：平手\n$kif" close='\n   2 投了\n\n' comment='*' end='' tree='変化：1手\n   1 ２六歩(27)\n' ;;
	esac
	printf "$good"
	case $2 in
	line) printf "$open"; fill ' '; printf "$close" ;;
	word) printf "$open"; fill e; printf "$close" ;;
	comment) printf "$open$comment"; fill x; printf "$end$close" ;;
	tag) printf "$tag"; fill x; printf "$tagend" ;;
	depth) printf "$open"; again "$(printf "$tree")"; printf "$close" ;;
	breadth) printf "$open"; again "$(printf "$tree"))"; printf "$close" ;;
	esac
	printf "$good"
}
many() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "[White \"p%d\"]\n[Black \"q%d\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n", '"$2"', '"$2"' }'; }

records() {
	for pair in pgn:chess pdn:checkers sgf:go ggf:othello csa:shogi kif:shogi; do
		for kind in line word comment tag depth breadth; do
			stream "${pair%:*}" $kind | measured "${pair%:*}: a $kind of $mb MB" 2 ingest --game "${pair#*:}" - 
		done
	done
	many 1000000 0 | measured "a million games of one move" 1000000 ingest --game chess -
	many 2500000 i | measured "5 million players" 2500000 ingest --game chess -
	mv out five; limit=1024; refused "5 million players, in names" names five; limit=256; rm -rf five
	measured "a name of 1 MB" 1 ingest --game chess long.pgn
	mv out long; refused "a name of 1 MB, in a table" query 'select * from g' g=long; refused "a name of 1 MB, in names" names long
}

archives() {
	{ cat good.pgn; head -c $((3 * bytes)) /dev/zero; } >bomb.pgn
	for pack in "gzip -1" "zstd -q" "xz -0" "bzip2"; do
		rm -f bomb.pgn.*; $pack -k bomb.pgn
		measured "bomb: ${pack%% *}, $(wc -c <"$(ls bomb.pgn.*)") bytes of $((3 * mb)) MB" 1 ingest --game chess bomb.pgn.*
	done
	rm -f bomb.pgn.*
	zip -q bomb.zip bomb.pgn good.pgn; measured "bomb: zip" 1 ingest --game chess bomb.zip
	cp good.pgn in.pgn; for i in 1 2 3 4 5 6 7 8 9; do rm -f "n$i.zip"; zip -q "n$i.zip" "$([ $i = 1 ] && echo in.pgn || echo "n$((i - 1)).zip")" good.pgn; done
	measured "archives within archives, nine deep" 1 ingest --game chess n9.zip
	mkdir -p up/in; cp good.pgn up/; (cd up/in && zip -q ../../up.zip ../good.pgn && tar cPf ../../up.tar ../good.pgn "$tmp/good.pgn")
	measured "names with .. in zip" 1 ingest --game chess up.zip
	measured "names with .. and absolute ones in tar" 2 ingest --game chess up.tar
	ln -sf /etc/passwd link.pgn; ln -sf link2.pgn link1.pgn; ln -sf link1.pgn link2.pgn
	tar cf links.tar link.pgn link1.pgn good.pgn; measured "links in tar" 1 ingest --game chess links.tar
	zip -qy links.zip link.pgn link1.pgn good.pgn; measured "links in zip" 1 ingest --game chess links.zip
	zip -q -P secret secret.zip good.pgn; zip -q secret.zip long.pgn; measured "an encrypted member beside a plain one" 1 ingest --game chess secret.zip
	head -c 300 links.zip >cut.zip; measured "zip without its table" 0 ingest --game chess cut.zip
	sevenzip=$(command -v 7zz || command -v 7z)
	if [ -n "$sevenzip" ]; then
		"$sevenzip" a -bso0 -mx=1 bomb.7z bomb.pgn >/dev/null && measured "bomb: 7z" 1 ingest --game chess bomb.7z
		"$sevenzip" a -bso0 -m0=PPMd:mem=64m ppmd.7z good.pgn >/dev/null && measured "7z by PPMd, 64 MB" 1 ingest --game chess ppmd.7z
	fi
	# 2^31 members claimed in 50 bytes, and dictionaries of gigabytes, are built by TestSevenZipClaims and TestXzDictionaries.
}

# denied SQL: an error within 10 s that shows nothing of the secret.
denied() {
	local seen=refused status
	timeout 10 "$kifu" query "$1" g=games >said 2>&1; status=$?
	[ $status = 124 ] && seen="broken: time"
	[ $status = 0 ] && seen="broken: it ran"
	grep -q 'xyzzy\|goroutine' said && seen="broken: $(head -1 said)"
	printf '| %.60s | | | %s |\n' "${1//|/¦}" "$seen"
	case $seen in broken*) broken=1 ;; esac
}
# SQL: no file, setting or table but those that are named with it, and no text without end.
sql() {
	printf 'word\nxyzzy\n' >secret.csv; printf '{"word": "xyzzy"}\n' >secret.json
	for end in csv json; do
		denied "SUMMARIZE \"$tmp/*\".$end"
		denied "WITH $end AS (SELECT 1) SELECT * FROM \"$tmp/secret\".$end"
		denied "FROM '$tmp/secret.$end'"; denied "FROM read_$end('$tmp/secret.$end')"
		denied "FROM query('FROM read_$end(''$tmp/secret.$end'')')"
	done
	for name in pg_catalog.pg_settings main.sqlite_master information_schema.tables "duckdb_settings()" "glob('/*')" "query_table('secret.csv')" '"secret.csv"'; do
		denied "FROM $name"; denied "WITH pg_settings AS (SELECT 1) FROM $name"
	done
	for call in "current_setting('temp_directory')" "getvariable('x')" "format('{:>1500000000}', 'x')" "format('{:>{}}', 'x', 1500000000)" "printf('%1500000000s', 'x')" \
		"bitstring('1', 2000000000)::VARCHAR" "repeat(repeat(repeat('x', 9999), 9999), 9999)" "lpad('x', 2000000000, 'y')" "range(2000000000)" \
		"replace(replace(first_player, '', repeat('x', 9999)), 'x', repeat('y', 9999))" "list_reduce(range(99), (a, b) -> a || a)" "NULL::INT[100000][100000]" \
		"levenshtein(repeat('a', 9999), repeat('b', 9999))" "damerau_levenshtein(repeat('a', 9999), repeat('b', 9999))"; do
		denied "SELECT $call FROM g"; denied "SELECT 1 FROM g WHERE ($call)::VARCHAR <> ''"
	done
}

page() { # NAME STATUS SECONDS SQL
	local seen=holds status begun=$SECONDS
	status=$(curl -s -o /dev/null -w '%{http_code}' -m 60 -G -d as=csv --data-urlencode "q=$4" "${at}sql")
	[[ $status =~ ^($2)$ ]] || seen="broken: $status"
	[ $((SECONDS - begun)) -le "$3" ] || seen="broken: $((SECONDS - begun)) s"
	printf '| %s | %d | | %s |\n' "$1" $((SECONDS - begun)) "$seen"
	case $seen in broken*) broken=1 ;; esac
}
# Slow clients and pages that hear nothing: others are served, and SIGTERM ends the site.
clients() {
	"$kifu" explore --time 2s --memory 500MB games >address 2>said & site=$!
	for _ in $(seq 100); do [ -s address ] && break; sleep 0.1; done
	at=$(head -1 address) port=$(sed 's|.*:\([0-9]*\)/.*|\1|' address) path=$(sed 's|http://[^/]*||' address)
	for _ in 1 2 3 4 5; do
		{ printf 'GET %ssql?as=csv&q=SELECT+repeat(%%27x%%27,1000)+FROM+range(50000) HTTP/1.1\r\nHost: 127.0.0.1:%s\r\n\r\n' "$path" "$port"; sleep 60; } >"/dev/tcp/127.0.0.1/$port" & readers+=($!)
	done
	sleep 2
	page "beside five clients that do not read" 200 5 'SELECT 1'
	deaf="SELECT repeat('a', 5000) || 'c' LIKE '%a%a%a%a%a%a%a%_b'"
	page "a call of years" 503 8 "$deaf"
	page "the page after it" 200 5 'SELECT 1'
	page "a text of 10 GB" "400|503" 8 "SELECT length(string_agg(repeat('x', 9999), '')) FROM range(1000000)"
	page "the page after it" 200 5 'SELECT 1'
	for _ in 1 2 3; do curl -s -o /dev/null -G --data-urlencode "q=$deaf" "${at}sql" & done; sleep 1
	begun=$SECONDS; kill -TERM $site; wait $site; seen=holds
	[ $((SECONDS - begun)) -le 5 ] || { seen="broken: $((SECONDS - begun)) s"; broken=1; }
	printf '| SIGTERM beside three of them | %d | | %s |\n' $((SECONDS - begun)) "$seen"
	kill "${readers[@]}" 2>/dev/null
}

. "$root/bench/attack_folders.sh"
. "$root/bench/attack_engines.sh"

printf '[Event "good"]\n[White "a"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n' >good.pgn
{ printf '[White "'; head -c 1000000 /dev/zero | tr '\0' n; printf '"]\n[Black "b"]\n\n1. e4 e5 1-0\n\n'; } >long.pgn
"$kifu" ingest --game chess --progress none --out games good.pgn >/dev/null 2>&1
echo "| attack | s | MB peak | seen |"
echo "|---|---|---|---|"
for section in "${sections[@]}"; do
	case $section in
	records | archives | sql | clients | folders | engines | columns) "$section" ;;
	*) echo "no section $section" >&2; exit 2 ;;
	esac
done
exit $broken
