"""AlphaZero, Gumbel AlphaZero and ExIt: each learns, stops, resumes and is the same again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from athenan import Error, ParameterError, game_names, make_game
from athenan._core import Mind, Pool, SearchSpec
from athenan.learning import complete_config, merged, method, method_names, preset
from athenan.learning.events import MatchLearned
from athenan.learning.settings import Config, Overrides
from athenan.learning.table import Data
from athenan.learning.training import Training
from athenan.runs.run import Run
from athenan.runs.session import Session

METHODS = ["alphazero", "gumbel", "exit", "two-heads"]
TINY: Overrides = {
    "network": {"filters": 8, "blocks": 1, "dense": [8]},
    "selfplay": {"matches": 2},
    "learning": {"batch_size": 16},
    "evaluation": {"opponent": ""},
    "checkpoints": {"every_minutes": 0, "every_matches": 2},
    "stop": {"matches": 4},
    "hardware": {"device": "cpu", "threads": 1, "deterministic": True, "backend": "torch"},
}
FEW: dict[str, Overrides] = {
    "alphazero": {"selfplay": {"search": "puct:iterations=4,noise=0.25"}},
    "gumbel": {"selfplay": {"search": "gumbel:iterations=4,noise=1"}},
    "two-heads": {
        "selfplay": {"search": "ubfm:expansions=4,values=moves,judged=2,sampled=1"},
    },
    "exit": {
        "selfplay": {"expert": "exit:iterations=6,temperature=0.1"},
        "learning": {"replay": {"every": 2}},
        "stages": [
            {"matches": 1, "search": "mcts:iterations=2,c=0.25", "values_weight": 0},
            {
                "matches": 2,
                "search": "apprentice:temperature=0.1",
                "expert": "exit:iterations=6,value_weight=0",
                "values_weight": 0,
            },
        ],
    },
}


def config_of(name: str, game: str, *changes: Overrides) -> Config:
    settings = merged(TINY, FEW[name])
    for change in changes:
        settings = merged(settings, change)
    return complete_config(
        settings | {"game": make_game(game)}, merged(preset("small"), method(name))
    )


def run_of(path: Path, config: Config) -> Session:
    session = Session(Run(path), config, [])
    session.begin()
    session.train()
    session.close()
    return session


def test_the_methods_are_listed() -> None:
    assert method_names() == ["alphazero", "athenan", "exit", "gumbel", "two-heads"]
    assert method("athenan") == {}
    with pytest.raises(ParameterError, match="no method 'alphago'; accepted are alphazero"):
        method("alphago")


@pytest.mark.parametrize("name", METHODS)
def test_a_run_learns_moves_and_is_the_same_after_a_stop(name: str, tmp_path: Path) -> None:
    config = config_of(name, "connect_four:rows=4,columns=4")
    whole = run_of(tmp_path / "whole", config)
    assert whole.training.counters.matches == 4
    short = config.model_copy(update={"stop": config.stop.model_copy(update={"matches": 2})})
    run_of(tmp_path / "parts", short)
    resumed = Session(Run(tmp_path / "parts"), config, [])
    resumed.resume()
    resumed.train()
    resumed.close()
    for one, other in zip(
        whole.training.network.parameters(), resumed.training.network.parameters(), strict=True
    ):
        assert (one == other).all()
    lines = (tmp_path / "whole" / "metrics.jsonl").read_text()
    assert '"move_loss": ' in lines


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("name", METHODS)
def test_every_game_is_trained(name: str, game: str) -> None:
    changes: Overrides = {"stop": {"matches": 2}, "stages": [], "selfplay": {"random_moves": 4}}
    training = Training(config_of(name, game, changes, {"network": {"margin": "same"}}))
    learned = [event for event in training.events() if isinstance(event, MatchLearned)]
    training.close()
    assert len(learned) == 2
    assert sum(event.generated for event in learned) > 0
    assert learned[-1].move_loss is not None
    assert np.isfinite([learned[-1].loss, learned[-1].move_loss]).all()


def test_a_game_in_python_learns_values_of_moves() -> None:
    training = Training(config_of("two-heads", "examples/tic_tac_toe.py", {"stop": {"matches": 2}}))
    learned = [event for event in training.events() if isinstance(event, MatchLearned)]
    training.close()
    assert [each.move_loss is not None for each in learned] == [True, True]


def test_the_expert_labels_one_state_of_each_match() -> None:
    """Any state of the match but its last; with the outcome as value and its visits as policy."""
    game = make_game("tic_tac_toe")
    expert = Mind("mcts:iterations=50")
    pool = Pool(game, [Mind("random")], "terminal", 4, 1, None, "policy", expert)
    for index in range(300):
        pool.add(index, index)
    assert pool.collect() == 0
    plies = []
    for record in pool.take_finished():
        data = Data.of_match(record)
        assert len(data) == 1
        assert data.values[0] == record.outcome
        states = [game.initial_state()]
        for move in record.moves:
            states.append(states[-1].play(move))
        packed = [bytes(game.pack([state])[0][: game.packed_size]) for state in states]
        ply = packed.index(bytes(data.states[0]))
        plies.append(ply / (len(states) - 2))
        assert data.moves is not None
        assert data.moves.numbers.tolist() == states[ply].legal_moves()
        assert data.moves.targets.sum() == pytest.approx(1)
        assert len(record.spent) == len(record.moves) + 1
        assert record.spent[-1].iterations == 50
        assert len(record.values) == len(record.moves)
    assert min(plies) == 0
    assert max(plies) == 1, "the last state that a player moved in is drawn, too"
    assert np.mean(plies) == pytest.approx(0.5, abs=0.06)


def test_stages_follow_one_another() -> None:
    config = config_of("exit", "tic_tac_toe")
    assert [config.stage_end(matches) for matches in range(4)] == [1, 3, 3, None]
    assert config.in_stage(0).selfplay.expert == ""
    assert config.in_stage(0).selfplay.search == "mcts:iterations=2,c=0.25"
    assert "value_weight=0" in config.in_stage(1).selfplay.expert
    assert config.in_stage(2).learning.values_weight == 0
    assert config.in_stage(3) == config
    training = Training(config)
    learned = [each for each in training.events() if isinstance(each, MatchLearned)]
    training.close()
    pairs, expansions = [
        [getattr(each, name) for each in learned] for name in ("generated", "expansions")
    ]
    assert pairs[0] > 2, "all states of a match of base MCTS"
    assert pairs[1:] == [2, 2, 2], "one state of the others, and its symmetric copy"
    done = [each.at.work.expansions for each in learned]
    assert done == np.cumsum(expansions).tolist(), "the work of earlier stages is not forgotten"


def test_growing_replay_stops_early_and_keeps_the_best() -> None:
    changes: Overrides = {
        "stop": {"matches": 40},
        "stages": [],
        "learning": {"replay": {"every": 20, "patience": 2}, "symmetry": False},
    }
    training = Training(config_of("exit", "tic_tac_toe", changes))
    events = [each for each in training.events() if isinstance(each, MatchLearned)]
    phases = [k for k, each in enumerate(events) if each.learned]
    assert phases == [19, 39]
    assert events[39].learned % 36 == 0, "whole epochs of all pairs but a tenth"
    assert 36 * 3 <= events[39].learned < 36 * 1000
    training.close()


def stage(**changes: str) -> Overrides:
    return {"stages": [{"matches": 1, "search": "mcts:iterations=5"} | changes]}


UNTIMED: Overrides = {
    "hardware": {"deterministic": True},
    "checkpoints": {"every_minutes": 0, "every_matches": 1},
}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"network": {"policy": False}}, "which needs a policy"),
        ({"learning": {"data": "tree"}}, "set learning.data to root or terminal"),
        ({"selfplay": {"search": "puct"}}, "which has no limit"),
        ({"selfplay": {"expert": "exit"}}, "selfplay.expert is 'exit', which has no limit"),
        ({"selfplay": {"expert": "mcts:iterations=5"}}, "plays by a network is needed"),
        ({"stages": [{"matches": 1, "search": "mcts"}]}, "stages.0.search is 'mcts', which has no"),
        ({"stages": [{"matches": 1, "search": "nothing"}]}, "no search algorithm 'nothing'"),
        ({"selfplay": {"selection": "visit"}}, "no move selection 'visit'"),
        (stage(search="ubfm:expansions=5,values=moves"), "stages.0.search .* needs values of"),
        (stage(search="mcts:iterations=5,terminal=score"), "stages.0.search has terminal=score"),
        (stage(expert="mcts:iterations=5"), "stages.0.expert .* plays by a network is needed"),
        (stage(selection="visit"), "no move selection 'visit'"),
        (
            stage(selection="ordinal:schedule=annealed") | {"stop": {"matches": 0}},
            "stages.0.selection .* set stop.minutes",
        ),
        (UNTIMED | stage(search="mcts:seconds=1"), "seconds in stages.0.search must be 0"),
        (
            UNTIMED | {"selfplay": {"expert": "exit:seconds=1"}},
            "seconds in selfplay.expert must be 0",
        ),
    ],
)
def test_settings_that_do_not_fit(change: Overrides, complaint: str) -> None:
    with pytest.raises(Error, match=complaint):
        config_of("alphazero", "tic_tac_toe", change)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"network": {"move_values": False}}, "needs values of moves: set network.move_values to"),
        ({"network": {"policy": True}}, "policy and move_values are two meanings of one head"),
        ({"learning": {"moves": "none"}}, "a network has values of moves to learn them"),
        ({"learning": {"data": "root"}}, "of the whole tree: set it to tree"),
        ({"selfplay": {"search": "uct:iterations=9"}}, "take descent, ubfm or ubfm-safe"),
        ({"selfplay": {"search": "ubfm:expansions=9,values=moves"}}, "add sampled=2 or so"),
        ({"selfplay": {"search": "ubfm:expansions=9,judged=2"}}, "add values=moves"),
        ({"selfplay": {"networks": 2}}, "set network.move_values to false"),
        (
            {"stages": [{"matches": 1, "search": "mcts:iterations=9"}]},
            "the setting stages.0.search",
        ),
    ],
)
def test_settings_that_do_not_fit_values_of_moves(change: Overrides, complaint: str) -> None:
    with pytest.raises(Error, match=complaint):
        config_of("two-heads", "hex:size=3", change)


def test_values_of_moves_are_learned_of_searches_that_ask_for_those_of_states_too() -> None:
    search = {"selfplay": {"search": "descent:expansions=9"}, "stop": {"matches": 2}}
    training = Training(config_of("two-heads", "hex:size=3", search))
    assert all(each.move_loss for each in training.events() if isinstance(each, MatchLearned))
    training.close()


def test_a_policy_search_without_a_policy_is_told_what_is_missing() -> None:
    settings = merged(preset("small"), {"game": "hex:size=3"})
    with pytest.raises(ParameterError, match="needs a policy: set network"):
        complete_config(merged(settings, {"selfplay": {"search": "puct:iterations=5"}}))


def test_exit_has_the_published_constants() -> None:
    settings = method("exit")
    warm, early = settings["stages"]
    assert warm["search"] == "mcts:iterations=2500,c=0.25"
    assert settings["learning"]["batch_size"] == 250
    for expert, value_weight in ((early["expert"], 0), (settings["selfplay"]["expert"], 0.75)):
        options = SearchSpec(expert).options
        published = {"iterations": 2500, "c": 0.05, "policy_weight": 100, "temperature": 0.1}
        for name, value in (published | {"value_weight": value_weight}).items():
            assert options[name] == value
    assert settings["learning"]["temperature"] == 0.1
    assert [warm["values_weight"], early["values_weight"]] == [0, 0]
