"""Games whose states are the nodes of a given graph, so that labels can be computed by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from zlib import crc32

import athenan
import numpy as np
from athenan.reference import BestFirstSearch, Evaluator
from athenan.reference.evaluation import Planes, Values


@dataclass(frozen=True)
class Inner:
    player: int
    children: tuple[str, ...]


@dataclass(frozen=True)
class End:
    outcome: int
    score: float


def first(*children: str) -> Inner:
    return Inner(0, children)


def second(*children: str) -> Inner:
    return Inner(1, children)


Graph = Mapping[str, Inner | End]


class GraphGame(athenan.Rules):
    """A state is the number of a node in two bytes; the plane holds the same number."""

    def __init__(self, graph: Graph, start: str = "root") -> None:
        self.graph = graph
        self.names = list(graph)
        self.start = start

    def node(self, state: np.ndarray) -> Inner | End:
        return self.graph[self.names[number(state)]]

    def datasheet(self) -> athenan.Datasheet:
        @cache
        def height(name: str) -> int:
            node = self.graph[name]
            return 0 if isinstance(node, End) else 1 + max(map(height, node.children))

        moves = [len(node.children) for node in self.graph.values() if isinstance(node, Inner)]
        return athenan.Datasheet(
            title="Graph",
            rows=1,
            columns=1,
            planes=["high", "low"],
            move_count=max(moves),
            max_length=height(self.start) + 1,
            has_draws=True,
            has_score=True,
        )

    def initial(self) -> np.ndarray:
        return self.bytes_of(self.start)

    def bytes_of(self, name: str) -> np.ndarray:
        return np.array(divmod(self.names.index(name), 128), np.uint8)

    def to_move(self, state: np.ndarray) -> int:
        node = self.node(state)
        return node.player if isinstance(node, Inner) else 0

    def result(self, state: np.ndarray) -> int | None:
        node = self.node(state)
        return node.outcome if isinstance(node, End) else None

    def moves(self, state: np.ndarray) -> Sequence[int]:
        node = self.node(state)
        assert isinstance(node, Inner)
        return range(len(node.children))

    def apply(self, state: np.ndarray, move: int) -> np.ndarray:
        node = self.node(state)
        assert isinstance(node, Inner)
        return self.bytes_of(node.children[move])

    def encode(self, state: np.ndarray) -> np.ndarray:
        return state.reshape(2, 1, 1).astype(np.int8)

    def score(self, state: np.ndarray) -> float:
        node = self.node(state)
        assert isinstance(node, End)
        return node.score


def number(state: np.ndarray) -> int:
    return int(state.flat[0]) * 128 + int(state.flat[1])


class Toy:
    """A graph with the evaluation of its inner nodes."""

    def __init__(self, graph: Graph, values: Mapping[str, float], start: str = "root") -> None:
        self.rules = GraphGame(graph, start)
        self.game = athenan.game_from_rules(self.rules)
        self.values = values
        self.evaluated: list[str] = []

    @property
    def root(self) -> athenan.State:
        return self.game.initial_state()

    def name(self, state: athenan.State) -> str:
        return self.rules.names[number(state.encode())]

    def evaluate(self, planes: Planes) -> Values:
        names = [self.rules.names[number(plane)] for plane in planes]
        self.evaluated += names
        return np.array([self.values[name] for name in names], np.float32)

    def labels(self, search: BestFirstSearch) -> dict[str, list[tuple[float, int, int, int]]]:
        """The labels (v, c, r, n) of each expanded state by its name."""
        return {
            self.name(node.state): [(a.v, a.c, a.r, a.n) for a in node.edges]
            for node in search.nodes.values()
            if node.edges
        }


class NoLuck:
    """A generator that must not be asked."""

    def below(self, n: int) -> int:
        raise AssertionError(f"there was a draw below({n}), but no choice to make")

    def uniform(self) -> float:
        raise AssertionError("there was a draw, but no choice to make")


class Script:
    """A generator that gives prepared answers and checks the questions."""

    def __init__(self, *answers: tuple[int, int] | float) -> None:
        self.answers = list(answers)

    def below(self, n: int) -> int:
        answer = self.answers.pop(0)
        assert isinstance(answer, tuple), f"uniform() was expected, not below({n})"
        assert answer[0] == n, f"below({answer[0]}) was expected, not below({n})"
        return answer[1]

    def uniform(self) -> float:
        answer = self.answers.pop(0)
        assert isinstance(answer, float), f"below{answer} was expected, not uniform()"
        return answer


def hash_evaluate(planes: Planes) -> Values:
    """A deterministic evaluation: a hash of the planes, spread over [-1, 1)."""
    hashes = [crc32(plane.tobytes()) for plane in planes]
    return np.array([(h >> 8) / 2**23 - 1 for h in hashes], np.float32)


def coarse(evaluate: Evaluator) -> Evaluator:
    """An evaluation of few values, so that ties abound."""
    return lambda planes: np.round(evaluate(planes) * 2) / np.float32(2)


def recording(evaluate: Evaluator, seen: list[bytes]) -> Evaluator:
    def recorded(planes: Planes) -> Values:
        seen.extend(plane.tobytes() for plane in planes)
        return evaluate(planes)

    return recorded


def random_toy(
    seed: int, layers: int = 5, width: int = 6, most_moves: int = 3, merging: bool = True
) -> Toy:
    """A random game with transpositions (or a tree) and pairwise different values."""
    luck = Random(seed)
    graph: dict[str, Inner | End] = {}
    values: dict[str, float] = {}

    def fresh(kind: str) -> str:
        return f"{kind}{len(graph)}"

    def distinct() -> float:
        return float(np.float32(luck.uniform(-1, 1)))

    def end() -> str:
        name = fresh("end")
        outcome = luck.choice([-1, 0, 1])
        graph[name] = End(outcome, 2 * outcome + distinct())
        return name

    def inner(children: list[str]) -> str:
        name = fresh("inner")
        graph[name] = Inner(luck.randrange(2), tuple(children))
        values[name] = distinct()
        return name

    if merging:
        below: list[str] = [end() for _ in range(width)]
        for _ in range(layers - 1):
            layer = [inner(luck.sample(below, luck.randint(1, most_moves))) for _ in range(width)]
            below = layer + [end() for _ in range(2)]
        root = inner(luck.sample(below, most_moves))
    else:

        def tree(depth: int) -> str:
            if depth == 0 or (depth < layers and luck.random() < 0.2):
                return end()
            return inner([tree(depth - 1) for _ in range(luck.randint(1, most_moves))])

        root = tree(layers)
    return Toy(graph, values, root)


def layered_toy(seed: int, layers: int = 6, width: int = 12, moves: int = 4) -> Toy:
    """A random game of alternating moves with many transpositions, all ends at the same ply."""
    luck = Random(seed)
    below = [f"end{i}" for i in range(width)]
    graph: dict[str, Inner | End] = {name: End(1, luck.random()) for name in below}
    values: dict[str, float] = {}
    for layer in range(layers):
        names = [f"inner{layer}.{i}" for i in range(width if layer < layers - 1 else 1)]
        for name in names:
            graph[name] = Inner(layer % 2, tuple(luck.sample(below, moves)))
            values[name] = luck.random()
        below = names
    return Toy(graph, values, below[0])
