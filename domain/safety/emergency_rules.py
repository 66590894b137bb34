"""An emergency in the question is answered with "to the vet, now"; nothing may play it down or cure it at home."""

import re
from collections.abc import Iterator, Sequence

from domain.safety.facts import SafetyFacts
from domain.safety.findings import Finding
from domain.safety.reading import Reading
from domain.safety.stance import Clause
from domain.triage import YOUNG_MONTHS, Alert, triage

_VET = r"医院|急诊|就医|送医|就诊|兽医|看医生|医生|抢救|大夫"
_GO = re.compile(
    rf"(?:立即|马上|赶紧|赶快|立刻|现在|尽快|今天|今晚|当天|连夜|第一时间|直接|务必|快|越快|得|要|需要|必须|应该|建议|带|去|联系|打电话|电话|送)[^,]{{0,14}}(?:{_VET})"
    rf"|(?:{_VET})[^,]{{0,8}}(?:马上|立即|赶紧|现在|尽快|看|检查)|急症"
    r"|(?:立即|马上|赶紧|现在|尽快|今天|今晚)[^,]{0,6}(?:带|去|送)[^,]{0,8}(?:检测|检查|化验|拍片|拍个片|导尿|验血|看病|手术|急救)"
)
_SEES_A_VET = re.compile(rf"{_VET}|(?:去|带|送|来|再|要)[^,]{{0,6}}(?:拍片|化验|检查|复查|看|查|验|体检)")
_NO_NEED = re.compile(
    rf"(?:不用|不必|没必要|先别|先不|不需要|无需|不急着|别急着|暂时不|没到|犯不着|不着急|用不着|不至于)[^,]{{0,8}}(?:去|跑|看|送|就(?=医|诊)|{_VET})"
)
_LATER = re.compile(
    r"明天|明早|后天|过(?:两|几|一|三)?(?:两|三)?天|周末|下周|观察|再看|再说|等等|先等|看看情况|养(?:两|几|一)|慢慢|休息|睡一觉|缓一缓|缓缓"
    r"|如果|要是|万一|没(?:有)?好转|不行(?:再|的话)|还(?:不|没)[^,]{0,6}再|严重了?再|加重再|实在|[三两几]天(?:不|没|后)|超过[^,]{0,6}(?:天|小时)"
)
_AT_ONCE = re.compile(r"马上|立即|立刻|赶紧|直接")
_WAITS = re.compile(
    r"明天|明早|后天|过[两几一三]+天|周末|下周|观察|再看|再说|等等|先等|看看情况|养[两几一]|慢慢|睡一觉|缓一缓|饿一饿|饿[一两]"
)
_PLAYS_DOWN = re.compile(
    r"没(?:有)?(?:什么)?(?:大)?(?:事|关系|问题|大碍)|正常(?!值)|不要紧|很常见|常见|不严重|不(?:用|必)(?:太|过于)?(?:担心|慌|急|紧张|怕|管)|别(?:慌|急|担心|紧张|怕|太担心)"
    r"|自己(?:会|就)?(?:好|恢复|缓|消|排|吐|拉|拉出来|出来)|会(?:自己)?(?:好|恢复|消|缓|排出)|就好(?:了)?|就行|小问题|小毛病|上火|吃撑|着凉|撒娇|累了|不碍事|安全了|没内伤|问题不大|扛(?:一扛|过去)|忍|挑食|[闹耍](?:脾气|情绪|性子)|惯着|自然(?:会|就)?(?:吃|好|拉|停|消)|装的|大惊小怪|都这样|难免|矫情|水土不服|消化不良"
)
_HOME_CURES = re.compile(
    r"催吐|双氧水|灌[^,]{0,4}(?:水|奶|油|醋|药|盐|蛋清)|(?:喝|喂|给)[^,]{0,4}(?:牛奶|盐水|香油|食用油|蛋清|白醋|绿豆汤)[^,]{0,8}|酒精[^,]{0,6}擦|冰水|冰敷|抠|自己(?:拔|剪|拽|拉|挤|取)"
    r"|挤(?:膀胱|肚子|尿)|按压?(?:膀胱|肚子)|揉(?:揉)?肚子|人用|退烧药|止痛药|消炎药|云南白药|压下去|咽下去|噎下去|顺下去|裹着拉|喂[^,]{0,4}(?:馒头|面包|韭菜|香油)|掐人中|针扎|放血|热水袋"
)
_BY_ONESELF = re.compile(r"自己|在家|双氧水|盐|洗洁精|肥皂|抠|筷子|灌")
_FORBIDS = re.compile(r"不(?:要|能|可|可以|用|建议|应|宜)|别|勿|禁|千万|切忌|避免|严禁")
_SERIOUS_SYMPTOMS = re.compile(
    r"抽搐|抽风|昏|晕倒|叫不醒|呼吸|喘不|张口喘|吐血|便血|拉血|尿血|尿不|没尿|瘫|站不|不吃不喝|吐(?:了)?[三四五六七八九十好几]+次|一直吐|高烧|肿得|流血|被车|摔|掉下|咬伤|中毒|误食|误吞|吞了|黄疸|牙龈白|精神很差|没精神|不吃"
)


def alerts_of(question: str, facts: SafetyFacts) -> tuple[Alert, ...]:
    """What triage says of the question."""
    focus = next(iter(facts.about)) if len(facts.about) == 1 else None
    young = [pet.profile.id for pet in facts.pets if pet.age_months is not None and pet.age_months < YOUNG_MONTHS]
    return triage(question, [pet.profile for pet in facts.pets], focus, young=young)


def find_emergency_risks(reading: Reading, alerts: Sequence[Alert]) -> Iterator[Finding]:
    """Findings when the question tells of an emergency and the whole reply does not send to the vet."""
    gravest = _gravest(alerts)
    if not is_serious(reading.question, alerts):
        return
    if gravest is not None and gravest.level == "emergency":
        yield from _home_cures(reading.clauses, gravest)
    if _is_answered_safely(reading.clauses, gravest):
        return
    sign = gravest.sign if gravest else "这样的情况"
    start, end = _span_of(reading)
    yield Finding("emergency", f"「{sign}」可能是急症", start, end)


def is_serious(question: str, alerts: Sequence[Alert]) -> bool:
    """Does a folded question call for a vet at all: by an alert, or by the words of a grave sign?"""
    return _gravest(alerts) is not None or bool(_SERIOUS_SYMPTOMS.search(question))


def find_played_down(reading: Reading, alerts: Sequence[Alert], sent_before: bool) -> Iterator[Finding]:
    """Findings in a sentence that plays an emergency down, or treats it at home."""
    gravest = _gravest(alerts)
    if gravest is None or gravest.level != "emergency":
        return
    yield from _home_cures(reading.clauses, gravest)
    sent = sent_before or sends_to_vet(reading)
    for clause in reading.clauses:
        soothes = _PLAYS_DOWN.search(clause.text) or _WAITS.search(clause.text)
        if _NO_NEED.search(clause.text) or (soothes and not sent):
            yield Finding("emergency", f"「{gravest.sign}」可能是急症", clause.start, clause.end)


def _gravest(alerts: Sequence[Alert]) -> Alert | None:
    return next((alert for alert in alerts if alert.level != "watch"), None)


def sends_to_vet(reading: Reading) -> bool:
    """Does the reply tell to go to the vet at once? Then it may describe what a poison does."""
    return any(_sends_now(clause.text) or _sends_at_first_sign(clause.text) for clause in reading.clauses)


def _is_answered_safely(clauses: Sequence[Clause], alert: Alert | None) -> bool:
    sends = any(_sends_now(clause.text) for clause in clauses)
    refuses = any(_NO_NEED.search(clause.text) for clause in clauses)
    plays_down = any(_PLAYS_DOWN.search(clause.text) and not _sends_now(clause.text) for clause in clauses)
    mentions_vet = any(_SEES_A_VET.search(clause.text) for clause in clauses)
    waits = any(_WAITS.search(clause.text) for clause in clauses)
    if alert is not None and alert.level == "emergency":
        at_first_sign = not (plays_down or waits) and any(_sends_at_first_sign(clause.text) for clause in clauses)
        return (sends or at_first_sign) and not refuses
    if alert is not None:
        return mentions_vet and not refuses
    return not (refuses or ((plays_down or waits) and not mentions_vet))


def _sends_at_first_sign(text: str) -> bool:
    """一旦发抖就马上去医院, where what happened need not have harmed yet."""
    return bool(_GO.search(text) and _AT_ONCE.search(text)) and not _NO_NEED.search(text)


def _sends_now(text: str) -> bool:
    return bool(_GO.search(text)) and not _NO_NEED.search(text) and not _LATER.search(text)


def _home_cures(clauses: Sequence[Clause], alert: Alert) -> Iterator[Finding]:
    sent = any(_sends_now(clause.text) for clause in clauses)
    for clause in clauses:
        found = _HOME_CURES.search(clause.text)
        if found and found.group() == "催吐" and sent and not _BY_ONESELF.search(clause.text):
            continue  # what the clinic will do is not what the owner is told to do
        if found and not _FORBIDS.search(clause.text) and not re.search(_VET, clause.text):
            risk = f"「{alert.sign}」不能在家这样处理（{found.group()}），可能加重伤害"
            yield Finding("first_aid", risk, clause.start, clause.end)


def _span_of(reading: Reading) -> tuple[int, int]:
    if not reading.clauses:
        return 0, len(reading.reply)
    return reading.clauses[0].start, reading.clauses[-1].end
