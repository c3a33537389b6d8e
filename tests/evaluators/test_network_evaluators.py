"""Networks as evaluators on the CPU: the same values as torch, whoever computes them."""

import subprocess
import sys
import threading
import time
from dataclasses import replace
from typing import Any, NoReturn

import athenan
import numpy as np
import pytest
import torch
from athenan.evaluators import (
    Evaluation,
    LegalMoves,
    NetworkEvaluator,
    Planes,
    backends,
    network_evaluator,
)
from athenan.evaluators.backends import (
    BACKENDS,
    Backend,
    Options,
    Way,
    fastest_way,
    find_backend,
    installed_backends,
)
from athenan.evaluators.cpu import LARGEST_PART, CpuEvaluator, Forward, cut, operations
from athenan.evaluators.torch_copy import without_denormals
from athenan.evaluators.torch_cpu import TorchCpuEvaluator
from athenan.machine import available_cores
from athenan.networks import Network
from athenan.networks.stored import AnyNetwork, StoredNetwork
from athenan.selfplay import Mind, Pool, play
from evaluators.samples import (
    ARCHITECTURES,
    assert_close,
    assert_same,
    expected,
    make_network,
    moves_for,
    random_moves,
    random_planes,
)

ON_CPU = {each.name: each for each in BACKENDS if each.device == "cpu"}


@pytest.fixture(params=ON_CPU)
def backend(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if missing := ON_CPU[name].missing:
        pytest.skip(f"{' and '.join(missing)}: not installed")
    return name


def on_cpu(
    network: Network, backend: str, threads: int = 1, batch_invariant: bool = False
) -> NetworkEvaluator:
    return network_evaluator(
        network, device="cpu", threads=threads, backend=backend, batch_invariant=batch_invariant
    )


def stored_network(network: Network) -> StoredNetwork:
    arrays = {name: array.copy() for name, array in network.arrays().items()}
    return StoredNetwork(network.architecture, network.input_shape, network.kinds, arrays)


def residual(seed: int = 1) -> Network:
    return make_network(ARCHITECTURES["residual"], seed)


def test_values_are_those_of_torch(network: Network, backend: str) -> None:
    planes = random_planes(network, 150)
    with on_cpu(network, backend, threads=2) as evaluator:
        assert (evaluator.backend, evaluator.device) == (backend, "cpu")
        assert evaluator.best_batch == 512
        assert_close(evaluator.evaluate(planes), expected(network, planes))
        assert_close(evaluator.evaluate(planes[:1]), expected(network, planes[:1]))


def test_a_network_from_a_file_gives_the_values_of_its_module(
    network: Network, backend: str
) -> None:
    stored = stored_network(network)
    planes, moves = random_planes(network, 70), moves_for(network, 70)
    for precision in ON_CPU[backend].precisions:
        options = Options("cpu", precision, threads=1, batch_invariant=False)
        with (
            find_backend(backend, "cpu").make(stored, options) as one,
            find_backend(backend, "cpu").make(network, options) as other,
        ):
            assert_same(one.evaluate(planes, moves), other.evaluate(planes, moves))
            other.update(stored)
            assert_same(one.evaluate(planes, moves), other.evaluate(planes, moves))


def test_logits_are_those_of_torch(network: Network, backend: str) -> None:
    planes, moves = random_planes(network, 150), moves_for(network, 150)
    with on_cpu(network, backend, threads=2) as evaluator:
        assert evaluator.has_policy == network.architecture.policy
        for way in (evaluator.evaluate, evaluator.on_this_thread):
            assert_close(way(planes, moves), expected(network, planes, moves))
        ticket = evaluator.submit(planes, moves)
        assert_close(ticket.result(), expected(network, planes, moves))
        assert ticket.result() is ticket.result()


def test_moves_that_the_network_cannot_answer_are_refused(backend: str) -> None:
    network = residual()
    planes, moves = random_planes(network, 3), random_moves(3, 2, 49)
    with on_cpu(network, backend) as evaluator:
        for way in (evaluator.evaluate, evaluator.on_this_thread, evaluator.submit):
            with pytest.raises(athenan.Error, match="the evaluator has no policy"):
                way(planes, moves)
    network = make_network(ARCHITECTURES["policy"])
    with on_cpu(network, backend) as evaluator:
        with pytest.raises(athenan.Error, match="the moves are those of 3 states, not of 2"):
            evaluator.evaluate(planes[:2], moves)
        known = network.kinds
        with pytest.raises(athenan.Error, match=f"knows {known} kinds .* at least {known + 1}"):
            evaluator.evaluate(planes, replace(moves, kinds=np.full_like(moves.kinds, known)))


def test_the_batch_around_a_state_does_not_change_a_bit(network: Network, backend: str) -> None:
    planes = random_planes(network, 3 * LARGEST_PART // 2)
    moves = moves_for(network, len(planes))
    with on_cpu(network, backend, batch_invariant=True) as evaluator:
        whole = evaluator.evaluate(planes, moves)
        for start, stop in [(0, 1), (1, 2), (7, 9), (2, 5), (20, 37), (31, 95)]:
            rows = slice(start, stop)
            if moves is None:
                wanted, some = Evaluation(whole.values[rows]), None
            else:
                first, last = moves.offsets[[start, stop]]
                assert whole.logits is not None
                wanted = Evaluation(whole.values[rows], whole.logits[first:last])
                some = moves.of(rows)
            assert_same(evaluator.evaluate(planes[rows], some), wanted)


def test_threads_share_a_large_batch(backend: str) -> None:
    network = residual()
    planes = random_planes(network, 500)
    with on_cpu(network, backend, threads=3) as evaluator:
        assert_close(evaluator.evaluate(planes), expected(network, planes))
        assert_close(evaluator.submit(planes).result(), expected(network, planes))


def test_several_batches_may_be_under_way(backend: str) -> None:
    network = residual()
    batches = [random_planes(network, rows, seed=rows) for rows in (1, 40, 0, 130, 2)]
    with on_cpu(network, backend, threads=2) as evaluator:
        tickets = [evaluator.submit(planes) for planes in batches]
        for planes, ticket in reversed(list(zip(batches, tickets, strict=True))):
            if len(planes):
                assert_close(ticket.result(), expected(network, planes))
            assert ticket.result() is ticket.result()
        assert tickets[2].result().values.shape == (0,)


def test_update_takes_the_new_weights(network: Network, backend: str) -> None:
    other = make_network(network.architecture, seed=2)
    planes = random_planes(network, 100)
    with on_cpu(network, backend, threads=2) as evaluator:
        before = evaluator.submit(planes)
        evaluator.update(other)
        assert_close(evaluator.evaluate(planes), expected(other, planes))
        assert_close(before.result(), expected(network, planes))


def test_only_update_changes_the_weights(backend: str) -> None:
    network = residual()
    planes = random_planes(network, 10)
    with on_cpu(network, backend) as evaluator:
        before = evaluator(planes)
        with torch.no_grad():
            network.output.bias.add_(1)
        np.testing.assert_array_equal(evaluator(planes), before)
        evaluator.update(network)
        assert_close(evaluator.evaluate(planes), expected(network, planes))


def test_an_update_of_another_shape_is_refused(backend: str) -> None:
    with (
        on_cpu(residual(), backend) as evaluator,
        pytest.raises(athenan.Error, match="of its own shape only"),
    ):
        evaluator.update(make_network(ARCHITECTURES["squeeze"]))


def test_planes_in_any_memory_are_taken(backend: str) -> None:
    network = residual()
    planes = random_planes(network, 12)
    frozen = planes.copy()
    frozen.flags.writeable = False
    with on_cpu(network, backend) as evaluator:
        np.testing.assert_array_equal(evaluator(frozen), evaluator(planes))
        assert_close(evaluator.evaluate(planes[::2]), expected(network, planes[::2].copy()))


@pytest.mark.parametrize(
    ("planes", "found"),
    [
        (np.zeros((2, 3, 7, 7), np.float32), "float32[2, 3, 7, 7]"),
        (np.zeros((2, 3, 7, 6), np.int8), "int8[2, 3, 7, 6]"),
        (np.zeros((3, 7, 7), np.int8), "int8[3, 7, 7]"),
    ],
)
def test_planes_of_another_kind_are_refused(planes: Planes, found: str) -> None:
    with on_cpu(residual(), "torch") as evaluator, pytest.raises(athenan.Error) as refusal:
        evaluator(planes)
    assert str(refusal.value) == f"the network takes planes int8[B, 3, 7, 7], not {found}"


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("device", "tpu", "device must be one of auto, cpu, cuda.*, not 'tpu'"),
        ("device", "cuda:99", "cuda:99"),
        (
            "backend",
            "tensorflow",
            "backend must be one of auto, onnxruntime, .*, torch, not",
        ),
        ("precision", "float8", "precision must be one of auto, float32, bfloat16, float16, not"),
        ("precision", "float16", "precision is float32 with .* on cpu, not float16"),
        ("threads", -1, "threads must be 0 .* or more, not -1"),
    ],
)
def test_settings_that_do_not_exist_are_refused(setting: str, value: Any, message: str) -> None:
    settings = {"device": "cpu", setting: value}
    with pytest.raises(athenan.Error, match=message):
        network_evaluator(residual(), **settings)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a CUDA device")
def test_what_the_machine_has_is_chosen() -> None:
    with network_evaluator(residual()) as evaluator:
        assert isinstance(evaluator, CpuEvaluator)
        assert evaluator.backend == installed_backends()[0]
        assert evaluator.threads == available_cores() >= 1
    with pytest.raises(athenan.Error, match="device=cuda needs a CUDA device"):
        network_evaluator(residual(), device="cuda")


def test_a_backend_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = replace(ON_CPU["openvino"], packages=("onnx", "absent_package"))
    monkeypatch.setattr(backends, "BACKENDS", [ON_CPU["torch"], absent])
    assert "openvino" not in installed_backends()
    with pytest.raises(athenan.Error) as refusal:
        on_cpu(residual(), "openvino")
    assert str(refusal.value) == (
        "backend=openvino needs the packages onnx and absent_package: install absent_package"
    )


def test_the_fastest_way_is_found_by_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(TorchCpuEvaluator):
        def on_this_thread(self, planes: Planes, moves: LegalMoves | None = None) -> Evaluation:
            start = time.thread_time()
            while time.thread_time() < start + 0.01:
                pass
            return super().on_this_thread(planes, moves)

    def slowed(backend: Backend, fast: str = "") -> Backend:
        def make(network: AnyNetwork, options: Options) -> NetworkEvaluator:
            kind = TorchCpuEvaluator if options.precision == fast else Slow
            return kind(network, options.threads, precision=options.precision)

        return replace(backend, packages=(), make=make)

    network = residual()
    assert fastest_way(network, 1, 1).backend in installed_backends()
    for name in installed_backends():
        some = [each if each.name == name else slowed(each) for each in ON_CPU.values()]
        monkeypatch.setattr(backends, "BACKENDS", some)
        assert fastest_way(network, 50, 2).backend == name
    for precision in ("float32", "bfloat16"):
        slow = [slowed(each, precision) for each in ON_CPU.values()]
        monkeypatch.setattr(backends, "BACKENDS", slow)
        assert fastest_way(network, 50, 1, "torch") == Way("torch", precision)
        assert fastest_way(network, 50, 1, "torch", "float32") == Way("torch", "float32")
        assert fastest_way(network, 50, 1, precision="bfloat16").precision == "bfloat16"


@pytest.mark.parametrize("backend", ["openvino", "torch"], indirect=True)
def test_bfloat16_rounds_all_but_the_output_layer(backend: str) -> None:
    """Near 90 two numbers of bfloat16 are 0.5 apart: values must not lie on that grid."""
    network = residual()
    with torch.no_grad():
        network.output.bias.add_(90)
    planes, rows = random_planes(network, 150), slice(20, 37)
    with network_evaluator(
        network, device="cpu", threads=1, backend=backend, precision="bfloat16"
    ) as evaluator:
        assert evaluator.precision == "bfloat16"
        found, exact = evaluator(planes), expected(network, planes).values
        if backend == "openvino":
            assert evaluator(planes[rows]).tolist() == found[rows].tolist()
    assert 0 < np.abs(found - exact).max() < 0.1 * np.ptp(exact)
    assert len(set(found.tolist())) > 100


def test_a_backend_is_added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    class Toy(CpuEvaluator):
        backend = "toy"

        def _load(self, network: AnyNetwork) -> Forward:  # noqa: ARG002
            return lambda planes: (np.full(len(planes), 0.5, np.float32), None)

    def make(network: AnyNetwork, options: Options) -> Toy:
        made.append(options)
        return Toy(network, options.threads)

    made: list[Options] = []
    toy = Backend("toy", "cpu", (), ("float8", "float32"), make)
    monkeypatch.setattr(backends, "BACKENDS", [*BACKENDS, toy])
    network = residual()
    with on_cpu(network, "toy", threads=2, batch_invariant=True) as evaluator:
        assert evaluator(random_planes(network, 3)).tolist() == [0.5] * 3
    assert made == [Options("cpu", "float8", 2, batch_invariant=True)]
    assert installed_backends()[-1] == "toy"
    with pytest.raises(athenan.Error, match=r"one of auto, .*, torch, toy, not 'tensorflow'"):
        on_cpu(network, "tensorflow")
    with pytest.raises(athenan.Error, match="precision is float8 or float32 with toy on cpu, not"):
        network_evaluator(network, device="cpu", backend="toy", precision="float16")


def test_a_backend_of_another_device_is_refused() -> None:
    with pytest.raises(athenan.Error) as refusal:
        find_backend("openvino", "cuda")
    assert str(refusal.value) == (
        "backend=openvino runs on cpu only: use device=cpu, or backend=torch"
    )
    assert find_backend("torch", "cpu") is not find_backend("torch", "cuda")


FIRST_USE = """
import sys, threading, numpy
from athenan.evaluators.quiet_openvino import openvino
type_of = lambda: openvino.Tensor(numpy.zeros(1, numpy.int8)).get_element_type().to_dtype()
threads = [threading.Thread(target=type_of) for _ in range(8)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
print([name for name in sys.modules if name.startswith("openvino_telemetry.")])
print(threading.active_count())
"""


@pytest.mark.skipif(bool(ON_CPU["openvino"].missing), reason="openvino is not installed")
def test_openvino_is_quiet_and_may_be_used_by_many_threads_at_once() -> None:
    """It would fork a process that reports the import; first uses could wait for each other."""
    command = [sys.executable, "-c", FIRST_USE]
    done = subprocess.run(command, check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout.split() == ["[]", "1"]


def test_torch_keeps_its_number_of_threads() -> None:
    network = residual()
    torch.set_num_threads(2)
    with on_cpu(network, "torch", threads=2) as evaluator:
        evaluator(random_planes(network, 100))
    assert torch.get_num_threads() == 2


def test_a_failure_on_another_thread_reaches_the_caller() -> None:
    class Broken(CpuEvaluator):
        def _load(self, network: AnyNetwork) -> Forward:  # noqa: ARG002
            def forward(planes: Planes) -> NoReturn:
                raise MemoryError(f"{len(planes)} rows are too many")

            return forward

    network = residual()
    with Broken(network, threads=2) as evaluator:
        ticket = evaluator.submit(random_planes(network, 1))
        evaluator.close()
        with pytest.raises(MemoryError, match="1 rows are too many"):
            ticket.result()


def test_closing_ends_the_threads(backend: str) -> None:
    network = residual()
    before = threading.active_count()
    with on_cpu(network, backend, threads=2) as evaluator:
        evaluator.submit(random_planes(network, 200)).result()
        assert threading.active_count() > before
    assert threading.active_count() == before


def test_one_thread_takes_parts_of_one_size_and_a_rest() -> None:
    assert cut(0, 1, 1) == []
    assert cut(LARGEST_PART, 1, 1) == [slice(0, LARGEST_PART)]
    assert cut(2 * LARGEST_PART + 3, 1, 12) == [
        slice(0, LARGEST_PART),
        slice(LARGEST_PART, 2 * LARGEST_PART),
        slice(2 * LARGEST_PART, 2 * LARGEST_PART + 3),
    ]


@pytest.mark.parametrize("threads", [2, 3, 16])
@pytest.mark.parametrize("smallest", [1, 12, 200])
def test_parts_are_equal_and_cover_the_batch(threads: int, smallest: int) -> None:
    assert cut(0, threads, smallest) == []
    for rows in [*range(1, 300), 1000, 4097]:
        slices = cut(rows, threads, smallest)
        assert np.concatenate([np.arange(rows)[part] for part in slices]).tolist() == [*range(rows)]
        sizes = [part.stop - part.start for part in slices]
        assert max(sizes) - min(sizes) <= 1
        assert len(sizes) == 1 or min(sizes) >= smallest
        assert len(sizes) % threads == 0 or min(sizes) < 2 * smallest
        assert max(sizes) <= 2 * max(LARGEST_PART, smallest)


def test_operations_are_those_of_each_layer(network: Network) -> None:
    counted = []

    def count(layer: torch.nn.Module, inputs: tuple[torch.Tensor], output: torch.Tensor) -> None:
        cells = inputs[0] if isinstance(layer, torch.nn.ConvTranspose2d) else output
        counted.append(2 * layer.get_parameter("weight").numel() * cells[0, 0].numel())

    for layer in network.modules():
        if not list(layer.children()) and list(layer.parameters()):
            layer.register_forward_hook(count)
    expected(network, random_planes(network, 1))
    assert operations(network) == sum(counted)


def test_a_network_thinks_and_plays() -> None:
    game = athenan.make_game("hex", size=5)
    with network_evaluator(residual(), device="cpu", threads=1) as evaluator:
        result = athenan.search(game.initial_state(), evaluator, "ubfm", expansions=20)
        assert result.spent.expansions == 20
        pool = Pool(game, [Mind("ubfm:expansions=2")], slots=2)
        for index in range(2):
            pool.add(index, seed=index)
        assert sorted(record.index for record in play(pool, [evaluator])) == [0, 1]


def test_negligible_weights_are_left_out(backend: str) -> None:
    """Denormal numbers make a CPU many times slower, and change nothing."""
    network = residual()
    planes = random_planes(network, 5)
    for parameter in network.parameters():
        parameter.data[1::2] = 1e-40  # not the one row of the output
    before = [parameter.detach().clone() for parameter in network.parameters()]
    with on_cpu(network, backend) as evaluator:
        assert_close(evaluator.evaluate(planes), expected(network, planes))
    after = list(network.parameters())
    assert all(torch.equal(old, new) for old, new in zip(before, after, strict=True))
    kept = without_denormals(torch.tensor([1e-40, -1e-31, 0.0, 1e-20, -2.0]))
    assert kept.tolist() == [0.0, 0.0, 0.0, pytest.approx(1e-20), -2.0]
