"""A process that says what a real engine said, if it hears what that engine heard."""

import sys


def main(file: str) -> None:
    with open(file, encoding="utf-8") as lines:
        next(lines)  # what the test knows of the match
        for line in lines:
            sign, text = line[:1], line[2:].rstrip("\n")
            if sign == "<":
                print(text, flush=True)
                continue
            heard = sys.stdin.readline().rstrip("\n")
            if heard != text:
                sys.exit(f"heard {heard!r} instead of {text!r}")


if __name__ == "__main__":
    main(sys.argv[1])
