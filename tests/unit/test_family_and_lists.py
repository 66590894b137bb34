"""The owner's own people, who sees to the pets, names in a row, and lines that are asked to be kept."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.knowledge.lexicon import find_entities
from domain.offline.extractor import extract
from domain.offline.extractor.name_lists import with_names_joined
from domain.pet_pointers import Pointers
from domain.pet_profiles import KnownFact, PetProfile, SaidBefore, Utterance

NOW = datetime(2026, 11, 30, 19, tzinfo=timezone(timedelta(hours=8)))
PETS = (
    PetProfile("w", "旺财", "dog", sex="male", born_on=date(2019, 3, 2)),
    PetProfile("m", "咪咪", "cat", sex="female", born_on=date(2022, 6, 1)),
    PetProfile("n", "奶茶", "cat", sex="male", born_on=date(2024, 6, 1)),
)


def told(text: str) -> list[tuple[str | None, str]]:
    return [(claim.subject, claim.content) for claim in extract(Utterance(text, NOW, PETS)).claims]


@pytest.mark.parametrize("text", ["我女儿12岁", "我女儿上小学三年级", "我女儿怕狗", "我女儿叫朵朵", "我妈姓王"])
def test_the_owners_child_is_no_pet(text: str) -> None:
    assert told(text) == [("owner", text)]


def test_a_child_that_likes_a_pet_is_told_apart_from_it() -> None:
    assert told("我女儿5岁，最喜欢奶茶") == [("owner", "我女儿5岁")]


def test_a_child_that_holds_a_pet_is_not_the_pet() -> None:
    assert {subject for subject, _ in told("我儿子8岁了天天抱着咪咪睡")} == {"owner"}


def test_a_pet_may_still_be_called_a_daughter() -> None:
    assert told("我闺女今天拉肚子了") == [("m", "我咪咪今天拉肚子了")]


def test_a_question_about_the_child_that_was_told_of_is_not_about_the_pet_of_its_sex() -> None:
    told_of = [KnownFact("owner", "owner.life", "我女儿5岁")]
    assert "sex" not in _reasons("我女儿几岁", told_of)
    assert "sex" in _reasons("我女儿几岁", [])


def _reasons(text: str, lines: list[KnownFact]) -> list[str]:
    pointers = Pointers(text, PETS, lines)
    pointers.log_likelihoods()
    return pointers.reasons


def test_the_number_of_one_of_the_family_is_kept_as_theirs() -> None:
    assert told("我老婆叫小雨，电话13812345678")[-1] == ("owner", "我老婆叫小雨，电话13812345678")


def test_his_number_is_told_with_who_he_is() -> None:
    assert told("让邻居老王帮着喂 他电话13900001111") == [("owner", "主人：让邻居老王帮着喂 他电话13900001111")]


@pytest.mark.parametrize("text", ["我闺女在上海上班", "我儿子在深圳工作", "我老伴叫秀英", "我老伴退休了"])
def test_where_the_family_lives_and_what_they_are_called_is_the_owners(text: str) -> None:
    assert told(text) == [("owner", text)]


@pytest.mark.parametrize("text", ["旺财跟楼下那只泰迪是好朋友", "旺财最好的朋友是隔壁的大黄"])
def test_a_friend_of_ours_makes_nobody_a_stranger(text: str) -> None:
    assert told(text) == [("w", text)]


@pytest.mark.parametrize(
    ("before", "text", "line"),
    [
        ("咪咪吃百利", "奶茶也吃这个", "奶茶吃百利"),
        ("咪咪怕吸尘器", "奶茶也是", "奶茶怕吸尘器"),
        ("咪咪怕吸尘器", "奶茶也怕", "奶茶怕吸尘器"),
        ("咪咪吐了两次", "奶茶也一样", "奶茶吐了两次"),
        ("咪咪吐了两次", "旺财也吐了", "旺财也吐了"),
    ],
)
def test_what_was_told_of_one_pet_is_told_of_another_too(before: str, text: str, line: str) -> None:
    history = [SaidBefore("user", before), SaidBefore("assistant", "记下了。")]
    claims = extract(Utterance(text, NOW, PETS, history=history)).claims
    assert [claim.content for claim in claims] == [line]


@pytest.mark.parametrize(
    ("before", "text"), [("咪咪怕吸尘器", "奶茶也喜欢"), ("咪咪怕吸尘器吗", "奶茶也是"), ("今天真热", "奶茶也是")]
)
def test_what_was_not_told_before_is_told_of_nobody(before: str, text: str) -> None:
    history = [SaidBefore("user", before), SaidBefore("assistant", "嗯。")]
    assert extract(Utterance(text, NOW, PETS, history=history)).claims == ()


def test_he_is_the_one_who_was_named_before() -> None:
    assert ("w", "我老公每天早上七点遛旺财") in told("我老公叫大伟，他每天早上七点遛旺财")


@pytest.mark.parametrize("text", ["我妈每周三来喂猫", "记一下我妈每周三来喂猫"])
def test_who_comes_to_feed_ours_is_kept(text: str) -> None:
    assert told(text) == [("owner", "我妈每周三来喂猫")]


@pytest.mark.parametrize("text", ["我妈家的猫吐了", "我妈养的狗拉稀了", "我妈喂她家猫吃鱼"])
def test_animals_of_the_family_stay_theirs(text: str) -> None:
    assert told(text) == []


def test_where_the_pets_are_put_is_no_animal_of_that_house() -> None:
    assert ("w", "旺财寄养") in told("我下周一到周五出差去深圳猫放我妈家狗寄养")


def test_to_be_kept_is_no_part_of_the_line() -> None:
    assert told("记住旺财不能坐电梯会紧张") == [("w", "旺财不能坐电梯会紧张")]


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("旺财，咪咪和奶茶都绝育了", ["w", "m", "n"]),
        ("旺财，咪咪，奶茶都驱虫了", ["w", "m", "n"]),
        ("旺财 咪咪 奶茶都打了疫苗", ["w", "m", "n"]),
        ("旺财，咪咪都去洗澡了", ["w", "m"]),
        ("旺财，咪咪吐了", ["m"]),
    ],
)
def test_names_in_a_row_are_all_told_of(text: str, subjects: list[str]) -> None:
    assert [subject for subject, _ in told(text)] == subjects


def test_joining_names_keeps_every_place() -> None:
    text = "旺财，咪咪和奶茶都绝育了，挺好"
    assert with_names_joined(text, ["旺财", "咪咪", "奶茶"]) == "旺财、咪咪和奶茶都绝育了，挺好"


@pytest.mark.parametrize("text", ["谁欺负谁", "奶茶喜欢干嘛", "旺财今天干嘛了", "那到底谁怕谁"])
def test_what_is_asked_is_kept_of_nobody(text: str) -> None:
    assert told(text) == []


def test_what_it_can_do_is_told_beside_what_it_cannot() -> None:
    claims = extract(Utterance("旺财会握手坐下和装死还不会随行", NOW, PETS)).claims
    assert [(claim.content, claim.negated) for claim in claims] == [
        ("旺财会握手坐下和装死", False),
        ("旺财还不会随行", True),
    ]


def test_an_animal_called_like_a_drink_is_no_poison() -> None:
    assert not any(one.kind == "toxin" for one in find_entities("认识了一只叫可乐的金毛"))
    assert any(one.kind == "toxin" for one in find_entities("旺财喝了可乐"))


def test_a_dislike_of_being_touched_is_a_temper_and_a_new_one_may_be_pain() -> None:
    (temper,) = extract(Utterance("奶茶不喜欢别人摸肚子一摸就咬", NOW, PETS)).claims
    assert temper.attribute.startswith("behavior")
    (pain,) = extract(Utterance("奶茶今天一摸肚子就咬", NOW, PETS)).claims
    assert pain.attribute == "symptom:hiding_pain"
