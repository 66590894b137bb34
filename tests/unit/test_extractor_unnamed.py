"""Messages that name no pet, or begin with a mood, and still tell something; and neighbours that tell nothing."""

from datetime import datetime, timedelta, timezone

import pytest

from domain.offline.extractor import extract
from domain.pet_profiles import PetProfile, Utterance
from memory.claims import Claim

NOW = datetime(2026, 4, 15, 20, tzinfo=timezone(timedelta(hours=8)))
PETS = (PetProfile("p", "桃酥", "dog"),)


def claims(text: str) -> list[Claim]:
    return list(extract(Utterance(text, NOW, PETS)).claims)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("饭后一小时肚皮胀得像个篮球，干呕啥也没出来，哈喇子滴了一地", 3),
        ("眼珠子突出来了，嘴唇没血色", 2),
        ("从池子里捞上来就没气了，身子都冰了", 1),
        ("肚子上被咬了个大口子，肠子都露出来了", 1),
        ("屁股后头拖着一截红肉", 1),
        ("呼吸一分钟八十多次，肚子一抽一抽的", 1),
        ("在太阳底下跑了俩钟头，喘得停不住，浑身滚烫", 3),
        ("尿是可乐色的，牙床发白", 2),
        ("尿块就绿豆那么小 一晚上进了八趟砂盆", 2),
    ],
)
def test_every_urgent_sign_is_kept_although_nobody_is_named(text: str, signs: int) -> None:
    """What is one sign told twice is one claim with both."""
    assert [claim.attribute.split(":")[0] for claim in claims(text)] == ["symptom"] * signs


@pytest.mark.parametrize(
    "text",
    [
        "吃火锅撑得肚子鼓得像皮球",
        "昨晚孩子发烧身上滚烫，跑了趟儿童医院",
        "老公喝多了，想吐又吐不出来",
        "爬了三层楼我就喘不上气了",
        "轮胎快没气了，得去打气",
        "浑身软得像面条，感冒真难受",
        "如果肚子鼓得跟皮球一样该怎么办",
        "看到红烧肉口水流一地",
    ],
)
def test_peoples_bellies_and_breath_are_no_alarm(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("我真要疯了，昨天我爸趁我开会给桃酥塞了块月饼，今早桃酥拉稀了，我俩吵了一架", 2),
        ("真要被气晕，邻居小孩给桃酥喂了两块巧克力", 1),
    ],
)
def test_a_mood_or_a_quarrel_silences_no_fact(text: str, told: int) -> None:
    assert len(claims(text)) == told


@pytest.mark.parametrize(
    "text",
    [
        "太“贴心”了，往我枕头上吐了一团毛",
        "这位爷有出息，把纱窗挠了个大洞",
        "我的“乖”闺女，刚才趁我做饭把零食柜扒开了",
        "真行，早上五点准时在我耳朵边嚎",
        "可长脸了，在新沙发上尿了一大泡",
    ],
)
def test_the_deed_behind_mock_praise_is_kept(text: str) -> None:
    assert len(claims(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "儿子真行，趁我洗澡把墙画花了",
        "真厉害，女足又赢了",
        "真是谢谢楼上，半夜两点把我吵醒",
        "同事真会来事，把我的杯子打碎了",
        "它可真“爱干净”",
    ],
)
def test_praise_of_people_and_praise_alone_tell_nothing(text: str) -> None:
    assert claims(text) == []
