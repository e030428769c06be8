"""What kifu export writes back of annotations, against python-chess reading both.

usage: annotations.py KIFU FILE.pgn...

KIFU is the program. Each file is ingested and exported; python-chess (of PYTHONPATH) reads
the file and the export, and every node of every game is compared: comments, glyphs and
variations, with the values and clocks in comments. It prints the counts of each file, and
how many games differ; the first of them with what differs.
"""
import io
import json
import logging
import re
import subprocess
import sys
import tempfile

import chess.pgn

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
PLAIN = re.compile(r"\[%(eval|clk) [^\],]*\]")


def nodes(game):
    """Lists what a game has, node by node, in the order of its tree."""
    found, todo = [], [(0, game)]
    while todo:
        depth, node = todo.pop()
        move = node.move.uci() if node.parent else ""
        comment = " ".join((node.starting_comments if node.parent else []) + node.comments)
        value, clock = node.eval(), node.clock()
        words = sorted(PLAIN.sub(" ", comment).split())
        glyphs = sorted(node.nags - {0})
        found.append((depth, move, words, glyphs, str(value), clock))
        todo += [(depth + i, child) for i, child in reversed(list(enumerate(node.variations)))]
    return found


def read(text):
    stream, games = io.StringIO(text), []
    while (game := chess.pgn.read_game(stream)) is not None:
        games.append(game)
    return games


def key(game):
    """Names a game: its players and its main line."""
    h = game.headers
    return h.get("White", "?"), h.get("Black", "?"), " ".join(m.uci() for m in game.mainline_moves())


def main(kifu, files):
    differ = False
    for file in files:
        with open(file, "rb") as f:
            raw = f.read()
        with tempfile.TemporaryDirectory() as scratch:
            subprocess.run([kifu, "ingest", "--quiet", "--force-game", "chess", "--out", scratch + "/g", file], check=True, stdout=subprocess.DEVNULL)
            again = subprocess.run([kifu, "export", "--quiet", "--out", "-", scratch + "/g"], check=True, stdout=subprocess.PIPE).stdout.decode()
        try:
            text = raw.decode()
        except UnicodeDecodeError:
            text = raw.decode("cp1252", "replace")
        left = {}
        for game in read(text):
            left.setdefault(key(game), []).append(game)
        count = dict.fromkeys(["games", "comments", "glyphs", "variations", "differ", "unmatched"], 0)
        for game in read(again):
            before = left.get(key(game))
            if not before:
                count["unmatched"] += 1
                continue
            was, now = nodes(before.pop(0)), nodes(game)
            count["games"] += 1
            count["comments"] += sum(1 for n in now if n[2])
            count["glyphs"] += sum(len(n[3]) for n in now)
            count["variations"] += sum(1 for n in now if n[0])
            if was != now:
                count["differ"] += 1
                if count["differ"] == 1:
                    print(key(game)[:2], [(a, b) for a, b in zip(was, now) if a != b][:2], len(was), len(now))
        differ = differ or count["differ"] > 0
        print(file.rsplit("/", 1)[-1], json.dumps(count))
    return differ


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
