"""Words of a text as search sees them, and the BM25 score of a text for a question. Pure.

Chinese has no spaces and a dictionary always lacks the next pet food, so a run of Chinese characters becomes its
single characters and its neighbouring pairs (豆豆吐了 → 豆, 豆, 吐, 了, 豆豆, 豆吐, 吐了): a two-character word is
always found, a one-character word too. Latin and number runs stay whole (S100, 4.2) and are also cut where letters
meet digits (100ml → 100ml, 100, ml).

Tokens hold letters and digits only, so SQLite's FTS5 `unicode61` and PostgreSQL's `array_to_tsvector` store them as
they are. The database finds candidates; the score is computed here, so both databases rank alike.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memory.text_folding import fold_text

BM25_K1 = 1.2  # saturation of repeated words: the usual value; memory lines hardly repeat a word
BM25_B = 0.75  # how much a long line is held against it: the usual value
SINGLE_CHARACTER_WEIGHT = 0.3  # of a pair: 猫 says less than 猫砂, but must be findable
EMPTY_CHARACTERS = frozenset(
    "的了是在有和就都也很还吗呢吧啊么呀哦不没这那哪它他她我你们个只次会要能可以到给把被让啥什怎样多少几"
)
DECIMAL_POINT = "点"  # "4.2" → "4点2": `unicode61` would cut at a point

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\U00020000-\U0003ffff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:\.[0-9]+)*")
_PART = re.compile(r"[0-9]+(?:\.[0-9]+)*|[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class DocTokens:
    """One searchable line: how often each token stands in it. `length` counts tokens, repeats included."""

    id: str
    counts: Mapping[str, int]
    length: int


@dataclass(frozen=True, slots=True)
class CorpusStats:
    """What BM25 must know of all lines of one household. `document_frequency` holds at least the asked tokens."""

    document_count: int
    average_length: float
    document_frequency: Mapping[str, int]


def tokenize(text: str) -> list[str]:
    """Tokens of `text` in reading order, repeats kept; [] for text without a letter or digit."""
    tokens: list[str] = []
    for run in _RUN.findall(_fold(text)):
        if run[0].isascii() or not _is_cjk(run[0]):
            tokens.extend(_word_tokens(run))
        elif run.isalnum():  # the ranges hold code points that are not assigned yet
            tokens.extend(run)
            tokens.extend(run[i : i + 2] for i in range(len(run) - 1))
    return tokens


def word_runs(folded: str) -> list[str]:
    """The runs of Chinese characters and the words of letters and digits of a folded text, in order."""
    return _RUN.findall(folded)


def query_tokens(text: str) -> dict[str, float]:
    """Tokens to look for, with their weight: a pair or a word counts full, a single character little, and characters
    that stand in every other sentence not at all."""
    tokens = dict.fromkeys(tokenize(text), 1.0)
    return {
        token: SINGLE_CHARACTER_WEIGHT if len(token) == 1 else weight
        for token, weight in tokens.items()
        if not EMPTY_CHARACTERS.issuperset(token)
    }


def token_text(text: str) -> str:
    """Tokens of `text` joined by spaces: what an FTS5 table stores."""
    return " ".join(tokenize(text))


def doc_tokens(doc_id: str, tokens: Sequence[str]) -> DocTokens:
    """The counted form of one line's tokens."""
    return DocTokens(doc_id, Counter(tokens), len(tokens))


def corpus_stats(docs: Sequence[DocTokens], document_count: int | None = None) -> CorpusStats:
    """Stats over `docs`.

    Candidates found by "any token matches" hold every line that has an asked token, so counting them is exact for
    the asked tokens; `document_count` is then the number of all lines of the household.
    """
    frequency: Counter[str] = Counter()
    for doc in docs:
        frequency.update(doc.counts.keys())
    average = sum(doc.length for doc in docs) / len(docs) if docs else 0.0
    return CorpusStats(max(document_count or 0, len(docs)), average, frequency)


def bm25_scores(
    query: Mapping[str, float] | Iterable[str], docs: Sequence[DocTokens], corpus: CorpusStats
) -> dict[str, float]:
    """BM25 of each doc that shares a token with the query, by doc id (Robertson and Zaragoza 2009, Lucene's idf).

    query: tokens, or tokens with a weight each (synonyms weigh less than the owner's own word).
    """
    weights = query if isinstance(query, Mapping) else dict.fromkeys(query, 1.0)
    gains = {token: weight * _idf(corpus, token) * (BM25_K1 + 1) for token, weight in weights.items()}
    per_token = BM25_K1 * BM25_B / corpus.average_length if corpus.average_length else 0.0
    scores: dict[str, float] = {}
    for doc in docs:
        shared = gains.keys() & doc.counts.keys()
        if shared:
            norm = BM25_K1 * (1 - BM25_B) + per_token * doc.length
            counts = doc.counts
            scores[doc.id] = sum(gains[token] * counts[token] / (counts[token] + norm) for token in shared)
    return scores


def _idf(corpus: CorpusStats, token: str) -> float:
    frequency = corpus.document_frequency.get(token, 0)
    return math.log(1 + (corpus.document_count - frequency + 0.5) / (frequency + 0.5))


def _word_tokens(run: str) -> list[str]:
    parts = [part for part in _PART.findall(run) if part != run]
    return [_stored(token) for token in (run, *parts)]


def _stored(token: str) -> str:
    return token.replace(".", DECIMAL_POINT)


def _is_cjk(character: str) -> bool:
    return re.match(f"[{_CJK}]", character) is not None


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    folded = fold_text(unicodedata.normalize("NFKC", text)).casefold()
    decomposed = unicodedata.normalize("NFD", folded)  # unicode61 drops accents, so must the other database
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))
