"""A player alone at a board: it thinks about positions and says what it found."""

from __future__ import annotations

from athenan._core import Game, Random, Search, Selection, State
from athenan.arena.players import Player
from athenan.evaluators import constant_evaluator
from athenan.machine import megabytes_per_tree
from athenan.searches import SearchResult, drive

__all__ = ["Thinker"]


class Thinker:
    """One player through one match; what it thought about one move helps with the next.

    >>> import athenan
    >>> from athenan.arena import Thinker, player
    >>> game = athenan.make_game("tic_tac_toe")
    >>> state = game.parse_position("xx1/oo1/3 x")
    >>> found = Thinker(player("ubfm-safe:expansions=50", game), game).think(state)
    >>> state.move_to_string(found.best_move), found.proven_outcome
    ('c1', 1)
    """

    def __init__(self, player: Player, game: Game, seed: int = 0) -> None:
        self.player = player
        self._search = Search(game, player.within(megabytes_per_tree(1)).search, seed)
        self._selection = Selection(player.selection) if player.selection else None
        self._random = Random(seed)
        self._evaluator = player.evaluator(0) if player.evaluator else constant_evaluator()

    def think(self, state: State) -> SearchResult:
        """Think about a state that is not ended, for as long as the player's budget says."""
        drive(self._search, state, self._evaluator)
        return SearchResult(
            best_move=self._choice(state),
            value=self._search.root_value,
            proven_outcome=self._search.root_completion if self._search.root_resolved else None,
            moves=self._search.root_moves,
            principal_variation=self._search.principal_variation,
            spent=self._search.spent,
            memory_full=self._search.memory_full,
        )

    def _choice(self, state: State) -> int:
        if self._selection is None:
            return self._search.decide()
        moves = self._search.root_moves
        return moves[self._selection(moves, state.to_move, 1.0, self._random)].move
