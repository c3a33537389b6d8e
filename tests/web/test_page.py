"""What else a person does on the page, in a real browser."""

import json
import re
import sys
from pathlib import Path

import athenan
import pytest
from athenan.runs.metrics import MAX_WORKERS
from athenan.web.settings import Settings
from playwright.sync_api import Browser, Page, WebSocketRoute, expect
from web.browsing import await_turn, touch
from web.servers import Served, served
from web.test_house import program, training_line, write_run
from worker_lines import line_of

PERSON = {"who": "person"}
QUICK = {"who": "machine", "level": 0}
EXAMPLE = Path(__file__).parents[2] / "examples" / "tic_tac_toe.py"


def test_hint_and_thinking(page: Page, server: Served) -> None:
    made = server.begin("hex:size=5", PERSON, {"who": "machine", "model": "hex-5", "level": 0})
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    await_turn(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#notices")).to_contain_text("A good move:")
    page.get_by_role("button", name="Show thinking").click()
    expect(page.locator(".heat .value").first).to_be_visible()
    expect(page.locator(".thoughts")).to_contain_text("expansions/s")
    expect(page.locator(".labels tr")).to_have_count(9)
    page.get_by_role("button", name="Hide thinking").click()
    expect(page.locator(".heat .value")).to_have_count(0)


def test_a_position_is_explored_and_its_tree_opened(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/analyse?game=tic_tac_toe")
    expect(page.locator(".status")).to_contain_text("First player to move, 9 moves")
    touch(page, "1,1")
    expect(page.locator(".moves .move")).to_have_count(1)
    touch(page, "0,0")
    expect(page.locator(".moves .move")).to_have_count(2)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".moves .move")).to_have_count(1)
    touch(page, "0,1")
    expect(page.locator(".moves .move")).to_have_text(["b2", "b1"])
    page.locator('.moves [data-ply="1"]').click()
    expect(page.locator(".status")).to_contain_text("Second player")
    page.get_by_text("Position as text").click()
    page.get_by_label("The position as text").fill("xx1/oo1/3 x")
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Show thinking").click()
    expect(page.locator(".thoughts")).to_contain_text("Best line: c1")
    page.get_by_role("button", name="Hide thinking").click()
    assert "xx1" in page.url


def test_the_tree_opens_node_by_node(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/analyse?game=breakthrough:rows=6,columns=6")
    await_board(page)
    page.get_by_role("button", name="Show thinking").click()
    page.get_by_text("Tree of this search").click()
    expect(page.locator(".branch > details").first).to_contain_text(re.compile(r"c .* v .* r .* n"))
    page.locator(".branch > details > summary").first.click()
    expect(page.locator(".branch .branch > details").first).to_be_visible()


def await_board(page: Page) -> None:
    expect(page.locator(".board .picture svg")).to_be_visible()


LOST = ["a1", "b2", "a2", "a3", "b1", "c1"]
"""b1 does not stop the diagonal."""


def test_why_did_i_lose(page: Page, server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, QUICK, moves=LOST)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    page.get_by_role("button", name="Why did I lose?").click()
    mistake = page.locator(".mistakes li", has_text="5. b1")
    expect(mistake).to_contain_text("You gave away a draw. Better: c1")
    expect(page.locator(".moves .mistake").last).to_have_text("b1")
    curve = page.locator(".graph .curve").get_attribute("points")
    mistake.get_by_role("button").click()
    expect(page.locator(".moves [aria-current]")).to_have_text("a3")
    expect(page.locator(".arrows .rank0")).to_have_count(1)  # the better move
    assert page.locator(".graph .curve").get_attribute("points") == curve


def test_a_match_may_be_looked_through_while_it_is_judged(page: Page, server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, QUICK, moves=LOST)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    page.get_by_role("button", name="Why did I lose?").click()
    page.get_by_role("button", name="To the start").click()
    expect(page.locator(".mistakes li", has_text="5. b1")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".mistakes li", has_text="5. b1")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".mistakes li")).to_have_count(0)
    expect(page.locator(".moves .mistake")).to_have_count(0)


def test_a_lost_connection_comes_back(page: Page, server: Served) -> None:
    routes: list[WebSocketRoute] = []

    def pass_on(route: WebSocketRoute) -> None:
        routes.append(route)
        route.connect_to_server()

    page.route_web_socket(re.compile("api/live"), pass_on)
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    await_turn(page)
    routes[0].close()
    expect(page.locator("body.offline")).to_have_count(1)
    with server.live() as line:  # meanwhile the match goes on elsewhere
        line.say(do="watch", match=made["id"])
        line.hear_match(0)
        line.say(do="move", match=made["id"], key=made["keys"][0], ply=0, move="b2")
        line.hear_match(1)
    expect(page.locator("body.offline")).to_have_count(0)
    expect(page.locator(".moves .move")).to_have_text(["b2"])
    expect(page.locator(".status")).to_have_text("Waiting for the other player.")


def test_two_persons_in_two_browsers(browser: Browser, server: Served) -> None:
    one, other = browser.new_context().new_page(), browser.new_context().new_page()
    one.goto(f"{server.url}#/game/tic_tac_toe")
    one.get_by_label("Opponent").select_option("person")
    one.locator("form").get_by_role("button", name="Play").click()
    link = one.get_by_label("The link for the other player").input_value()
    other.goto(link)
    expect(other.locator(".status")).to_have_text("Waiting for the other player.")
    for n, cell in enumerate(["1,1", "0,0", "0,1", "2,1", "1,0", "1,2", "2,0", "0,2", "2,2"]):
        here, there = (one, other) if n % 2 == 0 else (other, one)
        expect(here.locator(".status")).to_have_text("Your turn.")
        touch(here, cell)
        expect(there.locator(".moves .move")).to_have_count(n + 1)
    expect(one.locator(".status")).to_have_text("A draw.")
    expect(other.locator(".status")).to_have_text("A draw.")
    for page in (one, other):
        page.context.close()


def test_by_keyboard_alone(page: Page, server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    await_turn(page)
    page.locator('.touch .cell[data-cell="0,0"]').focus()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == (
        "a1, empty, playable"
    )
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".moves .move")).to_have_text(["b2"])


def test_a_part_of_a_move_is_taken_back(page: Page, server: Served) -> None:
    made = server.begin("breakthrough:rows=6,columns=6", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    await_turn(page)
    touch(page, "4,1")
    expect(page.locator(".marks .target")).to_have_count(3)
    page.get_by_role("button", name="Take back this step").click()
    expect(page.locator(".marks .chosen")).to_have_count(0)
    start, end = (page.locator(f'.touch .cell[data-cell="{each}"]') for each in ("4,1", "3,2"))
    start.drag_to(end)
    expect(page.locator(".moves .move")).to_have_text(["b2c3"])


WATCH_FADING = """() => {
  window.faded = [];
  new MutationObserver((seen) => {
    const gone = seen.filter(({ target }) => target.matches?.("g.piece.vanishing"));
    faded.push(...gone.map(({ target }) => target.getAttribute("class")));
  }).observe(document.querySelector(".picture"), { subtree: true, attributeFilter: ["class"] });
}"""


@pytest.mark.parametrize(
    ("game", "position", "cells"),
    [
        ("international_draughts", "W:W28:B22,1", ["5,4", "3,2"]),  # a jump
        ("breakthrough:rows=4,columns=4", "4/1p2/P3/4 w", ["2,0", "1,1"]),  # in its place
        ("othello:size=4", None, ["0,1"]),  # changes sides
    ],
)
def test_what_was_captured_fades_away(
    page: Page, server: Served, game: str, position: str | None, cells: list[str]
) -> None:
    where = f"&position={position}" if position else ""
    page.goto(f"{server.url}#/analyse?game={game}{where}")
    expect(page.locator(".touch .cell.playable").first).to_be_attached()
    page.evaluate(WATCH_FADING)
    for cell in cells:
        touch(page, cell)
    expect(page.locator(".moves .move")).to_have_count(1)
    assert page.evaluate("faded") == ["piece second vanishing"]
    expect(page.locator(".vanishing")).to_have_count(0)


def test_the_best_line_is_drawn_with_numbers(page: Page, server: Served) -> None:
    """Its first move is an arrow as those of the two next best moves are."""
    page.goto(f"{server.url}#/analyse?game=breakthrough:rows=6,columns=6&think=1")
    expect(page.locator(".arrows .rank2")).to_have_count(1)
    expect(page.locator(".numbers .step text")).to_have_text(["2", "3", "4"])
    expect(page.locator(".arrows .following")).to_have_count(3)
    expect(page.locator(".numbers .step.own text")).to_have_text(["3"])


def test_a_training_is_watched(page: Page, tmp_path: Path) -> None:
    run = write_run(tmp_path, "demo", 3)
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        expect(page.locator('[data-run="demo"]')).to_contain_text("tic_tac_toe")
        expect(page.locator(".chart .dot.s0")).to_have_count(12)
        with (run / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(training_line(4)) + "\n")
        expect(page.locator(".chart .dot.s0")).to_have_count(16)


def test_the_workers_of_a_training_are_listed_with_what_each_does(
    page: Page, tmp_path: Path
) -> None:
    """The lines are those that a training with workers writes (tests/cluster)."""
    run = write_run(tmp_path, "demo", 2)
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        expect(page.locator('[data-run="demo"]')).to_contain_text("tic_tac_toe")
        expect(page.locator(".chart .dot.s0")).to_have_count(8)
        workers = page.locator('[data-workers="demo"]')
        expect(workers).to_have_text("")
        for line in (line_of(), line_of(MAX_WORKERS + 1)):
            with (run / "metrics.jsonl").open("a") as file:
                file.write(json.dumps(line | {"matches": 30}) + "\n")
            told, count = line["workers"], line["workers_alive"]
            assert isinstance(told, list)
            expect(workers.locator("summary")).to_contain_text(
                f"{count} worker{'s' * (count != 1)}, 5 matches waiting to be learned"
            )
            expect(workers.locator("li")).to_have_count(len(told))
            if len(told) < MAX_WORKERS:
                workers.locator("summary").click()  # and open it stays
        rows = workers.locator("li")
        expect(rows.nth(0)).to_be_visible()
        expect(rows.nth(0)).to_have_text(
            "worker 1 (here cpu): 300 states/s, 4 matches, 3 behind, 2 orders"
        )
        expect(rows.nth(1)).to_have_text("worker 2: away")
        expect(rows.nth(2)).to_contain_text("worker 3 (here cpu): 900 states/s")
        expect(workers.get_by_role("link", name="Ray's dashboard")).to_have_attribute(
            "href", "http://127.0.0.1:8265"
        )


def test_runs_are_compared_and_their_selfplay_watched(page: Page, tmp_path: Path) -> None:
    for name, blocks in (("one", 2), ("two", 4)):
        run = write_run(tmp_path, name, 3)
        (run / "config.toml").write_text(
            f'game = "hex:size=5"\nstages = []\n[network]\nblocks = {blocks}\n'
        )
    seen = {"game": "hex:size=5", "number": 7, "moves": ["c3"], "values": [0.5]}
    (tmp_path / "one" / "match.json").write_text(json.dumps(seen))
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        page.get_by_label("one").check()
        expect(page.locator(".selfplay .piece")).to_have_count(1)
        expect(page.locator(".selfplay")).to_contain_text("match 8, ply 1, value +0.50")
        seen["moves"] = ["c3", "d4", "b2"]
        (tmp_path / "one" / "match.json").write_text(json.dumps(seen))
        expect(page.locator(".selfplay .piece")).to_have_count(3)
        page.get_by_label("two").check()
        expect(page.get_by_role("row", name="network.blocks")).to_contain_text("4")
        expect(page.get_by_role("row", name="matches")).to_contain_text("30")
        expect(page.get_by_role("row", name="stages")).to_have_count(0)
        (tmp_path / "one" / "match.json").unlink()
        expect(page.locator(".selfplay")).to_be_hidden()


@pytest.mark.slow
def test_a_training_is_begun_stopped_and_resumed_by_clicks(page: Page, tmp_path: Path) -> None:
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        page.get_by_role("button", name="Begin a training").click()
        row = page.locator("[data-run]")
        for _ in range(2):
            expect(row).to_contain_text("learning …", timeout=60_000)
            expect(page.locator(".chart .dot, .chart .curve").first).to_be_visible(timeout=120_000)
            row.get_by_role("button", name="Stop").click()
            expect(row.get_by_role("button", name="Go on")).to_be_visible(timeout=60_000)
            lines = len((next(tmp_path.iterdir()) / "metrics.jsonl").read_text().splitlines())
            assert lines > 0
            row.get_by_role("button", name="Go on").click()
        expect(row).to_contain_text("learning …", timeout=60_000)


EVALUATION = {"kind": "evaluation", "seconds": 9.0, "matches": 30, "played": 20}


def test_evaluations_name_the_opponent_and_games_for_one_have_scores(
    page: Page, tmp_path: Path
) -> None:
    rated = EVALUATION | {"opponent": "mcts:iterations=7", "win_rate": 0.5, "low": 0.3, "high": 0.7}
    scored = EVALUATION | {"mean_score": 61.5, "best_score": 64}
    for name, line in (("two", rated), ("alone", scored)):
        with (write_run(tmp_path, name, 3) / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/training")
        page.get_by_label("two").check()
        page.get_by_label("alone").uncheck()
        rate = page.get_by_role("figure", name="Win rate against MCTS with 7 iterations")
        expect(rate.locator(".dot")).to_have_count(1)
        assert rate.locator(".tick").all_text_contents()[:3] == ["0 %", "50 %", "100 %"]
        page.get_by_label("alone").check()
        page.get_by_label("two").uncheck()
        score = page.get_by_role("figure", name="Mean score of the evaluation")
        expect(score.locator(".dot")).to_have_count(1)
        assert score.locator(".tick").all_text_contents()[:5] == ["0", "20", "40", "60", "80"]
        expect(page.get_by_role("figure", name="Win rate")).to_have_count(0)


def test_a_link_with_a_wrong_move_shows_the_game_and_says_why(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/analyse?game=go:size=5&moves=e3+z9")
    expect(page.locator("#notices")).to_contain_text("is not legal in go here")
    expect(page.locator(".status")).to_have_text("First player to move, 26 moves.")


def test_who_has_resigned_plays_no_more(page: Page, server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    expect(page.get_by_label("All moves")).to_be_visible()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".status")).to_have_text("You lose (you resigned).")
    expect(page.locator(".touch .cell.playable")).to_have_count(0)
    expect(page.get_by_label("All moves")).to_have_count(0)


def test_an_address_gives_nobody_a_seat(page: Page, server: Served) -> None:
    made = server.begin("tic_tac_toe", PERSON, PERSON)
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    expect(page.locator(".status")).to_have_text("Your turn.")
    assert made["keys"][0] not in page.url
    page.reload()
    expect(page.locator(".status")).to_have_text("Your turn.")


def test_a_shared_line_opens_where_it_was_looked_at(page: Page, server: Served) -> None:
    page.goto(f"{server.url}#/analyse?game=tic_tac_toe&moves=b2+a1+c3&ply=1")
    expect(page.locator(".moves .move")).to_have_count(3)
    expect(page.locator(".moves [aria-current]")).to_have_text("b2")
    page.get_by_role("button", name="One move on").click()
    expect(page.locator(".moves [aria-current]")).to_have_text("a1")
    assert "ply=2" in page.url
    assert "c3" in page.url


def test_a_tournament_is_watched(page: Page, tmp_path: Path) -> None:
    with served(Settings(runs=tmp_path)) as server:
        page.goto(f"{server.url}#/arena")
        page.get_by_label("Game").select_option("tic_tac_toe")
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("[data-tournament]")).to_contain_text("over", timeout=30_000)
        expect(page.locator(".crosstable td").first).to_be_visible()
        page.locator("[data-tournament] summary").click()
        page.locator("[data-tournament] button.move").first.click()
        await_board(page)
        assert "analyse" in page.url


def test_a_record_is_read_on_a_narrow_screen(browser: Browser, server: Served) -> None:
    """Whatever game it is of: the page then names that game and its models."""
    made = server.begin("othello:size=6", PERSON, PERSON, moves=["c2", "d2"])
    record = server.get(f"api/matches/{made['id']}/record").text
    context = browser.new_context(viewport={"width": 320, "height": 844})
    page = context.new_page()
    page.goto(f"{server.url}#/analyse?game=hex:size=5,swap=true")
    page.get_by_label("Who thinks").select_option("hex-5")
    page.get_by_text("Read a record or moves").click()
    page.get_by_label("A record").fill(record)
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator(".moves .move")).to_have_text(["c2", "d2"])
    expect(page.get_by_label("Game")).to_have_value("othello:size=6")
    expect(page.get_by_label("Who thinks")).to_have_value("othello-6")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    context.close()


def test_a_training_is_begun_with_options_and_says_what_went_wrong(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = "sleep 3; echo 'training needs torch' >&2; exit 1"
    monkeypatch.setattr(sys, "executable", program(tmp_path, words))
    with served(Settings(runs=tmp_path / "runs")) as server:
        page.goto(f"{server.url}#/training")
        page.get_by_label("Game").select_option("hex")
        page.get_by_label("size").fill("5")
        page.get_by_role("button", name="Begin a training").click()
        row = page.locator("[data-run]")
        expect(row).to_contain_text("beginning …")
        expect(row).to_contain_text("hex:size=5")
        expect(row).to_contain_text("It ended: training needs torch")
        expect(row).not_to_contain_text("beginning …")


def test_a_game_written_in_python(page: Page) -> None:
    game = athenan.make_game(str(EXAMPLE))
    with served(Settings(games={game.id: game})) as server:
        page.goto(server.url)
        picture = page.get_by_role("link", name=game.datasheet.title).locator("img").last
        picture.scroll_into_view_if_needed()
        page.wait_for_function("(image) => image.naturalWidth > 0", arg=picture.element_handle())
        made = server.begin(game.id, PERSON, QUICK)
        page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
        page.get_by_label("All moves").select_option(index=1)
        expect(page.locator(".moves .move")).to_have_count(2)


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_nothing_is_wider_than_the_screen(browser: Browser, server: Served, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    for part in ("", "game/hex", "analyse?game=go", "training", "arena"):
        page.goto(f"{server.url}#/{part}")
        page.wait_for_selector("main .page")
        extra = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert extra <= 0, part
        hidden = "(nav => nav.scrollWidth - nav.clientWidth)(document.querySelector('.top nav'))"
        assert page.evaluate(hidden) <= 0, "a page's name is cut off"
    context.close()


def test_the_page_is_light(page: Page, server: Served) -> None:
    sizes: dict[str, int] = {}
    sent: dict[str, int] = {}
    page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
    page.on(
        "requestfinished", lambda asked: sent.update({asked.url: asked.sizes()["responseBodySize"]})
    )
    page.goto(server.url)
    expect(page.locator(".card img").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert all(url.startswith(server.url) for url in sizes)
    own = sum(size for url, size in sizes.items() if "picture.svg" not in url)
    assert own < 100_000
    assert sum(sizes.values()) < 400_000
    assert sum(sent.values()) < 100_000


def test_pictures_come_compressed_to_who_reads_that(server: Served) -> None:
    packed, plain = (
        server.get("api/games/hex/picture.svg", headers={"accept-encoding": each})
        for each in ("gzip", "identity")
    )
    assert packed.text == plain.text
    assert packed.text.startswith("<svg")
    assert 'class="cell' not in packed.text, "cells for clicks would be half of it"
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers


def test_a_match_is_saved(page: Page, server: Served) -> None:
    made = server.begin("hex:size=5", PERSON, PERSON, moves=["c3", "swap"])
    page.goto(f"{server.url}#/match/{made['id']}?key={made['keys'][0]}")
    await_board(page)
    with page.expect_download() as saving:
        page.get_by_label("Save").select_option(".sgf")
    assert saving.value.suggested_filename.endswith(".sgf")
    assert "swap" in Path(saving.value.path()).read_text()
