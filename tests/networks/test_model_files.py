"""Model files: nothing is lost, nothing damaged or foreign is accepted, nothing is executed."""

import errno
import hashlib
import json
import os
import pickle
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import athenan
import pytest
import torch
from athenan.networks import Architecture, Model, input_shape, load_model, save_model
from athenan.networks.network import new_network
from safetensors import safe_open
from safetensors.torch import load, save, save_file

TINY = Architecture(filters=2, blocks=1, squeeze=2, pooling=3, dense=(2,), policy=True)
Tensors = dict[str, torch.Tensor]


def tiny_model(seed: int = 1, **info: str) -> Model:
    game = athenan.make_game("tic_tac_toe")
    network = new_network(TINY, input_shape(game), 2, seed)
    return Model(network, game.id, "ubfm-safe:terminal=score", info)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    save_model(path, tiny_model())
    return path


def refusal(path: Path) -> str:
    """What is said of a file that must be refused: one sentence that names it."""
    with pytest.raises(athenan.Error) as refused:
        load_model(path)
    message = str(refused.value)
    assert repr(str(path)) in message
    assert "\n" not in message
    assert not isinstance(refused.value, KeyError)
    return message


def signed(data: bytes) -> bytes:
    """Put the right checksum into a file, as the format describes it."""
    place = re.search(rb'{\\"checksum\\":\\"(.{64})', data)
    assert place is not None
    start, end = place.span(1)
    digits = hashlib.sha256(data[:start] + b"0" * 64 + data[end:]).hexdigest().encode()
    return data[:start] + digits + data[end:]


def forge(
    path: Path,
    tensors: Callable[[Tensors], object] = lambda _: None,
    metadata: Callable[[dict[str, Any]], object] = lambda _: None,
) -> None:
    """Change the content of a model file and give it a right checksum again."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little")
    fields = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["athenan"])
    weights = load(data)
    tensors(weights)
    metadata(fields)
    text = json.dumps(fields, separators=(",", ":"))
    path.write_bytes(signed(save(weights, {"athenan": text})))


def test_a_model_returns_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    model = tiny_model(run='Hex, été 2024 "quoted" \\ \n', checksum="0" * 64, licence="Apache-2.0")
    save_model(path, model)
    again = load_model(str(path))
    assert (again.game, again.search, again.info) == (model.game, model.search, model.info)
    assert again.network.architecture == model.network.architecture
    assert again.network.input_shape == model.network.input_shape
    planes = torch.rand(3, *model.network.input_shape)
    outputs = (each.network.outputs(planes) for each in (model, again))
    for mine, theirs in zip(*outputs, strict=True):
        assert torch.equal(mine, theirs)
    assert all(p.requires_grad for p in again.network.parameters())
    save_model(path, again)
    assert load_model(path).info == model.info


def test_what_is_changed_after_loading_is_what_counts(file: Path) -> None:
    again = load_model(file)
    assert again.weights is again.given
    with torch.no_grad():
        again.network.output.bias.fill_(7)
    assert again.weights is again.network
    save_model(file, again)
    (bias,) = load_model(file).network.output.bias.tolist()
    assert bias == 7


def test_a_model_of_a_module_is_that_module() -> None:
    model = tiny_model()
    assert model.given is model.network is model.weights


def test_the_same_model_gives_the_same_bytes(tmp_path: Path) -> None:
    contents = set()
    for name in "abc":
        save_model(tmp_path / name, tiny_model(run="1", date="today"))
        contents.add((tmp_path / name).read_bytes())
    assert len(contents) == 1


def test_the_layout_in_memory_and_the_precision_do_not_matter(tmp_path: Path) -> None:
    model = tiny_model()
    model.network.to(memory_format=torch.channels_last).bfloat16()  # type: ignore[call-overload]
    save_model(tmp_path / "half", model)
    again = load_model(tmp_path / "half").network
    for mine, theirs in zip(model.network.parameters(), again.parameters(), strict=True):
        assert theirs.dtype == torch.float32
        assert torch.equal(mine.float(), theirs)


@pytest.mark.parametrize("half", [False, True])
def test_half_precision_rounds_the_weights(tmp_path: Path, half: bool) -> None:
    model = tiny_model()
    save_model(tmp_path / "model", model, half=half)
    assert {w.dtype for w in load((tmp_path / "model").read_bytes()).values()} == {
        torch.float16 if half else torch.float32
    }
    again = load_model(tmp_path / "model").network
    for mine, theirs in zip(model.network.parameters(), again.parameters(), strict=True):
        assert theirs.dtype == torch.float32
        assert theirs.requires_grad
        assert torch.equal(mine.half().float() if half else mine, theirs)


def test_weights_too_large_for_half_precision_are_refused(tmp_path: Path) -> None:
    model = tiny_model()
    with torch.no_grad():
        model.network.output.bias.fill_(1e6)
    with pytest.raises(athenan.Error, match="half precision: some weights are too large"):
        save_model(tmp_path / "model", model, half=True)
    assert list(tmp_path.iterdir()) == []
    save_model(tmp_path / "model", model)


OLD_FILES = sorted(Path(__file__).parents[2].glob("models/*.safetensors"))


def version_of(path: Path) -> int:
    with safe_open(path, "pt") as file:
        return int(json.loads(file.metadata()["athenan"])["version"])


@pytest.mark.parametrize("path", OLD_FILES, ids=lambda path: path.name)
def test_the_models_of_the_repository_are_read(path: Path) -> None:
    model = load_model(path)
    assert not model.network.architecture.policy
    assert model.network.input_shape == input_shape(athenan.make_game(model.game))


def as_format_1(fields: dict[str, Any]) -> None:
    del fields["move_kinds"]
    fields.update(version=1, move_count=10)


def test_files_of_format_1_are_read_unless_they_hold_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "old"
    game = athenan.make_game("tic_tac_toe")
    network = new_network(TINY.model_copy(update={"policy": False}), input_shape(game), 0, 1)
    save_model(path, Model(network, game.id, "ubfm"))
    forge(path, metadata=as_format_1)
    again = load_model(path)
    for mine, theirs in zip(network.parameters(), again.network.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    save_model(path, again)
    assert version_of(path) == 2
    save_model(path, tiny_model())
    forge(path, metadata=as_format_1)
    assert "holds a policy of format 1, which this athenan no longer reads" in refusal(path)


def test_a_forged_file_is_read_when_nothing_is_wrong_with_it(file: Path) -> None:
    forge(file, metadata=lambda fields: fields.update(search="descent"))
    assert load_model(file).search == "descent"


@pytest.mark.parametrize("mask", [0x01, 0x80, 0xFF])
def test_every_changed_byte_is_noticed(file: Path, mask: int) -> None:
    whole = file.read_bytes()
    seen = set()
    for position in range(mask % 3, len(whole), 3):
        damaged = bytearray(whole)
        damaged[position] ^= mask
        file.write_bytes(damaged)
        seen.add(refusal(file).partition(repr(str(file)))[2])
    assert " is damaged: its content does not match its checksum" in seen
    assert " is not one of athenan" in seen


def test_every_truncation_is_noticed(file: Path) -> None:
    whole = file.read_bytes()
    for length in range(1, len(whole), 2):
        file.write_bytes(whole[:length])
        assert re.search("damaged|not one of athenan", refusal(file))
    file.write_bytes(whole + b"\0")
    assert "damaged" in refusal(file)
    file.write_bytes(whole)
    load_model(file)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    assert "there is no model file" in refusal(path)
    path.write_bytes(b"")
    assert "is empty" in refusal(path)
    path.write_text("game = hex\n" * 100)
    assert "is not one of athenan" in refusal(path)
    path.write_bytes(bytes(range(256)) * 9000)
    assert "is not one of athenan" in refusal(path)
    save_file({"weight": torch.zeros(3)}, path, {"format": "pt"})
    assert "is not one of athenan" in refusal(path)
    torch.save(torch.zeros(3), path)
    assert "is not one of athenan" in refusal(path)
    assert "is not a file" in refusal(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "is not a file" in refusal(tmp_path / "pipe")


class Bomb:
    """An object whose pickle, once loaded, creates a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.folder),)


def test_loading_never_executes_code(file: Path, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb"
    bomb.write_bytes(pickle.dumps(Bomb(tmp_path / "exploded")))
    assert "is not one of athenan" in refusal(bomb)
    trap = tmp_path / "trap.py"
    trap.write_text(f"import os\nos.mkdir({str(tmp_path / 'exploded')!r})\n")
    forge(file, metadata=lambda fields: fields.update(game=str(trap)))
    assert load_model(file).game == str(trap)
    assert not (tmp_path / "exploded").exists()


def test_a_newer_format_is_refused(file: Path) -> None:
    forge(file, metadata=lambda fields: fields.update(version=3, novelty=[1]))
    assert "format 3, newer than the 2 that this athenan reads" in refusal(file)


WRONG_TENSORS: list[tuple[Callable[[Tensors], object], str]] = [
    (lambda t: t.pop("dense.0.weight"), "lacks the weights 'dense.0.weight'"),
    (lambda t: t.update(more=torch.zeros(1)), "holds weights 'more' that its architecture"),
    (lambda t: t.update({"output.bias": torch.zeros(2)}), r"shape \[2\] instead of .* \[1\]"),
    (
        lambda t: t.update({"output.bias": torch.zeros(1).bfloat16()}),
        "type BF16 and shape .* instead of F32 or F16",
    ),
    (lambda t: t.clear(), "lacks the weights"),
]


@pytest.mark.parametrize(("change", "said"), WRONG_TENSORS)
def test_weights_that_do_not_fit_are_refused(
    file: Path, change: Callable[[Tensors], object], said: str
) -> None:
    forge(file, tensors=change)
    assert re.search(said, refusal(file))


WRONG_FIELDS: list[tuple[Callable[[dict[str, Any]], object], str]] = [
    (lambda f: f["architecture"].update(filters=3), "instead of"),
    (lambda f: f["architecture"].update(filters=0), "no valid architecture.filters"),
    (lambda f: f["architecture"].update(colour="red"), "no valid architecture.colour"),
    (lambda f: f.update(input_shape=[3, 2, 2]), "too small"),
    (lambda f: f.update(input_shape=[3, 10**12, 10**12]), "no valid input_shape"),
    (lambda f: f.update(input_shape=[4096] * 3, move_kinds=256), "instead of"),
    (lambda f: f.update(move_kinds=257), "no valid move_kinds"),
    (lambda f: f.update(move_kinds=3), "instead of"),
    (lambda f: f.update(version=0), "no valid version"),
    (lambda f: f.update(info=[1]), "no valid info"),
    (lambda f: f.pop("game"), "no valid game"),
    (lambda f: f.update(game="\ud800"), "no valid game"),
]


@pytest.mark.parametrize(("change", "said"), WRONG_FIELDS)
def test_metadata_that_make_no_sense_are_refused(
    file: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    forge(file, metadata=change)
    assert said in refusal(file)


def test_metadata_nested_without_end_are_refused(file: Path) -> None:
    mark = json.dumps(json.dumps({"checksum": "0" * 64}, separators=(",", ":")))
    header = f'{{"__metadata__":{{"athenan":{mark}}},"x":{"[" * 100_000}'.encode()
    file.write_bytes(len(header).to_bytes(8, "little") + header)
    assert "is damaged: its header cannot be read" in refusal(file)


@pytest.mark.parametrize("failing", ["fsync", "replace"])
@pytest.mark.parametrize("problem", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_a_failed_write_leaves_the_previous_file_and_nothing_else(
    file: Path, monkeypatch: pytest.MonkeyPatch, failing: str, problem: BaseException
) -> None:
    before = file.read_bytes()

    def fail(*_: object) -> None:
        raise problem

    monkeypatch.setattr(os, failing, fail)
    expected = athenan.Error if isinstance(problem, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as raised:
        save_model(file, tiny_model(seed=2))
    if expected is athenan.Error:
        assert str(raised.value) == (
            f"the model file {str(file)!r} cannot be written: No space left"
        )
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.read_bytes() == before


def test_the_bytes_reach_the_disk_before_the_name(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def noted_fsync(descriptor: int) -> None:
        folder = os.path.isdir(f"/proc/self/fd/{descriptor}")
        done.append("folder" if folder else "file")
        fsync(descriptor)

    def noted_replace(source: Path, target: Path) -> None:
        assert (source.parent, target) == (file.parent, file)
        done.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    save_model(file, tiny_model(seed=2))
    assert done == ["file", "rename", "folder"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for place in (tmp_path / "absent" / "model", tmp_path):
        with pytest.raises(athenan.Error, match="cannot be written") as refused:
            save_model(place, tiny_model())
        assert repr(str(place)) in str(refused.value)
    with pytest.raises(athenan.Error, match="cannot be written"):
        save_model(".", tiny_model())
    assert list(tmp_path.iterdir()) == []


def test_a_large_foreign_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(1 << 33)
    started = time.process_time()
    assert "is not one of athenan" in refusal(path)
    assert time.process_time() - started < 1
