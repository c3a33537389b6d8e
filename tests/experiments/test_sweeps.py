"""Sweeps: every combination is a variant with its own settings; mistakes are one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from athenan import ParameterError
from athenan.experiments import read_plan

PLAN = 'games = ["tic_tac_toe"]\n[budget]\nmatches = 4\n'


def plan_with(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN + text)
    return path


def test_every_combination_is_trained_with_its_settings(tmp_path: Path) -> None:
    plan = read_plan(
        plan_with(
            tmp_path,
            "[variants.usual]\n[sweep]\nlearning.batch_size = [64, 128]\n"
            'selfplay.search = ["ubfm:expansions=5", "descent:expansions=5"]\n',
        )
    )
    configs = {job.variant: plan.config(job) for job in plan.jobs(tmp_path) if not job.repetition}
    assert list(configs) == [
        "usual",
        "batch_size_64+search_ubfm_expansions_5",
        "batch_size_64+search_descent_expansions_5",
        "batch_size_128+search_ubfm_expansions_5",
        "batch_size_128+search_descent_expansions_5",
    ]
    swept = list(configs.values())[1:]
    assert [each.learning.batch_size for each in swept] == [64, 64, 128, 128]
    assert [each.selfplay.search.partition(":")[0] for each in swept] == ["ubfm", "descent"] * 2
    assert len({each.seed for each in configs.values()}) == 5


@pytest.mark.parametrize(
    ("sweep", "words"),
    [
        ("[sweep]\nlearning.batch_size = 64\n", "learning.batch_size needs a list of values"),
        ("[sweep]\nlearning.batch_size = []\n", "learning.batch_size needs a list of values"),
        ("[sweep]\nlearning.batch_size = [64]\n", "2 to 1000 combinations"),
        ("[sweep]\nlearning.batch_size = [64, 0]\n", "learning.batch_size is 0"),
        ("[sweep]\nlearning.batchsize = [64, 65]\n", "did you mean learning.batch_size"),
        ("[sweep]\nlearning.replay.sampling = [0.1, 0.2]\n", "has no effect"),
        ("[sweep]\nselfplay.search = ['a b', 'a_b']\n", "two combinations"),
        ("[variants.l2_0]\n[sweep]\nlearning.l2 = [0, 1]\n", "'l2_0' is also one of the sweep"),
        ("[sweep]\nlearning.l2 = [0, 1]\n[[variants]]\n", "the setting variants is"),
    ],
)
def test_a_mistake_is_one_sentence_that_names_the_file(
    sweep: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=words) as refusal:
        read_plan(plan_with(tmp_path, sweep))
    assert "plan.toml" in str(refusal.value)
    assert "\n" not in str(refusal.value)
