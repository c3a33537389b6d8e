"""An engine's process: lines to it and from it, each with a deadline, and an end in any case.

The process leads a group of its own. One thread reads what it prints, to bounded buffers, so that
no flood fills the memory and no full pipe stops it. Nothing here waits without a deadline.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter, sleep
from typing import TextIO

from athenan._core import Error, Stop, Stopped
from athenan.arena.player import Fault

MAX_BYTES = 4 << 20
"""Lines that wait to be read, at most; older ones are dropped."""
MAX_LINE = 1 << 20
"""Bytes of a line: what follows is dropped."""
MAX_COMPLAINTS = 20
"""Lines of standard error that are kept."""
CHUNK = 1 << 16
GRACE = 1.0
"""Seconds between asking a process to end, telling it to, and ending it."""
PATIENCE = 0.02
"""Seconds between two looks whether to stop, and whether it lives."""


Note = Callable[[str, str], None]
"""Writes a sign and a line to a transcript."""


class EngineProcess:
    """A running engine.

    >>> engine = EngineProcess("echo", ["cat"])
    >>> engine.send("hello", within=5)
    >>> engine.receive(perf_counter() + 5)
    'hello'
    >>> engine.close()
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        directory: str | None = None,
        environment: Mapping[str, str] | None = None,
        transcript: Path | None = None,
    ) -> None:
        self.name = name
        self._started = perf_counter()
        self._script: TextIO | None = transcript.open("a", encoding="utf-8") if transcript else None
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=directory,
                env={**os.environ, **(environment or {})},
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            self._close_transcript()
            raise Error(f"the engine {name} cannot be started: {problem}") from None
        self._note("$", " ".join(command))
        self._killer = weakref.finalize(self, _kill_group, self._process)
        self._input = _descriptor(self._process.stdin)
        os.set_blocking(self._input, False)
        self._output = _Reading(self._process, self._note)

    @property
    def is_alive(self) -> bool:
        """Whether it runs and can still be heard."""
        return _exit_code(self._process) is None and not self._output.is_closed

    @property
    def pid(self) -> int:
        """Its number, which is that of its group too."""
        return self._process.pid

    @property
    def complaints(self) -> str:
        """The last lines that it wrote to standard error."""
        return "\n".join(self._output.complaints)

    def send(self, line: str, within: float) -> None:
        """Send a line; a Fault if the process has ended, or does not take it in time."""
        self._note(">", line)
        data, until = (line + "\n").encode(), perf_counter() + within
        while data:
            left = until - perf_counter()
            if left <= 0:
                raise Fault("hang", f"the engine {self.name} does not take the line {_cut(line)}")
            if _ready([self._input], select.POLLOUT, left):
                try:
                    data = data[os.write(self._input, data) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise self._crash() from None

    def receive(self, until: float, stop: Stop | None = None) -> str:
        """Return its next line; a Fault if it ends, or says nothing until then.

        A request to stop raises Stopped.
        """
        has_ended = False
        while True:
            line = self._output.take(min(until - perf_counter(), PATIENCE))
            if line is not None:
                return line
            if self._output.is_closed or has_ended:
                raise self._crash()
            # What it started may hold the pipe open; its own last lines come within moments.
            has_ended = _exit_code(self._process) is not None
            if stop and stop.requested:
                raise Stopped(f"the engine {self.name} was stopped")
            if perf_counter() >= until:
                raise Fault("hang", f"the engine {self.name} did not answer in time")

    def discard(self) -> None:
        """Forget the lines that were not read."""
        self._output.discard()

    def close(self, farewell: str = "") -> None:
        """End it: with a word, with a signal, and then for certain. Its group ends with it."""
        if farewell and _exit_code(self._process) is None:
            with suppress(Fault):
                self.send(farewell, within=GRACE)
                self._await_end(GRACE)
        if _exit_code(self._process) is None:
            with suppress(OSError):
                os.killpg(self.pid, signal.SIGTERM)
            self._await_end(GRACE if farewell else GRACE / 4)
        self._killer()
        self._output.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._close_transcript()

    def _await_end(self, seconds: float) -> None:
        until = perf_counter() + seconds
        while _exit_code(self._process) is None and perf_counter() < until:
            sleep(0.002)

    def _crash(self) -> Fault:
        self._await_end(0.1)
        code = _exit_code(self._process)
        how = "closed its output" if code is None else f"ended with the code {code}"
        last = self._output.complaints[-1] if self._output.complaints else ""
        said = f"; its last words: {_cut(last)}" if last else ""
        return Fault("crash", f"the engine {self.name} {how}{said}")

    def _note(self, sign: str, line: str) -> None:
        """Write a line to the transcript."""
        script = self._script
        if script is not None:
            with suppress(ValueError, OSError):  # closed meanwhile, or a full disk
                script.write(f"{perf_counter() - self._started:9.3f} {sign} {line}\n")
                script.flush()

    def _close_transcript(self) -> None:
        if self._script is not None:
            self._script.close()
            self._script = None


class _Reading:
    """The thread that reads what a process prints."""

    def __init__(self, process: subprocess.Popen[bytes], note: Note) -> None:
        self._streams = {_descriptor(process.stdout): True, _descriptor(process.stderr): False}
        self._parts = {stream: bytearray() for stream in self._streams}
        self._note = note
        self._lines: deque[str] = deque()
        self._size = 0
        self.complaints: deque[str] = deque(maxlen=MAX_COMPLAINTS)
        self.is_closed = False
        self._news = threading.Condition()
        self._wake, self._waker = os.pipe()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def take(self, seconds: float) -> str | None:
        """Return the next line; None if none comes within this many seconds, or ever."""
        with self._news:
            if not self._lines and not self.is_closed and seconds > 0:
                self._news.wait_for(lambda: self._lines or self.is_closed, seconds)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._size -= len(line)
            return line

    def discard(self) -> None:
        """Forget all lines."""
        with self._news:
            self._lines.clear()
            self._size = 0

    def close(self) -> None:
        """End the thread, whoever still holds the pipes."""
        os.close(self._waker)
        self._thread.join()
        os.close(self._wake)

    def _read(self) -> None:
        streams = dict(self._streams)
        while streams:
            ready = _ready([*streams, self._wake], select.POLLIN)
            if self._wake in ready:
                break
            for stream in ready:
                chunk = os.read(stream, CHUNK)
                self._take_chunk(stream, chunk or b"\n")
                if not chunk:
                    del streams[stream]
                    if self._streams[stream]:
                        self._close_lines()
        self._close_lines()

    def _close_lines(self) -> None:
        with self._news:
            self.is_closed = True
            self._news.notify_all()

    def _take_chunk(self, stream: int, chunk: bytes) -> None:
        part = self._parts[stream]
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            part += piece[: max(0, MAX_LINE - len(part))]
            self._take_line(stream, part.decode(errors="replace").rstrip("\r"))
            part.clear()
        part += rest[: max(0, MAX_LINE - len(part))]

    def _take_line(self, stream: int, line: str) -> None:
        is_output = self._streams[stream]
        self._note("<" if is_output else "!", line)
        if not is_output:
            if line:
                self.complaints.append(line[:1000])
            return
        with self._news:
            self._lines.append(line)
            self._size += len(line)
            while self._size > MAX_BYTES:
                self._size -= len(self._lines.popleft())
            self._news.notify_all()


def _descriptor(pipe: object) -> int:
    assert hasattr(pipe, "fileno")
    return int(pipe.fileno())


def _ready(descriptors: Sequence[int], event: int, seconds: float | None = None) -> list[int]:
    """Wait until something happens to some descriptors; poll, unlike select, takes any number."""
    poll = select.poll()
    for each in descriptors:
        poll.register(each, event)
    return [each for each, _ in poll.poll(None if seconds is None else 1000 * seconds)]


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """Return the code of a process that has ended, else None.

    Its number is not given back: nobody else has it before the group has been ended too.
    """
    if process.returncode is not None:
        return process.returncode
    try:
        found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return process.poll()
    if found is None:
        return None
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started in its group."""
    if process.returncode is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _cut(line: str, length: int = 200) -> str:
    return repr(line if len(line) <= length else line[:length] + "…")
