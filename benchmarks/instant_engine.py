"""An engine that answers at once: Hex without the swap by UGI, always the first free cell.

python benchmarks/instant_engine.py SIZE
"""

from __future__ import annotations

import sys
from string import ascii_lowercase


def main() -> None:
    size = int(sys.argv[1])
    cells = [f"{ascii_lowercase[x]}{y + 1}" for y in range(size) for x in range(size)]
    taken: set[str] = set()
    answers = {"ugi": "id name instant\nugiok", "isready": "readyok"}
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["position"]:
            taken = set(words)
        elif words[:1] == ["go"]:
            print("bestmove", next(cell for cell in cells if cell not in taken), flush=True)
        elif words[:1] == ["quit"]:
            break
        elif words and words[0] in answers:
            print(answers[words[0]], flush=True)


if __name__ == "__main__":
    main()
