"""The C++ core of athenan: rules and trees."""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


class Error(ValueError):
    pass

class ParameterError(Error):
    pass

class PositionError(Error):
    pass

class IllegalMoveError(Error):
    pass

class Stopped(Exception):
    pass

class Stop:
    """A request to end long work early: any thread may make it."""

    def __init__(self) -> None: ...

    def request(self) -> None:
        """Ask the work that was given this token to stop."""

    @property
    def requested(self) -> bool: ...

class Random:
    """The engine's random generator; the same seed, the same numbers."""

    def __init__(self, seed: int) -> None: ...

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1."""

    def uniform(self) -> float:
        """A uniform number in [0, 1)."""

class Datasheet:
    """What a person or a network needs to know of a game."""

    def __init__(self, *, title: str, rows: int, columns: int, planes: Sequence[str], move_count: int, max_length: int, max_length_reason: str = '', typical_length: int = 0, longest_length: int = 0, players: int = 2, border: int = 0, move_kinds: Sequence[str] = [], symmetries: int = 1, symmetry_group: str = 'none', cyclic: bool = False, has_draws: bool = False, has_score: bool = False, has_pieces: bool = False, board_determines_ply: bool = False, own_evaluation: str = '', move_notation: str = '', position_notation: str = '', reference: str = '') -> None: ...

    @property
    def title(self) -> str: ...

    @property
    def players(self) -> int: ...

    @property
    def rows(self) -> int:
        """Rows of the encoded planes."""

    @property
    def columns(self) -> int:
        """Columns of the encoded planes."""

    @property
    def border(self) -> int:
        """Lines that the planes add on each side of the board."""

    @property
    def planes(self) -> list[str]:
        """The name of each encoded plane."""

    @property
    def move_count(self) -> int:
        """Moves are numbers below this, swap excluded."""

    @property
    def move_kinds(self) -> list[str]:
        """The kinds of moves; empty without geometry."""

    @property
    def max_length(self) -> int:
        """Plies after which a match is a draw."""

    @property
    def max_length_reason(self) -> str: ...

    @property
    def typical_length(self) -> int:
        """Plies of a random match; 0: unknown."""

    @property
    def longest_length(self) -> int:
        """
        Plies of the longest random matches, where max_length is far above; else 0.
        """

    @property
    def symmetries(self) -> int: ...

    @property
    def symmetry_group(self) -> str: ...

    @property
    def cyclic(self) -> bool:
        """Whether positions can repeat."""

    @property
    def has_draws(self) -> bool: ...

    @property
    def has_score(self) -> bool: ...

    @property
    def has_pieces(self) -> bool: ...

    @property
    def board_determines_ply(self) -> bool: ...

    @property
    def own_evaluation(self) -> str:
        """
        The game's own terminal evaluation, computed by its score; mostly none.
        """

    @property
    def move_notation(self) -> str: ...

    @property
    def position_notation(self) -> str: ...

    @property
    def reference(self) -> str: ...

class LegalMoves:
    """The legal moves of some states, in CSR form."""

    @property
    def offsets(self) -> NDArray[numpy.int64]:
        """
        int64 [states + 1]: the moves of state i are offsets[i] to offsets[i + 1].
        """

    @property
    def numbers(self) -> NDArray[numpy.uint32]:
        """uint32 [moves]: the move numbers."""

    @property
    def kinds(self) -> NDArray[numpy.uint8]:
        """uint8 [moves]: places in Datasheet.move_kinds."""

    @property
    def cells(self) -> NDArray[numpy.int16]:
        """
        int16 [moves, 4]: the cells touched, as row * columns + column of the planes; -1 for none. Of a longer path these are the first three and the last.
        """

    def __len__(self) -> int: ...

class PlayoutTally:
    """How random matches from a state ended."""

    @property
    def first_wins(self) -> int: ...

    @property
    def draws(self) -> int: ...

    @property
    def second_wins(self) -> int: ...

    @property
    def plies(self) -> int:
        """Plies played in all of them together."""

class Game:
    """The rules of one game at one size."""

    @property
    def name(self) -> str: ...

    @property
    def id(self) -> str:
        """The text that makes this game again."""

    @property
    def datasheet(self) -> Datasheet: ...

    @property
    def offers_swap(self) -> bool: ...

    @property
    def move_count(self) -> int:
        """Moves are numbers below this."""

    @property
    def symmetries(self) -> int: ...

    @property
    def state_size(self) -> int:
        """Bytes of a packed state."""

    @property
    def packed_size(self) -> int:
        """Bytes of a state as learning keeps it: without the history."""

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[object, ...]: ...

    def initial_state(self) -> State: ...

    def parse_position(self, text: str) -> State:
        """The state written in the game's position notation."""

    def state_from_bytes(self, data: bytes) -> State:
        """The state of bytes(state)."""

    def pack(self, states: Sequence[State]) -> NDArray[numpy.uint8]:
        """States as one uint8 array [count, state_size]."""

    def unpack(self, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> list[State]:
        """The inverse of pack."""

    @overload
    def encode(self, states: Sequence[State], threads: int = 0) -> NDArray[numpy.int8]:
        """The planes of many states: int8 [count, C, H, W]."""

    @overload
    def encode(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 0) -> NDArray[numpy.int8]: ...

    def legal_moves(self, states: Sequence[State]) -> LegalMoves:
        """The legal moves of many states with their geometry, in CSR form."""

    @overload
    def expand(self, states: Sequence[State], threads: int = 0) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.int8], NDArray[numpy.uint64]]:
        """
        All children of many states: (offsets, moves, packed children, results, keys); the children of state i are offsets[i]:offsets[i + 1], a result of 2 means ongoing.
        """

    @overload
    def expand(self, states: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 0) -> tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint8], NDArray[numpy.int8], NDArray[numpy.uint64]]: ...

    def count_children(self, states: Sequence[State]) -> int:
        """Expands states on one thread and keeps only the number of children."""

    def perft(self, depth: int, threads: int = 0, stop: Stop | None = None) -> int:
        """The number of sequences of exactly `depth` moves from the start."""

class Parameter:
    """One option of a game."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def default(self) -> str: ...

    @property
    def accepted(self) -> str:
        """What values it takes, in words."""

def game_names() -> list[str]:
    """The names of the built-in games."""

def game_parameters(name: str) -> list[Parameter]:
    """The options that a built-in game takes."""

def make_builtin_game(id: str) -> Game:
    """A built-in game from 'name:option=value,...'."""

def make_python_game(name: str, parameters: str, rules: object) -> Game:
    """A game whose rules are a Python object."""

class MovePath:
    """The geometry of a move: what a player touches to make it."""

    @property
    def kind(self) -> str:
        """place, move, jump, pass, swap, ...: see Datasheet.move_kinds."""

    @property
    def cells(self) -> list[tuple[int, int]]:
        """The cells in order, as (row, column) from the top left of the board."""

    def __repr__(self) -> str: ...

class State:
    """A position: immutable, hashable, comparable, picklable."""

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int:
        """0 for the first player, 1 for the second."""

    @property
    def ply(self) -> int:
        """Moves played since the start."""

    @property
    def depth(self) -> int:
        """The ply, less the swap where the board shows that it was played."""

    @property
    def is_terminal(self) -> bool: ...

    @property
    def outcome(self) -> int | None:
        """+1, 0 or -1 for the first player; None before the end."""

    @property
    def score(self) -> float | None:
        """
        The first player's points minus the second player's; None in a game without.
        """

    @property
    def key(self) -> int:
        """A 64-bit hash of the position."""

    @property
    def position(self) -> str:
        """The position in the game's notation; Game.parse_position reads it."""

    def pieces(self, player: int) -> int: ...

    @property
    def mobility(self) -> tuple[float, float]:
        """
        The mean number of moves that each player could choose from, over its turns so far.
        """

    def legal_moves(self) -> list[int]:
        """The legal moves; none iff the match is over."""

    def legal_move_strings(self) -> list[str]: ...

    @overload
    def play(self, move: int) -> State:
        """The state after a legal move, as a number or as text."""

    @overload
    def play(self, move: str) -> State: ...

    def children(self) -> list[State]:
        """The states after each legal move, in the order of legal_moves."""

    @overload
    def move_path(self, move: int) -> MovePath | None:
        """
        The cells that a player touches to make a legal move, and its kind; None where the game does not say.
        """

    @overload
    def move_path(self, move: str) -> MovePath | None: ...

    def move_to_string(self, move: int) -> str: ...

    def parse_move(self, text: str) -> int: ...

    def encode(self) -> NDArray[numpy.int8]:
        """The planes of the state: int8 [C, H, W]."""

    def transform(self, symmetry: int) -> State:
        """The image of the state under a symmetry; 0 is the identity."""

    def transform_move(self, symmetry: int, move: int) -> int:
        """The move that corresponds in transform(symmetry)."""

    def perft(self, depth: int, threads: int = 0, stop: Stop | None = None) -> int:
        """The number of sequences of exactly `depth` moves."""

    def playouts(self, count: int, seed: int = 0, threads: int = 0, stop: Stop | None = None) -> PlayoutTally:
        """Uniformly random matches from here."""

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __bytes__(self) -> bytes: ...

    def __reduce__(self) -> tuple[object, ...]: ...

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

class Algorithm:
    """One search algorithm and its options."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    @property
    def needs_evaluator(self) -> bool:
        """Whether it asks for values."""

    @property
    def wants_policy(self) -> bool:
        """Whether it asks for one number per legal move too."""

    @property
    def parameters(self) -> list[Parameter]: ...

def algorithms() -> list[Algorithm]:
    """The search algorithms."""

class SearchSpec:
    """A search with its options: 'ubfm-safe:expansions=500'."""

    def __init__(self, text: str) -> None: ...

    @staticmethod
    def names_algorithm(text: str) -> bool:
        """Whether a text begins with the name of an algorithm."""

    @property
    def algorithm(self) -> Algorithm: ...

    @property
    def name(self) -> str: ...

    @property
    def options(self) -> dict[str, int | float | bool | str]:
        """Every option with its value."""

    @property
    def budget(self) -> Budget: ...

    @property
    def is_timed(self) -> bool:
        """Whether seconds limit it: then what it plays depends on the machine."""

    @property
    def is_limited(self) -> bool:
        """
        Whether a budget or a depth ends it; else it ends when the outcome is proven.
        """

    @property
    def unlimited(self) -> SearchSpec:
        """The same without its budget."""

    def with_(self, **options: int | float | bool | str) -> SearchSpec:
        """The same with these options."""

    def updated(self, text: str) -> SearchSpec:
        """
        The same with the options of a text, as in 'seconds=1'; or another search, as in 'alphabeta:depth=2', with the terminal evaluation of this one unless it names its own.
        """

    def __str__(self) -> str: ...

    def __repr__(self) -> str: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __reduce__(self) -> tuple[object, ...]: ...

class MoveLabel:
    """The labels of one move: v, c, r and n."""

    def __init__(self, move: int, value: float, completion: int = 0, resolved: int = 0, count: int = 0) -> None: ...

    @property
    def move(self) -> int: ...

    @property
    def value(self) -> float:
        """v: first player's point of view."""

    @property
    def completion(self) -> int:
        """c: +1, 0 or -1."""

    @property
    def resolved(self) -> bool:
        """r."""

    @property
    def count(self) -> int:
        """n: how often it was selected."""

    def __repr__(self) -> str: ...

class Budget:
    """How long a search may think; 0 is no limit."""

    def __init__(self, *, seconds: float = 0.0, expansions: int = 0, evaluations: int = 0, iterations: int = 0) -> None: ...

    @property
    def seconds(self) -> float: ...

    @property
    def expansions(self) -> int: ...

    @property
    def evaluations(self) -> int: ...

    @property
    def iterations(self) -> int: ...

class Spent:
    """The work of one search."""

    @property
    def expansions(self) -> int: ...

    @property
    def evaluations(self) -> int: ...

    @property
    def iterations(self) -> int: ...

    @property
    def transpositions(self) -> int:
        """Children that the tree had already."""

    @property
    def seconds(self) -> float: ...

class Resolved:
    """A proven state."""

    def __init__(self, key: int, value: float, completion: int) -> None: ...

    @property
    def key(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def completion(self) -> int: ...

class ResolvedMemory:
    """The states proven so far, beyond one match."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    def clear(self) -> None: ...

    def merge(self, resolved: Sequence[Resolved]) -> None:
        """Adds states resolved by a match."""

    def find(self, key: int) -> object:
        """(c, v) of a proven state, or None."""

    def arrays(self) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.int8]]:
        """Everything proven: (keys, v, c), by key."""

    def load(self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], completions: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Adds what arrays() gave."""

class Search:
    """One mind's thinking about one match, resumable."""

    def __init__(self, game: Game, spec: SearchSpec | str, seed: int = 0, keep_terminals: bool = False) -> None: ...

    @property
    def game(self) -> Game: ...

    @property
    def spec(self) -> SearchSpec: ...

    def new_match(self, seed: int) -> None:
        """Forgets the tree."""

    def use_memory(self, memory: ResolvedMemory | None) -> None:
        """Consults this memory at expansion."""

    def begin(self, state: State, budget: Budget | None = None) -> None:
        """
        Starts to think about a state that is not ended, within the budget of the specification or another one.
        """

    def advance(self, stop: Stop | None = None, seconds: float = 0) -> numpy.typing.NDArray[numpy.int8] | None:
        """
        Works until values are needed: the planes of the waiting states, or None when over, or when so many seconds have passed.
        """

    def end_soon(self) -> None:
        """
        Ends the search as if its budget were spent; values that are waited for are still needed.
        """

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent, the outcome proven or the memory full."""

    @property
    def waiting_moves(self) -> LegalMoves | None:
        """
        The legal moves of the waiting states if the search wants a policy, else None.
        """

    def receive(self, values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], logits: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Takes one value per waiting state, and one number for each of waiting_moves.
        """

    def run_fake(self, seed: int, stop: Stop | None = None) -> None:
        """
        Runs to the end with a fake evaluator: 0 for zeros, else hash_values(seed).
        """

    @property
    def root_moves(self) -> list[MoveLabel]: ...

    @property
    def root_value(self) -> float: ...

    @property
    def root_resolved(self) -> bool: ...

    @property
    def root_completion(self) -> int: ...

    def decide(self) -> int:
        """The move of this algorithm."""

    @property
    def principal_variation(self) -> list[int]: ...

    def line_after(self, move: int) -> list[int]:
        """
        A move of the root and those that both players prefer after it, as far as is known.
        """

    @property
    def spent(self) -> Spent: ...

    @property
    def memory_full(self) -> bool: ...

    @property
    def tree_bytes(self) -> int: ...

    @property
    def newly_resolved(self) -> list[Resolved]: ...

    @property
    def node_count(self) -> int: ...

    def labels(self) -> list[tuple[int, list[MoveLabel]]]:
        """The labels of every expanded state, with its key."""

    def targets(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]:
        """
        Expanded and terminal states with their values: the data of tree learning.
        """

def terminal_evaluations(game: Game) -> list[str]:
    """The terminal evaluations that make sense for a game."""

def terminal_value(state: State, name: str) -> float:
    """The value of an ended match under a terminal evaluation."""

def hash_values(planes: Annotated[NDArray[numpy.int8], dict(shape=(None, None, None, None), order='C', device='cpu', writable=False)], seed: int = 1) -> NDArray[numpy.float32]:
    """A fake evaluator: deterministic values in [-1, 1) that look random."""

def exact_value(state: State, terminal: str = 'classic', stop: Stop | None = None) -> float:
    """
    The value under best play by plain alpha-beta to the end; for small games.
    """

class Selection:
    """A distribution over the moves of the root."""

    def __init__(self, text: str) -> None: ...

    @property
    def text(self) -> str: ...

    def __call__(self, moves: Sequence[MoveLabel], player: int, progress: float, random: Random) -> int:
        """The index of the move to play; progress is t / t_max."""

def best_action(moves: Sequence[MoveLabel], player: int, prefers_draw: bool, random: Random) -> int: ...

def safest_action(moves: Sequence[MoveLabel], player: int, prefers_draw: bool, random: Random) -> int: ...

def most_visited(moves: Sequence[MoveLabel], player: int, random: Random) -> int: ...

class MatchRecord:
    """How a match went."""

    @property
    def index(self) -> int: ...

    @property
    def seed(self) -> int: ...

    @property
    def first_mind(self) -> int:
        """Which mind played first."""

    @property
    def moves(self) -> list[int]:
        """All moves, the opening included."""

    @property
    def values(self) -> list[float]:
        """v(s) at each move after the opening."""

    @property
    def spent(self) -> list[Spent]:
        """The work behind each move after the opening."""

    @property
    def outcome(self) -> int: ...

    @property
    def memory_full(self) -> int:
        """Searches ended by their memory cap."""

    @property
    def resolved(self) -> list[Resolved]:
        """States proven, for a ResolvedMemory."""

    def remember(self, memory: ResolvedMemory) -> None:
        """Adds the states proven to a memory of resolved states."""

    @property
    def selected(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.float32]]:
        """
        How often each move of each position was selected, by searches with a policy: offsets, move numbers and shares, in CSR form.
        """

    @property
    def movers(self) -> list[int]:
        """Which mind made each move after the opening."""

    @property
    def targets(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]:
        """(packed states, values) to learn, of a match of one mind."""

    def targets_of(self, mind: int) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]:
        """
        (packed states, values) for one of the minds to learn: from its own searches, and the end.
        """

class Mind:
    """A search, how it chooses its move, the evaluator it asks."""

    def __init__(self, search: SearchSpec | str, selection: str | None = None, evaluator: int = 0) -> None: ...

    @property
    def search(self) -> SearchSpec: ...

    @property
    def selection(self) -> str | None: ...

    @property
    def evaluator(self) -> int: ...

class Pool:
    """Many matches advancing together on threads."""

    def __init__(self, game: Game, minds: Sequence[Mind], learning: str = 'none', slots: int = 1, threads: int = 1, memory: ResolvedMemory | None = None) -> None: ...

    def add(self, index: int, seed: int, opening: Sequence[int] = [], first_mind: int = 0, progress: float = 0.0) -> None:
        """Queues a match."""

    @property
    def queued(self) -> int: ...

    @property
    def evaluators(self) -> int: ...

    @property
    def tree_bytes(self) -> int: ...

    @property
    def spent(self) -> Spent:
        """The work of all its matches, also the unfinished ones."""

    def collect(self, stop: Stop | None = None) -> int:
        """
        Advances every match; returns how many states wait for values, 0 at the end. Raises once for each match that had to be given up, and goes on with the others when called again.
        """

    def batch(self, evaluator: int = 0) -> numpy.typing.NDArray[numpy.int8]:
        """The planes of the waiting states; the next batch may overwrite them."""

    def moves(self, evaluator: int = 0) -> LegalMoves | None:
        """The legal moves of these states if a policy is wanted, else None."""

    def resume(self, evaluator: int, values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], logits: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Hands back one value per waiting state, and one number for each of moves().
        """

    def take_finished(self) -> list[MatchRecord]:
        """The matches that ended, by index."""

def encode_packed(game: Game, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> NDArray[numpy.int8]:
    """The planes of the packed states at these rows: int8 [rows, C, H, W]."""

def transform_packed(game: Game, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> NDArray[numpy.uint8]:
    """
    The image of each packed state under its own symmetry: uint8 [count, packed_size].
    """

def check_packed(game: Game, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 0) -> None:
    """
    Raises PositionError if any of these packed states is none of the game.
    """

def random_ends(game: Game, terminal: str, count: int, seed: int, threads: int = 0, stop: Stop | None = None) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]:
    """
    Packed final states of uniformly random matches, and their terminal evaluations.
    """
