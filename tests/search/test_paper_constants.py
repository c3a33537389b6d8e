"""The constants that the paper prints for its searches are the defaults."""

import math

import pytest
from athenan import SearchSpec


@pytest.mark.parametrize(
    ("search", "constants"),
    [
        ("minimax", {"depth": 1}),
        ("uct", {"c": 0.4}),
        ("mcts", {"c": math.sqrt(2), "rollouts": 1}),
        ("exit", {"c": 0.05, "policy_weight": 100, "value_weight": 0.75, "temperature": 0.1}),
        ("descent", {"completion": True, "transpositions": True, "decision": "best"}),
        ("ubfm", {"completion": True, "transpositions": True, "decision": "best"}),
        ("ubfm-safe", {"completion": True, "transpositions": True, "decision": "safest"}),
    ],
)
def test_searches_default_to_the_published_constants(
    search: str, constants: dict[str, float | str]
) -> None:
    options = SearchSpec(search).options
    assert {name: options[name] for name in constants} == constants
