"""A model's words as they stream, turned into sentences that may be reviewed: cut, cleaned, their citations taken out.

Pure. What is wrong with an answer as a whole (another language, no end, the same sentence again and again, a refusal in
words) is noticed here, too.
"""

import re
from dataclasses import dataclass

from memory.text_folding import fold_text

MOST_ANSWER_CHARS = 1500  # of one answer; more than a phone's owner reads
LONGEST_SENTENCE = 160  # characters; a longer one is cut at a comma so that it can be shown
MOST_REPEATS = 2  # sentences that were told before; then no more is heard
CHINESE_A_WORD = 2  # characters for each foreign word: a product's name stands in a sentence, not alone
LEAST_PARROTED = 8  # letters; a shorter message may be a greeting
SHORT_LATIN = 12  # letters; "OK" and "Royal Canin" are no other language

_END = re.compile(r"[。！？!?；;…]+[”’」』）)]*(?:\s*[\[【（(]\s*m\d[^\]】）)]{0,40}[\]】）)])*|\n+")
_COMMA = re.compile(r"[，,、：:]")
_CITED = re.compile(r"[\[【（(〔]\s*((?:m\d+)(?:\s*[,，、;；和]?\s*m\d+)*)\s*[\]】）)〕]", re.IGNORECASE)
_HALF_CITED = re.compile(r"[\[【〔]\s*m\d*(?:\s*[,，、]\s*m\d*)*\s*$|[\[【〔]\s*$", re.IGNORECASE)
_ID = re.compile(r"m\d+", re.IGNORECASE)
_SPECIAL = re.compile(r"<\|[^|<>]{0,40}\|>|<\|>?|\|>|</?(?:tool_call|tool_response|s|answer|(?:start|end)_of_turn)>")
_SPEAKER = re.compile(r"^[-\s]*(?:助手|assistant|AI)\s*[:：]\s*", re.IGNORECASE)
_LOOP = re.compile(r"(.{4,30}?)\1{3,}")
_MARKDOWN = re.compile(r"\*\*|__|^#{1,6}\s*|^>\s*|`{1,3}", re.MULTILINE)
_OWN_QUOTES = str.maketrans({"「": "“", "」": "”"})
_THOUGHT = ("<think>", "</think>")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_FOREIGN_WORD = re.compile(r"[^\W\d_\u4e00-\u9fff]{2,}")
_LETTER = re.compile(r"[^\W\d_]")
_HEADING = re.compile(r"[-\s]*[【〔][^】〕]{0,20}[】〕][-：:\s]*")
_REFUSES = re.compile(
    r"^(?:非常|很|十分)?(?:抱歉|对不起|不好意思)[，,]?[^。！]{0,12}(?:无法|不能|没办法|没法)(?:继续)?(?:回答|提供|协助|帮助|帮你|处理|讨论|满足|生成)"
    r"|^作为(?:一个|一名)?(?:AI|人工智能|语言模型)[^。]{0,20}(?:无法|不能|没有办法)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence without marks. cited: the short ids it named, in order."""

    text: str
    cited: tuple[str, ...] = ()


class SentenceCutter:
    """Cuts a stream at sentence ends the moment they come; what a model thinks aloud is left out.

    A citation behind the full stop comes too late for its sentence, which has been told: the next one carries it.
    """

    def __init__(self) -> None:
        self._waiting = ""
        self._held = ""  # what may be the beginning of a tag
        self._thinking = False
        self._cited: tuple[str, ...] = ()

    def add(self, text: str) -> list[Sentence]:
        """The sentences that are whole by now."""
        self._waiting += self._spoken(text)
        return [sentence for part in iter(self._next, None) if (sentence := self._sentence(part)) is not None]

    def rest(self) -> Sentence | None:
        """What is left at the end, whole or not; a sentence without words when only citations are left."""
        rest = self._waiting + ("" if self._thinking else self._held)
        self._waiting = self._held = ""
        last = self._sentence(_HALF_CITED.sub("", rest))
        return last or (Sentence("", self._cited) if self._cited else None)

    def _sentence(self, part: str) -> Sentence | None:
        text, cited = cleaned(part)
        self._cited = tuple(dict.fromkeys((*self._cited, *cited)))
        if not re.search(r"\w", text):
            return None
        cited, self._cited = self._cited, ()
        return Sentence(text, cited)

    def _next(self) -> str | None:
        end = _END.search(self._waiting)
        place = end.end() if end else self._comma()
        if place is None:
            return None
        part, self._waiting = self._waiting[:place], self._waiting[place:]
        return part

    def _comma(self) -> int | None:
        if len(self._waiting) < LONGEST_SENTENCE:
            return None
        commas = [found.end() for found in _COMMA.finditer(self._waiting, LONGEST_SENTENCE // 2)]
        return commas[-1] if commas else LONGEST_SENTENCE

    def _spoken(self, text: str) -> str:
        """The text outside of thoughts; what may become a tag waits for its next letter."""
        left, spoken = self._held + text, ""
        while True:
            tag = _THOUGHT[self._thinking]
            before, found, after = left.partition(tag)
            begun = 0 if found else _begun(left, tag)
            self._held = left[len(left) - begun :]
            if not self._thinking:
                spoken += before if found else left[: len(left) - begun]
            if not found:
                return spoken
            self._thinking, left = not self._thinking, after


def _begun(text: str, tag: str) -> int:
    """How many characters at the end of the text may be the beginning of the tag."""
    return next((size for size in range(len(tag) - 1, 0, -1) if text.endswith(tag[:size])), 0)


def cleaned(part: str) -> tuple[str, tuple[str, ...]]:
    """The words without citations, template marks and Markdown, in simplified characters, and the ids cited."""
    cited = tuple(found.lower() for group in _CITED.finditer(part) for found in _ID.findall(group[1]))
    text = _MARKDOWN.sub("", _SPECIAL.sub("", _CITED.sub("", part))).translate(_OWN_QUOTES)
    text = _SPEAKER.sub("", text)
    return simplified(re.sub(r"[ \t]+(?=[，。！？；])", "", text)), tuple(dict.fromkeys(cited))


def simplified(text: str) -> str:
    """Traditional characters as simplified ones; width and case stay as they were."""
    folded = fold_text(text)
    return "".join(new if "\u4e00" <= old <= "\u9fff" else old for old, new in zip(text, folded, strict=True))


def is_other_language(text: str) -> bool:
    """Whether a sentence is not Chinese: Latin words in it are fine, a sentence of them is not."""
    letters = len(_LETTER.findall(text))
    if _KANA.search(text) and len(_KANA.findall(text)) > letters * 0.2:
        return True
    return letters > SHORT_LATIN and len(_CHINESE.findall(text)) < CHINESE_A_WORD * len(_FOREIGN_WORD.findall(text))


def is_small_noise(text: str) -> bool:
    """Whether a sentence is a word or two of another language (Sure!), which is left out and says nothing more."""
    letters = len(_LETTER.findall(text))
    return 2 < letters <= SHORT_LATIN and not _CHINESE.search(text)


def is_heading(text: str) -> bool:
    """Whether a line is a head in brackets and says nothing itself: 【回答】"""
    return _HEADING.fullmatch(text.strip()) is not None


def is_parroted(text: str, asked: str) -> bool:
    """Whether a sentence is the owner's whole message again; a greeting may come back as it was."""
    said = letters(text)
    return len(said) >= LEAST_PARROTED and said == letters(asked)


def is_looping(text: str) -> bool:
    """Whether one phrase comes again and again within a sentence."""
    return _LOOP.search(text) is not None


def letters(text: str) -> str:
    """The letters and digits alone, by which two sentences are the same."""
    return re.sub(r"[\W_]+", "", fold_text(text))


def is_refusal(text: str) -> bool:
    """Whether a first sentence says that nothing will be answered."""
    return _REFUSES.search(text.strip()) is not None
