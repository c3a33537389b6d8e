"""A run that travels: one light file, from which another machine goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from athenan import Error, load_model
from athenan.files import read_sealed, write_sealed
from athenan.learning.events import MatchLearned
from athenan.runs import Run
from athenan.runs.checkpoint import latest_readable, read_checkpoint
from athenan.runs.export import KIND, MOMENTS, VERSION, export_run, import_run
from athenan.runs.metrics import read_metrics
from processes import ENVIRONMENT
from small_runs import Watcher, go_on, learned, saved_matches, small_config, train


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run that was stopped on its way."""
    solved = {"selfplay": {"resolved_memory": True}, "stop": {"matches": 40}}
    train(tmp_path / "run", small_config(solved), Watcher(learned(12)))
    return Run(tmp_path / "run")


def snapshot(run: Run) -> tuple[dict[str, Any], dict[str, Any]]:
    _, arrays, values = latest_readable(run.checkpoints)
    return arrays, values


def test_everything_but_the_replay_memory_travels(run: Run, tmp_path: Path) -> None:
    matches = export_run(run, tmp_path / "light")
    other = Run(tmp_path / "other")
    assert import_run(tmp_path / "light", other) == matches == saved_matches(run.path)
    arrays, values = snapshot(run)
    found, found_values = snapshot(other)
    assert found_values == values
    assert found.keys() == {name for name in arrays if not name.startswith("replay.")}
    moments = {name for name in found if name.endswith(MOMENTS)}
    assert len(moments) == 2 * sum(name.startswith("network.") for name in found)
    assert all(np.array_equal(found[name], arrays[name]) for name in found.keys() - moments)
    for name in moments:
        assert found[name].dtype == np.float32
        np.testing.assert_allclose(found[name], arrays[name], rtol=0.01)
    assert any(not np.array_equal(found[name], arrays[name]) for name in moments)
    assert len(found["resolved.keys"]) > 0
    assert other.config() == run.config()
    kept = [line for line in read_metrics(run.metrics) if line["matches"] <= matches]
    assert list(read_metrics(other.metrics)) == kept != []
    model, origin = load_model(other.model), load_model(run.model)
    assert (model.game, model.search, model.info) == (origin.game, origin.search, origin.info)
    for mine, theirs in zip(model.network.parameters(), origin.network.parameters(), strict=True):
        assert mine.equal(theirs)


def test_an_imported_run_goes_on(run: Run, tmp_path: Path) -> None:
    matches = export_run(run, tmp_path / "light")
    seconds = snapshot(run)[1]["counters"]["seconds"]
    import_run(tmp_path / "light", Run(tmp_path / "other"))
    resumed = go_on(tmp_path / "other")
    phases = [event for event in resumed.events if isinstance(event, MatchLearned)]
    assert [event.at.matches for event in phases] == list(range(matches + 1, 41))
    assert all(event.learned > 0 for event in phases)
    assert phases[0].at.seconds > seconds
    assert saved_matches(tmp_path / "other") == 40
    numbers = [line["matches"] for line in read_metrics(tmp_path / "other" / "metrics.jsonl")]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == 40


def test_moments_take_two_bytes(run: Run, tmp_path: Path) -> None:
    export_run(run, tmp_path / "light")
    arrays, _ = read_sealed(tmp_path / "light", KIND, VERSION)
    sizes = {name: array.itemsize for name, array in arrays.items() if name.startswith("adam.")}
    assert {size for name, size in sizes.items() if name.endswith(MOMENTS)} == {2}
    assert {size for name, size in sizes.items() if not name.endswith(MOMENTS)} == {4}


def test_a_file_with_unrounded_moments_is_read(run: Run, tmp_path: Path) -> None:
    """Version 1 had them in float32."""
    export_run(run, tmp_path / "light")
    arrays, values = read_sealed(tmp_path / "light", KIND, VERSION)
    exact = {name: array for name, array in snapshot(run)[0].items() if name in arrays}
    write_sealed(tmp_path / "old", KIND, 1, arrays | exact, values)
    import_run(tmp_path / "old", Run(tmp_path / "other"))
    found, _ = snapshot(Run(tmp_path / "other"))
    assert all(np.array_equal(found[name], exact[name]) for name in found)
    write_sealed(tmp_path / "new", KIND, 3, arrays, values)
    with pytest.raises(Error, match="has the format 3, and this athenan reads 2 and 1"):
        import_run(tmp_path / "new", Run(tmp_path / "another"))


def test_many_solved_states_stay_at_home(run: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("athenan.runs.export.FEW_BYTES", 10)
    export_run(run, tmp_path / "light")
    import_run(tmp_path / "light", Run(tmp_path / "other"))
    assert not any(name.startswith("resolved") for name in snapshot(Run(tmp_path / "other"))[0])
    go_on(tmp_path / "other")


def test_the_file_is_light(tmp_path: Path) -> None:
    much = {"selfplay": {"search": "descent:expansions=50"}, "learning": {"replay": {"size": 999}}}
    train(tmp_path / "long", small_config(much))
    export_run(Run(tmp_path / "long"), tmp_path / "light")
    (checkpoint, _, _) = latest_readable(Run(tmp_path / "long").checkpoints)
    assert (tmp_path / "light").stat().st_size < checkpoint.stat().st_size / 2


def test_a_run_in_progress_can_be_exported(tmp_path: Path) -> None:
    """While checkpoints come and go, the file is that of a whole one."""
    exported: list[int] = []

    def export(event: Any) -> bool:
        if isinstance(event, MatchLearned):
            exported.append(export_run(Run(tmp_path / "run"), tmp_path / "light"))
        return False

    often = {"checkpoints": {"every_matches": 1, "keep": 1}}
    train(tmp_path / "run", small_config(often), Watcher(export))
    assert len(exported) == 12
    assert exported == sorted(exported)
    import_run(tmp_path / "light", Run(tmp_path / "other"))
    assert saved_matches(tmp_path / "other") == exported[-1]


def test_what_is_no_exported_run_is_refused(run: Run, tmp_path: Path) -> None:
    light, other = tmp_path / "light", Run(tmp_path / "other")
    export_run(run, light)
    whole = light.read_bytes()
    cases = {
        "cannot be read": [whole[: len(whole) // 2], b"", b"nonsense"],
        f"is not a {KIND}": [run.model.read_bytes()],
        "damaged": [whole[:-1] + bytes([whole[-1] ^ 1])],
    }
    for words, contents in cases.items():
        for content in contents:
            light.write_bytes(content)
            with pytest.raises(Error, match=words) as refusal:
                import_run(light, other)
            assert "\n" not in str(refusal.value).strip()
    with pytest.raises(Error, match="there is no file"):
        import_run(tmp_path / "nothing", other)
    assert not other.path.exists()
    light.write_bytes(whole)
    with pytest.raises(Error, match="is a run already"):
        import_run(light, run)


FULL_DISK = """
import resource, sys
from pathlib import Path
from athenan import Error
from athenan.runs import Run
from athenan.runs.export import export_run, import_run
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
try:
    if sys.argv[1] == "export":
        export_run(Run(sys.argv[2]), Path(sys.argv[3]))
    else:
        import_run(Path(sys.argv[3]), Run(sys.argv[2]))
except (Error, OSError) as problem:
    print(problem)
"""


def test_a_full_disk_leaves_nothing(run: Run, tmp_path: Path) -> None:
    light, other = tmp_path / "light", tmp_path / "other"

    def on_full_disk(*arguments: str) -> str:
        command = [sys.executable, "-c", FULL_DISK, *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=True, env=ENVIRONMENT
        ).stdout

    assert "could not be written" in on_full_disk("export", str(run.path), str(light))
    assert not list(tmp_path.glob("*light*"))
    assert not list(tmp_path.glob(".*"))
    export_run(run, light)
    assert on_full_disk("import", str(other), str(light)) != ""
    assert not other.exists()


# A new run that begins with a model.


def weights_at_the_start(run: Run) -> dict[str, Any]:
    arrays, _ = read_checkpoint(run.checkpoints / "000000000.safetensors")
    assert not any(name.startswith("adam.") for name in arrays)
    return {name: array for name, array in arrays.items() if name.startswith("network.")}


@pytest.mark.parametrize("killed", [False, True])
def test_a_run_begins_with_the_weights_of_a_model(killed: bool, run: Run, tmp_path: Path) -> None:
    """Even if it was killed before its first checkpoint."""
    model = load_model(run.model)
    config = small_config({"origin": str(run.model), "seed": 9, "checkpoints": {"keep": 9}})
    new = Run(tmp_path / "new")
    if killed:
        new.create(config)
        go_on(new.path)
    else:
        train(new.path, config)
    found = weights_at_the_start(new)
    for name, weights in model.network.state_dict().items():
        assert np.array_equal(found[f"network.{name}"], weights.numpy())
    assert load_model(new.model).info == {"matches": "12", "origin": str(run.model)}
    assert saved_matches(new.path) == 12
