"""Count games, plies and faulty games of each PGN file with python-chess: one line
"games plies faulty" a file. python-chess must be on PYTHONPATH."""
import sys

import chess.pgn


class Counter(chess.pgn.BaseVisitor):
    """Plies of the main line, up to the first move that python-chess refuses."""

    def begin_game(self):
        self.plies, self.faulty = 0, False

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_move(self, board, move):
        self.plies += not self.faulty

    def handle_error(self, error):
        self.faulty = True

    def result(self):
        return self.plies, self.faulty


def main():
    for path in sys.argv[1:]:
        games = plies = faulty = 0
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            while (game := chess.pgn.read_game(file, Visitor=Counter)) is not None:
                games += 1
                plies += game[0]
                faulty += game[1]
        print(games, plies, faulty)


if __name__ == "__main__":
    main()
