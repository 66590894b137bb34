"""What asks for something to be forgotten, by kind, and what only looks like it."""

import pytest

from domain.forget_choice import fitting, plain_words
from domain.forget_requests import Forget, read_forget
from domain.pet_profiles import SaidBefore
from memory.items import MemoryItem
from tests.confusable_households import MARCH


@pytest.mark.parametrize(
    ("text", "what", "words"),
    [
        ("把这条忘了吧", Forget.SHOWN, ""),
        ("算了，把这条忘了吧。", Forget.SHOWN, ""),
        ("能把这条忘了吗？", Forget.SHOWN, ""),
        ("忘了这条吧", Forget.SHOWN, ""),
        ("這條忘了吧", Forget.SHOWN, ""),
        ("刚才那句不要记", Forget.SAID, ""),
        ("说错了，刚才那句不要记", Forget.SAID, ""),
        ("刚才说的那句话不用记", Forget.SAID, ""),
        ("上一条别记", Forget.SAID, ""),
        ("刚刚那条删了吧", Forget.SAID, ""),
        ("别记这个", Forget.SAID, ""),
        ("豆豆昨天吐了，别记这个", Forget.THIS, ""),
        ("忘掉豆豆不吃鸡肉这件事", Forget.WORDS, "豆豆不吃鸡肉"),
        ("删掉我老公说的那句", Forget.WORDS, "我老公说"),
        ("把我说的小黑的事忘了吧", Forget.WORDS, "小黑"),
        ("请把豆豆怕打雷忘了", Forget.WORDS, "豆豆怕打雷"),
        ("豆豆不吃鸡肉这件事忘了吧", Forget.WORDS, "豆豆不吃鸡肉"),
        ("从记忆里删掉豆豆怕打雷", Forget.WORDS, "豆豆怕打雷"),
        ("帮我删掉豆豆喜欢绳结的记忆", Forget.WORDS, "豆豆喜欢绳结"),
        ("别记豆豆怕水这件事", Forget.WORDS, "豆豆怕水"),
        ("把所有记忆都删掉", Forget.EVERYTHING, ""),
        ("忘掉豆豆的一切", Forget.EVERYTHING, ""),
    ],
)
def test_a_plain_wish_is_read(text: str, what: Forget, words: str) -> None:
    read = read_forget(text)
    assert read is not None
    assert (read.what, read.words) == (what, words)


@pytest.mark.parametrize(
    "text",
    [
        "忘了喂药",  # what people forget
        "把喂药忘了",
        "今天把药忘了",
        "喂药这件事我忘了",
        "我把那件事忘了",
        "忘记带它打疫苗了",
        "忘了豆豆打没打疫苗",
        "豆豆忘了怎么坐下",
        "把豆豆忘在医院了",
        "别忘了给豆豆喂药",  # the opposite
        "记住豆豆不吃鸡肉",
        "你忘了吗",  # questions
        "你把这条忘了吗",
        "怎么把这条删掉",
        "如果我说把这条忘了吧你会怎样",
        "医生说把这条忘了吧",  # hearsay
        "我妈说，把这条忘了吧",
        "他写道：刚才那句不要记",
        "妈妈：\n把这条忘了吧",
        "“把这条忘了吧”是什么意思",  # quoted
        "剧里有人喊：“别记这个”",
        "不用记录体重了吧",  # other wishes
        "别记仇",
        "不要保存剩粮",
        "把提醒删掉",
        "删除账号",
    ],
)
def test_what_is_no_wish_of_the_owner_forgets_nothing(text: str) -> None:
    assert read_forget(text) is None


def test_an_answer_completes_the_wish_only_after_our_question() -> None:
    wish = SaidBefore("user", "忘掉豆豆怕打雷这件事", MARCH)
    asked = SaidBefore("assistant", "有几条都像，要忘掉哪一条？", MARCH)
    chosen = read_forget("第二条", [wish, asked])
    assert chosen is not None
    assert (chosen.words, chosen.pick) == ("豆豆怕打雷", 2)
    assert read_forget("第二条", [wish, SaidBefore("assistant", "好的。", MARCH)]) is None
    sure = SaidBefore("assistant", "真的要从健康档案里删掉吗？", MARCH)
    assert getattr(read_forget("确定", [wish, sure]), "sure", None) is True
    assert read_forget("先不删", [wish, sure]) is None


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("豆豆不吃鸡肉", ["豆豆不吃鸡肉"]),
        ("它爱吃鸡肉", ["豆豆爱吃鸡肉"]),
        ("豆豆怕雷", ["豆豆怕打雷"]),
        ("怕打雷", ["豆豆怕打雷", "咪咪怕打雷"]),
        ("喜欢晒太阳", []),
    ],
)
def test_a_line_is_found_by_its_words_and_never_by_their_opposite(said: str, found: list[str]) -> None:
    lines = ["豆豆不吃鸡肉", "豆豆爱吃鸡肉", "豆豆怕打雷", "咪咪怕打雷", "豆豆爱吃南瓜"]
    names = ("豆豆", "咪咪")
    items = [
        MemoryItem(
            id=str(place),
            household_id="h",
            owner_id="o",
            attribute="other",
            attribute_class="other",
            content=line,
            topic="diet",
            risk="low",
            learned_at=MARCH,
            last_evidence_at=MARCH,
        )
        for place, line in enumerate(lines)
    ]
    named = [item for item in items if "豆豆" not in said or "豆豆" in item.content]
    assert [item.content for item in fitting(plain_words(said, names), named, names)] == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("把奶茶不让摸肚子那条删了吧", "奶茶不让摸肚子"),
        ("旺财怕打雷那条不要了", "旺财怕打雷"),
        ("旺财怕打雷这条删一下", "旺财怕打雷"),
        ("删掉奶茶爱叫那条", "奶茶爱叫"),
        ("旺财听见打雷就叫那条记录删掉", "旺财听见打雷就叫"),
    ],
)
def test_a_line_that_is_named_as_one_is_forgotten_whatever_its_words(text: str, words: str) -> None:
    wish = read_forget(text)
    assert wish is not None
    assert (wish.what, wish.words) == (Forget.WORDS, words)


@pytest.mark.parametrize("text", ["把关于咪咪的都忘了", "清空记忆", "全部忘掉"])
def test_forgetting_all_at_once_is_seen_as_such(text: str) -> None:
    wish = read_forget(text)
    assert wish is not None
    assert wish.what is Forget.EVERYTHING


@pytest.mark.parametrize(
    "text", ["我把喂药的事都忘了", "我全忘了", "这个牌子不要了", "猫条不要了", "都忘了喂", "删了吧"]
)
def test_what_people_forget_and_throw_away_is_no_memory(text: str) -> None:
    assert read_forget(text) is None
