"""The C++ core of athenan: rules and trees."""

from collections.abc import Sequence
from typing import Annotated, Literal

import numpy
import numpy.typing
from numpy.typing import NDArray


class Error(ValueError):
    """
    Something that cannot be done, in one sentence for people.

    Every mistake of a user raises it or one of its kinds.

    >>> import athenan
    >>> try:
    ...     athenan.make_game("hexx")
    ... except athenan.Error as mistake:
    ...     print(str(mistake)[:46])
    there is no game 'hexx' (did you mean hex?); t
    """

class ParameterError(Error):
    """
    A name, an option or a setting that does not exist, or a wrong value.

    >>> import athenan
    >>> athenan.make_game("hex", size=99)
    Traceback (most recent call last):
    athenan._core.ParameterError: option size of hex is '99'; accepted is an integer from 2 to 19
    """

class PositionError(Error):
    """
    A text, or bytes, that are no position of the game.

    >>> import athenan
    >>> athenan.make_game("tic_tac_toe").parse_position("xxx")
    Traceback (most recent call last):
    athenan._core.PositionError: ...
    """

class IllegalMoveError(Error):
    """
    A move that cannot be made in a state.

    >>> import athenan
    >>> athenan.make_game("tic_tac_toe").initial_state().play("d4")
    Traceback (most recent call last):
    athenan._core.IllegalMoveError: ...
    """

class Stopped(Exception):
    """
    Work that has no answer because it was asked to stop.

    >>> import athenan
    >>> stop = athenan.Stop()
    >>> stop.request()
    >>> athenan.solve(athenan.make_game("othello").initial_state(), stop=stop)
    Traceback (most recent call last):
    athenan._core.Stopped: the proof of othello:size=8 was stopped
    """

def interrupt_rules() -> None:
    """
    Raises KeyboardInterrupt in the methods of rules in Python that other threads run.
    """

class Stop:
    """
    A request to end long work early: any thread may make it.

    >>> import athenan, threading
    >>> stop = athenan.Stop()
    >>> threading.Timer(0.1, stop.request).start()
    >>> result = athenan.search(athenan.make_game("hex").initial_state(), seconds=60, stop=stop)
    >>> stop.requested, result.spent.seconds < 60
    (True, True)
    """

    def __init__(self) -> None: ...

    def request(self) -> None:
        """Ask the work that was given this token to stop."""

    @property
    def requested(self) -> bool:
        """Whether somebody has asked."""

    def __repr__(self) -> str: ...

class Random:
    """
    The engine's random generator; the same seed, the same numbers.

    >>> import athenan
    >>> random = athenan.Random(7)
    >>> 0 <= random.below(6) < 6, 0 <= random.uniform() < 1
    (True, True)
    >>> athenan.Random(7).below(1000) == athenan.Random(7).below(1000)
    True
    """

    def __init__(self, seed: int) -> None: ...

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1."""

    def uniform(self) -> float:
        """A uniform number in [0, 1)."""

class Datasheet:
    """
    What a person or a network needs to know of a game.

    >>> import athenan
    >>> athenan.make_game("othello").datasheet
    <Datasheet of Othello: 2 players, 4 planes of 8×8, 65 moves, at most 120 plies>
    """

    def __init__(self, *, title: str, rows: int, columns: int, planes: Sequence[str], move_count: int, max_length: int, max_length_reason: str = '', typical_length: int = 0, longest_length: int = 0, players: int = 2, border: int = 0, move_kinds: Sequence[str] = [], symmetries: int = 1, symmetry_group: str = 'none', cyclic: bool = False, has_draws: bool = False, has_score: bool = False, has_pieces: bool = False, board_determines_ply: bool = False, own_evaluation: str = '', move_notation: str = '', position_notation: str = '', reference: str = '') -> None: ...

    @property
    def title(self) -> str:
        """The name of the game for people."""

    @property
    def players(self) -> int:
        """1 or 2."""

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
    def max_length_reason(self) -> str:
        """Why no match is longer."""

    @property
    def typical_length(self) -> int:
        """Plies of a random match; 0: unknown."""

    @property
    def longest_length(self) -> int:
        """
        Plies of the longest random matches, where max_length is far above; else 0.
        """

    @property
    def symmetries(self) -> int:
        """How many, the identity included."""

    @property
    def symmetry_group(self) -> str:
        """Their name."""

    @property
    def cyclic(self) -> bool:
        """Whether positions can repeat."""

    @property
    def has_draws(self) -> bool:
        """Whether a match can end undecided."""

    @property
    def has_score(self) -> bool:
        """Whether points are counted."""

    @property
    def has_pieces(self) -> bool:
        """Whether State.pieces counts pieces."""

    @property
    def board_determines_ply(self) -> bool:
        """Whether equal boards are always equally many moves from the start."""

    @property
    def own_evaluation(self) -> str:
        """
        The game's own terminal evaluation, computed by its score; mostly none.
        """

    @property
    def move_notation(self) -> str:
        """How moves are written."""

    @property
    def position_notation(self) -> str:
        """How positions are written."""

    @property
    def reference(self) -> str:
        """Where the rules come from."""

    def __repr__(self) -> str: ...

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

    def __repr__(self) -> str: ...

class PlayoutTally:
    """How random matches from a state ended."""

    @property
    def first_wins(self) -> int:
        """Matches that the first player won."""

    @property
    def draws(self) -> int:
        """Matches that nobody won."""

    @property
    def second_wins(self) -> int:
        """Matches that the second player won."""

    @property
    def plies(self) -> int:
        """Plies played in all of them together."""

    def __repr__(self) -> str: ...

class Game:
    """
    The rules of one game at one size; `make_game` makes one.

    >>> import athenan
    >>> game = athenan.make_game("hex", size=5)
    >>> game.id, game.datasheet.title
    ('hex:size=5,swap=true', 'Hex')
    >>> game.initial_state().play("c3").to_move
    1
    >>> game.perft(2)
    625
    """

    @property
    def name(self) -> str:
        """The name without options."""

    @property
    def id(self) -> str:
        """The text that makes this game again."""

    @property
    def datasheet(self) -> Datasheet:
        """Sizes, planes, lengths, notations."""

    @property
    def offers_swap(self) -> bool:
        """Whether the second player may swap."""

    @property
    def move_count(self) -> int:
        """Moves are numbers below this."""

    @property
    def symmetries(self) -> int:
        """How many, the identity included."""

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

    def initial_state(self) -> State:
        """The start of a match."""

    def parse_position(self, text: str) -> State:
        """The state written in the game's position notation."""

    def state_from_bytes(self, data: bytes) -> State:
        """The state of bytes(state)."""

    def pack(self, states: Sequence[State]) -> numpy.typing.NDArray[numpy.uint8]:
        """States as one uint8 array [count, state_size]."""

    def unpack(self, packed: numpy.typing.NDArray[numpy.uint8]) -> list[State]:
        """The inverse of pack."""

    def encode(self, states: Sequence[State] | numpy.typing.NDArray[numpy.uint8], threads: int = 0) -> numpy.typing.NDArray[numpy.int8]:
        """The planes of many states, or of packed ones: int8 [count, C, H, W]."""

    def legal_moves(self, states: Sequence[State]) -> LegalMoves:
        """The legal moves of many states with their geometry, in CSR form."""

    def expand(self, states: Sequence[State] | numpy.typing.NDArray[numpy.uint8], threads: int = 0) -> tuple[numpy.typing.NDArray[numpy.uint64], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int8], numpy.typing.NDArray[numpy.uint64]]:
        """
        All children of many states, or of packed ones: (offsets, moves, packed children, results, keys); the children of state i are offsets[i]:offsets[i + 1], a result of 2 means ongoing.
        """

    def count_children(self, states: Sequence[State]) -> int:
        """Expands states on one thread and keeps only the number of children."""

    def perft(self, depth: int, threads: int = 0, stop: Stop | None = None) -> int:
        """The number of sequences of exactly `depth` moves from the start."""

class Parameter:
    """One option of a game."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def description(self) -> str:
        """What it means."""

    @property
    def default(self) -> str:
        """Its value if none is given, as text."""

    @property
    def accepted(self) -> str:
        """What values it takes, in words."""

    def __repr__(self) -> str: ...

def game_names() -> list[str]:
    """
    The names of the built-in games.

    >>> import athenan
    >>> "hex" in athenan.game_names()
    True
    """

def game_parameters(name: str) -> list[Parameter]:
    """
    The options that a built-in game takes.

    >>> import athenan
    >>> athenan.game_parameters("hex")[0]
    <Parameter size=11: an integer from 2 to 19>
    """

def make_builtin_game(id: str) -> Game:
    """A built-in game from 'name:option=value,...'."""

def make_python_game(name: str, parameters: str, rules: object) -> Game:
    """A game whose rules are a Python object."""

class MovePath:
    """
    The geometry of a move: what a player touches to make it.

    >>> import athenan
    >>> athenan.make_game("breakthrough").initial_state().move_path("b2b3")
    <move [(6, 1), (5, 1)]>
    """

    @property
    def kind(self) -> str:
        """place, move, jump, pass, swap, ...: see Datasheet.move_kinds."""

    @property
    def cells(self) -> list[tuple[int, int]]:
        """The cells in order, as (row, column) from the top left of the board."""

    def __repr__(self) -> str: ...

class State:
    """
    A position: immutable, hashable, comparable, picklable.

    >>> import athenan
    >>> start = athenan.make_game("tic_tac_toe").initial_state()
    >>> state = start.play("b2").play("a1")
    >>> print(state)
    1 o . .
    2 . x .
    3 . . .
      a b c
    >>> state.to_move, state.ply, state.outcome
    (0, 2, None)
    >>> state.legal_move_strings()
    ['b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3']
    >>> state == start.play(4).play(0)
    True
    """

    @property
    def game(self) -> Game:
        """The game that it belongs to."""

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
    def is_terminal(self) -> bool:
        """Whether the match is over."""

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

    def pieces(self, player: int) -> int:
        """How many pieces player 0 or 1 has."""

    @property
    def mobility(self) -> tuple[float, float]:
        """
        The mean number of moves that each player could choose from, over its turns so far.
        """

    def legal_moves(self) -> list[int]:
        """The legal moves; none iff the match is over."""

    def legal_move_strings(self) -> list[str]:
        """The legal moves as texts, in the order of legal_moves."""

    def play(self, move: int | str) -> State:
        """The state after a legal move, as a number or as text."""

    def children(self) -> list[State]:
        """The states after each legal move, in the order of legal_moves."""

    def move_path(self, move: int | str) -> MovePath | None:
        """
        The cells that a player touches to make a legal move, and its kind; None where the game does not say.
        """

    def move_to_string(self, move: int) -> str:
        """A move as text, in the notation of the game."""

    def parse_move(self, text: str) -> int:
        """The number of a move that is written in the notation of the game."""

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
    def name(self) -> str:
        """What a SearchSpec begins with."""

    @property
    def description(self) -> str:
        """What it is."""

    @property
    def needs_evaluator(self) -> bool:
        """Whether it asks for values."""

    @property
    def for_one_player(self) -> bool:
        """Whether it takes only games without an opponent."""

    @property
    def parameters(self) -> list[Parameter]:
        """Its options."""

    def __repr__(self) -> str: ...

def did_you_mean(word: str, known: Sequence[str]) -> str:
    """
    ' (did you mean hex?)' for the known name that is most like a word; '' if none is.
    """

def algorithms() -> list[Algorithm]:
    """
    The search algorithms.

    >>> import athenan
    >>> [each.name for each in athenan.algorithms()][:3]
    ['descent', 'ubfm', 'ubfm-safe']
    """

class SearchSpec:
    """
    A search with its options, as a value.

    >>> import athenan
    >>> spec = athenan.SearchSpec("ubfm-safe:expansions=500")
    >>> spec.name, spec.options["expansions"], spec.budget
    ('ubfm-safe', 500, Budget(expansions=500))
    >>> spec.with_(seconds=1, terminal="score")
    SearchSpec('ubfm-safe:seconds=1,expansions=500,terminal=score')
    >>> spec.updated("alphabeta:depth=2")
    SearchSpec('alphabeta:depth=2')
    """

    def __init__(self, text: str) -> None: ...

    @staticmethod
    def names_algorithm(text: str) -> bool:
        """Whether a text begins with the name of an algorithm."""

    @property
    def algorithm(self) -> Algorithm:
        """What is known of its kind."""

    @property
    def name(self) -> str:
        """The name of its algorithm."""

    @property
    def options(self) -> dict[str, int | float | bool | str]:
        """Every option with its value."""

    @property
    def asks_of_moves(self) -> Literal['none', 'policy', 'values']:
        """
        What it asks of the legal moves of a state: nothing, the logits of a policy, or the values of the states that they lead to.
        """

    @property
    def budget(self) -> Budget:
        """Its limits."""

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
    def move(self) -> int:
        """Its number; State.move_to_string writes it."""

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
    """
    How long a search may think; 0 is no limit.

    >>> import athenan
    >>> athenan.Budget(seconds=0.5, expansions=1000)
    Budget(seconds=0.5, expansions=1000)
    """

    def __init__(self, *, seconds: float = 0.0, cpu_seconds: float = 0.0, expansions: int = 0, evaluations: int = 0, iterations: int = 0) -> None: ...

    @property
    def seconds(self) -> float:
        """Of thinking."""

    @property
    def cpu_seconds(self) -> float:
        """Of the processor: work of other programs does not use them up."""

    @property
    def expansions(self) -> int:
        """States whose children are made."""

    @property
    def evaluations(self) -> int:
        """States that are given a value."""

    @property
    def iterations(self) -> int:
        """Descents from the root."""

    def __repr__(self) -> str: ...

class Spent:
    """The work of one search."""

    @property
    def expansions(self) -> int:
        """States whose children were made."""

    @property
    def evaluations(self) -> int:
        """States that were given a value."""

    @property
    def iterations(self) -> int:
        """Descents from the root."""

    @property
    def transpositions(self) -> int:
        """Children that the tree had already."""

    @property
    def seconds(self) -> float:
        """Of thinking."""

    def __repr__(self) -> str: ...

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
        Works until values are needed: the planes of the waiting states, or None when over, or when this many seconds have passed.
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
        The legal moves of the waiting states if numbers for them are wanted, else None.
        """

    def cut(self) -> bool:
        """
        Ends the search without the values that are waited for, and takes the expansion back that asked for them. False, and end_soon(), if no move would be known then.
        """

    def charge(self, cpu_seconds: float) -> None:
        """
        Counts time of the processor that was spent for this search elsewhere, as on values.
        """

    def receive(self, values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], logits: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, whole: bool = True) -> None:
        """
        Takes one value per waiting state, and one number for each of waiting_moves. If not whole, some are guesses, and the tree is forgotten before the next move.
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

    def labels_after(self, moves: Sequence[int]) -> list[MoveLabel]:
        """
        The labels of the state to which these moves lead from the root; none if the tree has not expanded it.
        """

    def proof_lengths_after(self, moves: Sequence[int]) -> list[int | None]:
        """
        For each of these labels after how many plies, with its move, a proven win is over at the latest if the winner follows the shortest way that the tree has proven; None where no win is proven.
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

    def move_targets(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.float32]]:
        """
        (offsets, move numbers, values) in CSR form: the moves of each of these states that lead to one whose value is known.
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

    def __call__(self, moves: Sequence[MoveLabel], player: int, progress: float, random: Random, ply: int = 0) -> int:
        """
        The index of the move to play; progress is t / t_max, ply how many moves have been played.
        """

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
    def movers(self) -> list[int]:
        """Which mind made each move after the opening."""

    @property
    def targets(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]:
        """(packed states, values) to learn, of a match of one mind."""

    def targets_of(self, mind: int) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]:
        """
        (packed states, values) for one of the minds to learn: from its own searches, and the end.
        """

    @property
    def move_targets(self) -> tuple[numpy.typing.NDArray[numpy.int64], numpy.typing.NDArray[numpy.uint32], numpy.typing.NDArray[numpy.float32]] | None:
        """
        (offsets, move numbers, targets) in CSR form: what to learn of the moves of each state of targets; None where values alone are learned.
        """

    def as_bytes(self) -> bytes:
        """Everything, for another process."""

    @staticmethod
    def from_bytes(game: Game, data: bytes) -> MatchRecord:
        """What as_bytes() gave."""

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

    def __init__(self, game: Game, minds: Sequence[Mind], learning: str = 'none', slots: int = 1, threads: int = 1, memory: ResolvedMemory | None = None, moves: str = 'none', expert: Mind | None = None, guests: bool = False, chooser: Mind | None = None) -> None:
        """
        With guests, somebody outside plays against the one mind: `take_asked` tells where, and `answer` takes its moves. With a chooser, each move is that of its search, which thinks beside the one mind, and of the mind is learned.
        """

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

    @property
    def plies(self) -> int:
        """
        The moves of all its matches, also the unfinished ones; openings aside.
        """

    def collect(self, stop: Stop | None = None) -> int:
        """
        Advances every match; returns how many states wait for values, 0 at the end. Raises once for each match that had to be given up, and goes on with the others when called again.
        """

    def batch(self, evaluator: int = 0) -> numpy.typing.NDArray[numpy.int8]:
        """The planes of the waiting states; the next batch may overwrite them."""

    def moves(self, evaluator: int = 0) -> LegalMoves | None:
        """
        The legal moves of those of these states that want numbers for them; None if none do.
        """

    def resume(self, evaluator: int, values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], logits: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> None:
        """
        Hands back one value per waiting state, and one number for each of moves().
        """

    @property
    def glimpse(self) -> tuple[int, list[int], list[float]] | None:
        """
        A match to watch: its index, its moves so far and the values of the minds. It is under way, or the last one that ended in its place; any thread may ask, at any time.
        """

    def take_asked(self) -> list[tuple[int, list[int]]]:
        """
        The matches whose guests are asked for a move since the last call: the index of each, and its moves so far.
        """

    def answer(self, index: int, move: int) -> None:
        """Plays the move of a guest that was asked."""

    def withdraw(self, index: int) -> MatchRecord:
        """Gives up a match whose guest is asked, and returns what was played."""

    def take_finished(self) -> list[MatchRecord]:
        """The matches that ended, by index."""

def encode_packed(game: Game, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> NDArray[numpy.int8]:
    """The planes of the packed states at these rows: int8 [rows, C, H, W]."""

def transform_packed(game: Game, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> NDArray[numpy.uint8]:
    """
    The image of each packed state under its own symmetry: uint8 [count, packed_size].
    """

def transform_moves(game: Game, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], symmetries: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], threads: int = 0) -> NDArray[numpy.uint32]:
    """
    The images of moves of packed states, in CSR form, under the symmetry of each state.
    """

def describe_moves(game: Game, packed: numpy.typing.NDArray[numpy.uint8], rows: numpy.typing.NDArray[numpy.int64], offsets: numpy.typing.NDArray[numpy.int64], numbers: numpy.typing.NDArray[numpy.uint32], threads: int = 0) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.int16]]:
    """
    The kinds of moves of the packed states at these rows, and the cells that they touch, as LegalMoves has them.
    """

def check_packed(game: Game, packed: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], threads: int = 0) -> None:
    """
    Raises PositionError if any of these packed states is none of the game.
    """

def random_ends(game: Game, terminal: str, count: int, seed: int, threads: int = 0, stop: Stop | None = None) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.float32]]:
    """
    Packed final states of uniformly random matches, and their terminal evaluations.
    """
