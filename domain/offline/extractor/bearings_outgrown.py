"""A known fear or failing that is over: 打雷照睡，回回都这样, 再没挠过沙发, 现在随行特别稳.

What is told is how it is from now on: over a time, by training, or of every time; once is told by `bearings_once`.
"""

import re
from collections.abc import Sequence

from domain.attributes import spec_of
from domain.change_words import TENDENCY
from domain.offline.extractor.bearing_words import UNDECIDED
from domain.offline.extractor.bearings_once import STAYED_CALM, names_its_thing
from domain.offline.extractor.reading import Draft, Scene
from domain.offline.extractor.threads import MAX_LINE, Found
from domain.pet_profiles import KnownFact
from memory.vocabulary import AttributeClass, SpeechAct

_FAILINGS = re.compile(
    r"怕|吐|尿|拉|躲|讨厌|不(?:喜欢|爱|让|肯|会|敢|亲|合)|抗拒|应激|凶|焦虑|护[食玩窝]|吼|叫|咬|抓|挠|扑|冲|拽|追|拆|啃|刨|翻|抢|偷|乱|随地|晕|抖|呲|打架|挑食"
)
"""What an owner wants to train away."""
_LASTS = re.compile(
    r"现在|如今|早(?:就|已|不)|已经|彻底|完全|再也|再没|[这前近]?[一二两俩仨三四五六七八九十几半\d]+来?个?多?(?:月|周|星期|礼拜|年)|自从|从那以后|打那以后"
    r"|次次|[一二两三四五六七八九十几\d]+(?:次|回|趟)都|回回|趟趟|天天|顿顿|每[次回趟天]|谁来都|训练|训好|练(?:了|得|出|下|好|会)|脱敏|社会化|结业|毕业|出师|学会|见效|有成果|这关|过关|毛病|连着|一直(?=都|不|没)"
)
_GONE = re.compile(
    r"(?:毛病|问题|事儿?|习惯|心病|心结|阴影|关)[^,，。不没]{0,5}(?:没了|好了|好透|改|解决|过(?:了|去|关)|断|翻篇|克服|搞定)|过关|毕业|出师|结业|[掰扳纠]正|戒了|克服"
)
_TRAINED = re.compile(r"训|练|脱敏|社会化")
_IN_ORDER = re.compile(
    r"习惯|适应|学会|毕业|出师|结业|改(?:好|掉|过来|正)|[掰扳纠教训拧]正|戒了|主动|乖|老实|配合|淡定|镇定|安静|放松|自如|大方|听话|懂事|稳|凑(?:上|过|近)|蹭|自己(?:[往跳走进上钻伸躺趴爬凑]|主动)|跟玩|没反应|当回事|无所谓|眼皮?都[不没]|没感觉|无感|没事人|若无其事|不在乎|懒得|不带怕|随便(?:摸|碰|拿)|定点|规矩|文明|粘人|黏人|爱吃了|抢着"
)
_DENIED = re.compile(r"(?:不|没|没再|没有)(?:再|怎么)?(?P<what>[^,，。了过的]{1,6})")
_DEEDS = frozenset("怕躲凶吼叫咬抓挠扑冲拽追拆啃刨翻抢偷乱晕抖呲架尿拉吐钻跑嚎哼护吠挑")
_NOT_OVER = re.compile(
    r"(?<!再)不太|没那么|不那么|没以前|好(?:一?点|些|多)|有时|偶尔|还是(?:会|有|怕|不)|除了|比[^,，。]{1,6}(?:好|强)|进步|慢慢|有所|希望|要是|如果|能不能|还(?:会|怕|得)|又(?!.{0,3}(?:凑|蹭))"
)
"""It is better, or so at times, and not over."""
_LIES_CALMLY = "symptom:lethargy"  # 都趴窝里打呼
_TOLD_BY = (AttributeClass.BEHAVIOR, AttributeClass.ACTIVITY, AttributeClass.OTHER)


def tell_over(found: list[Found], habits: Sequence[KnownFact], scene: Scene) -> bool:
    """Whether the message tells that one known fear or failing is over; its drafts are set so."""
    words = scene.folded
    if not _LASTS.search(words) or _NOT_OVER.search(words) or UNDECIDED.search(words):
        return False
    told = [one for one in found if one.reading.usable]
    pets = {pet for one in told for pet in one.reading.about.pets}
    if len(told) < len(found) or len(pets) != 1:
        return False
    own = [fact for fact in habits if fact.subject in pets and _is_a_failing(fact)]
    over = [fact for fact in own if _is_over(fact, own, scene)]
    if len({fact.attribute for fact in over}) != 1:
        return False
    for one in found:
        one.drafts = [draft for draft in one.drafts if _stays(draft, over[0])]
    last = told[-1]
    start = told[0].reading.start if last.reading.end - told[0].reading.start <= MAX_LINE else last.reading.start
    name = over[0].attribute.partition(":")[2] if over[0].attribute.startswith("symptom:") else ""
    value = {"name": name} if name else {}
    draft = Draft(over[0].attribute, start, last.reading.end, value, negated=True, act=SpeechAct.STATEMENT)
    last.drafts = [draft, *last.drafts]
    return True


def _is_a_failing(fact: KnownFact) -> bool:
    cls = spec_of(fact.attribute).attribute_class
    lasting = cls is AttributeClass.BEHAVIOR or (cls is AttributeClass.SYMPTOM and TENDENCY.search(fact.content))
    return bool(lasting) and _FAILINGS.search(fact.content) is not None


def _is_over(fact: KnownFact, own: Sequence[KnownFact], scene: Scene) -> bool:
    """What it does is denied, or it behaves well where the thing is named; the only failing need not be named."""
    said = {letter for told in _DENIED.finditer(scene.folded) for letter in told["what"]}
    denied = bool(said & _DEEDS & set(fact.content))
    gone = _GONE.search(scene.folded) is not None
    calm = gone or STAYED_CALM.search(scene.folded) is not None or _IN_ORDER.search(scene.folded) is not None
    named = names_its_thing(fact, scene)
    trained = _TRAINED.search(scene.folded) is not None
    return (named and (denied or calm)) or (len(own) == 1 and (denied or (calm and trained)))


def _stays(draft: Draft, fact: KnownFact) -> bool:
    """What is of another kind than the loose lines made of the same words."""
    cls = draft.cls or spec_of(draft.attribute).attribute_class
    denied_sign = cls is AttributeClass.SYMPTOM and (draft.negated or draft.attribute == _LIES_CALMLY)
    return draft.attribute != fact.attribute and cls not in _TOLD_BY and not denied_sign
