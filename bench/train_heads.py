"""Train the heads of `domain/offline/heads` on labelled utterances, and say how well they do on unseen ones.

    python -m bench.train_heads SITE_PACKAGES_WITH_SCIKIT_LEARN [--files FILE...] [--unseen FILE...] [--write]

scikit-learn is needed to train and not to run: `requirements/heads.lock` goes into an environment of its own
(`make train-heads`). Without --files: our own utterances, never the developer file, so that both it and files from
elsewhere stay unseen. Prints a JSON line a head: figures over five folds of the training cases, and over --unseen.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.evaluation.cases import read_extraction_cases, read_records
from app.evaluation.extraction_suite import memory_of, utterance_of
from app.evaluation.scoring.extraction import compare
from app.evaluation.scoring.text import contains
from domain.offline.extractor import extract
from domain.offline.extractor.reading import Reading, Scene
from domain.offline.extractor.scenes import read_scene
from domain.offline.extractor.second_look import clause_of, message_of
from domain.offline.heads.ngrams import LONGEST_FOR_TOPIC, LONGEST_IN_CLAUSE, LONGEST_IN_MESSAGE, ngrams
from domain.offline.heads.table import TABLE
from domain.pet_profiles import Utterance
from memory.text_folding import fold_text

OWN = [Path(f"tests/evaluation/extraction_own{part}.jsonl") for part in ("", "_2", "_5")]
SEEN_OFTEN = 3  # runs of letters in fewer texts teach nothing
FEWEST_OF_A_LABEL = 12
STRENGTH = 20.0  # inverse regularisation, from trying 5 to 100
FOLDS = 5
LEFT_OPEN = "left open"  # what the labels call optional teaches nothing
MESSAGE_SHARE = 0.7  # how much the message counts beside the clause


@dataclass(frozen=True)
class Clause:
    """One clause of a case. about: topic/class of the fact that it tells, None when it tells none."""

    case: int
    text: str
    about: str | None


@dataclass(frozen=True)
class Corpus:
    messages: list[str]
    nothing: list[bool]
    clauses: list[Clause]


def corpus_of(files: Sequence[Path]) -> Corpus:
    """Clauses as the extractor cuts them, each with the fact that it is the one to tell of."""
    found = Corpus([], [], [])
    for file in files:
        for case, record in zip(read_extraction_cases(file), read_records(file), strict=True):
            utterance = utterance_of(case)
            scene = read_scene(utterance, fold_text(utterance.text))
            told = _told_by(record, utterance, scene)
            for reading in scene.readings:
                if (about := told.get(reading.place)) != LEFT_OPEN:
                    found.clauses.append(Clause(len(found.messages), clause_of(reading, scene), about))
            found.messages.append(message_of(scene))
            found.nothing.append(not record["expect"]["facts"])
    return found


def _told_by(record: dict[str, Any], utterance: Utterance, scene: Scene) -> dict[int, str]:
    """Place of a clause -> topic/class of its fact, LEFT_OPEN where it may be kept or not.

    A fact that the rules found belongs to the clause they found it in, any other to the first clause that holds all
    that it must include: a clause that only repeats a fact, or holds a part of it, tells nothing.
    """
    claims = extract(utterance).claims
    compared = compare(record, {"memories": [memory_of(claim) for claim in claims]})
    told: dict[int, str] = {}
    for place, claim in enumerate(claims):
        if place in compared.paired:
            told.update(dict.fromkeys(_places(scene, claim.evidence.start, claim.evidence.end), LEFT_OPEN))
    for place, entry in enumerate(compared.facts):
        if place in compared.matched:
            evidence = claims[compared.matched[place]].evidence
            places = _places(scene, evidence.start, evidence.end)
        else:
            places = [reading.place for reading in scene.readings if _tells(_said(reading, utterance), entry)][:1]
        told.update(dict.fromkeys(places, f"{entry['topic']}/{entry['kind']}"))
    return told


def _places(scene: Scene, start: int, end: int) -> list[int]:
    return [
        reading.place
        for reading in scene.readings
        if reading.start < end and start < max(reading.end, reading.start + 1)
    ]


def _said(reading: Reading, utterance: Utterance) -> str:
    return utterance.text[reading.start : max(reading.end, reading.about.end)]


def _tells(said: str, entry: dict[str, Any]) -> bool:
    return all(any(contains(word, said) for word in item.split("|")) for item in entry["must_include"])


class Features:
    """Runs of letters of texts as rows of a sparse matrix: rarity over the length of the row, as at run time."""

    def __init__(self, texts: Sequence[str], longest: int) -> None:
        self.longest = longest
        counted = Counter(run for text in texts for run in ngrams(text, longest))
        kept = sorted(run for run, count in counted.items() if count >= SEEN_OFTEN)
        self.place = {run: place for place, run in enumerate(kept)}
        self.rarity = [round(1 + math.log((1 + len(texts)) / (1 + counted[run])), 3) for run in kept]

    def rows(self, texts: Sequence[str], share: float = 1.0) -> Any:
        from scipy.sparse import csr_matrix

        data, rows, columns = [], [], []
        for row, text in enumerate(texts):
            known = [self.place[run] for run in ngrams(text, self.longest) if run in self.place]
            length = math.sqrt(sum(self.rarity[place] ** 2 for place in known)) or 1.0
            rows += [row] * len(known)
            columns += known
            data += [share * self.rarity[place] / length for place in known]
        return csr_matrix((data, (rows, columns)), shape=(len(texts), len(self.place)))


@dataclass
class Trained:
    message: Features
    clause: Features
    topic: Features
    nothing: Any
    keep: Any
    about: Any

    def likely_nothing(self, messages: Sequence[str]) -> Any:
        return self.nothing.predict_proba(self.message.rows(messages))[:, 1]

    def likely_kept(self, corpus: Corpus) -> Any:
        return self.keep.predict_proba(_both(self.message, self.clause, corpus))[:, 1]


def _both(message: Features, clause: Features, corpus: Corpus) -> Any:
    from scipy.sparse import hstack

    of_message = message.rows(corpus.messages, MESSAGE_SHARE)[[clause.case for clause in corpus.clauses]]
    return hstack([clause.rows([one.text for one in corpus.clauses]), of_message]).tocsr()


def train(corpus: Corpus) -> Trained:
    """All heads on a corpus."""
    from sklearn.linear_model import LogisticRegression

    message = Features(corpus.messages, LONGEST_IN_MESSAGE)
    clause = Features([one.text for one in corpus.clauses], LONGEST_IN_CLAUSE)
    nothing = LogisticRegression(C=STRENGTH, max_iter=4000).fit(message.rows(corpus.messages), corpus.nothing)
    keep = LogisticRegression(C=STRENGTH, max_iter=4000).fit(
        _both(message, clause, corpus), [one.about is not None for one in corpus.clauses]
    )
    common = Counter(one.about for one in corpus.clauses if one.about)
    telling = [one for one in corpus.clauses if one.about and common[one.about] >= FEWEST_OF_A_LABEL]
    topic = Features([one.text for one in telling], LONGEST_FOR_TOPIC)
    about = LogisticRegression(C=STRENGTH, max_iter=4000).fit(
        topic.rows([one.text for one in telling]), [one.about for one in telling]
    )
    return Trained(message, clause, topic, nothing, keep, about)


def table_of(trained: Trained) -> dict[str, Any]:
    """The weights as `table.load_heads` reads them."""
    split = len(trained.clause.place)
    keep = trained.keep.coef_[0]
    of_message = [keep[split:] * MESSAGE_SHARE]
    return {
        "message": _columns(trained.message, [trained.nothing.coef_[0], *of_message]),
        "clause": _columns(trained.clause, [keep[:split]]),
        "topics": _columns(trained.topic, list(trained.about.coef_)),
        "labels": [str(label) for label in trained.about.classes_],
        "offsets": {"nothing": float(trained.nothing.intercept_[0]), "keep": float(trained.keep.intercept_[0])},
        "label_offsets": [round(float(offset), 3) for offset in trained.about.intercept_],
    }


def _columns(features: Features, heads: Sequence[Any]) -> dict[str, list[float]]:
    return {
        run: [features.rarity[place], *(round(float(head[place]), 2) for head in heads)]
        for run, place in features.place.items()
    }


def figures(trained: Trained, corpus: Corpus) -> Iterator[dict[str, object]]:
    """How the heads do on a corpus: right in all, and at the thresholds that the second look uses."""
    from domain.offline.extractor.second_look import KEPT_FROM, NOTHING_FROM

    nothing = trained.likely_nothing(corpus.messages)
    said = list(zip(nothing, corpus.nothing, strict=True))
    yield {
        "head": "nothing",
        "messages": len(said),
        "right": _share([(likely > 0.5) == truly for likely, truly in said]),
        "found": _share([likely > NOTHING_FROM for likely, truly in said if truly]),
        "false": _share([likely > NOTHING_FROM for likely, truly in said if not truly]),
    }
    kept = list(zip(trained.likely_kept(corpus), corpus.clauses, strict=True))
    yield {
        "head": "keep",
        "clauses": len(kept),
        "right": _share([(likely > 0.5) == (clause.about is not None) for likely, clause in kept]),
        "found": _share([likely > KEPT_FROM for likely, clause in kept if clause.about]),
        "false": _share([likely > KEPT_FROM for likely, clause in kept if not clause.about]),
    }
    telling = [clause for clause in corpus.clauses if clause.about]
    guessed = trained.about.predict(trained.topic.rows([clause.text for clause in telling]))
    pairs = [
        (clause.about.partition("/"), guess.partition("/"))
        for clause, guess in zip(telling, guessed, strict=True)
        if clause.about
    ]
    yield {
        "head": "topic",
        "clauses": len(pairs),
        "topic": _share([said[0] == guess[0] for said, guess in pairs]),
        "class": _share([said[2] == guess[2] for said, guess in pairs]),
    }


def _share(hits: Sequence[bool]) -> float:
    return round(sum(map(bool, hits)) / max(1, len(hits)), 3)


def folds(corpus: Corpus) -> Iterator[tuple[Corpus, Corpus]]:
    """Training and unseen part, five times, whole cases on one side."""
    for fold in range(FOLDS):
        yield (
            _part(corpus, lambda case, fold=fold: case % FOLDS != fold),
            _part(corpus, lambda case, fold=fold: case % FOLDS == fold),
        )


def _part(corpus: Corpus, takes: Any) -> Corpus:
    places = {case: place for place, case in enumerate(case for case in range(len(corpus.messages)) if takes(case))}
    return Corpus(
        [corpus.messages[case] for case in places],
        [corpus.nothing[case] for case in places],
        [Clause(places[one.case], one.text, one.about) for one in corpus.clauses if one.case in places],
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("site_packages")
    parser.add_argument("--files", nargs="+", type=Path, default=OWN)
    parser.add_argument("--unseen", nargs="*", type=Path, default=[])
    parser.add_argument("--write", action="store_true")
    told = parser.parse_args()
    sys.path.append(told.site_packages)
    corpus = corpus_of(told.files)
    for seen, held in folds(corpus):
        for line in figures(train(seen), held):
            print(json.dumps({"part": "fold", **line}))
    trained = train(corpus)
    if told.unseen:
        for line in figures(trained, corpus_of(told.unseen)):
            print(json.dumps({"part": "unseen", **line}))
    if told.write:
        TABLE.write_text(json.dumps(table_of(trained), ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
