"""Coverage-guided fuzzing: `python -m fuzz TOPIC [options of libFuzzer] CORPUS`.

With a file in the place of the corpus it runs that one input.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import atheris


def main() -> None:
    """Write the seeds into the corpus, and fuzz until a limit or a finding."""
    topic = sys.argv.pop(1)
    with atheris.instrument_imports(include=["athenan"]):
        fuzzer = importlib.import_module(f"fuzz.{topic}")
    corpus = Path(sys.argv[-1])
    for number, seed in enumerate(fuzzer.seeds() if corpus.is_dir() else ()):
        (corpus / f"seed-{number}").write_bytes(seed)
    fuzzer.run(b"")  # the first input makes what the others need, which takes its time
    atheris.Setup(sys.argv, fuzzer.run)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
