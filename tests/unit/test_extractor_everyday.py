"""Everyday life told in plain verbs: deeds, ways of living, toilet habits, origin, treatments of two halves."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim
from memory.topics import Topic

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"),)
COUPLE = (PetProfile("p", "桃酥", "dog"), PetProfile("m", "麻花", "cat"))


def claims(text: str, pets: tuple[PetProfile, ...] = PETS) -> list[Claim]:
    return list(extract(Utterance(text, NOW, pets)).claims)


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("桃酥把卷纸扯得到处都是", Topic.BEHAVIOR),
        ("桃酥对激光笔没兴趣", Topic.BEHAVIOR),
        ("桃酥最烦吹风机", Topic.BEHAVIOR),
        ("桃酥白天得关书房", Topic.LIFESTYLE),
        ("卧室不让桃酥进", Topic.LIFESTYLE),
        ("桃酥原来叫小灰", Topic.GROWTH),
        ("桃酥拿到玩具不许人靠近", Topic.BEHAVIOR),
        ("桃酥往鞋柜里钻", Topic.BEHAVIOR),
        ("桃酥会跳上灶台", Topic.BEHAVIOR),
        ("桃酥睡客厅的垫子", Topic.BEHAVIOR),
        ("桃酥平时散养", Topic.LIFESTYLE),
        ("桃酥穿了新雨衣", Topic.LIFESTYLE),
        ("桃酥周日去了狗公园", Topic.LIFESTYLE),
        ("桃酥下雪天不肯上厕所", Topic.ELIMINATION),
        ("桃酥有两个厕所", Topic.ELIMINATION),
        ("桃酥是柯基和柴犬的串", Topic.GROWTH),
        ("桃酥肩高40厘米", Topic.GROWTH),
        ("桃酥体重没变", Topic.GROWTH),
    ],
)
def test_plain_verbs_tell_how_a_pet_lives(text: str, topic: Topic) -> None:
    assert [claim.topic for claim in claims(text)] == [topic]


@pytest.mark.parametrize("text", ["桃酥往那一躺像块抹布", "我以前睡客厅", "桃酥会开门吗", "桃酥简直会飞檐走壁"])
def test_likenesses_people_and_questions_are_no_deeds(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("桃酥昨天输了三天液", "visit:infusion"),
        ("桃酥上周拆的线", "visit:surgery"),
        ("桃酥拔了两颗坏牙", "visit:dental"),
        ("桃酥看了个皮肤科专家", "visit:clinic"),
        ("桃酥猫抓病阴性", "visit:test"),
    ],
)
def test_treatments_take_words_between_their_halves(text: str, attribute: str) -> None:
    assert attribute in {claim.attribute for claim in claims(text)}


def test_what_a_picture_showed_of_an_organ_is_no_sign_of_its_own() -> None:
    assert [claim.attribute for claim in claims("桃酥周一做的B超，左肾有点小")] == ["visit:imaging"]


@pytest.mark.parametrize("text", ["桃酥误吞了根橡皮筋", "桃酥吃了个发圈", "桃酥喝了几口消毒水"])
def test_things_that_are_no_food_are_told_when_they_are_swallowed(text: str) -> None:
    assert len(claims(text)) == 1


def test_what_an_allergic_pet_eats_instead_is_no_allergy() -> None:
    made = {claim.attribute for claim in claims("桃酥牛肉过敏吃普通的鸭肉粮")}
    assert "allergy:beef" in made
    assert not any("duck" in attribute for attribute in made if attribute.startswith("allergy"))


def test_two_things_done_at_the_groomers_are_two_claims() -> None:
    made = {claim.attribute for claim in claims("今天给桃酥剃了脚底毛剪了指甲")}
    assert made == {"grooming:trim", "grooming:nails"}


def test_all_but_one_are_meant_when_the_next_clause_says_all() -> None:
    made = {(claim.subject, claim.attribute) for claim in claims("除了麻花，都滴了大宠爱", COUPLE)}
    assert made == {("p", "deworming:大宠爱")}


@pytest.mark.parametrize("text", ["今天遛弯碰到另一只柯基瘫痪了", "桃酥今天给我转了五百块", "我叫什么", "我叫它回来"])
def test_another_animal_and_a_joke_leave_nothing(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("我儿子三岁", "owner.life"),
        ("我叫小林", "owner.name"),
        ("我是新手，第一次养狗", "owner.life"),
        ("晚上没车", "owner.life"),
        ("以后都用斤", "preference.reply_style"),
        ("先告诉我紧不紧急", "preference.order_of_advice"),
        ("我一般晚上十点才到家", "owner.timetable"),
        ("钥匙在邻居张姐那", "owner.household"),
        ("别一大早发消息", "preference.quiet"),
        ("我常去瑞派", "preference.clinic"),
        ("本人程序员", "owner.life"),
        ("换工作了，现在朝九晚六双休", "owner.life"),
        ("遛狗靠我弟", "owner.household"),
        ("便便都是我老公铲", "owner.household"),
        ("八月要带团去西北十天", "owner.timetable"),
        ("单次超两千要先跟我讲一声", "preference.budget"),
        ("要是过一千五，先问我一声", "preference.budget"),
        ("贵于五百的检查都得我点头", "preference.budget"),
        ("下周二到周五去成都开会", "owner.timetable"),
        ("国庆全家回湖南老家", "owner.timetable"),
        ("平时六点半下班到家七点多", "owner.timetable"),
        ("狗粮现在寄到丰台区那边", "owner.residence"),
        ("看病我只信万柳那家", "preference.clinic"),
        ("家里下个月要添个宝宝", "owner.life"),
        ("万一联系不上我，就打我老公电话尾号2233", "contact.emergency"),
    ],
)
def test_the_owner_speaks_of_home_hours_and_wishes(text: str, attribute: str) -> None:
    assert attribute in {claim.attribute for claim in claims(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("桃酥3月底滴的海乐妙…不对是爱沃克", {"deworming:爱沃克"}),
        ("桃酥得等感冒好了再打疫苗", {"schedule:疫苗", "condition:cold"}),
        ("桃酥查出糖尿病，现在一天两针", {"condition:diabetes", "medication:unnamed"}),
        ("桃酥咳得更凶", {"symptom:cough"}),
        ("趁我开会桃酥把耳机啃断了", {"behavior:destroying"}),
        ("家里的毯子都被桃酥蹭秃了", set()),
        ("桃酥第一次打疫苗是什么时候", set()),
        ("桃酥疫苗本翻到了", set()),
    ],
)
def test_words_around_decide_what_is_told(text: str, expected: set[str]) -> None:
    assert {claim.attribute for claim in claims(text)} == expected


def test_two_signs_of_the_mouth_told_apart_are_two() -> None:
    made = [claim.attribute for claim in claims("桃酥嘴角破皮了，一吃东西就甩头，口水还带点粉色")]
    assert made.count("symptom:mouth_problem") == 2


@pytest.mark.parametrize(
    ("text", "subject"), [("麻花是姐姐，桃酥是弟弟。弟弟昨天吐了", "p"), ("桃酥是老大麻花是老二。老二昨天吐了", "m")]
)
def test_a_role_may_be_told_after_the_name(text: str, subject: str) -> None:
    assert {claim.subject for claim in claims(text, COUPLE)} == {subject}


def test_big_and_small_follow_the_names() -> None:
    pets = (PetProfile("b", "大米", "dog"), PetProfile("s", "小米", "dog"))
    made = {(claim.subject, claim.attribute) for claim in claims("小的昨天吐了，大的今天打了狂犬", pets)}
    assert made == {("s", "symptom:vomiting"), ("b", "vaccine:狂犬")}


def test_a_drug_allergy_shows_in_what_the_drug_does() -> None:
    assert [claim.attribute.partition(":")[0] for claim in claims("桃酥打头孢会休克")] == ["allergy"]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("桃酥昨天打了一针止吐针", "2026-04-15"),
        ("桃酥今天吃了一片卡洛芬", "2026-04-16"),
        ("桃酥今天吃了一片卡洛芬，以后每天一片", None),
        ("桃酥今天开始吃卡洛芬，一天一片", None),
    ],
)
def test_a_drug_given_once_is_over_the_day_after(text: str, end: str | None) -> None:
    given = [claim for claim in claims(text) if claim.attribute.startswith("medication:")]
    assert [claim.value.get("end") for claim in given] == [end]
    assert not any(claim.attribute.startswith("vaccine:") for claim in claims(text))


def test_a_negative_weight_is_no_weight_and_a_range_keeps_its_upper_end() -> None:
    assert claims("桃酥体重-5公斤") == []
    assert [claim.value["number"] for claim in claims("桃酥体重5-6公斤")][-1:] == [6]


def test_a_cold_is_no_asthma_and_an_eye_infection_no_ulcer() -> None:
    made = {claim.attribute for text in ("桃酥感冒了", "桃酥得了结膜炎", "桃酥有腹水") for claim in claims(text)}
    assert made == {"condition:cold", "condition:conjunctivitis", "condition:effusion"}


def test_an_eighth_of_a_pill_is_no_pill() -> None:
    (given,) = claims("桃酥每天吃氨氯地平八分之一片")
    assert (given.value["dose_text"], given.value["number"]) == ("八分之一片", 0.125)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三只就年糕没打过狂犬，桃酥麻花都打了", {("n", True), ("p", False), ("m", False)}),
        ("桃酥的狂犬应该是去年打的吧", {("p", False)}),
    ],
)
def test_vaccines_are_told_of_the_right_pets(text: str, expected: set[tuple[str, bool]]) -> None:
    pets = (*COUPLE, PetProfile("n", "年糕", "cat"))
    made = {(c.subject, c.negated) for c in claims(text, pets) if c.attribute.startswith("vaccine")}
    assert made == expected


def test_each_dose_goes_with_its_own_drug() -> None:
    text = "桃酥的癫痫药别跟麻花的关节药放一起，麻花一天一颗，桃酥一天两次各半片"
    made = {(c.subject, c.attribute) for c in claims(text, COUPLE) if "一天" in c.content}
    assert made == {("m", "medication:关节药"), ("p", "medication:癫痫药")}


def test_figures_in_a_round_of_weighing_are_kilograms() -> None:
    made = {(c.subject, c.value["number"]) for c in claims("称了一圈，桃酥4.8麻花5.5", COUPLE)}
    assert made == {("p", 4.8), ("m", 5.5)}


@pytest.mark.parametrize("text", ["昨天说桃酥拉肚子，其实是偷吃了火龙果", "肌酐稳住了", "趁早睡吧主要是我妈管"])
def test_words_of_other_senses_are_not_taken_at_their_face(text: str) -> None:
    assert not {"symptom:diarrhea", "owner.residence"} & {claim.attribute for claim in claims(text)}


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("桃酥今天没拉稀", "symptom:diarrhea"),
        ("桃酥没拉肚子了", "symptom:diarrhea"),
        ("桃酥没拉血了", "symptom:bloody_stool"),
        ("桃酥没拉虫", "symptom:parasites_seen"),
    ],
)
def test_what_was_not_passed_is_absent_and_no_constipation(text: str, attribute: str) -> None:
    assert [(claim.attribute, claim.negated) for claim in claims(text)] == [(attribute, True)]


def test_nothing_passed_is_constipation() -> None:
    assert [(claim.attribute, claim.negated) for claim in claims("桃酥三天没拉了")] == [("symptom:constipation", False)]


def test_a_cup_a_meal_is_an_amount() -> None:
    assert [claim.attribute for claim in claims("桃酥每顿一杯粮，大概90克")] == ["diet.amount"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("桃酥听见楼道有脚步声会低头哼", "脚步声"),
        ("桃酥喝水要用玻璃碗，换了别的一口不动", "玻璃碗"),
        ("桃酥会顶气球了，学了一星期", "顶气球"),
        ("桃酥只让奶奶牵，换个人就坐地上", "奶奶"),
        ("桃酥睡前非得叼着小熊", "小熊"),
        ("桃酥老往鞋堆里拱", "鞋堆"),
        ("桃酥特别倔，认准的路谁也拉不回来", "倔"),
        ("桃酥反感喷雾瓶", "喷雾瓶"),
    ],
)
def test_a_habit_is_kept_whatever_its_verb(text: str, told: str) -> None:
    [claim] = claims(text)
    assert told in claim.content


@pytest.mark.parametrize("text", ["桃酥会三门外语", "桃酥半夜给我发微信", "还没敢给桃酥吃", "桃酥平时就这样"])
def test_what_tells_of_no_habit_is_not_kept(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("桃酥小时候怕电梯，现在淡定得很", "怕电梯"),
        ("桃酥以前爱吃鸭胸肉，后来吃腻了", "鸭胸"),
        ("桃酥刚来的时候见人就扑，现在稳多了", "扑"),
    ],
)
def test_what_is_over_by_now_is_denied(text: str, name: str) -> None:
    assert [(claim.negated, name in claim.content) for claim in claims(text)] == [(True, True)]


def test_how_a_habit_shows_is_no_second_habit() -> None:
    [claim] = claims("桃酥见到井盖就绕，每次都躲得远远的")
    assert "远远" in claim.content


def test_the_one_taken_out_after_everybody_is_not_among_them() -> None:
    told = claims("虾谁都能吃，就麻花不行，它一吃就吐", COUPLE)
    assert {(claim.subject, claim.attribute.partition(":")[0]) for claim in told} == {("p", "diet"), ("m", "allergy")}


def test_what_is_eaten_stands_with_the_other_pet() -> None:
    [liked, left] = claims("桃酥爱吃梨，麻花碰都不碰", COUPLE)
    assert (liked.subject, liked.negated, left.subject, left.negated) == ("p", False, "m", True)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("以后别老催我去体检", "preference.reply_style"),
        ("给方案的时候先报价 再讲步骤", "preference.order_of_advice"),
        ("我一个修车的看不懂", "owner.life"),
        ("我还在读博", "owner.life"),
        ("我周四到周六在苏州培训", "owner.timetable"),
        ("铲屎都是我男朋友来", "owner.household"),
        ("看病一般找城西那家瑞鹏", "preference.clinic"),
    ],
)
def test_the_owner_tells_of_work_home_and_how_to_be_talked_to(text: str, attribute: str) -> None:
    assert attribute in {claim.attribute for claim in claims(text)}


def test_pets_that_are_fed_apart_live_so() -> None:
    [claim] = claims("喂饭都得先把桃酥关阳台", COUPLE)
    assert (claim.subject, claim.attribute) == ("p", "other:living:apart")


def test_what_is_no_allergy_but_a_dislike_is_a_dislike() -> None:
    told = claims("桃酥不是对鸭肉过敏，就是嫌腥不肯吃")
    assert {(claim.attribute.partition(":")[0], claim.negated) for claim in told} == {("allergy", True), ("diet", True)}


def test_an_outing_is_told_of_all_that_went() -> None:
    told = claims("国庆带它俩回了乡下", COUPLE)
    assert {(claim.subject, claim.attribute) for claim in told} == {
        ("p", "other:living:outing"),
        ("m", "other:living:outing"),
    }


def test_new_gear_is_told_beside_what_it_changed() -> None:
    told = {claim.attribute for claim in claims("换成陶瓷碗之后桃酥没再长过黑下巴")}
    assert "other:living:gear" in told


def test_the_other_animal_of_a_fight_is_a_stranger() -> None:
    told = claims("桃酥昨天跟一条哈士奇打起来了，听说那条没打过狂犬")
    assert not any(claim.attribute.startswith("vaccine") for claim in told)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("桃酥老刨沙发是不是没玩够啊", "沙发"),
        ("桃酥为啥老舔我脚", "舔"),
        ("桃酥见了电梯就往后退是什么毛病", "电梯"),
        ("桃酥是不是嫌窝小？一关灯就往床上钻", "关灯"),
        ("可真会挑地方，刚铺的毯子，一泡尿正中间", "尿"),
        ("快过年了到处放炮，桃酥一听见就钻床底", "放炮"),
        ("刚下单一个航空箱", "航空箱"),
        ("早上桃酥走丢了俩小时", "走丢"),
        ("不是混合砂，包装上写的水晶砂", "水晶砂"),
    ],
)
def test_a_habit_or_deed_is_heard_in_a_question_in_scorn_and_in_passing(text: str, told: str) -> None:
    [claim] = claims(text)
    assert told in claim.content


def test_a_lesson_learnt_and_one_that_is_not_are_two_facts() -> None:
    told = claims("桃酥坐下稳了，随行还不行")
    assert [(claim.attribute, claim.negated) for claim in told] == [
        ("behavior:training:坐下", False),
        ("behavior:training:随行", True),
    ]


def test_what_a_pet_no_longer_looks_at_is_not_eaten() -> None:
    told = {(claim.negated, "狗粮" in claim.content) for claim in claims("桃酥换了鲜食，狗粮看都不看一眼")}
    assert (True, True) in told


def test_what_a_strangers_pet_fears_is_what_ours_does_not() -> None:
    [claim] = claims("朋友家狗怕打雷，桃酥倒是不怕")
    assert (claim.negated, "打雷" in claim.content) == (True, True)


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("有事发微信就行", "preference.quiet"),
        ("别打我手机", "preference.quiet"),
        ("别动不动就说去医院", "preference.reply_style"),
        ("我们家离医院开车四十分钟", "owner.life"),
        ("家里刚生了二胎", "owner.life"),
        ("我右脚骨折打着石膏", "owner.life"),
        ("我不想给桃酥用激素", "preference.care"),
    ],
)
def test_the_owner_tells_how_to_be_reached_and_how_life_is(text: str, attribute: str) -> None:
    assert [claim.attribute for claim in claims(text)] == [attribute]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("桃酥讨厌胡萝卜", ("diet:胡萝卜", True)),
        ("桃酥这个月一根草都没啃过", ("diet:草", True)),
        ("桃酥现在听见鞭炮头都不抬", ("behavior:fear:鞭炮", True)),
        ("桃酥刚来那年见扫把就躲，如今扫把从头上过都懒得抬眼皮", ("behavior:fear:扫把", True)),
        ("上次说桃酥怕打雷说岔了，怕的是放炮", ("behavior:fear:放炮", False)),
        ("之前说桃酥爱吃胡萝卜记岔了，爱吃的是红薯", ("diet:potato", False)),
        ("桃酥头一回来血了", ("symptom:heat", False)),
        ("桃酥把我的袜子吞进肚了", ("symptom:ate_wrong", False)),
        ("昨天验血桃酥T4在参考范围里头了", ("lab:t4", False)),
        ("先把桃酥放我公司养一礼拜", ("schedule:boarding", False)),
        ("桃酥看见穿雨衣的人就汪汪个没完", ("behavior:habit", False)),
        ("桃酥把茶几上两个杯子全清到地上去了", ("behavior:habit", False)),
        ("今儿趁打折给桃酥剪了指甲", ("grooming:nails", False)),
        ("桃酥到家的日子是4月3号", ("other:origin", False)),
        ("每月花在桃酥身上的钱我封顶一千五", ("preference.budget", False)),
        ("如今看病都上解放路那家夜诊", ("preference.clinic", False)),
        ("桃酥讨厌罐头啊", ("diet.staple_food", True)),
        ("桃酥每年都去体检", ("schedule:体检", False)),
        ("老的那家诊所太远，如今看病都上解放路那家", ("preference.clinic", False)),
    ],
)
def test_everyday_words_for_what_is_known(text: str, told: tuple[str, bool]) -> None:
    assert [(claim.attribute, claim.negated) for claim in claims(text)] == [told]


def test_what_was_swallowed_is_the_medicine_named_before_as_the_others() -> None:
    told = claims("麻花那片降压药桃酥给吃下肚了，整片5毫克", COUPLE)
    assert [claim.content for claim in told if claim.subject == "p"] == ["麻花那片降压药桃酥给吃下肚了，整片5毫克"]


def test_a_pet_that_pays_is_a_joke() -> None:
    assert claims("行行行，会员是桃酥充的，我就是个寄宿的") == []
