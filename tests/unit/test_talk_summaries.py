"""The sentence about a conversation: only what was kept or asked, in the owner's words, a part for each pet."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from domain.offline.responder.reading import is_about_talk
from domain.pet_profiles import PetProfile
from domain.talk_recall import FoundTalk, near_enough, recent_talks, told_talks
from domain.talk_summaries import Noted, Talk, Uttered, accept_written, compose, whole, worth_a_sentence
from memory.scope import Scope
from memory.summaries import TalkPart, TalkSummary
from memory.vocabulary import Precision

ENDED = datetime(2026, 11, 28, 20, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
WANGZAI, MOYU = PetProfile("w", "旺仔", "dog"), PetProfile("m", "墨鱼", "cat")
VOMITED = Noted("i1", "w", "旺仔昨天吐了两次", 3, date(2026, 11, 27), Precision.DAY)
WEIGHED = Noted("i2", "w", "旺仔体重12.5公斤", 2, date(2026, 11, 28), Precision.DAY)
HIDES = Noted("i3", "m", "墨鱼打雷就躲柜子", 2)
SCOPE = Scope("h", "o")


def talk(*said: str, noted: tuple[Noted, ...] = (), pets: tuple[PetProfile, ...] = (WANGZAI, MOYU)) -> Talk:
    return Talk(ENDED, [Uttered(f"m{place}", text) for place, text in enumerate(said)], noted, pets)


def summary(*parts: TalkPart, days_ago: int = 1, silent_until: datetime | None = None) -> TalkSummary:
    return TalkSummary(f"c{days_ago}", ENDED.replace(day=28 - days_ago), parts, silent_until)


@pytest.mark.parametrize(
    ("said", "noted", "worth"),
    [
        ([], 0, False),
        (["你好"], 0, False),
        (["早上好", "谢谢", "晚安"], 0, False),
        (["今天天气真好", "哈哈"], 0, False),
        (["嗯嗯", "好的", "👍"], 0, False),
        (["你是谁"], 0, False),
        (["上次我们聊到哪了"], 0, False),
        (["在忙"], 0, False),
        (["好的"], 1, True),
        (["旺仔能吃三文鱼吗"], 0, True),
        (["怎么给猫剪指甲"], 0, True),
        (["今天带旺仔去公园玩，遇到一只柯基，玩得很开心"], 0, True),
    ],
)
def test_trivial_talk_is_not_worth_a_sentence(said: list[str], noted: int, worth: bool) -> None:
    assert worth_a_sentence(said, noted) is worth


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (talk("旺仔昨天吐了两次", noted=(VOMITED,)), "旺仔吐了两次（2026年11月27日）"),
        (
            talk("旺仔昨天吐了两次", "要不要去医院？", noted=(VOMITED,)),
            "旺仔吐了两次（2026年11月27日），问了“要不要去医院”",
        ),
        (talk("旺仔12.5公斤了", noted=(WEIGHED,)), "旺仔体重12.5公斤"),
        (
            talk("旺仔昨天吐了两次，今天12.5公斤", noted=(WEIGHED, VOMITED)),
            "旺仔吐了两次（2026年11月27日）、体重12.5公斤",
        ),
        (
            talk("墨鱼打雷就躲柜子", "旺仔能吃三文鱼吗？", noted=(HIDES,)),
            "问了“旺仔能吃三文鱼吗”；墨鱼打雷就躲柜子",
        ),
        (talk("怎么给它剪指甲", pets=(WANGZAI,)), "问了旺仔的事：“怎么给它剪指甲”"),
        (talk("墨鱼能吃三文鱼吗？旺仔呢？"), "问了“墨鱼能吃三文鱼吗”"),
        (talk("今天带旺仔去公园玩遇到一只柯基"), "说起“今天带旺仔去公园玩遇到一只柯基”"),
        (talk("打13812345678能约到医生吗"), "问了“打138****5678能约到医生吗”"),
        (talk("你好", "谢谢"), ""),
    ],
)
def test_a_talk_is_told_by_what_was_kept_and_asked(given: Talk, sentence: str) -> None:
    assert whole(compose(given)) == sentence


def test_words_that_taught_something_deleted_are_not_quoted() -> None:
    withheld = Talk(ENDED, [Uttered("m", "旺仔对鸡肉过敏能吃鸭肉吗", quotable=False)], (), (WANGZAI,))
    assert compose(withheld) == ()


@pytest.mark.parametrize(
    ("written", "accepted"),
    [
        ("旺仔昨天吐了两次，问要不要去医院", True),
        ("旺仔昨天吐了三次，问要不要去医院", False),  # a number nobody said
        ("墨鱼昨天吐了两次", False),  # a pet nobody spoke of
        ("旺仔被诊断为急性胰腺炎并住院输液治疗", False),  # words nobody said
        ("", False),
        (None, False),
        ("旺仔吐了两次。" * 40, False),  # no sentence any more
    ],
)
def test_a_models_sentence_is_taken_only_when_all_of_it_was_said(written: str | None, accepted: bool) -> None:
    given = talk("旺仔昨天吐了两次，要不要去医院", noted=(VOMITED,))
    assert bool(accept_written(written, given)) is accepted


def test_a_models_yesterday_becomes_the_day_it_was() -> None:
    given = talk("旺仔昨天吐了两次，要不要去医院", noted=(VOMITED,))
    assert whole(accept_written("旺仔昨天吐了两次", given)) == "旺仔11月27日吐了两次"


def test_a_sentence_stays_one_however_much_was_kept() -> None:
    much = tuple(Noted(f"i{n}", "w", f"旺仔第{n}件要记住的事情是一句很长很长很长很长的话", 2) for n in range(30))
    assert len(whole(compose(talk("说了很多", noted=much)))) <= 110


def test_a_part_about_a_pet_that_is_not_meant_is_not_told() -> None:
    found = [
        FoundTalk(summary(TalkPart(frozenset({"w"}), "旺仔吐了"), TalkPart(frozenset({"m"}), "墨鱼躲柜子")), "why")
    ]
    told = told_talks(found, SCOPE, {"m"}, (WANGZAI, MOYU), about_talk=False)
    assert [line.text for line in told] == ["聊到墨鱼躲柜子（2026年11月27日）"]
    told = told_talks(found, SCOPE, {"m"}, (WANGZAI, MOYU), about_talk=True)
    assert [line.text for line in told] == ["聊到旺仔吐了；墨鱼躲柜子（2026年11月27日）"]
    assert told_talks(found, SCOPE, set(), (WANGZAI, MOYU), about_talk=False) == ()


def test_a_pet_that_died_is_told_of_only_when_it_is_meant() -> None:
    gone = PetProfile("m", "墨鱼", "cat", status="memorial")
    found = [FoundTalk(summary(TalkPart(frozenset({"m"}), "墨鱼躲柜子")), "why")]
    assert told_talks(found, SCOPE, {"w"}, (WANGZAI, gone), about_talk=True) == ()
    assert len(told_talks(found, SCOPE, {"m"}, (WANGZAI, gone), about_talk=True)) == 1


def test_the_last_days_are_always_there_and_what_is_snoozed_is_not() -> None:
    part = TalkPart(frozenset({"w"}), "旺仔吐了")
    talks = [
        summary(part, days_ago=1),
        summary(part, days_ago=2, silent_until=ENDED.replace(day=30)),
        summary(part, days_ago=9),
    ]
    assert [one.summary.conversation_id for one in recent_talks(talks, ENDED)] == ["c1"]


def test_an_older_talk_must_share_rare_words() -> None:
    assert near_enough({}) == {}
    assert list(near_enough({"a": 1.9, "b": 5.0, "c": 2.4, "d": 3.0})) == ["b", "d"]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("上次我们聊到哪了", True),
        ("上次聊了什么", True),
        ("昨天我跟你说了什么", True),
        ("什么时候聊过绝育", True),
        ("我们聊过绝育吗", True),
        ("上次聊到驱虫是什么时候", True),
        ("还记得上次聊的吗", True),
        ("上次打疫苗是什么时候", False),
        ("旺仔对什么过敏", False),
        ("我说过什么时候打疫苗吗", False),
        ("旺仔最近怎么样", False),
    ],
)
def test_a_question_about_the_talk_is_told_from_one_about_a_pet(text: str, about: bool) -> None:
    assert is_about_talk(text) is about
