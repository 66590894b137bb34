"""What an answer does, and what a lapse does not do."""

from datetime import UTC, date, datetime, timedelta

import pytest

from memory.conflict_policy import Closing
from memory.settlement import Answer, Asked, Settlement, has_lapsed, lapse, settle
from memory.vocabulary import ConfirmationKind, ConfirmationStatus, MemoryStatus

CHANGE = Asked(ConfirmationKind.CHANGE, "new", ("old",), date(2026, 5, 1))
DANGER = Asked(ConfirmationKind.NEW_DANGER, "new", ("old",))
MERGE = Asked(ConfirmationKind.MERGE, "new", ("old",))
IMPORT = Asked(ConfirmationKind.IMPORT, "new", ("old",))
S = ConfirmationStatus


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        (
            CHANGE,
            Answer.ACCEPT,
            Settlement(S.ACCEPTED, "new", (Closing("old", MemoryStatus.SUPERSEDED, date(2026, 5, 1)),)),
        ),
        (IMPORT, Answer.ACCEPT, Settlement(S.ACCEPTED, "new", (Closing("old", MemoryStatus.SUPERSEDED),))),
        (DANGER, Answer.ACCEPT, Settlement(S.ACCEPTED, "new")),
        (
            MERGE,
            Answer.ACCEPT,
            Settlement(S.ACCEPTED, closes=(Closing("new", MemoryStatus.SUPERSEDED),), merges_into="old"),
        ),
        (CHANGE, Answer.KEEP, Settlement(S.KEPT, closes=(Closing("new", MemoryStatus.REJECTED),), rejected=True)),
        (DANGER, Answer.KEEP, Settlement(S.KEPT, closes=(Closing("new", MemoryStatus.REJECTED),), rejected=True)),
        (MERGE, Answer.KEEP, Settlement(S.KEPT)),
        (CHANGE, Answer.WATCH, Settlement(S.WATCHING, spent=True)),
        (DANGER, Answer.WATCH, Settlement(S.WATCHING, spent=True)),
    ],
)
def test_what_an_answer_does(asked: Asked, answer: Answer, expected: Settlement) -> None:
    assert settle(asked, answer) == expected


@pytest.mark.parametrize("asked", [CHANGE, DANGER, MERGE, IMPORT])
def test_a_lapse_ends_only_the_question(asked: Asked) -> None:
    ended = lapse(asked)
    assert (ended.status, ended.promotes, ended.closes, ended.rejected) == (S.LAPSED, None, (), False)


def test_a_question_lapses_at_its_moment() -> None:
    moment = datetime(2026, 5, 14, tzinfo=UTC)
    assert not has_lapsed(moment, moment - timedelta(seconds=1))
    assert has_lapsed(moment, moment)
