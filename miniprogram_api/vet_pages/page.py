"""A record put into the page's templates: what stands on the first screen, what below, and where older rows are.

The first screen holds at most six rows a list and a count; everything below it at most a hundred rows of the last
twelve months. Whatever is older or does not fit is one link away.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from domain.due_dates import DueDate
from domain.vet_record import SECTION_OF_KIND, Row, VetRecord
from domain.vet_record_rows import YEAR, Wanted
from memory.scope import Scope
from miniprogram_api.vet_pages.weight_chart import chart_of
from miniprogram_api.vet_pages.words import Language, Words

FOLDER = Path(__file__).parent
FIRST_SCREEN = 6  # rows of a list that stand beside five others on 1,280 × 800 without scrolling
LIST_PAGE = 100  # rows of a page of older ones
MOST: Mapping[str, int] = {
    "visits": 12,
    "vaccinations": 10,
    "dewormings": 10,
    "weights": 10,
    "diets": 8,
    "observations": 25,
    "medications": 15,
}
"""Rows below the first screen, ninety in all."""

TIMELINE = ("observations", "medications")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for: the language, a filter of the timeline, or one kind's whole list and its page."""

    language: Language = "zh"
    show: str = "all"
    list_of: str | None = None
    page: int = 1
    sent: bool = False

    @property
    def lang_part(self) -> str:
        """The language as a part of an address; nothing for Chinese."""
        return "&lang=en" if self.language == "en" else ""


def asked_of(query: Mapping[str, str]) -> Asked:
    """The address's query; what makes no sense is left out rather than refused."""
    kind, page = query.get("list", ""), query.get("page", "1")
    return Asked(
        language="en" if query.get("lang") == "en" else "zh",
        show=query["show"] if query.get("show") in TIMELINE else "all",
        list_of=kind if kind in SECTION_OF_KIND else None,
        page=min(1000, max(1, int(page))) if page.isascii() and page.isdecimal() and len(page) < 6 else 1,
        sent=query.get("note") == "sent",
    )


def wanted_of(asked: Asked, now: datetime) -> dict[str, Wanted]:
    """Which histories the page needs."""
    if asked.list_of:
        return {asked.list_of: Wanted(LIST_PAGE, (asked.page - 1) * LIST_PAGE)}
    since = now - YEAR
    return {kind: Wanted(most, since=since) for kind, most in MOST.items()}


def render_record(record: VetRecord, asked: Asked, scope: Scope, path: str, producer: str, *, needs_code: bool) -> str:
    """The summary, or the list that was asked for, as HTML. path: of the record itself.

    producer: who answers for generated words.
    """
    words = Words(asked.language)
    told = {"record": record, "w": words, "asked": asked, "opened_at": scope.local(record.made_at), "here": path}
    told["ai_label"] = record.ai_label(words.ai_lines, producer)
    if asked.list_of:
        rows = record.history.get(asked.list_of, ())
        total = record.counts.get(asked.list_of, 0)
        more = asked.page * LIST_PAGE < total
        return _template("list.html").render(told, rows=rows, total=total, has_older=more, kind=asked.list_of)
    return _template("record.html").render(
        told,
        cards=_cards(record),
        sections=_sections(record),
        timeline=_timeline(record, asked.show),
        due=[(one, _due_state(one)) for one in record.due],
        chart=chart_of(record.weight_curve),
        most=FIRST_SCREEN,
        needs_code=needs_code,
    )


def render_message(language: Language, title: str, text: str, template: str = "message.html", **more: Any) -> str:
    """A page without a record."""
    return _template(template).render(w=Words(language), title=title, text=text, asked=Asked(language), **more)


@dataclass(frozen=True, slots=True)
class Card:
    """One list of the first screen. section: the part of the share it belongs to; kind: where the rest is."""

    name: str
    section: str
    rows: Sequence[Row]
    kind: str
    empty: str = "none_recorded"


def _cards(record: VetRecord) -> list[Card]:
    known = "no_known_allergies" if record.no_known_allergies else "not_asked"
    return [
        Card("allergies", "alerts", record.current.get("allergies", ()), "allergies", known),
        Card("medications", "medications", record.current.get("medications", ()), "medications"),
        Card("conditions", "conditions", record.current.get("conditions", ()), "conditions"),
        Card("red_flags", "alerts", record.red_flags, "observations"),
    ]


def _sections(record: VetRecord) -> list[tuple[str, str, Sequence[Row]]]:
    """Kind, section and rows of everything below the first screen but the timeline."""
    kinds = ("vaccinations", "dewormings", "weights", "visits", "diets")
    return [(kind, SECTION_OF_KIND[kind], record.history.get(kind, ())[: MOST[kind]]) for kind in kinds]


def _timeline(record: VetRecord, show: str) -> list[Row]:
    kinds = TIMELINE if show == "all" else (show,)
    rows = [row for kind in kinds for row in record.history.get(kind, ())]
    return sorted(rows, key=lambda row: (row.on or row.recorded_on, row.id), reverse=True)


def _due_state(due: DueDate) -> str:
    if not due.has_a_day:
        return "ask_vet"
    return {"overdue": "overdue", "due": "due_soon", "upcoming": "upcoming"}[due.status]


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _template(name: str) -> Template:
    return _environment().get_template(name)
