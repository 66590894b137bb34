"""Vaccines and dewormings that happened, were put off, or are not done."""

import re
from collections.abc import Iterator

from domain.offline.extractor.medicines import GOT_AT_IT
from domain.offline.extractor.plans import is_future
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.wordlist import Hit
from memory.topics import Topic

_GIVEN = re.compile(
    r"同一天|同时|一起|当天|一块|是|在|戴|喷|上次|上回|间隔|打|接种|补|滴|驱|吃|喂|做|用|抹|完成|搞定|完事|拿下|齐活|扎|免|种|[好齐全]了|反应|没|过敏"
)
_NOT_YET = re.compile(
    r"(?:没|还没|未|不|没有|从没|忘了?|漏)(?:打|接种|驱|滴|做|吃|给|敢|能|有(?!不良|反应|发|吐|什么|啥|任何|异常|不适|副作用|过敏|问题|事|出现|拉|肿|哭|闹))|缓|推迟|延|再说|再等|过期|到期|(?<!应)该"
)


_RENEWED = re.compile(r"换了|换上|续了|补上|又(?:打|滴|喂|戴)了")  # 到期又换了根新的
_BARE_JAB = re.compile(r"第?[一二三四\d]针|[首末头补]针|头一针|最后一针")  # 打了一针止吐针 is no vaccine
_IS_TESTED = re.compile(r"(?:查|测|验|检测|化验|筛查)(?:了|过|的|个|一下)*$")  # 抽血查四联 is a test
_DRUGS = ("drug", "drug_name", "drug_word")


def _of_antibodies(reading: Reading, hit: Hit) -> bool:
    """三联抗体查过了: a test."""
    return reading.after(hit, 3).lstrip("的").startswith("抗体")


_COURSE_OF_JABS = re.compile(
    r"(?:每|一|隔)(?:天|日|周|个?月)[^,。]{0,2}[一两二三\d]针|[早晚]各?一针"
)  # 每周打一针 is a treatment


_MISSED = re.compile(r"(?:忘|漏|少|落)(?:记)?(?:了|打|给)*$")  # 今早忘打了一针: of what is injected every day
_PRICED = re.compile(r"针(?:要|得|才|花了?|收)?(?:\d{2,}(?![./月\d])|[一二两三四五六七八九][百千])")  # 一针一百六


def _is_no_vaccine(reading: Reading, hit: Hit, scene: Scene) -> bool:
    bare = _BARE_JAB.fullmatch(hit.word.text) is not None
    named = any(other.family == "vaccine" and other != hit for one in scene.readings for other in one.hits)
    treated = not named and any(one.has("condition", *_DRUGS) for one in scene.readings[: reading.place])
    ill = [other for other in reading.hits if other.family == "sign" and other.end <= hit.start]
    treated = treated or (not named and bool(ill))  # 肿成馒头打了一针
    ailing = any(one.has("sign") for one in scene.readings[: reading.place + 1])
    treated = treated or (hit.word.text == "一针" and not named and ailing)  # 脸肿了，打了一针才消
    priced = _PRICED.search(reading.text) is not None
    missed = hit.word.text == "一针" and not named and _MISSED.search(reading.before(hit, 6)) is not None
    return bare and (
        treated or priced or missed or reading.has(*_DRUGS) or _COURSE_OF_JABS.search(reading.text) is not None
    )


def find_prevention(reading: Reading, scene: Scene) -> Iterator[Draft]:
    """One claim for each vaccine or dewormer; what lies ahead is left to `plans`."""
    if GOT_AT_IT.search(reading.text) or _names_what_was_got_at(reading, scene):
        return
    if is_future(reading, scene) or re.search(r"下一?(?:针|次)|下回", reading.text):
        return
    if (last := _last_time(reading, scene)) is not None:
        yield last
        return
    if (due := _falls_due(reading)) is not None:
        yield due
        return
    if _NAMES_THE_KIND.search(reading.text) and (_was_planned(reading, scene) or _was_given(reading, scene)):
        reading.used.update(reading.of("vaccine", "dewormer"))
        return
    if (jabs := _JABS.search(reading.text)) and not reading.has("vaccine", *_DRUGS):
        yield Draft("vaccine:vaccine", reading.start, reading.end, {"product": jabs[0]})
        return
    if (apart := _SEPARATED.search(reading.text)) and not reading.has("dewormer"):
        yield Draft("deworming:dewormer", reading.start, reading.end, {"product": apart[0]})
        return
    for family, slot in (("vaccine", "vaccine"), ("dewormer", "deworming")):
        hits = [hit for hit in reading.of(family) if not _is_no_vaccine(reading, hit, scene)]
        hits = [hit for hit in hits if not (_IS_TESTED.search(reading.before(hit, 6)) or _of_antibodies(reading, hit))]
        if any(_ONLY_A_TIME.match(reading.after(hit, 4)) for hit in hits) and reading.has("sign"):
            continue  # 打疫苗那天脸肿了
        if hits and reading.has("sign") and not reading.times and all(_is_only_a_start(reading, hit) for hit in hits):
            reading.used.update(hits)
            continue  # 吃完驱虫药口水流了一地
        numbered = _ORDINAL.search(reading.text) is not None and (hits or family == "vaccine")
        ordinal = _named_before(reading, scene, family) if numbered else None
        if ordinal:
            yield Draft(
                f"{slot}:{ordinal.id}",
                reading.start,
                reading.end,
                {"product": ordinal.word.text},
                about=ordinal.word.text,
            )
            reading.used.update(hits)
            continue
        for hit in _most_telling(hits):
            rest = reading.text.replace(hit.word.text, "", 1)
            if (
                not (_GIVEN.search(rest) or re.search(r"[了过\d]|期|刚|昨|今天|月", rest))
                and len(reading.text) > len(hit.word.text) + 4
            ):
                continue
            negated = _NOT_YET.search(reading.text) is not None and _RENEWED.search(reading.text) is None
            yield Draft(f"{slot}:{hit.id}", reading.start, reading.end, {"product": hit.word.text}, negated)
        reading.used.update(hits)


_DUE = re.compile(r"(?:得|要|该|必须|记得|定好|提醒|闹钟)")
_LAST_TIME = re.compile(
    r"^\x00*(?:上一?[回次]|最近一[回次]|前一?[回次]|这[回次])[^,。]{0,8}(?:打|喂|滴|驱|吃|做|用|抹)(?:的|了|过)"
)
REACH = 3  # clauses back to what was given last time


def _falls_due(reading: Reading) -> Draft | None:
    """每月12号都得喂犬心保: a rhythm to keep, not one that was kept."""
    rhythm = next((time.recurrence for time in reading.times if time.recurrence), None)
    hits = reading.of("vaccine", "dewormer")
    if rhythm is None or not hits or not _DUE.search(reading.text) or re.search(r"了|过(?!敏)", reading.text):
        return None
    reading.used.update(reading.hits)
    value = {"name": hits[0].word.text, "recurrence": rhythm.as_dict()}
    slot = f"schedule:{hits[0].word.text}"
    return Draft(slot, reading.start, reading.end, value, topic=Topic.PREVENTION)


def _last_time(reading: Reading, scene: Scene) -> Draft | None:
    """上回是3月12喂的, after what is given every month."""
    if not reading.times or reading.has("vaccine", "dewormer") or not _LAST_TIME.search(reading.text):
        return None
    for earlier in reversed(scene.readings[max(0, reading.place - REACH) : reading.place]):
        named = [hit for hit in earlier.hits if hit.family in ("vaccine", "dewormer")]
        if named and earlier.about.pets == reading.about.pets:
            slot = "vaccine" if named[0].family == "vaccine" else "deworming"
            product = {"product": named[0].word.text}
            return Draft(f"{slot}:{named[0].id}", reading.start, reading.end, product, about=named[0].word.text)
    return None


_ORDINAL = re.compile(
    r"^\x00*(?:\d{1,2}[./月]\d{1,2}[号日]?(?:打的?|是)?)?(?:第?[一二三四]针|头一?针|[首末]针|最后一针|(?:第[一二三四]|[头首二三四末])[次回])"
)


_SEPARATED = re.compile(
    r"(?:驱|打)(?:过了?|完了?|好了?|了)[^,。虫]{0,4}虫|(?:体[内外]|内外)(?:的|那个)?[^,。驱]{0,4}(?:滴|吃|喂|抹|喷|做)(?:了|过|完|好)|^\x00+(?:已经|也|都|刚)*驱(?:了|过了|完了)$"
)  # 驱过一次虫, 体外滴过了


_JABS = re.compile(r"打(?:了|完|过)加强(?!针)|[三四两]针(?:都|全)*打?(?:满|齐|全|完)")  # 三针都打满了
_NAMES_THE_KIND = re.compile(
    r"^.{2,6}(?:那个|那种|那款|的那)$|^\x00*(?:都|全|打的|用的|就|也)*是[^,。]{2,10}(?:的|那款|那种|那个)$"
    r"|^(?:都|也|是|属于)*(?:体内外?|体外|内驱|外驱|内外同驱|内外驱)(?:的|驱虫药?|同驱)*(?:那?[种款个])?$"
)


def _was_planned(reading: Reading, scene: Scene) -> bool:
    """每月15号喂心丝虫药，犬心保那个: only names what the reminder is for."""
    previous = scene.previous_of(reading)
    return previous is not None and is_future(previous, scene)


def _names_what_was_got_at(reading: Reading, scene: Scene) -> bool:
    """狗的驱虫药让猫啃了半块（拜宠清）: the name in brackets."""
    previous = scene.previous_of(reading)
    bare = [len(hit.word.text) for hit in reading.hits] == [len(reading.text)]  # 让猫啃了半块！拜宠清！
    near = previous is not None and (previous.sentence == reading.sentence or bare) and len(reading.text) <= MAX_NAME
    return near and previous is not None and GOT_AT_IT.search(previous.text) is not None


MAX_NAME = 8  # characters of a clause that only names a product


def _was_given(reading: Reading, scene: Scene) -> bool:
    """补了猫三联，妙三多那个: only names the kind."""
    previous = scene.previous_of(reading)
    return previous is not None and previous.sentence == reading.sentence and previous.has("vaccine", "dewormer")


def _named_before(reading: Reading, scene: Scene, family: str) -> Hit | None:
    """The vaccine that 第一针, 第二针 go on to tell of."""
    place = reading.place
    earlier = [hit for other in scene.readings[max(0, place - 3) : place] for hit in other.hits if hit.family == family]
    named = [hit for hit in earlier if "针" not in hit.word.text]
    return named[-1] if named and any(time.on for time in reading.times) else None


def _is_only_a_start(reading: Reading, hit: Hit) -> bool:
    return hit.word.text in ("疫苗", "驱虫药", "预防针", "驱虫", "疫苗针") and reading.before(hit).endswith(
        ("完", "过")
    )


_ONLY_A_TIME = re.compile(r"(?:针)?(?:那[天次回会晚]|当天|当晚|的时候|第二天|回来)")
_NUMBERED = re.compile(r"第?[一二三四\d]针|[首末头补尾]针|头一针|最后一针|三针加强")  # 首针猫三联 is one vaccine
_ONLY_WHERE = re.compile(r"体内|体外")  # 补了体外的大宠爱 is one deworming


def _most_telling(hits: list[Hit]) -> list[Hit]:
    """Named products before general words: 外驱用了大宠爱 is one deworming."""
    general = {
        "疫苗",
        "deworming",
        "dewormed",
        "驱虫",
        "驱虫药",
        "内驱",
        "外驱",
        "体内驱虫",
        "体外驱虫",
        "一针",
        "第一针",
        "第二针",
        "第三针",
        "加强针",
        "疫苗针",
        "预防针",
    }
    named = [
        hit
        for hit in hits
        if not (hit.word.text in general or _ONLY_WHERE.search(hit.word.text) or _NUMBERED.fullmatch(hit.word.text))
    ]
    named = [hit for hit in named if not any(other.end == hit.start for other in named)]  # 钩体二联 is one
    return list({hit.id: hit for hit in named or hits[:1]}.values())
