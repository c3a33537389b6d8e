"""The suite covers every registered game, at its default size and with each of its options."""

import athenan
import pytest
from conformance.variants import VARIANTS, game_of


def test_every_registered_game_is_in_the_table_and_nothing_else() -> None:
    assert sorted(VARIANTS) == sorted(athenan.game_names())


@pytest.mark.parametrize("name", VARIANTS)
def test_the_variants_of_a_game_are_its_own_and_include_the_default(name: str) -> None:
    games = [game_of(identity) for identity in VARIANTS[name]]
    assert {game.name for game in games} == {name}
    assert athenan.make_game(name) in games
    assert len(set(games)) == len(games)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_game_with_options_is_tested_with_several_values_of_each(name: str) -> None:
    for parameter in athenan.game_parameters(name):
        values = {
            word
            for identity in VARIANTS[name]
            for word in game_of(identity).id.split(":")[1].split(",")
            if word.startswith(f"{parameter.name}=")
        }
        assert len(values) > 1, f"only {values} of the option {parameter.name} is tested"
