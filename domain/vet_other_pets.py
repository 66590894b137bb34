"""No byte of another pet: names of the household's other animals, and what is said of them, stay out of a vet's view.

A clause of a record's own text that speaks of another pet alone is left out; where it speaks of both, the other's name
gives way to a neutral word. A quote that names another pet is withheld whole by the caller. Pure.
"""

import re
from collections.abc import Iterable

from memory.text_folding import fold_text

ANOTHER = "另一只宠物"
LEFT_OUT = "（略）"
_SENTENCES = re.compile(r"[^。！？!?\n]+[。！？!?\n]*|[。！？!?\n]+")
_CLAUSES = re.compile(r"[^，,。；;！!？?\n]+[，,。；;！!？?\n]*|[，,。；;！!？?\n]+")


class OtherPets:
    """The names that may not appear, and those that may although they hold one of them (豆豆 beside 豆)."""

    def __init__(self, others: Iterable[str], own: Iterable[str]) -> None:
        self._own = {fold_text(name) for name in own if name}
        hidden = {fold_text(name) for name in others if name} - self._own
        both = sorted({*hidden, *self._own}, key=len, reverse=True)
        self._hidden = hidden
        self._names = re.compile("|".join(map(re.escape, both))) if hidden else None

    def named_in(self, text: str) -> bool:
        """Whether the text names another pet."""
        return any(name in self._hidden for _, name in self._found(text))

    def without(self, text: str) -> str:
        """The same text with nothing of another pet in it."""
        if not self.named_in(text):
            return text
        return "".join(self._kept(sentence) for sentence in _SENTENCES.findall(text))

    def _kept(self, sentence: str) -> str:
        """Clauses after another pet's name are about that pet too, until ours is named again."""
        parts, about_another = [], False
        for clause in _CLAUSES.findall(sentence):
            named = self._found(clause)
            if named:
                about_another = not any(name in self._own for _, name in named)
            parts.append(LEFT_OUT if about_another else self._reworded(clause, named))
        return "".join(
            part for place, part in enumerate(parts) if part != LEFT_OUT or parts[place - 1 : place] != [part]
        )

    def _found(self, text: str) -> list[tuple[tuple[int, int], str]]:
        """Spans and names, in order; a folded text has the very length of its original."""
        names = self._names
        return [] if names is None else [(one.span(), one[0]) for one in names.finditer(fold_text(text))]

    def _reworded(self, clause: str, named: list[tuple[tuple[int, int], str]]) -> str:
        for (start, end), name in reversed(named):
            if name in self._hidden:
                clause = clause[:start] + ANOTHER + clause[end:]
        return clause
