"""The network on a CUDA device, and what of it needs none: how batches are cut."""

import gc

import athenan
import numpy as np
import pytest
import torch
from athenan.evaluators import Evaluation, network_evaluator
from athenan.evaluators.cuda import (
    INVARIANT,
    LARGEST,
    SMALLEST,
    SPLIT,
    CudaEvaluator,
    forward_of,
    narrowed,
    pieces,
    shapes,
)
from athenan.evaluators.touches import move_logits
from athenan.networks import Network
from evaluators.samples import (
    ARCHITECTURES,
    assert_close,
    expected,
    make_network,
    moves_for,
    random_planes,
)

TOLERANCE = {"float32": 2e-5, "float16": 1e-2, "bfloat16": 8e-2}


def test_shapes_are_the_powers_of_two() -> None:
    assert shapes(16, 128) == (16, 32, 64, 128)
    assert shapes()[0] == SMALLEST
    assert shapes()[-1] == LARGEST


@pytest.mark.parametrize("sizes", [shapes(), INVARIANT])
def test_pieces_cover_the_batch(sizes: tuple[int, ...]) -> None:
    for rows in [*range(1, 40), *range(500, 70_000, 997), LARGEST, 8 * LARGEST]:
        cut = list(pieces(rows, sizes))
        assert [piece.start for piece in cut] == [0, *(piece.stop for piece in cut[:-1])]
        assert cut[-1].stop == rows
        assert all(piece.shape in sizes for piece in cut)
        assert all(piece.stop - piece.start == piece.shape for piece in cut[:-1])
        assert 0 < cut[-1].stop - cut[-1].start <= cut[-1].shape
    assert list(pieces(0, sizes)) == []


def test_padding_is_small() -> None:
    for rows in range(1, 3 * LARGEST, 37):
        padding = sum(piece.shape for piece in pieces(rows, shapes())) - rows
        assert padding < max(SMALLEST, SPLIT / 2)
    assert [piece.shape for piece in pieces(21_000, shapes())] == [8192, 8192, 4096, 1024]


def test_only_the_output_layer_stays_wide(network: Network) -> None:
    own = narrowed(network, "cpu", torch.float16)
    kinds = {name: parameter.dtype for name, parameter in own.named_parameters()}
    assert kinds.keys() == dict(network.named_parameters()).keys()
    wide = {name for name, kind in kinds.items() if kind != torch.float16}
    assert wide == {"output.weight", "output.bias"}


def test_the_forward_pass_is_the_networks(network: Network) -> None:
    planes = random_planes(network, 5)
    own = narrowed(network, "cpu", torch.float32)
    values, *touches = forward_of(own, torch.float32)(torch.from_numpy(planes))
    assert_close(Evaluation(values.numpy()), expected(network, planes))
    assert len(touches) == network.architecture.two_heads
    if moves := moves_for(network, 5):
        assert touches[0].is_contiguous()
        base = values.detach().numpy() if network.architecture.move_values else None
        logits = move_logits(touches[0].numpy(), moves, base=base)
        assert_close(Evaluation(values.numpy(), logits), expected(network, planes, moves))


def residual(seed: int = 1) -> Network:
    return make_network(ARCHITECTURES["residual"], seed)


@pytest.mark.gpu
@pytest.mark.parametrize("precision", TOLERANCE)
def test_values_are_close_to_those_of_the_cpu(network: Network, precision: str) -> None:
    planes, moves = random_planes(network, 700), moves_for(network, 700)
    with CudaEvaluator(network, precision=precision, compile=False) as evaluator:
        for rows in (1, 16, 17, 700):
            some = moves and moves.of(slice(0, rows))
            wanted = expected(network, planes[:rows], some)
            found = evaluator.evaluate(planes[:rows], some)
            assert_close(found, wanted, TOLERANCE[precision])


@pytest.mark.gpu
def test_the_compiled_network_is_the_same() -> None:
    network = make_network(ARCHITECTURES["all"])
    planes = random_planes(network, 2 * SPLIT + 100)
    moves = moves_for(network, len(planes))
    with network_evaluator(network, device="cuda") as evaluator:
        assert isinstance(evaluator, CudaEvaluator)
        assert (evaluator.precision, evaluator.backend) == ("float16", "torch")
        assert evaluator.device.startswith("cuda:")
        assert (evaluator.has_policy, evaluator.best_batch) == (True, 32768)
        found = evaluator.evaluate(planes, moves)
        assert_close(found, expected(network, planes, moves), TOLERANCE["float16"])
        other = make_network(ARCHITECTURES["all"], seed=2)
        evaluator.update(other)
        assert_close(evaluator.evaluate(planes), expected(other, planes), TOLERANCE["float16"])


@pytest.mark.gpu
def test_batches_under_way_keep_their_order_and_their_weights() -> None:
    first, second = residual(1), residual(2)
    batches = [random_planes(first, rows, seed=rows) for rows in (1, 3000, 40, 9000, 0, 2)]
    with CudaEvaluator(first, precision="float32", compile=False) as evaluator:
        tickets = [evaluator.submit(planes.copy()) for planes in batches]
        evaluator.update(second.to("cuda"))
        later = [evaluator.submit(planes.copy()) for planes in batches]
        second.to("cpu")
        for network, wave in ((second, later), (first, tickets)):
            for planes, ticket in zip(batches, wave, strict=True):
                if len(planes):
                    assert_close(ticket.result(), expected(network, planes), 2e-5)
                else:
                    assert ticket.result().values.shape == (0,)


@pytest.mark.gpu
def test_batches_under_way_keep_their_moves() -> None:
    """Some ask for logits and some do not; a third batch takes the buffers of the first."""
    network = make_network(ARCHITECTURES["policy"])
    sizes = (1, 3000, 40, 9000, 2, 0, 700)
    batches = [random_planes(network, rows, seed=rows) for rows in sizes]
    asked = [
        None if i % 3 == 1 else moves_for(network, rows, seed=rows) for i, rows in enumerate(sizes)
    ]
    with CudaEvaluator(network, precision="float32", compile=False) as evaluator:
        tickets = [
            evaluator.submit(planes, moves) for planes, moves in zip(batches, asked, strict=True)
        ]
        for planes, moves, ticket in zip(batches, asked, tickets, strict=True):
            answer = ticket.result()
            assert ticket.result() is answer
            if len(planes):
                assert_close(answer, expected(network, planes, moves), 2e-5)
            else:
                assert answer.logits is not None
                assert len(answer.values) == len(answer.logits) == 0


@pytest.mark.gpu
def test_a_submitted_batch_may_change_its_memory() -> None:
    network = residual()
    planes = random_planes(network, 5000)
    wanted = expected(network, planes)
    with CudaEvaluator(network, precision="float32", compile=False) as evaluator:
        ticket = evaluator.submit(planes)
        planes[:] = 1
        assert_close(ticket.result(), wanted, 2e-5)


@pytest.mark.gpu
@pytest.mark.parametrize("precision", TOLERANCE)
def test_no_bit_depends_on_the_batch_if_asked(network: Network, precision: str) -> None:
    planes = random_planes(network, 1500)
    with CudaEvaluator(
        network, "cuda", precision, compile=False, batch_invariant=True
    ) as evaluator:
        whole = evaluator(planes)
        shuffled = np.random.default_rng(1).permutation(1500)
        np.testing.assert_array_equal(evaluator(planes[shuffled]), whole[shuffled])
        np.testing.assert_array_equal(evaluator(planes[7:9]), whole[7:9])
        if moves := moves_for(network, 1500):
            logits = evaluator.evaluate(planes, moves).logits
            assert logits is not None
            first, last = moves.offsets[[7, 9]]
            piece = evaluator.evaluate(planes[7:9], moves.of(slice(7, 9)))
            np.testing.assert_array_equal(piece.logits, logits[first:last])


@pytest.mark.gpu
def test_an_overflow_is_reported() -> None:
    network = residual()
    with torch.no_grad():
        for parameter in network.stem[0].parameters():
            parameter.fill_(1e6)
    with (
        CudaEvaluator(network, precision="float16", compile=False) as evaluator,
        pytest.raises(athenan.Error, match="not finite in float16"),
    ):
        evaluator(random_planes(network, 4))


@pytest.mark.gpu
def test_garbage_with_graphs_does_not_end_a_capture(monkeypatch: pytest.MonkeyPatch) -> None:
    """An older evaluator in a cycle of references is left to the collector in a capture."""
    network = residual()
    older = CudaEvaluator(network, compile=False)
    older(random_planes(network, 3000))
    cycle: list[object] = [older]
    cycle.append(cycle)
    held = [cycle]
    del older, cycle
    with CudaEvaluator(network, compile=False) as newer:
        plain = newer._plain

        def littering(planes: torch.Tensor) -> tuple[torch.Tensor, ...]:
            if torch.cuda.is_current_stream_capturing():
                held.clear()
                kept = [[number] for number in range(200_000)]  # occasions to collect
                assert len(kept) == 200_000
            return plain(planes)

        monkeypatch.setattr(newer, "_plain", littering)
        monkeypatch.setattr(newer, "_fast", littering)
        planes = random_planes(network, 16)
        assert_close(newer.evaluate(planes), expected(network, planes), 1e-2)
    assert not held
    assert gc.isenabled()
