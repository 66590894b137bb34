"""An export as a folder of Markdown that a person likes to read. Pure: an export in, texts by path out.

`MEMORY.md` holds each pet's card and archives, `USER.md` the owner's own memories, `memory/YYYY-MM-DD.md` one day of
talk and what was learned that day (with a `.jsonl` of the same rows), `DREAMS.md` the diary of the nights. Each memory
ends with its id in an invisible comment, so that a folder edited by hand can be read back.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from domain.ai_labels import KEY
from domain.pet_profiles import SPECIES_LABELS
from domain.portability.exporting import Export
from memory.topics import LABELS, Topic
from memory.vocabulary import OWNER_SUBJECT, Tier

Row = Mapping[str, Any]

CARD, UNASSIGNED = "身份证", "还不清楚是谁的"
LIVING = frozenset({"active", "provisional", "candidate", "fading"})
STATUS_MARKS = {"provisional": "待确认", "candidate": "待观察", "fading": "快忘了"}
SPEAKERS = {"user": "我", "assistant": "宠爱信号（AI生成）"}
ID_MARK = "<!-- id:{id} -->"
SEXES = {"male": "公", "female": "母"}


def folder_of(export: Export) -> dict[str, str]:
    """Texts by path inside the folder."""
    zone = ZoneInfo(export["owners"][0]["timezone"])
    pages = {
        "MEMORY.md": _memory_page(export),
        "USER.md": _user_page(export),
        "DREAMS.md": _dream_page(export),
        **_day_pages(export, zone),
    }
    return {path: _labelled(text, export) for path, text in pages.items()} | _day_rows(export, zone)


def _metadata(export: Export) -> str:
    """The fields of the export's label, as one line of JSON for the metadata of a file."""
    return json.dumps({KEY: export["ai_label"][KEY]}, ensure_ascii=False)


def _labelled(page: str, export: Export) -> str:
    """A page with the label's line under its title and the label's fields in an invisible comment at its end."""
    title, _, rest = page.partition("\n")
    return f"{title}\n\n> {export['ai_label']['text']}\n{rest}\n<!-- {_metadata(export)} -->\n"


def line_of(memory: Row) -> str:
    """One memory as a list item."""
    mark = STATUS_MARKS.get(memory["status"])
    words = " ".join(str(memory["content"]).split())
    return f"- {words}{f'（{mark}）' if mark else ''} {ID_MARK.format(id=memory['id'])}"


def _memory_page(export: Export) -> str:
    parts = ["# 记忆"]
    for pet in export["pets"]:
        parts += [f"## {pet['name']}", _described(pet), *_sections(_of(export, pet["id"]))]
    loose = _of(export, None)
    if loose:
        parts += [f"## {UNASSIGNED}", "\n".join(map(line_of, loose))]
    return _joined(parts)


def _user_page(export: Export) -> str:
    owner = export["owners"][0]
    name = [f"- 昵称：{owner['nickname']}"] if owner["nickname"] else []
    return _joined(
        ["# 主人", "\n".join([*name, f"- 时区：{owner['timezone']}"]), *_sections(_of(export, OWNER_SUBJECT))]
    )


def _sections(memories: Sequence[Row]) -> list[str]:
    """The card first, then one archive a topic."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for memory in memories:
        core = memory["tier"] == Tier.CORE.value
        groups[CARD if core else LABELS[Topic(memory["topic"])]].append(memory)
    order = [CARD, *LABELS.values()]
    return [
        part for title in order if title in groups for part in (f"### {title}", "\n".join(map(line_of, groups[title])))
    ]


def _described(pet: Row) -> str:
    species = pet["species_name"] or SPECIES_LABELS.get(pet["species"], "")
    neutered = {True: "已绝育", False: "未绝育"}.get(pet["neutered"])
    born = f"{pet['born_on']} 出生" if pet["born_on"] else None
    also = f"也叫{'、'.join(pet['nicknames'])}" if pet["nicknames"] else None
    told = [species, pet["breed"], SEXES.get(pet["sex"]), neutered, born, also]
    return "，".join(part for part in told if part)


def _dream_page(export: Export) -> str:
    parts = ["# 整理日记"]
    for dream in reversed(export["dreams"]):
        lines = [f"- {line['text']}" for line in dream["lines"]]
        if lines:
            undone = "（已撤销）" if dream["undone_at"] else ""
            parts += [f"## {dream['night_on']}{undone}", "\n".join(lines)]
    return _joined(parts)


def _days(export: Export, zone: ZoneInfo) -> dict[str, tuple[list[Row], list[Row]]]:
    """By local day, oldest first: what was said, and what was learned."""
    days: dict[str, tuple[list[Row], list[Row]]] = defaultdict(lambda: ([], []))
    for message in export["messages"]:
        days[_day(message["said_at"], zone)][0].append(message)
    for memory in export["memories"]:
        days[_day(memory["learned_at"], zone)][1].append(memory)
    return dict(sorted(days.items()))


def _day_pages(export: Export, zone: ZoneInfo) -> dict[str, str]:
    days = _days(export, zone)
    return {f"memory/{day}.md": _day_page(day, said, learned, zone) for day, (said, learned) in days.items()}


def _day_rows(export: Export, zone: ZoneInfo) -> dict[str, str]:
    """The same days for programs, one row a line, the label first."""
    pages = {}
    for day, (said, learned) in _days(export, zone).items():
        rows = [("ai_label", export["ai_label"])]
        rows += [("message", row) for row in said] + [("memory", row) for row in learned]
        pages[f"memory/{day}.jsonl"] = "".join(
            json.dumps({"type": kind, **row}, ensure_ascii=False) + "\n" for kind, row in rows
        )
    return pages


def _day_page(day: str, said: Sequence[Row], learned: Sequence[Row], zone: ZoneInfo) -> str:
    talk = [
        f"- {_clock(row['said_at'], zone)} {SPEAKERS[row['role']]}：{' '.join(row['text'].split())}" for row in said
    ]
    parts = [f"# {day}"]
    if talk:
        parts += ["## 聊天", "\n".join(talk)]
    if learned:
        parts += ["## 记住了", "\n".join(map(line_of, learned))]
    return _joined(parts)


def _of(export: Export, subject: str | None) -> list[Row]:
    return [row for row in export["memories"] if row["subject"] == subject and row["status"] in LIVING]


def _day(at: str, zone: ZoneInfo) -> str:
    return datetime.fromisoformat(at).astimezone(zone).date().isoformat()


def _clock(at: str, zone: ZoneInfo) -> str:
    return datetime.fromisoformat(at).astimezone(zone).strftime("%H:%M")


def _joined(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n"
