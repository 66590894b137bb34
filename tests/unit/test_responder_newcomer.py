"""What a newcomer meets in the first days: denials, emergencies told as text, strange names, summaries, small talk."""

from dataclasses import replace

import pytest
from responder_contexts import DRUG, NOW, SAFETY_CARD, WANGZAI, XUEQIU, about_dog, dog_card, on_card, recalled, written

from domain.offline.responder import respond
from domain.offline.responder.wording import retold
from domain.pet_profiles import SaidBefore
from domain.safety import MemoryLine, SafetyFacts, StreamReview, facts_from_lines
from domain.triage import Alert, triage
from domain.turn_context import PetCard, RecalledLine, TurnContext, Written
from memory.vocabulary import Kind, Outcome


def said(context: TurnContext) -> str:
    return "".join(sentence.text for sentence in respond(context))


DENIALS = (
    "旺仔对鸭肉不过敏",
    "旺仔没有对鸭肉过敏",
    "旺仔对鸭肉过敏（已排除）",
    "旺仔鸭肉过敏检测阴性",
    "旺仔对鸭肉不再过敏了",
)


class TestDeniedAllergy:
    @pytest.mark.parametrize("line", DENIALS)
    @pytest.mark.parametrize("asked", ["旺仔能吃鸭肉干吗", "旺仔可以吃点鸭胸吗"])
    def test_is_told_but_never_as_a_warning(self, line: str, asked: str) -> None:
        denied = recalled("m-duck", line, "allergy:duck", "medical", "2026-10-01")
        text = said(about_dog(asked, denied, card=dog_card()))
        assert "别给" not in text
        assert "已知的过敏" not in text
        assert line.split("（")[0] in text

    def test_does_not_take_the_warning_of_another_allergy_away(self) -> None:
        denied = recalled("m-duck", "旺仔对鸭肉不过敏", "allergy:duck", "medical", "2026-10-01")
        assert "别给：旺仔对牛肉过敏" in said(about_dog("旺仔能吃牛肉吗", denied))

    def test_is_still_a_warning_where_the_record_in_force_says_so(self) -> None:
        watched = recalled("m-beef", "旺仔对牛肉不过敏", "allergy:beef", "medical", "2026-10-01", pending="观察中")
        text = said(about_dog("旺仔能吃牛肉吗", watched))
        assert text.startswith("别给：旺仔对牛肉过敏")


def alert(level: str = "emergency", advice: str = "去医院", pet_id: str | None = WANGZAI.id) -> Alert:
    return Alert(level, "抽搐", advice, "flag:seizure", pet_id)  # type: ignore[arg-type]


class TestEmergencyInWords:
    def test_the_answer_itself_sends_to_the_vet_before_anything_else(self) -> None:
        first = respond(about_dog("旺仔抽搐了", alerts=(alert(),)))[0].text
        assert first == "请现在就带旺仔去最近的动物医院急诊，路上先打电话。"

    def test_a_poison_is_called_in_first(self) -> None:
        poisoned = triage("旺仔吃了一板巧克力", [WANGZAI])
        first = respond(about_dog("旺仔吃了一板巧克力", alerts=poisoned))[0].text
        assert first.startswith("请现在就打电话给最近的动物医院急诊")

    def test_what_can_wait_a_day_is_said_so(self) -> None:
        assert "一天之内带旺仔去看医生" in said(about_dog("旺仔一直吐", alerts=(alert("urgent"),)))

    @pytest.mark.parametrize("hope", ["没事吧", "要紧吗", "不用去医院吧", "明天再去行吗", "会自己好吗", "严重不"])
    def test_a_hope_that_it_is_nothing_is_not_fed(self, hope: str) -> None:
        context = about_dog(f"旺仔抽搐了，{hope}？", alerts=(alert(),))
        text = said(context)
        assert text.startswith("这我在这里判断不了，不能当小事：请现在就带旺仔去")
        assert not any(part in text for part in ("没事", "没问题", "观察", "别担心", "正常"))

    def test_the_review_lets_it_through(self) -> None:
        told = [MemoryLine(WANGZAI.id, line.attribute.split(":")[0], line.text) for line in SAFETY_CARD.lines]
        facts = facts_from_lines(told, [WANGZAI, XUEQIU], [WANGZAI.id])
        context = about_dog("旺仔抽搐了，没事吧？", alerts=(alert(),))
        stream = StreamReview(facts, context.text, context.alerts)
        assert [stream.check(sentence.text).verdict for sentence in respond(context)] == ["allowed"] * 2

    def test_what_this_message_put_on_record_is_not_called_missing(self) -> None:
        items = (written(Outcome.ADDED, "旺仔对鸭肉过敏", "allergy:duck", memory_id="m-new"),)
        text = said(about_dog("旺仔吃鸭肉脸肿了，对鸭肉过敏", alerts=(alert(),), card=dog_card(), written=items))
        assert "没有旺仔的过敏" not in text
        assert "见到医生请说明：旺仔对鸭肉过敏" in text

    def test_what_the_card_tells_already_is_not_told_twice(self) -> None:
        items = (written(Outcome.MERGED, "旺仔对牛肉过敏", "allergy:beef", memory_id="k-beef"),)
        text = respond(about_dog("旺仔吃牛肉脸肿了", alerts=(alert(),), written=items))[1].text
        assert text.count("牛肉") == 1


DRUG_NEWS = [
    "医生让加巴喷丁改成隔天一次",
    "旺仔的药停了",
    "旺仔今天药吃完了",
    "医生说旺仔可以减半了",
    "旺仔的药今天忘喂了",
]
DRUG_LINES = [
    "旺仔的加巴喷丁改成隔天一次",
    "旺仔今天加巴喷丁改成隔天一次",
    "旺仔的药停了三天",
    "旺仔加巴喷丁减到半片一次",
]


class TestNewsOfMedicine:
    def facts(self, *told: str) -> SafetyFacts:
        read = facts_from_lines([MemoryLine(WANGZAI.id, "medication", DRUG[0])], [WANGZAI, XUEQIU], [WANGZAI.id])
        return replace(read, extra_support=(*read.extra_support, *told))

    @pytest.mark.parametrize("line", DRUG_LINES)
    @pytest.mark.parametrize("news", DRUG_NEWS)
    def test_is_answered_with_the_record_and_no_scolding(self, news: str, line: str) -> None:
        known = recalled("m-drug", line, "medication:gabapentin", "medical", "2026-11-01")
        context = about_dog(news, known)
        stream = StreamReview(self.facts(line), news, ())
        for sentence in respond(context):
            assert "不能自己停" not in stream.check(sentence.text).safe_text

    @pytest.mark.parametrize("advice", ["药可以先停两天。", "加巴喷丁改成隔天一次就行。", "那就停药吧。"])
    def test_advice_to_change_a_drug_is_still_stopped(self, advice: str) -> None:
        assert StreamReview(self.facts("旺仔吃了药"), "旺仔的药能停吗", ()).check(advice).verdict == "block"


@pytest.mark.parametrize(("written_as", "told_as"), [("体重4．25kg", "4.25kg"), ("体重１２.５公斤", "12.5公斤")])
def test_a_weight_in_full_width_signs_is_read_as_one_number(written_as: str, told_as: str) -> None:
    weight = recalled("m-w", f"旺仔{written_as}", "weight", "growth", "2026-11-02")
    assert f"最近一次体重是{told_as}，" in said(about_dog("旺仔多重", weight))


def test_how_much_a_pet_gained_is_said_in_a_number() -> None:
    before = recalled("w-1", "旺仔4.2kg", "weight", "growth", "2026-09-01")
    latest = recalled("w-2", "旺仔体重是4.5公斤了", "weight", "growth", "2026-11-20")
    assert "比，重了0.3公斤。" in said(about_dog("旺仔最近胖了多少", before, latest))


@pytest.mark.parametrize("counted", ["三只", "四只", "几只", "俩只"])
def test_how_many_there_are_is_nobodys_name(counted: str) -> None:
    assert "没有叫" not in said(about_dog(f"{counted}都有什么过敏"))


def test_a_piece_of_a_number_is_no_weight() -> None:
    weight = recalled("m-w", "旺仔体重1,200克", "weight", "growth", "2026-11-02")
    assert "是200克" not in said(about_dog("旺仔多重", weight))


class TestNameOfNobody:
    @pytest.mark.parametrize(
        ("asked", "name"),
        [
            ("大黄对什么过敏", "大黄"),
            ("我家花花多重", "花花"),
            ("Lucky几岁了", "Lucky"),
            ("小灰最近怎么样", "小灰"),
            ("团团能吃牛肉吗", "团团"),
            ("小明最近怎么样", "小明"),
            ("富贵绝育了吗", "富贵"),
        ],
    )
    def test_is_said_to_be_unknown_and_nobody_else_is_told_of(self, asked: str, name: str) -> None:
        for context in (about_dog(asked), TurnContext(NOW, asked, others=(WANGZAI, XUEQIU), unclear=True)):
            text = said(context)
            assert text.startswith(f"没有叫“{name}”的宠物的记录")
            assert "牛肉过敏" not in text

    @pytest.mark.parametrize(
        "asked",
        [
            *("旺仔对什么过敏", "它多重", "比格几岁了", "狗狗最近怎么样", "老大几岁", "今天怎么样"),
            *("体重多少", "大便怎么样", "布偶多大了", "小的那只多重", "葡萄能吃吗", "大枣能吃吗"),
            *("驱虫什么时候做", "疫苗几号打", "最近怎么样", "主粮怎么样"),
            *("果果能吃吗", "幼犬几岁成年", "狂犬疫苗几岁打", "天天几顿"),
        ],
    )  # fmt: skip
    def test_is_not_heard_in_other_words(self, asked: str) -> None:
        assert "没有叫" not in said(about_dog(asked))

    def test_a_name_that_memory_knows_is_not_called_unknown(self) -> None:
        known = recalled("m-tuan", "旺仔的小名是团团", "name", "behavior")
        assert "没有叫" not in said(about_dog("团团多重", known))


UNTOUCHED = (
    recalled("m-sofa", "旺仔爱趴沙发", "behavior:sofa", "behavior", "2026-10-01"),
    recalled("m-river", "旺仔去河边玩水", "activity:water", "lifestyle", "2026-10-02"),
)


@pytest.mark.parametrize("asked", ["旺仔血型是什么", "旺仔的猫藓好了没", "旺仔叫什么英文名", "旺仔怎么学会握手的"])
def test_nothing_is_told_only_because_it_was_recalled(asked: str) -> None:
    text = said(about_dog(asked, *UNTOUCHED, card=dog_card()))
    assert "沙发" not in text
    assert "河边" not in text
    assert "没有" in text or "基本模式" in text


FOOD = recalled("m-food", "旺仔主粮是鹿肉配方，一顿120克", "diet.staple_food", "diet", "2026-06-30")
VOMIT = recalled("m-vomit", "旺仔吐了两次", "symptom:vomiting", "health", "2026-11-16")
WEIGHT = recalled("m-weight", "旺仔体重13.1kg", "weight", "growth", "2026-11-02")
CAT_MILK = PetCard(XUEQIU, (on_card("k-milk", "雪球对牛奶过敏", "allergy:dairy", "medical"),))


class TestSummaryForTheVet:
    @pytest.mark.parametrize(
        "asked",
        [
            "帮我总结一下旺仔的情况，后天要去看医生",
            "整理一份旺仔的病史",
            "能把旺仔的健康情况汇总一下吗",
            "明天去看病，总结下旺仔",
        ],
    )
    def test_holds_all_that_a_vet_asks_for_with_its_sources(self, asked: str) -> None:
        context = about_dog(asked, FOOD, VOMIT, WEIGHT)
        text = said(context)
        parts = ("牛肉过敏", "髋关节", "加巴喷丁", "鹿肉", "13.1kg", "2026年11月2日", "吐了两次")
        assert [part for part in parts if part not in text] == []
        cited = {one for sentence in respond(context) for one in sentence.citations}
        assert cited == {"k-beef", "k-gaba", "k-hip", "m-food", "m-vomit", "m-weight"}

    def test_says_what_is_missing(self) -> None:
        text = said(about_dog("总结一下旺仔的情况给医生看", card=dog_card()))
        assert "没有过敏记录，这不等于不过敏" in text
        assert "用药没有记录" in text
        assert "体重没有记录" in text

    def test_a_summary_of_one_thing_is_a_list_of_it(self) -> None:
        worm = recalled("m-worm", "旺仔用了驱虫药海乐妙", "deworming:milbemax", "prevention", "2026-08-18")
        text = said(about_dog("帮我整理一下旺仔的驱虫记录", worm))
        assert "海乐妙" in text
        assert "牛肉" not in text


class TestWhatToMindAtHome:
    def test_all_pets_are_told_of_when_their_cards_are_there(self) -> None:
        context = TurnContext(
            NOW, "最近该注意什么", cards=(SAFETY_CARD, CAT_MILK), recalled=(VOMIT,), due=("狂犬疫苗12月6日到期",)
        )
        for unclear in (False, True):
            text = said(replace(context, unclear=unclear))
            assert [part for part in ("牛肉", "牛奶", "12月6日", "吐了两次") if part not in text] == []
            assert "不是的话告诉我" not in text

    def test_a_pet_that_died_is_not_worried_about(self) -> None:
        gone = PetCard(replace(XUEQIU, status="memorial"), CAT_MILK.lines)
        assert "牛奶" not in said(TurnContext(NOW, "最近该注意什么", cards=(SAFETY_CARD, gone)))


CAT_WEIGHT = recalled("m-cat-weight", "雪球体重4.2kg", "weight", "growth", "2026-10-30", subject=XUEQIU.id)


def both(text: str, *lines: RecalledLine, **more: object) -> TurnContext:
    return TurnContext(NOW, text, cards=(SAFETY_CARD, CAT_MILK), recalled=lines, **more)  # type: ignore[arg-type]


class TestBetweenPets:
    @pytest.mark.parametrize(
        ("asked", "warning"),
        [
            ("雪球的牛肉干分给旺仔一点行吗", "别给：旺仔对牛肉过敏"),
            ("旺仔的奶酪匀给雪球一块可以吗", "别给：雪球对牛奶过敏"),
            ("能把旺仔的牛奶喂给雪球吗", "别给：雪球对牛奶过敏"),
            ("旺仔剩的酸奶雪球能喝吗", "别给：雪球对牛奶过敏"),
        ],
    )
    def test_the_allergy_of_the_one_that_gets_it_counts(self, asked: str, warning: str) -> None:
        text = said(both(asked))
        assert text.startswith(warning)
        assert "没有提到" not in text

    def test_a_receiver_whose_record_is_not_at_hand_is_not_answered_by_another_record(self) -> None:
        text = said(about_dog("旺仔的牛肉干分给雪球一点行吗"))
        assert "旺仔对牛肉过敏" not in text
        assert "先别给" in text

    @pytest.mark.parametrize(
        ("asked", "verdict"),
        [
            ("旺仔和雪球谁重", "旺仔更重"),
            ("雪球和旺仔哪个更轻", "雪球更轻"),
            ("雪球比旺仔瘦多少", "雪球更轻"),
        ],
    )
    def test_weights_are_set_side_by_side(self, asked: str, verdict: str) -> None:
        text = said(both(asked, WEIGHT, CAT_WEIGHT))
        assert [
            part for part in ("13.1kg", "2026年11月2日", "4.2kg", "2026年10月30日", verdict) if part not in text
        ] == []

    def test_a_missing_weight_is_said_and_nothing_concluded(self) -> None:
        text = said(both("旺仔和雪球谁重", WEIGHT))
        assert "雪球没有体重的记录" in text
        assert "更重" not in text


class TestPlansThatAreOnlyRemembered:
    def test_nobody_is_promised_a_reminder_without_a_day(self) -> None:
        items = (written(Outcome.ADDED, "旺仔12月3日打疫苗", "schedule:vaccine"),)
        sentences = respond(about_dog("下周四带旺仔打疫苗", written=items))
        honest = [sentence for sentence in sentences if "要我到点提醒的话，把哪天、几点告诉我。" in sentence.text]
        assert len(honest) == 1
        assert honest[0].tells_back

    def test_what_was_told_wrongly_is_struck_and_not_changed_into_itself(self) -> None:
        items = (written(Outcome.SUPERSEDED, "旺仔没精神（说错了）", "symptom:lethargy"),)
        assert "已经划掉：旺仔没精神。" in said(about_dog("不是旺仔，是雪球", written=items))

    def test_other_receipts_say_nothing_of_it(self) -> None:
        assert "提醒" not in said(about_dog("旺仔怕水", written=(written(Outcome.ADDED, "旺仔怕水"),)))


AT_HOME = {"others": (WANGZAI, XUEQIU), "unclear": True}
CHAT = [
    ("今天天气真好", "今天怎么样"),
    ("外面好冷啊", "今天怎么样"),
    ("终于下班了，好累", "我听着呢"),
    ("你好，第一次用", "晚上好"),
    ("今天天气怎么样", "天气我看不到"),
    ("朋友家的狗走丢了，好担心", "希望它平平安安"),
    ("同事的猫得了肾衰，好可怜", "希望它平平安安"),
    ("楼下那只流浪猫被车撞了，唉", "希望它平平安安"),
    ("我前一只狗叫小黑，去年走了，是肾衰", "失去它一定很难过"),
    ("朋友的猫昨天去世了", "失去它一定很难过"),
]


class TestChat:
    @pytest.mark.parametrize(("text", "holds"), CHAT)
    def test_gets_one_kind_sentence_and_no_question_which_pet(self, text: str, holds: str) -> None:
        sentences = respond(TurnContext(NOW, text, **AT_HOME))  # type: ignore[arg-type]
        assert len(sentences) == 1
        assert holds in sentences[0].text
        assert "还是" not in sentences[0].text

    def test_a_greeting_that_goes_on_is_returned_once_a_talk(self) -> None:
        context = about_dog("你好，旺仔几岁了")
        assert said(context).startswith("晚上好。旺仔是2022年")
        assert not said(replace(context, history=(SaidBefore("user", "在吗"),))).startswith("晚上好")

    def test_one_thing_of_a_vague_time_is_not_answered_with_all_that_happened(self) -> None:
        assert "那段时间" not in said(about_dog("旺仔最近胃口怎么样"))

    @pytest.mark.parametrize(("text", "points"), [("你都记得旺仔什么", True), ("旺仔最近怎么样", False)])
    def test_who_asks_what_is_kept_hears_where_the_rest_stands(self, text: str, points: bool) -> None:
        assert ("记忆页" in said(about_dog(text))) is points

    def test_worry_about_an_own_pet_is_no_chat(self) -> None:
        assert "平平安安" not in said(about_dog("旺仔生病了，好担心"))


RETOLD = [
    ("旺仔今天做了体外驱虫", "旺仔做了体外驱虫"),
    ("昨天给旺仔洗了澡", "给旺仔洗了澡"),
    ("旺仔昨晚吐了两次", "旺仔晚上吐了两次"),
    ("旺仔今早没吃饭", "旺仔早上没吃饭"),
    ("旺仔昨晚上一直咳", "旺仔晚上一直咳"),
    ("哦对了，旺仔上周三打了狂犬疫苗", "旺仔打了狂犬疫苗"),
    ("旺仔其实不怕打雷", "旺仔其实不怕打雷"),
    ("其实旺仔不怕打雷", "旺仔不怕打雷"),
    ("记住，旺仔不能吃葡萄", "旺仔不能吃葡萄"),
    ("旺仔从昨天开始咳嗽", "旺仔从昨天开始咳嗽"),
    ("旺仔每天散步两次", "旺仔每天散步两次"),
    ("今天", "今天"),
]


class TestRetelling:
    @pytest.mark.parametrize(("kept", "told"), RETOLD)
    def test_day_words_go_where_the_date_stands_behind(self, kept: str, told: str) -> None:
        assert retold(kept, dated=True) == told

    def test_without_a_date_the_words_stay(self) -> None:
        assert retold("旺仔今天做了体外驱虫") == "旺仔今天做了体外驱虫"

    def test_an_old_happening_is_told_with_its_date_only(self) -> None:
        worms = recalled("m-w", "旺仔今天做了体外驱虫", "deworming:x", "prevention", "2026-06-01")
        for asked in ("旺仔体外驱虫做过吗", "旺仔上次体外驱虫是什么时候"):
            text = said(about_dog(asked, worms))
            assert "2026年6月1日" in text
            assert "今天" not in text

    def test_a_guess_is_hedged_once(self) -> None:
        guess = recalled(
            "m-g", "旺仔好像不爱喝水", "diet_preference:water", "diet", None, kind=Kind.BELIEF, confidence=0.6
        )
        assert said(about_dog("旺仔爱喝水吗", guess)).count("好像") == 1


def test_a_part_of_a_message_that_repeats_another_is_told_once() -> None:
    again = replace(written(Outcome.ADDED, "旺仔今天没吐了", "symptom:vomiting"), outcome=Outcome.MERGED)
    text = said(about_dog("旺仔今天没吐了，胃口也恢复了", written=(replace(again, outcome=Outcome.ADDED), again)))
    assert text.count("旺仔今天没吐了") == 1
    assert "这条之前就有" not in text


def test_an_earlier_talk_about_forbidden_food_is_told_and_not_turned_into_a_warning() -> None:
    talk = "问了“旺仔能吃牛肉干吗”（2026年11月28日）"
    told = respond(about_dog("上次我们聊到哪了", summaries=(talk,)))
    assert [sentence.tells_back for sentence in told] == ["recap"]
    assert "旺仔能吃牛肉干吗" in told[0].text


def test_a_weight_said_without_a_unit_is_the_latest_one() -> None:
    before = recalled("w-1", "旺仔12.4公斤", "weight", "growth", "2026-11-16")
    latest = recalled("w-2", "旺仔体重12.1了", "weight", "growth", "2026-11-22")
    text = said(about_dog("旺仔是不是瘦了", before, latest))
    assert "最近一次体重是12.1公斤" in text
    assert "轻了" in text


@pytest.mark.parametrize("text", ["小区里一只金毛抽搐了", "楼下一只狗抽搐得厉害"])
def test_an_emergency_of_somebody_elses_animal_tells_no_record_of_ours(text: str) -> None:
    answer = said(about_dog(text, alerts=(alert(pet_id=None),)))
    assert WANGZAI.name not in answer
    assert "动物医院" in answer


def test_an_emergency_is_ours_when_a_neighbours_animal_did_it() -> None:
    text = "旺仔被邻居家的狗咬住脖子甩，好几个洞"
    assert "带旺仔去" in said(about_dog(text, alerts=triage(text, [WANGZAI, XUEQIU])))


def test_the_animal_downstairs_from_us_is_not_ours() -> None:
    pets = [WANGZAI, XUEQIU]
    assert not triage("我家楼下那只泰迪昨天吃了巧克力洗胃了", pets)
    assert triage("我家泰迪昨天吃了巧克力", pets)
    assert triage("我家狗在楼下吃了老鼠药", pets)


class TestNobodyAddedYet:
    @pytest.mark.parametrize(
        ("text", "kept", "of_owner", "told"),
        [
            ("可乐对牛肉过敏", [written(Outcome.ADDED, "（未说明是哪只）可乐对牛肉过敏", subject=None)], True, True),
            ("可乐多大了", [], False, True),
            ("我周末才有空", [written(Outcome.ADDED, "主人：周末才有空", subject="owner")], True, False),
        ],
    )
    def test_an_owner_without_a_pet_hears_what_to_do_first(
        self, text: str, kept: list[Written], of_owner: bool, told: bool
    ) -> None:
        context = TurnContext(NOW, text, written=tuple(kept), about_owner=of_owner)
        assert ("你还没有添加宠物" in said(context)) is told

    def test_an_owner_with_a_pet_never_hears_it(self) -> None:
        assert "添加宠物" not in said(about_dog("旺仔多大了"))
