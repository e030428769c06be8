"""Evaluations and clocks as kifu ingest reads them, against regular expressions on the text.

usage: comments.py KIFU FILE.pgn[.zst]...

KIFU is the program. Every game's comments are taken apart here on their own, without
any of kifu's code, and compared move by move with the columns evals and clocks_ms. It
prints games, values and clocks of each file, and how many differ.
"""
import csv
import json
import re
import subprocess
import sys
import tempfile

csv.field_size_limit(1 << 30)
GAME = re.compile(r"(?:\[\w+ \".*\"\]\s*\n)+", re.M)
TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|[()]|[^\s{}()]+")
NOT_MOVE = re.compile(r";|\d+\.*$|\.+$|\$\d+$|1-0$|0-1$|1/2-1/2$|\*$|[!?]+$")
MATE = 32000


def mate(moves, negative):
    return -(MATE - moves) if negative else MATE - moves


def pawns(text):
    value = round(abs(float(text)) * 100 + 1e-9)
    return -min(value, 31000) if text.startswith("-") else min(value, 31000)


def seconds(text):
    total = 0.0
    for part in text.split(":"):
        total = 60 * total + float(part)
    return round(total * 1000)


def read(comment, black):
    """Value in centipawns from White's side and clock in milliseconds, None each if not said."""
    value = clock = None
    if m := re.search(r"\[%eval #(-?)(\d+)", comment):
        value = mate(int(m[2]), m[1] == "-")
    elif m := re.search(r"\[%eval ([-+]?\d+(?:\.\d+)?)", comment):
        value = pawns(m[1])
    elif m := re.search(r"\b[we]v=([-+]?)M(\d+)", comment):
        value = mate((int(m[2]) + 1) // 2, m[1] == "-")
    elif m := re.search(r"\b[we]v=([-+]?\d+\.\d+)", comment):
        value = pawns(m[1])
    elif m := re.match(r"\s*(?:\([^)]*\)\s*)?([-+]?)M(\d+)(?:/\d+|\s+\d+/)", comment):
        value = mate((int(m[2]) + 1) // 2, (m[1] == "-") != black)
    elif m := re.match(r"\s*(?:\([^)]*\)\s*)?([-+]?\d+\.\d+)(?:/\d+|\s+\d+/)", comment):
        value = -pawns(m[1]) if black else pawns(m[1])
    if m := re.search(r"\[%clk ([\d:.]+)", comment):
        clock = seconds(m[1])
    elif m := re.search(r"\btl=(\d+:\d+:\d+)", comment):
        clock = seconds(m[1])
    elif m := re.search(r"\btl=(\d+)\b", comment):
        clock = int(m[1])
    return value, clock


def games(text):
    """The lists of values and of clocks of each game."""
    starts = [m for m in GAME.finditer(text)]
    for m, after in zip(starts, starts[1:] + [None]):
        body = text[m.end() : after.start() if after else len(text)]
        fen = re.search(r'\[FEN "\S+ (\w)', m[0])
        first = bool(fen and fen[1] == "b")
        values, clocks, depth = [], [], 0
        for token in TOKEN.findall(re.sub(r"^%.*$", "", body, flags=re.M)):
            if token in "()":
                depth += 1 if token == "(" else -1
            elif depth or NOT_MOVE.match(token):
                continue
            elif token[0] != "{":
                values.append(None)
                clocks.append(None)
            elif values:
                value, clock = read(token[1:-1], first != (len(values) % 2 == 0))
                values[-1] = value if value is not None else values[-1]
                clocks[-1] = clock if clock is not None else clocks[-1]
        yield values, clocks


def columns(kifu, path):
    with tempfile.TemporaryDirectory() as tmp:
        subprocess.run([kifu, "ingest", "--progress", "none", "--out", tmp + "/g", path], check=True, stdout=subprocess.DEVNULL)
        query = "select ply_count, to_json(evals) as evals, to_json(clocks_ms) as clocks from g order by game_id"
        out = subprocess.run([kifu, "query", "--format", "csv", query, "g=" + tmp + "/g"], check=True, capture_output=True, text=True).stdout
    for row in csv.DictReader(out.splitlines()):
        n = int(row["ply_count"])
        yield [json.loads(row[c]) if row[c] and row[c] != "null" else [None] * n for c in ("evals", "clocks")]


def main():
    kifu, *paths = sys.argv[1:]
    print("| file | games | values | clocks | differ |\n|---|---|---|---|---|")
    for path in paths:
        command = ["zstd", "-qdcf", path] if path.endswith(".zst") else ["cat", path]
        text = subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8", "replace").replace("\r", "")
        n = values = clocks = differ = 0
        ours, theirs = list(columns(kifu, path)), list(games(text))
        if len(ours) != len(theirs):
            print(f"{path}: {len(ours)} games, {len(theirs)} here", file=sys.stderr)
        for game, (a, b) in enumerate(zip(ours, theirs)):
            n += 1
            values += sum(v is not None for v in b[0])
            clocks += sum(v is not None for v in b[1])
            wrong = [(i, kind, x, y) for kind in (0, 1) for i, (x, y) in enumerate(zip(a[kind], b[kind])) if x != y]
            if len(a[0]) != len(b[0]):
                wrong.append(("plies", len(a[0]), len(b[0])))
            differ += len(wrong)
            if wrong and differ < 10:
                print(f"{path}: game {game}: {wrong[:3]}", file=sys.stderr)
        print(f"| {path.split('/')[-1]} | {n:,} | {values:,} | {clocks:,} | {differ} |", flush=True)


if __name__ == "__main__":
    main()
