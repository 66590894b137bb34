"""More kinds of words about a known danger: whether the record was ever right, harm that did not come, who says so."""

from datetime import date, datetime

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import KnownFact, PetProfile, Utterance
from memory.claims import Claim
from memory.vocabulary import Certainty, SpeechAct

NOW = datetime.fromisoformat("2026-06-01T20:00:00+08:00")
DOG = PetProfile("dog", "栗子", "dog")
LAMB = KnownFact("dog", "allergy:lamb", "栗子对羊肉过敏，吃了起疹子")
PILL = KnownFact("dog", "medication:furosemide", "栗子每天早晚各吃一片呋塞米")
HEART = KnownFact("dog", "condition:heart_disease", "栗子二尖瓣病B1期")
SUGAR = KnownFact("dog", "condition:diabetes", "栗子糖尿病，禁甜食")
MDR1 = KnownFact("dog", "allergy:mdr1", "栗子MDR1基因缺陷，医生说禁用乙酰丙嗪")
WEIGHT = KnownFact("dog", "weight", "栗子体重8.4kg")
SHOT = KnownFact("dog", "vaccine:狂犬", "栗子2026年1月12日打了狂犬疫苗")


def told(known: KnownFact, text: str) -> Claim:
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[known])).claims
    return next(claim for claim in claims if claim.attribute == known.attribute)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (LAMB, "羊肉过敏那条越想越不对劲"),
        (LAMB, "羊肉过敏这事我记不清是谁说的了"),
        (LAMB, "羊肉过敏那条有点存疑"),
        (LAMB, "隔壁大爷讲羊肉吃吃就脱敏了"),
        (HEART, "遛狗的大爷讲他给的药灵，说栗子心脏病都好了"),
        (PILL, "感觉呋塞米吃着没啥用，想停"),
        (SHOT, "好像不是12号打的"),
        (LAMB, "羊肉过敏那条我现在有点含糊"),
        (LAMB, "那栗子羊肉过敏的备注是不是可以去掉了？"),
        (PILL, "呋塞米是不是用不着再吃了呀"),
        (SUGAR, "血糖都正常了是不是栗子的糖尿病就算好了"),
        (SUGAR, "栗子血糖稳俩月了，来口蛋糕解解馋应该行吧嘿嘿"),
        (SUGAR, "蛋糕舔两口，要不了命吧哈哈"),
        (LAMB, "羊肉过敏当时凭感觉写的，我不敢打包票"),
        (LAMB, "羊肉过敏到底是不是，家里没人敢拍板，凭印象记的"),
        (LAMB, "栗子的羊肉过敏是不是不用再写着了"),
        (SUGAR, "栗子糖尿病这毛病是不是没有了？"),
        (MDR1, "乙酰丙嗪我看它顶得住"),
    ],
)
def test_doubt_of_the_record_and_what_anybody_says_is_never_a_plain_claim(known: KnownFact, text: str) -> None:
    claim = told(known, text)
    assert claim.negated
    assert claim.certainty is not Certainty.PLAIN or not claim.first_hand


@pytest.mark.parametrize(
    "text",
    [
        "又给了三回羊肉冻干，没长疙瘩",
        "偷吃了羊肉，到现在没冒疹子",
        "老偷吃羊肉，也没见它挠",
        "偷吃羊肉，等到睡前眼睛都没红",
        "羊肉皮掉了两片被栗子舔走，过了一天腿上没长东西",
        "吃了块羊肉，两天了没冒什么新的",
    ],
)
def test_harm_that_did_not_show_is_no_reaction(text: str) -> None:
    assert told(LAMB, text).negated


@pytest.mark.parametrize("text", ["栗子一碰羊肉准窜稀", "羊肉还是别给了", "栗子吃羊肉肯定胀气的"])
def test_the_danger_said_again_is_said_again(text: str) -> None:
    assert not told(LAMB, text).negated


@pytest.mark.parametrize(
    ("known", "text", "number", "unit"),
    [
        (PILL, "呋塞米加到一片半，医生说的", 1.5, "片"),
        (PILL, "呋塞米让涨到两片一次了，次数不变", 2.0, "片"),
        (WEIGHT, "是8.4斤不是公斤", 8.4, "斤"),
    ],
)
def test_halves_and_units_are_heard(known: KnownFact, text: str, number: float, unit: str) -> None:
    value = told(known, text).value
    assert (value["number"], value["unit"]) == (number, unit)


@pytest.mark.parametrize(
    "text", ["栗子的呋塞米三周早吃满了", "呋塞米七天的量早就喂完咯", "跟家里商量好了，不给栗子喂药了，老太太别折腾了"]
)
def test_a_course_that_is_full_or_given_up_is_over(text: str) -> None:
    assert told(PILL, text).negated


def test_an_agreement_is_no_cure() -> None:
    claims = extract(Utterance(text="跟家里商量好了", now=NOW, pets=(DOG,), known=[SUGAR])).claims
    assert not [claim for claim in claims if claim.attribute == SUGAR.attribute]


def test_urine_without_blood_is_no_blocked_bladder() -> None:
    slots = {claim.attribute for claim in extract(Utterance(text="栗子俩月没尿血了", now=NOW, pets=(DOG,))).claims}
    assert "symptom:urinary_block" not in slots


def slots(text: str, *known: KnownFact) -> set[str]:
    return {claim.attribute for claim in extract(Utterance(text=text, now=NOW, pets=(DOG,), known=known)).claims}


def test_a_pill_that_was_brought_up_is_no_other_drug() -> None:
    assert not [slot for slot in slots("今晚栗子把药片吐了", PILL) if slot.startswith("medication:药")]


def test_words_of_ending_beside_a_danger_are_watched_and_never_served_as_news() -> None:
    claims = extract(Utterance(text="栗子那边我决定停了", now=NOW, pets=(DOG,), known=[PILL])).claims
    assert not [claim for claim in claims if not claim.negated or claim.attribute != PILL.attribute]


def test_another_thing_that_will_not_do_is_another_allergy_though_no_list_holds_it() -> None:
    assert "allergy:蝉蛹" in slots("发现蝉蛹也不成，一吃就满地蹭屁股", LAMB)


@pytest.mark.parametrize("text", ["有点想给栗子改一天遛三次，还在犹豫", "在考虑给栗子改成一天遛三次，没想好呢"])
def test_a_wish_changes_no_habit(text: str) -> None:
    walk = KnownFact("dog", "activity:walk", "栗子每天遛两次，每次40分钟")
    assert told(walk, text).certainty is Certainty.HEDGED


def test_what_somebody_recommends_is_not_given() -> None:
    found = slots("遛弯的大姐说人吃的护肝片一样用还省钱，要不给栗子换成那种", PILL)
    assert not [slot for slot in found if slot.startswith("medication:") and slot != PILL.attribute]


@pytest.mark.parametrize("text", ["栗子羊肉照吃不误，哪来的过敏", "怎么给栗子记成羊肉过敏了"])
def test_an_indignant_denial_is_plain(text: str) -> None:
    claim = told(LAMB, text)
    assert claim.negated
    assert claim.certainty is Certainty.PLAIN


def test_an_outright_denial_is_never_the_danger_said_again() -> None:
    assert told(LAMB, "纠正一下，栗子过敏的东西不是羊肉，是鸡蛋，记的时候没睡醒").negated


def test_a_limit_of_the_season_ends_no_habit() -> None:
    habit = KnownFact("dog", "behavior:clingy", "栗子喜欢钻被窝跟主人睡")
    assert not told(habit, "天一热栗子就去睡瓷砖，被窝碰都不碰，往年也是").negated


def test_a_permission_beside_a_denial_is_no_line_of_its_own() -> None:
    ate = KnownFact("dog", "symptom:ate_wrong", "栗子偷吃了羊肉")
    assert slots("给栗子做了测试，羊肉那项出来是阴性，医生说可以正常吃", LAMB, ate) <= {LAMB.attribute, "visit:test"}


def test_a_drug_not_given_any_more_is_stopped() -> None:
    assert told(PILL, "我们商量好了，栗子的药不给了，天天昏睡看着难过").negated
    assert told(PILL, "我想通了，从明天起栗子的药全不喂，让它舒舒服服过日子").negated


FIVE_MG = KnownFact("dog", "medication:furosemide", "栗子每天早晚各吃呋塞米5mg")
FIRST_SHOT = KnownFact("dog", "vaccine:卫佳捌", "栗子2026年3月10日打了卫佳捌第一针")


@pytest.mark.parametrize(
    "text", ["呋塞米往上调了，一次7.5，还是一天两回", "呋塞米加量了，每次7.5", "心内今天给栗子加量了，呋塞米每晚7.5"]
)
def test_a_new_amount_without_its_unit_is_in_the_old_one(text: str) -> None:
    claim = told(FIVE_MG, text)
    assert (claim.value["number"], claim.value["unit"]) == (7.5, "mg")


@pytest.mark.parametrize("text", ["大夫说甲功稳了，呋塞米不用再吃", "呋塞米不需要再喂", "医生讲呋塞米可以不吃了"])
def test_what_need_not_be_given_any_more_is_stopped(text: str) -> None:
    assert told(FIVE_MG, text).negated


@pytest.mark.parametrize("text", ["首针其实是3月1日打的，10号是我瞎记的", "头针是3月1号打的，不是10号"])
def test_the_first_shot_has_more_names_than_one(text: str) -> None:
    claim = told(FIRST_SHOT, text)
    assert (claim.act, claim.occurred_on) == (SpeechAct.CORRECTION, date(2026, 3, 1))


def test_a_trial_without_a_reaction_speaks_against_the_allergy() -> None:
    assert told(LAMB, "做完食物激发了，大夫说羊肉不引起反应，正常喂就行").negated


@pytest.mark.parametrize(
    "text",
    [
        "栗子的呋塞米到此为止，我不喂了",
        "呋塞米就到今天为止",
        "呋塞米今天画上句号了",
        "栗子上个月的呋塞米吃完收工了",
        "呋塞米吃完拉倒",
    ],
)
def test_giving_up_a_drug_in_an_idiom_is_a_decision(text: str) -> None:
    claim = told(PILL, text)
    assert (claim.negated, claim.certainty) == (True, Certainty.PLAIN)


@pytest.mark.parametrize("text", ["呋塞米天天打卡", "呋塞米顿顿不落", "呋塞米雷打不动"])
def test_a_drug_that_is_never_left_out_is_still_given(text: str) -> None:
    assert not told(PILL, text).negated


@pytest.mark.parametrize("text", ["报告写着“羊肉激发试验(-)，可以正常吃”", "单子上印着“羊肉阴性，以后能正常吃了”"])
def test_what_a_report_says_is_heard_in_its_quotation(text: str) -> None:
    claim = told(LAMB, text)
    assert (claim.negated, claim.certainty) == (True, Certainty.PLAIN)


@pytest.mark.parametrize("text", ["嗯就是2.5mg", "对，就2.5mg", "那就改2.5mg"])
def test_an_answer_names_no_drug(text: str) -> None:
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,))).claims
    assert [claim for claim in claims if claim.attribute.startswith("medication:")] == []


def test_a_drug_only_supposed_is_not_given() -> None:
    claims = extract(Utterance(text="他觉得是胃复安", now=NOW, pets=(DOG,))).claims
    assert [claim for claim in claims if claim.attribute.startswith("medication:")] == []


@pytest.mark.parametrize("name", ["皇上", "太后"])
def test_a_pet_named_like_somebody_in_a_story_is_no_story(name: str) -> None:
    pet = PetProfile("cat", name, "cat")
    assert extract(Utterance(text=f"{name}还没绝育", now=NOW, pets=(pet,))).claims


def test_how_much_the_double_is_stands_in_the_next_clause() -> None:
    drug = KnownFact("dog", "medication:methimazole", "栗子每天早晚各吃1.25mg甲巯咪唑")
    claim = told(drug, "医生让栗子甲巯咪唑翻倍，2.5一次")
    assert (claim.value["number"], claim.value["unit"]) == (2.5, "mg")


@pytest.mark.parametrize("text", ["重拍的心超评级出来了，C级，哭", "复查报告出来了，已经C级了", "心超做完了，这回C级"])
def test_a_stage_alone_after_a_test_is_that_of_the_illness_on_record(text: str) -> None:
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[HEART])).claims
    assert [claim.value["stage"] for claim in claims if claim.attribute == HEART.attribute] == ["c"]


@pytest.mark.parametrize("text", ["隔壁猫报告出来了，C级，可怜", "证书评级出来了，栗子是A级血统"])
def test_a_stage_of_something_else_is_none_of_the_illness(text: str) -> None:
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[HEART])).claims
    assert not [claim for claim in claims if claim.attribute == HEART.attribute]


@pytest.mark.parametrize(
    "text",
    [
        "皇上今天净身完毕，手术二十分钟搞定",
        "圣旨到：皇上净身了",
        "皇上蛋蛋没了",
        "皇上从今天起就是太监了",
        "皇上铃铛摘了",
    ],
)
def test_neutering_told_in_joking_words_is_told(text: str) -> None:
    pet = PetProfile("cat", "皇上", "cat")
    known = KnownFact("cat", "neutered", "皇上还没绝育")
    claims = extract(Utterance(text=text, now=NOW, pets=(pet,), known=[known])).claims
    assert [claim.negated for claim in claims if claim.attribute == "neutered"] == [False]


@pytest.mark.parametrize(
    "text", ["以后英文翻译取消，只要中文", "不用再带英文翻译了", "往后翻译去掉吧", "英文翻译可以停了"]
)
def test_a_standing_wish_is_ended_though_its_words_may_be_those_of_a_task(text: str) -> None:
    wish = KnownFact("owner", "preference:附英文翻译", "每条回答后面要附一段英文翻译")
    claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=[wish])).claims
    assert [(claim.attribute, claim.act) for claim in claims] == [(wish.attribute, SpeechAct.DECISION)]


NEUTERED = KnownFact("dog", "neutered", "栗子已绝育")
TWICE = KnownFact("dog", "medication:cetirizine", "栗子早晚各吃西替利嗪10mg")


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (NEUTERED, "之前填的已绝育是错的，一直没给栗子做"),
        (NEUTERED, "绝育那项勾错了，蛋蛋还在呢"),
        (SHOT, "狂犬我填的是1月12，翻了本子是1月22"),
        (SHOT, "狂犬12号那针其实没打上，不算数"),
        (TWICE, "西替利嗪现在只喂早上那片了"),
        (TWICE, "吃完太困，皮肤科把西替利嗪砍半了"),
        (TWICE, "西替利嗪太贵了实在扛不住，这个月起我给断了"),
        (SHOT, "狂犬那次其实打的是八联，狂犬还没打呢"),
    ],
)
def test_what_goes_against_the_record_is_no_second_telling_of_it(known: KnownFact, text: str) -> None:
    claim = told(known, text)
    assert claim.act in (SpeechAct.CORRECTION, SpeechAct.DECISION)
    assert claim.certainty is Certainty.PLAIN


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (LAMB, "羊肉过敏那个是我奶奶说的，准不准不好讲"),
        (HEART, "栗子那个二尖瓣病是店里小哥听出来的，到底有没有还两说"),
        (NEUTERED, "栗子这几天叼着娃娃到处做窝，是要生了吗"),
        (HEART, "栗子一年没病没灾的，二尖瓣病估计是好了"),
        (MDR1, "都第三天了，乙酰丙嗪看样子没啥可怕的"),
        (TWICE, "西替利嗪少吃一顿应该不碍事"),
    ],
)
def test_whether_it_was_ever_so_is_only_watched(known: KnownFact, text: str) -> None:
    claim = told(known, text)
    assert claim.negated
    assert claim.certainty is not Certainty.PLAIN


def test_a_part_of_the_body_without_a_change_is_no_reaction() -> None:
    claim = told(LAMB, "栗子早上舔了块羊肉，眼圈看着没变化哎")
    assert (claim.negated, claim.act) == (True, SpeechAct.OBSERVATION)


def test_all_drugs_are_ended_in_one_breath() -> None:
    two = [KnownFact("dog", "medication:benazepril", "栗子每天吃贝那普利5mg"), PILL]
    for text in ("药全给停了，实在喂不进去", "两个心脏药都不吃了"):
        claims = extract(Utterance(text=text, now=NOW, pets=(DOG,), known=two)).claims
        assert {claim.attribute for claim in claims if claim.negated} == {fact.attribute for fact in two}


def test_a_dose_brought_up_today_and_not_given_again_ends_no_drug() -> None:
    claims = extract(Utterance("栗子今天那片药吐沙发上了，我没再喂", NOW, (DOG,), known=[PILL])).claims
    assert not [claim for claim in claims if claim.attribute == PILL.attribute and claim.act is SpeechAct.DECISION]
