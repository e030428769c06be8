#!/usr/bin/env python3
"""The network of eval/network worked out in plain Python, from the description alone.

    python3 forward.py > forward.csv

A line has the seed of the parameters, a position as FEN and what the network adds to the
piece difference, in men. Parameters are drawn by a linear congruential generator that the
test has, too, and rounded to binary fractions, so that both have the same."""
import math

SIZES = range(3, 9)


def parameters(seed):
    """5,046 weights from -0.5 to 0.5, then a king worth 1 to 3."""
    x = seed
    out = []
    for _ in range(5047):
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append((x >> 48) / 65536 - 0.5)
    out[5046] = 2 + 2 * out[5046]
    return out


def board(fen, king):
    """Rows of eight, from Black's side; Black is the first player."""
    rows = [[0.0] * 8 for _ in range(8)]
    for side in fen.split(":")[1:]:
        sign = 1 if side[0] == "B" else -1
        for man in side[1:].split(","):
            value = king if man[0] == "K" else 1
            n = int(man.lstrip("K")) - 1
            row = n // 4
            rows[row][2 * (n % 4) + (1 if row % 2 == 0 else 0)] = sign * value
    return rows


def output(w, fen):
    w = list(w)
    rows = board(fen, w.pop())
    take = iter(w).__next__
    nodes = []
    for size in SIZES:
        for top in range(9 - size):
            for left in range(9 - size):
                total = 0.0
                for r in range(top, top + size):
                    for c in range(left, left + size):
                        if (r + c) % 2 == 1:
                            total += take() * rows[r][c]
                nodes.append(math.tanh(total + take()))
    assert len(nodes) == 91
    for width in (40, 10):
        nodes = [math.tanh(sum(take() * x for x in nodes) + take()) for _ in range(width)]
    total = sum(take() * x for x in nodes) + take()
    try:
        take()
    except StopIteration:
        return total
    raise AssertionError("weights are left")


FENS = [
    "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12",
    "W:W19,21,22,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,16",
    "B:WK1,10,K32:BK5,14,28,K29",
    "W:W6,K15:B27,K18,K4",
    "B:WK13:BK20",
]
for seed in range(1, 5):
    for fen in FENS:
        print(f'{seed};{fen};{output(parameters(seed), fen):.7f}')
