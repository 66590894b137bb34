"""Trained heads take out what was no report and take in what no rule knew; weighty statements they hardly touch."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from domain.offline.extractor import extract
from domain.offline.extractor.second_look import WEIGHTY_NOTHING_FROM
from domain.offline.heads import load_heads
from domain.offline.heads.ngrams import ngrams, without_names
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim
from memory.topics import Topic
from memory.vocabulary import AttributeClass

HEADS = load_heads()
NOW = datetime(2026, 5, 20, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("d", "豆豆", "dog"),)


def claims_of(text: str) -> tuple[Claim, ...]:
    return extract(Utterance(text, NOW, PETS)).claims


@pytest.mark.parametrize(
    "text",
    [
        "对面楼大爷的京巴从台阶上摔断了腿，正到处打听哪家骨科好呢",
        "龙虾肉能给狗尝吗？螃蟹呢",
    ],
)
def test_what_is_no_report_leaves_nothing(text: str) -> None:
    assert claims_of(text) == ()


def test_a_clause_that_no_rule_knows_is_kept_as_a_remark_with_a_topic() -> None:
    remarks = [claim for text in UNKNOWN_TO_RULES for claim in claims_of(text) if claim.attribute == "other:remark"]
    assert remarks
    assert all(claim.attribute_class not in RECORDED for claim in remarks)


UNKNOWN_TO_RULES = (
    "豆豆今天头一回自己走过天桥",
    "豆豆左眼好像比右眼小一圈",
    "豆豆下个月6号上午九点在心内科赵主任那做心超",
)
RECORDED = (
    AttributeClass.ALLERGY,
    AttributeClass.CHRONIC_CONDITION,
    AttributeClass.MEDICATION,
    AttributeClass.VACCINE,
    AttributeClass.DEWORMING,
    AttributeClass.WEIGHT,
)


@pytest.mark.parametrize("text", ["记住，豆豆活像块发过头的面团", "记住，豆豆怕打雷，一打雷就往床底下钻"])
def test_what_an_owner_asks_to_keep_is_not_silenced(text: str) -> None:
    message = without_names(text, ["豆豆"])
    nothing, _ = HEADS.read(message)
    assert claims_of(text) or nothing < WEIGHTY_NOTHING_FROM


@pytest.mark.parametrize("text", ["豆豆对鸡肉过敏", "豆豆昨天打了狂犬疫苗", "豆豆在吃优甲乐一天一片", "豆豆8.2公斤"])
def test_a_plain_medical_statement_is_as_sure_to_the_heads_as_to_the_rules(text: str) -> None:
    nothing, _ = HEADS.read(without_names(text, ["豆豆"]))
    assert nothing < 0.5
    assert claims_of(text)


def test_a_pets_name_changes_no_score() -> None:
    scores = {HEADS.read(without_names(f"{name}今天吐了两次", [name])) for name in ("豆豆", "可乐", "闪电侠")}
    assert len(scores) == 1


def test_a_text_of_any_length_has_bounded_features() -> None:
    assert len(ngrams("豆" * 4000 + "吐", 4)) < 20
    assert len(ngrams("".join(map(chr, range(0x4E00, 0x4E00 + 4000))), 4)) < 4 * 402


def test_the_table_knows_topics_and_classes_of_the_product() -> None:
    told = json.loads(Path("domain/offline/heads/heads.json").read_text(encoding="utf-8"))
    assert {topic for topic, _ in HEADS.labels} <= set(Topic)
    assert len(told["label_offsets"]) == len(HEADS.labels)
    assert all(len(row) == len(HEADS.labels) + 1 for row in told["topics"].values())


@pytest.mark.parametrize("text", ["今天吐了", "黑的那只今天吐了", "楼下豆豆吐了"])
def test_a_message_too_short_to_judge_is_left_to_the_rules(text: str) -> None:
    assert [claim.subject for claim in claims_of(text)] == ["d"]


def test_an_empty_text_is_judged_without_fault() -> None:
    assert 0.0 <= HEADS.read("")[0] <= 1.0
    assert 0.0 <= HEADS.keep("", 0.0) <= 1.0
    assert 0.0 <= HEADS.about("").sure <= 1.0


@pytest.mark.parametrize(
    "text", ["三月那会儿豆豆每顿吃几克来着", "豆豆上个月在哪家医院拔的牙", "豆豆小时候到底多重来着"]
)
def test_a_question_without_its_mark_is_no_remark(text: str) -> None:
    assert [claim for claim in claims_of(text) if claim.attribute == "other:remark"] == []
