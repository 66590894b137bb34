"""The pure parts of taking along and bringing back: ids, hand-edited pages, names inside a zip."""

import contextlib
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.portability.folder import ID_MARK
from domain.portability.hand_edits import hand_lines
from domain.portability.id_mapping import derived_id, is_id, translated
from domain.portability.unpacking import UnreadableImport, unpack
from memory.sqltypes import new_id
from memory.topics import Topic
from memory.vocabulary import Tier


def test_a_derived_id_is_an_id_and_depends_on_the_household_and_the_row() -> None:
    old = new_id()
    made = derived_id("home", old)
    assert is_id(made)
    assert made != old
    assert made == derived_id("home", old)
    assert made != derived_id("other home", old)


def test_derived_ids_keep_the_order_in_time() -> None:
    olds = [new_id() for _ in range(500)]
    assert [derived_id("home", old) for old in olds] == sorted(derived_id("home", old) for old in olds)


def test_ids_are_replaced_wherever_they_stand() -> None:
    assert translated({"a": ["x", {"x": "y"}], "n": 3, "t": "x and y"}, {"x": "1", "y": "2"}) == {
        "a": ["1", {"1": "2"}],
        "n": 3,
        "t": "x and y",
    }


def test_each_line_is_read_with_what_it_stands_under() -> None:
    memory_id = new_id()
    page = f"""# 记忆
> 说明
## 豆豆
狗，柯基
### 身份证
- 对鸡肉过敏（待确认） {ID_MARK.format(id=memory_id)}
### 饮食
* 挑食
说明文字不是记忆
## 还不清楚是谁的
- 有只猫吐了
"""
    first, second, third = hand_lines({"MEMORY.md": page})
    assert (first.content, first.memory_id, first.subject, first.tier) == ("对鸡肉过敏", memory_id, "豆豆", Tier.CORE)
    assert (second.content, second.memory_id, second.topic, second.tier) == ("挑食", None, Topic.DIET, Tier.LONG)
    assert (third.content, third.subject) == ("有只猫吐了", "还不清楚是谁的")


def test_the_profile_lines_of_the_owners_page_are_no_memories() -> None:
    page = "# 主人\n- 昵称：小林\n- 时区：Asia/Shanghai\n### 主人\n- 早上遛狗\n"
    assert [(line.content, line.subject) for line in hand_lines({"USER.md": page})] == [("早上遛狗", "owner")]


@given(st.text(max_size=300))
def test_no_page_breaks_the_reader(text: str) -> None:
    assert isinstance(hand_lines({"MEMORY.md": text, "USER.md": text}), list)


@pytest.mark.parametrize("value", ["", "豆豆", "0197F0A3-11D1-7D90-A1C4-0E7F3B6A5C22", 5, None])
def test_what_is_no_id_of_ours_is_not_taken_for_one(value: object) -> None:
    assert not is_id(value)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_whatever_byte_of_a_zip_is_damaged_it_is_read_or_refused(method: int) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("MEMORY.md", "- 喜欢散步\n" * 20)
    whole = made.getvalue()
    for place in range(len(whole)):
        for byte in (0x00, 0x7F, 0xFF):
            damaged = whole[:place] + bytes([byte]) + whole[place + 1 :]
            with contextlib.suppress(UnreadableImport):
                unpack(damaged)
