"""Every game by clicks in a real browser."""

import re
from typing import Any

import pytest
from athenan import game_names
from playwright.sync_api import Page, expect
from web.browsing import await_turn, is_over, moves_of, play_match, touch
from web.servers import Served

PERSON = {"who": "person"}
QUICK = {"who": "machine", "level": 0}


def open_match(page: Page, server: Served, game: str, *seats: Any) -> None:
    made = server.begin(game, *seats)
    page.goto(server.url)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    expect(page.locator(".board .picture svg")).to_be_visible()


def test_one_click_in_the_gallery_begins_a_match(page: Page, server: Served) -> None:
    page.goto(server.url)
    expect(page.locator(".card")).to_have_count(len(game_names()))
    page.get_by_role("button", name="Play Tic-tac-toe").click()
    expect(page.locator(".status")).to_have_text("Your turn.")
    assert play_match(page, 1, 20) >= 5
    expect(page.locator(".status")).to_have_text(re.compile("You win|You lose|A draw"))
    expect(page.get_by_role("button", name="Play again")).to_be_visible()


def test_a_match_against_a_model(page: Page, server: Served) -> None:
    open_match(page, server, "hex:size=5", PERSON, {"who": "machine", "model": "hex-5", "level": 1})
    play_match(page, 2, 60)
    expect(page.locator(".status")).to_have_text(re.compile("You win|You lose"))


def test_undo_and_flip(page: Page, server: Served) -> None:
    open_match(page, server, "breakthrough:rows=6,columns=6", PERSON, QUICK)
    await_turn(page)
    page.get_by_role("button", name="Flip").click()
    touch(page, "4,1")
    touch(page, "3,1")
    expect(page.locator(".moves .move")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".moves .move")).to_have_count(0)
    assert moves_of(page) == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_a_click_is_answered_only_in_turn(page: Page, server: Served, seat: int) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][seat]}")
    waiting = "Your turn." if seat == 0 else "Waiting for the other player."
    expect(page.locator(".status")).to_have_text(waiting)
    touch(page, "1,1")
    expect(page.locator(".moves .move")).to_have_count(1 - seat)


EVERY_GAME = {
    "tic_tac_toe": 20,
    "connect_four:rows=3,columns=5": 20,
    "hex:size=3": 20,
    "othello:size=4": 20,
    "breakthrough:rows=4,columns=3": 40,
    "amazons:size=4": 40,
    "lines_of_action": 12,
    "morpion": 120,
    "arimaa:setup=choice": 40,
    "clobber:rows=2,columns=5": 20,
    "xiangqi": 12,
    "shobu": 200,
    "surakarta": 12,
    "international_draughts": 20,
    "brazilian_draughts": 200,
    "canadian_draughts": 12,
    "go:size=2": 30,
    "outer_open_gomoku:size=5": 30,
    "connect6:size=6": 40,
    "havannah:size=3": 30,
    "ataxx:size=5": 40,
    "santorini": 100,
}
"""Plies after which a match is resigned; of every kind of move one match is whole."""


def play_every_game(page: Page, server: Served, game: str, plies: int) -> None:
    seats = [PERSON] if game == "morpion" else [PERSON, QUICK]
    open_match(page, server, game, *seats)
    played = play_match(page, 3, plies)
    assert played >= 2  # two passes end a match of Go
    if not is_over(await_turn(page)):
        assert played >= plies
        page.get_by_role("button", name="Resign").click()
    expect(page.locator(".status")).to_have_text(re.compile("You win|You lose|A draw|The end"))


def test_the_table_has_every_game() -> None:
    assert [each.partition(":")[0] for each in EVERY_GAME] == list(game_names())


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_game_by_clicks(page: Page, server: Served, game: str) -> None:
    play_every_game(page, server, game, EVERY_GAME[game])


@pytest.mark.slow
@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_whole_match_of_every_game_by_clicks(page: Page, server: Served, game: str) -> None:
    """At its usual size, to the end however long that takes."""
    play_every_game(page, server, game.partition(":")[0], 10_000)


@pytest.mark.parametrize(
    ("game", "words", "cell", "following"),
    [
        ("hex:size=3", "Choose a cell.", None, None),
        ("breakthrough:rows=6,columns=6", "Choose a piece.", "4,1", "Choose the next cell."),
        ("ataxx:size=5", "Choose a cell or a piece.", None, None),
    ],
)
def test_what_to_do_next_is_said(
    page: Page, server: Served, game: str, words: str, cell: str | None, following: str | None
) -> None:
    open_match(page, server, game, PERSON, PERSON)
    expect(page.locator(".prompt")).to_have_text(words)
    if cell and following:
        touch(page, cell)
        expect(page.locator(".prompt")).to_have_text(following)


def test_a_piece_of_each_player_is_shown_beside_his_name(page: Page, server: Served) -> None:
    open_match(page, server, "othello:size=4", PERSON, QUICK)
    expect(page.locator(".player .sample svg")).to_have_count(2)
    open_match(page, server, "morpion", PERSON)
    expect(page.locator(".player .sample")).to_have_count(0)
    expect(page.locator(".player").nth(1)).to_have_text("You")
