"""A series goes on whatever an engine does: every match is recorded with what happened."""

from __future__ import annotations

import threading

import pytest
from athenan.arena import Match, play_matches, player
from protocols.test_faults import FAILS, GAMES, Groups, assert_gone, fake


def series(
    monkeypatch: pytest.MonkeyPatch, protocol: str, fault: str, matches: int, other: str = "random"
) -> list[Match]:
    """Play a series in which the engine fails in every match; nothing may be left of it."""
    groups, threads = Groups(monkeypatch), threading.active_count()
    game = GAMES[protocol]
    played = list(
        play_matches(game, player(other, game), fake(protocol, fault, 1), matches, workers=2)
    )
    assert threading.active_count() == threads
    assert len(groups.started) >= matches
    for group in groups.started:
        assert_gone(group)
    return played


def check(played: list[Match], fault: str, matches: int) -> None:
    """Each match has its record, which says who failed, how, and where."""
    assert sorted(match.index for match in played) == list(range(matches))
    for match in played:
        assert match.reason in FAILS[fault], match.sentence
        assert match.is_fault
        assert match.outcome is None
        assert match.who_of_players == 1
        assert "fake" in match.sentence
        assert "position: " in match.sentence
        assert Match.from_json(match.as_json()) == match


@pytest.mark.parametrize("other", ["random", "ubfm:expansions=2"])
@pytest.mark.parametrize("fault", ["die", "hang", "illegal", "start-die"])
def test_a_series_goes_on_after_each_fault(
    monkeypatch: pytest.MonkeyPatch, fault: str, other: str
) -> None:
    """One match after the other before a referee, and all of them in one pool."""
    check(series(monkeypatch, "ugi", fault, 4, other), fault, 4)


@pytest.mark.slow
def test_a_thousand_faults_in_series(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kind of failure but those that need a second move, in both protocols."""
    kinds = [kind for kind in FAILS if kind not in ("again", "empty")]
    met = 0
    for number in range(2 * len(kinds)):
        protocol, fault = ["ugi", "gtp"][number % 2], kinds[number // 2]
        matches = 28
        with monkeypatch.context() as patched:
            other = "random" if protocol == "gtp" else "ubfm:expansions=2"  # which may end Go alone
            played = series(patched, protocol, fault, matches, other)
        check(played, fault, matches)
        met += len(played)
    assert met >= 1000
