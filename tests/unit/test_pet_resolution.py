"""Who is meant by a question without a name."""

from datetime import date

import pytest

from domain.knowledge.errors import KnowledgeError
from domain.knowledge.pet_cues import read_pet_cues
from domain.knowledge.sheets import Sheet
from domain.pet_profiles import KnownFact, PetProfile, SaidBefore, Sex, Species
from domain.pet_resolution import Asked, Resolution, last_named_in, resolve_pets


def pet(
    pet_id: str, name: str, species: Species, breed: str, sex: Sex, born: tuple[int, int], other: str | None = None
) -> PetProfile:
    return PetProfile(
        pet_id, name, species, (), breed, sex, None, date(born[0], born[1], 1), other if species == "other" else None
    )


OLD_DOG = pet("old_dog", "大壮", "dog", "拉布拉多", "male", (2014, 5))
YOUNG_DOG = pet("young_dog", "团子", "dog", "博美", "female", (2024, 3))
BLACK_CAT = pet("black_cat", "墨鱼", "cat", "黑猫", "male", (2019, 1))
WHITE_CAT = pet("white_cat", "雪花", "cat", "白猫", "female", (2022, 8))
RABBIT = pet("rabbit", "跳跳", "other", "垂耳兔", "female", (2023, 1), "rabbit")
HOME = (OLD_DOG, YOUNG_DOG, BLACK_CAT, WHITE_CAT, RABBIT)
DOGS = (OLD_DOG, YOUNG_DOG)
CATS = (BLACK_CAT, WHITE_CAT)

LINES = (
    KnownFact("black_cat", "behavior", "墨鱼会拧水龙头"),
    KnownFact("white_cat", "diet", "雪花在减肥，一天四十克"),
    KnownFact("young_dog", "behavior", "团子怕吹风机"),
    KnownFact("owner", "other", "老大叫大壮，老二是墨鱼"),
)


def meant(text: str, pets: tuple[PetProfile, ...] = HOME, **more: object) -> Resolution:
    return resolve_pets(Asked(text, pets, lines=LINES, **more))  # type: ignore[arg-type] # the table passes what Asked takes


@pytest.mark.parametrize(
    ("text", "pets", "pet_id"),
    [
        ("大壮今天吃了吗", HOME, "old_dog"),
        ("兔子吃的草还有吗", HOME, "rabbit"),
        ("博美怎么又咳了", HOME, "young_dog"),
        ("拉拉的腿还疼吗", HOME, "old_dog"),
        ("黑的那只驱虫了没", HOME, "black_cat"),
        ("白猫的眼睛好点没", HOME, "white_cat"),
        ("垂耳那个换毛了", HOME, "rabbit"),
        ("老的那条走得动吗", DOGS, "old_dog"),
        ("小狗疫苗打完没", DOGS, "young_dog"),
        ("公猫绝育了没", HOME, "black_cat"),
        ("公拉布拉多几岁", DOGS, "old_dog"),
        ("吃草的那只拉得怎么样", HOME, "rabbit"),
        ("母的几岁了", CATS, "white_cat"),
        ("小姑娘怕不怕打针", DOGS, "young_dog"),
        ("年轻那条还咳吗", DOGS, "young_dog"),
        ("上了年纪的那条还咳吗", DOGS, "old_dog"),
        ("老大最近怎么样", HOME, "old_dog"),
        ("老二在吃什么药", HOME, "black_cat"),
        ("玩水龙头那只几岁", CATS, "black_cat"),
        ("减肥那只现在吃多少", CATS, "white_cat"),
        ("怕吹风机的那位怎么洗澡", DOGS, "young_dog"),
    ],
)
def test_words_other_than_the_name_point_at_a_pet(text: str, pets: tuple[PetProfile, ...], pet_id: str) -> None:
    resolution = meant(text, pets)
    assert resolution.pets == {pet_id}
    assert not resolution.about_owner


@pytest.mark.parametrize(
    ("species_name", "text"),
    [("刺猬", "刺猬冬天要保温吗"), ("玄凤鹦鹉", "鸟怎么老拔毛"), ("乌龟", "龟壳软了吗"), ("荷兰猪", "豚鼠吃啥草")],
)
def test_other_animals_are_known_by_the_word_for_them(species_name: str, text: str) -> None:
    other = PetProfile("other", "球球", "other", species_name=species_name)
    assert meant(text, (OLD_DOG, other, WHITE_CAT)).pets == {"other"}


@pytest.mark.parametrize(
    ("text", "pet_ids"),
    [
        ("它们最近都好吗", {pet.id for pet in HOME}),
        ("两只猫驱虫了吗", {"black_cat", "white_cat"}),
        ("两条狗都打过狂犬没", {"old_dog", "young_dog"}),
        ("墨鱼和雪花打架怎么办", {"black_cat", "white_cat"}),
    ],
)
def test_several_pets_can_be_meant_at_once(text: str, pet_ids: set[str]) -> None:
    assert meant(text).pets == pet_ids


@pytest.mark.parametrize(
    ("text", "pet_ids"),
    [("谁会拧水龙头", {pet.id for pet in HOME}), ("哪只猫在减肥", {"black_cat", "white_cat"})],
)
def test_which_one_looks_at_all_that_are_not_ruled_out(text: str, pet_ids: set[str]) -> None:
    resolution = meant(text, looks_across=True)
    assert resolution.pets == pet_ids
    assert resolution.looks_across


@pytest.mark.parametrize(
    ("text", "danger", "pet_ids"),
    [
        ("爬楼梯费劲的是哪只", False, {"old_dog"}),
        ("哪只不能吃虾", True, {pet.id for pet in HOME}),  # the others' allergies have their say
        ("哪只最爱爬楼梯", False, {pet.id for pet in HOME}),  # a comparison is about all
        ("它们里头爬楼梯费劲的是哪只", False, {"old_dog"}),
    ],
)
def test_which_one_is_answered_by_one_pet_when_memory_plainly_knows(text: str, danger: bool, pet_ids: set[str]) -> None:
    relevance = {"old_dog": 1.0, "young_dog": 0.3, "black_cat": 0.3, "white_cat": 0.3, "rabbit": 0.2, "owner": 0.3}
    resolution = meant(text, looks_across=True, relevance=relevance, about_danger=danger)
    assert resolution.pets == pet_ids
    assert resolution.looks_across


@pytest.mark.parametrize(
    "text", ["兽医的电话多少", "我下周出差几天", "谁来喂它们", "我老公怕不怕狗", "阿眉的手机尾号", "我把体检单放哪了"]
)
def test_a_question_about_the_owners_own_affairs_names_no_pet(text: str) -> None:
    resolution = meant(text, owner_name="阿眉", relevance={"owner": 1.0, "old_dog": 0.8})
    assert resolution.about_owner
    assert resolution.pets == frozenset()


def test_memory_decides_where_the_words_do_not() -> None:
    resolution = meant("打雷的时候怎么哄", relevance={"young_dog": 1.1, "old_dog": 0.5, "black_cat": 0.4})
    assert resolution.pets == {"young_dog"}
    assert not resolution.unclear


def test_two_that_fit_alike_are_unclear() -> None:
    resolution = meant("今天吃了多少", CATS, relevance={"black_cat": 0.9, "white_cat": 0.88})
    assert resolution.unclear


def test_words_outweigh_what_memory_has_more_of() -> None:
    assert meant("猫能喝牛奶吗", relevance={"old_dog": 1.0, "black_cat": 0.8, "white_cat": 0.2}).pets == {"black_cat"}


@pytest.mark.parametrize("text", ["怕猫的那只怎么训练", "追猫的习惯改了没", "被流浪狗咬的伤口好了吗"])
def test_an_animal_that_something_is_done_to_is_not_the_one_meant(text: str) -> None:
    relevance = {"old_dog": 1.1, "black_cat": 0.4} if "猫" in text else {"black_cat": 1.1, "old_dog": 0.4}
    assert meant(text, (OLD_DOG, BLACK_CAT), relevance=relevance).pets == {max(relevance, key=lambda k: relevance[k])}


def test_the_longer_name_takes_its_letters() -> None:
    little = pet("little", "小大壮", "dog", "博美", "male", (2024, 1))
    assert meant("小大壮吃药了吗", (OLD_DOG, little)).pets == {"little"}


def test_both_pets_of_one_name_are_meant() -> None:
    twin = pet("twin", "大壮", "dog", "博美", "male", (2024, 1))
    assert meant("大壮吃药了吗", (OLD_DOG, twin)).pets == {"old_dog", "twin"}


def test_the_heavier_is_the_big_one_when_age_says_otherwise() -> None:
    puppy = pet("puppy", "阿大", "dog", "阿拉斯加", "male", (2025, 6))
    aged = pet("aged", "豆子", "dog", "吉娃娃", "male", (2015, 6))
    weights = {"puppy": 32.0, "aged": 2.4}
    assert meant("小的那只几斤", (puppy, aged), weights_kg=weights).pets == {"aged"}
    assert meant("大的那只几斤", (puppy, aged), weights_kg=weights).pets == {"puppy"}


def test_the_fat_one_is_the_one_on_a_diet_or_on_the_scales() -> None:
    assert meant("胖的那只几斤", CATS, weights_kg={"black_cat": 4.0, "white_cat": 6.1}).pets == {"white_cat"}


def test_both_pronouns_mean_two_pets() -> None:
    assert meant("她发情的时候把他关哪儿", CATS).pets == {"black_cat", "white_cat"}


def test_the_talk_so_far_tells_who_it_is() -> None:
    history = [SaidBefore("user", "雪花昨天吐了"), SaidBefore("assistant", "吐了几次？")]
    asked = {"last_named": last_named_in(history, CATS)}
    assert meant("今天它还要禁食吗", CATS, **asked).pets == {"white_cat"}


def test_the_page_the_owner_writes_from_tells_who_it_is() -> None:
    assert meant("今天要喂几次药", CATS, focus_pet_id="black_cat").pets == {"black_cat"}


def test_a_pet_that_died_is_meant_only_by_name() -> None:
    gone = PetProfile("gone", "阿布", "cat", breed="狸花", sex="female", status="memorial")
    assert meant("猫今天吃了吗", (gone, WHITE_CAT)).pets == {"white_cat"}
    assert meant("阿布走的那天", (gone, WHITE_CAT)).pets == {"gone"}


def test_a_household_without_a_pet_asks_about_the_owner() -> None:
    assert meant("今天干嘛", ()).about_owner


def test_a_cue_that_is_missing_is_named() -> None:
    with pytest.raises(KnowledgeError, match=r"pet_cues.yaml:1: colours"):
        Sheet("pet_cues.yaml", "species:\n  cat: {animal: '(', thing: x}\n").read(read_pet_cues)


def test_fat_is_measured_by_the_breed_not_by_the_scales_alone() -> None:
    lean = pet("lean", "阿飞", "dog", "比格", "male", (2021, 1))
    round_cat = pet("round", "元宝", "cat", "橘猫", "male", (2021, 1))
    assert meant("小胖几斤了", (lean, round_cat), weights_kg={"lean": 10.5, "round": 7.4}).pets == {"round"}


@pytest.mark.parametrize(("text", "owner"), [("我住院的时候谁来", True), ("谁又把碗打翻了", False)])
def test_who_may_ask_for_a_person(text: str, owner: bool) -> None:
    relevance = {"owner": 1.0, "old_dog": 0.6} if owner else {"owner": 0.3, "old_dog": 1.0}
    resolution = meant(text, DOGS, looks_across=True, relevance=relevance)
    assert resolution.about_owner is owner
    assert resolution.looks_across is not owner


def test_two_of_three_are_the_only_two_of_a_kind_or_those_talked_about() -> None:
    three = (*DOGS, BLACK_CAT)
    assert meant("羊排它俩都能啃吗", three).pets == {"old_dog", "young_dog"}
    assert meant("它俩是不是传染了", three, two_named=frozenset({"old_dog", "black_cat"})).pets == {
        "old_dog",
        "black_cat",
    }
    assert meant("它俩都洗了吗", three, last_named=frozenset({"old_dog", "black_cat"})).pets == {"old_dog", "black_cat"}


def test_a_breed_has_its_colour() -> None:
    bichon = pet("bichon", "年年", "dog", "比熊", "female", (2025, 1))
    assert meant("白的那个喂药有什么窍门", (OLD_DOG, bichon)).pets == {"bichon"}


def test_a_description_that_memory_hardly_knows_rules_nobody_out() -> None:
    said = (KnownFact("old_dog", "behavior", "大壮认不得路"), KnownFact("young_dog", "behavior", "团子怕吹风机"))
    asked = Asked("跑得最快那条做麻醉要注意什么", DOGS, lines=said, relevance={"young_dog": 1.0, "old_dog": 0.6})
    assert resolve_pets(asked).pets == {"young_dog"}


def test_a_description_of_nobody_known_is_no_question_about_everybody() -> None:
    assert not meant("爱打滚的那位要注意什么", DOGS).looks_across


@pytest.mark.parametrize("text", ["谁会给猫打针", "家里谁不能做这个", "那两天谁来喂猫"])
def test_a_person_who_cares_for_a_pet_is_asked_for(text: str) -> None:
    assert meant(text, CATS, looks_across=True, relevance={"owner": 1.0, "black_cat": 0.8}).about_owner


def test_what_was_just_spoken_of_is_meant_by_words_that_point_at_nobody() -> None:
    said = {"last_named": frozenset({"black_cat"}), "just_named": frozenset({"black_cat"})}
    resolved = meant("绝育了吗", CATS, **said)
    assert (resolved.pets, resolved.unclear) == ({"black_cat"}, False)
    assert meant("绝育了吗", CATS, last_named=frozenset({"black_cat"})).unclear
    assert not meant("它绝育了吗", CATS, last_named=frozenset({"black_cat"})).unclear


@pytest.mark.parametrize("text", ["把狗狗的驱虫药给猫用了", "狗的罐头喂猫行吗"])
def test_whom_a_thing_is_given_to_is_meant(text: str) -> None:
    assert meant(text, (OLD_DOG, BLACK_CAT)).pets == {"black_cat"}


def test_an_animal_of_others_is_nobody_of_ours() -> None:
    resolved = meant("朋友家的狗对鱼过敏，它能吃三文鱼油吗")
    assert resolved.of_strangers
    assert resolved.subjects == frozenset()


@pytest.mark.parametrize(
    ("line", "text", "pet_id"),
    [
        ("家里两只猫，煤球是墨鱼，雪球是雪花", "煤球今天吐了吗", "black_cat"),
        ("墨鱼小名叫黑炭", "黑炭打呼噜吗", "black_cat"),
        ("雪花又叫胖丫", "胖丫几斤了", "white_cat"),
    ],
)
def test_a_pet_is_known_by_what_memory_says_it_is_called_at_home(line: str, text: str, pet_id: str) -> None:
    asked = Asked(text, CATS, lines=(KnownFact("owner", "other", line),), relevance={"owner": 1.0, pet_id: 0.8})
    assert resolve_pets(asked).pets == {pet_id}


@pytest.mark.parametrize("text", ["小的吃的什么油，大的能跟着吃吗", "老的走得动吗，小的还拆家吗"])
def test_the_old_and_the_young_in_two_clauses_are_both_meant(text: str) -> None:
    assert meant(text, DOGS).pets == {"old_dog", "young_dog"}


@pytest.mark.parametrize(("share", "about_owner"), [(0.6, True), (0.0, False), (None, False)])
def test_a_question_can_be_about_the_owner_by_its_meaning_alone(share: float | None, about_owner: bool) -> None:
    relevance = {"owner": 0.8, "black_cat": 0.8, "white_cat": 0.2}
    assert meant("每月几号还钱", CATS, relevance=relevance, about_owner=share).about_owner is about_owner


def test_a_line_that_speaks_of_all_answers_for_all_of_them() -> None:
    relevance = {"owner": 0.9, "black_cat": 0.5, "white_cat": 0.5}
    asked = "今年体检排在哪天"
    both = {"black_cat", "white_cat"}
    assert meant(asked, CATS, relevance=relevance, relevance_of_all=0.9, about_owner=0.1).pets == both
    assert meant(f"黑猫{asked}", CATS, relevance=relevance, relevance_of_all=0.9, about_owner=0.1).pets == {"black_cat"}


def test_a_breed_has_the_looks_of_its_whole_name() -> None:
    bulldog = pet("bulldog", "坦克", "dog", "英斗", "male", (2021, 1))
    assert meant("塌鼻子那只能去河滩玩吗", (bulldog, OLD_DOG)).pets == {"bulldog"}


def test_our_question_which_pet_is_meant_names_nobody() -> None:
    talk = (
        SaidBefore("user", "墨鱼有点拉稀"),
        SaidBefore("user", "能喂蒙脱石散吗"),
        SaidBefore("assistant", "你说的是墨鱼还是雪花？"),
    )
    assert last_named_in(talk, CATS) == {"black_cat"}


def test_a_question_in_the_middle_of_a_talk_goes_on_with_its_pet() -> None:
    said = {"last_named": frozenset({"black_cat"}), "just_named": frozenset({"black_cat"})}
    resolved = meant("要不要去医院", CATS, about_owner=0.36, **said)
    assert (resolved.pets, resolved.unclear) == ({"black_cat"}, False)


def test_it_points_back_whatever_memory_knows_of_the_other() -> None:
    said = {"last_named": frozenset({"black_cat"}), "just_named": frozenset({"black_cat"})}
    assert meant("它多重了", CATS, relevance={"white_cat": 0.66}, **said).pets == {"black_cat"}
