"""Sentences find their archive."""

from importlib import resources

import pytest

from domain.knowledge.strict_yaml import load_yaml
from domain.knowledge.topic_words import load_topics, route_topics
from memory.topics import Topic


def _examples() -> list[tuple[str, str]]:
    text = resources.files("domain.knowledge").joinpath("data/topics.yaml").read_text(encoding="utf-8")
    data = load_yaml("topics.yaml", text)
    return [(row["utterance"], row["primary"]) for row in data["ambiguous"]] + [
        (example, words.topic) for words in load_topics().topics for example in words.examples
    ]


def test_nearly_all_examples_of_the_sheet_are_routed_right() -> None:
    examples = _examples()
    right = sum(1 for text, topic in examples if route_topics(text)[:1] and route_topics(text)[0].topic == topic)
    assert right / len(examples) >= 0.95


def test_small_talk_belongs_nowhere() -> None:
    assert route_topics("哈哈哈好的呀") == ()


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("把主粮换成了三文鱼味的", Topic.DIET),
        ("周五去打狂犬疫苗", Topic.PREVENTION),
        ("上秤一看5.3公斤了", Topic.GROWTH),
        ("铲屎发现尿团小了", Topic.ELIMINATION),
        ("見到陌生人就躲起來，很怕生", Topic.BEHAVIOR),
        ("每週洗一次澡", Topic.LIFESTYLE),
    ],
)
def test_a_new_sentence_finds_its_archive(text: str, topic: Topic) -> None:
    assert route_topics(text)[0].topic == topic
