"""Options of games: what is accepted is kept, everything else is refused in one clear sentence."""

import athenan
import pytest
from athenan import ParameterError
from athenan._core import Parameter
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, ROOT, label


def parameters() -> list[tuple[str, str]]:
    return [(name, p.name) for name in athenan.game_names() for p in athenan.game_parameters(name)]


def parameter_named(game: str, name: str) -> Parameter:
    return next(p for p in athenan.game_parameters(game) if p.name == name)


def refusal_of(identity: str, **options: int | bool | str) -> str:
    with pytest.raises(ParameterError) as refusal:
        athenan.make_game(identity, **options)
    message = str(refusal.value)
    assert "\n" not in message
    assert len(message) < 800
    return message


@pytest.mark.parametrize("identity", [*GAME_IDS, PYTHON_EXAMPLE], ids=label)
def test_the_identity_of_a_game_makes_it_again(identity: str) -> None:
    game = athenan.make_game(identity)
    again = athenan.make_game(game.id)
    assert again.id == game.id
    assert again == game
    assert hash(again) == hash(game)
    assert eval(repr(game), {"athenan": athenan}) == game


@pytest.mark.parametrize("name", athenan.game_names())
def test_the_identity_states_every_option(name: str) -> None:
    options = ",".join(f"{p.name}={p.default}" for p in athenan.game_parameters(name))
    assert athenan.make_game(name).id == (f"{name}:{options}" if options else name)


@pytest.mark.parametrize("name", athenan.game_names())
def test_an_unknown_option_is_refused_with_those_that_exist(name: str) -> None:
    message = refusal_of(f"{name}:colour=red")
    assert name in message
    assert "'colour'" in message
    assert all(p.name in message for p in athenan.game_parameters(name))


def wrong_values() -> list[tuple[str, str, str]]:
    wrong = ["-1", "1000000", "99999999999999999999", "", "1.5", "yes", "7 "]
    right = {("go", "komi", "-1"), ("go", "komi", "1.5")}
    cases = {(game, option, value) for game, option in parameters() for value in wrong}
    return sorted(cases - right)


@pytest.mark.parametrize(("game", "option", "value"), wrong_values())
def test_a_wrong_value_is_refused_with_what_is_accepted(game: str, option: str, value: str) -> None:
    message = refusal_of(f"{game}:{option}={value}")
    assert f"option {option} of {game}" in message
    assert repr(value) in message
    assert parameter_named(game, option).accepted in message


@pytest.mark.parametrize(("game", "option"), parameters())
def test_an_option_without_a_value_is_refused(game: str, option: str) -> None:
    message = refusal_of(f"{game}:{option}")
    assert f"option {option} of {game} needs a value" in message
    assert parameter_named(game, option).accepted in message


@pytest.mark.parametrize(("game", "option"), parameters())
def test_an_option_given_twice_is_refused(game: str, option: str) -> None:
    value = parameter_named(game, option).default
    message = refusal_of(f"{game}:{option}={value},{option}={value}")
    assert f"option {option} of {game} is given twice" in message
    assert "twice" in refusal_of(f"{game}:{option}={value}", **{option: value})


@pytest.mark.parametrize(("game", "option"), parameters())
def test_options_are_described(game: str, option: str) -> None:
    parameter = parameter_named(game, option)
    assert parameter.description
    assert parameter.accepted.startswith(("an integer from", "a number from", "one of"))


def test_there_are_options_to_test() -> None:
    assert parameters()


def test_options_are_given_as_text_or_as_arguments() -> None:
    game = athenan.make_game("hex:size=5,swap=false")
    assert athenan.make_game("hex", size=5, swap=False) == game
    assert athenan.make_game("hex:size=5", swap=False) == game
    assert athenan.make_game("hex:swap=false,size=5") == game
    assert game.id == "hex:size=5,swap=false"
    assert athenan.make_game("go", komi=-0.5) == athenan.make_game("go:komi=-0.5")  # type: ignore[arg-type]
    assert athenan.make_game("go", komi=6) == athenan.make_game("go:komi=6")


@pytest.mark.parametrize("name", ["", "chess", "Hex", "hex ", "hex,size=3", ":", "\0", "é" * 500])
def test_an_unknown_game_is_refused_with_the_games_that_exist(name: str) -> None:
    message = refusal_of(name)
    assert message.startswith("there is no game")
    assert all(known in message for known in athenan.game_names())


@pytest.mark.parametrize("name", ["chess", "Hex"])
def test_the_options_of_an_unknown_game_are_refused(name: str) -> None:
    with pytest.raises(ParameterError, match="there is no game"):
        athenan.game_parameters(name)


def test_a_file_that_does_not_exist_is_refused() -> None:
    assert "there is no game file 'nowhere.py'" in refusal_of("nowhere.py")


def test_an_option_that_a_python_game_does_not_take_is_refused() -> None:
    assert "no options" in refusal_of(f"{PYTHON_EXAMPLE}:size=3")


def test_a_python_file_without_rules_is_refused() -> None:
    message = refusal_of(str(ROOT / "tests" / "conftest.py"))
    assert "exactly one subclass of Rules" in message
