"""What a person sees of a training: a live table in a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Event as ThreadEvent
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from athenan.games.words import counted
from athenan.learning.events import Evaluating, Event, Playing, Preparing, Pretrained, Sized
from athenan.terminal.output import discard
from athenan.terminal.page import say

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Line = dict[str, Any]
REFRESH_SECONDS = 0.2
PLAIN_SECONDS = 10.0
SILENCE_CHECKS = 1.0  # seconds between them
WORKERS_SHOWN = 8
BARS = "▁▂▃▄▅▆▇█"


def make_display() -> LastingDisplay:
    """Return the display that fits standard output, and that a training survives."""
    return LastingDisplay(LiveDisplay() if sys.stdout.isatty() else PlainDisplay())


class LastingDisplay:
    """Shows what another display shows, as long as it can: a training ends for other reasons.

    Once the reader of a pipe is gone, or the terminal, nothing more is shown.
    """

    def __init__(self, display: LiveDisplay | PlainDisplay) -> None:
        self._display = display

    def __enter__(self) -> LastingDisplay:
        self._try(self._display.__enter__)
        return self

    def __exit__(self, *_: object) -> None:
        self._try(self._display.__exit__)

    def on_event(self, event: Event) -> None:
        """Show an event."""
        self._try(self._display.on_event, event)

    def on_line(self, line: Line) -> None:
        """Show a line."""
        self._try(self._display.on_line, line)

    def say(self, sentence: str) -> None:
        """Show a sentence."""
        self._try(self._display.say, sentence)

    def _try(self, show: Callable[..., object], *what: object) -> None:
        try:
            show(*what)
        except (OSError, SystemExit):  # rich would end the program with its pipe
            discard(sys.stdout)


class PlainDisplay:
    """Plain lines, one every few seconds and one per evaluation; never silent for longer.

    What takes long without a word of its own, such as compiling, is repeated by a thread.
    """

    def __init__(self) -> None:
        self._metrics_shown = float("-inf")  # when a line of metrics came
        self._activity_shown = float("-inf")  # when a line came that says what is going on
        self._shown = monotonic()  # when any line came
        self._pace = Speed()
        self._doing = "preparing"
        self._lock = Lock()
        self._ended = ThreadEvent()
        self._watch = Thread(target=self._repeat, name="display", daemon=True)

    def __enter__(self) -> PlainDisplay:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def on_event(self, event: Event) -> None:
        """Show what is going on."""
        doing = self._pace.activity(event)
        if isinstance(event, Sized):
            self.say(sizing_sentence(event))
        elif isinstance(event, Preparing):
            self.say(doing)
        elif doing and _kind(doing) != _kind(self._doing):
            self._show_activity(doing)  # how far it is comes from the thread, every few seconds
        self._doing = doing or self._doing

    def on_line(self, line: Line) -> None:
        """Show a line."""
        if line["kind"] == "evaluation":
            self.say(evaluation_sentence(line))
        else:
            self._show_metrics(training_sentence(line))
            self._doing = "training"

    def say(self, sentence: str) -> None:
        """Show a sentence, at once."""
        with self._lock:
            say(sentence)
            sys.stdout.flush()
            self._shown = monotonic()

    def _show_metrics(self, text: str) -> None:
        """Show the first metrics at once, and others every few seconds."""
        if monotonic() - self._metrics_shown >= PLAIN_SECONDS:
            self._metrics_shown = monotonic()
            self.say(text)

    def _show_activity(self, text: str) -> None:
        """Show what is going on where no metrics have said it."""
        if monotonic() - max(self._metrics_shown, self._activity_shown) >= PLAIN_SECONDS:
            self._activity_shown = monotonic()
            self.say(text)

    def _repeat(self) -> None:
        started = monotonic()
        while not self._ended.wait(SILENCE_CHECKS):
            if monotonic() - self._shown >= PLAIN_SECONDS - SILENCE_CHECKS:
                try:
                    self.say(_with_time(self._doing, monotonic() - started))
                except (OSError, ValueError):
                    return  # who shows the next line discards the stream


def _kind(doing: str) -> str:
    """Return what is being done, without how far it is."""
    return next((word for word in doing.split() if word.isalpha()), "")


def _with_time(doing: str, seconds: float) -> str:
    """Add how long this process has worked, unless the words begin with the run's own clock."""
    return doing if doing[:1].isdigit() else f"{doing} ({clock(seconds)} since the start)"


class Speed:
    """How fast self-play is between two events, and what an event says of it."""

    def __init__(self) -> None:
        self._before: tuple[float, int] | None = None

    def activity(self, event: Event) -> str:
        """Say what is being done; nothing of an event that says nothing new."""
        if isinstance(event, Preparing):
            return event.what
        if isinstance(event, Pretrained):
            return f"pre-training: {event.learned:,} of {event.total:,}, loss {event.loss:.4g}"
        if isinstance(event, Evaluating):
            return f"evaluating {event.played}/{event.total}"
        if not isinstance(event, Playing):
            return ""
        work, now = event.at.work, monotonic()
        before, evaluated = self._before or (now - max(event.at.seconds, 1e-3), 0)
        self._before = now, work.evaluations
        rate = (work.evaluations - evaluated) / max(now - before, 1e-3)
        playing = counted(event.at.playing, "match")
        return (
            f"{clock(event.at.seconds)}  playing {playing}: {counted(work.plies, 'ply')}, "
            f"{work.expansions:,} expansions, {work.evaluations:,} states, {rate:,.0f} states/s"
        )


class LiveDisplay:
    """A panel that changes in place; sentences and evaluations scroll above it."""

    def __init__(self, console: Console | None = None) -> None:
        from rich.console import Console
        from rich.live import Live

        self._console = console or Console(highlight=False)
        self._live = Live(console=self._console, auto_refresh=False, transient=False)
        self._line: Line = {}
        self._rates: list[float] = []
        self._scores: list[float] = []
        self._losses: list[float] = []
        self._progress = 0.0
        self._seconds = 0.0
        self._drawn = 0.0
        self._matches = 0
        self._pace = Speed()
        self._doing = ""

    def __enter__(self) -> LiveDisplay:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.update(self._panel())
        self._live.stop()

    def on_event(self, event: Event) -> None:
        """Take the newest numbers."""
        self._seconds, self._progress = event.at.seconds, event.at.progress
        if isinstance(event, Sized):
            self.say(sizing_sentence(event))
        elif isinstance(event, Pretrained):
            self._line = {"loss": event.loss, "pretrained": f"{event.learned:,}/{event.total:,}"}
        else:
            self._matches = event.at.matches
        self._doing = self._pace.activity(event)
        if isinstance(event, Preparing) or monotonic() - self._drawn > REFRESH_SECONDS:
            self._drawn = monotonic()
            self._live.update(self._panel(), refresh=True)

    def on_line(self, line: Line) -> None:
        """Take the means of an interval, or show an evaluation."""
        if line["kind"] == "evaluation":
            if "win_rate" in line:
                self._rates.append(line["win_rate"])
            else:
                self._scores.append(line["mean_score"])
            self.say(evaluation_sentence(line))
        else:
            self._line = line
            self._losses.append(line["loss"])

    def say(self, sentence: str) -> None:
        """Show a sentence above the panel."""
        self._console.print(sentence, markup=False)

    def _panel(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        for name, value in self._rows():
            table.add_row(f"[dim]{name}[/]", value)
        bar = ProgressBar(total=1.0, completed=self._progress, width=40)
        return Group(table, bar)

    def _rows(self) -> list[tuple[str, str]]:
        line = self._line
        left = self._seconds * (1 / self._progress - 1) if self._progress > 0.01 else None
        rows = [
            ("time", clock(self._seconds) + (f", {clock(left)} left" if left is not None else "")),
            ("matches", f"{self._matches:,}"),
        ]
        if self._doing:
            rows.append(("now", self._doing))
        if "pretrained" in line:
            rows.append(("pre-training", str(line["pretrained"])))
        if "states_per_second" in line:
            rows += [
                ("matches/hour", f"{line['matches_per_hour']:,.0f}"),
                ("states/s", f"{line['states_per_second']:,.0f}"),
                ("learned/s", f"{line['learned_per_second']:,.0f}"),
                ("length", f"{line['length']:.1f}"),
            ]
        if "loss" in line:
            rows.append(("loss", f"{line['loss']:.4g} {sparkline(self._losses)}"))
        if "move_loss" in line:
            rows.append(("loss of moves", f"{line['move_loss']:.4g}"))
        rows += worker_rows(line)
        if self._rates:
            rows.append(("win rate", f"{self._rates[-1]:.0%} {sparkline(self._rates, 0, 1)}"))
        if self._scores:
            rows.append(("score", f"{self._scores[-1]:.1f} {sparkline(self._scores)}"))
        return rows


def training_sentence(line: Line) -> str:
    """Say a training line."""
    return (
        f"{clock(line['seconds'])}  match {line['matches']:,}  loss {line['loss']:.4g}  "
        f"length {line['length']:.1f}  {line['states_per_second']:,.0f} states/s  "
        f"{line['learned_per_second']:,.0f} learned/s"
        + (f"  {counted(line['workers_alive'], 'worker')}" if "workers_alive" in line else "")
    )


def worker_rows(line: Line) -> list[tuple[str, str]]:
    """Say how self-play beyond this process fares, worker by worker as far as there is room."""
    if "workers_alive" not in line:
        return []
    alive, lost = line["workers_alive"], line["workers_lost"]
    summary = f"{alive}, {lost} lost; at most {counted(line['staleness'], 'match')} behind; "
    rows = [("workers", f"{summary}{counted(line['waiting'], 'match')} waiting to be learned")]
    for worker in line["workers"][:WORKERS_SHOWN]:
        speed = f"{worker['states_per_second']:,.0f} states/s"
        rest = (
            f"{counted(worker['playing'], 'match')}, {worker['staleness']} behind, "
            f"{counted(worker['orders'], 'order')}"
        )
        rows.append((worker["name"], f"{speed}, {rest}" if worker["alive"] else "away"))
    if line.get("dashboard"):
        rows.append(("dashboard", line["dashboard"]))
    return rows


def evaluation_sentence(line: Line) -> str:
    """Say an evaluation line: a win rate, or the scores of a game for one."""
    start = f"{clock(line['seconds'])}  after {counted(line['matches'], 'match')}:"
    if "win_rate" not in line:
        return (
            f"{start} score {line['mean_score']:.1f} on average and {line['best_score']:g} at best "
            f"over {counted(line['played'], 'match')}"
        )
    return (
        f"{start} {line['win_rate']:.0%} against {line['opponent']} over "
        f"{counted(line['played'], 'match')} "
        f"(95 % interval {line['low']:.0%} to {line['high']:.0%})"
    )


def sizing_sentence(event: Sized) -> str:
    """Say how many matches are played at a time, and what runs the network."""
    return (
        f"measured: {event.states_per_second:,.0f} states/s with "
        f"{counted(event.concurrency, 'match')} at a time and {event.backend}; "
        f"beginning with {event.first}"
    )


def clock(seconds: float) -> str:
    """Write a time as 1:02:03 or 2:03."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def sparkline(values: list[float], low: float | None = None, high: float | None = None) -> str:
    """Draw the last values with bars."""
    if not (shown := values[-30:]):
        return ""
    bottom = min(shown) if low is None else low
    top = max(shown) if high is None else high
    span = (top - bottom) or 1.0
    return "".join(BARS[min(7, max(0, int(8 * (v - bottom) / span)))] for v in shown)
