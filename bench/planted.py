"""Plants help in records with values in comments, to see whether kifu performance finds as much as it says beforehand.

usage: planted.py KIFU FILE.pgn.zst SHARE

KIFU is the program. Of every tenth player of eight games or more, SHARE of the moves get the value before them as the
value after them, as the best move would. Both files are rated; the script prints the mean z of the planted players beside
the one expected, how often z is above 2 and 3.09 beside the chance of it, and the same for the other players.
"""
import csv
import math
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from zlib import crc32

EVAL = re.compile(r"\[%eval ([^\]]+)\]")
program, path, share = sys.argv[1], sys.argv[2], float(sys.argv[3])
text = subprocess.run(["zstd", "-dc", path], check=True, capture_output=True, text=True).stdout
games = re.split(r"\n(?=\[Event )", text)
players = [re.findall(r'\[(?:White|Black) "(.*)"\]', g)[:2] for g in games]
often = {name for name, n in Counter(sum(players, [])).items() if n >= 8}
helped = {name for name in often if crc32(name.encode()) % 10 == 0}
rng = random.Random(38)


def plant(game, names):
    last, ply = None, 0

    def value(match):
        nonlocal last, ply
        side, ply = ply % 2, ply + 1
        if last is None or names[side] not in helped or rng.random() >= share:
            last = match[1]
        return f"[%eval {last}]"

    return EVAL.sub(value, game)


def rated(games):
    with tempfile.TemporaryDirectory() as at:
        with open(at + "/x.pgn", "w") as f:
            f.write("\n".join(games))
        for line in (["ingest", "--out", at + "/games", at + "/x.pgn"], ["performance", "--min-moves", "10", "--out", at + "/p", at + "/games"]):
            subprocess.run([program, *line, "--quiet"], check=True, capture_output=True)
        with open(at + "/p/performance.csv") as f:
            return {r["performance"]: r for r in csv.DictReader(f)}


def above(z, limit):
    return math.erfc((limit - z) / math.sqrt(2)) / 2


plain = rated(games)
planted = rated([plant(g, n) if set(n) & helped else g for g, n in zip(games, players)])
for name, of in (("planted", helped), ("others", often - helped)):
    rows = [(float(planted[p]["z"]), 0 if name == "others" else share * 3.932 / float(plain[p]["share_seen"])) for p in of if p in plain and p in planted]
    n = len(rows)
    print(f"{name}: {n} players, z {sum(z for z, _ in rows) / n:.2f}, expected {sum(e for _, e in rows) / n:.2f}", end="")
    for limit in (2, 3.09):
        print(f"; above {limit} {100 * sum(z > limit for z, _ in rows) / n:.1f} %, expected {100 * sum(above(e, limit) for _, e in rows) / n:.1f} %", end="")
    print()
