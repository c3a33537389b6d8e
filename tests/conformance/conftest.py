import athenan
import pytest
from conformance.variants import GAME_IDS, PYTHON_EXAMPLE, game_of, label


@pytest.fixture(scope="session", params=[*GAME_IDS, PYTHON_EXAMPLE], ids=label)
def game(request: pytest.FixtureRequest) -> athenan.Game:
    """Each variant of each registered game, and the example of a game written in Python."""
    return game_of(request.param)
