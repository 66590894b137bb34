"""What owners say of the assistant itself is answered as that, and never with a search of the records."""

import pytest
from responder_contexts import about_dog

from domain.offline.responder import respond
from domain.offline.responder.talk_of_us import AboutUs, read_about_us

SAID = [
    ("你能干嘛", AboutUs.HELP),
    ("你都会些什么呀？", AboutUs.HELP),
    ("怎么用", AboutUs.HELP),
    ("你有啥用", AboutUs.HELP),
    ("使用说明", AboutUs.HELP),
    ("我叫你小爱行吗", AboutUs.NAMING),
    ("以后就叫你阿宝吧", AboutUs.NAMING),
    ("傻逼机器人", AboutUs.ABUSE),
    ("你真没用", AboutUs.ABUSE),
    ("你是不是傻", AboutUs.ABUSE),
    ("什么破玩意儿", AboutUs.ABUSE),
    ("你怎么又忘了", AboutUs.COMPLAINT),
    ("我不是跟你说过了吗", AboutUs.COMPLAINT),
    ("说了三遍了", AboutUs.COMPLAINT),
    ("你记性真差", AboutUs.COMPLAINT),
    ("我问的不是这个", AboutUs.COMPLAINT),
    ("对不起刚刚骂你了", AboutUs.APOLOGY),
    ("刚才态度不好，别生气", AboutUs.APOLOGY),
    ("你觉得我养得好吗", AboutUs.PRAISE_SOUGHT),
    ("我是不是个好主人", AboutUs.PRAISE_SOUGHT),
    ("陪我聊聊天", AboutUs.PERSONAL),
    ("你吃饭了吗", AboutUs.PERSONAL),
]


@pytest.mark.parametrize(("text", "kind"), SAID)
def test_what_is_said_of_the_assistant_is_read(text: str, kind: AboutUs) -> None:
    assert read_about_us(text) is kind


@pytest.mark.parametrize(
    "text",
    [
        "旺仔真没用",
        "它太笨了",
        "又忘了",
        "我忘了喂药",
        "刚才说错了",
        "上次说过的",
        "它有病",
        "好烦",
        "你记得它怕什么吗",
        "怎么说",
        "它睡了吗",
        "翻垃圾",
        "不好意思我家狗拉肚子了",
        "太好了",
    ],
)
def test_what_tells_or_asks_of_a_pet_is_not_said_of_the_assistant(text: str) -> None:
    assert read_about_us(text, ["旺仔"]) is None


@pytest.mark.parametrize("text", [text for text, _ in SAID])
def test_it_is_answered_in_one_sentence_without_a_look_at_the_records(text: str) -> None:
    (told,) = respond(about_dog(text))
    assert "记录。" not in told.text
    assert told.citations == ()
