"""Networks of one's own: trained, saved, resumed and played, and never run without being named."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import athenan
import numpy as np
import pytest
import torch
from athenan import Error
from athenan.commands import main
from athenan.evaluators import network_evaluator
from athenan.evaluators.plain_cuda import PlainCudaEvaluator
from athenan.learning import complete_config, preset
from athenan.learning.events import MatchLearned
from athenan.learning.training import Training
from athenan.networks import (
    Architecture,
    Model,
    build_network,
    load_model,
    own_architecture,
    save_model,
)
from athenan.programs import MODULE
from commands.complaints import complaint_of
from small_runs import small_flags

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_network.py"
HEX = athenan.make_game("hex:size=3")
SHORT = {"game": "tic_tac_toe", "stop": {"matches": 2}}

POLICY = """
import torch
from torch import nn

class Moves(nn.Module):
    policy = True
    def __init__(self, input_shape, move_planes):
        super().__init__()
        self.moves = nn.Conv2d(input_shape[0], move_planes, 1)
    def forward(self, planes):
        return planes.sum((1, 2, 3)), self.moves(planes)
"""
UNUSUAL = """
import torch
from torch import nn

class Unusual(nn.Module):
    def __init__(self, input_shape):
        super().__init__()
        planes, rows, columns = input_shape
        self.flat = nn.Flatten(2)  # what it gives needs no gradient
        self.recurrent = nn.GRU(rows * columns, 4, batch_first=True)  # gives a tuple
        self.read = nn.Linear(4, 1)
        self.scale = nn.Parameter(torch.tensor(1.0))
        self.unused = nn.Linear(2, 2)
    def forward(self, planes):
        hidden, _ = self.recurrent(self.flat(planes))
        return self.scale * self.read(hidden[:, -1])
"""
WRONG = {
    "buffers": ("self.norm = nn.BatchNorm2d(3)", "planes.sum((1, 2, 3))", "has the buffer"),
    "outputs": ("pass", "planes", "gives outputs of the shapes"),
    "two outputs": ("pass", "(planes.sum((1, 2, 3)), planes)", "gives outputs of the shapes"),
}


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLE, "net.py")
    Path("moves.py").write_text(POLICY)
    Path("values.py").write_text(POLICY.replace("policy = True", "move_values = True"))
    Path("unusual.py").write_text(UNUSUAL)


@pytest.fixture
def start_anew(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Forget the files that were named, as a new process would have."""

    def forget() -> None:
        for name in [name for name in sys.modules if name.startswith(MODULE)]:
            monkeypatch.delitem(sys.modules, name)

    forget()
    return forget


def test_a_module_becomes_a_network() -> None:
    architecture = own_architecture("net.py:Net:width=4")
    one, same = (build_network(architecture, HEX, seed=1) for _ in range(2))
    other = build_network(architecture, HEX, seed=2)
    assert architecture.code == "net.py:Net:width=4"
    assert one.weight_count == sum(p.numel() for p in one.parameters())
    planes = HEX.encode(HEX.initial_state().children())
    values = [network_evaluator(each, device="cpu", threads=1)(planes) for each in (one, same)]
    assert np.array_equal(values[0], values[1])
    assert not np.array_equal(values[0], network_evaluator(other, device="cpu")(planes))
    with torch.inference_mode():
        directly = one(torch.from_numpy(planes).float())
    np.testing.assert_allclose(values[0], directly.numpy(), atol=1e-5)


def test_what_runs_on_a_gpu_gives_the_same_values() -> None:
    """The evaluator for CUDA devices is plain torch: here on the CPU."""
    for file in ("net.py", "moves.py", "values.py"):
        network = build_network(own_architecture(file), HEX, seed=1)
        plain, usual = PlainCudaEvaluator(network, "cpu"), network_evaluator(network, device="cpu")
        states = HEX.initial_state().children()
        planes = HEX.encode(states)
        moves = HEX.legal_moves(states) if usual.says_of_moves != "none" else None
        for one, other in zip(
            plain.evaluate(planes, moves), usual.evaluate(planes, moves), strict=True
        ):
            if one is None or other is None:
                assert one is other
            else:
                np.testing.assert_allclose(one, other, atol=1e-5)
        plain.update(network)
        assert len(plain(planes[:0])) == 0


def test_on_a_gpu_a_network_of_ones_own_runs_as_it_is_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = build_network(own_architecture("moves.py"), HEX)
    monkeypatch.setattr("athenan.evaluators.network.resolve_device", lambda name: name)
    for precision in ("float16", "bfloat16"):
        with pytest.raises(Error, match=rf"runs in precision=float32 on a GPU, not {precision}"):
            network_evaluator(network, device="cuda", precision=precision)


def test_a_state_alone_has_the_value_that_it_has_in_a_batch() -> None:
    network = build_network(own_architecture(f"{EXAMPLE}:Net:width=32"), HEX, seed=2)
    planes = np.random.default_rng(1).integers(0, 2, (70, *network.input_shape), np.int8)
    with PlainCudaEvaluator(network, "cpu", batch_invariant=True) as evaluator:
        alone = [evaluator(planes[row : row + 1])[0] for row in range(len(planes))]
        assert evaluator(planes).tolist() == alone


def test_a_policy_of_ones_own_searches() -> None:
    network = build_network(own_architecture("moves.py"), HEX)
    result = athenan.search(
        HEX.initial_state(), network_evaluator(network, device="cpu"), "puct:iterations=20"
    )
    assert result.best_move in HEX.initial_state().legal_moves()


def test_values_of_moves_of_ones_own_are_told_as_differences() -> None:
    both = [build_network(own_architecture(file), HEX, 1) for file in ("moves.py", "values.py")]
    states = HEX.initial_state().children()
    planes, moves = HEX.encode(states), HEX.legal_moves(states)
    told = [network_evaluator(each, device="cpu").evaluate(planes, moves) for each in both]
    assert told[0].logits is not None
    assert told[1].logits is not None
    base = np.repeat(told[1].values, np.diff(moves.offsets))
    np.testing.assert_allclose(told[1].logits, told[0].logits + base, rtol=1e-6)
    result = athenan.search(
        HEX.initial_state(),
        network_evaluator(both[1], device="cpu"),
        "ubfm-safe:expansions=20,values=moves",
    )
    assert result.spent.evaluations <= 20
    with pytest.raises(Error, match=r"needs a policy|has no policy"):
        athenan.search(
            HEX.initial_state(), Model(both[1], HEX.id, "ubfm-safe"), "puct:iterations=9"
        )


def test_a_model_names_its_class_and_runs_nothing(start_anew: Callable[[], None]) -> None:
    Path("net.py").write_text("open('mark', 'a').write('x')\n" + EXAMPLE.read_text())
    network = build_network(own_architecture("net.py:Net:width=4"), HEX, seed=3)
    save_model("m.safetensors", Model(network, HEX.id, "ubfm-safe"))
    marks = Path("mark").read_text()
    start_anew()
    with pytest.raises(Error, match=r"the network net.py:Net:width=4 is in a Python file; name it"):
        load_model("m.safetensors")
    assert Path("mark").read_text() == marks
    own_architecture("net.py")
    again = load_model("m.safetensors").network
    assert again.architecture == network.architecture
    for name, weights in network.state_dict().items():
        assert torch.equal(again.state_dict()[name], weights)
    start_anew()
    Path("net.py").write_text(EXAMPLE.read_text() + "# another file\n")
    own_architecture("net.py")
    with pytest.raises(Error, match="is in a Python file; name it"):
        load_model("m.safetensors")


@pytest.mark.parametrize("wrong", WRONG)
def test_modules_that_do_not_fit_are_told(wrong: str) -> None:
    body, answer, message = WRONG[wrong]
    Path("wrong.py").write_text(
        "from torch import nn\nclass Wrong(nn.Module):\n"
        f"    def __init__(self, input_shape):\n        super().__init__()\n        {body}\n"
        f"    def forward(self, planes): return {answer}\n"
    )
    with pytest.raises(Error, match=message):
        build_network(own_architecture("wrong.py"), HEX)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere.py", "there is no network file 'nowhere.py'"),
        ("net.py:Other", "has no network 'Other': its modules are Net"),
        ("net.py:Net:depth=3", "has no option 'depth=3'; it takes width"),
        ("net.py:Net:width=wide", "is a whole number"),
        ("net.txt", "is named by a Python file"),
    ],
)
def test_wrong_texts_are_told(text: str, message: str) -> None:
    with pytest.raises(Error, match=message):
        own_architecture(text)


def test_other_backends_are_refused() -> None:
    network = build_network(own_architecture("net.py"), HEX)
    with pytest.raises(Error, match="runs with backend=torch, not onnxruntime"):
        network_evaluator(network, device="cpu", backend="onnxruntime")
    with pytest.raises(Error, match="is in a Python file; name it"):
        build_network(Architecture(code="net.py:Net", code_sha256="0" * 64), HEX)


def test_a_module_may_have_unusual_layers_and_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("athenan.learning.learner.LONG_STEP", 0)  # look between all layers
    network = own_architecture("unusual.py").model_dump(include={"code", "code_sha256"})
    selfplay = {"search": "descent:expansions=5", "matches": 1}
    hardware = {"device": "cpu", "threads": 1}
    given = {"game": HEX, "network": network, "selfplay": selfplay, "hardware": hardware}
    training = Training(complete_config(given | {"stop": {"matches": 2}}, preset("small")))
    before = {name: each.clone() for name, each in training.network.named_parameters()}
    assert sum(isinstance(each, MatchLearned) for each in training.events()) == 2
    training.close()
    for name, each in training.network.named_parameters():
        assert name.startswith("module.unused.") or not torch.equal(each, before[name]), name


LADDER = ["ladder", "run", "--opponent", "random", "--matches", "2", "--budget", "expansions=2"]


def test_commands_train_resume_and_play_it(
    start_anew: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    flags = small_flags(SHORT)
    pairs = [flags[i : i + 2] for i in range(1, len(flags), 2)]
    kept = [word for pair in pairs if not pair[1].startswith("network.") for word in pair]
    given = ["tic_tac_toe", *kept, "--network", "net.py:Net:width=4", "--run", "run"]
    assert main(["train", *given]) == 0
    assert "athenan play --model run --network net.py" in capsys.readouterr().out
    assert main(["export-run", "run", "light"]) == 0
    start_anew()
    for command in (
        ["resume", "run", "--matches", "3"],
        ["match", "run", "random", "--matches", "2"],
        LADDER,
        ["play", "--model", "run"],
        ["import-run", "light", "other"],
        ["export-model", "run", "model"],
    ):
        told = complaint_of(capsys, *command)
        assert "net.py:Net:width=4 is in a Python file; name it, as in --network net.py" in told
    assert main(["resume", "run", "--matches", "3", "--network", "net.py"]) == 0
    assert "3 matches learned" in capsys.readouterr().out
    assert main(["match", "run", "random", "--matches", "2", "--network", "net.py"]) == 0
    assert main([*LADDER, "--network", "net.py"]) == 0
    assert main(["import-run", "light", "other", "--network", "net.py"]) == 0
    assert main(["export-model", "run", "model", "--network", "net.py"]) == 0
    capsys.readouterr()
    assert "its file says how it is built" in complaint_of(
        capsys, "train", "tic_tac_toe", "--network", "net.py", "--weights", "1e4"
    )
