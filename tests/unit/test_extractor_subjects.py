"""Which pet a statement is about: named, pointed at, carried on, left out, or not said."""

from datetime import date, datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, SaidBefore, Utterance
from domain.strange_animals import is_strange
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
OLD_DOG = PetProfile("old", "老梁", "dog", breed="金毛", sex="male", born_on=date(2015, 1, 1))
YOUNG_DOG = PetProfile("young", "蹦蹦", "dog", breed="比熊", sex="female", born_on=date(2024, 1, 1))
CAT = PetProfile("cat", "夜宵", "cat", breed="橘猫", sex="male", born_on=date(2020, 1, 1))
RABBIT = PetProfile("rabbit", "汤勺", "other", species_name="兔子")
HOME = (OLD_DOG, YOUNG_DOG, CAT)


def claims(text: str, pets: tuple[PetProfile, ...] = HOME, **more: object) -> tuple[Claim, ...]:
    return extract(Utterance(text, NOW, pets, **more)).claims  # type: ignore[arg-type]  # history, focus, known by name


def subjects(text: str, pets: tuple[PetProfile, ...] = HOME, **more: object) -> set[str | None]:
    return {claim.subject for claim in claims(text, pets, **more)}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("蹦蹦昨天吐了两次", "young"),
        ("猫昨天吐了两次", "cat"),
        ("金毛昨天吐了两次", "old"),
        ("那只橘的昨天吐了两次", "cat"),
        ("老的那只昨天吐了两次", "old"),
        ("小比熊昨天吐了两次", "young"),
    ],
)
def test_a_pet_is_known_by_name_species_breed_colour_or_age(text: str, who: str) -> None:
    assert subjects(text) == {who}


def test_a_nickname_is_a_name() -> None:
    pet = PetProfile("p", "梅子酱", "cat", nicknames=("小酱",))
    assert subjects("小酱拉稀了", (pet, CAT)) == {"p"}


def test_a_longer_name_is_not_also_the_shorter_one() -> None:
    pets = (PetProfile("a", "圆圆", "cat"), PetProfile("b", "小圆圆", "cat"))
    assert subjects("小圆圆吐了三次", pets) == {"b"}


def test_a_pet_named_like_food_is_a_pet() -> None:
    pet = PetProfile("p", "馒头", "dog")
    assert [claim.attribute for claim in claims("馒头吐了", (pet,))] == ["symptom:vomiting"]


def test_pets_set_against_each_other_keep_their_own_facts() -> None:
    made = {(claim.subject, claim.attribute) for claim in claims("老梁对牛肉过敏，蹦蹦没拉，夜宵拉稀了")}
    assert made == {("old", "allergy:beef"), ("young", "symptom:constipation"), ("cat", "symptom:diarrhea")}


def test_pets_set_against_each_other_without_a_comma_are_told_apart() -> None:
    made = {(claim.subject, claim.attribute) for claim in claims("老梁确诊糖尿病夜宵打了狂犬")}
    assert made == {("old", "condition:diabetes"), ("cat", "vaccine:狂犬")}


def test_one_line_never_carries_another_pets_disease() -> None:
    lines = {claim.subject: claim.content for claim in claims("老梁有心脏病，蹦蹦今天拉稀")}
    assert "心脏" not in lines["young"]
    assert "拉稀" not in lines["old"]


def test_joined_names_share_the_fact() -> None:
    assert subjects("老梁和夜宵昨天都驱虫了") == {"old", "cat"}


def test_everybody_but_one() -> None:
    assert subjects("除了夜宵都打过狂犬了") == {"old", "young"}


def test_two_of_a_species_are_both_meant_when_counted() -> None:
    assert subjects("两只狗昨天都洗了澡") == {"old", "young"}


def test_a_thing_left_out_for_the_second_pet_is_that_of_the_first() -> None:
    made = {(claim.subject, claim.attribute, claim.negated) for claim in claims("老梁打了狂犬，蹦蹦还没打")}
    assert made == {("old", "vaccine:狂犬", False), ("young", "vaccine:狂犬", True)}


def test_who_swallowed_anothers_medicine_is_not_treated_with_it() -> None:
    made = claims("蹦蹦把老梁的心脏药舔了")
    assert {claim.subject for claim in made} == {"young"}
    assert not any(claim.attribute.startswith("medication") for claim in made)


def test_another_pets_medicine_is_nobody_elses() -> None:
    made = claims("夜宵把蹦蹦的皮炎药膏打翻了")
    assert not any(claim.attribute.startswith(("medication", "condition")) for claim in made)


def test_what_is_denied_of_one_pet_may_be_said_of_the_other() -> None:
    made = {(claim.subject, claim.attribute, claim.negated) for claim in claims("老梁不是癫痫，蹦蹦才是")}
    assert made == {("old", "condition:epilepsy", True), ("young", "condition:epilepsy", False)}


def test_two_pets_that_fit_equally_well_are_asked_about() -> None:
    said = extract(Utterance("狗又拉稀了", NOW, HOME))
    assert said.clarify
    assert {claim.subject for claim in said.claims} == {None}


def test_the_focus_of_the_talk_is_meant_when_nobody_is_named() -> None:
    assert subjects("今天吐了", focus_pet_id="cat") == {"cat"}


def test_the_pet_of_the_talk_before_is_meant_when_nobody_is_named() -> None:
    history = (SaidBefore("user", "夜宵不太舒服"), SaidBefore("assistant", "怎么了？"))
    assert subjects("它今天吐了三次", history=history) == {"cat"}


def test_the_only_pet_with_a_known_drug_is_meant_when_the_drug_is_named() -> None:
    known = (KnownFact("cat", "medication:methimazole", "夜宵在用甲巯咪唑"),)
    assert subjects("甲巯咪唑今天早上忘喂了", known=known) == {"cat"}


def test_a_role_told_before_is_remembered() -> None:
    pets = (PetProfile("a", "阿一", "cat"), PetProfile("b", "阿二", "cat"))
    history = (SaidBefore("user", "我家老大是阿二"), SaidBefore("assistant", "好的"))
    assert subjects("老大今天吐了", pets, history=history) == {"b"}


def test_a_colour_told_before_is_remembered() -> None:
    pets = (PetProfile("a", "阿一", "cat"), PetProfile("b", "阿二", "cat"))
    known = (KnownFact("b", "other", "阿二纯黑"),)
    assert subjects("黑的那只今天吐了", pets, known=known) == {"b"}


def test_an_animal_that_is_neither_dog_nor_cat_has_its_words() -> None:
    assert subjects("兔子今天没拉粑粑", (RABBIT, CAT)) == {"rabbit"}


@pytest.mark.parametrize(
    "text",
    [
        "我同事家的金毛昨天吐了两次",
        "楼下那只橘猫得了猫癣",
        "以前养的那条狗是肾衰走的",
        "救助站有只狗确诊细小了",
        "我表弟的仓鼠昨天越狱了",
        "隔壁邻居家的猫对鸡肉过敏",
    ],
)
def test_animals_of_others_and_of_the_past_are_not_ours(text: str) -> None:
    assert claims(text, (CAT,)) == ()


def test_our_own_pet_is_ours_again_after_a_strangers() -> None:
    made = claims("我同事家的狗得了细小，我家夜宵今天打了三联", (CAT,))
    assert [(claim.subject, claim.attribute) for claim in made] == [("cat", "vaccine:三联")]


def test_a_pet_bitten_by_a_stranger_is_still_ours() -> None:
    assert subjects("夜宵被邻居家的狗咬了耳朵", (CAT,)) == {"cat"}


@pytest.mark.parametrize("text", ["我对猫毛过敏", "我老公对狗毛过敏"])
def test_a_persons_allergy_is_never_the_pets(text: str) -> None:
    assert subjects(text, (CAT,)) == {"owner"}


@pytest.mark.parametrize("text", ["今天加班加到想吐", "我感冒了头疼得厉害", "我爸把降压药吃错了"])
def test_the_owners_own_day_is_not_the_pets(text: str) -> None:
    assert claims(text, (CAT,)) == ()


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("夜宵，不是蹦蹦，对牛奶过敏", "cat"),
        ("对牛肉过敏的不是蹦蹦，是夜宵", "cat"),
        ("夜宵跟蹦蹦不一样，它对花生过敏", "cat"),
        ("吐的是蹦蹦不是夜宵", "young"),
    ],
)
def test_a_pet_that_is_ruled_out_gets_nothing(text: str, who: str) -> None:
    assert subjects(text) == {who}


@pytest.mark.parametrize("text", ["隔壁夜宵对牛奶过敏", "邻居家的夜宵吐了"])
def test_a_neighbours_pet_of_the_same_name_is_not_ours(text: str) -> None:
    assert not claims(text)


@pytest.mark.parametrize(
    "text", ["楼下蹦蹦吐了", "昨天在朋友家蹦蹦吐了", "蹦蹦被隔壁夜宵抓了，流血了", "隔壁说蹦蹦吐了"]
)
def test_a_neighbour_in_the_sentence_takes_no_pet_away(text: str) -> None:
    assert subjects(text) == {"young"}


def test_a_statement_about_both_is_told_of_each_without_the_word_for_both() -> None:
    home = (YOUNG_DOG, CAT)
    assert {claim.content for claim in claims("它俩都该洗澡了", home)} == {"蹦蹦该洗澡了", "夜宵该洗澡了"}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("老梁把窝咳传给了蹦蹦", {"old", "young"}),
        ("夜宵的癣被蹦蹦传上了", {"cat"}),
    ],
)
def test_who_passes_an_illness_on_has_it_too(text: str, who: set[str | None]) -> None:
    assert subjects(text) == who


def test_a_vaccine_for_cats_was_the_cats_when_nobody_is_named() -> None:
    assert subjects("昨天打了猫三联", (OLD_DOG, CAT)) == {"cat"}


def test_a_corrected_day_names_what_was_done_that_day() -> None:
    said = (SaidBefore("user", "老梁4月1号做的内驱"), SaidBefore("assistant", "好的，4月1日内驱记下了。"))
    corrected = claims("日期写错了，是4月5日", (OLD_DOG,), history=said)
    assert [(one.occurred_on, "内驱" in one.content) for one in corrected] == [(date(2026, 4, 5), True)]


def test_a_drink_that_bears_the_pets_name_is_no_pet() -> None:
    assert claims("早饭喝了杯夜宵，现在肚子咕噜咕噜的", (CAT,)) == ()


@pytest.mark.parametrize(
    "text",
    [
        "等电梯碰上一只跟蹦蹦一样的比熊，人家刚拆线，走路还瘸",
        "帮同学带两天他家的柴犬，刚在我家阳台吐了，人也联系不上",
        "寄养在我这的布偶今天拉稀",
        "电梯里看见个阿姨抱着只缅因，起码十八斤",
    ],
)
def test_animals_that_are_met_kept_for_others_or_only_look_like_ours_are_strange(text: str) -> None:
    assert claims(text, (YOUNG_DOG,)) == ()


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("蹦蹦整天扒夜宵的冻干罐", "young"),
        ("蹦蹦已经九公斤二了，夜宵的羊奶都让它喝光了", "young"),
        ("夜宵在老梁的窝里打滚", "cat"),
    ],
)
def test_what_belongs_to_another_pet_is_only_acted_on(text: str, who: str) -> None:
    assert subjects(text) == {who}


def test_a_birthday_stands_in_the_clause_after_the_word() -> None:
    [claim] = claims("生日填错了，蹦蹦是4月9号")
    assert (claim.subject, claim.attribute) == ("young", "birth_date")


def test_the_half_that_one_character_names_is_given_to_its_pet() -> None:
    pets = (PetProfile("a", "布鲁", "dog"), PetProfile("b", "闪电", "dog"))
    text = "俩狗都抽了血查四联，一只全阴，另一只莱姆抗体是阳的…我翻下单子啊，阳的那个是布鲁"
    told = extract(Utterance(text, NOW, pets)).claims
    assert {claim.subject for claim in told if claim.attribute.startswith("condition:")} == {"a"}
    assert not any(claim.attribute.startswith("vaccine:") for claim in told)


def test_the_young_one_is_told_by_its_age() -> None:
    pets = (
        PetProfile("a", "布鲁", "dog", born_on=date(2015, 1, 1)),
        PetProfile("b", "闪电", "dog", born_on=date(2025, 3, 1)),
    )
    told = extract(Utterance("年纪大的那个护肝片早晚各一粒，年轻那个周六去绝育", NOW, pets)).claims
    assert {(claim.subject, claim.attribute.partition(":")[0]) for claim in told} == {
        ("a", "medication"),
        ("b", "schedule"),
    }


@pytest.mark.parametrize(
    ("text", "who", "said"),
    [
        ("老梁趴在蹦蹦身上睡觉", "old", "睡觉"),
        ("夜宵一看老梁吃罐头就蹲过去", "cat", "蹲"),
        ("蹦蹦不让老梁进卧室", "young", "卧室"),
        ("夜宵冲蹦蹦哈气", "cat", "哈气"),
        ("夜宵霸占着老梁的窝不走", "cat", "窝"),
    ],
)
def test_the_pet_that_is_acted_on_is_no_new_subject(text: str, who: str, said: str) -> None:
    told = [(claim.subject, said in claim.content) for claim in claims(text)]
    assert told == [(who, True)]


def test_what_another_pet_does_meanwhile_is_not_told_of_the_first() -> None:
    told = claims("夜宵趁老梁吃甲巯咪唑的时候扒它尾巴")
    assert not any(claim.attribute.startswith("medication") for claim in told)
    assert {claim.subject for claim in told} <= {"cat"}


def test_own_pet_that_plays_with_a_stranger_is_meant() -> None:
    assert not is_strange("在公园跟一只柯基玩疯了", (), alone=True)
    assert is_strange("公园那只柯基一瘸一拐的", (), alone=True)


@pytest.mark.parametrize(
    ("text", "who", "said"),
    [
        ("夜宵又胖了，比蹦蹦重了三两", "cat", "三两"),
        ("老梁天天把蹦蹦从碗边拱走", "old", "拱走"),
        ("夜宵吃完总去扒拉老梁的饭碗", "cat", "饭碗"),
    ],
)
def test_the_pet_that_only_serves_as_a_measure_or_is_driven_off_is_not_the_subject(
    text: str, who: str, said: str
) -> None:
    assert (who, True) in {(claim.subject, said in claim.content) for claim in claims(text)}
    assert all(claim.subject == who for claim in claims(text))


def test_small_against_big_is_never_told_of_the_big_one() -> None:
    pets = (PetProfile("a", "大毛", "dog"), PetProfile("b", "二毛", "dog"))
    told = claims("大的刚打了狂犬，小的感冒没好", pets)
    assert not any(claim.subject == "a" and claim.attribute.startswith("condition") for claim in told)


@pytest.mark.parametrize("text", ["羊肉过敏的其实是夜宵", "羊肉过敏的是夜宵", "拉肚子的其实是夜宵"])
def test_what_holds_of_whom_is_one_clause(text: str) -> None:
    assert subjects(text) == {"cat"}


def test_sisters_of_one_brother_are_both_meant() -> None:
    pets = (
        PetProfile("a", "大毛", "dog", sex="male"),
        PetProfile("b", "二毛", "dog", sex="female"),
        PetProfile("c", "三毛", "dog", sex="female"),
    )
    told = {(claim.subject, "鸭" in claim.content) for claim in claims("哥哥就认羊肉粮，妹妹们只肯吃鸭肉的", pets)}
    assert told == {("a", False), ("b", True), ("c", True)}
