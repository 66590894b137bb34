"""Understanding the owner's answer, in words."""

import pytest

from domain.confirmation_replies import AskedChange, understand_reply
from memory.settlement import Answer

ALLERGY = AskedChange("糯米对虾不过敏", "糯米对虾过敏", denies=True)
NEW_ALLERGY = AskedChange("糯米可能对虾过敏", denies=False)
DOSE = AskedChange("糯米的呋塞米一次2毫克", "糯米的呋塞米一次1毫克")
STOPPED = AskedChange("糯米停用呋塞米", "糯米在用呋塞米", denies=True)
CURED = AskedChange("糯米没有胰腺炎", "糯米有胰腺炎", denies=True)
WEIGHT = AskedChange("糯米体重4.2kg", "糯米体重2.4kg")
VACCINE = AskedChange("糯米3月2日打了狂犬疫苗", "糯米3月12日打了狂犬疫苗")
NEUTERED = AskedChange("糯米已绝育", "糯米没绝育")

YES: list[tuple[AskedChange | None, str]] = [
    (None, "对，现在能吃了"),
    (ALLERGY, "对，现在能吃了"),
    (ALLERGY, "是的，改吧"),
    (ALLERGY, "确认"),
    (ALLERGY, "更新"),
    (ALLERGY, "嗯"),
    (ALLERGY, "好的"),
    (ALLERGY, "好的好的"),
    (ALLERGY, "先别改……算了改吧"),
    (ALLERGY, "没错，医院做了检测确实不过敏"),
    (ALLERGY, "嗯嗯 已经查过了 不过敏了"),
    (ALLERGY, "删掉吧"),
    (ALLERGY, "去掉"),
    (ALLERGY, "那就划掉吧"),
    (ALLERGY, "那条删了吧"),
    (ALLERGY, "糯米的过敏删掉吧"),
    (ALLERGY, "虾过敏那条改了吧"),
    (DOSE, "对 2毫克"),
    (DOSE, "就是2毫克，一天一次"),
    (DOSE, "对，医生改的"),
    (DOSE, "是的单子上写着呢"),
    (DOSE, "按新的来"),
    (STOPPED, "停了"),
    (STOPPED, "嗯已经不吃了"),
    (NEW_ALLERGY, "对，就是过敏"),
    (NEW_ALLERGY, "是的，吃了就肿"),
    (WEIGHT, "对的写反了，4.2"),
    (WEIGHT, "没错，刚称的4.2kg"),
    (WEIGHT, "确认修改"),
    (WEIGHT, "可以改"),
    (WEIGHT, "同意"),
    (WEIGHT, "没问题"),
    (WEIGHT, "ok"),
    (ALLERGY, "我确定"),
    (ALLERGY, "行，改"),
    (ALLERGY, "嗯，更新一下"),
    (ALLERGY, "好，那就改成不过敏"),
    (ALLERGY, "要"),
    (ALLERGY, "是"),
    (ALLERGY, "對，改吧"),
    (ALLERGY, "是的是的"),
    (ALLERGY, "可以更新了"),
    (ALLERGY, "医生说可以改了"),
    (DOSE, "嗯对，现在一次2毫克"),
    (DOSE, "之前是1毫克，现在2毫克"),
    (STOPPED, "药停了三天了，是的"),
    (STOPPED, "停药了，别再提醒了"),
    (ALLERGY, "对对对 就是这样"),
    (STOPPED, "不用了，已经停了"),
    (STOPPED, "医生让停的"),
    (CURED, "已经好了"),
    (CURED, "早就痊愈了，医生说的"),
    (VACCINE, "对，是3月2号"),
    (VACCINE, "是2号"),
    (VACCINE, "没错，本子上写着3月2日"),
    (VACCINE, "嗯嗯改过来"),
    (NEUTERED, "对，上周做的"),
    (NEUTERED, "是的已经绝育了"),
    (ALLERGY, "确认，麻烦更新一下"),
    (ALLERGY, "嗯，那就按不过敏来"),
    (ALLERGY, "行，那就改了吧"),
    (ALLERGY, "改，化验单拍给你了"),
    (ALLERGY, "可以的，改吧"),
    (DOSE, "对的，医生昨天改的方子"),
    (DOSE, "嗯，从今天开始2毫克"),
    (NEW_ALLERGY, "对，医生确诊了"),
    (NEW_ALLERGY, "记下吧"),
    (NEW_ALLERGY, "嗯，记一下"),
    (WEIGHT, "4.2才对"),
    (WEIGHT, "没错，4.2"),
    (WEIGHT, "就按4.2记"),
    (ALLERGY, "改吧改吧"),
    (ALLERGY, "就这么改"),
    (ALLERGY, "是的呢"),
    (ALLERGY, "确定，刚又问了一遍医生"),
    (ALLERGY, "没错，我拿检测单对过了"),
    (ALLERGY, "嗯，报告上是阴性"),
    (STOPPED, "对 不喂了"),
    (STOPPED, "确定停，副作用太大"),
    (DOSE, "是的，药盒上写的2毫克"),
    (VACCINE, "是3月2日，我翻了本子"),
    (NEUTERED, "是的，手术很顺利"),
    (WEIGHT, "对，手滑打反了"),
]

NO: list[tuple[AskedChange | None, str]] = [
    (None, "先别改"),
    (ALLERGY, "保持原样"),
    (ALLERGY, "不用改，还是过敏"),
    (ALLERGY, "还过敏着呢"),
    (ALLERGY, "对，还是过敏"),
    (ALLERGY, "不能吃"),
    (ALLERGY, "还是别让它吃了"),
    (ALLERGY, "算了不改了"),
    (ALLERGY, "改吧，算了还是别改"),
    (ALLERGY, "我开玩笑的"),
    (ALLERGY, "当我没说"),
    (ALLERGY, "不对，没这回事"),
    (ALLERGY, "不是的"),
    (ALLERGY, "不"),
    (ALLERGY, "别删"),
    (ALLERGY, "那条过敏别删"),
    (DOSE, "还是1毫克"),
    (DOSE, "没改，1毫克"),
    (DOSE, "按原来的来"),
    (DOSE, "照旧"),
    (DOSE, "维持原来的剂量"),
    (STOPPED, "没停，还在吃"),
    (STOPPED, "还在吃呢"),
    (NEW_ALLERGY, "不过敏"),
    (NEW_ALLERGY, "没有过敏，是我看错了"),
    (NEW_ALLERGY, "不是，是蚊子咬的"),
    (WEIGHT, "是2.4"),
    (WEIGHT, "不，就是2.4"),
    (WEIGHT, "不可以改"),
    (ALLERGY, "还是留着那条吧，安全点"),
    (ALLERGY, "不，它昨天吃了又挠"),
    (DOSE, "没加，我看错了"),
    (DOSE, "先不加，还是1毫克"),
    (WEIGHT, "暂时不改"),
    (WEIGHT, "否"),
    (ALLERGY, "哎呀我想起来了，确实过敏，别动"),
    (ALLERGY, "记错了，还是按过敏来"),
    (ALLERGY, "留着吧，保险点"),
    (ALLERGY, "保留"),
    (ALLERGY, "不要"),
    (ALLERGY, "不要改"),
    (ALLERGY, "别"),
    (ALLERGY, "暂时保持"),
    (ALLERGY, "没有啊，我没说不过敏"),
    (ALLERGY, "谁说的，还过敏呢"),
    (STOPPED, "没停药"),
    (ALLERGY, "对它来说还是有风险，别改"),
    (STOPPED, "是啊，但医生说先别停"),
    (ALLERGY, "没错，还是过敏的"),
    (CURED, "嗯，但是还没好"),
    (ALLERGY, "不是不过敏，是没发作"),
    (STOPPED, "医生没说可以停"),
    (STOPPED, "没让停"),
    (STOPPED, "不能停"),
    (STOPPED, "还没停药呢"),
    (VACCINE, "还是12号，本子上写的"),
    (VACCINE, "不对不对，是12号"),
    (NEUTERED, "没有，还没做"),
    (ALLERGY, "还按过敏处理"),
    (ALLERGY, "当它过敏吧，稳妥"),
    (ALLERGY, "宁可信其有，先按过敏算"),
    (ALLERGY, "不可以"),
    (ALLERGY, "不同意"),
    (ALLERGY, "我不同意改"),
    (DOSE, "没有改，我记岔了"),
    (DOSE, "还没开始加量，先按1毫克"),
    (NEW_ALLERGY, "没有，它只是吃多了"),
    (NEW_ALLERGY, "误会了，不是虾的问题"),
    (NEW_ALLERGY, "不用记"),
    (WEIGHT, "2.4没错"),
]

NOT_YET: list[tuple[AskedChange | None, str]] = [
    (None, "再看看"),
    (ALLERGY, "再观察"),
    (ALLERGY, "应该可以改了吧"),
    (ALLERGY, "好像是吧，我也不确定"),
    (ALLERGY, "等下周复查完再说"),
    (ALLERGY, "我问问医生"),
    (ALLERGY, "先别改，再观察一阵子"),
    (STOPPED, "过几天再定"),
    (STOPPED, "还没想好"),
    (NEW_ALLERGY, "不知道"),
    (NEW_ALLERGY, "不确定，先观察"),
    (WEIGHT, "先放着"),
    (ALLERGY, "妈妈说应该不过敏了"),
    (ALLERGY, "不急"),
    (ALLERGY, "先保持原样，过一周再看看"),
    (DOSE, "医生还没最后定"),
    (ALLERGY, "好，等我问一下老公"),
    (ALLERGY, "是的，不过先观察两周"),
    (ALLERGY, "我再确认下"),
    (ALLERGY, "我去核实一下"),
    (ALLERGY, "可以，不过再等等"),
    (DOSE, "医生还在考虑"),
    (NEW_ALLERGY, "还不确定，去查过敏原了"),
]

NO_ANSWER: list[tuple[AskedChange | None, str]] = [
    (ALLERGY, "收到"),
    (ALLERGY, "知道了"),
    (ALLERGY, "谢谢"),
    (ALLERGY, "改了会怎么样？"),
    (ALLERGY, "能改吗"),
    (ALLERGY, "为什么要改"),
    (ALLERGY, "今天天气真好"),
    (DOSE, "不对，应该是3毫克"),
    (DOSE, "是3毫克"),
    (WEIGHT, "改成4.5"),
    (WEIGHT, "随便"),
    (WEIGHT, "哈哈"),
    (ALLERGY, "不是我说的"),
    (ALLERGY, "晚点再回你"),
    (ALLERGY, "对了，今天它吐了"),
    (ALLERGY, "对鸡肉呢"),
    (ALLERGY, "改回来吧"),
    (ALLERGY, "确定吗"),
    (ALLERGY, "你确定？"),
    (ALLERGY, "只能吃熟的"),
    (ALLERGY, "能吃一点点"),
    (ALLERGY, "现在能吃别的了"),
    (CURED, "好了，别问了"),
    (STOPPED, "对，但是只停了早上那次"),
    (ALLERGY, "那怎么办呢"),
    (VACCINE, "应该是5号"),
    (NEUTERED, "做了"),
    (ALLERGY, "对不起说错了"),
    (ALLERGY, "真的假的"),
    (ALLERGY, "👌"),
    (ALLERGY, "1"),
    (NEW_ALLERGY, "先记着"),
    (WEIGHT, "嗯 手滑打反了"),
]


@pytest.mark.parametrize(("asked", "text"), YES)
def test_the_owner_says_yes(asked: AskedChange | None, text: str) -> None:
    assert understand_reply(text, asked) is Answer.ACCEPT


@pytest.mark.parametrize(("asked", "text"), NO)
def test_the_owner_says_no(asked: AskedChange | None, text: str) -> None:
    assert understand_reply(text, asked) is Answer.KEEP


@pytest.mark.parametrize(("asked", "text"), NOT_YET)
def test_the_owner_wants_to_wait(asked: AskedChange | None, text: str) -> None:
    assert understand_reply(text, asked) is Answer.WATCH


@pytest.mark.parametrize(("asked", "text"), NO_ANSWER)
def test_questions_other_values_limits_and_small_talk_are_no_answers(asked: AskedChange | None, text: str) -> None:
    assert understand_reply(text, asked) is None


@pytest.mark.parametrize("text", ["", "  ", "。。。"])
def test_silence_is_no_answer(text: str) -> None:
    assert understand_reply(text, ALLERGY) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("那条改了吧", Answer.ACCEPT),
        ("虾那条改了吧", Answer.ACCEPT),
        ("更新档案", Answer.ACCEPT),
        ("更新吧", None),
        ("先别改", Answer.KEEP),
        ("保持原样", Answer.KEEP),
        ("嗯", None),
        ("好的", None),
        ("对，现在能吃了", None),
        ("它今天没事", None),
        ("改成下午五点喂", None),
        ("鱼油照旧", None),
        ("换一下水碗", None),
        ("调整一下喂食量", None),
        ("碰一下腿就躲", None),
        ("把窝换掉", None),
        ("今天换了个新猫砂盆，糯米闻了半天", None),
    ],
)
def test_later_in_the_talk_only_a_short_command_about_the_record_is_an_answer(
    text: str, expected: Answer | None
) -> None:
    assert understand_reply(text, ALLERGY, just_asked=False) is expected


@pytest.mark.parametrize(
    "text",
    [
        "换一下水碗",
        "更新一下电话",
        "把遛狗时间改一下",
        "改成每天梳两次毛",
        "我确认过快递了",
        "打完针记一下",
        "是的，它今天咳嗽",
        "牵引绳换掉",
        "把虾换掉",
        "好的，医生换了",
        "明天复查，记一下",
        "把提醒删掉",
        "不是，水碗换了",
    ],
)
def test_words_about_another_thing_never_settle_what_was_asked(text: str) -> None:
    assert understand_reply(text, ALLERGY) is None


@pytest.mark.parametrize("text", ["是的，芋圆拉肚子", "芋圆不吃虾，改吧", "对，芋圆能吃了"])
def test_a_message_that_names_another_pet_is_no_answer(text: str) -> None:
    asked = AskedChange(ALLERGY.new, ALLERGY.old, ALLERGY.denies, others=("芋圆",))
    assert understand_reply(text, asked) is None


def test_a_rhythm_nobody_asked_about_is_no_answer_to_a_dose() -> None:
    assert understand_reply("改成一天三次", DOSE) is None
    assert understand_reply("对，2毫克，一天三次", DOSE) is Answer.ACCEPT


def test_a_value_that_the_question_sets_against_another_may_be_repeated() -> None:
    asked = AskedChange("糯米对鱼不过敏", "糯米对鱼过敏", denies=True, quotes="确认把过敏原由「鱼」改为「虾」吗？")
    assert understand_reply("没问题，就是虾", asked) is Answer.ACCEPT
    assert understand_reply("没问题，就是蟹", asked) is None


def test_what_the_question_quotes_may_be_repeated() -> None:
    asked = AskedChange(ALLERGY.new, ALLERGY.old, ALLERGY.denies, quotes="上回是皮蛋惹的祸")
    assert understand_reply("对，是皮蛋惹的祸，改吧", asked) is Answer.ACCEPT
    assert understand_reply("对，是皮蛋惹的祸，改吧", ALLERGY) is None


@pytest.mark.parametrize(
    "text", ["算了，还是过敏的，上次吃了鸡肉全身起疹子", "还是过敏的，昨天又起疹了", "过敏的，吃了就起疹子"]
)
def test_a_danger_said_again_is_kept_whatever_reason_is_told_beside_it(text: str) -> None:
    asked = AskedChange(new="豆豆对鸡肉不过敏", old="豆豆对鸡肉过敏", denies=True, quotes="豆豆不是鸡肉过敏")
    assert understand_reply(text, asked) is Answer.KEEP


@pytest.mark.parametrize("text", ["对，以本子为准", "是的，针本上写的", "对 今晚开始"])
def test_a_yes_with_its_reason_is_a_yes(text: str) -> None:
    assert understand_reply(text, ALLERGY) is Answer.ACCEPT
