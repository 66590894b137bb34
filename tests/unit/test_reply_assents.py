"""A clear yes stands whatever is told beside it, unless what is told speaks against it."""

import pytest

from domain.confirmation_replies import AskedChange, understand_reply
from memory.settlement import Answer


def _asked(new: str, old: str | None, denies: bool | None, quotes: str) -> AskedChange:
    return AskedChange(new, old, denies, quotes=quotes, others=("芋圆",))


LIFTED = _asked("糯米对虾不过敏", "糯米对虾过敏，吃了起疹子", True, "确认把虾过敏改为不过敏吗？，糯米对虾已经不过敏了")
SWAPPED = _asked(
    "糯米不是鸭肉", "糯米对鸭肉过敏", True, "要把过敏原从「鸭肉」更正为「兔肉」吗？，糯米过敏的是兔肉，不是鸭肉"
)
STOPPED = _asked("糯米的匹莫苯丹停了", "糯米吃匹莫苯丹1.25mg一天两次", True, "确认糯米停用匹莫苯丹吗？")
DOSE = _asked("糯米的泼尼松改成半片", "糯米吃泼尼松每天一片", None, "确认把糯米的泼尼松由每天一片改为半片吗？")
CURED = _asked("糯米胰腺炎好了", "糯米有慢性胰腺炎", True, "确认把糯米的胰腺炎标为已痊愈吗？，胰腺炎好了")
SHOT = _asked("糯米狂犬疫苗是3月2日打的", "糯米3月12日打了狂犬疫苗", None, "确认把狂犬疫苗日期由3月12日改为3月2日吗？")
WEIGHT = _asked("糯米体重2.8kg", "糯米体重8.2kg", None, "确认把糯米的体重由8.2kg改为2.8kg吗？")
INTACT = _asked("糯米没绝育", "糯米已绝育", None, "确认把糯米改为未绝育吗？，糯米其实没绝育")
FEMALE = _asked("糯米是母猫", "糯米是公猫", None, "确认把糯米的性别由公改为母吗？")
DIET = _asked("糯米换回普通粮", "糯米吃肾脏处方粮", True, "确认糯米不再吃肾脏处方粮吗？")
FEARED = _asked("糯米可能对虾过敏", None, False, "要正式记下「糯米可能对虾过敏」吗？，好像吃虾过敏")

RAISED = _asked(
    "栗子呋塞米让涨到20mg一次了", "栗子每天吃两次呋塞米，每次10mg", None, "要改成「栗子呋塞米让涨到20mg一次了」吗？"
)
NIGHTLY = _asked("栗子加巴喷丁每晚50", "栗子加巴喷丁每晚一次25mg", None, "要改成「栗子加巴喷丁每晚50」吗？")
DATED = _asked("糯米5月22日体重不是8.2kg，是2.8kg", "糯米体重8.2kg", None, "糯米5月22日体重8.2kg，是否更正为2.8kg？")
DOUBLED = _asked(
    "医生让糯米甲巯咪唑翻倍，2.5一次", "糯米早晚各吃1.25mg甲巯咪唑", None, "每次1.25mg → 2.5mg，确认更新？"
)
TWICE = _asked("糯米阿替洛尔一天两次了", "糯米吃阿替洛尔6.25mg每天一次", None, "由每天一次改为每天两次，确认吗？")
HALVED = _asked("糯米泼尼松减半", "糯米每天吃泼尼松5mg", None, "糯米泼尼松：5mg → 2.5mg，每天一次。确认更新？")
YES = [
    (SWAPPED, "嗯确认 报告在手边 只有兔肉 鸭肉去掉"),
    (DOUBLED, "嗯就是2.5mg，早一次晚一次，处方上盖过章"),
    (DOUBLED, "2.5毫克"),
    (DOUBLED, "翻一倍，2.5"),
    (DOUBLED, "就2.5mg，早晚不变"),
    (DOUBLED, "2.5mg早晚各一回，药袋上写着"),
    (DOUBLED, "加倍，没错"),
    (TWICE, "早上一次晚上一次"),
    (TWICE, "是早晚，12小时一回"),
    (TWICE, "一天两顿嘛"),
    (HALVED, "嗯减一半"),
    (HALVED, "2.5mg，一天还是一顿"),
    (LIFTED, "对，吃了好几回都没事"),
    (LIFTED, "是的，过敏原报告出来是阴性"),
    (LIFTED, "对，当时是跳蚤咬的"),
    (LIFTED, "对，当初是我误会了，它没过敏"),
    (LIFTED, "对啊，上次不是说了吗"),
    (LIFTED, "对，别再问我了"),
    (LIFTED, "对，顺便它今天洗澡了"),
    (LIFTED, "对。芋圆昨天吐了两次"),
    (LIFTED, "改吧。对了明天几点提醒我喂药来着？"),
    (LIFTED, "按我说的改"),
    (SWAPPED, "是的改成兔肉，单子我刚翻过，鸭肉写错了"),
    (SWAPPED, "兔肉没错"),
    (SWAPPED, "对，鸭肉没问题，兔肉才过敏"),
    (STOPPED, "对，吃了老吐就停了"),
    (STOPPED, "停了，咳嗽也好多了"),
    (STOPPED, "嗯，疗程结束了"),
    (DOSE, "麻烦改一下"),
    (DOSE, "对半片一天一次，吃了一片老拉稀"),
    (DOSE, "是，指标降下来了所以减了"),
    (CURED, "是的，复查指标都正常了"),
    (CURED, "对，医生说治好了，药也停了"),
    (SHOT, "对，2号，打完还发了点烧"),
    (SHOT, "2号没错，下次明年3月"),
    (WEIGHT, "对对2.8，才四个月大的小猫"),
    (WEIGHT, "是的，8.2太离谱了"),
    (WEIGHT, "可以，就2.8，两个月的小奶狗"),
    (WEIGHT, "是，2.8kg，他要有八公斤多我还抱得动嘛"),
    (WEIGHT, "改2.8，真有八公斤我可抱不动"),
    (WEIGHT, "对，它哪有那么重"),
    (INTACT, "对，没做，医生摸了蛋蛋还在"),
    (INTACT, "是的没绝，收养的时候以为绝了"),
    (FEMALE, "对，我老公也确认了"),
    (FEMALE, "母的"),
    (DIET, "对，它不肯吃处方粮"),
    (FEARED, "嗯，吃了就吐"),
    (FEARED, "改吧，没问题"),
    (NIGHTLY, "是，50mg，每天睡前那一次"),
    (NIGHTLY, "是，每天睡前一次"),
    (RAISED, "没错，药袋上印的20mg，一天两回"),
    (RAISED, "是的，一次20"),
    (RAISED, "正是，对了它今天掉毛有点多"),
    (NIGHTLY, "嗯嗯，睡前喂"),
    (NIGHTLY, "昨晚就开始的，确认"),
    (NIGHTLY, "你改吧"),
    (NIGHTLY, "行，先按这个来"),
    (NIGHTLY, "对，我再说一遍，每晚50"),
    (NIGHTLY, "对，不好意思之前没说清楚"),
    (STOPPED, "是，最后一次是9号"),
    (STOPPED, "对，停了五天了"),
    (STOPPED, "对，另外它今天拉得有点软"),
    (LIFTED, "是的，喂了三次，别的没变"),
    (LIFTED, "好的，报告是6月1号出的"),
    (SHOT, "好的，那天是周一"),
    (SHOT, "是，下次明年3月打"),
    (WEIGHT, "称了两遍，改吧"),
    (WEIGHT, "嗯没错，今天又称了是2.9"),
    (WEIGHT, "以新的为准"),
    (INTACT, "嗯，就是没绝"),
    (DATED, "对的2.8，巴掌那么大一只"),
]
NO = [
    (LIFTED, "原来的没错"),
    (LIFTED, "不是不是"),
    (LIFTED, "不敢改，还是当过敏养着"),
    (STOPPED, "想停但医生没同意"),
    (INTACT, "做过了，耳标都有"),
    (INTACT, "已经绝育了"),
    (FEMALE, "公的"),
    (DIET, "还吃处方粮"),
    (FEARED, "不过敏"),
    (WEIGHT, "取消吧，我说错了"),
    (DOSE, "我随口说的，别当真"),
    (DOSE, "不用，明天再说别的"),
    (SHOT, "不是这个意思"),
]
NOT_YET = [
    (LIFTED, "等我翻翻本子"),
    (LIFTED, "我回家看一眼再告诉你"),
    (DOSE, "晚点给你准信"),
    (DOSE, "我问问医生再告诉你"),
    (SHOT, "回头再定"),
]
NO_ANSWER = [
    (DOUBLED, "嗯，1.8mg"),
    (DOUBLED, "对，没翻倍"),
    (DOUBLED, "2.5片"),
    (TWICE, "早中晚各一次"),
    (HALVED, "对，一天两次"),
    (LIFTED, "对，可是我老公说不是"),
    (LIFTED, "对，它还是会起疹子"),
    (LIFTED, "对，但是只能吃熟的"),
    (LIFTED, "对不过敏，对鱼过敏"),
    (LIFTED, "对，偶尔吃一点没事"),
    (LIFTED, "改也行不改也行"),
    (SWAPPED, "改成鹿肉"),
    (STOPPED, "暂时停了"),
    (STOPPED, "先停着看看"),
    (DOSE, "对，四分之一片"),
    (DOSE, "对，一天两次"),
    (WEIGHT, "对，现在3.1了"),
    (WEIGHT, "对2.8斤"),
    (CURED, "是的，改吧？"),
    (CURED, "是，稳定了而已"),
    (DOSE, "嗯，我想想"),
    (DOSE, "好，等下"),
    (DOSE, "可以，0.7吧"),
    (RAISED, "嗯，早上20晚上10"),
    (RAISED, "好的，从下个月再改"),
    (STOPPED, "对，停三天"),
    (STOPPED, "好的，慢慢停"),
    (STOPPED, "嗯，又开始吃了"),
    (STOPPED, "嗯，下周停"),
    (SHOT, "嗯，4月2"),
    (WEIGHT, "是，28"),
    (LIFTED, "嗯，昨天又起疹子了"),
]


@pytest.mark.parametrize(("asked", "text"), YES)
def test_a_clear_yes_stands_whatever_is_told_beside_it(asked: AskedChange, text: str) -> None:
    assert understand_reply(text, asked) is Answer.ACCEPT


@pytest.mark.parametrize(("asked", "text"), NO)
def test_standing_by_what_is_known_is_a_no(asked: AskedChange, text: str) -> None:
    assert understand_reply(text, asked) is Answer.KEEP


@pytest.mark.parametrize(("asked", "text"), NOT_YET)
def test_who_must_look_first_wants_to_wait(asked: AskedChange, text: str) -> None:
    assert understand_reply(text, asked) is Answer.WATCH


@pytest.mark.parametrize(("asked", "text"), NO_ANSWER)
def test_a_yes_that_is_turned_limited_or_about_something_else_settles_nothing(asked: AskedChange, text: str) -> None:
    assert understand_reply(text, asked) is not Answer.ACCEPT


TWICE_AS_MUCH = _asked(
    "糯米大夫让茶碱加到60",
    "糯米每天早晚各吃茶碱40mg",
    None,
    "要改成「糯米大夫让茶碱加到60」吗？，确认把糯米的茶碱从40mg改为60mg，每天两次？",
)
SUSPECTED = _asked("糯米怀疑有胰腺炎，还没确诊", None, False, "要正式记下「糯米怀疑有胰腺炎」吗？")


@pytest.mark.parametrize(
    "text",
    [
        "没有错 60mg早晚各一次 方子我留着呢",
        "没有错的 就60 早晚两回",
        "没有毛病 60毫克一天两回 单子我留着",
        "没有问题 照这个来",
        "是这样没错 每回60mg 早晚各一次 条子我收着呢",
    ],
)
def test_a_yes_at_length_that_tells_dose_and_rhythm_again_is_a_yes(text: str) -> None:
    assert understand_reply(text, TWICE_AS_MUCH) is Answer.ACCEPT


@pytest.mark.parametrize("text", ["没有错 60mg一天三回", "没有错 80mg早晚各一回", "对 60mg 一天四次"])
def test_another_rhythm_or_dose_beside_a_yes_is_no_answer(text: str) -> None:
    assert understand_reply(text, TWICE_AS_MUCH) is None


@pytest.mark.parametrize("text", ["原来的先留着", "留着吧"])
def test_leaving_the_record_is_a_no_though_leaving_a_slip_of_paper_is_none(text: str) -> None:
    assert understand_reply(text, TWICE_AS_MUCH) is Answer.KEEP


@pytest.mark.parametrize(
    "text", ["排除胰腺炎了", "胰腺炎排除了", "医生说排除了胰腺炎", "误诊 没有胰腺炎", "大夫排除掉胰腺炎了"]
)
def test_a_suspicion_that_is_ruled_out_answers_its_question_with_no(text: str) -> None:
    assert understand_reply(text, SUSPECTED) is Answer.KEEP


@pytest.mark.parametrize(
    "text", ["还没排除", "不能排除", "要先排除胰腺炎", "好像排除了", "排除胰腺炎了吗", "正在排除胰腺炎"]
)
def test_a_suspicion_that_is_not_ruled_out_yet_stays(text: str) -> None:
    assert understand_reply(text, SUSPECTED) in (None, Answer.WATCH)
