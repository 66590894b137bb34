"""Is a claim the owner's own? Its quote, key words, numbers, days and names must stand in what the owner wrote.

Rules and models may only report: whatever a claim adds to the message is invented, and the claim is refused. Numbers
are compared as numbers (六公斤一 is 6.1), words after folding width, case and traditional characters.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from memory.claims import Claim, Refusal
from memory.numerals import numbers_in
from memory.text_folding import fold_text

MIN_OWN_CHARACTERS = (
    0.7  # share of a line's Chinese characters that the message must hold; the rest is glue (在用, 体重)
)
WORD_KEYS = ("product", "food", "substance_name", "dose_text", "frequency_text", "text")
"""Keys of a claim's value whose text is the owner's word, not an id or a label of ours."""

_GLUE = frozenset("的了是在有和对吃用打做过也都很为被给把到每天次主人未说明哪只约已现体重目标不没错")


def ground(
    claim: Claim,
    message_text: str,
    *,
    asked: str = "",
    before: str = "",
    subject_names: Collection[str] = (),
    other_names: Collection[str] = (),
    dates: Collection[date] | None = None,
) -> Refusal | None:
    """None when the claim stands on the message, else why it does not.

    asked: the assistant's question that the message answers; its words may stand in the claim, its numbers may not.
    before: the owner's own earlier words, where the claim puts them right; only its quote must stand in the message.
    subject_names: names of the claim's subject, which a line may add. other_names: names that must have been written.
    dates: the days the message names or implies; None when the caller cannot read dates.
    """
    message = fold_text(f"{message_text}\n{before}") if before else fold_text(message_text)
    words = message + fold_text(asked)
    reason = (
        _unquoted(claim, fold_text(message_text))
        or _invented_number(claim, message, subject_names)
        or _foreign_name(claim, message, other_names)
        or _invented_word(claim, words)
        or _invented_day(claim, dates)
        or _too_free(claim, words, subject_names)
    )
    return Refusal(reason, claim.evidence.quote or claim.content) if reason else None


def _unquoted(claim: Claim, message: str) -> str:
    quote = fold_text(claim.evidence.quote).strip()
    return "" if quote and quote in message else "quote not in the message"


def _invented_number(claim: Claim, message: str, subject_names: Iterable[str]) -> str:
    said = numbers_in(message) | numbers_in(_without(message, subject_names))  # 九点四喜洗牙: nine, not 9.4
    for text in (_without(fold_text(claim.content), subject_names), *_texts(claim.value)):
        if any(not _is_said(number, said) for number in numbers_in(fold_text(text))):
            return "number not in the message"
    number = claim.value.get("number")
    if isinstance(number, int | float) and not _is_said(float(number), said):
        return "number not in the message"
    return ""


def _is_said(number: float, said: set[float]) -> bool:
    return number in said or any(abs(number - other) < 1e-6 for other in said)


def _texts(value: Mapping[str, Any]) -> Iterator[str]:
    return (text for key in WORD_KEYS if isinstance(text := value.get(key), str))


def _invented_word(claim: Claim, words: str) -> str:
    bare = "".join(words.split())
    for text in _texts(claim.value):
        if "".join(fold_text(text).split()) not in bare:
            return "word not in the message"
    return ""


def _foreign_name(claim: Claim, message: str, other_names: Iterable[str]) -> str:
    content = fold_text(claim.content)
    for name in map(fold_text, other_names):
        if name and name in content and name not in message:
            return "name not in the message"
    return ""


def _invented_day(claim: Claim, dates: Collection[date] | None) -> str:
    if claim.occurred_on is None or dates is None or claim.occurred_on in dates:
        return ""
    return "day not in the message"


def _too_free(claim: Claim, words: str, subject_names: Iterable[str]) -> str:
    """A line whose words are mostly not the owner's is a paraphrase at best."""
    content = _without(fold_text(claim.content), subject_names)
    letters = [character for character in content if "\u4e00" <= character <= "\u9fff" and character not in _GLUE]
    own = sum(character in words for character in letters)
    return "line not in the owner's words" if letters and own < MIN_OWN_CHARACTERS * len(letters) else ""


def _without(folded: str, names: Iterable[str]) -> str:
    for name in sorted(map(fold_text, names), key=len, reverse=True):
        folded = folded.replace(name, " ") if name else folded
    return folded
