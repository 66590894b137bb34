"""What a household of three pets says in a year, from a seed, with the truth known: the script of the simulation.

Every planted fact has a question and the words its answer must stand on; one that was not understood when it was told
is counted as such and another takes its place. States (staple food, weight, what is in
force) change on known days, so whatever is served can be told right from wrong.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

SEED = 20_260_101
MESSAGES_A_YEAR = 2_500
ACTIVE_DAYS_OF_SEVEN = 5  # the owner is not there every day
PLANTED = 100
PLANTED_UNTIL = 0.85  # of the year; the last weeks only live on what was told

PETS = (("豆豆", "dog"), ("咪咪", "cat"), ("布丁", "dog"))


@dataclass(frozen=True, slots=True)
class Planted:
    """One fact: how it is told, how it is asked for, and the words a cited memory must hold."""

    pet: str
    told: str
    asked: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One message of the owner. planted: the fact it tells, where it does."""

    text: str
    planted: Planted | None = None


@dataclass(slots=True)
class Truth:
    """What holds of one pet: the staple food and all it ever had, the latest weight, allergies, what was stopped."""

    staple: str = ""
    earlier_staples: list[str] = field(default_factory=list)
    weight_kg: float = 0.0
    allergies: tuple[str, ...] = ()
    stopped: list[str] = field(default_factory=list)


_TEMPLATES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "{n}最喜欢玩{v}",
        "{n}喜欢玩{v}吗？",
        (
            "绳结",
            "网球",
            "逗猫棒",
            "漏食球",
            "毛绒鸭子",
            "铃铛球",
            "纸箱",
            "飞盘",
            "磨牙棒",
            "激光笔",
            "羽毛棒",
            "橡胶骨头",
        ),
    ),
    (
        "{n}特别怕{v}",
        "{n}怕{v}吗？",
        ("打雷", "吸尘器", "吹风机", "鞭炮", "扫地机器人", "洗衣机", "电梯", "大狗", "烟花", "气球", "雨伞", "塑料袋"),
    ),
    (
        "{n}特别爱吃{v}",
        "{n}爱吃{v}吗？",
        ("三文鱼", "南瓜", "胡萝卜", "红薯", "西兰花", "蛋黄", "苹果", "鸭肉", "冻干鹌鹑", "羊奶", "鳕鱼", "牛肉粒"),
    ),
    ("{n}不爱吃{v}", "{n}吃{v}吗？", ("黄瓜", "豆腐", "猪肝", "香菜", "燕麦", "白菜", "芹菜", "香蕉", "虾皮")),
    ("{n}晚上睡在{v}", "{n}晚上睡在哪里？", ("沙发上", "猫爬架顶层", "阳台的窝里")),
    (
        "{n}喜欢{v}",
        "{n}喜欢{v}吗？",
        (
            "趴在窗台上晒太阳",
            "钻被窝",
            "追自己的尾巴",
            "叼拖鞋",
            "看电视",
            "玩水",
            "舔人的手",
            "躲在床底下",
            "跟着我上厕所",
        ),
    ),
    (
        "{n}不喜欢{v}",
        "{n}喜欢{v}吗？",
        ("被摸肚子", "穿衣服", "坐车", "剪指甲", "被抱着", "戴项圈", "洗澡", "下雨天", "喝凉水"),
    ),
    ("{n}会{v}", "{n}会{v}吗？", ("握手", "自己开门", "捡球", "击掌", "装死", "坐下", "钻圈", "趴下", "开抽屉")),
    ("{n}看到{v}会叫", "{n}看到{v}会怎么样？", ("快递员", "陌生人", "小孩", "自行车", "鸽子", "镜子")),
    (
        "{n}每天{v}",
        "{n}每天{v}吗？",
        (
            "早上七点出门散步",
            "睡前刷牙",
            "晚上八点吃饭",
            "中午晒太阳",
            "下午梳毛",
            "吃两顿",
            "傍晚玩球",
            "喝羊奶",
            "早上梳毛",
        ),
    ),
    ("{n}今天打了{v}疫苗", "{n}上次打{v}疫苗是什么时候？", ("狂犬",)),
    ("{n}今天用{v}驱虫了", "{n}上次驱虫是什么时候？", ("大宠爱",)),
    ("{n}今天去医院看了{v}", "{n}上次看{v}是什么时候？", ("牙结石", "耳螨", "结膜炎", "皮肤病", "肠胃炎", "指甲断裂")),
    (
        "{n}今天{v}了",
        "{n}上次{v}是什么时候？",
        ("洗澡", "洗牙", "剃毛", "绝育复查", "拍X光片", "做B超", "拆线", "剪毛", "验血"),
    ),
    ("{n}对{v}过敏", "{n}对{v}过敏吗？", ("鸡肉", "牛肉", "花粉")),
    ("{n}吃饭要用{v}", "{n}吃饭用什么？", ("慢食碗", "不锈钢碗", "加高的碗")),
)
_OWNER = (
    ("我住在上海浦东", "我住在哪里？", ("浦东",)),
    ("我喜欢先问社区经验，再问医生", "我喜欢先问谁？", ("社区",)),
    ("我在银行上班", "我在哪里上班？", ("银行",)),
    ("我先生对猫毛过敏", "我先生对什么过敏？", ("猫毛",)),
)
_STAPLES = ("渴望六种鱼", "皇家小型犬粮", "爱肯拿草原", "巅峰羊肉", "纽顿T22", "冠能成犬粮")
_START_KG = {"豆豆": 12.0, "咪咪": 4.2, "布丁": 25.0}

_SMALL_TALK = ("今天天气真好", "哈哈哈", "谢谢你", "晚安", "早上好呀", "今天好累", "你真厉害", "刚下班")
_CARE = ("{n}今天梳毛了", "{n}今天剪指甲了", "{n}今天遛了半小时", "{n}今天刷牙了")
_SEEN = (
    "{n}今天胃口不错",
    "{n}今天拉稀了",
    "{n}今天吐了一次",
    "{n}今天有点没精神",
    "{n}今天便便正常",
    "{n}今天打喷嚏了",
)
_DOUBT = ("{n}今天偷吃了{a}，好像没事", "听说{n}这种{a}过敏以后会好？", "如果{n}不对{a}过敏就好了")
_OTHERS = ("朋友家的猫对鱼过敏", "邻居家的狗今天吐了", "我同事的金毛得了肾病", "网上说狗不能吃葡萄")
_GENERAL = (
    "{n}最近怎么样？",
    "{n}最近该注意什么？",
    "{n}多重了？",
    "{n}现在吃什么粮？",
    "{n}有什么过敏？",
    "明天有什么安排？",
)


def planted_facts(random: Random) -> list[Planted]:
    """All facts there are, spread over the pets and the owner, in an order of their own."""
    facts = [Planted("owner", told, asked, words) for told, asked, words in _OWNER]
    for told, asked, values in _TEMPLATES:
        for place, value in enumerate(values):
            name = PETS[place % len(PETS)][0]
            facts.append(Planted(name, told.format(n=name, v=value), asked.format(n=name, v=value), (value,)))
    random.shuffle(facts)
    return facts


class Script:
    """The days of the year, each with what the owner says, and the truth as it stands that evening."""

    def __init__(self, days: int, seed: int = SEED) -> None:
        self._random = Random(seed)  # a script, no secret
        self.days = days
        facts = planted_facts(self._random)
        self._last = max(1, int(days * PLANTED_UNTIL))
        self._planted_on: dict[int, list[Planted]] = {}
        for fact in facts[:PLANTED]:
            self._planted_on.setdefault(self._random.randrange(self._last), []).append(fact)
        self._spare = facts[PLANTED:]
        self.truth = {name: Truth(weight_kg=_START_KG[name]) for name, _ in PETS}
        self.told: list[Planted] = []

    def day(self, number: int) -> list[Line]:
        """What is said on that day (0 is the first); days are asked for in order."""
        planted = self._planted_on.get(number, [])
        present = self._random.random() < ACTIVE_DAYS_OF_SEVEN / 7
        lines = [Line(fact.told, fact) for fact in planted]
        lines += [Line(text) for text in self._changes(number)]
        if present:
            busy = MESSAGES_A_YEAR / 365 * 7 / ACTIVE_DAYS_OF_SEVEN
            lines += [Line(self._anything()) for _ in range(max(0, round(self._random.gauss(busy - 1.2, 2))))]
        self._random.shuffle(lines)
        for fact in planted:
            self.told.append(fact)
            if "过敏" in fact.told and fact.pet in self.truth:
                self.truth[fact.pet].allergies += fact.words
        return lines

    def not_understood(self, fact: Planted, number: int) -> None:
        """A fact that was not kept is not asked for; another one is told in its place on a later day."""
        self.told.remove(fact)
        if self._spare:
            later = self._random.randrange(number + 1, max(number + 2, self._last))
            self._planted_on.setdefault(later, []).append(self._spare.pop())

    def _changes(self, number: int) -> Iterator[str]:
        for place, (name, _) in enumerate(PETS):
            truth = self.truth[name]
            if number % 14 == place * 3:
                drift = truth.weight_kg * self._random.uniform(-0.02, 0.025)
                truth.weight_kg = round(truth.weight_kg + drift, 1)
                yield f"{name}今天称了{truth.weight_kg}kg"
            if number % 110 == place * 30 + 5:
                if truth.staple:
                    truth.earlier_staples.append(truth.staple)
                truth.staple = self._random.choice([one for one in _STAPLES if one != truth.staple])
                yield (
                    f"{name}的主粮换成{truth.staple}了"
                    if truth.earlier_staples
                    else f"{name}现在的主粮是{truth.staple}"
                )
            if number in (40 + place * 20, 75 + place * 20):
                yield from self._medicine(truth, name, starts=number == 40 + place * 20)

    def _medicine(self, truth: Truth, name: str, *, starts: bool) -> Iterator[str]:
        if starts:
            yield f"{name}今天开始吃阿莫西林，一天两次"
        else:
            truth.stopped.append("阿莫西林")
            yield f"{name}的阿莫西林停了"

    def _anything(self) -> str:
        roll, name = self._random.random(), self._random.choice(PETS)[0]
        if roll < 0.36 and self.told:
            return self._question()
        if roll < 0.46 and self.told:
            return self._random.choice(self.told).told
        if roll < 0.58:
            return self._random.choice(_SMALL_TALK)
        if roll < 0.70:
            return self._random.choice(_SEEN).format(n=name)
        if roll < 0.80:
            return self._random.choice(_CARE).format(n=name)
        if roll < 0.86:
            return self._doubt(name)
        if roll < 0.91:
            return self._random.choice(_OTHERS)
        return self._random.choice(_GENERAL).format(n=name)

    def _question(self) -> str:
        """Some facts are asked for again and again, most hardly ever."""
        place = min(int(self._random.paretovariate(0.9)) - 1, len(self.told) - 1)
        return self.told[place].asked

    def _doubt(self, name: str) -> str:
        allergies = self.truth[name].allergies
        if not allergies:
            return self._random.choice(_OTHERS)
        return self._random.choice(_DOUBT).format(n=name, a=self._random.choice(allergies))
