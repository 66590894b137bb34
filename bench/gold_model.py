"""A model that knows the gold of the extraction file: it answers it, or invents beside it, or mixes up the pets."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any, Literal

from app.adapters.quoting import plain
from app.evaluation.cases import ExtractionCase
from app.evaluation.scoring import Record
from memory.numerals import numbers_in
from memory.text_folding import fold_text
from tests.fakes.model_server import Asked, Reply

Manner = Literal["perfect", "inventing", "wrong_pet"]

INVENTED_SHARE = 0.2  # of all facts told in the manner "inventing"
INVENTED = (
    ("allergy", "对虾过敏", "虾"),
    ("condition", "查出心肌肥厚", "心肌肥厚"),
    ("medication", "在吃阿莫西林", "阿莫西林"),
    ("symptom", "咳嗽三天了", "咳嗽"),
    ("weight", "现在7.7公斤", ""),
    ("vaccine", "打了猫三联", "猫三联"),
    ("diet", "爱吃南瓜", "南瓜"),
    ("visit", "做了腹部B超", ""),
)
_KINDS = {"chronic_condition": "condition", "diet_preference": "diet", "preference": "owner", "contact": "owner"}
_KINDS |= {"schedule": "activity", "other": "activity"}
_SENTENCE = re.compile(r"[^，。！？!?,；;\s]+")
_PLACE = re.compile(r"(\d+)\. 「(.*)」$", re.M)


class GoldModel:
    """Answers requests of `OpenAIFactReader` about messages of the file. Seeded: the same run says the same."""

    def __init__(self, gold: list[Record], cases: list[ExtractionCase], manner: Manner, seed: int = 7) -> None:
        self._cases = {case.text[:60]: (case, record) for case, record in zip(cases, gold, strict=True)}
        self._manner = manner
        self._random = random.Random(seed)  # an evaluation that repeats
        self.told = 0
        self.invented = 0

    def answer(self, asked: Asked) -> Reply:
        """The facts of every message in the request."""
        facts = [
            {**fact, "message": int(place)}
            for place, text in _PLACE.findall(asked.last)
            if (case := self._case(text)) is not None
            for fact in self._facts(*case)
        ]
        return Reply(json.dumps({"facts": facts}, ensure_ascii=False), usage=False)  # tokens by our own counter

    def _case(self, text: str) -> tuple[ExtractionCase, Record] | None:
        return next((both for head, both in self._cases.items() if text[:20] == _plain(head)[:20]), None)

    def _facts(self, case: ExtractionCase, record: Record) -> Iterator[dict[str, Any]]:
        for gold in record["expect"]["facts"]:
            fact = _fact_of(case.text, gold)
            if self._manner == "wrong_pet":
                fact["about"] = next((pet.name for pet in case.pets if pet.name != gold["subject"]), fact["about"])
            self.told += 1
            yield fact
        wanted = INVENTED_SHARE / (1 - INVENTED_SHARE) * max(1, len(record["expect"]["facts"]))
        if self._manner == "inventing" and case.pets:
            for _ in range(int(wanted) + (self._random.random() < wanted % 1)):
                self.told, self.invented = self.told + 1, self.invented + 1
                yield self._invented(case)

    def _invented(self, case: ExtractionCase) -> dict[str, Any]:
        """A fact that nobody told: half of them with a quote of its own, half hung on words of the message."""
        kind, words, name = self._random.choice(INVENTED)
        quote = words
        if self._random.random() < 0.5:  # hung on words that say something else
            quote = self._random.choice(_SENTENCE.findall(case.text) or [words])
        about = self._random.choice(case.pets).name
        number = 7.7 if kind == "weight" else None
        return {"about": about, "kind": kind, "quote": quote, "name": name, "number": number, "negated": False}


def _plain(text: str) -> str:
    return plain(text, len(text))


def _fact_of(text: str, gold: Record) -> dict[str, Any]:
    quote, name = _quote(text, gold["must_include"])
    number = gold.get("value", {}).get("number") if gold["kind"] == "weight" else None
    if number is not None and number not in numbers_in(fold_text(quote)):
        number = next(iter(sorted(numbers_in(fold_text(quote)))), None)  # 六公斤一: as it is written
    return {
        "about": "主人" if gold["subject"] == "owner" else gold["subject"],
        "kind": "owner" if gold["subject"] == "owner" else _KINDS.get(gold["kind"], gold["kind"]),
        "quote": quote,
        "name": name,
        "number": number,
        "negated": bool(gold.get("negated")),
    }


def _quote(text: str, items: list[str]) -> tuple[str, str]:
    """The shortest run of clauses that holds a form of each item, and the first item's form."""
    clauses = list(_SENTENCE.finditer(text))
    spans = [
        text[first.start() : last.end()]
        for place, first in enumerate(clauses)
        for last in clauses[place:]
        if all(_form(text[first.start() : last.end()], item) for item in items)
    ]
    quote = min(spans, key=len, default=clauses[0][0] if clauses else text)
    return quote, next((form for item in items if (form := _form(quote, item))), "")


def _form(text: str, item: str) -> str:
    return next((form for form in item.split("|") if fold_text(form) in fold_text(text)), "")
