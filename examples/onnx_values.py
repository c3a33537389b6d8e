"""Values of positions by a network in a file, with onnxruntime alone: no torch, no search.

`athenan export-model RUN FILE --onnx` writes such a file. Here a model that comes with athenan is
exported first.

Try it:  python examples/onnx_values.py
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import athenan
import onnxruntime

MODEL = "models/hex-5.safetensors"


def main() -> None:
    """Print what the network makes of each first move."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "hex-5.onnx"
        command = [sys.executable, "-m", "athenan", "export-model", MODEL, str(file), "--onnx"]
        subprocess.run(command, check=True)
        session = onnxruntime.InferenceSession(str(file))
    game = session.get_modelmeta().custom_metadata_map["game"]
    state = athenan.make_game(game).initial_state()
    planes = state.game.encode(state.children())  # int8 [moves, planes, rows, columns]
    (values,) = session.run(["values"], {"planes": planes})
    best = max(zip(values, state.legal_move_strings(), strict=True))
    print(f"{game}: {len(values)} first moves, the best of them {best[1]} with {best[0]:+.2f}")


if __name__ == "__main__":
    main()
