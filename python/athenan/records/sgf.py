"""SGF as a language: trees of nodes with properties, whatever the game.

Only the main line of each tree is kept: the first variation everywhere. Comments, and any property
that nobody asks for, are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from athenan.records.replay import BadRecord

_NAME = re.compile(r"[A-Za-z]+")
DEEPEST = 10_000  # variations within variations


@dataclass(frozen=True)
class Node:
    """One node: where it begins, and the values of its properties."""

    line: int
    properties: dict[str, list[str]]

    def value(self, name: str) -> str | None:
        """Return the first value of a property; None without any."""
        values = self.properties.get(name)
        return values[0].strip() if values else None


def read_trees(text: str) -> list[list[Node]]:
    r"""Return the main lines of all trees of a text.

    >>> (line,) = read_trees(r"(;GM[1]C[a\]b](;B[aa])(;B[bb]))")
    >>> [node.properties for node in line]
    [{'GM': ['1'], 'C': ['a]b']}, {'B': ['aa']}]
    """
    return _Reader(text).trees()


def escaped(text: str) -> str:
    """Return a text as the value of a property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


class _Reader:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def trees(self) -> list[list[Node]]:
        found = []
        while (start := self._text.find("(", self._at)) >= 0:
            self._skip_to(start)
            if re.match(r"\(\s*;", self._text[start : start + 80]):
                found.append(self._tree())
            else:
                self._skip_to(start + 1)  # words before a record, such as those of a mail
        if not found:
            raise BadRecord(1, "there is no SGF tree: nothing begins with (;")
        return found

    def _tree(self) -> list[Node]:
        """Read a tree from its bracket on; nodes of later variations are read and dropped."""
        begun, nodes, is_main = self._line, list[Node](), True
        depth, main_depth = 0, 0
        while True:
            sign = self._next_sign(begun)
            if sign == "(":
                depth += 1
                if depth > DEEPEST:
                    raise BadRecord(self._line, "the variations are nested too deeply")
                if is_main:
                    main_depth = depth
            elif sign == ")":
                if depth == main_depth:
                    is_main = False  # the main line ends with its first closing bracket
                depth -= 1
                if depth == 0:
                    return nodes
            elif sign == ";":
                node = self._node()
                if is_main:
                    nodes.append(node)
            else:
                raise BadRecord(self._line, f"unexpected {sign!r} outside of a node")

    def _next_sign(self, begun: int) -> str:
        self._skip_space()
        if self._at >= len(self._text):
            raise BadRecord(begun, "the tree that begins here has no end")
        sign = self._text[self._at]
        self._skip_to(self._at + 1)
        return sign

    def _node(self) -> Node:
        line, properties = self._line, dict[str, list[str]]()
        while True:
            self._skip_space()
            if not (name := _NAME.match(self._text, self._at)):
                return Node(line, properties)
            self._skip_to(name.end())
            key = "".join(letter for letter in name[0] if letter.isupper())  # FF[1] has more
            values = properties.setdefault(key, [])
            self._skip_space()
            if self._at >= len(self._text) or self._text[self._at] != "[":
                raise BadRecord(self._line, f"the property {name[0]} has no value")
            while self._at < len(self._text) and self._text[self._at] == "[":
                values.append(self._value())
                self._skip_space()

    def _value(self) -> str:
        begun, letters = self._line, list[str]()
        at = self._at + 1
        while at < len(self._text) and self._text[at] != "]":
            if self._text[at] == "\\":
                at += 1
                letters.append("" if self._text[at : at + 1] == "\n" else self._text[at : at + 1])
            else:
                letters.append(self._text[at])
            at += 1
        if at >= len(self._text):
            raise BadRecord(begun, "a value that begins here has no end: ] is missing")
        self._skip_to(at + 1)
        return "".join(letters)

    def _skip_space(self) -> None:
        at = self._at
        while at < len(self._text) and self._text[at].isspace():
            at += 1
        self._skip_to(at)

    def _skip_to(self, at: int) -> None:
        self._line += self._text.count("\n", self._at, at)
        self._at = at
