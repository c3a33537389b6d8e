"""Tournaments: who meets whom, what stands in the table, and going on after a crash."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import athenan
import pytest
from athenan.arena import Match, Standings, Tournament, distinct_openings, player, read_matches
from athenan.arena.record_file import record_file
from athenan.arena.tournament import Form, Pairing
from troublesome import TroubleSpec

GAME = athenan.make_game("tic_tac_toe")
TEXTS = ("ubfm-safe:expansions=20", "mcts:iterations=20", "random")


def cup(*texts: str, matches: int = 6, form: Form = "round-robin") -> Tournament:
    players = tuple(player(text, GAME) for text in texts or TEXTS)
    return Tournament(GAME, players, distinct_openings(GAME, 3), matches, form, workers=1)


def test_everyone_meets_everyone_in_both_colours() -> None:
    played = list(cup().play())
    assert [pairing for pairing, _ in played[::6]] == [(0, 1), (0, 2), (1, 2)]
    for pairing in cup().pairings:
        series = sorted((m for p, m in played if p == pairing), key=lambda match: match.index)
        assert [match.index for match in series] == list(range(6))
        names = TEXTS[pairing.a], TEXTS[pairing.b]
        assert [match.players for match in series] == [names, names[::-1]] * 3
    beginnings = [
        {match.moves[: match.opening] for p, match in played if p == pairing}
        for pairing in cup().pairings
    ]
    assert beginnings[0] == beginnings[1] == beginnings[2]  # the same openings for all
    assert len({match.seed for _, match in played}) == 18


def test_a_gauntlet_is_one_against_all() -> None:
    assert cup(form="gauntlet").pairings == [Pairing(0, 1), Pairing(0, 2)]
    assert cup(form="gauntlet").planned == 12


def test_the_table_adds_up() -> None:
    standings = Standings(cup())
    for pairing, match in cup().play():
        standings.add(pairing, match)
    points = [standings.points(number) for number in range(3)]
    assert sum(won for won, _ in points) == 18
    assert [matches for _, matches in points] == [12, 12, 12]
    for one in range(3):
        for other in range(3):
            if one != other:
                mine, theirs = standings.points(one, other), standings.points(other, one)
                assert (mine[0] + theirs[0], mine[1]) == (6, 6)
    assert standings.order()[-1] == 2
    assert sum(each.elo for each in standings.ratings()) == pytest.approx(0, abs=1e-6)
    assert standings.played == 18


def test_what_was_played_is_not_played_again() -> None:
    whole = list(cup().play())
    kept = [whole[n] for n in (0, 1, 7, 8, 9, 17)]
    known = cup().played([match for _, match in kept])
    assert {(pairing, match.index) for pairing, match in known} == {(p, m.index) for p, m in kept}
    rest = list(cup().play(known))
    assert sorted(_untimed(known) + _untimed(rest)) == sorted(_untimed(whole))
    assert list(cup().play(cup().played([match for _, match in whole]))) == []


def _untimed(played: list[tuple[Pairing, Match]]) -> list[tuple[Pairing, str]]:
    return [(pairing, str(replace(match, efforts=(), seconds=()))) for pairing, match in played]


def test_matches_of_another_tournament_are_not_its_own() -> None:
    matches = [match for _, match in cup().play()]
    other = replace(cup(), seed=1)
    assert other.played(matches) == []
    assert cup(*TEXTS[::-1]).played(matches) == []
    assert cup("random", "minimax").played(matches) == []
    assert len(cup().played([*matches, *matches])) == 18
    changed = replace(cup(), openings=distinct_openings(GAME, 30)[20:23])
    assert changed.played(matches) == []


def test_a_fault_does_not_end_a_tournament() -> None:
    players = (TroubleSpec("crash"), player("random", GAME), player("minimax", GAME))
    standings = Standings(Tournament(GAME, players, distinct_openings(GAME, 2), 4))
    for pairing, match in standings.tournament.play():
        standings.add(pairing, match)
    assert standings.played == 12
    assert 0 < standings.faults(0) <= 8
    assert standings.faults(1) == standings.faults(2) == 0


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (("random",), "two players or more, not 1"),
        (("random", "random"), "have the name 'random'"),
    ],
)
def test_players_that_make_no_tournament(texts: tuple[str, ...], reason: str) -> None:
    with pytest.raises(athenan.Error, match=reason):
        cup(*texts)


def test_a_line_that_a_crash_cut_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    matches = [match for _, match in cup().play()][:3]
    with record_file(path) as file:
        for match in matches:
            file.append(match)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert len(read_matches(path)) == 2
    with record_file(path) as file:
        assert len(file.matches) == 2
        file.append(matches[2])
    assert path.read_bytes() == whole


def test_two_processes_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    with (
        record_file(path),
        pytest.raises(athenan.Error, match="another process is writing to"),
        record_file(path),
    ):
        pass


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "this is not JSON"),
        ("[1]", "record of a match"),
        ('{"version": 7}', "record of a match in a version from 1 to 3"),
        ("[" * 10**5, "this is not JSON"),
        (json.dumps({"version": 2}), "parts are missing"),
        ("\x00", "this is not JSON"),
    ],
)
def test_a_bad_line_is_named(line: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(athenan.Error, match=f"records.jsonl, line 2: .*{reason}"):
        read_matches(path)
