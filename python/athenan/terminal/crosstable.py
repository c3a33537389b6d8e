"""The table of a tournament: for people, as data, and as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from athenan.arena import Standings, TimeControl
from athenan.arena.record import VERSION, finite
from athenan.arena.tournament import Pairing
from athenan.games.words import counted
from athenan.terminal.figures import refuse_unwritable, save
from athenan.terminal.page import print_table, say

WIDEST = 28  # characters of a name in a table


def print_crosstable(standings: Standings, seconds: float) -> None:
    """Print who stands where, with the points of each pairing."""
    for sentence in _conditions(standings, seconds):
        say(sentence)
    say()
    ranks = [f">{rank}" for rank in range(1, len(standings.tournament.players) + 1)]
    print_table((">", "player", ">Elo", ">±", ">points", ">matches", *ranks), [*_rows(standings)])
    say()
    say("Elo above the mean of all, ± its 95 % interval; points against each opponent")


def pairing_line(standings: Standings, pairing: Pairing) -> str:
    """Say in a few words how a pairing stands."""
    players, counts = standings.tournament.players, standings.tallies[pairing].counts
    names = f"{players[pairing.a].name} against {players[pairing.b].name}"
    return f"{names} +{counts.wins} ={counts.draws} -{counts.losses}"


def as_json(standings: Standings, seconds: float) -> dict[str, Any]:
    """Return everything about a tournament, ready for JSON."""
    cup, order, found = standings.tournament, standings.order(), standings.ratings()
    return {
        "version": VERSION,
        "game": cup.game.id,
        "form": cup.form,
        "seed": cup.seed,
        "control": _control(standings),
        "planned": cup.planned,
        "played": standings.played,
        "players": [
            {
                "rank": rank,
                "name": cup.players[player].name,
                "description": cup.players[player].description,
                "elo": found[player].elo,
                "elo_interval": [finite(found[player].low), finite(found[player].high)],
                "points": standings.points(player)[0],
                "matches": standings.points(player)[1],
                "faults": standings.faults(player),
            }
            for rank, player in enumerate(order, 1)
        ],
        "pairings": [
            {"a": cup.players[pairing.a].name, "b": cup.players[pairing.b].name, **tally.as_json()}
            for pairing, tally in standings.tallies.items()
        ],
        "seconds": round(seconds, 3),
    }


def draw_crosstable(standings: Standings, target: Path) -> None:
    """Draw the points of each pairing and the ratings with their intervals."""
    refuse_unwritable(target)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    cup, order, found = standings.tournament, standings.order(), standings.ratings()
    names = [_short(cup.players[player].name) for player in order]
    count = len(order)
    figure, (table, bars) = pyplot.subplots(
        1, 2, figsize=(5 + 1.1 * count, 1.8 + 0.55 * count), layout="constrained"
    )
    shares = [[_share(standings, row, column) for column in order] for row in order]
    table.imshow(shares, cmap="RdYlGn", vmin=0, vmax=1)
    for y, row in enumerate(order):
        for x, column in enumerate(order):
            table.text(x, y, _points(standings, row, column), ha="center", va="center")
    table.set_xticks(range(count), [str(rank) for rank in range(1, count + 1)])
    table.set_yticks(range(count), [f"{rank} {name}" for rank, name in enumerate(names, 1)])
    table.set_title(f"{cup.game.id}: {counted(standings.played, 'match')}")
    elo = [found[player].elo for player in order]
    spread = [finite(found[player].high - found[player].elo) or 0.0 for player in order]
    bars.errorbar(elo, range(count), xerr=spread, fmt="o", capsize=4)
    bars.set_yticks(range(count), [str(rank) for rank in range(1, count + 1)])
    bars.invert_yaxis()
    bars.set_xlabel("Elo above the mean, 95 %")
    bars.grid(alpha=0.3)
    save(figure, target, dpi=120)


def _conditions(standings: Standings, seconds: float) -> list[str]:
    cup = standings.tournament
    planned = counted(cup.planned, "match")
    played = planned if standings.played == cup.planned else f"{standings.played} of {planned}"
    sentences = [
        f"{cup.game.id}: {played} in {seconds:.1f} s, "
        f"{cup.matches} for each of {counted(len(cup.pairings), 'pairing')} ({cup.form})",
        f"{counted(len(cup.openings), 'opening')}, each with both colours",
    ]
    if control := _control(standings):
        sentences.append(f"time control: {control}")
    for player, spec in enumerate(cup.players):
        if faults := standings.faults(player):
            fate = "lost" if cup.conditions.faults == "lose" else "not counted"
            sentences.append(f"matches ended by a fault of {spec.name}: {faults}, {fate}")
    return sentences


def _rows(standings: Standings) -> Iterator[list[str]]:
    cup, order, found = standings.tournament, standings.order(), standings.ratings()
    for rank, player in enumerate(order, 1):
        rating, (points, matches) = found[player], standings.points(player)
        spread = finite(rating.high - rating.elo)
        yield [
            str(rank),
            _short(cup.players[player].name),
            f"{rating.elo:+.0f}",
            "–" if spread is None else f"{spread:.0f}",
            f"{points:g}",
            str(matches),
            *(_points(standings, player, opponent) for opponent in order),
        ]


def _points(standings: Standings, player: int, opponent: int) -> str:
    points, matches = standings.points(player, opponent) if player != opponent else (0.0, 0)
    return f"{points:g}" if matches else "–" if player != opponent else "·"


def _share(standings: Standings, player: int, opponent: int) -> float:
    points, matches = standings.points(player, opponent) if player != opponent else (0.0, 0)
    return points / matches if matches else 0.5


def _control(standings: Standings) -> str:
    control = standings.tournament.conditions.control
    return "" if control == TimeControl() else str(control)


def _short(name: str) -> str:
    return name if len(name) <= WIDEST else f"…{name[1 - WIDEST :]}"
