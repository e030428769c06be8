"""The numbers of report opening, computed again outside of Go and SQL, from random games
over a small board of transpositions: a position is the set of moves of each side.

    python3 testdata/opening.py     writes opening_labels.csv, opening_choices.csv and opening_expected.csv

Standard library only.
"""
import csv, math, os, random
from collections import defaultdict

HERE = os.path.dirname(os.path.abspath(__file__))
DEPTH, LEAST, MOVES = 4, 4, "abcde"


def hash_of(line):
    sides = sorted(line[0::2]), sorted(line[1::2])
    return 1 + sum((1 + MOVES.index(m)) << (3 * i + 20 * s) for s in (0, 1) for i, m in enumerate(sides[s]))


def value_of(line):
    return hash_of(line) * 37 % 101 - 50


def write(name, head, rows):
    with open(os.path.join(HERE, name), "w", newline="") as f:
        w = csv.writer(f, lineterminator="\n")
        w.writerow(head.split())
        w.writerows(rows)


def main():
    rng = random.Random(3)
    labels, choices, games = [], [], []
    for game in range(220):
        line = "".join(rng.choice("aaaabbc" if rng.random() < 0.9 else MOVES) for _ in range(6))
        result, first, second = rng.choice(["first", "second", "draw", "first", ""]), rng.randint(1500, 2000), rng.randint(1500, 2000)
        if game % 4 == 0:
            first = ""
        games.append((line, result, first, second))
        for ply in range(7):
            labels.append([game, ply, hash_of(line[:ply]), line[ply] if ply < 6 else "", str(ply % 2 == 0).lower(), result, first, second, value_of(line[:ply])])
            if ply < 6:
                choices += [[game, ply, str(ply % 2 == 0).lower(), m, value_of(line[:ply] + m)] for m in MOVES]
    write("opening_labels.csv", "game_id ply hash move first_to_move result first_elo second_elo quiescence_value", labels)
    write("opening_choices.csv", "game_id ply first_to_move move quiescence_value", choices)

    edges, lines = defaultdict(list), {}
    for game in games:
        for ply in range(DEPTH):
            at = (ply, hash_of(game[0][:ply]))
            lines[at] = game[0][:ply]
            edges[at, game[0][ply]].append(game)
    shown = {e: some for e, some in edges.items() if len(some) >= LEAST}

    def unplayed(at):
        sign = 1 if at[0] % 2 == 0 else -1
        free = [m for m in MOVES if (at, m) not in edges]
        return max(((sign * value_of(lines[at] + m), m) for m in free), default=None)

    def negamax(at, line):
        """The value for the side to move."""
        sign = 1 if at[0] % 2 == 0 else -1
        below = [-negamax((at[0] + 1, hash_of(line + m)), line + m) for m in MOVES if (at, m) in shown]
        if not below:
            return sign * value_of(line)
        best = unplayed(at)
        return max(below + ([best[0]] if best else []))

    out = []
    for (at, move), some in sorted(shown.items()):
        ply, first = at[0], at[0] % 2 == 0
        points = [0.5 if g[1] == "draw" else float((g[1] == "first") == first) for g in some if g[1]]
        own, other = (2, 3) if first else (3, 2)
        ratings = [g[own] for g in some if g[own] != ""]
        opposed = [g[other] for g in some if g[other] != "" and g[1]]
        rated = [0.5 if g[1] == "draw" else float((g[1] == "first") == first) for g in some if g[1] and g[other] != ""]
        performance = ""
        if len(opposed) >= 10:
            p = sum(rated) / len(rated)
            performance = sum(opposed) / len(opposed) + (max(-800, min(800, -400 * math.log10(1 / p - 1))) if 0 < p < 1 else 800 if p else -800)
        line = lines[at] + move
        best = unplayed(at)
        sign = 1 if first else -1
        out.append([ply, at[1], move, len(some), len(some) / sum(len(shown.get((at, m), edges.get((at, m), []))) for m in MOVES), points.count(1), points.count(0.5), points.count(0),
                    sum(points) / len(points) if points else "", sum(ratings) / len(ratings) if ratings else "", performance, len(opposed),
                    value_of(line), best[1] if best else "", sign * best[0] if best else "", -sign * negamax((ply + 1, hash_of(line)), line)])
    write("opening_expected.csv", "ply hash move games share wins draws losses score rating performance rated value unplayed unplayed_value backed_value", out)


main()
