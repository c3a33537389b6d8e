"""A Ray without processes: actors live in this one, and die when a test says so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from athenan.cluster.connection import Cluster, Share


class LostError(Exception):
    """What Ray raises for a call to a worker that died."""


class UnavailableError(LostError):
    """What Ray raises for a call to a worker that is on its way back."""


class GoneError(LostError):
    """What Ray raises, as the cause of a `FailedError`, for an argument that it has lost."""


class FailedError(Exception):
    """What Ray raises for a call that raised."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


@dataclass(eq=False)
class Call:
    """An answer under way."""

    actor: FakeActor
    method: str
    arguments: tuple[Any, ...]
    value: Any = None
    problem: Exception | None = None
    done: bool = False


@dataclass(eq=False)
class FakeActor:
    """Works on one call at a time, in their order."""

    kind: Callable[[], Any]
    calls: list[Call] = field(default_factory=list)
    inner: Any = None
    dead: bool = False

    def __getattr__(self, method: str) -> Any:
        return SimpleNamespace(remote=lambda *given: self._called(method, given))

    def _called(self, method: str, given: tuple[Any, ...]) -> Call:
        values = tuple(each.value if isinstance(each, Stored) else each for each in given)
        self.calls.append(Call(self, method, values))
        return self.calls[-1]

    def work(self) -> None:
        """Work on the first call."""
        call = self.calls.pop(0)
        self.inner = self.inner or self.kind()
        try:
            call.value = getattr(self.inner, call.method)(*call.arguments)
        except Exception as problem:
            call.problem = FailedError(problem)
        call.done = True

    def die(self, *, silently: int = 0, problem: Exception = LostError("killed")) -> None:  # noqa: B008
        """Lose this life and its calls, but for some that the next life gets."""
        kept = self.calls[len(self.calls) - silently :]
        for call in self.calls[: len(self.calls) - silently]:
            call.problem, call.done = problem, True
        self.calls, self.inner = kept, None


@dataclass(frozen=True)
class Stored:
    """An object in the store."""

    value: Any


class FakeRay:
    """What the cluster layer asks of Ray."""

    exceptions = SimpleNamespace(
        RayTaskError=FailedError,
        ObjectLostError=GoneError,
        RayError=(LostError, FailedError),
        ActorUnavailableError=UnavailableError,
    )

    def __init__(self) -> None:
        self.before_each_wait: Callable[[], None] = lambda: None
        self.killed: list[FakeActor] = []
        self.left = 1e6
        """Processors that nobody else uses."""

    def available_resources(self) -> dict[str, float]:
        return {"CPU": self.left}

    def put(self, value: Any) -> Stored:
        return Stored(value)

    def wait(
        self, calls: list[Call], num_returns: int, timeout: float
    ) -> tuple[list[Call], list[Call]]:
        """Let the actors of the first calls work, one after the other."""
        if timeout:
            self.before_each_wait()
        for call in calls:
            if not call.done and timeout and call.actor.calls:
                call.actor.work()
        done = [call for call in calls if call.done][:num_returns]
        return done, [call for call in calls if call not in done]

    def get(self, call: Call) -> Any:
        if call.problem is not None:
            raise call.problem
        return call.value

    def kill(self, actor: FakeActor, no_restart: bool = True) -> None:  # noqa: ARG002
        self.killed.append(actor)


class FakeCluster(Cluster):
    """A cluster with so many processors."""

    def __init__(self, processors: int = 2) -> None:
        super().__init__(FakeRay())  # type: ignore[arg-type]
        self.processors = processors
        self.actors: list[FakeActor] = []

    @property
    def nodes(self) -> list[dict[str, float]]:
        return [{"CPU": 1.0}] * self.processors

    def actor(self, kind: type, share: Share, **options: Any) -> Any:  # noqa: ARG002 (all alike)
        def remote() -> FakeActor:
            self.actors.append(FakeActor(kind))
            return self.actors[-1]

        return SimpleNamespace(remote=remote)
